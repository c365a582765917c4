// Forward dynamics of chains with closed loops and followers, in O(n) where clusters have few
// freedoms: articulated bodies whose joints are clusters.
//
// A. Jain, "Multibody graph transformations and analysis, part II: closed-chain constraint
// embedding", Nonlinear Dynamics 67 (2012); M. Chignoli and others, "Recursive rigid-body dynamics
// algorithms for systems with kinematic loops" (2023). A cluster of bodies b hangs on one carrier
// p; its speeds are qd = G u, its accelerations qdd = G u' + g (loops.h). All of it stands in the
// carrier's axes, about its origin, so that nothing is carried from body to body within. What the
// papers sum over bodies, G^T M G, is summed here over pairs of joints on a way inwards, with M of
// composite bodies, which takes fewer operations:
//
//     here      meaning
//     C_b       acceleration of body b at u' = 0, relative to the carrier's
//     I, A      inertia of b and what it carries in the cluster; what other clusters add to it
//     f         force that C takes of these, with what other clusters and loads take
//     F         (I + A) s, of the joint's axis s; M_ij = s_i . F_j of i on the way inwards from j
//     H         G^T MG, MG = (M + rotors) G             U   sum of F G
//     r         G^T (tau - s . f)
//     IA_p      plus the sum of I + A, less U H^-1 U^T  pA_p  plus the sum of f, and U H^-1 r
//     u'        H^-1 (r - U^T a_p)
//
// Without loops and followers each cluster is one joint, and this is articulated_body.c, which
// answers then.
#include <string.h>

#include "cholesky.h"
#include "dynamics.h"
#include "loop_holds.h"
#include "methods.h"

typedef struct body_state {
    fa_inertia     I;
    fa_articulated A;              // where `heavy`
    fa_wrench      f;              // of the body alone, then of all that it carries in the cluster
    fa_twist       v, C;           // v: absolute
    fa_twist       a;              // by u', relative to C
    bool           carries, heavy; // other clusters; it or what it carries in its own one does
    // In the body's own frame, where other clusters hang on it.
    fa_articulated IA;
    fa_wrench      pA;
    fa_twist       own_v, own_a;
} body_state;

typedef struct cluster_work {
    fa_loop_work loop;
    body_state  *body;
    fa_wrench   *U; // freedoms
    double      *H, *r, *u, *y;
    double      *MG;   // of one cluster: M G
    fa_wrench   *give; // of one cluster, freedoms
} cluster_work;

static const fa_wrench NOTHING = {{0, 0, 0}, {0, 0, 0}};

static cluster_work take(const fa_chain *chain, bool closed, fa_arena *arena)
{
    const fa_loops *l = chain->loops;
    cluster_work    w;
    size_t          n_H = 0;
    for (int k = 0; k < l->n_clusters; k++)
        n_H += (size_t)l->cluster[k].freedoms * (size_t)l->cluster[k].freedoms;
    void *memory = fa_arena_take(arena, 1, fa_loop_work_size(l));
    w.loop = (fa_loop_work){.regularity = 1};
    if (memory) w.loop = closed ? *chain->closed : fa_loop_work_at(l, memory);
    w.body = fa_arena_take(arena, (size_t)chain->n, sizeof *w.body);
    w.U = fa_arena_take(arena, (size_t)chain->n_coordinates, sizeof *w.U);
    w.H = fa_arena_take(arena, n_H, sizeof(double));
    w.r = fa_arena_take(arena, (size_t)chain->n_coordinates, sizeof(double));
    w.u = fa_arena_take(arena, (size_t)chain->n_coordinates, sizeof(double));
    w.y = fa_arena_take(arena, (size_t)chain->n_coordinates, sizeof(double));
    w.MG = fa_arena_take(arena, (size_t)l->n_G, sizeof(double));
    w.give = fa_arena_take(arena, (size_t)chain->n_coordinates, sizeof *w.give);
    return w;
}

size_t fa_cluster_elimination_work_size(const fa_chain *chain)
{
    if (!chain->loops) return fa_articulated_body_work_size(chain);
    fa_arena arena = {NULL, 0};
    take(chain, false, &arena);
    return arena.size;
}

static bool is_massless(const fa_inertia *I)
{
    return I->mass == 0 && I->I.xx == 0 && I->I.yy == 0 && I->I.zz == 0;
}

