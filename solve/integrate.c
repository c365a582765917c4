// Common parts of all integrators: fixed steps, step-size control, event location, and the
// automatic choice between an explicit and an implicit method.
//
// Step-size control after Hairer, Nørsett and Wanner, "Solving Ordinary Differential Equations I"
// (1993), section II.4; the test for stiffness after Hairer and Wanner, volume II (1996), section
// IV.2.
#include "integrate.h"

#include "finite.h"
#include "number.h"
#include "stepper.h"

#include <float.h>
#include <math.h>
#include <string.h>

// Limit of steps in one call: a larger number means hours, so the call fails with a message.
static const double most_steps = 1e7;

// Layout of the work memory: stages, end, error, interpolated point, two spare vectors, pivots.
enum { STAGES = 8, VECTORS = STAGES + 6 };

bool fa_integrate_has_matrix(int n, const fa_implicit *implicit)
{
    return !implicit && n <= FA_MATRIX_STATES_MAX;
}

size_t fa_integrate_work(int n, const fa_implicit *implicit)
{
    const size_t vectors = (size_t)n * VECTORS, row = 2 * (size_t)n;
    // Half of the address range: other memory needs room, too.
    const size_t most = SIZE_MAX / sizeof(double) / 2;
    if (n == 0 || !fa_integrate_has_matrix(n, implicit)) return vectors;
    return row > (most - vectors) / (size_t)n ? 0 : vectors + row * (size_t)n;
}

static fa_trial trial_in(const fa_problem *problem, const double x[], double work[])
{
    const size_t n = (size_t)problem->n;
    const size_t matrix = fa_integrate_has_matrix(problem->n, problem->implicit) ? n * n : 0;
    double      *rest = work + n * STAGES;
    return (fa_trial){
        .problem = problem,
        .x = x,
        .stage = work,
        .at = rest,
        .error = rest + n,
        .point = rest + 2 * n,
        .spare = rest + 3 * n,
        // cppcheck-suppress invalidPointerCast ; this part of the work holds pivots only
        .pivot = (int *)(rest + 5 * n),
        .jacobian = rest + 6 * n,
        .factors = rest + 6 * n + matrix};
}

fa_status fa_trial_check(const fa_trial *trial, double t, const double dx[], fa_error *error)
{
    const int n = trial->problem->n;
    if (fa_are_finite(dx, (size_t)n)) return FA_OK;
    for (int i = 0; i < n; i++)
        if (!isfinite(dx[i]))
            return fa_fail(error, FA_NOT_FINITE, NULL, FA_NOWHERE,
                           "the derivative of state %d is not a finite number at t = %s s", i + 1,
                           fa_number_text(t).text);
    return FA_OK;
}

fa_status fa_trial_rhs(const fa_trial *trial, double t, const double x[], double dx[],
                       fa_error *error)
{
    const fa_problem *problem = trial->problem;
    fa_status         status = problem->rhs(problem->context, t, x, dx, error);
    return status == FA_OK ? fa_trial_check(trial, t, dx, error) : status;
}

double fa_trial_size(const fa_problem *problem, const double v[], const double x[],
                     const double y[])
{
    double sum = 0;
    for (int i = 0; i < problem->n; i++) {
        const double r = v[i] / fa_trial_scale(problem, i, x[i], y[i]);
        sum += r * r;
    }
    return problem->n > 0 ? sqrt(sum / problem->n) : 0;
}

// Smallest distinguishable time difference: below it, t + h equals t in some stage.
static double resolution(double t, double t1)
{
    return 16 * DBL_EPSILON * fmax(fabs(t), fabs(t1));
}

// If an event indicator changes sign in the attempted step, shortens the step by bisection until
// its end is just behind the event.
static fa_status find_crossing(const fa_scheme *scheme, fa_trial *trial, bool *crossed,
                               fa_error *error)
{
    const fa_problem *problem = trial->problem;
    *crossed = false;
    if (!problem->crossed) return FA_OK;
    fa_status status = problem->crossed(problem->context, trial->t1, trial->at, crossed, error);
    if (status != FA_OK || !*crossed) return status;
    const double end = trial->t1;
    double       before = trial->t, behind = end, tried = end;
    while (behind - before > resolution(trial->t, end)) {
        bool there;
        tried = before + (behind - before) / 2;
        status = scheme->between(trial, tried, error);
        if (status != FA_OK) return status;
        status = problem->crossed(problem->context, tried, trial->point, &there, error);
        if (status != FA_OK) return status;
        *(there ? &behind : &before) = tried;
    }
    if (behind == end) return FA_OK;
    if (tried != behind) status = scheme->between(trial, behind, error);
    memcpy(trial->at, trial->point, (size_t)problem->n * sizeof *trial->at);
    trial->t1 = behind;
    return status;
}

