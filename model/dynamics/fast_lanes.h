// Four numbers at once, with the vector extensions of gcc and clang: one source for SSE2, AVX2 and
// NEON. A compiler without them (FA_FAST_LANES is 0) leaves the readable methods.
//
// A file that includes this says before it for which processor it is compiled, so nothing here may
// be seen by two files as one: everything is static and inlined.
#ifndef FA_FAST_LANES_H
#define FA_FAST_LANES_H

#include <stdint.h>
#include <string.h>

#include "spatial.h"

#define ALWAYS static inline __attribute__((always_inline))

// Loops of a known number of turns, written out.
#ifdef __clang__
#define UNROLLED _Pragma("clang loop unroll(full)")
#pragma clang diagnostic ignored "-Wpass-failed" // of loops whose turns are not known after all
#pragma clang diagnostic ignored "-Wpsabi"       // of vectors as arguments: all are inlined
#else
#define UNROLLED _Pragma("GCC unroll 16")
#pragma GCC diagnostic ignored "-Wpsabi" // of vectors as arguments: all are inlined
#endif

typedef double  quad __attribute__((vector_size(32)));
typedef int64_t quad_bits __attribute__((vector_size(32)));

// The lanes i, j, k, l of the eight that a and b have together.
#ifdef __clang__
#define LANES(a, b, i, j, k, l) __builtin_shufflevector(a, b, i, j, k, l)
#else
#define LANES(a, b, i, j, k, l) __builtin_shuffle(a, b, (quad_bits){i, j, k, l})
#endif

ALWAYS quad quad_load(const double *from)
{
    quad v;
    memcpy(&v, from, sizeof v);
    return v;
}

ALWAYS void quad_store(double *to, quad v)
{
    memcpy(to, &v, sizeof v);
}

// The first n of four numbers, zeros after them.
ALWAYS quad quad_load_some(const double *from, int n)
{
    if (n >= 4) return quad_load(from);
    quad v = {0, 0, 0, 0};
    if (n > 0) v[0] = from[0];
    if (n > 1) v[1] = from[1];
    if (n > 2) v[2] = from[2];
    return v;
}

ALWAYS quad quad_all(double s)
{
    return (quad){s, s, s, s};
}

// Running sums, from the first lane on and from the last lane back.
ALWAYS quad quad_sums(quad v)
{
    const quad zero = {0, 0, 0, 0};
    v += LANES(v, zero, 4, 0, 1, 2);
    return v + LANES(v, zero, 4, 4, 0, 1);
}

ALWAYS quad quad_sums_back(quad v)
{
    const quad zero = {0, 0, 0, 0};
    v += LANES(v, zero, 1, 2, 3, 4);
    return v + LANES(v, zero, 2, 3, 4, 4);
}

ALWAYS quad quad_first(quad v)
{
    return LANES(v, v, 0, 0, 0, 0);
}

ALWAYS quad quad_last(quad v)
{
    return LANES(v, v, 3, 3, 3, 3);
}

// --------------------------------------------------------------------- four vectors, one per lane

typedef struct quad3 {
    quad x, y, z;
} quad3;

typedef struct quad_sym3 {
    quad xx, yy, zz, xy, xz, yz;
} quad_sym3;

ALWAYS quad3 quad3_add(quad3 a, quad3 b)
{
    return (quad3){a.x + b.x, a.y + b.y, a.z + b.z};
}

ALWAYS quad3 quad3_sub(quad3 a, quad3 b)
{
    return (quad3){a.x - b.x, a.y - b.y, a.z - b.z};
}

ALWAYS quad3 quad3_scale(quad s, quad3 a)
{
    return (quad3){s * a.x, s * a.y, s * a.z};
}

ALWAYS quad quad3_dot(quad3 a, quad3 b)
{
    return a.x * b.x + a.y * b.y + a.z * b.z;
}

ALWAYS quad3 quad3_cross(quad3 a, quad3 b)
{
    return (quad3){a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x};
}

ALWAYS quad3 quad_sym3_mul(quad_sym3 A, quad3 v)
{
    return (quad3){A.xx * v.x + A.xy * v.y + A.xz * v.z, A.xy * v.x + A.yy * v.y + A.yz * v.z,
                   A.xz * v.x + A.yz * v.y + A.zz * v.z};
}

ALWAYS quad3 quad3_sums(quad3 v)
{
    return (quad3){quad_sums(v.x), quad_sums(v.y), quad_sums(v.z)};
}

