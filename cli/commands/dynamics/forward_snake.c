// forearm forward of a snake. The plant computes the efforts that act at joints and wheels; the
// chosen method computes accelerations and wheel forces from them.
#include "forward_snake.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "csv.h"
#include "csv_writer.h"
#include "nearest.h"
#include "snake_plant.h"
#include "state_options.h"

typedef struct job {
    const fa_arguments    *arguments;
    fa_state               state;
    const fa_snake_method *method; // NULL: the plant's default
    void                  *work;   // scratch of the method
    fa_csv                 in;
    int                   *row;      // row of each column; FA_NO_ROW: the column is ignored
    double                *given;    // numbers of the current line
    bool                  *is_given; // by row: a column sets this variable
    int                    time;     // column of the time, FA_NO_ROW: none
    bool                   sets_parameters;
} job;

static fa_snake_self *snake_of(const job *j)
{
    return j->state.self;
}

static fa_status choose_method(job *j, fa_error *error)
{
    const fa_snake *snake = &snake_of(j)->snake;
    const char     *name = j->arguments->method;
    if (!name) return FA_OK;
    if (j->state.plant != &fa_snake_plant)
        return fa_fail(
            error, FA_UNFIT, j->state.source, FA_NOWHERE,
            "the methods are of snakes on ideal wheels and level ground, and this one is "
            "a %s; leave --method out",
            j->state.plant->name);
    fa_nearest nearest = fa_nearest_to(name);
    j->method = fa_snake_method_find(name);
    for (int i = 0; i < fa_snake_method_count; i++)
        fa_nearest_try(&nearest, fa_snake_methods[i].name);
    if (!j->method)
        return fa_fail(error, FA_UNFIT, NULL, FA_NOWHERE, "there is no method '%s' for snakes; %s",
                       name, fa_nearest_hint(&nearest, "forearm methods lists them").text);
    if (snake->base != 0 && !j->method->any_base)
        return fa_fail(error, FA_UNFIT, NULL, FA_NOWHERE,
                       "method '%s' describes snakes by their first link, and this one is "
                       "described by link %d; forearm methods says which take any link",
                       name, snake->base + 1);
    j->work = malloc(j->method->work_size(snake->n) + 1);
    if (j->work) return FA_OK;
    return fa_fail(error, FA_NO_MEMORY, NULL, FA_NOWHERE,
                   "there is not enough memory for the method");
}

static fa_status find_columns(job *j, fa_error *error)
{
    j->time = FA_NO_ROW;
    for (int i = 0; i < j->in.n; i++) {
        int       row;
        fa_status status =
            fa_state_find(&j->state, j->in.name[i], j->in.path, j->in.place[i], &row, error);
        if (status != FA_OK) return status;
        const fa_role role = fa_state_role(&j->state, row);
        if (role == FA_TIME) j->time = i;
        // Other variables are results.
        j->row[i] = role <= FA_STATE || role == FA_TIME ? row : FA_NO_ROW;
        j->is_given[row] = true;
        if (role == FA_PARAMETER || role == FA_TUNABLE) j->sets_parameters = true;
    }
    return FA_OK;
}

static fa_status begin(job *j, const fa_robot *robot, fa_error *error)
{
    fa_status status = fa_state_new(robot, &j->state, error);
    if (status == FA_OK) status = fa_state_assign(&j->state, &j->arguments->set, error);
    if (status == FA_OK) status = choose_method(j, error);
    if (status == FA_OK) status = fa_csv_open(j->arguments->in, &j->in, error);
    if (status != FA_OK) return status;
    j->row = calloc((size_t)j->in.n, sizeof *j->row);
    j->given = calloc((size_t)j->in.n, sizeof *j->given);
    j->is_given = calloc((size_t)j->state.table.n, sizeof *j->is_given);
    if (!j->row || !j->given || !j->is_given)
        return fa_fail(error, FA_NO_MEMORY, NULL, FA_NOWHERE,
                       "there is not enough memory for the columns of the table");
    return find_columns(j, error);
}

static fa_status take_line(job *j, fa_error *error)
{
    const fa_status status =
        fa_state_accept_line(&j->state, j->in.n, j->row, j->given, j->in.path, j->in.place, error);
    if (status != FA_OK) return status;
    // States without a column take their initial values: the angle of a gait follows the time.
    fa_state_start_others(&j->state, j->is_given);
    return j->sets_parameters ? fa_state_configure(&j->state, error) : FA_OK;
}

