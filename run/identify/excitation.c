// Random search over Fourier coefficients (Swevers and others 1997, for the series). Each candidate
// is scaled into the limits of its joints, and kept if its condition number is smaller.
#include "excitation.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "arm.h"
#include "dense.h"

static const double PI = 3.14159265358979323846;

enum { SAMPLES = 60, DRAWS = 12, CHANGES = 240 };

typedef struct search {
    const fa_arm_dynamics *dynamics;
    fa_arm_regressor       regressor;
    fa_identification      base;
    const fa_motion_limit *limit;
    double                *drawing;           // nominal values of the parameters
    double                *Y, *normal, *work; // of the equations
    double                *motion;            // q, qd, qdd
    uint64_t               seed;
} search;

static double uniform(uint64_t *seed) // SplitMix64 (Steele, Lea and Flood 2014)
{
    uint64_t z = *seed += 0x9E3779B97F4A7C15u;
    z = (z ^ z >> 30) * 0xBF58476D1CE4E5B9u;
    z = (z ^ z >> 27) * 0x94D049BB133111EBu;
    return 2 * ((double)((z ^ z >> 31) >> 11) * 0x1p-53) - 1;
}

void fa_excitation_at(const fa_excitation *of, double t, double q[], double qd[], double qdd[])
{
    const double w = 2 * PI / of->period;
    for (int i = 0; i < of->n; i++) {
        q[i] = of->middle[i];
        qd[i] = qdd[i] = 0;
        for (int k = 1; k <= of->harmonics; k++) {
            const double kw = k * w, s = sin(kw * t), c = cos(kw * t);
            const double a = of->a[i * of->harmonics + k - 1], b = of->b[i * of->harmonics + k - 1];
            q[i] += (a * s - b * c) / kw;
            qd[i] += a * c + b * s;
            qdd[i] += kw * (b * c - a * s);
        }
    }
}

// Removes velocity and acceleration at time 0 from the coefficients.
static void rest(fa_excitation *of, int i)
{
    double *a = of->a + i * of->harmonics, *b = of->b + i * of->harmonics;
    double  mean = 0, along = 0, length = 0;
    for (int k = 1; k <= of->harmonics; k++) {
        mean += a[k - 1] / of->harmonics;
        along += k * b[k - 1];
        length += k * k;
    }
    for (int k = 1; k <= of->harmonics; k++) {
        a[k - 1] -= mean;
        b[k - 1] -= along / length * k;
    }
}

static void scale_joint(fa_excitation *of, int i, double by)
{
    for (int k = 0; k < of->harmonics; k++) {
        of->a[i * of->harmonics + k] *= by;
        of->b[i * of->harmonics + k] *= by;
    }
}

// Scales each joint's series to the largest that its limits of position, speed and acceleration
// allow, and centres it. A factor of 90 % leaves a margin between the samples.
static void fit(search *s, fa_excitation *of)
{
    enum { FINE = 4 * SAMPLES };
    const int n = of->n;
    double   *q = s->motion, *qd = q + n, *qdd = q + 2 * n;
    for (int i = 0; i < n; i++) {
        const fa_motion_limit *limit = &s->limit[i];
        double                 low = INFINITY, high = -INFINITY, speed = 0, acceleration = 0;
        rest(of, i);
        of->middle[i] = 0;
        for (int k = 0; k < FINE; k++) {
            fa_excitation_at(of, of->period * k / FINE, q, qd, qdd);
            low = fmin(low, q[i]);
            high = fmax(high, q[i]);
            speed = fmax(speed, fabs(qd[i]));
            acceleration = fmax(acceleration, fabs(qdd[i]));
        }
        double by = 0.9 * (limit->upper - limit->lower) / fmax(high - low, 1e-300);
        by = fmin(by, 0.9 * limit->speed / fmax(speed, 1e-300));
        by = fmin(by, 0.9 * limit->acceleration / fmax(acceleration, 1e-300));
        scale_joint(of, i, by);
        of->middle[i] = 0.5 * (limit->lower + limit->upper) - 0.5 * by * (low + high);
    }
}

// Computes the condition number of the base columns. *beyond is the largest ratio of a torque to
// its limit.
static double judge(search *s, const fa_excitation *of, double *beyond)
{
    const int n = of->n, p = s->base.n_parameters, rank = s->base.rank;
    double   *q = s->motion;
    *beyond = 0;
    memset(s->normal, 0, (size_t)(rank * rank) * sizeof *s->normal);
    for (int k = 0; k < SAMPLES; k++) {
        fa_excitation_at(of, of->period * (k + 0.5) / SAMPLES, q, q + n, q + 2 * n);
        fa_identification_columns(s->dynamics, &s->regressor, q, q + n, q + 2 * n, p, s->Y);
        for (int i = 0; i < n; i++) {
            const double *row = s->Y + i * p;
            double        torque = 0;
            for (int c = 0; c < p; c++) torque += row[c] * s->drawing[c];
            *beyond = fmax(*beyond, fabs(torque) / s->limit[i].effort);
            for (int c = 0; c < rank; c++)
                for (int d = 0; d <= c; d++)
                    s->normal[c * rank + d] += row[s->base.pivot[c]] * row[s->base.pivot[d]];
        }
    }
    for (int c = 0; c < rank; c++)
        for (int d = 0; d < c; d++) s->normal[d * rank + c] = s->normal[c * rank + d];
    return fa_dense_condition(rank, s->normal, s->work);
}

