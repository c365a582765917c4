// A x = b by Gauss-Jordan elimination, for the comparison of section 5.1 of Mata and others (2002).
// Everything else solves by Cholesky's factors.
#ifndef FA_GAUSS_JORDAN_H
#define FA_GAUSS_JORDAN_H

#include "status.h"

// Replaces b by x and destroys A, row after row in A[n * n]. FA_SINGULAR when a column has no
// pivot.
fa_status fa_gauss_jordan_solve(int n, double A[], double b[]);

#endif
