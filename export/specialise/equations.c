// Vectors are in the frames of frames.h, each body's own. Moments are about its origin.
//
// As in fast_prepare.c, the part of a body's inertia that does not affect its joint is moved to the
// parent (base parameters). It becomes part of sums of parameters, which are computed only when
// parameters change. For a prismatic joint this is the whole inertia tensor, since the parent
// rotates with the body.
#include "equations.h"

#include <stdlib.h>
#include <string.h>

#include "special.h"

typedef struct vec {
    fa_node x, y, z;
} vec;

typedef struct sym {
    fa_node xx, yy, zz, xy, xz, yz;
} sym;

typedef struct turn { // cosine and sine of an angle
    fa_node c, s;
} turn;

typedef struct inertia {
    fa_node mass;
    vec     first;
    sym     tensor;
} inertia;

typedef struct body {
    int     parent;
    bool    slides;
    turn    about_z, about_x, about_axis;
    vec     place;
    inertia I;
    fa_node rotor, rate;
} body;

// -------------------------------------------------------------------------- arithmetic over nodes

static fa_node add(fa_graph *g, fa_node a, fa_node b)
{
    return fa_sum(g, a, b);
}

static fa_node sub(fa_graph *g, fa_node a, fa_node b)
{
    return fa_difference(g, a, b);
}

static fa_node mul(fa_graph *g, fa_node a, fa_node b)
{
    return fa_product(g, a, b);
}

// a b + c d, a b - c d
static fa_node add2(fa_graph *g, fa_node a, fa_node b, fa_node c, fa_node d)
{
    return add(g, mul(g, a, b), mul(g, c, d));
}

static fa_node sub2(fa_graph *g, fa_node a, fa_node b, fa_node c, fa_node d)
{
    return sub(g, mul(g, a, b), mul(g, c, d));
}

static fa_node twice(fa_graph *g, fa_node a)
{
    return add(g, a, a);
}

static vec zero(void)
{
    return (vec){0, 0, 0}; // node 0 is 0
}

static vec vec_constant(fa_graph *g, fa_vec3 v)
{
    return (vec){fa_constant(g, v.x), fa_constant(g, v.y), fa_constant(g, v.z)};
}

static vec vec_add(fa_graph *g, vec a, vec b)
{
    return (vec){add(g, a.x, b.x), add(g, a.y, b.y), add(g, a.z, b.z)};
}

static vec vec_sub(fa_graph *g, vec a, vec b)
{
    return (vec){sub(g, a.x, b.x), sub(g, a.y, b.y), sub(g, a.z, b.z)};
}

static vec vec_mul(fa_graph *g, fa_node s, vec a)
{
    return (vec){mul(g, s, a.x), mul(g, s, a.y), mul(g, s, a.z)};
}

static fa_node vec_dot(fa_graph *g, vec a, vec b)
{
    return add(g, add2(g, a.x, b.x, a.y, b.y), mul(g, a.z, b.z));
}

static vec vec_cross(fa_graph *g, vec a, vec b)
{
    return (vec){sub2(g, a.y, b.z, a.z, b.y), sub2(g, a.z, b.x, a.x, b.z),
                 sub2(g, a.x, b.y, a.y, b.x)};
}

static sym sym_add(fa_graph *g, sym A, sym B)
{
    return (sym){add(g, A.xx, B.xx), add(g, A.yy, B.yy), add(g, A.zz, B.zz),
                 add(g, A.xy, B.xy), add(g, A.xz, B.xz), add(g, A.yz, B.yz)};
}

// 2 (a.b) 1 - a b^T - b a^T
static sym sym_point(fa_graph *g, vec a, vec b)
{
    const fa_node x = twice(g, mul(g, a.x, b.x)), y = twice(g, mul(g, a.y, b.y));
    const fa_node z = twice(g, mul(g, a.z, b.z));
    return (sym){add(g, y, z),
                 add(g, x, z),
                 add(g, x, y),
                 fa_negative(g, add2(g, a.x, b.y, a.y, b.x)),
                 fa_negative(g, add2(g, a.x, b.z, a.z, b.x)),
                 fa_negative(g, add2(g, a.y, b.z, a.z, b.y))};
}

// ----------------------------------------------------------------------------- from frame to frame

