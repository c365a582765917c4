// The kernel for processors that multiply and add in one rounding: x86-64 with AVX2 and FMA, 64-bit
// ARM. The fastest, with bits of its own.
#if defined(__clang__)
#pragma clang fp contract(fast)
#if defined(__x86_64__)
#pragma clang attribute push(__attribute__((target("avx2,fma"))), apply_to = function)
#endif
#elif defined(__GNUC__)
#pragma GCC optimize("fp-contract=fast", "no-tree-vectorize") // that is done by hand
#if defined(__x86_64__)
#pragma GCC target("avx2,fma")
#endif
#endif

#include "fast_kernels.h"

#if FA_FAST_X86 || FA_FAST_ARM
#define KERNEL(name)         fa_fast_fused_##name
#define COMPOSITE_LENGTHS(X) X(3) X(4) X(5) X(6) X(7)
#define JACOBIAN_LENGTHS(X)  X(6) X(7)
#define TURNING
#if FA_FAST_X86
#define WIDE FA_FAST_WIDE_AVX2
#else
#define WIDE FA_FAST_WIDE_PLAIN
#endif
#include "fast_kernel.h"
#else
typedef int fa_fast_fused_is_empty;
#endif

#if defined(__x86_64__) && defined(__clang__)
#pragma clang attribute pop
#endif
