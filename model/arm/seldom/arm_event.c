// Events of an arm's joints: sticking, slipping, touching a stop, locks and closed valves. Modes
// are discrete rows, which change only at events. Where a mode has an indicator, this jumps by
// twice the hysteresis when the mode changes, away from zero.
//
// A joint that is locked or comes to stick while others move stops in an inelastic impact of the
// whole arm: momentum along all free coordinates is kept, and what kinetic energy is lost goes to
// the friction account.
#include <math.h>
#include <string.h>

#include "arm_elements.h"
#include "cholesky.h"
#include "loop_derivatives.h"
#include "loops.h"
#include "methods.h"

// A speed that counts as none [rad/s] or [m/s]: far below anything that moves visibly, far above
// what a solver's tolerance, 1e-8 if nobody says another, leaves of a speed that fades away. A
// joint that creeps into its stop never turns round, and must not seem to because of such an error.
static const double REST = 1e-6;
// By how much more than static friction a joint must be pushed, as a fraction of it, and at least
// [N m] or [N]: more than rounding of the pushing torque.
static const double GRIP_FRACTION = 1e-9, GRIP_LEAST = 1e-12;

static double *row_of(const fa_arm *arm, double value[], int i, fa_arm_quantity quantity)
{
    int row = arm->joint[i].at[quantity];
    return row == FA_NO_ROW ? NULL : value + row;
}

static double rate_of(const fa_arm *arm, const double value[], int i)
{
    return value[arm->joint[i].at[FA_ARM_VELOCITY]];
}

static bool sticks_or_slips(const fa_arm *arm, int i)
{
    return arm->joint[i].at[FA_AT(friction.slip)] != FA_NO_ROW;
}

static bool is_locked(const fa_arm *arm, const double value[], int i)
{
    int row = arm->joint[i].at[FA_AT(lock.locked)];
    return row != FA_NO_ROW && value[row] != 0;
}

// ------------------------------------------------------------------------------------------ impact

// A speed of a joint that loops determine, which holds have stopped: what rounding leaves, and a
// solver's error where several freedoms together hold it [rad/s] or [m/s].
static const double HELD_REST = 1e-9;

static bool moves(const fa_arm *arm, const double qd[], int i)
{
    const fa_loops *loops = arm->chain.loops;
    return fabs(qd[i]) > (loops && loops->is_dependent[i] ? HELD_REST : 0);
}

// x from impulses at coordinates to the speeds that they give what is not held. For trees factors
// the mass matrix, which stands in arm->factor.
static fa_status respond(fa_arm *arm, const double value[], double x[])
{
    const int n = arm->chain.n_coordinates;
    arm->factored = false;
    if (arm->loops)
        return fa_loops_respond(&arm->chain, value + arm->row[FA_ARM_POSITION], x, arm->loops,
                                arm->work);
    fa_chain_hold(&arm->chain, arm->factor);
    const fa_status status = fa_cholesky_factor(n, arm->factor);
    if (status == FA_OK) fa_cholesky_solve(n, arm->factor, x);
    return status;
}

// Stops the joints that are held by now (arm->chain.held), and lets the others follow.
static fa_status impact(fa_arm *arm, double value[], fa_event *event, fa_error *error)
{
    const double *q = value + arm->row[FA_ARM_POSITION];
    double       *qd = value + arm->row[FA_ARM_VELOCITY], *p = arm->bias, *after = arm->bias_still;
    size_t        n = (size_t)arm->chain.n_coordinates;
    bool          moving = false;
    for (size_t i = 0; i < n && arm->chain.held; i++)
        moving |= arm->held[i] && moves(arm, qd, (int)i);
    if (!moving) return FA_OK;

    fa_status status = fa_composite_body_mass_matrix(&arm->chain, q, arm->factor, arm->work);
    double    before = 0, left = 0;
    for (size_t i = 0; i < n; i++) {
        p[i] = 0;
        for (size_t j = 0; j < n; j++) p[i] += arm->factor[i * n + j] * qd[j];
        before += 0.5 * p[i] * qd[i];
        after[i] = arm->held[i] && !arm->loops ? 0 : p[i];
    }
    if (status == FA_OK) status = respond(arm, value, after);
    if (status != FA_OK)
        return fa_fail(error, status, NULL, FA_NOWHERE,
                       "in this position the mass matrix has no inverse, so what follows from "
                       "stopping a joint is undefined");
    for (size_t i = 0; i < n; i++) left += 0.5 * p[i] * after[i];
    memcpy(qd, after, n * sizeof *qd);
    if (arm->works) value[arm->row[FA_ARM_WORK] + FA_ARM_FRICTION] += before - left;
    event->states_changed = true;
    return FA_OK;
}

