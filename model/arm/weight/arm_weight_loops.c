// With qd = G u of closed loops, efforts D s at the drives do what the efforts h of the tree would
// where B^T s = G^T h, B being the rows of G of the drives, each times its scale D. Fewer drives
// than freedoms do it as well as they can, more share it: s = (B B^T)^+ B G^T h. What changes G
// follows from the rows of the loops: K dG u = -dK G u.
#include "arm_weight_loops.h"

#include <math.h>
#include <string.h>

// Eigenvalues below this fraction of the largest are zero.
static const double NOTHING = 1e-12;

static fa_weight_loops take(fa_arena *a, const fa_loops *l, int n)
{
    const size_t    s = (size_t)n, f = (size_t)l->n_independent, c = (size_t)l->n_coordinates;
    fa_weight_loops w;
    memset(&w, 0, sizeof w);
    void *memory = fa_arena_take(a, 1, fa_loop_work_size(l));
    if (memory) w.work = fa_loop_work_at(l, memory);
    w.n = n;
    w.n_freedoms = l->n_independent;
    w.tangent = fa_arena_take(a, 1, fa_loop_tangents_size(l));
    w.coordinate = fa_arena_take(a, s, sizeof *w.coordinate);
    w.scale = fa_arena_take(a, s, sizeof *w.scale);
    w.B = fa_arena_take(a, s * f, sizeof *w.B);
    w.dB = fa_arena_take(a, s * f, sizeof *w.dB);
    w.N = fa_arena_take(a, s * s, sizeof *w.N);
    w.turn = fa_arena_take(a, s * s, sizeof *w.turn);
    w.left = fa_arena_take(a, s * s, sizeof *w.left);
    w.pseudo = fa_arena_take(a, s * s, sizeof *w.pseudo);
    w.tree = fa_arena_take(a, c, sizeof *w.tree);
    w.x = fa_arena_take(a, c, sizeof *w.x);
    w.y = fa_arena_take(a, c, sizeof *w.y);
    w.unit = fa_arena_take(a, c, sizeof *w.unit);
    w.u = fa_arena_take(a, f, sizeof *w.u);
    w.du = fa_arena_take(a, f, sizeof *w.du);
    w.rest = fa_arena_take(a, f, sizeof *w.rest);
    w.share = fa_arena_take(a, s, sizeof *w.share);
    w.change = fa_arena_take(a, s, sizeof *w.change);
    w.other = fa_arena_take(a, s, sizeof *w.other);
    w.rows = fa_arena_take(a, (size_t)l->n_rows, sizeof *w.rows);
    w.unused = fa_arena_take(a, (size_t)l->n_rows, sizeof *w.unused);
    return w;
}

size_t fa_weight_loops_size(const fa_loops *loops, int n)
{
    fa_arena a = {NULL, 0};
    (void)fa_arena_take(&a, 1, sizeof(fa_weight_loops));
    (void)take(&a, loops, n);
    return a.size;
}

fa_weight_loops *fa_weight_loops_place(void *memory, const fa_loops *loops, int n)
{
    fa_arena         a = {memory, 0};
    fa_weight_loops *w = fa_arena_take(&a, 1, sizeof *w);
    *w = take(&a, loops, n);
    for (int k = 0; k < n; k++) w->scale[k] = 1;
    return w;
}

// ------------------------------------------------------------------------------------ G and B

// to = A x and A^T x of a matrix with n rows of m numbers.
static void times(const double A[], int n, int m, const double x[], double to[])
{
    for (int i = 0; i < n; i++) {
        to[i] = 0;
        for (int j = 0; j < m; j++) to[i] += A[i * m + j] * x[j];
    }
}

static void turned_times(const double A[], int n, int m, const double x[], double to[])
{
    for (int j = 0; j < m; j++) to[j] = 0;
    for (int i = 0; i < n; i++)
        for (int j = 0; j < m; j++) to[j] += A[i * m + j] * x[i];
}

