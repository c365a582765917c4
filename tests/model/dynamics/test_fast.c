// The fast methods beyond what test_methods_agree.c asks of every row of the table: kernel by
// kernel, against answers in 128 bits, and what they leave to the readable methods.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "compare.h"
#include "dh_chain.h"
#include "fast.h"
#include "jacobians.h"
#include "methods.h"
#include "sincos.h"

enum { MAX = 24 };

static double work[1 << 15], memory[1 << 15];

typedef struct point {
    double    q[MAX], qd[MAX], tau[MAX];
    fa_wrench wrench[MAX];
    fa_load   load;
} point;

static void random_point(uint64_t *seed, int n, point *p)
{
    p->load.wrench = random_between(seed, 0, 1) < 0.5 ? p->wrench : NULL;
    for (int i = 0; i < n; i++) {
        p->q[i] = random_between(seed, -3, 3);
        p->qd[i] = random_between(seed, -3, 3);
        p->tau[i] = random_between(seed, -50, 50);
        p->wrench[i] = (fa_wrench){random_vector(seed, 10), random_vector(seed, 20)};
    }
}

static fa_fast *prepared(const fa_chain *chain, int kernel)
{
    assert_true(fa_fast_size(chain) <= sizeof memory);
    fa_fast *fast = fa_fast_place(memory, chain, kernel);
    fa_fast_prepare(fast, chain);
    return fast;
}

// Every third chain is a tree, every third an arm of turning joints alone, for which there is code
// of its own.
static fa_chain some_chain(uint64_t *seed, int trial, int longest, fa_body body[])
{
    const int n = 1 + trial / 3 % longest;
    if (trial % 3 == 0) return random_tree(seed, n, body);
    fa_chain chain = random_arm(seed, n, true, body);
    for (int i = 0; trial % 3 == 1 && i < n; i++) body[i].joint = FA_REVOLUTE;
    return chain;
}

typedef fa_status     fast_fn(const fa_fast *fast, const double q[], const double qd[],
                              const double tau[], const fa_load *load, double qdd[]);
static fast_fn *const both[] = {fa_fast_composite, fa_fast_articulated};

static void kernels_that_round_twice_give_the_same_bits(void **state)
{
    (void)state;
    uint64_t seed = 1;
    fa_body  body[MAX];
    int      compared = 0;
    for (int trial = 0; trial < 300; trial++) {
        const fa_chain chain = some_chain(&seed, trial, MAX, body);
        point          p;
        random_point(&seed, chain.n, &p);
        for (int k = 1; k < fa_fast_kernel_count; k++) {
            if (fa_fast_kernels[k].fused || !fa_fast_kernels[k].runs()) continue;
            for (int m = 0; m < 2; m++) {
                double first[MAX], got[MAX];
                if (both[m](prepared(&chain, 0), p.q, p.qd, p.tau, &p.load, first) != FA_OK)
                    continue;
                assert_int_equal(both[m](prepared(&chain, k), p.q, p.qd, p.tau, &p.load, got),
                                 FA_OK);
                assert_memory_equal(got, first, (size_t)chain.n * sizeof *got);
                compared++;
            }
        }
    }
    printf("%d answers compared\n", compared);
}

static void every_kernel_agrees_with_the_readable_method(void **state)
{
    (void)state;
    uint64_t seed = 2;
    fa_body  body[MAX];
    double   worst = 0;
    int      answered = 0, left = 0;
    for (int trial = 0; trial < 600; trial++) {
        const fa_chain chain = some_chain(&seed, trial, MAX, body);
        const int      n = chain.n;
        const double   zero[MAX] = {0};
        double         M[MAX * MAX], bias[MAX], want[MAX], got[MAX], norm, inverse_norm;
        point          p;
        random_point(&seed, n, &p);
        fa_newton_euler_mass_matrix(&chain, p.q, M, work);
        fa_newton_euler_inverse(&chain, p.q, p.qd, zero, &p.load, bias, work);
        fa_articulated_body_forward(&chain, p.q, p.qd, p.tau, &p.load, want, work);
        norms(M, n, &norm, &inverse_norm);
        const double sensitivity = inverse_norm * (largest(bias, n) + largest(p.tau, n)) +
                                   inverse_norm * norm * largest(want, n);
        for (int k = 0; k < fa_fast_kernel_count; k++) {
            if (!fa_fast_kernels[k].runs()) continue;
            for (int m = fa_fast_kernels[k].composite ? 0 : 1; m < 2; m++) {
                const fa_status status =
                    both[m](prepared(&chain, k), p.q, p.qd, p.tau, &p.load, got);
                if (status != FA_OK) {
                    assert_int_equal(status, FA_UNFIT);
                    left++;
                    continue;
                }
                answered++;
                worst = fmax(worst, distance(got, want, n) / sensitivity);
            }
        }
    }
    printf("%d answers, %d left to others; worst difference %.1e\n", answered, left, worst);
    // Rounding alone, as in test_methods_agree.c: 2.8e-15 was seen.
    assert_true(worst < 1e-13);
    if (fa_fast_kernel_count > 0) assert_true(answered > left);
}

