// A = L L^T for symmetric positive definite matrices, row after row in A[n * n]; only the lower
// triangle is read and written.
#ifndef FA_CHOLESKY_H
#define FA_CHOLESKY_H

#include "status.h"

// Replaces A by L. FA_SINGULAR when a pivot is not above FA_SINGULAR_FRACTION (dynamics.h) of the
// diagonal element that it started as.
fa_status fa_cholesky_factor(int n, double A[]);

// Replaces b by the solution of L L^T x = b.
void fa_cholesky_solve(int n, const double L[], double b[]);

// The first row whose pivot is at most `fraction` of its diagonal element, FA_NOBODY if there is
// none. Overwrites A.
int fa_cholesky_weak_row(int n, double A[], double fraction);

#endif
