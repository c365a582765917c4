// The joint that --joint asks for.
#ifndef FA_ONE_JOINT_H
#define FA_ONE_JOINT_H

#include "robot.h"

// Its coordinate, counted as fa_chain_build does. A sentence when there is no joint of that name,
// or it has no force of its own.
fa_status fa_one_joint(const fa_robot *robot, const char *name, int *coordinate, fa_error *error);

#endif