static fa_status slopes(const fa_fast *fast, const point *p)
{
    double by_q[MAX * MAX], by_qd[MAX * MAX], by_tau[MAX * MAX];
    return fa_fast_jacobians(fast, p->q, p->qd, p->tau, by_q, by_qd, by_tau);
}

// Bodies are placed from where the first ones stand, so that no digits are lost far from the
// origin.
static void where_an_arm_stands_does_not_matter(void **state)
{
    (void)state;
    uint64_t seed = 31;
    for (int trial = 0; trial < 30; trial++) {
        fa_body  body[MAX];
        point    p;
        double   here[MAX], there[MAX];
        fa_chain chain = some_chain(&seed, trial, MAX / 2, body);
        random_point(&seed, chain.n, &p);
        p.load.wrench = NULL;
        if (both[trial % 2](prepared(&chain, 0), p.q, p.qd, p.tau, &p.load, here) != FA_OK)
            continue;
        // All that stands on the ground, by so much that a place has an error of 1e-4 m.
        for (int i = 0; i < chain.n; i++)
            if (body[i].parent == FA_WORLD)
                body[i].home.r = vec3_add(body[i].home.r, vec3(1e12, -1e12, 1e12));
        assert_int_equal(both[trial % 2](prepared(&chain, 0), p.q, p.qd, p.tau, &p.load, there),
                         FA_OK);
        for (int i = 0; i < chain.n; i++)
            if (!(fabs(here[i] - there[i]) <= 1e-9 * (1 + fabs(here[i]))))
                fail_msg("trial %d: %.17g, far away %.17g", trial, here[i], there[i]);
    }
}

static void what_is_out_of_reach_is_left_to_the_readable_method(void **state)
{
    (void)state;
    uint64_t seed = 3;
    fa_body  body[MAX];
    for (int k = 0; k < fa_fast_kernel_count; k++) {
        if (!fa_fast_kernels[k].runs()) continue;
        for (int n = 1; n <= 9; n++) {
            fa_chain chain = random_arm(&seed, n, true, body);
            double   got[MAX];
            point    p;
            random_point(&seed, n, &p);
            for (int i = 0; i < n; i++) body[i].joint = FA_REVOLUTE;
            for (int m = 0; m < 2; m++) {
                const double bad[] = {FA_SINCOS_MAX, -2 * FA_SINCOS_MAX, NAN, INFINITY};
                for (int b = 0; b < 4; b++) {
                    const double q = p.q[n - 1];
                    p.q[n - 1] = bad[b];
                    assert_int_equal(both[m](prepared(&chain, k), p.q, p.qd, p.tau, NULL, got),
                                     FA_UNFIT);
                    assert_int_equal(slopes(prepared(&chain, k), &p), FA_UNFIT);
                    p.q[n - 1] = q;
                }
                const double qd = p.qd[0];
                p.qd[0] = 1e200; // overflows where it is squared
                if (n > 1) {
                    assert_int_equal(both[m](prepared(&chain, k), p.q, p.qd, p.tau, NULL, got),
                                     FA_UNFIT);
                    assert_int_equal(slopes(prepared(&chain, k), &p), FA_UNFIT);
                }
                p.qd[0] = qd;
                const fa_inertia inertia = body[n - 1].inertia;
                const double     rotor = body[n - 1].rotor;
                body[n - 1].inertia = (fa_inertia){0, {0, 0, 0}, {0, 0, 0, 0, 0, 0}};
                body[n - 1].rotor = 0;
                assert_int_equal(both[m](prepared(&chain, k), p.q, p.qd, p.tau, NULL, got),
                                 FA_UNFIT);
                assert_int_equal(slopes(prepared(&chain, k), &p), FA_UNFIT);
                body[n - 1].inertia = inertia;
                body[n - 1].rotor = rotor;
            }
        }
    }
}

