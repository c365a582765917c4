// Torques at the joints of a sliding snake: drives, springs, dissipative elements, with their
// powers; and the accelerations of prescribed joints.
#include "sliding_plant.h"

#include "snake_elements.h"

// Sum of a joint's elements.
typedef struct joint_torque {
    double drive, lost, spring, energy;
} joint_torque;

static bool has_stop(const fa_sliding_self *self)
{
    return self->snake.stops;
}

static joint_torque torques_at(const fa_sliding_self *self, const fa_snake_joint_now *now)
{
    const fa_friction_in bearing = fa_friction_now(now);
    const fa_spring_in   spring = fa_spring_now(now);
    fa_friction_out      by_bearing;
    fa_spring_out        by_spring;
    joint_torque         t = {0};
    fa_friction_law(&bearing, &by_bearing);
    fa_spring_law(&spring, &by_spring);
    t.lost = by_bearing.torque;
    t.spring = by_spring.torque;
    t.energy = by_spring.energy;
    if (has_stop(self)) {
        const fa_stop_in stop = fa_stop_now(now);
        fa_stop_out      by_stop;
        fa_stop_law(&stop, &by_stop);
        t.lost += by_stop.torque;
    }
    if (HAS_torque(now->part)) {
        const fa_torque_in in = fa_torque_now(now);
        fa_torque_out      out;
        fa_torque_law(&in, &out);
        t.drive += out.torque;
    }
    if (HAS_motor(now->part)) {
        const fa_motor_in in = fa_motor_now(now);
        fa_motor_out      out;
        fa_motor_law(&in, &out);
        t.drive += out.torque;
    }
    if (HAS_gait(now->part)) {
        const fa_gait_in in = fa_gait_now(now);
        fa_gait_out      out;
        fa_gait_law(&in, &out);
        t.drive += out.torque;
    }
    return t;
}

static joint_torque torques_tangent(const fa_sliding_self *self, const fa_snake_joint_now *now,
                                    const fa_snake_joint_change *change)
{
    joint_torque t = {0};
    {
        const fa_friction_in in = fa_friction_now(now), dot = fa_friction_change(now, change);
        fa_friction_out      out;
        fa_friction_tangent(&in, &dot, &out);
        t.lost = out.torque;
    }
    {
        const fa_spring_in in = fa_spring_now(now), dot = fa_spring_change(now, change);
        fa_spring_out      out;
        fa_spring_tangent(&in, &dot, &out);
        t.spring = out.torque;
        t.energy = out.energy;
    }
    if (has_stop(self)) {
        const fa_stop_in in = fa_stop_now(now), dot = fa_stop_change(now, change);
        fa_stop_out      out;
        fa_stop_tangent(&in, &dot, &out);
        t.lost += out.torque;
    }
    if (HAS_torque(now->part)) {
        const fa_torque_in in = fa_torque_now(now), dot = fa_torque_change(now, change);
        fa_torque_out      out;
        fa_torque_tangent(&in, &dot, &out);
        t.drive += out.torque;
    }
    if (HAS_motor(now->part)) {
        const fa_motor_in in = fa_motor_now(now), dot = fa_motor_change(now, change);
        fa_motor_out      out;
        fa_motor_tangent(&in, &dot, &out);
        t.drive += out.torque;
    }
    if (HAS_gait(now->part)) {
        const fa_gait_in in = fa_gait_now(now), dot = fa_gait_change(now, change);
        fa_gait_out      out;
        fa_gait_tangent(&in, &dot, &out);
        t.drive += out.torque;
    }
    return t;
}

static void torques_adjoint(const fa_sliding_self *self, const fa_snake_joint_now *now,
                            const joint_torque *by, fa_snake_joint_sums *sums)
{
    {
        const fa_friction_in  in = fa_friction_now(now);
        const fa_friction_out bar = {.torque = by->lost};
        fa_friction_in        to;
        fa_friction_adjoint(&in, &bar, &to);
        fa_friction_adjoints(now, &to, sums);
    }
    {
        const fa_spring_in  in = fa_spring_now(now);
        const fa_spring_out bar = {.torque = by->spring, .energy = by->energy};
        fa_spring_in        to;
        fa_spring_adjoint(&in, &bar, &to);
        fa_spring_adjoints(now, &to, sums);
    }
    if (has_stop(self)) {
        const fa_stop_in  in = fa_stop_now(now);
        const fa_stop_out bar = {.torque = by->lost};
        fa_stop_in        to;
        fa_stop_adjoint(&in, &bar, &to);
        fa_stop_adjoints(now, &to, sums);
    }
    if (HAS_torque(now->part)) {
        const fa_torque_in  in = fa_torque_now(now);
        const fa_torque_out bar = {.torque = by->drive};
        fa_torque_in        to;
        fa_torque_adjoint(&in, &bar, &to);
        fa_torque_adjoints(now, &to, sums);
    }
    if (HAS_motor(now->part)) {
        const fa_motor_in  in = fa_motor_now(now);
        const fa_motor_out bar = {.torque = by->drive};
        fa_motor_in        to;
        fa_motor_adjoint(&in, &bar, &to);
        fa_motor_adjoints(now, &to, sums);
    }
    if (HAS_gait(now->part)) {
        const fa_gait_in  in = fa_gait_now(now);
        const fa_gait_out bar = {.torque = by->drive};
        fa_gait_in        to;
        fa_gait_adjoint(&in, &bar, &to);
        fa_gait_adjoints(now, &to, sums);
    }
}

static fa_snake_joint_now told_at(const fa_sliding_self *self, const double value[], int k)
{
    fa_snake_joint_now now = fa_snake_joint_at(&self->snake, value, k);
    now.part.command = self->command[k];
    return now;
}

