// Dormand–Prince for several problems in lockstep: each has its own time, step and error control.
// All are at the same stage at the same time, so that one call evaluates a batch of right-hand
// sides. FMUs do not use this; `forearm runs` does.
#ifndef FA_LOCKSTEP_H
#define FA_LOCKSTEP_H

#include "stepper.h"

// One of the problems. fa_steps_begin starts it.
typedef struct fa_lane {
    fa_steps  steps;
    bool      accepted;  // the last attempt was accepted; its end is steps.trial.t1
    fa_status attempted; // status of that attempt
    fa_status status;    // not FA_OK: the lane has failed, with the message in `error`
    fa_error  error;
} fa_lane;

// A request for dx/dt at (t, x). The callback fills in dx, status and, on failure, the lane's
// error.
typedef struct fa_question {
    fa_lane      *lane;
    double        t;
    const double *x;
    double       *dx;
    fa_status     status;
} fa_question;

// Callback: evaluates all requests.
typedef void fa_answer_fn(void *context, int n, fa_question question[]);

// Attempts one step of each lane whose status is FA_OK, after advancing to its last accepted point
// (fa_steps_go_on); before that, the step can be interpolated. Steps of the implicit method call
// their own problem. The result of a lane does not depend on the others. `question` has room for n.
void fa_lockstep(int n, fa_lane *const lane[], fa_answer_fn *answer, void *context,
                 fa_question question[]);

#endif
