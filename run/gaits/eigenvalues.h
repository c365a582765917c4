// Eigenvalues of a square matrix without any symmetry.
#ifndef FA_EIGENVALUES_H
#define FA_EIGENVALUES_H

#include <stdbool.h>

// Computes the eigenvalues of A (n x n, by rows), which is overwritten, in order of decreasing
// size; of a conjugate pair, the one with the positive imaginary part comes first. Returns false if
// A is not finite or the iteration did not converge. `spare` is scratch for n numbers.
bool fa_eigenvalues(int n, double A[], double re[], double im[], double spare[]);

#endif