// ------------------------------------------------------------------------------ locks and closures

static fa_status update_locks(fa_arm *arm, double value[], fa_event *event, fa_error *error)
{
    bool any = false;
    for (int i = 0; i < arm->chain.n; i++) {
        double *locked = row_of(arm, value, i, FA_AT(lock.locked));
        // gcc sees NULL: who has the row LOCKED has the row LOCK.
        if (!locked || (*locked != 0) == (*row_of(arm, value, i, FA_AT(lock.lock)) > 0.5)) continue;
        *locked = *locked == 0;
        any = true;
        // A lock overrides static friction, and a stuck joint may stick in the locked position.
        // gcc sees NULL: joints that stick or slip have the row SLIP.
        if (sticks_or_slips(arm, i)) *row_of(arm, value, i, FA_AT(friction.slip)) = 0;
    }
    if (!any) return FA_OK;

    // In the impact nothing but locks holds; what sticks can only hold so much, and slips.
    for (int i = 0; i < arm->chain.n; i++)
        if (arm->joint[i].at[FA_ARM_POSITION] != FA_NO_ROW)
            arm->held[arm->body[i].coordinate] = is_locked(arm, value, i);
    arm->chain.held = arm->held;
    fa_status status = impact(arm, value, event, error);
    for (int i = 0; i < arm->chain.n; i++) {
        if (!sticks_or_slips(arm, i) || is_locked(arm, value, i)) continue;
        double *slip = row_of(arm, value, i, FA_AT(friction.slip)), rate = rate_of(arm, value, i);
        // gcc sees NULL: who sticks or slips has the row SLIP.
        if (*slip == 0 && fabs(rate) > REST) *slip = rate > 0 ? 1 : -1;
    }
    return status;
}

static void update_closures(fa_arm *arm, double value[], fa_event *event)
{
    for (int i = 0; i < arm->chain.n; i++) {
        const fa_closure_rows *rows = FA_ROWS_OF(closure, &arm->joint[i]);
        double                 next_time = event->timed ? event->next_time : INFINITY;
        if (rows->closed == FA_NO_ROW) continue;
        const fa_joint_now   now = fa_joint_at(arm, value, i);
        const fa_closure_in  in = fa_closure_now(&now);
        const fa_closure_out out = {0};
        fa_closure_in        next = in;
        fa_closure_event(&in, &out, &next, value[arm->time_row], &next_time);
        value[rows->closed] = next.closed;
        value[rows->rest] = next.rest;
        if (isinf(next_time)) continue;
        event->next_time = next_time;
        event->timed = true;
    }
}

// ------------------------------------------------------------------------------------------- stops

