// Runs a mechanism: maps what hosts give to the arm inside, and its results back.
#include "mechanism.h"

#include <math.h>
#include <string.h>

#include "arm_outputs.h"
#include "driven_joints.h"
#include "mechanism_loops.h"
#include "mechanism_matrices.h"
#include "number.h"

// ----------------------------------------------------------------------------------------- inwards

static double *inner_row(const fa_mechanism *m, double of[], const fa_mechanism_ball *ball,
                         fa_arm_quantity quantity)
{
    return of + m->arm->joint[ball->body].at[quantity]; // the three lie one behind the other
}

static void put(double to[], fa_vec3 v)
{
    to[0] = v.x;
    to[1] = v.y;
    to[2] = v.z;
}

static fa_vec3 get(const double from[])
{
    return vec3(from[0], from[1], from[2]);
}

// Turns the first of the ball's bodies to where the quaternion has it.
static void turn_body(fa_mechanism *m, const fa_mechanism_ball *ball)
{
    const double       *u = ball->now.unit;
    const fa_quaternion turn = {u[0], u[1], u[2], u[3]};
    m->arm->body[ball->body].home.E = mat3_mat3(ball->now.E, ball->origin);
    m->arm->joint[ball->body].home = fa_quaternion_mul(ball->home, turn);
    if (m->arm->outputs && m->arm->outputs->wanted & FA_EXTRA_REACTIONS)
        m->arm->outputs->parts.body[ball->link].home.E = mat3_mat3(ball->now.E, ball->link_origin);
}

void fa_mechanism_take_ball_rest(fa_mechanism *m, fa_mechanism_ball *ball, const double value[])
{
    const double zero[3] = {0, 0, 0};
    fa_ball     *now = &ball->now;
    now->torque = fa_ball_torque_in(now, value + ball->effort);
    now->acceleration = fa_ball_acceleration_in(now, value + ball->acceleration);
    turn_body(m, ball);
    memcpy(inner_row(m, m->value, ball, FA_ARM_POSITION), zero, sizeof zero);
    put(inner_row(m, m->value, ball, FA_ARM_VELOCITY), now->rate);
    put(inner_row(m, m->value, ball, FA_ARM_TORQUE), now->torque);
    put(inner_row(m, m->value, ball, FA_ARM_ACCELERATION), now->acceleration);
}

// Returns true if rows of this span are results.
static bool is_calculated(const fa_mechanism_span *span)
{
    return span->group != 0;
}

// Returns true if loops determine the ball.
static bool is_dependent(const fa_mechanism *m, int ball)
{
    for (int i = 0; m->loops && i < m->loops->n_joints; i++)
        if (m->loops->joint[i].ball == ball) return m->loops->joint[i].dependent;
    return false;
}

// Copies the values into the arm inside: all but parameters, and valid results.
static fa_status take(fa_mechanism *m, const double value[], bool calculated, fa_error *error)
{
    for (int k = 0; k < m->n_spans; k++) {
        const fa_mechanism_span *span = &m->span[k];
        if (span->role == FA_PARAMETER || (!calculated && is_calculated(span))) continue;
        memcpy(m->value + span->inner, value + span->outer, (size_t)span->n * sizeof *value);
    }
    for (int k = 0; k < m->n_balls; k++) {
        fa_mechanism_ball *ball = &m->ball[k];
        if (is_dependent(m, k)) continue;
        fa_ball_place(&ball->now, value + ball->position, value + ball->velocity);
        fa_mechanism_take_ball_rest(m, ball, value);
    }
    // The fast method keeps the frames of bodies.
    if (m->n_balls > 0 && m->arm->fast) fa_fast_prepare(m->arm->fast, &m->arm->chain);
    // The same holds for a method chosen by name.
    if (m->n_balls > 0 && m->arm->ready.prepared)
        m->arm->ready = fa_method_ready(m->arm->ready.method, &m->arm->chain, m->arm->ready.work);
    m->arm->factored = false;
    return m->loops ? fa_mechanism_close(m, value, error) : FA_OK;
}

