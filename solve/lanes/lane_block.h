// Data of a block of SIMD lanes: states, parameters, and the evaluation of the right-hand side.
#ifndef FA_LANE_BLOCK_H
#define FA_LANE_BLOCK_H

#include "arena.h"
#include "lane_joints.h"
#include "lane_kernels.h"
#include "lane_vectors.h"

// Geometry of a body, the same in all lanes.
typedef struct lane_place {
    lane_float axis[3][3]; // x, y and z axis at q = 0: components in the parent's frame
    lane_float origin[3];  // at q = 0, in the parent's frame [m]
    lane_float turns;      // 1: revolute, 0: prismatic
    lane_float ratio, offset;
    int        coordinate, parent;
} lane_place;

// Inertia of a body and its joint's properties; shared by all lanes, or one copy per lane.
typedef struct lane_same {
    lane_float mass, first[3], inertia[6], rotor;
} lane_same;
typedef struct lane_own {
    real mass, first[3], inertia[6], rotor;
} lane_own;

typedef struct lane_arm {
    int         n, n_coordinates;
    bool        slides, plain; // plain: a serial chain of independent joints
    bool        own;           // inertias differ between lanes: `of_lane` replaces `same`
    lane_place *place;
    lane_same  *same;
    lane_own   *of_lane;
} lane_arm;

// Quantities of a body in all lanes, for itself and its children.
typedef struct lane_body {
    real3     z, d, h, N, F;
    real_sym3 I;
    real      m;
} lane_body;

typedef struct lane_motion {
    real3 x, y, z, w, al, a, U[3];
} lane_motion;

// A body of inverse dynamics (lane_inverse.h), or of poses (lane_states.h).
typedef struct lane_link {
    real3 X, Y, p, w, al, a, N, F;
} lane_link;

typedef struct lane_scratch {
    lane_motion *motion; // n + 1 entries; the first is the ground
    lane_body   *body;
    real        *H, *diagonal;
} lane_scratch;

enum { LANE_STAGES = 7 };

typedef struct lane_block {
    fa_lanes     head;
    lane_arm     arm;
    lane_joint  *joint;
    lane_scratch scratch;
    fa_fast     *fast; // scalar scratch: the inertias of one motion, on copying it into a lane
    // Number of states; offset of the first one of each kind, -1: none.
    int         n, q, qd, works, n_works;
    lane_float *nominal;
    int        *shown, n_shown;
    real       *tau, *damping;
    // Variables of step-size control.
    real  t, h, stop, tolerance, stiff, calm;
    real  due, number, last_number, apart; // time and number of the next sample
    mask  automatic, every;
    real *lower, *upper;                             // for the recorded states
    real *x, *at, *stage[LANE_STAGES], *last, *bend; // `last`: the point of the last stage but one
    // Scratch of the fixed-step methods.
    real *q0, *qd0;
    // Scratch of inverse dynamics and frames; and the first body's origin in the world.
    lane_link *link;
    real      *jacobian;
    int       *path;
    double     root[3];
} lane_block;

#define DYNAMICS(name) same_##name
#define BODY(field)    (A->same[i].field)
#include "lane_dynamics.h"
#define DYNAMICS(name) own_##name
#define BODY(field)    (A->of_lane[i].field)
#include "lane_dynamics.h"
#include "lane_inverse.h"

// Chains of this many revolute joints have unrolled code whose variables stay on the stack.
#define LANE_LENGTHS(X) X(6) X(7)

#define ROW(name, by, length)                                                                      \
    static __attribute__((noinline)) void name(lane_block *B, const real q[], const real qd[],     \
                                               const real damping[], real qdd[], mask *good)       \
    {                                                                                              \
        lane_body body[length];                                                                    \
        real      H[(length) * (length)];                                                          \
        by##_forward(&B->arm, length, length, false, true, q, qd, B->tau, damping, qdd, body, H,   \
                     &B->scratch, good);                                                           \
    }
