// Forces of cylinders on an arm: geometry, laws, joint torques.
#include <math.h>
#include <string.h>

#include "arm.h"
#include "number.h"

void fa_arm_cylinders_lay_out(fa_arena *arena, fa_arm_cylinders *to, int n, size_t bodies,
                              size_t coordinates, bool screws)
{
    const size_t count = (size_t)n;
    if (n == 0) return;
    to->of = fa_arena_take(arena, count, sizeof *to->of);
    to->axis = fa_arena_take(arena, 1, sizeof *to->axis);
    to->work.motion = fa_arena_take(arena, bodies, sizeof *to->work.motion);
    to->work.adjoint = fa_arena_take(arena, bodies, sizeof *to->work.adjoint);
    to->work.advance = screws ? fa_arena_take(arena, bodies, sizeof *to->work.advance) : NULL;
    to->product = fa_arena_take(arena, coordinates, sizeof *to->product);
    to->unit = fa_arena_take(arena, coordinates, sizeof *to->unit);
    to->member = fa_arena_take(arena, count + coordinates, sizeof *to->member);
    to->number =
        fa_arena_take(arena, fa_arm_cylinders_need_numbers(count, coordinates), sizeof *to->number);
    double *lever = fa_arena_take(arena, count * coordinates, sizeof *lever);
    double *turn = fa_arena_take(arena, count * coordinates, sizeof *turn);
    int    *row = fa_arena_take(arena, count * coordinates, sizeof *row);
    if (!arena->base) return;
    to->n = n;
    for (int k = 0; k < n; k++) {
        to->of[k].lever = lever + (size_t)k * coordinates;
        to->of[k].turn = turn + (size_t)k * coordinates;
        to->of[k].lever_row = row + (size_t)k * coordinates;
    }
}

static void find_row(fa_arm *arm, const fa_variable *v, int row, const int link_body[])
{
    fa_arm_cylinder *all = arm->cylinders.of;
    const int        slot = v->index % FA_AXIS_STRIDE, k = v->index / FA_AXIS_STRIDE;
    switch (v->quantity) {
    case FA_ARM_AXIS_GIVEN:
        all[k].at.given[slot] = row;
        // The supply is everybody's.
        for (int i = 0; i < arm->cylinders.n; i++)
            if (slot == FA_AXIS_SUPPLY || slot == FA_AXIS_TANK) all[i].at.given[slot] = row;
        break;
    case FA_ARM_AXIS_INITIAL:
        fa_axis_place_initial(&all[k].at, slot, row);
        break;
    case FA_ARM_AXIS_RESULT:
        all[k].result[slot] = row;
        break;
    case FA_ARM_CYLINDER_FORCE:
        all[v->index].force_row = row;
        break;
    case FA_ARM_CYLINDER_LENGTH:
        all[v->index].length_row = row;
        break;
    case FA_ARM_CYLINDER_RATE:
        all[v->index].rate_row = row;
        break;
    case FA_ARM_CYLINDER_LEVER:
        all[v->index % FA_CYLINDER_MAX]
            .lever_row[arm->body[link_body[v->index / FA_CYLINDER_MAX]].coordinate] = row;
        break;
    default:
        break;
    }
}

static fa_transform end_on(const fa_link *link, fa_vec3 point)
{
    return (fa_transform){link->frame.E, point_to_parent(link->frame, point)};
}

