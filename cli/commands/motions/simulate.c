// forearm simulate: integrates the motion of a robot.
#include "simulate.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "csv_writer.h"
#include "load.h"
#include "number.h"
#include "page.h"
#include "plot.h"
#include "plotting.h"
#include "progress.h"
#include "promise.h"
#include "schedule_file.h"
#include "simulation.h"
#include "state_options.h"
#include "told_limits.h"

typedef struct run {
    const fa_arguments *arguments;
    fa_state            state;
    fa_schedule         schedule; // without lines: no input table
    fa_simulation       simulation;
    bool                prints;    // writes a table
    fa_recording        recording; // without columns: neither page nor plot
    int                *plotted;   // rows of --plot
    int                 n_plotted;
    fa_limits           limits;        // joint limits that the motion has exceeded
    bool                deterministic; // the robot has the parameter `deterministic`
    double              reached;       // time of the last line [s]; NaN: there is none
} run;

// --------------------------------------------------------------------------------------- result

static bool is_shown(const fa_variables *table, int row)
{
    return table->row[row].role == FA_STATE || table->row[row].role == FA_OUTPUT;
}

static fa_status put_head(const run *r, fa_csv_writer *out)
{
    const fa_variables *table = &r->state.table;
    if (!r->prints) return FA_OK;
    fa_csv_put_name(out, table->row[table->first[FA_TIME]].name);
    for (int row = 0; row < table->n; row++)
        if (is_shown(table, row)) fa_csv_put_name(out, table->row[row].name);
    return fa_csv_end_line(out);
}

static fa_status promise(const char *name, double value, double t, fa_error *error)
{
    char what[FA_NAME_SIZE * 2];
    if (isfinite(value)) return FA_OK;
    (void)snprintf(what, sizeof what, "'%s' at t = %s s", name, fa_number_text(t).text);
    return fa_promise(what, value, error);
}

static fa_status put_line(run *r, double t, fa_csv_writer *out, fa_error *error)
{
    const fa_variables *table = &r->state.table;
    fa_status status = fa_simulation_show(&r->simulation, t, r->simulation.x, FA_GROUP_ALL, error);
    for (int row = 0; row < table->n && status == FA_OK; row++)
        if (is_shown(table, row))
            status = promise(table->row[row].name, r->state.value[row], t, error);
    if (status == FA_OK && r->recording.columns > 0)
        status = fa_recording_add(&r->recording, &r->state, error);
    if (status != FA_OK) return status;
    fa_limits_look(&r->limits, t, r->state.value);
    r->reached = t;
    if (!r->prints) return FA_OK;
    fa_csv_put_number(out, t);
    for (int row = 0; row < table->n; row++)
        if (is_shown(table, row)) fa_csv_put_number(out, r->state.value[row]);
    return fa_csv_end_line(out);
}

static fa_status integrate(run *r, double stop, double step, fa_csv_writer *out, fa_error *error)
{
    double lines;
    r->reached = NAN;
    fa_status status = fa_simulation_lines(stop, step, &lines, error);
    if (status == FA_OK) status = put_head(r, out);
    if (status == FA_OK) status = fa_simulation_begin(&r->simulation, 0, error);
    if (status == FA_OK) status = put_line(r, 0, out, error);
    for (double line = 1; line <= lines && status == FA_OK; line++) {
        double end = line < lines ? fa_simulation_due(&r->simulation, line * step, step) : stop;
        status = fa_simulation_advance(&r->simulation, end, error);
        if (status == FA_OK) status = put_line(r, end, out, error);
        fa_progress_at(end, stop);
    }
    return status;
}

// --------------------------------------------------------------------------------------- command

static fa_status prepare(run *r, const fa_robot *robot, fa_error *error)
{
    const fa_arguments *a = r->arguments;
    fa_status           status = fa_state_new(robot, &r->state, error);
    if (status != FA_OK) return status;
    const int row =
        r->deterministic ? fa_variables_find(&r->state.table, FA_DETERMINISTIC) : FA_NO_ROW;
    if (row != FA_NO_ROW) r->state.value[row] = 1;
    status = fa_state_set_all(&r->state, a, error);
    if (status == FA_OK && a->input)
        status = fa_schedule_read(a->input, a->interpolate == FA_LINEAR, 0, &r->state, &r->schedule,
                                  NULL, error);
    if (status != FA_OK) return status;
    return fa_simulation_new(&r->state, &r->schedule, &r->simulation, error);
}

