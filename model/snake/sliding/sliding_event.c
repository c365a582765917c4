// Events of a sliding snake: joints hit or leave stops, the snake touches or leaves an obstacle,
// and a period of the gait ends. No event changes a state.
#include <math.h>
#include <string.h>

#include "arctan.h"
#include "sliding_plant.h"
#include "snake_elements.h"

static const double TURN = 2 * 3.14159265358979323846;

static void update_touching(fa_sliding_self *self, double value[])
{
    for (int i = self->n_patches; i < self->n_things; i++) {
        double      *touching = &value[self->thing[i].touching_row];
        const double depth = self->thing[i].depth;
        *touching = *touching != 0 ? depth + 1e-9 > 0 : depth - 1e-9 >= 0;
    }
}

// Returns the angle of the gait at the first joint.
static double angle_of(const fa_sliding_self *self, const double value[])
{
    const int *row = self->snake.row, *gait = self->snake.gait_row;
    if (fa_snake_has_angle(&self->snake)) return value[row[FA_SNAKE_ROW_GAIT_ANGLE]];
    return value[gait[FA_SNAKE_ROW_GAIT_FREQUENCY]] * value[self->snake.time_row] +
           value[gait[FA_SNAKE_ROW_GAIT_PHASE]] + value[row[FA_SNAKE_ROW_GAIT_OFFSET]];
}

double fa_sliding_turn_left(const fa_sliding_self *self, const double value[])
{
    const double *memory = value + self->snake.row[FA_SNAKE_ROW_PERIOD_MEMORY];
    if (self->snake.input != FA_SNAKE_GAIT)
        return value[self->snake.time_row] -
               (memory[FA_MEMORY_TIME] + value[self->snake.row[FA_SNAKE_ROW_AVERAGING]]);
    return fabs(angle_of(self, value) - memory[FA_MEMORY_ANGLE]) - TURN;
}

// Returns the sign of the gait's rotation since the period began.
static double sense_of(const fa_sliding_self *self, const double value[])
{
    const double *memory = value + self->snake.row[FA_SNAKE_ROW_PERIOD_MEMORY];
    return angle_of(self, value) < memory[FA_MEMORY_ANGLE] ? -1 : 1;
}

double fa_sliding_turn_left_tangent(const fa_sliding_self *self, const double value[],
                                    const double direction[])
{
    const int   *row = self->snake.row, *gait = self->snake.gait_row;
    const double time = direction[self->snake.time_row];
    if (self->snake.input != FA_SNAKE_GAIT) return time - direction[row[FA_SNAKE_ROW_AVERAGING]];
    const double sense = sense_of(self, value);
    if (fa_snake_has_angle(&self->snake)) return sense * direction[row[FA_SNAKE_ROW_GAIT_ANGLE]];
    const int frequency = gait[FA_SNAKE_ROW_GAIT_FREQUENCY];
    return sense * (value[frequency] * time + direction[frequency] * value[self->snake.time_row] +
                    direction[gait[FA_SNAKE_ROW_GAIT_PHASE]]);
}

void fa_sliding_turn_left_adjoint(const fa_sliding_self *self, const double value[],
                                  double adjoint[], double wanted)
{
    const int *row = self->snake.row, *gait = self->snake.gait_row;
    if (self->snake.input != FA_SNAKE_GAIT) {
        adjoint[self->snake.time_row] += wanted;
        adjoint[row[FA_SNAKE_ROW_AVERAGING]] -= wanted;
        return;
    }
    const double by = wanted * sense_of(self, value);
    if (fa_snake_has_angle(&self->snake)) {
        adjoint[row[FA_SNAKE_ROW_GAIT_ANGLE]] += by;
        return;
    }
    const int frequency = gait[FA_SNAKE_ROW_GAIT_FREQUENCY];
    adjoint[self->snake.time_row] += by * value[frequency];
    adjoint[frequency] += by * value[self->snake.time_row];
    adjoint[gait[FA_SNAKE_ROW_GAIT_PHASE]] += by;
}

