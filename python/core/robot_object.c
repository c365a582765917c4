// forearm._core.Robot: a robot from a file, its names and numbers, its parameters, its
// linearisation.
#include "core.h"

#include <stdlib.h>
#include <string.h>

#include "arm_dynamics.h"
#include "import.h"
#include "linearisation.h"
#include "regressor.h"
#include "robot_file.h"
#include "workspace.h"

// ------------------------------------------------------------------------------------- workspaces

fa_workspace *core_take_workspace(core_robot *self)
{
    if (self->n_idle > 0) return self->idle[--self->n_idle];
    fa_error      error = fa_no_error();
    fa_workspace *workspace = fa_workspace_new(self->robot, 0, &error);
    if (workspace && self->n_given > 0 &&
        fa_workspace_set(workspace, self->n_given, self->given, self->value, &error) != FA_OK) {
        fa_workspace_free(workspace);
        workspace = NULL;
    }
    if (!workspace) core_raise("RobotError", &error);
    return workspace;
}

void core_give_workspace(core_robot *self, fa_workspace *workspace)
{
    if (self->n_idle < CORE_IDLE)
        self->idle[self->n_idle++] = workspace;
    else
        fa_workspace_free(workspace);
}

static void drop_workspaces(core_robot *self)
{
    while (self->n_idle > 0) fa_workspace_free(self->idle[--self->n_idle]);
}

// ------------------------------------------------------------------------------- coming and going

static void hear(void *context, const char *file, fa_place place, const char *sentence)
{
    PyObject *heard = Py_BuildValue("(ziis)", file, place.line, place.column, sentence);
    if (!heard || PyList_Append(context, heard) != 0) PyErr_Clear();
    Py_XDECREF(heard);
}

typedef struct given {
    const char *path, *text, *tip, *actuators, *base, *independent;
    Py_ssize_t  size;
    int         canonical, strict, lenient;
    PyObject   *joints, *positions, *heard;
} given;

static int read_locks(const given *g, fa_import_options *options, PyObject **kept)
{
    const Py_ssize_t n = PyTuple_Size(g->joints);
    fa_import_lock  *lock = calloc((size_t)n + 1, sizeof *lock);
    *kept = PyTuple_New(n);
    options->lock = lock;
    options->n_locks = (int)n;
    if (!lock || !*kept) return PyErr_NoMemory(), -1;
    for (Py_ssize_t i = 0; i < n; i++) {
        PyObject *name = PyUnicode_AsUTF8String(PyTuple_GetItem(g->joints, i));
        if (!name) return -1;
        PyTuple_SetItem(*kept, i, name);
        lock[i].joint = PyBytes_AsString(name);
        lock[i].position = PyFloat_AsDouble(PyTuple_GetItem(g->positions, i));
        if (PyErr_Occurred()) return -1;
    }
    return 0;
}

static int read_robot(core_robot *self, const given *g)
{
    fa_error          error = fa_no_error();
    const fa_log      log = {.warn = hear, .context = g->heard};
    fa_import_options options = {.tip = g->tip,
                                 .actuators = g->actuators,
                                 .independent = g->independent,
                                 .base = !g->base                       ? FA_BASE_UNSAID
                                         : strcmp(g->base, "free") == 0 ? FA_BASE_FREE
                                                                        : FA_BASE_FIXED,
                                 .strict = g->strict != 0,
                                 .lenient = g->lenient != 0};
    fa_options        exported;
    PyObject         *kept = NULL;
    fa_status         status = FA_OK;
    const int         locks = read_locks(g, &options, &kept);
    if (locks == 0) {
        if (g->canonical)
            status = fa_robot_file_read(g->text, (size_t)g->size, &self->robot, &exported, &error);
        else if (g->text)
            status = fa_import_text(g->text, (size_t)g->size, g->path, &options, &log, &self->robot,
                                    &error);
        else
            status = fa_import(g->path, &options, &log, &self->robot, &error);
    }
    free((void *)options.lock);
    Py_XDECREF(kept);
    if (locks != 0) return -1;
    if (status != FA_OK) {
        core_raise("RobotError", &error);
        return -1;
    }
    if (g->canonical) // the file does not say where it came from
        PyOS_snprintf(self->robot->source, sizeof self->robot->source, "%s", g->path);
    return 0;
}

