// Assembly: closes loops from far by damped Gauss-Newton steps (Levenberg-Marquardt) on all joints
// that are not locked.
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "cholesky.h"
#include "loop_choice.h"
#include "loop_rows.h"

enum { STEPS = 100, TRIALS = 12 };
#define STEP_MAX   0.3   // [rad], [lengths of the cluster]
#define CLOSED     1e-13 // length of the scaled residual
#define STILL      1e-15 // a shorter step counts as zero
#define CONTRADICT 1e-3  // scaled residual that redundant rows may keep
#define BESIDE     0.2   // [rad], [lengths of the cluster]: where to begin anew
enum { ALONE = 12, TOGETHER = 4 };

typedef struct assembly {
    fa_loops         *loops;
    const fa_cluster *cluster;
    const fa_chain   *chain;
    fa_body          *body;
    const bool       *held;
    double           *q;
    fa_loop_work      work;
    double           *A, *b, *kept_q; // normal equations of the coordinates that move
    fa_mat3          *kept_E;
    double           *start_q; // where assembly began
    fa_mat3          *start_E;
    int              *moving;
    int               n;
} assembly;

static double weighted_residual(const assembly *a, int row)
{
    return a->work.residual[row] * a->loops->row_weight[row];
}

// Residual and Jacobian; the length of the former.
static double look(assembly *a)
{
    const fa_loops *l = a->loops;
    double          sum = 0;
    fa_loop_poses(l, a->cluster, a->chain, a->q, a->work.body);
    for (int i = 0; i < a->cluster->n_constraints; i++) {
        const fa_constraint *c = &l->constraint[a->cluster->first_constraint + i];
        fa_loop_frames       f = fa_loop_frames_at(c, a->chain, a->work.body, a->cluster->carrier);
        fa_loop_row_residual(c, l, a->chain, &f, a->q, &a->work.residual[c->first_row]);
        fa_loop_row_jacobian(c, l, a->chain, &f, a->work.body, a->q, NULL,
                             &a->work.K[c->first_entry]);
        for (int r = 0; r < c->n_rows; r++) {
            const double residual = weighted_residual(a, c->first_row + r);
            sum += residual * residual;
        }
    }
    return sqrt(sum);
}

// A = K^T K and b = -K^T r, scaled; the largest diagonal element.
static double normal_equations(assembly *a, const int place[])
{
    const fa_loops *l = a->loops;
    const size_t    n = (size_t)a->n;
    memset(a->A, 0, n * n * sizeof(double));
    memset(a->b, 0, n * sizeof(double));
    for (int i = 0; i < a->cluster->n_constraints; i++) {
        const fa_constraint *c = &l->constraint[a->cluster->first_constraint + i];
        for (int r = 0; r < c->n_rows; r++) {
            const double *K = &a->work.K[c->first_entry + r * c->n_column];
            const double  scale = l->row_weight[c->first_row + r];
            for (int j = 0; j < c->n_column; j++) {
                const int cj = l->column[c->first_column + j], pj = place[cj];
                if (pj == FA_NOBODY) continue;
                const double kj = K[j] * scale * l->weight[cj];
                a->b[pj] -= kj * weighted_residual(a, c->first_row + r);
                for (int k = 0; k < c->n_column; k++) {
                    const int ck = l->column[c->first_column + k], pk = place[ck];
                    if (pk == FA_NOBODY) continue;
                    a->A[(size_t)pj * n + (size_t)pk] += kj * K[k] * scale * l->weight[ck];
                }
            }
        }
    }
    double largest = 0;
    for (size_t i = 0; i < n; i++) largest = fmax(largest, a->A[i * n + i]);
    return largest;
}

static void keep(const assembly *a, double q[], fa_mat3 E[])
{
    memcpy(q, a->q, (size_t)a->chain->n_coordinates * sizeof *q);
    for (int i = 0; i < a->chain->n; i++) E[i] = a->body[i].home.E;
}

static void restore(const assembly *a, const double q[], const fa_mat3 E[])
{
    memcpy(a->q, q, (size_t)a->chain->n_coordinates * sizeof *q);
    for (int i = 0; i < a->chain->n; i++) a->body[i].home.E = E[i];
}

