// LU decomposition with partial pivoting: Golub and Van Loan, "Matrix Computations", the outer
// product form. Rows are not scaled: the matrices are 1/(gamma h) - J, whose diagonal is large in
// every stiff row.
#include "lu.h"

#include <float.h>
#include <math.h>
#include <stddef.h>

// Returns row i. Offsets are size_t: a matrix of 46,341 rows has more elements than an int can
// count.
static double *row_of(double A[], int n, int i)
{
    return A + (size_t)i * (size_t)n;
}

static int largest_below(int n, double A[], int k)
{
    int at = k;
    for (int i = k + 1; i < n; i++)
        if (fabs(row_of(A, n, i)[k]) > fabs(row_of(A, n, at)[k])) at = i;
    return at;
}

bool fa_lu_factor(int n, double A[], int pivot[])
{
    for (int k = 0; k < n; k++) {
        double *row = row_of(A, n, k);
        int     at = largest_below(n, A, k);
        pivot[k] = at;
        // Exchanges whole rows, multipliers included: solving permutes all of b first.
        double *best = row_of(A, n, at);
        for (int j = 0; j < n && at != k; j++) {
            double kept = row[j];
            row[j] = best[j];
            best[j] = kept;
        }
        // Tests before dividing: hosts may enable traps on division by zero.
        if (row[k] == 0 || !isfinite(row[k]) || fabs(row[k]) < 1 / DBL_MAX) return false;
        double inverse = 1 / row[k];
        for (int i = k + 1; i < n; i++) {
            double *below = row_of(A, n, i);
            if (below[k] == 0) continue; // half of a mechanical Jacobian is zero or one
            double factor = below[k] * inverse;
            below[k] = factor;
            for (int j = k + 1; j < n; j++) below[j] -= factor * row[j];
        }
    }
    return true;
}

void fa_lu_solve(int n, const double A[], const int pivot[], double b[])
{
    for (int k = 0; k < n; k++) {
        double kept = b[k];
        b[k] = b[pivot[k]];
        b[pivot[k]] = kept;
    }
    for (int i = 1; i < n; i++) {
        const double *row = A + (size_t)i * (size_t)n;
        double        sum = b[i];
        for (int j = 0; j < i; j++) sum -= row[j] * b[j];
        b[i] = sum;
    }
    for (int i = n - 1; i >= 0; i--) {
        const double *row = A + (size_t)i * (size_t)n;
        double        sum = b[i];
        for (int j = i + 1; j < n; j++) sum -= row[j] * b[j];
        b[i] = sum / row[i];
    }
}
