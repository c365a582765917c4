// Prescribed motions of the snake, and the laws of its joints and wheels.
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "snake_control.h"
#include "snake_help.h"
#include "snake_shape.h"

// A snake with torques at its joints, in some state.
typedef struct moving {
    test_snake         of;
    double             theta[MAX_LINKS], torque[MAX_LINKS], u[2], ud[2];
    fa_snake_motion    motion[MAX_LINKS];
    fa_snake_equations equations;
} moving;

static void accelerate(moving *it)
{
    const fa_snake_forces forces = {.torque = it->torque};
    fa_snake_kinematics(&it->of.snake, it->theta, it->u, it->motion);
    it->equations = fa_snake_project(&it->of.snake, it->motion, &forces);
    assert_int_equal(fa_snake_solve(&it->equations, it->ud), FA_OK);
    fa_snake_accelerate(&it->of.snake, it->ud, it->motion);
}

static void random_motion(moving *it, int n, uint64_t *seed)
{
    random_snake(&it->of, n, seed);
    it->theta[0] = random_between(seed, -3, 3);
    for (int k = 0; k < n; k++) {
        if (k > 0) it->theta[k] = it->theta[k - 1] + random_between(seed, -1.5, 1.5);
        it->torque[k] = random_between(seed, -1, 1);
    }
    it->u[0] = random_between(seed, -1, 1);
    it->u[1] = random_between(seed, -3, 3);
    accelerate(it);
}

static double joint_rate(const moving *it, int k)
{
    return it->motion[k + 1].w - it->motion[k].w;
}

static double joint_acceleration(const moving *it, int k)
{
    return it->motion[k + 1].wd - it->motion[k].wd;
}

static void expect_near(double got, double want, double tolerance, const char *what)
{
    if (!(fabs(got - want) <= tolerance)) fail_msg("%s is %.17g, not %.17g", what, got, want);
}

static void one_or_two_joints_can_be_prescribed(void **state)
{
    (void)state;
    uint64_t seed = 21;
    for (int trial = 0; trial < 200; trial++) {
        static moving it;
        const int     n = 3 + trial % 40, count = 1 + trial % 2;
        const int     joint[2] = {trial % (n - 1), (trial + 1) % (n - 1)};
        const double  wanted[2] = {random_between(&seed, -5, 5), random_between(&seed, -5, 5)};
        double        change[2], torque[2], du[2];
        fa_error      error = fa_no_error();
        random_motion(&it, n, &seed);
        for (int i = 0; i < count; i++) change[i] = wanted[i] - joint_acceleration(&it, joint[i]);
        if (fa_snake_drive_joints(&it.of.snake, it.motion, &it.equations, count, joint, change,
                                  torque, du, &error) != FA_OK)
            fail_msg("%s", error.message);
        const double ud[2] = {it.ud[0] + du[0], it.ud[1] + du[1]};
        for (int i = 0; i < count; i++) it.torque[joint[i]] += torque[i];
        accelerate(&it);
        assert_true(miss(it.ud, ud, 2) < 1e-10); // rounding, over the pair's leverage
        for (int i = 0; i < count; i++)          // rounding of what the large torques do
            expect_near(joint_acceleration(&it, joint[i]), wanted[i],
                        1e-12 * fmax(1, largest(it.ud, 2)) * fmax(1, largest(torque, count)),
                        "the acceleration");
    }
}

// The impulses that bring joints to given rates change the other motion as little as possible: the
// change has no part, by kinetic energy, that leaves these rates alone.
static void rates_can_be_made_consistent(void **state)
{
    (void)state;
    uint64_t seed = 22;
    for (int trial = 0; trial < 100; trial++) {
        static moving it;
        const int     n = 3 + trial % 40, joint[1] = {trial % (n - 1)};
        double        change[1], impulse[1], du[2];
        random_motion(&it, n, &seed);
        change[0] = 1.5 - joint_rate(&it, joint[0]);
        assert_int_equal(fa_snake_drive_joints(&it.of.snake, it.motion, &it.equations, 1, joint,
                                               change, impulse, du, NULL),
                         FA_OK);
        const fa_snake_motion *rear = &it.motion[joint[0]], *front = rear + 1;
        const double aside[2] = {front->w_u[1] - rear->w_u[1], -(front->w_u[0] - rear->w_u[0])};
        double(*M)[2] = it.equations.M;
        const double shared = aside[0] * (M[0][0] * du[0] + M[0][1] * du[1]) +
                              aside[1] * (M[1][0] * du[0] + M[1][1] * du[1]);
        expect_near(shared, 0,
                    1e-11 * fmax(1, fabs(impulse[0])) * fmax(1, hypot(aside[0], aside[1])),
                    "the part aside");
        it.u[0] += du[0];
        it.u[1] += du[1];
        accelerate(&it);
        expect_near(joint_rate(&it, joint[0]), 1.5, 1e-11, "the rate");
    }
}

