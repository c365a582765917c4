// The plant "snake": its table, golden points, its events, and the robot file that carries it.
#include "test.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "plant.h"
#include "plant_rig.h"
#include "read_json.h"
#include "robot_file.h"
#include "robot_snake.h"
#include "snake_plant.h"

static int find(const rig *r, const char *name)
{
    int row = fa_variables_find(&r->variables, name);
    if (row == FA_NO_ROW) fail_msg("there is no %s", name);
    return row;
}

// ---------------------------------------------------------------------------------------- golden

static void read_numbers(const json *object, const char *name, double out[], int n)
{
    assert_int_equal(json_numbers(json_member(object, name), out, n), n);
}

static fa_robot *golden_robot(const json *params)
{
    enum { MAX = 60 };
    double    a[MAX], b[MAX], c[MAX], d[MAX], m[MAX], I[MAX], cr[MAX], fc[MAX], cj[MAX], kj[MAX];
    double    phi0[MAX];
    int       n = (int)json_number(json_member(params, "n"));
    fa_robot *robot = fa_robot_new_snake(n);
    strcpy(robot->name, "golden");
    robot->tip_link = n - 1;
    robot->snake.ground.wheel.width = json_number(json_member(params, "vs"));
    read_numbers(params, "a", a, n);
    read_numbers(params, "b", b, n);
    read_numbers(params, "c", c, n);
    read_numbers(params, "d", d, n);
    read_numbers(params, "m", m, n);
    read_numbers(params, "I", I, n);
    read_numbers(params, "cr", cr, n);
    read_numbers(params, "fc", fc, n);
    read_numbers(params, "cj", cj, n - 1);
    read_numbers(params, "kj", kj, n - 1);
    read_numbers(params, "phi0", phi0, n - 1);
    for (int k = 0; k < n; k++) {
        fa_link *link = &robot->link[k];
        link->segment = (fa_segment){.length = a[k] + b[k], .wheel = a[k]};
        link->segment.ground.wheel.viscous = cr[k];
        link->segment.ground.wheel.coulomb = fc[k];
        link->segment.ground.grip.coefficient = 0.8;
        link->com = vec3(c[k], d[k], 0);
        link->mass = m[k];
        link->inertia.zz = I[k];
        link->joint.stop.present = false;
        if (k == 0) continue;
        link->joint.friction.viscous = cj[k - 1];
        link->joint.spring.stiffness = kj[k - 1];
        link->joint.spring.rest = phi0[k - 1];
    }
    const json *gait = json_member(params, "serp");
    if (json_is_null(gait)) return robot;
    robot->snake.input = FA_SNAKE_GAIT;
    static const char *const name[] = {"A", "om", "beta", "gam", "psi", "kp", "kd"};
    double                  *to = &robot->snake.gait.amplitude;
    for (int i = 0; i < 7; i++) to[i] = json_number(json_member(gait, name[i]));
    return robot;
}

static void compare(const char *id, const json *expect, const char *name, const double got[], int n)
{
    double want[64], scale = 1;
    read_numbers(expect, name, want, n);
    for (int i = 0; i < n; i++) scale = fmax(scale, fabs(want[i]));
    // Plain double attains 4e-14; b = length - wheel is rounded once more.
    for (int i = 0; i < n; i++)
        if (!(fabs(got[i] - want[i]) <= 1e-12 * scale))
            fail_msg("%s: %s misses by %g of %g", id, name, got[i] - want[i], scale);
}

static void every_point_agrees(void **state)
{
    (void)state;
    json       *tree = json_read("reference/snake_points_and_trajectories.json");
    const json *points = json_member(tree, "points");
    for (int p = 0; p < json_count(points); p++) {
        const json *point = json_element(points, p), *expect = json_member(point, "expect");
        const char *id = json_string(json_member(point, "id"));
        rig         r = rig_build(golden_robot(json_member(point, "params")));
        int         n = r.robot->n_links;
        read_numbers(point, "theta", r.value + find(&r, "link1.angle"), n);
        read_numbers(point, "xy", r.value + find(&r, "x"), 2);
        read_numbers(point, "u", r.value + find(&r, "speed"), 2);
        read_numbers(point, "T", r.value + find(&r, "joint1.torque"), n - 1);
        r.value[find(&r, "time")] = json_number(json_member(point, "t"));
        rig_evaluate(&r, r.value);
        compare(id, expect, "ud", r.value + find(&r, "speed_derivative"), 2);
        compare(id, expect, "lam", r.value + find(&r, "wheel1.lateral_force"), n);
        compare(id, expect, "V", r.value + find(&r, "link1.speed"), n);
        compare(id, expect, "omega", r.value + find(&r, "link1.rate"), n);
        compare(id, expect, "K", r.value + find(&r, "energy.kinetic"), 1);
        compare(id, expect, "Kdot", r.value + find(&r, "energy.power"), 1);
        double sigma[2], got = r.value[find(&r, "controllability")];
        read_numbers(expect, "sigma_ctrl", sigma, 2);
        if (!(fabs(got - sigma[1] / sigma[0]) <= 1e-7))
            fail_msg("%s: controllability %g, not %g", id, got, sigma[1] / sigma[0]);
        rig_take_down(&r);
    }
    json_free(tree);
}