static fa_status tell_accepted(const fa_trial *trial, bool *moved, fa_error *error)
{
    const fa_problem *problem = trial->problem;
    *moved = false;
    return problem->accepted
               ? problem->accepted(problem->context, trial->t1, trial->at, moved, error)
               : FA_OK;
}

static fa_status be_patient(const fa_problem *problem, double t, fa_error *error)
{
    return problem->patient ? problem->patient(problem->context, t, error) : FA_OK;
}

// Advances t and x to the end of the step.
static void take(const fa_trial *trial, double *t, double x[])
{
    memcpy(x, trial->at, (size_t)trial->problem->n * sizeof *x);
    *t = trial->t1;
}

// --- fixed steps

// Counts 10.000000000000002 steps of 1 ms in 10 ms as ten. The tolerance is far above the rounding
// of a division and far below any difference that a step size is chosen for.
double fa_integrate_steps(double span, double step)
{
    const double guard = 1e-9;
    double       steps = ceil(span / step * (1 - guard));
    return steps > 1 ? steps : 1;
}

static fa_status fixed_steps(const fa_problem *problem, const fa_scheme *scheme, double step,
                             double *t, double t_end, double x[], double work[], fa_error *error)
{
    fa_trial trial = trial_in(problem, x, work);
    double   t_start = *t, span = t_end - t_start;
    double   count = fa_integrate_steps(span, step), h = span / count;
    if (!(count <= most_steps))
        return fa_fail(error, FA_UNFIT, NULL, FA_NOWHERE,
                       "steps of %s s are too many from t = %s s to %s s; take a larger "
                       "solver_step or shorter communication steps",
                       fa_number_text(step).text, fa_number_text(t_start).text,
                       fa_number_text(t_end).text);

    for (double done = 0; done < count; done++) {
        bool crossed = false, moved;
        trial.t = *t;
        trial.t1 = done + 1 < count ? t_start + (done + 1) * h : t_end;
        fa_status status = be_patient(problem, *t, error);
        if (status == FA_OK) status = scheme->begin(&trial, error);
        if (status == FA_OK) status = scheme->attempt(&trial, error);
        if (status == FA_OK) status = find_crossing(scheme, &trial, &crossed, error);
        if (status == FA_OK) status = tell_accepted(&trial, &moved, error);
        if (status != FA_OK) return status;
        take(&trial, t, x);
        if (crossed) break;
    }
    return FA_OK;
}

// --- error control

// Returns x^(1/5) for x > 0, by Newton's method. pow() would require a newer glibc than hosts have,
// and its bits differ between platforms.
static double fifth_root(double x)
{
    double y = sqrt(sqrt(x));
    for (int i = 0; i < 12; i++) {
        const double y4 = y * y * y * y, next = (4 * y + x / y4) / 5;
        if (next == y) break;
        y = next;
    }
    return y;
}

// Returns the factor on the step size after this error, relative to the tolerance.
static double growth(double error, int order)
{
    const double safety = 0.9, least = 0.2, most = 5; // as in the book, p. 168
    // Beyond these errors the factor is clamped, so no root is needed.
    if (error < 1e-4) return most;
    if (!(error < 1e4)) return least;
    double root = order == 4 ? sqrt(sqrt(error)) : fifth_root(error);
    return fmin(most, fmax(least, safety / root));
}

// Returns an initial step that changes x by a hundredth of its size (the book, p. 169, step a and
// b).
static double first_step(const fa_trial *trial, double tolerance, double span)
{
    const double *x = trial->x;
    double        d0 = fa_trial_size(trial->problem, x, x, x) / tolerance;
    double        d1 = fa_trial_size(trial->problem, trial->stage, x, x) / tolerance;
    double        h = d0 < 1e-5 || d1 < 1e-5 ? 1e-6 : 0.01 * d0 / d1;
    return fmin(h, span);
}

// --- explicit or implicit

// Number of states up to which the automatic choice tries the implicit method without delay.
enum { FEW_STATES = 64 };

static bool has_large_matrix(const fa_problem *problem)
{
    return fa_integrate_has_matrix(problem->n, problem->implicit) && problem->n > FEW_STATES;
}

// Cost of a step of each method, in evaluations of the right-hand side. A Jacobian counts as one
// for each state, as for unknown structure. The n^3 / 3 multiplications of a large LU factorisation
// cost about n^2 / 200 right-hand sides, at 25 ns for each state and 0.4 ns for each
// multiplication.
static const double explicit_cost = 6;

static double implicit_cost(const fa_problem *problem)
{
    const double n = problem->n;
    return 6 + n + (has_large_matrix(problem) ? n * n / 200 : 0);
}

