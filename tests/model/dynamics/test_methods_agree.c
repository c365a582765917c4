// Every method of the table against every other, on random robots of each kind that its row
// declares. A new method needs no new test.
//
//     test_methods_agree [ARMS]      300 unless told otherwise, and half as many trees of each
//     kind
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#include <cmocka.h>

#include "compare.h"
#include "dh_chain.h"
#include "dynamics.h"
#include "forward_once.h"

enum { MAX = 12 };

// Rounding alone: the worst of 10,000 arms and 10,000 trees was 1.1e-14 for forces, 4.3e-15 for
// matrices and 2.8e-15 for accelerations. Each is relative to what rounding acts on: matrices to
// their largest element, forces to the largest term of M qdd + h, accelerations to the inverse
// matrix times those terms and tau, and to the condition number times themselves.
static const double TOLERANCE = 1e-13;

static int n_arms = 300;

typedef struct point {
    double    q[MAX], qd[MAX], qdd[MAX], tau[MAX];
    fa_wrench wrench[MAX];
    fa_load   load;
} point;

static void random_point(uint64_t *seed, int n, point *p)
{
    for (int i = 0; i < n; i++) {
        p->q[i] = random_between(seed, -3, 3);
        p->qd[i] = random_between(seed, -3, 3);
        p->qdd[i] = random_between(seed, -10, 10);
        p->tau[i] = random_between(seed, -50, 50);
        p->wrench[i] = (fa_wrench){{0, 0, 0}, {0, 0, 0}};
    }
    // Half of the robots carry loads on some links, and always one at the tip.
    p->load.wrench = random_between(seed, 0, 1) < 0.5 ? p->wrench : NULL;
    for (int i = 0; i < n; i++)
        if (i == n - 1 || random_between(seed, 0, 1) < 0.3)
            p->wrench[i] = (fa_wrench){random_vector(seed, 10), random_vector(seed, 20)};
}

// Bytes behind a method's work that it must leave alone.
enum { GUARD = 64, GUARD_BYTE = 0xA5 };

static void guard_holds(const unsigned char *guard, const char *method)
{
    for (int i = 0; i < GUARD; i++)
        if (guard[i] != GUARD_BYTE) fail_msg("%s writes beyond its work size", method);
}

static void check(double error, const char *method, const char *what, double *worst)
{
    *worst = fmax(*worst, error);
    if (!(error <= TOLERANCE)) fail_msg("%s: %s differs by %g", method, what, error);
}

// All methods that fit, against the first one of the table that answers the same question: within
// the tolerance of it, any two are within twice that of each other.
static void all_agree(const fa_chain *chain, uint64_t *seed, double worst[3])
{
    static double work[1 << 16];
    const int     n = chain->n_coordinates;
    double        tau[MAX], bias[MAX], M[MAX * MAX], qdd[MAX], got[MAX * MAX];
    const double  zero[MAX] = {0};
    point         p;
    random_point(seed, chain->n, &p);
    assert_true(fa_methods_work_size(chain) + GUARD <= sizeof work);

    const fa_method *first = fa_method_find("newton-euler");
    assert_int_equal(first->inverse(chain, p.q, p.qd, p.qdd, &p.load, tau, work), FA_OK);
    assert_int_equal(first->mass_matrix(chain, p.q, M, work), FA_OK);
    assert_int_equal(forward_once(first, chain, p.q, p.qd, p.tau, &p.load, qdd, work), FA_OK);
    assert_int_equal(first->inverse(chain, p.q, p.qd, zero, &p.load, bias, work), FA_OK);
    double norm, inverse_norm;
    norms(M, n, &norm, &inverse_norm);
    const double terms = largest(bias, n) + norm * largest(p.qdd, n);
    const double sensitivity = inverse_norm * (largest(bias, n) + largest(p.tau, n)) +
                               inverse_norm * norm * largest(qdd, n);
    for (int m = 0; m < fa_method_count; m++) {
        const fa_method *method = fa_methods[m];
        unsigned char   *guard = (unsigned char *)work + method->work_size(chain);
        memset(guard, GUARD_BYTE, GUARD);
        for (int k = 0; k < n && method->inverse_one; k++) { // of every kind of chain
            assert_int_equal(
                method->inverse_one(chain, p.q, p.qd, p.qdd, &p.load, k, &got[k], work), FA_OK);
            check(fabs(got[k] - tau[k]) / terms, method->name, "one torque", &worst[0]);
            guard_holds(guard, method->name);
        }
        if (!fa_method_fits(method, chain)) continue;
        if (method->inverse) {
            assert_int_equal(method->inverse(chain, p.q, p.qd, p.qdd, &p.load, got, work), FA_OK);
            check(distance(got, tau, n) / terms, method->name, "inverse", &worst[0]);
        }
        if (method->mass_matrix) {
            assert_int_equal(method->mass_matrix(chain, p.q, got, work), FA_OK);
            check(distance(got, M, n * n) / largest(M, n * n), method->name, "matrix", &worst[1]);
        }
        if (fa_method_has_forward(method)) {
            assert_int_equal(forward_once(method, chain, p.q, p.qd, p.tau, &p.load, got, work),
                             FA_OK);
            check(distance(got, qdd, n) / sensitivity, method->name, "forward", &worst[2]);
        }
        guard_holds(guard, method->name);
    }
}