// The step of one damping; its length in radians and lengths, after it was cut.
static double step_of(assembly *a, double damping, double L[], double x[])
{
    const fa_loops *l = a->loops;
    const size_t    n = (size_t)a->n;
    memcpy(L, a->A, n * n * sizeof(double));
    memcpy(x, a->b, n * sizeof(double));
    for (size_t i = 0; i < n; i++) L[i * n + i] += damping;
    if (fa_cholesky_factor(a->n, L) != FA_OK) return NAN;
    fa_cholesky_solve(a->n, L, x);
    double size = 0;
    for (int i = 0; i < a->n; i++) {
        const int c = a->moving[i];
        x[i] *= l->weight[c];
        size = fmax(size, fabs(x[i]) / (l->slides[c] ? a->cluster->length : 1));
    }
    const double cut = size > STEP_MAX ? STEP_MAX / size : 1;
    for (int i = 0; i < a->n; i++) a->work.change[a->moving[i]] = cut * x[i];
    for (int i = 0; i < a->n; i++) fa_loops_move(l, a->body, a->q, a->moving[i], a->work.change);
    return cut * size;
}

static void list_moving(assembly *a, int place[])
{
    a->n = 0;
    for (int i = 0; i < a->cluster->n; i++) {
        const int c = a->loops->coordinate[a->cluster->first_coordinate + i];
        place[c] = a->held && a->held[c] ? FA_NOBODY : a->n;
        a->work.change[c] = 0;
        if (place[c] != FA_NOBODY) a->moving[a->n++] = c;
    }
}

static bool descend(assembly *a, const int place[], double L[], double x[])
{
    double residual = look(a), damping = 1e-3;
    for (int step = 0; step < STEPS && residual > CLOSED && a->n > 0; step++) {
        const double largest = normal_equations(a, place);
        double       size = NAN, next = INFINITY;
        keep(a, a->kept_q, a->kept_E);
        for (int trial = 0; trial < TRIALS; trial++, damping *= 10) {
            size = step_of(a, (damping + 1e-13) * largest, L, x);
            next = isfinite(size) ? look(a) : INFINITY;
            if (next < residual) break;
            restore(a, a->kept_q, a->kept_E);
            if (size < STILL) break;
        }
        if (!(next < residual)) {
            residual = look(a);
            break;
        }
        residual = next;
        damping = fmin(damping / 10, next * next);
        if (size < STILL) break;
    }
    return residual < CONTRADICT;
}

// Moves one joint alone to beside where assembly began, outer ones before inner ones, which often
// only turn the whole; then all of them, each by another share.
static void go_beside(assembly *a, int beginning)
{
    const fa_loops *l = a->loops;
    const int       alone = a->n < ALONE ? a->n : ALONE, pattern = beginning - alone;
    for (int i = 0; i < a->n; i++) {
        const int    c = a->moving[i];
        const double share = pattern < 0 ? i == a->n - 1 - beginning : 0.6 + 0.05 * (i * 5 % 8);
        const int    side = pattern > 0 && (pattern + (pattern > 1 ? i : 0)) % 2 == 1 ? -1 : 1;
        a->work.change[c] = side * share * BESIDE * (l->slides[c] ? a->cluster->length : 1);
    }
    for (int i = 0; i < a->n; i++) fa_loops_move(l, a->body, a->q, a->moving[i], a->work.change);
}

// Where joints lie in one line, or otherwise symmetrically, no small motion of them may bring the
// ends of a loop closer though a large one would, and the steps come to rest. A loop that cannot be
// closed is tried as often, and reported as it is from where assembly began.
static bool assemble_cluster(assembly *a, int place[], double L[], double x[])
{
    list_moving(a, place);
    keep(a, a->start_q, a->start_E);
    if (descend(a, place, L, x)) return true;
    const int beginnings = a->n > 0 ? (a->n < ALONE ? a->n : ALONE) + TOGETHER : 0;
    for (int k = 0; k < beginnings; k++) {
        restore(a, a->start_q, a->start_E);
        go_beside(a, k);
        if (descend(a, place, L, x)) return true;
    }
    restore(a, a->start_q, a->start_E);
    return descend(a, place, L, x);
}

