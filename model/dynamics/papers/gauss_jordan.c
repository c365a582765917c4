// Gauss-Jordan elimination with partial pivoting.
#include "gauss_jordan.h"

#include <math.h>
#include <stddef.h>

static void swap(double *a, double *b)
{
    const double kept = *a;
    *a = *b;
    *b = kept;
}

fa_status fa_gauss_jordan_solve(int n, double A[], double b[])
{
    const size_t N = (size_t)n;
    for (size_t k = 0; k < N; k++) {
        // The largest element that is left in the column becomes the pivot.
        size_t pivot = k;
        for (size_t i = k + 1; i < N; i++)
            if (fabs(A[i * N + k]) > fabs(A[pivot * N + k])) pivot = i;
        if (!(fabs(A[pivot * N + k]) > 0)) return FA_SINGULAR; // also when it is NaN
        for (size_t j = k; j < N; j++) swap(&A[pivot * N + j], &A[k * N + j]);
        swap(&b[pivot], &b[k]);

        // The row is divided by it, and the column cleared above and below.
        const double divisor = A[k * N + k];
        for (size_t j = k; j < N; j++) A[k * N + j] /= divisor;
        b[k] /= divisor;
        for (size_t i = 0; i < N; i++) {
            const double factor = A[i * N + k];
            if (i == k) continue;
            for (size_t j = k; j < N; j++) A[i * N + j] -= factor * A[k * N + j];
            b[i] -= factor * b[k];
        }
    }
    return FA_OK;
}
