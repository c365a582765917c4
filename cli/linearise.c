// forearm linearise: dx = A x + B u and y = C x + D u, for small steps away from one state.
#include <stdlib.h>
#include <string.h>

#include "arm.h"
#include "csv_writer.h"
#include "equilibrium.h"
#include "json.h"
#include "load.h"
#include "state.h"

typedef struct system_matrices {
    fa_state state;
    int      first_x, n_x, first_u, n_u, first_y, n_y;
    int      rows, columns; // of [A B; C D]
    double  *matrix;        // row after row
    double  *direction;     // one for each row of the table
} system_matrices;

static void count(system_matrices *s)
{
    const fa_variables *table = &s->state.table;
    s->first_x = table->first[FA_STATE];
    s->n_x = fa_variables_count(table, FA_STATE);
    // What only sums up, and comes last, is no part of the motion.
    while (s->n_x > 0 && table->row[s->first_x + s->n_x - 1].records) s->n_x--;
    s->first_u = table->first[FA_INPUT];
    s->n_u = fa_variables_count(table, FA_INPUT);
    s->first_y = table->first[FA_OUTPUT];
    s->n_y = fa_variables_count(table, FA_OUTPUT);
    s->rows = s->n_x + s->n_y;
    s->columns = s->n_x + s->n_u;
}

// The variable that a row or a column of the matrix belongs to: states come first.
static int row_of(const system_matrices *s, int i)
{
    return i < s->n_x ? s->first_x + i : s->first_y + i - s->n_x;
}

static int column_of(const system_matrices *s, int j)
{
    return j < s->n_x ? s->first_x + j : s->first_u + j - s->n_x;
}

// The first line of a table of states, if one is given.
static fa_status read_state(const char *path, fa_state *state, fa_error *error)
{
    fa_csv    in;
    double   *given = NULL;
    bool      more = true;
    fa_status status = fa_csv_open(path, &in, error);
    if (status == FA_OK) {
        given = calloc((size_t)in.n, sizeof *given);
        if (!given)
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
            continue; // calculated, or time
        status = fa_state_accept(state, row, given[i], in.path, in.place[i], error);
        state->value[row] = given[i];
    }
    free(given);
    fa_csv_close(&in);
    return status == FA_OK ? fa_state_configure(state, error) : status;
}

// Column after column, each a directional derivative.
static fa_status differentiate(system_matrices *s, fa_error *error)
{
    const fa_plant *plant = s->state.plant;
    size_t          rows = (size_t)s->rows, columns = (size_t)s->columns;
    s->matrix = malloc((rows * columns + 1) * sizeof *s->matrix);
    s->direction = malloc((size_t)s->state.table.n * sizeof *s->direction);
    if (!s->matrix || !s->direction)
        return fa_fail(error, FA_NO_MEMORY, s->state.source, FA_NOWHERE,
                       "there is not enough memory for matrices of %d by %d", s->rows, s->columns);
    fa_status status =
        fa_plant_evaluate(plant, s->state.self, s->state.value, FA_GROUP_ALL, NULL, error);
    for (int j = 0; j < s->columns && status == FA_OK; j++) {
        memset(s->direction, 0, (size_t)s->state.table.n * sizeof *s->direction);
        s->direction[column_of(s, j)] = 1;
        status = plant->tangent(s->state.self, s->state.value, s->direction, FA_GROUP_ALL, error);
        for (int i = 0; i < s->rows; i++) {
            int row = row_of(s, i);
            if (i < s->n_x) row = s->state.table.row[row].derivative;
            s->matrix[(size_t)i * columns + (size_t)j] = s->direction[row];
        }
    }
    return status;
}

// ----------------------------------------------------------------------------------------- results

