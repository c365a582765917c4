// The dynamics methods in single precision: their own sources, compiled once more with a number in
// place of `double` that rounds every operation to 24 bits.
#ifndef FA_SINGLE_PRECISION_H
#define FA_SINGLE_PRECISION_H

#include "counts.h"

#ifdef __cplusplus
extern "C" {
#endif

// The method's answer: accelerations from x = tau, forces from x = qdd, forces at rest, or the
// matrix.
fa_status fa_single(const char *method, fa_question question, const fa_chain *chain,
                    const double q[], const double qd[], const double x[], double answer[]);

// Solves A x = b by Gauss-Jordan elimination; A and b are rounded first.
fa_status fa_single_gauss_jordan(int n, const double A[], const double b[], double x[]);

#ifdef __cplusplus
}
#endif

#endif
