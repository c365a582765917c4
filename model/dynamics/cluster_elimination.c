// Forward dynamics of chains with closed loops and followers, in O(n) where clusters have few
// freedoms: articulated bodies whose joints are clusters.
//
// A. Jain, "Multibody graph transformations and analysis, part II: closed-chain constraint
// embedding", Nonlinear Dynamics 67 (2012); M. Chignoli and others, "Recursive rigid-body dynamics
// algorithms for systems with kinematic loops" (2023). A cluster of bodies b hangs on one carrier
// p; its speeds are qd = G u, its accelerations qdd = G u' + g (loops.h). All of it stands in the
// carrier's axes, about its origin, so that nothing is carried from body to body within:
//
//     here      meaning
//     J_b       velocity of body b by the speeds u, relative to the carrier
//     C_b       its acceleration at u' = 0, relative to the carrier's
//     IA, pA    articulated inertia and bias force of a body, with what other clusters hang on it
//     H         sum of J^T IA J, and rotors             U   sum of IA J
//     r         G^T tau - sum of J^T (pA + IA C)
//     IA_p      plus the sum of IA, less U H^-1 U^T     pA_p  plus the sum of pA + IA C, and U H^-1
//     r u'        H^-1 (r - U^T a_p)
//
// Without loops and followers each cluster is one joint, and this is articulated_body.c, which
// answers then.
#include <string.h>

#include "cholesky.h"
#include "dynamics.h"
#include "loop_holds.h"
#include "methods.h"

typedef struct body_state {
    fa_articulated IA;
    fa_wrench      pA;
    fa_twist       v, a; // in the body's own frame
    fa_twist       C;    // in the carrier's
} body_state;

typedef struct cluster_work {
    fa_loop_work loop;
    body_state  *body;
    fa_twist    *J; // of a cluster: bodies times freedoms
    fa_wrench   *U; // freedoms
    double      *H, *r, *u;
    fa_wrench   *give;   // of one cluster, freedoms
    fa_twist    *child;  // of one cluster, freedoms: J in the body's frame
    fa_twist   **body_J; // of a body: where its J is
    size_t       n_J, n_H;
} cluster_work;

static cluster_work take(const fa_chain *chain, fa_arena *arena)
{
    const fa_loops *l = chain->loops;
    cluster_work    w;
    size_t          n_J = 0, n_H = 0;
    for (int k = 0; k < l->n_clusters; k++) {
        const size_t freedoms = (size_t)l->cluster[k].freedoms;
        n_J += freedoms * (size_t)l->cluster[k].n_bodies;
        n_H += freedoms * freedoms;
    }
    const size_t loop_size = fa_loop_work_size(l);
    void        *memory = fa_arena_take(arena, 1, loop_size);
    w.loop = memory ? fa_loop_work_at(l, memory) : (fa_loop_work){.regularity = 1};
    w.body = fa_arena_take(arena, (size_t)chain->n, sizeof *w.body);
    w.J = fa_arena_take(arena, n_J, sizeof *w.J);
    w.U = fa_arena_take(arena, (size_t)chain->n_coordinates, sizeof *w.U);
    w.H = fa_arena_take(arena, n_H, sizeof(double));
    w.r = fa_arena_take(arena, (size_t)chain->n_coordinates, sizeof(double));
    w.u = fa_arena_take(arena, (size_t)chain->n_coordinates, sizeof(double));
    w.give = fa_arena_take(arena, (size_t)chain->n_coordinates, sizeof *w.give);
    w.child = fa_arena_take(arena, (size_t)chain->n_coordinates, sizeof *w.child);
    w.body_J = fa_arena_take(arena, (size_t)chain->n, sizeof *w.body_J);
    w.n_J = n_J;
    w.n_H = n_H;
    return w;
}

size_t fa_cluster_elimination_work_size(const fa_chain *chain)
{
    if (!chain->loops) return fa_articulated_body_work_size(chain);
    fa_arena arena = {NULL, 0};
    take(chain, &arena);
    return arena.size;
}

