// Both functions evaluate the plant "inverse" at rest: it returns the torques that a pose needs,
// and their derivatives by the pose.
#include "equilibrium.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "arm.h"
#include "equilibrium_mechanism.h"
#include "mechanism.h"
#include "nearest_root.h"
#include "number.h"

typedef struct rest {
    fa_state     *state;   // state of the arm
    fa_robot     *robot;   // a copy, with the plant "inverse"
    fa_state      inverse; // state of that copy
    const fa_arm *arm, *its;
    int           n;
    double       *slope; // scratch, one for each row of the inverse
    double       *step, *missing;
} rest;

static void leave(rest *r)
{
    fa_state_free(&r->inverse);
    free(r->slope);
    free(r->step);
    free(r->robot);
}

static fa_status check_plant(const fa_robot *robot, const fa_state *state, fa_error *error)
{
    if (state->plant == &fa_arm_plant || state->plant == &fa_mechanism_plant) return FA_OK;
    return fa_fail(error, FA_UNFIT, robot->source, FA_NOWHERE,
                   "it is a %s, and equilibria are looked for in arms", robot->plant);
}

// Copies parameters and inputs, which have the same names in both plants; positions are inputs of
// the inverse.
static fa_status enter(const fa_robot *robot, fa_state *state, rest *r, fa_error *error)
{
    *r = (rest){.state = state, .arm = state->self};
    size_t size = fa_robot_size(robot), n = (size_t)r->arm->chain.n_coordinates;
    r->n = (int)n;
    r->robot = malloc(size);
    r->step = malloc((2 * n + 1) * sizeof *r->step);
    if (!r->robot || !r->step)
        return fa_fail(error, FA_NO_MEMORY, robot->source, FA_NOWHERE,
                       "there is not enough memory to look for an equilibrium");
    r->missing = r->step + n;
    memcpy(r->robot, robot, size);
    strcpy(r->robot->plant, "inverse");
    // Uses a local variable: clang-tidy reports *r as leaked where a part of it is passed on.
    fa_state  inverse;
    fa_status status = fa_state_new(r->robot, &inverse, error);
    r->inverse = inverse;
    if (status != FA_OK) return status;
    r->its = r->inverse.self;
    r->slope = calloc((size_t)r->inverse.table.n, sizeof *r->slope);
    if (!r->slope)
        return fa_fail(error, FA_NO_MEMORY, robot->source, FA_NOWHERE,
                       "there is not enough memory to look for an equilibrium");
    for (int row = 0; row < state->table.n; row++) {
        int other = fa_names_find(&r->inverse.names, state->table.row[row].name);
        if (other >= 0 && fa_state_role(&r->inverse, other) <= FA_INPUT)
            r->inverse.value[other] = state->value[row];
    }
    memset(r->inverse.value + r->its->row[FA_ARM_VELOCITY], 0, n * sizeof(double));
    memset(r->inverse.value + r->its->row[FA_ARM_ACCELERATION], 0, n * sizeof(double));
    memset(state->value + r->arm->row[FA_ARM_VELOCITY], 0, n * sizeof(double));
    return fa_state_configure(&r->inverse, error);
}

static double *positions(rest *r)
{
    return r->inverse.value + r->its->row[FA_ARM_POSITION];
}

static double *torques(rest *r)
{
    return r->inverse.value + r->its->row[FA_ARM_TORQUE];
}

static const fa_arm_joint *joint_of(const fa_arm *arm, int coordinate)
{
    return &arm->joint[fa_arm_independent_body(arm, coordinate)];
}

// Computes the residual: the torques that the pose needs, minus the given ones. Inputs of servos
// are not torques.
static fa_status look(rest *r, double missing[], fa_error *error)
{
    fa_status status = fa_plant_evaluate(r->inverse.plant, r->inverse.self, r->inverse.value,
                                         FA_GROUP_DERIVATIVES, NULL, error);
    for (int i = 0; i < r->n && status == FA_OK; i++) {
        const fa_arm_joint *joint = joint_of(r->arm, i);
        const int           row = joint->at[FA_ARM_TORQUE];
        missing[i] = torques(r)[i] - (row == FA_NO_ROW ? 0 : r->state->value[row]);
    }
    return status;
}

static void put(rest *r, int row, double x)
{
    if (row != FA_NO_ROW) r->state->value[row] = x;
}

// Sets a servo to hold the pose: its target is the pose, and its feedforward the needed torque,
// less the weight if the servo compensates it.
static fa_status set_servo(rest *r, const fa_arm_joint *joint, int coordinate, double needed,
                           fa_error *error)
{
    const fa_servo_rows *rows = (const void *)(joint->at + FA_AT(servo));
    const double         position = r->state->value[joint->at[FA_ARM_POSITION]];
    const double         weight = joint->servo.compensates ? r->arm->weight.effort[coordinate] : 0;
    if (fabs(needed) > joint->servo.torque_limit)
        return fa_fail(
            error, FA_SINGULAR, r->state->source, FA_NOWHERE,
            "the servo of joint '%s' would need %s N m, or N, to hold this pose, and its "
            "limit is %s; start in another pose",
            joint->given.name, fa_number_text(needed).text,
            fa_number_text(joint->servo.torque_limit).text);
    put(r, rows->target, position);
    put(r, rows->reference, position);
    put(r, rows->target_velocity, 0);
    put(r, rows->integral, 0);
    put(r, rows->effort, needed);
    put(r, rows->feedforward, needed - weight);
    return FA_OK;
}

