// The implicit integrator: RODASP, a Rosenbrock method of order 4 with an embedded one of order 3,
// L-stable and stiffly accurate. It keeps its order on linear problems of any stiffness.
//
//   G. Steinebach, "Order-reduction of ROW-methods for DAEs and method of lines applications",
//   TH Darmstadt, preprint 1741 (1995); coefficients as in Hairer's program RODAS, METH = 3
//   E. Hairer, G. Wanner, "Solving Ordinary Differential Equations II" (1996), section IV.7
//
// With W = 1/(gamma h) - df/dx at the beginning of the step, which has the length h,
//
//   W u[i] = f(t + c[i] h, x + sum a[i][j] u[j]) + sum C[i][j]/h u[j] + d[i] h df/dt
//
// The points of the last two stages differ by the previous u. The sixth u is the correction from
// order 3 to order 4, and so the error estimate.
#include "stepper.h"

#include <math.h>
#include <string.h>

#include "lu.h"

#define STAGES FA_ROSENBROCK_STAGES

const fa_rosenbrock fa_rodasp = {
    .diagonal = 0.25,
    .c = {0, 0.75, 0.21, 0.63, 1, 1},
    .d = {0.25, -0.5, -0.023504, -0.0362, 0, 0},
    .a = {{0},
          {3},
          {1.831036793486759, 0.4955183967433795},
          {2.304376582692669, -0.05249275245743001, -1.176798761832782},
          {-7.170454962423024, -4.741636671481785, -16.31002631330971, -1.062004044111401},
          {-7.170454962423024, -4.741636671481785, -16.31002631330971, -1.062004044111401, 1}},
    .C = {{0},
          {-12},
          {-8.791795173947035, -2.207865586973518},
          {10.81793056857153, 6.780270611428266, 19.53485944642410},
          {34.19095006749676, 15.49671153725963, 54.74760875964130, 14.16005392148534},
          {34.62605830930532, 15.30084976114473, 56.99955578662667, 18.40807009793095,
           -5.714285714285717}},
    .bend = {25.09876703708589, 11.62013104361867, 28.49148307714626, -5.664021568594133},
    .twist = {1.638054557396973, -0.7373619806678748, 8.477918219238990, 15.99253148779520,
              -1.882352941176471}};

// Layout of trial->stage: u[0] … u[5], then f and df/dt at the beginning.
static double *stage(const fa_trial *trial, int i)
{
    return trial->stage + (size_t)i * (size_t)trial->problem->n;
}

static fa_status begin(fa_trial *trial, fa_error *error)
{
    double   *f = stage(trial, STAGES), *by_time = stage(trial, STAGES + 1);
    fa_status status = fa_trial_rhs(trial, trial->t, trial->x, f, error);
    if (status != FA_OK) return status;
    // begin() expects the derivative here.
    memcpy(trial->stage, f, (size_t)trial->problem->n * sizeof *f);
    return trial->problem->jacobian(trial->problem->context, trial->t, trial->x,
                                    trial->problem->implicit ? NULL : trial->jacobian, by_time,
                                    error);
}

// out += sum weight[j] u[j]
static void add_stages(const fa_trial *trial, int stages, const double weight[], double scale,
                       double out[])
{
    const int n = trial->problem->n;
    for (int j = 0; j < stages; j++) {
        const double *u = stage(trial, j), factor = weight[j] * scale;
        if (factor == 0) continue;
        for (int k = 0; k < n; k++) out[k] += factor * u[k];
    }
}

static bool factor(fa_trial *trial, double h)
{
    const fa_problem *problem = trial->problem;
    const size_t      n = (size_t)problem->n;
    const double      sigma = 1 / (fa_rodasp.diagonal * h);
    if (problem->implicit) return problem->implicit->factor(problem->plant, sigma);
    for (size_t k = 0; k < n * n; k++) trial->factors[k] = -trial->jacobian[k];
    for (size_t k = 0; k < n; k++) trial->factors[k * n + k] += sigma;
    return fa_lu_factor(problem->n, trial->factors, trial->pivot);
}