// ---------------------------------------------------------------------------------------- events

static fa_robot *paper_robot(int n)
{
    fa_robot *robot = fa_robot_new_snake(n);
    strcpy(robot->name, "paper");
    robot->outputs = FA_EXTRA_ENERGY;
    for (int k = 0; k < n; k++) {
        fa_link *link = &robot->link[k];
        link->segment.length = 0.2;
        link->segment.wheel = 0.1;
        link->segment.initial_angle = k % 2 ? 0.5 : -0.5;
        link->mass = 1;
        link->inertia.zz = 0.005;
    }
    return robot;
}

static void update(rig *r)
{
    fa_event event = {.again = false};
    fa_error error = {.message = ""};
    if (fa_snake_plant.configure(r->self, r->value, &error) != FA_OK) fail_msg("%s", error.message);
    if (fa_snake_plant.event(r->self, r->value, &event, &error) != FA_OK)
        fail_msg("%s", error.message);
    assert_false(event.again || event.timed || event.states_changed);
    rig_evaluate(r, r->value);
}

static void a_stop_pushes_back_and_never_pulls(void **state)
{
    (void)state;
    rig     r = rig_build(paper_robot(3));
    double *value = r.value, limit = value[find(&r, "joint1.limit")];
    int angle = find(&r, "link1.angle"), rate = find(&r, "rate"), stop = find(&r, "joint1.stop");
    int indicator = find(&r, "joint1.stop_indicator");
    value[angle + 1] = 0;
    value[angle + 2] = 0.5;

    value[angle] = -(limit - 0.1); // not there yet
    update(&r);
    assert_true(value[stop] == 0 && value[indicator] < 0);
    value[angle] = -(limit + 1e-3); // at the upper stop, at rest
    rig_evaluate(&r, value);
    assert_true(value[indicator] > 0); // the crossing is seen …
    double before = value[find(&r, "joint1.stop")];
    update(&r); // … and the update follows it
    assert_true(before == 0 && value[stop] == 1 && value[indicator] > 0);
    double free_rate = value[find(&r, "rate_derivative")];
    assert_true(fabs(free_rate) > 0.1); // something pushes
    value[angle] = limit + 1e-3;
    value[stop] = 0;
    update(&r);
    assert_true(value[stop] == -1);

    // On the way out the damper would pull: contact ends before the depth does.
    double k = value[find(&r, "joint1.stop_stiffness")], d = value[find(&r, "joint1.stop_damping")];
    double out = 2 * k * 1e-3 / d; // twice the rate at which both forces cancel
    value[angle] = -(limit + 1e-3);
    value[rate] = 0;
    value[stop] = 0;
    update(&r);
    assert_true(value[stop] == 1);
    value[rate] = 1;
    rig_evaluate(&r, value);
    double per_rate = value[find(&r, "joint1.rate")];
    value[rate] = -out / per_rate;
    update(&r);
    assert_true(value[stop] == 0 && value[indicator] < 0);
    rig_take_down(&r);
}

// No energy comes out of a stop that did not go in: a snake thrown at its stops only slows down.
static void stops_take_energy(void **state)
{
    (void)state;
    rig     r = rig_build(paper_robot(4));
    double *value = r.value;
    int     first = r.variables.first[FA_STATE], n = r.variables.first[FA_OUTPUT] - first;
    int     derivative = r.variables.row[first].derivative, contacts = 0;
    int     kinetic = find(&r, "energy.kinetic"), stop = find(&r, "joint1.stop");
    double  h = 2e-5, highest = 0, start[16];
    value[find(&r, "speed")] = 0.5;
    value[find(&r, "rate")] = 4;
    update(&r);
    highest = value[kinetic];
    bool held[3] = {false, false, false};
    for (int step = 0; step < 60000; step++) { // midpoint rule, modes decided after each step
        memcpy(start, value + first, (size_t)n * sizeof *value);
        for (int i = 0; i < n; i++) value[first + i] += h / 2 * value[derivative + i];
        rig_evaluate(&r, value);
        for (int i = 0; i < n; i++) value[first + i] = start[i] + h * value[derivative + i];
        update(&r);
        bool free = true;
        for (int k = 0; k < 3; k++) {
            bool holds = value[stop + k] != 0;
            contacts += holds && !held[k];
            held[k] = holds;
            free = free && !holds;
            double phi = value[find(&r, "joint1.angle") + k];
            assert_true(fabs(phi) < value[find(&r, "joint1.limit")] + 0.2);
        }
        if (!free) continue;
        assert_true(value[kinetic] < highest + 1e-6); // the integrator's own error
        highest = fmin(highest, value[kinetic]);
    }
    print_message("%d contacts, %g J left of %g\n", contacts, value[kinetic], highest);
    assert_true(contacts > 0);
    rig_take_down(&r);
}

