// forearm forward and forearm inverse: dynamics of a table of states.
#include "dynamics_table.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "arm.h"
#include "arm_table.h"
#include "break.h"
#include "csv.h"
#include "csv_writer.h"
#include "forward_snake.h"
#include "load.h"
#include "mechanism.h"
#include "methods.h"
#include "nearest.h"
#include "one_joint.h"
#include "progress.h"
#include "regressor_columns.h"
#include "state_options.h"

#define TIME "time"

// Batch size. The batch keeps the numbers of each line, so that a single line can be evaluated
// again on its own.
enum { MOST_WAITING = 64 };
typedef struct waiting {
    int          n;
    int          line[MOST_WAITING];
    int          state[MOST_WAITING]; // index in the batch, or FA_ARM_ALONE
    double      *given; // the numbers of each line; NULL: no batch, lines are evaluated one by one
    fa_arm_batch batch;
} waiting;

// Both commands evaluate plants: "arm" computes accelerations, "inverse" torques. --method chooses
// their algorithm.
typedef struct job {
    const fa_arguments *arguments;
    bool                inverse;
    fa_state            state;
    fa_arm_dynamics     dynamics;         // rows of the result
    bool                energy;           // the outputs include accounts of energy
    int                *extra, n_extra;   // rows of --outputs, written behind the result
    int force[FA_CYLINDER_MAX], n_forces; // rows of cylinder forces, with inverse dynamics
    int pushes[FA_CYLINDER_MAX];          // column of each cylinder's force; FA_NO_ROW: none
    fa_arm_regressor regressor;           // regressor, with --regressor
    fa_csv           in;
    int             *row; // row of each column; FA_NO_ROW: the column is ignored
    int         *guess;   // row of the initial guess that each column sets for loops, or FA_NO_ROW
    double      *given;   // numbers of the current line
    fa_variables foreign; // with inverse dynamics: the variables of the forward plant
    void        *foreign_block;
    bool        *is_given; // by row: a column sets this variable
    int          time;     // column of the time, FA_NO_ROW: none
    bool         sets_parameters;
    waiting      waiting;
} job;

// Restricts the rows of the result to those of one joint.
static fa_status choose_joint(job *j, const fa_robot *robot, fa_error *error)
{
    const fa_arguments *arguments = j->arguments;
    if (arguments->cylinders)
        return fa_fail(error, FA_UNFIT, NULL, FA_NOWHERE,
                       "--cylinders shares the torques of all joints among the cylinders; leave "
                       "out --cylinders or --joint");
    int coordinate;
    if (robot->n_loops > 0) { // with loops, torques depend on each other
        fa_status status = FA_OK;
        if (arguments->method) status = fa_arm_dynamics_by(&j->dynamics, arguments->method, error);
        if (status == FA_OK) status = fa_one_joint(robot, arguments->joint, &coordinate, error);
        if (status == FA_OK) fa_arm_dynamics_show(&j->dynamics, coordinate);
        return status;
    }
    const fa_method *method = fa_method_find(arguments->method ? arguments->method : "closed-form");
    if (arguments->method && (!method || !method->inverse_one))
        return fa_fail(error, FA_UNFIT, NULL, FA_NOWHERE,
                       "method '%s' finds no joint's torque without the others; leave out --method "
                       "or --joint",
                       arguments->method);
    const fa_status status = fa_one_joint(robot, arguments->joint, &coordinate, error);
    return status == FA_OK ? fa_arm_dynamics_only(&j->dynamics, method, coordinate, error) : status;
}

// ------------------------------------------------------------------------------------- columns

