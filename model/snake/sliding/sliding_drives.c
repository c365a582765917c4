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

// ------------------------------------------------------------------------------- prescribed joints

// Returns what the filter of number i of the gait reads.
static fa_smoothing_in filter_at(const fa_sliding_self *self, const double of[], int i)
{
    const int *row = self->snake.row;
    return (fa_smoothing_in){.smoothing = of[row[FA_SNAKE_ROW_SMOOTHING]],
                             .asked = of[self->snake.gait_row[i]],
                             .position = of[row[FA_SNAKE_ROW_GAIT_NOW] + i],
                             .rate = of[row[FA_SNAKE_ROW_GAIT_NOW_RATE] + i]};
}

void fa_sliding_smooth(fa_sliding_self *self, const double value[])
{
    if (!self->snake.gait_told) return;
    self->gait.angle = value[self->snake.row[FA_SNAKE_ROW_GAIT_ANGLE]];
    for (int i = 0; i < FA_GAIT_NUMBERS; i++) {
        const fa_smoothing_in in = filter_at(self, value, i);
        fa_smoothing_out      out;
        fa_smoothing_law(&in, &out);
        self->gait.now[i] = in.position;
        self->gait.rate[i] = in.rate;
        self->gait.bend[i] = out.acceleration;
    }
}

void fa_sliding_smooth_tangent(fa_sliding_self *self, const double value[],
                               const double direction[])
{
    if (!self->snake.gait_told) return;
    self->gait_change.angle = direction[self->snake.row[FA_SNAKE_ROW_GAIT_ANGLE]];
    for (int i = 0; i < FA_GAIT_NUMBERS; i++) {
        const fa_smoothing_in in = filter_at(self, value, i), dot = filter_at(self, direction, i);
        fa_smoothing_out      out;
        fa_smoothing_tangent(&in, &dot, &out);
        self->gait_change.now[i] = dot.position;
        self->gait_change.rate[i] = dot.rate;
        self->gait_change.bend[i] = out.acceleration;
    }
}

void fa_sliding_smooth_adjoint(fa_sliding_self *self, const double value[], double adjoint[])
{
    const int *row = self->snake.row;
    if (!self->snake.gait_told) return;
    adjoint[row[FA_SNAKE_ROW_GAIT_ANGLE]] += self->gait_change.angle;
    for (int i = 0; i < FA_GAIT_NUMBERS; i++) {
        const fa_smoothing_in  in = filter_at(self, value, i);
        const fa_smoothing_out bar = {.acceleration = self->gait_change.bend[i]};
        fa_smoothing_in        to;
        fa_smoothing_adjoint(&in, &bar, &to);
        adjoint[row[FA_SNAKE_ROW_SMOOTHING]] += to.smoothing;
        adjoint[self->snake.gait_row[i]] += to.asked;
        adjoint[row[FA_SNAKE_ROW_GAIT_NOW] + i] += to.position + self->gait_change.now[i];
        adjoint[row[FA_SNAKE_ROW_GAIT_NOW_RATE] + i] += to.rate + self->gait_change.rate[i];
    }
}

// Returns what the gait's wave reads at joint k; of changes, k is 0 in its place.
static fa_wave_in wave_at(const fa_sliding_gait *g, int k)
{
    enum { AMPLITUDE, FREQUENCY, SHIFT, BIAS };
    return (fa_wave_in){.angle = g->angle,
                        .joint = k,
                        .amplitude = g->now[AMPLITUDE],
                        .amplitude_rate = g->rate[AMPLITUDE],
                        .amplitude_bend = g->bend[AMPLITUDE],
                        .frequency = g->now[FREQUENCY],
                        .frequency_rate = g->rate[FREQUENCY],
                        .shift = g->now[SHIFT],
                        .shift_rate = g->rate[SHIFT],
                        .shift_bend = g->bend[SHIFT],
                        .bias = g->now[BIAS],
                        .bias_rate = g->rate[BIAS],
                        .bias_bend = g->bend[BIAS]};
}

static void add_wave(fa_sliding_gait *g, const fa_wave_in *to)
{
    const double now[] = {to->amplitude, to->frequency, to->shift, to->bias};
    const double rate[] = {to->amplitude_rate, to->frequency_rate, to->shift_rate, to->bias_rate};
    const double bend[] = {to->amplitude_bend, 0, to->shift_bend, to->bias_bend};
    g->angle += to->angle;
    for (int i = 0; i < FA_GAIT_NUMBERS; i++) {
        g->now[i] += now[i];
        g->rate[i] += rate[i];
        g->bend[i] += bend[i];
    }
}

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
    const fa_wave_in wave = wave_at(&self->gait, k);
    fa_wave_out      out;
    fa_wave_law(&wave, &out);
    return (fa_follower_in){.bandwidth = value[self->snake.row[FA_SNAKE_ROW_BANDWIDTH]],
                            .wanted = out.reference,
                            .wanted_rate = out.reference_rate,
                            .wanted_acceleration = out.reference_acceleration,
                            .position = now.position,
                            .rate = now.rate};
}

static fa_follower_in follower_change(const fa_sliding_self *self, const double value[],
                                      const double direction[], const fa_snake_joint_change *change,
                                      int k)
{
    const fa_snake_joint_now now = told_at(self, value, k);
    if (!self->snake.gait_told) return fa_follower_change(&now, change);
    const fa_wave_in wave = wave_at(&self->gait, k), dot = wave_at(&self->gait_change, 0);
    fa_wave_out      out;
    fa_wave_tangent(&wave, &dot, &out);
    return (fa_follower_in){.bandwidth = direction[self->snake.row[FA_SNAKE_ROW_BANDWIDTH]],
                            .wanted = out.reference,
                            .wanted_rate = out.reference_rate,
                            .wanted_acceleration = out.reference_acceleration,
                            .position = change->position,
                            .rate = change->rate};
}

static void add_follower(fa_sliding_self *self, const double value[], const fa_follower_in *to,
                         fa_snake_joint_sums *sums, int k)
{
    if (!self->snake.gait_told) {
        const fa_snake_joint_now now = told_at(self, value, k);
        fa_follower_adjoints(&now, to, sums);
        return;
    }
    const fa_wave_in  wave = wave_at(&self->gait, k);
    const fa_wave_out bar = {.reference = to->wanted,
                             .reference_rate = to->wanted_rate,
                             .reference_acceleration = to->wanted_acceleration};
    fa_wave_in        from;
    fa_wave_adjoint(&wave, &bar, &from);
    add_wave(&self->gait_change, &from);
    sums->adjoint[self->snake.row[FA_SNAKE_ROW_BANDWIDTH]] += to->bandwidth;
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
        const joint_torque t = torques_at(&now);
        const joint_torque dot = torques_tangent(&now, &change);
        self->drive_change[k] = dot.drive;
        self->snake.torque_tangent[k] = dot.drive + dot.lost + dot.spring;
        self->power_change.joints += dot.lost * now.rate + t.lost * change.rate;
        self->power_change.springs += dot.energy;
        self->power_change.spring_power += dot.spring * now.rate + t.spring * change.rate;
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
        const joint_torque       t = torques_at(&now);
        const double             all = self->snake.torque_tangent[k];
        const joint_torque       by = {.drive = all + self->drive_change[k],
                                       .lost = all + wanted->joints * phid_of(self->at, k),
                                       .spring = all + wanted->spring_power * phid_of(self->at, k),
                                       .energy = wanted->springs};
        fa_snake_joint_sums      sums = {
                 .adjoint = adjoint, .rate = wanted->joints * t.lost + wanted->spring_power * t.spring};
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
