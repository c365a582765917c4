// The dynamics methods, compiled from the same sources with other numbers in place of `double`:
// numbers that count operations, and numbers of single precision. For tests, benchmarks and the
// command line.
#ifndef FA_SCALAR_H
#define FA_SCALAR_H

#include "dynamics.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef enum fa_question { FA_FORWARD, FA_INVERSE, FA_BIAS, FA_MATRIX } fa_question;

typedef struct fa_operations {
    long products; // divisions and square roots among them
    long sums;     // differences among them
    long sines;    // and cosines
} fa_operations;

// Runs the method named so and counts. `executed` is every operation of the program; `online`
// leaves out what depends on the robot alone, and products with and sums of an exact 0, 1 or -1, as
// papers do. Zeros and ones in the axes, rotations and offsets of the chain and in its gravity
// count as exact, all its other numbers as any number. FA_UNFIT when the method does not answer
// this question for this chain.
fa_status fa_count(const char *method, fa_question question, const fa_chain *chain,
                   fa_operations *executed, fa_operations *online);

// The method's answer in single precision: accelerations from x = tau, forces from x = qdd, forces
// at rest, or the matrix.
fa_status fa_single(const char *method, fa_question question, const fa_chain *chain,
                    const double q[], const double qd[], const double x[], double answer[]);

// Solves A x = b in single precision by Gauss-Jordan elimination; A and b are rounded first.
fa_status fa_single_gauss_jordan(int n, const double A[], const double b[], double x[]);

#ifdef __cplusplus
}
#endif

#endif
