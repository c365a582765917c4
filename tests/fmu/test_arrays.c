// FMUs whose variables are arrays: one FMU for snakes of every length, driven through configuration
// mode, and arms. Held against the FMU of scalars of the same robot, bit for bit, and against the
// reference points of snakes.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "array_help.h"
#include "random.h"
#include "read_json.h"

static array_pair pair;

// The snake of fmu_snake with an input of this kind; two of its joints are prescribed.
static fa_robot *snake_with(int n, fa_snake_input input)
{
    fa_robot *robot = fmu_snake(n);
    robot->snake.input = input;
    robot->snake.motor =
        (fa_motor_data){.resistance = 2, .torque_constant = 0.05, .back_emf = 0.05};
    robot->snake.gait = (fa_gait_data){true, 0.3, 2, 0.6, 0.05, 0.1, 1, 0.1, INFINITY};
    robot->snake.speed = 0.3;
    robot->snake.rate = 0.1;
    if (input == FA_SNAKE_PRESCRIBED) {
        robot->snake.n_prescribed = 1;
        robot->snake.prescribed[0] = 1;
    }
    return robot;
}

// An FMU of arrays, exported with `made` links and set to n, beside one of scalars with n.
static void match_snakes(fa_snake_input input, int made, int n, fa_kind kind)
{
    fa_robot *one = snake_with(made, input), *other = snake_with(n, input);
    void     *arrays = fmu_robot_new(one, 3, true, kind, &pair.arrays_host);
    void     *scalar = fmu_robot_new(other, 3, false, kind, &pair.scalar_host);
    array_set_links(arrays, (uint64_t)n);
    array_pair_match(&pair, scalar, arrays);
    free(one);
    free(other);
}

static const int lengths[] = {2, 10, 100};

static void one_fmu_is_snakes_of_every_length(void **state)
{
    (void)state;
    for (int input = 0; input < FA_SNAKE_INPUT_COUNT; input++)
        for (int i = 0; i < 3; i++) {
            if (input == FA_SNAKE_SPEEDS && lengths[i] < 3) continue;
            match_snakes((fa_snake_input)input, 5, lengths[i], FA_MODEL_EXCHANGE);
            array_pair_stir(&pair, 7);
            array_pair_start(&pair);
            array_pair_compare(&pair);
            array_pair_free(&pair);
        }
}

static void its_states_and_indicators_follow(void **state)
{
    (void)state;
    for (int i = 0; i < 3; i++) {
        const int n = lengths[i];
        match_snakes(FA_SNAKE_TORQUE, 5, n, FA_MODEL_EXCHANGE);
        array_pair_stir(&pair, 13);
        array_pair_start(&pair);
        size_t states, indicators;
        assert_int_equal(fmi3GetNumberOfContinuousStates(pair.arrays, &states), fmi3OK);
        assert_int_equal(fmi3GetNumberOfEventIndicators(pair.arrays, &indicators), fmi3OK);
        assert_int_equal(states, n + 4); // angles, x, y, speed, rate
        assert_int_equal(indicators, n); // of stops alone

        double       x[2][120], dx[2][120], nominal[120], z[201];
        fa_instance *both[] = {pair.scalar, pair.arrays};
        for (int b = 0; b < 2; b++) {
            assert_int_equal(fmi3GetContinuousStates(both[b], x[b], states), fmi3OK);
            for (size_t k = 0; k < states; k++) x[b][k] += 0.001 * (double)k;
            assert_int_equal(fmi3SetContinuousStates(both[b], x[b], states), fmi3OK);
            assert_int_equal(fmi3GetContinuousStateDerivatives(both[b], dx[b], states), fmi3OK);
        }
        assert_memory_equal(x[0], x[1], states * sizeof(double));
        assert_memory_equal(dx[0], dx[1], states * sizeof(double));
        assert_int_equal(fmi3GetNominalsOfContinuousStates(pair.arrays, nominal, states), fmi3OK);
        for (size_t k = 0; k < states; k++) assert_true(nominal[k] == 1);
        assert_int_equal(fmi3GetEventIndicators(pair.arrays, z, indicators), fmi3OK);
        assert_true(z[n - 1] == -1); // of a joint that is not there: it touches nothing
        array_pair_compare(&pair);
        array_pair_free(&pair);
    }
}