static void expect_words(const fa_error *error, const char *part)
{
    if (!strstr(error->message, part)) fail_msg("no '%s' in: %s", part, error->message);
}

static void joints_without_leverage_are_refused(void **state)
{
    (void)state;
    static moving it;
    const int     joint[3] = {0, 2, 3};
    const double  change[3] = {1, 1, 1}, none[2] = {1, 1};
    double        torque[5], du[2];
    fa_error      error = fa_no_error();
    memset(&it, 0, sizeof it);
    paper_snake(&it.of, 5);

    accelerate(&it); // straight
    assert_int_equal(fa_snake_drive_joints(&it.of.snake, it.motion, &it.equations, 3, joint, change,
                                           torque, du, &error),
                     FA_BAD_INPUT);
    expect_words(&error, "3 joints are prescribed");
    assert_int_equal(fa_snake_drive_joints(&it.of.snake, it.motion, &it.equations, 2, joint, change,
                                           torque, du, &error),
                     FA_SINGULAR);
    expect_words(&error, "joints 1 and 3 cannot move independently");
    assert_int_equal(fa_snake_drive_joints(&it.of.snake, it.motion, &it.equations, 1, joint, change,
                                           torque, du, &error),
                     FA_OK);
    const int beyond[1] = {4};
    assert_int_equal(fa_snake_drive_joints(&it.of.snake, it.motion, &it.equations, 1, beyond,
                                           change, torque, du, &error),
                     FA_BAD_INPUT);
    expect_words(&error, "the snake's joints are 1 to 4");
    assert_int_equal(
        fa_snake_drive_base(&it.of.snake, it.motion, &it.equations, none, torque, &error),
        FA_SINGULAR);
    expect_words(&error, "the axles of its wheels meet in one point or are parallel");

    for (int k = 1; k < 5; k++) it.theta[k] = 3.14159; // folded at joint 1
    accelerate(&it);
    assert_int_equal(fa_snake_drive_joints(&it.of.snake, it.motion, &it.equations, 1, joint, change,
                                           torque, du, &error),
                     FA_SINGULAR);
    expect_words(&error, "joint 1 cannot be moved in this shape");

    paper_snake(&it.of, 2);
    it.theta[1] = 1;
    accelerate(&it);
    assert_int_equal(
        fa_snake_drive_base(&it.of.snake, it.motion, &it.equations, none, torque, &error),
        FA_BAD_INPUT);
    expect_words(&error, "has one joint");
}

static void prescribed_speeds_take_the_smallest_torques(void **state)
{
    (void)state;
    uint64_t seed = 23;
    for (int trial = 0; trial < 100; trial++) {
        static moving it;
        const int     n = 3 + trial % 40;
        const double  wanted[2] = {random_between(&seed, -2, 2), random_between(&seed, -5, 5)};
        double        start[MAX_LINKS], ud[2], torque[MAX_LINKS], other[MAX_LINKS], dot = 0;
        random_motion(&it, n, &seed);
        memcpy(start, it.torque, sizeof start);
        memcpy(ud, it.ud, sizeof ud);
        const double change[2] = {wanted[0] - ud[0], wanted[1] - ud[1]};
        assert_int_equal(
            fa_snake_drive_base(&it.of.snake, it.motion, &it.equations, change, torque, NULL),
            FA_OK);
        for (int k = 0; k < n - 1; k++) it.torque[k] += torque[k];
        accelerate(&it);
        assert_true(miss(it.ud, wanted, 2) < 1e-10); // rounding, over the leverage

        // Any other torques with the same effect differ by some that have none, and these stand at
        // right angles to ours, so that the other ones are longer.
        for (int k = 0; k < n - 1; k++) it.torque[k] = start[k] + random_between(&seed, -1, 1);
        double idle[MAX_LINKS], length = 0;
        for (int k = 0; k < n - 1; k++) idle[k] = it.torque[k] - start[k];
        accelerate(&it);
        const double effect[2] = {it.ud[0] - ud[0], it.ud[1] - ud[1]};
        assert_int_equal(
            fa_snake_drive_base(&it.of.snake, it.motion, &it.equations, effect, other, NULL),
            FA_OK);
        for (int k = 0; k < n - 1; k++) {
            idle[k] -= other[k];
            dot += idle[k] * torque[k];
            length += torque[k] * torque[k];
        }
        expect_near(dot, 0, 1e-9 * fmax(1, sqrt(length)), "the product with idle torques");
    }
}

