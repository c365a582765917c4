// Vectors of three numbers in SIMD lanes, and masks beyond real.h.
#ifndef FA_LANE_VECTORS_H
#define FA_LANE_VECTORS_H

#include <stdint.h>
#include <string.h>

#include "real.h"
#include "spatial.h"

typedef FA_LANE_FLOAT lane_float;
typedef FA_LANE_INT   lane_int;

#ifdef __clang__
#define LANES_UNROLLED _Pragma("clang loop unroll(full)")
#pragma clang diagnostic ignored "-Wpass-failed" // loops that cannot be unrolled
#pragma clang diagnostic ignored "-Wpsabi"       // vectors as arguments: all functions are inlined
#else
#define LANES_UNROLLED _Pragma("GCC unroll 16")
#pragma GCC diagnostic ignored "-Wpsabi" // vectors as arguments: all functions are inlined
#endif

#define NUMBERS   real
#define TRIPLE    real3
#define SYMMETRIC real_sym3
#define ALWAYS    FA_INLINED
#include "fast_triples.h"
#undef ALWAYS
#undef NUMBERS

// Masks of all lanes, and of no lane.
FA_INLINED mask lane_all(void)
{
    const real none = num(0);
    return none == none;
}

FA_INLINED bool lane_any(mask where_)
{
    lane_int any = 0;
    for (int i = 0; i < FA_LANES; i++) any |= where_[i];
    return any != 0;
}

FA_INLINED void set_lane(real *x, int lane, double value)
{
    (*x)[lane] = (lane_float)value;
}

// Sine and cosine of angles below LANE_ANGLE_MAX. Doubles use fast_sincos.h; floats use the
// reduction by three parts of pi/2 with the polynomials of Cephes' sinf and cosf.
#define LANE_ANGLE_MAX OF_LANES(2e3, FA_SINCOS_MAX)

FA_INLINED void lane_sincos(real x, real *sine, real *cosine)
{
    const lane_float shift = LANE_SHIFT;
    const real       shifted = x * OF_LANES(0x1.45f306dc9c883p-1, 0x1.45f306dc9c883p-1) + shift;
    const real       turns = shifted - shift;
    const mask       quadrant = (mask)shifted;
    real             s, c;
    if (LANES_ARE_FLOATS) {
        const real near = (x - turns * (lane_float)0x1.92p+0) - turns * (lane_float)0x1.fb4p-12;
        const real r = near - turns * (lane_float)0x1.4442d2p-24, z = r * r;
        const real S = (lane_float)-1.6666654611e-1 +
                       z * ((lane_float)8.3321608736e-3 + z * (lane_float)-1.9515295891e-4);
        const real C =
            (lane_float)4.166664568298827e-2 +
            z * ((lane_float)-1.388731625493765e-3 + z * (lane_float)2.443315711809948e-5);
        s = r + r * z * S;
        c = (1 - (lane_float)0.5 * z) + z * z * C;
    } else {
        const real near = x - turns * (lane_float)0x1.921fb544p+0;
        const real second_part = turns * (lane_float)0x1.0b4611a6p-34;
        const real r = near - second_part;
        const real tail = ((near - r) - second_part) - turns * (lane_float)0x1.3198a2e037073p-69;
        const real z = r * r, z2 = z * z, half = (lane_float)0.5 * z, most = 1 - half;
        const real S =
            ((lane_float)-0x1.5555555555549p-3 + z * (lane_float)0x1.111111110f8a6p-7) +
            z2 *
                (((lane_float)-0x1.a01a019c161d5p-13 + z * (lane_float)0x1.71de357b1fe7dp-19) +
                 z2 * ((lane_float)-0x1.ae5e68a2b9cebp-26 + z * (lane_float)0x1.5d93a5acfd57cp-33));
        const real C =
            ((lane_float)0x1.555555555554cp-5 + z * (lane_float)-0x1.6c16c16c15177p-10) +
            z2 *
                (((lane_float)0x1.a01a019cb1590p-16 + z * (lane_float)-0x1.27e4f809c52adp-22) +
                 z2 * ((lane_float)0x1.1ee9ebdb4b1c4p-29 + z * (lane_float)-0x1.8fae9be8838d4p-37));
        s = r + (r * z * S + tail * most);
        c = most + (((1 - most) - half) + (z2 * C - r * tail));
    }
    const int  top = 8 * (int)sizeof(lane_float) - 2;
    const mask odd = -(quadrant & 1);
    const mask first = ((mask)c & odd) | ((mask)s & ~odd);
    const mask second = ((mask)s & odd) | ((mask)c & ~odd);
    *sine = (real)(first ^ ((quadrant & 2) << top));
    *cosine = (real)(second ^ (((quadrant + 1) & 2) << top));
}

#endif
