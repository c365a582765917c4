// Explicit Runge–Kutta methods from their tables:
//
//     Kutta's third order rule     Kutta (1901); as printed in Swartz (1982), section "sim"
//     Runge–Kutta of order 4       Kutta (1901), the classical one
//     Dormand–Prince 5(4)          Dormand and Prince (1980), RK5(4)7M; step size control after
//                                  Hairer, Nørsett and Wanner, "Solving Ordinary Differential
//                                  Equations I" (1993), section II.4
#include "integrate.h"

#include "number.h"

#include <float.h>
#include <math.h>
#include <string.h>

#define STAGES 7 // of the largest table

// More steps than this in one call are a host that waits for hours: better to say so.
static const double most_steps = 1e7;

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

// Fifth order minus fourth.
static const double dormand_prince_error[STAGES] = {
    71. / 57600, 0, -71. / 16695, 71. / 1920, -17253. / 339200, 22. / 525, -1. / 40};

// Work: the stages, then the point at which a stage is evaluated, which becomes the new point.
size_t fa_integrate_work(int n)
{
    return (size_t)n * (STAGES + 1);
}

static fa_status evaluate(const fa_problem *problem, double t, const double x[], double dx[],
                          fa_error *error)
{
    fa_status status = problem->rhs(problem->context, t, x, dx, error);
    if (status != FA_OK) return status;
    for (int i = 0; i < problem->n; i++)
        if (!isfinite(dx[i]))
            return fa_fail(error, FA_NOT_FINITE, NULL, FA_NOWHERE,
                           "the derivative of state %d is not a finite number at t = %s s", i + 1,
                           fa_number_text(t).text);
    return FA_OK;
}

// out = x + h sum weight[i] k[i]
static void combine(int n, const double x[], double h, int stages, const double weight[],
                    const double k[], double out[])
{
    for (int j = 0; j < n; j++) out[j] = 0;
    for (int i = 0; i < stages; i++) {
        if (weight[i] == 0) continue;
        for (int j = 0; j < n; j++) out[j] += weight[i] * k[i * n + j];
    }
    for (int j = 0; j < n; j++) out[j] = x[j] + h * out[j];
}

// The stages after the first, which is in k already, of a step from t to t1.
static fa_status stages(const fa_problem *problem, const fa_tableau *table, double t, double t1,
                        const double x[], double h, double k[], double at[], fa_error *error)
{
    for (int i = 1; i < table->stages; i++) {
        double when = table->c[i] == 1 ? t1 : t + table->c[i] * h;
        combine(problem->n, x, h, i, table->a[i], k, at);
        fa_status status = evaluate(problem, when, at, k + (size_t)i * problem->n, error);
        if (status != FA_OK) return status;
    }
    return FA_OK;
}

// Times closer than this are one: t + h no longer differs from t in every stage.
static double resolution(double t, double t1)
{
    return 16 * DBL_EPSILON * fmax(fabs(t), fabs(t1));
}

// If something switches in the step from t to *t1, which leads to `at`: shortens it by bisection
// until the end lies just behind the switching.
static fa_status find_crossing(const fa_problem *problem, const fa_tableau *table, double t,
                               double *t1, const double x[], double k[], double at[], bool *crossed,
                               fa_error *error)
{
    *crossed = false;
    if (!problem->crossed) return FA_OK;
    fa_status status = problem->crossed(problem->context, *t1, at, crossed, error);
    if (status != FA_OK || !*crossed) return status;
    double before = t, behind = *t1, tried = *t1;
    while (behind - before > resolution(t, *t1)) {
        bool there;
        tried = before + (behind - before) / 2;
        status = stages(problem, table, t, tried, x, tried - t, k, at, error);
        if (status != FA_OK) return status;
        combine(problem->n, x, tried - t, table->stages, table->b, k, at);
        status = problem->crossed(problem->context, tried, at, &there, error);
        if (status != FA_OK) return status;
        *(there ? &behind : &before) = tried;
    }
    *t1 = behind;
    if (tried == behind) return FA_OK;
    status = stages(problem, table, t, behind, x, behind - t, k, at, error);
    combine(problem->n, x, behind - t, table->stages, table->b, k, at);
    return status;
}

// Hosts and rounding make 10.000000000000002 steps of 1 ms out of 10 ms; that is ten. The guard is
// far above the rounding of a division and far below what a step size would be chosen for.
double fa_integrate_steps(double span, double step)
{
    const double guard = 1e-9;
    double       steps = ceil(span / step * (1 - guard));
    return steps > 1 ? steps : 1;
}

static fa_status fixed_steps(const fa_problem *problem, const fa_tableau *table, double step,
                             double *t, double t_end, double x[], double work[], fa_error *error)
{
    int     n = problem->n;
    double  t_start = *t, span = t_end - t_start;
    double  count = fa_integrate_steps(span, step), h = span / count;
    double *k = work, *at = work + (size_t)n * STAGES;
    if (!(count <= most_steps))
        return fa_fail(error, FA_UNFIT, NULL, FA_NOWHERE,
                       "steps of %s s are too many from t = %s s to %s s; take a larger "
                       "solver_step or shorter communication steps",
                       fa_number_text(step).text, fa_number_text(t_start).text,
                       fa_number_text(t_end).text);

    for (double done = 0; done < count; done++) {
        double    now = *t, next = done + 1 < count ? t_start + (done + 1) * h : t_end;
        fa_status status = evaluate(problem, now, x, k, error);
        if (status == FA_OK) status = stages(problem, table, now, next, x, h, k, at, error);
        if (status != FA_OK) return status;
        combine(n, x, h, table->stages, table->b, k, at);
        bool crossed;
        status = find_crossing(problem, table, now, &next, x, k, at, &crossed, error);
        if (status != FA_OK) return status;
        memcpy(x, at, (size_t)n * sizeof *x);
        *t = next;
        if (crossed) break;
    }
    return FA_OK;
}

