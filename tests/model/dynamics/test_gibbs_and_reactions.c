// The Gibbs function and the joint reactions: what Mata's and Grigorov's papers give beyond forces
// and matrices.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include <cmocka.h>

#include "closed_form.h"
#include "compare.h"
#include "dh_chain.h"
#include "forward_once.h"
#include "gibbs_appell.h"
#include "lagrange.h"
#include "methods.h"

enum { MAX = 12, TRIALS = 200 };

// Rounding of G, which is large beside its differences: the worst seen was 3.9e-16 of G.
static const double FUNCTION_TOLERANCE = 3e-14;
// Rounding: the worst seen was 5.3e-16 of the largest reaction.
static const double REACTION_TOLERANCE = 3e-14;

typedef struct point {
    fa_body   body[MAX];
    fa_chain  chain;
    double    q[MAX], qd[MAX], qdd[MAX];
    fa_wrench wrench[MAX];
    fa_load   load;
} point;

static void random_point(uint64_t *seed, int trial, point *p)
{
    p->chain = random_tree(seed, 1 + trial % MAX, p->body);
    for (int i = 0; i < p->chain.n; i++) {
        p->q[i] = random_between(seed, -3, 3);
        p->qd[i] = random_between(seed, -1, 1);
        p->qdd[i] = random_between(seed, -3, 3);
        p->wrench[i] = (fa_wrench){random_vector(seed, 5), random_vector(seed, 5)};
    }
    p->load.wrench = p->wrench;
}

static double work[1 << 14];

// (5): the gradient of G is the generalised force. G is quadratic, so a central difference with
// unit steps has no error of its own.
static void the_gradient_of_the_gibbs_function_is_the_force(void **state)
{
    (void)state;
    static point p;
    uint64_t     seed = 1;
    double       worst = 0;
    for (int trial = 0; trial < TRIALS; trial++) {
        random_point(&seed, trial, &p);
        double tau[MAX];
        assert_true(fa_gibbs_appell_work_size(&p.chain) <= sizeof work);
        fa_gibbs_appell_inverse(&p.chain, p.q, p.qd, p.qdd, &p.load, tau, work);
        for (int j = 0; j < p.chain.n; j++) {
            p.qdd[j] += 1;
            const double above = fa_gibbs_function(&p.chain, p.q, p.qd, p.qdd, &p.load, work);
            p.qdd[j] -= 2;
            const double below = fa_gibbs_function(&p.chain, p.q, p.qd, p.qdd, &p.load, work);
            p.qdd[j] += 1;
            const double error =
                fabs((above - below) / 2 - tau[j]) / fmax(fabs(above), fabs(below));
            worst = fmax(worst, error);
        }
    }
    printf("worst gradient %.1e\n", worst);
    assert_true(worst <= FUNCTION_TOLERANCE);
}

