// How much the accelerations of a robot magnify errors: condition numbers of its mass matrix.
#ifndef FA_CONDITION_H
#define FA_CONDITION_H

#include "robot.h"

// With n coordinates a pose costs about n^3 operations; 200 of them a hundred times take a second.
#define FA_CONDITION_POSES       100
#define FA_CONDITION_COORDINATES 200
#define FA_CONDITION_SEED        1

typedef struct fa_condition {
    double lowest, median, highest; // ratio of the largest eigenvalue to the smallest, in SI units
    int    singular; // poses in which the smallest one is rounding only; the ratio is infinite
} fa_condition;

// Over FA_CONDITION_POSES poses drawn at random within the joints' limits, or within half a turn or
// a metre to both sides where there are none. At most FA_CONDITION_COORDINATES degrees of freedom,
// at least one.
fa_status fa_condition_sample(const fa_robot *robot, fa_condition *condition, fa_error *error);

#endif
