// Cylinders of arms: derivatives against differences and against each other, torques against
// virtual work, dependencies, pressures that hold a load, rules.
#include "test.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "plant.h"
#include "random.h"
#include "robot_cylinders.h"

typedef struct rig {
    fa_robot       *robot;
    const fa_plant *plant;
    fa_variables    variables;
    void           *block, *self;
    double         *value, *direction;
} rig;

static void measure(fa_cylinder *c)
{
    double *x = c->number;
    x[FA_CYLINDER_closed_length] = 0.01; // any length will do
    x[FA_CYLINDER_stroke] = 40;
    x[FA_CYLINDER_bore] = 0.1;
    x[FA_CYLINDER_rod] = 0.056;
    x[FA_CYLINDER_dead_a] = x[FA_CYLINDER_dead_b] = 1e-4;
    x[FA_CYLINDER_coulomb] = 200;
    x[FA_CYLINDER_breakaway] = 300;
    x[FA_CYLINDER_stribeck] = 2;
    x[FA_CYLINDER_width] = 1;
    x[FA_CYLINDER_viscous] = 100;
    x[FA_CYLINDER_air] = 0.01;
    x[FA_CYLINDER_leakage] = 1e-11;
    x[FA_CYLINDER_hose_diameter] = 0.0127;
    x[FA_CYLINDER_hose_length] = 1.5;
    x[FA_CYLINDER_nominal_flow] = 4e-4;
    x[FA_CYLINDER_bandwidth] = 20;
    x[FA_CYLINDER_volume] = 1e-3;
    x[FA_CYLINDER_relief_pressure] = 3e6;
    c->initial_pressure[0] = 6e6;
    c->initial_pressure[1] = 2e6;
}

// Every other joint that turns gets a motor, with and without a coil that is felt.
static void give_motors(fa_robot *robot)
{
    for (int i = 0; i < robot->n_links; i++) {
        fa_joint *joint = &robot->link[i].joint;
        if (!fa_joint_is_free(joint) || joint->type != FA_REVOLUTE || i % 2) continue;
        joint->motor = (fa_motor_data){true, 2, 0.7, 0.6, 0, 0.7, 0.6, INFINITY, INFINITY};
        if (i % 4) joint->motor.inductance = 0.5;
    }
}

// A random robot with three cylinders between random links: one of each cut, or two with their
// valves on one pump.
static fa_robot *with_cylinders(uint64_t *seed, int joints, unsigned kind)
{
    const bool pumped = random_in(seed, 0, 1) < 0.5;
    fa_robot  *robot = fa_robot_with_cylinders(random_robot(seed, joints, kind), 3);
    for (int k = 0; k < 3; k++) {
        fa_cylinder *c = &fa_robot_cylinders(robot)[k];
        snprintf(c->name, sizeof c->name, "c%d", k);
        c->cut = pumped && k == 0 ? FA_CUT_VALVE : (fa_cut)k;
        c->pump = pumped && k == 2;
        do {
            c->from = (int)random_in(seed, 0, robot->n_links);
            c->to = (int)random_in(seed, 0, robot->n_links);
        } while (fa_cylinder_joints(robot, c) == 0);
        c->from_point = random_vec3(seed, 0.5);
        c->to_point = random_vec3(seed, 0.5);
        measure(c);
    }
    give_motors(robot);
    return robot;
}

