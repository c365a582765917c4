#include "schedule.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "number.h"

#define FAIL(csv, place, ...) fa_fail(error, FA_BAD_INPUT, (csv)->path, place, __VA_ARGS__)

static fa_status no_memory(const fa_csv *csv, fa_error *error)
{
    return fa_fail(error, FA_NO_MEMORY, csv->path, FA_NOWHERE,
                   "there is not enough memory for its inputs");
}

// Which input each column is; *time_column is the one called time.
static fa_status find_columns(const fa_csv *csv, const fa_state *state, double period,
                              fa_schedule *schedule, int *time_column, fa_error *error)
{
    *time_column = FA_NO_ROW;
    for (int i = 0; i < csv->n; i++) {
        int       row;
        fa_place  place = csv->place[i];
        fa_status status = fa_state_find(state, csv->name[i], csv->path, place, &row, error);
        if (status != FA_OK) return status;
        fa_role role = fa_state_role(state, row);
        if (role == FA_TIME)
            *time_column = i;
        else if (role == FA_INPUT)
            schedule->row[schedule->n_columns++] = row;
        else if (role < FA_INPUT)
            return FAIL(csv, place, "'%s' is a parameter, not an input; give it with --set",
                        csv->name[i]);
        else
            return FAIL(csv, place, "'%s' is no input; leave its column out", csv->name[i]);
    }
    schedule->timed = *time_column != FA_NO_ROW;
    if (!schedule->timed && !(period > 0))
        return FAIL(csv, ((fa_place){csv->line, 0}),
                    "no column is called time; inputs need one, in seconds");
    return FA_OK;
}

static bool grow(fa_schedule *schedule, int *room)
{
    if (schedule->n < *room) return true;
    *room = 2 * *room + 64;
    size_t  columns = (size_t)schedule->n_columns + 1; // never none
    double *time = realloc(schedule->time, (size_t)*room * sizeof *time);
    if (!time) return false;
    schedule->time = time;
    double *value = realloc(schedule->value, (size_t)*room * columns * sizeof *value);
    if (!value) return false;
    schedule->value = value;
    return true;
}

static fa_status read_lines(fa_csv *csv, int time_column, double period, double line[],
                            fa_schedule *schedule, fa_error *error)
{
    int room = 0;
    for (;;) {
        bool      more;
        fa_status status = fa_csv_next(csv, line, &more, error);
        if (status != FA_OK) return status;
        if (!more) break;
        if (!grow(schedule, &room)) return no_memory(csv, error);
        double time = schedule->timed ? line[time_column] : schedule->n * period;
        if (schedule->n > 0 && !(time >= schedule->time[schedule->n - 1]))
            return FAIL(csv, csv->place[time_column],
                        "time goes back from %s to %s; order the lines by time",
                        fa_number_text(schedule->time[schedule->n - 1]).text,
                        fa_number_text(time).text);
        double *value = schedule->value + (size_t)schedule->n * (size_t)schedule->n_columns;
        for (int i = 0; i < csv->n; i++)
            if (i != time_column) *value++ = line[i];
        schedule->time[schedule->n++] = time;
    }
    if (schedule->n == 0)
        return FAIL(csv, FA_NOWHERE, "the table has no line of numbers; give one at least");
    return FA_OK;
}

fa_status fa_schedule_read(const char *path, bool linear, double period, const fa_state *state,
                           fa_schedule *schedule, fa_error *error)
{
    fa_csv csv;
    int    time_column;
    *schedule = (fa_schedule){.linear = linear, .now = -1};
    fa_status status = fa_csv_open(path, &csv, error);
    double   *line = calloc((size_t)csv.n + 1, sizeof *line);
    schedule->row = calloc((size_t)csv.n + 1, sizeof *schedule->row);
    if (status == FA_OK && (!line || !schedule->row)) status = no_memory(&csv, error);
    if (status == FA_OK) status = find_columns(&csv, state, period, schedule, &time_column, error);
    if (status == FA_OK) status = read_lines(&csv, time_column, period, line, schedule, error);
    free(line);
    fa_csv_close(&csv);
    return status;
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