void fa_arm_cylinders_prepare(fa_arm *arm, const fa_robot *robot, const fa_variables *variables,
                              const int link_body[], const fa_transform link_frame[])
{
    for (int k = 0; k < arm->cylinders.n; k++) {
        const fa_cylinder *from = fa_robot_cylinder(robot, k);
        fa_arm_cylinder   *c = &arm->cylinders.of[k];
        c->reach = fa_reach_of(from, &arm->chain, link_body, link_frame);
        c->between = (fa_reach){.from = from->from,
                                .to = from->to,
                                .from_frame = end_on(&robot->link[from->from], from->from_point),
                                .to_frame = end_on(&robot->link[from->to], from->to_point)};
        c->parts = arm->inverse ? 0 : fa_cylinder_parts(from);
        c->force_row = c->length_row = c->rate_row = FA_NO_ROW;
        c->at = fa_axis_nowhere(from);
        for (int i = 0; i < FA_AXIS_RESULTS; i++) c->result[i] = FA_NO_ROW;
        for (int i = 0; i < arm->chain.n_coordinates; i++) c->lever_row[i] = FA_NO_ROW;
    }
    if (arm->cylinders.n == 0) return;
    for (int row = 0; row < variables->n; row++)
        find_row(arm, &variables->row[row], row, link_body);
    fa_arm_cylinders_join(arm);
}

// At the start, both chambers must contain oil. The stiffness of an end stop limits how deep the
// piston may be; a chamber without volume has no pressure.
static fa_status check_start(const fa_arm *arm, const fa_arm_cylinder *c, const double value[],
                             fa_error *error)
{
    const fa_chain still = fa_arm_still(arm);
    double         number[FA_CYLINDER_NUMBERS] = {0}, length, *q = c->turn;
    for (int i = 0; i < FA_CYLINDER_NUMBERS; i++)
        if (c->at.given[i] != FA_NO_ROW) number[i] = value[c->at.given[i]];
    for (int i = 0; i < arm->chain.n; i++)
        if (arm->joint[i].at[FA_ARM_INITIAL_POSITION] != FA_NO_ROW)
            q[arm->body[i].coordinate] = value[arm->joint[i].at[FA_ARM_INITIAL_POSITION]];
    if (fa_reach_length(&c->reach, &still, q, &length, c->lever, arm->cylinders.work) != FA_OK)
        return FA_OK; // the first evaluation says why
    const double closed = number[FA_CYLINDER_closed_length], stroke = number[FA_CYLINDER_stroke];
    if (fa_cylinder_holds_oil(number, length - closed)) return FA_OK;
    return fa_fail(error, FA_BAD_INPUT, NULL, FA_NOWHERE,
                   "cylinder '%s' is %s m long at the start, but it can only be %s to %s m long; "
                   "start elsewhere, or correct closed_length and stroke",
                   c->at.name, fa_number_text(length).text, fa_number_text(closed).text,
                   fa_number_text(closed + stroke).text);
}

fa_status fa_arm_cylinders_configure(const fa_arm *arm, const double value[], fa_error *error)
{
    for (int k = 0; k < arm->cylinders.n; k++) {
        const fa_arm_cylinder *c = &arm->cylinders.of[k];
        fa_status              status = fa_axis_configure(&c->at, value, error);
        if (status == FA_OK && c->parts & FA_PART_CHAMBERS)
            status = check_start(arm, c, value, error);
        if (status != FA_OK) return status;
    }
    return FA_OK;
}

// -------------------------------------------------------------------------------------- evaluation

static double product(const fa_arm *arm, const double a[], const double b[])
{
    double sum = 0;
    for (int i = 0; i < arm->chain.n_coordinates; i++) sum += a[i] * b[i];
    return sum;
}

// Joints that carry both ends do not change the length, but for rounding.
static void drop_rounding(const fa_arm *arm, const fa_arm_cylinder *c, double by[])
{
    for (int i = 0; i < arm->chain.n_coordinates; i++)
        if (c->lever_row[i] == FA_NO_ROW) by[i] = 0;
}

void fa_arm_cylinder_record(const fa_arm *arm, const fa_arm_cylinder *c, const double value[])
{
    double given[FA_AXIS_GIVEN];
    for (int i = 0; i < FA_AXIS_GIVEN; i++)
        given[i] = c->at.given[i] == FA_NO_ROW ? 0 : value[c->at.given[i]];
    given[FA_AXIS_LENGTH] = c->length;
    given[FA_AXIS_VELOCITY] = c->rate;
    given[FA_AXIS_OTHERS_FLOW] = c->others_flow;
    fa_axis_evaluate(arm->cylinders.axis, c->parts, given);
}

