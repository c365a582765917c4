// The integrators on problems with closed solutions.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <math.h>
#include <string.h>

#include "integrate.h"
#include "random.h"

#define WORK 64 // more than two states need

// x'' = -x: a circle in the plane of x and x'. Counts its evaluations.
static fa_status oscillator(void *context, double t, const double x[], double dx[], fa_error *error)
{
    (void)t, (void)error;
    if (context) ++*(int *)context;
    dx[0] = x[1];
    dx[1] = -x[0];
    return FA_OK;
}

// x' = t^3: of degree four in time alone.
static fa_status polynomial(void *context, double t, const double x[], double dx[], fa_error *error)
{
    (void)context, (void)x, (void)error;
    dx[0] = t * t * t;
    return FA_OK;
}

// x' = sqrt(1 - t): no derivative after t = 1.
static fa_status ends_at_one(void *context, double t, const double x[], double dx[],
                             fa_error *error)
{
    (void)context, (void)x;
    if (t > 1) return fa_fail(error, FA_SINGULAR, NULL, FA_NOWHERE, "the road ends at t = 1");
    dx[0] = sqrt(1 - t);
    return FA_OK;
}

static fa_status gives_nan(void *context, double t, const double x[], double dx[], fa_error *error)
{
    (void)context, (void)x, (void)error;
    dx[0] = t < 0.5 ? 1 : NAN;
    return FA_OK;
}

static double circle_error(int method, double step, double tolerance, int *calls)
{
    double     work[WORK], x[2] = {1, 0}, t = 0;
    fa_pace    pace = {0};
    int        count = 0;
    fa_problem problem = {.n = 2, .rhs = oscillator, .context = &count};
    fa_solver  solver = {.method = method, .step = step, .tolerance = tolerance};
    assert_true(fa_integrate_work(2, NULL) <= sizeof work / sizeof *work);
    assert_int_equal(fa_integrate(&problem, &solver, &t, 10, x, &pace, work, NULL), FA_OK);
    assert_true(t == 10);
    if (calls) *calls = count;
    return hypot(x[0] - cos(10), x[1] + sin(10));
}

static void fixed_steps_have_their_order(void **state)
{
    (void)state;
    const struct {
        int    method;
        double order;
    } rule[] = {{FA_SOLVER_KUTTA3, 3}, {FA_SOLVER_RUNGE_KUTTA4, 4}};
    for (int i = 0; i < 2; i++) {
        double coarse = circle_error(rule[i].method, 0.02, 0, NULL);
        double fine = circle_error(rule[i].method, 0.01, 0, NULL);
        double order = log(coarse / fine) / log(2);
        print_message("order %.3f, error %.2e at h = 0.01\n", order, fine);
        // Measured 3.000 and 4.000; the next term of the error is a hundredth of the first one.
        assert_true(fabs(order - rule[i].order) < 0.02);
    }
}

static void dormand_prince_is_of_order_five(void **state)
{
    (void)state;
    // With error control the error goes like the tolerance and the cost like its fifth root.
    int    cheap, dear;
    double coarse = circle_error(FA_SOLVER_DORMAND_PRINCE, 0, 1e-6, &cheap);
    double fine = circle_error(FA_SOLVER_DORMAND_PRINCE, 0, 1e-11, &dear);
    double order = log(1e5) / log((double)dear / cheap);
    print_message("errors %.2e, %.2e with %d, %d calls: order %.2f\n", coarse, fine, cheap, dear,
                  order);
    assert_true(fabs(order - 5) < 0.5);
}

static void the_tolerance_is_kept_step_by_step(void **state)
{
    (void)state;
    for (double tolerance = 1e-3; tolerance > 1e-13; tolerance /= 10) {
        int    calls;
        double error = circle_error(FA_SOLVER_AUTOMATIC, 0, tolerance, &calls);
        print_message("tolerance %.0e: error %.2e, %d calls\n", tolerance, error, calls);
        // Each of the steps adds up to its tolerance, twice as much at |x| = nominal.
        assert_true(error < 2 * tolerance * calls / 6 + 1e-14 * calls);
    }
}

