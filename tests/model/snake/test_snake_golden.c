// The snake against tests/reference/snake_points_and_trajectories.json: numbers with 50 digits.
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "read_json.h"
#include "snake_control.h"
#include "snake_help.h"

#define FILE_NAME "reference/snake_points_and_trajectories.json"

// One row of the file: a snake, what acts on it, and its state.
typedef struct golden {
    test_snake   of;
    bool         gait_on;
    fa_gait_data gait;
    double       input[MAX_LINKS]; // torques
} golden;

static void numbers(const json *object, const char *name, double out[], int n)
{
    assert_int_equal(json_numbers(json_member(object, name), out, n), n);
}

static double number(const json *object, const char *name)
{
    return json_number(json_member(object, name));
}

static void read_snake(golden *to, const json *params)
{
    const int n = (int)number(params, "n");
    double    a[MAX_LINKS], b[MAX_LINKS], c[MAX_LINKS], d[MAX_LINKS], m[MAX_LINKS], I[MAX_LINKS];
    double    cr[MAX_LINKS], fc[MAX_LINKS], cj[MAX_LINKS], kj[MAX_LINKS], phi0[MAX_LINKS];
    numbers(params, "a", a, n);
    numbers(params, "b", b, n);
    numbers(params, "c", c, n);
    numbers(params, "d", d, n);
    numbers(params, "m", m, n);
    numbers(params, "I", I, n);
    numbers(params, "cr", cr, n);
    numbers(params, "fc", fc, n);
    numbers(params, "cj", cj, n - 1);
    numbers(params, "kj", kj, n - 1);
    numbers(params, "phi0", phi0, n - 1);

    memset(to, 0, sizeof *to);
    to->of.snake.n = n;
    to->of.snake.link = to->of.link;
    to->of.snake.joint = to->of.joint;
    to->of.snake.rolling_width = number(params, "vs");
    for (int k = 0; k < n; k++)
        to->of.link[k] = (fa_snake_link){a[k], b[k], c[k], d[k], m[k], I[k], cr[k], fc[k]};
    for (int k = 0; k < n - 1; k++) to->of.joint[k] = (fa_snake_joint){0, cj[k], kj[k], phi0[k]};

    const json *gait = json_member(params, "serp");
    to->gait_on = !json_is_null(gait);
    if (to->gait_on)
        to->gait = (fa_gait_data){true,
                                  number(gait, "A"),
                                  number(gait, "om"),
                                  number(gait, "beta"),
                                  number(gait, "gam"),
                                  number(gait, "psi"),
                                  number(gait, "kp"),
                                  number(gait, "kd"),
                                  INFINITY};
}

// All forces of a snake in motion: inputs, servos, springs, friction.
static void laws(const golden *of, double t, const double theta[], const fa_snake_motion motion[],
                 double torque[], double rolling[])
{
    const fa_snake *snake = &of->of.snake;
    for (int k = 0; k < snake->n - 1; k++) {
        const double phi = theta[k + 1] - theta[k], phid = motion[k + 1].w - motion[k].w;
        torque[k] = of->input[k] + passive_torque(&snake->joint[k], phi, phid);
        if (of->gait_on) torque[k] += gait_torque(&of->gait, k, t, phi, phid);
    }
    for (int k = 0; k < snake->n; k++) rolling[k] = rolling_force(snake, k, motion[k].V);
}

static double worst; // over everything that a test compares; it is printed

static void same(const char *id, const char *what, const double got[], const double want[], int n,
                 double tolerance)
{
    const double off = miss(got, want, n);
    if (!(off <= tolerance)) fail_msg("%s: %s misses by %g", id, what, off);
    worst = fmax(worst, off);
}

static void compare(const char *id, const json *expect, const char *name, const double got[], int n,
                    double tolerance)
{
    double want[2 * MAX_LINKS];
    numbers(expect, name, want, n);
    same(id, name, got, want, n, tolerance);
}

// Plain double attains 4e-14 relative to the largest entry in all of these.
#define POINT_TOLERANCE 1e-12