static void energy_adjoint(void *context, double t, const double y[], double yd[])
{
    moving   *it = context;
    const int n = it->of.snake.n;
    (void)t;
    memcpy(it->theta, y, (size_t)n * sizeof *y);
    it->u[0] = y[n];
    it->u[1] = y[n + 1];
    accelerate(it);
    const fa_snake_forces forces = {.torque = it->torque};
    for (int k = 0; k < n; k++) yd[k] = it->motion[k].w;
    yd[n] = it->ud[0];
    yd[n + 1] = it->ud[1];
    yd[n + 2] = fa_snake_work_rate(&it->of.snake, it->motion, &forces).joints;
}

static void work_of_torques_is_the_change_of_energy(void **state)
{
    (void)state;
    uint64_t seed = 24;
    for (int n = 2; n <= 6; n += 2) { // snakes with rotors in their joints
        static moving it;
        double        y[MAX_LINKS + 5];
        random_motion(&it, n, &seed);
        memcpy(y, it.theta, sizeof it.theta);
        y[n] = it.u[0];
        y[n + 1] = it.u[1];
        y[n + 2] = fa_snake_kinetic_energy(&it.of.snake, it.motion);
        integrate(energy_adjoint, &it, 0, 0.5, 50, n + 3, y);
        energy_adjoint(&it, 0, y, (double[MAX_LINKS + 5]){0});
        const double energy = fa_snake_kinetic_energy(&it.of.snake, it.motion);
        expect_near(y[n + 2], energy, 1e-10 * fmax(1, energy), "the work");
    }
}

static void kinetic_energy_is_the_form_of_the_mass_matrix(void **state)
{
    (void)state;
    uint64_t seed = 25;
    for (int n = 2; n <= 100; n = 2 * n + 1) {
        static moving it;
        random_motion(&it, n, &seed);
        double(*M)[2] = it.equations.M;
        const double *u = it.u;
        const double  form =
            u[0] * u[0] * M[0][0] + 2 * u[0] * u[1] * M[0][1] + u[1] * u[1] * M[1][1];
        const double energy = fa_snake_kinetic_energy(&it.of.snake, it.motion);
        expect_near(form / 2, energy, 1e-12 * energy, "half of u M u");
    }
}

static void a_gait_is_its_own_derivative(void **state)
{
    (void)state;
    const fa_gait_data gait = {true, 0.5, 2, 1.5, 0.03, 0.3, 2, 0.1, INFINITY};
    fa_gait_data       damper = gait; // whose torque is the rate that is wanted
    const double       h = 1e-4;
    damper.stiffness = 0;
    damper.damping = 1;
    for (int k = 0; k < 5; k++) {
        const double phi = gait_reference(&gait, k, 1), phid = gait_torque(&damper, k, 1, phi, 0);
        const double next = gait_reference(&gait, k, 1 + h), last = gait_reference(&gait, k, 1 - h);
        expect_near((next - last) / (2 * h), phid, 1e-7, "the reference's rate");
        expect_near(gait_torque(&gait, k, 1, phi, phid), 0, 1e-15, "the torque");
        assert_true(gait_torque(&gait, k, 1, phi - 0.1, phid) > 0);
    }
    // A joint does what the one before it will do shift / frequency later.
    const double lag = gait.shift / gait.frequency;
    expect_near(gait_reference(&gait, 1, 1), gait_reference(&gait, 0, 1 + lag), 1e-15,
                "the next joint");
}

