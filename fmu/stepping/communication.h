// A communication step of Co-Simulation: connects the trajectory with the host's callbacks.
#ifndef FA_COMMUNICATION_H
#define FA_COMMUNICATION_H

#include "instance.h"

typedef struct fa_communication {
    fa_instance  *self;
    const double *input; // inputs at the begin of the step, with the forces of ports
    double        begin; // begin of the step [s]
    fa_trajectory trajectory;
    bool          is_forecast; // no callbacks to the host
} fa_communication;

// Prepares a step from `begin`, the instance's time, to `end`; `moving`: some input has a rate. The
// step must stay where it is. An error of the host in an intermediate update is logged, and puts
// the instance into FA_MODE_TERMINATED.
void fa_communication_begin(fa_communication *step, fa_instance *self, const double input[],
                            bool moving, double begin, double end);

// Turns a copy of a step into a forecast: no callbacks to the host, inputs follow their rates.
void fa_communication_rehearse(fa_communication *step);

#endif
