// Builds plants for tests, draws their values, and makes random robots.
#include "plant_rig.h"

#include "test.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "arm.h"
#include "robot_cylinders.h"
#include "robot_snake.h"
#include "sliding_plant.h"
#include "snake_plant.h"

void *rig_prepared(const rig *r, unsigned char before)
{
    const size_t size = r->plant->size(r->robot);
    void        *self = malloc(size);
    memset(self, before, size);
    r->plant->prepare(self, r->robot, &r->variables);
    return self;
}

rig rig_build(fa_robot *robot)
{
    rig      r = {.robot = robot, .plant = fa_plant_find(robot->plant)};
    fa_error error = fa_no_error();
    if (fa_robot_check(robot, NULL, &error) != FA_OK) fail_msg("%s", error.message);
    if (fa_plant_variables(r.plant, robot, true, &r.variables, &r.block, &error) != FA_OK)
        fail_msg("%s", error.message);
    r.self = rig_prepared(&r, 1);
    r.value = calloc((size_t)r.variables.n, sizeof *r.value);
    r.direction = calloc((size_t)r.variables.n, sizeof *r.direction);
    for (int row = 0; row < r.variables.n; row++) r.value[row] = r.variables.row[row].start;
    return r;
}

void rig_take_down(rig *r)
{
    free(r->direction);
    free(r->value);
    free(r->self);
    free(r->block);
    free(r->robot);
}

void rig_evaluate(rig *r, double value[])
{
    fa_error error = fa_no_error();
    if (r->plant->configure(r->self, value, &error) != FA_OK) fail_msg("%s", error.message);
    if (r->plant->evaluate(r->self, value, FA_GROUP_ALL, &error) != FA_OK)
        fail_msg("%s", error.message);
}

// An exponent of a contact is 1 or 1.5, and nothing between.
bool rig_knows(const fa_variable *v)
{
    if (fa_variable_is(v, FA_OF_CONTACT, "exponent")) return false;
    return v->type == FA_REAL && !v->discrete && (v->role <= FA_STATE || v->role == FA_TIME);
}

bool rig_calculates(const fa_variable *v)
{
    return v->type == FA_REAL && !v->discrete && v->role >= FA_OUTPUT && v->role < FA_TIME;
}

static bool is_spool(const fa_variable *v)
{
    return fa_variable_is(v, FA_OF_CYLINDER, "spool") ||
           fa_variable_is(v, FA_OF_CYLINDER, "spool_position");
}

double rig_size_of(const fa_variable *v)
{
    if (v->unit == FA_UNIT_PASCAL) return 1e6;
    if (v->unit == FA_UNIT_METRE3_PER_SECOND) return 1e-4;
    if (is_spool(v)) return 0.3;
    if (v->role == FA_PARAMETER || v->role == FA_TUNABLE) return 0.1 * fabs(v->start);
    return 1;
}

// ------------------------------------------------------------------------------------------ values

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

static void switch_cones(const fa_variables *variables, double value[], uint64_t *seed)
{
    for (int row = 0; row < variables->n; row++)
        if (variables->row[row].quantity == FA_ARM_CONE_ITEM && variables->row[row].discrete)
            value[row] = random_in(seed, 0, 1) < 0.7;
}

// What sticks holds at least as well as what slips.
static void hold_more(double value[], int breakaway, int coulomb)
{
    value[breakaway] = fmax(value[breakaway], value[coulomb] + 0.1);
}

// Returns true for the start positions of closing loops.
static bool is_start_of_joint(const fa_variable *v)
{
    return v->quantity == FA_ARM_INITIAL_POSITION;
}