// Root mean square of v relative to what is tolerated at x and at y.
static double size_of(const fa_problem *problem, double tolerance, const double v[],
                      const double x[], const double y[])
{
    double sum = 0;
    for (int i = 0; i < problem->n; i++) {
        double nominal = problem->nominal ? problem->nominal[i] : 1;
        double r = v[i] / (tolerance * (nominal + fmax(fabs(x[i]), fabs(y[i]))));
        sum += r * r;
    }
    return problem->n > 0 ? sqrt(sum / problem->n) : 0;
}

// x^(1/5) for x > 0, by Newton. The mathematics library's pow asks for a newer glibc than hosts
// have, and need not give the same bits everywhere.
static double fifth_root(double x)
{
    double y = sqrt(sqrt(x));
    for (int i = 0; i < 12; i++) {
        double y4 = y * y * y * y;
        y = (4 * y + x / y4) / 5;
    }
    return y;
}

// Factor on the step size after an error of this size, 1 being what is tolerated.
static double growth(double error)
{
    const double safety = 0.9, least = 0.2, most = 5; // as in the book, p. 168
    // The bounds are reached at these errors; beyond them there is no root to take.
    if (error < 1e-4) return most;
    if (!(error < 1e4)) return least;
    return fmin(most, fmax(least, safety / fifth_root(error)));
}

// A first step that changes x by a hundredth of its own size (the book, p. 169, step a and b).
static double first_step(const fa_problem *problem, double tolerance, const double x[],
                         const double dx[], double span)
{
    double d0 = size_of(problem, tolerance, x, x, x), d1 = size_of(problem, tolerance, dx, x, x);
    double h = d0 < 1e-5 || d1 < 1e-5 ? 1e-6 : 0.01 * d0 / d1;
    return fmin(h, span);
}

static fa_status adaptive_steps(const fa_problem *problem, double tolerance, double *t,
                                double t_end, double x[], double *step, double work[],
                                fa_error *error)
{
    int       n = problem->n;
    double   *k = work, *at = work + (size_t)n * STAGES;
    double   *last = k + (size_t)n * (STAGES - 1);
    fa_status status = evaluate(problem, *t, x, k, error);
    if (status != FA_OK) return status;
    double h = *step > 0 ? *step : first_step(problem, tolerance, x, k, t_end - *t);

    bool rejected = false;
    for (double count = 0; *t < t_end; count++) {
        if (count >= most_steps)
            return fa_fail(error, FA_UNFIT, NULL, FA_NOWHERE,
                           "ten million steps led to t = %s s only; take "
                           "shorter communication steps, a larger solver_tolerance or a solver "
                           "with fixed steps",
                           fa_number_text(*t).text);

        // Up to the end if that is in reach, so that no sliver of a step is left behind.
        double left = t_end - *t;
        bool   ends = h >= 0.99 * left;
        double trial = ends ? left : h;
        double next = ends ? t_end : *t + trial;
        status = stages(problem, &dormand_prince, *t, next, x, trial, k, at, error);
        double size = INFINITY;
        if (status == FA_OK) {
            // The slot of the second stage is free by now: its weight in the error is zero.
            double *difference = k + n;
            for (int j = 0; j < n; j++) {
                double sum = 0;
                for (int i = 0; i < STAGES; i++)
                    if (i != 1) sum += dormand_prince_error[i] * k[(size_t)i * n + j];
                difference[j] = trial * sum;
            }
            size = size_of(problem, tolerance, difference, x, at);
        }

        if (size <= 1) {
            bool crossed;
            status = find_crossing(problem, &dormand_prince, *t, &next, x, k, at, &crossed, error);
            if (status != FA_OK) return status;
            memcpy(x, at, (size_t)n * sizeof *x);
            memcpy(k, last, (size_t)n * sizeof *k);
            *t = next;
            if (crossed) break;
            double factor = rejected ? fmin(1, growth(size)) : growth(size);
            // A step cut short by the end says little about the size of the next one.
            h = ends ? fmax(h, trial * factor) : trial * factor;
            rejected = false;
        } else {
            h = trial * growth(size);
            rejected = true;
            if (!(h > resolution(*t, t_end))) {
                if (status != FA_OK) return status;
                return fa_fail(error, FA_NOT_FINITE, NULL, FA_NOWHERE,
                               "no step is short enough for solver_tolerance %s at t = %s s",
                               fa_number_text(tolerance).text, fa_number_text(*t).text);
            }
        }
    }
    *step = h;
    return FA_OK;
}

fa_status fa_integrate(const fa_problem *problem, const fa_solver *solver, double *t, double t_end,
                       double x[], double *step, double work[], fa_error *error)
{
    if (!(t_end > *t)) return FA_OK;
    if (problem->n == 0 && !problem->crossed) {
        *t = t_end;
        return FA_OK;
    }
    switch (solver->method) {
    case FA_SOLVER_KUTTA3:
        return fixed_steps(problem, &kutta3, solver->step, t, t_end, x, work, error);
    case FA_SOLVER_RUNGE_KUTTA4:
        return fixed_steps(problem, &runge_kutta4, solver->step, t, t_end, x, work, error);
    default:
        return adaptive_steps(problem, solver->tolerance, t, t_end, x, step, work, error);
    }
}