static void its_steps_are_the_same_steps(void **state)
{
    (void)state;
    for (int input = 0; input < FA_SNAKE_INPUT_COUNT; input++)
        for (int i = 0; i < 3; i++) {
            if (input == FA_SNAKE_SPEEDS && lengths[i] < 3) continue;
            match_snakes((fa_snake_input)input, 7, lengths[i], FA_CO_SIMULATION);
            array_pair_stir(&pair, 11);
            array_pair_start(&pair);
            fa_instance *both[] = {pair.scalar, pair.arrays};
            // Dampers at a hundred joints are stiff.
            const double size = lengths[i] < 100 ? 0.01 : 1e-4;
            for (int step = 0; step < 5; step++)
                for (int b = 0; b < 2; b++) {
                    fmi3Boolean flag[3];
                    double      last;
                    assert_int_equal(fmi3DoStep(both[b], step * size, size, true, &flag[0],
                                                &flag[1], &flag[2], &last),
                                     fmi3OK);
                }
            array_pair_compare(&pair);
            array_pair_free(&pair);
        }
}

static void arms_have_arrays_of_fixed_size(void **state)
{
    (void)state;
    for (uint64_t trial = 0; trial < 12; trial++) {
        uint64_t  seed = trial;
        const int kind = trial % 2 ? RANDOM_BRANCHED | RANDOM_COUPLED | RANDOM_SPRINGS : 0;
        fa_robot *robot = random_robot(&seed, 1 + (int)trial / 2, (unsigned)kind);
        if (trial % 3 == 2) strcpy(robot->plant, "inverse");
        assert_int_equal(fa_robot_check(robot, NULL, NULL), FA_OK);
        void *arrays = fmu_robot_new(robot, 3, true, FA_MODEL_EXCHANGE, &pair.arrays_host);
        void *scalar = fmu_robot_new(robot, 3, false, FA_MODEL_EXCHANGE, &pair.scalar_host);
        free(robot);
        array_pair_match(&pair, scalar, arrays);
        array_pair_stir(&pair, 5);
        array_pair_start(&pair);
        array_pair_compare(&pair);
        assert_int_equal(fmi3Reset(arrays), fmi3OK);
        assert_int_equal(fmi3EnterConfigurationMode(arrays), fmi3Error); // nothing to configure
        assert_non_null(strstr(pair.arrays_host.message, "no structural parameter"));
        array_pair_free(&pair);
    }
}

// --- reference points

static void set_array(fa_instance *self, const char *name, const json *params, const char *member,
                      int n)
{
    double             value[200] = {0};
    fmi3ValueReference vr = array_reference(self, name);
    assert_true(json_numbers(json_member(params, member), value, n) >= n - 1);
    assert_int_equal(fmi3SetFloat64(self, &vr, 1, value, (size_t)n), fmi3OK);
}

static void set_one(fa_instance *self, const char *name, double value)
{
    fmi3ValueReference vr = array_reference(self, name);
    assert_int_equal(fmi3SetFloat64(self, &vr, 1, &value, 1), fmi3OK);
}

static void set_lengths(fa_instance *self, const json *params, int n)
{
    double             a[200], b[200], length[200];
    fmi3ValueReference wheel = array_reference(self, "link.wheel");
    fmi3ValueReference whole = array_reference(self, "link.length");
    json_numbers(json_member(params, "a"), a, n);
    json_numbers(json_member(params, "b"), b, n);
    for (int k = 0; k < n; k++) length[k] = a[k] + b[k];
    assert_int_equal(fmi3SetFloat64(self, &wheel, 1, a, (size_t)n), fmi3OK);
    assert_int_equal(fmi3SetFloat64(self, &whole, 1, length, (size_t)n), fmi3OK);
}

static void compare_array(fa_instance *self, const char *name, const json *expect,
                          const char *member, int n, double tolerance)
{
    double             want[200], got[200], scale = 1;
    fmi3ValueReference vr = array_reference(self, name);
    const int          size = array_size(self, vr);
    assert_int_equal(json_numbers(json_member(expect, member), want, n), n);
    assert_int_equal(fmi3GetFloat64(self, &vr, 1, got, (size_t)size), fmi3OK);
    for (int k = 0; k < n; k++) scale = fmax(scale, fabs(want[k]));
    for (int k = 0; k < n; k++)
        if (!(fabs(got[k] - want[k]) <= tolerance * scale))
            fail_msg("%s[%d] is %.17g and should be %.17g", name, k + 1, got[k], want[k]);
}