// Velocities, bias accelerations and bias forces of a cluster's bodies.
static void set_out(const fa_chain *chain, const fa_cluster *cluster, const double qd[],
                    const fa_load *load, fa_twist carried, fa_twist fall, cluster_work *w)
{
    const fa_loops *l = chain->loops;
    for (int i = 0; i < cluster->n_bodies; i++) {
        const int           b = l->body[cluster->first_body + i];
        const fa_body      *body = &chain->body[b];
        const fa_loop_body *at = &w->loop.body[b];
        const fa_twist      vJ = twist_scale(qd[body->coordinate], at->s);
        const fa_twist      v = twist_add(carried, at->v);
        body_state         *k = &w->body[b];
        k->C = twist_add(twist_cross(v, vJ), twist_scale(w->loop.g[body->coordinate], at->s));
        const bool root = body->parent == cluster->carrier;
        k->C = twist_add(k->C, root ? fall : w->body[body->parent].C);
        k->v = to_child(at->X, v);
        k->IA = articulated_of(body->inertia);
        k->pA = twist_cross_wrench(k->v, inertia_mul(body->inertia, k->v));
        if (load && load->wrench) k->pA = wrench_sub(k->pA, load->wrench[b]);
    }
}

// The cluster as one joint, hung on its carrier. Places in J, U, H and r are the cluster's own.
static fa_status gather(const fa_chain *chain, const fa_cluster *cluster, const double tau[],
                        fa_twist J[], fa_wrench U[], double H[], double r[], cluster_work *w)
{
    const fa_loops *l = chain->loops;
    const int       f = cluster->freedoms;
    const double   *G = &w->loop.G_left[cluster->first_G];
    const bool      carried = cluster->carrier != FA_WORLD;
    fa_articulated  all = {.I = {0, 0, 0, 0, 0, 0}};
    fa_wrench       bias = {{0, 0, 0}, {0, 0, 0}};
    double          scale = 0;
    memset(H, 0, (size_t)f * (size_t)f * sizeof(double));
    for (int u = 0; u < f; u++) {
        U[u] = bias;
        r[u] = 0;
        for (int i = 0; i < cluster->n; i++)
            r[u] += G[i * f + u] * tau[l->coordinate[cluster->first_coordinate + i]];
    }
    for (int i = 0; i < cluster->n_bodies; i++) {
        const int          b = l->body[cluster->first_body + i];
        const fa_body     *body = &chain->body[b];
        const fa_transform X = w->loop.body[b].X;
        const fa_twist     s = w->loop.body[b].s;
        const double      *row = &G[l->local[body->coordinate] * f];
        const double       rotor = body->ratio * body->ratio * body->rotor;
        // J of the parent, which stands before, if it is of this cluster.
        const fa_twist *before = NULL;
        if (body->parent != cluster->carrier) before = w->body_J[body->parent];
        fa_twist *own = w->body_J[b] = &J[i * f];
        for (int u = 0; u < f; u++) {
            own[u] = twist_scale(row[u], s);
            if (before) own[u] = twist_add(own[u], before[u]);
        }
        // On the ground nothing is handed on, so that the body's own frame will do.
        fa_articulated  I = w->body[b].IA;
        fa_twist        C = w->body[b].C;
        fa_wrench       t = w->body[b].pA;
        const fa_twist *by = own;
        if (carried) {
            I = articulated_to_parent(X, I);
            t = to_parent(X, t);
        } else {
            for (int u = 0; u < f; u++) w->child[u] = to_child(X, own[u]);
            C = to_child(X, C);
            by = w->child;
        }
        t = wrench_add(t, articulated_mul(I, C));
        for (int u = 0; u < f; u++) {
            const fa_wrench F = articulated_mul(I, by[u]);
            if (carried) U[u] = wrench_add(U[u], F);
            for (int j = u; j < f; j++) H[j * f + u] += power(by[j], F) + rotor * row[j] * row[u];
            r[u] -= power(by[u], t) + rotor * row[u] * w->loop.g[body->coordinate];
        }
        const double across = I.M.xx + I.M.yy + I.M.zz + I.I.xx + I.I.yy + I.I.zz;
        if (across > scale) scale = across;
        if (!carried) continue;
        all = articulated_add(all, I);
        bias = wrench_add(bias, t);
    }
    for (int u = 0; chain->held && u < f; u++) {
        if (!w->loop.gone[cluster->first_independent + u]) continue;
        for (int j = 0; j < u; j++) H[u * f + j] = 0;
        for (int j = u + 1; j < f; j++) H[j * f + u] = 0;
        H[u * f + u] = 1;
        r[u] = 0;
        U[u] = (fa_wrench){{0, 0, 0}, {0, 0, 0}};
    }
    for (int u = 0; u < f; u++)
        if (!(H[u * f + u] > FA_SINGULAR_FRACTION * FA_SINGULAR_FRACTION * scale))
            return FA_SINGULAR;
    if (fa_cholesky_factor(f, H) != FA_OK) return FA_SINGULAR;
    if (!carried) return FA_OK;

    // U L^-T column by column, and r likewise: what the cluster gives way by.
    body_state *p = &w->body[cluster->carrier];
    fa_wrench  *W = w->give;
    double     *y = w->u;
    for (int u = 0; u < f; u++) {
        W[u] = U[u];
        y[u] = r[u];
        for (int j = 0; j < u; j++) {
            W[u] = wrench_sub(W[u], wrench_scale(H[u * f + j], W[j]));
            y[u] -= H[u * f + j] * y[j];
        }
        W[u] = wrench_scale(1 / H[u * f + u], W[u]);
        y[u] /= H[u * f + u];
        all = articulated_downdate(all, W[u], 1);
        bias = wrench_add(bias, wrench_scale(y[u], W[u]));
    }
    p->IA = articulated_add(p->IA, all);
    p->pA = wrench_add(p->pA, bias);
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
    const bool      on_ground = cluster->carrier == FA_WORLD; // whose acceleration stands in C
    for (int u = 0; u < f; u++) w->u[u] = on_ground ? r[u] : r[u] - power(carried, U[u]);
    fa_cholesky_solve(f, H, w->u);
    for (int u = 0; chain->held && u < f; u++)
        if (w->loop.gone[cluster->first_independent + u]) w->u[u] = 0;
    for (int i = 0; i < cluster->n; i++) {
        const int c = l->coordinate[cluster->first_coordinate + i];
        qdd[c] = w->loop.g[c];
        for (int u = 0; u < f; u++) qdd[c] += G[i * f + u] * w->u[u];
    }
    for (int i = 0; i < cluster->n_bodies; i++) {
        const int       b = l->body[cluster->first_body + i];
        const fa_twist *J = w->body_J[b];
        fa_twist        a = on_ground ? w->body[b].C : twist_add(carried, w->body[b].C);
        for (int u = 0; u < f; u++) a = twist_add(a, twist_scale(w->u[u], J[u]));
        w->body[b].a = to_child(w->loop.body[b].X, a);
    }
}