// One joint that carries a rod and is turned through a four-bar linkage.
static fa_robot *with_linkage(fa_cut cut)
{
    fa_robot *robot = fa_robot_with_cylinders(fa_robot_new(2), 1);
    strcpy(robot->name, "stick");
    strcpy(robot->link[0].name, "boom");
    fa_link *stick = &robot->link[1];
    strcpy(stick->name, "stick");
    strcpy(stick->joint.name, "tilt");
    stick->parent = 0;
    stick->joint.type = FA_REVOLUTE;
    stick->joint.axis = vec3(0, 0.6, 0.8); // the plane is not one of the axes'
    stick->mass = 100;
    stick->com = vec3(0.7, 0, 0);
    stick->inertia = (fa_sym3){1, 30, 30, 0, 0, 0};
    robot->tip_link = 1;
    const fa_vec3 x = {1, 0, 0}, y = {0, 0.8, -0.6}; // across the axis
    fa_cylinder  *c = fa_robot_cylinders(robot);
    strcpy(c->name, "tilt");
    c->cut = cut;
    c->to = 1;
    c->from_point = vec3_add(vec3_scale(-1.6, x), vec3_scale(0.18, y));
    c->to_point = vec3_add(vec3_scale(0.15, x), vec3_scale(0.2, y));
    c->linkage =
        (fa_linkage){true, vec3_add(vec3_scale(-0.19, x), vec3_scale(-0.03, y)), 0.45, 0.48, 1};
    measure(c);
    return robot;
}

static rig build_plant(fa_robot *robot, const char *plant)
{
    rig      r = {.robot = robot, .plant = fa_plant_find(plant)};
    fa_error error = fa_no_error();
    if (fa_robot_check(robot, NULL, &error) != FA_OK) fail_msg("%s", error.message);
    assert_int_equal(fa_plant_variables(r.plant, robot, true, &r.variables, &r.block, &error),
                     FA_OK);
    r.self = malloc(r.plant->size(robot));
    r.plant->prepare(r.self, robot, &r.variables);
    r.value = calloc((size_t)r.variables.n, sizeof *r.value);
    r.direction = calloc((size_t)r.variables.n, sizeof *r.direction);
    for (int row = 0; row < r.variables.n; row++) r.value[row] = r.variables.row[row].start;
    return r;
}

static rig build(fa_robot *robot)
{
    fa_error error = fa_no_error();
    if (fa_robot_check_cylinders(robot, &error) != FA_OK) fail_msg("%s", error.message);
    return build_plant(robot, "arm");
}

static void take_down(rig *r)
{
    free(r->direction);
    free(r->value);
    free(r->self);
    free(r->block);
    free(r->robot);
}

static bool is_known(const fa_variable *v)
{
    return v->role == FA_PARAMETER || v->role == FA_TUNABLE || v->role == FA_INPUT ||
           v->role == FA_STATE;
}

static bool ends(const char *name, const char *tail)
{
    const size_t n = strlen(name), m = strlen(tail);
    return n >= m && strcmp(name + n - m, tail) == 0;
}

// What a row varies over, and where in the middle.
static double size_of(const fa_variable *v)
{
    if (v->unit == FA_UNIT_PASCAL) return 1e6;
    if (v->unit == FA_UNIT_METRE3_PER_SECOND) return 1e-4;
    if (ends(v->name, "spool") || ends(v->name, "spool_position")) return 0.3;
    if (v->role == FA_PARAMETER || v->role == FA_TUNABLE) return 0.1 * fabs(v->start);
    return 1;
}

static void shake(rig *r, uint64_t *seed)
{
    for (int row = FA_COMMON_ROWS; row < r->variables.n; row++) {
        const fa_variable *v = &r->variables.row[row];
        if (!is_known(v)) continue;
        double middle = v->start;
        if (v->unit == FA_UNIT_PASCAL && v->role == FA_STATE) middle = 5e6;
        if (ends(v->name, "spool") || ends(v->name, "spool_position")) middle = 0.5;
        r->value[row] = middle + size_of(v) * random_in(seed, -1, 1);
        if (v->unit == FA_UNIT_PASCAL && v->role == FA_PARAMETER) r->value[row] = middle;
        if (v->unit == FA_UNIT_KILOGRAM_METRE2) // of the thin links here every change breaks a rule
            r->value[row] = middle;
    }
}

static void evaluate(rig *r, double value[])
{
    fa_error error = fa_no_error();
    if (r->plant->configure(r->self, value, &error) != FA_OK) fail_msg("%s", error.message);
    if (r->plant->evaluate(r->self, value, FA_GROUP_ALL, &error) != FA_OK)
        fail_msg("%s", error.message);
}