const double *fa_mechanism_take(fa_mechanism *mechanism, const double value[])
{
    (void)take(mechanism, value, true, NULL); // what fails here has failed before
    return mechanism->value;
}

void fa_mechanism_turn_efforts(const fa_mechanism *mechanism, int width, double effort[])
{
    for (int k = 0; k < mechanism->n_balls; k++) {
        const fa_mechanism_ball *ball = &mechanism->ball[k];
        double *x = effort + (size_t)mechanism->arm->body[ball->body].coordinate * (size_t)width;
        for (int i = 0; i < width; i++) {
            const fa_vec3 inside = vec3(x[i], x[width + i], x[2 * width + i]);
            const fa_vec3 outside = mat3_tmul(ball->now.E, inside);
            x[i] = outside.x;
            x[width + i] = outside.y;
            x[2 * width + i] = outside.z;
        }
    }
}

int fa_mechanism_outer_row(const fa_mechanism *mechanism, int inner)
{
    for (int k = 0; k < mechanism->n_spans; k++) {
        const fa_mechanism_span *span = &mechanism->span[k];
        if (inner >= span->inner && inner < span->inner + span->n)
            return span->outer + inner - span->inner;
    }
    return FA_NO_ROW;
}

static fa_status configure(void *self, const double value[], fa_error *error)
{
    fa_mechanism *m = self;
    for (int k = 0; k < m->n_balls; k++) {
        const fa_mechanism_ball *ball = &m->ball[k];
        if (ball->initial == FA_NO_ROW) continue;
        const double *q = value + ball->initial;
        const double  length = sqrt(q[0] * q[0] + q[1] * q[1] + q[2] * q[2] + q[3] * q[3]);
        if (!(length > 0) || isinf(length))
            return fa_fail(error, FA_BAD_INPUT, NULL, FA_NOWHERE,
                           "the initial quaternion of joint '%s' has no direction; 1 0 0 0 is no "
                           "rotation",
                           ball->name);
    }
    for (int k = 0; k < m->n_spans; k++) {
        const fa_mechanism_span *span = &m->span[k];
        if (is_calculated(span)) continue;
        memcpy(m->value + span->inner, value + span->outer, (size_t)span->n * sizeof *value);
    }
    for (int k = 0; k < m->n_frictions; k++) {
        const fa_mechanism_friction *friction = &m->friction[k];
        for (int i = 0; i < friction->n; i++)
            m->value[m->arm->joint[friction->body + i].at[FA_AT(friction.viscous)]] =
                value[friction->outer];
    }
    for (int k = 0; k < m->n_balls; k++)
        m->ball[k].now.viscous =
            m->value[m->arm->joint[m->ball[k].body].at[FA_AT(friction.viscous)]];
    if (m->loops) fa_mechanism_configure_loops(m, value);
    const fa_status status = m->plant->configure(m->arm, m->value, error);
    if (m->arm->fast) m->arm->fast->special = NULL; // which knows frames that stay
    return status;
}

// ---------------------------------------------------------------------------------------
// evaluation

// Copies the arm's results in these groups.
static void give(fa_mechanism *m, double value[], unsigned groups)
{
    for (int k = 0; k < m->n_spans; k++) {
        const fa_mechanism_span *span = &m->span[k];
        if (span->group & groups)
            memcpy(value + span->outer, m->value + span->inner, (size_t)span->n * sizeof *value);
    }
    for (int k = 0; k < m->n_balls && groups & FA_GROUP_DERIVATIVES; k++) {
        fa_mechanism_ball *ball = &m->ball[k];
        if (m->inverse) {
            ball->now.torque = get(inner_row(m, m->value, ball, FA_ARM_TORQUE));
            fa_ball_torque_out(&ball->now, ball->now.torque, value + ball->effort);
        } else {
            ball->now.acceleration = get(inner_row(m, m->value, ball, FA_ARM_ACCELERATION));
            fa_ball_acceleration_out(&ball->now, ball->now.acceleration,
                                     value + ball->acceleration);
            if (ball->rate != FA_NO_ROW) fa_ball_rate(&ball->now, value + ball->rate);
        }
    }
}