// Each link, cut free: the reaction in its joint, less those that its children take from it, and
// its loads, must give it the acceleration that it has. Newton and Euler in the world's axes, from
// kinematics that are not those of the closed form.
static void joint_reactions_hold_every_link(void **state)
{
    (void)state;
    static point p;
    uint64_t     seed = 2;
    double       worst = 0;
    for (int trial = 0; trial < TRIALS; trial++) {
        random_point(&seed, trial, &p);
        const int        n = p.chain.n;
        fa_transform     pose[MAX];
        fa_wrench        reaction[MAX], sum[MAX];
        fa_lagrange_body b[MAX];
        double           scale = 0;
        assert_true(fa_closed_form_work_size(&p.chain) <= sizeof work);
        assert_int_equal(fa_joint_reactions(&p.chain, p.q, p.qd, p.qdd, &p.load, reaction, work),
                         FA_OK);
        fa_chain_poses(&p.chain, p.q, pose);
        fa_lagrange_motion(&p.chain, p.q, p.qd, p.qdd, b);
        for (int i = 0; i < n; i++) {
            const fa_wrench in_world = to_parent(pose[i], reaction[i]);
            sum[i] = wrench_add(in_world, to_parent(pose[i], p.wrench[i]));
            scale = fmax(scale, vec3_norm(in_world.force) + vec3_norm(in_world.moment));
            if (p.body[i].parent != FA_WORLD)
                sum[p.body[i].parent] = wrench_sub(sum[p.body[i].parent], in_world);
        }
        for (int i = 0; i < n; i++) {
            const fa_v3 F = v3_times(p.body[i].inertia.mass, b[i].dv);
            const fa_v3 L = m3_apply(b[i].I, b[i].w);
            const fa_v3 N = v3_plus(m3_apply(b[i].I, b[i].dw), v3_product(b[i].w, L));
            const fa_v3 at_origin = v3_plus(N, v3_product(b[i].com, F));
            const fa_v3 force = v3_of(sum[i].force), moment = v3_of(sum[i].moment);
            worst = fmax(worst, distance(force.e, F.e, 3) / scale);
            worst = fmax(worst, distance(moment.e, at_origin.e, 3) / scale);
        }
    }
    printf("worst reaction %.1e\n", worst);
    assert_true(worst <= REACTION_TOLERANCE);
}

// A mass that is zero must not be divided by: the centre of mass of nothing is anywhere.
static void a_massless_link_does_not_disturb_any_method(void **state)
{
    (void)state;
    uint64_t seed = 3;
    fa_body  body[4];
    double   q[4], qd[4], qdd[4], tau[4], first[4] = {0}, M[16];
    fa_chain chain = random_arm(&seed, 4, true, body);
    body[0].inertia = body[3].inertia = (fa_inertia){0, {0, 0, 0}, {0, 0, 0, 0, 0, 0}};
    for (int i = 0; i < 4; i++) {
        body[i].rotor = 0.25; // so that the joints of massless links have an inertia
        q[i] = random_between(&seed, -3, 3);
        qd[i] = random_between(&seed, -1, 1);
        qdd[i] = random_between(&seed, -3, 3);
    }
    fa_newton_euler_inverse(&chain, q, qd, qdd, NULL, first, work);
    for (int m = 0; m < fa_method_count; m++) {
        const fa_method *method = fa_methods[m];
        if (method->inverse) {
            assert_int_equal(method->inverse(&chain, q, qd, qdd, NULL, tau, work), FA_OK);
            assert_true(distance(tau, first, 4) <= 1e-13 * largest(first, 4)); // rounding
        }
        if (method->mass_matrix) assert_int_equal(method->mass_matrix(&chain, q, M, work), FA_OK);
        if (fa_method_has_forward(method)) {
            double got[4];
            assert_int_equal(forward_once(method, &chain, q, qd, first, NULL, got, work), FA_OK);
            assert_true(distance(got, qdd, 4) <= 1e-12 * largest(qdd, 4)); // rounding and condition
        }
    }
}

static void a_joint_that_feels_no_inertia_is_reported_by_every_method(void **state)
{
    (void)state;
    uint64_t seed = 4;
    fa_body  body[4];
    double   q[4] = {1, 2, 3, 4}, qd[4] = {1, 1, 1, 1}, tau[4] = {0}, qdd[4];
    fa_chain chain = random_arm(&seed, 4, true, body);
    body[3].inertia = (fa_inertia){0, {0, 0, 0}, {0, 0, 0, 0, 0, 0}};
    body[3].rotor = 0;
    for (int m = 0; m < fa_method_count; m++) {
        const fa_method *method = fa_methods[m];
        if (fa_method_has_forward(method))
            assert_int_equal(forward_once(method, &chain, q, qd, tau, NULL, qdd, work),
                             FA_SINGULAR);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_gradient_of_the_gibbs_function_is_the_force),
        cmocka_unit_test(joint_reactions_hold_every_link),
        cmocka_unit_test(a_massless_link_does_not_disturb_any_method),
        cmocka_unit_test(a_joint_that_feels_no_inertia_is_reported_by_every_method),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