static void set_servos(fa_instance *self, const json *gait)
{
    static const char *const name[][2] = {{"gait.amplitude", "A"}, {"gait.frequency", "om"},
                                          {"gait.shift", "beta"},  {"gait.bias", "gam"},
                                          {"gait.phase", "psi"},   {"gait.stiffness", "kp"},
                                          {"gait.damping", "kd"}};
    for (size_t i = 0; i < sizeof name / sizeof *name; i++)
        set_one(self, name[i][0],
                json_is_null(gait) ? 0 : json_number(json_member(gait, name[i][1])));
}

// One instance runs through all points, with all parameters.
static void known_points_come_out_at_every_length(void **state)
{
    const json  *points = json_member(*state, "points");
    fa_robot    *robot = snake_with(4, FA_SNAKE_GAIT);
    fmu_host     host;
    fa_instance *self = fmu_robot_new(robot, 3, true, FA_MODEL_EXCHANGE, &host);
    int          seen[201] = {0}, done = 0, many = 0;
    free(robot);
    for (int p = 0; p < json_count(points); p++) {
        const json *point = json_element(points, p), *params = json_member(point, "params");
        const json *expect = json_member(point, "expect");
        const int   n = (int)json_number(json_member(params, "n"));
        double      pair_of[2];
        array_set_links(self, (uint64_t)n);
        set_lengths(self, params, n);
        set_array(self, "link.com.along", params, "c", n);
        set_array(self, "link.com.across", params, "d", n);
        set_array(self, "link.mass", params, "m", n);
        set_array(self, "link.inertia", params, "I", n);
        set_array(self, "wheel.viscous_friction", params, "cr", n);
        set_array(self, "wheel.coulomb_friction", params, "fc", n);
        set_array(self, "joint.viscous_friction", params, "cj", n);
        set_array(self, "joint.stiffness", params, "kj", n);
        set_array(self, "joint.rest", params, "phi0", n);
        set_one(self, "wheel.friction_width", json_number(json_member(params, "vs")));
        set_servos(self, json_member(params, "serp"));
        set_array(self, "link.initial_angle", point, "theta", n);
        set_array(self, "joint.torque", point, "T", n);
        double             limit[200], rotor[200] = {0}; // no stops in reach, and no rotors
        fmi3ValueReference limits = array_reference(self, "joint.limit");
        fmi3ValueReference rotors = array_reference(self, "joint.rotor_inertia");
        for (int k = 0; k < n; k++) limit[k] = 1000;
        assert_int_equal(fmi3SetFloat64(self, &limits, 1, limit, (size_t)n), fmi3OK);
        assert_int_equal(fmi3SetFloat64(self, &rotors, 1, rotor, (size_t)n), fmi3OK);
        json_numbers(json_member(point, "u"), pair_of, 2);
        set_one(self, "initial_speed", pair_of[0]);
        set_one(self, "initial_rate", pair_of[1]);
        const double t = json_number(json_member(point, "t"));
        assert_int_equal(fmi3EnterInitializationMode(self, false, 0, t, false, 0), fmi3OK);

        // As plain double attains it: 4e-14 of the largest entry (test_snake_golden.c).
        compare_array(self, "link.speed", expect, "V", n, 1e-12);
        compare_array(self, "link.rate", expect, "omega", n, 1e-12);
        compare_array(self, "wheel.lateral_force", expect, "lam", n, 1e-12);
        double             ud[2], want[2];
        fmi3ValueReference vr[] = {array_reference(self, "speed_derivative"),
                                   array_reference(self, "rate_derivative")};
        json_numbers(json_member(expect, "ud"), want, 2);
        assert_int_equal(fmi3GetFloat64(self, vr, 2, ud, 2), fmi3OK);
        const double scale = fmax(1, fmax(fabs(want[0]), fabs(want[1])));
        for (int i = 0; i < 2; i++) assert_true(fabs(ud[i] - want[i]) <= 1e-12 * scale);
        assert_int_equal(fmi3Reset(self), fmi3OK);
        many += !seen[n];
        seen[n] = 1;
        done++;
    }
    print_message("%d points of snakes of %d lengths\n", done, many);
    assert_true(done > 50 && seen[2] && seen[10] && seen[20]);
    fmi3FreeInstance(self);
}

