// The kernel for x86-64 with AVX-512: still four numbers at once, in twice as many registers, and
// operands of one number for all four. The bits of fused arithmetic are the compiler's.
#if defined(__x86_64__) && defined(__clang__)
#pragma clang fp        contract(fast)
#pragma clang attribute push(__attribute__((target("avx2,fma,avx512f,avx512vl,avx512dq"))),        \
                             apply_to = function)
#elif defined(__x86_64__) && defined(__GNUC__)
#pragma GCC optimize("fp-contract=fast", "no-tree-vectorize") // that is done by hand
#pragma GCC target("avx2,fma,avx512f,avx512vl,avx512dq")
#endif

#include "fast_kernels.h"

#if FA_FAST_X86
#define KERNEL(name)         fa_fast_avx512_##name
#define COMPOSITE_LENGTHS(X) X(5) X(6) X(7)
#define TURNING
#define REST(name) fa_fast_fused_##name
#define WIDE       FA_FAST_WIDE_AVX512
#include "fast_kernel.h"
#else
typedef int fa_fast_avx512_is_empty;
#endif

#if defined(__x86_64__) && defined(__clang__)
#pragma clang attribute pop
#endif