// A quaternion without a direction, which a host may set as a state.
static fa_status check_balls(const fa_mechanism *m, fa_error *error)
{
    for (int k = 0; k < m->n_balls; k++)
        if (!(m->ball[k].now.length > 0) || isinf(m->ball[k].now.length))
            return fa_fail(error, FA_NOT_FINITE, NULL, FA_NOWHERE,
                           "the quaternion of joint '%s' has no direction", m->ball[k].name);
    return FA_OK;
}

// Reads accelerations of balls back from their rows, rounded, even if both are computed together:
// the bits of a result do not depend on the groups that were asked for.
static fa_status follow_rows(fa_mechanism *m, unsigned groups, fa_error *error)
{
    const unsigned behind =
        groups & (FA_ARM_GROUP_ACCELERATION | FA_ARM_GROUP_REACTIONS | FA_ARM_GROUP_STICK);
    uint32_t fresh = ~behind;
    if (m->inverse || m->n_balls == 0 || behind == 0 || !(groups & FA_GROUP_DERIVATIVES))
        return FA_OK;
    for (int k = 0; k < m->n_balls; k++) {
        fa_mechanism_ball *ball = &m->ball[k];
        double            *row = inner_row(m, m->value, ball, FA_ARM_ACCELERATION), shown[3];
        ball->now.acceleration = get(row);
        fa_ball_acceleration_out(&ball->now, ball->now.acceleration, shown);
        put(row, fa_ball_acceleration_in(&ball->now, shown));
    }
    fa_status status = fa_plant_evaluate(m->plant, m->arm, m->value, behind, &fresh, error);
    for (int k = 0; k < m->n_balls; k++)
        put(inner_row(m, m->value, &m->ball[k], FA_ARM_ACCELERATION), m->ball[k].now.acceleration);
    return status;
}

static fa_status evaluate(void *self, double value[], unsigned groups, fa_error *error)
{
    fa_mechanism *m = self;
    fa_status     status = take(m, value, !(groups & FA_GROUP_DERIVATIVES), error);
    if (status == FA_OK) status = check_balls(m, error);
    uint32_t fresh = ~groups; // prerequisites are valid in the values
    if (status == FA_OK)
        status = fa_plant_evaluate(m->plant, m->arm, m->value, groups, &fresh, error);
    if (status == FA_OK) status = follow_rows(m, groups, error);
    if (status == FA_OK && m->loops) status = fa_mechanism_give_loops(m, value, groups, error);
    if (status != FA_OK) return status;
    give(m, value, groups);
    fa_mechanism_give_matrices(m, value, groups);
    return status;
}

// ------------------------------------------------------------------------------------ derivatives

// The powers that a ball's friction is booked with (ball.h): with the drives, and as friction.
static double *powers_of(const fa_mechanism *m, unsigned groups)
{
    return groups & m->arm->powers ? m->change + m->arm->row[FA_ARM_POWER] : NULL;
}

static void step_in(fa_mechanism *m, const fa_mechanism_ball *ball, const double direction[],
                    double y[FA_BALL_INNER])
{
    double x[FA_BALL_GIVEN] = {0};
    memcpy(x, direction + ball->position, 4 * sizeof *x);
    memcpy(x + 4, direction + ball->velocity, 3 * sizeof *x);
    if (m->inverse)
        memcpy(x + 10, direction + ball->acceleration, 3 * sizeof *x);
    else
        memcpy(x + 7, direction + ball->effort, 3 * sizeof *x);
    fa_ball_step_in(&ball->now, m->inverse, x, y);
    memcpy(inner_row(m, m->change, ball, FA_ARM_POSITION), y, 3 * sizeof *y);
    memcpy(inner_row(m, m->change, ball, FA_ARM_VELOCITY), y + 3, 3 * sizeof *y);
    if (m->inverse)
        memcpy(inner_row(m, m->change, ball, FA_ARM_ACCELERATION), y + 9, 3 * sizeof *y);
    else
        memcpy(inner_row(m, m->change, ball, FA_ARM_TORQUE), y + 6, 3 * sizeof *y);
}

