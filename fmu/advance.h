// From one communication point towards the next: what step.c asks of advance.c.
#ifndef FA_ADVANCE_H
#define FA_ADVANCE_H

#include "instance.h"

// The plant as the integrators see it, at states and times of their choice.
typedef struct fa_run {
    fa_instance  *self;
    const double *input;     // at the begin of the communication step
    double        begin;     // of it [s]
    double        end;       // of it, or where the host asked to return [s]
    bool          moving;    // some input has a rate
    bool          event;     // it ended at an event that the host handles
    long          calls;     // of the right-hand side
    long          jacobians; // likewise
} fa_run;

// From *t to run->end, over any number of events, or to the first one if the host may be returned
// to there. *t and x are the last good point; the instance may be elsewhere when this fails. An
// error that the host made in an intermediate update has been told, and leaves the instance in
// FA_MODE_TERMINATED.
fa_status fa_advance(fa_run *run, double *t, double x[], fa_error *error);

// Puts the instance at a point; what has been evaluated holds if it is there already.
fa_status fa_run_to(fa_run *run, double t, const double x[], fa_error *error);

#endif
