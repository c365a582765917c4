// Closes loops and finds speeds and biases of dependent coordinates, block after block.
#include <math.h>
#include <string.h>

#include "loop_rows.h"
#include "loops.h"

static fa_loop_work take(const fa_loops *l, fa_arena *arena)
{
    fa_loop_work w = {.regularity = 1, .weakest = FA_NOBODY};
    w.body = fa_arena_take(arena, (size_t)l->n_bodies, sizeof *w.body);
    w.K = fa_arena_take(arena, (size_t)l->n_entries, sizeof(double));
    w.factor = fa_arena_take(arena, (size_t)l->n_factors, sizeof(double));
    w.pivot = fa_arena_take(arena, 2 * (size_t)l->n_dependents, sizeof(int));
    w.G = fa_arena_take(arena, (size_t)l->n_G, sizeof(double));
    w.g = fa_arena_take(arena, (size_t)l->n_coordinates, sizeof(double));
    w.frame = fa_arena_take(arena, (size_t)l->n_constraints, sizeof *w.frame);
    w.q = fa_arena_take(arena, (size_t)l->n_coordinates, sizeof(double));
    w.residual = fa_arena_take(arena, (size_t)l->n_rows, sizeof(double));
    w.change = fa_arena_take(arena, (size_t)l->n_coordinates, sizeof(double));
    w.largest = fa_arena_take(arena, (size_t)l->n_clusters, sizeof(double));
    w.column = fa_arena_take(arena, 3 * (size_t)l->n_coordinates, sizeof(double));
    w.G_held = fa_arena_take(arena, (size_t)l->n_G, sizeof(double));
    w.gone = fa_arena_take(arena, (size_t)l->n_independent, sizeof(bool));
    w.n_pins = fa_arena_take(arena, (size_t)l->n_clusters, sizeof(int));
    w.pin_row = fa_arena_take(arena, (size_t)l->n_independent, sizeof(int));
    w.pin_column = fa_arena_take(arena, (size_t)l->n_independent, sizeof(int));
    w.pin_inverse = fa_arena_take(arena, (size_t)l->n_G, sizeof(double));
    w.hold_scratch = fa_arena_take(arena, (size_t)l->n_G, sizeof(double));
    w.share = fa_arena_take(arena, 2 * (size_t)l->n_G, sizeof(double));
    return w;
}

size_t fa_loop_work_size(const fa_loops *loops)
{
    fa_arena arena = {NULL, 0};
    take(loops, &arena);
    return arena.size;
}

fa_loop_work fa_loop_work_at(const fa_loops *loops, void *memory)
{
    fa_arena arena = {memory, 0};
    return take(loops, &arena);
}

// ------------------------------------------------------------------------- LU of one block, scaled

// Complete pivoting. Gives the least and the largest pivot.
static bool factor_block(int n, double A[], int row[], int column[], double *least, double *largest)
{
    for (int i = 0; i < n; i++) row[i] = column[i] = i;
    for (int k = 0; k < n; k++) {
        int    r = k, c = k;
        double most = 0;
        for (int i = k; i < n; i++)
            for (int j = k; j < n; j++)
                if (fabs(A[i * n + j]) > most) most = fabs(A[i * n + j]), r = i, c = j;
        if (!(most > 0) || !isfinite(most)) return false;
        if (most < *least) *least = most;
        if (most > *largest) *largest = most;
        if (r != k) {
            for (int j = 0; j < n; j++) {
                const double x = A[k * n + j];
                A[k * n + j] = A[r * n + j];
                A[r * n + j] = x;
            }
            const int x = row[k];
            row[k] = row[r];
            row[r] = x;
        }
        if (c != k) {
            for (int i = 0; i < n; i++) {
                const double x = A[i * n + k];
                A[i * n + k] = A[i * n + c];
                A[i * n + c] = x;
            }
            const int x = column[k];
            column[k] = column[c];
            column[c] = x;
        }
        const double d = 1 / A[k * n + k];
        for (int i = k + 1; i < n; i++) {
            const double m = A[i * n + k] *= d;
            for (int j = k + 1; j < n; j++) A[i * n + j] -= m * A[k * n + j];
        }
    }
    return true;
}

