// Cholesky factorisation and solution.
#include "cholesky.h"

#include <math.h>

#include "dynamics.h"

int fa_cholesky_weak_row(int n, double A[], double fraction)
{
    for (int i = 0; i < n; i++) {
        double *row = A + (size_t)i * (size_t)n;
        double  diagonal = row[i];
        for (int j = 0; j < i; j++) {
            const double *other = A + (size_t)j * (size_t)n;
            double        sum = row[j];
            for (int k = 0; k < j; k++) sum -= row[k] * other[k];
            row[j] = sum / other[j];
        }
        double pivot = diagonal;
        for (int k = 0; k < i; k++) pivot -= row[k] * row[k];
        if (!(pivot > fraction * diagonal)) return i;
        row[i] = sqrt(pivot);
    }
    return FA_NOBODY;
}

fa_status fa_cholesky_factor(int n, double A[])
{
    return fa_cholesky_weak_row(n, A, FA_SINGULAR_FRACTION) == FA_NOBODY ? FA_OK : FA_SINGULAR;
}

void fa_cholesky_solve(int n, const double L[], double b[])
{
    for (int i = 0; i < n; i++) { // L y = b
        const double *row = L + (size_t)i * (size_t)n;
        for (int k = 0; k < i; k++) b[i] -= row[k] * b[k];
        b[i] /= row[i];
    }
    for (int i = n - 1; i >= 0; i--) { // L^T x = y
        b[i] /= L[(size_t)i * (size_t)n + (size_t)i];
        for (int k = 0; k < i; k++) b[k] -= L[(size_t)i * (size_t)n + (size_t)k] * b[i];
    }
}