// Hysteresis of the automatic choice: number of stiff steps before a change of method, doubled
// after each return from the implicit one, up to RETURNS_MOST times; number of other steps that
// reset the count.
enum { PATIENCE = 15, RETURNS_MOST = 6, FORGETS = 6 };

// Returns the factor on these numbers for large matrices. A trial of the implicit method takes
// PATIENCE steps, each as expensive as many explicit ones. The factor keeps the cost of trials
// below that of the motion.
static int32_t waits(const fa_problem *problem)
{
    const double times = problem->n / (double)FEW_STATES;
    return has_large_matrix(problem) ? (int32_t)(times * times) + 1 : 1;
}

static int32_t patience(const fa_problem *problem, const fa_pace *pace)
{
    // Leaving the implicit method with a large matrix needs no further delay.
    if (pace->implicit && has_large_matrix(problem)) return PATIENCE;
    return PATIENCE * waits(problem) << pace->returns;
}

static int32_t forgets(const fa_problem *problem, const fa_pace *pace)
{
    return pace->implicit ? 1 : FORGETS * waits(problem);
}

bool fa_pace_is_possible(const fa_pace *pace)
{
    const fa_problem largest = {.n = FA_MATRIX_STATES_MAX};
    const fa_pace    most = {.returns = pace->returns};
    return pace->step >= 0 && isfinite(pace->step) && pace->implicit >= 0 && pace->implicit <= 1 &&
           pace->returns >= 0 && pace->returns <= RETURNS_MOST && pace->stiff >= 0 &&
           pace->stiff < patience(&largest, &most) && pace->calm >= 0 &&
           pace->calm < forgets(&largest, &most);
}

// Stiffness makes stages oscillate. The second error estimate of Dormand–Prince detects that and
// keeps steps below the limit of stability. Such a step counts as stiff from this share of the
// limit. From 0.35 to 0.7, counts of evaluations in tests/solve/test_stiff.c are the same.
static const double below = 0.5;

// Decides after an accepted step whether to change the method, and returns true if so. The explicit
// method is left after as many steps at its limit of stability as in Hairer's program, and after
// more of them each time that the choice has returned to it.
static bool change_method(const fa_scheme *scheme, const fa_trial *trial, fa_pace *pace)
{
    const double limit = scheme->stability(trial), most = trial->doubted ? below : 1;
    const bool   other =
        pace->implicit ? limit * explicit_cost < implicit_cost(trial->problem) : limit > most;
    if (other) {
        pace->stiff++;
        pace->calm = 0;
    } else if (++pace->calm >= forgets(trial->problem, pace)) {
        pace->stiff = pace->calm = 0;
    }
    if (pace->stiff < patience(trial->problem, pace)) return false;
    if (pace->implicit && pace->returns < RETURNS_MOST) pace->returns++;
    pace->implicit = !pace->implicit;
    pace->stiff = pace->calm = 0;
    return true;
}

static const fa_scheme *scheme_of(const fa_problem *problem, const fa_solver *solver,
                                  const fa_pace *pace)
{
    bool automatic = solver->method == FA_SOLVER_AUTOMATIC;
    bool implicit = solver->method == FA_SOLVER_ROSENBROCK || (automatic && pace->implicit);
    return implicit && problem->jacobian ? &fa_scheme_rosenbrock : &fa_scheme_dormand_prince;
}

// Returns true if a shorter step may succeed.
static bool may_pass(fa_status status)
{
    return status == FA_OK || status == FA_SINGULAR || status == FA_NOT_FINITE ||
           status == FA_UNFIT;
}

void fa_steps_begin(fa_steps *steps, const fa_problem *problem, const fa_solver *solver, double *t,
                    double t_end, double x[], fa_pace *pace, double work[])
{
    *steps = (fa_steps){.problem = problem,
                        .solver = solver,
                        .scheme = scheme_of(problem, solver, pace),
                        .pace = pace,
                        .t = t,
                        .x = x,
                        .t_end = t_end,
                        .trial = trial_in(problem, x, work),
                        .h = pace->step,
                        .hopeless = 1e-20 * (t_end - *t)};
    steps->trial.t = *t;
}

