// The lanes for x86-64 with AVX-512: doubles.
#if defined(__x86_64__) && defined(__clang__)
#pragma clang fp        contract(fast)
#pragma clang attribute push(__attribute__((target("avx2,fma,avx512f,avx512vl,avx512dq"))),        \
                             apply_to = function)
#elif defined(__x86_64__) && defined(__GNUC__)
#pragma GCC optimize("fp-contract=fast", "no-tree-vectorize", "no-math-errno")
#pragma GCC target("avx2,fma,avx512f,avx512vl,avx512dq")
#endif

#include "lane_kernels.h"

#if FA_LANES_X86
#define FA_LANES         FA_FAST_WIDE_AVX512
#define KERNEL(name)     fa_lanes_avx512_##name
#define FA_LANES_COMPUTE // lane_states.h
#include "lane_kernel.h"
#else
typedef int fa_lanes_avx512_is_empty;
#endif

#if defined(__x86_64__) && defined(__clang__)
#pragma clang attribute pop
#endif