static void every_point_agrees(void **state)
{
    const json *points = json_member(*state, "points");
    worst = 0;
    for (int p = 0; p < json_count(points); p++) {
        const json *point = json_element(points, p), *expect = json_member(point, "expect");
        const char *id = json_string(json_member(point, "id"));
        golden      of;
        read_snake(&of, json_member(point, "params"));
        const fa_snake *snake = &of.of.snake;
        const int       n = snake->n;
        fa_error        error = fa_no_error();
        if (fa_snake_check(snake, &error) != FA_OK) fail_msg("%s: %s", id, error.message);

        double theta[MAX_LINKS], u[2], ud[2], torque[MAX_LINKS], rolling[MAX_LINKS];
        double lambda[MAX_LINKS], residual[2], got[MAX_LINKS], got2[MAX_LINKS];
        numbers(point, "theta", theta, n);
        numbers(point, "u", u, 2);
        numbers(point, "T", of.input, n - 1);

        fa_snake_motion motion[MAX_LINKS];
        fa_snake_kinematics(snake, theta, u, motion);
        laws(&of, number(point, "t"), theta, motion, torque, rolling);
        const fa_snake_forces    forces = {.torque = torque, .rolling = rolling};
        const fa_snake_equations equations = fa_snake_project(snake, motion, &forces);
        assert_int_equal(fa_snake_solve(&equations, ud), FA_OK);
        fa_snake_accelerate(snake, ud, motion);
        fa_snake_force joint[MAX_LINKS];
        fa_snake_reactions(snake, theta, motion, &forces, lambda, joint, residual);

        compare(id, expect, "tau_eff", torque, n - 1, POINT_TOLERANCE);
        compare(id, expect, "roll", rolling, n, POINT_TOLERANCE);
        compare(id, expect, "M", equations.M[0], 4, POINT_TOLERANCE);
        compare(id, expect, "bias", equations.bias, 2, POINT_TOLERANCE);
        compare(id, expect, "F", equations.F, 2, POINT_TOLERANCE);
        compare(id, expect, "ud", ud, 2, POINT_TOLERANCE);
        compare(id, expect, "lam", lambda, n, POINT_TOLERANCE);
        for (int k = 0; k < n; k++) got[k] = motion[k].V;
        compare(id, expect, "V", got, n, POINT_TOLERANCE);
        for (int k = 0; k < n; k++) got[k] = motion[k].w;
        compare(id, expect, "omega", got, n, POINT_TOLERANCE);
        for (int k = 0; k < n; k++) got[k] = motion[k].Vd;
        compare(id, expect, "Vdot", got, n, POINT_TOLERANCE);
        for (int k = 0; k < n; k++) got[k] = motion[k].wd;
        compare(id, expect, "omegadot", got, n, POINT_TOLERANCE);
        for (int k = 0; k < n - 1; k++) {
            got[k] = joint[k].x;
            got2[k] = joint[k].y;
        }
        compare(id, expect, "joint_fx", got, n - 1, POINT_TOLERANCE);
        compare(id, expect, "joint_fy", got2, n - 1, POINT_TOLERANCE);

        // The wheel of link 1 accelerates by V' along e and V w along n.
        const double C = cos(theta[0]), S = sin(theta[0]), turn = u[0] * u[1];
        const double xdd = ud[0] * C - turn * S, ydd = ud[0] * S + turn * C;
        compare(id, expect, "xdd", &xdd, 1, POINT_TOLERANCE);
        compare(id, expect, "ydd", &ydd, 1, POINT_TOLERANCE);

        const double         energy = fa_snake_kinetic_energy(snake, motion);
        const fa_snake_power power = fa_snake_work_rate(snake, motion, &forces);
        const double         rate = power.joints + power.rolling;
        compare(id, expect, "K", &energy, 1, POINT_TOLERANCE);
        compare(id, expect, "P_joint", &power.joints, 1, POINT_TOLERANCE);
        compare(id, expect, "P_roll", &power.rolling, 1, POINT_TOLERANCE);
        compare(id, expect, "Kdot", &rate, 1, POINT_TOLERANCE);

        // What is left over at the base must vanish against the forces it is the sum of.
        const double scale = fmax(1, fmax(largest(lambda, n), largest(got, n - 1)));
        if (!(largest(residual, 2) <= POINT_TOLERANCE * scale))
            fail_msg("%s: reaction residual %g", id, largest(residual, 2));

        // sigma2 comes from what remains of one row when its part along the other is removed.
        double              sigma[2];
        const fa_snake_grip grip = fa_snake_controllability(snake, motion, &equations);
        numbers(expect, "sigma_ctrl", sigma, 2);
        same(id, "sigma1", &grip.sigma1, sigma, 1, POINT_TOLERANCE);
        if (!(fabs(grip.sigma2 - sigma[1]) <= 1e-7 * sigma[0]))
            fail_msg("%s: sigma2 is %g instead of %g", id, grip.sigma2, sigma[1]);
    }
    print_message("%d points, largest miss %.2g\n", json_count(points), worst);
}

