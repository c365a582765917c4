// forearm forward of a snake.
#ifndef FA_FORWARD_SNAKE_H
#define FA_FORWARD_SNAKE_H

#include "options.h"
#include "robot.h"

// Reads the table arguments->in and writes the table arguments->out: for each state the derivatives
// of the two speeds and the forces across the wheels, by the method arguments->method or the
// plant's default.
fa_status fa_forward_snake(const fa_arguments *arguments, const fa_robot *robot, fa_error *error);

#endif
