// Equilibria of mechanisms: free bases, ball joints, closed loops and contacts. At rest, the
// efforts missing at the independent coordinates are G^T M qdd, where qdd are the accelerations
// under the given efforts. In an equilibrium they are zero.
#include "equilibrium_mechanism.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "cholesky.h"
#include "loops.h"
#include "mechanism.h"
#include "mechanism_loops.h"
#include "methods.h"
#include "nearest_root.h"
#include "number.h"

// A coordinate of the arm inside the mechanism, and its rows in the plant's table; FA_NO_ROW: none.
typedef struct coordinate {
    int    position; // for a ball: row of the quaternion's w
    int    velocity, acceleration, effort;
    int    axis; // for a ball: 0, 1, 2; otherwise FA_NOBODY
    int    body;
    bool   is_state;
    double start[4]; // for a ball: the quaternion at the start, which the angles rotate
} coordinate;

typedef struct rest {
    fa_state     *state;
    fa_mechanism *m;
    int           n, n_free;
    coordinate   *at;      // n of them
    int          *free;    // the n_free coordinates that are states and not locked
    double       *slope;   // scratch, one for each row
    double       *missing; // efforts at the free coordinates
} rest;

static void leave(rest *r)
{
    free(r->at);
    free(r->free);
    free(r->slope);
    free(r->missing);
}

static const fa_arm_joint *joint_of(const rest *r, int c)
{
    return &r->m->arm->joint[r->at[c].body];
}

// Returns the body whose independent coordinate this is, not a follower.
static int body_of(const fa_arm *arm, int c)
{
    for (int i = 0; i < arm->chain.n; i++)
        if (arm->body[i].coordinate == c && arm->joint[i].at[FA_ARM_POSITION] != FA_NO_ROW)
            return i;
    return 0; // unreachable: each coordinate has one
}

static void find_ball(rest *r, const fa_mechanism_ball *ball)
{
    const int first = r->m->arm->body[ball->body].coordinate;
    for (int k = 0; k < 3; k++) {
        coordinate *at = &r->at[first + k];
        *at = (coordinate){.position = ball->position,
                           .velocity = ball->velocity + k,
                           .acceleration = ball->acceleration + k,
                           .effort = ball->effort + k,
                           .axis = k,
                           .body = ball->body + k,
                           .is_state = fa_state_role(r->state, ball->position) == FA_STATE};
        memcpy(at->start, r->state->value + ball->position, sizeof at->start);
    }
}

static int outer(const rest *r, int inner)
{
    return inner == FA_NO_ROW ? FA_NO_ROW : fa_mechanism_outer_row(r->m, inner);
}

static void find_coordinates(rest *r)
{
    const fa_arm *arm = r->m->arm;
    for (int c = 0; c < r->n; c++) {
        const int  body = body_of(arm, c), *at = arm->joint[body].at;
        coordinate to = {.position = outer(r, arm->row[FA_ARM_POSITION] + c),
                         .velocity = outer(r, arm->row[FA_ARM_VELOCITY] + c),
                         .acceleration = outer(r, arm->row[FA_ARM_ACCELERATION] + c),
                         .effort = outer(r, at[FA_ARM_TORQUE]),
                         .axis = FA_NOBODY,
                         .body = body};
        to.is_state = to.position != FA_NO_ROW && fa_state_role(r->state, to.position) == FA_STATE;
        r->at[c] = to;
    }
    for (int k = 0; k < r->m->n_balls; k++) find_ball(r, &r->m->ball[k]);
}

// Sets speeds and currents of motors to zero, then closes the loops from this pose.
static fa_status settle(rest *r, fa_error *error)
{
    fa_state           *s = r->state;
    const fa_variables *table = &s->table;
    for (int c = 0; c < r->n; c++)
        if (r->at[c].is_state) s->value[r->at[c].velocity] = 0;
    fa_status status = fa_state_evaluate(s, FA_GROUP_ALL, error);
    for (int row = table->first[FA_STATE]; row < table->first[FA_STATE + 1]; row++) {
        if (table->row[row].quantity != FA_AT(motor.current) || status != FA_OK) continue;
        const int rate = table->row[row].derivative;
        memset(r->slope, 0, (size_t)table->n * sizeof *r->slope);
        r->slope[row] = 1;
        status = s->plant->tangent(s->self, s->value, r->slope, FA_GROUP_DERIVATIVES, error);
        if (status == FA_OK) s->value[row] -= s->value[rate] / r->slope[rate];
    }
    if (status == FA_OK) status = fa_state_evaluate(s, FA_GROUP_ALL, error);
    bool moved;
    if (status == FA_OK && s->plant->accept)
        status = s->plant->accept(s->self, s->value, &moved, error);
    return status;
}

