// Dense linear equations for the implicit integrator: row-major, without allocation.
#ifndef FA_LU_H
#define FA_LU_H

#include <stdbool.h>

// Replaces A (n x n, by rows) by its factors, P A = L U with rows exchanged for the largest pivot;
// pivot[k] is the row that step k exchanged with row k. False: A is singular, or not finite.
bool fa_lu_factor(int n, double A[], int pivot[]);

// Solves A x = b in place, after fa_lu_factor.
void fa_lu_solve(int n, const double A[], const int pivot[], double b[]);

#endif
