// The hyperbolic tangent of smooth friction, inline, so that every platform computes the same bits:
// the C libraries' differ. Errors stay below three units in the last place
// (tests/model/maths/test_tanh.c).
//
// tanh x = t / (t + 2) with t = exp(2x) - 1. For t, 2x is a multiple k of ln 2 and a rest r of at
// most half of that: exp(r) - 1 by its series, and t = 2^k (exp(r) - 1) + (2^k - 1).
#ifndef FA_TANH_H
#define FA_TANH_H

#include <math.h>

#define FA_TANH_ONE 22.0 // from here on, tanh is 1 to the last place

static inline double fa_tanh(double x)
{
    const double size = fabs(x);
    if (!(size < FA_TANH_ONE)) return isnan(x) ? x : copysign(1, x);
    const double y = 2 * size;
    const double k = floor(y * 0x1.71547652b82fep+0 + 0.5);
    // ln 2 in two parts; the first has 32 bits, so that its product with k is exact.
    const double r = (y - k * 0x1.62e42feep-1) - k * 0x1.a39ef35793c76p-33;
    // r^n / n! up to n = 14: the next one is below 1e-18 of the first.
    // By products with 1/n: thirteen divisions in a row would wait for each other.
    double series = 1.0 / 14;
#define TERM(n) series = (1 + r * series) * (1.0 / (n))
    TERM(13), TERM(12), TERM(11), TERM(10), TERM(9), TERM(8);
    TERM(7), TERM(6), TERM(5), TERM(4), TERM(3), TERM(2);
#undef TERM
    const double rest = r + r * r * series;
    const double power = ldexp(1, (int)k);
    const double t = power * rest + (power - 1);
    return copysign(t / (t + 2), x);
}

#endif