static bool is_calculated(const rig *r, int row)
{
    return row >= r->variables.first[FA_OUTPUT] && row < r->variables.first[FA_INDICATOR] &&
           !r->variables.row[row].discrete;
}

static const unsigned KINDS[] = {RANDOM_REVOLUTE_ONLY, RANDOM_SPRINGS, RANDOM_BRANCHED,
                                 RANDOM_BRANCHED | RANDOM_COUPLED | RANDOM_SPRINGS};

static fa_robot *with_outputs(fa_robot *robot)
{
    robot->outputs = FA_EXTRA_ALL;
    return robot;
}

static rig build_trial(uint64_t *seed, int trial)
{
    if (trial % 7 == 6) return build(with_outputs(with_linkage((fa_cut)(trial / 7 % 3))));
    fa_robot *robot = with_cylinders(seed, 2 + trial % 5, KINDS[trial / 5 % 4]);
    return build(with_outputs(robot));
}

// The same, or its inverse.
static rig build_any(uint64_t *seed, int trial)
{
    if (trial % 4 != 3) return build_trial(seed, trial);
    fa_robot *robot = trial % 7 == 6 ? with_linkage(FA_CUT_FORCE)
                                     : with_cylinders(seed, 2 + trial % 5, KINDS[trial / 5 % 4]);
    strcpy(robot->plant, "inverse");
    return build_plant(with_outputs(robot), "inverse");
}

static void tangents_are_the_limit_of_differences(void **state)
{
    (void)state;
    uint64_t seed = 1;
    double   worst = 0;
    for (int trial = 0; trial < 70; trial++) {
        rig r = build_any(&seed, trial);
        int n = r.variables.n;
        shake(&r, &seed);
        double *side[2], h = 1e-6;
        for (int s = 0; s < 2; s++) side[s] = malloc((size_t)n * sizeof **side);
        for (int row = FA_COMMON_ROWS; row < n; row++)
            if (is_known(&r.variables.row[row]))
                r.direction[row] = size_of(&r.variables.row[row]) * random_in(&seed, -1, 1);
        for (int s = 0; s < 2; s++) {
            for (int row = 0; row < n; row++)
                side[s][row] = r.value[row] + (s ? h : -h) * r.direction[row];
            evaluate(&r, side[s]);
        }
        evaluate(&r, r.value);
        fa_error error = fa_no_error();
        assert_int_equal(r.plant->tangent(r.self, r.value, r.direction, FA_GROUP_ALL, &error),
                         FA_OK);
        for (int row = 0; row < n; row++) {
            if (!is_calculated(&r, row)) continue;
            // Rows of one unit share a scale.
            double scale = 1e-9;
            for (int other = 0; other < n; other++)
                if (is_calculated(&r, other) &&
                    r.variables.row[other].unit == r.variables.row[row].unit)
                    scale = fmax(scale, fmax(fabs(r.direction[other]), fabs(r.value[other])));
            const double difference = (side[1][row] - side[0][row]) / (2 * h);
            const double off = fabs(difference - r.direction[row]) / scale;
            worst = fmax(worst, off);
            if (!(off < 3e-7))
                fail_msg("%s changes by %g, differences say %g", r.variables.row[row].name,
                         r.direction[row], difference);
        }
        for (int s = 0; s < 2; s++) free(side[s]);
        take_down(&r);
    }
    // Rounding over h, 1e-10 times the size of the values.
    print_message("worst %g\n", worst);
}