static void dormand_prince_is_exact_up_to_degree_five(void **state)
{
    (void)state;
    double     work[WORK], x[1] = {0}, t = 0;
    fa_pace    pace = {.step = 4};
    fa_problem problem = {.n = 1, .rhs = polynomial};
    fa_solver  solver = {.method = FA_SOLVER_DORMAND_PRINCE, .tolerance = 1e-3};
    assert_int_equal(fa_integrate(&problem, &solver, &t, 4, x, &pace, work, NULL), FA_OK);
    assert_true(fabs(x[0] - 64) < 64 * 1e-15); // rounding of seven products
}

static void ten_milliseconds_are_ten_steps_of_one(void **state)
{
    (void)state;
    // Communication points as hosts make them: i * 0.01, and sums of 0.01.
    double sum = 0;
    for (int i = 0; i < 100000; i++) {
        assert_true(fa_integrate_steps((i + 1) * 0.01 - i * 0.01, 1e-3) == 10);
        assert_true(fa_integrate_steps(sum + 0.01 - sum, 1e-3) == 10);
        sum += 0.01;
    }
    assert_true(fa_integrate_steps(0.0101, 1e-3) == 11);
    assert_true(fa_integrate_steps(1e-9, 1e-3) == 1);
}

static void a_failed_step_leaves_the_last_good_point(void **state)
{
    (void)state;
    double    work[WORK];
    int       method[] = {FA_SOLVER_DORMAND_PRINCE, FA_SOLVER_KUTTA3, FA_SOLVER_RUNGE_KUTTA4};
    fa_solver solver = {.step = 0.01, .tolerance = 1e-9};
    for (int i = 0; i < 3; i++) {
        fa_error   error = fa_no_error();
        double     x[1] = {0}, t = 0;
        fa_pace    pace = {0};
        fa_problem problem = {.n = 1, .rhs = ends_at_one};
        solver.method = method[i];
        assert_int_equal(fa_integrate(&problem, &solver, &t, 2, x, &pace, work, &error),
                         FA_SINGULAR);
        assert_string_equal(error.message, "the road ends at t = 1");
        assert_true(t > 0.98 && t <= 1);
        // The solution at that point; 1e-4 is what the coarse methods are off near the square
        // root.
        double exact = 2. / 3 * (1 - pow(1 - t, 1.5));
        assert_true(fabs(x[0] - exact) < 1e-4);

        x[0] = 0, t = 0, pace = (fa_pace){0};
        problem.rhs = gives_nan;
        assert_int_equal(fa_integrate(&problem, &solver, &t, 1, x, &pace, work, &error),
                         FA_NOT_FINITE);
        assert_true(t > 0.48 && t < 0.5 + 1e-12 && fabs(x[0] - t) < 1e-12);
    }
}

static void a_step_size_is_carried_over(void **state)
{
    (void)state;
    // Ten calls that hand the step on cost little more than one; the end of each cuts one step.
    double     work[WORK], x[2] = {1, 0}, t = 0;
    fa_pace    pace = {0};
    int        calls = 0, once;
    fa_problem problem = {.n = 2, .rhs = oscillator, .context = &calls};
    fa_solver  solver = {.tolerance = 1e-8};
    for (int i = 1; i <= 10; i++)
        assert_int_equal(fa_integrate(&problem, &solver, &t, i, x, &pace, work, NULL), FA_OK);
    circle_error(FA_SOLVER_AUTOMATIC, 0, 1e-8, &once);
    print_message("%d calls in ten parts, %d in one\n", calls, once);
    assert_true(calls < once + 10 * 7 + 1);
}

static void absurd_settings_end_with_a_sentence(void **state)
{
    (void)state;
    double     work[WORK], x[2] = {1, 0}, t = 0;
    fa_pace    pace = {0};
    fa_problem problem = {.n = 2, .rhs = oscillator};
    fa_error   error = fa_no_error();
    fa_solver  never = {.method = FA_SOLVER_KUTTA3, .step = 0};
    assert_int_equal(fa_integrate(&problem, &never, &t, 1, x, &pace, work, &error), FA_UNFIT);
    assert_non_null(
        strstr(error.message, "steps of 0 s are too many from t = 0 s to 1 s; take a "));
    fa_solver exact = {.method = FA_SOLVER_DORMAND_PRINCE, .tolerance = 0};
    assert_int_equal(fa_integrate(&problem, &exact, &t, 1, x, &pace, work, &error), FA_NOT_FINITE);
    assert_true(t == 0 && x[0] == 1 && x[1] == 0);
}

// x' = 1e308, the same everywhere, or x' = -1e308 x.
static fa_status enormous(void *context, double t, const double x[], double dx[], fa_error *error)
{
    (void)t, (void)error;
    dx[0] = 1e308 * (context ? -x[0] : 1);
    return FA_OK;
}

