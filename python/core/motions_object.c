// forearm._core.Motions: some motions of one robot over time and events, which differ in
// parameters, starts and inputs; each by the loop of run/simulation.c.
#include "core.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "arm.h"
#include "simulation.h"

typedef struct core_motions {
    PyObject_HEAD core_robot *robot;
    Py_ssize_t                runs;
    int                       n_states;
    int                      *input; // rows, one for each joint, or FA_NO_ROW
    core_course              *of;
} core_motions;

static fa_status begin_course(core_motions *self, core_course *c, const int row[], int n,
                              const double value[])
{
    fa_status status = fa_state_of_plant(&fa_arm_plant, self->robot->robot, &c->state, &c->fault);
    for (int k = 0; k < n && status == FA_OK; k++) {
        status = fa_state_accept(&c->state, row[k], value[k], NULL, FA_NOWHERE, &c->fault);
        c->state.value[row[k]] = value[k];
    }
    if (status == FA_OK) status = fa_state_begin(&c->state, &c->fault);
    if (status == FA_OK)
        status = fa_simulation_new(&c->state, &c->nothing, &c->simulation, &c->fault);
    return status;
}

static void drop_motions(PyObject *object)
{
    core_motions *self = (core_motions *)object;
    PyTypeObject *type = Py_TYPE(object);
    for (Py_ssize_t k = 0; self->of && k < self->runs; k++) {
        fa_simulation_free(&self->of[k].simulation);
        fa_state_free(&self->of[k].state);
    }
    free(self->of);
    free(self->input);
    Py_XDECREF((PyObject *)self->robot);
    const freefunc release = (freefunc)PyType_GetSlot(type, Py_tp_free);
    release(object);
    Py_DECREF(type);
}

static int fill(core_motions *self, PyObject *rows, const Py_buffer *values)
{
    const int n = (int)PyTuple_Size(rows);
    int      *row = calloc((size_t)n + 1, sizeof *row);
    fa_status status = row ? FA_OK : FA_NO_MEMORY;
    self->of = calloc((size_t)self->runs + 1, sizeof *self->of);
    self->input = calloc((size_t)self->robot->n + 1, sizeof *self->input);
    if (!self->of || !self->input || !row) PyErr_NoMemory(), status = FA_NO_MEMORY;
    for (int k = 0; k < n && row; k++) row[k] = (int)PyLong_AsLong(PyTuple_GetItem(rows, k));
    for (Py_ssize_t k = 0; k < self->runs && status == FA_OK && !PyErr_Occurred(); k++) {
        core_course *c = &self->of[k];
        c->fault = fa_no_error();
        status = begin_course(self, c, row, n, (const double *)values->buf + k * n);
        if (status != FA_OK) core_raise("RobotError", &c->fault);
    }
    free(row);
    return PyErr_Occurred() ? -1 : 0;
}

// Motions(robot, runs, rows, values, inputs): parameters' rows, and their values in each run; rows
// of the joints' inputs, -1: none.
static PyObject *new_motions(PyTypeObject *type, PyObject *arguments, PyObject *words)
{
    (void)words;
    PyObject  *robot, *rows, *values, *inputs;
    Py_ssize_t runs;
    Py_buffer  view;
    if (!PyArg_ParseTuple(arguments, "O!nO!OO!", core.robot_type, &robot, &runs, &PyTuple_Type,
                          &rows, &values, &PyTuple_Type, &inputs))
        return NULL;
    if (core_numbers(values, runs * PyTuple_Size(rows), 'd', 0, &view) != 0) return NULL;
    const allocfunc allocate = (allocfunc)PyType_GetSlot(type, Py_tp_alloc);
    core_motions   *self = (core_motions *)allocate(type, 0);
    if (self) {
        self->robot = (core_robot *)Py_NewRef(robot);
        self->runs = runs;
        self->n_states =
            self->robot->state.table.first[FA_STATE + 1] - self->robot->state.table.first[FA_STATE];
        if (fill(self, rows, &view) != 0) Py_CLEAR(self);
    }
    for (int i = 0; self && i < self->robot->n; i++)
        self->input[i] = (int)PyLong_AsLong(PyTuple_GetItem(inputs, i));
    PyBuffer_Release(&view);
    return (PyObject *)self;
}

static void put_inputs(const core_motions *self, core_course *c, const double u[])
{
    for (int i = 0; i < self->robot->n; i++)
        if (self->input[i] != FA_NO_ROW) c->state.value[self->input[i]] = u[i];
}

