// forearm gait: speed and cost of a snake's gait, one or a line of a table each; its stability.
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "csv.h"
#include "csv_writer.h"
#include "json.h"
#include "load.h"
#include "progress.h"
#include "promise.h"
#include "return_map.h"
#include "settled_gait.h"
#include "state_options.h"
#include "table.h"

typedef struct job {
    const fa_arguments *arguments;
    fa_state            state;
    double              periods; // at most
    fa_gait_numbers     gait;
    fa_return_map       map;
} job;

static const struct {
    const char *name, *unit, *about;
    size_t      field;
} numbers[] = {
#define X(member, unit, about) {#member, unit, about, offsetof(fa_gait_numbers, member)},
    FA_GAIT_NUMBER_LIST(X)
#undef X
};
enum { NUMBERS = sizeof numbers / sizeof *numbers };

static double number_of(const fa_gait_numbers *gait, int i)
{
    double value;
    memcpy(&value, (const char *)gait + numbers[i].field, sizeof value);
    return value;
}

static bool is_there(const fa_gait_numbers *gait, int i)
{
    return numbers[i].field != offsetof(fa_gait_numbers, slip) || !isnan(number_of(gait, i));
}

// ---------------------------------------------------------------------------------------- one gait

static double size_of(const fa_return_map *map, int i)
{
    return hypot(map->re[i], map->im[i]);
}

// Periods after which half of the slowest disturbance is left; infinite where it grows.
static double halving(const fa_return_map *map)
{
    const double slowest = size_of(map, 0);
    return slowest < 1 ? log(2) / -log(slowest) : INFINITY;
}

static void put_multiplier(fa_json *json, const fa_return_map *map, int i)
{
    fa_json_open(json, NULL, '{');
    fa_json_number(json, "re", map->re[i]);
    fa_json_number(json, "im", map->im[i]);
    fa_json_number(json, "size", size_of(map, i));
    fa_json_close(json, '}');
}

static void put_stability(fa_json *json, const fa_return_map *map)
{
    fa_json_open(json, "stability", '{');
    fa_json_bool(json, "stable", size_of(map, 0) < 1);
    fa_json_number(json, "slowest", size_of(map, 0));
    fa_json_known(json, "periods_to_halve", halving(map));
    fa_json_open(json, "multipliers", '[');
    for (int i = 0; i < map->n; i++) put_multiplier(json, map, i);
    fa_json_close(json, ']');
    fa_json_numbers(json, "fixed_point", map->point, map->n);
    fa_json_numbers(json, "shift_of_x_y_angle", map->shift, 3);
    fa_json_bool(json, "heading_included", map->directed);
    fa_json_bool(json, "place_included", map->placed);
    fa_json_text(json, "by", map->by_differences ? "differences" : "tangents");
    fa_json_close(json, '}');
}

static fa_status write_json(const job *j, fa_error *error)
{
    fa_json   json;
    fa_status status = fa_json_begin(&json, error);
    if (status != FA_OK) return status;
    fa_json_open(&json, NULL, '{');
    fa_json_bool(&json, "settled", j->gait.settled);
    for (int i = 0; i < NUMBERS; i++) {
        if (is_there(&j->gait, i))
            fa_json_number(&json, numbers[i].name, number_of(&j->gait, i));
        else
            fa_json_text(&json, numbers[i].name, NULL);
    }
    if (j->arguments->stability) put_stability(&json, &j->map);
    fa_json_close(&json, '}');
    return fa_json_write(&json, j->arguments->out);
}

static void tell_stability(const fa_return_map *map, FILE *out)
{
    (void)fprintf(out, "\nmultipliers, by %s",
                  map->by_differences ? "differences (joints touch stops)" : "tangents");
    if (map->placed)
        (void)fprintf(out,
                      "; the ground is not the same everywhere, so that place and heading are in");
    else if (map->directed)
        (void)fprintf(out, "; on the slope the heading is in");
    (void)fprintf(out, ":\n");
    for (int i = 0; i < map->n; i++) {
        (void)fprintf(out, "  %s", fa_rounded_text(map->re[i]).text);
        if (map->im[i] != 0)
            (void)fprintf(out, " %c %s i", map->im[i] < 0 ? '-' : '+',
                          fa_rounded_text(fabs(map->im[i])).text);
        (void)fprintf(out, ", size %s\n", fa_rounded_text(size_of(map, i)).text);
    }
    if (isfinite(halving(map)))
        (void)fprintf(out, "stable: half of the slowest disturbance is left after %s periods\n",
                      fa_rounded_text(halving(map)).text);
    else
        (void)fprintf(out, "not stable: a disturbance does not die out\n");
}

