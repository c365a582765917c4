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
    t.lambda_step = fa_arena_take(arena, rows, sizeof(double));
    t.left = fa_arena_take(arena, n, sizeof(double));
    t.unread = fa_arena_take(arena, rows, sizeof(double));
    t.b = fa_arena_take(arena, n, sizeof(double));
    t.y = fa_arena_take(arena, n, sizeof(double));
    t.unit = fa_arena_take(arena, n, sizeof(double));
    t.u = fa_arena_take(arena, f, sizeof(double));
    t.velocity = fa_arena_take(arena, rows, sizeof(double));
    t.acceleration = fa_arena_take(arena, rows, sizeof(double));
    t.step = fa_arena_take(arena, 1, fa_loop_step_size(l));
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

// u = G^T x and x = G u; independent coordinates in the order of l->independent.
static void reduce(const fa_loops *l, const fa_loop_tangent *t, const double x[], double u[])
{
    for (int k = 0; k < l->n_clusters; k++) {
        const fa_cluster *cluster = &l->cluster[k];
        const int         f = cluster->freedoms;
        const double     *G = &t->loop.G[cluster->first_G];
        double           *own = &u[cluster->first_independent];
        for (int i = 0; i < f; i++) own[i] = 0;
        for (int i = 0; i < cluster->n; i++)
            for (int j = 0; j < f; j++)
                own[j] += G[i * f + j] * x[l->coordinate[cluster->first_coordinate + i]];
    }
}

static void spread(const fa_loops *l, const fa_loop_tangent *t, const double u[], double x[])
{
    for (int k = 0; k < l->n_clusters; k++) {
        const fa_cluster *cluster = &l->cluster[k];
        const int         f = cluster->freedoms;
        const double     *G = &t->loop.G[cluster->first_G];
        for (int i = 0; i < cluster->n; i++) {
            double sum = 0;
            for (int j = 0; j < f; j++) sum += G[i * f + j] * u[cluster->first_independent + j];
            x[l->coordinate[cluster->first_coordinate + i]] = sum;
        }
    }
}

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
        spread(l, t, t->u, t->y);
        by_mass(chain, t, t->y, t->b);
        reduce(l, t, t->b, &t->H[u * f]);
    }
    for (int u = 0; u < f; u++) {
        if (!is_held(chain, u)) continue;
        for (int j = 0; j < f; j++) t->H[u * f + j] = t->H[j * f + u] = 0;
        t->H[u * f + u] = 1;
    }
    return fa_cholesky_factor(f, t->H);
}

// ------------------------------------------------------------------------------- steps and slopes

static void solve_rows(const fa_loops *l, fa_loop_tangent *t, double rows[], double x[])
{
    for (int r = 0; r < l->n_rows; r++) rows[r] = -rows[r];
    for (int k = 0; k < l->n_clusters; k++) fa_loops_solve(l, k, rows, x, &t->loop);
}

void fa_loops_forward_tangent(const fa_chain *chain, const double qdd[], const fa_load *load,
                              const fa_motion motion[], const fa_tangent *step,
                              const fa_motion_tangent motion_step[], fa_loop_tangent *t,
                              double qdd_step[], void *work)
{
    const fa_loops      *l = chain->loops;
    const int            n = chain->n_coordinates, f = l->n_independent;
    const fa_loop_motion own = {t->qd, t->qdd, step->joint.q, step->joint.qd};
    double              *dg = t->y, *Mdg = t->unit;
    fa_inverse_tangent(chain, qdd, load, motion, step, motion_step, qdd_step, work);
    memset(t->b, 0, (size_t)n * sizeof *t->b);
    if (step->joint.q)
        fa_loops_force_tangent(l, chain, step->joint.q, t->lambda, &t->loop, t->b, t->step);
    for (int i = 0; i < n; i++) t->b[i] += (step->tau ? step->tau[i] : 0) - qdd_step[i];
    memcpy(t->left, t->b, (size_t)n * sizeof *t->b);
    fa_loops_row_tangents(l, chain, &own, &t->loop, t->velocity, t->acceleration, t->step);
    memset(dg, 0, (size_t)n * sizeof *dg);
    solve_rows(l, t, t->acceleration, dg);
    by_mass(chain, t, dg, Mdg);
    for (int i = 0; i < n; i++) t->b[i] -= Mdg[i];
    reduce(l, t, t->b, t->u);
    for (int u = 0; u < f; u++)
        if (is_held(chain, u)) t->u[u] = 0;
    fa_cholesky_solve(f, t->H, t->u);
    spread(l, t, t->u, qdd_step);
    for (int i = 0; i < n; i++) qdd_step[i] += dg[i];
}

