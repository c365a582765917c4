// Discrete updates of a snake: joints hit or leave a stop, wheels would slip, control is lost. A
// stop affects the motion and has an event indicator, which jumps by twice the hysteresis, away
// from zero, when the stop is hit or left. The others are flags without indicators: events of a
// thousand wheels would interrupt every step.
#include <math.h>

#include "snake_control.h"
#include "snake_elements.h"
#include "snake_plant.h"

static bool passes(bool now, double measure, double hysteresis)
{
    return now ? measure > -hysteresis : measure >= hysteresis;
}

void fa_snake_update_stops(const fa_snake_self *self, int n, double value[])
{
    double *stop = value + self->row[FA_SNAKE_ROW_STOP], next_time = INFINITY;
    for (int k = 0; k < n - 1; k++) {
        const fa_snake_joint_now now = fa_snake_joint_at(self, value, k);
        const fa_stop_in         in = fa_stop_now(&now);
        fa_stop_in               next = in;
        fa_stop_out              out;
        fa_stop_law(&in, &out);
        fa_stop_event(&in, &out, &next, 0, &next_time);
        stop[k] = next.side;
    }
}

bool fa_snake_slips(const fa_snake_axle_now *now)
{
    const fa_grip_in in = fa_grip_now(now);
    fa_grip_in       next = in;
    fa_grip_out      out;
    double           next_time = INFINITY;
    fa_grip_law(&in, &out);
    fa_grip_event(&in, &out, &next, 0, &next_time);
    return next.slip != 0;
}

static bool slips(const fa_snake_self *self, const double value[], int k)
{
    const fa_snake_axle_now now = fa_snake_axle_at(self, value, k);
    return fa_snake_slips(&now);
}

static void update_slip(fa_snake_self *self, double value[], bool seen)
{
    for (int k = 0; k < self->snake.n; k++) {
        const bool now = slips(self, value, k);
        value[self->row[FA_SNAKE_ROW_SLIP] + k] = now;
        seen |= now;
    }
    if (seen) value[self->row[FA_SNAKE_ROW_SLIPPED]] = 1;
}

void fa_snake_update_control(fa_snake_self *self, double value[])
{
    const double limit = value[self->row[FA_SNAKE_ROW_CONTROL_LIMIT]];
    double      *lost = value + self->row[FA_SNAKE_ROW_CONTROL_LOST];
    *lost = passes(*lost != 0, limit - self->controllability, limit * FA_SNAKE_CONTROL_HYSTERESIS);
}

// Keeps the angle of the gait continuous: frequency t + phase + offset, when the first two change.
void fa_snake_tune(void *memory, double value[], int row, double next)
{
    fa_snake_self *self = memory;
    if (self->row[FA_SNAKE_ROW_GAIT_OFFSET] == FA_NO_ROW) return;
    const double change = value[row] - next;
    double      *offset = &value[self->row[FA_SNAKE_ROW_GAIT_OFFSET]];
    if (row == self->gait_row[FA_SNAKE_ROW_GAIT_FREQUENCY])
        *offset += change * value[self->time_row];
    if (row == self->gait_row[FA_SNAKE_ROW_GAIT_PHASE]) *offset += change;
}

fa_status fa_snake_note(void *memory, double value[], bool seen, fa_error *error)
{
    fa_snake_self *self = memory;
    fa_status      status =
        fa_snake_trace(self, value, FA_SNAKE_GROUP_FORCES | FA_SNAKE_GROUP_CONTROL, error);
    if (status != FA_OK) return status;
    update_slip(self, value, seen);
    fa_snake_update_control(self, value);
    return FA_OK;
}

// Only `slipped` reports past slip, so the check ends once it is set.
fa_status fa_snake_notable(void *memory, const double value[], bool *seen, fa_error *error)
{
    fa_snake_self *self = memory;
    *seen = false;
    if (value[self->row[FA_SNAKE_ROW_SLIPPED]] != 0) return FA_OK;
    const fa_status status = fa_snake_trace(self, value, FA_SNAKE_GROUP_FORCES, error);
    for (int k = 0; k < self->snake.n && status == FA_OK; k++) *seen |= slips(self, value, k);
    return status;
}

// Stops first: the wheels' forces depend on their torques.
fa_status fa_snake_event(void *memory, double value[], fa_event *event, fa_error *error)
{
    fa_snake_self *self = memory;
    const bool     seen = event->seen;
    *event = (fa_event){.next_time = 0};
    if (self->stops) {
        fa_status status = fa_snake_trace(self, value, FA_SNAKE_GROUP_MOTION, error);
        if (status != FA_OK) return status;
        fa_snake_update_stops(self, self->snake.n, value);
    }
    return fa_snake_note(self, value, seen, error);
}
