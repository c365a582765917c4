// Elements that snakes alone have.
// clang-format off
#include "gait.h"
#include "follower.h"
#include "pace.h"
#include "at_wheels.h"
// clang-format on