static void a_wheel_beyond_its_grip_is_flagged_for_good(void **state)
{
    (void)state;
    rig     r = rig_build(paper_robot(3));
    double *value = r.value;
    int     torque = find(&r, "joint1.torque"), slip = find(&r, "wheel1.slip");
    int     usage = find(&r, "wheel1.slip_usage"), slipped = find(&r, "slipped");
    value[torque] = 0.01;
    update(&r);
    assert_true(value[usage] < 1 && value[slip] == 0 && value[slipped] == 0);
    value[torque] = 5;
    rig_evaluate(&r, value);
    assert_true(value[usage] > 1 && value[slip] == 0); // flags change in events only
    update(&r);
    assert_true(value[slip] == 1 && value[slipped] == 1);
    value[torque] = 0;
    update(&r);
    assert_true(value[slip] == 0 && value[slipped] == 1);
    rig_take_down(&r);
}

static void a_straight_snake_has_lost_control(void **state)
{
    (void)state;
    rig     r = rig_build(paper_robot(5));
    double *value = r.value;
    int     lost = find(&r, "control_lost"), angle = find(&r, "link1.angle");
    for (int k = 0; k < 5; k++) value[angle + k] = 0.3;
    update(&r);
    assert_true(value[lost] == 1 && value[find(&r, "controllability")] < 1e-12);
    value[angle + 2] = 1;
    update(&r);
    assert_true(value[lost] == 0);
    rig_take_down(&r);
}

static void a_wheel_without_friction_is_refused_at_run_time(void **state)
{
    (void)state;
    uint64_t seed = 4;
    rig      r = rig_build(rig_snake(&seed, 5, FA_SNAKE_TORQUE));
    fa_error error = fa_no_error();
    int      row = 0;
    while (!strstr(r.variables.row[row].name, "friction_coefficient")) row++;
    r.value[row] = 0;
    assert_int_equal(fa_snake_plant.configure(r.self, r.value, &error), FA_BAD_INPUT);
    assert_string_equal(error.message,
                        "the friction_coefficient of wheel 1 is 0; it must be a finite "
                        "number above zero");
    rig_take_down(&r);
}

// Every bounded parameter, on every kind of ground and with every input.
static void a_number_beyond_its_bound_is_refused_at_run_time(void **state)
{
    (void)state;
    static const fa_snake_input inputs[] = {FA_SNAKE_TORQUE, FA_SNAKE_VOLTAGE, FA_SNAKE_GAIT,
                                            FA_SNAKE_PRESCRIBED};
    uint64_t                    seed = 4;
    int                         refused = 0;
    for (int trial = 0; trial < 16; trial++) {
        const fa_ground_law law = (fa_ground_law)(trial / 4);
        fa_robot           *robot = law == FA_GROUND_IDEAL
                                        ? rig_snake(&seed, 4, inputs[trial % 4])
                                        : rig_sliding(&seed, 4, inputs[trial % 4], law, trial % 2 != 0);
        rig                 r = rig_build(robot);
        fa_error            error = fa_no_error();
        assert_int_equal(r.plant->configure(r.self, r.value, &error), FA_OK);
        for (int row = 0; row < r.variables.n; row++) {
            const fa_variable *v = &r.variables.row[row];
            const double       was = r.value[row];
            if ((v->role != FA_PARAMETER && v->role != FA_TUNABLE) || v->minimum < 0 ||
                v->maximum < INFINITY || strncmp(v->name, "solver", 6) == 0)
                continue;
            r.value[row] = v->minimum == 0 ? -1 : 0;
            if (r.plant->configure(r.self, r.value, &error) != FA_BAD_INPUT)
                fail_msg("%s may be %g", v->name, r.value[row]);
            r.value[row] = was;
            refused++;
        }
        for (int row = 0; row < r.variables.n; row++) // a rotor that nobody can calculate with
            if (strstr(r.variables.row[row].name, "rotor_inertia") ||
                strstr(r.variables.row[row].name, "gear_ratio"))
                r.value[row] = 1e150;
        assert_int_equal(r.plant->configure(r.self, r.value, &error), FA_BAD_INPUT);
        assert_non_null(strstr(error.message, "of joint 1"));
        rig_take_down(&r);
    }
    assert_true(refused > 16 * 20);
}

