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

ALWAYS void quad_store_some(double *to, quad v, int n)
{
    if (n >= 4)
        quad_store(to, v);
    else
        memcpy(to, &v, n > 0 ? (size_t)n * sizeof *to : 0);
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

// Running sums that go on with what other groups of lanes came to: in all lanes of *before, which
// then is the last of them, or of *beyond, which then is the first.
ALWAYS quad quad_sums_after(quad v, quad *before)
{
    v = quad_sums(v) + *before;
    *before = quad_last(v);
    return v;
}

ALWAYS quad quad_sums_on(quad v, quad *beyond)
{
    v = quad_sums_back(v) + *beyond;
    *beyond = quad_first(v);
    return v;
}

// --------------------------------------------------------------------- four vectors, one per lane

#define NUMBERS   quad
#define TRIPLE    quad3
#define SYMMETRIC quad_sym3
#include "fast_triples.h"
#undef NUMBERS

ALWAYS quad3 quad3_sub(quad3 a, quad3 b)
{
    return (quad3){a.x - b.x, a.y - b.y, a.z - b.z};
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

ALWAYS quad3 quad3_sums_after(quad3 v, quad3 *before)
{
    return (quad3){quad_sums_after(v.x, &before->x), quad_sums_after(v.y, &before->y),
                   quad_sums_after(v.z, &before->z)};
}

ALWAYS quad3 quad3_sums_on(quad3 v, quad3 *beyond)
{
    return (quad3){quad_sums_on(v.x, &beyond->x), quad_sums_on(v.y, &beyond->y),
                   quad_sums_on(v.z, &beyond->z)};
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

#define SINCOS  quad_sincos
#define NUMBERS quad
#define BITS    quad_bits
#include "fast_sincos.h"

#endif
