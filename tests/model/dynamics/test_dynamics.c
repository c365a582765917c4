// Every method in the table, on random trees of every kind, against each other and against energy.
#include "test.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "cholesky.h"
#include "dynamics.h"
#include "energy.h"
#include "forward_once.h"
#include "random.h"

enum { JOINTS = 12, LINKS = 2 * JOINTS + 1 };

typedef struct scene {
    fa_robot    *robot;
    fa_body      body[JOINTS];
    int          link_body[LINKS];
    fa_transform link_frame[LINKS];
    fa_chain     chain;
    fa_wrench    wrench[JOINTS];
    fa_load      load;
    double       q[JOINTS], qd[JOINTS], qdd[JOINTS], tau[JOINTS];
    void        *work;
} scene;

static scene random_scene(uint64_t *seed, int n, unsigned kind)
{
    scene s = {.robot = random_robot(seed, n, kind)};
    s.chain = fa_chain_build(s.robot, s.body, s.link_body, s.link_frame);
    for (int i = 0; i < s.chain.n; i++)
        s.wrench[i] = (fa_wrench){random_vec3(seed, 5), random_vec3(seed, 20)};
    for (int i = 0; i < s.chain.n_coordinates; i++) {
        s.q[i] = random_in(seed, -3, 3);
        s.qd[i] = random_in(seed, -5, 5);
        s.qdd[i] = random_in(seed, -20, 20);
    }
    s.work = malloc(fa_methods_work_size(&s.chain));
    return s;
}

// The chain points into the scene: set it right after the scene has been copied.
static void settle(scene *s)
{
    s->chain.body = s->body;
    s->load.wrench = s->wrench;
    const fa_method *inverse = fa_method_inverse(&s->chain);
    assert_int_equal(inverse->inverse(&s->chain, s->q, s->qd, s->qdd, &s->load, s->tau, s->work),
                     FA_OK);
}

static void leave(scene *s)
{
    free(s->work);
    free(s->robot);
}

static double largest(const double a[], int n)
{
    double most = 1;
    for (int i = 0; i < n; i++) most = fmax(most, fabs(a[i]));
    return most;
}

static const unsigned KINDS[] = {RANDOM_REVOLUTE_ONLY, 0, RANDOM_BRANCHED,
                                 RANDOM_BRANCHED | RANDOM_COUPLED};

// A new method needs no new test.
static void forward_undoes_inverse(void **state)
{
    (void)state;
    uint64_t seed = 1;
    double   worst = 0;
    for (int trial = 0; trial < 2000; trial++) {
        scene s = random_scene(&seed, 1 + trial % JOINTS, KINDS[trial / JOINTS % 4]);
        settle(&s);
        for (int m = 0; m < fa_method_count; m++) {
            const fa_method *method = fa_methods[m];
            double           got[JOINTS];
            if (!fa_method_has_forward(method) || !fa_method_fits(method, &s.chain)) continue;
            int n = s.chain.n_coordinates;
            assert_int_equal(forward_once(method, &s.chain, s.q, s.qd, s.tau, &s.load, got, s.work),
                             FA_OK);
            for (int i = 0; i < n; i++)
                worst = fmax(worst, fabs(got[i] - s.qdd[i]) / largest(s.qdd, n));
        }
        leave(&s);
    }
    print_message("worst %g\n", worst);
    // Rounding times the condition of the mass matrix, up to 1e3 here; the worst seen was 2e-13.
    assert_true(worst < 1e-11);
}

static void mass_matrices_agree_and_are_symmetric(void **state)
{
    (void)state;
    uint64_t seed = 2;
    double   worst = 0;
    for (int trial = 0; trial < 500; trial++) {
        scene s = random_scene(&seed, 1 + trial % JOINTS, KINDS[trial / JOINTS % 4]);
        settle(&s);
        double first[JOINTS * JOINTS], M[JOINTS * JOINTS];
        int    n = s.chain.n_coordinates, seen = 0;
        for (int m = 0; m < fa_method_count; m++) {
            const fa_method *method = fa_methods[m];
            if (!method->mass_matrix || !fa_method_fits(method, &s.chain)) continue;
            double *to = seen++ ? M : first;
            assert_int_equal(method->mass_matrix(&s.chain, s.q, to, s.work), FA_OK);
            for (int i = 0; i < n * n; i++) {
                worst = fmax(worst, fabs(to[i] - first[i]) / largest(first, n * n));
                int mirror = i % n * n + i / n;
                worst = fmax(worst, fabs(to[i] - to[mirror]) / largest(first, n * n));
            }
        }
        assert_true(seen >= 2);
        leave(&s);
    }
    print_message("worst %g\n", worst);
    assert_true(worst < 1e-13); // rounding alone; the worst seen was 3e-15
}

// Kinetic energy is half qd M qd: the motion of the bodies against the mass matrix.
static void kinetic_energy_is_that_of_the_mass_matrix(void **state)
{
    (void)state;
    uint64_t seed = 3;
    for (int trial = 0; trial < 500; trial++) {
        scene s = random_scene(&seed, 1 + trial % JOINTS, KINDS[trial / JOINTS % 4]);
        settle(&s);
        fa_motion motion[JOINTS];
        double    M[JOINTS * JOINTS], expected = 0;
        int       n = s.chain.n_coordinates;
        fa_method_find("composite-body")->mass_matrix(&s.chain, s.q, M, s.work);
        for (int i = 0; i < n * n; i++) expected += 0.5 * s.qd[i / n] * M[i] * s.qd[i % n];
        fa_chain_motion(&s.chain, s.q, s.qd, NULL, motion);
        double energy = fa_kinetic_energy(&s.chain, s.qd, motion);
        assert_true(fabs(energy - expected) < 1e-12 * expected); // rounding of 12 joints' sums
        leave(&s);
    }
}