// Where an inverse with loops shares efforts among its drives, friction has to have changed with
// the turns of balls before; of a tree it does so after, in fa_ball_step_out.
static bool shares_friction(const fa_mechanism *m)
{
    return m->inverse && m->loops;
}

static void step_friction(fa_mechanism *m, const fa_mechanism_ball *ball)
{
    const double *q = m->change + m->arm->row[FA_ARM_POSITION];
    const double *d = inner_row(m, m->change, ball, FA_ARM_POSITION);
    put(m->loops->turned + (d - q), fa_ball_friction_tangent(&ball->now, get(d)));
}

static void step_out(fa_mechanism *m, const fa_mechanism_ball *ball, double direction[],
                     unsigned groups)
{
    double  x[FA_BALL_GIVEN] = {0}, y[FA_BALL_INNER], out[FA_BALL_RESULTS];
    double *power = powers_of(m, groups);
    memcpy(y, inner_row(m, m->change, ball, FA_ARM_POSITION), 3 * sizeof *y);
    memcpy(y + 3, inner_row(m, m->change, ball, FA_ARM_VELOCITY), 3 * sizeof *y);
    memcpy(y + 6, inner_row(m, m->change, ball, FA_ARM_TORQUE), 3 * sizeof *y);
    memcpy(y + 9, inner_row(m, m->change, ball, FA_ARM_ACCELERATION), 3 * sizeof *y);
    if (shares_friction(m))
        put(y + 6, vec3_add(get(y + 6), fa_ball_friction_tangent(&ball->now, get(y))));
    fa_ball_step_out(&ball->now, m->inverse, y, out);
    if (power) {
        power[FA_ARM_BY_ACTUATORS] -= out[3];
        power[FA_ARM_FRICTION] -= out[3];
    }
    if (!(groups & FA_GROUP_DERIVATIVES)) return;
    memcpy(direction + (m->inverse ? ball->effort : ball->acceleration), out, 3 * sizeof *out);
    if (m->inverse || ball->rate == FA_NO_ROW) return;
    memcpy(x, direction + ball->position, 4 * sizeof *x);
    memcpy(x + 4, direction + ball->velocity, 3 * sizeof *x);
    fa_ball_rate_tangent(&ball->now, x, direction + ball->rate);
}

// A ball that loops determine has only its torque as an input.
static void step_effort(fa_mechanism *m, const fa_mechanism_ball *ball, const double direction[])
{
    const fa_vec3 d = get(inner_row(m, m->change, ball, FA_ARM_POSITION));
    put(inner_row(m, m->change, ball, FA_ARM_TORQUE),
        fa_ball_effort_tangent(&ball->now, d, direction + ball->effort));
}

static fa_status tangent(void *self, const double value[], double direction[], unsigned groups,
                         fa_error *error)
{
    fa_mechanism *m = self;
    double        y[FA_BALL_INNER];
    fa_status     status = take(m, value, true, error);
    if (status != FA_OK) return status;
    memset(m->change, 0, (size_t)m->n_rows * sizeof *m->change);
    for (int k = 0; k < m->n_spans; k++) {
        const fa_mechanism_span *span = &m->span[k];
        if (!is_calculated(span))
            memcpy(m->change + span->inner, direction + span->outer,
                   (size_t)span->n * sizeof *direction);
    }
    for (int k = 0; k < m->n_frictions; k++) {
        const fa_mechanism_friction *friction = &m->friction[k];
        for (int i = 0; i < friction->n; i++)
            m->change[m->arm->joint[friction->body + i].at[FA_AT(friction.viscous)]] =
                direction[friction->outer];
    }
    for (int k = 0; k < m->n_balls; k++)
        if (!is_dependent(m, k)) step_in(m, &m->ball[k], direction, y);
    if (m->loops) {
        fa_arm_advance_tangents(m->arm, m->change);
        status = fa_mechanism_step_loops(m, error);
        fa_arm_advance_tangents(m->arm, NULL);
    }
    if (status != FA_OK) return status;
    for (int k = 0; k < m->n_balls; k++)
        if (is_dependent(m, k) && !m->inverse) step_effort(m, &m->ball[k], direction);
    for (int k = 0; k < m->n_balls && shares_friction(m); k++) step_friction(m, &m->ball[k]);
    if (groups & FA_MECHANISM_MATRICES) { // their tangents use it
        uint32_t fresh = ~(uint32_t)FA_MECHANISM_MATRICES;
        status = fa_plant_evaluate(m->plant, m->arm, m->value, groups & FA_MECHANISM_MATRICES,
                                   &fresh, error);
        if (status != FA_OK) return status;
    }
    // Results of balls are mapped back with the tangents of their accelerations.
    status = m->plant->tangent(m->arm, m->value, m->change, groups | FA_GROUP_DERIVATIVES, error);
    if (status != FA_OK) return status;
    for (int k = 0; k < m->n_balls; k++) step_out(m, &m->ball[k], direction, groups);
    fa_arm_advance_tangents(m->arm, m->change);
    if (m->loops) fa_mechanism_give_loop_tangents(m, direction, groups);
    fa_mechanism_give_matrix_tangents(m, direction, groups);
    fa_arm_advance_tangents(m->arm, NULL);
    for (int k = 0; k < m->n_spans; k++) {
        const fa_mechanism_span *span = &m->span[k];
        if (span->group & groups)
            memcpy(direction + span->outer, m->change + span->inner,
                   (size_t)span->n * sizeof *direction);
    }
    return FA_OK;
}