static fa_status enter(fa_state *state, rest *r, fa_error *error)
{
    *r = (rest){.state = state, .m = state->self};
    r->n = r->m->arm->chain.n_coordinates;
    r->at = calloc((size_t)r->n + 1, sizeof *r->at);
    r->free = calloc((size_t)r->n + 1, sizeof *r->free);
    r->slope = calloc((size_t)state->table.n, sizeof *r->slope);
    r->missing = calloc((size_t)r->n + 1, sizeof *r->missing);
    if (!r->at || !r->free || !r->slope || !r->missing)
        return fa_fail(error, FA_NO_MEMORY, state->source, FA_NOWHERE,
                       "there is not enough memory to look for an equilibrium");
    find_coordinates(r);
    const fa_status status = settle(r, error);
    const bool     *held = r->m->arm->chain.held;
    for (int c = 0; c < r->n; c++)
        if (r->at[c].is_state && !(held && held[c])) r->free[r->n_free++] = c;
    return status;
}

// ----------------------------------------------------------------------------------------- torques

// Computes a row of G: the derivatives of coordinate c by the free coordinates.
static void lever(const rest *r, int c, double unit[], double row[])
{
    const struct fa_mechanism_loops *x = r->m->loops;
    for (int i = 0; i < r->n_free; i++) {
        unit[r->free[i]] = 1;
        row[i] = x ? fa_loops_combine(x->loops, c, unit, &x->work) : unit[c];
        unit[r->free[i]] = 0;
    }
}

// Zeroes the drives: servos hold the pose with empty integrators, motors have no voltage.
static void relax_drives(const rest *r)
{
    for (int c = 0; c < r->n; c++) {
        const fa_arm_joint  *joint = joint_of(r, c);
        const fa_servo_rows *rows = (const void *)(joint->at + FA_AT(servo));
        double              *value = r->state->value;
        const int            current = outer(r, joint->at[FA_AT(motor.current)]);
        if (joint->motor.present && r->at[c].effort != FA_NO_ROW) {
            value[r->at[c].effort] = 0;
            if (current != FA_NO_ROW) value[current] = 0;
        }
        if (!joint->servo.present) continue;
        const double q = r->m->value[joint->at[FA_ARM_POSITION]];
        const double weight = joint->servo.compensates ? r->m->arm->weight.effort[c] : 0;
        const struct {
            int    row;
            double to;
        } put[] = {{rows->target, q},   {rows->reference, q}, {rows->target_velocity, 0},
                   {rows->integral, 0}, {rows->effort, 0},    {rows->feedforward, -weight}};
        for (size_t i = 0; i < sizeof put / sizeof *put; i++)
            if (outer(r, put[i].row) != FA_NO_ROW) value[outer(r, put[i].row)] = put[i].to;
    }
}

// Computes the efforts that are missing at the free coordinates.
static fa_status find_missing(const rest *r, double missing[], fa_error *error)
{
    fa_arm       *arm = r->m->arm;
    fa_chain      still = arm->chain;
    const size_t  n = (size_t)r->n;
    double       *zero = calloc(2 * n + 1, sizeof *zero), *all = zero + n;
    void         *work = malloc(fa_newton_euler_inverse_work_size(&still) + 1);
    fa_status     status = zero && work ? FA_OK : FA_NO_MEMORY;
    const double *q = r->m->value + arm->row[FA_ARM_POSITION];
    still.gravity = vec3(0, 0, 0);
    still.base_moves = false;
    if (status == FA_OK)
        status = fa_newton_euler_inverse(
            &still, q, zero, r->m->value + arm->row[FA_ARM_ACCELERATION], NULL, all, work);
    for (int i = 0; i < r->n_free && status == FA_OK; i++) missing[i] = 0;
    double *row = calloc((size_t)r->n_free + 1, sizeof *row);
    if (!row) status = FA_NO_MEMORY;
    for (int c = 0; c < r->n && status == FA_OK; c++) {
        lever(r, c, zero, row);
        for (int i = 0; i < r->n_free; i++) missing[i] -= row[i] * all[c];
    }
    free(row);
    free(work);
    free(zero);
    return fa_explain(error, status, NULL);
}