#define BOTH(length) ROW(row_of_same_##length, same, length) ROW(row_of_own_##length, own, length)
LANE_LENGTHS(BOTH)
#undef BOTH
#undef ROW

#define VARIANT(name, by, slides, plain)                                                           \
    static __attribute__((noinline)) void name(lane_block *B, const real q[], const real qd[],     \
                                               const real damping[], real qdd[], mask *good)       \
    {                                                                                              \
        by##_forward(&B->arm, B->arm.n, B->arm.n_coordinates, slides, plain, q, qd, B->tau,        \
                     damping, qdd, B->scratch.body, B->scratch.H, &B->scratch, good);              \
    }
VARIANT(row_of_same, same, false, true)
VARIANT(row_of_own, own, false, true)
VARIANT(tree_of_same, same, true, false)
VARIANT(tree_of_own, own, true, false)
#undef VARIANT

typedef void lane_forward_fn(lane_block *B, const real q[], const real qd[], const real damping[],
                             real qdd[], mask *good);

// Computes accelerations from B->tau.
static void accelerate(lane_block *B, const real q[], const real qd[], const real damping[],
                       real qdd[], mask *good)
{
#define OF_LENGTH(n) {row_of_same_##n, row_of_own_##n},
    static lane_forward_fn *const known[][2] = {LANE_LENGTHS(OF_LENGTH)};
#undef OF_LENGTH
#define LENGTH(n) n,
    static const int length[] = {LANE_LENGTHS(LENGTH)};
#undef LENGTH
    const lane_arm  *A = &B->arm;
    const bool       row = A->plain && !A->slides;
    lane_forward_fn *forward =
        row ? (A->own ? row_of_own : row_of_same) : (A->own ? tree_of_own : tree_of_same);
    for (int i = 0; i < (int)(sizeof length / sizeof *length); i++)
        if (row && length[i] == A->n) forward = known[i][A->own];
    forward(B, q, qd, damping, qdd, good);
}

// Computes the efforts at the joints into B->tau, and the rates of elements' states into dx.
static void push(lane_block *B, const real x[], real dx[])
{
    const lane_arm *A = &B->arm;
    real            power[FA_ARM_WORKS];
    for (int k = 0; k < FA_ARM_WORKS; k++) power[k] = num(0);
    for (int i = 0; i < A->n_coordinates; i++) B->tau[i] = num(0);
    for (int i = 0; i < A->n; i++) {
        lane_joint *of = &B->joint[i];
        const int   c = of->coordinate;
        const real position = of->ratio * x[B->q + c] + of->offset, rate = of->ratio * x[B->qd + c];
        B->tau[c] +=
            of->ratio * joint_push(of, x, position, rate, dx, B->works >= 0 ? power : NULL);
    }
    for (int k = 0; k < B->n_works; k++) dx[B->works + k] = power[k];
}

static void right_hand_side(lane_block *B, const real x[], real dx[], mask *good)
{
    push(B, x, dx);
    for (int i = 0; i < B->arm.n_coordinates; i++) dx[B->q + i] = x[B->qd + i];
    accelerate(B, x + B->q, x + B->qd, NULL, dx + B->qd, good);
}

// ------------------------------------------------------------------------------------- its memory

// The arena aligns to 16 bytes; vectors need more.
static void *vectors(fa_arena *a, size_t n, size_t size)
{
    a->size = (a->size + 63) / 64 * 64;
    return fa_arena_take(a, n, size);
}