static void report(const char *kind, const double worst[3])
{
    printf("%s: worst inverse %.1e, matrix %.1e, forward %.1e\n", kind, worst[0], worst[1],
           worst[2]);
}

static void methods_agree_on_arms_of_both_conventions(void **state)
{
    (void)state;
    uint64_t seed = 1;
    double   worst[3] = {0};
    fa_body  body[MAX];
    for (int trial = 0; trial < n_arms; trial++) {
        fa_chain chain = random_arm(&seed, 1 + trial % MAX, trial / MAX % 2, body);
        all_agree(&chain, &seed, worst);
    }
    report("arms", worst);
}

static void methods_agree_on_trees(void **state)
{
    (void)state;
    uint64_t seed = 2;
    double   worst[3] = {0};
    fa_body  body[MAX];
    for (int trial = 0; trial < n_arms / 2; trial++) {
        fa_chain chain = random_tree(&seed, 1 + trial % MAX, body);
        all_agree(&chain, &seed, worst);
    }
    report("trees", worst);
}

static void methods_agree_where_joints_follow_others(void **state)
{
    (void)state;
    uint64_t seed = 3;
    double   worst[3] = {0};
    fa_body  body[MAX];
    for (int trial = 0; trial < n_arms / 2; trial++) {
        fa_chain chain = random_coupled_tree(&seed, 1 + trial % MAX, body);
        all_agree(&chain, &seed, worst);
    }
    report("coupled trees", worst);
}

static void methods_agree_where_the_ground_moves(void **state)
{
    (void)state;
    uint64_t seed = 5;
    double   worst[3] = {0};
    fa_body  body[MAX];
    for (int trial = 0; trial < n_arms / 2; trial++) {
        fa_chain chain = random_coupled_tree(&seed, 1 + trial % MAX, body);
        chain.base_moves = true;
        chain.base_rate = random_vector(&seed, 3);
        chain.base_acceleration = (fa_twist){random_vector(&seed, 5), random_vector(&seed, 10)};
        all_agree(&chain, &seed, worst);
    }
    report("moving ground", worst);
}

