// forearm runs: simulates many motions of one robot, one per line of a table.
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "arrays.h"
#include "csv.h"
#include "csv_writer.h"
#include "ensemble.h"
#include "kept_columns.h"
#include "load.h"
#include "progress.h"
#include "promise.h"
#include "simulation.h"
#include "state_options.h"
#include "told_limits.h"

// Capacity of the queue: runs that are computed side by side, and finished runs that wait for a
// longer one in front of them to be written.
enum { ON_THE_WAY = 64 };

typedef struct job {
    const fa_arguments *arguments;
    fa_state            state;
    fa_csv              in;
    int                *row; // row of each column
    fa_keeping          keeping;
    fa_limits           limits;
    fa_plan             plan;
    fa_csv_writer       out;
    fa_arrays           arrays; // instead of `out`, where the result is a .npy or .npz …
    bool                in_arrays;
    double             *columns;         // … and scratch for one run, variable by variable
    double             *time;            // of the samples
    fa_run              run[ON_THE_WAY]; // ring buffer: run k is at k modulo ON_THE_WAY
    double             *numbers;         // numbers of all runs
    fa_place           *places;          // their places in the table, for messages
    double              begun, written;  // number of runs started and written
    double              failed;
    bool                ended; // the table has no further line
} job;

// -------------------------------------------------------------------------------------- the result

static void put_head(job *j)
{
    fa_csv_put_name(&j->out, "run");
    for (int i = 0; i < j->in.n; i++) fa_csv_put_name(&j->out, j->in.name[i]);
    fa_csv_put_name(&j->out, "status");
    fa_csv_put_name(&j->out, "message");
    if (j->keeping.all)
        fa_csv_put_name(&j->out, j->state.table.row[j->state.table.first[FA_TIME]].name);
    fa_keeping_put_names(&j->keeping, &j->state.table, &j->out);
    (void)fa_csv_end_line(&j->out);
}

typedef struct message_text {
    char text[sizeof((fa_error *)NULL)->file + sizeof((fa_error *)NULL)->message + 64];
} message_text;

// Returns the error message of a run, with the place in the table if that is the cause.
static message_text message_of(const fa_run *run)
{
    message_text    m;
    const fa_error *error = &run->error;
    if (error->file[0] && error->place.line > 0)
        (void)snprintf(m.text, sizeof m.text, "%s:%d:%d: %s", error->file, error->place.line,
                       error->place.column, error->message);
    else
        (void)snprintf(m.text, sizeof m.text, "%s", error->message);
    return m;
}

static void put_beginning(job *j, const fa_run *run)
{
    fa_csv_put_number(&j->out, j->written);
    for (int i = 0; i < j->in.n; i++) fa_csv_put_number(&j->out, run->given[i]);
    fa_csv_put_name(&j->out, run->error.status == FA_OK ? "done" : "failed");
    fa_csv_put_text(&j->out, run->error.status == FA_OK ? "" : message_of(run).text);
}

static void put_run(job *j, const fa_run *run)
{
    const bool   failed = run->error.status != FA_OK;
    const double lines = j->keeping.all && !failed ? j->keeping.lines : 0;
    for (double line = 0; line <= lines && j->out.status == FA_OK; line++) {
        put_beginning(j, run);
        if (j->keeping.all) fa_csv_put_known(&j->out, failed ? NAN : fa_plan_time(&j->plan, line));
        if (failed)
            fa_keeping_put_nothing(&j->keeping, &j->out);
        else
            fa_keeping_put(&j->keeping, run->kept, line, &j->out);
        (void)fa_csv_end_line(&j->out);
    }
    j->failed += failed;
}

// ---- the same as arrays, a record for each run

static fa_status begin_arrays(job *j, fa_error *error)
{
    const bool   all = j->keeping.all;
    const size_t lines = all ? (size_t)j->keeping.lines + 1 : 1;
    fa_arrays   *a = &j->arrays;
    fa_arrays_create(j->arguments->out, a, error);
    a->messages = true;
    j->columns = malloc((j->keeping.size + 1) * sizeof *j->columns);
    j->time = malloc(lines * sizeof *j->time);
    if (a->status == FA_OK && (!j->columns || !j->time))
        return fa_fail(error, FA_NO_MEMORY, a->path, FA_NOWHERE,
                       "there is not enough memory for its columns");
    const char *time = j->state.table.row[j->state.table.first[FA_TIME]].name;
    for (size_t i = 0; i < lines && j->time; i++) j->time[i] = fa_plan_time(&j->plan, (double)i);
    fa_arrays_add(a, "run", NULL, 1);
    for (int i = 0; i < j->in.n; i++) fa_arrays_add(a, j->in.name[i], NULL, 1);
    if (all && a->packed) {
        a->axis = j->time;
        a->n_axis = lines;
        a->axis_name = time;
    } else if (all) {
        fa_arrays_add(a, time, NULL, lines);
    }
    fa_keeping_add_fields(&j->keeping, &j->state.table, a);
    return a->status;
}

