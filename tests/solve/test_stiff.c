// The implicit integrator: its coefficients against the order conditions, its order on stiff and
// other problems with closed solutions, published reference solutions, and the choice between it
// and the explicit one.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "lu.h"
#include "stepper.h"
#include "stiff_problems.h"

#define S    FA_ROSENBROCK_STAGES
#define WORK 128 // more than four states need

static const fa_rosenbrock *const table = &fa_rodasp;

// --- coefficients

// From a, C and m, which are for computing, to alpha, gamma and b, which the conditions are in:
// Gamma = (1/gamma - C)^-1, alpha = a Gamma, b = m Gamma (Hairer and Wanner II, (7.25)).
typedef struct classical {
    double alpha[S][S], beta[S][S]; // beta = alpha + Gamma
    double gamma[S][S];
    double b[S], embedded[S];
} classical;

static classical classical_form(void)
{
    classical k;
    memset(&k, 0, sizeof k);
    // Column j of Gamma by forward substitution.
    for (int j = 0; j < S; j++)
        for (int i = 0; i < S; i++) {
            double sum = i == j ? 1 : 0;
            for (int l = 0; l < i; l++) sum += table->C[i][l] * k.gamma[l][j];
            k.gamma[i][j] = sum * table->diagonal;
        }
    for (int i = 0; i < S; i++)
        for (int j = 0; j < S; j++) {
            for (int l = 0; l < i; l++) k.alpha[i][j] += table->a[i][l] * k.gamma[l][j];
            k.beta[i][j] = k.alpha[i][j] + k.gamma[i][j];
            // m is the last row of a and a one: the last stage adds its correction to where it
            // began.
            double m = i < S - 1 ? table->a[S - 1][i] : 1;
            k.b[j] += m * k.gamma[i][j];
            if (i < S - 1) k.embedded[j] += table->a[S - 1][i] * k.gamma[i][j];
        }
    return k;
}

// The sums of the conditions for order 1 to 4 less what they should be (section IV.7, (7.11)).
static void conditions(const classical *k, const double b[S], double off[8])
{
    double alpha[S] = {0}, beta[S] = {0};
    for (int i = 0; i < S; i++)
        for (int j = 0; j < S; j++) alpha[i] += k->alpha[i][j], beta[i] += k->beta[i][j];
    const double want[8] = {1, 1. / 2, 1. / 3, 1. / 6, 1. / 4, 1. / 8, 1. / 12, 1. / 24};
    memset(off, 0, 8 * sizeof *off);
    for (int i = 0; i < S; i++) {
        double by_alpha = 0, by_beta = 0, twice = 0, squares = 0;
        for (int j = 0; j < S; j++) {
            by_alpha += k->alpha[i][j] * beta[j];
            by_beta += k->beta[i][j] * beta[j];
            squares += k->beta[i][j] * alpha[j] * alpha[j];
            for (int l = 0; l < S; l++) twice += k->beta[i][j] * k->beta[j][l] * beta[l];
        }
        off[0] += b[i];
        off[1] += b[i] * beta[i];
        off[2] += b[i] * alpha[i] * alpha[i];
        off[3] += b[i] * by_beta;
        off[4] += b[i] * alpha[i] * alpha[i] * alpha[i];
        off[5] += b[i] * alpha[i] * by_alpha;
        off[6] += b[i] * squares;
        off[7] += b[i] * twice;
    }
    for (int c = 0; c < 8; c++) off[c] -= want[c];
}

static void the_coefficients_meet_the_order_conditions(void **state)
{
    (void)state;
    const classical k = classical_form();
    double          off[8], worst = 0;
    conditions(&k, k.b, off);
    for (int c = 0; c < 8; c++) worst = fmax(worst, fabs(off[c]));
    print_message("order 4: off by %.1e\n", worst);
    assert_true(worst < 1e-13); // coefficients of sixteen digits, up to 57 in size
    conditions(&k, k.embedded, off);
    for (int c = 0; c < 4; c++) assert_true(fabs(off[c]) < 1e-13);
    worst = 0;
    for (int c = 4; c < 8; c++) worst = fmax(worst, fabs(off[c]));
    print_message("embedded: order 3, off by %.1e in order 4\n", worst);
    assert_true(worst > 1e-3); // or the difference would be no estimate
    for (int i = 0; i < S; i++) {
        double alpha = 0, gamma = 0;
        for (int j = 0; j < S; j++) alpha += k.alpha[i][j], gamma += k.gamma[i][j];
        assert_true(fabs(alpha - table->c[i]) < 1e-13 && fabs(gamma - table->d[i]) < 1e-13);
        // Stiffly accurate: the last stage is the result, so that R(infinity) = 0.
        assert_true(fabs(k.b[i] - k.beta[S - 1][i]) < 1e-13);
    }
}