// b, by rows, to x, by columns.
static void solve_block(int n, const double A[], const int row[], const int column[],
                        const double b[], double x[], double y[])
{
    for (int i = 0; i < n; i++) {
        y[i] = b[row[i]];
        for (int j = 0; j < i; j++) y[i] -= A[i * n + j] * y[j];
    }
    for (int i = n - 1; i >= 0; i--) {
        for (int j = i + 1; j < n; j++) y[i] -= A[i * n + j] * y[j];
        y[i] /= A[i * n + i];
    }
    for (int i = 0; i < n; i++) x[column[i]] = y[i];
}

// A^T x = b: b by columns, x by rows.
static void solve_block_transposed(int n, const double A[], const int row[], const int column[],
                                   const double b[], double x[], double y[])
{
    for (int i = 0; i < n; i++) {
        y[i] = b[column[i]];
        for (int j = 0; j < i; j++) y[i] -= A[j * n + i] * y[j];
        y[i] /= A[i * n + i];
    }
    for (int i = n - 1; i >= 0; i--)
        for (int j = i + 1; j < n; j++) y[i] -= A[j * n + i] * y[j];
    for (int i = 0; i < n; i++) x[row[i]] = y[i];
}

// ------------------------------------------------------------------------------- rows of a cluster

static void fill_rows(const fa_loops *l, const fa_cluster *cluster, const fa_chain *chain,
                      const double q[], fa_loop_work *w, bool residual, bool jacobian)
{
    for (int i = 0; i < cluster->n_constraints; i++) {
        const int            k = cluster->first_constraint + i;
        const fa_constraint *c = &l->constraint[k];
        fa_loop_frames      *f = &w->frame[k];
        // A single row is used even if it is not kept.
        const bool *kept = c->n_rows == 1 ? NULL : &l->kept[c->first_row];
        *f = fa_loop_frames_at(c, chain, w->body, cluster->carrier);
        if (residual) fa_loop_row_residual(c, l, chain, f, q, &w->residual[c->first_row]);
        if (jacobian) fa_loop_row_jacobian(c, l, chain, f, w->body, q, kept, &w->K[c->first_entry]);
    }
}

// Factors all blocks; false if one is singular.
static bool factor_blocks(const fa_loops *l, const fa_cluster *cluster, fa_loop_work *w,
                          double *least, double *largest)
{
    for (int b = 0; b < cluster->n_blocks; b++) {
        const fa_block *block = &l->block[cluster->first_block + b];
        const int       n = block->n, first = cluster->first_dependent + block->first;
        double         *A = &w->factor[block->first_entry];
        for (int i = 0; i < n; i++) {
            const int            row = l->row[first + i];
            const fa_constraint *c = &l->constraint[l->row_constraint[row]];
            const double        *K = &w->K[c->first_entry + (row - c->first_row) * c->n_column];
            for (int j = 0; j < n; j++) A[i * n + j] = 0;
            for (int j = 0; j < c->n_column; j++) {
                const int on = l->column[c->first_column + j];
                if (l->block_of[on] == cluster->first_block + b)
                    A[i * n + l->place[on]] = K[j] * l->row_weight[row] * l->weight[on];
            }
        }
        int *pivot = &w->pivot[2 * (size_t)first];
        if (!factor_block(n, A, pivot, pivot + n, least, largest)) return false;
    }
    return true;
}

