// Torques at the joints of a sliding snake: drives, springs, dissipative elements, with their
// powers; and the accelerations of prescribed joints.
#include "sliding_plant.h"

#include "snake_elements.h"

// Torques of a joint's elements by account, and the energy in its spring.
typedef struct joint_torque {
    double drive, lost, spring, energy;
} joint_torque;

// X(element, account, whether it stores energy), in the order in which an account adds them.
#define JOINT_TORQUE_LIST(X)                                                                       \
    X(friction, lost, STORES_NOTHING)                                                              \
    X(spring, spring, STORES)                                                                      \
    X(stop, lost, STORES_NOTHING)                                                                  \
    X(torque, drive, STORES_NOTHING)                                                               \
    X(motor, drive, STORES_NOTHING)                                                                \
    X(gait, drive, STORES_NOTHING)
#define STORES(statement) statement
#define STORES_NOTHING(statement)

static joint_torque torques_at(const fa_snake_joint_now *now)
{
    joint_torque t = {0};
#define X(element, account, IF_STORES)                                                             \
    if (HAS_##element(now->part)) {                                                                \
        const fa_##element##_in in = fa_##element##_now(now);                                      \
        fa_##element##_out      out;                                                               \
        fa_##element##_law(&in, &out);                                                             \
        t.account += out.torque;                                                                   \
        IF_STORES(t.energy += out.energy;)                                                         \
    }
    JOINT_TORQUE_LIST(X)
#undef X
    return t;
}

static joint_torque torques_tangent(const fa_snake_joint_now    *now,
                                    const fa_snake_joint_change *change)
{
    joint_torque t = {0};
#define X(element, account, IF_STORES)                                                             \
    if (HAS_##element(now->part)) {                                                                \
        const fa_##element##_in in = fa_##element##_now(now);                                      \
        const fa_##element##_in dot = fa_##element##_change(now, change);                          \
        fa_##element##_out      out;                                                               \
        fa_##element##_tangent(&in, &dot, &out);                                                   \
        t.account += out.torque;                                                                   \
        IF_STORES(t.energy += out.energy;)                                                         \
    }
    JOINT_TORQUE_LIST(X)
#undef X
    return t;
}

static void torques_adjoint(const fa_snake_joint_now *now, const joint_torque *by,
                            fa_snake_joint_sums *sums)
{
#define X(element, account, IF_STORES)                                                             \
    if (HAS_##element(now->part)) {                                                                \
        const fa_##element##_in in = fa_##element##_now(now);                                      \
        fa_##element##_out      bar = {.torque = by->account};                                     \
        fa_##element##_in       to;                                                                \
        IF_STORES(bar.energy = by->energy;)                                                        \
        fa_##element##_adjoint(&in, &bar, &to);                                                    \
        fa_##element##_adjoints(now, &to, sums);                                                   \
    }
    JOINT_TORQUE_LIST(X)
#undef X
}
#undef JOINT_TORQUE_LIST
#undef STORES
#undef STORES_NOTHING

static fa_snake_joint_now told_at(const fa_sliding_self *self, const double value[], int k)
{
    fa_snake_joint_now now = fa_snake_joint_at(&self->snake, value, k);
    now.part.command = self->command[k];
    return now;
}

// Returns what a prescribed joint follows: its references are inputs, or the gait's.
static fa_follower_in follower_at(const fa_sliding_self *self, const double value[], int k)
{
    const fa_snake_joint_now now = told_at(self, value, k);
    if (!self->snake.gait_told) return fa_follower_now(&now);
    fa_follower_in in = fa_sliding_wave(self, value, k);
    in.position = now.position;
    in.rate = now.rate;
    return in;
}

static fa_follower_in follower_change(const fa_sliding_self *self, const double value[],
                                      const double direction[], const fa_snake_joint_change *change,
                                      int k)
{
    const fa_snake_joint_now now = told_at(self, value, k);
    if (!self->snake.gait_told) return fa_follower_change(&now, change);
    fa_follower_in dot = fa_sliding_wave_tangent(self, direction, k);
    dot.position = change->position;
    dot.rate = change->rate;
    return dot;
}

static void add_follower(fa_sliding_self *self, const double value[], const fa_follower_in *to,
                         fa_snake_joint_sums *sums, int k)
{
    if (!self->snake.gait_told) {
        const fa_snake_joint_now now = told_at(self, value, k);
        fa_follower_adjoints(&now, to, sums);
        return;
    }
    fa_sliding_wave_adjoint(self, to, sums->adjoint, k);
    sums->position += to->position;
    sums->rate += to->rate;
}

