// One-step integrators: no history, so inputs may jump between calls and a saved state restores
// exactly. They know nothing of FMI; the command line steps a plant with them too.
#ifndef FA_INTEGRATE_H
#define FA_INTEGRATE_H

#include <stddef.h>

#include "plant.h"
#include "status.h"

// dx/dt at (t, x). FA_SINGULAR and FA_NOT_FINITE say that there is none at this point.
typedef fa_status fa_rhs_fn(void *context, double t, const double x[], double dx[],
                            fa_error *error);

// Whether something has switched between the point where the integration began and this one.
typedef fa_status fa_crossed_fn(void *context, double t, const double x[], bool *crossed,
                                fa_error *error);

typedef struct fa_problem {
    int            n; // states
    fa_rhs_fn     *rhs;
    fa_crossed_fn *crossed; // NULL: nothing switches
    void          *context; // of both
    const double  *nominal; // usual size of each state, > 0, for the error control; NULL: all one
} fa_problem;

typedef struct fa_solver {
    int    method;    // FA_SOLVER_… of plant.h; automatic is Dormand–Prince
    double step;      // of the fixed-step methods, > 0 [s]
    double tolerance; // of Dormand–Prince: error of one step, relative to nominal + |x|, > 0
} fa_solver;

// Number of doubles in `work`.
size_t fa_integrate_work(int n);

// Takes x from *t to t_end >= *t, or to a few units of rounding behind the first point at which
// something has switched. Switching back and forth within one step goes unnoticed. On failure *t
// and x hold the last point that was reached.
//
// The fixed-step methods take ceil((t_end - *t) / step) equal steps. Dormand–Prince starts with
// *step, the size it would take next (0: it finds one), and leaves the next one there.
fa_status fa_integrate(const fa_problem *problem, const fa_solver *solver, double *t, double t_end,
                       double x[], double *step, double work[], fa_error *error);

// Equal steps of at most `step` that cover `span`.
double fa_integrate_steps(double span, double step);

#endif
