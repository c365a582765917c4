// Derivatives of constrained accelerations, by the implicit function.
#include "loop_derivatives.h"

#include <string.h>

#include "cholesky.h"
#include "loop_holds.h"
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
    t.among = fa_arena_take(arena, n, sizeof(double));
    t.share = fa_arena_take(arena, n, sizeof(double));
    t.across = fa_arena_take(arena, n, sizeof(double));
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

// The constrained inverse of the mass matrix: x from what pushes to what it accelerates.
static void respond(const fa_loops *l, fa_loop_tangent *t, const double push[], double x[])
{
    fa_loops_reduce(l, t->loop.G_left, push, t->u);
    fa_cholesky_solve(l->n_independent, t->H, t->u);
    fa_loops_spread(l, t->loop.G_left, t->u, x);
}

// G^T M G of what is left, factored.
static fa_status factor(const fa_chain *chain, const double q[], fa_loop_tangent *t, void *work)
{
    const fa_loops *l = chain->loops;
    const int       f = l->n_independent;
    fa_status       status = fa_loops_factor(l, chain, q, &t->loop);
    if (status == FA_OK) status = fa_composite_body_mass_matrix(chain, q, t->M, work);
    if (status != FA_OK) return status;
    fa_loops_hold(l, chain->held, &t->loop);
    for (int u = 0; u < f; u++) {
        for (int j = 0; j < f; j++) t->u[j] = j == u;
        fa_loops_spread(l, t->loop.G_left, t->u, t->y);
        by_mass(chain, t, t->y, t->b);
        fa_loops_reduce(l, t->loop.G_left, t->b, &t->H[u * f]);
    }
    for (int u = 0; u < f; u++)
        if (t->loop.gone[u]) t->H[u * f + u] = 1; // with zeros beside it
    return fa_cholesky_factor(f, t->H);
}

fa_status fa_loops_respond(const fa_chain *chain, const double q[], double x[], fa_loop_tangent *t,
                           void *work)
{
    const fa_status status = factor(chain, q, t, work);
    if (status == FA_OK) respond(chain->loops, t, x, x);
    return status;
}

fa_status fa_loops_linearise(const fa_chain *chain, const double q[], const double qd[],
                             const double qdd[], const double tau[], const fa_load *load,
                             fa_loop_tangent *t, void *work)
{
    const fa_loops *l = chain->loops;
    t->q = q;
    t->qd = qd;
    t->qdd = qdd;
    fa_status status = factor(chain, q, t, work);
    if (status == FA_OK) status = fa_newton_euler_inverse(chain, q, qd, qdd, load, t->b, work);
    if (status != FA_OK) return status;
    for (int c = 0; c < chain->n_coordinates; c++) t->b[c] -= tau[c];
    if (chain->held) {
        fa_loops_share(l, chain->held, t->b, t->y, t->among, &t->loop);
        for (int c = 0; c < chain->n_coordinates; c++) t->b[c] -= t->y[c];
    }
    for (int k = 0; k < l->n_clusters; k++)
        fa_loops_solve_transposed(l, k, t->b, t->lambda, &t->loop);
    return FA_OK;
}

// --------------------------------------------------------------------------- tangents and adjoints

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
    const int            n = chain->n_coordinates;
    const fa_loop_motion own = {t->qd, t->qdd, tangent->joint.q, tangent->joint.qd, 0};
    double              *dg = t->y, *Mdg = t->unit;
    fa_inverse_tangent(chain, qdd, load, motion, tangent, motion_tangent, qdd_tangent, work);
    fa_loops_force_tangent(l, chain, &own, t->lambda, &t->loop, t->b, t->tangent);
    for (int i = 0; i < n; i++) t->b[i] += (tangent->tau ? tangent->tau[i] : 0) - qdd_tangent[i];
    memcpy(t->left, t->b, (size_t)n * sizeof *t->b);
    fa_loops_row_tangents(l, chain, &own, &t->loop, t->velocity, t->acceleration, t->tangent);
    memset(dg, 0, (size_t)n * sizeof *dg);
    solve_rows(l, t, t->acceleration, dg);
    fa_loops_pin(l, dg, &t->loop);
    by_mass(chain, t, dg, Mdg);
    for (int i = 0; i < n; i++) t->b[i] -= Mdg[i];
    respond(l, t, t->b, qdd_tangent);
    for (int i = 0; i < n; i++) qdd_tangent[i] += dg[i];
}

