// Converts a robot that is a snake to the numbers of its equations of motion, and checks it.
#ifndef FA_ROBOT_SNAKE_H
#define FA_ROBOT_SNAKE_H

#include "robot.h"
#include "snake.h"

// Fills n_links links and n_links - 1 joints, which the result points to.
fa_snake fa_robot_snake(const fa_robot *robot, fa_snake_link link[], fa_snake_joint joint[]);

// Checks robots that are snakes; fa_robot_check calls it. The log, which may be NULL, receives
// warnings and remarks.
fa_status fa_robot_check_snake(const fa_robot *robot, const fa_log *log, fa_error *error);

#endif