// Distributes efforts over the driven coordinates by least squares: G_D (G_D^T G_D)^-1 missing.
// *reached is false if they do not reach every free coordinate.
static fa_status share(const rest *r, const bool driven[], const double missing[], double effort[],
                       bool *reached)
{
    const size_t n = (size_t)r->n_free;
    double      *normal = calloc(n * n + 2 * n + (size_t)r->n + 1, sizeof *normal);
    if (!normal) return FA_NO_MEMORY;
    double *row = normal + n * n, *x = row + n, *unit = x + n, most = 0;
    for (int c = 0; c < r->n; c++) {
        if (!driven[c]) continue;
        lever(r, c, unit, row);
        for (size_t i = 0; i < n; i++)
            for (size_t j = 0; j < n; j++) normal[i * n + j] += row[i] * row[j];
    }
    memcpy(x, missing, n * sizeof *x);
    for (size_t i = 0; i < n; i++) most = fmax(most, normal[i * n + i]);
    *reached = most > 0 && fa_cholesky_factor((int)n, normal) == FA_OK;
    // a smaller diagonal is rounding: no drive acts in this direction
    for (size_t i = 0; i < n && *reached; i++)
        *reached = normal[i * n + i] * normal[i * n + i] > 1e-10 * most;
    if (*reached) fa_cholesky_solve((int)n, normal, x);
    for (int c = 0; c < r->n && *reached; c++) {
        effort[c] = 0;
        if (!driven[c]) continue;
        lever(r, c, unit, row);
        for (size_t i = 0; i < n; i++) effort[c] += row[i] * x[i];
    }
    free(normal);
    return FA_OK;
}

// Computes the derivative of one row by another.
static fa_status change_of(const rest *r, int row, int with, double *change, fa_error *error)
{
    fa_state *s = r->state;
    memset(r->slope, 0, (size_t)s->table.n * sizeof *r->slope);
    r->slope[with] = 1;
    const fa_status status = s->plant->tangent(s->self, s->value, r->slope, FA_GROUP_ALL, error);
    *change = r->slope[row];
    return status;
}

// Sets the motor's voltage for the wanted torque. At rest the torque is proportional to voltage and
// current, which are both zero here, as long as the amplifier does not saturate.
static fa_status excite(const rest *r, int c, double effort, fa_error *error)
{
    fa_state           *s = r->state;
    const fa_arm_joint *joint = joint_of(r, c);
    const int           torque = outer(r, joint->at[FA_AT(motor.torque)]);
    const int           current = outer(r, joint->at[FA_AT(motor.current)]);
    const int           voltage = r->at[c].effort;
    fa_status           status = fa_state_evaluate(s, FA_GROUP_ALL, error);
    double              by = 1, change = 1, lost = 1;
    if (current == FA_NO_ROW) {
        if (status == FA_OK) status = change_of(r, torque, voltage, &by, error);
        if (status == FA_OK) s->value[voltage] = effort / by;
    } else { // a state: its derivative has to be zero
        const int rate = s->table.row[current].derivative;
        if (status == FA_OK) status = change_of(r, torque, current, &by, error);
        if (status == FA_OK) status = change_of(r, rate, current, &lost, error);
        if (status == FA_OK) status = change_of(r, rate, voltage, &change, error);
        if (status == FA_OK) s->value[current] = effort / by;
        if (status == FA_OK) s->value[voltage] = -lost / change * s->value[current];
    }
    if (status == FA_OK) status = fa_state_evaluate(s, FA_GROUP_ALL, error);
    if (status != FA_OK) return status;
    const double missing = current == FA_NO_ROW
                               ? effort - s->value[torque]
                               : s->value[s->table.row[current].derivative] / lost * by;
    if (fabs(missing) <= 1e-9 * fabs(effort)) return FA_OK; // rounding of five operations
    return fa_fail(error, FA_SINGULAR, s->source, FA_NOWHERE,
                   "the motor of joint '%s' would need %s V to hold this pose, which is more than "
                   "its amplifier gives; start in another pose",
                   joint->given.name, fa_number_text(s->value[voltage]).text);
}