// Adjoints by one tangent for each coordinate, then for each body's advance where there are screws.
static int unit_moves(const fa_chain *chain)
{
    return chain->n_coordinates + (chain->screws ? chain->n : 0);
}

static fa_loop_motion unit_move(const fa_chain *chain, int k, fa_loop_tangent *t, const double qd[],
                                const double qdd[])
{
    const int      n = chain->n_coordinates;
    fa_loop_motion move = {.qd = qd, .qdd = qdd, .dq = t->unit};
    memset(t->unit, 0, (size_t)n * sizeof *t->unit);
    if (k < n)
        t->unit[k] = 1;
    else
        move.screw = k - n + 1;
    return move;
}

// Returns the address of its adjoint; NULL: constant.
static double *unit_place(const fa_chain *chain, int k, double q_adjoint[], double advance[])
{
    const int n = chain->n_coordinates;
    if (k < n) return &q_adjoint[k];
    return advance && chain->body[k - n].joint == FA_SCREW ? &advance[k - n] : NULL;
}

// With redundant locks, the efforts depend on G itself: the part of the tangent of t->among at
// locked coordinates that lies outside the range of G.
static void part_across(const fa_chain *chain, fa_loop_tangent *t, double x[])
{
    const fa_loops *l = chain->loops;
    const int       n = chain->n_coordinates;
    fa_loops_share_transposed(l, chain->held, x, t->across, &t->loop);
    for (int c = 0; c < n; c++) x[c] = chain->held[c] ? x[c] - t->across[c] : 0;
}

// Tangent of the locks' efforts, into t->share, from that of the efforts that the motion needs and
// no drive supplies.
static void share_tangents(const fa_chain *chain, const double dq[], const double by[],
                           fa_loop_tangent *t)
{
    const fa_loops      *l = chain->loops;
    const int            n = chain->n_coordinates;
    const fa_loop_motion own = {.qd = t->among, .dq = dq};
    double              *x = t->unit;
    fa_loops_share(l, chain->held, by, t->share, NULL, &t->loop);
    if (!fa_loops_share_is_free(l, chain->held, &t->loop)) return;
    fa_loops_row_tangents(l, chain, &own, &t->loop, t->velocity, t->unread, t->tangent);
    memset(x, 0, (size_t)n * sizeof *x);
    solve_rows(l, t, t->velocity, x);
    part_across(chain, t, x);
    for (int c = 0; c < n; c++) t->share[c] += x[c];
}

fa_status fa_loops_push(const fa_chain *chain, const double q[], double push[], fa_loop_tangent *t)
{
    const int n = chain->n_coordinates;
    if (!chain->held) {
        memset(push, 0, (size_t)n * sizeof *push);
        return FA_OK;
    }
    const fa_status status = fa_loops_factor(chain->loops, chain, q, &t->loop);
    if (status != FA_OK) return status;
    fa_loops_hold(chain->loops, chain->held, &t->loop);
    fa_loops_share(chain->loops, chain->held, push, t->share, NULL, &t->loop);
    memcpy(push, t->share, (size_t)n * sizeof *push);
    return FA_OK;
}

void fa_loops_push_tangent(const fa_chain *chain, const double dq[], double push[],
                           fa_loop_tangent *t)
{
    const int n = chain->n_coordinates;
    memset(t->share, 0, (size_t)n * sizeof *t->share);
    if (chain->held) {
        const fa_loop_motion moved = {.dq = dq};
        fa_loops_force_tangent(chain->loops, chain, &moved, t->lambda, &t->loop, t->b, t->tangent);
        for (int c = 0; c < n; c++) push[c] = -push[c] - t->b[c];
        share_tangents(chain, dq, push, t);
    }
    for (int c = 0; c < n; c++) push[c] = -t->share[c];
}