static void adjoints_are_the_transpose_of_tangents(void **state)
{
    (void)state;
    uint64_t seed = 7;
    double   worst = 0;
    for (int trial = 0; trial < 140; trial++) {
        rig r = build_any(&seed, trial);
        int n = r.variables.n;
        shake(&r, &seed);
        evaluate(&r, r.value);
        double  *slope = calloc((size_t)n, sizeof *slope);
        unsigned groups = 0;
        for (int row = FA_COMMON_ROWS; row < n; row++)
            if (is_known(&r.variables.row[row]))
                r.direction[row] = size_of(&r.variables.row[row]) * random_in(&seed, -1, 1);
        for (int row = 0; row < n; row++) {
            if (!is_calculated(&r, row)) continue;
            if (trial % 3 == 0 && random_in(&seed, 0, 1) < 0.8) continue; // some, not all
            const bool flow = r.variables.row[row].unit == FA_UNIT_METRE3_PER_SECOND;
            slope[row] = random_in(&seed, -1, 1) / ((flow ? 1e-4 : 1) + fabs(r.value[row]));
            groups |= r.variables.row[row].group;
        }
        fa_error error = fa_no_error();
        assert_int_equal(r.plant->tangent(r.self, r.value, r.direction, groups, &error), FA_OK);
        double forwards = 0, size = 0, backwards = 0;
        for (int row = 0; row < n; row++) {
            if (slope[row] == 0) continue;
            forwards += slope[row] * r.direction[row];
            size += fabs(slope[row] * r.direction[row]);
        }
        assert_int_equal(r.plant->adjoint(r.self, r.value, slope, groups, &error), FA_OK);
        for (int row = FA_COMMON_ROWS; row < n; row++) {
            if (!is_known(&r.variables.row[row])) continue;
            backwards += slope[row] * r.direction[row];
            size += fabs(slope[row] * r.direction[row]);
        }
        // Where all that was asked for is rounding, there is nothing to compare.
        if (size > 1e-6) worst = fmax(worst, fabs(forwards - backwards) / size);
        free(slope);
        take_down(&r);
    }
    print_message("worst %g\n", worst);
    assert_true(worst < 1e-12); // of sums of some hundred products
}

// What the forces that an inverse asks for leave of its torques, no cylinder could take: it stands
// across all levers.
static void needed_forces_come_as_near_as_can_be(void **state)
{
    (void)state;
    uint64_t seed = 21;
    int      met = 0;
    for (int trial = 0; trial < 40; trial++) {
        fa_robot *robot = with_cylinders(&seed, 2 + trial % 4, RANDOM_REVOLUTE_ONLY);
        for (int i = 0; i < robot->n_links; i++) robot->link[i].joint.motor.present = false;
        strcpy(robot->plant, "inverse");
        rig r = build_plant(robot, "inverse");
        shake(&r, &seed);
        evaluate(&r, r.value);
        double across[3] = {0}, size[3] = {0}, most = 0, force[3], lever[3];
        for (int k = 0; k < 3; k++) {
            char name[64];
            snprintf(name, sizeof name, "cylinder.c%d.force", k);
            force[k] = r.value[fa_variables_find(&r.variables, name)];
        }
        for (int i = 0; i < robot->n_links; i++) {
            if (!fa_joint_is_free(&robot->link[i].joint)) continue;
            char name[128];
            snprintf(name, sizeof name, "joint.%s.torque", robot->link[i].joint.name);
            const double torque = r.value[fa_variables_find(&r.variables, name)];
            double       left = torque;
            for (int k = 0; k < 3; k++) {
                const fa_cylinder *c = fa_robot_cylinder(robot, k);
                const bool         one = fa_cylinder_joints(robot, c) == 1;
                snprintf(name, sizeof name, one ? "cylinder.c%d.lever" : "cylinder.c%d.lever.%s", k,
                         robot->link[i].joint.name);
                lever[k] = fa_cylinder_spans(robot, c, i)
                               ? r.value[fa_variables_find(&r.variables, name)]
                               : 0;
                left -= lever[k] * force[k];
            }
            for (int k = 0; k < 3; k++) {
                across[k] += lever[k] * left;
                size[k] += fabs(lever[k]) * (fabs(torque) + fabs(lever[k] * force[k]));
                if (lever[k] != 0) most = fmax(most, fabs(left) / fabs(torque));
            }
        }
        for (int k = 0; k < 3; k++) assert_true(fabs(across[k]) < 1e-10 * size[k]); // rounding
        met += most < 1e-9;
        take_down(&r);
    }
    print_message("%d of 40 have cylinders enough\n", met);
    assert_in_range(met, 5, 35); // both kinds are among them
}

