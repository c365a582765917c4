// The rules on cylinders, and what of them follows from the robot around them.
#ifndef FA_ROBOT_CYLINDERS_H
#define FA_ROBOT_CYLINDERS_H

#include "robot.h"

// Every rule on a robot's cylinders: names, numbers that their cuts need, two ends that can move
// against each other, a length within the stroke at the start, linkages that can be assembled.
fa_status fa_robot_check_cylinders(const fa_robot *robot, fa_error *error);

// Remarks on cylinders that keep the rules: chambers that an end of the stroke leaves without oil.
void fa_robot_remark_cylinders(const fa_robot *robot, const fa_log *log);

// Sets missing start pressures of each cylinder so that it holds its load at rest, where one
// cylinder acts on one joint. Without a load, the force is zero.
fa_status fa_robot_balance_cylinders(fa_robot *robot, fa_error *error);

// Returns true if the free joint of this link, or a joint that follows it, is between the ends of
// the cylinder, so that its motion changes the length; and the number of such joints.
bool fa_cylinder_spans(const fa_robot *robot, const fa_cylinder *cylinder, int link);
int  fa_cylinder_joints(const fa_robot *robot, const fa_cylinder *cylinder);

#endif
