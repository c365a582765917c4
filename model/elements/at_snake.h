// All elements of a snake.
// clang-format off
#include "at_snake_joints.h"
#include "at_wheels.h"
#include "pace.h"
// clang-format on
