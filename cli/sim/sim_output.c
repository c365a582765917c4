// Commands of a session that show a motion: numbers, plots, files for other programs.
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "break.h"
#include "csv_writer.h"
#include "load.h"
#include "number.h"
#include "page.h"
#include "plot.h"
#include "session.h"
#include "streams.h"
#include "table.h"

static fa_status need_motion(const fa_session *s, fa_error *error)
{
    if (s->motion.n > 0) return FA_OK;
    return fa_fail(error, FA_UNFIT, NULL, FA_NOWHERE,
                   "there is no simulation yet; simulate makes one");
}

static size_t width_of(const fa_session *s)
{
    return FA_SIM_VECTORS * (size_t)s->arm.n;
}

// ------------------------------------------------------------------------------ print.simulation

static fa_status print_line(const fa_session *s, size_t line, FILE *out, fa_error *error)
{
    fprintf(out, "time = %s s\n", fa_rounded_text(fa_motion_time(&s->motion, line)).text);
    return fa_session_print_joints(s, s->motion.line + line * width_of(s), out, error);
}

fa_status fa_sim_print(fa_request *call, fa_error *error)
{
    fa_session *s = call->session;
    double      start = 0, finish = 0, step = 0;
    fa_status   status = need_motion(s, error);
    if (status != FA_OK) return status;
    const double last = fa_motion_time(&s->motion, s->motion.n - 1);
    status = fa_ask_number(call, "start, in seconds?", 0, &start, error);
    if (status == FA_OK) status = fa_ask_number(call, "finish, in seconds?", last, &finish, error);
    if (status == FA_OK && !(start >= 0 && finish >= start && finish <= last * (1 + 1e-9)))
        return fa_request_fail(call, error,
                               "the simulation lasts from 0 s to %s s, in which start comes before "
                               "finish",
                               fa_number_text(last).text);
    double usual = finish > start ? (finish - start) / 10 : s->timestep;
    if (status == FA_OK) status = fa_ask_number(call, "step, in seconds?", usual, &step, error);
    if (status == FA_OK && !(step > 0))
        return fa_request_fail(call, error, "a step is a time in seconds above 0, and not %s",
                               fa_number_text(step).text);
    if (status == FA_OK) status = fa_request_end(call, error);
    const double slack = 1e-9 * step;  // tolerance of rounding: a finish on a step is included
    size_t       before = s->motion.n; // none yet
    for (double i = 0; status == FA_OK && start + i * step <= finish + slack && !fa_break_asked();
         i++) {
        size_t line = fa_motion_nearest(&s->motion, start + i * step);
        if (line == before) continue; // the step is shorter than the timestep
        status = print_line(s, line, s->output ? s->output : stdout, error);
        before = line;
    }
    return status;
}

// ------------------------------------------------------------------------------- plot.simulation

// Adds the curves of one vector, for joints that have it.
static int add_series(const fa_session *s, const fa_session_variable *v, char (*name)[256],
                      fa_series series[])
{
    int n = 0;
    for (int joint = 0; joint < s->arm.n; joint++) {
        if (v->vector >= FA_SIM_VOLTAGE && !fa_sim_arm_has_motor(&s->arm, joint)) continue;
        snprintf(name[n], sizeof name[n], "%s.%s", v->name, fa_sim_arm_joint(&s->arm, joint));
        series[n] = (fa_series){
            .name = name[n],
            .unit = fa_sim_arm_unit(&s->arm, joint, v->vector),
            .value = s->motion.line + (int)v->vector * s->arm.n + joint,
            .stride = width_of(s),
        };
        n++;
    }
    return n;
}

static fa_status draw(const fa_plot *plot, const char *file, fa_error *error)
{
    if (file) return fa_plot_write(plot, file, error);
    char     *text = NULL;
    fa_status status = fa_plot_text(plot, FA_SESSION_WIDTH, &text, error);
    if (status == FA_OK) fputs(text, stdout);
    free(text);
    return status;
}

static fa_status plot(const fa_session *s, const bool wanted[], const char *file, fa_error *error)
{
    size_t     most = width_of(s);
    int        n = 0;
    fa_series *series = malloc(most * sizeof *series);
    char(*name)[256] = malloc(most * sizeof *name);
    fa_status status = FA_OK;
    if (!series || !name)
        status = fa_fail(error, FA_NO_MEMORY, NULL, FA_NOWHERE,
                         "there is not enough memory for the plot");
    for (int i = 0; i < fa_session_variable_count && status == FA_OK; i++) {
        const fa_session_variable *v = &fa_session_variables[i];
        if (v->vector != FA_SIM_VECTORS && wanted[v->vector])
            n += add_series(s, v, name + n, series + n);
    }
    const fa_plot figure = {.title = s->arm.robot->name,
                            .axis = {.name = "time",
                                     .unit = "s",
                                     .value = s->motion.recording.value,
                                     .stride = (size_t)s->motion.recording.columns},
                            .n = s->motion.n,
                            .n_series = n,
                            .series = series};
    if (status == FA_OK && n == 0)
        status = fa_fail(error, FA_UNFIT, NULL, FA_NOWHERE,
                         "no joint of this arm has a motor, so there are no voltages to plot");
    if (status == FA_OK) status = draw(&figure, file, error);
    free(series);
    free(name);
    return status;
}