// Sets the current of motors with inductance, a state, to the equilibrium value for the motor's
// torque.
static fa_status set_currents(rest *r, fa_error *error)
{
    const fa_variables *table = &r->state->table;
    if (r->arm->row[FA_AT(motor.current)] == FA_NO_ROW) return FA_OK;
    fa_status status = fa_plant_evaluate(r->inverse.plant, r->inverse.self, r->inverse.value,
                                         FA_GROUP_DERIVATIVES | FA_ARM_GROUP_MOTORS, NULL, error);
    for (int row = table->first[FA_STATE]; row < table->first[FA_STATE + 1]; row++) {
        if (table->row[row].quantity != FA_AT(motor.current) || status != FA_OK) continue;
        const int other = fa_names_find(&r->inverse.names, table->row[row].name);
        if (other >= 0) r->state->value[row] = r->inverse.value[other];
    }
    return status;
}

fa_status fa_equilibrium_torques(const fa_robot *robot, fa_state *state, fa_error *error)
{
    rest r;
    if (state->plant == &fa_mechanism_plant) return fa_mechanism_equilibrium_torques(state, error);
    fa_status status = check_plant(robot, state, error);
    if (status != FA_OK) return status;
    status = enter(robot, state, &r, error);
    if (status == FA_OK) status = look(&r, r.missing, error);
    // Cylinder forces at this state carry a part of the load.
    if (status == FA_OK) status = fa_arm_cylinders_trace(state->self, state->value, error);
    if (status == FA_OK) {
        memset(r.step, 0, (size_t)r.n * sizeof *r.step);
        fa_arm_cylinders_push(state->self, r.step, NULL);
        fa_arm_touches_trace(state->self, state->value);
        fa_arm_touches_torques(state->self, false, r.step);
        fa_arm_place(state->self, state->value);
        for (int i = 0; i < r.n && status == FA_OK; i++) {
            const fa_arm_joint *joint = joint_of(r.arm, i);
            const double        needed = torques(&r)[i] - r.step[i];
            if (joint && joint->servo.present)
                status = set_servo(&r, joint, i, needed, error);
            else if (joint)
                put(&r, joint->at[FA_ARM_TORQUE], needed);
        }
        if (status == FA_OK) status = set_currents(&r, error);
    }
    leave(&r);
    return status;
}

// ------------------------------------------------------------------------------------- the search

// An independent subproblem: coordinates whose torques depend on each other alone, such as a leg of
// a quadruped that stands on the ground. Each is searched separately, so that one failure does not
// affect the others.
typedef struct part {
    rest *r;
    int   n;
    int  *index; // indices of its coordinates
} part;

static fa_status missing_at(void *context, const double q[], double missing[], fa_error *error)
{
    const part *p = context;
    for (int i = 0; i < p->n; i++) positions(p->r)[p->index[i]] = q[i];
    const fa_status status = look(p->r, p->r->missing, error);
    for (int i = 0; i < p->n && status == FA_OK; i++) missing[i] = p->r->missing[p->index[i]];
    return status;
}

// Computes the Jacobian of the torques by the positions, row by row.
static fa_status slopes_at(void *context, const double q[], double by_q[], fa_error *error)
{
    const part     *p = context;
    rest           *r = p->r;
    const fa_plant *plant = r->inverse.plant;
    fa_status       status = missing_at(context, q, r->step, error);
    for (int c = 0; c < p->n && status == FA_OK; c++) {
        memset(r->slope, 0, (size_t)r->inverse.table.n * sizeof *r->slope);
        r->slope[r->its->row[FA_ARM_POSITION] + p->index[c]] = 1;
        status = plant->tangent(r->inverse.self, r->inverse.value, r->slope, FA_GROUP_DERIVATIVES,
                                error);
        for (int i = 0; i < p->n; i++)
            by_q[c * p->n + i] = r->slope[r->its->row[FA_ARM_TORQUE] + p->index[i]];
    }
    return status;
}

// Finds the bounds of each coordinate from the limits of its joint and of the joints that follow
// it.
static void find_bounds(const rest *r, double lower[], double upper[], bool turns[])
{
    for (int c = 0; c < r->n; c++) {
        lower[c] = -INFINITY;
        upper[c] = INFINITY;
    }
    for (int i = 0; i < r->arm->chain.n; i++) {
        const fa_body      *body = &r->arm->body[i];
        const fa_arm_joint *joint = &r->arm->joint[i];
        const int           c = body->coordinate;
        turns[c] = fa_joint_turns(body->joint);
        // Limits of 0 to 0 mean no limits: exporters write them where none are known.
        if (body->ratio == 0 || !(joint->limit.lower < joint->limit.upper)) continue;
        const double a = (joint->limit.lower - body->offset) / body->ratio;
        const double b = (joint->limit.upper - body->offset) / body->ratio;
        lower[c] = fmax(lower[c], fmin(a, b));
        upper[c] = fmin(upper[c], fmax(a, b));
    }
}

