// The plants "arm" and "inverse": their tables, and their changes against differences of their
// values.
#include "test.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "arm.h"
#include "plant.h"
#include "random.h"

typedef struct rig {
    fa_robot       *robot;
    const fa_plant *plant;
    fa_variables    variables;
    void           *block, *self;
    double         *value, *direction;
} rig;

static const char *const PLANTS[] = {"arm", "inverse"};

// Joints that stick, that can be locked, and a ground that moves.
enum { SWITCHING = 256, BASE = 512 };

static void make_switching(fa_robot *robot)
{
    robot->base_motion = true;
    for (int i = 0; i < robot->n_links; i++) {
        fa_joint *joint = &robot->link[i].joint;
        if (!fa_joint_is_free(joint)) continue;
        joint->friction.sticks = i % 3 == 0;
        joint->friction.breakaway = joint->friction.coulomb;
        joint->friction.breakaway_negative = joint->friction.coulomb_negative;
        joint->lock.present = i % 5 == 1;
    }
}

// Gives the joints all that can act at them, each by chance, and lets the ground move.
static void dress(fa_robot *robot, uint64_t *seed)
{
    robot->base_motion = true;
    for (int i = 0; i < robot->n_links; i++) {
        fa_joint *joint = &robot->link[i].joint;
        if (!fa_joint_is_free(joint)) continue;
        fa_friction_data *f = &joint->friction;
        f->sticks = (int)random_in(seed, 0, 2);
        f->on_motor = (int)random_in(seed, 0, 2);
        f->breakaway = f->coulomb + 0.5;
        f->breakaway_negative = f->coulomb_negative + 0.4;
        f->stribeck = 2;
        joint->rotor.gear = (int)random_in(seed, 0, 2) ? 1.5 : -0.8;
        joint->lock.present = (int)random_in(seed, 0, 3) == 0;
        if ((int)random_in(seed, 0, 2)) {
            joint->limit.lower = -1;
            joint->limit.upper = 1;
            joint->stop = (fa_stop_data){true, 30, 2};
        }
        if ((int)random_in(seed, 0, 3) == 0) {
            joint->closure = (fa_closure_data){true, 20, 1, INFINITY};
        } else if ((int)random_in(seed, 0, 2)) {
            joint->motor = (fa_motor_data){true, 2, 0.7, 0.6, 0, 0.7, 0.6, INFINITY, INFINITY};
            if ((int)random_in(seed, 0, 2)) joint->motor.inductance = 0.5;
            if ((int)random_in(seed, 0, 2)) joint->motor.voltage_limit = 2;
            if ((int)random_in(seed, 0, 2)) joint->motor.current_limit = 0.8;
        } else if ((int)random_in(seed, 0, 2)) {
            joint->servo = (fa_servo_data){true, 3, 2, 1, 0.5, INFINITY, INFINITY, 5, 0, false};
            if ((int)random_in(seed, 0, 2)) joint->servo.torque_limit = 2;
            if ((int)random_in(seed, 0, 2)) joint->servo.velocity_limit = 0.7;
            if ((int)random_in(seed, 0, 2)) joint->servo.effort_time = 0.3;
            if ((int)random_in(seed, 0, 2)) joint->servo.ki = 0;
            joint->servo.compensates = (int)random_in(seed, 0, 2);
        }
    }
}

