// Explicit Runge–Kutta methods from their tables:
//
//     Kutta's third order rule     Kutta (1901); as printed in Swartz (1982), section "sim"
//     Runge–Kutta of order 4       Kutta (1901), the classical one
//     Dormand–Prince 5(4)          Dormand and Prince (1980), RK5(4)7M; between its points with the
//                                  polynomial of order four that is in Hairer's program DOPRI5
#include "stepper.h"

#include <math.h>
#include <string.h>

enum { STAGES = FA_DORMAND_PRINCE_STAGES }; // number of stages of the largest table

// x1 = x0 + h sum b[i] k[i],  k[i] = f(t0 + c[i] h, x0 + h sum a[i][j] k[j])
typedef struct fa_tableau {
    int    stages;
    double a[STAGES][STAGES - 1];
    double b[STAGES];
    double c[STAGES];
} fa_tableau;

static const fa_tableau kutta3 = {
    3, {{0}, {1. / 2}, {-1, 2}}, {1. / 6, 4. / 6, 1. / 6}, {0, 1. / 2, 1}};

static const fa_tableau runge_kutta4 = {4,
                                        {{0}, {1. / 2}, {0, 1. / 2}, {0, 0, 1}},
                                        {1. / 6, 2. / 6, 2. / 6, 1. / 6},
                                        {0, 1. / 2, 1. / 2, 1}};

// The last stage is evaluated at the new point, with b as its coefficients.
static const fa_tableau dormand_prince = {
    7,
    {{0},
     {1. / 5},
     {3. / 40, 9. / 40},
     {44. / 45, -56. / 15, 32. / 9},
     {19372. / 6561, -25360. / 2187, 64448. / 6561, -212. / 729},
     {9017. / 3168, -355. / 33, 46732. / 5247, 49. / 176, -5103. / 18656},
     {35. / 384, 0, 500. / 1113, 125. / 192, -2187. / 6784, 11. / 84}},
    {35. / 384, 0, 500. / 1113, 125. / 192, -2187. / 6784, 11. / 84, 0},
    {0, 1. / 5, 3. / 10, 4. / 5, 8. / 9, 1, 1}};

// Error estimate: fifth order minus fourth.
static const double dormand_prince_error[STAGES] = {
    71. / 57600, 0, -71. / 16695, 71. / 1920, -17253. / 339200, 22. / 525, -1. / 40};

// Coefficients of the interpolant's highest term.
static const double dormand_prince_between[STAGES] = {
    -12715105075. / 11282082432,  0,
    87487479700. / 32700410799,   -10690763975. / 1880347072,
    701980252875. / 199316789632, -1453857185. / 822651844,
    69997945. / 29380423};

static fa_status begin(fa_trial *trial, fa_error *error)
{
    return fa_trial_rhs(trial, trial->t, trial->x, trial->stage, error);
}

// Elements j … j + width - 1 of `combine`: sums in registers, several at once.
enum { AT_ONCE = 8, HALF = 4 };

static inline void combine_some(const fa_trial *trial, const double *restrict from, double h,
                                int stages, const double weight[], double *restrict out, int j,
                                const int width)
{
    const double *restrict k = trial->stage + j;
    double sum[AT_ONCE];
    for (int l = 0; l < width; l++) sum[l] = 0;
    for (int i = 0; i < stages; i++, k += trial->problem->n) {
        const double w = weight[i];
        if (w == 0) continue;
        for (int l = 0; l < width; l++) sum[l] += w * k[l];
    }
    for (int l = 0; l < width; l++) sum[l] *= h;
    if (from)
        for (int l = 0; l < width; l++) sum[l] += from[j + l];
    for (int l = 0; l < width; l++) out[j + l] = sum[l];
}

// out = from + h sum weight[i] k[i], where k are the stages and `from` is NULL or x; `out` must not
// be one of them.
static void combine(const fa_trial *trial, const double *restrict from, double h, int stages,
                    const double weight[], double *restrict out)
{
    const int n = trial->problem->n;
    int       j = 0;
    for (; j + AT_ONCE <= n; j += AT_ONCE)
        combine_some(trial, from, h, stages, weight, out, j, AT_ONCE);
    for (; j + HALF <= n; j += HALF) combine_some(trial, from, h, stages, weight, out, j, HALF);
    for (; j < n; j++) combine_some(trial, from, h, stages, weight, out, j, 1);
}

// Computes the point and time of stage i of a step to t1. The point of the last stage but one of
// Dormand–Prince is kept in `spare`.
static double stage_point(const fa_trial *trial, const fa_tableau *table, double t1, int i,
                          double out[])
{
    const double h = t1 - trial->t;
    combine(trial, trial->x, h, i, table->a[i], out);
    if (i == STAGES - 2) memcpy(trial->spare, out, (size_t)trial->problem->n * sizeof *out);
    return table->c[i] == 1 ? t1 : trial->t + table->c[i] * h;
}

// Computes the stages after the first one of a step from t to t1, and its end.
static fa_status step(fa_trial *trial, const fa_tableau *table, double t1, double out[],
                      fa_error *error)
{
    for (int i = 1; i < table->stages; i++) {
        const double when = stage_point(trial, table, t1, i, out);
        fa_status    status = fa_trial_rhs(
               trial, when, out, trial->stage + (size_t)i * (size_t)trial->problem->n, error);
        if (status != FA_OK) return status;
    }
    // Dormand–Prince: the last stage's point is the end.
    if (table->b[table->stages - 1] != 0)
        combine(trial, trial->x, t1 - trial->t, table->stages, table->b, out);
    return FA_OK;
}

