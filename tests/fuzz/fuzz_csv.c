// Whatever the bytes: a table is refused with a sentence that has a place, or gives finite numbers;
// as a schedule of an arm's inputs, too.
#define _XOPEN_SOURCE 700
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "csv.h"
#include "fuzz.h"
#include "import.h"
#include "schedule_file.h"

static fa_status read_all(fa_csv *csv, double value[], fa_error *error)
{
    for (;;) {
        bool      more;
        fa_status status = fa_csv_next(csv, value, &more, error);
        if (status != FA_OK || !more) return status;
        for (int i = 0; i < csv->n; i++) check(isfinite(value[i]) && csv->place[i].column > 0);
    }
}

// Reads time and inputs at every line, and between them.
static void follow(fa_schedule *schedule, double value[])
{
    for (double t = -INFINITY, next; isfinite(next = fa_schedule_next(schedule, t)); t = next) {
        check(next > t);
        fa_schedule_enter(schedule, next);
        fa_schedule_put(schedule, next, value);
        for (int i = 0; i < schedule->n_columns; i++) check(isfinite(value[schedule->row[i]]));
    }
}

static void as_schedule(const char *path)
{
    static fa_robot *robot;
    static fa_state  state;
    fa_error         error = {.message = ""};
    if (!robot) {
        check(fa_import(ROBOTS "/double_pendulum.xml", NULL, NULL, &robot, &error) == FA_OK);
        check(fa_state_new(robot, &state, &error) == FA_OK);
    }
    for (int linear = 0; linear < 2; linear++) {
        fa_schedule schedule;
        if (fa_schedule_read(path, linear == 1, linear, &state, &schedule, NULL, &error) == FA_OK)
            follow(&schedule, state.value);
        else
            check(error.message[0] && error.file[0]);
        fa_schedule_free(&schedule);
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    if (size == 0) return 0; // fmemopen refuses it
    as_schedule(fuzz_file(data, size));
    FILE *file = fmemopen((void *)data, size, "rb");
    check(file != NULL);
    fa_csv    csv;
    fa_error  error = {.message = ""};
    fa_status status = fa_csv_begin(file, "fuzz", &csv, &error);
    if (status == FA_OK) {
        double *value = calloc((size_t)csv.n, sizeof *value);
        check(value && csv.n > 0);
        status = read_all(&csv, value, &error);
        free(value);
    }
    check(status == FA_OK || (status == FA_BAD_INPUT && error.message[0] && error.file[0]));
    fa_csv_close(&csv);
    return 0;
}
