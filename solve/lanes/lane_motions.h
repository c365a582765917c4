// Dormand–Prince 5(4) in SIMD lanes, each lane with its own time and step: the method of
// solve/runge_kutta.c with the step-size control of solve/integrate.c; see there for the
// references. A motion that needs anything else than accepting or shortening a step leaves its lane
// (FA_UNFIT) and continues in scalar code.
#ifndef FA_LANE_MOTIONS_H
#define FA_LANE_MOTIONS_H

#include "lane_block.h"

#include <float.h>

static const lane_float weight[LANE_STAGES][LANE_STAGES - 1] = {
    {0},
    {(lane_float)(1. / 5)},
    {(lane_float)(3. / 40), (lane_float)(9. / 40)},
    {(lane_float)(44. / 45), (lane_float)(-56. / 15), (lane_float)(32. / 9)},
    {(lane_float)(19372. / 6561), (lane_float)(-25360. / 2187), (lane_float)(64448. / 6561),
     (lane_float)(-212. / 729)},
    {(lane_float)(9017. / 3168), (lane_float)(-355. / 33), (lane_float)(46732. / 5247),
     (lane_float)(49. / 176), (lane_float)(-5103. / 18656)},
    {(lane_float)(35. / 384), 0, (lane_float)(500. / 1113), (lane_float)(125. / 192),
     (lane_float)(-2187. / 6784), (lane_float)(11. / 84)}};

// Fifth order minus fourth; and the coefficient of the interpolant's highest term.
static const lane_float of_error[LANE_STAGES] = {
    (lane_float)(71. / 57600),      0,
    (lane_float)(-71. / 16695),     (lane_float)(71. / 1920),
    (lane_float)(-17253. / 339200), (lane_float)(22. / 525),
    (lane_float)(-1. / 40)};
static const lane_float of_bend[LANE_STAGES] = {
    (lane_float)(-12715105075. / 11282082432),  0,
    (lane_float)(87487479700. / 32700410799),   (lane_float)(-10690763975. / 1880347072),
    (lane_float)(701980252875. / 199316789632), (lane_float)(-1453857185. / 822651844),
    (lane_float)(69997945. / 29380423)};

// Returns the sum of w[k] stage[k][j], from the first stage on.
FA_INLINED real sum_of_stages(const lane_block *B, const lane_float w[], const int stages, int j)
{
    real sum = w[0] * B->stage[0][j];
    LANES_UNROLLED
    for (int k = 1; k < stages; k++)
        if (w[k] != 0) sum += w[k] * B->stage[k][j];
    return sum;
}

FA_INLINED void stage_point(lane_block *B, const int i, real h, real out[])
{
    for (int j = 0; j < B->n; j++) out[j] = B->x[j] + h * sum_of_stages(B, weight[i], i, j);
}

static void attempt(lane_block *B, real h, mask *good)
{
#define STAGE(i, out)                                                                              \
    stage_point(B, i, h, out);                                                                     \
    right_hand_side(B, out, B->stage[i], good);
    STAGE(1, B->at)
    STAGE(2, B->at)
    STAGE(3, B->at)
    STAGE(4, B->at)
    STAGE(5, B->last)
    STAGE(6, B->at)
#undef STAGE
}

// Returns the size of the error relative to the tolerance, as dormand_prince_size(). *limit: the
// step relative to the limit of stability; where *doubted, half of the limit counts as stiff.
static real size_of(lane_block *B, real h, real *limit, mask *doubted)
{
    real error = num(0), d = num(0), q = num(0), apart = num(0), change = num(0);
    for (int j = 0; j < B->n; j++) {
        const real from = real_abs(B->x[j]), to = real_abs(B->at[j]);
        const real scale = 1 / (B->nominal[j] + real_max(from, to));
        const real e = h * sum_of_stages(B, of_error, LANE_STAGES, j) * scale;
        B->bend[j] = h * sum_of_stages(B, of_bend, LANE_STAGES, j);
        const real bend = B->bend[j] * scale;
        const real rise = h * (B->stage[6][j] - B->stage[0][j]) * scale;
        const real a = (B->at[j] - B->last[j]) * scale;
        const real c = (B->stage[6][j] - B->stage[5][j]) * scale;
        error += e * e;
        d += bend * bend;
        q += rise * rise;
        apart += a * a;
        change += c * c;
    }
    const real first = real_sqrt(error);
    const real second = where(q > 0, OF_LANES(0.02, 0.02) * d / real_sqrt(q), num(0));
    *doubted = second > first;
    *limit = where(apart > 0, h * real_sqrt(change / apart) * OF_LANES(1 / 3.25, 1 / 3.25), num(0));
    const lane_float share = (lane_float)(1 / sqrt((double)B->n));
    return real_max(first, second) * share / B->tolerance;
}

