// Sine and cosine together, inline, for recursions that need one after the other: with it the
// snake's O(n) method takes two thirds of the time that it takes with the C library's. Errors stay
// below one unit in the last place (0.8 measured by tests/model/maths/test_sincos.c). Every
// platform computes the same bits, while the C libraries differ.
//
// The angle's nearest multiple of pi/2 is subtracted with pi/2 in three parts (Cody and Waite), and
// two polynomials (the coefficients are fdlibm's, kernel sin and cos on +-pi/4) do the rest. Beyond
// FA_SINCOS_MAX, where that subtraction loses digits, and for what is not a number, the library's.
#ifndef FA_SINCOS_H
#define FA_SINCOS_H

#include <math.h>
#include <stdint.h>
#include <string.h>

#define FA_SINCOS_MAX 1e5 // [rad]

// For |x| < FA_SINCOS_MAX: sine and cosine of x less a multiple of pi/2, and in the low bits of
// *shifted which multiple that is.
static inline void fa_sincos_reduced(double x, double *shifted, double *sine, double *cosine)
{
    // Adding 1.5 * 2^52 rounds to an integer and leaves it in the low bits.
    const double shift = 0x1.8p52;
    *shifted = x * 0x1.45f306dc9c883p-1 + shift;
    const double turns = *shifted - shift;

    // r + tail = x - turns * pi/2. The first two parts of pi/2 have 33 bits, so that their products
    // with up to 16 bits of `turns` are exact.
    const double near = x - turns * 0x1.921fb544p+0;
    const double second_part = turns * 0x1.0b4611a6p-34;
    const double r = near - second_part;
    const double tail = ((near - r) - second_part) - turns * 0x1.3198a2e037073p-69;

    const double z = r * r, half = 0.5 * z, most = 1 - half;
    const double S = -0x1.5555555555549p-3 +
                     z * (0x1.111111110f8a6p-7 +
                          z * (-0x1.a01a019c161d5p-13 +
                               z * (0x1.71de357b1fe7dp-19 +
                                    z * (-0x1.ae5e68a2b9cebp-26 + z * 0x1.5d93a5acfd57cp-33))));
    const double C = 0x1.555555555554cp-5 +
                     z * (-0x1.6c16c16c15177p-10 +
                          z * (0x1.a01a019cb1590p-16 +
                               z * (-0x1.27e4f809c52adp-22 +
                                    z * (0x1.1ee9ebdb4b1c4p-29 + z * -0x1.8fae9be8838d4p-37))));
    *sine = r + (r * z * S + tail * most);
    *cosine = most + (((1 - most) - half) + (z * z * C - r * tail));
}

static inline void fa_sincos(double x, double *sine, double *cosine)
{
    if (!(fabs(x) < FA_SINCOS_MAX)) {
        *sine = sin(x);
        *cosine = cos(x);
        return;
    }
    double   shifted, s, c;
    uint64_t quadrant;
    fa_sincos_reduced(x, &shifted, &s, &c);
    memcpy(&quadrant, &shifted, sizeof quadrant);
    const double first = quadrant & 1 ? c : s, second = quadrant & 1 ? s : c;
    *sine = quadrant & 2 ? -first : first;
    *cosine = (quadrant + 1) & 2 ? -second : second;
}

// The same of eight angles, to the same bits, in half the time: without branches, and with the
// quadrants' choices made on bits, the compiler does two or four of them at once.
static inline void fa_sincos_eight(const double x[8], double sine[8], double cosine[8])
{
    double   shifted[8], s[8], c[8], most = 0;
    uint64_t quadrant[8], sine_bits[8], cosine_bits[8];
    for (int i = 0; i < 8; i++) most += fabs(x[i]); // as much as any of them
    if (!(most < FA_SINCOS_MAX)) {
        for (int i = 0; i < 8; i++) fa_sincos(x[i], &sine[i], &cosine[i]);
        return;
    }
    for (int i = 0; i < 8; i++) fa_sincos_reduced(x[i], &shifted[i], &s[i], &c[i]);
    memcpy(quadrant, shifted, sizeof quadrant);
    memcpy(sine_bits, s, sizeof sine_bits);
    memcpy(cosine_bits, c, sizeof cosine_bits);
    for (int i = 0; i < 8; i++) {
        const uint64_t swap = 0 - (quadrant[i] & 1); // all bits or none
        const uint64_t first = (cosine_bits[i] & swap) | (sine_bits[i] & ~swap);
        const uint64_t second = (sine_bits[i] & swap) | (cosine_bits[i] & ~swap);
        sine_bits[i] = first ^ (quadrant[i] & 2) << 62;
        cosine_bits[i] = second ^ ((quadrant[i] + 1) & 2) << 62;
    }
    memcpy(sine, sine_bits, sizeof sine_bits);
    memcpy(cosine, cosine_bits, sizeof cosine_bits);
}

#endif