// begin(q, qd, u): all at time 0.
static PyObject *begin(PyObject *object, PyObject *arguments)
{
    core_motions *self = (core_motions *)object;
    PyObject     *array[3];
    Py_buffer     view[3];
    int           got = 0, n = self->robot->n;
    if (!PyArg_ParseTuple(arguments, "OOO", &array[0], &array[1], &array[2])) return NULL;
    while (got < 3 && core_numbers(array[got], self->runs * n, 'd', 0, &view[got]) == 0) got++;
    if (got == 3) {
        Py_BEGIN_ALLOW_THREADS;
        for (Py_ssize_t k = 0; k < self->runs; k++) {
            core_course  *c = &self->of[k];
            const fa_arm *arm = c->state.self;
            const size_t  size = (size_t)n * sizeof(double);
            memcpy(c->state.value + arm->row[FA_ARM_POSITION], (double *)view[0].buf + k * n, size);
            memcpy(c->state.value + arm->row[FA_ARM_VELOCITY], (double *)view[1].buf + k * n, size);
            put_inputs(self, c, (double *)view[2].buf + k * n);
            (void)fa_simulation_begin(&c->simulation, 0, &c->fault);
        }
        Py_END_ALLOW_THREADS;
    }
    while (got > 0) PyBuffer_Release(&view[--got]);
    return PyErr_Occurred() ? NULL : Py_NewRef(Py_None);
}

// From here on these inputs.
static void change_inputs(const core_motions *self, core_course *c, const double u[])
{
    fa_simulation *s = &c->simulation;
    fa_simulation_place(s, s->t, s->x);
    put_inputs(self, c, u);
    (void)fa_simulation_begin(s, s->t, &c->fault);
}

typedef struct stretch {
    const core_motions *self;
    Py_ssize_t          first, end;
    const double       *time, *u; // u NULL: as they are
    Py_ssize_t          n;
    double             *x; // of each run n rows
} stretch;

static void advance(const void *of)
{
    const stretch *s = of;
    const size_t   states = (size_t)s->self->n_states;
    for (Py_ssize_t k = s->first; k < s->end; k++) {
        core_course *c = &s->self->of[k];
        double      *x = s->x + (size_t)(k * s->n) * states;
        if (c->fault.status == FA_OK && s->u)
            change_inputs(s->self, c, s->u + k * s->self->robot->n);
        for (Py_ssize_t i = 0; i < s->n; i++, x += states) {
            if (c->fault.status == FA_OK)
                (void)fa_simulation_advance(&c->simulation, s->time[i], &c->fault);
            if (c->fault.status == FA_OK) memcpy(x, c->simulation.x, states * sizeof *x);
            for (size_t j = 0; j < states && c->fault.status != FA_OK; j++) x[j] = NAN;
        }
    }
}

static void advance_all(const stretch *all, long threads)
{
    stretch          of[CORE_MOST_THREADS];
    const Py_ssize_t runs = all->end;
    const Py_ssize_t n = threads < runs ? threads : runs;
    for (Py_ssize_t k = 0; k < n; k++) {
        of[k] = *all;
        of[k].first = runs * k / n;
        of[k].end = runs * (k + 1) / n;
    }
    core_in_threads(advance, of, sizeof *of, (size_t)n);
}

// advance(times, u or None, x, threads): on to each time, with these inputs; x (runs, times,
// states).
static PyObject *advance_to(PyObject *object, PyObject *arguments)
{
    core_motions *self = (core_motions *)object;
    PyObject     *times, *u, *x;
    long          threads;
    Py_buffer     time_view, u_view, x_view;
    if (!PyArg_ParseTuple(arguments, "OOOl", &times, &u, &x, &threads)) return NULL;
    const Py_ssize_t n = PyObject_Size(times);
    if (n < 0 || core_numbers(times, n, 'd', 0, &time_view) != 0) return NULL;
    const bool has_u = u != Py_None;
    if (!has_u || core_numbers(u, self->runs * self->robot->n, 'd', 0, &u_view) == 0) {
        if (core_numbers(x, self->runs * n * self->n_states, 'd', 1, &x_view) == 0) {
            const stretch all = {.self = self,
                                 .end = self->runs,
                                 .time = time_view.buf,
                                 .u = has_u ? u_view.buf : NULL,
                                 .n = n,
                                 .x = x_view.buf};
            Py_BEGIN_ALLOW_THREADS;
            advance_all(&all, threads < 1                   ? 1
                              : threads > CORE_MOST_THREADS ? CORE_MOST_THREADS
                                                            : threads);
            Py_END_ALLOW_THREADS;
            PyBuffer_Release(&x_view);
        }
        if (has_u) PyBuffer_Release(&u_view);
    }
    PyBuffer_Release(&time_view);
    return PyErr_Occurred() ? NULL : Py_NewRef(Py_None);
}

