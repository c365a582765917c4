// Many motions of one robot, which differ in parameters and inputs: some of them side by side, with
// accelerations found for many at once (lockstep.h, arm_together.h).
#ifndef FA_ENSEMBLE_H
#define FA_ENSEMBLE_H

#include "keeping.h"
#include "left_limits.h"

// One motion.
typedef struct fa_run {
    double          number;
    double         *given; // a number for each column of the plan
    const fa_place *place; // where each of them stands in the plan's file; NULL: nowhere
    double         *kept;  // what is kept of it, if it does not fail
    bool            finished;
    fa_error        error; // FA_OK in error.status, or why it failed
} fa_run;

// What all of them have in common.
typedef struct fa_plan {
    const fa_robot   *robot;
    const fa_state   *state; // where they start, but for the columns; configured
    int               n_columns;
    const char       *file;       // that the runs' numbers come from, for messages; NULL: none
    const int        *row;        // of the table, for each column: a parameter or an input
    double            stop, step; // from 0 on, with a sample each `step` [s]
    const fa_keeping *keeping;
    fa_limits        *limits; // that joints may leave in any of them
    bool              alone;  // each by itself, with a step that ends at every sample
} fa_plan;

// Of sample number `line`, from 0 to plan->keeping->lines.
double fa_plan_time(const fa_plan *plan, double line);

// The next run; *run is NULL where there is none now. Runs end in another order than they began.
typedef fa_status fa_next_fn(void *context, fa_run **run, fa_error *error);

// Runs all that there are. What a run makes of its numbers does not depend on the others; it is
// `finished` then, and FA_OK or not. This fails where memory does, or `next`.
//
// Side by side go runs under error control of what never switches: there the steps are as long as
// the motion allows, and samples between are interpolated. Accelerations are found together of arms
// that move the same bodies as that in plan->state. All else goes as `forearm simulate` would.
fa_status fa_ensemble(const fa_plan *plan, fa_next_fn *next, void *context, fa_error *error);

#endif