// |R(z)| of the test equation x' = z x, h = 1.
static double stability_at(double re, double im)
{
    // W u = z (1 + sum a u) + sum C u with complex numbers by hand.
    double ur[S], ui[S], xr = 1, xi = 0;
    for (int i = 0; i < S; i++) {
        double sr = 1, si = 0, cr = 0, ci = 0;
        for (int j = 0; j < i; j++) {
            sr += table->a[i][j] * ur[j], si += table->a[i][j] * ui[j];
            cr += table->C[i][j] * ur[j], ci += table->C[i][j] * ui[j];
        }
        double br = re * sr - im * si + cr, bi = re * si + im * sr + ci;
        double wr = 1 / table->diagonal - re, wi = -im, size = wr * wr + wi * wi;
        ur[i] = (br * wr + bi * wi) / size;
        ui[i] = (bi * wr - br * wi) / size;
        double m = i < S - 1 ? table->a[S - 1][i] : 1;
        xr += m * ur[i], xi += m * ui[i];
    }
    return hypot(xr, xi);
}

static void it_is_l_stable(void **state)
{
    (void)state;
    double worst = 0;
    for (double y = -1e4; y < 1e4; y += 0.37) worst = fmax(worst, stability_at(0, y));
    for (double y = -50; y < 50; y += 0.01) worst = fmax(worst, stability_at(0, y));
    // On the imaginary axis, and so left of it, |R| is at most 1; the rest is rounding.
    assert_true(worst < 1 + 1e-10);
    assert_true(stability_at(-1e8, 0) < 1e-6 && stability_at(-1e6, 1e6) < 1e-4);
}

// --- orders

// Equal steps of one scheme, without error control; the largest error on the way at a point within
// the steps goes to *between.
static double equal_steps(const fa_scheme *scheme, const fa_problem *problem, double x[], int steps,
                          double (*exact)(double), double *between)
{
    double   work[WORK], t = 0, worst = 0;
    int      n = problem->n;
    fa_trial trial = {.problem = problem,
                      .x = x,
                      .stage = work,
                      .at = work + 8 * n,
                      .error = work + 9 * n,
                      .point = work + 10 * n,
                      .spare = work + 11 * n,
                      .pivot = (int *)(work + 13 * n),
                      .jacobian = work + 14 * n,
                      .factors = work + 14 * n + n * n};
    *between = 0;
    for (int i = 0; i < steps; i++) {
        trial.t = t;
        trial.t1 = (i + 1.) / steps;
        assert_int_equal(scheme->begin(&trial, NULL), FA_OK);
        assert_int_equal(scheme->attempt(&trial, NULL), FA_OK);
        double when = trial.t + 0.37 * (trial.t1 - trial.t);
        assert_int_equal(scheme->between(&trial, when, NULL), FA_OK);
        *between = fmax(*between, fabs(trial.point[n - 1] - exact(when)));
        memcpy(x, trial.at, (size_t)n * sizeof *x);
        t = trial.t1;
        worst = fmax(worst, fabs(x[n - 1] - exact(t)));
    }
    return worst;
}

static double decay(double t)
{
    return exp(-t);
}

static void both_methods_have_their_orders(void **state)
{
    (void)state;
    const struct {
        const fa_scheme *scheme;
        double           order;
        int              steps;
    } of[] = {{&fa_scheme_dormand_prince, 5, 40}, {&fa_scheme_rosenbrock, 4, 20}};
    for (int i = 0; i < 2; i++) {
        stiff_problem p = {.lambda = -3};
        fa_problem    problem = {.n = 2, .rhs = kaps, .jacobian = kaps_slopes, .context = &p};
        double        inside[2], error[2];
        for (int fine = 0; fine < 2; fine++) {
            double x[2] = {1, 1};
            error[fine] =
                equal_steps(of[i].scheme, &problem, x, of[i].steps << fine, decay, &inside[fine]);
        }
        double order = log2(error[0] / error[1]), dense = log2(inside[0] / inside[1]);
        print_message("order %.2f, between the points %.2f (errors %.1e, %.1e)\n", order, dense,
                      error[1], inside[1]);
        // The next term of the error is a tenth of the first at these steps.
        assert_true(fabs(order - of[i].order) < 0.25);
        // The polynomials have at least the order of the estimate.
        assert_true(dense > of[i].order - 1.25);
    }
}