void fa_loops_solve(const fa_loops *l, int k, const double right[], double x[],
                    const fa_loop_work *w)
{
    const fa_cluster *cluster = &l->cluster[k];
    for (int b = 0; b < cluster->n_blocks; b++) {
        const fa_block *block = &l->block[cluster->first_block + b];
        const int       n = block->n, first = cluster->first_dependent + block->first;
        double         *rhs = w->column, *y = rhs + n, *solution = y + n;
        // The block's own coordinates are not known yet and do not count.
        for (int i = 0; i < n; i++) x[l->dependent[first + i]] = 0;
        for (int i = 0; i < n; i++) {
            const int            row = l->row[first + i];
            const fa_constraint *c = &l->constraint[l->row_constraint[row]];
            const double        *K = &w->K[c->first_entry + (row - c->first_row) * c->n_column];
            double               sum = right ? right[row] : 0;
            for (int j = 0; j < c->n_column; j++) sum -= K[j] * x[l->column[c->first_column + j]];
            rhs[i] = sum * l->row_weight[row];
        }
        const int *pivot = &w->pivot[2 * (size_t)first];
        solve_block(n, &w->factor[block->first_entry], pivot, pivot + n, rhs, solution, y);
        for (int i = 0; i < n; i++) {
            const int c = l->dependent[first + i];
            x[c] = solution[i] * l->weight[c];
        }
    }
}

void fa_loops_solve_transposed(const fa_loops *l, int k, const double wanted[], double y[],
                               fa_loop_work *w)
{
    const fa_cluster *cluster = &l->cluster[k];
    double           *left = w->change; // of `wanted`, by coordinates
    for (int i = 0; i < cluster->n_constraints; i++) {
        const fa_constraint *c = &l->constraint[cluster->first_constraint + i];
        for (int r = 0; r < c->n_rows; r++) y[c->first_row + r] = 0;
    }
    for (int i = 0; i < cluster->n; i++) {
        const int c = l->coordinate[cluster->first_coordinate + i];
        left[c] = wanted[c];
    }
    for (int b = cluster->n_blocks - 1; b >= 0; b--) {
        const fa_block *block = &l->block[cluster->first_block + b];
        const int       n = block->n, first = cluster->first_dependent + block->first;
        double         *rhs = w->column, *between = rhs + n, *solution = between + n;
        for (int i = 0; i < n; i++) {
            const int c = l->dependent[first + i];
            rhs[i] = left[c] * l->weight[c];
        }
        const int *pivot = &w->pivot[2 * (size_t)first];
        solve_block_transposed(n, &w->factor[block->first_entry], pivot, pivot + n, rhs, solution,
                               between);
        for (int i = 0; i < n; i++) {
            const int            row = l->row[first + i];
            const fa_constraint *c = &l->constraint[l->row_constraint[row]];
            const double        *K = &w->K[c->first_entry + (row - c->first_row) * c->n_column];
            y[row] = solution[i] * l->row_weight[row];
            for (int j = 0; j < c->n_column; j++)
                left[l->column[c->first_column + j]] -= K[j] * y[row];
        }
    }
}

// --------------------------------------------------------------------------------------- positions

// Applies a step to a ball joint's frame: R becomes R exp(step); its coordinates stay zero.
static void turn_ball(fa_body *first, fa_vec3 step)
{
    const double angle = vec3_norm(step);
    if (!(angle > 0)) return;
    // fa_rotation_about turns coordinates to those of the turned frame: exp(-step).
    fa_mat3 E = mat3_mat3(fa_rotation_about(vec3_scale(1 / angle, step), angle), first->home.E);
    // Rows orthonormal again, to first order in the error, which is rounding.
    fa_mat3 EEt = mat3_mat3(E, mat3_transpose(E));
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++) EEt.m[i][j] = (i == j ? 1.5 : 0) - 0.5 * EEt.m[i][j];
    first->home.E = mat3_mat3(EEt, E);
}

