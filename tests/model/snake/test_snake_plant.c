// The plant "snake": its table, its changes against differences of its values, its events, and the
// robot file that carries it.
#include "test.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "plant.h"
#include "random.h"
#include "read_json.h"
#include "robot_file.h"
#include "robot_snake.h"
#include "snake_plant.h"

typedef struct rig {
    fa_robot    *robot;
    fa_variables variables;
    void        *block, *self;
    double      *value, *direction;
} rig;

static fa_robot *random_crawler(uint64_t *seed, int n, fa_snake_input input)
{
    fa_robot *robot = fa_robot_new_snake(n);
    strcpy(robot->name, "random");
    robot->tip_link = n - 1;
    robot->snake = (fa_snake_options){.input = input,
                                      .base = (int)random_in(seed, 0, n),
                                      .rolling_width = 0.3,
                                      .x = 1,
                                      .y = -1,
                                      .speed = 0.5,
                                      .rate = 0.4,
                                      .motor = {2, 0.05, 0.05},
                                      .gait = {0.5, 2, 0.7, 0.1, 0.3, 2, 0.1},
                                      .bandwidth = 5};
    robot->snake.gait_inputs = input == FA_SNAKE_GAIT && n % 4 < 2;
    if (input == FA_SNAKE_PRESCRIBED) {
        robot->snake.n_prescribed = n > 2 ? 2 : 1;
        robot->snake.prescribed[0] = 1;
        robot->snake.prescribed[1] = n - 1;
    }
    bool stops = random_in(seed, 0, 1) < 0.7;
    robot->outputs = (n % 2 ? FA_EXTRA_POSES : 0) | (n % 3 ? FA_EXTRA_ENERGY : 0);
    for (int k = 0; k < n; k++) {
        fa_link *link = &robot->link[k];
        link->segment = (fa_segment){.length = random_in(seed, 0.15, 0.25),
                                     .viscous = random_in(seed, 0.1, 0.5),
                                     .coulomb = random_in(seed, 0.1, 0.5),
                                     .grip = random_in(seed, 0.3, 0.9),
                                     .initial_angle = random_in(seed, -1, 1)};
        link->segment.wheel = link->segment.length * random_in(seed, 0.4, 0.6);
        link->mass = random_in(seed, 0.5, 2);
        link->com = vec3(random_in(seed, -0.04, 0.04), random_in(seed, -0.04, 0.04), 0);
        link->inertia.zz = random_in(seed, 0.005, 0.02);
        if (k == 0) continue;
        link->joint.friction.viscous = random_in(seed, 0.01, 0.1);
        link->joint.spring.stiffness = random_in(seed, 0.1, 1);
        link->joint.spring.rest = random_in(seed, -0.2, 0.2);
        link->joint.rotor.inertia = random_in(seed, 1e-6, 1e-5);
        link->joint.rotor.gear = random_in(seed, 10, 30);
        link->joint.stop.present = stops;
    }
    return robot;
}

static rig build(fa_robot *robot)
{
    rig      r = {.robot = robot};
    fa_error error = {.message = ""};
    if (fa_robot_check(robot, NULL, &error) != FA_OK) fail_msg("%s", error.message);
    assert_ptr_equal(fa_plant_find(robot->plant), &fa_snake_plant);
    if (fa_plant_variables(&fa_snake_plant, robot, true, &r.variables, &r.block, &error) != FA_OK)
        fail_msg("%s", error.message);
    r.self = malloc(fa_snake_plant.size(robot));
    fa_snake_plant.prepare(r.self, robot, &r.variables);
    r.value = calloc((size_t)r.variables.n, sizeof *r.value);
    r.direction = calloc((size_t)r.variables.n, sizeof *r.direction);
    for (int row = 0; row < r.variables.n; row++) r.value[row] = r.variables.row[row].start;
    return r;
}

static void take_down(rig *r)
{
    free(r->direction);
    free(r->value);
    free(r->self);
    free(r->block);
    free(r->robot);
}

static int find(const rig *r, const char *name)
{
    int row = fa_variables_find(&r->variables, name);
    if (row == FA_NO_ROW) fail_msg("there is no %s", name);
    return row;
}

static bool is_known(const fa_variable *v)
{
    return v->role == FA_PARAMETER || v->role == FA_TUNABLE || v->role == FA_INPUT ||
           v->role == FA_STATE || v->role == FA_TIME;
}

