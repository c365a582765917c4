// The kernel for every processor of its kind: SSE2 on x86-64, NEON on 64-bit ARM. Products and sums
// are rounded one after the other, so that all platforms give the same bits.
#if defined(__clang__)
#pragma clang fp contract(off)
#elif defined(__GNUC__)
// Vectors by hand. gcc takes vectors of four apart where the processor has none; what it then puts
// into another order takes a quarter more time.
#pragma GCC optimize("no-tree-vectorize", "no-schedule-insns2")
#endif

#include "fast_kernels.h"

#if FA_FAST_LANES
#define KERNEL(name) fa_fast_plain_##name
#define WIDE         FA_FAST_WIDE_PLAIN
#include "fast_kernel.h"
#else
typedef int fa_fast_plain_is_empty;
#endif
