// Distances between results, and bounds of their rounding.
#ifndef FA_TEST_COMPARE_H
#define FA_TEST_COMPARE_H

#include <assert.h>
#include <math.h>
#include <string.h>

#include "cholesky.h"

enum { COMPARE_MAX = 32 }; // rows of a matrix

static inline double largest(const double a[], int n)
{
    double max = 0;
    for (int i = 0; i < n; i++) max = fmax(max, fabs(a[i]));
    return max;
}

static inline double distance(const double a[], const double b[], int n)
{
    double max = 0;
    for (int i = 0; i < n; i++) max = fmax(max, fabs(a[i] - b[i]));
    return max;
}

// Norm of M, as its largest row sum of magnitudes, and of its inverse.
static inline void norms(const double M[], int n, double *norm, double *inverse_norm)
{
    double L[COMPARE_MAX * COMPARE_MAX], row[COMPARE_MAX];
    assert(n <= COMPARE_MAX);
    memcpy(L, M, (size_t)(n * n) * sizeof *M);
    *norm = 0;
    *inverse_norm = fa_cholesky_factor(n, L) == FA_OK ? 0 : INFINITY;
    for (int i = 0; i < n; i++) {
        double sum = 0, inverse_sum = 0;
        for (int j = 0; j < n; j++) row[j] = i == j;
        fa_cholesky_solve(n, L, row);
        for (int j = 0; j < n; j++) {
            sum += fabs(M[i * n + j]);
            inverse_sum += fabs(row[j]);
        }
        *norm = fmax(*norm, sum);
        *inverse_norm = fmax(*inverse_norm, inverse_sum);
    }
}

#endif