// Slows and shrinks the motion until the torques are within their limits.
static double fit_torques(search *s, fa_excitation *of)
{
    double beyond, condition = INFINITY;
    for (int turn = 0; turn < 8; turn++) {
        condition = judge(s, of, &beyond);
        if (!(beyond > 0.9)) return condition;
        for (int i = 0; i < of->n; i++) {
            const double middle = 0.5 * (s->limit[i].lower + s->limit[i].upper);
            scale_joint(of, i, 0.8);
            of->middle[i] = middle + 0.8 * (of->middle[i] - middle);
        }
    }
    return INFINITY;
}

static void copy(fa_excitation *to, const fa_excitation *from)
{
    const size_t n = (size_t)from->n, h = (size_t)from->harmonics;
    memcpy(to->middle, from->middle, n * sizeof *to->middle);
    memcpy(to->a, from->a, n * h * sizeof *to->a);
    memcpy(to->b, from->b, n * h * sizeof *to->b);
    to->condition = from->condition;
}

static bool allocate(fa_excitation *of)
{
    const size_t n = (size_t)of->n, h = (size_t)of->harmonics;
    of->middle = calloc(n, sizeof *of->middle);
    of->a = calloc(n * h, sizeof *of->a);
    of->b = calloc(n * h, sizeof *of->b);
    return of->middle && of->a && of->b;
}

static void look(search *s, fa_excitation *best, fa_excitation *trial)
{
    const int all = best->n * best->harmonics;
    best->condition = INFINITY;
    for (int turn = 0; turn < DRAWS + CHANGES; turn++) {
        const bool   draw = turn < DRAWS;
        const double size = draw ? 1 : 0.5 * exp(-3.0 * (turn - DRAWS) / CHANGES);
        copy(trial, best);
        double length = 0;
        for (int k = 0; k < all; k++) length += best->a[k] * best->a[k] + best->b[k] * best->b[k];
        const double usual = draw ? 1 : sqrt(length / (2 * all));
        for (int k = 0; k < all; k++) {
            trial->a[k] = (draw ? 0 : trial->a[k]) + size * usual * uniform(&s->seed);
            trial->b[k] = (draw ? 0 : trial->b[k]) + size * usual * uniform(&s->seed);
        }
        fit(s, trial);
        trial->condition = fit_torques(s, trial);
        if (turn == 0) best->starting = trial->condition;
        if (trial->condition < best->condition) copy(best, trial);
    }
}

fa_status fa_excite(const fa_arm_dynamics *dynamics, const fa_motion_limit limit[], double period,
                    int harmonics, uint64_t seed, fa_excitation *found, fa_error *error)
{
    const int     n = dynamics->arm->chain.n_coordinates;
    search        s = {.dynamics = dynamics, .limit = limit, .seed = seed};
    fa_excitation trial = {.n = n, .harmonics = harmonics, .period = period};
    *found = trial;
    fa_status status = fa_arm_regressor_new(dynamics, &s.regressor, error);
    if (status == FA_OK) status = fa_identification_base(dynamics, &s.regressor, &s.base, error);
    const size_t p = (size_t)s.base.n_parameters, rank = (size_t)s.base.rank;
    s.drawing = calloc(p + 1, sizeof *s.drawing);
    s.Y = calloc((size_t)n * p + 1, sizeof *s.Y);
    s.normal = calloc(rank * rank + 1, sizeof *s.normal);
    s.work = calloc(rank * rank + 4 * rank + 1, sizeof *s.work);
    s.motion = calloc(3 * (size_t)n, sizeof *s.motion);
    if (status == FA_OK && !(s.drawing && s.Y && s.normal && s.work && s.motion &&
                             allocate(found) && allocate(&trial)))
        status = fa_fail(error, FA_NO_MEMORY, NULL, FA_NOWHERE,
                         "there is not enough memory for so many harmonics");
    if (status == FA_OK) {
        fa_identification_drawing(dynamics, &s.base, s.drawing);
        look(&s, found, &trial);
        if (!(found->condition < INFINITY))
            status = fa_fail(error, FA_UNFIT, NULL, FA_NOWHERE,
                             "no motion keeps within the limits of effort of this robot, which are "
                             "hardly enough to hold it; correct them in the robot file");
    }
    fa_arm_regressor_free(&s.regressor);
    fa_identification_free(&s.base);
    fa_excitation_free(&trial);
    free(s.drawing), free(s.Y), free(s.normal), free(s.work), free(s.motion);
    return status;
}

void fa_excitation_free(fa_excitation *found)
{
    free(found->middle);
    free(found->a);
    free(found->b);
}
