// Motions of the snake that are known without integrating them, and its symmetries.
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "snake_control.h"
#include "snake_help.h"

#define PI 3.14159265358979323846

static const double no_torque[MAX_LINKS];

static void expect_near(double got, double want, double tolerance, const char *what)
{
    if (!(fabs(got - want) <= tolerance)) fail_msg("%s is %.17g, not %.17g", what, got, want);
}

static void accelerate(const fa_snake *snake, const double theta[], const double u[2],
                       const double torque[], double ud[2])
{
    static fa_snake_motion work[MAX_LINKS];
    const fa_snake_forces  forces = {.torque = torque};
    assert_int_equal(fa_snake_methods[0].forward(snake, theta, u, &forces, ud, NULL, work), FA_OK);
}

static void random_state(const fa_snake *snake, uint64_t *seed, double theta[], double u[2],
                         double torque[])
{
    theta[0] = random_between(seed, -PI, PI);
    for (int k = 0; k < snake->n - 1; k++) {
        theta[k + 1] = theta[k] + random_between(seed, -1.5, 1.5);
        torque[k] = random_between(seed, -1, 1);
    }
    u[0] = random_between(seed, -1, 1);
    u[1] = random_between(seed, -3, 3);
}

static void at_rest_without_torque_it_stays_at_rest(void **state)
{
    (void)state;
    uint64_t seed = 1;
    for (int n = 2; n <= MAX_LINKS; n = 2 * n + 1) {
        test_snake of;
        double     theta[MAX_LINKS], u[2], torque[MAX_LINKS], ud[2];
        random_snake(&of, n, &seed);
        random_state(&of.snake, &seed, theta, u, torque);
        u[0] = u[1] = 0;
        accelerate(&of.snake, theta, u, no_torque, ud);
        assert_true(ud[0] == 0 && ud[1] == 0);
    }
}

// Torques cannot speed it up either.
static void a_straight_snake_rolls_on_at_its_speed(void **state)
{
    (void)state;
    uint64_t seed = 2;
    for (int n = 2; n <= MAX_LINKS; n = 2 * n + 1) {
        test_snake of;
        double     theta[MAX_LINKS], torque[MAX_LINKS], ud[2];
        paper_snake(&of, n);
        for (int k = 0; k < n; k++) {
            theta[k] = 0.7;
            torque[k] = random_between(&seed, -1, 1);
        }
        const double u[2] = {1.3, 0};
        accelerate(&of.snake, theta, u, no_torque, ud);
        assert_true(ud[0] == 0 && ud[1] == 0);
        accelerate(&of.snake, theta, u, torque, ud);
        assert_true(ud[0] == 0 && isfinite(ud[1]));
    }
}

static void slope_without_torque(void *context, double t, const double y[], double yd[])
{
    const fa_snake *snake = context;
    fa_snake_motion motion[MAX_LINKS];
    const int       n = snake->n;
    (void)t;
    fa_snake_kinematics(snake, y, y + n + 2, motion);
    for (int k = 0; k < n; k++) yd[k] = motion[k].w;
    yd[n] = motion[0].V * cos(y[0]);
    yd[n + 1] = motion[0].V * sin(y[0]);
    accelerate(snake, y, y + n + 2, no_torque, yd + n + 2);
}

// Bent to an arc of radius h / tan(phi/2) it runs round this circle, at constant speed.
static void an_arc_runs_on_its_own_circle(void **state)
{
    (void)state;
    for (int n = 2; n <= 50; n = 2 * n + 1) {
        const double h = 0.1, phi = 0.11, V = 0.8, radius = h / tan(phi / 2);
        test_snake   of;
        double       y[MAX_LINKS + 5], ud[2];
        paper_snake(&of, n);
        for (int k = 0; k < n; k++) y[k] = k * phi;
        y[n] = 0;
        y[n + 1] = -radius;
        y[n + 2] = V;
        y[n + 3] = V / radius;
        accelerate(&of.snake, y, y + n + 2, no_torque, ud);
        // Rounding, against V^2 / h and V^2 / h^2.
        expect_near(ud[0], 0, 1e-13 * V * V / h, "the acceleration on a circle");
        expect_near(ud[1], 0, 1e-13 * V * V / h / h, "the angular acceleration on a circle");

        // A torque-free arc led from behind is an unstable equilibrium: 1 s, not more.
        integrate(slope_without_torque, &of.snake, 0, 1, 40, n + 4, y);
        expect_near(hypot(y[n], y[n + 1]), radius, 1e-9, "the radius");
        expect_near(y[0], V / radius, 1e-9, "the angle");
    }
}