static void solve(const fa_trial *trial, double b[])
{
    const fa_problem *problem = trial->problem;
    if (problem->implicit)
        problem->implicit->solve(problem->plant, b);
    else
        fa_lu_solve(problem->n, trial->factors, trial->pivot, b);
}

static fa_status attempt(fa_trial *trial, fa_error *error)
{
    const fa_rosenbrock *table = &fa_rodasp;
    const int            n = trial->problem->n;
    const double         h = trial->t1 - trial->t;
    const double        *f = stage(trial, STAGES), *by_time = stage(trial, STAGES + 1);
    double              *at = trial->at;
    if (!factor(trial, h))
        return fa_fail(error, FA_SINGULAR, NULL, FA_NOWHERE,
                       "the linear equations of the implicit solver have no solution");
    for (int i = 0; i < STAGES; i++) {
        double *u = stage(trial, i);
        if (i == 0) {
            memcpy(u, f, (size_t)n * sizeof *u);
        } else {
            memcpy(at, trial->x, (size_t)n * sizeof *at);
            add_stages(trial, i, table->a[i], 1, at);
            double    when = table->c[i] == 1 ? trial->t1 : trial->t + table->c[i] * h;
            fa_status status = fa_trial_rhs(trial, when, at, u, error);
            if (status != FA_OK) return status;
        }
        add_stages(trial, i, table->C[i], 1 / h, u);
        for (int k = 0; k < n; k++) u[k] += table->d[i] * h * by_time[k];
        solve(trial, u);
    }
    const double *last = stage(trial, STAGES - 1);
    for (int k = 0; k < n; k++) {
        at[k] += last[k];
        trial->error[k] = last[k];
    }
    return FA_OK;
}

static fa_status between(fa_trial *trial, double when, fa_error *error)
{
    (void)error;
    const int    n = trial->problem->n;
    const double s = (when - trial->t) / (trial->t1 - trial->t), r = 1 - s;
    double      *p = trial->point;
    memset(p, 0, (size_t)n * sizeof *p);
    add_stages(trial, STAGES, fa_rodasp.bend, 1, p);
    add_stages(trial, STAGES, fa_rodasp.twist, s, p);
    for (int k = 0; k < n; k++) p[k] = r * trial->x[k] + s * (trial->at[k] + r * p[k]);
    return FA_OK;
}

static bool nothing_carries_on(fa_trial *trial)
{
    (void)trial;
    return false;
}

static void multiply(const fa_trial *trial, const double v[], double out[])
{
    const fa_problem *problem = trial->problem;
    const size_t      n = (size_t)problem->n;
    if (problem->implicit) {
        problem->implicit->multiply(problem->plant, v, out);
        return;
    }
    for (size_t i = 0; i < n; i++) {
        out[i] = 0;
        for (size_t j = 0; j < n; j++) out[i] += trial->jacobian[i * n + j] * v[j];
    }
}

// Returns |h lambda| of the Jacobian's largest eigenvalue by the power method: the growth over the
// last four products. It is deterministic, and accurate enough to tell 3 from 30.
static double stability(const fa_trial *trial)
{
    enum { PRODUCTS = 6, COUNTED = 4 };
    const fa_problem *problem = trial->problem;
    double           *v = trial->spare, *next = trial->spare + problem->n, growth = 1;
    for (int k = 0; k < problem->n; k++)
        v[k] =
            (k % 2 ? -1 : 1) * ((problem->nominal ? problem->nominal[k] : 1) + fabs(trial->x[k]));
    for (int p = 0; p < PRODUCTS; p++) {
        double before = fa_trial_size(problem, v, trial->x, trial->at);
        if (!(before > 0)) return 0;
        for (int k = 0; k < problem->n; k++) v[k] /= before;
        multiply(trial, v, next);
        if (p >= PRODUCTS - COUNTED) growth *= fa_trial_size(problem, next, trial->x, trial->at);
        double *kept = v;
        v = next;
        next = kept;
    }
    return (trial->t1 - trial->t) * sqrt(sqrt(growth)) / FA_STABLE_STEP;
}

const fa_scheme fa_scheme_rosenbrock = {begin, attempt, between,  nothing_carries_on,
                                        NULL,  4,       stability};
