// One-step integrators: no history but what fa_pace holds, so inputs may jump between calls and a
// saved state restores exactly. They know nothing of FMI; the command line steps a plant with them
// too.
#ifndef FA_INTEGRATE_H
#define FA_INTEGRATE_H

#include <stddef.h>
#include <stdint.h>

#include "plant.h"
#include "status.h"

// dx/dt at (t, x). FA_SINGULAR and FA_NOT_FINITE say that there is none at this point.
typedef fa_status fa_rhs_fn(void *context, double t, const double x[], double dx[],
                            fa_error *error);

// The first derivatives of dx/dt, by the states (n x n, row i holds those of dx[i]) and by time
// with moving inputs, at the point where dx/dt was asked for last. Of a problem with `implicit`,
// by_state is NULL, and what is linearised is the plant.
typedef fa_status fa_jacobian_fn(void *context, double t, const double x[], double by_state[],
                                 double by_time[], fa_error *error);

// Whether something has switched between the point where the integration began and this one.
typedef fa_status fa_crossed_fn(void *context, double t, const double x[], bool *crossed,
                                fa_error *error);

// Hears of the end of each step that has been accepted. *moved is false; true: what derivatives
// there depend on has changed.
typedef fa_status fa_accepted_fn(void *context, double t, const double x[], bool *moved,
                                 fa_error *error);

// Asked before each attempt of a step. A failure ends the integration; no shorter step is tried.
typedef fa_status fa_patient_fn(void *context, double t, fa_error *error);

typedef struct fa_problem {
    int                n; // states
    fa_rhs_fn         *rhs;
    fa_jacobian_fn    *jacobian; // NULL: there is none, and no implicit method
    const fa_implicit *implicit; // solves the implicit method's equations; NULL: a matrix does
    void              *plant;    // whose they are
    fa_crossed_fn     *crossed;  // NULL: nothing switches
    fa_accepted_fn    *accepted; // NULL: nobody takes note
    fa_patient_fn     *patient;  // NULL: as many attempts as one call may make
    void              *context;  // of all
    const double *nominal;  // usual size of each state, > 0, for the error control; NULL: all one
    bool          one_step; // return after every step that error control has accepted
} fa_problem;

typedef struct fa_solver {
    int    method;    // FA_SOLVER_… of plant.h
    double step;      // of the fixed-step methods, > 0 [s]
    double tolerance; // of the others: error of one step, relative to nominal + |x|, > 0
} fa_solver;

// What passes from one call to the next. All zero at first; without padding, since it is saved with
// the state of an FMU.
typedef struct fa_pace {
    double  step;     // that would be taken next [s]
    int32_t implicit; // 1: the automatic choice is the implicit method now
    int32_t stiff;    // steps that looked as if the other method were the better one
    int32_t calm;     // steps since that did not
    int32_t returns;  // from the implicit method to the explicit one
} fa_pace;

// Whether calls could have left this behind.
bool fa_pace_is_possible(const fa_pace *pace);

// Whether equations are solved by a matrix: where a plant does not solve them itself, up to so many
// states; two such matrices take 16 megabytes. Beyond, and without such a plant, there are only
// the explicit methods, whatever the solver is.
#define FA_MATRIX_STATES_MAX 1000
bool fa_integrate_has_matrix(int n, const fa_implicit *implicit);

// Number of doubles in `work`: a few for each state, and two matrices where equations are solved by
// matrices. 0: that is more than a size can say.
size_t fa_integrate_work(int n, const fa_implicit *implicit);

// Takes x from *t to t_end >= *t, or to a few units of rounding behind the first point at which
// something has switched. Switching back and forth within one step goes unnoticed. On failure *t
// and x hold the last point that was reached.
//
// The fixed-step methods take ceil((t_end - *t) / step) equal steps. The others start with
// pace->step (0: they find one) and leave the next one there. The automatic choice begins with
// Dormand–Prince, goes over to the Rosenbrock method where stability and not accuracy limits the
// step, and comes back where the explicit method would need fewer evaluations.
fa_status fa_integrate(const fa_problem *problem, const fa_solver *solver, double *t, double t_end,
                       double x[], fa_pace *pace, double work[], fa_error *error);

// Equal steps of at most `step` that cover `span`.
double fa_integrate_steps(double span, double step);

#endif