static void all_joints_of_equal_links_have_one_speed(void **state)
{
    (void)state;
    uint64_t seed = 3;
    for (int n = 2; n <= MAX_LINKS; n = 2 * n + 1) {
        test_snake      of;
        fa_snake_motion motion[MAX_LINKS];
        double          theta[MAX_LINKS], u[2], torque[MAX_LINKS];
        paper_snake(&of, n);
        random_state(&of.snake, &seed, theta, u, torque);
        fa_snake_kinematics(&of.snake, theta, u, motion);
        for (int k = 0; k < n; k++) // a reflection at each joint: rounding adds up as sqrt(n)
            expect_near(hypot(motion[k].V, 0.1 * motion[k].w), hypot(u[0], 0.1 * u[1]), 1e-14,
                        "a joint's speed");
    }
}

// Joint angles and rate of link 0 of a snake near its straight run, and their derivatives.
static void straight_run_adjoint(const fa_snake *snake, double V, const double x[], double xd[])
{
    fa_snake_motion motion[MAX_LINKS];
    const int       n = snake->n;
    double          theta[MAX_LINKS], ud[2];
    const double    u[2] = {V, x[n - 1]};
    theta[0] = 0;
    for (int k = 0; k < n - 1; k++) theta[k + 1] = theta[k] + x[k];
    fa_snake_kinematics(snake, theta, u, motion);
    for (int k = 0; k < n - 1; k++) xd[k] = motion[k + 1].w - motion[k].w;
    accelerate(snake, theta, u, no_torque, ud);
    xd[n - 1] = ud[1];
}

// Straight on without torque, the snake swings with n/2 frequencies (V/h) tan(pi (n - 2 j) / (2 n))
// that no mass changes, undamped, and everything else stands still. Told from the sums of powers of
// the eigenvalues, which are the traces of the powers of the linearised system.
static void a_straight_run_swings_at_the_known_frequencies(void **state)
{
    (void)state;
    enum { MOST = 10 };
    for (int n = 2; n <= MOST; n++) {
        const double V = 0.8, h = 0.1, step = 1e-3;
        double       A[MOST][MOST], power[MOST][MOST], frequency[MOST];
        test_snake   of;
        paper_snake(&of, n);
        for (int k = 0; k < n; k++) { // changes nothing
            of.link[k].m = 3;
            of.link[k].I = 0.02;
        }

        for (int j = 0; j < n; j++) { // columns by Richardson's central differences, in units V / h
            double       x[MOST] = {0}, near[4][MOST];
            const double unit = j == n - 1 ? V / h : 1;
            for (int i = 0; i < 4; i++) {
                x[j] = unit * step * (i < 2 ? 1 : 2) * (i % 2 ? -1 : 1);
                straight_run_adjoint(&of.snake, V, x, near[i]);
            }
            for (int i = 0; i < n; i++) {
                const double one = (near[0][i] - near[1][i]) / (2 * step);
                const double two = (near[2][i] - near[3][i]) / (4 * step);
                A[i][j] = power[i][j] = (4 * one - two) / 3 * h / V / (i == n - 1 ? V / h : 1);
            }
        }
        int modes = 0;
        for (int j = 1; 2 * j < n; j++) frequency[modes++] = tan(PI * (n - 2 * j) / (2 * n));

        double scale = 1;
        for (int p = 1; p <= n; p++) {
            double trace = 0, want = 0, product[MOST][MOST];
            for (int i = 0; i < n; i++) trace += power[i][i];
            for (int j = 0; j < modes; j++)
                if (p % 2 == 0) want += 2 * (p % 4 ? -1 : 1) * pow(frequency[j], p);
            scale *= 1 + 2 * n / PI; // more than the highest frequency
            expect_near(trace / scale, want / scale, 1e-8, "a sum of powers of eigenvalues");

            for (int i = 0; i < n; i++)
                for (int j = 0; j < n; j++) {
                    product[i][j] = 0;
                    for (int k = 0; k < n; k++) product[i][j] += A[i][k] * power[k][j];
                }
            for (int i = 0; i < n; i++)
                for (int j = 0; j < n; j++) power[i][j] = product[i][j];
        }
    }
}

