// A gait that is the prescribed motion of all joints: filters smooth its numbers, and the wave with
// these numbers is what the joints follow.
#include "laws.h"
#include "sliding_plant.h"

#include "laws.gen.h"

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

fa_follower_in fa_sliding_wave(const fa_sliding_self *self, const double value[], int k)
{
    const fa_wave_in wave = wave_at(&self->gait, k);
    fa_wave_out      out;
    fa_wave_law(&wave, &out);
    return (fa_follower_in){.bandwidth = value[self->snake.row[FA_SNAKE_ROW_BANDWIDTH]],
                            .wanted = out.reference,
                            .wanted_rate = out.reference_rate,
                            .wanted_acceleration = out.reference_acceleration};
}

fa_follower_in fa_sliding_wave_tangent(const fa_sliding_self *self, const double direction[], int k)
{
    const fa_wave_in wave = wave_at(&self->gait, k), dot = wave_at(&self->gait_change, 0);
    fa_wave_out      out;
    fa_wave_tangent(&wave, &dot, &out);
    return (fa_follower_in){.bandwidth = direction[self->snake.row[FA_SNAKE_ROW_BANDWIDTH]],
                            .wanted = out.reference,
                            .wanted_rate = out.reference_rate,
                            .wanted_acceleration = out.reference_acceleration};
}

void fa_sliding_wave_adjoint(fa_sliding_self *self, const fa_follower_in *to, double adjoint[],
                             int k)
{
    const fa_wave_in  wave = wave_at(&self->gait, k);
    const fa_wave_out bar = {.reference = to->wanted,
                             .reference_rate = to->wanted_rate,
                             .reference_acceleration = to->wanted_acceleration};
    fa_wave_in        from;
    fa_wave_adjoint(&wave, &bar, &from);
    add_wave(&self->gait_change, &from);
    adjoint[self->snake.row[FA_SNAKE_ROW_BANDWIDTH]] += to->bandwidth;
}
