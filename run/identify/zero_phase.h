// Zero-phase low-pass filter (Butterworth, order 4, forwards and backwards) of equally sampled
// signals, and the frequency below which nearly all power of a signal lies.
#ifndef FA_ZERO_PHASE_H
#define FA_ZERO_PHASE_H

#include <stdbool.h>
#include <stddef.h>

// Filters in place: n > 1 numbers at stride `apart`; `cutoff` below half of the sampling rate.
// scratch: n + 2 pad numbers, pad = fa_zero_phase_pad.
size_t fa_zero_phase_pad(size_t n, double step, double cutoff);
void   fa_zero_phase(size_t n, size_t apart, double step, double cutoff, double x[],
                     double scratch[]);

// Returns the frequency below which `share` of the power of x lies, without its mean [1/s].
// scratch: four times the power of two that is not below n.
double fa_power_below(size_t n, const double x[], double step, double share, double scratch[]);

#endif
