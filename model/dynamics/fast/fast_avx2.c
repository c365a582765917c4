// The kernel for x86-64 with AVX2: the same bits as the plain one, four numbers in one register.
#if defined(__x86_64__) && defined(__clang__)
#pragma clang fp        contract(off)
#pragma clang attribute push(__attribute__((target("avx2"))), apply_to = function)
#elif defined(__x86_64__) && defined(__GNUC__)
#pragma GCC optimize("no-tree-vectorize") // what is worth it is done by hand
#pragma GCC target("avx2")
#endif

#include "fast_kernels.h"

#if FA_FAST_X86
#define KERNEL(name) fa_fast_avx2_##name
#define TURNING
#define WIDE FA_FAST_WIDE_AVX2
#include "fast_kernel.h"
#else
typedef int fa_fast_avx2_is_empty;
#endif

#if defined(__x86_64__) && defined(__clang__)
#pragma clang attribute pop
#endif