fa_status fa_steps_set_out(fa_steps *steps, fa_error *error)
{
    const double t = *steps->t, left = steps->t_end - t;
    if (steps->count++ >= most_steps)
        return fa_fail(error, FA_UNFIT, NULL, FA_NOWHERE,
                       "ten million steps led to t = %s s only; take "
                       "shorter communication steps, a larger solver_tolerance or a solver "
                       "with fixed steps",
                       fa_number_text(t).text);
    const fa_status status = be_patient(steps->problem, t, error);
    if (status != FA_OK) return status;
    // not zero, even for very large derivatives
    if (!(steps->h > 0))
        steps->h = fmax(first_step(&steps->trial, steps->solver->tolerance, left), steps->hopeless);

    // Extends the step to the end if it is close, so that no tiny step remains.
    steps->ends = steps->h >= 0.99 * left;
    steps->tried = steps->ends ? left : steps->h;
    steps->trial.t1 = steps->ends ? steps->t_end : t + steps->tried;
    return FA_OK;
}

static double size_of(const fa_scheme *scheme, fa_trial *trial)
{
    return scheme->size ? scheme->size(trial)
                        : fa_trial_size(trial->problem, trial->error, trial->x, trial->at);
}

fa_status fa_steps_judge(fa_steps *steps, fa_status attempted, bool *accepted, fa_error *error)
{
    const fa_scheme *scheme = steps->scheme;
    fa_trial        *trial = &steps->trial;
    const double     tolerance = steps->solver->tolerance, t = trial->t;
    *accepted = false;
    if (!may_pass(attempted)) return attempted;
    double size = INFINITY;
    if (attempted == FA_OK) size = size_of(scheme, trial) / tolerance;
    double factor = growth(size, scheme->order);

    if (size <= 1) {
        fa_status status = find_crossing(scheme, trial, &steps->crossed, error);
        if (status == FA_OK) status = tell_accepted(trial, &steps->moved, error);
        if (status != FA_OK) return status;
        if (steps->rejected) factor = fmin(1, factor);
        steps->rejected = false;
        *accepted = true;
        if (steps->crossed) return FA_OK;
        // A step that t_end shortened gives no information on the next step size.
        const double next = steps->tried * factor;
        steps->h = steps->ends ? fmax(steps->h, next) : next;
        return FA_OK;
    }

    steps->h = steps->tried * factor;
    steps->rejected = true;
    if (steps->h > fmax(resolution(t, t + steps->h), steps->hopeless)) return FA_OK;
    if (attempted != FA_OK) return attempted;
    return fa_fail(error, FA_NOT_FINITE, NULL, FA_NOWHERE,
                   "no step is short enough for solver_tolerance %s at t = %s s",
                   fa_number_text(tolerance).text, fa_number_text(t).text);
}

void fa_steps_go_on(fa_steps *steps)
{
    const fa_problem *problem = steps->problem;
    const bool        free_choice =
        steps->solver->method == FA_SOLVER_AUTOMATIC && problem->jacobian && !steps->crossed;
    const bool change = free_choice && change_method(steps->scheme, &steps->trial, steps->pace);
    steps->begun =
        !steps->crossed && !steps->moved && !change && steps->scheme->carry_on(&steps->trial);
    take(&steps->trial, steps->t, steps->x);
    steps->trial.t = *steps->t;
    if (change) steps->scheme = scheme_of(problem, steps->solver, steps->pace);
}

static fa_status adaptive_steps(const fa_problem *problem, const fa_solver *solver, double *t,
                                double t_end, double x[], fa_pace *pace, double work[],
                                fa_error *error)
{
    fa_steps steps;
    fa_steps_begin(&steps, problem, solver, t, t_end, x, pace, work);
    while (*t < t_end) {
        bool      accepted;
        fa_status status = steps.begun ? FA_OK : steps.scheme->begin(&steps.trial, error);
        if (status == FA_OK) status = fa_steps_set_out(&steps, error);
        if (status != FA_OK) return status;
        steps.begun = true;
        status = steps.scheme->attempt(&steps.trial, error);
        status = fa_steps_judge(&steps, status, &accepted, error);
        if (status != FA_OK) return status;
        if (!accepted) continue;
        fa_steps_go_on(&steps);
        if (steps.crossed || problem->one_step) break;
    }
    pace->step = steps.h;
    return FA_OK;
}

fa_status fa_integrate(const fa_problem *problem, const fa_solver *solver, double *t, double t_end,
                       double x[], fa_pace *pace, double work[], fa_error *error)
{
    if (!(t_end > *t)) return FA_OK;
    if (problem->n == 0 && !problem->crossed) {
        *t = t_end;
        return FA_OK;
    }
    switch (solver->method) {
    case FA_SOLVER_KUTTA3:
        return fixed_steps(problem, &fa_scheme_kutta3, solver->step, t, t_end, x, work, error);
    case FA_SOLVER_RUNGE_KUTTA4:
        return fixed_steps(problem, &fa_scheme_runge_kutta4, solver->step, t, t_end, x, work,
                           error);
    default:
        return adaptive_steps(problem, solver, t, t_end, x, pace, work, error);
    }
}
