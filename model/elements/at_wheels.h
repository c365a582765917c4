// Elements that stand at the wheels of a snake.
// clang-format off
#include "wheel.h"
#include "grip.h"
// clang-format on