static double sine(double t)
{
    return sin(t);
}

static void stiffness_does_not_cost_the_order(void **state)
{
    (void)state;
    for (double lambda = -1; lambda > -1e9; lambda *= 100) {
        stiff_problem p = {.lambda = lambda};
        fa_problem    problem = {
               .n = 1, .rhs = prothero_robinson, .jacobian = prothero_robinson_slopes, .context = &p};
        double error[2], inside;
        for (int fine = 0; fine < 2; fine++) {
            double x[1] = {0};
            error[fine] = equal_steps(&fa_scheme_rosenbrock, &problem, x, 8 << fine, sine, &inside);
        }
        double order = log2(error[0] / error[1]);
        print_message("lambda %.0e: order %.2f, error %.1e\n", lambda, order, error[1]);
        // Order 4 while h lambda is small, 3 beyond, with ever smaller errors; methods that are not
        // made for it fall to order 2 here, or 1. At rounding there is none to measure.
        assert_true(order > 2.9 || error[1] < 1e-13);
    }
    for (double lambda = -10; lambda > -1e9; lambda *= 100) {
        stiff_problem p = {.lambda = lambda};
        fa_problem    problem = {.n = 2, .rhs = kaps, .jacobian = kaps_slopes, .context = &p};
        double        error[2], inside;
        for (int fine = 0; fine < 2; fine++) {
            double x[2] = {1, 1};
            error[fine] =
                equal_steps(&fa_scheme_rosenbrock, &problem, x, 16 << fine, decay, &inside);
        }
        double order = log2(error[0] / error[1]);
        print_message("Kaps, lambda %.0e: order %.2f, error %.1e\n", lambda, order, error[1]);
        assert_true(order > 2.8);
    }
}

// --- with error control

static void published_solutions_are_met(void **state)
{
    (void)state;
    const struct {
        const char     *name;
        fa_rhs_fn      *rhs;
        fa_jacobian_fn *slopes;
        int             n;
        double          lambda, end, start[3], nominal[3], want[3];
    } of[] = {// Test Set for IVP Solvers (Mazzia and Magherini, 2008): the last digit of both is in
              // doubt.
              {"van der Pol",
               van_der_pol,
               van_der_pol_slopes,
               2,
               1e6,
               2,
               {2, 0},
               {1, 1},
               {0.1706167732170483e1, -0.8928097010247975}},
              {"Robertson",
               robertson,
               robertson_slopes,
               3,
               0,
               1e11,
               {1, 0, 0},
               {1e-8, 1e-13, 1},
               {0.2083340149701255e-7, 0.8333360770334713e-13, 0.9999999791665050}}};
    for (int i = 0; i < 2; i++)
        for (int method = 0; method <= 4; method += 4)
            for (double tolerance = 1e-4; tolerance > 1e-9; tolerance /= 100) {
                stiff_problem p = {.lambda = of[i].lambda};
                fa_problem    problem = {.n = of[i].n,
                                         .rhs = of[i].rhs,
                                         .jacobian = of[i].slopes,
                                         .context = &p,
                                         .nominal = of[i].nominal};
                fa_solver     solver = {.method = method, .tolerance = tolerance};
                fa_pace       pace = {0};
                double        work[WORK], x[3], t = 0, off = 0;
                memcpy(x, of[i].start, sizeof x);
                assert_int_equal(
                    fa_integrate(&problem, &solver, &t, of[i].end, x, &pace, work, NULL), FA_OK);
                for (int k = 0; k < of[i].n; k++)
                    off = fmax(off, fabs(x[k] - of[i].want[k]) / fabs(of[i].want[k]));
                print_message("%s, solver %d, %.0e: off by %.1e, %d evaluations, %d Jacobians\n",
                              of[i].name, method, tolerance, off, p.calls, p.jacobians);
                // Each step adds at most its tolerance, and decay forgets most of what was added.
                assert_true(off < 30 * tolerance);
                assert_true(p.calls < 40000);
            }
}

