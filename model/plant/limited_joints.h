// Joints that have limits and no stop, and may leave them: the rows that say so.
#ifndef FA_LIMITED_JOINTS_H
#define FA_LIMITED_JOINTS_H

#include "robot.h"
#include "variables.h"

typedef struct fa_limited_joint {
    int link;
    int position, lower, upper; // rows; FA_NO_ROW: there is no such limit
} fa_limited_joint;

// Of the robot's joints, in the order of its links: how many there are. rows[] has room for all
// links, or is NULL; then it is the most that there can be.
int fa_limited_joints_find(const fa_robot *robot, const fa_variables *table,
                           fa_limited_joint rows[]);

// How far the joint is beyond a limit [rad] or [m], with *limit the row of this one; 0 if it is
// within them, or at one of them but for what a solver's tolerance leaves.
double fa_limit_beyond(const fa_limited_joint *rows, const double value[], int *limit);

#endif