// Velocities, bias accelerations and what these take, of a cluster's bodies.
static void set_out(const fa_chain *chain, const fa_cluster *cluster, const double qd[],
                    const fa_load *load, fa_twist carried, fa_twist fall, cluster_work *w)
{
    const fa_loops *l = chain->loops;
    for (int i = 0; i < cluster->n_bodies; i++) {
        const int           b = l->body[cluster->first_body + i];
        const fa_body      *body = &chain->body[b];
        const fa_loop_body *at = &w->loop.body[b];
        const fa_twist      vJ = twist_scale(qd[body->coordinate], at->s);
        body_state         *k = &w->body[b];
        k->v = twist_add(carried, at->v);
        k->C = twist_add(twist_cross(k->v, vJ), twist_scale(w->loop.g[body->coordinate], at->s));
        const bool root = body->parent == cluster->carrier;
        k->C = twist_add(k->C, root ? fall : w->body[body->parent].C);
        k->heavy = false;
        if (is_massless(&body->inertia)) {
            memset(&k->I, 0, sizeof k->I);
            k->f = NOTHING;
        } else {
            k->I = inertia_to_parent(at->X, body->inertia);
            k->f = wrench_add(inertia_mul(k->I, k->C),
                              twist_cross_wrench(k->v, inertia_mul(k->I, k->v)));
        }
        if (load && load->wrench) k->f = wrench_sub(k->f, to_parent(at->X, load->wrench[b]));
        if (k->carries) k->own_v = to_child(at->X, k->v);
    }
}

static void weigh_down(body_state *k, const fa_articulated *A)
{
    k->A = k->heavy ? articulated_add(k->A, *A) : *A;
    k->heavy = true;
}

// Returns the row of the unit matrix that a row of G is, FA_NOBODY: none.
static int unit_of(const fa_chain *chain, int coordinate)
{
    const fa_loops *l = chain->loops;
    return chain->held || l->is_dependent[coordinate] ? FA_NOBODY : l->place[coordinate];
}

// to += m times a row of G.
static void add_row(double to[], double m, const double row[], int unit, int f)
{
    if (unit != FA_NOBODY) {
        to[unit] += m;
        return;
    }
    for (int u = 0; u < f; u++) to[u] += m * row[u];
}

// The lower triangle of H grows by x y^T, of a row x of G.
static void add_product(double H[], const double x[], int unit, const double y[], int f)
{
    if (unit != FA_NOBODY) {
        for (int u = 0; u <= unit; u++) H[unit * f + u] += y[u];
        return;
    }
    for (int j = 0; j < f; j++)
        for (int u = 0; u <= j; u++) H[j * f + u] += x[j] * y[u];
}

