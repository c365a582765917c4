// The functions behind the table of kernels in fast.c. Everybody else reads the table.
#ifndef FA_FAST_KERNELS_H
#define FA_FAST_KERNELS_H

#include "fast.h"

#if FA_FAST_LANES && defined(__x86_64__)
#define FA_FAST_X86 1
#elif FA_FAST_LANES && defined(__aarch64__)
#define FA_FAST_ARM 1
#endif
#ifndef FA_FAST_X86
#define FA_FAST_X86 0
#endif
#ifndef FA_FAST_ARM
#define FA_FAST_ARM 0
#endif

fa_fast_fn fa_fast_plain_articulated, fa_fast_avx2_articulated;
fa_fast_fn fa_fast_fused_articulated, fa_fast_avx512_articulated;

fa_fast_fn           fa_fast_fused_composite, fa_fast_avx512_composite;
fa_fast_jacobians_fn fa_fast_fused_jacobians;

fa_fast_states_fn fa_fast_plain_states, fa_fast_avx2_states, fa_fast_fused_states;
fa_fast_states_fn fa_fast_avx512_states;

#endif
