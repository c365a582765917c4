// Many states at once: which function of which kernel. A file and a table of its own, so that FMUs,
// which have one state, are without them.
#include "fast_kernels.h"

// Entry points of each kernel, in the order of fa_fast_kernels.
static const struct many_states {
    fa_fast_states_fn *forward; // of chains that the composite takes
    int                lanes;
} many_states[] = {
#if FA_FAST_LANES
    {fa_fast_plain_states, FA_FAST_WIDE_PLAIN},
#endif
#if FA_FAST_X86
    {fa_fast_avx2_states, FA_FAST_WIDE_AVX2},
    {fa_fast_fused_states, FA_FAST_WIDE_AVX2},
    {fa_fast_avx512_states, FA_FAST_WIDE_AVX512},
#elif FA_FAST_ARM
    {fa_fast_fused_states, FA_FAST_WIDE_PLAIN},
#endif
    {NULL, 1},
};

bool fa_fast_takes_states(const fa_fast *fast)
{
    return fa_fast_kernel_count > 0 && fast->n > 0 &&
           (fast->special || (!fast->branched && fast->n <= FA_FAST_COMPOSITE_MAX));
}

int fa_fast_lanes(const fa_fast *fast)
{
    if (!fast->special) return many_states[fast->kernel].lanes;
    return fast->special->states[fa_fast_kernels[fast->kernel].special].lanes;
}

unsigned fa_fast_states(const fa_fast *fast, const double q[], const double qd[],
                        const double tau[], double qdd[])
{
    const int special = fa_fast_kernels[fast->kernel].special;
    if (fast->special) return fast->special->states[special].forward(fast->block, q, qd, tau, qdd);
    return many_states[fast->kernel].forward(fast, q, qd, tau, qdd);
}
