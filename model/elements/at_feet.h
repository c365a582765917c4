// Laws of the ground on which a snake slides.
// clang-format off
#include "viscous_ground.h"
#include "coulomb_ground.h"
#include "wheel_ground.h"
// clang-format on