static fa_status begin_state(const core_robot *self, fa_state *state, fa_error *error)
{
    return fa_state_of_plant(fa_arm_plant_for(self->robot, false), self->robot, state, error);
}

static PyObject *new_robot(PyTypeObject *type, PyObject *arguments, PyObject *words)
{
    (void)words;
    given g = {.path = NULL};
    if (!PyArg_ParseTuple(arguments, "sz#pzO!O!zppO!zz", &g.path, &g.text, &g.size, &g.canonical,
                          &g.tip, &PyTuple_Type, &g.joints, &PyTuple_Type, &g.positions,
                          &g.actuators, &g.strict, &g.lenient, &PyList_Type, &g.heard, &g.base,
                          &g.independent))
        return NULL;
    const allocfunc allocate = (allocfunc)PyType_GetSlot(type, Py_tp_alloc);
    core_robot     *self = (core_robot *)allocate(type, 0);
    if (!self) return NULL;
    self->lanes = 1;
    fa_error error = fa_no_error();
    if (read_robot(self, &g) != 0) goto wrong;
    fa_workspace *workspace = core_take_workspace(self);
    if (!workspace) goto wrong;
    self->n = fa_robot_speeds(self->robot);
    self->n_positions = fa_robot_positions(self->robot);
    self->n_mass = fa_regressor_links(workspace);
    self->no_inverse = *fa_workspace_lack(workspace);
    core_give_workspace(self, workspace);
    if (begin_state(self, &self->state, &error) != FA_OK) {
        core_raise("RobotError", &error);
        goto wrong;
    }
    self->position = calloc((size_t)self->n_positions + 1, sizeof *self->position);
    self->speed = calloc((size_t)self->n + 1, sizeof *self->speed);
    if (!self->position || !self->speed) {
        PyErr_NoMemory();
        goto wrong;
    }
    fa_motion_rows_find(self->robot, &self->state.table, self->position, self->speed);
    return (PyObject *)self;
wrong:
    Py_DECREF(self);
    return NULL;
}

// How many groups there are, and of what lanes, belongs to them and not to the robot: calls in
// several threads may have groups of unlike precision at once.
struct core_groups {
    bool          single;
    Py_ssize_t    n;
    fa_lane_group group[];
};

static void drop_groups(core_groups *groups)
{
    for (Py_ssize_t k = 0; groups && k < groups->n; k++) free(groups->group[k].block);
    free(groups);
}

static void drop_robot(PyObject *object)
{
    core_robot   *self = (core_robot *)object;
    PyTypeObject *type = Py_TYPE(object);
    drop_workspaces(self);
    drop_groups(self->groups);
    fa_state_free(&self->state);
    fa_robot_free(self->robot);
    free(self->given);
    free(self->value);
    free(self->position);
    free(self->speed);
    const freefunc release = (freefunc)PyType_GetSlot(type, Py_tp_free);
    release(object);
    Py_DECREF(type);
}

// ------------------------------------------------------------------------------------ parameters

static PyObject *row_of(PyObject *object, PyObject *name)
{
    core_robot *self = (core_robot *)object;
    PyObject   *bytes = PyUnicode_AsUTF8String(name);
    if (!bytes) return NULL;
    int             row;
    fa_error        error = fa_no_error();
    const fa_status status =
        fa_state_find(&self->state, PyBytes_AsString(bytes), NULL, FA_NOWHERE, &row, &error);
    Py_DECREF(bytes);
    if (status != FA_OK) return core_raise("RobotError", &error);
    return Py_BuildValue("(is)", row,
                         fa_state_role(&self->state, row) < FA_INPUT    ? "parameter"
                         : fa_state_role(&self->state, row) == FA_INPUT ? "input"
                                                                        : "result");
}