// --- configuration mode

static fa_instance *new_snake(int n, fa_kind kind, fmu_host *host)
{
    fa_robot    *robot = fmu_snake(n);
    fa_instance *self = fmu_robot_new(robot, 3, true, kind, host);
    free(robot);
    return self;
}

static uint64_t links_of(fa_instance *self)
{
    uint64_t           links = 0;
    fmi3ValueReference vr = array_reference(self, "links");
    assert_int_equal(fmi3GetUInt64(self, &vr, 1, &links, 1), fmi3OK);
    return links;
}

static void configuration_mode_is_for_the_structure_alone(void **state)
{
    (void)state;
    for (int kind = 0; kind < 2; kind++) {
        fmu_host           host;
        fa_instance       *self = new_snake(4, (fa_kind)kind, &host);
        fmi3ValueReference links = array_reference(self, "links");
        fmi3ValueReference speed = array_reference(self, "initial_speed");
        uint64_t           n = 6;
        double             one = 1;
        assert_int_equal(fmi3SetUInt64(self, &links, 1, &n, 1), fmi3Error);
        assert_non_null(strstr(host.message, "cannot be set before initialisation"));
        assert_int_equal(fmi3Reset(self), fmi3OK);
        assert_int_equal(fmi3ExitConfigurationMode(self), fmi3Error);
        assert_int_equal(fmi3Reset(self), fmi3OK);
        assert_int_equal(fmi3EnterConfigurationMode(self), fmi3OK);
        assert_int_equal(fmi3SetFloat64(self, &speed, 1, &one, 1), fmi3Error);
        assert_int_equal(fmi3Reset(self), fmi3OK);
        assert_int_equal(fmi3EnterConfigurationMode(self), fmi3OK);
        assert_int_equal(fmi3EnterConfigurationMode(self), fmi3Error);
        assert_int_equal(fmi3Reset(self), fmi3OK);
        assert_int_equal(fmi3EnterConfigurationMode(self), fmi3OK);
        assert_int_equal(fmi3EnterInitializationMode(self, false, 0, 0, false, 0), fmi3Error);
        assert_int_equal(fmi3Reset(self), fmi3OK);
        // Reconfiguration: once it runs, a snake does not grow.
        for (int mode = FA_MODE_INITIALIZATION; mode < FA_MODE_COUNT; mode++) {
            const bool steps = mode == FA_MODE_STEP, fails = mode == FA_MODE_STEP_FAILED;
            const bool exchange = mode == FA_MODE_EVENT || mode == FA_MODE_CONTINUOUS_TIME;
            if (fails || (steps && kind == 0) || (exchange && kind == 1)) continue;
            fmu_go_to(3, (fa_kind)kind, self, (fa_mode)mode);
            assert_int_equal(fmi3EnterConfigurationMode(self), fmi3Error);
            assert_non_null(strstr(host.message, "before initialisation"));
            assert_int_equal(fmi3Reset(self), fmi3OK);
        }
        fmi3FreeInstance(self);
    }
}

static void lengths_that_no_snake_has_are_refused(void **state)
{
    (void)state;
    const uint64_t wrong[] = {0, 1, 100001, UINT64_MAX};
    fmu_host       host;
    fa_instance   *self = new_snake(4, FA_MODEL_EXCHANGE, &host);
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        fmi3ValueReference vr = array_reference(self, "links");
        assert_int_equal(fmi3EnterConfigurationMode(self), fmi3OK);
        assert_int_equal(fmi3SetUInt64(self, &vr, 1, &wrong[i], 1), fmi3Error);
        assert_non_null(strstr(host.message, "'links' must be between 2 and 100000"));
        assert_int_equal(fmi3Reset(self), fmi3OK);
        assert_int_equal(links_of(self), 4);
    }
    fmi3FreeInstance(self);
}

