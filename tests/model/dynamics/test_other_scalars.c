// What the counting and the single-precision builds of the methods say. The formulas of
// docs/theory/operation-counts.md and the figures of docs/theory/single-precision.md rest on these.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "ascher.h"
#include "compare.h"
#include "dynamics.h"
#include "general_arm.h"
#include "polynomial.h"
#include "single_precision.h"

enum { N = POLYNOMIAL_POINTS };

static fa_operations online(const char *method, fa_question question, int n)
{
    fa_body        body[N];
    const fa_chain chain = general_arm(n, body);
    fa_operations  all, counted;
    assert_int_equal(fa_count(method, question, &chain, &all, &counted), FA_OK);
    return counted;
}

// The largest exponent that the row's text mentions: "n inverse, n^3 forward" is 3.
static int declared_order(const char *text)
{
    int order = 1;
    for (; *text; text++)
        if (text[0] == 'n' && text[1] == '^' && text[2] - '0' > order) order = text[2] - '0';
    return order;
}

static void every_row_costs_the_order_that_it_declares(void **state)
{
    (void)state;
    for (int m = 0; m < fa_method_count; m++) {
        int degree = 0, answered = 0;
        for (int question = FA_FORWARD; question <= FA_MATRIX; question++) {
            long       products[N + 1];
            fa_body    body[N];
            bool       answers = true;
            polynomial p;
            for (int n = 1; n <= N; n++) {
                const fa_chain chain = general_arm(n, body);
                fa_operations  all, counted;
                answers &= fa_count(fa_methods[m]->name, (fa_question)question, &chain, &all,
                                    &counted) == FA_OK;
                products[n] = fa_products(counted);
            }
            if (!answers) continue;
            answered++;
            assert_true(polynomial_fit(products, &p));
            if (polynomial_degree(&p) > degree) degree = polynomial_degree(&p);
        }
        // The fast methods are for processors' own numbers alone, and answer none of these.
        assert_true(answered > 0 || strncmp(fa_methods[m]->name, "fast-", 5) == 0);
        if (answered > 0 && degree != declared_order(fa_methods[m]->order))
            fail_msg("%s declares %s and costs n^%d", fa_methods[m]->name, fa_methods[m]->order,
                     degree);
    }
}

// Mata's Table 1 is 96n - 101 products and 84n - 100 sums, Table 2 11.5n^2 + 19.5n - 49 and
// 8.5n^2 + 31.5n - 69. Ours grow as these do, and are smaller but for one sum.
static void gibbs_appell_costs_no_more_than_the_paper_says(void **state)
{
    (void)state;
    for (int n = 3; n <= N; n++) {
        const fa_operations inverse = online("gibbs-appell", FA_INVERSE, n);
        const fa_operations bias = online("gibbs-appell", FA_BIAS, n);
        const fa_operations matrix = online("gibbs-appell", FA_MATRIX, n);
        assert_int_equal(fa_products(inverse), 96 * n - 101 - 4);
        assert_int_equal(inverse.additions, 84 * n - 100 + 1);
        assert_int_equal(fa_products(bias), 96 * n - 108 - 9);
        assert_int_equal(bias.additions, 83 * n - 105 - 5);
        assert_int_equal(2 * fa_products(matrix), 23 * n * n + 39 * n - 98 - 2 * (12 * n - 13));
        assert_int_equal(2 * matrix.additions, 17 * n * n + 63 * n - 138 - 2 * (9 * n - 9));
    }
}

