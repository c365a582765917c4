// The functions of one kernel, for the instruction set of the including file. KERNEL(name) is the
// name of a function in this kernel.
#ifndef FA_LANE_KERNEL_H
#define FA_LANE_KERNEL_H

#include "lane_motions.h"
#include "lane_states.h"
#include "lane_steps.h"

#endif