static turn back(fa_graph *g, turn t)
{
    return (turn){t.c, fa_negative(g, t.s)};
}

// Coordinates after a rotation about z, and about x.
static vec about_z(fa_graph *g, turn t, vec v)
{
    return (vec){add2(g, t.c, v.x, t.s, v.y), sub2(g, t.c, v.y, t.s, v.x), v.z};
}

static vec about_x(fa_graph *g, turn t, vec v)
{
    return (vec){v.x, add2(g, t.c, v.y, t.s, v.z), sub2(g, t.c, v.z, t.s, v.y)};
}

// Rotates the 2 by 2 part (a b; b d) of a tensor, with half the products of two successive
// rotations.
static void plane(fa_graph *g, turn t, fa_node *a, fa_node *b, fa_node *d)
{
    const fa_node u = add2(g, t.c, sub(g, *a, *d), t.s, twice(g, *b));
    const fa_node cu = mul(g, t.c, u), su = mul(g, t.s, u), old_a = *a;
    *a = add(g, *d, cu);
    *b = sub(g, *b, su);
    *d = sub(g, old_a, cu);
}

static sym sym_about_z(fa_graph *g, turn t, sym A)
{
    const vec c = about_z(g, t, (vec){A.xz, A.yz, A.zz});
    plane(g, t, &A.xx, &A.xy, &A.yy);
    return (sym){A.xx, A.yy, A.zz, A.xy, c.x, c.y};
}

static sym sym_about_x(fa_graph *g, turn t, sym A)
{
    const vec c = about_x(g, t, (vec){A.xx, A.xy, A.xz});
    plane(g, t, &A.yy, &A.yz, &A.zz);
    return (sym){A.xx, A.yy, A.zz, c.y, c.z, A.yz};
}

static vec vec_to_child(fa_graph *g, const body *b, vec v)
{
    return about_z(g, b->about_axis, about_x(g, b->about_x, about_z(g, b->about_z, v)));
}

static vec vec_to_parent(fa_graph *g, const body *b, vec v)
{
    v = about_x(g, back(g, b->about_x), about_z(g, back(g, b->about_axis), v));
    return about_z(g, back(g, b->about_z), v);
}

// Returns the inertia about another point; p leads from that point to the origin.
static inertia moved(fa_graph *g, inertia I, vec p)
{
    const fa_node half = mul(g, fa_constant(g, 0.5), I.mass);
    const sym     more = sym_point(g, p, vec_add(g, I.first, vec_mul(g, half, p)));
    return (inertia){I.mass, vec_add(g, I.first, vec_mul(g, I.mass, p)),
                     sym_add(g, I.tensor, more)};
}

static inertia carried(fa_graph *g, const body *b, inertia I)
{
    const turn z = back(g, b->about_axis), x = back(g, b->about_x), first = back(g, b->about_z);
    I.first = vec_to_parent(g, b, I.first);
    I.tensor = sym_about_z(g, first, sym_about_x(g, x, sym_about_z(g, z, I.tensor)));
    return moved(g, I, b->place);
}

static inertia inertia_sum(fa_graph *g, inertia A, inertia B)
{
    return (inertia){add(g, A.mass, B.mass), vec_add(g, A.first, B.first),
                     sym_add(g, A.tensor, B.tensor)};
}

// -------------------------------------------------------------------------------------- parameters

static vec turned(fa_graph *g, fa_mat3 E, vec v)
{
    vec rows[3];
    for (int i = 0; i < 3; i++) rows[i] = vec_constant(g, vec3(E.m[i][0], E.m[i][1], E.m[i][2]));
    return (vec){vec_dot(g, rows[0], v), vec_dot(g, rows[1], v), vec_dot(g, rows[2], v)};
}

static sym sym_turned(fa_graph *g, fa_mat3 E, sym A)
{
    // E A, then the same for the rows of the result.
    const vec x = turned(g, E, (vec){A.xx, A.xy, A.xz}), y = turned(g, E, (vec){A.xy, A.yy, A.yz});
    const vec z = turned(g, E, (vec){A.xz, A.yz, A.zz});
    const vec a = turned(g, E, (vec){x.x, y.x, z.x}), b = turned(g, E, (vec){x.y, y.y, z.y});
    const vec c = turned(g, E, (vec){x.z, y.z, z.z});
    return (sym){a.x, b.y, c.z, a.y, a.z, b.z};
}