// Angeles and Ma, as Mata prints them: n^3 + 17n^2 - 21n + 8 products and n^3 + 14n^2 - 16n + 5
// sums for the matrix, 1353 and 1165 for forward dynamics with six joints.
static void the_natural_complement_grows_as_angeles_and_ma_s(void **state)
{
    (void)state;
    long       products[N + 1], sums[N + 1];
    polynomial p;
    for (int n = 1; n <= N; n++) {
        const fa_operations count = online("natural-complement", FA_MATRIX, n);
        products[n] = fa_products(count);
        sums[n] = count.additions;
    }
    assert_true(polynomial_fit(products, &p) && polynomial_degree(&p) == 3 && p.power[3] == 1);
    assert_true(products[6] <= 710);
    assert_true(polynomial_fit(sums, &p) && polynomial_degree(&p) == 3 && p.power[3] == 1);
    assert_true(sums[6] <= 629);
    const fa_operations forward = online("natural-complement", FA_FORWARD, 6);
    assert_true(fa_products(forward) <= 1353 && forward.additions <= 1165);
}

// The lines of the lists are all there is, and what the paper prints beside the lines of section
// 4.2 is its own total.
static void the_steps_of_gibbs_appell_add_up(void **state)
{
    (void)state;
    fa_body        body[N];
    fa_step_count  step[FA_STEPS_MAX];
    const fa_chain chain = general_arm(6, body);
    for (int question = FA_INVERSE; question <= FA_MATRIX; question += FA_MATRIX - FA_INVERSE) {
        const fa_operations whole = online("gibbs-appell", (fa_question)question, 6);
        long                products = 0, sums = 0, printed[2] = {0};
        const int           steps = fa_count_gibbs_steps((fa_question)question, &chain, step);
        assert_true(steps > 0 && steps <= FA_STEPS_MAX);
        for (int i = 0; i < steps; i++) {
            long        of[2];
            const char *total = strchr(step[i].paper, ':');
            products += step[i].products;
            sums += step[i].sums;
            if (!total || sscanf(total, ": %ld, %ld", &of[0], &of[1]) != 2) continue;
            printed[0] += of[0];
            printed[1] += of[1];
            assert_true(step[i].sums <= of[1]);
            assert_true(step[i].products <= of[0] + 2 * 5); // step 3: erratum M12 in every joint
        }
        assert_int_equal(products, fa_products(whole));
        assert_int_equal(sums, whole.additions);
        if (question != FA_MATRIX) continue;
        assert_int_equal(printed[0], 482);
        assert_int_equal(printed[1], 426);
    }
}

// Cholesky's factors and both solutions, as the forward dynamics spends them. Sums confirm that
// Mata's Table 3 should have (n^3 - n)/6, not n^3/6 + n^2/2 + n/3, beside n^2 - n.
static void solving_costs_what_table_3_says_once_its_sums_are_put_right(void **state)
{
    (void)state;
    for (int n = 3; n <= N; n++) {
        const fa_operations forward = online("gibbs-appell", FA_FORWARD, n);
        const fa_operations bias = online("gibbs-appell", FA_BIAS, n);
        const fa_operations matrix = online("gibbs-appell", FA_MATRIX, n);
        const long          sums =
            forward.additions - bias.additions - matrix.additions - n; // n: tau less bias
        const long products = fa_products(forward) - fa_products(bias) - fa_products(matrix);
        assert_int_equal(sums, (n * n * n - n) / 6 + n * n - n);
        // n more divisions in the solution, and the test of n - 1 pivots that depend on the state.
        assert_int_equal(6 * products,
                         n * n * n + 3 * n * n + 2 * n + 6 * n * n + 6 * n + 6 * (n - 1));
    }
}

static long total(const char *method, int n)
{
    const fa_operations count = online(method, FA_FORWARD, n);
    return fa_products(count) + count.additions;
}

static void gibbs_appell_is_cheaper_than_articulated_bodies_up_to_seventeen_joints(void **state)
{
    (void)state;
    // Beyond the twelve joints that are counted, by the formulas, which are exact.
    long       difference[N + 1];
    polynomial p;
    for (int n = 1; n <= N; n++)
        difference[n] = total("gibbs-appell", n) - total("articulated-body", n);
    assert_true(polynomial_fit(difference, &p));
    for (int n = 2; n <= 20; n++) {
        assert_true((polynomial_at(&p, n) < 0) == (n <= 17));
    }
}

