// The angle of a vector, inline, so that every platform computes the same bits: the C libraries'
// atan2 differ. Errors stay below three units in the last place (tests/model/maths/test_arctan.c).
//
// atan t, for t from 0 to 1, is atan c + atan u with the nearest eighth c and u = (t - c) / (1 + t
// c) of at most a sixteenth, whose series is short. Vectors of other octants are mirrored into the
// first.
#ifndef FA_ARCTAN_H
#define FA_ARCTAN_H

#include <math.h>

// For t from 0 to 1.
static inline double fa_arctan_first(double t)
{
    static const double eighths[] = {0x0.0p+0,
                                     0x1.fd5ba9aac2f6ep-4,
                                     0x1.f5b75f92c80ddp-3,
                                     0x1.6f61941e4def1p-2,
                                     0x1.dac670561bb4fp-2,
                                     0x1.1e00babdefeb4p-1,
                                     0x1.4978fa3269ee1p-1,
                                     0x1.700a7c5784634p-1,
                                     0x1.921fb54442d18p-1}; // atan(i / 8)
    const int           i = (int)(8 * t + 0.5);
    const double        c = 0.125 * i;
    const double        u = (t - c) / (1 + t * c), v = u * u;
    // u - u^3/3 + …: after u^13/13 the next term is below 1e-18 of the first.
    double series = 1.0 / 13;
    for (int n = 11; n >= 3; n -= 2) series = 1.0 / n - v * series;
    return eighths[i] + (u - u * v * series);
}

// From -pi to pi, as atan2: with y and x zero, or one of them, by their signs.
static inline double fa_atan2(double y, double x)
{
    if (isnan(x) || isnan(y) || (isinf(x) && isinf(y))) return x + y - (x + y); // no direction
    const double half = 0x1.921fb54442d18p+0, rest = 0x1.1a62633145c07p-54;     // of pi
    const double across = fabs(y), along = fabs(x);
    double       angle;
    if (across == 0 && along == 0)
        angle = 0;
    else if (across <= along)
        angle = fa_arctan_first(across / along);
    else
        angle = half - (fa_arctan_first(along / across) - rest);
    if (x < 0 || (signbit(x) && across == 0)) angle = 2 * half - (angle - 2 * rest);
    return copysign(angle, y);
}

#endif