// Supplies a parameter of the chain, or 0 where it is left out.
typedef struct source {
    fa_graph       *graph;
    const fa_chain *chain;
    bool            zeros;
} source;

static fa_node parameter(const source *from, int i, int k)
{
    const int index = FA_SPECIAL_PER_BODY * i + k;
    if (from->zeros && fa_special_parameter(from->chain, index) == 0) return 0;
    return fa_input_node(from->graph, FA_INPUT_PARAMETER, index);
}

static vec vec_parameter(const source *from, int i, int k)
{
    return (vec){parameter(from, i, k), parameter(from, i, k + 1), parameter(from, i, k + 2)};
}

static inertia inertia_parameter(const source *from, int i, const fa_frame *frame)
{
    fa_graph *g = from->graph;
    const vec moments = vec_parameter(from, i, FA_SPECIAL_TENSOR);
    const vec products = vec_parameter(from, i, FA_SPECIAL_TENSOR + 3);
    inertia   I = {parameter(from, i, FA_SPECIAL_MASS),
                   vec_parameter(from, i, FA_SPECIAL_FIRST),
                   {moments.x, moments.y, moments.z, products.x, products.y, products.z}};
    I = moved(g, I, vec_constant(g, vec3_scale(-1, frame->shift)));
    I.first = turned(g, frame->turn, I.first);
    I.tensor = sym_turned(g, frame->turn, I.tensor);
    return I;
}

static turn turn_constant(fa_graph *g, fa_angle a)
{
    return (turn){fa_constant(g, a.c), fa_constant(g, a.s)};
}

static void write_body(const source *from, int i, const fa_frame *frame, body *to)
{
    fa_graph *g = from->graph;
    *to = (body){.parent = from->chain->body[i].parent,
                 .slides = fa_joint_slides(from->chain->body[i].joint),
                 .about_z = turn_constant(g, frame->about_z),
                 .about_x = turn_constant(g, frame->about_x),
                 .about_axis = turn_constant(g, frame->about_axis),
                 .place = vec_constant(g, frame->place),
                 .I = inertia_parameter(from, i, frame),
                 .rotor = parameter(from, i, FA_SPECIAL_ROTOR),
                 .rate = fa_input_node(g, FA_INPUT_QD, i)};
    if (to->slides) {
        const vec z = vec_to_parent(g, to, (vec){0, 0, fa_constant(g, 1)});
        to->place = vec_add(g, to->place, vec_mul(g, fa_input_node(g, FA_INPUT_Q, i), z));
        return;
    }
    const turn q = {fa_input_node(g, FA_INPUT_COSINE, i), fa_input_node(g, FA_INPUT_SINE, i)},
               d = to->about_axis;
    to->about_axis = (turn){sub2(g, d.c, q.c, d.s, q.s), add2(g, d.c, q.s, d.s, q.c)};
}

// Moves the parts of inertias that joints do not feel to the parents, from the tips.
static void regroup(fa_graph *g, int n, body b[])
{
    const sym none = {0, 0, 0, 0, 0, 0};
    for (int i = n - 1; i >= 0; i--) {
        const sym  A = b[i].I.tensor;
        const vec  h = b[i].I.first;
        const turn still = {fa_constant(g, 1), 0};
        body       joint = b[i];
        inertia    alike;
        if (b[i].slides) {
            alike = (inertia){0, zero(), A};
            b[i].I.tensor = none;
            joint.place = zero(); // a massless body's origin is arbitrary
        } else {
            alike = (inertia){b[i].I.mass, {0, 0, h.z}, {A.yy, A.yy, 0, 0, 0, 0}};
            b[i].I = (inertia){0, {h.x, h.y, 0}, {sub(g, A.xx, A.yy), 0, A.zz, A.xy, A.xz, A.yz}};
            joint.about_axis = still; // rotationally symmetric: the angle is arbitrary
        }
        if (b[i].parent == FA_WORLD) continue;
        inertia *to = &b[b[i].parent].I;
        *to = inertia_sum(g, *to, carried(g, &joint, alike));
    }
}