ALWAYS quad3 quad3_sums_back(quad3 v)
{
    return (quad3){quad_sums_back(v.x), quad_sums_back(v.y), quad_sums_back(v.z)};
}

ALWAYS quad3 quad3_first(quad3 v)
{
    return (quad3){quad_first(v.x), quad_first(v.y), quad_first(v.z)};
}

ALWAYS quad3 quad3_last(quad3 v)
{
    return (quad3){quad_last(v.x), quad_last(v.y), quad_last(v.z)};
}

// Three rows of four.
ALWAYS quad3 quad3_load(const double *from)
{
    return (quad3){quad_load(from), quad_load(from + 4), quad_load(from + 8)};
}

// Four vectors, each in the first three lanes of a row of 4 numbers, to one vector in each lane.
ALWAYS quad3 quad3_of_rows(quad a, quad b, quad c, quad d)
{
    const quad ab_xz = LANES(a, b, 0, 4, 2, 6), ab_y = LANES(a, b, 1, 5, 3, 7);
    const quad cd_xz = LANES(c, d, 0, 4, 2, 6), cd_y = LANES(c, d, 1, 5, 3, 7);
    return (quad3){LANES(ab_xz, cd_xz, 0, 1, 4, 5), LANES(ab_y, cd_y, 0, 1, 4, 5),
                   LANES(ab_xz, cd_xz, 2, 3, 6, 7)};
}

// The transpose of four rows of four.
ALWAYS void quad_transpose(quad row[4])
{
    const quad a = LANES(row[0], row[1], 0, 4, 2, 6), b = LANES(row[0], row[1], 1, 5, 3, 7);
    const quad c = LANES(row[2], row[3], 0, 4, 2, 6), d = LANES(row[2], row[3], 1, 5, 3, 7);
    row[0] = LANES(a, c, 0, 1, 4, 5);
    row[1] = LANES(b, d, 0, 1, 4, 5);
    row[2] = LANES(a, c, 2, 3, 6, 7);
    row[3] = LANES(b, d, 2, 3, 6, 7);
}

// ---------------------------------------------------------------------------------------- angles

// As fa_sincos of sincos.h, four at a time, for angles below FA_SINCOS_MAX.
ALWAYS void quad_sincos(quad x, quad *sine, quad *cosine)
{
    const double shift = 0x1.8p52;
    const quad   shifted = x * 0x1.45f306dc9c883p-1 + shift;
    const quad   turns = shifted - shift;
    quad_bits    quadrant;
    memcpy(&quadrant, &shifted, sizeof quadrant);

    const quad near = x - turns * 0x1.921fb544p+0;
    const quad second_part = turns * 0x1.0b4611a6p-34;
    const quad r = near - second_part;
    const quad tail = ((near - r) - second_part) - turns * 0x1.3198a2e037073p-69;

    // The polynomials in pairs of terms, which do not wait for each other.
    const quad z = r * r, z2 = z * z, half = 0.5 * z, most = 1 - half;
    const quad S = (-0x1.5555555555549p-3 + z * 0x1.111111110f8a6p-7) +
                   z2 * ((-0x1.a01a019c161d5p-13 + z * 0x1.71de357b1fe7dp-19) +
                         z2 * (-0x1.ae5e68a2b9cebp-26 + z * 0x1.5d93a5acfd57cp-33));
    const quad C = (0x1.555555555554cp-5 + z * -0x1.6c16c16c15177p-10) +
                   z2 * ((0x1.a01a019cb1590p-16 + z * -0x1.27e4f809c52adp-22) +
                         z2 * (0x1.1ee9ebdb4b1c4p-29 + z * -0x1.8fae9be8838d4p-37));
    const quad s = r + (r * z * S + tail * most);
    const quad c = most + (((1 - most) - half) + (z2 * C - r * tail));

    quad_bits s_bits, c_bits;
    memcpy(&s_bits, &s, sizeof s_bits);
    memcpy(&c_bits, &c, sizeof c_bits);
    const quad_bits odd = -(quadrant & 1);
    const quad_bits first = (c_bits & odd) | (s_bits & ~odd);
    const quad_bits second = (s_bits & odd) | (c_bits & ~odd);
    const quad_bits s_out = first ^ ((quadrant & 2) << 62);
    const quad_bits c_out = second ^ (((quadrant + 1) & 2) << 62);
    memcpy(sine, &s_out, sizeof *sine);
    memcpy(cosine, &c_out, sizeof *cosine);
}

#endif