void fa_loops_move(const fa_loops *l, fa_body body[], double q[], int coordinate,
                   const double change[])
{
    const int ball = l->ball[coordinate];
    if (ball == FA_NOBODY) {
        q[coordinate] += change[coordinate];
    } else if (ball == coordinate) {
        for (int i = 0; i < l->n_bodies; i++)
            if (body[i].coordinate == ball)
                turn_ball(&body[i], vec3(change[ball], change[ball + 1], change[ball + 2]));
    }
}

// Newton's iteration goes on until its step is small or shrinks no longer, and then once more with
// the factors of the step before, so that the last bits hardly depend on where it began. With the
// curvature of the rows over their least pivot, k: a step s leaves k s^2, and the last one k^2 s^3,
// which is 1e-21 at most.
enum { NEWTON_STEPS = 25, NEWTON_STEPS_FROM_FAR = 100 };
#define NEWTON_SMALL 1e-7 // [rad] or [lengths], times least over usual pivot, which is about 1/k
#define NEWTON_NEAR  1e-6 // likewise: a step that does not shrink from here on is rounding

static fa_status close_cluster(const fa_loops *l, int k, const fa_chain *chain, fa_body body[],
                               double q[], double limit, fa_loop_work *w)
{
    const fa_cluster *cluster = &l->cluster[k];
    const int         steps = limit < FA_LOOP_NEAR ? NEWTON_STEPS_FROM_FAR : NEWTON_STEPS;
    bool              last = false;
    double            before = INFINITY;
    for (int step = 0; step < steps; step++) {
        double least = INFINITY, largest = 0, size = 0;
        fa_loop_poses(l, cluster, chain, q, w->body);
        // The last step is rounding: the factors of the one before will do.
        fill_rows(l, cluster, chain, q, w, true, !last);
        if (!last && !factor_blocks(l, cluster, w, &least, &largest)) return FA_SINGULAR;
        for (int i = 0; i < cluster->n; i++)
            w->change[l->coordinate[cluster->first_coordinate + i]] = 0;
        for (int i = 0; i < cluster->n_dependents; i++) {
            const int row = l->row[cluster->first_dependent + i];
            w->residual[row] = -w->residual[row];
        }
        fa_loops_solve(l, k, w->residual, w->change, w);
        for (int i = 0; i < cluster->n_dependents; i++) {
            const int    c = l->dependent[cluster->first_dependent + i];
            const double scale = l->slides[c] ? cluster->length : 1;
            const double own = fabs(w->change[c]) / scale;
            if (own > size) size = own;
            if (!isfinite(w->change[c])) return FA_SINGULAR;
        }
        const bool far = limit < FA_LOOP_NEAR;
        if (!far && (!(size < limit) || !(least > FA_LOOP_DEAD * cluster->reference)))
            return FA_SINGULAR;
        for (int i = 0; far && size > limit && i < cluster->n_dependents; i++)
            w->change[l->dependent[cluster->first_dependent + i]] *= limit / size;
        for (int i = 0; i < cluster->n_dependents; i++)
            fa_loops_move(l, body, q, l->dependent[cluster->first_dependent + i], w->change);
        if (last) return FA_OK;
        last = size * cluster->reference < NEWTON_SMALL * least ||
               (size < NEWTON_NEAR && !(size < 0.5 * before));
        before = size;
    }
    return FA_SINGULAR;
}

fa_status fa_loops_close(const fa_loops *l, const fa_chain *chain, fa_body body[], double q[],
                         double limit, fa_loop_work *w)
{
    for (int k = 0; k < l->n_clusters; k++) {
        if (l->cluster[k].n_dependents == 0) continue;
        const fa_status status = close_cluster(l, k, chain, body, q, limit, w);
        if (status == FA_OK) continue;
        w->weakest = k;
        return status;
    }
    return FA_OK;
}