// Collects the variables that only a simulation's table has, such as accounts of energy and
// pressures. Inverse dynamics ignores columns with these names.
static fa_status find_foreign(job *j, const fa_robot *robot, fa_error *error)
{
    if (!j->inverse) return FA_OK;
    fa_robot *all = malloc(fa_robot_size(robot)); // with accounts of energy, which are optional
    if (!all)
        return fa_fail(error, FA_NO_MEMORY, NULL, FA_NOWHERE,
                       "there is not enough memory for the variables of the robot");
    memcpy(all, robot, fa_robot_size(robot));
    all->outputs |= FA_EXTRA_ENERGY;
    const fa_status status = fa_plant_variables(fa_arm_plant_for(robot, false), all, false,
                                                &j->foreign, &j->foreign_block, error);
    free(all);
    return status;
}

static bool is_foreign(const job *j, const char *name)
{
    if (!j->inverse || fa_names_find(&j->state.names, name) >= 0) return false;
    const int row = fa_variables_find(&j->foreign, name);
    return row != FA_NO_ROW && j->foreign.row[row].role >= FA_INPUT;
}

// Returns the cylinder whose force is the variable `row` of inverse dynamics; FA_NOBODY: it is
// another variable.
static int cylinder_of(const job *j, int row)
{
    const fa_variables *table = &j->state.table;
    int                 k = 0;
    if (!j->inverse || table->row[row].quantity != FA_ARM_CYLINDER_FORCE) return FA_NOBODY;
    for (int before = 0; before < row; before++)
        k += table->row[before].quantity == FA_ARM_CYLINDER_FORCE;
    return k;
}

// Returns the row of the initial position that a column of positions sets. Where a table has
// positions of dependent joints, loops are closed from them, which selects the branch.
static int guess_of(const fa_variables *table, int row)
{
    const fa_variable *of = &table->row[row];
    const int          initial = fa_arm_row_with(table, FA_ARM_INITIAL_POSITION, of->index);
    if (of->quantity != FA_ARM_POSITION || initial == FA_NO_ROW) return FA_NO_ROW;
    return initial + row - fa_arm_row_with(table, FA_ARM_POSITION, of->index);
}

static void find_guesses(job *j)
{
    const fa_variables *table = &j->state.table;
    bool                any = false;
    for (int pass = 0; pass < 2; pass++)
        for (int i = 0; i < j->in.n; i++) {
            const int row = fa_names_find(&j->state.names, j->in.name[i]);
            if (row < 0) continue;
            any |= table->row[row].quantity == FA_ARM_POSITION && table->row[row].role == FA_OUTPUT;
            if (pass == 1 && any) j->guess[i] = guess_of(table, row);
        }
}

static fa_status find_columns(job *j, fa_error *error)
{
    j->time = FA_NO_ROW;
    for (int i = 0; i < j->in.n; i++) j->guess[i] = FA_NO_ROW;
    find_guesses(j);
    for (int k = 0; k < FA_CYLINDER_MAX; k++) j->pushes[k] = FA_NO_ROW;
    for (int i = 0; i < j->in.n; i++) {
        int row;
        j->row[i] = FA_NO_ROW;
        if (is_foreign(j, j->in.name[i])) continue;
        fa_status status =
            fa_state_find(&j->state, j->in.name[i], j->in.path, j->in.place[i], &row, error);
        if (status != FA_OK) return status;
        fa_role role = fa_state_role(&j->state, row);
        if (role == FA_TIME) j->time = i;
        j->row[i] = role <= FA_STATE ? row : FA_NO_ROW; // other variables are results
        j->is_given[row] = true;
        const int cylinder = cylinder_of(j, row);
        if (cylinder != FA_NOBODY && !j->arguments->cylinders) j->pushes[cylinder] = i;
        if (role == FA_PARAMETER || role == FA_TUNABLE) j->sets_parameters = true;
    }
    return FA_OK;
}

static void put_head(const job *j, fa_csv_writer *out)
{
    if (j->time != FA_NO_ROW) fa_csv_put_name(out, TIME);
    for (int i = 0; i < j->dynamics.n; i++)
        fa_csv_put_name(out, j->state.table.row[j->dynamics.first + i].name);
    for (int i = 0; i < j->n_forces; i++)
        fa_csv_put_name(out, j->state.table.row[j->force[i]].name);
    for (int i = 0; i < j->n_extra; i++) fa_csv_put_name(out, j->state.table.row[j->extra[i]].name);
    if (j->arguments->regressor) fa_regressor_put_names(&j->dynamics, &j->regressor, out);
    fa_csv_end_line(out);
}