// Wheels in front of the middle: a few links are well conditioned, many are not (docs/snakes.md).
static void a_length_that_its_proportions_forbid_leaves_the_snake_as_it_was(void **state)
{
    (void)state;
    fa_robot *robot = fmu_snake(4);
    for (int k = 0; k <= 4; k++)
        (k < 4 ? &robot->link[k] : &robot->snake.every)->segment.wheel = 0.08;
    fmu_host           host;
    fa_instance       *self = fmu_robot_new(robot, 3, true, FA_MODEL_EXCHANGE, &host);
    fmi3ValueReference vr = array_reference(self, "links");
    uint64_t           n = 60;
    free(robot);
    assert_int_equal(fmi3EnterConfigurationMode(self), fmi3OK);
    assert_int_equal(fmi3SetUInt64(self, &vr, 1, &n, 1), fmi3OK);
    assert_int_equal(fmi3ExitConfigurationMode(self), fmi3Error);
    assert_true(strlen(host.message) > 60);
    assert_int_equal(links_of(self), 4);
    assert_int_equal(fmi3Reset(self), fmi3OK);
    fmu_go_to(3, FA_MODEL_EXCHANGE, self, FA_MODE_CONTINUOUS_TIME);
    fmi3FreeInstance(self);
}

static void leaving_configuration_mode_restores_the_starts(void **state)
{
    (void)state;
    fmu_host           host;
    fa_instance       *self = new_snake(4, FA_MODEL_EXCHANGE, &host);
    fmi3ValueReference mass = array_reference(self, "link.mass");
    fmi3ValueReference speed = array_reference(self, "initial_speed");
    double             value[6], one = 1;
    for (int same = 0; same < 2; same++) {
        const int n = same ? 6 : 4;
        assert_int_equal(fmi3SetFloat64(self, &speed, 1, &one, 1), fmi3OK);
        array_set_links(self, (uint64_t)n);
        assert_int_equal(fmi3GetFloat64(self, &speed, 1, value, 1), fmi3OK);
        assert_true(value[0] == 0);
        assert_int_equal(fmi3GetFloat64(self, &mass, 1, value, (size_t)n), fmi3OK);
        // Links 1 to 4 are the robot's; further ones are like "every": the fifth of fmu_snake(4).
        for (int k = 0; k < n; k++) assert_true(value[k] == 1 + 0.1 * (k < 4 ? k : 0));
    }
    fmi3FreeInstance(self);
}

static void a_reset_brings_the_first_length_back(void **state)
{
    (void)state;
    match_snakes(FA_SNAKE_TORQUE, 5, 5, FA_CO_SIMULATION);
    array_set_links(pair.arrays, 12);
    fmu_go_to(3, FA_CO_SIMULATION, pair.arrays, FA_MODE_STEP);
    assert_int_equal(fmi3Reset(pair.arrays), fmi3OK);
    assert_int_equal(links_of(pair.arrays), 5);
    array_pair_start(&pair);
    array_pair_compare(&pair);
    array_pair_free(&pair);
}

// --- elements

static void the_number_of_values_is_checked(void **state)
{
    (void)state;
    fmu_host           host;
    fa_instance       *self = new_snake(4, FA_MODEL_EXCHANGE, &host);
    fmi3ValueReference vr[] = {array_reference(self, "link.mass"),
                               array_reference(self, "initial_x")};
    double             value[8] = {1, 1, 1, 1, 1};
    assert_int_equal(fmi3SetFloat64(self, vr, 2, value, 5), fmi3OK);
    for (size_t n = 0; n < 8; n++) {
        if (n == 5) continue;
        assert_int_equal(fmi3SetFloat64(self, vr, 2, value, n), fmi3Error);
        assert_non_null(strstr(host.message, "for 2 variables with 5 elements in all"));
        assert_int_equal(fmi3Reset(self), fmi3OK);
        assert_int_equal(fmi3GetFloat64(self, vr, 2, value, n), fmi3Error);
        assert_int_equal(fmi3Reset(self), fmi3OK);
    }
    fmi3FreeInstance(self);
}

static void one_bad_element_sets_none(void **state)
{
    (void)state;
    fmu_host           host;
    fa_instance       *self = new_snake(4, FA_MODEL_EXCHANGE, &host);
    fmi3ValueReference vr = array_reference(self, "link.mass");
    double             bad[] = {2, 2, -1, 2}, got[4];
    assert_int_equal(fmi3SetFloat64(self, &vr, 1, bad, 4), fmi3Discard);
    assert_non_null(strstr(host.message, "'link.mass[3]' must be greater than 0"));
    assert_int_equal(fmi3GetFloat64(self, &vr, 1, got, 4), fmi3OK);
    for (int k = 0; k < 4; k++) assert_true(got[k] == 1 + 0.1 * k);
    fmi3FreeInstance(self);
}

