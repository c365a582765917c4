// One question, several papers: every method of the table below answers the same two calls.
//
//     M(q) qdd + h(q, qd) = tau + loads        (h contains gravity)
//
// A method takes its scratch memory as `work`, allocates nothing and remembers nothing. Friction,
// springs and motors are not its business: they are in tau by the time it is called.
#ifndef FA_DYNAMICS_H
#define FA_DYNAMICS_H

#include "chain.h"

// Wrenches that the surroundings exert on the bodies: moment about the body's origin and force, in
// the body's axes. NULL: none. NULL for the fa_load itself: none either.
typedef struct fa_load {
    const fa_wrench *wrench;
} fa_load;

// qdd from tau. FA_SINGULAR when some direction of motion has no inertia, FA_NOT_FINITE when the
// result is not a number; qdd is then undefined.
typedef fa_status fa_forward_fn(const fa_chain *chain, const double q[], const double qd[],
                                const double tau[], const fa_load *load, double qdd[], void *work);

// tau from qdd.
typedef fa_status fa_inverse_fn(const fa_chain *chain, const double q[], const double qd[],
                                const double qdd[], const fa_load *load, double tau[], void *work);

// The mass matrix, n_coordinates squared, both triangles, rotor inertias on its diagonal.
typedef fa_status fa_mass_matrix_fn(const fa_chain *chain, const double q[], double M[],
                                    void *work);

// The force of one coordinate without the others. Of every kind of chain.
typedef fa_status fa_inverse_one_fn(const fa_chain *chain, const double q[], const double qd[],
                                    const double qdd[], const fa_load *load, int coordinate,
                                    double *tau, void *work);

// Constants of a method for a chain, in the method's scratch. Only its `prepare` creates one, so
// that no caller can forget to prepare, or prepare at each call.
typedef struct fa_prepared fa_prepared;
typedef fa_prepared       *fa_prepare_fn(const fa_chain *chain, void *work);
typedef fa_status fa_prepared_fn(const fa_chain *chain, const double q[], const double qd[],
                                 const double tau[], const fa_load *load, double qdd[],
                                 fa_prepared *prepared);

// Kinds of chain that a method covers beyond unbranched ones of revolute joints.
enum {
    FA_COVERS_PRISMATIC = 1,
    FA_COVERS_BRANCHED = 2,
    FA_COVERS_COUPLED = 4,
    FA_COVERS_HELD = 8,         // supports locked joints, fa_chain.held
    FA_COVERS_MOVING_BASE = 16, // ground that moves
    FA_COVERS_SCREW = 32,       // joints that turn and slide at once
    FA_COVERS_LOOPS = 64,       // closed loops, fa_chain.loops, whose clusters hold followers, too
    FA_COVERS_ANY_TREE = FA_COVERS_PRISMATIC | FA_COVERS_BRANCHED | FA_COVERS_COUPLED
};

typedef struct fa_method {
    const char *name;  // as --method takes it
    const char *page;  // of docs/theory, without .md
    const char *paper; // author, year, page or equations
    const char *order; // cost in the number of joints
    unsigned    covers;
    size_t (*work_size)(const fa_chain *chain); // bytes, for any of its calls
    fa_forward_fn     *forward;                 // NULL if it has none or has to be prepared
    fa_inverse_fn     *inverse;                 // NULL likewise
    fa_mass_matrix_fn *mass_matrix;             // NULL likewise
    fa_inverse_one_fn *inverse_one;             // NULL likewise

    fa_prepare_fn  *prepare;  // NULL: no preparation
    fa_prepared_fn *prepared; // forward of what was prepared
} fa_method;

// A method prepared for one chain. It is valid until the chain's bodies or gravity change, or the
// scratch is overwritten; q and the locks may change at each call.
typedef struct fa_ready {
    const fa_method *method;
    const fa_chain  *chain;
    void            *work;
    fa_prepared     *prepared; // NULL: no preparation
} fa_ready;

extern const fa_method *const fa_methods[];
extern const int              fa_method_count;

// NULL if there is no such method.
const fa_method *fa_method_find(const char *name);

// Return true if the method has forward dynamics; prepare it for a chain, if it needs that; and
// evaluate it.
bool      fa_method_has_forward(const fa_method *method);
fa_ready  fa_method_ready(const fa_method *method, const fa_chain *chain, void *work);
fa_status fa_ready_forward(const fa_ready *ready, const double q[], const double qd[],
                           const double tau[], const fa_load *load, double qdd[]);

// True if the method covers a chain of this kind.
bool fa_method_fits(const fa_method *method, const fa_chain *chain);

// Return the default methods, forward and inverse, for this kind of chain.
const fa_method *fa_method_forward(const fa_chain *chain);
const fa_method *fa_method_inverse(const fa_chain *chain);

// The pivot of a factorisation, or an articulated inertia along an axis, that is no larger than
// this fraction of what it was subtracted from is rounding: about fifty units in the last place.
#define FA_SINGULAR_FRACTION 1e-14

// The first body whose joint feels at most `fraction` of the inertia that it carries, FA_NOBODY if
// there is none. For chains that are not coupled; `work` as for the articulated-body method.
int fa_articulated_weak_joint(const fa_chain *chain, const double q[], double fraction, void *work);

// The largest work_size in the table.
size_t fa_methods_work_size(const fa_chain *chain);

#endif