static void chains_too_long_or_branched_are_not_composed(void **state)
{
    (void)state;
    uint64_t seed = 4;
    fa_body  body[MAX];
    double   got[MAX];
    point    p;
    fa_chain chain = random_arm(&seed, FA_FAST_COMPOSITE_MAX + 1, true, body);
    random_point(&seed, chain.n, &p);
    const int best = fa_fast_kernel_best(false);
    assert_int_equal(fa_fast_composite(prepared(&chain, best), p.q, p.qd, p.tau, NULL, got),
                     FA_UNFIT);
    assert_int_equal(slopes(prepared(&chain, best), &p), FA_UNFIT);
    do chain = random_tree(&seed, 8, body);
    while (!chain.branched);
    assert_int_equal(fa_fast_composite(prepared(&chain, best), p.q, p.qd, p.tau, NULL, got),
                     FA_UNFIT);
    assert_int_equal(slopes(prepared(&chain, best), &p), FA_UNFIT);
    chain = random_coupled_tree(&seed, 12, body);
    assert_true(chain.coupled);
    assert_false(fa_fast_fits(&chain));
}

// The largest element of M X + D, in units of the largest sum of what one is made of, or of
// `least`.
static double imbalance(int n, const double M[], const double X[], const double D[], double least)
{
    double apart = 0, size = least;
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++) {
            double sum = D[i * n + j], all = fabs(sum);
            for (int k = 0; k < n; k++) {
                sum += M[i * n + k] * X[k * n + j];
                all += fabs(M[i * n + k] * X[k * n + j]);
            }
            if (!(fabs(sum) <= apart)) apart = fabs(sum);
            size = fmax(size, all);
        }
    return size > 0 ? apart / size : apart;
}

// As d tau = 0 = M d qdd + d ID wants it, by the readable Jacobians of inverse dynamics.
static void jacobians_balance_those_of_inverse_dynamics(void **state)
{
    (void)state;
    enum { N = FA_FAST_COMPOSITE_MAX };
    uint64_t seed = 6;
    fa_body  body[N];
    double   worst = 0;
    int      answered = 0, left = 0;
    for (int trial = 0; trial < 480; trial++) {
        const int n = 1 + trial / 2 % N;
        fa_chain  chain = random_arm(&seed, n, true, body);
        for (int i = 0; trial % 2 == 0 && i < n; i++) body[i].joint = FA_REVOLUTE;
        double D[3][N * N], unit[N * N] = {0}, got[3][N * N + 1], torque = 0;
        point  p;
        random_point(&seed, n, &p);
        const double *qdd = p.tau; // any will do
        fa_inverse_jacobians(&chain, p.q, p.qd, qdd, NULL, (fa_load_turn){NULL},
                             (fa_jacobians){D[0], D[1], D[2]}, work);
        const double *M = D[2];
        for (int i = 0; i < n; i++) {
            double sum = 0;
            for (int k = 0; k < n; k++) sum += fabs(M[i * n + k] * qdd[k]);
            torque = fmax(torque, sum); // derivatives may be zero altogether
            unit[i * n + i] = -1;
        }
        for (int k = 0; k < fa_fast_kernel_count; k++) {
            if (!fa_fast_kernels[k].runs() || !fa_fast_kernels[k].jacobians) continue;
            for (int m = 0; m < 3; m++) got[m][n * n] = 7; // nothing is written beyond
            const fa_status status =
                fa_fast_jacobians(prepared(&chain, k), p.q, p.qd, qdd, got[0], got[1], got[2]);
            for (int m = 0; m < 3; m++) assert_true(got[m][n * n] == 7);
            if (status != FA_OK) {
                assert_int_equal(status, FA_UNFIT);
                left++;
                continue;
            }
            answered++;
            worst = fmax(worst, imbalance(n, M, got[0], D[0], torque));
            worst = fmax(worst, imbalance(n, M, got[1], D[1], torque));
            worst = fmax(worst, imbalance(n, M, got[2], unit, 1));
        }
    }
    printf("%d answers, %d left to others; worst imbalance %.1e\n", answered, left, worst);
    assert_true(worst < 1e-13);
    assert_true(answered >= left); // neither, where no kernel has Jacobians
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(kernels_that_round_twice_give_the_same_bits),
        cmocka_unit_test(every_kernel_agrees_with_the_readable_method),
        cmocka_unit_test(where_an_arm_stands_does_not_matter),
        cmocka_unit_test(what_is_out_of_reach_is_left_to_the_readable_method),
        cmocka_unit_test(chains_too_long_or_branched_are_not_composed),
        cmocka_unit_test(jacobians_balance_those_of_inverse_dynamics),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