static void elements_that_stand_for_nothing_keep_what_they_are_given(void **state)
{
    (void)state;
    fmu_host           host;
    fa_instance       *self = new_snake(3, FA_MODEL_EXCHANGE, &host);
    fmi3ValueReference torque = array_reference(self, "joint.torque");
    fmi3ValueReference angle = array_reference(self, "joint.angle");
    double             set[] = {1, 2, 3}, got[3];
    assert_int_equal(fmi3SetFloat64(self, &torque, 1, set, 3), fmi3OK);
    assert_int_equal(fmi3GetFloat64(self, &torque, 1, got, 3), fmi3OK);
    assert_memory_equal(set, got, sizeof set);
    assert_int_equal(fmi3GetFloat64(self, &angle, 1, got, 3), fmi3OK);
    assert_true(got[0] != 0 && got[1] != 0 && got[2] == 0);
    fmi3FreeInstance(self);
}

// --- derivatives and dependencies

static void derivatives_are_those_of_the_scalars(void **state)
{
    (void)state;
    match_snakes(FA_SNAKE_GAIT, 4, 6, FA_MODEL_EXCHANGE);
    array_pair_stir(&pair, 3);
    array_pair_start(&pair);
    const fa_view *view = &fa_recall(pair.arrays)->view;
    for (int u = 0; u < view->n; u++) {
        if (view->variable[u].role != FA_OUTPUT || view->variable[u].discrete) continue;
        fmi3ValueReference unknown = (fmi3ValueReference)u + 1;
        const size_t       m = (size_t)view->extent[u].n;
        for (int k = 0; k < view->n; k++) {
            const fa_role role = view->variable[k].role;
            if (role != FA_STATE && role != FA_INPUT && role != FA_PARAMETER) continue;
            if (view->variable[k].type != FA_REAL) continue;
            fmi3ValueReference known = (fmi3ValueReference)k + 1;
            const size_t       n = (size_t)view->extent[k].n;
            double             forward[36], back[36], seed[6] = {0}, column[6], row[6];
            for (size_t j = 0; j < n; j++) {
                memset(seed, 0, sizeof seed);
                seed[j] = 1;
                assert_int_equal(fmi3GetDirectionalDerivative(pair.arrays, &unknown, 1, &known, 1,
                                                              seed, n, column, m),
                                 fmi3OK);
                for (size_t i = 0; i < m; i++) forward[i * n + j] = column[i];
            }
            for (size_t i = 0; i < m; i++) {
                memset(seed, 0, sizeof seed);
                seed[i] = 1;
                assert_int_equal(
                    fmi3GetAdjointDerivative(pair.arrays, &unknown, 1, &known, 1, seed, m, row, n),
                    fmi3OK);
                memcpy(back + i * n, row, n * sizeof *row);
            }
            for (size_t i = 0; i < m * n; i++) // rounding of two orders of summation
                assert_true(fabs(forward[i] - back[i]) <= 1e-9 * fmax(1, fabs(forward[i])));
            for (int a = 0; a < pair.scalar->states.rows; a++)
                for (int b = 0; b < pair.scalar->states.rows; b++) {
                    if (pair.of[a] != unknown || pair.of[b] != known) continue;
                    fmi3ValueReference one = (fmi3ValueReference)a + 1,
                                       other = (fmi3ValueReference)b + 1;
                    double unit = 1, want;
                    assert_int_equal(fmi3GetDirectionalDerivative(pair.scalar, &one, 1, &other, 1,
                                                                  &unit, 1, &want, 1),
                                     fmi3OK);
                    assert_true(want ==
                                forward[(size_t)pair.element[a] * n + (size_t)pair.element[b]]);
                }
        }
    }
    array_pair_free(&pair);
}