// ---------------------------------------------------------------------------------------- dynamics

// Builds the mass matrix: H[i][j] for j <= i. Bodies on different branches leave 0.
static void mass_matrix(fa_graph *g, int n, const body b[], fa_node H[][FA_SPECIAL_MAX])
{
    inertia all[FA_SPECIAL_MAX];
    for (int i = 0; i < n; i++) all[i] = b[i].I;
    for (int i = n - 1; i >= 0; i--) {
        const inertia *I = &all[i];
        const vec      h = I->first;
        // Force and moment of a unit acceleration of joint i alone.
        vec F = {fa_negative(g, h.y), h.x, 0}, N = {I->tensor.xz, I->tensor.yz, I->tensor.zz};
        if (b[i].slides) {
            F = (vec){0, 0, I->mass};
            N = (vec){h.y, fa_negative(g, h.x), 0};
        }
        for (int j = 0; j <= i; j++) H[i][j] = 0;
        H[i][i] = add(g, b[i].slides ? F.z : N.z, b[i].rotor);
        for (int j = i; b[j].parent != FA_WORLD; j = b[j].parent) {
            F = vec_to_parent(g, &b[j], F);
            N = vec_add(g, vec_to_parent(g, &b[j], N), vec_cross(g, b[j].place, F));
            H[i][b[j].parent] = b[b[j].parent].slides ? F.z : N.z;
        }
        if (b[i].parent == FA_WORLD) continue;
        inertia *to = &all[b[i].parent];
        *to = inertia_sum(g, *to, carried(g, &b[i], *I));
    }
}

typedef struct motion {
    vec w, al, a; // angular velocity, angular and linear acceleration
    vec row[3];   // rows of al~ + w~ w~; times a position it is the acceleration
    vec force, moment;
} motion;

static vec row_products(fa_graph *g, const vec row[3], vec v)
{
    return (vec){vec_dot(g, row[0], v), vec_dot(g, row[1], v), vec_dot(g, row[2], v)};
}

// Computes a body's own forces, from its w, al, a.
static void own_forces(fa_graph *g, const body *b, motion *m)
{
    const vec     w = m->w, al = m->al, h = b->I.first;
    const sym     I = b->I.tensor;
    const fa_node xx = mul(g, w.x, w.x), yy = mul(g, w.y, w.y), zz = mul(g, w.z, w.z);
    const fa_node xy = mul(g, w.x, w.y), xz = mul(g, w.x, w.z), yz = mul(g, w.y, w.z);
    m->row[0] = (vec){fa_negative(g, add(g, yy, zz)), sub(g, xy, al.z), add(g, xz, al.y)};
    m->row[1] = (vec){add(g, xy, al.z), fa_negative(g, add(g, xx, zz)), sub(g, yz, al.x)};
    m->row[2] = (vec){sub(g, xz, al.y), add(g, yz, al.x), fa_negative(g, add(g, xx, yy))};
    m->force = vec_add(g, vec_mul(g, b->I.mass, m->a), row_products(g, m->row, h));

    // I al + w x I w; the rows contain its products of w.
    const vec *U = m->row;
    vec        N = {add2(g, I.xx, al.x, sub(g, I.zz, I.yy), yz),
                    add2(g, I.yy, al.y, sub(g, I.xx, I.zz), xz),
                    add2(g, I.zz, al.z, sub(g, I.yy, I.xx), xy)};
    N.x = add(g, N.x, add(g, mul(g, I.yz, sub(g, yy, zz)), sub2(g, I.xz, U[1].x, I.xy, U[2].x)));
    N.y = add(g, N.y, add(g, mul(g, I.xz, sub(g, zz, xx)), sub2(g, I.xy, U[2].y, I.yz, U[0].y)));
    N.z = add(g, N.z, add(g, mul(g, I.xy, sub(g, xx, yy)), sub2(g, I.yz, U[0].z, I.xz, U[1].z)));
    m->moment = vec_add(g, N, vec_cross(g, h, m->a));
}

