// Generates forward dynamics for one arm: the file that replaces special.c in its FMU's library
// (docs/specialised.md).
#ifndef FA_SPECIALISE_H
#define FA_SPECIALISE_H

#include "chain.h"

typedef struct fa_specialised {
    char  *text; // text of the file
    size_t size;
    int    n_operations;          // operations of one evaluation, with the parameters of the chain
    int    n_jacobian_operations; // operations of the accelerations' derivatives; 0: none
} fa_specialised;

// FA_UNFIT and a message for unsupported kinds of chain, for chains whose general methods are
// faster, or where the equations disagree with inverse dynamics by `newton-euler`
// (FA_SPECIAL_APART).
fa_status fa_specialise(const fa_chain *chain, const char *name, fa_specialised *code,
                        fa_error *error);
void      fa_specialised_free(fa_specialised *code);

// Number of states at which code is tested before it is accepted; they are always the same.
enum { FA_SPECIAL_TRIALS = 32 };
void fa_special_trial(const fa_chain *chain, int number, double q[], double qd[], double tau[]);

// Returns the residual of accelerations in the Newton-Euler method, which shares no code with these
// equations, relative to the largest sum |M_ij qdd_j| + |bias_i| + |tau_i|. NAN without memory.
double fa_special_apart(const fa_chain *chain, const double q[], const double qd[],
                        const double tau[], const double qdd[]);

// Returns the residual of derivatives at given accelerations: M times them against those of inverse
// dynamics. jacobian: by q, qd and tau, each n squared, row by row.
double fa_special_jacobian_apart(const fa_chain *chain, const double q[], const double qd[],
                                 const double qdd[], const double jacobian[]);

// Tolerance. Rounding is far less: the worst of tests/export/test_specialise.c is 7e-16, of
// derivatives 3e-15.
#define FA_SPECIAL_APART 5e-14

#endif