void fa_loops_push_adjoint(const fa_chain *chain, double q_adjoint[], double advance[],
                           double push[], fa_loop_tangent *t)
{
    const fa_loops *l = chain->loops;
    const int       n = chain->n_coordinates;
    if (!chain->held) {
        memset(push, 0, (size_t)n * sizeof *push);
        return;
    }
    const bool is_free = fa_loops_share_is_free(l, chain->held, &t->loop);
    double    *nu = t->acceleration;
    if (is_free) {
        memcpy(t->y, push, (size_t)n * sizeof *push);
        part_across(chain, t, t->y);
        for (int k = 0; k < l->n_clusters; k++) fa_loops_solve_transposed(l, k, t->y, nu, &t->loop);
    }
    fa_loops_share_transposed(l, chain->held, push, t->share, &t->loop);
    for (int k = 0; k < unit_moves(chain); k++) {
        const fa_loop_motion own = unit_move(chain, k, t, t->among, NULL);
        double              *to = unit_place(chain, k, q_adjoint, advance);
        if (!to) continue;
        fa_loops_force_tangent(l, chain, &own, t->lambda, &t->loop, t->b, t->tangent);
        for (int i = 0; i < n; i++) *to += t->share[i] * t->b[i];
        if (is_free)
            fa_loops_row_tangents(l, chain, &own, &t->loop, t->velocity, t->unread, t->tangent);
        for (int r = 0; is_free && r < l->n_rows; r++) *to += nu[r] * t->velocity[r];
    }
    memcpy(push, t->share, (size_t)n * sizeof *push);
}

void fa_loops_multiplier_tangent(const fa_chain *chain, const fa_tangent *tangent,
                                 const double qdd_tangent[], fa_loop_tangent *t)
{
    const fa_loops      *l = chain->loops;
    const fa_loop_motion own = {t->qd, t->qdd, tangent->joint.q, tangent->joint.qd, 0};
    by_mass(chain, t, qdd_tangent, t->b);
    for (int i = 0; i < chain->n_coordinates; i++) t->b[i] -= t->left[i];
    if (chain->held) { // t->left contains the tangent of the loops' forces
        share_tangents(chain, tangent->joint.q, t->b, t);
        for (int i = 0; i < chain->n_coordinates; i++) t->b[i] -= t->share[i];
    }
    for (int k = 0; k < l->n_clusters; k++)
        fa_loops_solve_transposed(l, k, t->b, t->lambda_tangent, &t->loop);
    fa_loops_row_tangents(l, chain, &own, &t->loop, t->velocity, t->acceleration, t->tangent);
}