static bool is_calculated(const fa_variable *v)
{
    return (v->role == FA_OUTPUT || v->role == FA_INDICATOR) && !v->discrete;
}

static void evaluate(rig *r, double value[])
{
    fa_error error = {.message = ""};
    if (fa_snake_plant.configure(r->self, value, &error) != FA_OK) fail_msg("%s", error.message);
    if (fa_snake_plant.evaluate(r->self, value, FA_GROUP_ALL, &error) != FA_OK)
        fail_msg("%s", error.message);
}

// Parameters near where they start; states and inputs anywhere; some joints at their stops.
static void shake(rig *r, uint64_t *seed)
{
    for (int row = FA_COMMON_ROWS; row < r->variables.n; row++) {
        const fa_variable *v = &r->variables.row[row];
        if (!is_known(v)) continue;
        r->value[row] = v->start * random_in(seed, 0.95, 1.05);
        if (v->role == FA_INPUT || v->role == FA_TIME) r->value[row] = random_in(seed, -1, 1);
        if (v->role == FA_STATE) r->value[row] = random_in(seed, -1, 1);
        if (v->quantity == FA_CRAWL_WHEEL)
            r->value[row] = r->value[row - 1] * random_in(seed, 0.48, 0.52);
    }
    for (int row = r->variables.first[FA_OUTPUT]; row < r->variables.first[FA_LOCAL]; row++)
        if (r->variables.row[row].quantity == FA_CRAWL_STOP)
            r->value[row] = (int)random_in(seed, -2, 2);
}

enum { TRIALS = 200 };

static rig build_random(uint64_t *seed, int trial)
{
    fa_snake_input input = (fa_snake_input)(trial % FA_SNAKE_INPUT_COUNT);
    int            n = 2 + trial / FA_SNAKE_INPUT_COUNT % 7;
    if (input == FA_SNAKE_SPEEDS && n < 3) n = 3;
    return build(random_crawler(seed, n, input));
}

static void tangents_are_the_limit_of_differences(void **state)
{
    (void)state;
    uint64_t seed = 1;
    double   worst = 0;
    for (int trial = 0; trial < TRIALS; trial++) {
        rig    r = build_random(&seed, trial);
        int    n = r.variables.n;
        double h = 1e-6, *side[2];
        shake(&r, &seed);
        for (int row = FA_COMMON_ROWS; row < n; row++) {
            const fa_variable *v = &r.variables.row[row];
            bool               fraction = v->role == FA_PARAMETER || v->role == FA_TUNABLE;
            double             size = fraction ? fabs(r.value[row]) : 1;
            if (is_known(v)) r.direction[row] = size * random_in(&seed, -1, 1);
        }
        for (int s = 0; s < 2; s++) {
            side[s] = malloc((size_t)n * sizeof **side);
            for (int row = 0; row < n; row++)
                side[s][row] = r.value[row] + (s ? h : -h) * r.direction[row];
            evaluate(&r, side[s]);
        }
        evaluate(&r, r.value);
        fa_error error = fa_no_error();
        assert_int_equal(fa_snake_plant.tangent(r.self, r.value, r.direction, FA_GROUP_ALL, &error),
                         FA_OK);
        // Rows of one quantity share a scale.
        for (int first = r.variables.first[FA_OUTPUT], end; first < n; first = end) {
            double scale = 1;
            for (end = first;
                 end < n && r.variables.row[end].quantity == r.variables.row[first].quantity; end++)
                scale = fmax(scale, fmax(fabs(r.direction[end]), fabs(r.value[end])));
            for (int row = first; row < end; row++) {
                const fa_variable *v = &r.variables.row[row];
                if (!is_calculated(v)) continue;
                bool two = r.robot->n_links == 2 && v->quantity == FA_CRAWL_CONTROLLABILITY;
                if (two) continue; // zero up to rounding
                double difference = (side[1][row] - side[0][row]) / (2 * h);
                double off = fabs(difference - r.direction[row]) / scale;
                worst = fmax(worst, off);
                // The error of differences grows with third derivatives, largest near shapes
                // in which joints are hard to drive.
                if (!(off < 1e-6))
                    fail_msg("trial %d, %d links, input %d, base %d: %s changes by %g, "
                             "differences say %g",
                             trial, r.robot->n_links, (int)r.robot->snake.input,
                             r.robot->snake.base, v->name, r.direction[row], difference);
            }
        }
        for (int s = 0; s < 2; s++) free(side[s]);
        take_down(&r);
    }
    print_message("worst %g\n", worst);
}

