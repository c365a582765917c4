// Reads a CSV table of inputs over time into a schedule.
#include "schedule_file.h"

#include <stdio.h>
#include <stdlib.h>

#include "csv.h"

#define FAIL(csv, place, ...) fa_fail(error, FA_BAD_INPUT, (csv)->path, place, __VA_ARGS__)

// Finds the input of each column; *time_column is the one called time.
static fa_status find_columns(const fa_csv *csv, const fa_state *state, double period, int input[],
                              int *n, int *time_column, fa_error *error)
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
            input[(*n)++] = row;
        else if (role < FA_INPUT)
            return FAIL(csv, place, "'%s' is a parameter, not an input; give it with --set",
                        csv->name[i]);
        else
            return FAIL(csv, place, "'%s' is no input; leave its column out", csv->name[i]);
    }
    if (*time_column == FA_NO_ROW && !(period > 0))
        return FAIL(csv, ((fa_place){csv->line, 0}),
                    "no column is called time; inputs need one, in seconds");
    return FA_OK;
}

static fa_status read_lines(fa_csv *csv, int time_column, double period, double line[],
                            double value[], fa_schedule *schedule, fa_error *error)
{
    const bool timed = time_column != FA_NO_ROW;
    for (;;) {
        bool      more;
        fa_status status = fa_csv_next(csv, line, &more, error);
        if (status != FA_OK) return status;
        if (!more) break;
        int n = 0;
        for (int i = 0; i < csv->n; i++)
            if (i != time_column) value[n++] = line[i];
        const double time = timed ? line[time_column] : schedule->n * period;
        status = fa_schedule_add(schedule, time, value, error);
        if (status == FA_BAD_INPUT && timed) error->place = csv->place[time_column];
        if (status != FA_OK) return status;
    }
    if (schedule->n == 0)
        return FAIL(csv, FA_NOWHERE, "the table has no line of numbers; give one at least");
    return FA_OK;
}

fa_status fa_schedule_read(const char *path, bool linear, double period, const fa_state *state,
                           fa_schedule *schedule, bool *timed, fa_error *error)
{
    fa_csv csv;
    int    n = 0, time_column = FA_NO_ROW;
    *schedule = (fa_schedule){.now = -1};
    fa_status    status = fa_csv_open(path, &csv, error);
    const size_t columns = (size_t)csv.n + 1;
    double      *line = calloc(columns, sizeof *line), *value = calloc(columns, sizeof *value);
    int         *input = calloc(columns, sizeof *input);
    if (status == FA_OK && (!line || !value || !input))
        status = fa_fail(error, FA_NO_MEMORY, path, FA_NOWHERE,
                         "there is not enough memory for its inputs");
    if (status == FA_OK) status = find_columns(&csv, state, period, input, &n, &time_column, error);
    if (status == FA_OK) status = fa_schedule_new(linear, input, n, schedule, error);
    if (status == FA_OK)
        status = read_lines(&csv, time_column, period, line, value, schedule, error);
    if (status != FA_OK && !error->file[0])
        (void)snprintf(error->file, sizeof error->file, "%s", csv.path);
    if (timed) *timed = time_column != FA_NO_ROW;
    free(input);
    free(value);
    free(line);
    fa_csv_close(&csv);
    return status;
}
