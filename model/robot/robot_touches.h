// The rules on what links touch and what pulls between them: contacts, obstacles, the ground and
// line springs; and their numbers as the laws read them.
#ifndef FA_ROBOT_TOUCHES_H
#define FA_ROBOT_TOUCHES_H

#include "elements.h"
#include "robot.h"

// Every rule, but for those on names.
fa_status fa_robot_check_touches(const fa_robot *robot, fa_error *error);

// Number i of a fa_contact_data or a fa_line_spring_data, by its first member.
double *fa_touch_number(bool *present, int i);

// The block that the law reads (laws.h), numbers and flags filled in, all else zero.
void fa_contact_fill(const fa_robot *robot, const fa_contact *contact, void *in);
void fa_line_spring_fill(const fa_line_spring *spring, void *in);
void fa_cone_fill(const fa_joint *joint, void *in);

// Ball joints that have a cone as their stop, and the link that the k-th of them holds.
int fa_robot_cones(const fa_robot *robot);
int fa_robot_cone(const fa_robot *robot, int k);

#endif
