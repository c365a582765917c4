// The functions of real.h on vectors of FA_LANES numbers; included by it alone. Each computes what
// its counterpart in double does, operation by operation, and chooses by bits where that branches.

#ifndef FA_LANE_INT
#define FA_LANE_INT int64_t // of the width of FA_LANE_FLOAT: what comparisons give
#endif

typedef FA_LANE_FLOAT real __attribute__((vector_size(FA_LANES * sizeof(FA_LANE_FLOAT))));
typedef FA_LANE_INT   mask __attribute__((vector_size(FA_LANES * sizeof(FA_LANE_FLOAT))));

#define num(x) ((FA_LANE_FLOAT)(x) - (real){0}) // by a difference, which keeps -0

#define LANES_ARE_FLOATS (sizeof(FA_LANE_FLOAT) == 4)
#define OF_LANES(of_float, of_double)                                                              \
    ((FA_LANE_FLOAT)(LANES_ARE_FLOATS ? (double)(of_float) : (of_double)))

FA_INLINED real where(mask m, real a, real b)
{
    return (real)(((mask)a & m) | ((mask)b & ~m));
}
FA_INLINED mask lane_sign_bit(void)
{
    return (mask)num(-0.0);
}
FA_INLINED real real_abs(real x)
{
    return (real)((mask)x & ~lane_sign_bit());
}
// For size >= 0.
FA_INLINED real with_sign(real size, real sign)
{
    return (real)((mask)size | ((mask)sign & lane_sign_bit()));
}
FA_INLINED real real_min(real a, real b)
{
    return where(a < b, a, b);
}
FA_INLINED real real_max(real a, real b)
{
    return where(a > b, a, b);
}
FA_INLINED real real_sqrt(real x)
{
    for (int i = 0; i < FA_LANES; i++) // one instruction
        x[i] = LANES_ARE_FLOATS ? (FA_LANE_FLOAT)sqrtf((float)x[i]) : (FA_LANE_FLOAT)sqrt(x[i]);
    return x;
}

// Adding this to a whole number below 2^51 (floats: 2^22) leaves that number in the low bits.
#define LANE_SHIFT OF_LANES(0x1.8p23, 0x1.8p52)

FA_INLINED real lane_floor(real x)
{
    const real whole = (x + LANE_SHIFT) - LANE_SHIFT;
    return where(whole > x, whole - 1, whole);
}
// 2^k for whole k from -1022 to 1023 (floats: -126 to 127).
FA_INLINED real lane_power_of_two(real k)
{
    const mask bits = (mask)(k + LANE_SHIFT) - (mask)num(LANE_SHIFT);
    return (real)((bits + (LANES_ARE_FLOATS ? 127 : 1023)) << (LANES_ARE_FLOATS ? 23 : 52));
}
FA_INLINED real lane_series_of_exp(real r)
{
    real series = num(1.0 / 14);
    for (int n = 13; n >= 2; n--) series = (1 + r * series) / (FA_LANE_FLOAT)n;
    return series;
}
// The series of fa_tanh.
FA_INLINED real lane_series_of_tanh(real r)
{
    real series = num(1.0 / 14);
#define TERM(n) series = (1 + r * series) * (FA_LANE_FLOAT)(1.0 / (n))
    TERM(13), TERM(12), TERM(11), TERM(10), TERM(9), TERM(8);
    TERM(7), TERM(6), TERM(5), TERM(4), TERM(3), TERM(2);
#undef TERM
    return series;
}
#define LANE_LOG2E    OF_LANES(0x1.715476p+0, 0x1.71547652b82fep+0)
#define LANE_LN2_HIGH OF_LANES(0x1.62ep-1, FA_LN2_HIGH)
#define LANE_LN2_LOW  OF_LANES(0x1.0bfbe8p-15, FA_LN2_LOW)