static double phid_of(const fa_sliding_link at[], int k)
{
    return at[k + 1].w - at[k].w;
}

void fa_sliding_turn(fa_sliding_self *self, const double value[])
{
    for (int k = 0; k < self->chain.n - 1; k++) {
        const fa_snake_joint_now now = fa_snake_joint_at(&self->snake, value, k);
        const joint_torque       t = torques_at(&now);
        self->drive[k] = t.drive;
        self->lost[k] = t.lost;
        self->spring[k] = t.spring;
        self->snake.torque[k] = t.drive + t.lost + t.spring;
        self->power.joints += t.lost * now.rate;
        self->power.spring_power += t.spring * now.rate;
        self->power.springs += t.energy;
        if (!self->told[k]) continue;
        const fa_follower_in in = follower_at(self, value, k);
        fa_follower_out      out;
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
        const joint_torque dot = torques_tangent(&now, &change);
        self->drive_change[k] = dot.drive;
        self->snake.torque_tangent[k] = dot.drive + dot.lost + dot.spring;
        self->power_change.joints += dot.lost * now.rate + self->lost[k] * change.rate;
        self->power_change.springs += dot.energy;
        self->power_change.spring_power += dot.spring * now.rate + self->spring[k] * change.rate;
        if (!self->told[k]) continue;
        const fa_follower_in in = follower_at(self, value, k);
        const fa_follower_in in_dot = follower_change(self, value, direction, &change, k);
        fa_follower_out      out;
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
        const double             all = self->snake.torque_tangent[k];
        const joint_torque       by = {.drive = all + self->drive_change[k],
                                       .lost = all + wanted->joints * phid_of(self->at, k),
                                       .spring = all + wanted->spring_power * phid_of(self->at, k),
                                       .energy = wanted->springs};
        fa_snake_joint_sums      sums = {.adjoint = adjoint,
                                         .rate = wanted->joints * self->lost[k] +
                                                 wanted->spring_power * self->spring[k]};
        torques_adjoint(&now, &by, &sums);
        if (self->told[k]) {
            const fa_follower_in  in = follower_at(self, value, k);
            const fa_follower_out bar = {.acceleration = self->told_change[k]};
            fa_follower_in        to;
            fa_follower_adjoint(&in, &bar, &to);
            add_follower(self, value, &to, &sums, k);
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
        fa_snake_tell_joint(&now, self->snake.result);
        if (!self->snake.gait_told) continue;
        const fa_follower_in in = follower_at(self, value, k);
        self->snake.result[self->snake.row[FA_SNAKE_ROW_JOINT_REFERENCE] + k] = in.wanted;
    }
}

void fa_sliding_tell_tangent(fa_sliding_self *self, const double value[], double direction[])
{
    const double *theta = direction + self->snake.row[FA_SNAKE_ROW_ANGLE];
    for (int k = 0; k < self->chain.n - 1; k++) {
        const fa_snake_joint_now    now = fa_snake_joint_at(&self->snake, value, k);
        const fa_snake_joint_change change =
            fa_snake_joint_change_at(&self->snake, direction, theta, k);
        fa_snake_tell_joint_change(&now, &change, direction);
        if (!self->snake.gait_told) continue;
        const fa_follower_in dot = follower_change(self, value, direction, &change, k);
        direction[self->snake.row[FA_SNAKE_ROW_JOINT_REFERENCE] + k] = dot.wanted;
    }
}

void fa_sliding_tell_adjoint(fa_sliding_self *self, const double value[], double adjoint[])
{
    double *theta = adjoint + self->snake.row[FA_SNAKE_ROW_ANGLE];
    for (int k = 0; k < self->chain.n - 1; k++) {
        const fa_snake_joint_now now = fa_snake_joint_at(&self->snake, value, k);
        fa_snake_joint_sums      sums = {.adjoint = adjoint};
        fa_snake_tell_joint_adjoints(&now, adjoint, &sums);
        if (self->snake.gait_told) {
            const double by = adjoint[self->snake.row[FA_SNAKE_ROW_JOINT_REFERENCE] + k];
            add_follower(self, value, &(fa_follower_in){.wanted = by}, &sums, k);
        }
        theta[k + 1] += sums.position;
        theta[k] -= sums.position;
        self->dot[k + 1].w += sums.rate;
        self->dot[k].w -= sums.rate;
        if (!fa_snake_has_angle(&self->snake)) adjoint[self->snake.time_row] += sums.time;
    }
}
