// The fast forward dynamics: what every FMU of an arm runs unless told otherwise.
//
// The readable methods work in the frame of each body and take the chain as it is. Here everything
// is in one frame that does not move, with its axes along the world's and its origin at the first
// joint or one in the middle: no quantity has to be carried from one body's frame to another's, and
// what four bodies need is computed for four at a time (fast_lanes.h). Of up to
// FA_FAST_COMPOSITE_BEST bodies in a row that all turn, kernels that fuse products and sums form
// and factor the mass matrix (fast_composite.h); all else is solved body by body
// (fast_articulated.h). fast_jacobians.h has derivatives, of the same kernels. fast_prepare.c says
// what is made ready beforehand.
//
// The price is digits: errors grow with the distance from the origin; docs/performance.md has
// figures. And some questions are left to the readable methods, which answer them as they always
// did: where a pivot has all but vanished (FA_FAST_WEAK), for angles of more than FA_SINCOS_MAX,
// and where results are not finite numbers. The answer then is FA_UNFIT.
#ifndef FA_FAST_H
#define FA_FAST_H

#include "dynamics.h"
#include "special.h"

#if (defined(__GNUC__) || defined(__clang__)) && defined(__SIZEOF_DOUBLE__) && !defined(FA_NO_FAST)
#define FA_FAST_LANES 4
#else
#define FA_FAST_LANES 0 // this compiler has no vector types: no chain is supported
#endif

// States that the kernels take at once, a state in each lane: as many as a register of their
// processors has room for (older gcc has no way to fill AVX-512's).
#define FA_FAST_WIDE_PLAIN 2
#define FA_FAST_WIDE_AVX2  4
#if defined(__clang__) || __GNUC__ >= 12
#define FA_FAST_WIDE_AVX512 8
#else
#define FA_FAST_WIDE_AVX512 4
#endif
enum { FA_FAST_WIDEST = 8 };

// The longest chain whose mass matrix can be formed; and the longest for which that is the faster
// way, for whose lengths the kernels have code of their own (docs/performance.md).
#define FA_FAST_COMPOSITE_MAX  16
#define FA_FAST_COMPOSITE_BEST 7

// A pivot below this fraction of what it was subtracted from leaves only half of the digits.
#define FA_FAST_WEAK 1e-8

// Joints that slide further [m] take the rest too far from the origin: digits go with the square.
#define FA_FAST_FAR 100.0

// Four bodies, number 4 g to 4 g + 3 in group g, each in its lane. A body's frame here has its
// origin where the chain has it and its z axis along the joint's.
typedef struct fa_fast_group {
    double axis[3][3][4];        // x, y and z axis at q = 0: components in the parent's frame
    double place[3][4];          // origin at q = 0, in the parent's frame [m]
    double mass[4], first[3][4]; // about the body's origin, in its axes …
    double inertia[6][4];        // … xx yy zz xy xz yz
    double rotor[4];             // reflected rotor inertia
    double turns[4];             // 1: revolute, 0: prismatic
} fa_fast_group;

// Stored results of the articulated body for a body: vectors, padded with a zero.
typedef struct fa_fast_note {
    double Z[4], S[4], N[4], F[4];
    double I[3][4], H[3][4]; // columns of the inertia, and of the first moment's cross product
    double m[4], f[4];       // U
    double inverse, u, share;
} fa_fast_note;

// And of one body of a tree: its motion for its children, and what they have handed over.
typedef struct fa_fast_fork {
    double frame[4][4], w[4], v[4], al[4], a[4];
    double pending[56];
} fa_fast_fork;

typedef struct fa_fast {
    int  n;
    bool branched;
    bool slides;        // some joint is prismatic
    int  kernel;        // index in fa_fast_kernels
    bool deterministic; // its bits are wanted, whatever they cost

    fa_vec3        gravity;
    fa_fast_group *group;
    int           *parent;
    fa_mat3       *turned; // from the chain's frame of each body to the frame used here
    fa_fast_note  *scratch;
    fa_fast_fork  *fork; // of a tree

    // Code for this one arm, if the library has it, and what it makes of parameters. Set to NULL by
    // fa_fast_place, as `deterministic` is to false; fa_special_for says what it can be.
    const fa_special *special;
    double           *block;
} fa_fast;