static fa_status accept_lanes(core_robot *self, const int row[], int n, const double value[],
                              Py_ssize_t lanes, fa_error *error)
{
    fa_workspace *workspace = fa_workspace_new(self->robot, 0, error);
    fa_status     status = workspace ? FA_OK : error->status;
    for (Py_ssize_t lane = 0; lane < lanes && status == FA_OK; lane++, value += n) {
        for (int k = 0; k < n && status == FA_OK; k++)
            status = fa_state_accept(&self->state, row[k], value[k], NULL, FA_NOWHERE, error);
        if (status == FA_OK) status = fa_workspace_set(workspace, n, row, value, error);
    }
    fa_workspace_free(workspace);
    return status;
}

static PyObject *set_parameters(PyObject *object, PyObject *arguments)
{
    core_robot *self = (core_robot *)object;
    PyObject   *rows, *values;
    Py_ssize_t  lanes;
    Py_buffer   view;
    if (!PyArg_ParseTuple(arguments, "O!On", &PyTuple_Type, &rows, &values, &lanes)) return NULL;
    const int n = (int)PyTuple_Size(rows);
    if (core_numbers(values, n * lanes, 'd', 0, &view) != 0) return NULL;
    int    *row = calloc((size_t)n + 1, sizeof *row);
    double *value = calloc((size_t)(n * lanes) + 1, sizeof *value);
    for (int k = 0; k < n && row; k++) row[k] = (int)PyLong_AsLong(PyTuple_GetItem(rows, k));
    if (value) memcpy(value, view.buf, (size_t)(n * lanes) * sizeof *value);
    PyBuffer_Release(&view);
    fa_error error = fa_no_error();
    if (!row || !value) {
        PyErr_NoMemory();
    } else if (!PyErr_Occurred() && accept_lanes(self, row, n, value, lanes, &error) != FA_OK) {
        core_raise("RobotError", &error);
    }
    if (PyErr_Occurred()) {
        free(row);
        free(value);
        return NULL;
    }
    drop_workspaces(self);
    free(self->given);
    free(self->value);
    self->given = row;
    drop_groups(self->groups);
    self->groups = NULL;
    self->value = value;
    self->n_given = n;
    self->lanes = lanes;
    self->moves_frames = fa_robot_is_mechanism(self->robot); // loops follow from many numbers
    for (int k = 0; k < n; k++)
        self->moves_frames |= self->state.table.row[row[k]].quantity == FA_ARM_PITCH;
    return Py_NewRef(Py_None);
}

// ------------------------------------------------------------------------------------ what it is

static PyObject *file_of(PyObject *object, PyObject *none)
{
    (void)none;
    core_robot *self = (core_robot *)object;
    char       *text;
    size_t      size;
    fa_error    error = fa_no_error();
    fa_options  options = {.fmi = 3};
    PyOS_snprintf(options.identifier, sizeof options.identifier, "robot");
    if (fa_robot_file_write(self->robot, &options, &text, &size, &error) != FA_OK)
        return core_raise("RobotError", &error);
    PyObject *bytes = PyBytes_FromStringAndSize(text, (Py_ssize_t)size);
    free(text);
    return bytes;
}

// Friction is at every joint; it acts where some of it is not zero.
static bool does_act(const fa_joint *joint, const char *element, bool present)
{
    const fa_friction_data *f = &joint->friction;
    if (strcmp(element, "friction") != 0) return present;
    return f->viscous != 0 || f->coulomb != 0 || f->coulomb_negative != 0 || f->sticks;
}

// A list with a text more, None for NULL; NULL where one of the two is not there.
static PyObject *with_text(PyObject *list, const char *text)
{
    PyObject *name = text ? PyUnicode_FromString(text) : Py_NewRef(Py_None);
    if (!list || !name || PyList_Append(list, name) != 0) Py_CLEAR(list);
    Py_XDECREF(name);
    return list;
}

