// A communication step of Co-Simulation: what the host adds to the plant's trajectory.
#ifndef FA_COMMUNICATION_H
#define FA_COMMUNICATION_H

#include "instance.h"

typedef struct fa_communication {
    fa_instance  *self;
    const double *input; // at the begin of the step, those of ports as their laws have them
    double        begin; // of it [s]
    fa_trajectory trajectory;
    bool          deaf; // the host is not asked
} fa_communication;

// From `begin`, where the instance is, to `end`; `moving`: some input has a rate. The step must
// stay where it is. An error that the host makes in an intermediate update has been told, and
// leaves the instance in FA_MODE_TERMINATED.
void fa_communication_begin(fa_communication *step, fa_instance *self, const double input[],
                            bool moving, double begin, double end);

// Makes of a copy of a step one that nobody hears of: inputs move by their rates alone.
void fa_communication_rehearse(fa_communication *step);

#endif