FA_INLINED real real_tanh(real x)
{
    const real one = num(FA_TANH_ONE), size = real_abs(x), near = where(size < one, size, one);
    const real y = 2 * near, k = lane_floor(y * LANE_LOG2E + (FA_LANE_FLOAT)0.5);
    const real r = (y - k * LANE_LN2_HIGH) - k * LANE_LN2_LOW;
    const real rest = r + r * r * lane_series_of_tanh(r), power = lane_power_of_two(k);
    const real t = power * rest + (power - 1), value = where(size < one, t / (t + 2), num(1));
    return where(x == x, with_sign(value, x), x); // NOLINT(misc-redundant-expression): not of NaN
}
FA_INLINED real real_exp(real x)
{
    const real most = num(OF_LANES(88.0, FA_EXP_MOST)), least = num(OF_LANES(-87.0, FA_EXP_LEAST));
    const real told = where(x == x, x, num(0)); // NOLINT(misc-redundant-expression): not of NaN
    const real in = where(x < least, least, where(x > most, most, told));
    const real k = lane_floor(in * LANE_LOG2E + (FA_LANE_FLOAT)0.5);
    const real r = (in - k * LANE_LN2_HIGH) - k * LANE_LN2_LOW;
    const real value = (1 + (r + r * r * lane_series_of_exp(r))) * lane_power_of_two(k);
    const real known = where(x > most, num(INFINITY), where(x < least, num(0), value));
    return where(x == x, known, x); // NOLINT(misc-redundant-expression): not of NaN
}
FA_INLINED real real_log(real x)
{
    // Small numbers without all their digits are scaled by 2^54 (floats: 2^25) first.
    const int  shift = LANES_ARE_FLOATS ? 23 : 52, bias = LANES_ARE_FLOATS ? 126 : 1022;
    const mask small = x < OF_LANES(0x1p-126, 0x1p-1022), one = -(num(1) == num(1));
    const real big = where(small, x * OF_LANES(0x1p25, 0x1p54), x);
    const mask field = ((mask)big >> shift) - bias - (small & (LANES_ARE_FLOATS ? 25 : 54));
    const mask half = ((mask)big & ((one << shift) - 1)) | (mask)num(0.5);
    real       m = (real)half, e = (real)(field + (mask)num(LANE_SHIFT)) - LANE_SHIFT;
    const mask low = m < (FA_LANE_FLOAT)0x1.6a09e667f3bcdp-1;
    m = where(low, m * 2, m);
    e = where(low, e - 1, e);
    const real s = (m - 1) / (m + 1), z = s * s;
    real       series = num(1.0 / 23);
    for (int n = 21; n >= 3; n -= 2) series = (FA_LANE_FLOAT)1.0 / (FA_LANE_FLOAT)n + z * series;
    const real value = e * LANE_LN2_HIGH + (2 * s + (2 * s * z * series + e * LANE_LN2_LOW));
    return where(x > 0, where(x == num(INFINITY), x, value), num(NAN));
}

// Lane by lane: what only gaits ask for.
FA_INLINED real real_sin(real x)
{
    for (int i = 0; i < FA_LANES; i++) {
        double s, c;
        fa_sincos((double)x[i], &s, &c);
        x[i] = (FA_LANE_FLOAT)s;
    }
    return x;
}
FA_INLINED real real_cos(real x)
{
    for (int i = 0; i < FA_LANES; i++) {
        double s, c;
        fa_sincos((double)x[i], &s, &c);
        x[i] = (FA_LANE_FLOAT)c;
    }
    return x;
}
FA_INLINED real lane_table(const fa_points *points, int order, real x)
{
    for (int i = 0; i < FA_LANES; i++)
        x[i] = (FA_LANE_FLOAT)fa_points_at(points, order, (double)x[i]);
    return x;
}
FA_INLINED real table(const fa_points *points, real x)
{
    return lane_table(points, 0, x);
}
FA_INLINED real table_adjoint(const fa_points *points, real x)
{
    return lane_table(points, 1, x);
}
FA_INLINED real table_bend(const fa_points *points, real x)
{
    return lane_table(points, 2, x);
}

FA_INLINED void put_lane(real *x, int lane, double value)
{
    (*x)[lane] = (FA_LANE_FLOAT)value;
}
FA_INLINED double lane_of(const real *x, int lane)
{
    return (double)(*x)[lane];
}
