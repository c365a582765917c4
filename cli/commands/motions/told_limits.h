// Prints the plant's warnings after a motion, and those about joint limits.
#ifndef FA_TOLD_LIMITS_H
#define FA_TOLD_LIMITS_H

#include "left_limits.h"
#include "state.h"

// Warns of each joint outside its limits: which, when and by how much.
void fa_limits_tell(const fa_limits *limits, const char *file);

// Prints the plant's warnings about the motion so far, such as a dead point nearby.
void fa_plant_tell(const fa_state *state, const char *file);

#endif