// Computes the motion of body b at the joint acceleration qdd, from its parent's; NULL: the ground,
// which accelerates upwards to represent gravity.
static void move(fa_graph *g, const body *b, const motion *from, vec gravity, fa_node qdd,
                 motion *m)
{
    const fa_node rate = b->rate;
    vec           w = zero(), al = zero(), a = vec_sub(g, zero(), gravity);
    if (from) {
        w = from->w, al = from->al;
        a = vec_add(g, from->a, row_products(g, from->row, b->place));
    }
    w = vec_to_child(g, b, w), al = vec_to_child(g, b, al), a = vec_to_child(g, b, a);
    const vec across = {mul(g, w.y, rate), fa_negative(g, mul(g, w.x, rate)), 0}; // w x z rate
    if (b->slides) {
        a = vec_add(g, a, (vec){twice(g, across.x), twice(g, across.y), qdd});
    } else {
        al = vec_add(g, al, (vec){across.x, across.y, qdd});
        w.z = add(g, w.z, rate);
    }
    m->w = w, m->al = al, m->a = a;
}

// Builds inverse dynamics: the torques at accelerations qdd. NULL: zero accelerations.
static void inverse_dynamics(fa_graph *g, int n, const body b[], vec gravity, const fa_node qdd[],
                             fa_node tau[])
{
    motion m[FA_SPECIAL_MAX];
    for (int i = 0; i < n; i++) {
        move(g, &b[i], b[i].parent == FA_WORLD ? NULL : &m[b[i].parent], gravity, qdd ? qdd[i] : 0,
             &m[i]);
        own_forces(g, &b[i], &m[i]);
    }
    for (int i = n - 1; i >= 0; i--) {
        tau[i] = b[i].slides ? m[i].force.z : m[i].moment.z;
        if (b[i].parent == FA_WORLD) continue;
        motion   *to = &m[b[i].parent];
        const vec F = vec_to_parent(g, &b[i], m[i].force);
        const vec N = vec_add(g, vec_to_parent(g, &b[i], m[i].moment), vec_cross(g, b[i].place, F));
        to->force = vec_add(g, to->force, F);
        to->moment = vec_add(g, to->moment, N);
    }
}

// Factors H = L^T D L from the tip, which preserves the zeros of a tree. H then contains L below
// its diagonal.
static void factor(fa_graph *g, int n, fa_node H[][FA_SPECIAL_MAX], fa_node inverse[])
{
    const fa_node one = fa_constant(g, 1);
    for (int k = n - 1; k >= 0; k--) {
        inverse[k] = fa_quotient(g, one, H[k][k]);
        fa_node L[FA_SPECIAL_MAX];
        for (int i = 0; i < k; i++) L[i] = mul(g, H[k][i], inverse[k]);
        for (int i = k - 1; i >= 0; i--)
            for (int j = 0; j <= i; j++) H[i][j] = sub(g, H[i][j], mul(g, L[i], H[k][j]));
        for (int i = 0; i < k; i++) H[k][i] = L[i];
    }
}

static void solve(fa_graph *g, int n, fa_node L[][FA_SPECIAL_MAX], const fa_node inverse[],
                  fa_node x[])
{
    for (int k = n - 1; k >= 0; k--)
        for (int i = 0; i < k; i++) x[i] = sub(g, x[i], mul(g, L[k][i], x[k]));
    for (int k = 0; k < n; k++) {
        x[k] = mul(g, x[k], inverse[k]);
        for (int i = 0; i < k; i++) x[k] = sub(g, x[k], mul(g, L[k][i], x[i]));
    }
}

// Builds the bodies in their frames, with regrouped inertias, and gravity.
static void write_bodies(fa_graph *g, const fa_chain *chain, bool zeros, body b[], vec *gravity)
{
    const source from = {g, chain, zeros};
    fa_frame     frame[FA_SPECIAL_MAX];
    fa_mat3      world = mat3_identity();
    fa_frames_choose(chain, frame, &world);
    for (int i = 0; i < chain->n; i++) write_body(&from, i, &frame[i], &b[i]);
    regroup(g, chain->n, b);
    *gravity = turned(g, world, vec_parameter(&from, chain->n, 0));
}