// Parameters near where they start, so that masses stay masses.
static void shake_arm(rig *r, uint64_t *seed)
{
    for (int row = FA_COMMON_ROWS; row < r->variables.n; row++) {
        const fa_variable *v = &r->variables.row[row];
        if (!rig_knows(v)) continue;
        r->value[row] = v->start * random_in(seed, 0.8, 1.2);
        if (v->role == FA_INPUT || v->role == FA_STATE) r->value[row] = random_in(seed, -3, 3);
        if (v->role == FA_TUNABLE && v->start == 0) r->value[row] = random_in(seed, 0, 0.5);
        if (r->robot->n_loops > 0 && is_start_of_joint(v)) r->value[row] = v->start;
        if (r->robot->n_loops > 0 && v->role == FA_STATE)
            r->value[row] = v->start + random_in(seed, -0.2, 0.2);
        bool efficiency =
            v->quantity == FA_AT(motor.efficiency) || v->quantity == FA_AT(motor.efficiency_back);
        if (efficiency) r->value[row] = fmin(r->value[row], 1);
        // Definite, as of a body: more is added on the diagonal than beside it.
        if (v->quantity == FA_ARM_PAYLOAD_INERTIA || v->quantity == FA_ARM_INERTIA)
            r->value[row] = v->start + (v->key.axis <= FA_ALONG_ZZ ? random_in(seed, 0.2, 0.5)
                                                                   : random_in(seed, -0.05, 0.05));
        if (v->quantity == FA_AT(friction.breakaway)) hold_more(r->value, row, row - 3);
        if (v->quantity == FA_AT(friction.breakaway_negative)) hold_more(r->value, row, row - 3);
    }
    uint64_t own = *seed;
    if (strcmp(r->plant->name, "arm") == 0 || r->robot->n_loops > 0)
        switch_modes(&r->variables, r->value, &own);
    switch_cones(&r->variables, r->value, &own);
}

static void shake_cylinders(rig *r, uint64_t *seed)
{
    for (int row = FA_COMMON_ROWS; row < r->variables.n; row++) {
        const fa_variable *v = &r->variables.row[row];
        if (!rig_knows(v)) continue;
        double middle = v->start;
        if (v->unit == FA_UNIT_PASCAL && v->role == FA_STATE) middle = 5e6;
        if (is_spool(v)) middle = 0.5;
        r->value[row] = middle + rig_size_of(v) * random_in(seed, -1, 1);
        if (v->unit == FA_UNIT_PASCAL && v->role == FA_PARAMETER) r->value[row] = middle;
        if (v->unit == FA_UNIT_KILOGRAM_METRE2) // of the thin links here every change breaks a rule
            r->value[row] = middle;
    }
}

// Parameters near where they start; states and inputs anywhere; some joints at their stops.
static void shake_snake(rig *r, uint64_t *seed)
{
    for (int row = FA_COMMON_ROWS; row < r->variables.n; row++) {
        const fa_variable *v = &r->variables.row[row];
        if (!rig_knows(v)) continue;
        r->value[row] = v->start * random_in(seed, 0.95, 1.05);
        if (v->role == FA_INPUT || v->role == FA_TIME) r->value[row] = random_in(seed, -1, 1);
        if (v->role == FA_STATE) r->value[row] = random_in(seed, -1, 1);
        if (v->quantity == FA_SNAKE_ROW_WHEEL)
            r->value[row] = r->value[row - 1] * random_in(seed, 0.48, 0.52);
    }
    for (int row = r->variables.first[FA_OUTPUT]; row < r->variables.first[FA_LOCAL]; row++)
        if (r->variables.row[row].quantity == FA_SNAKE_ROW_STOP)
            r->value[row] = (int)random_in(seed, -2, 2);
}

// Returns true for numbers of the arm in a circuit that keep their values: those of thin links,
// which no change leaves definite, and the start positions of closing loops.
static bool is_kept(const rig *r, const fa_variable *v)
{
    return v->unit == FA_UNIT_KILOGRAM_METRE2 || (r->robot->n_loops > 0 && is_start_of_joint(v));
}

// Varies a circuit: every number stays near its own, and absent parts stay absent; spools, flows
// and joints move.
static void shake_circuit(rig *r, uint64_t *seed)
{
    for (int row = FA_COMMON_ROWS; row < r->variables.first[FA_OUTPUT]; row++)
        r->value[row] = r->variables.row[row].start *
                        (is_kept(r, &r->variables.row[row]) ? 1 : random_in(seed, 0.95, 1.05));
    for (int row = r->variables.first[FA_INPUT]; row < r->variables.first[FA_OUTPUT]; row++) {
        const fa_variable *v = &r->variables.row[row];
        const bool         joint = v->key.owner == FA_OF_JOINT && v->role == FA_STATE;
        if (joint && r->robot->n_loops > 0) // no farther than loops can follow
            r->value[row] = v->start + random_in(seed, -0.2, 0.2);
        else if (r->value[row] == 0 && rig_knows(v))
            r->value[row] =
                (v->nominal > 0 ? v->nominal : rig_size_of(v)) * random_in(seed, -0.8, 0.8);
    }
    if (r->robot->n_links > 1) switch_modes(&r->variables, r->value, seed);
}

