// The lanes for processors without vector extensions: floats.
#if defined(__clang__)
#pragma clang fp contract(off)
#elif defined(__GNUC__)
#pragma GCC optimize("no-tree-vectorize", "no-math-errno")
#endif

#include "lane_kernels.h"

#if FA_FAST_LANES
#define FA_LANES      4
#define FA_LANE_FLOAT float
#define FA_LANE_INT   int32_t
#define KERNEL(name)  fa_lanes_plain_floats_##name
#include "lane_kernel.h"
#else
typedef int fa_lanes_plain_floats_is_empty;
#endif
