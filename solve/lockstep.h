// Dormand–Prince for many problems side by side: every one has its own time, step and error
// control, and all of them are at the same stage at the same time, so that what they need is asked
// for in one call. No FMU has this; `forearm runs` does.
#ifndef FA_LOCKSTEP_H
#define FA_LOCKSTEP_H

#include "stepper.h"

// One of the problems. Whoever gives it something to do begins its steps (fa_steps_begin).
typedef struct fa_lane {
    fa_steps  steps;
    bool      accepted;  // the last attempt is a step, whose end is steps.trial.t1
    fa_status attempted; // how that attempt ended
    fa_status status;    // not FA_OK: it cannot go on, for the reason in `error`
    fa_error  error;
} fa_lane;

// What a lane wants to know: dx/dt at (t, x). Filled in by whoever answers: dx, status and, where
// that is not FA_OK, the lane's error.
typedef struct fa_question {
    fa_lane      *lane;
    double        t;
    const double *x;
    double       *dx;
    fa_status     status;
} fa_question;

// Answers them all.
typedef void fa_answer_fn(void *context, int n, fa_question question[]);

// One attempt at a step of each lane whose status is FA_OK. What was accepted before is taken first
// (fa_steps_go_on): until then points between can be had. Steps of the implicit method, which the
// automatic choice may have come to, ask their own problem. What becomes of a lane does not depend
// on the others. `question` has room for n.
void fa_lockstep(int n, fa_lane *const lane[], fa_answer_fn *answer, void *context,
                 fa_question question[]);

#endif
