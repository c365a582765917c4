// The rules on a joint's numbers: limits, losses, and what acts at it: motor, stick-slip, stops,
// valve closure, lock.
#ifndef FA_ROBOT_JOINT_H
#define FA_ROBOT_JOINT_H

#include "robot.h"

// Of a joint that moves. `source` is the file that errors name, NULL: none, the numbers are an
// FMU's parameters.
fa_status fa_joint_check(const fa_joint *joint, const char *source, fa_error *error);

#endif