// A Jacobi rotation, which makes A[p][q] zero; V accumulates the rotations.
static void rotate(double A[], double V[], int n, int p, int q)
{
    if (A[p * n + q] == 0) return;
    const double theta = (A[q * n + q] - A[p * n + p]) / (2 * A[p * n + q]);
    const double t = copysign(1, theta) / (fabs(theta) + sqrt(theta * theta + 1));
    const double c = 1 / sqrt(t * t + 1), s = t * c;
    for (int k = 0; k < n; k++) {
        const double a = A[k * n + p], b = A[k * n + q];
        A[k * n + p] = c * a - s * b;
        A[k * n + q] = s * a + c * b;
    }
    for (int k = 0; k < n; k++) {
        const double a = A[p * n + k], b = A[q * n + k];
        A[p * n + k] = c * a - s * b;
        A[q * n + k] = s * a + c * b;
        const double v = V[k * n + p], u = V[k * n + q];
        V[k * n + p] = c * v - s * u;
        V[k * n + q] = s * v + c * u;
    }
}

// The pseudo-inverse of N, by its eigenvectors.
static void invert(fa_weight_loops *w)
{
    enum { SWEEPS = 30 }; // each squares what is left beside the diagonal
    const int n = w->n;
    double   *A = w->left, *V = w->turn, largest = 0;
    memcpy(A, w->N, (size_t)n * (size_t)n * sizeof *A);
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++) V[i * n + j] = i == j;
    for (int sweep = 0; sweep < SWEEPS; sweep++)
        for (int p = 0; p < n; p++)
            for (int q = p + 1; q < n; q++) rotate(A, V, n, p, q);
    for (int i = 0; i < n; i++) largest = fmax(largest, A[i * n + i]);
    for (int i = 0; i < n; i++)
        w->other[i] = A[i * n + i] > NOTHING * largest ? 1 / A[i * n + i] : 0;
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++) {
            double sum = 0;
            for (int k = 0; k < n; k++) sum += V[i * n + k] * w->other[k] * V[j * n + k];
            w->pseudo[i * n + j] = sum;
        }
}

void fa_weight_loops_share(fa_weight_loops *w, const fa_chain *chain, const double q[],
                           double effort[])
{
    const fa_loops *l = chain->loops;
    const int       n = w->n, f = l->n_independent;
    const size_t    size = (size_t)l->n_coordinates * sizeof *effort;
    (void)fa_loops_factor(l, chain, q, &w->work); // closing has done the same
    memcpy(w->tree, effort, size);
    memset(w->x, 0, size);
    for (int k = 0; k < n; k++) {
        w->x[w->coordinate[k]] = w->scale[k];
        fa_loops_reduce(l, w->work.G, w->x, &w->B[k * f]);
        w->x[w->coordinate[k]] = 0;
    }
    for (int i = 0; i < n; i++) times(w->B, n, f, &w->B[i * f], &w->N[i * n]);
    invert(w);
    fa_weight_loops_share_more(w, chain, effort);
}

void fa_weight_loops_share_more(fa_weight_loops *w, const fa_chain *chain, double effort[])
{
    const fa_loops *l = chain->loops;
    const int       n = w->n;
    fa_loops_reduce(l, w->work.G, effort, w->u);
    times(w->B, n, l->n_independent, w->u, w->other);
    times(w->pseudo, n, n, w->other, w->share);
    memset(effort, 0, (size_t)l->n_coordinates * sizeof *effort);
    for (int k = 0; k < n; k++) effort[w->coordinate[k]] = w->scale[k] * w->share[k];
}

double fa_weight_loops_left(fa_weight_loops *w)
{
    const int f = w->n_freedoms;
    double    left = 0, largest = 0;
    turned_times(w->B, w->n, f, w->share, w->rest);
    for (int j = 0; j < f; j++) {
        left = fmax(left, fabs(w->u[j] - w->rest[j]));
        largest = fmax(largest, fmax(fabs(w->u[j]), fabs(w->rest[j])));
    }
    return largest > 0 ? left / largest : 0;
}