// Each method, and each base link where it has the choice: the motion of the base is taken from the
// reference, and what comes out is compared there.
static void every_method_agrees_at_every_point(void **state)
{
    const json *points = json_member(*state, "points");
    for (int method = 0; method < fa_snake_method_count; method++) {
        const fa_snake_method *by = &fa_snake_methods[method];
        void                  *work = malloc(by->work_size(50));
        worst = 0;
        for (int p = 0; p < json_count(points); p++) {
            const json *point = json_element(points, p), *expect = json_member(point, "expect");
            const char *id = json_string(json_member(point, "id"));
            golden      of;
            read_snake(&of, json_member(point, "params"));
            const int n = of.of.snake.n;

            double theta[MAX_LINKS], V[MAX_LINKS], w[MAX_LINKS], Vd[MAX_LINKS], wd[MAX_LINKS];
            double torque[MAX_LINKS], rolling[MAX_LINKS], lambda[MAX_LINKS], ud[2];
            numbers(point, "theta", theta, n);
            numbers(expect, "V", V, n);
            numbers(expect, "omega", w, n);
            numbers(expect, "Vdot", Vd, n);
            numbers(expect, "omegadot", wd, n);
            numbers(expect, "tau_eff", torque, n - 1);
            numbers(expect, "roll", rolling, n);
            const fa_snake_forces forces = {.torque = torque, .rolling = rolling};

            for (int base = 0; base < n; base += by->any_base ? (n + 2) / 3 : n) {
                of.of.snake.base = base;
                const double u[2] = {V[base], w[base]}, want[2] = {Vd[base], wd[base]};
                assert_int_equal(by->forward(&of.of.snake, theta, u, &forces, ud, lambda, work),
                                 FA_OK);
                // The worst is Lagrange's at n = 50; Kane's stay below 1e-13.
                same(id, by->name, ud, want, 2, POINT_TOLERANCE);
                compare(id, expect, "lam", lambda, n, POINT_TOLERANCE);
            }
        }
        free(work);
        print_message("%s: largest miss %.2g\n", by->name, worst);
    }
}

// State of a trajectory: theta, x, y, u, and the work of all forces.
typedef struct run {
    golden                 of;
    const fa_snake_method *method;
    void                  *work;
    const char            *torque_kind;
    double                 A[MAX_LINKS], w[MAX_LINKS], p[MAX_LINKS]; // of "sin"
} run;

static void state_adjoint(void *context, double t, const double y[], double yd[])
{
    run            *of = context;
    const fa_snake *snake = &of->of.of.snake;
    const int       n = snake->n;
    const double   *u = y + n + 2;
    fa_snake_motion motion[MAX_LINKS];
    double          torque[MAX_LINKS], rolling[MAX_LINKS];
    for (int k = 0; k < n - 1; k++) {
        if (strcmp(of->torque_kind, "paper") == 0) of->of.input[k] = sin(t) / (n - 1 - k);
        if (strcmp(of->torque_kind, "sin") == 0)
            of->of.input[k] = of->A[k] * sin(of->w[k] * t + of->p[k]);
    }
    fa_snake_kinematics(snake, y, u, motion);
    laws(&of->of, t, y, motion, torque, rolling);
    const fa_snake_forces forces = {.torque = torque, .rolling = rolling};
    const fa_snake_power  power = fa_snake_work_rate(snake, motion, &forces);

    for (int k = 0; k < n; k++) yd[k] = motion[k].w;
    yd[n] = u[0] * cos(y[0]);
    yd[n + 1] = u[0] * sin(y[0]);
    assert_int_equal(of->method->forward(snake, y, u, &forces, yd + n + 2, NULL, of->work), FA_OK);
    yd[n + 4] = power.joints + power.rolling;
}

