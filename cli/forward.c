// forearm forward and forearm inverse: dynamics of a table of states.
#include "dynamics_table.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "arm.h"
#include "break.h"
#include "csv_writer.h"
#include "load.h"
#include "nearest.h"
#include "progress.h"
#include "regressor_columns.h"
#include "state.h"

#define TIME "time"

// Both are plants: "arm" answers with accelerations, "inverse" with torques. Only the method is
// another one if the user says so.
typedef struct job {
    const fa_arguments  *arguments;
    bool                 inverse;
    fa_state             state;
    void                *work;                             // the method's
    int                  first, n;                         // rows of the result
    int                  extra, n_extra;                   // those of --outputs, behind them
    int                  force[FA_CYLINDER_MAX], n_forces; // rows of an inverse's cylinders
    fa_regressor_columns regressor;                        // if asked for
    fa_csv               in;
    int                 *row;      // of each column; FA_NO_ROW: passed over
    double              *given;    // the numbers of a line
    bool                *is_given; // of each row: some column is this variable
    int                  time;     // its column, FA_NO_ROW: none
    bool                 sets_parameters;
} job;

static fa_arm *arm_of(const job *j)
{
    return j->state.self;
}

// -------------------------------------------------------------------------------------- method

static bool answers(const job *j, const fa_method *method)
{
    return j->inverse ? method->inverse != NULL : method->forward != NULL;
}

static fa_status unfit(const job *j, const char *what, fa_error *error)
{
    char   names[512] = "";
    size_t length = 0;
    for (int i = 0; i < fa_method_count && length < sizeof names; i++)
        if (answers(j, fa_methods[i]) && fa_method_fits(fa_methods[i], &arm_of(j)->chain))
            length += (size_t)snprintf(names + length, sizeof names - length, "%s%s",
                                       length ? ", " : "", fa_methods[i]->name);
    return fa_fail(error, FA_UNFIT, NULL, FA_NOWHERE, "method '%s' %s; use one of %s",
                   j->arguments->method, what, names);
}

static fa_status choose_method(job *j, fa_error *error)
{
    fa_arm     *arm = arm_of(j);
    const char *name = j->arguments->method;
    if (!name) return FA_OK;
    const fa_method *method = fa_method_find(name);
    fa_nearest       nearest = fa_nearest_to(name);
    for (int i = 0; i < fa_method_count; i++) fa_nearest_try(&nearest, fa_methods[i]->name);
    if (!method)
        return fa_fail(error, FA_UNFIT, NULL, FA_NOWHERE, "there is no method '%s'; %s", name,
                       fa_nearest_hint(&nearest, "forearm methods lists them").text);
    if (!answers(j, method))
        return unfit(j, j->inverse ? "has no inverse dynamics" : "has no forward dynamics", error);
    if (!fa_method_fits(method, &arm->chain))
        return unfit(j, "does not cover this kind of robot", error);
    // The method's, or what else the arm computes with it.
    size_t size = method->work_size(&arm->chain), other = fa_arm_work_size(&arm->chain);
    j->work = malloc((size > other ? size : other) + 1);
    if (!j->work)
        return fa_fail(error, FA_NO_MEMORY, NULL, FA_NOWHERE,
                       "there is not enough memory for the method");
    arm->method = method;
    arm->fast = NULL;
    arm->work = j->work;
    return FA_OK;
}

// ------------------------------------------------------------------------------------- columns

// A simulation's accounts of energy, of which an inverse knows nothing: its table may be read.
static bool is_account(const job *j, const char *name)
{
    return strncmp(name, "energy.", 7) == 0 && fa_names_find(&j->state.names, name) < 0;
}

static fa_status find_columns(job *j, fa_error *error)
{
    j->time = FA_NO_ROW;
    for (int i = 0; i < j->in.n; i++) {
        int row;
        j->row[i] = FA_NO_ROW;
        if (is_account(j, j->in.name[i])) continue;
        fa_status status =
            fa_state_find(&j->state, j->in.name[i], j->in.path, j->in.place[i], &row, error);
        if (status != FA_OK) return status;
        fa_role role = fa_state_role(&j->state, row);
        if (role == FA_TIME) j->time = i;
        j->row[i] = role <= FA_STATE ? row : FA_NO_ROW; // all others are calculated
        j->is_given[row] = true;
        if (role == FA_PARAMETER || role == FA_TUNABLE) j->sets_parameters = true;
    }
    return FA_OK;
}