fa_status fa_arm_cylinders_trace(fa_arm *arm, const double value[], fa_error *error)
{
    const double  *q = value + arm->row[FA_ARM_POSITION], *qd = value + arm->row[FA_ARM_VELOCITY];
    const fa_chain still = fa_arm_still(arm);
    for (int k = 0; k < arm->cylinders.n; k++) {
        fa_arm_cylinder *c = &arm->cylinders.of[k];
        fa_status        status =
            fa_reach_length(&c->reach, &still, q, &c->length, c->lever, arm->cylinders.work);
        if (status != FA_OK)
            return fa_fail(error, status, NULL, FA_NOWHERE,
                           c->reach.linkage
                               ? "a joint is where the four-bar linkage of its cylinder cannot be"
                               : "the two ends of a cylinder are at the same place");
        drop_rounding(arm, c, c->lever);
        c->rate = product(arm, c->lever, qd);
        c->others_flow = 0;
        if (c->parts) {
            fa_arm_cylinder_record(arm, c, value);
            memcpy(c->law, arm->cylinders.axis->result, sizeof c->law);
        } else {
            c->law[FA_AXIS_FORCE] = arm->inverse ? 0 : value[c->force_row];
        }
    }
    for (int k = 0; k < arm->cylinders.n; k++) { // a pump, when it is known what it feeds
        fa_arm_cylinder *c = &arm->cylinders.of[k];
        if (!(c->parts & FA_PART_PUMP)) continue;
        for (int i = 0; i < arm->cylinders.n; i++)
            if (i != k && arm->cylinders.of[i].parts & FA_PART_VALVE)
                c->others_flow += arm->cylinders.of[i].law[FA_AXIS_SUPPLY_FLOW];
        fa_arm_cylinder_record(arm, c, value);
        memcpy(c->law, arm->cylinders.axis->result, sizeof c->law);
    }
    return FA_OK;
}

void fa_arm_cylinders_push(const fa_arm *arm, double tau[], double power[])
{
    if (arm->inverse) return;
    for (int k = 0; k < arm->cylinders.n; k++) {
        const fa_arm_cylinder *c = &arm->cylinders.of[k];
        for (int i = 0; i < arm->chain.n_coordinates; i++)
            tau[i] += c->law[FA_AXIS_FORCE] * c->lever[i];
        if (!power) continue;
        power[FA_ARM_BY_ACTUATORS] +=
            c->law[c->parts ? FA_AXIS_OIL_FORCE : FA_AXIS_FORCE] * c->rate;
        if (!c->parts) continue;
        power[FA_ARM_FRICTION] += c->law[FA_AXIS_FRICTION] * c->rate;
        power[FA_ARM_STOPS] -= c->law[FA_AXIS_STOP] * c->rate;
    }
}

bool fa_arm_cylinders_switch(const fa_arm *arm, double value[])
{
    bool jumped = false;
    for (int k = 0; k < arm->cylinders.n; k++)
        jumped |= fa_axis_switch(&arm->cylinders.of[k].at, value);
    return jumped;
}

// ---------------------------------------------------------------------------------------- tangents

typedef struct cylinder_tangent {
    double length, rate;
    double law[FA_AXIS_RESULTS];
} cylinder_tangent;

const double *fa_arm_cylinder_curvature(const fa_arm *arm, const fa_arm_cylinder *c,
                                        const double value[], const double direction[])
{
    const fa_chain still = fa_arm_still(arm);
    fa_reach_curvature(&c->reach, &still, value + arm->row[FA_ARM_POSITION], direction,
                       arm->cylinders.product, arm->cylinders.work);
    drop_rounding(arm, c, arm->cylinders.product);
    return arm->cylinders.product;
}

