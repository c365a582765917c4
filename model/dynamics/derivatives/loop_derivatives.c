// Derivatives of constrained accelerations, by the implicit function.
#include "loop_derivatives.h"

#include <string.h>

#include "cholesky.h"
#include "methods.h"

static fa_loop_tangent take(const fa_chain *chain, fa_arena *arena)
{
    const fa_loops *l = chain->loops;
    const size_t    n = (size_t)chain->n_coordinates, f = (size_t)l->n_independent;
    const size_t    rows = (size_t)l->n_rows;
    fa_loop_tangent t;
    memset(&t, 0, sizeof t);
    void *memory = fa_arena_take(arena, 1, fa_loop_work_size(l));
    if (memory) t.loop = fa_loop_work_at(l, memory);
    t.M = fa_arena_take(arena, n * n, sizeof(double));
    t.H = fa_arena_take(arena, f * f, sizeof(double));
    t.lambda = fa_arena_take(arena, rows, sizeof(double));
    t.lambda_tangent = fa_arena_take(arena, rows, sizeof(double));
    t.left = fa_arena_take(arena, n, sizeof(double));
    t.unread = fa_arena_take(arena, rows, sizeof(double));
    t.b = fa_arena_take(arena, n, sizeof(double));
    t.y = fa_arena_take(arena, n, sizeof(double));
    t.unit = fa_arena_take(arena, n, sizeof(double));
    t.u = fa_arena_take(arena, f, sizeof(double));
    t.velocity = fa_arena_take(arena, rows, sizeof(double));
    t.acceleration = fa_arena_take(arena, rows, sizeof(double));
    t.tangent = fa_arena_take(arena, 1, fa_loop_tangents_size(l));
    return t;
}

size_t fa_loop_tangent_size(const fa_chain *chain)
{
    fa_arena arena = {NULL, 0};
    take(chain, &arena);
    return arena.size;
}

fa_loop_tangent fa_loop_tangent_at(const fa_chain *chain, void *memory)
{
    fa_arena arena = {memory, 0};
    return take(chain, &arena);
}

// ------------------------------------------------------------------------------------------ G, H

static void by_mass(const fa_chain *chain, const fa_loop_tangent *t, const double x[], double to[])
{
    const size_t n = (size_t)chain->n_coordinates;
    for (size_t i = 0; i < n; i++) {
        to[i] = 0;
        for (size_t j = 0; j < n; j++) to[i] += t->M[i * n + j] * x[j];
    }
}

static bool is_held(const fa_chain *chain, int u)
{
    return chain->held && chain->held[chain->loops->independent[u]];
}

fa_status fa_loops_linearise(const fa_chain *chain, const double q[], const double qd[],
                             const double qdd[], const double tau[], const fa_load *load,
                             fa_loop_tangent *t, void *work)
{
    const fa_loops *l = chain->loops;
    const int       f = l->n_independent;
    t->qd = qd;
    t->qdd = qdd;
    fa_status status = fa_loops_factor(l, chain, q, &t->loop);
    if (status == FA_OK) status = fa_composite_body_mass_matrix(chain, q, t->M, work);
    if (status == FA_OK) status = fa_newton_euler_inverse(chain, q, qd, qdd, load, t->b, work);
    if (status != FA_OK) return status;
    for (int c = 0; c < chain->n_coordinates; c++) t->b[c] -= tau[c];
    for (int k = 0; k < l->n_clusters; k++)
        fa_loops_solve_transposed(l, k, t->b, t->lambda, &t->loop);
    for (int u = 0; u < f; u++) {
        for (int j = 0; j < f; j++) t->u[j] = j == u;
        fa_loops_spread(l, &t->loop, t->u, t->y);
        by_mass(chain, t, t->y, t->b);
        fa_loops_reduce(l, &t->loop, t->b, &t->H[u * f]);
    }
    for (int u = 0; u < f; u++) {
        if (!is_held(chain, u)) continue;
        for (int j = 0; j < f; j++) t->H[u * f + j] = t->H[j * f + u] = 0;
        t->H[u * f + u] = 1;
    }
    return fa_cholesky_factor(f, t->H);
}