// Finds the subproblem of each coordinate, named by its smallest coordinate: bodies of one subtree,
// or that move with one coordinate, belong together.
static void find_parts(const rest *r, int of[])
{
    for (int c = 0; c < r->n; c++) of[c] = c;
    for (int i = 0; i < r->arm->chain.n; i++) {
        const fa_body *body = &r->arm->body[i];
        if (body->parent == FA_WORLD) continue;
        const int a = of[body->coordinate], b = of[r->arm->body[body->parent].coordinate];
        for (int c = 0; c < r->n; c++)
            if (of[c] == (a > b ? a : b)) of[c] = a > b ? b : a;
    }
}

// Searches one subproblem, from the positions of the inverse on. Tolerances are relative to the
// torques at the start. `work` holds bounds, positions and the search's scratch.
static fa_status search_part(part *p, const double lower[], const double upper[],
                             const bool turns[], double work[], bool turn[], double *least,
                             fa_error *error)
{
    const size_t n = (size_t)p->n;
    double      *low = work, *high = low + n, *q = high + n, size = 1; // [N m], [N] or [V]
    fa_status    status = look(p->r, p->r->missing, error);
    for (size_t i = 0; i < n; i++) {
        const int c = p->index[i];
        low[i] = lower[c];
        high[i] = upper[c];
        turn[i] = turns[c];
        q[i] = positions(p->r)[c];
        size += fabs(torques(p->r)[c]);
    }
    const fa_roots roots = {.n = p->n,
                            .lower = low,
                            .upper = high,
                            .turns = turn,
                            .missing = missing_at,
                            .slopes = slopes_at,
                            .context = p,
                            .size = size};
    if (status == FA_OK) status = fa_nearest_root(&roots, q, least, q + n, error);
    for (size_t i = 0; i < n; i++) positions(p->r)[p->index[i]] = q[i];
    return status;
}

static fa_status search(rest *r, fa_error *error)
{
    const size_t n = (size_t)r->n;
    double      *work = malloc((fa_nearest_root_work(r->n) + 5 * n) * sizeof *work), least = 0;
    bool        *turns = calloc(2 * n + 1, sizeof *turns);
    int         *of = calloc(2 * n + 1, sizeof *of);
    fa_status    status = work && turns && of
                              ? FA_OK
                              : fa_fail(error, FA_NO_MEMORY, r->state->source, FA_NOWHERE,
                                        "there is not enough memory to look for an equilibrium");
    if (status == FA_OK) {
        find_parts(r, of);
        find_bounds(r, work, work + n, turns);
    }
    for (int c = 0; c < r->n && status == FA_OK && least == 0; c++) {
        part p = {.r = r, .index = of + n};
        for (int other = c; other < r->n && of[c] == c; other++)
            if (of[other] == c) p.index[p.n++] = other;
        if (p.n > 0)
            status = search_part(&p, work, work + n, turns, work + 2 * n, turns + n, &least, error);
    }
    free(work);
    free(turns);
    free(of);
    if (status != FA_OK || least == 0) return status;
    return fa_fail(error, FA_SINGULAR, r->state->source, FA_NOWHERE,
                   "no pose near the given one is held by these torques within the limits of the "
                   "joints: where the search came nearest, %s N m, or N, are missing; start "
                   "elsewhere or give other torques",
                   fa_number_text(least).text);
}

fa_status fa_equilibrium_pose(const fa_robot *robot, fa_state *state, fa_error *error)
{
    rest      r;
    fa_status status = check_plant(robot, state, error);
    if (status != FA_OK) return status;
    if (robot->n_cylinders > 0)
        return fa_fail(error, FA_UNFIT, robot->source, FA_NOWHERE,
                       "'%s' hangs on cylinders, whose pressures hold the pose that it starts in; "
                       "leave --equilibrium pose out, or ask for torques",
                       robot->name);
    for (int i = 0; i < robot->n_links; i++)
        if (robot->link[i].joint.servo.present)
            return fa_fail(error, FA_UNFIT, robot->source, FA_NOWHERE,
                           "joint '%s' has a servo, which goes where its target is; leave "
                           "--equilibrium pose out, or ask for torques",
                           robot->link[i].joint.name);
    if (state->plant == &fa_mechanism_plant) return fa_mechanism_equilibrium_pose(state, error);
    status = enter(robot, state, &r, error);
    if (status == FA_OK) status = search(&r, error);
    if (status == FA_OK)
        memcpy(state->value + r.arm->row[FA_ARM_POSITION], positions(&r),
               (size_t)r.n * sizeof(double));
    if (status == FA_OK) status = set_currents(&r, error);
    leave(&r);
    return status;
}
