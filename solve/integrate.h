// One-step integrators. Their only memory between calls is fa_pace, so inputs may be discontinuous
// between calls, and a saved state restores exactly. They do not depend on FMI; the command line
// uses them, too.
#ifndef FA_INTEGRATE_H
#define FA_INTEGRATE_H

#include <stddef.h>
#include <stdint.h>

#include "plant.h"
#include "status.h"

// Right-hand side: dx/dt at (t, x). FA_SINGULAR and FA_NOT_FINITE: it has no value at this point.
typedef fa_status fa_rhs_fn(void *context, double t, const double x[], double dx[],
                            fa_error *error);

// Jacobian of dx/dt by the states (n x n, row i belongs to dx[i]) and by time with moving inputs,
// at the point of the last evaluation of dx/dt. For a problem with `implicit`, by_state is NULL,
// and the plant keeps its linearisation.
typedef fa_status fa_jacobian_fn(void *context, double t, const double x[], double by_state[],
                                 double by_time[], fa_error *error);

// Event detection: *crossed is set if an indicator has changed sign since the integration began.
typedef fa_status fa_crossed_fn(void *context, double t, const double x[], bool *crossed,
                                fa_error *error);

// Callback after each accepted step. It sets *moved, which is false, to true if it has changed data
// that derivatives depend on.
typedef fa_status fa_accepted_fn(void *context, double t, const double x[], bool *moved,
                                 fa_error *error);

// Callback before each attempt of a step. Its failure ends the integration; no shorter step is
// tried.
typedef fa_status fa_patient_fn(void *context, double t, fa_error *error);

typedef struct fa_problem {
    int             n; // number of states
    fa_rhs_fn      *rhs;
    fa_jacobian_fn *jacobian; // NULL: none, which excludes the implicit method
    // The plant's solver of the implicit method's equations; NULL: LU factorisation.
    const fa_implicit *implicit;
    void              *plant;    // first argument of `implicit`
    fa_crossed_fn     *crossed;  // NULL: no events
    fa_accepted_fn    *accepted; // NULL: no callback
    fa_patient_fn     *patient;  // NULL: the limit of one call
    void              *context;  // argument of all callbacks
    const double *nominal; // nominal value of each state, > 0, for step-size control; NULL: all one
    bool          one_step; // return after each accepted step
} fa_problem;

typedef struct fa_solver {
    int    method;    // FA_SOLVER_… of plant.h
    double step;      // of the fixed-step methods, > 0 [s]
    double tolerance; // of the other methods: error of one step, relative to nominal + |x|, > 0
} fa_solver;

// State of step-size control and of the automatic choice between calls. All zero at first. It has
// no padding, because a saved state of an FMU contains it.
typedef struct fa_pace {
    double  step;     // next step size [s]
    int32_t implicit; // 1: the automatic choice uses the implicit method
    int32_t stiff;    // number of steps that suggest the other method
    int32_t calm;     // number of steps since the last of those
    int32_t returns;  // number of changes from the implicit to the explicit method
} fa_pace;

// Returns true if these values can be the result of calls; checks a restored state.
bool fa_pace_is_possible(const fa_pace *pace);

// Largest number of states for LU factorisation; its two matrices take 16 megabytes. A larger
// problem whose plant has no solver of its own uses the explicit methods only, whatever the solver
// parameter says.
#define FA_MATRIX_STATES_MAX 1000
bool fa_integrate_has_matrix(int n, const fa_implicit *implicit);

// Returns the size of `work` in doubles: some for each state, and two matrices with LU
// factorisation. 0: overflow of size_t.
size_t fa_integrate_work(int n, const fa_implicit *implicit);

// Integrates x from *t to t_end >= *t, or to a few units of rounding behind the first event. It
// misses an indicator that changes sign twice within one step. On failure *t and x hold the last
// accepted point.
//
// The fixed-step methods take ceil((t_end - *t) / step) equal steps. The others start with
// pace->step (0: chosen automatically) and store the next one there. The automatic choice begins
// with Dormand–Prince, changes to the Rosenbrock method where stability and not accuracy limits the
// step, and returns where the explicit method would need fewer evaluations.
fa_status fa_integrate(const fa_problem *problem, const fa_solver *solver, double *t, double t_end,
                       double x[], fa_pace *pace, double work[], fa_error *error);

// Returns the number of equal steps of at most `step` that cover `span`.
double fa_integrate_steps(double span, double step);

#endif
