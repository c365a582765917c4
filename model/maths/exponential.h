// Exponential and natural logarithm of the hydraulics, inline, so that every platform computes the
// same bits: the C libraries' differ. Errors stay below three units in the last place
// (tests/model/maths/test_exponential.c).
//
// exp x = 2^k exp r, where the rest r of x after k times ln 2 is at most half of ln 2; by its
// series. log x = e ln 2 + log m with m between 1/sqrt 2 and sqrt 2, and log m = 2 artanh s,
// s = (m - 1) / (m + 1), by its series.
#ifndef FA_EXPONENTIAL_H
#define FA_EXPONENTIAL_H

#include <math.h>

#define FA_EXP_MOST  709.0  // beyond, the result is taken as infinite …
#define FA_EXP_LEAST -708.0 // … or as zero: below it are numbers without all their digits

// ln 2 in two parts; the first has 32 bits, so that its product with an exponent is exact.
#define FA_LN2_HIGH 0x1.62e42feep-1
#define FA_LN2_LOW  0x1.a39ef35793c76p-33

static inline double fa_exp(double x)
{
    if (isnan(x)) return x;
    if (x > FA_EXP_MOST) return INFINITY;
    if (x < FA_EXP_LEAST) return 0;
    const double k = floor(x * 0x1.71547652b82fep+0 + 0.5);
    const double r = (x - k * FA_LN2_HIGH) - k * FA_LN2_LOW;
    // r^n / n! up to n = 14: the next one is below 1e-18 of the first.
    double series = 1.0 / 14;
    for (int n = 13; n >= 2; n--) series = (1 + r * series) / n;
    return ldexp(1 + (r + r * r * series), (int)k);
}

// For x > 0; not a number elsewhere.
static inline double fa_ln(double x)
{
    if (!(x > 0)) return NAN;
    if (isinf(x)) return x;
    int    e;
    double m = frexp(x, &e);
    if (m < 0x1.6a09e667f3bcdp-1) {
        m *= 2;
        e--;
    }
    const double s = (m - 1) / (m + 1), z = s * s;
    // s^2 is at most 0.0295: the first term left out is below 1e-19 of the first.
    double series = 1.0 / 23;
    for (int n = 21; n >= 3; n -= 2) series = 1.0 / n + z * series;
    return e * FA_LN2_HIGH + (2 * s + (2 * s * z * series + e * FA_LN2_LOW));
}

#endif