static PyObject *acting(const fa_joint *joint)
{
    PyObject *list = PyList_New(0);
#define ELEMENT_LIST "at_joints.h"
#define ELEMENT(name, at, xml, about)                                                              \
    if (list && does_act(joint, xml, joint->name.present)) list = with_text(list, xml);
#include "passes.h"
    return list;
}

static const char *type_of(fa_joint_type type)
{
    switch (type) {
    case FA_REVOLUTE:
        return "R";
    case FA_PRISMATIC:
        return "P";
    case FA_FIXED:
        return "-";
    case FA_PLANAR:
        return "E";
    case FA_SPHERICAL:
        return "S";
    case FA_FLOATING:
        return "free";
    default:
        return "H";
    }
}

// Links: name, parent, joint's name and type, whether the joint is free, leader's name, what acts.
static PyObject *links_of(const core_robot *self)
{
    const fa_robot *robot = self->robot;
    PyObject       *list = PyList_New(0);
    for (int i = 0; list && i < robot->n_links; i++) {
        const fa_link  *link = &robot->link[i];
        const fa_joint *joint = &link->joint;
        const char     *type = type_of(joint->type);
        const int       leader = joint->mimic.leader;
        PyObject       *acts = acting(joint);
        PyObject       *row =
            acts ? Py_BuildValue("(sissOzNd)", link->name, link->parent, joint->name, type,
                                 fa_joint_is_free(joint) ? Py_True : Py_False,
                                 leader == FA_NOBODY ? NULL : robot->link[leader].joint.name, acts,
                                       link->mass)
                       : NULL;
        if (!row || PyList_Append(list, row) != 0) Py_CLEAR(list);
        Py_XDECREF(row);
    }
    return list;
}

static PyObject *names_of(const core_robot *self, fa_role first, fa_role last)
{
    const fa_variables *table = &self->state.table;
    PyObject           *list = PyList_New(0);
    for (int row = table->first[first]; list && row < table->first[last + 1]; row++)
        list = with_text(list, table->row[row].name);
    return list;
}

// The input of each joint's drive: the row of its name, or -1.
static int input_row(const core_robot *self, int coordinate)
{
    return self->speed[coordinate].effort;
}

static PyObject *inputs_of(const core_robot *self)
{
    PyObject *list = PyList_New(0);
    for (int i = 0; list && i < self->n; i++) {
        const int row = input_row(self, i);
        list = with_text(list, row == FA_NO_ROW ? NULL : self->state.table.row[row].name);
    }
    return list;
}

static PyObject *mass_links_of(const core_robot *self)
{
    const fa_variables *table = &self->state.table;
    PyObject           *list = PyList_New(0);
    for (int row = 0; list && row < table->n; row++)
        if (table->row[row].quantity == FA_ARM_MASS)
            list = with_text(list, self->robot->link[table->row[row].index].name);
    return list;
}

static PyObject *mass_parameters(void)
{
    PyObject *list = PyList_New(0);
    for (int k = 0; list && k < FA_REGRESSOR_COLUMNS; k++)
        list = with_text(list, fa_regressor_names[k]);
    return list;
}

// Entries of q: name, value at the start, whether loops determine it.
static PyObject *positions_of(const core_robot *self)
{
    PyObject *list = PyList_New(0);
    for (int i = 0; list && i < self->n_positions; i++) {
        const fa_motion_position *at = &self->position[i];
        PyObject                 *row =
            Py_BuildValue("(sdO)", self->state.table.row[at->row].name,
                          self->state.value[at->start], at->dependent ? Py_True : Py_False);
        if (!row || PyList_Append(list, row) != 0) Py_CLEAR(list);
        Py_XDECREF(row);
    }
    return list;
}

