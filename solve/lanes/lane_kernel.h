// The lanes of one kernel, for the processor that the including file compiles for; KERNEL(name) is
// what a function is called in this kernel.
#ifndef FA_LANE_KERNEL_H
#define FA_LANE_KERNEL_H

#include "lane_motions.h"
#include "lane_steps.h"

#endif