// A snake of another length stands on the same ground, among the same things.
static void a_longer_snake_keeps_its_ground(void **state)
{
    (void)state;
    uint64_t seed = 6;
    for (int law = 0; law < FA_GROUND_LAW_COUNT; law++) {
        fa_robot *robot = rig_sliding(&seed, 4, FA_SNAKE_GAIT, (fa_ground_law)law,
                                      law == FA_GROUND_IDEAL ? 0 : 2);
        fa_robot *longer;
        fa_error  error = fa_no_error();
        assert_int_equal(fa_robot_check(robot, NULL, &error), FA_OK);
        robot->snake.every = robot->link[3];
        if (fa_robot_resize_snake(robot, 9, &longer, &error) != FA_OK)
            fail_msg("%s", error.message);
        assert_string_equal(longer->plant, robot->plant);
        assert_int_equal(longer->n_links, 9);
        assert_int_equal(longer->n_things, robot->n_things);
        for (int i = 0; i < robot->n_things; i++)
            assert_memory_equal(fa_robot_thing(longer, i), fa_robot_thing(robot, i),
                                sizeof(fa_thing));
        rig r = rig_build(longer);
        rig_evaluate(&r, r.value);
        rig_take_down(&r);
        free(robot);
    }
}

static void commands_in_a_shape_without_control_are_refused(void **state)
{
    (void)state;
    uint64_t  seed = 3;
    fa_robot *robot = rig_snake(&seed, 5, FA_SNAKE_SPEEDS);
    for (int k = 0; k < 5; k++) robot->link[k].segment.initial_angle = 1;
    rig      r = rig_build(robot);
    fa_error error = fa_no_error();
    assert_int_equal(fa_snake_plant.configure(r.self, r.value, &error), FA_OK);
    assert_int_equal(fa_snake_plant.evaluate(r.self, r.value, FA_GROUP_ALL, &error), FA_SINGULAR);
    assert_non_null(strstr(error.message, "start in another shape"));
    rig_take_down(&r);
}

// ------------------------------------------------------------------------------------ robot file

static void a_snake_survives_its_file(void **state)
{
    (void)state;
    uint64_t seed = 4;
    for (int trial = 0; trial < 50; trial++) {
        int        n = 3 + trial % 5;
        fa_robot  *robot = rig_snake(&seed, n, (fa_snake_input)(trial % 5)), *back;
        fa_options options = {.fmi = 3, .identifier = "snake"}, again;
        char      *text, *second;
        size_t     size, second_size;
        fa_error   error = {.message = ""};
        assert_int_equal(fa_robot_check(robot, NULL, &error), FA_OK);
        assert_int_equal(fa_robot_file_write(robot, &options, &text, &size, &error), FA_OK);
        if (fa_robot_file_read(text, size, &back, &again, &error) != FA_OK)
            fail_msg("%s", error.message);
        assert_int_equal(fa_robot_file_write(back, &again, &second, &second_size, &error), FA_OK);
        assert_int_equal(size, second_size);
        assert_memory_equal(text, second, size);
        assert_int_equal(back->outputs, robot->outputs);
        const fa_gait_data *gait = &robot->snake.gait;
        if (robot->snake.input == FA_SNAKE_GAIT)
            assert_memory_equal(&gait->amplitude, &back->snake.gait.amplitude, 7 * sizeof(double));
        for (int k = 0; k < n; k++) {
            assert_memory_equal(&robot->link[k].segment, &back->link[k].segment,
                                offsetof(fa_segment, ground));
            for (fa_snake_number x = {0}; fa_snake_next(FA_SNAKE_EACH_WHEEL, &x);)
                assert_true(*fa_snake_number_of_link(&x, &robot->link[k]) ==
                            *fa_snake_number_of_link(&x, &back->link[k]));
        }
        free(second);
        free(text);
        free(back);
        free(robot);
    }
}

