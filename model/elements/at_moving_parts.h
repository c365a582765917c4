// Elements that stand at joints, of arms and snakes, and at the wheels and the base of a snake.
// clang-format off
#include "at_joints.h"
#include "at_snakes.h"
// clang-format on