// The totals of Table 3 as printed and of Featherstone's articulated bodies, 300n - 267 and
// 279n - 259, which meet Table 4: products and sums together.
static void by_the_paper_s_own_formulas_articulated_bodies_win_from_thirteen_joints_on(void **state)
{
    (void)state;
    for (int n = 2; n <= 30; n++) {
        const double gibbs = n * n * n / 3.0 + 23.0 * n * n + 1378 * n / 6.0 - 331;
        const double articulated = 300.0 * n - 267 + 279.0 * n - 259;
        assert_true((gibbs < articulated) == (n < 13));
        if (n == 6) assert_true(gibbs == 1042 + 905 && articulated == 1533 + 1415);
    }
}

static void single_precision_agrees_with_double_as_far_as_it_can(void **state)
{
    (void)state;
    static double  work[1 << 14];
    fa_body        body[6];
    const fa_chain chain = general_arm(6, body);
    const double   q[6] = {0.1, 0.2, 0.3, 0.4, 0.5, 0.6}, qd[6] = {1, -1, 1, -1, 1, -1};
    const double   tau[6] = {3, 2, 1, 0, -1, -2};
    for (int m = 0; m < fa_method_count; m++) {
        const fa_method *method = fa_methods[m];
        double           in_double[6], in_single[6];
        assert_true(method->work_size(&chain) <= sizeof work);
        if (method->inverse) {
            method->inverse(&chain, q, qd, tau, NULL, in_double, work);
            assert_int_equal(fa_single(method->name, FA_INVERSE, &chain, q, qd, tau, in_single),
                             FA_OK);
            const double error = distance(in_double, in_single, 6) / largest(in_double, 6);
            // 24 bits: larger than 1e-9 shows that it is single, below 1e-5 that it is right.
            assert_true(error > 1e-9 && error < 1e-5);
        }
    }
}

// Table 5 of Mata and others prints 0.534 for its method, 0.498 for articulated bodies and 1.292
// for composite bodies: how far single precision is off at most [rad/s^2].
static void ascher_shows_what_solving_with_a_matrix_costs(void **state)
{
    (void)state;
    static double  work[1 << 10];
    const double   zero[2] = {0, 0};
    const char    *names[] = {"articulated-body", "gibbs-appell", "composite-body", "walker-orin"};
    double         worst[4] = {0}, least = INFINITY, most = 0;
    fa_body        body[2];
    const fa_chain chain = ascher_chain(body);
    for (int k = 0; k < ASCHER_POSES; k++) {
        const double q[2] = {0, ascher_angle(k)};
        double       exact[2], got[2], M[4], norm, inverse_norm;
        fa_method_find("articulated-body")->forward(&chain, q, zero, zero, NULL, exact, work);
        fa_method_find("lagrange")->mass_matrix(&chain, q, M, work);
        norms(M, 2, &norm, &inverse_norm);
        least = fmin(least, norm * inverse_norm);
        most = fmax(most, norm * inverse_norm);
        for (int m = 0; m < 4; m++) {
            assert_int_equal(fa_single(names[m], FA_FORWARD, &chain, q, zero, zero, got), FA_OK);
            worst[m] = fmax(worst[m], distance(exact, got, 2));
        }
    }
    assert_true(least > 1e4 && most < 1e5); // condition of the matrix: 1.3e4 to 5.5e4
    assert_true(worst[0] < 1e-3);           // no matrix is formed: 2e-4
    for (int m = 1; m < 4; m++)             // of 500 rad/s^2, 2^-24 times the condition is 1.6
        assert_true(worst[m] > 0.1 && worst[m] < 10);
    assert_true(worst[3] > 2 * worst[1]); // moments about centres of mass, subtracted again
}

// To single precision, whatever the compiler makes of a conversion there and back.
static double rounded(double x)
{
    const volatile float single = (float)x;
    return single;
}