// The change of the shares, into w->change; that of the tree's efforts or NULL.
static void change_of(fa_weight_loops *w, const fa_chain *chain, const double dq[],
                      const double tree_tangent[])
{
    const fa_loops *l = chain->loops;
    const int       n = w->n, f = l->n_independent, c = l->n_coordinates;
    if (tree_tangent)
        fa_loops_reduce(l, w->work.G, tree_tangent, w->du);
    else
        memset(w->du, 0, (size_t)f * sizeof *w->du);
    for (int j = 0; j < f; j++) { // dG, column by column
        for (int i = 0; i < f; i++) w->rest[i] = i == j;
        fa_loops_spread(l, w->work.G, w->rest, w->x);
        const fa_loop_motion motion = {.qd = w->x, .dq = dq};
        fa_loops_row_tangents(l, chain, &motion, &w->work, w->rows, w->unused, w->tangent);
        for (int r = 0; r < l->n_rows; r++) w->rows[r] = -w->rows[r];
        memset(w->y, 0, (size_t)c * sizeof *w->y);
        for (int k = 0; k < l->n_clusters; k++) fa_loops_solve(l, k, w->rows, w->y, &w->work);
        for (int k = 0; k < n; k++) w->dB[k * f + j] = w->scale[k] * w->y[w->coordinate[k]];
        for (int i = 0; i < c; i++) w->du[j] += w->y[i] * w->tree[i];
    }
    // With the residual of the drives r = u - B^T s: s' = N^+ (B (u' - B'^T s) + B' r) + (1 - N^+
    // N) B' B^T N^+ s.
    turned_times(w->dB, n, f, w->share, w->rest);
    for (int j = 0; j < f; j++) w->du[j] -= w->rest[j];
    times(w->B, n, f, w->du, w->other);
    turned_times(w->B, n, f, w->share, w->rest);
    for (int j = 0; j < f; j++) w->rest[j] = w->u[j] - w->rest[j];
    times(w->dB, n, f, w->rest, w->change);
    for (int k = 0; k < n; k++) w->other[k] += w->change[k];
    times(w->pseudo, n, n, w->other, w->change);
    times(w->pseudo, n, n, w->share, w->other);
    turned_times(w->B, n, f, w->other, w->rest);
    times(w->dB, n, f, w->rest, w->other); // B' B^T N^+ s
    for (int k = 0; k < n; k++) w->change[k] += w->other[k];
    times(w->N, n, n, w->other, w->y);
    times(w->pseudo, n, n, w->y, w->other);
    for (int k = 0; k < n; k++) w->change[k] -= w->other[k];
}

void fa_weight_loops_share_tangent(fa_weight_loops *w, const fa_chain *chain, const double dq[],
                                   double effort_tangent[])
{
    change_of(w, chain, dq, effort_tangent);
    memset(effort_tangent, 0, (size_t)chain->n_coordinates * sizeof *effort_tangent);
    for (int k = 0; k < w->n; k++) effort_tangent[w->coordinate[k]] = w->scale[k] * w->change[k];
}

void fa_weight_loops_share_adjoint(fa_weight_loops *w, const fa_chain *chain,
                                   double effort_adjoint[], double q_adjoint[])
{
    const fa_loops *l = chain->loops;
    const int       n = w->n, f = l->n_independent, c = l->n_coordinates;
    // Position by position; `dq` is a unit of each.
    double *dq = w->unit;
    memset(dq, 0, (size_t)c * sizeof *dq);
    for (int i = 0; i < c; i++) {
        dq[i] = 1;
        change_of(w, chain, dq, NULL);
        for (int k = 0; k < n; k++)
            q_adjoint[i] += effort_adjoint[w->coordinate[k]] * w->scale[k] * w->change[k];
        dq[i] = 0;
    }
    for (int k = 0; k < n; k++) w->change[k] = w->scale[k] * effort_adjoint[w->coordinate[k]];
    times(w->pseudo, n, n, w->change, w->other);
    turned_times(w->B, n, f, w->other, w->rest);
    memset(effort_adjoint, 0, (size_t)c * sizeof *effort_adjoint);
    fa_loops_spread(l, w->work.G, w->rest, effort_adjoint);
}
