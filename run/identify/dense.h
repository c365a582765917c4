// Dense symmetric systems and least squares of the identification, row by row.
#ifndef FA_DENSE_H
#define FA_DENSE_H

#include <stdbool.h>

// Factors A = L L^T in the lower triangle, after scaling by its diagonal; false: A is not positive
// definite. scale: n numbers, which the other functions need.
bool fa_dense_factor(int n, double A[], double scale[]);
void fa_dense_solve(int n, const double L[], const double scale[], double x[]);
void fa_dense_inverse(int n, const double L[], const double scale[], double inverse[]);

// Returns the condition number (largest over smallest singular value) of columns that are each
// scaled to length 1; `normal` is their A^T A. Uses power iteration with it and with its inverse.
// INFINITY if it is singular. work: n n + 4 n.
double fa_dense_condition(int n, const double normal[], double work[]);

// Finds the columns of A, m x n, that are linearly independent of those to their left. Writes their
// indices into pivot[], and each column as a combination of them, rank x n, into combination.
// Returns the rank. Q: m x n scratch.
int fa_dense_pivots(int m, int n, const double A[], double tolerance, int pivot[],
                    double combination[], double Q[]);

#endif