static void put_head(const job *j, fa_csv_writer *out)
{
    if (j->time != FA_NO_ROW) fa_csv_put_name(out, TIME);
    for (int i = 0; i < j->n; i++) fa_csv_put_name(out, j->state.table.row[j->first + i].name);
    for (int i = 0; i < j->n_forces; i++)
        fa_csv_put_name(out, j->state.table.row[j->force[i]].name);
    for (int i = 0; i < j->n_extra; i++)
        fa_csv_put_name(out, j->state.table.row[j->extra + i].name);
    if (j->arguments->regressor) fa_regressor_put_names(&j->regressor, &j->state, j->first, out);
    fa_csv_end_line(out);
}

// --------------------------------------------------------------------------------------- lines

static fa_status take_line(job *j, fa_error *error)
{
    double *value = j->state.value;
    for (int i = 0; i < j->in.n; i++) {
        if (j->row[i] == FA_NO_ROW) continue;
        fa_status status =
            fa_state_accept(&j->state, j->row[i], j->given[i], j->in.path, j->in.place[i], error);
        if (status != FA_OK) return status;
        value[j->row[i]] = j->given[i];
    }
    if (!j->sets_parameters) return FA_OK;

    // States without a column follow the parameters that they start from.
    const fa_variables *table = &j->state.table;
    for (int row = table->first[FA_STATE]; row < table->first[FA_STATE + 1]; row++)
        if (!j->is_given[row] && table->row[row].initial != FA_NO_ROW)
            value[row] = value[table->row[row].initial];
    return fa_state_configure(&j->state, error);
}

// What the plant says is wrong is wrong in this line.
static fa_status in_line(const job *j, fa_status status, fa_error *error)
{
    if (status == FA_OK || error->file[0]) return status;
    error->place = (fa_place){j->in.line, 0};
    snprintf(error->file, sizeof error->file, "%s", j->in.path);
    return status;
}

static fa_status solve(job *j, fa_error *error)
{
    unsigned groups = j->n > 0 ? j->state.table.row[j->first].group : 0;
    for (int i = 0; i < j->n_forces; i++) groups |= j->state.table.row[j->force[i]].group;
    for (int i = 0; i < j->n_extra; i++) groups |= j->state.table.row[j->extra + i].group;
    return j->state.plant->evaluate(j->state.self, j->state.value, groups, error);
}

// Where cylinders give all of a torque, rounding is left, in shares of the largest part.
static const double ROUNDING = 1e-12;

// Of the joints: their own, or with the forces of cylinders what those leave.
static void put_efforts(const job *j, fa_csv_writer *out)
{
    const fa_arm *arm = arm_of(j);
    for (int i = 0; i < j->n; i++) {
        double effort = j->state.value[j->first + i], most = fabs(effort);
        bool   by_cylinders = false;
        for (int k = 0; k < j->n_forces; k++) {
            const fa_arm_cylinder *c = &arm->cylinders.of[k];
            const double           part = c->lever[i] * c->needed;
            by_cylinders |= c->lever[i] != 0;
            effort -= part;
            most = fmax(most, fabs(part));
        }
        if (by_cylinders && fabs(effort) <= ROUNDING * most) effort = 0;
        fa_csv_put_number(out, effort);
    }
}

static fa_status run_lines(job *j, fa_csv_writer *out, fa_error *error)
{
    fa_status status;
    double    lines = 0;
    put_head(j, out);
    for (;;) {
        bool more;
        status = fa_csv_next(&j->in, j->given, &more, error);
        if (status == FA_OK && more) status = take_line(j, error);
        if (status == FA_OK && more) status = solve(j, error);
        status = in_line(j, status, error);
        if (status == FA_OK && fa_break_asked())
            status = fa_fail(error, FA_UNFIT, NULL, FA_NOWHERE, "it was interrupted");
        if (status != FA_OK || !more) break;
        if (j->time != FA_NO_ROW) fa_csv_put_number(out, j->given[j->time]);
        put_efforts(j, out);
        for (int i = 0; i < j->n_forces; i++) fa_csv_put_number(out, j->state.value[j->force[i]]);
        for (int i = 0; i < j->n_extra; i++) fa_csv_put_number(out, j->state.value[j->extra + i]);
        if (j->arguments->regressor) fa_regressor_put_numbers(&j->regressor, &j->state, out);
        status = fa_csv_end_line(out);
        if (status != FA_OK) break;
        // As many lines as the file has, if the others are as long as those so far.
        lines++;
        fa_progress_at(lines, lines / fa_csv_share(&j->in));
    }
    return status;
}