fa_status fa_sim_plot(fa_request *call, fa_error *error)
{
    fa_session *s = call->session;
    const char *file = NULL, *word;
    bool        wanted[FA_SIM_VECTORS] = {false}, any = false;
    fa_status   status = need_motion(s, error);
    if (status != FA_OK) return status;
    if (call->n > 0 && !fa_session_variable_find(call->word[0].text)) file = fa_request_next(call);
    while ((word = fa_request_next(call))) {
        const fa_session_variable *v = fa_session_variable_find(word);
        if (!v || v->vector == FA_SIM_VECTORS)
            return fa_request_fail(
                call, error,
                "'%s' is no curve; theta, omega, alpha, torque, voltage and DACOut "
                "are",
                word);
        wanted[v->vector] = any = true;
    }
    if (!any)
        wanted[FA_SIM_THETA] = wanted[FA_SIM_OMEGA] =
            wanted[s->arm.has_motors ? FA_SIM_VOLTAGE : FA_SIM_TORQUE] = true;
    return plot(s, wanted, file, error);
}

// ---------------------------------------------------------------------------- write.graphic.file

static bool ends_in(const char *file, const char *ending)
{
    size_t n = strlen(file), m = strlen(ending);
    return n > m && strcmp(file + n - m, ending) == 0;
}

// Writes the same table as forearm simulate.
static fa_status write_table(const fa_session *s, const char *file, fa_error *error)
{
    const fa_recording *recording = &s->motion.recording;
    const fa_variables *table = &s->arm.forward.table;
    fa_csv_writer       out;
    fa_csv_create(file, &out, error);
    for (int i = 0; i < recording->columns; i++)
        if (table->row[recording->row[i]].role != FA_INPUT)
            fa_csv_put_name(&out, table->row[recording->row[i]].name);
    fa_status status = fa_csv_end_line(&out);
    for (size_t line = 0; line < recording->n && status == FA_OK; line++) {
        for (int i = 0; i < recording->columns; i++)
            if (table->row[recording->row[i]].role != FA_INPUT)
                fa_csv_put_number(&out, fa_recorded(recording, line, i));
        status = fa_csv_end_line(&out);
    }
    if (status == FA_OK) return fa_csv_keep(&out);
    fa_csv_drop(&out);
    return status;
}

static fa_status write_page(const fa_session *s, const char *file, fa_error *error)
{
    fa_fact fact[2] = {{.what = "time"}, {.what = "made by"}};
    snprintf(fact[0].text, sizeof fact[0].text, "0 to %s s, in %zu timesteps",
             fa_number_text(fa_motion_time(&s->motion, s->motion.n - 1)).text, s->motion.n - 1);
    snprintf(fact[1].text, sizeof fact[1].text, "Forearm %s, a session", FOREARM_VERSION);
    const fa_xacro_options xacro = fa_load_xacro(s->arguments);
    return fa_page_write(file, s->arm.path, &xacro, s->arm.robot, &s->arm.forward,
                         &s->motion.recording, fact, 2, NULL, error);
}

fa_status fa_sim_graphic(fa_request *call, fa_error *error)
{
    const fa_session *s = call->session;
    const char       *file;
    fa_status         status = need_motion(s, error);
    if (status == FA_OK) status = fa_ask(call, "name of the file?", NULL, &file, error);
    if (status == FA_OK) status = fa_request_end(call, error);
    if (status != FA_OK) return status;
    if (ends_in(file, ".html")) return write_page(s, file, error);
    if (ends_in(file, ".csv")) return write_table(s, file, error);
    return fa_request_fail(
        call, error,
        "'%s' ends neither in .html, a page that shows the arm in motion, nor in "
        ".csv, a table",
        file);
}

// ---------------------------------------------------------------- open.output.file and its close

fa_status fa_session_close_output(fa_session *session, fa_error *error)
{
    fa_session *s = session;
    if (!s->output) return FA_OK;
    const bool good = fa_text_close(s->output);
    fa_status  status = good ? fa_file_write(s->output_path, s->output_text, s->output_size, error)
                             : fa_fail(error, FA_NO_MEMORY, s->output_path, FA_NOWHERE,
                                       "there is not enough memory for what goes into it");
    s->output = NULL;
    free(s->output_text);
    free(s->output_path);
    s->output_text = s->output_path = NULL;
    return status;
}

static fa_status can_be_written(const char *path, fa_error *error)
{
    fa_new_file file;
    fa_status   status = fa_new_file_create(path, &file, error);
    if (status == FA_OK) fa_new_file_drop(&file);
    return status;
}

fa_status fa_sim_open(fa_request *call, fa_error *error)
{
    fa_session *s = call->session;
    const char *file;
    fa_status   status = fa_ask(call, "name of the file?", NULL, &file, error);
    if (status == FA_OK) status = fa_request_end(call, error);
    if (status == FA_OK && s->output)
        return fa_request_fail(call, error, "'%s' is open; close it before", s->output_path);
    if (status == FA_OK) status = can_be_written(file, error);
    if (status != FA_OK) return status;
    s->output_path = malloc(strlen(file) + 1);
    s->output = s->output_path ? fa_text_open(&s->output_text, &s->output_size) : NULL;
    if (s->output) {
        strcpy(s->output_path, file);
        return FA_OK;
    }
    free(s->output_path);
    s->output_path = NULL;
    return fa_fail(error, FA_NO_MEMORY, NULL, FA_NOWHERE, "there is not enough memory for a file");
}

fa_status fa_sim_close(fa_request *call, fa_error *error)
{
    fa_session *s = call->session;
    fa_status   status = fa_request_end(call, error);
    if (status == FA_OK && !s->output)
        return fa_fail(error, FA_UNFIT, NULL, FA_NOWHERE, "no file is open");
    return status == FA_OK ? fa_session_close_output(s, error) : status;
}