static fa_status write_text(const job *j, fa_error *error)
{
    fa_table table = fa_table_new(4);
    fa_table_text(&table, "number");
    fa_table_text(&table, "value");
    fa_table_text(&table, "unit");
    fa_table_text(&table, "of the last period");
    for (int i = 0; i < NUMBERS; i++) {
        if (!is_there(&j->gait, i)) continue;
        fa_table_text(&table, numbers[i].name);
        fa_table_number(&table, number_of(&j->gait, i));
        fa_table_text(&table, numbers[i].unit);
        fa_table_text(&table, numbers[i].about);
    }
    const fa_status status = fa_table_print(&table, stdout, error);
    fa_table_free(&table);
    if (status != FA_OK) return status;
    (void)fprintf(stdout,
                  j->gait.settled ? "settled\n" : "not settled: the last two periods differ\n");
    if (j->arguments->stability) tell_stability(&j->map, stdout);
    return FA_OK;
}

static fa_status run_one(job *j, fa_error *error)
{
    bool shaped = true;
    for (int i = 0; i < j->arguments->set.n; i++) {
        int       row;
        fa_status status =
            fa_state_find(&j->state, j->arguments->set.of[i].name, NULL, FA_NOWHERE, &row, error);
        if (status != FA_OK) return status;
        shaped = shaped && !fa_gait_starts(&j->state, row);
    }
    if (shaped) fa_gait_shape(&j->state);
    fa_status status = fa_state_begin(&j->state, error);
    if (status == FA_OK) status = fa_gait_settle(&j->state, j->periods, &j->gait, error);
    if (status == FA_OK && j->arguments->stability)
        status = fa_return_map_find(&j->state, &j->map, error);
    if (status != FA_OK) return status;
    return j->arguments->json ? write_json(j, error) : write_text(j, error);
}

// -------------------------------------------------------------------------------- a table of gaits

typedef struct many {
    job          *job;
    fa_csv        in;
    fa_csv_writer out;
    int          *row;   // of each column
    double       *given; // by a line
    double       *value; // of all rows, as they stand before a line
    bool          shaped;
    double        begun, failed;
} many;

static fa_status find_columns(many *m, fa_error *error)
{
    const fa_state *state = &m->job->state;
    m->row = calloc((size_t)m->in.n, sizeof *m->row);
    m->given = calloc((size_t)m->in.n, sizeof *m->given);
    m->value = malloc((size_t)state->table.n * sizeof *m->value);
    if (!m->row || !m->given || !m->value)
        return fa_fail(error, FA_NO_MEMORY, NULL, FA_NOWHERE,
                       "there is not enough memory for the columns of the table");
    memcpy(m->value, state->value, (size_t)state->table.n * sizeof *m->value);
    fa_status status = FA_OK;
    m->shaped = true;
    for (int i = 0; i < m->in.n && status == FA_OK; i++) {
        status = fa_state_find_settable(state, m->in.name[i], m->in.path, m->in.place[i],
                                        &m->row[i], error);
        if (status == FA_OK) m->shaped = m->shaped && !fa_gait_starts(state, m->row[i]);
    }
    for (int i = 0; i < m->job->arguments->set.n && status == FA_OK; i++) {
        int row;
        status =
            fa_state_find(state, m->job->arguments->set.of[i].name, NULL, FA_NOWHERE, &row, error);
        if (status == FA_OK) m->shaped = m->shaped && !fa_gait_starts(state, row);
    }
    return status;
}

static void put_head(many *m)
{
    fa_csv_put_name(&m->out, "run");
    for (int i = 0; i < m->in.n; i++) fa_csv_put_name(&m->out, m->in.name[i]);
    fa_csv_put_name(&m->out, "status");
    fa_csv_put_name(&m->out, "message");
    fa_csv_put_name(&m->out, "settled");
    for (int i = 0; i < NUMBERS; i++) fa_csv_put_name(&m->out, numbers[i].name);
    if (m->job->arguments->stability) {
        fa_csv_put_name(&m->out, "stable");
        fa_csv_put_name(&m->out, "slowest");
    }
    (void)fa_csv_end_line(&m->out);
}

static fa_status one_of_many(many *m, fa_error *error)
{
    job      *j = m->job;
    fa_state *state = &j->state;
    memcpy(state->value, m->value, (size_t)state->table.n * sizeof *m->value);
    fa_status status =
        fa_state_accept_line(state, m->in.n, m->row, m->given, m->in.path, m->in.place, error);
    if (status == FA_OK) status = fa_gait_fits(state, error);
    if (status == FA_OK && m->shaped) fa_gait_shape(state);
    if (status == FA_OK) status = fa_state_begin(state, error);
    if (status == FA_OK) status = fa_gait_settle(state, j->periods, &j->gait, error);
    fa_return_map_free(&j->map);
    j->map = (fa_return_map){.n = 0};
    if (status == FA_OK && j->arguments->stability)
        status = fa_return_map_find(state, &j->map, error);
    for (int i = 0; i < NUMBERS && status == FA_OK; i++)
        if (is_there(&j->gait, i))
            status = fa_promise(numbers[i].name, number_of(&j->gait, i), error);
    return status;
}