// Writes the numbers of a run: of every sample kept, those of a variable follow one another, while
// the run has those of a sample so.
static void put_record(job *j, const fa_run *run)
{
    fa_arrays   *a = &j->arrays;
    const bool   failed = run->error.status != FA_OK, all = j->keeping.all;
    const size_t n = (size_t)j->keeping.n, lines = all ? (size_t)j->keeping.lines + 1 : 1;
    for (size_t i = 0; i < j->keeping.size; i++) {
        const size_t from = all ? i % lines * n + i / lines : i;
        j->columns[i] = failed ? NAN : run->kept[from];
    }
    fa_arrays_put(a, &j->written, 1);
    fa_arrays_put(a, run->given, (size_t)j->in.n);
    if (all && !a->packed) fa_arrays_put(a, j->time, lines);
    fa_arrays_put(a, j->columns, j->keeping.size);
    fa_arrays_end_record(a, failed ? message_of(run).text : NULL);
    j->failed += failed;
}

static fa_run *run_of(job *j, double number)
{
    return &j->run[(int)fmod(number, ON_THE_WAY)];
}

// Marks the run as failed if a kept number is not finite.
static void promise(const job *j, fa_run *run)
{
    for (size_t i = 0; i < j->keeping.size && run->error.status == FA_OK; i++) {
        char      what[2 * FA_NAME_SIZE];
        const int each = j->keeping.all ? 1 : j->keeping.n_words;
        const int which = (int)(i / (size_t)each) % j->keeping.n;
        if (isfinite(run->kept[i])) continue;
        (void)snprintf(what, sizeof what, "'%s'", j->state.table.row[j->keeping.row[which]].name);
        (void)fa_promise(what, run->kept[i], &run->error);
    }
}

// Writes finished runs in the order of the table, up to the first unfinished one.
static fa_status write_finished(job *j)
{
    while (j->written < j->begun && run_of(j, j->written)->finished) {
        promise(j, run_of(j, j->written));
        if (j->in_arrays)
            put_record(j, run_of(j, j->written));
        else
            put_run(j, run_of(j, j->written));
        j->written++;
        fa_progress_at(j->written, j->begun / fa_csv_share(&j->in));
    }
    return j->in_arrays ? j->arrays.status : j->out.status;
}

// --------------------------------------------------------------------------------------- the table

static fa_status next(void *context, fa_run **run, fa_error *error)
{
    job      *j = context;
    fa_status status = write_finished(j);
    bool      more = false;
    *run = NULL;
    if (status != FA_OK || j->ended || j->begun - j->written == ON_THE_WAY) return status;
    fa_run *free_one = run_of(j, j->begun);
    status = fa_csv_next(&j->in, free_one->given, &more, error);
    j->ended = !more;
    if (status != FA_OK || !more) return status;
    fa_place *places = j->places + (size_t)(free_one - j->run) * (size_t)j->in.n;
    memcpy(places, j->in.place, (size_t)j->in.n * sizeof *places);
    free_one->place = places;
    free_one->finished = false;
    free_one->number = j->begun++;
    *run = free_one;
    return FA_OK;
}

static fa_status find_columns(job *j, fa_error *error)
{
    j->row = calloc((size_t)j->in.n, sizeof *j->row);
    if (!j->row)
        return fa_fail(error, FA_NO_MEMORY, NULL, FA_NOWHERE,
                       "there is not enough memory for the columns of the table");
    fa_status status = FA_OK;
    for (int i = 0; i < j->in.n && status == FA_OK; i++)
        status = fa_state_find_settable(&j->state, j->in.name[i], j->in.path, j->in.place[i],
                                        &j->row[i], error);
    return status;
}

static fa_status find_room(job *j, fa_error *error)
{
    const size_t columns = (size_t)j->in.n, each = columns + j->keeping.size;
    if (each < SIZE_MAX / sizeof(double) / ON_THE_WAY)
        j->numbers = malloc(each * ON_THE_WAY * sizeof(double));
    j->places = malloc((columns * ON_THE_WAY + 1) * sizeof *j->places);
    if (!j->numbers || !j->places)
        return fa_fail(error, FA_NO_MEMORY, NULL, FA_NOWHERE,
                       "there is not enough memory for %d runs at a time; take a longer --step, or "
                       "fewer --variables",
                       ON_THE_WAY);
    for (int i = 0; i < ON_THE_WAY; i++) {
        j->run[i].given = j->numbers + (size_t)i * each;
        j->run[i].kept = j->run[i].given + columns;
    }
    return FA_OK;
}

