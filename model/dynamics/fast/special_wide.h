// Frame of generated code for a batch, with a state in each lane; special_kernel.h is the one for a
// single state. Included by the generated file once for each instruction set, with KERNEL and WIDE
// as in fast_wide.h.
#include "fast_wide.h"

// Sines and cosines of the joints that turn; true in lanes where no angle is too large for that.
ALWAYS wide_bits KERNEL(turned)(const int n, const double turns[], const wide q[], wide sine[],
                                wide cosine[])
{
    wide_bits near = (wide_bits)(ALL_LANES(0.0) == 0);
    UNROLLED
    for (int i = 0; i < n; i++) {
        sine[i] = cosine[i] = ALL_LANES(0.0);
        if (turns[i] == 0) continue;
        near &= (wide_bits)(q[i] < FA_SINCOS_MAX) & (wide_bits)(q[i] > -FA_SINCOS_MAX);
        KERNEL(sincos)(q[i], &sine[i], &cosine[i]);
    }
    return near;
}

// Returns the lanes with no pivot below the general method's threshold (FA_FAST_WEAK) and finite
// results.
ALWAYS wide_bits KERNEL(sound)(const int n, const wide lost[], const wide result[])
{
    wide_bits sound = (wide_bits)(ALL_LANES(0.0) == 0);
    wide      lost_all = ALL_LANES(0.0), none = ALL_LANES(0.0);
    UNROLLED
    for (int i = 0; i < n; i++) {
        sound &= (wide_bits)(lost[i] > 0);
        lost_all += lost[i];
        none += 0 * result[i];
    }
    return sound & (wide_bits)(lost_all < 1 / FA_FAST_WEAK) & (wide_bits)(none == 0);
}
