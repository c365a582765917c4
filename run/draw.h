// Random states, the same on every machine.
#ifndef FA_DRAW_H
#define FA_DRAW_H

#include <stdint.h>

#include "robot.h"

double fa_draw_between(uint64_t *seed, double low, double high);

// Draws a value for each free joint, within its limits; a joint without limits varies by half a
// turn or a metre to both sides.
void fa_draw_pose(const fa_robot *robot, uint64_t *seed, double q[]);

#endif
