// Every method of the table against numbers computed in 50 digits: tests/reference/arm_points.json.
// Springs, cylinders and friction are forces in tau by the time a method is called; the file gives
// them apart, and this test takes them out.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include <cmocka.h>

#include "compare.h"
#include "dynamics.h"
#include "forward_once.h"
#include "golden_arm.h"

enum { MAX = GOLDEN_MAX };

// Rounding alone, relative to the largest element, accelerations also to the condition number. The
// worst of all methods and points was: forces 2.9e-14, matrices 1.7e-15, accelerations 1.3e-16.
static const double FORCE_TOLERANCE = 1e-12;
static const double MATRIX_TOLERANCE = 1e-13;
static const double ACCELERATION_TOLERANCE = 1e-14;

typedef struct golden {
    double    q[MAX], qd[MAX], qdd[MAX], tau[MAX]; // given
    double    forces[MAX], accelerations[MAX];     // answers for qdd, for tau
    double    bias[MAX], M[MAX * MAX];             //
    fa_wrench wrench[MAX];
    fa_load   load;
} golden;

static void read_case(const json *item, const golden_arm *a, golden *g)
{
    const int n = a->chain.n;
    double    friction[MAX], passive[MAX], tip[6] = {0};
    json_numbers(json_member(item, "q"), g->q, n);
    json_numbers(json_member(item, "qd"), g->qd, n);
    json_numbers(json_member(item, "qdd"), g->qdd, n);
    json_numbers(json_member(item, "tau"), g->tau, n);
    json_numbers(json_member(item, "id_tau"), g->forces, n);
    json_numbers(json_member(item, "bias"), g->bias, n);
    json_numbers(json_member(item, "M"), g->M, n * n);
    json_numbers(json_member(item, "fd_qdd"), g->accelerations, n);
    assert_int_equal(json_numbers(json_member(item, "friction"), friction, n), n);
    assert_int_equal(json_numbers(json_member(item, "passive"), passive, n), n);
    for (int i = 0; i < n; i++) {
        g->forces[i] += passive[i] - friction[i];
        g->bias[i] += passive[i] - friction[i];
        g->tau[i] += passive[i] - friction[i];
        g->wrench[i] = (fa_wrench){{0, 0, 0}, {0, 0, 0}};
    }

    // Force and moment at the tip, in the axes of the last link.
    if (!json_is_null(json_member(item, "tip_wrench")))
        json_numbers(json_member(item, "tip_wrench"), tip, 6);
    const fa_vec3 f = {tip[0], tip[1], tip[2]}, m = {tip[3], tip[4], tip[5]};
    g->wrench[n - 1] = to_parent(a->hand, (fa_wrench){vec3_add(m, cross(a->tip, f)), f});
    g->load.wrench = g->wrench;
}

static void near(const char *what, const char *method, double error, double tolerance,
                 double *worst)
{
    *worst = fmax(*worst, error);
    if (!(error <= tolerance)) fail_msg("%s of %s is off by %g", what, method, error);
}

static void methods_meet_the_reference(const golden_arm *a, const golden *g, double worst[3])
{
    static double  work[1 << 16];
    static double  got[MAX * MAX];
    const double   zero[MAX] = {0};
    const int      n = a->chain.n;
    const fa_chain chain = a->chain;
    double         norm, inverse_norm;
    norms(g->M, n, &norm, &inverse_norm);
    const double condition = fmax(10, norm * inverse_norm); // 1e-11 where M is near to 1
    assert_true(fa_methods_work_size(&chain) <= sizeof work);

    for (int i = 0; i < fa_method_count; i++) {
        const fa_method *m = fa_methods[i];
        if (!fa_method_fits(m, &chain)) continue;
        if (m->inverse) {
            assert_int_equal(m->inverse(&chain, g->q, g->qd, g->qdd, &g->load, got, work), FA_OK);
            near("inverse dynamics", m->name, distance(got, g->forces, n) / largest(g->forces, n),
                 FORCE_TOLERANCE, &worst[0]);
            assert_int_equal(m->inverse(&chain, g->q, g->qd, zero, &g->load, got, work), FA_OK);
            near("bias", m->name, distance(got, g->bias, n) / largest(g->forces, n),
                 FORCE_TOLERANCE, &worst[0]);
        }
        if (m->mass_matrix) {
            assert_int_equal(m->mass_matrix(&chain, g->q, got, work), FA_OK);
            near("matrix", m->name, distance(got, g->M, n * n) / largest(g->M, n * n),
                 MATRIX_TOLERANCE, &worst[1]);
        }
        if (fa_method_has_forward(m)) {
            assert_int_equal(forward_once(m, &chain, g->q, g->qd, g->tau, &g->load, got, work),
                             FA_OK);
            near("forward dynamics", m->name,
                 distance(got, g->accelerations, n) / largest(g->accelerations, n) / condition,
                 ACCELERATION_TOLERANCE, &worst[2]);
        }
    }
}

static void every_method_meets_every_reference_point(void **state)
{
    (void)state;
    static golden_arm a;
    static golden     g;
    json             *tree = json_read("reference/arm_points.json");
    const json       *robots = json_member(tree, "robots");
    double            worst[3] = {0};
    int               points = 0;
    for (int i = 0; i < json_count(robots); i++) {
        const json *robot = json_element(robots, i), *cases = json_member(robot, "cases");
        golden_arm_read(json_member(robot, "arm"), &a);
        for (int j = 0; j < json_count(cases); j++, points++) {
            read_case(json_element(cases, j), &a, &g);
            methods_meet_the_reference(&a, &g, worst);
        }
    }
    printf("%d points: worst inverse %.1e, matrix %.1e, forward %.1e\n", points, worst[0], worst[1],
           worst[2]);
    assert_int_equal(points, 75);
    json_free(tree);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_method_meets_every_reference_point),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