static void add(double to[], const double from[], int n)
{
    for (int i = 0; i < n; i++) to[i] += from[i];
}

// From adjoints by what a ball gives to adjoints by what the arm has found. What goes past the arm
// stays in y.
static void slope_out(fa_mechanism *m, const fa_mechanism_ball *ball, const double adjoint[],
                      unsigned groups, double y[FA_BALL_INNER])
{
    const double *power = powers_of(m, groups);
    double        out[FA_BALL_RESULTS] = {0};
    if (groups & FA_GROUP_DERIVATIVES)
        memcpy(out, adjoint + (m->inverse ? ball->effort : ball->acceleration), 3 * sizeof *out);
    if (power) out[3] = -power[FA_ARM_BY_ACTUATORS] - power[FA_ARM_FRICTION];
    fa_ball_slope_out(&ball->now, m->inverse, out, y);
    if (m->inverse)
        add(inner_row(m, m->change, ball, FA_ARM_TORQUE), y + 6, 3);
    else
        add(inner_row(m, m->change, ball, FA_ARM_ACCELERATION), y + 9, 3);
}

static void slope_in(fa_mechanism *m, const fa_mechanism_ball *ball, double adjoint[],
                     unsigned groups, double y[FA_BALL_INNER])
{
    double x[FA_BALL_GIVEN] = {0};
    add(y, inner_row(m, m->change, ball, FA_ARM_POSITION), 3);
    add(y + 3, inner_row(m, m->change, ball, FA_ARM_VELOCITY), 3);
    for (int i = 6; i < FA_BALL_INNER; i++) y[i] = 0;
    if (m->inverse)
        add(y + 9, inner_row(m, m->change, ball, FA_ARM_ACCELERATION), 3);
    else
        add(y + 6, inner_row(m, m->change, ball, FA_ARM_TORQUE), 3);
    fa_ball_slope_in(&ball->now, m->inverse, y, x);
    if (!m->inverse && groups & FA_GROUP_DERIVATIVES)
        fa_ball_rate_adjoint(&ball->now, adjoint + ball->rate, x);
    add(adjoint + ball->position, x, 4);
    add(adjoint + ball->velocity, x + 4, 3);
    if (m->inverse)
        add(adjoint + ball->acceleration, x + 10, 3);
    else
        add(adjoint + ball->effort, x + 7, 3);
}

// The transpose of step_effort; what goes past the arm is added to it.
static void slope_effort(fa_mechanism *m, const fa_mechanism_ball *ball, double adjoint[],
                         const double past[])
{
    double       *q = inner_row(m, m->change, ball, FA_ARM_POSITION);
    double       *qd = inner_row(m, m->change, ball, FA_ARM_VELOCITY);
    double       *effort = inner_row(m, m->change, ball, FA_ARM_TORQUE);
    const fa_vec3 s = {effort[0] + past[6], effort[1] + past[7], effort[2] + past[8]};
    add(q, past, 3);
    add(qd, past + 3, 3);
    fa_ball_effort_adjoint(&ball->now, s, q, adjoint + ball->effort);
}