// ---------------------------------------------------------------------------- all columns at once

static void calculate(rig *r, double value[])
{
    fa_error error = fa_no_error();
    if (r->plant->evaluate(r->self, value, FA_GROUP_DERIVATIVES, &error) != FA_OK)
        fail_msg("%s", error.message);
}

// The change of each state's derivative with one state: differences of sixth order.
static void difference(rig *r, int column, double h, double by[])
{
    static const double weight[] = {45, -9, 1};
    const int           first = r->variables.first[FA_STATE];
    const int           n = r->variables.first[FA_OUTPUT] - first;
    const size_t        size = (size_t)r->variables.n * sizeof(double);
    double             *moved = malloc(size);
    memset(by, 0, (size_t)n * sizeof *by);
    for (int step = -3; step <= 3; step++) {
        if (step == 0) continue;
        memcpy(moved, r->value, size);
        moved[first + column] += step * h;
        calculate(r, moved);
        for (int i = 0; i < n; i++)
            by[i] += (step < 0 ? -1 : 1) * weight[abs(step) - 1] / (60 * h) *
                     moved[r->variables.row[first + i].derivative];
    }
    free(moved);
}

// Columns of the Jacobian that the integrator takes, each against a tangent and a difference: worst
// differences, in shares of the largest element of the same row, by the columns' sizes.
static void compare_jacobian(rig *r, double worst[2])
{
    const int first = r->variables.first[FA_STATE], n = r->variables.first[FA_OUTPUT] - first;
    double   *by_state = malloc((size_t)(n * n) * sizeof *by_state);
    double   *differences = malloc((size_t)(n * n) * sizeof *differences);
    double   *tangents = malloc((size_t)(n * n) * sizeof *tangents);
    double   *by = malloc((size_t)n * sizeof *by);
    fa_error  error = fa_no_error();

    fa_state_row       *of = malloc((size_t)n * sizeof *of);
    const fa_state_rows states = fa_variables_states(&r->variables, of);
    for (int j = 0; j < n; j++) {
        // Laws of some curvature over 1 of each size: h^6 and rounding over h are both below 1e-10.
        difference(r, j, 1e-3 * size_of(&r->variables.row[first + j]), by);
        for (int i = 0; i < n; i++) differences[i * n + j] = by[i];
    }
    evaluate(r, r->value);
    assert_int_equal(r->plant->jacobian(r->self, &states, r->value, r->direction, by_state, &error),
                     FA_OK);
    for (int j = 0; j < n; j++) {
        memset(r->direction, 0, (size_t)r->variables.n * sizeof *r->direction);
        r->direction[first + j] = 1;
        assert_int_equal(r->plant->tangent(r->self, r->value, r->direction, FA_GROUP_ALL, &error),
                         FA_OK);
        for (int i = 0; i < n; i++)
            tangents[i * n + j] = r->direction[r->variables.row[first + i].derivative];
    }
    for (int i = 0; i < n; i++) {
        double scale = 0;
        for (int j = 0; j < n; j++)
            scale = fmax(scale, fabs(tangents[i * n + j]) * size_of(&r->variables.row[first + j]));
        for (int j = 0; j < n && scale > 0; j++) {
            const double size = size_of(&r->variables.row[first + j]) / scale;
            const double got = by_state[i * n + j];
            worst[0] = fmax(worst[0], fabs(got - tangents[i * n + j]) * size);
            worst[1] = fmax(worst[1], fabs(got - differences[i * n + j]) * size);
        }
    }
    free(of);
    free(by);
    free(tangents);
    free(differences);
    free(by_state);
}

static void jacobians_are_tangents_and_the_limit_of_differences(void **state)
{
    (void)state;
    uint64_t seed = 11;
    double   worst[2] = {0, 0};
    for (int trial = 0; trial < 70; trial++) {
        rig r = build_trial(&seed, trial);
        shake(&r, &seed);
        evaluate(&r, r.value);
        compare_jacobian(&r, worst);
        take_down(&r);
    }
    print_message("from tangents %.1e, from differences %.1e\n", worst[0], worst[1]);
    assert_true(worst[0] < 1e-12); // rounding times the condition of the mass matrix
    assert_true(worst[1] < 1e-9);  // differences, see above
}

