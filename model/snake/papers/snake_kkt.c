// Solves the KKT system of constrained motion by elimination.
#include "snake_kkt.h"

#include <stddef.h>

fa_status fa_snake_kkt_solve(int n_x, int n_y, double A[], double right[])
{
    const size_t n = (size_t)n_x + (size_t)n_y;

    // Row i of L D until its pivot is known, then of L: A[i][j] = L_ij (j < i), A[i][i] = D_i.
    for (size_t i = 0; i < n; i++) {
        double *row = A + i * n;
        for (size_t j = 0; j < i; j++) {
            const double *above = A + j * n;
            double        sum = row[j];
            for (size_t k = 0; k < j; k++) sum -= row[k] * above[k];
            row[j] = sum;
        }
        double D = row[i];
        for (size_t j = 0; j < i; j++) {
            const double LD = row[j];
            row[j] = LD / A[j * n + j];
            D -= LD * row[j];
        }
        if (i < (size_t)n_x ? !(D > 0) : !(D < 0)) return FA_SINGULAR;
        row[i] = D;
    }

    for (size_t i = 0; i < n; i++)
        for (size_t j = 0; j < i; j++) right[i] -= A[i * n + j] * right[j];
    for (size_t i = 0; i < n; i++) right[i] /= A[i * n + i];
    for (size_t i = n; i-- > 0;)
        for (size_t j = 0; j < i; j++) right[j] -= A[i * n + j] * right[i];
    return FA_OK;
}