// --- fixed steps: interpolation is another step

static fa_status kutta3_attempt(fa_trial *trial, fa_error *error)
{
    return step(trial, &kutta3, trial->t1, trial->at, error);
}

static fa_status kutta3_between(fa_trial *trial, double when, fa_error *error)
{
    return step(trial, &kutta3, when, trial->point, error);
}

static fa_status runge_kutta4_attempt(fa_trial *trial, fa_error *error)
{
    return step(trial, &runge_kutta4, trial->t1, trial->at, error);
}

static fa_status runge_kutta4_between(fa_trial *trial, double when, fa_error *error)
{
    return step(trial, &runge_kutta4, when, trial->point, error);
}

static bool nothing_carries_on(fa_trial *trial)
{
    (void)trial;
    return false;
}

const fa_scheme fa_scheme_kutta3 = {
    begin, kutta3_attempt, kutta3_between, nothing_carries_on, NULL, 4, NULL};
const fa_scheme fa_scheme_runge_kutta4 = {
    begin, runge_kutta4_attempt, runge_kutta4_between, nothing_carries_on, NULL, 5, NULL};

// --- Dormand–Prince

double fa_dormand_prince_stage(const fa_trial *trial, int i)
{
    return stage_point(trial, &dormand_prince, trial->t1, i, trial->at);
}

void fa_dormand_prince_error(const fa_trial *trial)
{
    combine(trial, NULL, trial->t1 - trial->t, STAGES, dormand_prince_error, trial->error);
}

static fa_status dormand_prince_attempt(fa_trial *trial, fa_error *error)
{
    fa_status status = step(trial, &dormand_prince, trial->t1, trial->at, error);
    if (status == FA_OK) fa_dormand_prince_error(trial);
    return status;
}

static fa_status dormand_prince_interpolate(fa_trial *trial, double when, fa_error *error)
{
    (void)error;
    const int     n = trial->problem->n;
    const double *first = trial->stage, *last = trial->stage + (size_t)n * (STAGES - 1);
    const double  h = trial->t1 - trial->t, s = (when - trial->t) / h, r = 1 - s;
    combine(trial, NULL, 1, STAGES, dormand_prince_between, trial->point);
    for (int j = 0; j < n; j++) {
        double rise = trial->at[j] - trial->x[j];
        double bend = h * first[j] - rise, back = rise - h * last[j] - bend;
        trial->point[j] =
            trial->x[j] + s * (rise + r * (bend + s * (back + r * h * trial->point[j])));
    }
    return FA_OK;
}

// Second error estimate. The difference of two orders can vanish by chance where something passes
// within the step, such as friction when a joint turns round: stages before and after it cancel.
// Steps that are retried at several lengths hit such cases. The second estimate uses other sums of
// the stages: q, the change of the derivative within the step, is O(h^2), and d, the highest term
// of the polynomial, is O(h^4). In a smooth step d is far below q, and d^2/q is O(h^6), below the
// difference; otherwise d^2/q is as large as the change itself. With this factor smooth motions
// take 2 % more evaluations at 1e-8, and 5 % at 1e-4.
static const double doubt = 0.02;

static double dormand_prince_size(fa_trial *trial)
{
    const fa_problem *problem = trial->problem;
    const int         n = problem->n;
    const double      h = trial->t1 - trial->t;
    const double     *first = trial->stage, *last = first + (size_t)n * (STAGES - 1);
    double            error = 0, d = 0, q = 0;
    combine(trial, NULL, h, STAGES, dormand_prince_between, trial->point);
    for (int i = 0; i < n; i++) {
        const double scale = 1 / fa_trial_scale(problem, i, trial->x[i], trial->at[i]);
        const double e = trial->error[i] * scale, bend = trial->point[i] * scale;
        const double change = h * (last[i] - first[i]) * scale;
        error += e * e;
        d += bend * bend;
        q += change * change;
    }
    const double second = q > 0 ? doubt * d / sqrt(q) : 0; // q and d are sums of squares: d^2/q
    trial->doubted = second > sqrt(error);
    return n > 0 ? fmax(sqrt(error), second) / sqrt(n) : 0;
}

static bool last_stage_is_the_next_first(fa_trial *trial)
{
    const int n = trial->problem->n;
    memcpy(trial->stage, trial->stage + (size_t)n * (STAGES - 1), (size_t)n * sizeof(double));
    return true;
}

// Hairer's estimate of |h lambda|, from the last two stages: they evaluate two points at the same
// time.
static double dormand_prince_stability(const fa_trial *trial)
{
    const int     n = trial->problem->n;
    const double  h = trial->t1 - trial->t;
    const double *k = trial->stage, *last = k + (size_t)n * (STAGES - 1);
    // Point of the last stage but one: see step().
    double *apart = trial->spare, *change = trial->spare + n;
    for (int j = 0; j < n; j++) {
        apart[j] = trial->at[j] - apart[j];
        change[j] = last[j] - k[(STAGES - 2) * n + j];
    }
    double distance = fa_trial_size(trial->problem, apart, trial->x, trial->at);
    double slope = fa_trial_size(trial->problem, change, trial->x, trial->at);
    return distance > 0 ? h * slope / distance / FA_STABLE_STEP : 0;
}

const fa_scheme fa_scheme_dormand_prince = {
    begin,
    dormand_prince_attempt,
    dormand_prince_interpolate,
    last_stage_is_the_next_first,
    dormand_prince_size,
    5,
    dormand_prince_stability,
};