// Returns x^(-1/5) for x > 0: an initial value from the exponent, then Newton's method for y^-5 =
// x. It calls no function, and gives the same bits wherever + and * do.
FA_INLINED real fifth_root_inverse(real x)
{
    const mask one = (mask)num(1);
    real       y = (real)(one + one / 5 - (mask)x / 5);
    for (int k = 0; k < 5; k++) {
        const real y2 = y * y;
        y = y * OF_LANES(0.2, 0.2) * (6 - x * y2 * y2 * y);
    }
    return y;
}

// Returns the factor on the step after this error, as growth().
FA_INLINED real growth(real error)
{
    const real in = real_min(real_max(error, num(OF_LANES(1e-4, 1e-4))), num(OF_LANES(1e4, 1e4)));
    const real f = OF_LANES(0.9, 0.9) * fifth_root_inverse(in);
    return real_min(num(5), real_max(num(OF_LANES(0.2, 0.2)), f));
}

FA_INLINED real relative_size(const lane_block *B, const real v[])
{
    real sum = num(0);
    for (int j = 0; j < B->n; j++) {
        const real r = v[j] / (B->nominal[j] + real_abs(B->x[j]));
        sum += r * r;
    }
    return real_sqrt(sum * (lane_float)(1. / B->n));
}

// Begins new lanes: the derivative, and an initial step as in first_step() where none is given.
static void begin_lanes(lane_block *B, mask fresh, mask *good)
{
    mask fine = lane_all();
    right_hand_side(B, B->x, B->at, &fine);
    for (int j = 0; j < B->n; j++) B->stage[0][j] = where(fresh, B->at[j], B->stage[0][j]);
    const real d0 = relative_size(B, B->x) / B->tolerance;
    const real d1 = relative_size(B, B->stage[0]) / B->tolerance;
    const real least = num(OF_LANES(1e-5, 1e-5));
    const real h = where((d0 < least) | (d1 < least), num(OF_LANES(1e-6, 1e-6)),
                         OF_LANES(0.01, 0.01) * d0 / d1);
    B->h = where(fresh & ~(B->h > 0), real_min(h, B->stop - B->t), B->h);
    *good = fine | ~fresh;
}

// ---- life of a lane

// Passes the end state of a motion to the driver.
static void hand_back(lane_block *B, const fa_lane_driver *driver, int lane, fa_status status)
{
    double *x = (double *)(void *)B->last; // scratch: not used from here on
    for (int j = 0; j < B->n; j++) x[j] = (double)B->x[j][lane];
    driver->end(driver->context, lane, status, (double)B->t[lane], x, (double)B->h[lane]);
}

// Starts the next motion in this lane; false: no motion is left.
static bool take_next(lane_block *B, const fa_lane_driver *driver, int lane)
{
    fa_lane_start start;
    if (!driver->next(driver->context, lane, &start)) return false;
    KERNEL(fill)(&B->head, lane, start.arm, start.value);
    for (int j = 0; j < B->n; j++) set_lane(&B->x[j], lane, start.x[j]);
    set_lane(&B->t, lane, start.t);
    set_lane(&B->stop, lane, start.stop);
    set_lane(&B->h, lane, start.step);
    set_lane(&B->tolerance, lane, start.tolerance);
    set_lane(&B->number, lane, start.first);
    set_lane(&B->last_number, lane, start.last);
    set_lane(&B->apart, lane, start.apart);
    set_lane(&B->due, lane, start.first < start.last ? start.first * start.apart : start.stop);
    for (int k = 0; k < B->n_shown; k++) {
        set_lane(&B->lower[k], lane, start.lower ? start.lower[k] : -INFINITY);
        set_lane(&B->upper[k], lane, start.upper ? start.upper[k] : INFINITY);
    }
    B->every[lane] = start.every ? -1 : 0;
    set_lane(&B->stiff, lane, 0);
    set_lane(&B->calm, lane, 0);
    B->automatic[lane] = start.automatic ? -1 : 0;
    return true;
}