// Rods, points, and inertias that no body has but a file may: none of it is a method's business.
static void methods_agree_on_odd_inertias(void **state)
{
    (void)state;
    uint64_t seed = 7;
    double   worst[3] = {0};
    fa_body  body[MAX];
    for (int trial = 0; trial < n_arms / 2; trial++) {
        fa_chain chain = random_tree(&seed, 1 + trial % MAX, body);
        for (int i = 0; i < chain.n; i++) {
            const double  m = body[i].inertia.mass, J = random_between(&seed, 0, 0.1);
            const double  signs[4] = {0, 1, -0.01, -1e-9};
            const double  third = J * signs[(trial + i) % 4];
            const fa_sym3 moments = {J, i % 3 ? third : J, i % 5 ? 0 : third, trial % 7 ? 0 : J, 0,
                                     0};
            const fa_mat3 turn = fa_rotation_rpy(random_vector(&seed, 3));
            body[i].inertia = fa_link_inertia(m, random_vector(&seed, 0.3),
                                              sym3_rotate(turn, moments), transform_identity());
            body[i].rotor = 1; // so that accelerations exist
        }
        all_agree(&chain, &seed, worst);
    }
    report("odd inertias", worst);
}

// One torque alone is found by the same sums as all of them together.
static void a_joint_s_torque_does_not_depend_on_who_else_asks(void **state)
{
    (void)state;
    static double work[1 << 16];
    uint64_t      seed = 6;
    fa_body       body[MAX];
    for (int trial = 0; trial < n_arms; trial++) {
        const fa_chain chain = random_tree(&seed, 1 + trial % MAX, body);
        double         all[MAX], one;
        point          p;
        random_point(&seed, chain.n, &p);
        const fa_method *method = fa_method_find("closed-form");
        assert_int_equal(method->inverse(&chain, p.q, p.qd, p.qdd, &p.load, all, work), FA_OK);
        for (int k = 0; k < chain.n; k++) {
            assert_int_equal(method->inverse_one(&chain, p.q, p.qd, p.qdd, &p.load, k, &one, work),
                             FA_OK);
            assert_true(one == all[k]); // bit by bit
        }
    }
    double   q[1] = {0}, qd[1] = {1e200}, qdd[1] = {1e200}, one; // squared, it overflows
    fa_chain chain = random_tree(&seed, 1, body);
    body[0].joint = FA_REVOLUTE;
    body[0].rotor = 1e200;
    assert_int_equal(
        fa_method_find("closed-form")->inverse_one(&chain, q, qd, qdd, NULL, 0, &one, work),
        FA_NOT_FINITE);
}

static void a_chain_that_a_method_does_not_cover_is_refused(void **state)
{
    (void)state;
    static double work[1 << 16];
    uint64_t      seed = 4;
    fa_body       body[MAX];
    int           refused = 0;
    for (int trial = 0; trial < 40; trial++) {
        fa_chain chain = random_coupled_tree(&seed, 2 + trial % (MAX - 1), body);
        double   got[MAX * MAX];
        point    p;
        random_point(&seed, chain.n, &p);
        for (int m = 0; m < fa_method_count; m++) {
            const fa_method *method = fa_methods[m];
            if (fa_method_fits(method, &chain)) continue;
            refused++;
            if (method->inverse)
                assert_int_equal(method->inverse(&chain, p.q, p.qd, p.qdd, NULL, got, work),
                                 FA_UNFIT);
            if (method->mass_matrix)
                assert_int_equal(method->mass_matrix(&chain, p.q, got, work), FA_UNFIT);
            if (fa_method_has_forward(method))
                assert_int_equal(forward_once(method, &chain, p.q, p.qd, p.tau, NULL, got, work),
                                 FA_UNFIT);
        }
    }
    assert_true(refused > 100);
}

int main(int argc, char *argv[])
{
    if (argc > 1) n_arms = (int)strtol(argv[1], NULL, 10);
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(methods_agree_on_arms_of_both_conventions),
        cmocka_unit_test(methods_agree_on_trees),
        cmocka_unit_test(methods_agree_where_joints_follow_others),
        cmocka_unit_test(methods_agree_where_the_ground_moves),
        cmocka_unit_test(methods_agree_on_odd_inertias),
        cmocka_unit_test(a_joint_s_torque_does_not_depend_on_who_else_asks),
        cmocka_unit_test(a_chain_that_a_method_does_not_cover_is_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