static void put_line(many *m, fa_status status, const fa_error *error)
{
    const job *j = m->job;
    const bool done = status == FA_OK;
    fa_csv_put_number(&m->out, m->begun++);
    for (int i = 0; i < m->in.n; i++) fa_csv_put_number(&m->out, m->given[i]);
    fa_csv_put_name(&m->out, done ? "done" : "failed");
    fa_csv_put_text(&m->out, done ? "" : error->message);
    fa_csv_put_known(&m->out, done ? (double)j->gait.settled : NAN);
    for (int i = 0; i < NUMBERS; i++)
        fa_csv_put_known(&m->out, done ? number_of(&j->gait, i) : NAN);
    if (j->arguments->stability) {
        fa_csv_put_known(&m->out, done ? (double)(size_of(&j->map, 0) < 1) : NAN);
        fa_csv_put_known(&m->out, done ? size_of(&j->map, 0) : NAN);
    }
    (void)fa_csv_end_line(&m->out);
    m->failed += !done;
}

static fa_status all_of_many(many *m, fa_error *error)
{
    bool      more = true;
    fa_status status = find_columns(m, error);
    if (status != FA_OK) return status;
    fa_csv_create(m->job->arguments->out, &m->out, error);
    put_head(m);
    while (status == FA_OK) {
        fa_error why = fa_no_error();
        status = fa_csv_next(&m->in, m->given, &more, error);
        if (status != FA_OK || !more) break;
        const fa_status ended = one_of_many(m, &why);
        (void)fa_explain(&why, ended, NULL);
        put_line(m, ended, &why);
        if (status == FA_OK) status = m->out.status;
        fa_progress_at(m->begun, m->begun / fa_csv_share(&m->in));
    }
    if (status == FA_OK) return fa_csv_keep(&m->out);
    fa_csv_drop(&m->out);
    return status;
}

static fa_status run_many(job *j, fa_error *error)
{
    many *m = calloc(1, sizeof *m);
    if (!m)
        return fa_fail(error, FA_NO_MEMORY, NULL, FA_NOWHERE,
                       "there is not enough memory for the table");
    m->job = j;
    fa_progress_begin("crawling");
    fa_progress_unit("gaits");
    fa_status status = fa_csv_open(j->arguments->in, &m->in, error);
    if (status == FA_OK) status = all_of_many(m, error);
    fa_progress_end();
    const fa_log log = fa_report_warnings(NULL);
    if (status == FA_OK && m->failed > 0)
        fa_warn(&log, m->in.path, FA_NOWHERE, "%.0f of %.0f gaits failed; the result says why",
                m->failed, m->begun);
    fa_csv_close(&m->in);
    free(m->row);
    free(m->given);
    free(m->value);
    free(m);
    return status;
}

// ------------------------------------------------------------------------------------- the command

static fa_status fits_together(const fa_arguments *a, fa_error *error)
{
    const char *suffix = strrchr(a->operand, '.');
    if (suffix && strcmp(suffix, ".toml") == 0)
        return fa_fail(error, FA_UNFIT, a->operand, FA_NOWHERE,
                       "a study is run by the Python package: pip install 'forearm[sweep]', and "
                       "then its program forearm");
    if (a->json && a->in)
        return fa_fail(
            error, FA_UNFIT, NULL, FA_NOWHERE,
            "--json is for one gait, and --in for a table of them; leave one of them out");
    if (a->out && !a->json && !a->in)
        return fa_fail(error, FA_UNFIT, NULL, FA_NOWHERE,
                       "--out takes JSON or a table; add --json, or --in");
    return FA_OK;
}

static fa_status run(job *j, fa_error *error)
{
    const fa_arguments *a = j->arguments;
    fa_status           status = fa_state_set_all(&j->state, a, error);
    if (status == FA_OK) status = fa_gait_fits(&j->state, error);
    if (status != FA_OK) return status;
    return a->in ? run_many(j, error) : run_one(j, error);
}

fa_exit fa_run_gait(const fa_arguments *arguments)
{
    const double periods = arguments->periods;
    fa_error     error = fa_no_error();
    fa_robot    *robot = NULL;
    job j = {.arguments = arguments, .periods = isnan(periods) ? FA_GAIT_PERIODS_MOST : periods};
    fa_status status = fits_together(arguments, &error);
    if (status == FA_OK) status = fa_load_robot(arguments, NULL, &robot, &error);
    if (status == FA_OK) status = fa_state_new(robot, &j.state, &error);
    if (status == FA_OK) status = run(&j, &error);
    fa_return_map_free(&j.map);
    fa_state_free(&j.state);
    free(robot);
    return fa_report(status, &error);
}