// A 2 x 2 system in double precision.
static void solve_exactly(const double M[4], const double b[2], double x[2])
{
    const double det = M[0] * M[3] - M[1] * M[2];
    x[0] = (M[3] * b[0] - M[1] * b[1]) / det;
    x[1] = (M[0] * b[1] - M[2] * b[0]) / det;
}

// The same solved by Gauss-Jordan elimination, as the paper does: Table 5 prints 1.2922 and 0.275
// for composite bodies, 0.534 and 0.0088 for Gibbs-Appell. Last, the floor: the exact matrix and
// bias, rounded to single precision once and solved without any other error.
static void table_5_is_not_reproduced_by_gauss_jordan(void **state)
{
    (void)state;
    static double  work[1 << 10];
    const double   zero[2] = {0, 0};
    const char    *names[] = {"composite-body", "gibbs-appell", "the floor"};
    double         worst[3] = {0}, mean[3] = {0};
    fa_body        body[2];
    const fa_chain chain = ascher_chain(body);
    for (int k = 0; k < ASCHER_POSES; k++) {
        const double q[2] = {0, ascher_angle(k)};
        double       exact[2], got[2], M[4], bias[2], b[2];
        fa_method_find("articulated-body")->forward(&chain, q, zero, zero, NULL, exact, work);
        for (int m = 0; m < 3; m++) {
            // composite-body has no inverse dynamics of its own.
            const char *inverse = m == 0 ? "newton-euler" : names[m];
            if (m < 2) {
                assert_int_equal(fa_single(inverse, FA_BIAS, &chain, q, zero, zero, bias), FA_OK);
                assert_int_equal(fa_single(names[m], FA_MATRIX, &chain, q, zero, zero, M), FA_OK);
                for (int i = 0; i < 2; i++) b[i] = -bias[i];
                assert_int_equal(fa_single_gauss_jordan(2, M, b, got), FA_OK);
            } else {
                const fa_method *referee = fa_method_find("lagrange");
                referee->mass_matrix(&chain, q, M, work);
                referee->inverse(&chain, q, zero, zero, NULL, bias, work);
                for (int i = 0; i < 4; i++) M[i] = rounded(M[i]);
                for (int i = 0; i < 2; i++) b[i] = -rounded(bias[i]);
                solve_exactly(M, b, got);
            }
            worst[m] = fmax(worst[m], fabs(exact[1] - got[1]));
            mean[m] += fabs(exact[1] - got[1]) / ASCHER_POSES;
        }
    }
    for (int m = 0; m < 3; m++) printf("%s: %.3f, mean %.3f\n", names[m], worst[m], mean[m]);
    assert_true(worst[0] < 0.6 && mean[0] < 0.2);     // printed: 1.29, 0.275
    assert_true(worst[1] > 0.7 && mean[1] > 0.15);    // printed: 0.534, 0.0088
    assert_true(mean[2] > 0.14 && mean[2] < mean[0]); // no mean of 0.0088 is to be had
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_row_costs_the_order_that_it_declares),
        cmocka_unit_test(gibbs_appell_costs_no_more_than_the_paper_says),
        cmocka_unit_test(the_steps_of_gibbs_appell_add_up),
        cmocka_unit_test(the_natural_complement_grows_as_angeles_and_ma_s),
        cmocka_unit_test(solving_costs_what_table_3_says_once_its_sums_are_put_right),
        cmocka_unit_test(gibbs_appell_is_cheaper_than_articulated_bodies_up_to_seventeen_joints),
        cmocka_unit_test(
            by_the_paper_s_own_formulas_articulated_bodies_win_from_thirteen_joints_on),
        cmocka_unit_test(single_precision_agrees_with_double_as_far_as_it_can),
        cmocka_unit_test(ascher_shows_what_solving_with_a_matrix_costs),
        cmocka_unit_test(table_5_is_not_reproduced_by_gauss_jordan),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
