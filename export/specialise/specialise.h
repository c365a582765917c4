// Forward dynamics written for one arm: the file that its FMU's library is compiled with in place
// of special.c (docs/specialised.md).
#ifndef FA_SPECIALISE_H
#define FA_SPECIALISE_H

#include "chain.h"

typedef struct fa_specialised {
    char  *text; // the file
    size_t size;
    int    n_operations;          // of one evaluation, with the parameters of the chain
    int    n_jacobian_operations; // of derivatives of the accelerations; 0: not written
} fa_specialised;

// FA_UNFIT and a sentence for kinds of chain that there is no such code for, that the general
// methods are faster for, or where the equations do not agree with inverse dynamics by
// `newton-euler` (FA_SPECIAL_APART).
fa_status fa_specialise(const fa_chain *chain, const char *name, fa_specialised *code,
                        fa_error *error);
void      fa_specialised_free(fa_specialised *code);

// States at which code is tried before it is accepted: the same ones always.
enum { FA_SPECIAL_TRIALS = 32 };
void fa_special_trial(const fa_chain *chain, int number, double q[], double qd[], double tau[]);

// How far accelerations miss the torques that caused them, in units of the largest part that these
// are made of: the largest of sum |M_ij qdd_j| + |bias_i| + |tau_i|. Of the Newton-Euler
// method, which shares nothing with these equations; NAN if there is no memory for it.
double fa_special_apart(const fa_chain *chain, const double q[], const double qd[],
                        const double tau[], const double qdd[]);

// The same of derivatives at an acceleration: how far M times them, and those of inverse dynamics,
// are from balance. jacobian: by q, qd and tau, each n squared, row by row.
double fa_special_jacobian_apart(const fa_chain *chain, const double q[], const double qd[],
                                 const double qdd[], const double jacobian[]);

// More than this is no rounding: the worst of tests/export/test_specialise.c is 7e-16,
// of derivatives 3e-15.
#define FA_SPECIAL_APART 5e-14

#endif