// Returns a body's row of its pitch where the cylinder's length depends on it, or FA_NO_ROW.
static int pitch_row(const fa_arm *arm, const fa_arm_cylinder *c, int body)
{
    if (arm->body[body].joint != FA_SCREW || c->lever_row[arm->body[body].coordinate] == FA_NO_ROW)
        return FA_NO_ROW;
    return arm->joint[body].at[FA_ARM_PITCH];
}

static const double TURN = 2 * 3.14159265358979323846; // a pitch in advances

// Returns what the pitches of a direction change of what was found last.
static double pitch_tangent(const fa_arm *arm, const fa_arm_cylinder *c, const double direction[])
{
    double sum = 0;
    for (int i = 0; i < arm->chain.n && arm->chain.screws; i++) {
        const int row = pitch_row(arm, c, i);
        if (row != FA_NO_ROW) sum += arm->cylinders.work.advance[i] * direction[row] / TURN;
    }
    return sum;
}

void fa_arm_cylinder_pitch_adjoints(const fa_arm *arm, const fa_arm_cylinder *c, double weight,
                                    double adjoint[])
{
    for (int i = 0; i < arm->chain.n && arm->chain.screws; i++) {
        const int row = pitch_row(arm, c, i);
        if (row != FA_NO_ROW) adjoint[row] += weight * arm->cylinders.work.advance[i] / TURN;
    }
}

static bool moves_pitches(const fa_arm *arm, const fa_arm_cylinder *c, const double direction[])
{
    bool moves = false;
    for (int i = 0; i < arm->chain.n && arm->chain.screws; i++) {
        const int row = pitch_row(arm, c, i);
        moves |= row != FA_NO_ROW && direction[row] != 0;
    }
    return moves;
}

// Finds the length once more, for its derivatives by pitches.
static void find_length(const fa_arm *arm, const fa_arm_cylinder *c, const double value[])
{
    const fa_chain still = fa_arm_still(arm);
    double         length;
    (void)fa_reach_length(&c->reach, &still, value + arm->row[FA_ARM_POSITION], &length,
                          arm->cylinders.product, arm->cylinders.work);
}

const double *fa_arm_cylinder_lever_tangents(const fa_arm *arm, const fa_arm_cylinder *c,
                                             const double value[], const double direction[])
{
    const double *turned =
        fa_arm_cylinder_curvature(arm, c, value, direction + arm->row[FA_ARM_POSITION]);
    if (!moves_pitches(arm, c, direction)) return turned;
    double *unit = arm->cylinders.unit;
    memcpy(c->turn, turned, (size_t)arm->chain.n_coordinates * sizeof *turned);
    memset(unit, 0, (size_t)arm->chain.n_coordinates * sizeof *unit);
    for (int i = 0; i < arm->chain.n_coordinates; i++) {
        if (c->lever_row[i] == FA_NO_ROW) continue;
        unit[i] = 1; // the rate at this speed alone is the lever
        (void)fa_arm_cylinder_curvature(arm, c, value, unit);
        unit[i] = 0;
        c->turn[i] += pitch_tangent(arm, c, direction);
    }
    return c->turn;
}

