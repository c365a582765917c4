// The lanes for x86-64 with AVX2, whose bits are those of lanes_plain.c: doubles.
#if defined(__x86_64__) && defined(__clang__)
#pragma clang fp        contract(off)
#pragma clang attribute push(__attribute__((target("avx2"))), apply_to = function)
#elif defined(__x86_64__) && defined(__GNUC__)
#pragma GCC optimize("no-tree-vectorize", "no-math-errno")
#pragma GCC target("avx2")
#endif

#include "lane_kernels.h"

#if FA_LANES_X86
#define FA_LANES     FA_FAST_WIDE_AVX2
#define KERNEL(name) fa_lanes_avx2_##name
#include "lane_kernel.h"
#else
typedef int fa_lanes_avx2_is_empty;
#endif

#if defined(__x86_64__) && defined(__clang__)
#pragma clang attribute pop
#endif