fa_status fa_cluster_elimination_forward(const fa_chain *chain, const double q[], const double qd[],
                                         const double tau[], const fa_load *load, double qdd[],
                                         void *work)
{
    const fa_loops *l = chain->loops;
    if (!l) return fa_articulated_body_forward(chain, q, qd, tau, load, qdd, work);
    fa_arena     arena = {work, 0};
    cluster_work w = take(chain, &arena);
    fa_status    status = fa_loops_factor(l, chain, q, &w.loop);
    if (status != FA_OK) return status;
    fa_loops_bias(l, chain, qd, &w.loop);
    fa_loops_hold(l, chain->held, &w.loop);
    if (chain->held) fa_loops_pin(l, w.loop.g, &w.loop);

    // The ground accelerates upwards, which is gravity.
    const fa_twist ground = fa_chain_base_velocity(chain), none = {{0, 0, 0}, {0, 0, 0}};
    fa_twist       fall = {{0, 0, 0}, vec3_scale(-1, chain->gravity)};
    if (chain->base_moves) fall = twist_add(fall, chain->base_acceleration);
    for (int k = 0; k < l->n_clusters; k++) {
        const int  p = l->cluster[k].carrier;
        const bool on_ground = p == FA_WORLD;
        set_out(chain, &l->cluster[k], qd, load, on_ground ? ground : w.body[p].v,
                on_ground ? fall : none, &w);
    }
    size_t end_J = w.n_J, end_H = w.n_H, end_u = (size_t)l->n_independent;
    for (int k = l->n_clusters - 1; k >= 0; k--) {
        const fa_cluster *cluster = &l->cluster[k];
        const size_t      f = (size_t)cluster->freedoms;
        end_J -= f * (size_t)cluster->n_bodies;
        end_H -= f * f;
        end_u -= f;
        status =
            gather(chain, cluster, tau, &w.J[end_J], &w.U[end_u], &w.H[end_H], &w.r[end_u], &w);
        if (status != FA_OK) return status;
    }
    size_t at_H = 0, at_u = 0;
    for (int k = 0; k < l->n_clusters; k++) {
        const fa_cluster *cluster = &l->cluster[k];
        const size_t      f = (size_t)cluster->freedoms;
        const fa_twist carried = cluster->carrier == FA_WORLD ? none : w.body[cluster->carrier].a;
        swing_out(chain, cluster, carried, &w.U[at_u], &w.H[at_H], &w.r[at_u], qdd, &w);
        at_H += f * f;
        at_u += f;
    }
    return fa_all_finite(qdd, chain->n_coordinates) ? FA_OK : FA_NOT_FINITE;
}
