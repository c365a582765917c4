// Joints that have limits but no stop: their rows, and the violation of a limit.
#ifndef FA_LIMITED_JOINTS_H
#define FA_LIMITED_JOINTS_H

#include "robot.h"
#include "variables.h"

typedef struct fa_limited_joint {
    int link;
    int position, lower, upper; // rows; FA_NO_ROW: no such limit
} fa_limited_joint;

// Finds such joints of the robot, in the order of its links, and returns their number. rows[] has
// room for all links; NULL: returns an upper bound.
int fa_limited_joints_find(const fa_robot *robot, const fa_variables *table,
                           fa_limited_joint rows[]);

// Returns the violation of a limit [rad] or [m], with *limit the limit's row; 0 if the joint is
// within its limits, up to the solver's tolerance.
double fa_limit_beyond(const fa_limited_joint *rows, const double value[], int *limit);

#endif