static fa_status push(const rest *r, int c, double effort, fa_error *error)
{
    const fa_arm_joint  *joint = joint_of(r, c);
    const fa_servo_rows *rows = (const void *)(joint->at + FA_AT(servo));
    double              *value = r->state->value;
    if (joint->motor.present && r->at[c].effort != FA_NO_ROW) return excite(r, c, effort, error);
    if (!joint->servo.present) {
        if (r->at[c].effort != FA_NO_ROW) value[r->at[c].effort] += effort;
        return FA_OK;
    }
    if (fabs(effort) > joint->servo.torque_limit)
        return fa_fail(
            error, FA_SINGULAR, r->state->source, FA_NOWHERE,
            "the servo of joint '%s' would need %s N m, or N, to hold this pose, and its "
            "limit is %s; start in another pose",
            joint->given.name, fa_number_text(effort).text,
            fa_number_text(joint->servo.torque_limit).text);
    if (outer(r, rows->feedforward) != FA_NO_ROW) value[outer(r, rows->feedforward)] += effort;
    if (outer(r, rows->effort) != FA_NO_ROW) value[outer(r, rows->effort)] = effort;
    return FA_OK;
}

// Applies the efforts: at the drives if there are loops and drives; otherwise at the free
// coordinates.
static fa_status hold(const rest *r, const double missing[], fa_error *error)
{
    const size_t n = (size_t)r->n;
    double      *effort = calloc(n + 1, sizeof *effort);
    bool        *driven = calloc(n + 1, sizeof *driven);
    fa_status    status = effort && driven ? FA_OK : fa_explain(error, FA_NO_MEMORY, NULL);
    for (int c = 0; c < r->n && status == FA_OK; c++)
        driven[c] = joint_of(r, c)->servo.present || joint_of(r, c)->motor.present;
    bool reached = false;
    if (status == FA_OK && r->m->loops)
        status = fa_explain(error, share(r, driven, missing, effort, &reached), NULL);
    if (status == FA_OK && !reached) {
        memset(driven, 0, n * sizeof *driven);
        for (int i = 0; i < r->n_free; i++) {
            driven[r->free[i]] = true;
            effort[r->free[i]] = missing[i];
        }
    }
    if (status == FA_OK) fa_mechanism_turn_efforts(r->m, 1, effort);
    for (int c = 0; c < r->n && status == FA_OK; c++)
        if (driven[c]) status = push(r, c, effort[c], error);
    free(effort);
    free(driven);
    return status;
}

fa_status fa_mechanism_equilibrium_torques(fa_state *state, fa_error *error)
{
    rest      r;
    fa_status status = enter(state, &r, error);
    if (status == FA_OK) {
        relax_drives(&r);
        status = fa_state_evaluate(state, FA_GROUP_ALL, error);
    }
    if (status == FA_OK) status = find_missing(&r, r.missing, error);
    if (status == FA_OK) status = hold(&r, r.missing, error);
    leave(&r);
    return status;
}

// ------------------------------------------------------------------------------------------- poses

// Computes exp(d/2) q of three angles d, and its derivative by d.
static void turn(const double q[4], const double d[3], const double change[3], double to[4])
{
    const double angle = sqrt(d[0] * d[0] + d[1] * d[1] + d[2] * d[2]);
    const bool   small = angle < 1e-4; // sin(x)/x and its derivative by series
    const double s = small ? 0.5 - angle * angle / 48 : sin(angle / 2) / angle;
    double       p[4] = {cos(angle / 2), s * d[0], s * d[1], s * d[2]};
    if (change) {
        const double along = d[0] * change[0] + d[1] * change[1] + d[2] * change[2];
        const double by = small ? -1.0 / 24 : (cos(angle / 2) / 2 - s) / (angle * angle);
        p[0] = -s * along / 2;
        for (int i = 0; i < 3; i++) p[i + 1] = s * change[i] + by * along * d[i];
    }
    to[0] = p[0] * q[0] - p[1] * q[1] - p[2] * q[2] - p[3] * q[3];
    to[1] = p[0] * q[1] + p[1] * q[0] + p[2] * q[3] - p[3] * q[2];
    to[2] = p[0] * q[2] - p[1] * q[3] + p[2] * q[0] + p[3] * q[1];
    to[3] = p[0] * q[3] + p[1] * q[2] - p[2] * q[1] + p[3] * q[0];
}