// Selects the recorded variables: rows to be plotted; for a page also states, outputs, and inputs
// that the schedule or --set drives.
static fa_status begin_recording(run *r, fa_error *error)
{
    const fa_arguments *a = r->arguments;
    const fa_variables *table = &r->state.table;
    int                 n = 0, *wanted = malloc(2 * (size_t)table->n * sizeof *wanted);
    r->plotted = malloc((size_t)table->n * sizeof *r->plotted);
    if (!wanted || !r->plotted) {
        free(wanted);
        return fa_fail(error, FA_NO_MEMORY, NULL, FA_NOWHERE,
                       "there is not enough memory for the result");
    }
    for (int row = table->first[FA_INPUT]; row < table->first[FA_INPUT + 1]; row++) {
        bool driven = r->state.value[row] != 0;
        for (int i = 0; i < r->schedule.n_columns; i++) driven |= r->schedule.row[i] == row;
        if (driven) wanted[n++] = row;
    }
    fa_status status = FA_OK;
    if (a->plot)
        status = fa_plotting_choose(&r->state, a->plot_variables, wanted, n, r->plotted,
                                    &r->n_plotted, error);
    if (!a->html) n = 0;
    for (int row = 0; row < table->n && a->html; row++)
        if (is_shown(table, row)) wanted[n++] = row;
    for (int i = 0; i < r->n_plotted; i++) wanted[n++] = r->plotted[i];
    if (status == FA_OK) status = fa_recording_begin(&r->state, wanted, n, &r->recording, error);
    free(wanted);
    return status;
}

static fa_status write_plot(const run *r, const fa_robot *robot, fa_error *error)
{
    const fa_arguments *a = r->arguments;
    return fa_plotting_write(a->plot, robot->name, &r->state, &r->recording, r->plotted,
                             r->n_plotted, a->input && a->interpolate != FA_LINEAR, error);
}

static fa_status write_page(const run *r, const fa_robot *robot, double stop, double step,
                            const fa_error *failure, fa_error *error)
{
    static const char *const solvers[] = {"automatic", "Dormand-Prince 5(4)", "Kutta 3",
                                          "Runge-Kutta 4", "Rosenbrock"};
    const fa_arguments      *a = r->arguments;
    const double            *value = r->state.value;
    fa_fact                  fact[9];
    int                      n = 0, solver = (int)value[FA_ROW_SOLVER];
#define FACT(name, ...)                                                                            \
    (fact[n].what = (name), (void)snprintf(fact[n].text, sizeof fact[n].text, __VA_ARGS__), n++)
    FACT("file", "%s", a->operand);
    FACT("time", "0 to %s s, a line each %s s", fa_number_text(stop).text,
         fa_number_text(step).text);
    FACT("solver", "%s, tolerance %s", solvers[solver],
         fa_number_text(value[FA_ROW_SOLVER_TOLERANCE]).text);
    FACT("evaluations of the equations of motion", "%ld", r->simulation.trajectory.asked);
    if (a->input)
        FACT("inputs", "%s, %s between its lines", a->input,
             a->interpolate == FA_LINEAR ? "straight" : "held");
    for (int i = 0; i < a->set.n && n < 7; i++)
        FACT("set", "%s = %s", a->set.of[i].name, fa_number_text(a->set.of[i].value).text);
    if (failure) FACT("the motion ends early", "%s", failure->message);
    FACT("made by", "Forearm " FOREARM_VERSION);
#undef FACT
    const fa_xacro_options xacro = fa_load_xacro(a);
    return fa_page_write(a->html, fa_load_drawing(a), &xacro, robot, &r->state, &r->recording, fact,
                         n, NULL, error);
}

// Returns true if the result is kept. A motion that fails later keeps its result up to there. One
// that failed at its initial state has none, and neither has one whose file could not be written.
static bool is_worth_keeping(const run *r, fa_status status, const fa_csv_writer *out)
{
    return status == FA_OK || (!isnan(r->reached) && out->status == FA_OK);
}

// Writes table, picture and page of the motion so far. Reports the failure of the motion first,
// then a failure in writing.
static fa_status write_all(run *r, const fa_robot *robot, double stop, double step,
                           fa_status status, fa_csv_writer *out, fa_error *error)
{
    const fa_arguments *a = r->arguments;
    const fa_status     motion = status;
    fa_error            failure = *error;
    if (motion != FA_OK) {
        const size_t length = strlen(failure.message);
        (void)snprintf(failure.message + length, sizeof failure.message - length,
                       "; the result ends at t = %s s", fa_number_text(r->reached).text);
    }
    *error = fa_no_error();
    status = FA_OK;
    if (a->plot) status = write_plot(r, robot, error);
    if (status == FA_OK && a->html)
        status = write_page(r, robot, stop, step, motion == FA_OK ? NULL : &failure, error);
    if (status == FA_OK && r->prints)
        status = fa_csv_keep(out);
    else if (r->prints)
        fa_csv_drop(out);
    if (status != FA_OK || motion == FA_OK) return status;
    *error = failure;
    return motion;
}