// --------------------------------------------------------------------------------------- lines

static fa_status take_line(job *j, fa_error *error)
{
    const fa_status status =
        fa_state_accept_line(&j->state, j->in.n, j->row, j->given, j->in.path, j->in.place, error);
    if (status != FA_OK) return status;
    for (int i = 0; i < j->in.n; i++)
        if (j->guess[i] != FA_NO_ROW) j->state.value[j->guess[i]] = j->given[i];
    if (!j->sets_parameters) return FA_OK;
    fa_state_start_others(&j->state, j->is_given);
    return fa_state_configure(&j->state, error);
}

// Adds file and line to an error of the plant.
static fa_status in_line(const job *j, fa_status status, fa_error *error)
{
    if (status == FA_OK || error->file[0]) return status;
    error->place = (fa_place){j->in.line, 0};
    snprintf(error->file, sizeof error->file, "%s", j->in.path);
    return status;
}

static fa_status solve(job *j, fa_error *error)
{
    unsigned groups = j->dynamics.n > 0 ? j->state.table.row[j->dynamics.first].group : 0;
    for (int i = 0; i < j->n_forces; i++) groups |= j->state.table.row[j->force[i]].group;
    for (int i = 0; i < j->n_extra; i++) groups |= j->state.table.row[j->extra[i]].group;
    return fa_plant_evaluate(j->state.plant, j->state.self, j->state.value, groups, NULL, error);
}

// Writes the joints' efforts: inverse dynamics less the share of the cylinders' forces.
static void put_efforts(const job *j, const double given[], fa_csv_writer *out)
{
    double force[FA_CYLINDER_MAX];
    for (int k = 0; k < fa_arm_dynamics_cylinders(&j->dynamics); k++) {
        force[k] = j->pushes[k] != FA_NO_ROW ? given[j->pushes[k]] : NAN;
        if (j->arguments->cylinders) force[k] = fa_arm_dynamics_need(&j->dynamics, k);
    }
    for (int i = 0; i < j->dynamics.n; i++)
        fa_csv_put_number(out, fa_arm_dynamics_effort(&j->dynamics, i, force));
}

static fa_status put_line(job *j, const double given[], fa_csv_writer *out)
{
    if (j->time != FA_NO_ROW) fa_csv_put_number(out, given[j->time]);
    put_efforts(j, given, out);
    for (int i = 0; i < j->n_forces; i++) fa_csv_put_number(out, j->state.value[j->force[i]]);
    for (int i = 0; i < j->n_extra; i++) fa_csv_put_number(out, j->state.value[j->extra[i]]);
    if (j->arguments->regressor) fa_regressor_put_numbers(&j->dynamics, &j->regressor, out);
    return fa_csv_end_line(out);
}

// ------------------------------------------------------------------------------------- many lines

// Allocates the batch if lines can be evaluated together: only accelerations are asked for, by the
// default method, and no column sets a parameter.
static fa_status expect_many(job *j, fa_error *error)
{
    waiting *w = &j->waiting;
    if (j->sets_parameters || j->n_extra > 0 || j->n_forces > 0 || j->arguments->regressor)
        return FA_OK;
    const fa_status status = fa_arm_batch_new(&j->dynamics, MOST_WAITING, &w->batch, error);
    if (status != FA_OK || !w->batch.work) return status;
    w->given = malloc(MOST_WAITING * (size_t)j->in.n * sizeof *w->given + 1);
    if (w->given) return FA_OK;
    return fa_fail(error, FA_NO_MEMORY, NULL, FA_NOWHERE,
                   "there is not enough memory for many lines at once");
}