// Gives the robot contacts of every shape on every surface, all of them deep, and line springs.
static fa_robot *surround(fa_robot *robot, uint64_t *seed)
{
    enum { OBSTACLES = 2, CONTACTS = 6, SPRINGS = 2 };
    fa_robot *with = fa_robot_with_touches(robot, CONTACTS, OBSTACLES, SPRINGS);
    assert_non_null(with);
    fa_obstacle *o = fa_robot_obstacles(with);
    for (int k = 0; k < OBSTACLES; k++) {
        (void)snprintf(o[k].name, sizeof o[k].name, "obstacle%d", k);
        o[k].shape = k == 0 ? FA_OBSTACLE_SPHERE : FA_OBSTACLE_BOX;
        o[k].pose.r = vec3(random_in(seed, 3, 4), random_in(seed, 3, 4), random_in(seed, 3, 4));
        o[k].radius = 1;
        o[k].size = vec3(random_in(seed, 1, 2), random_in(seed, 1, 2), random_in(seed, 1, 2));
        if (k == 1)
            o[k].pose.E = fa_rotation_about(vec3(0.6, 0, 0.8), random_in(seed, -1, 1));
    }
    for (int k = 0; k < CONTACTS; k++) {
        fa_contact *c = &fa_robot_contacts(with)[k];
        (void)snprintf(c->name, sizeof c->name, "contact%d", k);
        c->link = (int)random_in(seed, 0, with->n_links);
        while (!fa_robot_link_moves(with, c->link)) c->link = (c->link + 1) % with->n_links;
        c->on = k % 3 - 1;
        c->shape = k < 4 ? FA_CONTACT_WHEEL : FA_CONTACT_SPHERE;
        c->axis = vec3(0.48, 0.6, 0.64);
        c->point = vec3(random_in(seed, -1, 1), random_in(seed, -1, 1), random_in(seed, -1, 1));
        c->law.radius = random_in(seed, 9, 12);
        c->law.stiffness = random_in(seed, 0.1, 0.3);
        c->law.exponent = k % 2 ? 1 : 1.5;
        c->law.dissipation = 0.02;
        c->law.friction = 0.5;
        c->law.slip_speed = 3;
        c->law.bristle = c->on != 0 && (int)random_in(seed, 0, 2);
        c->law.bristle_stiffness = 0.7;
        c->law.bristle_damping = 0.2;
    }
    for (int k = 0; k < SPRINGS; k++) {
        fa_line_spring *s = &fa_robot_springs(with)[k];
        (void)snprintf(s->name, sizeof s->name, "spring%d", k);
        s->to = fa_robot_contact(with, k)->link;
        s->from_point = vec3(0.1, 2, -0.3);
        s->to_point = vec3(0.3, -0.2, 0.1);
        s->law.stiffness = 3;
        s->law.damping = 0.4;
        s->law.rest = 1;
    }
    with->ground = (fa_ground){true, vec3(0.1, 0.2, -3), vec3(0.3, -0.2, 1.5)};
    return with;
}

// Modes as events would leave them, any of them.
static void switch_modes(const fa_variables *variables, double value[], uint64_t *seed)
{
    for (int row = 0; row < variables->n; row++) {
        int quantity = variables->row[row].quantity;
        if (quantity == FA_AT(friction.slip) || quantity == FA_AT(stop.side))
            value[row] = (double)(int)random_in(seed, 0, 3) - 1;
        if (quantity == FA_AT(lock.locked) || quantity == FA_AT(closure.closed))
            value[row] = (double)(int)random_in(seed, 0, 2);
        if (quantity == FA_AT(closure.rest)) value[row] = random_in(seed, -1, 1);
    }
}

static bool is_smooth(const fa_variable *v)
{
    return v->role >= FA_OUTPUT && v->role < FA_TIME && v->type == FA_REAL && !v->discrete;
}

static const unsigned DRESSED = 1u << 16; // with what `dress` gives

