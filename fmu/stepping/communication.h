// A communication step of Co-Simulation: what the host adds to the plant's trajectory.
#ifndef FA_COMMUNICATION_H
#define FA_COMMUNICATION_H

#include "instance.h"

typedef struct fa_communication {
    fa_instance  *self;
    const double *input; // at the begin of the step
    double        begin; // of it [s]
    fa_trajectory trajectory;
} fa_communication;

// From `begin`, where the instance is, to `end`; `moving`: some input has a rate. The step must
// stay where it is. An error that the host makes in an intermediate update has been told, and
// leaves the instance in FA_MODE_TERMINATED.
void fa_communication_begin(fa_communication *step, fa_instance *self, const double input[],
                            bool moving, double begin, double end);

#endif