// Appends the current line to the batch.
static void put_off(job *j)
{
    waiting  *w = &j->waiting;
    const int k = w->n++;
    w->line[k] = j->in.line;
    memcpy(w->given + k * j->in.n, j->given, (size_t)j->in.n * sizeof *j->given);
    w->state[k] = fa_arm_batch_add(&w->batch);
}

// Writes the answer for one line of the batch. A line without one is evaluated alone, which also
// finds its error.
static fa_status answer_one(job *j, int k, fa_csv_writer *out, fa_error *error)
{
    const waiting *w = &j->waiting;
    const double  *given = w->given + k * j->in.n;
    const double  *qdd =
        w->state[k] == FA_ARM_ALONE ? NULL : fa_arm_batch_answer(&w->batch, w->state[k]);
    const int line = j->in.line;
    fa_status status = FA_OK;
    if (qdd) {
        memcpy(j->state.value + j->dynamics.first, qdd, (size_t)j->dynamics.n * sizeof *qdd);
    } else {
        for (int i = 0; i < j->in.n; i++)
            if (j->row[i] != FA_NO_ROW) j->state.value[j->row[i]] = given[i];
        j->in.line = w->line[k];
        status = in_line(j, solve(j, error), error);
        j->in.line = line;
    }
    return status == FA_OK ? put_line(j, given, out) : status;
}

static fa_status answer_many(job *j, fa_csv_writer *out, fa_error *error)
{
    waiting  *w = &j->waiting;
    fa_status status = FA_OK;
    if (w->n > 0) fa_arm_batch_solve(&w->batch);
    for (int k = 0; k < w->n && status == FA_OK; k++) status = answer_one(j, k, out, error);
    w->n = 0;
    return status;
}

// Evaluates the current line, or appends it to the batch.
static fa_status answer(job *j, fa_csv_writer *out, fa_error *error)
{
    if (!j->waiting.given) {
        const fa_status status = in_line(j, solve(j, error), error);
        return status == FA_OK ? put_line(j, j->given, out) : status;
    }
    put_off(j);
    return j->waiting.n == MOST_WAITING ? answer_many(j, out, error) : FA_OK;
}

static fa_status run_lines(job *j, fa_csv_writer *out, fa_error *error)
{
    double    lines = 0;
    fa_status status = expect_many(j, error);
    if (status != FA_OK) return status;
    put_head(j, out);
    for (;;) {
        bool more;
        status = fa_csv_next(&j->in, j->given, &more, error);
        if (status == FA_OK && more) status = take_line(j, error);
        status = in_line(j, status, error);
        if (status == FA_OK && more) status = answer(j, out, error);
        if (status == FA_OK && fa_break_asked())
            status = fa_fail(error, FA_UNFIT, NULL, FA_NOWHERE, "it was interrupted");
        if (status != FA_OK || !more) break;
        // Estimates the number of lines of the file from the length of those read so far.
        lines++;
        fa_progress_at(lines, lines / fa_csv_share(&j->in));
    }
    if (status == FA_OK) return answer_many(j, out, error);
    // An error in a line of the batch is reported before the error of this later line.
    const fa_error  later = *error;
    const fa_status before = answer_many(j, out, error);
    if (before == FA_OK) *error = later;
    return before == FA_OK ? status : before;
}

// ----------------------------------------------------------------------------------------- job

static bool is_extra(const job *j, const fa_variable *row)
{
    if (row->quantity == FA_ARM_KINETIC || row->quantity == FA_ARM_POTENTIAL ||
        row->quantity == FA_ARM_POWER)
        return j->energy;
    const bool in_loop = row->quantity == FA_ARM_LOOP_FORCE || row->quantity == FA_ARM_LOOP_AXIAL;
    return row->role == FA_OUTPUT &&
           (in_loop || (row->quantity >= FA_ARM_REACTION && row->quantity <= FA_ARM_LINK_AXES));
}