// A stop that a joint runs into is found some way behind the limit: at least the hysteresis, more
// where a host looks at its indicators less often. What the stop would have taken on this way is
// taken now, by an impulse along `push` (efforts at the coordinates) on the whole arm, such that
// nothing bounces higher than it fell. `speed` is the one along `push`. Gives what could be taken:
// of what creeps, all that it had [J].
static double take_on_the_way_in(fa_arm *arm, double value[], const double push[], double speed,
                                 double stored)
{
    double   *qd = value + arm->row[FA_ARM_VELOCITY], *by_push = arm->bias;
    const int n = arm->chain.n_coordinates;
    double    given = 0;
    if (fa_composite_body_mass_matrix(&arm->chain, value + arm->row[FA_ARM_POSITION], arm->factor,
                                      arm->work) != FA_OK)
        return 0;
    memcpy(by_push, push, (size_t)n * sizeof *by_push);
    if (respond(arm, value, by_push) != FA_OK) return 0;
    for (int k = 0; k < n; k++) given += push[k] * by_push[k];
    if (!(given > 0)) return 0;
    // An impulse p against the motion takes speed p - given p^2 / 2.
    const double left = speed * speed - 2 * given * stored;
    const double p = left > 0 ? 2 * stored / (speed + sqrt(left)) : speed / given;
    for (int k = 0; k < n; k++)
        if (!(arm->chain.held && arm->held[k])) qd[k] -= p * by_push[k];
    return left > 0 ? stored : 0.5 * speed * p;
}

static double take_at_stop(fa_arm *arm, double value[], int i, double side, double stored)
{
    const double speed = side * rate_of(arm, value, i);
    const int    n = arm->chain.n_coordinates, c = arm->body[i].coordinate;
    if (!(speed > 0)) return 0; // met again on its way out
    fa_arm_place(arm, value);
    if (arm->chain.held && arm->held[c]) return 0;
    for (int k = 0; k < n; k++) arm->tau[k] = k == c ? side : 0;
    return take_on_the_way_in(arm, value, arm->tau, speed, stored);
}

// Energy that a stop still stores when the joint leaves it goes to the stop's account, and returns
// from there when the joint meets the stop again before it has relaxed.
static void update_stops(fa_arm *arm, double value[], bool initial, fa_event *event)
{
    for (int i = 0; i < arm->chain.n; i++) {
        double *side = row_of(arm, value, i, FA_AT(stop.side)), next_time = INFINITY;
        if (!side) continue;
        const fa_joint_now now = fa_joint_at(arm, value, i);
        const fa_stop_in   in = fa_stop_now(&now);
        fa_stop_in         next = in;
        fa_stop_out        out, then;
        fa_stop_law(&in, &out);
        fa_stop_event(&in, &out, &next, 0, &next_time);
        if (next.side == in.side) continue;
        fa_stop_law(&next, &then);
        *side = next.side;
        if (initial) continue; // the accounts are opened later
        double change = out.energy - then.energy;
        if (next.side != 0) change += take_at_stop(arm, value, i, next.side, then.energy);
        if (arm->works) value[arm->row[FA_ARM_WORK] + FA_ARM_STOPS] += change;
        event->states_changed = true;
    }
}

// The same for cones of ball joints, in the direction that opens their angle.
static void update_cones(fa_arm *arm, double value[], bool initial, fa_event *event)
{
    for (int k = 0; k < arm->touches.n_cones; k++) {
        fa_arm_cone_change cone;
        if (!fa_arm_cone_switches(arm, value, k, &cone) || initial) continue;
        double change = cone.before - cone.then;
        if (cone.met && cone.rate > 0) {
            fa_arm_place(arm, value);
            fa_arm_cone_push(arm, k, arm->tau);
            change += take_on_the_way_in(arm, value, arm->tau, cone.rate, cone.then);
        }
        if (arm->works) value[arm->row[FA_ARM_WORK] + FA_ARM_STOPS] += change;
        event->states_changed = true;
    }
}

// ------------------------------------------------------------------------------------- stick, slip

// Returns the static friction at the joint: against a push forwards, and against one backwards.
static fa_friction_out grip_of(const fa_arm *arm, const double value[], int i)
{
    const fa_joint_now   now = fa_joint_at(arm, value, i);
    const fa_friction_in in = fa_friction_now(&now);
    fa_friction_out      out;
    fa_friction_law(&in, &out);
    return out;
}

static double slack_of(const fa_friction_out *g)
{
    return GRIP_FRACTION * (g->hold_forwards + g->hold_backwards) + GRIP_LEAST;
}