static void dependencies_are_those_of_the_scalars(void **state)
{
    (void)state;
    match_snakes(FA_SNAKE_PRESCRIBED, 4, 5, FA_MODEL_EXCHANGE);
    array_pair_start(&pair);
    enum { ROOM = 4000 };
    static size_t             of[ROOM], on[ROOM], none[ROOM];
    static fmi3ValueReference known[ROOM], scalar_known[ROOM];
    static fmi3DependencyKind kind[ROOM], scalar_kind[ROOM];
    for (int row = 0; row < pair.scalar->states.rows; row++) {
        size_t n, m, found = 0;
        assert_int_equal(
            fmi3GetNumberOfVariableDependencies(pair.scalar, (fmi3ValueReference)row + 1, &m),
            fmi3OK);
        assert_int_equal(fmi3GetNumberOfVariableDependencies(pair.arrays, pair.of[row], &n),
                         fmi3OK);
        assert_true(n <= ROOM && m <= ROOM);
        assert_int_equal(fmi3GetVariableDependencies(pair.scalar, (fmi3ValueReference)row + 1, none,
                                                     scalar_known, none, scalar_kind, m),
                         fmi3OK);
        assert_int_equal(
            fmi3GetVariableDependencies(pair.arrays, pair.of[row], of, known, on, kind, n), fmi3OK);
        for (size_t i = 0; i < n; i++) {
            if (of[i] != (size_t)pair.element[row] + 1) continue;
            const int other = (int)scalar_known[found] - 1;
            assert_true(found < m);
            // Arrays and scalars come in the same order unless parts' parameters interleave.
            size_t j = 0;
            while (j < m && !(pair.of[scalar_known[j] - 1] == known[i] &&
                              (size_t)pair.element[scalar_known[j] - 1] + 1 == on[i]))
                j++;
            assert_true(j < m && scalar_kind[j] == kind[i]);
            (void)other;
            found++;
        }
        assert_int_equal(found, m);
    }
    array_pair_free(&pair);
}

// --- saved states

static void a_state_brings_its_length_along(void **state)
{
    (void)state;
    match_snakes(FA_SNAKE_TORQUE, 5, 9, FA_CO_SIMULATION);
    array_pair_stir(&pair, 2);
    array_pair_start(&pair);
    fmi3FMUState saved = NULL, again = NULL;
    size_t       size;
    assert_int_equal(fmi3GetFMUState(pair.arrays, &saved), fmi3OK);
    assert_int_equal(fmi3SerializedFMUStateSize(pair.arrays, saved, &size), fmi3OK);
    unsigned char *bytes = malloc(size);
    assert_int_equal(fmi3SerializeFMUState(pair.arrays, saved, bytes, size), fmi3OK);

    // A reset snake is shorter, and so takes the state back by growing.
    assert_int_equal(fmi3Reset(pair.arrays), fmi3OK);
    assert_int_equal(links_of(pair.arrays), 5);
    assert_int_equal(fmi3DeserializeFMUState(pair.arrays, bytes, size, &again), fmi3OK);
    array_set_links(pair.arrays, 3);
    assert_int_equal(fmi3SetFMUState(pair.arrays, again), fmi3OK);
    assert_int_equal(links_of(pair.arrays), 9);
    array_pair_compare(&pair);
    assert_int_equal(fmi3Reset(pair.arrays), fmi3OK);
    assert_int_equal(fmi3SetFMUState(pair.arrays, saved), fmi3OK);
    array_pair_compare(&pair);

    // One variable for states of different lengths.
    assert_int_equal(fmi3Reset(pair.arrays), fmi3OK);
    assert_int_equal(fmi3GetFMUState(pair.arrays, &saved), fmi3OK);
    assert_int_equal(fmi3SetFMUState(pair.arrays, again), fmi3OK);
    assert_int_equal(fmi3SetFMUState(pair.arrays, saved), fmi3OK);
    assert_int_equal(links_of(pair.arrays), 5);

    bytes[size - 1] ^= 1;
    assert_int_equal(fmi3DeserializeFMUState(pair.arrays, bytes, size, &again), fmi3Error);
    assert_int_equal(fmi3DeserializeFMUState(pair.arrays, bytes, 40, &again), fmi3Error);
    assert_int_equal(fmi3FreeFMUState(pair.arrays, &again), fmi3OK);
    assert_int_equal(fmi3FreeFMUState(pair.arrays, &saved), fmi3OK);
    free(bytes);
    array_pair_free(&pair);
}