// G, all columns of a block at once.
static void fill_G(const fa_loops *l, const fa_cluster *cluster, fa_loop_work *w)
{
    const int f = cluster->freedoms;
    double   *G = &w->G[cluster->first_G], *right = &w->hold_scratch[cluster->first_G];
    double   *x = w->share;
    memset(G, 0, (size_t)cluster->n * (size_t)f * sizeof *G);
    for (int u = 0; u < f; u++)
        G[l->local[l->independent[cluster->first_independent + u]] * f + u] = 1;
    for (int b = 0; b < cluster->n_blocks; b++) {
        const fa_block *block = &l->block[cluster->first_block + b];
        const int       n = block->n, first = cluster->first_dependent + block->first;
        const double   *A = &w->factor[block->first_entry];
        const int      *swap = &w->pivot[2 * (size_t)first];
        for (int i = 0; i < n; i++) { // rows of what the block does not hold
            const int            row = l->row[first + i];
            const fa_constraint *c = &l->constraint[l->row_constraint[row]];
            const double        *K = &w->K[c->first_entry + (row - c->first_row) * c->n_column];
            double              *to = &right[i * f];
            for (int u = 0; u < f; u++) to[u] = 0;
            for (int j = 0; j < c->n_column; j++) {
                const int on = l->column[c->first_column + j];
                if (l->block_of[on] == FA_NOBODY) {
                    to[l->place[on]] -= K[j] * l->row_weight[row];
                } else if (l->block_of[on] != cluster->first_block + b) {
                    const double  m = K[j] * l->row_weight[row];
                    const double *other = &G[l->local[on] * f];
                    for (int u = 0; u < f; u++) to[u] -= m * other[u];
                }
            }
        }
        for (int i = 0; i < n; i++) {
            const double *from = &right[swap[i] * f];
            for (int u = 0; u < f; u++) x[i * f + u] = from[u];
            for (int j = 0; j < i; j++)
                for (int u = 0; u < f; u++) x[i * f + u] -= A[i * n + j] * x[j * f + u];
        }
        for (int i = n - 1; i >= 0; i--) {
            const double d = 1 / A[i * n + i];
            const int    c = l->dependent[first + swap[n + i]];
            double      *to = &G[l->local[c] * f];
            for (int j = i + 1; j < n; j++)
                for (int u = 0; u < f; u++) x[i * f + u] -= A[i * n + j] * x[j * f + u];
            for (int u = 0; u < f; u++) {
                x[i * f + u] *= d;
                to[u] = x[i * f + u] * l->weight[c];
            }
        }
    }
}

fa_status fa_loops_factor(const fa_loops *l, const fa_chain *chain, const double q[],
                          fa_loop_work *w)
{
    w->regularity = 1;
    w->weakest = FA_NOBODY;
    memcpy(w->q, q, (size_t)l->n_coordinates * sizeof *q);
    for (int k = 0; k < l->n_clusters; k++) {
        const fa_cluster *cluster = &l->cluster[k];
        double            least = INFINITY, largest = 0;
        w->largest[k] = 0;
        fa_loop_poses(l, cluster, chain, q, w->body);
        double *G = &w->G[cluster->first_G];
        if (cluster->n_constraints == 0) {
            for (int i = 0; i < cluster->n; i++)
                for (int j = 0; j < cluster->n; j++) G[i * cluster->n + j] = i == j;
            continue;
        }
        fill_rows(l, cluster, chain, q, w, false, true);
        const bool   factored = factor_blocks(l, cluster, w, &least, &largest);
        const double reference = cluster->reference > 0 ? cluster->reference : largest;
        const double regularity = !factored                    ? 0
                                  : cluster->n_dependents == 0 ? 1
                                                               : least / reference;
        w->largest[k] = largest;
        if (regularity < w->regularity) {
            w->regularity = regularity;
            w->weakest = k;
        }
        if (!(regularity > FA_LOOP_DEAD)) return FA_SINGULAR;
        fill_G(l, cluster, w);
    }
    return FA_OK;
}