// Stores the current sums.
static void remember(const fa_sliding_self *self, const double value[], double memory[])
{
    const double *sum = value + self->snake.row[FA_SNAKE_ROW_SUM];
    fa_flat       centre = {0, 0};
    double        mass = 0;
    for (int k = 0; k < self->chain.n; k++) {
        const fa_snake_link *link = &self->snake.link[k];
        flat_add(&centre, flat_times(link->m, flat_sum(self->at[k].P,
                                                       fa_sliding_centre(link, &self->at[k]))));
        mass += link->m;
    }
    memory[FA_MEMORY_ANGLE] = self->snake.input == FA_SNAKE_GAIT ? angle_of(self, value) : 0;
    memory[FA_MEMORY_TIME] = value[self->snake.time_row];
    memory[FA_MEMORY_X] = centre.x / mass;
    memory[FA_MEMORY_Y] = centre.y / mass;
    memory[FA_MEMORY_HEADING_X] = sum[FA_SUM_HEADING_X];
    memory[FA_MEMORY_HEADING_Y] = sum[FA_SUM_HEADING_Y];
    memory[FA_MEMORY_WORK] = sum[FA_SUM_POSITIVE];
    memory[FA_MEMORY_NET_WORK] = sum[FA_SUM_DRIVE];
}

// Writes the results of the period that ends, and begins the next one.
static void end_period(const fa_sliding_self *self, double value[])
{
    double      *told = value + self->snake.row[FA_SNAKE_ROW_PERIOD];
    double      *begun = value + self->snake.row[FA_SNAKE_ROW_PERIOD_MEMORY];
    double       now[FA_MEMORIES], mass = 0;
    const double least =
        1e-9; // [m]: avoids a division by zero; a snake that hardly moves has no meaningful cost
    const double g = value[self->snake.row[FA_SNAKE_ROW_GRAVITY]];
    remember(self, value, now);
    for (int k = 0; k < self->chain.n; k++) mass += self->snake.link[k].m;
    const double  duration = now[FA_MEMORY_TIME] - begun[FA_MEMORY_TIME];
    const fa_flat way =
        flat(now[FA_MEMORY_X] - begun[FA_MEMORY_X], now[FA_MEMORY_Y] - begun[FA_MEMORY_Y]);
    const fa_flat heading = flat(now[FA_MEMORY_HEADING_X] - begun[FA_MEMORY_HEADING_X],
                                 now[FA_MEMORY_HEADING_Y] - begun[FA_MEMORY_HEADING_Y]);
    const double  distance = sqrt(flat_dot(way, way)), size = sqrt(flat_dot(heading, heading));
    told[FA_PERIOD_COUNT] += 1;
    told[FA_PERIOD_DURATION] = duration;
    told[FA_PERIOD_DISTANCE] = distance;
    told[FA_PERIOD_SPEED] = size > 0 && duration > 0 ? flat_dot(way, heading) / size / duration : 0;
    told[FA_PERIOD_HEADING] = fa_atan2(heading.y, heading.x);
    told[FA_PERIOD_WORK] = now[FA_MEMORY_WORK] - begun[FA_MEMORY_WORK];
    told[FA_PERIOD_NET_WORK] = now[FA_MEMORY_NET_WORK] - begun[FA_MEMORY_NET_WORK];
    told[FA_PERIOD_COST] =
        told[FA_PERIOD_WORK] / (mass * g * (distance > least ? distance : least));
    memcpy(begun, now, sizeof now);
}

fa_status fa_sliding_event(void *memory, double value[], fa_event *event, fa_error *error)
{
    fa_sliding_self *self = memory;
    const bool       initial = event->initial, gait = self->snake.input == FA_SNAKE_GAIT;
    double          *begun = value + self->snake.row[FA_SNAKE_ROW_PERIOD_MEMORY];
    *event = (fa_event){.next_time = 0};
    const fa_status status = fa_sliding_trace(self, value, FA_SNAKE_GROUP_MOTION, error);
    if (status != FA_OK) return status;
    if (self->snake.stops) fa_snake_update_stops(&self->snake, self->chain.n, value);
    update_touching(self, value);
    if (initial)
        remember(self, value, begun);
    else if (fa_sliding_turn_left(self, value) >= 0)
        end_period(self, value);
    if (gait) return FA_OK;
    event->timed = true;
    event->next_time = begun[FA_MEMORY_TIME] + value[self->snake.row[FA_SNAKE_ROW_AVERAGING]];
    return FA_OK;
}