void fa_equations_write(fa_graph *g, const fa_chain *chain, bool zeros, fa_equations *equations)
{
    const int n = chain->n;
    body      b[FA_SPECIAL_MAX];
    vec       gravity;
    fa_node   H[FA_SPECIAL_MAX][FA_SPECIAL_MAX], diagonal[FA_SPECIAL_MAX], inverse[FA_SPECIAL_MAX];
    fa_node   bias[FA_SPECIAL_MAX];
    write_bodies(g, chain, zeros, b, &gravity);
    mass_matrix(g, n, b, H);
    for (int i = 0; i < n; i++) diagonal[i] = H[i][i];
    factor(g, n, H, inverse);
    inverse_dynamics(g, n, b, gravity, NULL, bias);
    equations->n = n;
    equations->slopes = NULL;
    for (int i = 0; i < n; i++) {
        equations->qdd[i] = sub(g, fa_input_node(g, FA_INPUT_TAU, i), bias[i]);
        equations->lost[i] = mul(g, diagonal[i], inverse[i]);
    }
    solve(g, n, H, inverse, equations->qdd);
}

// ---------------------------------------------------------------------------------------
// derivatives

// Derivatives of inverse dynamics: of each tau, by[0][j] by q_j, by[1][j] by qd_j.
typedef struct change {
    fa_node by[2][FA_SPECIAL_MAX][FA_SPECIAL_MAX];
} change;

// Differentiates in reverse mode, torque by torque. slope: room for n_nodes numbers.
static void change_by_adjoints(fa_graph *g, int n, const body b[], const fa_node tau[], int n_nodes,
                               const bool among[], fa_node slope[], change *to)
{
    for (int i = 0; i < n && !g->failed; i++) {
        memset(slope, 0, (size_t)n_nodes * sizeof *slope);
        slope[tau[i]] = fa_constant(g, 1);
        fa_expressions_adjoint(g, tau[i] + 1, among, slope);
        for (int j = 0; j < n; j++) {
            const fa_node c = fa_input_node(g, FA_INPUT_COSINE, j),
                          s = fa_input_node(g, FA_INPUT_SINE, j);
            to->by[0][j][i] = b[j].slides ? slope[fa_input_node(g, FA_INPUT_Q, j)]
                                          : sub2(g, c, slope[s], s, slope[c]);
            to->by[1][j][i] = slope[fa_input_node(g, FA_INPUT_QD, j)];
        }
    }
}

// Differentiates in forward mode, by each position and speed. tangent: room for n_nodes numbers.
static void change_by_tangents(fa_graph *g, int n, const body b[], const fa_node tau[], int n_nodes,
                               const bool among[], fa_node tangent[], change *to)
{
    const fa_node one = fa_constant(g, 1);
    for (int k = 0; k < 2 * n && !g->failed; k++) {
        const int     j = k % n;
        const fa_node c = fa_input_node(g, FA_INPUT_COSINE, j),
                      s = fa_input_node(g, FA_INPUT_SINE, j);
        memset(tangent, 0, (size_t)n_nodes * sizeof *tangent);
        if (k >= n) {
            tangent[fa_input_node(g, FA_INPUT_QD, j)] = one;
        } else if (b[j].slides) {
            tangent[fa_input_node(g, FA_INPUT_Q, j)] = one;
        } else {
            tangent[s] = c;
            tangent[c] = fa_negative(g, s);
        }
        fa_expressions_tangent(g, n_nodes, among, tangent);
        for (int i = 0; i < n; i++) to->by[k / n][j][i] = tangent[tau[i]];
    }
}

static int operations(const fa_graph *graph, const fa_node result[], int n_results)
{
    bool *needed = graph->failed ? NULL : calloc((size_t)graph->n, sizeof *needed);
    int   n = 0;
    if (!needed) return -1;
    fa_expressions_needed(graph, result, n_results, needed);
    for (int i = 0; i < graph->n; i++)
        n += needed[i] && graph->node[i].moves && fa_expression_is_operation(&graph->node[i]);
    free(needed);
    return n;
}

static int change_operations(const fa_graph *graph, int n, const change *of)
{
    fa_node result[2 * FA_SPECIAL_MAX * FA_SPECIAL_MAX];
    for (int k = 0; k < 2; k++)
        for (int j = 0; j < n; j++)
            memcpy(result + (k * n + j) * n, of->by[k][j], (size_t)n * sizeof *result);
    return operations(graph, result, 2 * n * n);
}

