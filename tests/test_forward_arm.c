// Swartz's simulation of the CMU DD Arm against tests/reference/arm_trajectories.json: the same
// voltages, the same step, computed with 50 digits.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include <cmocka.h>

#include "compare.h"
#include "forward_arm.h"
#include "golden_arm.h"

enum { N = 6, ROWS = 101 };

// Rounding of 1000 steps: the worst of all methods was 1.6e-14 rad or rad/s.
static const double ROUNDING = 1e-12;

static const fa_dc_motor motors[N] = {{1.2, 5.5, 0}, {1.2, 8.0, 0}, {1.8, 2.0, 0},
                                      {1.8, 2.2, 0}, {2.5, 0.5, 0}, {3.0, 0.277, 0}};

typedef struct voltages {
    int    from; // [ms]
    double V[N];
} voltages;

static const voltages schedule[] = {
    {0, {0, 0, 0, 0, 0, 0}},
    {50, {24, -18, 6, -4, 1.5, 0.8}},
    {250, {-12, 20, -5, 4, -1, -0.5}},
    {500, {0, 0, 0, 0, 0, 0}},
};

static golden_arm arm;
static double     discrete[ROWS][2 * N]; // theta and omega every 10 ms: Kutta's steps of 1 ms
static double     exact[ROWS][2 * N];    // the differential equation itself
static double     work[1 << 14];

static int read_reference(void **state)
{
    (void)state;
    json       *points = json_read("reference/arm_points.json");
    const json *robots = json_member(points, "robots");
    for (int i = 0; i < json_count(robots); i++) {
        const json *text = json_member(json_element(robots, i), "arm");
        if (strcmp(json_string(json_member(text, "name")), "cmu_dd_arm") == 0)
            golden_arm_read(text, &arm);
    }
    json_free(points);

    json       *trajectories = json_read("reference/arm_trajectories.json");
    const json *run = json_member(trajectories, "cmu_dd_arm_schedule");
    json_numbers(json_member(run, "rk3_1ms"), *discrete, ROWS * 2 * N);
    json_numbers(json_member(run, "exact"), *exact, ROWS * 2 * N);
    json_free(trajectories);
    return 0;
}

// Largest distance from the reference over the whole second, with `per_ms` steps in a millisecond.
static double simulate(const fa_method *method, int per_ms, double reference[ROWS][2 * N])
{
    double y[2 * N] = {0}, worst = 0;
    assert_true(fa_forward_arm_work_size(method, &arm.chain) <= sizeof work);
    for (int ms = 0, row = 0; ms < 10 * (ROWS - 1); ms++) {
        if (row + 1 < (int)(sizeof schedule / sizeof *schedule) && schedule[row + 1].from <= ms)
            row++;
        for (int step = 0; step < per_ms; step++)
            assert_int_equal(fa_forward_arm_step(method, &arm.chain, motors, schedule[row].V, NULL,
                                                 1e-3 / per_ms, y, y + N, work),
                             FA_OK);
        if ((ms + 1) % 10 == 0) worst = fmax(worst, distance(y, reference[(ms + 1) / 10], 2 * N));
    }
    return worst;
}

static void every_method_takes_kuttas_steps(void **state)
{
    (void)state;
    for (int m = 0; m < fa_method_count; m++) {
        const fa_method *method = fa_methods[m];
        if (!method->forward) continue;
        const double error = simulate(method, 1, discrete);
        printf("%s: %.1e\n", method->name, error);
        if (!(error <= ROUNDING)) fail_msg("%s is off by %g", method->name, error);
    }
}

static void the_order_is_three(void **state)
{
    (void)state;
    const fa_method *method = fa_method_find("walker-orin");
    const double     once = simulate(method, 1, exact), twice = simulate(method, 2, exact);
    printf("error at 1 ms %.3e, at half a millisecond %.3e\n", once, twice);
    // Halving the step divides the error by 2^3, give or take the next order: 8.2 was seen.
    assert_true(once / twice > 7.5 && once / twice < 8.5);
}

static void voltage_and_torque_are_two_readings_of_one_motor(void **state)
{
    (void)state;
    for (int i = 0; i < N; i++) {
        const double V = fa_motor_voltage(motors[i], 3.5, -1.25);
        assert_true(fabs(fa_motor_torque(motors[i], V, -1.25) - 3.5) < 1e-14);
    }
    assert_true(fa_motor_torque(motors[0], 24, 24 / 5.5) == 0); // at the speed it idles at
}

static void a_step_that_fails_leaves_the_arm_where_it_was(void **state)
{
    (void)state;
    const double V[N] = {NAN, 0, 0, 0, 0, 0};
    double       theta[N] = {0.1, 0.2, 0.3, 0.4, 0.5, 0.6}, omega[N] = {1, 2, 3, 4, 5, 6};
    double       theta_before[N], omega_before[N];
    memcpy(theta_before, theta, sizeof theta);
    memcpy(omega_before, omega, sizeof omega);
    assert_int_equal(fa_forward_arm_step(fa_method_find("walker-orin"), &arm.chain, motors, V, NULL,
                                         1e-3, theta, omega, work),
                     FA_NOT_FINITE);
    assert_memory_equal(theta, theta_before, sizeof theta);
    assert_memory_equal(omega, omega_before, sizeof omega);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_method_takes_kuttas_steps),
        cmocka_unit_test(the_order_is_three),
        cmocka_unit_test(voltage_and_torque_are_two_readings_of_one_motor),
        cmocka_unit_test(a_step_that_fails_leaves_the_arm_where_it_was),
    };
    return cmocka_run_group_tests(tests, read_reference, NULL);
}