static void friction_and_springs_oppose(void **state)
{
    (void)state;
    const fa_snake_joint joint = {0, 0.2, 3, 0.1};
    expect_near(passive_torque(&joint, 0.3, 0.5), -3 * 0.2 - 0.2 * 0.5, 1e-15, "torque");
    test_snake of;
    paper_snake(&of, 2);
    of.link[1].rolling_viscous = 0.5;
    of.link[1].rolling_coulomb = 2;
    expect_near(rolling_force(&of.snake, 1, 3), -1.5 - 2, 1e-15, "rolling forwards");
    expect_near(rolling_force(&of.snake, 1, -3), 1.5 + 2, 1e-15, "rolling backwards");
    assert_true(rolling_force(&of.snake, 0, 3) == 0);
    of.snake.rolling_width = 0; // nobody asks for it where there is no such friction
    assert_true(rolling_force(&of.snake, 0, 0) == 0);
}

static void points_follow_the_speeds(void **state)
{
    (void)state;
    uint64_t seed = 26;
    for (int n = 2; n <= 40; n = 3 * n) {
        static moving        it;
        const double         h = 1e-6;
        fa_snake_point       wheel[2][MAX_LINKS], end[MAX_LINKS + 1], centre[2];
        const fa_snake_point first = {0.4, -0.2};
        double               momentum[2] = {0, 0}, mass = 0, moved[MAX_LINKS];
        random_motion(&it, n, &seed);
        const double C = cos(it.theta[0]), S = sin(it.theta[0]), V = it.motion[0].V;
        for (int i = 0; i < 2; i++) { // a moment before, a moment after
            const double dt = i ? h : -h;
            // Along the circle that wheel 0 is on, to second order.
            const fa_snake_point there = {first.x + dt * V * C, first.y + dt * V * S};
            for (int k = 0; k < n; k++) moved[k] = it.theta[k] + dt * it.motion[k].w;
            fa_snake_points(&it.of.snake, moved, there, wheel[i], end);
            centre[i] = fa_snake_centre(&it.of.snake, moved, there);
        }
        for (int k = 0; k < n; k++) {
            const fa_snake_link *link = &it.of.link[k];
            const double         c = cos(it.theta[k]), s = sin(it.theta[k]);
            const double         vx = (wheel[1][k].x - wheel[0][k].x) / (2 * h);
            const double         vy = (wheel[1][k].y - wheel[0][k].y) / (2 * h);
            expect_near(vx * c + vy * s, it.motion[k].V, 1e-7, "a wheel's speed");
            expect_near(vy * c - vx * s, 0, 1e-7, "a wheel's slip");
            const double along = it.motion[k].V - link->d * it.motion[k].w;
            const double across = link->c * it.motion[k].w;
            momentum[0] += link->m * (along * c - across * s);
            momentum[1] += link->m * (along * s + across * c);
            mass += link->m;
        }
        expect_near((centre[1].x - centre[0].x) / (2 * h), momentum[0] / mass, 1e-7, "centre, x");
        expect_near((centre[1].y - centre[0].y) / (2 * h), momentum[1] / mass, 1e-7, "centre, y");
        for (int k = 0; k < n; k++)
            expect_near(hypot(end[k + 1].x - end[k].x, end[k + 1].y - end[k].y),
                        it.of.link[k].a + it.of.link[k].b, 1e-14, "a link's length");
    }
    test_snake   of;
    const double theta[3] = {6.5, 7, 6}; // more than a turn
    paper_snake(&of, 3);
    expect_near(fa_snake_heading(&of.snake, theta), 6.5 - 2 * acos(-1), 1e-14, "the heading");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(one_or_two_joints_can_be_prescribed),
        cmocka_unit_test(rates_can_be_made_consistent),
        cmocka_unit_test(joints_without_leverage_are_refused),
        cmocka_unit_test(prescribed_speeds_take_the_smallest_torques),
        cmocka_unit_test(work_of_torques_is_the_change_of_energy),
        cmocka_unit_test(kinetic_energy_is_the_form_of_the_mass_matrix),
        cmocka_unit_test(a_gait_is_its_own_derivative),
        cmocka_unit_test(friction_and_springs_oppose),
        cmocka_unit_test(points_follow_the_speeds),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