// ------------------------------------------------------------------------------- tangents and
// adjoints

static void solve_rows(const fa_loops *l, fa_loop_tangent *t, double rows[], double x[])
{
    for (int r = 0; r < l->n_rows; r++) rows[r] = -rows[r];
    for (int k = 0; k < l->n_clusters; k++) fa_loops_solve(l, k, rows, x, &t->loop);
}

void fa_loops_forward_tangent(const fa_chain *chain, const double qdd[], const fa_load *load,
                              const fa_motion motion[], const fa_tangent *tangent,
                              const fa_motion_tangent motion_tangent[], fa_loop_tangent *t,
                              double qdd_tangent[], void *work)
{
    const fa_loops      *l = chain->loops;
    const int            n = chain->n_coordinates, f = l->n_independent;
    const fa_loop_motion own = {t->qd, t->qdd, tangent->joint.q, tangent->joint.qd};
    double              *dg = t->y, *Mdg = t->unit;
    fa_inverse_tangent(chain, qdd, load, motion, tangent, motion_tangent, qdd_tangent, work);
    memset(t->b, 0, (size_t)n * sizeof *t->b);
    if (tangent->joint.q)
        fa_loops_force_tangent(l, chain, tangent->joint.q, t->lambda, &t->loop, t->b, t->tangent);
    for (int i = 0; i < n; i++) t->b[i] += (tangent->tau ? tangent->tau[i] : 0) - qdd_tangent[i];
    memcpy(t->left, t->b, (size_t)n * sizeof *t->b);
    fa_loops_row_tangents(l, chain, &own, &t->loop, t->velocity, t->acceleration, t->tangent);
    memset(dg, 0, (size_t)n * sizeof *dg);
    solve_rows(l, t, t->acceleration, dg);
    by_mass(chain, t, dg, Mdg);
    for (int i = 0; i < n; i++) t->b[i] -= Mdg[i];
    fa_loops_reduce(l, &t->loop, t->b, t->u);
    for (int u = 0; u < f; u++)
        if (is_held(chain, u)) t->u[u] = 0;
    fa_cholesky_solve(f, t->H, t->u);
    fa_loops_spread(l, &t->loop, t->u, qdd_tangent);
    for (int i = 0; i < n; i++) qdd_tangent[i] += dg[i];
}

void fa_loops_multiplier_tangent(const fa_chain *chain, const fa_tangent *tangent,
                                 const double qdd_tangent[], fa_loop_tangent *t)
{
    const fa_loops      *l = chain->loops;
    const fa_loop_motion own = {t->qd, t->qdd, tangent->joint.q, tangent->joint.qd};
    by_mass(chain, t, qdd_tangent, t->b);
    for (int i = 0; i < chain->n_coordinates; i++) t->b[i] -= t->left[i];
    for (int k = 0; k < l->n_clusters; k++)
        fa_loops_solve_transposed(l, k, t->b, t->lambda_tangent, &t->loop);
    fa_loops_row_tangents(l, chain, &own, &t->loop, t->velocity, t->acceleration, t->tangent);
}