// Computes the efforts that locks and static friction resist, into arm->push: torques less those
// that the motion needs. Zero where nothing is locked.
fa_status fa_arm_pushes(fa_arm *arm, const double value[], const double qdd[])
{
    const double *q = value + arm->row[FA_ARM_POSITION], *qd = value + arm->row[FA_ARM_VELOCITY];
    fa_load       load = {fa_arm_loads(arm, value) ? arm->wrench : NULL};
    fa_arm_drives(arm, value, arm->tau, NULL);
    fa_status status =
        fa_newton_euler_inverse(&arm->chain, q, qd, qdd, &load, arm->push, arm->work);
    for (int i = 0; i < arm->chain.n_coordinates; i++) arm->push[i] = arm->tau[i] - arm->push[i];
    if (status == FA_OK && arm->loops)
        status = fa_loops_push(&arm->chain, q, arm->push, arm->loops);
    return status;
}

// Releases the stuck joint that exceeds its static friction the most.
static bool let_go(fa_arm *arm, double value[])
{
    int    worst = FA_NOBODY;
    double most = 0;
    for (int i = 0; i < arm->chain.n; i++) {
        if (!sticks_or_slips(arm, i) || is_locked(arm, value, i)) continue;
        if (*row_of(arm, value, i, FA_AT(friction.slip)) != 0) continue;
        const fa_friction_out g = grip_of(arm, value, i);
        double                push = arm->push[arm->body[i].coordinate];
        double beyond = fmax(push - g.hold_forwards, -push - g.hold_backwards) - slack_of(&g);
        if (beyond < most || (worst != FA_NOBODY && beyond == most)) continue;
        most = beyond;
        worst = i;
    }
    if (worst == FA_NOBODY) return false;
    double rate = rate_of(arm, value, worst), push = arm->push[arm->body[worst].coordinate];
    *row_of(arm, value, worst, FA_AT(friction.slip)) =
        (fabs(rate) > REST ? rate : push) > 0 ? 1 : -1;
    return true;
}

static fa_status update_sticking(fa_arm *arm, double value[], bool initial, fa_event *event,
                                 fa_error *error)
{
    // Whatever does not go on slipping may stick.
    for (int i = 0; i < arm->chain.n; i++) {
        double *slip =
            row_of(arm, value, i, FA_AT(friction.slip)); // there is one where it sticks or slips
        if (!slip || !sticks_or_slips(arm, i)) continue;
        const double rate = rate_of(arm, value, i);
        if (initial) *slip = fabs(rate) > REST ? copysign(1, rate) : 0;
        if (is_locked(arm, value, i) || !(*slip * rate + REST > 0)) *slip = 0;
    }
    for (bool again = true; again;) {
        fa_arm_place(arm, value);
        fa_status status = fa_arm_solve(arm, value, NULL, error);
        if (status == FA_OK) status = fa_arm_pushes(arm, value, arm->result);
        if (status != FA_OK) return fa_explain(error, status, NULL);
        again = let_go(arm, value);
    }
    return impact(arm, value, event, error);
}

// ---------------------------------------------------------------------------------------
// indicators

// A joint's indicator: how far its mode is from changing. What it depends on: the joint's rate,
// what pushes at it, what friction holds with.
typedef struct slip_gap {
    double          value, by_rate, by_push;
    fa_friction_out by_hold;
} slip_gap;

static slip_gap slip_gap_of(const fa_arm *arm, const double value[], int i, double push)
{
    const double slip = value[arm->joint[i].at[FA_AT(friction.slip)]];
    if (is_locked(arm, value, i)) return (slip_gap){.value = 1};
    if (slip != 0)
        return (slip_gap){.value = slip * rate_of(arm, value, i) + REST, .by_rate = slip};
    const fa_friction_out g = grip_of(arm, value, i);
    const bool            forwards = g.hold_forwards - push < push + g.hold_backwards;
    return (slip_gap){.value = (forwards ? g.hold_forwards - push : push + g.hold_backwards) +
                               slack_of(&g),
                      .by_push = forwards ? -1 : 1,
                      .by_hold = {.hold_forwards = GRIP_FRACTION + (forwards ? 1 : 0),
                                  .hold_backwards = GRIP_FRACTION + (forwards ? 0 : 1)}};
}

