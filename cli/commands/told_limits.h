// Warnings of joints that have left their limits, and of what else the plant has found.
#ifndef FA_TOLD_LIMITS_H
#define FA_TOLD_LIMITS_H

#include "left_limits.h"
#include "state.h"

// Warns of each of them: which, when and by how much.
void fa_limits_tell(const fa_limits *limits, const char *file);

// What the plant of a state has to say of the motion behind it, such as a dead point that was near.
void fa_plant_tell(const fa_state *state, const char *file);

#endif
