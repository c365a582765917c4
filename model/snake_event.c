// What of a snake changes from one moment to the next: joints that meet or leave a stop, wheels
// that would slip, and the loss of control. A stop is part of the motion and has an indicator,
// which jumps by twice the hysteresis when the stop is met or left, away from zero. The others are
// remarks on the motion: a thousand wheels that an event each told of would stop every step.
#include <math.h>

#include "snake_control.h"
#include "snake_laws.h"
#include "snake_plant.h"

static bool passes(bool now, double measure, double hysteresis)
{
    return now ? measure > -hysteresis : measure >= hysteresis;
}

static void update_stops(fa_crawler *self, double value[])
{
    const double *theta = value + self->row[FA_CRAWL_ANGLE];
    double       *stop = value + self->row[FA_CRAWL_STOP];
    for (int k = 0; k < self->snake.n - 1; k++) {
        const double phi = theta[k + 1] - theta[k];
        const double phid = self->motion[k + 1].w - self->motion[k].w;
        const int    side = stop[k] != 0 ? (int)stop[k] : fa_crawl_stop_side(phi);
        const double depth = fa_crawl_stop_law(self, value, k, side, phi, phid).value;
        stop[k] = passes(stop[k] != 0, depth, FA_CRAWL_STOP_HYSTERESIS) ? side : 0;
    }
}

static void update_slip(fa_crawler *self, double value[])
{
    const double gravity = value[self->row[FA_CRAWL_GRAVITY]];
    double      *slip = value + self->row[FA_CRAWL_SLIP];
    for (int k = 0; k < self->snake.n; k++) {
        const double grip = value[fa_crawl_link_row(self, FA_CRAWL_GRIP, k)];
        const double usage = fa_snake_slip_usage(self->lambda[k], self->rolling[k],
                                                 grip * self->link[k].m * gravity);
        slip[k] = passes(slip[k] != 0, usage - 1, FA_CRAWL_SLIP_HYSTERESIS);
        if (slip[k] != 0) value[self->row[FA_CRAWL_SLIPPED]] = 1;
    }
}

static void update_control(fa_crawler *self, double value[])
{
    const double limit = value[self->row[FA_CRAWL_CONTROL_LIMIT]];
    double      *lost = value + self->row[FA_CRAWL_CONTROL_LOST];
    *lost = passes(*lost != 0, limit - self->controllability, limit * FA_CRAWL_CONTROL_HYSTERESIS);
}

// The angle of the gait is frequency t + phase + offset, whatever has become of the first two.
void fa_crawl_tune(void *memory, double value[], int row, double next)
{
    fa_crawler *self = memory;
    if (self->row[FA_CRAWL_GAIT_OFFSET] == FA_NO_ROW) return;
    const double change = value[row] - next;
    double      *offset = &value[self->row[FA_CRAWL_GAIT_OFFSET]];
    if (row == self->gait_row[FA_CRAWL_GAIT_FREQUENCY]) *offset += change * value[self->time_row];
    if (row == self->gait_row[FA_CRAWL_GAIT_PHASE]) *offset += change;
}

fa_status fa_crawl_note(void *memory, double value[], fa_error *error)
{
    fa_crawler *self = memory;
    fa_status   status =
        fa_crawl_trace(self, value, FA_CRAWL_GROUP_FORCES | FA_CRAWL_GROUP_CONTROL, error);
    if (status != FA_OK) return status;
    update_slip(self, value);
    update_control(self, value);
    return FA_OK;
}

// The stops first: what the wheels must hold follows from their torques.
fa_status fa_crawl_event(void *memory, double value[], fa_event *event, fa_error *error)
{
    fa_crawler *self = memory;
    *event = (fa_event){.next_time = 0};
    if (self->stops) {
        fa_status status = fa_crawl_trace(self, value, FA_CRAWL_GROUP_MOTION, error);
        if (status != FA_OK) return status;
        update_stops(self, value);
    }
    return fa_crawl_note(self, value, error);
}