// Finds the rows of further outputs and of cylinder forces. Of the accounts of energy a single
// state has stored energies and powers only; works and losses belong to a motion.
static void find_extras(job *j)
{
    const fa_variables *table = &j->state.table;
    for (int row = 0; row < table->n; row++) {
        const fa_variable *v = &table->row[row];
        if (j->arguments->cylinders && v->role == FA_OUTPUT && v->quantity == FA_ARM_CYLINDER_FORCE)
            j->force[j->n_forces++] = row;
        if (is_extra(j, v)) j->extra[j->n_extra++] = row;
    }
}

static fa_status begin(job *j, fa_robot *robot, fa_error *error)
{
    const bool is_snake = fa_robot_is_snake(robot), is_axis = fa_robot_is_axis(robot);
    if (is_snake || is_axis)
        return fa_fail(error, FA_UNFIT, robot->source, FA_NOWHERE, "it is a %s, and %s",
                       robot->plant,
                       j->inverse ? "inverse dynamics are for arms"
                                  : "forward dynamics are for arms and snakes");
    const fa_plant *plant = fa_arm_plant_for(robot, j->inverse);
    snprintf(robot->plant, sizeof robot->plant, "%s", plant->name);
    fa_status status = fa_state_new(robot, &j->state, error);
    if (status == FA_OK) status = fa_state_assign(&j->state, &j->arguments->set, error);
    if (status != FA_OK) return status;
    status = fa_arm_dynamics_new(&j->state, &j->dynamics, error);
    if (status == FA_OK && j->arguments->joint)
        status = choose_joint(j, robot, error);
    else if (status == FA_OK && j->arguments->method)
        status = fa_arm_dynamics_by(&j->dynamics, j->arguments->method, error);
    if (status == FA_OK) status = fa_csv_open(j->arguments->in, &j->in, error);
    if (status != FA_OK) return status;
    j->extra = calloc((size_t)j->state.table.n, sizeof *j->extra);
    j->row = calloc((size_t)j->in.n, sizeof *j->row);
    j->guess = calloc((size_t)j->in.n, sizeof *j->guess);
    j->given = calloc((size_t)j->in.n, sizeof *j->given);
    j->is_given = calloc((size_t)j->state.table.n, sizeof *j->is_given);
    if (!j->extra || !j->row || !j->guess || !j->given || !j->is_given)
        return fa_fail(error, FA_NO_MEMORY, NULL, FA_NOWHERE,
                       "there is not enough memory for the columns of the table");
    j->energy = robot->outputs & FA_EXTRA_ENERGY;
    find_extras(j);
    if (j->arguments->regressor) status = fa_arm_regressor_new(&j->dynamics, &j->regressor, error);
    if (status == FA_OK) status = find_foreign(j, robot, error);
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
    fa_arm_regressor_free(&j.regressor);
    free(j.extra);
    free(j.row);
    free(j.guess);
    free(j.foreign_block);
    free(j.given);
    free(j.is_given);
    fa_arm_dynamics_free(&j.dynamics);
    fa_arm_batch_free(&j.waiting.batch);
    free(j.waiting.given);
    fa_state_free(&j.state);
    return status;
}

static fa_exit run(const fa_arguments *arguments, bool inverse)
{
    fa_error error = fa_no_error();
    if (!arguments->in) {
        fa_fail(&error, FA_UNFIT, NULL, FA_NOWHERE,
                "there is no table to read; name it with --in FILE, or --in - for standard input");
        return fa_report(error.status, &error);
    }
    fa_robot *robot;
    fa_status status = fa_load_robot(arguments, NULL, &robot, &error);
    if (status == FA_OK && !inverse && fa_robot_is_snake(robot))
        status = fa_forward_snake(arguments, robot, &error);
    else if (status == FA_OK)
        status = fa_dynamics_table(arguments, robot, inverse, &error);
    free(robot);
    return fa_report(status, &error);
}

fa_exit fa_run_forward(const fa_arguments *arguments)
{
    return run(arguments, false);
}

fa_exit fa_run_inverse(const fa_arguments *arguments)
{
    return run(arguments, true);
}
