// Eigenvalues of a square matrix without any symmetry.
#ifndef FA_EIGENVALUES_H
#define FA_EIGENVALUES_H

#include <stdbool.h>

// Of A (n x n, by rows), which is overwritten: real parts and imaginary parts, the largest first,
// of a pair that with the positive imaginary part. False: A is not finite, or the iteration did not
// converge. `spare` has room for n.
bool fa_eigenvalues(int n, double A[], double re[], double im[], double spare[]);

#endif
