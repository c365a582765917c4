// forearm check, of a snake.
#ifndef FA_CHECK_SNAKE_H
#define FA_CHECK_SNAKE_H

#include "robot.h"

fa_status fa_print_snake(const fa_robot *robot, int warnings, fa_error *error);

#endif