// Entries of qd: name, value at the start, whether loops determine it, name of the acceleration,
// index in q of what it changes, axis of a turn or -1.
static PyObject *speeds_of(const core_robot *self)
{
    const fa_variables *table = &self->state.table;
    PyObject           *list = PyList_New(0);
    for (int i = 0; list && i < self->n; i++) {
        const fa_motion_speed *at = &self->speed[i];
        int                    k = 0;
        while (self->position[k].row != at->position) k++;
        PyObject *row = Py_BuildValue(
            "(sdOsii)", table->row[at->velocity].name, self->state.value[at->start],
            at->dependent ? Py_True : Py_False, table->row[at->acceleration].name, k, at->axis);
        if (!row || PyList_Append(list, row) != 0) Py_CLEAR(list);
        Py_XDECREF(row);
    }
    return list;
}

static PyObject *info(PyObject *object, PyObject *none)
{
    (void)none;
    core_robot *self = (core_robot *)object;
    PyObject   *joints = PyList_New(0);
    for (int i = 0; joints && i < fa_robot_joints(self->robot); i++) {
        const fa_joint_limits limit = fa_robot_joint_limits(self->robot, i);
        int                   positions, speeds;
        fa_robot_joint_sizes(self->robot, i, &positions, &speeds);
        PyObject *row = Py_BuildValue("(ssddddii)", fa_robot_joint_name(self->robot, i),
                                      fa_robot_joint_link(self->robot, i), limit.lower, limit.upper,
                                      limit.effort, limit.velocity, positions, speeds);
        if (!row || PyList_Append(joints, row) != 0) Py_CLEAR(joints);
        Py_XDECREF(row);
    }
    const fa_vec3 g = self->robot->gravity;
    return Py_BuildValue(
        "{s:N,s:N,s:O,s:s,s:s,s:s,s:N,s:N,s:N,s:N,s:N,s:N,s:N,s:N,s:N,s:s,s:(ddd)}", "positions",
        positions_of(self), "speeds", speeds_of(self), "mechanism",
        fa_robot_is_mechanism(self->robot) ? Py_True : Py_False, "no_inverse",
        self->no_inverse.message, "name", self->robot->name, "source", self->robot->source,
        "joints", joints, "links", links_of(self), "mass_links", mass_links_of(self),
        "mass_parameters", mass_parameters(), "inputs", inputs_of(self), "parameters",
        names_of(self, FA_PARAMETER, FA_TUNABLE), "all_inputs", names_of(self, FA_INPUT, FA_INPUT),
        "states", names_of(self, FA_STATE, FA_STATE), "outputs",
        names_of(self, FA_OUTPUT, FA_LOCAL), "tip", self->robot->link[self->robot->tip_link].name,
        "gravity", g.x, g.y, g.z);
}

// ---------------------------------------------------------------------------------- linearisation

static PyObject *matrix_of(const fa_linearisation *s, int row, int rows, int column, int columns)
{
    const Py_ssize_t length[2] = {rows, columns};
    PyObject        *array = core_new_array(2, length);
    Py_buffer        view;
    if (!array || PyObject_GetBuffer(array, &view, PyBUF_C_CONTIGUOUS | PyBUF_WRITABLE) != 0) {
        Py_XDECREF(array);
        return NULL;
    }
    for (int i = 0; i < rows && columns > 0; i++)
        memcpy((double *)view.buf + (size_t)i * (size_t)columns,
               s->matrix + (size_t)(row + i) * (size_t)s->columns + column,
               (size_t)columns * sizeof(double));
    PyBuffer_Release(&view);
    return array;
}

static PyObject *linear_names(const fa_state *state, const fa_linearisation *s, bool columns,
                              int first, int n)
{
    PyObject *list = PyList_New(0);
    for (int i = first; list && i < first + n; i++) {
        const fa_linear_name name = columns ? fa_linearisation_column_name(state, s, i)
                                            : fa_linearisation_row_name(state, s, i);
        PyObject            *text = PyUnicode_FromString(name.text);
        if (!text || PyList_Append(list, text) != 0) Py_CLEAR(list);
        Py_XDECREF(text);
    }
    return list;
}