void fa_loops_multiplier_tangent(const fa_chain *chain, const fa_tangent *step,
                                 const double qdd_step[], fa_loop_tangent *t)
{
    const fa_loops      *l = chain->loops;
    const fa_loop_motion own = {t->qd, t->qdd, step->joint.q, step->joint.qd};
    by_mass(chain, t, qdd_step, t->b);
    for (int i = 0; i < chain->n_coordinates; i++) t->b[i] -= t->left[i];
    for (int k = 0; k < l->n_clusters; k++)
        fa_loops_solve_transposed(l, k, t->b, t->lambda_step, &t->loop);
    fa_loops_row_tangents(l, chain, &own, &t->loop, t->velocity, t->acceleration, t->step);
}

void fa_loops_forward_adjoint(const fa_chain *chain, const double qdd[], const fa_load *load,
                              const fa_motion motion[], fa_loop_tangent *t, double qdd_slope[],
                              fa_adjoint *slope, fa_motion_adjoint motion_slope[], void *work)
{
    const fa_loops *l = chain->loops;
    const int       n = chain->n_coordinates, f = l->n_independent;
    double         *nu = t->velocity; // of rows
    reduce(l, t, qdd_slope, t->u);
    for (int u = 0; u < f; u++)
        if (is_held(chain, u)) t->u[u] = 0;
    fa_cholesky_solve(f, t->H, t->u);
    for (int u = 0; u < f; u++)
        if (is_held(chain, u)) t->u[u] = 0;
    spread(l, t, t->u, t->y);
    by_mass(chain, t, t->y, t->b);
    for (int i = 0; i < n; i++) t->b[i] = qdd_slope[i] - t->b[i];
    for (int k = 0; k < l->n_clusters; k++) fa_loops_solve_transposed(l, k, t->b, nu, &t->loop);

    // The rows' own slopes, coordinate by coordinate.
    double *rows = t->acceleration, *unused = t->unread;
    memset(t->unit, 0, (size_t)n * sizeof *t->unit);
    for (int c = 0; c < n; c++) {
        t->unit[c] = 1;
        const fa_loop_motion by_q = {t->qd, t->qdd, t->unit, NULL};
        const fa_loop_motion by_qd = {t->qd, t->qdd, NULL, t->unit};
        fa_loops_row_tangents(l, chain, &by_q, &t->loop, unused, rows, t->step);
        for (int r = 0; r < l->n_rows; r++) slope->joint.q[c] -= nu[r] * rows[r];
        fa_loops_row_tangents(l, chain, &by_qd, &t->loop, unused, rows, t->step);
        for (int r = 0; r < l->n_rows; r++) slope->joint.qd[c] -= nu[r] * rows[r];
        fa_loops_force_tangent(l, chain, t->unit, t->lambda, &t->loop, t->b, t->step);
        for (int i = 0; i < n; i++) slope->joint.q[c] += t->y[i] * t->b[i];
        t->unit[c] = 0;
    }
    for (int i = 0; i < n; i++) {
        if (slope->tau) slope->tau[i] += t->y[i];
        qdd_slope[i] = -t->y[i]; // inverse dynamics is subtracted
    }
    fa_adjoint fixed = *slope; // accelerations are
    fixed.joint.qdd = NULL;
    fa_inverse_adjoint(chain, qdd, load, motion, qdd_slope, &fixed, motion_slope, work);
    slope->gravity = fixed.gravity;
}

void fa_loops_complete_tangents(const fa_chain *chain, double dq[], double dqd[],
                                fa_loop_tangent *t)
{
    const fa_loops *l = chain->loops;
    for (int k = 0; k < l->n_clusters; k++) fa_loops_solve(l, k, NULL, dq, &t->loop);
    const fa_loop_motion own = {t->qd, NULL, dq, NULL};
    fa_loops_row_tangents(l, chain, &own, &t->loop, t->velocity, t->acceleration, t->step);
    solve_rows(l, t, t->velocity, dqd);
}

void fa_loops_complete_adjoints(const fa_chain *chain, double q_slope[], double qd_slope[],
                                fa_loop_tangent *t)
{
    const fa_loops *l = chain->loops;
    const int       n = chain->n_coordinates;
    double         *nu = t->acceleration, *rows = t->velocity;
    double         *unused = t->unread;
    for (int k = 0; k < l->n_clusters; k++) fa_loops_solve_transposed(l, k, qd_slope, nu, &t->loop);
    memset(t->unit, 0, (size_t)n * sizeof *t->unit);
    for (int c = 0; c < n; c++) {
        t->unit[c] = 1;
        const fa_loop_motion own = {t->qd, NULL, t->unit, NULL};
        fa_loops_row_tangents(l, chain, &own, &t->loop, rows, unused, t->step);
        for (int r = 0; r < l->n_rows; r++) q_slope[c] -= nu[r] * rows[r];
        t->unit[c] = 0;
    }
    for (int part = 0; part < 2; part++) {
        double *slope = part ? qd_slope : q_slope;
        reduce(l, t, slope, t->u);
        memset(slope, 0, (size_t)n * sizeof *slope);
        for (int u = 0; u < l->n_independent; u++) slope[l->independent[u]] = t->u[u];
    }
}