// The cluster as one joint, hung on its carrier. Places in U, H and r are the cluster's own.
static fa_status gather(const fa_chain *chain, const fa_cluster *cluster, const double tau[],
                        fa_wrench U[], double H[], double r[], cluster_work *w)
{
    const fa_loops *l = chain->loops;
    const int       f = cluster->freedoms;
    const double   *G = &w->loop.G_left[cluster->first_G];
    const bool      carried = cluster->carrier != FA_WORLD;
    const bool     *gone = &w->loop.gone[cluster->first_independent];
    body_state      all = {.f = NOTHING};
    double         *y = w->y, *MG = w->MG;
    memset(MG, 0, (size_t)cluster->n * (size_t)f * sizeof(double));
    memset(H, 0, (size_t)f * (size_t)f * sizeof(double));
    for (int u = 0; u < f; u++) {
        U[u] = NOTHING;
        r[u] = 0;
    }
    for (int i = 0; i < cluster->n; i++) {
        const int c = l->coordinate[cluster->first_coordinate + i];
        if (tau[c] != 0)
            for (int u = 0; u < f; u++) r[u] += G[i * f + u] * tau[c];
    }
    for (int i = cluster->n_bodies - 1; i >= 0; i--) {
        const int      b = l->body[cluster->first_body + i];
        const fa_body *body = &chain->body[b];
        const int      c = body->coordinate;
        const fa_twist s = w->loop.body[b].s;
        const double  *row = &G[l->local[c] * f];
        const int      unit = unit_of(chain, c);
        const double   rotor = body->ratio * body->ratio * body->rotor;
        body_state    *k = &w->body[b];
        if (k->carries) {
            const fa_transform   X = w->loop.body[b].X;
            const fa_articulated A = articulated_to_parent(X, k->IA);
            k->f = wrench_add(k->f, wrench_add(to_parent(X, k->pA), articulated_mul(A, k->C)));
            weigh_down(k, &A);
        }
        fa_wrench F = inertia_mul(k->I, s);
        if (k->heavy) F = wrench_add(F, articulated_mul(k->A, s));
        double *own = &MG[l->local[c] * f];
        add_row(own, power(s, F) + rotor, row, unit, f);
        for (int p = body->parent; p != cluster->carrier; p = chain->body[p].parent) {
            const int    on = l->local[chain->body[p].coordinate];
            const double m = power(w->loop.body[p].s, F);
            add_row(own, m, &G[on * f], unit_of(chain, chain->body[p].coordinate), f);
            add_row(&MG[on * f], m, row, unit, f);
        }
        add_row(r, -(power(s, k->f) + rotor * w->loop.g[c]), row, unit, f);
        for (int u = 0; carried && u < f; u++)
            if (row[u] != 0) U[u] = wrench_add(U[u], wrench_scale(row[u], F));
        body_state *to = body->parent == cluster->carrier ? &all : &w->body[body->parent];
        to->I = inertia_add(to->I, k->I);
        to->f = wrench_add(to->f, k->f);
        if (k->heavy) weigh_down(to, &k->A);
    }
    for (int i = 0; i < cluster->n; i++)
        add_product(H, &G[i * f], unit_of(chain, l->coordinate[cluster->first_coordinate + i]),
                    &MG[i * f], f);
    double scale = 3 * all.I.mass + all.I.I.xx + all.I.I.yy + all.I.I.zz;
    if (all.heavy)
        scale += all.A.M.xx + all.A.M.yy + all.A.M.zz + all.A.I.xx + all.A.I.yy + all.A.I.zz;
    for (int u = 0; u < f; u++) {
        if (!gone[u]) continue;
        for (int j = 0; j < u; j++) H[u * f + j] = 0;
        for (int j = u + 1; j < f; j++) H[j * f + u] = 0;
        H[u * f + u] = 1;
        r[u] = 0;
        U[u] = NOTHING;
    }
    for (int u = 0; u < f; u++)
        if (!(H[u * f + u] > FA_SINGULAR_FRACTION * FA_SINGULAR_FRACTION * scale))
            return FA_SINGULAR;
    if (fa_cholesky_factor(f, H) != FA_OK) return FA_SINGULAR;
    if (!carried) return FA_OK;

    // U L^-T column by column, and r likewise: what the cluster gives way by.
    body_state    *p = &w->body[cluster->carrier];
    fa_wrench     *W = w->give;
    fa_articulated left = articulated_of(all.I);
    if (all.heavy) left = articulated_add(left, all.A);
    for (int u = 0; u < f; u++) {
        W[u] = U[u];
        y[u] = r[u];
        for (int j = 0; j < u; j++) {
            W[u] = wrench_sub(W[u], wrench_scale(H[u * f + j], W[j]));
            y[u] -= H[u * f + j] * y[j];
        }
        W[u] = wrench_scale(1 / H[u * f + u], W[u]);
        y[u] /= H[u * f + u];
        left = articulated_downdate(left, W[u], 1);
        all.f = wrench_add(all.f, wrench_scale(y[u], W[u]));
    }
    p->IA = articulated_add(p->IA, left);
    p->pA = wrench_add(p->pA, all.f);
    return FA_OK;
}

// Accelerations of a cluster, given that of its carrier.
static void swing_out(const fa_chain *chain, const fa_cluster *cluster, fa_twist carried,
                      const fa_wrench U[], const double H[], const double r[], double qdd[],
                      cluster_work *w)
{
    const fa_loops *l = chain->loops;
    const int       f = cluster->freedoms;
    const double   *G = &w->loop.G_left[cluster->first_G];
    const bool     *gone = &w->loop.gone[cluster->first_independent];
    const bool      on_ground = cluster->carrier == FA_WORLD; // its acceleration is in C
    for (int u = 0; u < f; u++) w->u[u] = on_ground ? r[u] : r[u] - power(carried, U[u]);
    fa_cholesky_solve(f, H, w->u);
    for (int u = 0; u < f; u++)
        if (gone[u]) w->u[u] = 0;
    for (int i = 0; i < cluster->n; i++) {
        const int c = l->coordinate[cluster->first_coordinate + i];
        qdd[c] = w->loop.g[c];
        for (int u = 0; u < f; u++) qdd[c] += G[i * f + u] * w->u[u];
    }
    bool any = false;
    for (int i = 0; i < cluster->n_bodies; i++)
        any |= w->body[l->body[cluster->first_body + i]].carries;
    for (int i = 0; any && i < cluster->n_bodies; i++) {
        const int   b = l->body[cluster->first_body + i], c = chain->body[b].coordinate;
        body_state *k = &w->body[b];
        k->a = twist_scale(qdd[c] - w->loop.g[c], w->loop.body[b].s);
        if (chain->body[b].parent != cluster->carrier)
            k->a = twist_add(k->a, w->body[chain->body[b].parent].a);
        const fa_twist total = twist_add(k->C, k->a);
        if (k->carries)
            k->own_a = to_child(w->loop.body[b].X, on_ground ? total : twist_add(carried, total));
    }
}