// Writes x into the values. The three angles of a ball are adjacent among the free coordinates.
static void put(const rest *r, const double x[])
{
    for (int i = 0; i < r->n_free; i++) {
        const coordinate *at = &r->at[r->free[i]];
        double           *to = r->state->value + at->position;
        if (at->axis == FA_NOBODY)
            *to = x[i];
        else if (at->axis == 0)
            turn(at->start, x + i, NULL, to);
    }
}

static fa_status missing_at(void *context, const double x[], double missing[], fa_error *error)
{
    const rest *r = context;
    put(r, x);
    const fa_status status = fa_state_evaluate(r->state, FA_GROUP_DERIVATIVES, error);
    for (int i = 0; i < r->n_free && status == FA_OK; i++)
        missing[i] = r->state->value[r->at[r->free[i]].acceleration];
    return status;
}

static fa_status slopes_at(void *context, const double x[], double by_x[], fa_error *error)
{
    const rest *r = context;
    fa_state   *s = r->state;
    put(r, x);
    fa_status status = fa_state_evaluate(s, FA_GROUP_ALL, error);
    for (int i = 0; i < r->n_free && status == FA_OK; i++) {
        const coordinate *at = &r->at[r->free[i]];
        double            along[3] = {0, 0, 0};
        memset(r->slope, 0, (size_t)s->table.n * sizeof *r->slope);
        if (at->axis == FA_NOBODY) {
            r->slope[at->position] = 1;
        } else {
            along[at->axis] = 1;
            turn(at->start, x + i - at->axis, along, r->slope + at->position);
        }
        status = s->plant->tangent(s->self, s->value, r->slope, FA_GROUP_DERIVATIVES, error);
        for (int k = 0; k < r->n_free; k++)
            by_x[i * r->n_free + k] = r->slope[r->at[r->free[k]].acceleration];
    }
    return status;
}

static fa_status search(rest *r, fa_error *error)
{
    const size_t n = (size_t)r->n_free;
    double      *work = calloc(fa_nearest_root_work(r->n_free) + 4 * n + 1, sizeof *work);
    bool        *turns = calloc(n + 1, sizeof *turns);
    if (!work || !turns) {
        free(work);
        free(turns);
        return fa_fail(error, FA_NO_MEMORY, r->state->source, FA_NOWHERE,
                       "there is not enough memory to look for an equilibrium");
    }
    double *x = work, *lower = x + n, *upper = lower + n, least = 0, size = 1;
    for (size_t i = 0; i < n; i++) {
        const coordinate   *at = &r->at[r->free[i]];
        const fa_arm_joint *joint = joint_of(r, r->free[i]);
        const bool          ball = at->axis != FA_NOBODY;
        const bool          limited = !ball && joint->limit.lower < joint->limit.upper;
        const double        most = ball ? acos(-1.0) : INFINITY;
        x[i] = ball ? 0 : r->state->value[at->position];
        lower[i] = limited ? joint->limit.lower : -most;
        upper[i] = limited ? joint->limit.upper : most;
        turns[i] = !ball && fa_joint_turns(r->m->arm->body[at->body].joint);
        size += fabs(r->state->value[at->acceleration]);
    }
    const fa_roots roots = {.n = r->n_free,
                            .lower = lower,
                            .upper = upper,
                            .turns = turns,
                            .missing = missing_at,
                            .slopes = slopes_at,
                            .context = r,
                            .size = size};
    fa_status      status = fa_nearest_root(&roots, x, &least, upper + n, error);
    put(r, x);
    free(work);
    free(turns);
    if (status != FA_OK || least == 0) return status;
    return fa_fail(error, FA_SINGULAR, r->state->source, FA_NOWHERE,
                   "no pose near the given one is held by these torques within the limits of the "
                   "joints: where the search came nearest, the mechanism would start with %s "
                   "rad/s^2, or m/s^2; start elsewhere or give other torques",
                   fa_number_text(least).text);
}

fa_status fa_mechanism_equilibrium_pose(fa_state *state, fa_error *error)
{
    rest      r;
    fa_status status = enter(state, &r, error);
    if (status == FA_OK) status = search(&r, error);
    leave(&r);
    return status;
}