// Puts positions and speeds into a state of the robot; those of joints that loops determine as
// where closing begins.
static void core_place(const core_robot *self, fa_state *state, const double q[], const double qd[])
{
    for (int i = 0; i < self->n_positions; i++) {
        const fa_motion_position *at = &self->position[i];
        if (fa_robot_is_mechanism(self->robot)) state->value[at->start] = q[i];
        if (!at->dependent) state->value[at->row] = q[i];
    }
    for (int i = 0; i < self->n; i++)
        if (!self->speed[i].dependent) state->value[self->speed[i].velocity] = qd[i];
}

static PyObject *linearise(PyObject *object, PyObject *arguments)
{
    core_robot *self = (core_robot *)object;
    PyObject   *array[3];
    Py_buffer   view[3];
    int         got = 0;
    if (!PyArg_ParseTuple(arguments, "OOO", &array[0], &array[1], &array[2])) return NULL;
    while (got < 3 && core_numbers(array[got], got == 0 ? self->n_positions : self->n, 'd', 0,
                                   &view[got]) == 0)
        got++;
    fa_error         error = fa_no_error();
    fa_state         state = {0};
    fa_linearisation s = {0};
    PyObject        *answer = NULL;
    fa_status        status = FA_BAD_INPUT;
    if (got == 3) status = begin_state(self, &state, &error);
    if (got == 3 && status == FA_OK) {
        for (int k = 0; k < self->n_given; k++) state.value[self->given[k]] = self->value[k];
        status = fa_state_begin(&state, &error);
        core_place(self, &state, view[0].buf, view[1].buf);
        for (int i = 0; i < self->n; i++)
            if (input_row(self, i) != FA_NO_ROW)
                state.value[input_row(self, i)] = ((double *)view[2].buf)[i];
        if (status == FA_OK) status = fa_linearise(&state, &s, &error);
    }
    while (got > 0) PyBuffer_Release(&view[--got]);
    if (status == FA_OK)
        answer = Py_BuildValue(
            "(NNNNNNN)", matrix_of(&s, 0, s.n_x, 0, s.n_x), matrix_of(&s, 0, s.n_x, s.n_x, s.n_u),
            matrix_of(&s, s.n_x, s.n_y, 0, s.n_x), matrix_of(&s, s.n_x, s.n_y, s.n_x, s.n_u),
            linear_names(&state, &s, true, 0, s.n_x), linear_names(&state, &s, true, s.n_x, s.n_u),
            linear_names(&state, &s, false, s.n_x, s.n_y));
    else if (!PyErr_Occurred())
        core_raise("SimulationError", &error);
    fa_linearisation_free(&s);
    fa_state_free(&state);
    return answer;
}

// ------------------------------------------------------------------------------------- fixed steps

typedef struct walk {
    core_robot      *self;
    fa_workspace    *workspace;
    fa_step_method   method;
    int              steps;
    bool             single;
    double           step;
    const fa_servos *servos; // NULL: torques are held
    const double    *held;
    double          *q, *qd;
    Py_ssize_t       first, end;
    fa_lane_group   *group; // of all states; NULL: none
} walk;

// States of robots that differ have their parameters in their lanes.
static void go(const void *of)
{
    const walk         *w = of;
    const core_robot   *self = w->self;
    const Py_ssize_t    at = w->first * self->n;
    const size_t        rows = (size_t)(w->end - w->first);
    const fa_lane_table table = {self->n_given, self->given, self->value, (size_t)w->first,
                                 (size_t)self->lanes};
    if (self->lanes > 1)
        (void)fa_fixed_steps_of_own(w->workspace, rows, &table, w->method, w->steps, w->step,
                                    w->servos, w->group, w->held + at, w->q + at, w->qd + at);
    else
        (void)fa_fixed_steps(self->robot, w->workspace, rows, w->method, w->steps, w->step,
                             w->servos, w->held + at, w->q + at, w->qd + at);
}