static void a_derivative_near_the_largest_number_ends_in_time(void **state)
{
    (void)state;
    // The step that changes x by a hundredth is too small for any number; 0 would go nowhere, ten
    // million times.
    double     work[WORK], x[1] = {0}, t = 0;
    fa_pace    pace = {0};
    fa_problem problem = {.n = 1, .rhs = enormous};
    fa_error   error = fa_no_error();
    fa_solver  solver = {.method = FA_SOLVER_DORMAND_PRINCE, .tolerance = 1e-6};
    assert_int_equal(fa_integrate(&problem, &solver, &t, 0.1, x, &pace, work, &error), FA_OK);
    assert_true(t == 0.1 && fabs(x[0] / 1e307 - 1) < 1e-14); // a few dozen additions
    t = 0, x[0] = 1, pace = (fa_pace){0}, problem.context = &t;
    assert_int_equal(fa_integrate(&problem, &solver, &t, 0.1, x, &pace, work, &error),
                     FA_NOT_FINITE);
    assert_true(t == 0 && x[0] == 1);
}

// v' = -g - F tanh(v / w): a body that dry friction brakes until it turns round, which takes it a
// few w / g. What is passed when v is: integral of dv / v'.
typedef struct sled {
    double g, F, w;
} sled;

static fa_status sliding(void *context, double t, const double x[], double dx[], fa_error *error)
{
    const sled *s = context;
    (void)t, (void)error;
    dx[0] = x[1];
    dx[1] = -s->g - s->F * tanh(x[1] / s->w);
    return FA_OK;
}

static double when(const sled *s, double v)
{
    const double u = v / s->w, side = u < 0 ? -s->F : s->F;
    const double log_of = // of g cosh u + F sinh u
        fabs(u) + log((s->g + side) / 2 + (s->g - side) / 2 * exp(-2 * fabs(u)));
    return -s->w * (s->g * u - s->F * log_of) / (s->g * s->g - s->F * s->F);
}

// Whatever the steps at which a host communicates: no lucky cancellation of stages before and after
// the turn hides what happens in it.
static void a_turn_in_dry_friction_is_not_overlooked(void **state)
{
    (void)state;
    const double span = 0.05, tolerance = 1e-8, pace_of[] = {1e-3, 1e-2, span};
    uint64_t     seed = 1;
    double       worst = 0;
    for (int i = 0; i < 3000; i++) {
        const double g = random_in(&seed, 5, 30);
        sled         s = {g, g * random_in(&seed, 0.3, 0.9), i % 2 ? 1e-3 : 1e-2};
        double       work[WORK], x[2] = {0, random_in(&seed, 0.02, 0.3)}, t = 0;
        const double start = when(&s, x[1]), step = pace_of[i % 3];
        fa_pace      pace = {0};
        fa_problem   problem = {.n = 2, .rhs = sliding, .context = &s};
        fa_solver    solver = {.method = FA_SOLVER_DORMAND_PRINCE, .tolerance = tolerance};
        for (int k = 1; k <= (int)lround(span / step); k++)
            assert_int_equal(fa_integrate(&problem, &solver, &t, k * step, x, &pace, work, NULL),
                             FA_OK);
        double slope[2];
        (void)sliding(&s, t, x, slope, NULL);
        worst = fmax(worst, fabs((t - (when(&s, x[1]) - start)) * slope[1]));
    }
    print_message("worst error %.2g tolerances\n", worst / tolerance);
    // 4 measured; 390 with one estimate of the error alone.
    assert_true(worst < 12 * tolerance);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(fixed_steps_have_their_order),
        cmocka_unit_test(dormand_prince_is_of_order_five),
        cmocka_unit_test(the_tolerance_is_kept_step_by_step),
        cmocka_unit_test(dormand_prince_is_exact_up_to_degree_five),
        cmocka_unit_test(ten_milliseconds_are_ten_steps_of_one),
        cmocka_unit_test(a_failed_step_leaves_the_last_good_point),
        cmocka_unit_test(a_step_size_is_carried_over),
        cmocka_unit_test(a_turn_in_dry_friction_is_not_overlooked),
        cmocka_unit_test(absurd_settings_end_with_a_sentence),
        cmocka_unit_test(a_derivative_near_the_largest_number_ends_in_time),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