static void time_can_run_backwards(void **state)
{
    (void)state;
    uint64_t seed = 4;
    for (int n = 2; n <= MAX_LINKS; n = 2 * n + 1) {
        test_snake of;
        double     theta[MAX_LINKS], u[2], torque[MAX_LINKS], ud[2], back[2];
        random_snake(&of, n, &seed);
        random_state(&of.snake, &seed, theta, u, torque);
        accelerate(&of.snake, theta, u, torque, ud);
        const double against[2] = {-u[0], -u[1]};
        accelerate(&of.snake, theta, against, torque, back);
        assert_true(ud[0] == back[0] && ud[1] == back[1]);
    }
    // And a whole motion: there, turned round, and back to where it came from.
    test_snake of;
    double     y[MAX_LINKS + 5], start[MAX_LINKS], u[2], torque[MAX_LINKS];
    const int  n = 5;
    random_snake(&of, n, &seed);
    random_state(&of.snake, &seed, start, u, torque);
    for (int k = 0; k < n; k++) y[k] = start[k];
    y[n] = y[n + 1] = 0;
    y[n + 2] = u[0];
    y[n + 3] = u[1];
    for (int way = 0; way < 2; way++) {
        integrate(slope_without_torque, &of.snake, 0, 0.5, 50, n + 4, y);
        y[n + 2] = -y[n + 2];
        y[n + 3] = -y[n + 3];
    }
    assert_true(miss(y, start, n) < 1e-10); // rounding, carried there and back
    expect_near(y[n + 2], u[0], 1e-10, "the speed");
}

static void no_direction_is_special(void **state)
{
    (void)state;
    uint64_t seed = 5;
    for (int n = 2; n <= MAX_LINKS; n = 2 * n + 1) {
        test_snake of;
        double     theta[MAX_LINKS], u[2], torque[MAX_LINKS], ud[2], turned[2];
        random_snake(&of, n, &seed);
        random_state(&of.snake, &seed, theta, u, torque);
        accelerate(&of.snake, theta, u, torque, ud);
        for (int k = 0; k < n; k++) theta[k] += 1;
        accelerate(&of.snake, theta, u, torque, turned);
        assert_true(miss(turned, ud, 2) < 1e-11); // rounding of theta + 1
    }
}

static void with_inertia_m_h_h_the_mass_matrix_is_constant(void **state)
{
    (void)state;
    uint64_t seed = 6;
    for (int n = 2; n <= MAX_LINKS; n = 2 * n + 1) {
        test_snake      of;
        fa_snake_motion motion[MAX_LINKS];
        double          theta[MAX_LINKS], u[2], torque[MAX_LINKS], mass = 0;
        paper_snake(&of, n);
        for (int k = 0; k < n; k++) {
            of.link[k].m = random_between(&seed, 0.5, 2);
            of.link[k].I = of.link[k].m * 0.1 * 0.1;
            mass += of.link[k].m;
        }
        random_state(&of.snake, &seed, theta, u, torque);
        fa_snake_kinematics(&of.snake, theta, u, motion);
        const fa_snake_forces    forces = {.torque = torque};
        const fa_snake_equations equations = fa_snake_project(&of.snake, motion, &forces);
        expect_near(equations.M[0][0], mass, 1e-13 * mass, "M11");
        expect_near(equations.M[1][1], mass * 0.01, 1e-13 * mass, "M22");
        expect_near(equations.M[0][1], 0, 1e-14 * mass, "M12");
    }
}

// The same animal, its links counted from the other end.
static void head_and_tail_are_names(void **state)
{
    (void)state;
    uint64_t seed = 7;
    for (int n = 2; n <= MAX_LINKS; n = 2 * n + 1) {
        static fa_snake_motion motion[MAX_LINKS];
        test_snake             of, turned;
        double theta[MAX_LINKS] = {0}, u[2], torque[MAX_LINKS] = {0}, ud[2], other[2];
        double back[MAX_LINKS], torque_back[MAX_LINKS], lambda[MAX_LINKS], lambda_back[MAX_LINKS];
        random_snake(&of, n, &seed);
        random_state(&of.snake, &seed, theta, u, torque);

        turned = of;
        turned.snake.link = turned.link;
        turned.snake.joint = turned.joint;
        turned.snake.base = n - 1 - of.snake.base;
        for (int k = 0; k < n; k++) {
            const fa_snake_link *from = &of.link[n - 1 - k];
            turned.link[k] = *from;
            turned.link[k].a = from->b;
            turned.link[k].b = from->a;
            turned.link[k].c = -from->c;
            turned.link[k].d = -from->d;
            back[k] = theta[n - 1 - k] + PI;
        }
        for (int k = 0; k < n - 1; k++) {
            turned.joint[k] = of.joint[n - 2 - k];
            torque_back[k] = -torque[n - 2 - k];
        }
        const double           u_back[2] = {-u[0], u[1]};
        const fa_snake_forces  forces = {.torque = torque}, forces_back = {.torque = torque_back};
        const fa_snake_method *kane = &fa_snake_methods[0];
        assert_int_equal(kane->forward(&of.snake, theta, u, &forces, ud, lambda, motion), FA_OK);
        assert_int_equal(
            kane->forward(&turned.snake, back, u_back, &forces_back, other, lambda_back, motion),
            FA_OK);
        other[0] = -other[0];
        for (int k = 0; k < n; k++) lambda[k] = -lambda[k];
        for (int k = 0; k < n / 2; k++) {
            const double swap = lambda[k];
            lambda[k] = lambda[n - 1 - k];
            lambda[n - 1 - k] = swap;
        }
        assert_true(miss(other, ud, 2) < 1e-11); // rounding of theta + pi
        assert_true(miss(lambda_back, lambda, n) < 1e-11);
    }
}