static void names_are_those_of_the_contract(void **state)
{
    (void)state;
    static const char *const name[] = {"joint1.torque",
                                       "link1.angle",
                                       "link3.angle",
                                       "x",
                                       "y",
                                       "speed",
                                       "rate",
                                       "energy.work",
                                       "speed_derivative",
                                       "rate_derivative",
                                       "joint2.angle",
                                       "joint2.rate",
                                       "link3.speed",
                                       "link3.rate",
                                       "link3.x",
                                       "link3.y",
                                       "wheel3.slip_usage",
                                       "wheel3.lateral_force",
                                       "energy.kinetic",
                                       "controllability",
                                       "com.x",
                                       "com.y",
                                       "heading",
                                       "link1.initial_angle",
                                       "initial_x",
                                       "initial_y",
                                       "initial_speed",
                                       "initial_rate",
                                       "link2.mass",
                                       "link2.inertia",
                                       "link2.length",
                                       "link2.wheel",
                                       "link2.com.along",
                                       "link2.com.across",
                                       "joint2.viscous_friction"};
    rig                      r = rig_build(paper_robot(3));
    for (size_t i = 0; i < sizeof name / sizeof *name; i++) find(&r, name[i]);
    for (int row = r.variables.first[FA_STATE]; row < r.variables.first[FA_OUTPUT]; row++) {
        const fa_variable *v = &r.variables.row[row];
        assert_true(v->derivative > row && v->nominal > 0);
        assert_true(r.variables.row[v->initial].start == v->start);
        assert_int_equal(r.variables.row[v->initial].index, v->index);
    }
    rig_take_down(&r);
    uint64_t seed = 5;
    r = rig_build(rig_snake(&seed, 3, FA_SNAKE_VOLTAGE));
    find(&r, "joint2.voltage");
    rig_take_down(&r);
    r = rig_build(rig_snake(&seed, 3, FA_SNAKE_PRESCRIBED));
    find(&r, "joint2.reference");
    rig_take_down(&r);
    r = rig_build(rig_snake(&seed, 3, FA_SNAKE_SPEEDS));
    find(&r, "speed_command");
    find(&r, "rate_command");
    rig_take_down(&r);
}

// Frequency and phase may be tuned while the snake moves: what the gait wants of the joints does
// not jump. Of a run that goes on, the new frequency holds from there.
static void a_gait_that_is_tuned_goes_on_where_it_is(void **state)
{
    (void)state;
    static const char *const tuned[] = {"gait.frequency", "gait.phase", "gait.stiffness",
                                        "gait.damping"};
    uint64_t                 seed = 41;
    static const int         lengths[] = {2, 3, 6, 7}; // others have their gait's numbers as inputs
    for (int l = 0; l < 4; l++)
        for (int k = 0; k < 4; k++) {
            const int n = lengths[l];
            rig       r = rig_build(rig_snake(&seed, n, FA_SNAKE_GAIT));
            rig_shake(&r, &seed);
            const int row = find(&r, tuned[k]), time = find(&r, "time");
            const int offset = find(&r, "gait.offset"), wanted = find(&r, "joint1.reference");
            double    before[8], all_else;
            r.value[time] = random_in(&seed, 1, 3);
            r.value[offset] = random_in(&seed, -1, 1);
            rig_evaluate(&r, r.value);
            memcpy(before, r.value + wanted, (size_t)(n - 1) * sizeof *before);
            all_else = r.value[offset];
            const double next = r.value[row] * random_in(&seed, 1.5, 2);
            fa_snake_plant.tune(r.self, r.value, row, next);
            r.value[row] = next;
            rig_evaluate(&r, r.value);
            for (int i = 0; i < n - 1; i++) // an angle of some radians, added up anew
                assert_true(fabs(r.value[wanted + i] - before[i]) < 1e-14);
            assert_int_equal(r.value[offset] == all_else, k >= 2);
            r.value[time] += 0.1;
            rig_evaluate(&r, r.value);
            assert_true(fabs(r.value[wanted] - before[0]) > 1e-6);
            rig_take_down(&r);
        }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(names_are_those_of_the_contract),
        cmocka_unit_test(a_snake_survives_its_file),
        cmocka_unit_test(every_point_agrees),
        cmocka_unit_test(a_stop_pushes_back_and_never_pulls),
        cmocka_unit_test(stops_take_energy),
        cmocka_unit_test(a_wheel_beyond_its_grip_is_flagged_for_good),
        cmocka_unit_test(a_straight_snake_has_lost_control),
        cmocka_unit_test(a_wheel_without_friction_is_refused_at_run_time),
        cmocka_unit_test(a_number_beyond_its_bound_is_refused_at_run_time),
        cmocka_unit_test(a_gait_that_is_tuned_goes_on_where_it_is),
        cmocka_unit_test(a_longer_snake_keeps_its_ground),
        cmocka_unit_test(commands_in_a_shape_without_control_are_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