static size_t lay_out(lane_block *to, void *memory, const fa_lane_plan *plan)
{
    const fa_chain *chain = &plan->like->chain;
    const size_t    n = (size_t)chain->n, nc = (size_t)chain->n_coordinates,
                 states = (size_t)plan->states->n;
    fa_arena a = {memory, 0};
    (void)vectors(&a, 1, sizeof *to);
    to->arm.place = fa_arena_take(&a, n, sizeof *to->arm.place);
    to->arm.same = fa_arena_take(&a, n, sizeof *to->arm.same);
    to->nominal = fa_arena_take(&a, states, sizeof *to->nominal);
    to->shown = fa_arena_take(&a, (size_t)plan->n_shown, sizeof *to->shown);
    to->fast = fa_arena_take(&a, 1, fa_fast_size(chain));
    to->path = fa_arena_take(&a, n, sizeof *to->path);
    to->arm.of_lane = vectors(&a, n, sizeof *to->arm.of_lane);
    to->joint = vectors(&a, n, sizeof *to->joint);
    to->scratch.motion = vectors(&a, n + 1, sizeof *to->scratch.motion);
    to->scratch.body = vectors(&a, n, sizeof *to->scratch.body);
    to->scratch.H = vectors(&a, nc * nc, sizeof(real));
    to->scratch.diagonal = vectors(&a, nc, sizeof(real));
    to->tau = vectors(&a, nc, sizeof(real));
    to->damping = vectors(&a, nc, sizeof(real));
    to->x = vectors(&a, states, sizeof(real));
    to->at = vectors(&a, states, sizeof(real));
    to->last = vectors(&a, states, sizeof(real));
    to->bend = vectors(&a, states, sizeof(real));
    to->lower = vectors(&a, (size_t)plan->n_shown, sizeof(real));
    to->upper = vectors(&a, (size_t)plan->n_shown, sizeof(real));
    to->q0 = vectors(&a, states, sizeof(real));
    to->qd0 = vectors(&a, states, sizeof(real));
    to->link = vectors(&a, n, sizeof *to->link);
    to->jacobian = vectors(&a, 6 * nc, sizeof(real));
    for (int k = 0; k < LANE_STAGES; k++) to->stage[k] = vectors(&a, states, sizeof(real));
    return (a.size + 63) / 64 * 64;
}

static bool is_in(int row, int first, int n)
{
    return first != FA_NO_ROW && row >= first && row < first + n;
}

// Returns true if inertias depend on this row.
static bool weighs(const fa_arm *arm, int row)
{
    enum { MASS_ROWS = 10 };
    bool so = is_in(row, arm->row[FA_ARM_PAYLOAD_MASS], MASS_ROWS);
    for (int i = 0; i < arm->n_links; i++) so |= is_in(row, arm->link[i].row, MASS_ROWS);
    for (int i = 0; i < arm->chain.n; i++)
        so |= row == arm->joint[i].at[FA_AT(rotor.inertia)] ||
              row == arm->joint[i].at[FA_AT(rotor.gear)];
    return so;
}

// Returns true if the row is a joint's parameter outside its plain form.
static bool touches_joint(const fa_arm_joint *joint, int row)
{
    for (int k = 0; k < FA_ARM_JOINT_END; k++)
        if (joint->at[k] == row && k != FA_ARM_INITIAL_POSITION && k != FA_ARM_INITIAL_VELOCITY &&
            k != FA_ARM_TORQUE && k != (int)FA_AT(friction.viscous))
            return true;
    return false;
}

static void place_bodies(lane_block *B, const fa_chain *chain)
{
    const fa_fast *fast = B->fast;
    for (int i = 0; i < chain->n; i++) {
        const fa_fast_group *g = &fast->group[i / 4];
        const fa_body       *body = &chain->body[i];
        const int            l = i % 4;
        lane_place          *to = &B->arm.place[i];
        lane_same           *same = &B->arm.same[i];
        for (int k = 0; k < 3; k++) {
            for (int c = 0; c < 3; c++) to->axis[k][c] = (lane_float)g->axis[k][c][l];
            to->origin[k] = (lane_float)g->place[k][l];
            same->first[k] = (lane_float)g->first[k][l];
        }
        for (int k = 0; k < 6; k++) same->inertia[k] = (lane_float)g->inertia[k][l];
        same->mass = (lane_float)g->mass[l];
        same->rotor = (lane_float)g->rotor[l];
        to->turns = (lane_float)g->turns[l];
        to->ratio = (lane_float)body->ratio;
        to->offset = (lane_float)body->offset;
        to->coordinate = body->coordinate;
        to->parent = body->parent == FA_WORLD ? -1 : body->parent;
    }
}

