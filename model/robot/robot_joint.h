// The rules on a joint's numbers: those of the elements that act at it, and which of them go
// together.
#ifndef FA_ROBOT_JOINT_H
#define FA_ROBOT_JOINT_H

#include "robot.h"

// Checks a moving joint. `source` is the file in messages; NULL: the numbers are an FMU's
// parameters.
fa_status fa_joint_check(const fa_joint *joint, const char *source, fa_error *error);

// The same of parameters that are to be instead of `before`, which has passed: besides, none of
// them may decide anew what there is.
fa_status fa_joint_configure(const fa_joint *joint, const fa_joint *before, bool inverse,
                             fa_error *error);

#endif
