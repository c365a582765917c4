// Canonical form of a robot: unused data have their defaults.
#ifndef FA_ROBOT_TIDY_H
#define FA_ROBOT_TIDY_H

#include "robot.h"

// Gives every field that means nothing in this robot its default: a fixed joint's motor, the
// stiffness of a spring that is not there, a wrench on a link that stands still. Nobody downstream
// then has to ask whether a flag counts, and equal robots are equal bytes. Parents come first;
// nothing else need be right.
void fa_robot_tidy(fa_robot *robot);

#endif