static void a_state_of_configuration_mode_brings_what_was_asked_for(void **state)
{
    (void)state;
    fmu_host           host;
    fa_instance       *self = new_snake(4, FA_MODEL_EXCHANGE, &host);
    fmi3ValueReference vr = array_reference(self, "links");
    uint64_t           n = 7;
    fmi3FMUState       saved = NULL;
    assert_int_equal(fmi3EnterConfigurationMode(self), fmi3OK);
    assert_int_equal(fmi3SetUInt64(self, &vr, 1, &n, 1), fmi3OK);
    assert_int_equal(fmi3GetFMUState(self, &saved), fmi3OK);
    assert_int_equal(fmi3Reset(self), fmi3OK);
    assert_int_equal(links_of(self), 4);
    assert_int_equal(fmi3SetFMUState(self, saved), fmi3OK);
    assert_int_equal(self->moment->mode, FA_MODE_CONFIGURATION);
    assert_int_equal(links_of(self), 7);
    assert_int_equal(fmi3ExitConfigurationMode(self), fmi3OK);
    size_t states;
    assert_int_equal(fmi3GetNumberOfContinuousStates(self, &states), fmi3OK);
    assert_int_equal(states, 11);
    assert_int_equal(fmi3FreeFMUState(self, &saved), fmi3OK);
    fmi3FreeInstance(self);
}

// Counts of links, of rows and of bytes stay within their types up to the most links there can be.
static void the_longest_snake_moves(void **state)
{
    (void)state;
    fmu_host        host;
    fmi3Boolean     b[3];
    double          last;
    fa_robot       *robot = fmu_snake(4);
    fa_instance    *self = fmu_robot_new(robot, 3, true, FA_CO_SIMULATION, &host);
    const int       n = FA_LINK_MAX;
    const fmi3Int32 solver = 4; // whose step asks for more memory, and evaluates as often
    const unsigned  of_solver = array_reference(self, "solver");
    const unsigned  of_angle = array_reference(self, "link.angle");
    double         *angle = malloc((size_t)n * sizeof *angle);
    array_set_links(self, (uint64_t)n);
    assert_int_equal(fmi3SetInt32(self, &of_solver, 1, &solver, 1), fmi3OK);
    fmu_go_to(3, FA_CO_SIMULATION, self, FA_MODE_STEP);
    assert_int_equal(fmi3DoStep(self, 0, 1e-4, true, &b[0], &b[1], &b[2], &last), fmi3OK);
    assert_int_equal(fmi3GetFloat64(self, &of_angle, 1, angle, (size_t)n), fmi3OK);
    for (int k = 0; k < n; k++) assert_true(isfinite(angle[k]));
    free(angle);
    free(robot);
    fmu_free(3, self);
}

int main(void)
{
    json                   *file = json_read("reference/snake_points_and_trajectories.json");
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(one_fmu_is_snakes_of_every_length),
        cmocka_unit_test(its_states_and_indicators_follow),
        cmocka_unit_test(its_steps_are_the_same_steps),
        cmocka_unit_test(arms_have_arrays_of_fixed_size),
        cmocka_unit_test_prestate(known_points_come_out_at_every_length, file),
        cmocka_unit_test(configuration_mode_is_for_the_structure_alone),
        cmocka_unit_test(lengths_that_no_snake_has_are_refused),
        cmocka_unit_test(a_length_that_its_proportions_forbid_leaves_the_snake_as_it_was),
        cmocka_unit_test(leaving_configuration_mode_restores_the_starts),
        cmocka_unit_test(a_reset_brings_the_first_length_back),
        cmocka_unit_test(the_number_of_values_is_checked),
        cmocka_unit_test(one_bad_element_sets_none),
        cmocka_unit_test(elements_that_stand_for_nothing_keep_what_they_are_given),
        cmocka_unit_test(derivatives_are_those_of_the_scalars),
        cmocka_unit_test(dependencies_are_those_of_the_scalars),
        cmocka_unit_test(a_state_brings_its_length_along),
        cmocka_unit_test(a_state_of_configuration_mode_brings_what_was_asked_for),
        cmocka_unit_test(the_longest_snake_moves),
    };
    const int failed = cmocka_run_group_tests(tests, NULL, NULL);
    json_free(file);
    return failed;
}