// True if these methods answer for chains of this kind.
bool fa_fast_fits(const fa_chain *chain);

// Bytes for fa_fast and all that it points to, for a chain of that many bodies.
size_t fa_fast_size(const fa_chain *chain);

// Lays everything out in `memory`, 16-byte aligned. `kernel` is an index in fa_fast_kernels, such
// as fa_fast_kernel gives it.
fa_fast *fa_fast_place(void *memory, const fa_chain *chain, int kernel);

// Takes over inertias, rotors, gravity and geometry: after placing, and when any has changed.
void fa_fast_prepare(fa_fast *fast, const fa_chain *chain);

// As fa_forward_fn, for the chain that was prepared: FA_OK, or FA_UNFIT when the readable method
// has to answer; qdd is then undefined. The first takes the code for this arm where there is some
// and nothing from outside acts on the bodies, and chooses between the other two where not.
fa_status fa_fast_forward(const fa_fast *fast, const double q[], const double qd[],
                          const double tau[], const fa_load *load, double qdd[]);
fa_status fa_fast_composite(const fa_fast *fast, const double q[], const double qd[],
                            const double tau[], const fa_load *load, double qdd[]);
fa_status fa_fast_articulated(const fa_fast *fast, const double q[], const double qd[],
                              const double tau[], const fa_load *load, double qdd[]);

// The Jacobians of forward dynamics, as fa_forward_jacobians without loads, by the code for this
// arm where there is some, else by fast_jacobians.h. FA_UNFIT for trees and chains of more than
// FA_FAST_COMPOSITE_MAX bodies, and as above.
fa_status fa_fast_jacobians(const fa_fast *fast, const double q[], const double qd[],
                            const double qdd[], double by_q[], double by_qd[], double by_tau[]);

// As fa_fast_states_fn for chains that fa_fast_takes_states, by the code for this arm where there
// is some. How many states that are is fa_fast_lanes.
bool     fa_fast_takes_states(const fa_fast *fast);
int      fa_fast_lanes(const fa_fast *fast);
unsigned fa_fast_states(const fa_fast *fast, const double q[], const double qd[],
                        const double tau[], double qdd[]);

// The same source compiled for several processors.
typedef fa_status fa_fast_fn(const fa_fast *fast, const double q[], const double qd[],
                             const double tau[], const fa_load *load, double qdd[]);
typedef fa_status fa_fast_jacobians_fn(const fa_fast *fast, const double q[], const double qd[],
                                       const double qdd[], double by_q[], double by_qd[],
                                       double by_tau[]);
// As many states as the kernel has lanes (fast_states.c has the table of these functions), each of
// n numbers, one behind the other. Gives a bit for each, the first the lowest: set if it is
// answered, cleared if it would be FA_UNFIT by itself. An answer does not depend on the states
// beside it, nor on its lane.
typedef unsigned fa_fast_states_fn(const fa_fast *fast, const double q[], const double qd[],
                                   const double tau[], double qdd[]);
typedef struct fa_fast_kernel {
    const char *name;
    bool        fused; // rounds a product and a sum once: other bits than the rest, which agree
    bool        slow;  // as this compiler makes it: the readable methods take less time
    bool (*runs)(void);
    fa_fast_fn           *articulated;
    fa_fast_fn           *composite; // NULL, like the next: not in this kernel
    fa_fast_jacobians_fn *jacobians;
    int                   special; // which of fa_special.forward goes with it
} fa_fast_kernel;

extern const fa_fast_kernel fa_fast_kernels[];
extern const int            fa_fast_kernel_count;

// The fastest kernel that this machine runs, among those that give the same bits on every machine
// if `deterministic`. Asks the processor, which takes microseconds: once per instance.
int fa_fast_kernel_best(bool deterministic);

#endif