static void the_other_half_has_its_jacobian_too(void **state)
{
    (void)state;
    uint64_t seed = 12;
    double   worst[2] = {0, 0};
    for (int trial = 0; trial < 8; trial++) {
        fa_robot    *robot = fa_robot_new_axis();
        fa_cylinder *c = fa_robot_cylinders(robot);
        measure(c);
        strcpy(robot->name, "axis");
        strcpy(c->name, "axis");
        c->cut = trial % 2 ? FA_CUT_FORCE : FA_CUT_CHAMBER;
        c->initial_length = 20;
        if (trial % 4 < 2) c->number[FA_CYLINDER_bandwidth] = 0;
        c->pump = trial >= 4;
        rig r = build_plant(robot, "cylinder");
        shake(&r, &seed);
        evaluate(&r, r.value);
        compare_jacobian(&r, worst);
        take_down(&r);
    }
    print_message("from tangents %.1e, from differences %.1e\n", worst[0], worst[1]);
    assert_true(worst[0] < 1e-14); // the same products in another order
    assert_true(worst[1] < 1e-9);
}

static void dependencies_are_those_of_the_tangents(void **state)
{
    (void)state;
    uint64_t seed = 2;
    for (int trial = 0; trial < 28; trial++) {
        rig r = build_any(&seed, trial);
        shake(&r, &seed);
        evaluate(&r, r.value);
        for (int known = FA_COMMON_ROWS; known < r.variables.n; known++) {
            const fa_variable *v = &r.variables.row[known];
            if (!is_known(v)) continue;
            memset(r.direction, 0, (size_t)r.variables.n * sizeof *r.direction);
            r.direction[known] = size_of(v);
            fa_error error = fa_no_error();
            r.plant->tangent(r.self, r.value, r.direction, FA_GROUP_ALL, &error);
            for (int row = 0; row < r.variables.n; row++) {
                if (!is_calculated(&r, row)) continue;
                const fa_dependence depends = r.plant->depends(r.robot, &r.variables, row, known);
                // Products that cancel leave a few roundings of what cancelled.
                if (depends == FA_INDEPENDENT &&
                    !(fabs(r.direction[row]) < 1e-9 * (1 + fabs(r.value[row]))))
                    fail_msg("%s moves with %s by %g", r.variables.row[row].name, v->name,
                             r.direction[row]);
            }
        }
        take_down(&r);
    }
}

// The lever is the slope of the length, and the force works on the arm as force times rate.
static void a_force_does_its_work_on_the_length(void **state)
{
    (void)state;
    uint64_t seed = 4;
    for (int trial = 0; trial < 50; trial++) {
        rig r = build_trial(&seed, trial);
        shake(&r, &seed);
        const int length = fa_variables_find(&r.variables, trial % 7 == 6 ? "cylinder.tilt.length"
                                                                          : "cylinder.c0.length");
        evaluate(&r, r.value);
        const double rate = r.value[length + 1], h = 1e-5;
        double       at[2];
        for (int s = 0; s < 2; s++) { // positions a little later and a little earlier
            double *moved = malloc((size_t)r.variables.n * sizeof *moved);
            memcpy(moved, r.value, (size_t)r.variables.n * sizeof *moved);
            for (int row = r.variables.first[FA_STATE]; row < r.variables.first[FA_OUTPUT]; row++)
                if (ends(r.variables.row[row].name, ".position"))
                    moved[row] += (s ? h : -h) * r.value[r.variables.row[row].derivative];
            evaluate(&r, moved);
            at[s] = moved[length];
            free(moved);
        }
        // Differences: h^2 times a third derivative of some tens, and rounding over h.
        assert_true(fabs((at[1] - at[0]) / (2 * h) - rate) < 1e-7 * (1 + fabs(rate)));
        take_down(&r);
    }
}