// The dot-product identity: slope . (J step) = (J^T slope) . step.
static void adjoints_are_the_transpose_of_tangents(void **state)
{
    (void)state;
    uint64_t seed = 7;
    double   worst = 0;
    for (int trial = 0; trial < 2 * TRIALS; trial++) {
        rig r = build_random(&seed, trial);
        int n = r.variables.n;
        shake(&r, &seed);
        evaluate(&r, r.value);
        double  *slope = calloc((size_t)n, sizeof *slope), *only = calloc((size_t)n, sizeof *only);
        unsigned groups = 0;
        for (int row = FA_COMMON_ROWS; row < n; row++)
            if (is_known(&r.variables.row[row])) r.direction[row] = random_in(&seed, -1, 1);
        unsigned some = trial % 3 == 0 ? 1u << (int)random_in(&seed, 0, 4) : FA_GROUP_ALL;
        for (int row = 0; row < n; row++) {
            const fa_variable *v = &r.variables.row[row];
            if (!is_calculated(v) || !(v->group & some)) continue;
            only[row] = slope[row] = random_in(&seed, -1, 1);
            groups |= v->group;
        }
        fa_error error = fa_no_error();
        assert_int_equal(fa_snake_plant.tangent(r.self, r.value, r.direction, groups, &error),
                         FA_OK);
        double forwards = 0, size = 0, backwards = 0;
        for (int row = 0; row < n; row++) {
            forwards += only[row] * r.direction[row];
            size += fabs(only[row] * r.direction[row]);
        }
        assert_int_equal(fa_snake_plant.adjoint(r.self, r.value, slope, groups, &error), FA_OK);
        for (int row = FA_COMMON_ROWS; row < n; row++) {
            if (!is_known(&r.variables.row[row])) continue;
            backwards += slope[row] * r.direction[row];
            size += fabs(slope[row] * r.direction[row]);
        }
        double off = size > 0 ? fabs(forwards - backwards) / size : 0;
        worst = fmax(worst, off);
        // Of sums of some hundred products, of which some cancel where joints are hard to drive.
        if (!(off < 1e-12))
            fail_msg("trial %d, %d links, input %d, groups %u: %.17g forwards, %.17g backwards",
                     trial, r.robot->n_links, (int)r.robot->snake.input, groups, forwards,
                     backwards);
        free(only);
        free(slope);
        take_down(&r);
    }
    print_message("worst %g\n", worst);
}

// What the table calls independent does not move.
static void dependencies_are_those_of_the_tangents(void **state)
{
    (void)state;
    uint64_t seed = 2;
    for (int trial = 0; trial < 40; trial++) {
        rig r = build_random(&seed, trial);
        shake(&r, &seed);
        evaluate(&r, r.value);
        for (int known = FA_COMMON_ROWS; known < r.variables.n; known++) {
            if (!is_known(&r.variables.row[known])) continue;
            memset(r.direction, 0, (size_t)r.variables.n * sizeof *r.direction);
            r.direction[known] = 1;
            fa_error error = fa_no_error();
            fa_snake_plant.tangent(r.self, r.value, r.direction, FA_GROUP_ALL, &error);
            // What drives make up for cancels but for rounding, of the largest effect there is.
            double largest = 1;
            for (int row = r.variables.first[FA_OUTPUT]; row < r.variables.n; row++)
                if (is_calculated(&r.variables.row[row]))
                    largest = fmax(largest, fabs(r.direction[row]));
            for (int row = r.variables.first[FA_OUTPUT]; row < r.variables.n; row++) {
                if (!is_calculated(&r.variables.row[row])) continue;
                fa_dependence depends = fa_snake_plant.depends(r.robot, &r.variables, row, known);
                if (depends == FA_INDEPENDENT && !(fabs(r.direction[row]) < 1e-9 * largest))
                    fail_msg("%d links, base %d: %s moves with %s by %g", r.robot->n_links,
                             r.robot->snake.base + 1, r.variables.row[row].name,
                             r.variables.row[known].name, r.direction[row]);
            }
        }
        take_down(&r);
    }
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
    robot->snake.rolling_width = json_number(json_member(params, "vs"));
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
        link->segment = (fa_segment){a[k] + b[k], a[k], cr[k], fc[k], 0.8, 0};
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
        rig         r = build(golden_robot(json_member(point, "params")));
        int         n = r.robot->n_links;
        read_numbers(point, "theta", r.value + find(&r, "link1.angle"), n);
        read_numbers(point, "xy", r.value + find(&r, "x"), 2);
        read_numbers(point, "u", r.value + find(&r, "speed"), 2);
        read_numbers(point, "T", r.value + find(&r, "joint1.torque"), n - 1);
        r.value[find(&r, "time")] = json_number(json_member(point, "t"));
        evaluate(&r, r.value);
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
        take_down(&r);
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
    evaluate(r, r->value);
}