static fa_status simulate(run *r, const fa_robot *robot, fa_error *error)
{
    const fa_arguments *a = r->arguments;
    double              last = r->schedule.n > 0 ? r->schedule.time[r->schedule.n - 1] : 0;
    double              stop = !isnan(a->stop) ? a->stop : last > 0 ? last : FA_DEFAULT_STOP;
    double              step = isnan(a->step) ? FA_DEFAULT_STEP : a->step;
    bool                shows = a->html || a->plot;
    r->prints = a->out || !shows;
    r->reached = NAN;
    fa_csv_writer out = {.status = FA_OK};
    if (r->prints) fa_csv_create_any(a->out, &out, error);
    fa_status status = out.status;
    if (status == FA_OK) status = fa_limits_new(robot, &r->state.table, &r->limits, error);
    if (status == FA_OK && shows) status = begin_recording(r, error);
    fa_progress_begin("simulating");
    fa_progress_unit("s"); // simulated time: 2 s/s is twice real time
    if (status == FA_OK) status = integrate(r, stop, step, &out, error);
    if (is_worth_keeping(r, status, &out))
        status = write_all(r, robot, stop, step, status, &out, error);
    else if (r->prints)
        fa_csv_drop(&out);
    fa_progress_end();
    fa_limits_tell(&r->limits, a->operand);
    fa_plant_tell(&r->state, a->operand);
    return status;
}

static void release(run *r)
{
    free(r->plotted);
    fa_recording_free(&r->recording);
    fa_limits_free(&r->limits);
    fa_simulation_free(&r->simulation);
    fa_schedule_free(&r->schedule);
    fa_state_free(&r->state);
}

fa_status fa_simulate_into(FILE *stream, const fa_robot *robot, double stop, double step,
                           long patience, fa_error *error)
{
    static const fa_arguments nothing = {.solver = FA_NOT_SAID, .tolerance = NAN};
    run                       r = {.arguments = &nothing, .prints = true, .deterministic = true};
    fa_csv_writer             out;
    fa_csv_write_to(stream, &out, error);
    fa_status status = prepare(&r, robot, error);
    r.simulation.trajectory.most_asked = patience;
    fa_progress_begin("simulating");
    fa_progress_unit("s"); // simulated time: 2 s/s is twice real time
    if (status == FA_OK) status = integrate(&r, stop, step, &out, error);
    fa_progress_end();
    if (status == FA_OK)
        status = fa_csv_keep(&out);
    else
        fa_csv_drop(&out);
    release(&r);
    return status;
}

// Fails if a temporary file cannot be created beside `path`.
static fa_status try_file(const char *path, fa_error *error)
{
    fa_new_file file;
    fa_status   status = path ? fa_new_file_create(path, &file, error) : FA_OK;
    if (path && status == FA_OK) fa_new_file_drop(&file);
    return status;
}

// Reports errors of the options for pictures before the simulation starts.
static fa_status look_at_pictures(const fa_arguments *arguments, fa_error *error)
{
    fa_plot_format format;
    fa_status      status = FA_OK;
    if (arguments->html) status = fa_page_available(error);
    if (status == FA_OK && arguments->plot)
        status = fa_plot_format_of(arguments->plot, &format, error);
    if (status == FA_OK && arguments->plot_variables && !arguments->plot)
        status = fa_fail(error, FA_UNFIT, NULL, FA_NOWHERE,
                         "--plot-variables says what --plot FILE shows; add --plot FILE");
    if (status == FA_OK) status = try_file(arguments->html, error);
    if (status == FA_OK) status = try_file(arguments->plot, error);
    return status;
}

fa_exit fa_run_simulate(const fa_arguments *arguments)
{
    fa_error  error = fa_no_error();
    fa_robot *robot = NULL;
    run       r = {.arguments = arguments};
    fa_status status = look_at_pictures(arguments, &error);
    if (status == FA_OK) status = fa_load_robot(arguments, NULL, &robot, &error);
    if (status == FA_OK) status = prepare(&r, robot, &error);
    if (status == FA_OK) status = simulate(&r, robot, &error);
    release(&r);
    free(robot);
    return fa_report(status, &error);
}
