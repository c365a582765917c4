// forearm forward and forearm inverse: dynamics of a table of states.
#include "dynamics_table.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "arm.h"
#include "batch.h"
#include "break.h"
#include "csv_writer.h"
#include "forward_snake.h"
#include "load.h"
#include "methods.h"
#include "nearest.h"
#include "one_joint.h"
#include "progress.h"
#include "regressor_columns.h"
#include "state.h"

#define TIME "time"

// Lines that wait to be answered together. Each is kept as it was read, to be answered alone if
// that is necessary.
enum { MOST_WAITING = 64 };
typedef struct waiting {
    int     n, n_states;
    int     line[MOST_WAITING];
    int     state[MOST_WAITING]; // which of the states below it is; ALONE: none
    double *given;               // the numbers of each line
    double *q, *qd, *tau, *qdd;  // of each state
    void   *work;                // of fa_forward_batch; NULL: lines are answered one by one
} waiting;
#define ALONE (-1)

// Both are plants: "arm" answers with accelerations, "inverse" with torques. Only the method is
// another one if the user says so.
typedef struct job {
    const fa_arguments  *arguments;
    bool                 inverse;
    fa_state             state;
    void                *work;                             // the method's
    int                  first, n;                         // rows of the result
    int                  at;                               // the coordinate of the first of them
    int                  extra, n_extra;                   // those of --outputs, behind them
    int                  force[FA_CYLINDER_MAX], n_forces; // rows of an inverse's cylinders
    int                  pushes[FA_CYLINDER_MAX]; // columns with their forces; FA_NO_ROW: none
    fa_regressor_columns regressor;               // if asked for
    fa_csv               in;
    int                 *row;     // of each column; FA_NO_ROW: passed over
    double              *given;   // the numbers of a line
    fa_variables         foreign; // of an inverse: the table of the arm
    void                *foreign_block;
    bool                *is_given; // of each row: some column is this variable
    int                  time;     // its column, FA_NO_ROW: none
    bool                 sets_parameters;
    waiting              waiting;
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

static fa_status use_method(job *j, const fa_method *method, fa_error *error)
{
    fa_arm *arm = arm_of(j);
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

static fa_status choose_method(job *j, fa_error *error)
{
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
    if (!fa_method_fits(method, &arm_of(j)->chain))
        return unfit(j, "does not cover this kind of robot", error);
    return use_method(j, method, error);
}

// One joint without the others: the rows of the result are that one.
static fa_status choose_joint(job *j, const fa_robot *robot, fa_error *error)
{
    const fa_arguments *arguments = j->arguments;
    if (arguments->cylinders)
        return fa_fail(error, FA_UNFIT, NULL, FA_NOWHERE,
                       "--cylinders shares the torques of all joints among the cylinders; leave "
                       "out --cylinders or --joint");
    const fa_method *method = fa_method_find(arguments->method ? arguments->method : "closed-form");
    if (arguments->method && (!method || !method->inverse_one))
        return fa_fail(error, FA_UNFIT, NULL, FA_NOWHERE,
                       "method '%s' finds no joint's torque without the others; leave out --method "
                       "or --joint",
                       arguments->method);
    fa_status status = fa_one_joint(robot, arguments->joint, &j->at, error);
    if (status == FA_OK) status = use_method(j, method, error);
    if (status != FA_OK) return status;
    arm_of(j)->only = j->at;
    j->first += j->at;
    j->n = 1;
    return FA_OK;
}

// ------------------------------------------------------------------------------------- columns

// What a simulation's table has of this robot and an inverse knows nothing of, such as accounts of
// energy and pressures: its table may be read.
static fa_status find_foreign(job *j, const fa_robot *robot, fa_error *error)
{
    if (!j->inverse) return FA_OK;
    return fa_plant_variables(&fa_arm_plant, robot, false, &j->foreign, &j->foreign_block, error);
}

static bool is_foreign(const job *j, const char *name)
{
    if (!j->inverse || fa_names_find(&j->state.names, name) >= 0) return false;
    const int row = fa_variables_find(&j->foreign, name);
    return strncmp(name, "energy.", 7) == 0 ||
           (row != FA_NO_ROW && j->foreign.row[row].role >= FA_INPUT);
}

// A cylinder of an inverse, whose force is given as a column, by the row of that; FA_NOBODY: the
// row is of something else.
static int cylinder_of(const job *j, int row)
{
    const fa_variables *table = &j->state.table;
    int                 k = 0;
    if (!j->inverse || table->row[row].quantity != FA_ARM_CYLINDER_FORCE) return FA_NOBODY;
    for (int before = 0; before < row; before++)
        k += table->row[before].quantity == FA_ARM_CYLINDER_FORCE;
    return k;
}

static fa_status find_columns(job *j, fa_error *error)
{
    j->time = FA_NO_ROW;
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
        j->row[i] = role <= FA_STATE ? row : FA_NO_ROW; // all others are calculated
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
    for (int i = 0; i < j->n; i++) fa_csv_put_name(out, j->state.table.row[j->first + i].name);
    for (int i = 0; i < j->n_forces; i++)
        fa_csv_put_name(out, j->state.table.row[j->force[i]].name);
    for (int i = 0; i < j->n_extra; i++)
        fa_csv_put_name(out, j->state.table.row[j->extra + i].name);
    if (j->arguments->regressor)
        fa_regressor_put_names(&j->regressor, &j->state, j->first, j->n, out);
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
    return fa_plant_evaluate(j->state.plant, j->state.self, j->state.value, groups, NULL, error);
}

// Where cylinders give all of a torque, rounding is left, in shares of the largest part.
static const double ROUNDING = 1e-12;

// The force of a cylinder, where one was asked for or is given; false: neither.
static bool force_of(const job *j, int cylinder, const double given[], double *force)
{
    const int column = j->pushes[cylinder];
    if (column != FA_NO_ROW) *force = given[column];
    if (j->arguments->cylinders) *force = arm_of(j)->cylinders.of[cylinder].needed;
    return column != FA_NO_ROW || j->arguments->cylinders;
}

// Of the joints: what they need, less what the forces of cylinders do.
static void put_efforts(const job *j, const double given[], fa_csv_writer *out)
{
    const fa_arm *arm = arm_of(j);
    const int     first = j->first - arm->row[FA_ARM_TORQUE]; // with --joint not 0
    for (int i = 0; i < j->n; i++) {
        double effort = j->state.value[j->first + i], most = fabs(effort);
        bool   by_cylinders = false;
        for (int k = 0; j->inverse && k < arm->cylinders.n; k++) {
            const fa_arm_cylinder *c = &arm->cylinders.of[k];
            double                 force;
            if (!force_of(j, k, given, &force)) continue;
            const double lever = c->lever[first + i], part = lever * force;
            by_cylinders |= lever != 0;
            effort -= part;
            most = fmax(most, fabs(part));
        }
        if (by_cylinders && fabs(effort) <= ROUNDING * most) effort = 0;
        fa_csv_put_number(out, effort);
    }
}

static fa_status put_line(const job *j, const double given[], fa_csv_writer *out)
{
    if (j->time != FA_NO_ROW) fa_csv_put_number(out, given[j->time]);
    put_efforts(j, given, out);
    for (int i = 0; i < j->n_forces; i++) fa_csv_put_number(out, j->state.value[j->force[i]]);
    for (int i = 0; i < j->n_extra; i++) fa_csv_put_number(out, j->state.value[j->extra + i]);
    if (j->arguments->regressor)
        fa_regressor_put_numbers(&j->regressor, &j->state, j->at, j->n, out);
    return fa_csv_end_line(out);
}

// ------------------------------------------------------------------------------------- many lines

// Together where accelerations alone are asked for, by the arm's own choice of a method, and a
// line's torques depend on nothing but the line.
static fa_status expect_many(job *j, fa_error *error)
{
    const fa_arm *arm = arm_of(j);
    waiting      *w = &j->waiting;
    if (j->inverse || j->sets_parameters || j->n_extra > 0 || j->n_forces > 0 ||
        j->arguments->regressor || !arm->fast || arm->chain.base_moves || arm->cylinders.n > 0)
        return FA_OK;
    const size_t numbers = MOST_WAITING * (size_t)j->n * sizeof(double);
    w->given = malloc(MOST_WAITING * (size_t)j->in.n * sizeof *w->given + 1);
    w->q = malloc(numbers + 1);
    w->qd = malloc(numbers + 1);
    w->tau = malloc(numbers + 1);
    w->qdd = malloc(numbers + 1);
    w->work = malloc(fa_forward_batch_size(&arm->chain));
    if (!w->given || !w->q || !w->qd || !w->tau || !w->qdd || !w->work)
        return fa_fail(error, FA_NO_MEMORY, NULL, FA_NOWHERE,
                       "there is not enough memory for many lines at once");
    fa_forward_batch_prepare(&arm->chain, j->state.value[arm->row[FA_ARM_DETERMINISTIC]] != 0,
                             w->work);
    return FA_OK;
}

static void forget_many(waiting *w)
{
    free(w->given);
    free(w->q);
    free(w->qd);
    free(w->tau);
    free(w->qdd);
    free(w->work);
}

// The line just read.
static void put_off(job *j)
{
    fa_arm       *arm = arm_of(j);
    waiting      *w = &j->waiting;
    const double *value = j->state.value;
    const size_t  n = (size_t)j->n, size = n * sizeof *value, at = (size_t)w->n_states * n;
    const int     k = w->n++;
    fa_load       load;
    double        pushed;
    fa_error      error = fa_no_error();
    w->line[k] = j->in.line;
    w->state[k] = ALONE;
    memcpy(w->given + k * j->in.n, j->given, (size_t)j->in.n * sizeof *j->given);
    fa_arm_place(arm, value);
    if (fa_arm_efforts(arm, value, &load, &pushed, &error) != FA_OK || load.wrench ||
        arm->chain.held)
        return;
    w->state[k] = w->n_states++;
    memcpy(w->q + at, value + arm->row[FA_ARM_POSITION], size);
    memcpy(w->qd + at, value + arm->row[FA_ARM_VELOCITY], size);
    memcpy(w->tau + at, arm->tau, size);
}

// One of the lines that waited: what is wrong with it is found by solving it alone.
static fa_status answer_one(job *j, int k, fa_csv_writer *out, fa_error *error)
{
    const waiting *w = &j->waiting;
    const double  *given = w->given + k * j->in.n;
    const double  *qdd = w->state[k] == ALONE ? NULL : w->qdd + w->state[k] * j->n;
    const int      line = j->in.line;
    fa_status      status = FA_OK;
    if (qdd && fa_all_finite(qdd, j->n)) {
        memcpy(j->state.value + j->first, qdd, (size_t)j->n * sizeof *qdd);
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
    fa_chain  chain = arm_of(j)->chain;
    fa_status status = FA_OK;
    chain.held = NULL;
    if (w->n_states > 0)
        fa_forward_batch(&chain, w->n_states, w->q, w->qd, w->tau, w->qdd, w->work);
    for (int k = 0; k < w->n && status == FA_OK; k++) status = answer_one(j, k, out, error);
    w->n = w->n_states = 0;
    return status;
}

// The line just read, now or with others.
static fa_status answer(job *j, fa_csv_writer *out, fa_error *error)
{
    if (!j->waiting.work) {
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
        // As many lines as the file has, if the others are as long as those so far.
        lines++;
        fa_progress_at(lines, lines / fa_csv_share(&j->in));
    }
    if (status == FA_OK) return answer_many(j, out, error);
    // What is wrong with lines that still wait comes before what is wrong with this one.
    const fa_error  later = *error;
    const fa_status before = answer_many(j, out, error);
    if (before == FA_OK) *error = later;
    return before == FA_OK ? status : before;
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
        return fa_fail(error, FA_UNFIT, robot->source, FA_NOWHERE, "it is a %s, and %s",
                       robot->plant,
                       j->inverse ? "inverse dynamics are for arms"
                                  : "forward dynamics are for arms and snakes");
    const fa_plant *plant = j->inverse ? &fa_inverse_plant : &fa_arm_plant;
    snprintf(robot->plant, sizeof robot->plant, "%s", plant->name);
    fa_status status = fa_state_new(robot, &j->state, error);
    if (status == FA_OK) status = fa_state_set(&j->state, &j->arguments->set, error);
    if (status != FA_OK) return status;
    j->n = arm_of(j)->chain.n_coordinates;
    j->first = arm_of(j)->row[j->inverse ? FA_ARM_TORQUE : FA_ARM_ACCELERATION];
    status = j->arguments->joint ? choose_joint(j, robot, error) : choose_method(j, error);
    if (status == FA_OK) status = fa_csv_open(j->arguments->in, &j->in, error);
    if (status != FA_OK) return status;
    find_extras(j);
    j->row = calloc((size_t)j->in.n, sizeof *j->row);
    j->given = calloc((size_t)j->in.n, sizeof *j->given);
    j->is_given = calloc((size_t)j->state.table.n, sizeof *j->is_given);
    if (!j->row || !j->given || !j->is_given)
        return fa_fail(error, FA_NO_MEMORY, NULL, FA_NOWHERE,
                       "there is not enough memory for the columns of the table");
    if (j->arguments->regressor) status = fa_regressor_new(&j->state, &j->regressor, error);
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
    fa_regressor_free(&j.regressor);
    free(j.row);
    free(j.foreign_block);
    free(j.given);
    free(j.is_given);
    free(j.work);
    forget_many(&j.waiting);
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