static void the_automatic_choice_goes_there_and_back(void **state)
{
    (void)state;
    // Stiff at rest on its slow branch, then fast around the corner: van der Pol at 1e4.
    stiff_problem p[3] = {{.lambda = 1e4}, {.lambda = 1e4}, {.lambda = 1e4}};
    double        end[3][2];
    for (int method = 0; method < 3; method++) {
        const int  number[] = {FA_SOLVER_AUTOMATIC, FA_SOLVER_DORMAND_PRINCE, FA_SOLVER_ROSENBROCK};
        fa_problem problem = {
            .n = 2, .rhs = van_der_pol, .jacobian = van_der_pol_slopes, .context = &p[method]};
        fa_solver solver = {.method = number[method], .tolerance = 1e-7};
        fa_pace   pace = {0};
        double    work[WORK], x[2] = {2, 0}, t = 0;
        int       changes = 0;
        for (int i = 1; i <= 300; i++) {
            int was = pace.implicit;
            assert_int_equal(fa_integrate(&problem, &solver, &t, i * 0.01, x, &pace, work, NULL),
                             FA_OK);
            changes += was != pace.implicit;
            // Counted is how often the implicit method has been left, and not how often chosen.
            if (changes == 0 || (changes == 1 && pace.implicit)) assert_int_equal(pace.returns, 0);
        }
        memcpy(end[method], x, sizeof x);
        print_message("solver %d: %d evaluations, %d Jacobians, %d changes\n", number[method],
                      p[method].calls, p[method].jacobians, changes);
        if (method == 0) assert_true(changes >= 1);
    }
    // After two jumps the phase has the error of the steps before, magnified by the corner.
    assert_true(fabs(end[0][0] - end[2][0]) < 1e-4 && fabs(end[1][0] - end[2][0]) < 1e-4);
    assert_true(p[0].calls * 5 < p[1].calls);

    // Not stiff: nothing changes, and nothing costs more.
    stiff_problem mild = {.lambda = 1};
    fa_problem    problem = {
           .n = 2, .rhs = van_der_pol, .jacobian = van_der_pol_slopes, .context = &mild};
    fa_solver solver = {.method = FA_SOLVER_AUTOMATIC, .tolerance = 1e-8};
    fa_pace   pace = {0};
    double    work[WORK], x[2] = {2, 0}, t = 0;
    assert_int_equal(fa_integrate(&problem, &solver, &t, 100, x, &pace, work, NULL), FA_OK);
    assert_true(mild.jacobians == 0);
}

// Many equations of Prothero and Robinson after a sine of any frequency, all states alike.
enum { MANY = 300 };

typedef struct many_equations {
    double lambda, frequency;
    long   calls, jacobians;
} many_equations;

static fa_status many(void *context, double t, const double x[], double dx[], fa_error *error)
{
    (void)error;
    many_equations *p = context;
    const double    s = sin(p->frequency * t), c = cos(p->frequency * t);
    p->calls++;
    for (int i = 0; i < MANY; i++) dx[i] = p->lambda * (x[i] - s) + p->frequency * c;
    return FA_OK;
}

static fa_status many_slopes(void *context, double t, const double x[], double by_state[],
                             double by_time[], fa_error *error)
{
    (void)x, (void)error;
    many_equations *p = context;
    const double    w = p->frequency;
    p->jacobians++;
    memset(by_state, 0, sizeof(double) * MANY * MANY);
    for (int i = 0; i < MANY; i++) {
        by_state[i * MANY + i] = p->lambda;
        by_time[i] = -p->lambda * w * cos(w * t) - w * w * sin(w * t);
    }
    return FA_OK;
}

