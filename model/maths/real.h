// Defines `real` for the including file: double, or a vector of doubles or floats with one state or
// one joint in each lane; and the functions that laws use beside operators.
//
//     -DFA_LANES=1          double, plain C99; every compiler can (the FMU, sources in FMUs)
//     -DFA_LANES=4 or 8 …   vectors of so many FA_LANE_FLOATs, by gcc's and clang's extension
//
// A lane gives the bits that double gives: the tests hold it to that. A compiler of vectors needs
// -fno-math-errno, or roots in lanes are calls.
#ifndef FA_REAL_H
#define FA_REAL_H

#include <math.h>
#include <stdbool.h>
#include <stdint.h>

#include "exponential.h"
#include "points.h"
#include "sincos.h"
#include "tanh.h"

#ifndef FA_LANES
#define FA_LANES 1
#endif
#ifndef FA_LANE_FLOAT
#define FA_LANE_FLOAT double
#endif

// Laws and their derivatives are inlined always: results that nobody takes then cost nothing.
#ifndef FA_INLINED
#ifdef __GNUC__
#define FA_INLINED static inline __attribute__((always_inline))
#else
#define FA_INLINED static inline
#endif
#endif

// A function that is not inlined.
#ifdef __GNUC__
#define FA_APART static __attribute__((noinline))
#else
#define FA_APART static
#endif

#if FA_LANES == 1

typedef FA_LANE_FLOAT real;
typedef int           mask;
#define num(x) ((real)(x))

FA_INLINED real where(mask m, real a, real b)
{
    return m ? a : b;
}
FA_INLINED real real_abs(real x)
{
    return fabs(x);
}
FA_INLINED real real_min(real a, real b)
{
    return a < b ? a : b;
}
FA_INLINED real real_max(real a, real b)
{
    return a > b ? a : b;
}
// For size >= 0.
FA_INLINED real with_sign(real size, real sign)
{
    return copysign(size, sign);
}
FA_INLINED real real_sqrt(real x)
{
    return sqrt(x);
}
FA_INLINED real real_tanh(real x)
{
    return fa_tanh(x);
}
FA_INLINED real real_exp(real x)
{
    return fa_exp(x);
}
FA_INLINED real real_log(real x)
{
    return fa_ln(x);
}
FA_INLINED real real_sin(real x)
{
    double s, c;
    fa_sincos(x, &s, &c);
    return s;
}
FA_INLINED real real_cos(real x)
{
    double s, c;
    fa_sincos(x, &s, &c);
    return c;
}
FA_INLINED real table(const fa_points *points, real x)
{
    return fa_points_at(points, 0, x);
}
FA_INLINED real table_adjoint(const fa_points *points, real x)
{
    return fa_points_at(points, 1, x);
}
FA_INLINED real table_bend(const fa_points *points, real x)
{
    return fa_points_at(points, 2, x);
}
FA_INLINED void put_lane(real *x, int lane, double value)
{
    (void)lane;
    *x = value;
}
FA_INLINED double lane_of(const real *x, int lane)
{
    (void)lane;
    return *x;
}

#else
#include "real_lanes.h"
#endif
#endif
