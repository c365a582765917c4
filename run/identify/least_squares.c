// Weighted least squares for the base parameters: noise of each joint from the residuals, Huber's
// weights, confidence intervals.
#include "least_squares.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "dense.h"

// Rounds of reweighting. Huber's weights settle by a factor of three or better in each round.
enum { ROUNDS = 3, ROBUST_ROUNDS = 30 };

// Residuals up to this many standard deviations count in full: 95 % of the precision of least
// squares where the noise is normal (Huber 1964).
#define HUBER 1.345

// Ratio of the standard deviation to the median of the absolute value, of normal noise.
#define SCALE_OF_MEDIAN 1.482602218505602

static fa_status no_memory(fa_error *error)
{
    return fa_fail(error, FA_NO_MEMORY, NULL, FA_NOWHERE,
                   "there is not enough memory for a log of this length; give a shorter one");
}

// Noise of each joint by the residuals, and the weight of each row.
typedef struct noise {
    bool    robust;
    double *variance; // of a row with full weight, per joint
    double *spread;   // variance that intervals take, per joint
    double *widen;    // factor of the intervals' variance by autocorrelation, per joint
    double *square;   // mean square of the residuals, per joint
    double *share;    // weight of each row, 0 … 1
    double *rest;     // residual of each row
    double *sorted;   // scratch: rows
} noise;

static bool new_noise(noise *of, size_t rows, size_t n, bool robust)
{
    double *memory = calloc(4 * n + 3 * rows + 1, sizeof *memory);
    *of = (noise){.robust = robust, .variance = memory};
    if (!memory) return false;
    of->spread = memory + n;
    of->widen = of->spread + n;
    of->square = of->widen + n;
    of->share = of->square + n;
    of->rest = of->share + rows;
    of->sorted = of->rest + rows;
    for (size_t i = 0; i < n; i++) of->variance[i] = of->spread[i] = of->widen[i] = 1;
    for (size_t k = 0; k < rows; k++) of->share[k] = 1;
    return true;
}

double fa_residual(const fa_log_equations *e, size_t row, int rank, const double base[])
{
    double rest = e->b[row];
    for (int c = 0; c < rank; c++) rest -= e->A[row * (size_t)rank + (size_t)c] * base[c];
    return rest;
}