static double square_of(double x)
{
    return x * x;
}

// Reports the loop with the largest gap, and the gap.
static void report_gap(const assembly *a, fa_loop_report *report)
{
    double most = -1;
    for (int i = 0; i < a->cluster->n_constraints; i++) {
        const int            index = a->cluster->first_constraint + i;
        const fa_constraint *c = &a->loops->constraint[index];
        const fa_loop_frames f = fa_loop_frames_at(c, a->chain, a->work.body, a->cluster->carrier);
        double               apart = 0, turned = 0; // sums of squares
        for (int r = 0; r < c->n_rows; r++) {
            const double residual = a->work.residual[c->first_row + r];
            *(r < f.n_position ? &apart : &turned) += residual * residual;
        }
        if (c->type == FA_LOOP_DISTANCE) {
            const double square = c->length * c->length + 2 * a->work.residual[c->first_row];
            apart = square_of(sqrt(fmax(square, 0)) - c->length);
        }
        const double length = a->cluster->length, gap = sqrt(apart + turned * length * length);
        if (gap <= most) continue;
        most = gap;
        report->constraint = a->loops->given[index];
        report->gap = sqrt(apart);
        report->turned = sqrt(turned);
        report->meets = report->gap < 0.01 * gap;
    }
    report->fault = FA_LOOP_OPEN;
    report->coordinate = a->n > 0 ? a->moving[0] : FA_NOBODY;
}

static void take(assembly *a, int **place, double **L, double **x, void **work, fa_arena *arena)
{
    const fa_loops *l = a->loops;
    const size_t    coordinates = (size_t)l->n_coordinates;
    size_t          most = 1;
    for (int k = 0; k < l->n_clusters; k++)
        if (l->cluster[k].n_constraints && (size_t)l->cluster[k].n > most)
            most = (size_t)l->cluster[k].n;
    a->A = fa_arena_take(arena, most * most, sizeof(double));
    *L = fa_arena_take(arena, most * most, sizeof(double));
    *x = fa_arena_take(arena, most, sizeof(double));
    a->b = fa_arena_take(arena, most, sizeof(double));
    a->kept_q = fa_arena_take(arena, coordinates, sizeof(double));
    a->kept_E = fa_arena_take(arena, (size_t)l->n_bodies, sizeof(fa_mat3));
    a->start_q = fa_arena_take(arena, coordinates, sizeof(double));
    a->start_E = fa_arena_take(arena, (size_t)l->n_bodies, sizeof(fa_mat3));
    a->moving = fa_arena_take(arena, coordinates, sizeof(int));
    *place = fa_arena_take(arena, coordinates, sizeof(int));
    *work = fa_arena_take(arena, 1, fa_loop_work_size(l));
}

bool fa_loops_assemble(const fa_chain *chain, fa_body body[], const fa_constraint constraint[],
                       int n, const fa_loop_wishes *wishes, double q[], fa_loop_report *report)
{
    fa_loops *l = fa_loops_outline(chain, constraint, n, q, report);
    if (!l) return false;
    for (int c = 0; wishes->ball && c < l->n_coordinates; c++)
        if (wishes->ball[c])
            for (int i = 0; i < 3; i++) l->ball[c + i] = c;
    assembly a = {.loops = l, .chain = chain, .body = body, .held = wishes->independent, .q = q};
    int     *place;
    double  *L, *x;
    void    *work;
    fa_arena measured = {NULL, 0};
    take(&a, &place, &L, &x, &work, &measured);
    fa_arena arena = {malloc(measured.size + 1), 0};
    bool     closed = arena.base != NULL;
    report->fault = closed ? FA_LOOP_FINE : FA_LOOP_MEMORY;
    if (closed) {
        take(&a, &place, &L, &x, &work, &arena);
        a.work = fa_loop_work_at(l, work);
    }
    for (int k = 0; k < l->n_clusters && closed; k++) {
        a.cluster = &l->cluster[k];
        if (a.cluster->n_constraints == 0) continue;
        closed = assemble_cluster(&a, place, L, x);
        if (!closed) report_gap(&a, report);
    }
    free(arena.base);
    fa_loops_free(l);
    return closed;
}