static rig build(uint64_t *seed, int joints, unsigned kind, const char *plant)
{
    rig      r = {.robot = random_robot(seed, joints, kind & ~DRESSED)};
    fa_error error = fa_no_error();
    strcpy(r.robot->plant, plant);
    r.robot->outputs = FA_EXTRA_ALL;
    if (joints == 4) r.robot->tip_link = 0; // on the ground: what is at the tip, the base holds
    if (kind & SWITCHING) make_switching(r.robot);
    if (kind & BASE) r.robot->base_motion = true;
    if (kind & DRESSED) dress(r.robot, seed);
    if (kind & DRESSED && (int)random_in(seed, 0, 2)) r.robot = surround(r.robot, seed);
    r.plant = fa_plant_find(plant);
    if (fa_robot_check(r.robot, NULL, &error) != FA_OK) fail_msg("%s", error.message);
    assert_int_equal(fa_plant_variables(r.plant, r.robot, true, &r.variables, &r.block, &error),
                     FA_OK);
    r.self = malloc(r.plant->size(r.robot));
    r.plant->prepare(r.self, r.robot, &r.variables);
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

// An exponent is 1 or 1.5, and nothing between.
static bool is_known(const fa_variable *v)
{
    if (v->quantity == FA_ARM_CONTACT_ITEM && strstr(v->name, ".exponent")) return false;
    return v->role == FA_PARAMETER || v->role == FA_TUNABLE || v->role == FA_INPUT ||
           v->role == FA_STATE;
}

// payload.inertia.xx, .yy, .zz
static bool ends_alike(const char *name)
{
    const size_t n = strlen(name);
    return name[n - 1] == name[n - 2];
}

// What sticks holds at least as well as what slips.
static void hold_more(double value[], int breakaway, int coulomb)
{
    value[breakaway] = fmax(value[breakaway], value[coulomb] + 0.1);
}

// Parameters near where they start, so that masses stay masses.
static void shake(rig *r, uint64_t *seed)
{
    for (int row = FA_COMMON_ROWS; row < r->variables.n; row++) {
        const fa_variable *v = &r->variables.row[row];
        if (!is_known(v) || v->type != FA_REAL) continue;
        r->value[row] = v->start * random_in(seed, 0.8, 1.2);
        if (v->role == FA_INPUT || v->role == FA_STATE) r->value[row] = random_in(seed, -3, 3);
        if (v->role == FA_TUNABLE && v->start == 0) r->value[row] = random_in(seed, 0, 0.5);
        bool efficiency =
            v->quantity == FA_AT(motor.efficiency) || v->quantity == FA_AT(motor.efficiency_back);
        if (efficiency) r->value[row] = fmin(r->value[row], 1);
        // Definite, as of a body: more is added on the diagonal than beside it.
        if (v->quantity == FA_ARM_PAYLOAD_INERTIA || v->quantity == FA_ARM_INERTIA)
            r->value[row] = v->start + (ends_alike(v->name) ? random_in(seed, 0.2, 0.5)
                                                            : random_in(seed, -0.05, 0.05));
        if (v->quantity == FA_AT(friction.breakaway)) hold_more(r->value, row, row - 3);
        if (v->quantity == FA_AT(friction.breakaway_negative)) hold_more(r->value, row, row - 3);
    }
    uint64_t own = *seed;
    if (strcmp(r->plant->name, "arm") == 0) switch_modes(&r->variables, r->value, &own);
}

static void evaluate(rig *r, double value[])
{
    fa_error error = fa_no_error();
    if (r->plant->configure(r->self, value, &error) != FA_OK) fail_msg("%s", error.message);
    if (r->plant->evaluate(r->self, value, FA_GROUP_ALL, &error) != FA_OK)
        fail_msg("%s", error.message);
}

static const unsigned KINDS[] = {RANDOM_REVOLUTE_ONLY, RANDOM_SPRINGS, RANDOM_BRANCHED,
                                 RANDOM_BRANCHED | RANDOM_COUPLED | RANDOM_SPRINGS};

// Central differences in one random direction over all parameters, inputs and states at once.
static void tangents_are_the_limit_of_differences(void **state)
{
    (void)state;
    uint64_t seed = 1;
    double   worst = 0;
    for (int trial = 0; trial < 120; trial++) {
        rig r =
            build(&seed, 1 + trial % 8,
                  KINDS[trial / 8 % 4] | (trial / 2 % 3 == 0) * BASE | (trial % 3 ? DRESSED : 0),
                  PLANTS[trial % 2]);
        int n = r.variables.n;
        shake(&r, &seed);
        double *side[2], h = 1e-6;
        for (int s = 0; s < 2; s++) side[s] = malloc((size_t)n * sizeof **side);
        for (int row = FA_COMMON_ROWS; row < n; row++) { // of parameters, a fraction of each
            fa_role role = r.variables.row[row].role;
            double  size = role == FA_PARAMETER || role == FA_TUNABLE ? fabs(r.value[row]) : 1;
            if (is_known(&r.variables.row[row])) r.direction[row] = size * random_in(&seed, -1, 1);
        }
        for (int s = 0; s < 2; s++) {
            for (int row = 0; row < n; row++)
                side[s][row] = r.value[row] + (s ? h : -h) * r.direction[row];
            evaluate(&r, side[s]);
        }
        evaluate(&r, r.value);
        fa_error error = fa_no_error();
        assert_int_equal(r.plant->tangent(r.self, r.value, r.direction, FA_GROUP_ALL, &error),
                         FA_OK);
        double scale = 1;
        for (int row = r.variables.first[FA_OUTPUT]; row < r.variables.first[FA_TIME]; row++)
            if (is_smooth(&r.variables.row[row])) scale = fmax(scale, fabs(r.direction[row]));
        for (int row = r.variables.first[FA_OUTPUT]; row < r.variables.first[FA_TIME]; row++) {
            if (!is_smooth(&r.variables.row[row])) continue;
            double difference = (side[1][row] - side[0][row]) / (2 * h);
            double off = fabs(difference - r.direction[row]) / scale;
            worst = fmax(worst, off);
            if (!(off < 1e-7))
                fail_msg("%s changes by %g, differences say %g", r.variables.row[row].name,
                         r.direction[row], difference);
        }
        for (int s = 0; s < 2; s++) free(side[s]);
        take_down(&r);
    }
    // Rounding over h, 1e-10 times the size of the values; the worst seen was 3e-9.
    print_message("worst %g\n", worst);
}

// What the table calls independent does not move; what it calls dependent does, for some robot.
static void dependencies_are_those_of_the_tangents(void **state)
{
    (void)state;
    uint64_t seed = 2;
    for (int trial = 0; trial < 32; trial++) {
        rig r = build(&seed, 1 + trial % 4, KINDS[trial / 4 % 4] | (trial % 3 ? DRESSED : 0),
                      PLANTS[trial / 16]);
        shake(&r, &seed);
        evaluate(&r, r.value);
        for (int known = FA_COMMON_ROWS; known < r.variables.n; known++) {
            const fa_variable *v = &r.variables.row[known];
            if (!is_known(v)) continue;
            memset(r.direction, 0, (size_t)r.variables.n * sizeof *r.direction);
            r.direction[known] = 1;
            fa_error error = fa_no_error();
            r.plant->tangent(r.self, r.value, r.direction, FA_GROUP_ALL, &error);
            for (int row = r.variables.first[FA_OUTPUT]; row < r.variables.first[FA_TIME]; row++) {
                if (!is_smooth(&r.variables.row[row])) continue;
                fa_dependence depends = r.plant->depends(r.robot, &r.variables, row, known);
                // Products that cancel leave a few roundings of what cancelled, up to 1e4 here.
                if (depends == FA_INDEPENDENT && !(fabs(r.direction[row]) < 1e-11))
                    fail_msg("%s moves with %s by %g", r.variables.row[row].name, v->name,
                             r.direction[row]);
            }
        }
        take_down(&r);
    }
}

// The dot-product identity: slope . (J step) = (J^T slope) . step.
static void adjoints_are_the_transpose_of_tangents(void **state)
{
    (void)state;
    uint64_t seed = 7;
    double   worst = 0;
    for (int trial = 0; trial < 400; trial++) {
        rig r =
            build(&seed, 1 + trial % 8,
                  KINDS[trial / 8 % 4] | (trial / 2 % 3 == 0) * BASE | (trial % 3 ? DRESSED : 0),
                  PLANTS[trial % 2]);
        int n = r.variables.n, outputs = r.variables.first[FA_OUTPUT];
        shake(&r, &seed);
        evaluate(&r, r.value);
        double  *slope = calloc((size_t)n, sizeof *slope);
        unsigned groups = 0;
        for (int row = FA_COMMON_ROWS; row < n; row++)
            if (is_known(&r.variables.row[row])) r.direction[row] = random_in(&seed, -1, 1);
        for (int row = outputs; row < r.variables.first[FA_TIME]; row++) {
            if (!is_smooth(&r.variables.row[row])) continue;
            unsigned group = r.variables.row[row].group;
            if (trial % 3 == 0 && random_in(&seed, 0, 1) < 0.8) continue; // some, not all
            slope[row] = random_in(&seed, -1, 1);
            groups |= group;
        }
        fa_error error = fa_no_error();
        assert_int_equal(r.plant->tangent(r.self, r.value, r.direction, groups, &error), FA_OK);
        double forwards = 0, size = 0, backwards = 0;
        for (int row = outputs; row < r.variables.first[FA_TIME]; row++) {
            if (slope[row] == 0 || !is_smooth(&r.variables.row[row])) continue;
            forwards += slope[row] * r.direction[row];
            size += fabs(slope[row] * r.direction[row]);
        }
        assert_int_equal(r.plant->adjoint(r.self, r.value, slope, groups, &error), FA_OK);
        for (int row = FA_COMMON_ROWS; row < n; row++) {
            if (!is_known(&r.variables.row[row])) continue;
            backwards += slope[row] * r.direction[row];
            size += fabs(slope[row] * r.direction[row]);
        }
        if (size > 0) worst = fmax(worst, fabs(forwards - backwards) / size);
        free(slope);
        take_down(&r);
    }
    print_message("worst %g\n", worst);
    assert_true(worst < 1e-13); // of sums of some hundred products; the worst seen was 1e-15
}

// The Jacobian of the states' derivatives, all columns at once, is that of the tangents.
static void jacobians_are_made_of_tangents(void **state)
{
    (void)state;
    uint64_t seed = 9;
    double   worst = 0;
    int      answered = 0;
    for (int trial = 0; trial < 200; trial++) {
        rig r = build(&seed, 1 + trial % 8, KINDS[trial / 8 % 4] | trial % 2 * SWITCHING, "arm");
        int first = r.variables.first[FA_STATE], n = r.variables.first[FA_OUTPUT] - first;
        shake(&r, &seed);
        if (trial % 3 == 0) // without loads
            memset(r.value + r.variables.first[FA_INPUT], 0,
                   (size_t)(first - r.variables.first[FA_INPUT]) * sizeof *r.value);
        evaluate(&r, r.value);
        double       *by_state = malloc((size_t)(n * n) * sizeof *by_state), scale = 1;
        fa_state_row *of = malloc((size_t)n * sizeof *of);
        fa_error      error = fa_no_error();

        const fa_state_rows states = fa_variables_states(&r.variables, of);

        fa_status status =
            r.plant->jacobian(r.self, &states, r.value, r.direction, by_state, &error);
        answered += status == FA_OK;
        for (int j = 0; j < n && status == FA_OK; j++) {
            memset(r.direction, 0, (size_t)r.variables.n * sizeof *r.direction);
            r.direction[first + j] = 1;
            assert_int_equal(r.plant->tangent(r.self, r.value, r.direction, FA_GROUP_ALL, &error),
                             FA_OK);
            for (int i = 0; i < n; i++) {
                double want = r.direction[r.variables.row[first + i].derivative];
                scale = fmax(scale, fabs(want));
                worst = fmax(worst, fabs(want - by_state[i * n + j]) / scale);
            }
        }
        free(of);
        free(by_state);
        take_down(&r);
    }
    print_message("worst %g of %d\n", worst, answered);
    assert_true(worst < 1e-10); // rounding times the condition of the mass matrix
    assert_true(answered > 100);
}

// The torques that an inverse gives cause the accelerations that it was asked for.
static void an_inverse_undoes_an_arm(void **state)
{
    (void)state;
    uint64_t seed = 8, again;
    double   worst = 0;
    for (int trial = 0; trial < 100; trial++) {
        again = seed;
        rig inverse = build(&seed, 1 + trial % 8, KINDS[trial / 8 % 4], "inverse");
        rig arm = build(&again, 1 + trial % 8, KINDS[trial / 8 % 4], "arm");
        shake(&inverse, &seed);
        evaluate(&inverse, inverse.value);
        for (int row = FA_COMMON_ROWS; row < arm.variables.n; row++) {
            int other = fa_variables_find(&inverse.variables, arm.variables.row[row].name);
            if (is_known(&arm.variables.row[row]) && other != FA_NO_ROW)
                arm.value[row] = inverse.value[other];
        }
        evaluate(&arm, arm.value);
        for (int row = arm.variables.first[FA_STATE]; row < arm.variables.n; row++) {
            int other = fa_variables_find(&inverse.variables, arm.variables.row[row].name);
            if (other == FA_NO_ROW) continue; // the accounts of energy
            double expected = inverse.value[other];
            worst = fmax(worst, fabs(arm.value[row] - expected) / (1 + fabs(expected)));
        }
        take_down(&arm);
        take_down(&inverse);
    }
    print_message("worst %g\n", worst);
    assert_true(worst < 1e-10); // rounding times the condition of the mass matrix
}

static void names_are_those_of_the_contract(void **state)
{
    (void)state;
    static const char *const name[] = {"solver",
                                       "solver_step",
                                       "solver_tolerance",
                                       "gravity.z",
                                       "joint.joint1.initial_position",
                                       "joint.joint1.viscous_friction",
                                       "joint.joint1.coulomb_friction_negative",
                                       "joint.joint1.rotor_inertia",
                                       "joint.joint1.gear_ratio",
                                       "joint.joint1.stiffness",
                                       "link.link1.mass",
                                       "link.link2.com.y",
                                       "link.link1.inertia.xz",
                                       "payload.mass",
                                       "payload.com.x",
                                       "payload.inertia.yz",
                                       "joint.joint1.torque",
                                       "tip.force.x",
                                       "tip.torque.z",
                                       "link.link1.force.y",
                                       "joint.joint3.position",
                                       "joint.joint3.velocity",
                                       "joint.joint3.acceleration",
                                       "tip.x",
                                       "tip.quaternion.w",
                                       "tip.velocity.x",
                                       "tip.angular_velocity.z",
                                       "energy.kinetic",
                                       "energy.potential",
                                       "time"};
    uint64_t                 seed = 3;
    rig                      r = build(&seed, 2, RANDOM_REVOLUTE_ONLY | RANDOM_SPRINGS, "arm");
    for (size_t i = 0; i < sizeof name / sizeof *name; i++)
        if (fa_variables_find(&r.variables, name[i]) == FA_NO_ROW) fail_msg("no %s", name[i]);
    take_down(&r);
}

static void each_state_comes_before_its_derivative_and_knows_its_start(void **state)
{
    (void)state;
    uint64_t seed = 4;
    rig      r = build(&seed, 6, RANDOM_BRANCHED | RANDOM_COUPLED, "arm");
    for (int row = r.variables.first[FA_STATE]; row < r.variables.first[FA_OUTPUT]; row++) {
        const fa_variable *v = &r.variables.row[row];
        const fa_variable *derivative = &r.variables.row[v->derivative];
        assert_true(v->derivative > row);
        assert_true(v->nominal > 0);
        assert_int_equal(derivative->index, v->index);
        if (v->initial == FA_NO_ROW) continue; // from zero: an account of energy
        const fa_variable *initial = &r.variables.row[v->initial];
        assert_int_equal(initial->index, v->index);
        assert_true(initial->start == v->start);
        assert_int_equal(initial->role, FA_PARAMETER);
    }
    take_down(&r);
}

static void a_failed_evaluation_changes_nothing(void **state)
{
    (void)state;
    uint64_t seed = 5;
    rig      r = build(&seed, 4, RANDOM_REVOLUTE_ONLY, "arm");
    size_t   size = (size_t)r.variables.n * sizeof *r.value;
    shake(&r, &seed);
    evaluate(&r, r.value);
    r.value[r.variables.first[FA_STATE]] = NAN;
    double *before = malloc(size);
    memcpy(before, r.value, size);
    fa_error error = fa_no_error();
    assert_int_equal(r.plant->evaluate(r.self, r.value, FA_GROUP_ALL, &error), FA_NOT_FINITE);
    assert_memory_equal(before, r.value, size);
    free(before);
    take_down(&r);
}

// A payload at the tip is the same as the tip's link made heavier by it.
static void a_payload_adds_to_the_link(void **state)
{
    (void)state;
    uint64_t seed = 6;
    rig      r = build(&seed, 3, 0, "arm");
    shake(&r, &seed);
    for (int row = r.variables.first[FA_TUNABLE]; row < r.variables.first[FA_INPUT]; row++)
        r.value[row] = 0;
    int payload = fa_variables_find(&r.variables, "payload.mass");
    int link = fa_variables_find(&r.variables, "link.link6.mass");
    int first = fa_variables_find(&r.variables, "joint.joint1.acceleration");
    // The same point mass, once in the payload and once in the link, at the same place.
    fa_vec3 at_tip = {0.1, -0.2, 0.3}, at_link = point_to_parent(r.robot->tip, at_tip);
    double  with_payload[3], m = r.value[link], extra = 1.5;
    r.value[payload] = extra;
    memcpy(&r.value[payload + 1], &at_tip, sizeof at_tip);
    evaluate(&r, r.value);
    memcpy(with_payload, r.value + first, sizeof with_payload);

    r.value[payload] = 0;
    fa_vec3 com = {r.value[link + 1], r.value[link + 2], r.value[link + 3]};
    fa_vec3 apart = vec3_sub(at_link, com);
    fa_sym3 more = sym3_scale(m * extra / (m + extra), sym3_point(apart, apart));
    com = vec3_add(com, vec3_scale(extra / (m + extra), apart));
    r.value[link] = m + extra;
    memcpy(&r.value[link + 1], &com, sizeof com);
    for (int i = 0; i < 6; i++) r.value[link + 4 + i] += (&more.xx)[i];
    evaluate(&r, r.value);
    for (int i = 0; i < 3; i++) // rounding times the condition of a 3 x 3 mass matrix
        assert_true(fabs(r.value[first + i] - with_payload[i]) <
                    1e-11 * (1 + fabs(with_payload[i])));
    take_down(&r);
}

// What the fast methods note of trees lies before what comes next in the arm's memory.
static void trees_have_room_for_the_fast_methods(void **state)
{
    (void)state;
    uint64_t seed = 13;
    int      branched = 0;
    for (int trial = 0; trial < 60; trial++) {
        rig           r = build(&seed, 1 + trial % 12, KINDS[trial / 12 % 4], "arm");
        const fa_arm *arm = r.self;
        const char   *fast = (const char *)arm->fast, *next = arm->work;
        branched += arm->chain.branched;
        assert_true(next - fast >= (ptrdiff_t)fa_fast_size(&arm->chain));
        take_down(&r);
    }
    assert_true(branched > 10);
}

// What short cuts leave out: a push as torques at the joints, against wrenches in the readable
// methods, and joints that only a torque drives, against all laws one by one, to the same bits.
static void short_cuts_lead_to_the_same_place(void **state)
{
    (void)state;
    uint64_t seed = 11;
    double   worst = 0;
    int      plain = 0;
    for (int trial = 0; trial < 200; trial++) {
        rig r =
            build(&seed, 1 + trial % 12,
                  KINDS[trial / 12 % 4] | (trial % 3 == 0) * BASE | trial % 2 * SWITCHING, "arm");
        fa_arm *arm = r.self;
        int     first = r.variables.first[FA_STATE], n = r.variables.first[FA_OUTPUT] - first;
        shake(&r, &seed);
        for (int row = 0; row < first && trial % 2; row++) { // no Coulomb friction
            int quantity = r.variables.row[row].quantity;
            if (quantity == FA_AT(friction.coulomb) || quantity == FA_AT(friction.coulomb_negative))
                r.value[row] = 0;
        }
        evaluate(&r, r.value);
        size_t  size = (size_t)r.variables.n * sizeof *r.value;
        double *by_laws = malloc(size), *by_wrenches = malloc(size), scale = 1;
        memcpy(by_laws, r.value, size);
        memcpy(by_wrenches, r.value, size);
        fa_error error = fa_no_error();
        for (int i = 0; i < arm->chain.n; i++) {
            plain += arm->plain[i].torque != FA_NO_ROW;
            arm->plain[i].torque = FA_NO_ROW;
        }
        assert_int_equal(r.plant->evaluate(r.self, by_laws, FA_GROUP_ALL, &error), FA_OK);
        assert_memory_equal(by_laws, r.value, size);
        arm->fast = NULL;
        assert_int_equal(r.plant->evaluate(r.self, by_wrenches, FA_GROUP_ALL, &error), FA_OK);
        for (int i = 0; i < n; i++) {
            int derivative = r.variables.row[first + i].derivative;
            scale = fmax(scale, fabs(by_wrenches[derivative]));
        }
        for (int i = 0; i < n; i++) {
            int derivative = r.variables.row[first + i].derivative;
            worst = fmax(worst, fabs(by_wrenches[derivative] - r.value[derivative]) / scale);
        }
        free(by_laws);
        free(by_wrenches);
        take_down(&r);
    }
    print_message("worst %g, %d plain joints\n", worst, plain);
    assert_true(plain > 100);
    assert_true(worst < 1e-11); // rounding times the condition of the mass matrix
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(tangents_are_the_limit_of_differences),
        cmocka_unit_test(dependencies_are_those_of_the_tangents),
        cmocka_unit_test(adjoints_are_the_transpose_of_tangents),
        cmocka_unit_test(jacobians_are_made_of_tangents),
        cmocka_unit_test(an_inverse_undoes_an_arm),
        cmocka_unit_test(names_are_those_of_the_contract),
        cmocka_unit_test(each_state_comes_before_its_derivative_and_knows_its_start),
        cmocka_unit_test(a_failed_evaluation_changes_nothing),
        cmocka_unit_test(a_payload_adds_to_the_link),
        cmocka_unit_test(trees_have_room_for_the_fast_methods),
        cmocka_unit_test(short_cuts_lead_to_the_same_place),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
