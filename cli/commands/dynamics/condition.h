// Condition numbers of a robot's mass matrix: how much its accelerations magnify errors.
#ifndef FA_CONDITION_H
#define FA_CONDITION_H

#include "robot.h"

// With n coordinates a pose costs about n^3 operations; 200 of them a hundred times take a second.
#define FA_CONDITION_POSES       100
#define FA_CONDITION_COORDINATES 200
#define FA_CONDITION_SEED        1

typedef struct fa_condition {
    double lowest, median, highest; // ratio of the largest eigenvalue to the smallest, in SI units
    int    singular; // number of poses whose smallest eigenvalue is below rounding; the ratio is
                     // infinite
} fa_condition;

// Samples FA_CONDITION_POSES random poses within the joints' limits; a joint without limits varies
// by half a turn or a metre to both sides. Requires one to FA_CONDITION_COORDINATES degrees of
// freedom.
fa_status fa_condition_sample(const fa_robot *robot, fa_condition *condition, fa_error *error);

#endif