// In right-hand sides, of which a matrix and its factors take so many.
static double cost_of_many(int method, double lambda, double frequency, double end)
{
    const double   matrix = MANY + MANY * MANY / 200.;
    many_equations p = {.lambda = lambda, .frequency = frequency};
    fa_problem     problem = {.n = MANY, .rhs = many, .jacobian = many_slopes, .context = &p};
    fa_solver      solver = {.method = method, .tolerance = 1e-6};
    fa_pace        pace = {0};
    double         x[MANY] = {0}, t = 0;
    double        *work = malloc(fa_integrate_work(MANY, NULL) * sizeof *work);
    assert_non_null(work);
    assert_int_equal(fa_integrate(&problem, &solver, &t, end, x, &pace, work, NULL), FA_OK);
    for (int i = 0; i < MANY; i++) assert_true(fabs(x[i] - sin(frequency * end)) < 1e-5);
    assert_true(fa_pace_is_possible(&pace));
    free(work);
    return (double)p.calls + (double)p.jacobians * matrix;
}

static void a_large_matrix_is_not_tried_for_more_than_it_may_save(void **state)
{
    (void)state;
    // However short and however stiff the motion is.
    const double lambda[] = {-2e3, -5e3, -1e5}, frequency[] = {1, 12, 50}, end[] = {0.02, 0.1, 3};
    for (int i = 0; i < 27; i++) {
        const double l = lambda[i / 9], w = frequency[i / 3 % 3], to = end[i % 3];
        const double cost = cost_of_many(FA_SOLVER_AUTOMATIC, l, w, to);
        const double alone = cost_of_many(FA_SOLVER_DORMAND_PRINCE, l, w, to);
        print_message("lambda %g, frequency %g, %g s: automatic %g, explicit %g\n", l, w, to, cost,
                      alone);
        assert_true(cost < 2 * alone);
        // Where the matrix pays by far, it is found.
        if (l < -1e4 && to > 1) assert_true(cost * 4 < alone);
    }
}

static void a_step_that_cannot_be_solved_is_made_shorter(void **state)
{
    (void)state;
    // 1/(gamma h) = lambda at h = 4 / lambda: W is zero there.
    stiff_problem p = {.lambda = 4};
    fa_problem    problem = {
           .n = 1, .rhs = prothero_robinson, .jacobian = prothero_robinson_slopes, .context = &p};
    fa_solver solver = {.method = FA_SOLVER_ROSENBROCK, .tolerance = 1e-6};
    fa_pace   pace = {.step = 1};
    double    work[WORK], x[1] = {0}, t = 0;
    assert_int_equal(fa_integrate(&problem, &solver, &t, 1, x, &pace, work, NULL), FA_OK);
    assert_true(fabs(x[0] - sin(1)) < 1e-6 * exp(4) * 10); // errors grow with exp(lambda t)
}

static void equations_are_solved_and_singular_ones_refused(void **state)
{
    (void)state;
    double A[16] = {0, 2, 1, 0, 1, -1, 3, 2, 4, 0, 0, 1, 0, 0, 5, -2}, kept[16];
    double want[4] = {1, -2, 3, 0.5}, b[4] = {0};
    int    pivot[4];
    memcpy(kept, A, sizeof A);
    for (int i = 0; i < 4; i++)
        for (int j = 0; j < 4; j++) b[i] += A[i * 4 + j] * want[j];
    assert_true(fa_lu_factor(4, A, pivot));
    fa_lu_solve(4, A, pivot, b);
    for (int i = 0; i < 4; i++) assert_true(fabs(b[i] - want[i]) < 1e-14);
    memcpy(A, kept, sizeof A);
    for (int j = 0; j < 4; j++) A[12 + j] = A[j] - 2 * A[4 + j];
    A[12] = A[0] - 2 * A[4];
    assert_false(fa_lu_factor(4, A, pivot) && fabs(A[15]) > 1e-12);
    A[5] = NAN;
    assert_false(fa_lu_factor(4, A, pivot));
    double zero[4] = {1, 2, 2, 4};
    assert_false(fa_lu_factor(2, zero, pivot));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_coefficients_meet_the_order_conditions),
        cmocka_unit_test(it_is_l_stable),
        cmocka_unit_test(both_methods_have_their_orders),
        cmocka_unit_test(stiffness_does_not_cost_the_order),
        cmocka_unit_test(published_solutions_are_met),
        cmocka_unit_test(the_automatic_choice_goes_there_and_back),
        cmocka_unit_test(a_large_matrix_is_not_tried_for_more_than_it_may_save),
        cmocka_unit_test(a_step_that_cannot_be_solved_is_made_shorter),
        cmocka_unit_test(equations_are_solved_and_singular_ones_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