static double phid_of(const fa_sliding_link at[], int k)
{
    return at[k + 1].w - at[k].w;
}

void fa_sliding_turn(fa_sliding_self *self, const double value[])
{
    for (int k = 0; k < self->chain.n - 1; k++) {
        const fa_snake_joint_now now = fa_snake_joint_at(&self->snake, value, k);
        const joint_torque       t = torques_at(self, &now);
        self->drive[k] = t.drive;
        self->snake.torque[k] = t.drive + t.lost + t.spring;
        self->power.joints += t.lost * now.rate;
        self->power.spring_power += t.spring * now.rate;
        self->power.springs += t.energy;
        if (!self->told[k]) continue;
        const fa_snake_joint_now told = told_at(self, value, k);
        const fa_follower_in     in = fa_follower_now(&told);
        fa_follower_out          out;
        fa_follower_law(&in, &out);
        self->told_acceleration[k] = out.acceleration;
    }
}

void fa_sliding_turn_tangent(fa_sliding_self *self, const double value[], const double direction[])
{
    const double *theta = direction + self->snake.row[FA_SNAKE_ROW_ANGLE];
    for (int k = 0; k < self->chain.n - 1; k++) {
        const fa_snake_joint_now    now = fa_snake_joint_at(&self->snake, value, k);
        const fa_snake_joint_change change =
            fa_snake_joint_change_at(&self->snake, direction, theta, k);
        const joint_torque t = torques_at(self, &now);
        const joint_torque dot = torques_tangent(self, &now, &change);
        self->drive_change[k] = dot.drive;
        self->snake.torque_tangent[k] = dot.drive + dot.lost + dot.spring;
        self->power_change.joints += dot.lost * now.rate + t.lost * change.rate;
        self->power_change.springs += dot.energy;
        self->power_change.spring_power += dot.spring * now.rate + t.spring * change.rate;
        if (!self->told[k]) continue;
        const fa_snake_joint_now told = told_at(self, value, k);
        const fa_follower_in     in = fa_follower_now(&told);
        const fa_follower_in     in_dot = fa_follower_change(&told, &change);
        fa_follower_out          out;
        fa_follower_tangent(&in, &in_dot, &out);
        self->told_change[k] = out.acceleration;
    }
}

// Reads the adjoints of all torques from torque_tangent, of drives from drive_change, and of
// prescribed accelerations from told_change.
void fa_sliding_turn_adjoint(fa_sliding_self *self, const double value[], double adjoint[],
                             const fa_sliding_power *wanted)
{
    double *theta = adjoint + self->snake.row[FA_SNAKE_ROW_ANGLE];
    for (int k = 0; k < self->chain.n - 1; k++) {
        const fa_snake_joint_now now = fa_snake_joint_at(&self->snake, value, k);
        const joint_torque       t = torques_at(self, &now);
        const double             all = self->snake.torque_tangent[k];
        const joint_torque       by = {.drive = all + self->drive_change[k],
                                       .lost = all + wanted->joints * phid_of(self->at, k),
                                       .spring = all + wanted->spring_power * phid_of(self->at, k),
                                       .energy = wanted->springs};
        fa_snake_joint_sums      sums = {
                 .adjoint = adjoint, .rate = wanted->joints * t.lost + wanted->spring_power * t.spring};
        torques_adjoint(self, &now, &by, &sums);
        if (self->told[k]) {
            const fa_snake_joint_now told = told_at(self, value, k);
            const fa_follower_in     in = fa_follower_now(&told);
            const fa_follower_out    bar = {.acceleration = self->told_change[k]};
            fa_follower_in           to;
            fa_follower_adjoint(&in, &bar, &to);
            fa_follower_adjoints(&told, &to, &sums);
        }
        theta[k + 1] += sums.position;
        theta[k] -= sums.position;
        self->dot[k + 1].w += sums.rate;
        self->dot[k].w -= sums.rate;
        if (!fa_snake_has_angle(&self->snake)) adjoint[self->snake.time_row] += sums.time;
    }
}

// --------------------------------------------------------------------------------- what they tell

void fa_sliding_tell(fa_sliding_self *self, const double value[])
{
    for (int k = 0; k < self->chain.n - 1; k++) {
        const fa_snake_joint_now now = fa_snake_joint_at(&self->snake, value, k);
        fa_snake_joint_tell(&now, FA_SNAKE_GROUP_MOTION, self->snake.result);
    }
}

void fa_sliding_tell_tangent(fa_sliding_self *self, const double value[], double direction[])
{
    const double *theta = direction + self->snake.row[FA_SNAKE_ROW_ANGLE];
    for (int k = 0; k < self->chain.n - 1; k++) {
        const fa_snake_joint_now    now = fa_snake_joint_at(&self->snake, value, k);
        const fa_snake_joint_change change =
            fa_snake_joint_change_at(&self->snake, direction, theta, k);
        fa_snake_joint_tell_change(&now, FA_SNAKE_GROUP_MOTION, &change, direction);
    }
}

void fa_sliding_tell_adjoint(fa_sliding_self *self, const double value[], double adjoint[])
{
    double *theta = adjoint + self->snake.row[FA_SNAKE_ROW_ANGLE];
    for (int k = 0; k < self->chain.n - 1; k++) {
        const fa_snake_joint_now now = fa_snake_joint_at(&self->snake, value, k);
        fa_snake_joint_sums      sums = {.adjoint = adjoint};
        fa_snake_joint_tell_adjoints(&now, FA_SNAKE_GROUP_MOTION, adjoint, &sums);
        theta[k + 1] += sums.position;
        theta[k] -= sums.position;
        self->dot[k + 1].w += sums.rate;
        self->dot[k].w -= sums.rate;
        if (!fa_snake_has_angle(&self->snake)) adjoint[self->snake.time_row] += sums.time;
    }
}