static fa_status solve(job *j, fa_error *error)
{
    fa_snake_self *c = snake_of(j);
    double        *value = j->state.value, ud[2];
    fa_status      status = fa_plant_evaluate(j->state.plant, c, value,
                                              FA_GROUP_DERIVATIVES | FA_SNAKE_GROUP_FORCES, NULL, error);
    if (status != FA_OK || !j->method) return status;
    const fa_snake_forces forces = {.torque = c->torque, .rolling = c->rolling};
    status = j->method->forward(&c->snake, value + c->row[FA_SNAKE_ROW_ANGLE],
                                value + c->row[FA_SNAKE_ROW_SPEED], &forces, ud,
                                value + c->row[FA_SNAKE_ROW_LATERAL], j->work);
    value[c->row[FA_SNAKE_ROW_SPEED_DERIVATIVE]] = ud[0];
    value[c->row[FA_SNAKE_ROW_RATE_DERIVATIVE]] = ud[1];
    return fa_explain(error, status, NULL);
}

// ------------------------------------------------------------------------------------------ table

// Returns true if the row is a result: derivatives of the speeds that are states, and the wheels'
// lateral forces.
static bool is_result(const job *j, int row)
{
    const bool wheels = snake_of(j)->row[FA_SNAKE_ROW_SPEED_DERIVATIVE] != FA_NO_ROW;
    switch (j->state.table.row[row].quantity) {
    case FA_SNAKE_ROW_SPEED_DERIVATIVE:
    case FA_SNAKE_ROW_RATE_DERIVATIVE:
    case FA_SNAKE_ROW_LATERAL:
        return true;
    case FA_SNAKE_ROW_LINK_ACCELERATION:
    case FA_SNAKE_ROW_X_ACCELERATION:
    case FA_SNAKE_ROW_Y_ACCELERATION:
        return !wheels;
    default:
        return false;
    }
}

static void put_head(const job *j, fa_csv_writer *out)
{
    if (j->time != FA_NO_ROW) fa_csv_put_name(out, "time");
    for (int row = 0; row < j->state.table.n; row++)
        if (is_result(j, row)) fa_csv_put_name(out, j->state.table.row[row].name);
    fa_csv_end_line(out);
}

static fa_status put_line(const job *j, fa_csv_writer *out)
{
    if (j->time != FA_NO_ROW) fa_csv_put_number(out, j->given[j->time]);
    for (int row = 0; row < j->state.table.n; row++)
        if (is_result(j, row)) fa_csv_put_number(out, j->state.value[row]);
    return fa_csv_end_line(out);
}

static fa_status run_lines(job *j, fa_csv_writer *out, fa_error *error)
{
    put_head(j, out);
    for (;;) {
        bool      more;
        fa_status status = fa_csv_next(&j->in, j->given, &more, error);
        if (status == FA_OK && !more) return FA_OK;
        if (status == FA_OK) status = take_line(j, error);
        if (status == FA_OK) status = solve(j, error);
        if (status != FA_OK && !error->file[0]) {
            error->place = (fa_place){j->in.line, 0};
            snprintf(error->file, sizeof error->file, "%s", j->in.path);
        }
        if (status == FA_OK) status = put_line(j, out);
        if (status != FA_OK) return status;
    }
}

static fa_status check_options(const fa_arguments *arguments, fa_error *error)
{
    if (!arguments->outputs) return FA_OK;
    return fa_fail(error, FA_UNFIT, NULL, FA_NOWHERE,
                   "forward gives of a snake the derivatives of its speeds and the forces across "
                   "its wheels; leave --outputs out, or take simulate");
}

fa_status fa_forward_snake(const fa_arguments *arguments, const fa_robot *robot, fa_error *error)
{
    job       j = {.arguments = arguments};
    fa_status status = check_options(arguments, error);
    if (status == FA_OK) status = begin(&j, robot, error);
    if (status == FA_OK) {
        fa_csv_writer out;
        fa_csv_create(arguments->out, &out, error);
        status = out.status;
        if (status == FA_OK) status = run_lines(&j, &out, error);
        if (status == FA_OK)
            status = fa_csv_keep(&out);
        else
            fa_csv_drop(&out);
    }
    fa_csv_close(&j.in);
    free(j.work);
    free(j.row);
    free(j.given);
    free(j.is_given);
    fa_state_free(&j.state);
    return status;
}