void fa_loops_forward_adjoint(const fa_chain *chain, const double qdd[], const fa_load *load,
                              const fa_motion motion[], fa_loop_tangent *t, double qdd_adjoint[],
                              fa_adjoint *adjoint, fa_motion_adjoint motion_adjoint[], void *work)
{
    const fa_loops *l = chain->loops;
    const int       n = chain->n_coordinates, f = l->n_independent;
    double         *nu = t->velocity; // of rows
    fa_loops_reduce(l, &t->loop, qdd_adjoint, t->u);
    for (int u = 0; u < f; u++)
        if (is_held(chain, u)) t->u[u] = 0;
    fa_cholesky_solve(f, t->H, t->u);
    for (int u = 0; u < f; u++)
        if (is_held(chain, u)) t->u[u] = 0;
    fa_loops_spread(l, &t->loop, t->u, t->y);
    by_mass(chain, t, t->y, t->b);
    for (int i = 0; i < n; i++) t->b[i] = qdd_adjoint[i] - t->b[i];
    for (int k = 0; k < l->n_clusters; k++) fa_loops_solve_transposed(l, k, t->b, nu, &t->loop);

    // The rows' own adjoints, coordinate by coordinate.
    double *rows = t->acceleration, *unused = t->unread;
    memset(t->unit, 0, (size_t)n * sizeof *t->unit);
    for (int c = 0; c < n; c++) {
        t->unit[c] = 1;
        const fa_loop_motion by_q = {t->qd, t->qdd, t->unit, NULL};
        const fa_loop_motion by_qd = {t->qd, t->qdd, NULL, t->unit};
        fa_loops_row_tangents(l, chain, &by_q, &t->loop, unused, rows, t->tangent);
        for (int r = 0; r < l->n_rows; r++) adjoint->joint.q[c] -= nu[r] * rows[r];
        fa_loops_row_tangents(l, chain, &by_qd, &t->loop, unused, rows, t->tangent);
        for (int r = 0; r < l->n_rows; r++) adjoint->joint.qd[c] -= nu[r] * rows[r];
        fa_loops_force_tangent(l, chain, t->unit, t->lambda, &t->loop, t->b, t->tangent);
        for (int i = 0; i < n; i++) adjoint->joint.q[c] += t->y[i] * t->b[i];
        t->unit[c] = 0;
    }
    for (int i = 0; i < n; i++) {
        if (adjoint->tau) adjoint->tau[i] += t->y[i];
        qdd_adjoint[i] = -t->y[i]; // inverse dynamics is subtracted
    }
    fa_adjoint fixed = *adjoint; // accelerations are
    fixed.joint.qdd = NULL;
    fa_inverse_adjoint(chain, qdd, load, motion, qdd_adjoint, &fixed, motion_adjoint, work);
    adjoint->gravity = fixed.gravity;
}

void fa_loops_complete_tangents(const fa_chain *chain, double dq[], double dqd[],
                                fa_loop_tangent *t)
{
    const fa_loops *l = chain->loops;
    for (int k = 0; k < l->n_clusters; k++) fa_loops_solve(l, k, NULL, dq, &t->loop);
    const fa_loop_motion own = {t->qd, NULL, dq, NULL};
    fa_loops_row_tangents(l, chain, &own, &t->loop, t->velocity, t->acceleration, t->tangent);
    solve_rows(l, t, t->velocity, dqd);
}

void fa_loops_complete_adjoints(const fa_chain *chain, double q_adjoint[], double qd_adjoint[],
                                fa_loop_tangent *t)
{
    const fa_loops *l = chain->loops;
    const int       n = chain->n_coordinates;
    double         *nu = t->acceleration, *rows = t->velocity;
    double         *unused = t->unread;
    for (int k = 0; k < l->n_clusters; k++)
        fa_loops_solve_transposed(l, k, qd_adjoint, nu, &t->loop);
    memset(t->unit, 0, (size_t)n * sizeof *t->unit);
    for (int c = 0; c < n; c++) {
        t->unit[c] = 1;
        const fa_loop_motion own = {t->qd, NULL, t->unit, NULL};
        fa_loops_row_tangents(l, chain, &own, &t->loop, rows, unused, t->tangent);
        for (int r = 0; r < l->n_rows; r++) q_adjoint[c] -= nu[r] * rows[r];
        t->unit[c] = 0;
    }
    for (int part = 0; part < 2; part++) {
        double *adjoint = part ? qd_adjoint : q_adjoint;
        fa_loops_reduce(l, &t->loop, adjoint, t->u);
        memset(adjoint, 0, (size_t)n * sizeof *adjoint);
        for (int u = 0; u < l->n_independent; u++) adjoint[l->independent[u]] = t->u[u];
    }
}