// Three equal links: det G = (4/h) sin((phi2 - phi1)/2) cos(phi1/2) cos(phi2/2).
static void control_of_three_links_has_its_closed_form(void **state)
{
    (void)state;
    uint64_t seed = 8;
    for (int trial = 0; trial < 100; trial++) {
        test_snake      of;
        fa_snake_motion motion[3];
        const double    phi1 = random_between(&seed, -3, 3), phi2 = random_between(&seed, -3, 3);
        const double    theta[3] = {0.3, 0.3 + phi1, 0.3 + phi1 + phi2}, u[2] = {0, 0};
        paper_snake(&of, 3);
        fa_snake_kinematics(&of.snake, theta, u, motion);
        const fa_snake_forces    forces = {.torque = no_torque};
        const fa_snake_equations on = fa_snake_project(&of.snake, motion, &forces);
        const fa_snake_grip      grip = fa_snake_controllability(&of.snake, motion, &on);
        const double             det_M = on.M[0][0] * on.M[1][1] - on.M[0][1] * on.M[1][0];
        const double det_G = 4 / 0.1 * sin((phi2 - phi1) / 2) * cos(phi1 / 2) * cos(phi2 / 2);
        expect_near(grip.sigma1 * grip.sigma2, fabs(det_G) / sqrt(det_M),
                    1e-12 * grip.sigma1 * grip.sigma1, "sigma1 sigma2");
    }
}

static double control_at(const fa_snake *snake, const double theta[])
{
    static fa_snake_motion motion[MAX_LINKS];
    const double           u[2] = {0, 0};
    const fa_snake_forces  forces = {.torque = no_torque};
    fa_snake_kinematics(snake, theta, u, motion);
    const fa_snake_equations equations = fa_snake_project(snake, motion, &forces);
    const fa_snake_grip      grip = fa_snake_controllability(snake, motion, &equations);
    return grip.sigma2 / grip.sigma1;
}

static void straight_and_arc_are_out_of_control_and_regular(void **state)
{
    (void)state;
    for (int n = 3; n <= 100; n = 2 * n + 1) {
        test_snake of;
        double     theta[MAX_LINKS], torque[MAX_LINKS], ud[2];
        paper_snake(&of, n);
        for (int shape = 0; shape < 3; shape++) { // straight, an arc, a zigzag
            for (int k = 0; k < n; k++) {
                theta[k] = shape == 0 ? 0.4 : shape == 1 ? 0.05 * k : k % 2 ? 0.5 : -0.5;
                torque[k] = 0.1 * (k + 1);
            }
            const double control = control_at(&of.snake, theta);
            const double u[2] = {0.5, 0.2};
            if (shape < 2) assert_true(control < 1e-12);
            if (shape == 2) assert_true(control > FA_SNAKE_CONTROL_MIN);
            accelerate(&of.snake, theta, u, torque, ud); // asserts that it can
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(at_rest_without_torque_it_stays_at_rest),
        cmocka_unit_test(a_straight_snake_rolls_on_at_its_speed),
        cmocka_unit_test(an_arc_runs_on_its_own_circle),
        cmocka_unit_test(all_joints_of_equal_links_have_one_speed),
        cmocka_unit_test(a_straight_run_swings_at_the_known_frequencies),
        cmocka_unit_test(time_can_run_backwards),
        cmocka_unit_test(no_direction_is_special),
        cmocka_unit_test(with_inertia_m_h_h_the_mass_matrix_is_constant),
        cmocka_unit_test(head_and_tail_are_names),
        cmocka_unit_test(control_of_three_links_has_its_closed_form),
        cmocka_unit_test(straight_and_arc_are_out_of_control_and_regular),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