// Marks bodies that other clusters hang on.
static void mark_carriers(const fa_chain *chain, cluster_work *w)
{
    const fa_loops      *l = chain->loops;
    const fa_articulated none = {.I = {0, 0, 0, 0, 0, 0}};
    for (int b = 0; b < chain->n; b++) w->body[b].carries = false;
    for (int k = 0; k < l->n_clusters; k++) {
        if (l->cluster[k].carrier == FA_WORLD) continue;
        body_state *carrier = &w->body[l->cluster[k].carrier];
        carrier->carries = true;
        carrier->IA = none;
        carrier->pA = NOTHING;
    }
}

fa_status fa_cluster_elimination_forward(const fa_chain *chain, const double q[], const double qd[],
                                         const double tau[], const fa_load *load, double qdd[],
                                         void *work)
{
    const fa_loops *l = chain->loops;
    if (!l) return fa_articulated_body_forward(chain, q, qd, tau, load, qdd, work);
    fa_arena   arena = {work, 0};
    const bool closed =
        chain->closed && memcmp(chain->closed->q, q, (size_t)chain->n_coordinates * sizeof *q) == 0;
    cluster_work w = take(chain, closed, &arena);
    fa_status    status = closed ? FA_OK : fa_loops_factor(l, chain, q, &w.loop);
    if (status != FA_OK) return status;
    fa_loops_bias(l, chain, qd, &w.loop);
    fa_loops_hold(l, chain->held, &w.loop);
    if (chain->held) fa_loops_pin(l, w.loop.g, &w.loop);
    mark_carriers(chain, &w);

    // The ground accelerates upwards, which is gravity.
    const fa_twist ground = fa_chain_base_velocity(chain), none = {{0, 0, 0}, {0, 0, 0}};
    fa_twist       fall = {{0, 0, 0}, vec3_scale(-1, chain->gravity)};
    if (chain->base_moves) fall = twist_add(fall, chain->base_acceleration);
    size_t end_H = 0, end_u = 0;
    for (int k = 0; k < l->n_clusters; k++) {
        const int  p = l->cluster[k].carrier, f = l->cluster[k].freedoms;
        const bool on_ground = p == FA_WORLD;
        set_out(chain, &l->cluster[k], qd, load, on_ground ? ground : w.body[p].own_v,
                on_ground ? fall : none, &w);
        end_H += (size_t)f * (size_t)f;
        end_u += (size_t)f;
    }
    for (int k = l->n_clusters - 1; k >= 0; k--) {
        const size_t f = (size_t)l->cluster[k].freedoms;
        end_H -= f * f;
        end_u -= f;
        status = gather(chain, &l->cluster[k], tau, &w.U[end_u], &w.H[end_H], &w.r[end_u], &w);
        if (status != FA_OK) return status;
    }
    size_t at_H = 0, at_u = 0;
    for (int k = 0; k < l->n_clusters; k++) {
        const fa_cluster *cluster = &l->cluster[k];
        const size_t      f = (size_t)cluster->freedoms;
        const bool        on_ground = cluster->carrier == FA_WORLD;
        swing_out(chain, cluster, on_ground ? none : w.body[cluster->carrier].own_a, &w.U[at_u],
                  &w.H[at_H], &w.r[at_u], qdd, &w);
        at_H += f * f;
        at_u += f;
    }
    return fa_all_finite(qdd, chain->n_coordinates) ? FA_OK : FA_NOT_FINITE;
}