// ------------------------------------------------------------------------------------- the command

static fa_status prepare(job *j, const fa_robot *robot, fa_error *error)
{
    const fa_arguments *a = j->arguments;
    const double        stop = isnan(a->stop) ? FA_DEFAULT_STOP : a->stop;
    const double        step = isnan(a->step) ? FA_DEFAULT_STEP : a->step;
    double              lines;
    fa_status           status = fa_simulation_lines(stop, step, &lines, error);
    if (status == FA_OK) status = fa_state_new(robot, &j->state, error);
    if (status == FA_OK) status = fa_state_set_all(&j->state, a, error);
    if (status == FA_OK)
        status = fa_keeping_read(&j->state, a->keep, a->variables, lines, &j->keeping, error);
    if (status == FA_OK) status = fa_csv_open(a->in, &j->in, error);
    if (status == FA_OK) status = find_columns(j, error);
    if (status == FA_OK) status = find_room(j, error);
    if (status == FA_OK) status = fa_limits_new(robot, &j->state.table, &j->limits, error);
    j->limits.several = true;
    j->plan = (fa_plan){.robot = robot,
                        .state = &j->state,
                        .n_columns = j->in.n,
                        .file = strcmp(a->in, "-") == 0 ? NULL : j->in.path,
                        .row = j->row,
                        .stop = stop,
                        .step = step,
                        .keeping = &j->keeping,
                        .limits = &j->limits,
                        .alone = a->alone};
    return status;
}

static fa_status work(job *j, const fa_robot *robot, fa_error *error)
{
    fa_status status = prepare(j, robot, error);
    if (status != FA_OK) return status;
    j->in_arrays = fa_arrays_wanted(j->arguments->out);
    if (j->in_arrays) {
        status = begin_arrays(j, error);
        if (status == FA_OK) status = fa_ensemble(&j->plan, next, j, error);
        if (status == FA_OK) status = write_finished(j);
        if (status == FA_OK) return fa_arrays_keep(&j->arrays);
        fa_arrays_drop(&j->arrays);
        return status;
    }
    fa_csv_create(j->arguments->out, &j->out, error);
    put_head(j);
    if (status == FA_OK) status = fa_ensemble(&j->plan, next, j, error);
    if (status == FA_OK) status = write_finished(j);
    if (status == FA_OK) return fa_csv_keep(&j->out);
    fa_csv_drop(&j->out);
    return status;
}

static fa_status run_all(job *j, const fa_robot *robot, fa_error *error)
{
    fa_progress_begin("simulating");
    fa_progress_unit("runs");
    const fa_status status = work(j, robot, error);
    fa_progress_end();
    const fa_log log = fa_report_warnings(NULL);
    if (status == FA_OK && j->failed > 0)
        fa_warn(&log, j->in.path, FA_NOWHERE, "%.0f of %.0f runs failed; the result says why",
                j->failed, j->written);
    if (status == FA_OK) fa_limits_tell(&j->limits, j->arguments->operand);
    fa_csv_close(&j->in);
    fa_limits_free(&j->limits);
    fa_keeping_free(&j->keeping);
    fa_state_free(&j->state);
    free(j->row);
    free(j->numbers);
    free(j->places);
    free(j->columns);
    free(j->time);
    return status;
}

fa_exit fa_run_runs(const fa_arguments *arguments)
{
    fa_error  error = fa_no_error();
    fa_robot *robot = NULL;
    job      *j = NULL;
    fa_status status = FA_OK;
    if (!arguments->in)
        status = fa_fail(&error, FA_UNFIT, NULL, FA_NOWHERE,
                         "there is no table to read; name it with --in FILE, or --in - for "
                         "standard input");
    if (status == FA_OK && !(j = calloc(1, sizeof *j)))
        status = fa_fail(&error, FA_NO_MEMORY, NULL, FA_NOWHERE,
                         "there is not enough memory for the runs");
    if (status == FA_OK) status = fa_load_robot(arguments, NULL, &robot, &error);
    if (status == FA_OK && j) {
        j->arguments = arguments;
        status = run_all(j, robot, &error);
    }
    free(robot);
    free(j);
    return fa_report(status, &error);
}