// faults(): run, time reached and sentence of each motion that has ended early.
static PyObject *faults(PyObject *object, PyObject *none)
{
    (void)none;
    core_motions *self = (core_motions *)object;
    PyObject     *list = PyList_New(0);
    for (Py_ssize_t k = 0; list && k < self->runs; k++) {
        const core_course *c = &self->of[k];
        if (c->fault.status == FA_OK) continue;
        PyObject *row = Py_BuildValue("(nds)", k, c->simulation.t, c->fault.message);
        if (!row || PyList_Append(list, row) != 0) Py_CLEAR(list);
        Py_XDECREF(row);
    }
    return list;
}

// show(run, row, times, u, x, out): a variable at these times, inputs (times, n) and states.
static PyObject *show(PyObject *object, PyObject *arguments)
{
    core_motions *self = (core_motions *)object;
    Py_ssize_t    run;
    int           row;
    PyObject     *array[4];
    Py_buffer     view[4];
    if (!PyArg_ParseTuple(arguments, "niOOOO", &run, &row, &array[0], &array[1], &array[2],
                          &array[3]))
        return NULL;
    const Py_ssize_t lines = PyObject_Size(array[0]);
    if (lines < 0) return NULL;
    const Py_ssize_t size[4] = {lines, lines * self->robot->n, lines * self->n_states, lines};
    int              got = 0;
    while (got < 4 && core_numbers(array[got], size[got], 'd', got == 3, &view[got]) == 0) got++;
    if (got == 4 && (run < 0 || run >= self->runs || row < 0 || row >= self->robot->state.table.n))
        PyErr_SetString(PyExc_IndexError, "there is no such run or row");
    else if (got == 4) {
        core_course   *c = &self->of[run];
        const unsigned groups = c->state.table.row[row].group;
        const double  *time = view[0].buf, *u = view[1].buf, *x = view[2].buf;
        double        *out = view[3].buf;
        for (Py_ssize_t i = 0; i < lines; i++) {
            fa_error error = fa_no_error();
            fa_simulation_place(&c->simulation, time[i], x + i * self->n_states);
            put_inputs(self, c, u + i * self->robot->n);
            const fa_status status = fa_state_evaluate(&c->state, groups, &error);
            out[i] = status == FA_OK ? c->state.value[row] : NAN;
            c->simulation.fresh = 0;
        }
    }
    while (got > 0) PyBuffer_Release(&view[--got]);
    return PyErr_Occurred() ? NULL : Py_NewRef(Py_None);
}

static PyMethodDef methods[] = {
    {"begin", begin, METH_VARARGS,
     "begin(self, q: npt.NDArray[np.float64], qd: npt.NDArray[np.float64], control: "
     "npt.NDArray[np.float64]) -> None"},
    {"advance", advance_to, METH_VARARGS,
     "advance(self, times: npt.NDArray[np.float64], control: npt.NDArray[np.float64] | None, x: "
     "npt.NDArray[np.float64], threads: int) -> None"},
    {"faults", faults, METH_NOARGS, "faults(self) -> list[tuple[int, float, str]]"},
    {"show", show, METH_VARARGS,
     "show(self, run: int, row: int, times: npt.NDArray[np.float64], control: "
     "npt.NDArray[np.float64], x: npt.NDArray[np.float64], out: npt.NDArray[np.float64]) -> None"},
    {NULL, NULL, 0, NULL}};

static PyType_Slot slots[] = {{Py_tp_new, (void *)new_motions},
                              {Py_tp_dealloc, (void *)drop_motions},
                              {Py_tp_methods, methods},
                              {0, NULL}};

PyType_Spec core_motions_spec = {.name = "forearm._core.Motions",
                                 .basicsize = sizeof(core_motions),
                                 .flags = Py_TPFLAGS_DEFAULT,
                                 .slots = slots};