// Adjoints of rows that few ask them of, from tangents: one for each row that they may depend on.
static fa_status adjoint_by_tangents(fa_mechanism *m, const double value[], double adjoint[],
                                     int first, int end, unsigned groups, fa_error *error)
{
    double *direction = m->direction;
    bool    any = false;
    for (int row = first; row < end; row++) any |= adjoint[row] != 0;
    for (int known = 0; any && known < m->n_known; known++) {
        memset(direction, 0, (size_t)m->n_outer * sizeof *direction);
        direction[known] = 1;
        const fa_status status = tangent(m, value, direction, groups, error);
        if (status != FA_OK) return status;
        for (int row = first; row < end; row++)
            if (adjoint[row] != 0) adjoint[known] += adjoint[row] * direction[row];
    }
    return FA_OK;
}

static fa_status adjoint_of_matrices(fa_mechanism *m, const double value[], double adjoint[],
                                     unsigned groups, fa_error *error)
{
    const int n = m->n_columns, jacobian = m->jacobian_row, mass = m->mass_row;
    fa_status status = FA_OK;
    if (n > 0 && jacobian != FA_NO_ROW && groups & FA_ARM_GROUP_JACOBIAN)
        status = adjoint_by_tangents(m, value, adjoint, jacobian, jacobian + 6 * n,
                                     FA_ARM_GROUP_JACOBIAN, error);
    if (status == FA_OK && n > 0 && mass != FA_NO_ROW && groups & FA_ARM_GROUP_MASS_MATRIX)
        status = adjoint_by_tangents(m, value, adjoint, mass, mass + n * n,
                                     FA_ARM_GROUP_MASS_MATRIX, error);
    return status;
}

static fa_status adjoint(void *self, const double value[], double adjoint[], unsigned groups,
                         fa_error *error)
{
    fa_mechanism *m = self;
    if (m->loops && m->inverse)
        return adjoint_by_tangents(m, value, adjoint, m->n_known, m->n_outer, groups, error);
    if (m->loops && m->loops->has_forces && groups & FA_ARM_GROUP_REACTIONS) {
        const int       first = m->loops->first_force, end = first + m->loops->n_forces;
        const fa_status forces =
            adjoint_by_tangents(m, value, adjoint, first, end, FA_ARM_GROUP_REACTIONS, error);
        if (forces != FA_OK) return forces;
    }
    const fa_status matrices = adjoint_of_matrices(m, value, adjoint, groups, error);
    if (matrices != FA_OK) return matrices;
    fa_status status = take(m, value, true, error);
    if (status != FA_OK) return status;
    memset(m->change, 0, (size_t)m->n_rows * sizeof *m->change);
    for (int k = 0; k < m->n_spans; k++) {
        const fa_mechanism_span *span = &m->span[k];
        if (span->group & groups)
            memcpy(m->change + span->inner, adjoint + span->outer,
                   (size_t)span->n * sizeof *adjoint);
    }
    for (int k = 0; k < m->n_balls; k++) {
        fa_mechanism_ball *ball = &m->ball[k];
        memset(ball->past, 0, sizeof ball->past);
        slope_out(m, ball, adjoint, groups, ball->past);
    }
    if (m->loops) fa_mechanism_take_loop_adjoints(m, adjoint, groups);
    status = m->plant->adjoint(m->arm, m->value, m->change, groups, error);
    if (status != FA_OK) return status;
    for (int k = 0; k < m->n_balls; k++)
        if (is_dependent(m, k)) slope_effort(m, &m->ball[k], adjoint, m->ball[k].past);
    if (m->loops) status = fa_mechanism_slope_loops(m, adjoint, groups, error);
    if (status != FA_OK) return status;
    for (int k = 0; k < m->n_balls; k++)
        if (!is_dependent(m, k)) slope_in(m, &m->ball[k], adjoint, groups, m->ball[k].past);
    for (int k = 0; k < m->n_spans; k++) {
        const fa_mechanism_span *span = &m->span[k];
        if (!is_calculated(span)) add(adjoint + span->outer, m->change + span->inner, span->n);
    }
    for (int k = 0; k < m->n_frictions; k++) {
        const fa_mechanism_friction *friction = &m->friction[k];
        for (int i = 0; i < friction->n; i++)
            adjoint[friction->outer] +=
                m->change[m->arm->joint[friction->body + i].at[FA_AT(friction.viscous)]];
    }
    return FA_OK;
}