static cylinder_tangent tangent_of(const fa_arm *arm, const fa_arm_cylinder *c,
                                   const double value[], const double direction[])
{
    const double *qd = value + arm->row[FA_ARM_VELOCITY];
    const double *dq = direction + arm->row[FA_ARM_POSITION],
                 *dqd = direction + arm->row[FA_ARM_VELOCITY];
    double           tangent[FA_AXIS_GIVEN];
    cylinder_tangent s = {.length = product(arm, c->lever, dq)};
    s.rate = product(arm, fa_arm_cylinder_curvature(arm, c, value, qd), dq) +
             product(arm, c->lever, dqd);
    if (moves_pitches(arm, c, direction)) {
        s.rate += pitch_tangent(arm, c, direction);
        find_length(arm, c, value);
        s.length += pitch_tangent(arm, c, direction);
    }
    if (!c->parts) {
        s.law[FA_AXIS_FORCE] = arm->inverse ? 0 : direction[c->force_row];
        return s;
    }
    for (int i = 0; i < FA_AXIS_GIVEN; i++)
        tangent[i] = c->at.given[i] == FA_NO_ROW ? 0 : direction[c->at.given[i]];
    tangent[FA_AXIS_LENGTH] = s.length;
    tangent[FA_AXIS_VELOCITY] = s.rate;
    tangent[FA_AXIS_OTHERS_FLOW] = 0;
    for (int i = 0; c->parts & FA_PART_PUMP && i < arm->cylinders.n; i++) {
        const fa_arm_cylinder *other = &arm->cylinders.of[i];
        if (other == c || !(other->parts & FA_PART_VALVE)) continue;
        tangent[FA_AXIS_OTHERS_FLOW] +=
            tangent_of(arm, other, value, direction).law[FA_AXIS_SUPPLY_FLOW];
    }
    fa_arm_cylinder_record(arm, c, value);
    fa_axis_tangent(arm->cylinders.axis, tangent, s.law);
    return s;
}

void fa_arm_cylinders_push_tangent(const fa_arm *arm, const double value[],
                                   const double direction[], double tau_tangent[],
                                   double power_tangent[])
{
    for (int k = 0; k < arm->cylinders.n && !arm->inverse; k++) {
        const fa_arm_cylinder *c = &arm->cylinders.of[k];
        const cylinder_tangent s = tangent_of(arm, c, value, direction);
        const double          *turned = fa_arm_cylinder_lever_tangents(arm, c, value, direction);
        for (int i = 0; i < arm->chain.n_coordinates; i++)
            tau_tangent[i] +=
                s.law[FA_AXIS_FORCE] * c->lever[i] + c->law[FA_AXIS_FORCE] * turned[i];
        const fa_axis_result drive = c->parts ? FA_AXIS_OIL_FORCE : FA_AXIS_FORCE;
        power_tangent[FA_ARM_BY_ACTUATORS] += s.law[drive] * c->rate + c->law[drive] * s.rate;
        if (!c->parts) continue;
        power_tangent[FA_ARM_FRICTION] +=
            s.law[FA_AXIS_FRICTION] * c->rate + c->law[FA_AXIS_FRICTION] * s.rate;
        power_tangent[FA_ARM_STOPS] -=
            s.law[FA_AXIS_STOP] * c->rate + c->law[FA_AXIS_STOP] * s.rate;
    }
}

// ---------------------------------------------------------------------------------------- adjoints

// From adjoints with respect to length, rate and laws to those with respect to what is known.
static void slope_of(const fa_arm *arm, const fa_arm_cylinder *c, const double value[],
                     const cylinder_tangent *wanted, double adjoint[])
{
    double *q_adjoint = adjoint + arm->row[FA_ARM_POSITION];
    double *qd_adjoint = adjoint + arm->row[FA_ARM_VELOCITY];
    double  by[FA_AXIS_GIVEN] = {0}, length = wanted->length, rate = wanted->rate;
    if (c->parts) {
        fa_arm_cylinder_record(arm, c, value);
        fa_axis_adjoint(arm->cylinders.axis, wanted->law, by);
        for (int i = 0; i < FA_AXIS_GIVEN; i++)
            if (c->at.given[i] != FA_NO_ROW) adjoint[c->at.given[i]] += by[i];
        length += by[FA_AXIS_LENGTH];
        rate += by[FA_AXIS_VELOCITY];
    } else if (!arm->inverse) {
        adjoint[c->force_row] += wanted->law[FA_AXIS_FORCE];
    }
    for (int i = 0; by[FA_AXIS_OTHERS_FLOW] != 0 && i < arm->cylinders.n; i++) {
        const fa_arm_cylinder *other = &arm->cylinders.of[i];
        cylinder_tangent       drawn = {0};
        if (other == c || !(other->parts & FA_PART_VALVE)) continue;
        drawn.law[FA_AXIS_SUPPLY_FLOW] = by[FA_AXIS_OTHERS_FLOW];
        slope_of(arm, other, value, &drawn, adjoint);
    }
    const double *turn =
        fa_arm_cylinder_curvature(arm, c, value, value + arm->row[FA_ARM_VELOCITY]);
    for (int i = 0; i < arm->chain.n_coordinates; i++) {
        q_adjoint[i] += length * c->lever[i] + rate * turn[i];
        qd_adjoint[i] += rate * c->lever[i];
    }
    if (!arm->chain.screws) return;
    fa_arm_cylinder_pitch_adjoints(arm, c, rate, adjoint);
    find_length(arm, c, value);
    fa_arm_cylinder_pitch_adjoints(arm, c, length, adjoint);
}