static fa_status write_table(const system_matrices *s, const char *path, fa_error *error)
{
    fa_csv_writer out;
    fa_csv_create(path, &out, error);
    fa_csv_put_name(&out, "");
    for (int j = 0; j < s->columns; j++)
        fa_csv_put_name(&out, s->state.table.row[column_of(s, j)].name);
    fa_csv_end_line(&out);
    for (int i = 0; i < s->rows; i++) {
        char name[256];
        snprintf(name, sizeof name, i < s->n_x ? "der(%s)" : "%s",
                 s->state.table.row[row_of(s, i)].name);
        fa_csv_put_name(&out, name);
        for (int j = 0; j < s->columns; j++)
            fa_csv_put_number(&out, s->matrix[(size_t)i * (size_t)s->columns + (size_t)j]);
        if (fa_csv_end_line(&out) != FA_OK) break;
    }
    if (out.status == FA_OK) return fa_csv_keep(&out);
    fa_csv_drop(&out);
    return out.status;
}

static void put_point(fa_json *json, const system_matrices *s, const char *key, int first, int n)
{
    fa_json_open(json, key, '[');
    for (int i = first; i < first + n; i++) {
        fa_json_open(json, NULL, '{');
        fa_json_text(json, "name", s->state.table.row[i].name);
        fa_json_number(json, "value", s->state.value[i]);
        fa_json_close(json, '}');
    }
    fa_json_close(json, ']');
}

static void put_matrix(fa_json *json, const system_matrices *s, const char *key, int row, int rows,
                       int column, int columns)
{
    fa_json_open(json, key, '[');
    for (int i = row; i < row + rows; i++)
        fa_json_numbers(json, NULL, s->matrix + (size_t)i * (size_t)s->columns + column, columns);
    fa_json_close(json, ']');
}

// To the file, or to standard output for NULL and "-".
static fa_status write_json(const system_matrices *s, const char *path, fa_error *error)
{
    fa_json   json;
    fa_status status = fa_json_begin(&json, error);
    if (status != FA_OK) return status;
    fa_json_open(&json, NULL, '{');
    put_point(&json, s, "x", s->first_x, s->n_x);
    put_point(&json, s, "u", s->first_u, s->n_u);
    put_point(&json, s, "y", s->first_y, s->n_y);
    put_matrix(&json, s, "A", 0, s->n_x, 0, s->n_x);
    put_matrix(&json, s, "B", 0, s->n_x, s->n_x, s->n_u);
    put_matrix(&json, s, "C", s->n_x, s->n_y, 0, s->n_x);
    put_matrix(&json, s, "D", s->n_x, s->n_y, s->n_x, s->n_u);
    fa_json_close(&json, '}');
    return fa_json_write(&json, path);
}

static fa_status run(const fa_arguments *arguments, fa_robot *robot, system_matrices *s,
                     fa_error *error)
{
    if (strcmp(robot->plant, "inverse") == 0)
        return fa_fail(error, FA_UNFIT, robot->source, FA_NOWHERE,
                       "an inverse has no states; linearise the robot that it was made from");
    fa_status status = fa_state_new(robot, &s->state, error);
    if (status == FA_OK) status = fa_state_set(&s->state, &arguments->set, error);
    if (status == FA_OK && arguments->at) status = read_state(arguments->at, &s->state, error);
    if (status == FA_OK && arguments->equilibrium != FA_NOT_SAID && s->state.plant != &fa_arm_plant)
        status = fa_fail(error, FA_UNFIT, robot->source, FA_NOWHERE,
                         "it is a %s, and equilibria are looked for in arms", robot->plant);
    if (status == FA_OK && arguments->equilibrium == FA_BY_TORQUES)
        status = fa_equilibrium_torques(robot, &s->state, error);
    if (status == FA_OK && arguments->equilibrium == FA_BY_POSE)
        status = fa_equilibrium_pose(robot, &s->state, error);
    if (status != FA_OK) return status;
    count(s);
    status = differentiate(s, error);
    if (status != FA_OK) return status;
    return arguments->json ? write_json(s, arguments->out, error)
                           : write_table(s, arguments->out, error);
}

fa_exit fa_run_linearise(const fa_arguments *arguments)
{
    system_matrices s = {.matrix = NULL};
    fa_error        error = fa_no_error();
    fa_robot       *robot;
    fa_status       status = fa_load_robot(arguments, NULL, &robot, &error);
    if (status == FA_OK) status = run(arguments, robot, &s, &error);
    fa_state_free(&s.state);
    free(s.matrix);
    free(s.direction);
    free(robot);
    return fa_report(status, &error);
}
