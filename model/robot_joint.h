// The rules on what acts at a joint: motor, stick-slip, stops, valve closure, lock.
#ifndef FA_ROBOT_JOINT_H
#define FA_ROBOT_JOINT_H

#include "robot.h"

// `source` is the file that errors name.
fa_status fa_joint_check(const fa_joint *joint, const char *source, fa_error *error);

#endif