// Takes the samples between t and t1 of the accepted steps. Returns the lanes that end here.
static mask take_samples(lane_block *B, const fa_lane_driver *driver, real t1, real h,
                         mask accepted)
{
    mask ended = lane_all() ^ lane_all();
    for (;;) {
        const mask due = accepted & ~ended & (B->due <= t1);
        if (!lane_any(due)) return ended;
        double     shown[FA_LANES][FA_LANES_SHOWN];
        const real s = (B->due - B->t) / h, r = 1 - s;
        const mask at_end = B->due >= t1, final = B->number >= B->last_number;
        mask       wanted = B->every | final;
        for (int k = 0; k < B->n_shown; k++) {
            const int  j = B->shown[k];
            const real rise = B->at[j] - B->x[j], curve = h * B->stage[0][j] - rise;
            const real back = rise - h * B->stage[6][j] - curve;
            const real y = B->x[j] + s * (rise + r * (curve + s * (back + r * B->bend[j])));
            const real value = where(at_end, B->at[j], y);
            wanted |= (value < B->lower[k]) | (value > B->upper[k]);
            for (int l = 0; l < FA_LANES; l++) shown[l][k] = (double)value[l];
        }
        wanted &= due;
        for (int l = 0; l < FA_LANES; l++)
            if (wanted[l] && !driver->sample(driver->context, l, (double)B->number[l], shown[l]))
                ended[l] = -1;
        // The next sample; infinity behind the last one.
        B->number = where(due, B->number + 1, B->number);
        const real next = where(B->number < B->last_number, B->number * B->apart, B->stop);
        B->due = where(due, where(final, num(INFINITY), next), B->due);
    }
}

// Returns the lanes that should change to the implicit method, by the rule of change_method().
static mask stiff_lanes(lane_block *B, real limit, mask doubted, mask accepted)
{
    enum { PATIENCE = 15, FORGETS = 6 };
    const mask watched = accepted & B->automatic;
    const mask other = watched & (limit > where(doubted, num(0.5), num(1)));
    const real calm = where(other, num(0), B->calm + 1);
    const mask forgets = watched & (calm >= FORGETS);
    B->stiff = where(other, B->stiff + 1, where(forgets, num(0), B->stiff));
    B->calm = where(watched, where(forgets, num(0), calm), B->calm);
    return watched & (B->stiff >= PATIENCE);
}

void KERNEL(run)(fa_lanes *lanes, const fa_lane_driver *driver)
{
    lane_block *B = (lane_block *)lanes;
    const mask  none = lane_all() ^ lane_all();
    mask        live = none, fresh = none, rejected = none;
    double      count[FA_LANES] = {0};
    bool        more = true;
    B->t = B->h = num(0);
    B->due = num(INFINITY);
    B->stop = B->tolerance = num(1);
    for (int j = 0; j < B->n; j++) B->x[j] = num(0);
    for (;;) {
        for (int l = 0; l < FA_LANES && more; l++) {
            if (live[l]) continue;
            more = take_next(B, driver, l);
            if (!more) break;
            live[l] = fresh[l] = -1;
            rejected[l] = 0;
            count[l] = 0;
        }
        if (!lane_any(live)) return;
        mask good = lane_all();
        if (lane_any(fresh)) begin_lanes(B, fresh, &good);
        fresh = none;

        // Attempts a step in all lanes, extended to the end if that is close.
        const real left = B->stop - B->t;
        const mask ends = B->h >= OF_LANES(0.99, 0.99) * left;
        const real h = where(ends, left, B->h), t1 = where(ends, B->stop, B->t + h);
        real       limit;
        mask       doubted;
        attempt(B, h, &good);
        const real size = size_of(B, h, &limit, &doubted);
        good &= size < (lane_float)INFINITY; // comparisons with NaN are false
        const mask accepted = live & good & (size <= 1);
        const real factor = growth(size);
        const real next = h * where(accepted & rejected, real_min(num(1), factor), factor);
        const mask ended = take_samples(B, driver, t1, h, accepted);
        B->h = where(live, where(accepted & ends, real_max(B->h, next), next), B->h);
        rejected = where(accepted, num(0), num(1)) > 0;
        const mask stiff = stiff_lanes(B, limit, doubted, accepted);
        for (int j = 0; j < B->n; j++) {
            B->x[j] = where(accepted, B->at[j], B->x[j]);
            B->stage[0][j] = where(accepted, B->stage[6][j], B->stage[0][j]);
        }
        B->t = where(accepted, t1, B->t);

        const lane_float grain = OF_LANES(16 * FLT_EPSILON, 16 * DBL_EPSILON);
        const mask       done = live & ((B->t >= B->stop) | ended);
        const mask hopeless = live & ~done & (~good | stiff | ~(B->h > grain * (B->t + B->h)));
        for (int l = 0; l < FA_LANES; l++) {
            if (!live[l]) continue;
            const bool endless = ++count[l] >= 1e7;
            if (!done[l] && !hopeless[l] && !endless) continue;
            hand_back(B, driver, l, done[l] ? FA_OK : FA_UNFIT);
            live[l] = 0;
        }
    }
}

#endif