void fa_arm_cylinders_push_adjoint(const fa_arm *arm, const double value[],
                                   const double tau_adjoint[], const double power_adjoint[],
                                   double adjoint[])
{
    double *q_adjoint = adjoint + arm->row[FA_ARM_POSITION];
    for (int k = 0; k < arm->cylinders.n && !arm->inverse; k++) {
        const fa_arm_cylinder *c = &arm->cylinders.of[k];
        const fa_axis_result   drive = c->parts ? FA_AXIS_OIL_FORCE : FA_AXIS_FORCE;
        const double           driven = power_adjoint[FA_ARM_BY_ACTUATORS];
        cylinder_tangent       wanted = {0};
        wanted.law[FA_AXIS_FORCE] = product(arm, c->lever, tau_adjoint);
        wanted.law[drive] += driven * c->rate;
        wanted.rate = driven * c->law[drive];
        if (c->parts) {
            wanted.law[FA_AXIS_FRICTION] = power_adjoint[FA_ARM_FRICTION] * c->rate;
            wanted.law[FA_AXIS_STOP] = -power_adjoint[FA_ARM_STOPS] * c->rate;
            wanted.rate += power_adjoint[FA_ARM_FRICTION] * c->law[FA_AXIS_FRICTION] -
                           power_adjoint[FA_ARM_STOPS] * c->law[FA_AXIS_STOP];
        }
        slope_of(arm, c, value, &wanted, adjoint);
        const double *turned = fa_arm_cylinder_curvature(arm, c, value, tau_adjoint);
        for (int i = 0; i < arm->chain.n_coordinates; i++)
            q_adjoint[i] += c->law[FA_AXIS_FORCE] * turned[i];
        fa_arm_cylinder_pitch_adjoints(arm, c, c->law[FA_AXIS_FORCE], adjoint);
    }
}

double fa_arm_cylinder_force_tangent(const fa_arm *arm, const fa_arm_cylinder *c,
                                     const double value[], const double direction[])
{
    return tangent_of(arm, c, value, direction).law[FA_AXIS_FORCE];
}

void fa_arm_cylinder_force_adjoint(const fa_arm *arm, const fa_arm_cylinder *c,
                                   const double value[], double wanted, double adjoint[])
{
    cylinder_tangent by = {0};
    by.law[FA_AXIS_FORCE] = wanted;
    slope_of(arm, c, value, &by, adjoint);
}

// -------------------------------------------------------------------------------------------- rows

// Rates of pressures and of spools are derivatives, and known with them is how much room spools
// have; all other rows are asked for by their own group.
static bool is_derivative(int result)
{
    return result == FA_AXIS_PRESSURE_A_RATE || result == FA_AXIS_PRESSURE_B_RATE ||
           result == FA_AXIS_SPOOL_ACCELERATION || result == FA_AXIS_SUPPLY_RATE ||
           result == FA_AXIS_SPOOL_ROOM;
}