void fa_loops_speeds(const fa_loops *l, double qd[], const fa_loop_work *w)
{
    for (int k = 0; k < l->n_clusters; k++) {
        const fa_cluster *cluster = &l->cluster[k];
        for (int i = 0; i < cluster->n_dependents; i++) {
            const int c = l->dependent[cluster->first_dependent + i];
            qd[c] = fa_loops_combine(l, c, qd, w);
        }
    }
}

double fa_loops_combine(const fa_loops *l, int c, const double u[], const fa_loop_work *w)
{
    const fa_cluster *cluster = &l->cluster[l->cluster_of[c]];
    const double     *G = &w->G[cluster->first_G + l->local[c] * cluster->freedoms];
    double            sum = 0;
    for (int i = 0; i < cluster->freedoms; i++)
        sum += G[i] * u[l->independent[cluster->first_independent + i]];
    return sum;
}

void fa_loops_reduce(const fa_loops *l, const double of[], const double x[], double u[])
{
    for (int k = 0; k < l->n_clusters; k++) {
        const fa_cluster *cluster = &l->cluster[k];
        const int         f = cluster->freedoms;
        const double     *G = &of[cluster->first_G];
        double           *own = &u[cluster->first_independent];
        for (int j = 0; j < f; j++) own[j] = 0;
        for (int i = 0; i < cluster->n; i++)
            for (int j = 0; j < f; j++)
                own[j] += G[i * f + j] * x[l->coordinate[cluster->first_coordinate + i]];
    }
}

void fa_loops_spread(const fa_loops *l, const double of[], const double u[], double x[])
{
    for (int k = 0; k < l->n_clusters; k++) {
        const fa_cluster *cluster = &l->cluster[k];
        const int         f = cluster->freedoms;
        const double     *G = &of[cluster->first_G];
        for (int i = 0; i < cluster->n; i++) {
            double sum = 0;
            for (int j = 0; j < f; j++) sum += G[i * f + j] * u[cluster->first_independent + j];
            x[l->coordinate[cluster->first_coordinate + i]] = sum;
        }
    }
}

void fa_loops_bias(const fa_loops *l, const fa_chain *chain, const double qd[], fa_loop_work *w)
{
    for (int k = 0; k < l->n_clusters; k++) {
        const fa_cluster *cluster = &l->cluster[k];
        for (int i = 0; i < cluster->n; i++) w->g[l->coordinate[cluster->first_coordinate + i]] = 0;
        fa_loop_velocities(l, cluster, chain, qd, w->body);
        if (cluster->n_constraints == 0) continue;
        for (int i = 0; i < cluster->n_constraints; i++) {
            const fa_constraint *c = &l->constraint[cluster->first_constraint + i];
            double              *bias = &w->residual[c->first_row];
            fa_loop_row_bias(c, l, &w->frame[cluster->first_constraint + i], w->body,
                             cluster->carrier, qd, &w->K[c->first_entry], bias);
            for (int r = 0; r < c->n_rows; r++) bias[r] = -bias[r];
        }
        fa_loops_solve(l, k, w->residual, w->g, w);
    }
}

void fa_loops_residual(const fa_loops *l, const fa_chain *chain, const double q[], fa_loop_work *w)
{
    for (int k = 0; k < l->n_clusters; k++) {
        if (l->cluster[k].n_constraints == 0) continue;
        fa_loop_poses(l, &l->cluster[k], chain, q, w->body);
        fill_rows(l, &l->cluster[k], chain, q, w, true, false);
    }
}

double fa_loops_gap(const fa_loops *l, int constraint, const fa_loop_work *w)
{
    const fa_constraint *c = &l->constraint[constraint];
    const fa_cluster    *cluster = &l->cluster[c->cluster];
    double               sum = 0;
    for (int r = 0; r < c->n_rows; r++) {
        const double residual =
            w->residual[c->first_row + r] * l->row_weight[c->first_row + r] * cluster->length;
        sum += residual * residual;
    }
    return sqrt(sum);
}