// Lanes that keep the values of all states, for this call alone: another thread that steps the same
// robot meanwhile makes its own.
static core_groups *take_groups(core_robot *self, Py_ssize_t rows, int lanes, bool single)
{
    const Py_ssize_t n = (rows + lanes - 1) / lanes;
    core_groups     *groups = self->groups;
    if (self->lanes < 2 || rows != self->lanes) return NULL;
    self->groups = NULL;
    if (groups && groups->single == single && groups->n == n) return groups;
    drop_groups(groups);
    groups = calloc(1, sizeof *groups + (size_t)n * sizeof(fa_lane_group));
    if (!groups) return NULL;
    groups->single = single;
    groups->n = n;
    return groups;
}

static void give_groups(core_robot *self, core_groups *groups)
{
    if (self->groups)
        drop_groups(groups);
    else
        self->groups = groups;
}

static int go_all(const walk *all, long threads)
{
    walk             of[CORE_MOST_THREADS];
    const Py_ssize_t rows = all->end;
    const Py_ssize_t most = threads < 1                   ? 1
                            : threads > CORE_MOST_THREADS ? CORE_MOST_THREADS
                                                          : threads;
    const Py_ssize_t n = most < rows ? most : rows;
    Py_ssize_t       ready = 0;
    int              status = 0;
    for (; ready < n && status == 0; ready++) {
        of[ready] = *all;
        of[ready].workspace = core_take_workspace(all->self);
        if (of[ready].workspace)
            fa_workspace_set_single(of[ready].workspace, all->single);
        else
            status = -1;
    }
    const Py_ssize_t lanes = status == 0 && n > 0 ? fa_lanes_of(of[0].workspace) : 1;
    const Py_ssize_t groups = (rows + lanes - 1) / lanes; // threads share none
    for (Py_ssize_t k = 0; k < ready; k++) {
        const Py_ssize_t end = groups * (k + 1) / n * lanes;
        of[k].first = groups * k / n * lanes;
        of[k].end = end < rows ? end : rows;
    }
    if (status == 0 && n > 0 &&
        fa_fixed_steps(all->self->robot, of[0].workspace, 0, all->method, all->steps, all->step,
                       all->servos, NULL, NULL, NULL) == FA_UNFIT) {
        core_refuse("RobotError", "friction that sticks, locks, valves that close, contacts and "
                                  "cylinders need events, and drives with an inductance, an "
                                  "integral, a velocity limit or an effort time states of their "
                                  "own; steps of one length have none of these, and neither joints "
                                  "of several freedoms nor loops; take them out of the "
                                  "robot, or use simulate");
        status = -1;
    }
    if (status == 0 && n > 0) {
        core_groups *kept = take_groups(all->self, rows, (int)lanes, all->single);
        for (Py_ssize_t k = 0; k < n; k++) of[k].group = kept ? kept->group : NULL;
        Py_BEGIN_ALLOW_THREADS;
        core_in_threads(go, of, sizeof *of, (size_t)n);
        Py_END_ALLOW_THREADS;
        give_groups(all->self, kept);
    }
    for (Py_ssize_t k = 0; k < ready; k++)
        if (of[k].workspace) core_give_workspace(all->self, of[k].workspace);
    return status;
}

// _fixed_steps(method, steps, step, kp, kd, limit, held, q, qd, threads, single=False): q and
// qd in place; kp None: torques are held; single: computed in single precision.
static PyObject *fixed_steps(PyObject *object, PyObject *arguments)
{
    core_robot *self = (core_robot *)object;
    int         method, steps, single = 0, status = -1;
    long        threads;
    double      step;
    PyObject   *array[6];
    Py_buffer   view[6];
    if (!PyArg_ParseTuple(arguments, "iidOOOOOOl|p", &method, &steps, &step, &array[0], &array[1],
                          &array[2], &array[3], &array[4], &array[5], &threads, &single))
        return NULL;
    const Py_ssize_t size = PyObject_Size(array[5]), n = self->n;
    const bool       servo = array[0] != Py_None;
    const int        from = servo ? 0 : 3;
    int              got = from;
    if (size < 0) return NULL;
    memset(view, 0, sizeof view);
    while (got < 6 &&
           core_numbers(array[got], got < 3 ? n : size * (got == 4 ? self->n_positions : n), 'd',
                        got > 3, &view[got]) == 0)
        got++;
    if (got == 6) {
        const fa_servos servos = {view[0].buf, view[1].buf, view[2].buf};
        const walk      all = {.self = self,
                               .method = (fa_step_method)method,
                               .steps = steps,
                               .single = single != 0,
                               .step = step,
                               .servos = servo ? &servos : NULL,
                               .held = view[3].buf,
                               .q = view[4].buf,
                               .qd = view[5].buf,
                               .end = size};
        status = go_all(&all, threads);
    }
    while (got > from) PyBuffer_Release(&view[--got]);
    return status == 0 ? Py_NewRef(Py_None) : NULL;
}