// Power in is the rate of the energy: dynamics against energies, with no formula in common.
static void power_is_the_rate_of_the_energy(void **state)
{
    (void)state;
    uint64_t seed = 4;
    for (int trial = 0; trial < 300; trial++) {
        scene s = random_scene(&seed, 1 + trial % JOINTS, KINDS[trial / JOINTS % 4]);
        s.load.wrench = NULL;
        s.chain.body = s.body;
        int n = s.chain.n_coordinates;
        fa_method_inverse(&s.chain)->inverse(&s.chain, s.q, s.qd, s.qdd, NULL, s.tau, s.work);
        double energy[2], h = 1e-5, scale = 1, work = 0;
        for (int side = 0; side < 2; side++) {
            double    t = side ? h : -h, q[JOINTS], qd[JOINTS];
            fa_motion motion[JOINTS];
            for (int i = 0; i < n; i++) {
                q[i] = s.q[i] + t * (s.qd[i] + 0.5 * t * s.qdd[i]);
                qd[i] = s.qd[i] + t * s.qdd[i];
            }
            fa_chain_motion(&s.chain, q, qd, NULL, motion);
            double kinetic = fa_kinetic_energy(&s.chain, qd, motion);
            energy[side] = kinetic + fa_potential_energy(&s.chain, motion);
            scale = fmax(scale, kinetic);
        }
        for (int i = 0; i < n; i++) work += s.tau[i] * s.qd[i];
        // Central difference: h^2 times third derivatives, up to 1e5 times the energy here.
        assert_true(fabs((energy[1] - energy[0]) / (2 * h) - work) < 1e-4 * scale);
        leave(&s);
    }
}

static void a_massless_tip_is_reported_not_divided_by(void **state)
{
    (void)state;
    uint64_t seed = 5;
    for (int trial = 0; trial < 100; trial++) {
        scene s = random_scene(&seed, 1 + trial % JOINTS, RANDOM_REVOLUTE_ONLY);
        settle(&s);
        int last = s.chain.n - 1;
        memset(&s.body[last].inertia, 0, sizeof s.body[last].inertia);
        s.body[last].rotor = 0;
        for (int m = 0; m < fa_method_count; m++) {
            double got[JOINTS];
            if (!fa_method_has_forward(fa_methods[m])) continue;
            assert_int_equal(
                forward_once(fa_methods[m], &s.chain, s.q, s.qd, s.tau, NULL, got, s.work),
                FA_SINGULAR);
        }
        leave(&s);
    }
}

static void a_torque_that_is_no_number_is_reported(void **state)
{
    (void)state;
    uint64_t seed = 6;
    scene    s = random_scene(&seed, 5, 0);
    settle(&s);
    s.tau[2] = NAN;
    for (int m = 0; m < fa_method_count; m++) {
        double got[JOINTS];
        if (!fa_method_has_forward(fa_methods[m])) continue;
        assert_int_equal(forward_once(fa_methods[m], &s.chain, s.q, s.qd, s.tau, NULL, got, s.work),
                         FA_NOT_FINITE);
    }
    leave(&s);
}

// A pendulum of length l with a point mass: qdd = -(g / l) sin q.
static void a_pendulum_swings_as_the_textbook_says(void **state)
{
    (void)state;
    fa_body  body = {.parent = FA_WORLD,
                     .joint = FA_REVOLUTE,
                     .axis = {0, -1, 0}, // so that gravity pulls towards q = 0
                     .home = transform_identity(),
                     .ratio = 1};
    fa_chain chain = {.n = 1, .n_coordinates = 1, .body = &body, .gravity = {0, 0, -9.81}};
    double   length = 0.7, mass = 2, qd = 3, tau = 0, qdd;
    body.inertia = fa_link_inertia(mass, vec3(0, 0, -length), (fa_sym3){0, 0, 0, 0, 0, 0},
                                   transform_identity());
    void *work = malloc(fa_methods_work_size(&chain));
    for (int m = 0; m < fa_method_count; m++) {
        if (!fa_method_has_forward(fa_methods[m])) continue;
        for (double q = -3; q <= 3; q += 0.1) {
            assert_int_equal(forward_once(fa_methods[m], &chain, &q, &qd, &tau, NULL, &qdd, work),
                             FA_OK);
            // A few roundings of g / l.
            assert_true(fabs(qdd + 9.81 / length * sin(q)) < 1e-14 * 9.81 / length);
        }
    }
    free(work);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(forward_undoes_inverse),
        cmocka_unit_test(mass_matrices_agree_and_are_symmetric),
        cmocka_unit_test(kinetic_energy_is_that_of_the_mass_matrix),
        cmocka_unit_test(power_is_the_rate_of_the_energy),
        cmocka_unit_test(a_massless_tip_is_reported_not_divided_by),
        cmocka_unit_test(a_torque_that_is_no_number_is_reported),
        cmocka_unit_test(a_pendulum_swings_as_the_textbook_says),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
