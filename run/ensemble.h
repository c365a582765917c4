// Many motions of one robot, with different parameters and inputs. Accelerations of several runs
// are computed in a batch where possible (lockstep.h, arm_together.h).
#ifndef FA_ENSEMBLE_H
#define FA_ENSEMBLE_H

#include "keeping.h"
#include "left_limits.h"

// One simulation of the ensemble.
typedef struct fa_run {
    double          number;
    double         *given; // value of each column of the plan
    const fa_place *place; // place of each value in the plan's file, for messages; NULL: none
    double         *kept;  // kept results; valid unless the run failed
    bool            finished;
    fa_error        error; // FA_OK in error.status, or the cause of the failure
} fa_run;

// The settings common to all runs.
typedef struct fa_plan {
    const fa_robot   *robot;
    const fa_state   *state; // configured start values; the columns override them
    int               n_columns;
    const char       *file;       // file of the runs' values, for messages; NULL: none
    const int        *row;        // row of each column: a parameter or an input
    double            stop, step; // duration, and interval of samples [s]
    const fa_keeping *keeping;
    fa_limits        *limits; // joint limits exceeded in any run
    bool              alone;  // runs each simulation alone, with a step that ends at every sample
} fa_plan;

// Returns the time of sample `line`, from 0 to plan->keeping->lines.
double fa_plan_time(const fa_plan *plan, double line);

// Callback: returns the next run; *run is NULL if there is none now. Runs finish in any order.
typedef fa_status fa_next_fn(void *context, fa_run **run, fa_error *error);

// Simulates all runs. The results of a run do not depend on the other runs. A finished run has
// `finished` set and its status in error. The function fails only on a lack of memory, or if `next`
// fails.
//
// Runs under error control without events are batched: their steps are as long as the error allows,
// and samples are interpolated. Their accelerations are computed in a batch if they move the same
// bodies as plan->state. All other runs are computed as `forearm simulate` does.
fa_status fa_ensemble(const fa_plan *plan, fa_next_fn *next, void *context, fa_error *error);

#endif
