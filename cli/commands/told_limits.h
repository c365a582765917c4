// Warnings of joints that have left their limits.
#ifndef FA_TOLD_LIMITS_H
#define FA_TOLD_LIMITS_H

#include "left_limits.h"

// Warns of each of them: which, when and by how much.
void fa_limits_tell(const fa_limits *limits, const char *file);

#endif