static double acceleration_at_rest(fa_robot *robot)
{
    fa_error error = fa_no_error();
    assert_int_equal(fa_robot_balance_cylinders(robot, &error), FA_OK);
    rig r = build(robot);
    evaluate(&r, r.value);
    // States start where their parameters say.
    for (int row = r.variables.first[FA_STATE]; row < r.variables.first[FA_OUTPUT]; row++)
        if (r.variables.row[row].initial != FA_NO_ROW)
            r.value[row] = r.value[r.variables.row[row].initial];
    evaluate(&r, r.value);
    double worst = 0;
    for (int row = r.variables.first[FA_OUTPUT]; row < r.variables.first[FA_LOCAL]; row++)
        if (ends(r.variables.row[row].name, ".acceleration"))
            worst = fmax(worst, fabs(r.value[row]));
    take_down(&r);
    return worst;
}

static void pressures_hold_what_nobody_else_holds(void **state)
{
    (void)state;
    fa_robot *robot = with_linkage(FA_CUT_CHAMBER);
    robot->gravity = vec3(0, 0, -9.81);
    fa_cylinder *c = fa_robot_cylinders(robot);
    c->initial_pressure[0] = c->initial_pressure[1] = NAN;
    // 500 N m against 100 kg at 0.7 m: rounding of forces that cancel.
    assert_true(acceleration_at_rest(robot) < 1e-12);
    robot = with_linkage(FA_CUT_VALVE); // and with one of the pressures given
    c = fa_robot_cylinders(robot);
    c->initial_pressure[0] = NAN;
    assert_true(acceleration_at_rest(robot) < 1e-12);
}

static void a_larger_robot_keeps_its_cylinders(void **state)
{
    (void)state;
    rig                r = build(with_linkage(FA_CUT_FORCE));
    fa_robot          *more = fa_robot_with_cylinders(r.robot, 3);
    const fa_cylinder *c = fa_robot_cylinder(more, 0);
    r.robot = more;
    assert_string_equal(c->name, "tilt");
    assert_true(c->number[FA_CYLINDER_bore] == 0.1);
    assert_true(isnan(fa_robot_cylinder(more, 2)->number[FA_CYLINDER_bore]));
    take_down(&r);
}

// As only a damaged robot file can have them: what people write names links, and numbers are
// finite.
static void ends_and_supplies_that_are_nowhere_are_refused(void **state)
{
    (void)state;
    uint64_t     seed = 11;
    fa_robot    *robot = with_cylinders(&seed, 4, RANDOM_REVOLUTE_ONLY);
    fa_cylinder *c = fa_robot_cylinders(robot), good = *c;
    fa_error     error = fa_no_error();
    assert_int_equal(fa_robot_check_cylinders(robot, &error), FA_OK);
    c->to = robot->n_links;
    assert_int_equal(fa_robot_check_cylinders(robot, &error), FA_BAD_INPUT);
    assert_string_equal(error.message, "an end of cylinder 'c0' is on no link");
    *c = good;
    c->from = -2;
    assert_int_equal(fa_robot_check_cylinders(robot, &error), FA_BAD_INPUT);
    *c = good;
    c->tank = INFINITY;
    assert_int_equal(fa_robot_check_cylinders(robot, &error), FA_BAD_INPUT);
    assert_string_equal(error.message, "the supply of cylinder 'c0' is not finite");
    free(robot);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(ends_and_supplies_that_are_nowhere_are_refused),
        cmocka_unit_test(tangents_are_the_limit_of_differences),
        cmocka_unit_test(adjoints_are_the_transpose_of_tangents),
        cmocka_unit_test(needed_forces_come_as_near_as_can_be),
        cmocka_unit_test(jacobians_are_tangents_and_the_limit_of_differences),
        cmocka_unit_test(the_other_half_has_its_jacobian_too),
        cmocka_unit_test(dependencies_are_those_of_the_tangents),
        cmocka_unit_test(a_force_does_its_work_on_the_length),
        cmocka_unit_test(pressures_hold_what_nobody_else_holds),
        cmocka_unit_test(a_larger_robot_keeps_its_cylinders),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
