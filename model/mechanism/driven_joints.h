// The joints whose efforts inverse dynamics with loops computes.
#ifndef FA_DRIVEN_JOINTS_H
#define FA_DRIVEN_JOINTS_H

#include "loops.h"
#include "robot.h"

// FA_UNFIT with a message if the drives of a loop's joints leave a freedom without a drive.
fa_status fa_driven_joints_check(const fa_robot *robot, fa_error *error);

// Coordinates of the joints that are driven, and what their efforts are multiples of; their number,
// at most that of the coordinates. In joints that loops tie together these are the ones with a
// motor, a servo, a cylinder of their own, or of which the file says so; where there are none, the
// independent ones. Joints of the tree are driven, all of them.
int fa_driven_joints(const fa_robot *robot, const fa_loops *loops, int coordinate[],
                     double scale[]);

// Returns true if the joint of a link has a motor, a servo, a cylinder of its own, or a drive in
// the file.
bool fa_robot_drives_joint(const fa_robot *robot, int link);

#endif
