// forearm linearise: dx = A x + B u and y = C x + D u, for small steps away from one state.
#include <stdlib.h>
#include <string.h>

#include "csv.h"
#include "csv_writer.h"
#include "equilibrium.h"
#include "json.h"
#include "linearisation.h"
#include "load.h"
#include "state_options.h"

typedef struct job {
    fa_state         state;
    fa_linearisation system;
} job;

// Reads the first line of a table of states, if one is given. A state without a column takes its
// initial value, computed from the parameters including those of the table.
static fa_status read_state(const char *path, fa_state *state, fa_error *error)
{
    fa_csv    in;
    double   *given = NULL;
    bool     *is_given = NULL;
    bool      more = true;
    fa_status status = fa_csv_open(path, &in, error);
    if (status == FA_OK) {
        given = calloc((size_t)in.n, sizeof *given);
        is_given = calloc((size_t)state->table.n, sizeof *is_given);
        if (!given || !is_given)
            status = fa_fail(error, FA_NO_MEMORY, path, FA_NOWHERE,
                             "there is not enough memory for the state");
    }
    if (status == FA_OK) status = fa_csv_next(&in, given, &more, error);
    if (status == FA_OK && !more)
        status = fa_fail(error, FA_BAD_INPUT, path, FA_NOWHERE,
                         "the table has names but no line with a state; add one");
    for (int i = 0; i < in.n && status == FA_OK; i++) {
        int row;
        status = fa_state_find(state, in.name[i], in.path, in.place[i], &row, error);
        if (status != FA_OK || fa_state_role(state, row) > FA_STATE)
            // a result, or time
            continue;
        status = fa_state_accept(state, row, given[i], in.path, in.place[i], error);
        state->value[row] = given[i];
        is_given[row] = true;
    }
    if (status == FA_OK) fa_state_start_others(state, is_given);
    free(is_given);
    free(given);
    fa_csv_close(&in);
    return status == FA_OK ? fa_state_configure(state, error) : status;
}

// ----------------------------------------------------------------------------------------- results

static const char ABOUT_ANGLES[] =
    "three angles, rotation.x, .y and .z, stand for the four states of each quaternion q: small "
    "turns d about the axes of the joint's frame on the parent, q = exp(d/2) q0";

static fa_status write_table(const job *j, const char *path, fa_error *error)
{
    const fa_linearisation *s = &j->system;
    fa_csv_writer           out;
    fa_csv_create(path, &out, error);
    fa_csv_put_name(&out, "");
    for (int k = 0; k < s->columns; k++)
        fa_csv_put_name(&out, fa_linearisation_column_name(&j->state, s, k).text);
    fa_csv_end_line(&out);
    for (int i = 0; i < s->rows; i++) {
        char                 name[sizeof(fa_linear_name) + 8];
        const fa_linear_name of = fa_linearisation_row_name(&j->state, s, i);
        (void)snprintf(name, sizeof name, i < s->n_x ? "der(%s)" : "%s", of.text);
        fa_csv_put_name(&out, name);
        for (int k = 0; k < s->columns; k++)
            fa_csv_put_number(&out, s->matrix[(size_t)i * (size_t)s->columns + (size_t)k]);
        if (fa_csv_end_line(&out) != FA_OK) break;
    }
    if (out.status == FA_OK) return fa_csv_keep(&out);
    fa_csv_drop(&out);
    return out.status;
}

static void put_point(fa_json *json, const job *j, const char *key, int first, int n)
{
    fa_json_open(json, key, '[');
    for (int i = first; i < first + n; i++) {
        fa_json_open(json, NULL, '{');
        fa_json_text(json, "name", j->state.table.row[i].name);
        fa_json_number(json, "value", j->state.value[i]);
        fa_json_close(json, '}');
    }
    fa_json_close(json, ']');
}

// Writes the state. The deviations of angles are zero at the state itself.
static void put_states(fa_json *json, const job *j)
{
    const fa_linearisation *s = &j->system;
    fa_json_open(json, "x", '[');
    for (int i = 0; i < s->n_x; i++) {
        const bool angle = s->x[i].axis != FA_NO_AXIS;
        fa_json_open(json, NULL, '{');
        fa_json_text(json, "name", fa_linearisation_column_name(&j->state, s, i).text);
        fa_json_number(json, "value", angle ? 0 : j->state.value[s->x[i].row]);
        fa_json_close(json, '}');
    }
    fa_json_close(json, ']');
    if (s->n_angles > 0) fa_json_text(json, "angles", ABOUT_ANGLES);
}

static void put_matrix(fa_json *json, const job *j, const char *key, int row, int rows, int column,
                       int columns)
{
    const fa_linearisation *s = &j->system;
    fa_json_open(json, key, '[');
    for (int i = row; i < row + rows; i++)
        fa_json_numbers(json, NULL, s->matrix + (size_t)i * (size_t)s->columns + column, columns);
    fa_json_close(json, ']');
}

// Writes to the file, or to standard output for NULL and "-".
static fa_status write_json(const job *j, const char *path, fa_error *error)
{
    const fa_linearisation *s = &j->system;
    fa_json                 json;
    fa_status               status = fa_json_begin(&json, error);
    if (status != FA_OK) return status;
    fa_json_open(&json, NULL, '{');
    put_states(&json, j);
    put_point(&json, j, "u", s->first_u, s->n_u);
    put_point(&json, j, "y", s->first_y, s->n_y);
    put_matrix(&json, j, "A", 0, s->n_x, 0, s->n_x);
    put_matrix(&json, j, "B", 0, s->n_x, s->n_x, s->n_u);
    put_matrix(&json, j, "C", s->n_x, s->n_y, 0, s->n_x);
    put_matrix(&json, j, "D", s->n_x, s->n_y, s->n_x, s->n_u);
    fa_json_close(&json, '}');
    return fa_json_write(&json, path);
}

static fa_status run(const fa_arguments *arguments, fa_robot *robot, job *j, fa_error *error)
{
    fa_status status = fa_state_new(robot, &j->state, error);
    if (status == FA_OK) status = fa_linearisation_fits(&j->state, error);
    if (status == FA_OK) status = fa_state_assign(&j->state, &arguments->set, error);
    if (status == FA_OK && arguments->at) status = read_state(arguments->at, &j->state, error);
    if (status == FA_OK && arguments->equilibrium == FA_BY_TORQUES)
        status = fa_equilibrium_torques(robot, &j->state, error);
    if (status == FA_OK && arguments->equilibrium == FA_BY_POSE)
        status = fa_equilibrium_pose(robot, &j->state, error);
    if (status == FA_OK) status = fa_linearise(&j->state, &j->system, error);
    if (status != FA_OK) return status;
    if (j->system.n_angles > 0 && !arguments->json)
        (void)fprintf(stderr, "note: %s\n", ABOUT_ANGLES);
    return arguments->json ? write_json(j, arguments->out, error)
                           : write_table(j, arguments->out, error);
}

fa_exit fa_run_linearise(const fa_arguments *arguments)
{
    job       j = {.system.matrix = NULL};
    fa_error  error = fa_no_error();
    fa_robot *robot;
    fa_status status = fa_load_robot(arguments, NULL, &robot, &error);
    if (status == FA_OK) status = run(arguments, robot, &j, &error);
    fa_linearisation_free(&j.system);
    fa_state_free(&j.state);
    free(robot);
    return fa_report(status, &error);
}