static void a_stop_pushes_back_and_never_pulls(void **state)
{
    (void)state;
    rig     r = build(paper_robot(3));
    double *value = r.value, limit = value[find(&r, "joint1.limit")];
    int angle = find(&r, "link1.angle"), rate = find(&r, "rate"), stop = find(&r, "joint1.stop");
    int indicator = find(&r, "joint1.stop_indicator");
    value[angle + 1] = 0;
    value[angle + 2] = 0.5;

    value[angle] = -(limit - 0.1); // not there yet
    update(&r);
    assert_true(value[stop] == 0 && value[indicator] < 0);
    value[angle] = -(limit + 1e-3); // at the upper stop, at rest
    evaluate(&r, value);
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
    evaluate(&r, value);
    double per_rate = value[find(&r, "joint1.rate")];
    value[rate] = -out / per_rate;
    update(&r);
    assert_true(value[stop] == 0 && value[indicator] < 0);
    take_down(&r);
}

// No energy comes out of a stop that did not go in: a snake thrown at its stops only slows down.
static void stops_take_energy(void **state)
{
    (void)state;
    rig     r = build(paper_robot(4));
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
        evaluate(&r, value);
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
    take_down(&r);
}

static void a_wheel_beyond_its_grip_is_flagged_for_good(void **state)
{
    (void)state;
    rig     r = build(paper_robot(3));
    double *value = r.value;
    int     torque = find(&r, "joint1.torque"), slip = find(&r, "wheel1.slip");
    int     usage = find(&r, "wheel1.slip_usage"), slipped = find(&r, "slipped");
    value[torque] = 0.01;
    update(&r);
    assert_true(value[usage] < 1 && value[slip] == 0 && value[slipped] == 0);
    value[torque] = 5;
    evaluate(&r, value);
    assert_true(value[usage] > 1 && value[slip] == 0); // flags change in events only
    update(&r);
    assert_true(value[slip] == 1 && value[slipped] == 1);
    value[torque] = 0;
    update(&r);
    assert_true(value[slip] == 0 && value[slipped] == 1);
    take_down(&r);
}

static void a_straight_snake_has_lost_control(void **state)
{
    (void)state;
    rig     r = build(paper_robot(5));
    double *value = r.value;
    int     lost = find(&r, "control_lost"), angle = find(&r, "link1.angle");
    for (int k = 0; k < 5; k++) value[angle + k] = 0.3;
    update(&r);
    assert_true(value[lost] == 1 && value[find(&r, "controllability")] < 1e-12);
    value[angle + 2] = 1;
    update(&r);
    assert_true(value[lost] == 0);
    take_down(&r);
}

static void a_wheel_without_friction_is_refused_at_run_time(void **state)
{
    (void)state;
    uint64_t seed = 4;
    rig      r = build(random_crawler(&seed, 5, FA_SNAKE_TORQUE));
    fa_error error = fa_no_error();
    int      row = 0;
    while (!strstr(r.variables.row[row].name, "friction_coefficient")) row++;
    r.value[row] = 0;
    assert_int_equal(fa_snake_plant.configure(r.self, r.value, &error), FA_BAD_INPUT);
    assert_string_equal(error.message, "the parameter friction_coefficient of a wheel: of number 1 "
                                       "is 0; it must be above zero");
    take_down(&r);
}

