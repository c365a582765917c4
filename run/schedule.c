// Interpolates inputs over time, linear or held.
#include "schedule.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "number.h"

static fa_status no_memory(fa_error *error)
{
    return fa_fail(error, FA_NO_MEMORY, NULL, FA_NOWHERE,
                   "there is not enough memory for its inputs");
}

fa_status fa_schedule_new(bool linear, const int input[], int n, fa_schedule *schedule,
                          fa_error *error)
{
    *schedule = (fa_schedule){.linear = linear, .now = -1, .n_columns = n};
    schedule->row = malloc(((size_t)n + 1) * sizeof *schedule->row);
    if (!schedule->row) return no_memory(error);
    for (int i = 0; i < n; i++) schedule->row[i] = input[i];
    return FA_OK;
}

static bool grow(fa_schedule *schedule)
{
    if (schedule->n < schedule->room) return true;
    const int room = 2 * schedule->room + 64;
    size_t    columns = (size_t)schedule->n_columns + 1; // not zero, for malloc
    double   *time = realloc(schedule->time, (size_t)room * sizeof *time);
    if (!time) return false;
    schedule->time = time;
    double *value = realloc(schedule->value, (size_t)room * columns * sizeof *value);
    if (!value) return false;
    schedule->value = value;
    schedule->room = room;
    return true;
}

fa_status fa_schedule_add(fa_schedule *schedule, double time, const double value[], fa_error *error)
{
    const size_t columns = (size_t)schedule->n_columns;
    if (!grow(schedule)) return no_memory(error);
    if (schedule->n > 0 && !(time >= schedule->time[schedule->n - 1]))
        return fa_fail(error, FA_BAD_INPUT, NULL, FA_NOWHERE,
                       "time goes back from %s to %s; order the lines by time",
                       fa_number_text(schedule->time[schedule->n - 1]).text,
                       fa_number_text(time).text);
    memcpy(schedule->value + (size_t)schedule->n * columns, value, columns * sizeof *value);
    schedule->time[schedule->n++] = time;
    return FA_OK;
}

void fa_schedule_free(fa_schedule *schedule)
{
    free(schedule->row);
    free(schedule->time);
    free(schedule->value);
}

double fa_schedule_next(const fa_schedule *schedule, double t)
{
    for (int i = schedule->now + 1; i < schedule->n; i++)
        if (schedule->time[i] > t) return schedule->time[i];
    return INFINITY;
}

void fa_schedule_enter(fa_schedule *schedule, double t)
{
    while (schedule->now + 1 < schedule->n && schedule->time[schedule->now + 1] <= t)
        schedule->now++;
}

void fa_schedule_put(const fa_schedule *schedule, double t, double value[])
{
    int           columns = schedule->n_columns;
    int           at = schedule->now < 0 ? 0 : schedule->now;
    const double *from = schedule->value + (size_t)at * (size_t)columns, *to = from + columns;
    double        part = 0;
    if (schedule->linear && schedule->now >= 0 && at + 1 < schedule->n)
        part = (t - schedule->time[at]) / (schedule->time[at + 1] - schedule->time[at]);
    for (int i = 0; i < columns; i++)
        value[schedule->row[i]] = part > 0 ? from[i] + part * (to[i] - from[i]) : from[i];
}

void fa_schedule_rates(const fa_schedule *schedule, double rate[], int first)
{
    int           columns = schedule->n_columns, at = schedule->now;
    const bool    moves = schedule->linear && at >= 0 && at + 1 < schedule->n;
    const double *from = schedule->value + (size_t)(at < 0 ? 0 : at) * (size_t)columns;
    for (int i = 0; i < columns; i++)
        rate[schedule->row[i] - first] =
            moves ? (from[columns + i] - from[i]) / (schedule->time[at + 1] - schedule->time[at])
                  : 0;
}