void rig_shake(rig *r, uint64_t *seed)
{
    if (strcmp(r->plant->name, "circuit") == 0)
        shake_circuit(r, seed);
    else if (r->plant == &fa_snake_plant || r->plant == &fa_rolling_plant)
        shake_snake(r, seed);
    else if (r->robot->n_cylinders > 0)
        shake_cylinders(r, seed);
    else
        shake_arm(r, seed);
}

// ------------------------------------------------------------------------------------------ robots

const unsigned RIG_KINDS[4] = {RANDOM_REVOLUTE_ONLY, RANDOM_SPRINGS, RANDOM_BRANCHED,
                               RANDOM_BRANCHED | RANDOM_COUPLED | RANDOM_SPRINGS};

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
        joint->lock.analogue = joint->lock.present && i % 2 == 1;
    }
}

// Gives the joints all that can act at them, each by chance, and lets the ground move.
static void dress(fa_robot *robot, uint64_t *seed)
{
    robot->base_motion = true;
    for (int i = 0; i < robot->n_links; i++) {
        fa_joint *joint = &robot->link[i].joint;
        robot->link[i].relief = i % 3 == 1 ? 0.6 : 0;
        if (!fa_joint_is_free(joint)) continue;
        fa_friction_data *f = &joint->friction;
        f->sticks = (int)random_in(seed, 0, 2);
        f->on_motor = (int)random_in(seed, 0, 2);
        f->breakaway = f->coulomb + 0.5;
        f->breakaway_negative = f->coulomb_negative + 0.4;
        f->stribeck = 2;
        joint->rotor.gear = (int)random_in(seed, 0, 2) ? 1.5 : -0.8;
        joint->lock.present = (int)random_in(seed, 0, 3) == 0;
        joint->lock.analogue = joint->lock.present && i % 2 == 1;
        if ((int)random_in(seed, 0, 2)) {
            joint->limit.lower = -1;
            joint->limit.upper = 1;
            joint->stop = (fa_stop_data){true, 30, 2};
        }
        if ((int)random_in(seed, 0, 3) == 0) {
            joint->closure = (fa_closure_data){true, 20, 1, INFINITY, i % 2 == 1};
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
        if (k == 1) o[k].pose.E = fa_rotation_about(vec3(0.6, 0, 0.8), random_in(seed, -1, 1));
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

fa_robot *rig_arm(uint64_t *seed, int joints, unsigned kind, const char *plant)
{
    fa_robot *robot = random_robot(seed, joints, kind & (RIG_SWITCHING - 1));
    strcpy(robot->plant, plant);
    robot->outputs = FA_EXTRA_ALL;
    if (joints == 4) robot->tip_link = 0; // on the ground: what is at the tip, the base holds
    if (kind & RIG_SWITCHING) make_switching(robot);
    if (kind & RIG_BASE) robot->base_motion = true;
    if (kind & RIG_DRESSED) dress(robot, seed);
    if (kind & RIG_DRESSED && (int)random_in(seed, 0, 2)) robot = surround(robot, seed);
    return robot;
}

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

// Puts a cylinder between random links that move against each other.
static void mount(const fa_robot *robot, fa_cylinder *c, uint64_t *seed)
{
    do {
        c->from = (int)random_in(seed, 0, robot->n_links);
        c->to = (int)random_in(seed, 0, robot->n_links);
    } while (fa_cylinder_joints(robot, c) == 0);
    c->from_point = random_vec3(seed, 0.5);
    c->to_point = random_vec3(seed, 0.5);
    measure(c);
}

void rig_give_motors(fa_robot *robot)
{
    int turning = 0;
    for (int i = 0; i < robot->n_links; i++) {
        fa_joint *joint = &robot->link[i].joint;
        if (!fa_joint_is_free(joint) || joint->type != FA_REVOLUTE || turning++ % 2) continue;
        joint->motor = (fa_motor_data){true, 2, 0.7, 0.6, 0, 0.7, 0.6, INFINITY, INFINITY};
        if (turning % 4 == 1) joint->motor.inductance = 0.5;
    }
}

fa_robot *rig_cylinders(uint64_t *seed, int joints, unsigned kind)
{
    const bool pumped = random_in(seed, 0, 1) < 0.5;
    fa_robot  *robot = fa_robot_with_cylinders(random_robot(seed, joints, kind), 3);
    for (int k = 0; k < 3; k++) {
        fa_cylinder *c = &fa_robot_cylinders(robot)[k];
        snprintf(c->name, sizeof c->name, "c%d", k);
        c->cut = pumped && k == 0 ? FA_CUT_VALVE : (fa_cut)k;
        c->pump = pumped && k == 2;
        mount(robot, c, seed);
    }
    rig_give_motors(robot);
    robot->outputs = FA_EXTRA_ALL;
    return robot;
}

fa_robot *rig_closed_cylinder(uint64_t *seed, int trial)
{
    fa_robot *robot = fa_robot_with_cylinders(rig_closed(seed, trial), 1);
    assert_non_null(robot);
    fa_cylinder *c = &fa_robot_cylinders(robot)[0];
    strcpy(c->name, "c");
    mount(robot, c, seed);
    return robot;
}

static fa_circuit_part *part(fa_robot *robot, int index, fa_circuit_kind kind, const char *name)
{
    fa_circuit_part *p = &fa_robot_circuit_parts(robot)[index];
    p->kind = kind;
    strcpy(p->name, name);
    return p;
}

// Gives the robot a supply, a valve section, a line with or without inertance, two volumes, a
// relief valve, a tank, and parts without anything in them for more.
static fa_robot *with_parts(fa_robot *robot, int more, int trial)
{
    static const char *const  node[] = {"P", "T", "A", "B"};
    static const double       section[] = {12, 0.8, 2e5, 8e5, 5e4, 5e4, 0.05, 0.05};
    static const double       line[] = {0.016, 3, 0.03, 1.5, 7e8};
    static const double       relief[] = {4e6, 1e-9, 5e5};
    static const fa_edge_kind edge[] = {FA_EDGE_PA, FA_EDGE_AT};
    robot = fa_robot_with_circuit(robot, 4, 7 + more, 2);
    assert_non_null(robot);
    robot->oil.bulk_modulus = 1.5e9;
    robot->oil.air = 0.005;
    for (int k = 0; k < 4; k++) strcpy(fa_robot_nodes(robot)[k].name, node[k]);
    fa_circuit_part *p = part(robot, 0, FA_CIRCUIT_SUPPLY, "P");
    p->port[0] = 0;
    p->start = 2e7;
    p = part(robot, 1, FA_CIRCUIT_TANK, "T");
    p->port[0] = 1;
    p->start = 2e5;
    for (int k = 2; k < 4; k++) {
        p = part(robot, k, FA_CIRCUIT_VOLUME, node[k]);
        p->port[0] = k;
        p->start = 6e6 - 5e5 * k;
        p->number[0] = 1e-3;
        p->number[1] = 2e9;
    }
    p = part(robot, 4, FA_CIRCUIT_VALVE, "v");
    memcpy(p->port, (int[]){0, 1, 2, 3}, sizeof p->port);
    memcpy(p->number, section, sizeof section);
    p->choice = trial & 4 ? FA_COMPENSATOR_PRE : FA_COMPENSATOR_NONE;
    p = part(robot, 5, FA_CIRCUIT_LINE, "l");
    memcpy(p->port, (int[]){2, 3, FA_NOBODY, FA_NOBODY}, sizeof p->port);
    memcpy(p->number, line, sizeof line);
    p->choice = trial & 1;
    p = part(robot, 6, FA_CIRCUIT_RELIEF, "r");
    memcpy(p->port, (int[]){3, 1, FA_NOBODY, FA_NOBODY}, sizeof p->port);
    memcpy(p->number, relief, sizeof relief);
    for (int k = 0; k < 2; k++) {
        fa_circuit_edge *e = &fa_robot_edges(robot)[k];
        e->part = 4;
        e->kind = edge[k];
        e->number[0] = 1e6;
        e->table = (fa_edge_table){3, {0, 0.5, 1}, {1e-5, 2e-4, 6e-4}};
    }
    return robot;
}

fa_robot *rig_circuit(int trial)
{
    fa_robot *robot = with_parts(fa_robot_new_circuit(), 0, trial);
    strcpy(robot->name, "circuit");
    robot->outputs = trial & 2 ? FA_EXTRA_ENERGY : 0;
    return robot;
}

// Returns a joint that a hydraulic motor can turn, one that loops determine if there is one and it
// is wanted; or nobody.
static int joint_for_motor(const fa_robot *robot, bool dependent)
{
    int found = FA_NOBODY;
    for (int i = 1; i < robot->n_links; i++) {
        const fa_joint *joint = &robot->link[i].joint;
        if (joint->type != FA_REVOLUTE || !fa_joint_is_free(joint) || joint->motor.present ||
            joint->servo.present)
            continue;
        if (found == FA_NOBODY ||
            (joint->dependent == dependent && robot->link[found].joint.dependent != dependent))
            found = i;
    }
    return found;
}

fa_robot *rig_circuit_around(fa_robot *robot, int trial)
{
    static const double motor[] = {1e-5, 3, 1e-12, 2e-12, 2, 0.02, 0.03, 1, 0.1, 2e-4, 3e-4, 2e9};
    const int           joint = joint_for_motor(robot, trial & 1);
    robot = with_parts(robot, joint == FA_NOBODY ? 0 : 1, trial);
    strcpy(robot->plant, "circuit");
    for (int k = 0; k < robot->n_cylinders; k++) { // the rest has cuts of its own
        fa_cylinder *c = &fa_robot_cylinders(robot)[k];
        c->node[0] = 2;
        c->node[1] = 3;
        if (k > 1 || (k == 1 && trial % 2)) continue;
        c->cut = FA_CUT_CIRCUIT;
        c->pump = false;
    }
    if (joint == FA_NOBODY) return robot;
    fa_circuit_part *p = part(robot, 7, FA_CIRCUIT_MOTOR, "m");
    memcpy(p->port, (int[]){2, 3, 1, FA_NOBODY}, sizeof p->port);
    memcpy(p->number, motor, sizeof motor);
    p->joint = joint;
    p->start = 5e6;
    return robot;
}

fa_robot *rig_linkage(fa_cut cut)
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
    robot->outputs = FA_EXTRA_ALL;
    return robot;
}

fa_robot *rig_mechanism(uint64_t *seed, int trial, const char *plant)
{
    static const fa_joint_type several[] = {FA_FLOATING, FA_SPHERICAL, FA_PLANAR};
    fa_robot                  *plain = fa_robot_new(1);
    fa_robot *robot = random_robot(seed, 2 + trial % 4, trial % 2 ? RANDOM_BRANCHED : 0);
    for (int i = 1; i < robot->n_links; i += 2) {
        fa_joint *joint = &robot->link[i].joint, was = *joint;
        if (i > 1 && random_in(seed, 0, 1) < 0.5) continue;
        *joint = plain->link[0].joint; // nothing acts at it but …
        strcpy(joint->name, was.name);
        joint->type = several[(trial + i / 2) % 3];
        joint->origin = was.origin;
        joint->axis = was.axis;
        joint->friction.viscous = was.friction.viscous; // … this, …
        if (joint->type != FA_SPHERICAL || trial % 4 == 3) continue;
        joint->cone = (fa_cone_data){true, 0.6, 30, 2}; // … and a stop
        joint->cone_axis = vec3(0.36, 0.48, 0.8);
    }
    free(plain);
    strcpy(robot->plant, plant);
    robot->outputs = FA_EXTRA_POSES | FA_EXTRA_ENERGY;
    if (trial % 3 == 0) robot->base_motion = true;
    return robot;
}

// A loop of this type between two links, closed where the joints start.
static void close_loop(fa_robot *robot, uint64_t *seed, int k, fa_loop_type type, int from, int to)
{
    fa_loop *loop = &fa_robot_loops(robot)[k];
    (void)snprintf(loop->name, sizeof loop->name, "loop%d", k);
    loop->place = FA_NOWHERE;
    loop->type = type;
    loop->from = from;
    loop->to = to;
    loop->open = true;
    loop->axis = vec3(0.48, 0.6, 0.64);
    loop->second = vec3(0, 0.8, -0.6);
    loop->from_frame = loop->to_frame = transform_identity();
    loop->to_frame.r =
        vec3(random_in(seed, -1, 1), random_in(seed, -1, 1), random_in(seed, 0.5, 1));
    loop->ratio = 1.5;
}

fa_robot *rig_closed(uint64_t *seed, int trial)
{
    static const fa_loop_type types[] = {FA_LOOP_SPHERICAL, FA_LOOP_CYLINDRICAL, FA_LOOP_PLANAR,
                                         FA_LOOP_UNIVERSAL, FA_LOOP_PRISMATIC,   FA_LOOP_REVOLUTE};
    fa_error                  error = fa_no_error();
    for (;;) { // random loops may leave no freedom, or stand at a dead point
        const int n = 6 + trial % 3;
        fa_robot *robot = rig_arm(seed, n, trial % 2 ? RIG_KINDS[0] : RIG_KINDS[2], "mechanism");
        robot->outputs = FA_EXTRA_POSES | FA_EXTRA_ENERGY | FA_EXTRA_REACTIONS;
        if (trial % 3 == 0) robot->base_motion = true;
        for (int i = 0; i < robot->n_links; i++) {
            fa_joint *joint = &robot->link[i].joint;
            joint->initial_position = random_in(seed, -1, 1);
            if ((i + trial) % 5 == 2 && fa_joint_is_free(joint)) {
                joint->type = FA_SCREW;
                joint->pitch = 0.5;
            }
            joint->friction.coulomb = joint->friction.coulomb_negative = 0.3;
            joint->friction.sticks = trial % 4 && (i + trial) % 3 == 0;
            joint->friction.breakaway = joint->friction.breakaway_negative = 0.4;
            joint->friction.stribeck = 2;
            joint->lock.present = trial % 4 && (i + trial) % 4 == 0;
        }
        fa_robot *with = fa_robot_with_loops(robot, 1);
        assert_non_null(with);
        close_loop(with, seed, 0, types[trial / 2 % 6], 0, with->n_links - 1);
        if (fa_robot_check(with, NULL, &error) == FA_OK) {
            fa_robot_loops(with)[0].open = false; // its frame stays where the check has put it
            return with;
        }
        free(with);
    }
}

fa_robot *rig_closed_balls(uint64_t *seed, int trial, const char *plant)
{
    static const fa_loop_type types[] = {FA_LOOP_FIXED,     FA_LOOP_REVOLUTE, FA_LOOP_PRISMATIC,
                                         FA_LOOP_SPHERICAL, FA_LOOP_DISTANCE, FA_LOOP_UNIVERSAL};
    fa_error                  error = fa_no_error();
    for (;;) { // many loops determine a joint of several freedoms in part alone
        fa_robot *robot = rig_mechanism(seed, (int)random_in(seed, 0, 60), plant);
        bool      follows = trial % 4 == 0, turns = false;
        robot->outputs |= FA_EXTRA_REACTIONS;
        robot->base_motion = trial % 3 == 0;
        for (int i = 0; i < robot->n_links; i++) {
            fa_joint *joint = &robot->link[i].joint;
            joint->initial_position = random_in(seed, -1, 1);
            for (int k = 0; k < 3; k++) joint->start.position[k] = random_in(seed, -1, 1);
            for (int k = 0; k < 4; k++) joint->start.quaternion[k] = random_in(seed, 0.1, 1);
        }
        fa_robot *with = fa_robot_with_loops(robot, 1);
        assert_non_null(with);
        close_loop(with, seed, 0, types[(int)random_in(seed, 0, 6)], 0, with->n_links - 1);
        fa_robot_loops(with)[0].length = 1;
        const bool fits = fa_robot_check(with, NULL, &error) == FA_OK;
        for (int i = 0; fits && i < with->n_links; i++) {
            const fa_joint *joint = &with->link[i].joint;
            follows |= joint->dependent && fa_joint_is_several(joint->type);
            turns |= !joint->dependent && fa_joint_turns(joint->type); // else angles are rounding
        }
        fa_robot_loops(with)[0].open = false;
        if (fits && follows && turns) return with;
        free(with);
    }
}

fa_robot *rig_axis(bool force, bool spool, bool pump)
{
    fa_robot    *robot = fa_robot_new_axis();
    fa_cylinder *c = fa_robot_cylinders(robot);
    measure(c);
    strcpy(robot->name, "axis");
    strcpy(c->name, "axis");
    c->cut = force ? FA_CUT_FORCE : FA_CUT_CHAMBER;
    c->initial_length = 20;
    if (!spool) c->number[FA_CYLINDER_bandwidth] = 0;
    c->pump = pump;
    return robot;
}

fa_robot *rig_snake(uint64_t *seed, int links, fa_snake_input input)
{
    const int n = links;
    fa_robot *robot = fa_robot_new_snake(n);
    strcpy(robot->name, "random");
    robot->tip_link = n - 1;
    robot->snake = (fa_snake_options){
        .input = input,
        .base = (int)random_in(seed, 0, n),
        .ground.wheel.width = 0.3,
        .x = 1,
        .y = -1,
        .speed = 0.5,
        .rate = 0.4,
        .motor = {.present = true, .resistance = 2, .torque_constant = 0.05, .back_emf = 0.05},
        .gait = {true, 0.5, 2, 0.7, 0.1, 0.3, 2, 0.1, INFINITY},
        .smoothing.smoothing = 0.2,
        .follower.bandwidth = 5,
        .pace.bandwidth = 5};
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
                                     .ground.wheel.viscous = random_in(seed, 0.1, 0.5),
                                     .ground.wheel.coulomb = random_in(seed, 0.1, 0.5),
                                     .ground.grip.coefficient = random_in(seed, 0.3, 0.9),
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

fa_robot *rig_sliding(uint64_t *seed, int links, fa_snake_input input, fa_ground_law law,
                      int spread)
{
    const bool wheels = law == FA_GROUND_IDEAL;
    fa_robot  *robot =
        rig_snake(seed, links, input == FA_SNAKE_PRESCRIBED && !wheels ? FA_SNAKE_TORQUE : input);
    strcpy(robot->plant, wheels ? "rolling-snake" : "sliding-snake");
    robot->checked = false;
    robot = fa_robot_with_things(robot, 4);
    fa_snake_options *snake = &robot->snake;
    snake->input = input;
    snake->law = law;
    snake->spread = wheels || law == FA_GROUND_WHEEL ? 0 : spread;
    snake->slope = random_in(seed, 0.05, 0.3);
    snake->slope_direction = random_in(seed, -3, 3);
    snake->velocity_x = 0.3;
    snake->velocity_y = -0.2;
    snake->feet.coulomb_ground.slip_speed = snake->feet.wheel_ground.slip_speed = 0.2;
    snake->touch = (fa_touch_data){true, 300, links % 2 ? 1.5 : 1, 0.3, 0.4, 0.2};
    if (links % 3) robot->outputs |= FA_EXTRA_REACTIONS;
    if (links % 4 == 1) robot->outputs |= FA_EXTRA_WORK;
    if (input == FA_SNAKE_GAIT && links % 3 == 0) snake->gait.torque_limit = 0.7;
    snake->gait_told = input == FA_SNAKE_GAIT && !wheels && links % 2;
    snake->smoothing.smoothing = 0.3;
    for (int k = 0; k < links; k++) {
        fa_segment    *segment = &robot->link[k].segment;
        fa_snake_feet *feet = &segment->feet;
        feet->viscous_ground = (fa_viscous_ground_data){
            true, random_in(seed, 0.1, 2), random_in(seed, 1, 5), random_in(seed, 0.01, 0.1)};
        feet->coulomb_ground =
            (fa_coulomb_ground_data){true, random_in(seed, 0.1, 0.3), random_in(seed, 0.3, 0.5),
                                     random_in(seed, 0.5, 0.9), 0.2};
        segment->radius = random_in(seed, 0.02, 0.05);
        segment->initial_rate = random_in(seed, -1, 1);
        segment->prescribed = k > 0 && input == FA_SNAKE_PRESCRIBED && (k % 2 || links % 2);
    }
    fa_thing *thing = fa_robot_things(robot);
    for (int i = 0; i < 2; i++) {
        strcpy(thing[i].name, i ? "mat" : "ice");
        thing[i].kind = FA_THING_PATCH;
        thing[i].patch = (fa_patch_data){.present = true,
                                         .x = 1,
                                         .y = -1 + 0.2 * i,
                                         .radius = 0.5,
                                         .width = 0.6,
                                         .height = 0.5,
                                         .angle = 0.3,
                                         .edge = 0.3,
                                         .scale_tangential = 0.4,
                                         .scale_normal = 1.7,
                                         .rectangle = i == 1};
        thing[2 + i].kind = i ? FA_THING_WALL : FA_THING_PEG;
        strcpy(thing[2 + i].name, i ? "w" : "p");
        thing[2 + i].x = 1.1;
        thing[2 + i].y = -1.1;
        thing[2 + i].radius = i ? 0 : 0.2;
        thing[2 + i].hx = i ? 0.2 : 0;
        thing[2 + i].hy = i ? 1 : 0;
    }
    return robot;
}