static void commands_in_a_shape_without_control_are_refused(void **state)
{
    (void)state;
    uint64_t  seed = 3;
    fa_robot *robot = random_crawler(&seed, 5, FA_SNAKE_SPEEDS);
    for (int k = 0; k < 5; k++) robot->link[k].segment.initial_angle = 1;
    rig      r = build(robot);
    fa_error error = fa_no_error();
    assert_int_equal(fa_snake_plant.configure(r.self, r.value, &error), FA_OK);
    assert_int_equal(fa_snake_plant.evaluate(r.self, r.value, FA_GROUP_ALL, &error), FA_SINGULAR);
    assert_non_null(strstr(error.message, "start in another shape"));
    take_down(&r);
}

// ------------------------------------------------------------------------------------ robot file

static void a_snake_survives_its_file(void **state)
{
    (void)state;
    uint64_t seed = 4;
    for (int trial = 0; trial < 50; trial++) {
        int        n = 3 + trial % 5;
        fa_robot  *robot = random_crawler(&seed, n, (fa_snake_input)(trial % 5)), *back;
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
        assert_memory_equal(&robot->snake.gait, &back->snake.gait, sizeof robot->snake.gait);
        for (int k = 0; k < n; k++)
            assert_memory_equal(&robot->link[k].segment, &back->link[k].segment,
                                sizeof robot->link[k].segment);
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
    rig                      r = build(paper_robot(3));
    for (size_t i = 0; i < sizeof name / sizeof *name; i++) find(&r, name[i]);
    for (int row = r.variables.first[FA_STATE]; row < r.variables.first[FA_OUTPUT]; row++) {
        const fa_variable *v = &r.variables.row[row];
        assert_true(v->derivative > row && v->nominal > 0);
        assert_true(r.variables.row[v->initial].start == v->start);
        assert_int_equal(r.variables.row[v->initial].index, v->index);
    }
    take_down(&r);
    uint64_t seed = 5;
    r = build(random_crawler(&seed, 3, FA_SNAKE_VOLTAGE));
    find(&r, "joint2.voltage");
    take_down(&r);
    r = build(random_crawler(&seed, 3, FA_SNAKE_PRESCRIBED));
    find(&r, "joint2.reference");
    take_down(&r);
    r = build(random_crawler(&seed, 3, FA_SNAKE_SPEEDS));
    find(&r, "speed_command");
    find(&r, "rate_command");
    take_down(&r);
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
            rig       r = build(random_crawler(&seed, n, FA_SNAKE_GAIT));
            shake(&r, &seed);
            const int row = find(&r, tuned[k]), time = find(&r, "time");
            const int offset = find(&r, "gait.offset"), wanted = find(&r, "joint1.reference");
            double    before[8], all_else;
            r.value[time] = random_in(&seed, 1, 3);
            r.value[offset] = random_in(&seed, -1, 1);
            evaluate(&r, r.value);
            memcpy(before, r.value + wanted, (size_t)(n - 1) * sizeof *before);
            all_else = r.value[offset];
            const double next = r.value[row] * random_in(&seed, 1.5, 2);
            fa_snake_plant.tune(r.self, r.value, row, next);
            r.value[row] = next;
            evaluate(&r, r.value);
            for (int i = 0; i < n - 1; i++) // an angle of some radians, added up anew
                assert_true(fabs(r.value[wanted + i] - before[i]) < 1e-14);
            assert_int_equal(r.value[offset] == all_else, k >= 2);
            r.value[time] += 0.1;
            evaluate(&r, r.value);
            assert_true(fabs(r.value[wanted] - before[0]) > 1e-6);
            take_down(&r);
        }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(names_are_those_of_the_contract),
        cmocka_unit_test(a_snake_survives_its_file),
        cmocka_unit_test(every_point_agrees),
        cmocka_unit_test(tangents_are_the_limit_of_differences),
        cmocka_unit_test(adjoints_are_the_transpose_of_tangents),
        cmocka_unit_test(dependencies_are_those_of_the_tangents),
        cmocka_unit_test(a_stop_pushes_back_and_never_pulls),
        cmocka_unit_test(stops_take_energy),
        cmocka_unit_test(a_wheel_beyond_its_grip_is_flagged_for_good),
        cmocka_unit_test(a_straight_snake_has_lost_control),
        cmocka_unit_test(a_wheel_without_friction_is_refused_at_run_time),
        cmocka_unit_test(a_gait_that_is_tuned_goes_on_where_it_is),
        cmocka_unit_test(commands_in_a_shape_without_control_are_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