// ----------------------------------------------------------------------------------------- job

// The further outputs stand together; those of cylinders stand with each of them.
static void find_extras(job *j)
{
    const fa_variables *table = &j->state.table;
    for (int row = 0; row < table->n; row++) {
        const fa_variable *v = &table->row[row];
        if (j->arguments->cylinders && v->role == FA_OUTPUT && v->quantity == FA_ARM_CYLINDER_FORCE)
            j->force[j->n_forces++] = row;
        if (v->role != FA_OUTPUT || v->quantity < FA_ARM_REACTION || v->quantity > FA_ARM_LINK_AXES)
            continue;
        if (j->n_extra++ == 0) j->extra = row;
    }
}

static fa_status begin(job *j, fa_robot *robot, fa_error *error)
{
    const fa_plant *own = fa_plant_find(robot->plant);
    if (own != &fa_arm_plant && own != &fa_inverse_plant)
        return fa_fail(error, FA_UNFIT, robot->source, FA_NOWHERE,
                       "it is a %s, and forward and inverse dynamics are for arms", robot->plant);
    const fa_plant *plant = j->inverse ? &fa_inverse_plant : &fa_arm_plant;
    snprintf(robot->plant, sizeof robot->plant, "%s", plant->name);
    fa_status status = fa_state_new(robot, &j->state, error);
    if (status == FA_OK) status = fa_state_set(&j->state, &j->arguments->set, error);
    if (status == FA_OK) status = choose_method(j, error);
    if (status == FA_OK) status = fa_csv_open(j->arguments->in, &j->in, error);
    if (status != FA_OK) return status;
    j->n = arm_of(j)->chain.n_coordinates;
    j->first = arm_of(j)->row[j->inverse ? FA_ARM_TORQUE : FA_ARM_ACCELERATION];
    find_extras(j);
    j->row = calloc((size_t)j->in.n, sizeof *j->row);
    j->given = calloc((size_t)j->in.n, sizeof *j->given);
    j->is_given = calloc((size_t)j->state.table.n, sizeof *j->is_given);
    if (!j->row || !j->given || !j->is_given)
        return fa_fail(error, FA_NO_MEMORY, NULL, FA_NOWHERE,
                       "there is not enough memory for the columns of the table");
    if (j->arguments->regressor) status = fa_regressor_new(&j->state, &j->regressor, error);
    return status == FA_OK ? find_columns(j, error) : status;
}

static fa_status work(job *j, fa_robot *robot, fa_error *error)
{
    fa_status status = begin(j, robot, error);
    if (status != FA_OK) return status;
    fa_csv_writer out;
    fa_csv_create(j->arguments->out, &out, error);
    status = out.status;
    if (status == FA_OK) status = run_lines(j, &out, error);
    if (status == FA_OK)
        status = fa_csv_keep(&out);
    else
        fa_csv_drop(&out);
    return status;
}

fa_status fa_dynamics_table(const fa_arguments *arguments, fa_robot *robot, bool inverse,
                            fa_error *error)
{
    job j = {.arguments = arguments, .inverse = inverse};
    fa_progress_begin(inverse ? "inverse dynamics" : "forward dynamics");
    fa_progress_unit("lines");
    fa_status status = work(&j, robot, error);
    fa_progress_end();
    fa_csv_close(&j.in);
    fa_regressor_free(&j.regressor);
    free(j.row);
    free(j.given);
    free(j.is_given);
    free(j.work);
    fa_state_free(&j.state);
    return status;
}

static fa_exit run(const fa_arguments *arguments, bool inverse)
{
    fa_error error;
    if (!arguments->in) {
        fa_fail(&error, FA_UNFIT, NULL, FA_NOWHERE,
                "there is no table to read; name it with --in FILE, or --in - for standard input");
        return fa_report(&error);
    }
    fa_robot *robot;
    fa_status status = fa_load_robot(arguments, NULL, &robot, &error);
    if (status == FA_OK) status = fa_dynamics_table(arguments, robot, inverse, &error);
    free(robot);
    return status == FA_OK ? FA_EXIT_DONE : fa_report(&error);
}

fa_exit fa_run_forward(const fa_arguments *arguments)
{
    return run(arguments, false);
}

fa_exit fa_run_inverse(const fa_arguments *arguments)
{
    return run(arguments, true);
}