void fa_loops_forward_adjoint(const fa_chain *chain, const double qdd[], const fa_load *load,
                              const fa_motion motion[], fa_loop_tangent *t, double qdd_adjoint[],
                              fa_adjoint *adjoint, fa_motion_adjoint motion_adjoint[], void *work)
{
    const fa_loops *l = chain->loops;
    const int       n = chain->n_coordinates;
    double         *nu = t->velocity; // of rows
    respond(l, t, qdd_adjoint, t->y);
    by_mass(chain, t, t->y, t->b);
    for (int i = 0; i < n; i++) t->b[i] = qdd_adjoint[i] - t->b[i];
    fa_loops_pin_transposed(l, t->b, &t->loop);
    for (int k = 0; k < l->n_clusters; k++) fa_loops_solve_transposed(l, k, t->b, nu, &t->loop);

    // The rows' own adjoints, one by one.
    double *rows = t->acceleration, *unused = t->unread;
    for (int k = 0; k < unit_moves(chain); k++) {
        const fa_loop_motion own = unit_move(chain, k, t, t->qd, t->qdd);
        double              *to = unit_place(chain, k, adjoint->joint.q, adjoint->joint.advance);
        if (!to) continue;
        fa_loops_row_tangents(l, chain, &own, &t->loop, unused, rows, t->tangent);
        for (int r = 0; r < l->n_rows; r++) *to -= nu[r] * rows[r];
        fa_loops_force_tangent(l, chain, &own, t->lambda, &t->loop, t->b, t->tangent);
        for (int i = 0; i < n; i++) *to += t->y[i] * t->b[i];
        if (k >= n) continue;
        const fa_loop_motion by_qd = {.qd = t->qd, .qdd = t->qdd, .dqd = t->unit};
        fa_loops_row_tangents(l, chain, &by_qd, &t->loop, unused, rows, t->tangent);
        for (int r = 0; r < l->n_rows; r++) adjoint->joint.qd[k] -= nu[r] * rows[r];
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
    const fa_loops      *l = chain->loops;
    const fa_loop_motion still = {.dq = NULL}, own = {.qd = t->qd, .dq = dq};
    fa_loops_residual_tangents(l, chain, &still, &t->loop, t->velocity, t->tangent);
    solve_rows(l, t, t->velocity, dq);
    fa_loops_row_tangents(l, chain, &own, &t->loop, t->velocity, t->acceleration, t->tangent);
    solve_rows(l, t, t->velocity, dqd);
}

void fa_loops_complete_accelerations(const fa_chain *chain, const double dq[], const double dqd[],
                                     double dqdd[], fa_loop_tangent *t)
{
    const fa_loop_motion own = {t->qd, t->qdd, dq, dqd, 0};
    fa_loops_row_tangents(chain->loops, chain, &own, &t->loop, t->velocity, t->acceleration,
                          t->tangent);
    solve_rows(chain->loops, t, t->acceleration, dqdd);
}

void fa_loops_inverse_tangent(const fa_chain *chain, const fa_tangent *tangent, const double tree[],
                              fa_loop_tangent *t)
{
    const fa_loop_motion own = {t->qd, t->qdd, tangent->joint.q, tangent->joint.qd, 0};
    fa_loops_force_tangent(chain->loops, chain, &own, t->lambda, &t->loop, t->left, t->tangent);
    for (int i = 0; i < chain->n_coordinates; i++) t->left[i] -= tree[i];
}

void fa_loops_complete_adjoints(const fa_chain *chain, double q_adjoint[], double qd_adjoint[],
                                double advance[], fa_loop_tangent *t)
{
    const fa_loops *l = chain->loops;
    const int       n = chain->n_coordinates;
    double         *nu = t->acceleration, *rows = t->velocity;
    double         *unused = t->unread;
    for (int k = 0; k < l->n_clusters; k++)
        fa_loops_solve_transposed(l, k, qd_adjoint, nu, &t->loop);
    for (int k = 0; k < unit_moves(chain); k++) {
        const fa_loop_motion own = unit_move(chain, k, t, t->qd, NULL);
        double              *to = unit_place(chain, k, q_adjoint, advance);
        if (!to) continue;
        fa_loops_row_tangents(l, chain, &own, &t->loop, rows, unused, t->tangent);
        for (int r = 0; r < l->n_rows; r++) *to -= nu[r] * rows[r];
    }
    // Dependent positions compensate the tangents of screws' advances.
    for (int k = 0; k < l->n_clusters; k++)
        fa_loops_solve_transposed(l, k, q_adjoint, nu, &t->loop);
    for (int k = n; k < unit_moves(chain); k++) {
        const fa_loop_motion own = unit_move(chain, k, t, NULL, NULL);
        double              *to = unit_place(chain, k, NULL, advance);
        if (!to) continue;
        fa_loops_residual_tangents(l, chain, &own, &t->loop, rows, t->tangent);
        for (int r = 0; r < l->n_rows; r++) *to -= nu[r] * rows[r];
    }
    for (int part = 0; part < 2; part++) {
        double *adjoint = part ? qd_adjoint : q_adjoint;
        fa_loops_reduce(l, t->loop.G, adjoint, t->u);
        memset(adjoint, 0, (size_t)n * sizeof *adjoint);
        for (int u = 0; u < l->n_independent; u++) adjoint[l->independent[u]] = t->u[u];
    }
}

// ------------------------------------------------------------------------- gaps and regularity

// A gap that is no larger is rounding, in lengths of its cluster, and has no tangent.
#define GAP_ROUNDING 1e-10

// By rows: what the gap of a constraint changes by with each residual.
static bool gap_parts(const fa_loops *l, int constraint, const fa_loop_work *w, double by_row[])
{
    const fa_constraint *c = &l->constraint[constraint];
    const double         length = l->cluster[c->cluster].length;
    const double         gap = fa_loops_gap(l, constraint, w);
    if (!(gap > GAP_ROUNDING * length)) return false;
    for (int r = c->first_row; r < c->first_row + c->n_rows; r++)
        by_row[r] =
            w->residual[r] * (l->row_weight[r] * length) * (l->row_weight[r] * length) / gap;
    return true;
}

// Columns of K by a ball's three turns are those of turns that begin anew at each pose: where the
// ball turns by d they are those of K times 1 - D(d), D as in ball.h. Gives -D(d) x.
static void begin_anew(const fa_loops *l, const double dq[], const double x[], double to[])
{
    memset(to, 0, (size_t)l->n_coordinates * sizeof *to);
    for (int c = 0; c < l->n_coordinates; c++) {
        if (l->ball[c] != c) continue;
        to[c] = -dq[c + 2] * x[c + 1];
        to[c + 1] = dq[c + 2] * x[c];
        to[c + 2] = -dq[c + 1] * x[c];
    }
}

double fa_loops_regularity_tangent(const fa_chain *chain, const double dq[], fa_loop_tangent *t)
{
    const fa_loops      *l = chain->loops;
    const fa_loop_motion own = {.qd = t->unit, .dq = dq, .dqd = t->b};
    double               sum = 0;
    if (!fa_loops_regularity_parts(l, &t->loop, t->unit, t->unread)) return 0;
    begin_anew(l, dq, t->unit, t->b);
    fa_loops_row_tangents(l, chain, &own, &t->loop, t->velocity, t->acceleration, t->tangent);
    for (int r = 0; r < l->n_rows; r++) sum += t->unread[r] * t->velocity[r];
    return sum;
}

void fa_loops_gap_tangents(const fa_chain *chain, const double dq[], double gap[],
                           fa_loop_tangent *t)
{
    const fa_loops      *l = chain->loops;
    const fa_loop_motion own = {.dq = dq};
    fa_loops_residual(l, chain, t->q, &t->loop);
    fa_loops_residual_tangents(l, chain, &own, &t->loop, t->velocity, t->tangent);
    for (int k = 0; k < l->n_constraints; k++) {
        const fa_constraint *c = &l->constraint[k];
        gap[l->given[k]] = 0;
        if (!gap_parts(l, k, &t->loop, t->acceleration)) continue;
        for (int r = c->first_row; r < c->first_row + c->n_rows; r++)
            gap[l->given[k]] += t->acceleration[r] * t->velocity[r];
    }
}

void fa_loops_shown_adjoint(const fa_chain *chain, double regularity, const double gap[],
                            double q_adjoint[], double advance[], fa_loop_tangent *t)
{
    const fa_loops *l = chain->loops;
    double         *by_residual = t->acceleration, *by_row = t->lambda_tangent, *x = t->y;
    bool            any = false;
    memset(by_residual, 0, (size_t)l->n_rows * sizeof *by_residual);
    fa_loops_residual(l, chain, t->q, &t->loop);
    for (int k = 0; k < l->n_constraints; k++) {
        const fa_constraint *c = &l->constraint[k];
        const double         wanted = gap[l->given[k]];
        if (wanted == 0 || !gap_parts(l, k, &t->loop, by_residual)) continue;
        for (int r = c->first_row; r < c->first_row + c->n_rows; r++) by_residual[r] *= wanted;
        any = true;
    }
    const bool is_regular = regularity == 0 || !fa_loops_regularity_parts(l, &t->loop, x, by_row);
    for (int k = 0; (any || !is_regular) && k < unit_moves(chain); k++) {
        fa_loop_motion own = unit_move(chain, k, t, x, NULL);
        double        *to = unit_place(chain, k, q_adjoint, advance);
        if (!to) continue;
        fa_loops_residual_tangents(l, chain, &own, &t->loop, t->velocity, t->tangent);
        for (int r = 0; r < l->n_rows; r++) *to += by_residual[r] * t->velocity[r];
        if (is_regular) continue;
        begin_anew(l, own.dq, x, t->b);
        own.dqd = t->b;
        fa_loops_row_tangents(l, chain, &own, &t->loop, t->velocity, t->unread, t->tangent);
        for (int r = 0; r < l->n_rows; r++) *to += regularity * by_row[r] * t->velocity[r];
    }
}
