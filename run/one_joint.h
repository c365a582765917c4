// Finds the joint of the option --joint.
#ifndef FA_ONE_JOINT_H
#define FA_ONE_JOINT_H

#include "robot.h"

// Finds its coordinate, counted as in fa_chain_build. Fails if no joint has that name, or if it has
// no effort of its own.
fa_status fa_one_joint(const fa_robot *robot, const char *name, int *coordinate, fa_error *error);

#endif
