// Elements between a snake's links and the ground, on wheels and without.
// clang-format off
#include "at_wheels.h"
#include "at_feet.h"
// clang-format on
