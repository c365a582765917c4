// Forward dynamics that `forearm export --specialise` wrote for one arm: straight-line code for its
// geometry, with inertias, rotors and gravity as parameters. A library that was not made for one
// arm has none (special.c); in others stands a file that was written in place of that one, with up
// to two versions: one for parameters that are zero where they were at export, one for all.
#ifndef FA_SPECIAL_H
#define FA_SPECIAL_H

#include "chain.h"

// The parameters, one body after another: mass, first moments, xx yy zz xy xz yz of the inertia,
// all about the body's origin and in its axes (fa_inertia), and the rotor's inertia; then gravity.
enum {
    FA_SPECIAL_MASS = 0,
    FA_SPECIAL_FIRST = 1,
    FA_SPECIAL_TENSOR = 4,
    FA_SPECIAL_ROTOR = 10,
    FA_SPECIAL_PER_BODY = 11
};

// The geometry, of each body: parent, 1 if it turns, axis, home.E by rows, home.r.
enum { FA_SPECIAL_GEOMETRY = 17 };

enum { FA_SPECIAL_MAX = 64 }; // bodies of a chain that code is written for

// Compiled for every processor of the kind, for x86-64 with AVX2 and FMA, and with AVX-512.
enum { FA_SPECIAL_PLAIN, FA_SPECIAL_WITH_FMA, FA_SPECIAL_WITH_AVX512, FA_SPECIAL_KERNELS };

// As fa_fast_fn, with one more reason for FA_UNFIT: results that are not finite.
typedef fa_status fa_special_fn(const double block[], const double q[], const double qd[],
                                const double tau[], double qdd[]);

// As fa_forward_jacobians without loads, by_third being by_tau: FA_UNFIT as above.
typedef fa_status fa_special_jacobians_fn(const double block[], const double q[], const double qd[],
                                          const double qdd[], double by_q[], double by_qd[],
                                          double by_tau[]);

// As fa_fast_states_fn, for so many states at once.
typedef unsigned fa_special_states_fn(const double block[], const double q[], const double qd[],
                                      const double tau[], double qdd[]);

typedef struct fa_special_states {
    fa_special_states_fn *forward;
    int                   lanes;
} fa_special_states;

typedef struct fa_special {
    int           n; // bodies
    const double *geometry;
    int           n_zeros; // parameters that must be zero, by index
    const short  *zero;
    int           n_block;                                     // numbers that prepare makes …
    void (*prepare)(const double parameter[], double block[]); // … of the parameters
    fa_special_fn           *forward[FA_SPECIAL_KERNELS];
    fa_special_jacobians_fn *jacobians[FA_SPECIAL_KERNELS]; // NULL: others are faster
    fa_special_states        states[FA_SPECIAL_KERNELS];
} fa_special;

enum { FA_SPECIAL_VERSIONS = 2 };
extern const fa_special fa_special_code[FA_SPECIAL_VERSIONS]; // the first that fits is the fastest
extern const int        fa_special_count;                     // of them that there are

// Fill geometry[] and parameter[] for a chain.
void   fa_special_geometry(const fa_chain *chain, double geometry[]);
void   fa_special_parameters(const fa_chain *chain, double parameter[]);
double fa_special_parameter(const fa_chain *chain, int index);

// The code for this chain, number by number; NULL if there is none.
const fa_special *fa_special_for(const fa_chain *chain);

// The length of the longest block for chains of n bodies.
int fa_special_block_size(int n);

#endif