// Copies the results row by row, the layout of the solver.
static void finish(int n, fa_node L[][FA_SPECIAL_MAX], const fa_node inverse[], const change *of,
                   fa_node to[])
{
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++) {
            for (int k = 0; k < 2; k++) to[(k * n + i) * n + j] = of->by[k][j][i];
            to[(2 * n + i) * n + j] = j < i ? L[i][j] : j == i ? inverse[i] : 0;
        }
}

fa_status fa_equations_differentiate(fa_graph *g, const fa_chain *chain, bool zeros,
                                     fa_equations *equations)
{
    const int n = chain->n;
    body      b[FA_SPECIAL_MAX];
    vec       gravity;
    fa_node   H[FA_SPECIAL_MAX][FA_SPECIAL_MAX], inverse[FA_SPECIAL_MAX];
    fa_node   qdd[FA_SPECIAL_MAX], tau[FA_SPECIAL_MAX];
    write_bodies(g, chain, zeros, b, &gravity);
    mass_matrix(g, n, b, H);
    factor(g, n, H, inverse);
    for (int i = 0; i < n; i++) { // all inputs precede the nodes that depend on them
        qdd[i] = fa_input_node(g, FA_INPUT_QDD, i);
        (void)fa_input_node(g, FA_INPUT_Q, i), (void)fa_input_node(g, FA_INPUT_QD, i);
        (void)fa_input_node(g, FA_INPUT_SINE, i), (void)fa_input_node(g, FA_INPUT_COSINE, i);
    }
    inverse_dynamics(g, n, b, gravity, qdd, tau);
    if (g->failed) return FA_NO_MEMORY;

    // The cheaper mode, forward or reverse, depends on the arm.
    const int n_nodes = g->n;
    // Nodes that the torques need and that are not constant.
    bool    *among = calloc((size_t)n_nodes, sizeof *among);
    fa_node *of_nodes = calloc((size_t)n_nodes, sizeof *of_nodes);
    change  *way = calloc(2, sizeof *way);
    equations->slopes = calloc(3 * (size_t)n * (size_t)n, sizeof *equations->slopes);
    const bool enough = among && of_nodes && way && equations->slopes;
    if (enough) {
        fa_expressions_needed(g, tau, n, among);
        for (int i = 0; i < n_nodes; i++) among[i] &= g->node[i].moves;
        change_by_tangents(g, n, b, tau, n_nodes, among, of_nodes, &way[0]);
        change_by_adjoints(g, n, b, tau, n_nodes, among, of_nodes, &way[1]);
        const bool back = change_operations(g, n, &way[1]) < change_operations(g, n, &way[0]);
        finish(n, H, inverse, &way[back ? 1 : 0], equations->slopes);
    }
    free(among);
    free(of_nodes);
    free(way);
    return enough && !g->failed ? FA_OK : FA_NO_MEMORY;
}

int fa_equations_operations(const fa_graph *graph, const fa_equations *equations)
{
    fa_node result[2 * FA_SPECIAL_MAX];
    memcpy(result, equations->qdd, (size_t)equations->n * sizeof *result);
    memcpy(result + equations->n, equations->lost, (size_t)equations->n * sizeof *result);
    return operations(graph, result, 2 * equations->n);
}

int fa_slopes_operations(const fa_graph *graph, const fa_equations *equations)
{
    return operations(graph, equations->slopes, 3 * equations->n * equations->n);
}

void fa_equations_jacobian(const fa_equations *equations, const double value[], double jacobian[])
{
    const int      n = equations->n;
    const fa_node *side = equations->slopes, *L = side + 2 * n * n;
    for (int column = 0; column < 3 * n; column++) {
        const int which = column / n, j = column % n;
        double    x[FA_SPECIAL_MAX];
        for (int i = 0; i < n; i++)
            x[i] = which == 2 ? (i == j ? 1 : 0) : -value[side[(which * n + i) * n + j]];
        for (int k = n - 1; k >= 0; k--)
            for (int i = 0; i < k; i++) x[i] -= value[L[k * n + i]] * x[k];
        for (int k = 0; k < n; k++) {
            x[k] *= value[L[k * n + k]];
            for (int i = 0; i < k; i++) x[k] -= value[L[k * n + i]] * x[i];
            jacobian[(which * n + k) * n + j] = x[k];
        }
    }
}