fa_status fa_arm_gaps(fa_arm *arm, double value[])
{
    if (arm->chain.held) {
        fa_status status = fa_arm_pushes(arm, value, value + arm->row[FA_ARM_ACCELERATION]);
        if (status != FA_OK) return status;
    }
    for (int i = 0; i < arm->chain.n; i++) {
        const int row = arm->joint[i].at[FA_ARM_SLIP_INDICATOR];
        if (row == FA_NO_ROW) continue;
        value[row] = slip_gap_of(arm, value, i, arm->push[arm->body[i].coordinate]).value;
    }
    return FA_OK;
}

void fa_arm_gaps_tangent(const fa_arm *arm, const double value[], const double push_tangent_of[],
                         double direction[])
{
    for (int i = 0; i < arm->chain.n; i++) {
        const int row = arm->joint[i].at[FA_ARM_SLIP_INDICATOR], c = arm->body[i].coordinate;
        if (row == FA_NO_ROW) continue;
        const slip_gap        gap = slip_gap_of(arm, value, i, arm->push[c]);
        const fa_joint_now    now = fa_joint_at(arm, value, i);
        const fa_joint_change change = fa_joint_change_at(arm, &now, direction, i);
        const fa_friction_in  in = fa_friction_now(&now);
        const fa_friction_in  dot = fa_friction_change(&now, &change);
        fa_friction_out       hold;
        fa_friction_tangent(&in, &dot, &hold);
        direction[row] = gap.by_rate * change.rate + gap.by_push * push_tangent_of[c] +
                         gap.by_hold.hold_forwards * hold.hold_forwards +
                         gap.by_hold.hold_backwards * hold.hold_backwards;
    }
}

void fa_arm_gaps_adjoint(const fa_arm *arm, const double value[], double push_adjoint[],
                         double adjoint[])
{
    for (int i = 0; i < arm->chain.n; i++) {
        const int row = arm->joint[i].at[FA_ARM_SLIP_INDICATOR], c = arm->body[i].coordinate;
        if (row == FA_NO_ROW) continue;
        const double          wanted = adjoint[row];
        const slip_gap        gap = slip_gap_of(arm, value, i, arm->push[c]);
        const fa_joint_now    now = fa_joint_at(arm, value, i);
        const fa_friction_in  in = fa_friction_now(&now);
        const fa_friction_out weight = {.hold_forwards = wanted * gap.by_hold.hold_forwards,
                                        .hold_backwards = wanted * gap.by_hold.hold_backwards};
        fa_friction_in        bar;
        fa_friction_adjoint(&in, &weight, &bar);
        fa_friction_adjoints(&now, &bar, adjoint);
        fa_add_rate(&now, adjoint, wanted * gap.by_rate);
        push_adjoint[c] += gap.by_push * wanted;
    }
}

// --------------------------------------------------------------------------------------- the event

fa_status fa_arm_event(void *self, double value[], fa_event *event, fa_error *error)
{
    fa_arm    *arm = self;
    const bool initial = event->initial;
    fa_status  status = FA_OK;
    *event = (fa_event){.next_time = 0};
    if (!arm->moves) return FA_OK;
    event->states_changed = fa_arm_cylinders_switch(arm, value);
    fa_arm_touches_switch(arm, value);
    if (arm->has_stops) update_stops(arm, value, initial, event);
    update_cones(arm, value, initial, event);
    if (initial && arm->works) {
        double energy[2];
        fa_arm_energies(arm, value, energy);
        value[arm->row[FA_ARM_INITIAL_ENERGY]] = energy[0] + energy[1];
    }
    if (arm->holds) status = update_locks(arm, value, event, error);
    if (status != FA_OK) return status;
    update_closures(arm, value, event);
    if (arm->sticks) status = update_sticking(arm, value, initial, event, error);
    event->again = event->states_changed;
    return status;
}
