// Condition numbers: tridiagonal form by Householder reflections, extreme eigenvalues by Sturm
// sequences and bisection.
#include "condition.h"

#include <float.h>
#include <stdint.h>
#include <stdlib.h>

#include "draw.h"
#include "dynamics.h"
#include "progress.h"

// ------------------------------------------------------------------------------------ eigenvalues

// Householder's reduction of a symmetric matrix to tridiagonal form with the same eigenvalues:
// G. H. Golub and C. F. Van Loan, "Matrix Computations", section "Symmetric Tridiagonal QR". A is
// overwritten; diagonal[n] and beside[n] (its last entry unused) receive the result.
static void tridiagonal(int n, double A[], double diagonal[], double beside[], double v[],
                        double w[])
{
    for (int k = 0; k + 2 < n; k++) {
        // The vector v turns column k below the diagonal into (beta, 0, …).
        double norm = 0;
        for (int i = k + 1; i < n; i++) norm = hypot(norm, A[i * n + k]);
        if (!(norm > 0)) {
            beside[k] = 0;
            continue;
        }
        double beta = A[(k + 1) * n + k] > 0 ? -norm : norm, vv = 0;
        for (int i = k + 1; i < n; i++) v[i] = A[i * n + k];
        v[k + 1] -= beta;
        for (int i = k + 1; i < n; i++) vv += v[i] * v[i];
        beside[k] = beta;

        // A -= v w^T + w v^T with w = p - (p.v / v.v) v, p = 2 A v / v.v
        double pv = 0;
        for (int i = k + 1; i < n; i++) {
            w[i] = 0;
            for (int j = k + 1; j < n; j++) w[i] += A[i * n + j] * v[j];
            w[i] *= 2 / vv;
            pv += w[i] * v[i];
        }
        for (int i = k + 1; i < n; i++) w[i] -= pv / vv * v[i];
        for (int i = k + 1; i < n; i++)
            for (int j = k + 1; j < n; j++) A[i * n + j] -= v[i] * w[j] + w[i] * v[j];
    }
    if (n >= 2) beside[n - 2] = A[(n - 1) * n + n - 2];
    for (int i = 0; i < n; i++) diagonal[i] = A[i * n + i];
}

// Returns the number of eigenvalues below x: negative pivots of the tridiagonal matrix minus x
// (Sturm).
static int eigenvalues_below(int n, const double diagonal[], const double beside[], double x)
{
    int    below = 0;
    double pivot = 1;
    for (int i = 0; i < n; i++) {
        double b = i > 0 ? beside[i - 1] : 0;
        pivot = diagonal[i] - x - (b == 0 ? 0 : b * b / pivot);
        if (pivot == 0) pivot = -DBL_MIN; // x is an eigenvalue of a leading part: count it as above
        below += pivot < 0;
    }
    return below;
}

// Returns the eigenvalue with `rank` smaller ones, by bisection of an interval that contains all.
static double eigenvalue(int n, const double diagonal[], const double beside[], int rank,
                         double low, double high)
{
    for (;;) {
        double middle = low + (high - low) / 2;
        // The interval contains no further floating-point number.
        if (!(middle > low && middle < high)) return middle;
        if (eigenvalues_below(n, diagonal, beside, middle) > rank)
            high = middle;
        else
            low = middle;
    }
}

// Returns the largest eigenvalue over the smallest; infinite where the smallest is below rounding.
static double condition_of(int n, double M[], double scratch[])
{
    double *diagonal = scratch, *beside = scratch + n;
    tridiagonal(n, M, diagonal, beside, scratch + 2 * n, scratch + 3 * n);
    double bound = 0; // bound on all eigenvalues by Gershgorin's theorem
    for (int i = 0; i < n; i++) {
        double sum = fabs(diagonal[i]);
        if (i > 0) sum += fabs(beside[i - 1]);
        if (i + 1 < n) sum += fabs(beside[i]);
        if (sum > bound) bound = sum;
    }
    double largest = eigenvalue(n, diagonal, beside, n - 1, -bound, bound);
    double smallest = eigenvalue(n, diagonal, beside, 0, -bound, bound);
    // The reduction rounds each entry about n times.
    return smallest > n * DBL_EPSILON * largest ? largest / smallest : INFINITY;
}

// ----------------------------------------------------------------------------------------- poses

static int compare(const void *left, const void *right)
{
    double a = *(const double *)left, b = *(const double *)right;
    return (a > b) - (a < b);
}

static fa_status no_memory(fa_error *error)
{
    return fa_fail(error, FA_NO_MEMORY, NULL, FA_NOWHERE,
                   "there is not enough memory for the mass matrix");
}

static fa_status sample(const fa_robot *robot, const fa_chain *chain, fa_condition *condition,
                        fa_error *error)
{
    const fa_method *method = fa_method_find("composite-body");
    size_t           n = (size_t)chain->n_coordinates;
    double           found[FA_CONDITION_POSES];
    fa_status        status = FA_OK;
    void            *work = malloc(method->work_size(chain));
    double          *memory = malloc((n * n + 5 * n) * sizeof *memory);
    if (!work || !memory) {
        status = no_memory(error);
        goto done;
    }
    double  *M = memory, *q = M + n * n, *scratch = q + n;
    uint64_t seed = FA_CONDITION_SEED;
    *condition = (fa_condition){0};
    for (int pose = 0; pose < FA_CONDITION_POSES; pose++) {
        fa_progress_at(pose, FA_CONDITION_POSES);
        fa_draw_pose(robot, &seed, q);
        bool good = method->mass_matrix(chain, q, M, work) == FA_OK;
        found[pose] = good ? condition_of((int)n, M, scratch) : INFINITY;
        condition->singular += isinf(found[pose]) != 0;
    }
    qsort(found, FA_CONDITION_POSES, sizeof *found, compare);
    condition->lowest = found[0];
    condition->median = found[FA_CONDITION_POSES / 2];
    condition->highest = found[FA_CONDITION_POSES - 1];
done:
    free(memory);
    free(work);
    return status;
}

fa_status fa_condition_sample(const fa_robot *robot, fa_condition *condition, fa_error *error)
{
    size_t        n = (size_t)robot->n_links;
    fa_body      *body = malloc((size_t)fa_chain_bodies(robot) * sizeof *body);
    int          *link_body = malloc(n * sizeof *link_body);
    fa_transform *link_frame = malloc(n * sizeof *link_frame);
    fa_status     status;
    if (body && link_body && link_frame) {
        fa_chain chain = fa_chain_build(robot, body, link_body, link_frame);
        status = sample(robot, &chain, condition, error);
    } else {
        status = no_memory(error);
    }
    free(link_frame);
    free(link_body);
    free(body);
    return status;
}
