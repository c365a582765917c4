// The lanes for processors without vector extensions: doubles.
#if defined(__clang__)
#pragma clang fp contract(off)
#elif defined(__GNUC__)
#pragma GCC optimize("no-tree-vectorize", "no-math-errno")
#endif

#include "lane_kernels.h"

#if FA_FAST_LANES
#define FA_LANES     FA_FAST_WIDE_PLAIN
#define KERNEL(name) fa_lanes_plain_##name
#include "lane_kernel.h"
#else
typedef int fa_lanes_plain_is_empty;
#endif