// ----------------------------------------------------------------------------------------- events

// A run begins with quaternions of length 1.
static void normalise(const fa_mechanism *m, double value[], fa_event *event)
{
    for (int k = 0; k < m->n_balls; k++) {
        double *p = value + m->ball[k].position;
        event->states_changed |= memcmp(p, m->ball[k].now.unit, 4 * sizeof *p) != 0;
        memcpy(p, m->ball[k].now.unit, 4 * sizeof *p);
    }
}

static fa_status update(void *self, double value[], fa_event *event, fa_error *error)
{
    fa_mechanism *m = self;
    const bool    initial = event->initial;
    fa_status     status = take(m, value, true, error);
    if (status == FA_OK) status = check_balls(m, error);
    if (status == FA_OK) status = m->plant->event(m->arm, m->value, event, error);
    if (status != FA_OK) return status;
    for (int k = 0; k < m->n_spans; k++) {
        const fa_mechanism_span *span = &m->span[k];
        if (span->role >= FA_STATE && span->role != FA_TIME && !is_calculated(span))
            memcpy(value + span->outer, m->value + span->inner, (size_t)span->n * sizeof *value);
    }
    for (int k = 0; k < m->n_balls && event->states_changed; k++)
        fa_ball_velocity_out(&m->ball[k].now,
                             get(inner_row(m, m->value, &m->ball[k], FA_ARM_VELOCITY)),
                             value + m->ball[k].velocity);
    if (initial) normalise(m, value, event);
    if (!m->loops) return FA_OK;
    fa_mechanism_keep(m, value);
    return fa_mechanism_watch(m, value, initial, error);
}

// A step was accepted here: closing goes on from here.
static fa_status accept(void *self, double value[], bool *moved, fa_error *error)
{
    fa_mechanism *m = self;
    if (!m->loops) return FA_OK;
    fa_status status = take(m, value, true, error);
    *moved = true;
    if (status != FA_OK) return status;
    status = fa_mechanism_watch(m, value, false, error);
    if (status == FA_OK) fa_mechanism_keep(m, value);
    return status;
}

static const char *warning(void *self)
{
    fa_mechanism *m = self;
    if (!m->loops || !m->loops->is_new) return NULL;
    m->loops->is_new = false;
    return m->loops->sentence;
}

const fa_plant fa_mechanism_plant = {
    .name = "mechanism",
    .about = "an arm with joints of several freedoms, such as a free base",
    .needs = fa_arm_needs,
    .declare = fa_arm_declare,
    .depends = fa_arm_depends,
    .size = fa_mechanism_size,
    .prepare = fa_mechanism_prepare,
    .configure = configure,
    .evaluate = evaluate,
    .tangent = tangent,
    .adjoint = adjoint,
    .event = update,
    .accept = accept,
    .warning = warning,
};

static fa_status declare_inverse(const fa_robot *robot, fa_variables *variables, fa_error *error)
{
    const fa_status status = fa_driven_joints_check(robot, error);
    return status == FA_OK ? fa_inverse_declare(robot, variables, error) : status;
}

const fa_plant fa_inverse_mechanism_plant = {
    .name = "inverse-mechanism",
    .about = "the same, the other way round: motion in, forces and torques out",
    .needs = fa_inverse_needs,
    .declare = declare_inverse,
    .depends = fa_arm_depends,
    .size = fa_mechanism_size,
    .prepare = fa_inverse_mechanism_prepare,
    .configure = configure,
    .evaluate = evaluate,
    .tangent = tangent,
    .adjoint = adjoint,
};