// ------------------------------------------------------------------------------------------- type

static PyMethodDef own_methods[] = {
    {"_row", row_of, METH_O, "_row(self, name: str) -> tuple[int, str]"},
    {"_set_parameters", set_parameters, METH_VARARGS,
     "_set_parameters(self, rows: tuple[int, ...], values: npt.NDArray[np.float64], lanes: int) -> "
     "None"},
    {"_file", file_of, METH_NOARGS, "_file(self) -> bytes"},
    {"_info", info, METH_NOARGS, "_info(self) -> dict[str, Any]"},
    {"_linearise", linearise, METH_VARARGS,
     "_linearise(self, q: npt.NDArray[np.float64], qd: npt.NDArray[np.float64], control: "
     "npt.NDArray[np.float64]) -> tuple[Any, ...]"},
    {"_run", core_run, METH_VARARGS,
     "_run(self, stop: float, step: float, rows: tuple[int, ...], values: npt.NDArray[np.float64], "
     "q: npt.NDArray[np.float64], qd: npt.NDArray[np.float64], control: npt.NDArray[np.float64], "
     "out: npt.NDArray[Any], samples: int, states: int, single: bool, threads: int) -> "
     "tuple[bool, int, float, str, int]"},
    {"_fixed_steps", fixed_steps, METH_VARARGS,
     "_fixed_steps(self, method: int, steps: int, step: float, kp: npt.NDArray[np.float64] | None, "
     "kd: npt.NDArray[np.float64] | None, limit: npt.NDArray[np.float64] | None, held: "
     "npt.NDArray[np.float64], q: npt.NDArray[np.float64], qd: npt.NDArray[np.float64], threads: "
     "int, single: bool = False) -> None"},
};

enum { OWN = sizeof own_methods / sizeof *own_methods, MOST_METHODS = 32 };
static PyMethodDef methods[MOST_METHODS]; // filled before the type is made

static PyObject *speed_count(PyObject *object, void *none)
{
    (void)none;
    return PyLong_FromLong(((core_robot *)object)->n);
}

static PyObject *position_count(PyObject *object, void *none)
{
    (void)none;
    return PyLong_FromLong(((core_robot *)object)->n_positions);
}

static PyGetSetDef numbers[] = {
    {"n", speed_count, NULL, "The number of speeds: of qd and torques.", NULL},
    {"nq", position_count, NULL, "The number of positions: of q.", NULL},
    {NULL, NULL, NULL, NULL, NULL}};

static PyType_Slot slots[] = {{Py_tp_new, (void *)new_robot},
                              {Py_tp_dealloc, (void *)drop_robot},
                              {Py_tp_methods, methods},
                              {Py_tp_getset, numbers},
                              {0, NULL}};

PyType_Spec core_robot_spec = {.name = "forearm._core.Robot",
                               .basicsize = sizeof(core_robot),
                               .flags = Py_TPFLAGS_DEFAULT | Py_TPFLAGS_BASETYPE,
                               .slots = slots};

void core_robot_fill_methods(void)
{
    int n = 0;
    while (core_state_methods[n].ml_name) n++;
    memcpy(methods, core_state_methods, (size_t)n * sizeof *methods);
    memcpy(methods + n, own_methods, sizeof own_methods);
}