static int by_size(const void *a, const void *b)
{
    const double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

// Returns the standard deviation of a joint's residuals by the median of their absolute values.
static double robust_scale(noise *of, const fa_log_equations *e, int joint)
{
    size_t n = 0;
    for (size_t k = 0; k < e->rows; k++)
        if (e->joint[k] == joint) of->sorted[n++] = fabs(of->rest[k]);
    if (n == 0) return 0;
    qsort(of->sorted, n, sizeof *of->sorted, by_size);
    return SCALE_OF_MEDIAN * 0.5 * (of->sorted[(n - 1) / 2] + of->sorted[n / 2]);
}

// Estimates a joint's noise. Residuals are bounded by Huber's function psi; without `robust` its
// bound is infinite. The variance of an estimate is that of psi over the square of psi's mean
// slope.
static void find_joint_noise(noise *of, const fa_log_equations *e, int joint, double bound)
{
    double square = 0, sum = 0, product = 0, count = 0, inside = 0, before = 0;
    for (size_t k = 0; k < e->rows; k++) {
        if (e->joint[k] != joint) continue;
        const double rest = of->rest[k], size = fabs(rest);
        const double psi = size > bound ? copysign(bound, rest) : rest;
        of->share[k] = size > bound ? bound / size : 1;
        square += rest * rest;
        sum += psi * psi;
        count++;
        inside += size <= bound;
        if (e->adjacent[k]) product += psi * before;
        before = psi;
    }
    const double alike = sum > 0 ? fmin(0.9, fmax(0, product / sum)) : 0;
    const double slope = count > 0 ? inside / count : 1;
    of->square[joint] = count > 0 ? square / count : 0;
    of->variance[joint] = count > 0 ? sum / count : 0;
    of->spread[joint] = slope > 0 ? of->variance[joint] / (slope * slope) : of->variance[joint];
    of->widen[joint] = (1 + alike) / (1 - alike); // for a first-order autoregressive process
}

static void find_noise(noise *of, const fa_log_equations *e, const double base[], int rank, int n)
{
    for (size_t k = 0; k < e->rows; k++) of->rest[k] = fa_residual(e, k, rank, base);
    for (int i = 0; i < n; i++)
        find_joint_noise(of, e, i, of->robust ? HUBER * robust_scale(of, e, i) : INFINITY);
}

// Computes the normal equations A^T W A and A^T W b. `share`: of each row's weight; NULL: 1.
static void normal_equations(const fa_log_equations *e, const double weight[], const double share[],
                             int rank, double normal[], double right[])
{
    memset(normal, 0, (size_t)(rank * rank) * sizeof *normal);
    memset(right, 0, (size_t)rank * sizeof *right);
    for (size_t k = 0; k < e->rows; k++) {
        const double *row = e->A + k * (size_t)rank;
        const double  w = weight[e->joint[k]] * (share ? share[k] : 1);
        for (int c = 0; c < rank; c++) {
            if (row[c] == 0) continue;
            right[c] += w * row[c] * e->b[k];
            for (int d = 0; d <= c; d++) normal[c * rank + d] += w * row[c] * row[d];
        }
    }
    for (int c = 0; c < rank; c++)
        for (int d = 0; d < c; d++) normal[d * rank + c] = normal[c * rank + d];
}

// Finds the base parameters that the log excites. The others keep their nominal values.
static void find_excited(const double normal[], int rank, double L[], bool excited[])
{
    // Cholesky factor of the columns, scaled to length 1, from left to right; a small pivot is not
    // excited.
    for (int c = 0; c < rank; c++) {
        double left = 1;
        excited[c] = false;
        if (!(normal[c * rank + c] > 0)) continue;
        for (int d = 0; d < c; d++) {
            double sum = normal[c * rank + d] /
                         sqrt(normal[c * rank + c] * fmax(normal[d * rank + d], 1e-300));
            for (int k = 0; k < d; k++) sum -= L[c * rank + k] * L[d * rank + k];
            L[c * rank + d] = excited[d] ? sum / L[d * rank + d] : 0;
            left -= L[c * rank + d] * L[c * rank + d];
        }
        excited[c] = left > 1e-10;
        L[c * rank + c] = excited[c] ? sqrt(left) : 1;
    }
}

// Takes what the log does not excite out of the normal equations, with this weight in its place.
static void leave_out(int rank, const bool excited[], double weight, double normal[])
{
    for (int c = 0; c < rank; c++) {
        if (excited[c]) continue;
        for (int d = 0; d < rank; d++) normal[c * rank + d] = normal[d * rank + c] = 0;
        normal[c * rank + c] = weight;
    }
}

fa_status fa_least_squares(const fa_log_equations *e, const double drawn_base[], bool robust,
                           fa_identification *to, fa_error *error)
{
    const int    rank = to->rank, n = to->n, rounds = robust ? ROUNDS + ROBUST_ROUNDS : ROUNDS;
    const size_t square = (size_t)rank * (size_t)rank;
    double      *L = calloc(square + 1, sizeof *L), *inverse = calloc(square + 1, sizeof *L),
           *right = calloc((size_t)rank + 1, sizeof *L),
           *scale = calloc((size_t)rank + 1, sizeof *L), *weight = calloc((size_t)n + 1, sizeof *L),
           *work = calloc(square + 4 * (size_t)rank + 1, sizeof *L);
    noise      of;
    const bool memory = new_noise(&of, e->rows, (size_t)n, robust);
    fa_status  status =
        memory && L && inverse && right && scale && weight && work ? FA_OK : no_memory(error);
    // Correction of the variance for the degrees of freedom.
    const double degrees = (double)e->rows / fmax(1, (double)e->rows - rank), least = 1e-24;
    for (int i = 0; i < n && status == FA_OK; i++) weight[i] = 1;
    for (int round = 0; round <= rounds && status == FA_OK; round++) {
        normal_equations(e, weight, of.share, rank, to->normal, right);
        find_excited(to->normal, rank, L, to->excited);
        leave_out(rank, to->excited, 1, to->normal);
        for (int c = 0; c < rank; c++)
            if (!to->excited[c]) right[c] = drawn_base[c];
        memcpy(L, to->normal, square * sizeof *L);
        if (!fa_dense_factor(rank, L, scale)) {
            status =
                fa_fail(error, FA_SINGULAR, NULL, FA_NOWHERE,
                        "the motion of this log is too poor to find anything from it; record one "
                        "in which all joints move (forearm excite)");
            break;
        }
        memcpy(to->base, right, (size_t)rank * sizeof *right);
        fa_dense_solve(rank, L, scale, to->base);
        if (round == rounds) to->condition = fa_dense_condition(rank, to->normal, work);
        // Weights of the first rounds are those of plain least squares.
        of.robust = robust && round >= ROUNDS - 1;
        find_noise(&of, e, to->base, rank, n);
        for (int i = 0; i < n; i++) weight[i] = 1 / fmax(of.variance[i] * degrees, least);
    }
    if (status == FA_OK) { // intervals, widened by the autocorrelation
        for (int i = 0; i < n; i++) {
            to->noise[i] = sqrt(of.square[i]);
            weight[i] = 1 / fmax(of.spread[i] * degrees, least) / of.widen[i];
        }
        normal_equations(e, weight, NULL, rank, to->normal, right);
        leave_out(rank, to->excited, 1e-12, to->normal);
        memcpy(L, to->normal, square * sizeof *L);
        if (fa_dense_factor(rank, L, scale)) {
            fa_dense_inverse(rank, L, scale, inverse);
            for (int c = 0; c < rank; c++)
                to->base_sd[c] = to->excited[c] ? sqrt(inverse[c * rank + c]) : INFINITY;
        }
    }
    free(of.variance), free(L), free(inverse), free(right), free(scale), free(weight), free(work);
    return status;
}
