// States drawn at random, the same on every machine.
#ifndef FA_DRAW_H
#define FA_DRAW_H

#include <stdint.h>

#include "robot.h"

double fa_draw_between(uint64_t *seed, double low, double high);

// A value for each free joint, within its limits, or within half a turn or a metre to both sides
// where there are none.
void fa_draw_pose(const fa_robot *robot, uint64_t *seed, double q[]);

#endif