void KERNEL(fill)(fa_lanes *lanes, int lane, const fa_arm *arm, const double value[])
{
    lane_block     *B = (lane_block *)lanes;
    const fa_chain *chain = &arm->chain;
    const fa_vec3   g = chain->gravity;
    lane_motion    *ground = B->scratch.motion;
    set_lane(&ground->a.x, lane, -g.x);
    set_lane(&ground->a.y, lane, -g.y);
    set_lane(&ground->a.z, lane, -g.z);
    for (int i = 0; i < chain->n; i++) joint_fill(&B->joint[i], arm, value, i, lane);
    if (!B->arm.own) return;
    fa_fast_prepare(B->fast, chain);
    for (int i = 0; i < chain->n; i++) {
        const fa_fast_group *of = &B->fast->group[i / 4];
        const int            l = i % 4;
        lane_own            *to = &B->arm.of_lane[i];
        for (int k = 0; k < 3; k++) set_lane(&to->first[k], lane, of->first[k][l]);
        for (int k = 0; k < 6; k++) set_lane(&to->inertia[k], lane, of->inertia[k][l]);
        set_lane(&to->mass, lane, of->mass[l]);
        set_lane(&to->rotor, lane, of->rotor[l]);
    }
}

size_t KERNEL(size)(const fa_lane_plan *plan)
{
    lane_block measured;
    return lay_out(&measured, NULL, plan);
}

void KERNEL(place)(fa_lanes *lanes, const fa_lane_plan *plan)
{
    lane_block     *B = (lane_block *)lanes;
    const fa_arm   *arm = plan->like;
    const fa_chain *chain = &arm->chain;
    const fa_lanes  head = *lanes;
    memset(B, 0, lay_out(B, NULL, plan));
    (void)lay_out(B, B, plan);
    B->head = head;
    B->arm.n = chain->n;
    B->arm.n_coordinates = chain->n_coordinates;
    B->arm.plain = !chain->branched && !chain->coupled;
    B->n = plan->states->n;
    B->q = arm->row[FA_ARM_POSITION] - plan->states->first;
    B->qd = arm->row[FA_ARM_VELOCITY] - plan->states->first;
    B->works = arm->works ? arm->row[FA_ARM_WORK] - plan->states->first : -1;
    B->n_works = arm->works ? arm->n_works : 0;
    for (int i = 0; i < B->n; i++) B->nominal[i] = (lane_float)plan->nominal[i];
    B->n_shown = plan->n_shown;
    for (int i = 0; i < plan->n_shown; i++) B->shown[i] = plan->shown[i];
    (void)fa_fast_place(B->fast, chain, 0);
    fa_fast_prepare(B->fast, chain);
    B->arm.slides = B->fast->slides;
    place_bodies(B, chain);
    for (int k = 0; k < plan->n_changed; k++) B->arm.own |= weighs(arm, plan->changed[k]);
    for (int i = 0; i < chain->n; i++) {
        bool touched = false;
        for (int k = 0; k < plan->n_changed; k++)
            touched |= touches_joint(&arm->joint[i], plan->changed[k]);
        joint_set_up(&B->joint[i], arm, plan->states, i, touched);
    }
    const fa_vec3 root = chain->body[0].home.r;
    B->root[0] = root.x;
    B->root[1] = root.y;
    B->root[2] = root.z;
    lane_motion *ground = B->scratch.motion;
    ground->x.x = ground->y.y = ground->z.z = num(1);
    for (int i = 0; i < chain->n; i++) { // unused lanes compute, too: they get valid numbers
        const lane_same *same = &B->arm.same[i];
        lane_own        *own = &B->arm.of_lane[i];
        for (int k = 0; k < 3; k++) own->first[k] = num(same->first[k]);
        for (int k = 0; k < 6; k++) own->inertia[k] = num(same->inertia[k]);
        own->mass = num(same->mass);
        own->rotor = num(same->rotor);
    }
}

#endif