static bool asked(const fa_arm_cylinder *c, int result, unsigned groups)
{
    const unsigned group =
        is_derivative(result) ? FA_GROUP_DERIVATIVES : (unsigned)FA_ARM_GROUP_CYLINDERS;
    return c->result[result] != FA_NO_ROW && groups & group;
}

bool fa_arm_cylinders_finite(const fa_arm *arm)
{
    for (int k = 0; k < arm->cylinders.n; k++) {
        const fa_arm_cylinder *c = &arm->cylinders.of[k];
        if (!isfinite(c->length) || !isfinite(c->rate)) return false;
        for (int i = 0; i < FA_AXIS_RESULTS; i++)
            if (c->result[i] != FA_NO_ROW && !isfinite(c->law[i])) return false;
    }
    return true;
}

void fa_arm_cylinders_put(const fa_arm *arm, double value[], unsigned groups)
{
    for (int k = 0; k < arm->cylinders.n; k++) {
        const fa_arm_cylinder *c = &arm->cylinders.of[k];
        for (int i = 0; i < FA_AXIS_RESULTS; i++)
            if (asked(c, i, groups)) value[c->result[i]] = c->law[i];
        if (!(groups & FA_ARM_GROUP_CYLINDERS)) continue;
        value[c->length_row] = c->length;
        value[c->rate_row] = c->rate;
        for (int i = 0; i < arm->chain.n_coordinates; i++)
            if (c->lever_row[i] != FA_NO_ROW) value[c->lever_row[i]] = c->lever[i];
    }
}

void fa_arm_cylinders_put_tangent(const fa_arm *arm, const double value[], double direction[],
                                  unsigned groups)
{
    for (int k = 0; k < arm->cylinders.n; k++) {
        const fa_arm_cylinder *c = &arm->cylinders.of[k];
        const cylinder_tangent s = tangent_of(arm, c, value, direction);
        for (int i = 0; i < FA_AXIS_RESULTS; i++)
            if (asked(c, i, groups)) direction[c->result[i]] = s.law[i];
        if (!(groups & FA_ARM_GROUP_CYLINDERS)) continue;
        direction[c->length_row] = s.length;
        direction[c->rate_row] = s.rate;
        const double *turned = fa_arm_cylinder_lever_tangents(arm, c, value, direction);
        for (int i = 0; i < arm->chain.n_coordinates; i++)
            if (c->lever_row[i] != FA_NO_ROW) direction[c->lever_row[i]] = turned[i];
    }
}

void fa_arm_cylinders_put_adjoint(const fa_arm *arm, const double value[], double adjoint[],
                                  unsigned groups)
{
    for (int k = 0; k < arm->cylinders.n; k++) {
        const fa_arm_cylinder *c = &arm->cylinders.of[k];
        cylinder_tangent       wanted = {0};
        for (int i = 0; i < FA_AXIS_RESULTS; i++)
            if (asked(c, i, groups)) wanted.law[i] = adjoint[c->result[i]];
        if (groups & FA_ARM_GROUP_CYLINDERS) {
            wanted.length = adjoint[c->length_row];
            wanted.rate = adjoint[c->rate_row];
        }
        if (c->parts || groups & FA_ARM_GROUP_CYLINDERS) slope_of(arm, c, value, &wanted, adjoint);
        if (!(groups & FA_ARM_GROUP_CYLINDERS)) continue;
        for (int i = 0; i < arm->chain.n_coordinates; i++)
            c->turn[i] = c->lever_row[i] == FA_NO_ROW ? 0 : adjoint[c->lever_row[i]];
        const double *turned = fa_arm_cylinder_curvature(arm, c, value, c->turn);
        double       *q_adjoint = adjoint + arm->row[FA_ARM_POSITION];
        for (int i = 0; i < arm->chain.n_coordinates; i++) q_adjoint[i] += turned[i];
        fa_arm_cylinder_pitch_adjoints(arm, c, 1, adjoint);
    }
}