static double energy_of(const fa_snake *snake, const double y[])
{
    fa_snake_motion motion[MAX_LINKS];
    fa_snake_kinematics(snake, y, y + snake->n + 2, motion);
    return fa_snake_kinetic_energy(snake, motion);
}

// Follows a trajectory with one method to `end` and checks it on the way.
static void follow(const json *trajectory, const fa_snake_method *method, double end,
                   double tolerance)
{
    static run  of;
    const char *id = json_string(json_member(trajectory, "id"));
    const json *torque = json_member(trajectory, "torque"), *times = json_member(trajectory, "t");
    const json *states = json_member(trajectory, "y"), *energies = json_member(trajectory, "K");
    double      y[MAX_LINKS + 5], want[MAX_LINKS + 5];

    read_snake(&of.of, json_member(trajectory, "params"));
    const fa_snake *snake = &of.of.of.snake;
    const int       n = snake->n;
    of.method = method;
    of.work = malloc(method->work_size(n));
    of.torque_kind = json_string(json_member(torque, "kind"));
    if (strcmp(of.torque_kind, "sin") == 0) {
        numbers(torque, "A", of.A, n - 1);
        numbers(torque, "w", of.w, n - 1);
        numbers(torque, "p", of.p, n - 1);
    }

    json_numbers(json_element(states, 0), y, n + 5);
    const double start = energy_of(snake, y);
    for (int i = 1; i < json_count(times); i++) {
        const double from = json_number(json_element(times, i - 1));
        const double to = json_number(json_element(times, i));
        if (to > end) break;
        // Steps of 10 ms: half of them, or twice as many, end within 1e-11 of these.
        integrate(state_adjoint, &of, from, to, 10, n + 5, y);
        json_numbers(json_element(states, i), want, n + 5);
        same(id, "state", y, want, n + 5, tolerance);
        const double energy = energy_of(snake, y);
        const double expected = json_number(json_element(energies, i));
        same(id, "K", &energy, &expected, 1, tolerance);
        const double balance = start + y[n + 4];
        same(id, "energy balance", &balance, &energy, 1, tolerance);
    }
    free(of.work);
}

static void every_trajectory_is_followed_tightly_for_2_s(void **state)
{
    const json *trajectories = json_member(*state, "trajectories");
    worst = 0;
    for (int i = 0; i < json_count(trajectories); i++)
        follow(json_element(trajectories, i), &fa_snake_methods[0], 2.0001, 1e-9);
    print_message("largest miss %.2g\n", worst);
}

// The paper's snakes are sensitive to what they start from: rounding errors grow 10^5-fold.
static void every_trajectory_is_followed_loosely_to_its_end(void **state)
{
    const json *trajectories = json_member(*state, "trajectories");
    worst = 0;
    for (int i = 0; i < json_count(trajectories); i++)
        follow(json_element(trajectories, i), &fa_snake_methods[0], 100, 1e-6);
    print_message("largest miss %.2g\n", worst);
}

static void every_method_follows_the_short_snakes(void **state)
{
    const json *trajectories = json_member(*state, "trajectories");
    for (int method = 1; method < fa_snake_method_count; method++) {
        worst = 0;
        for (int i = 0; i < json_count(trajectories); i++)
            if (number(json_member(json_element(trajectories, i), "params"), "n") < 5)
                follow(json_element(trajectories, i), &fa_snake_methods[method], 2.0001, 1e-9);
        print_message("%s: largest miss %.2g\n", fa_snake_methods[method].name, worst);
    }
}

int main(void)
{
    json                   *file = json_read(FILE_NAME);
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_prestate(every_point_agrees, file),
        cmocka_unit_test_prestate(every_method_agrees_at_every_point, file),
        cmocka_unit_test_prestate(every_trajectory_is_followed_tightly_for_2_s, file),
        cmocka_unit_test_prestate(every_trajectory_is_followed_loosely_to_its_end, file),
        cmocka_unit_test_prestate(every_method_follows_the_short_snakes, file),
    };
    const int failed = cmocka_run_group_tests(tests, NULL, NULL);
    json_free(file);
    return failed;
}
