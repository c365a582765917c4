// Dense symmetric systems and least squares of the identification, row by row.
#ifndef FA_DENSE_H
#define FA_DENSE_H

#include <stdbool.h>

// A = L L^T in the lower triangle, after scaling by its diagonal; false: A is not positive
// definite. scale: n numbers, which the others need.
bool fa_dense_factor(int n, double A[], double scale[]);
void fa_dense_solve(int n, const double L[], const double scale[], double x[]);
void fa_dense_inverse(int n, const double L[], const double scale[], double inverse[]);

// Largest over smallest singular value of the columns whose products A^T A are `normal`, each
// scaled to length 1, by powers of it and of its inverse; INFINITY where there is none. work: n n +
// 4 n.
double fa_dense_condition(int n, const double normal[], double work[]);

// Columns of A, m x n, that are independent of those to their left: their numbers into pivot[], and
// how much of each is in every column, rank x n, into combination. Gives the rank. Q: m x n
// scratch.
int fa_dense_pivots(int m, int n, const double A[], double tolerance, int pivot[],
                    double combination[], double Q[]);

#endif
