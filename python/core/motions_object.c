// forearm._core.Motions: some motions of one robot over time and events, which differ in
// parameters, starts and inputs (courses.h).
#include "core.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

typedef struct core_motions {
    PyObject_HEAD core_robot *robot;
    Py_ssize_t                runs;
    int                      *row;   // parameters in which they differ
    double                   *value; // and their values, a row for each run
    fa_courses                of;
} core_motions;

static void drop_motions(PyObject *object)
{
    core_motions *self = (core_motions *)object;
    PyTypeObject *type = Py_TYPE(object);
    fa_courses_free(&self->of);
    free(self->row);
    free(self->value);
    Py_XDECREF((PyObject *)self->robot);
    const freefunc release = (freefunc)PyType_GetSlot(type, Py_tp_free);
    release(object);
    Py_DECREF(type);
}

static int fill(core_motions *self, PyObject *rows, const Py_buffer *values)
{
    const int n = (int)PyTuple_Size(rows);
    fa_error  error = fa_no_error();
    self->row = calloc((size_t)n + 1, sizeof *self->row);
    self->value = malloc((size_t)values->len + sizeof *self->value);
    if (!self->row || !self->value) PyErr_NoMemory();
    for (int k = 0; k < n && self->row; k++)
        self->row[k] = (int)PyLong_AsLong(PyTuple_GetItem(rows, k));
    if (PyErr_Occurred()) return -1;
    memcpy(self->value, values->buf, (size_t)values->len);
    fa_courses *c = &self->of;
    fa_status   status =
        fa_courses_new(self->robot->robot, (size_t)self->runs, n, self->row, c, &error);
    for (size_t k = 0; k < c->n && status == FA_OK; k++) {
        fa_courses_set(c, k, self->value + k * (size_t)n);
        status = c->of[k].fault.status;
        if (status != FA_OK) error = c->of[k].fault;
    }
    if (status == FA_OK) status = fa_courses_choose(c, 1, c->n, self->value, &error);
    if (status != FA_OK) core_raise("RobotError", &error);
    return status == FA_OK ? 0 : -1;
}

// Motions(robot, runs, rows, values): parameters' rows, and their values in each run.
static PyObject *new_motions(PyTypeObject *type, PyObject *arguments, PyObject *words)
{
    (void)words;
    PyObject  *robot, *rows, *values;
    Py_ssize_t runs;
    Py_buffer  view;
    if (!PyArg_ParseTuple(arguments, "O!nO!O", core.robot_type, &robot, &runs, &PyTuple_Type, &rows,
                          &values))
        return NULL;
    if (core_numbers(values, runs * PyTuple_Size(rows), 'd', 0, &view) != 0) return NULL;
    const allocfunc allocate = (allocfunc)PyType_GetSlot(type, Py_tp_alloc);
    core_motions   *self = (core_motions *)allocate(type, 0);
    if (self) {
        self->robot = (core_robot *)Py_NewRef(robot);
        self->runs = runs;
        if (fill(self, rows, &view) != 0) Py_CLEAR(self);
    }
    PyBuffer_Release(&view);
    return (PyObject *)self;
}

// begin(q, qd, u): all at time 0.
static PyObject *begin(PyObject *object, PyObject *arguments)
{
    core_motions *self = (core_motions *)object;
    PyObject     *array[3];
    Py_buffer     view[3];
    int           got = 0, n = self->robot->n;
    if (!PyArg_ParseTuple(arguments, "OOO", &array[0], &array[1], &array[2])) return NULL;
    const int n_q = self->robot->n_positions;
    while (got < 3 &&
           core_numbers(array[got], self->runs * (got == 0 ? n_q : n), 'd', 0, &view[got]) == 0)
        got++;
    if (got == 3) {
        Py_BEGIN_ALLOW_THREADS;
        for (Py_ssize_t k = 0; k < self->runs; k++)
            fa_courses_begin(&self->of, (size_t)k, (const double *)view[0].buf + k * n_q,
                             (const double *)view[1].buf + k * n,
                             (const double *)view[2].buf + k * n);
        Py_END_ALLOW_THREADS;
    }
    while (got > 0) PyBuffer_Release(&view[--got]);
    return PyErr_Occurred() ? NULL : Py_NewRef(Py_None);
}

// Some of the motions go to `end`, in one thread.
typedef struct part {
    core_motions *self;
    size_t        next, end;
    int           thread;
    const double *u; // inputs from here on, a row for each motion; NULL: as they are
    double       *x; // of each motion the samples
    double        first, apart, stop;
    size_t        n;
} part;

static fa_course *next_of_part(void *context, int lane)
{
    part *p = context;
    (void)lane;
    if (p->next == p->end) return NULL;
    const size_t k = p->next++;
    fa_courses  *c = &p->self->of;
    if (p->u) fa_courses_change(c, k, p->u + k * (size_t)c->n_joints);
    return &c->of[k];
}

static void keep_sample(void *context, const fa_course *course, size_t i, const double x[])
{
    const part       *p = context;
    const fa_courses *c = &p->self->of;
    const size_t      states = (size_t)c->n_states;
    double           *to = p->x + ((size_t)(course - c->of) * p->n + i) * states;
    for (size_t j = 0; j < states; j++) to[j] = x ? x[j] : NAN;
}

static void advance(const void *of)
{
    part                 p = *(const part *)of;
    const fa_course_call call = {.first = p.first,
                                 .apart = p.apart,
                                 .end = p.stop,
                                 .n = p.n,
                                 .next = next_of_part,
                                 .sample = keep_sample,
                                 .context = &p};
    fa_courses_run(&p.self->of, p.thread, &call);
}

static void advance_all(const part *all, size_t threads)
{
    part         of[CORE_MOST_THREADS];
    const size_t runs = all->end, n = threads < runs ? threads : runs;
    for (size_t k = 0; k < n; k++) {
        of[k] = *all;
        of[k].next = runs * k / n;
        of[k].end = runs * (k + 1) / n;
        of[k].thread = (int)k;
    }
    core_in_threads(advance, of, sizeof *of, n);
}

// advance(first, apart, n, end, u or None, x, threads): on to `end`, with these inputs; x (runs, n,
// states) takes the samples at (first + i) apart, the last one at `end`.
static PyObject *advance_to(PyObject *object, PyObject *arguments)
{
    core_motions *self = (core_motions *)object;
    PyObject     *u, *x;
    Py_ssize_t    n;
    long          threads;
    double        first, apart, end;
    Py_buffer     u_view, x_view;
    fa_error      error = fa_no_error();
    if (!PyArg_ParseTuple(arguments, "ddndOOl", &first, &apart, &n, &end, &u, &x, &threads))
        return NULL;
    threads = threads < 1 ? 1 : threads > CORE_MOST_THREADS ? CORE_MOST_THREADS : threads;
    if (threads > self->runs && self->runs > 0) threads = (long)self->runs;
    if (threads > self->of.threads &&
        fa_courses_choose(&self->of, (int)threads, self->of.n, self->value, &error) != FA_OK)
        return core_raise("RobotError", &error);
    const bool has_u = u != Py_None;
    if (!has_u || core_numbers(u, self->runs * self->robot->n, 'd', 0, &u_view) == 0) {
        if (core_numbers(x, self->runs * n * self->of.n_states, 'd', 1, &x_view) == 0) {
            const part all = {.self = self,
                              .end = (size_t)self->runs,
                              .u = has_u ? u_view.buf : NULL,
                              .x = x_view.buf,
                              .first = first,
                              .apart = apart,
                              .stop = end,
                              .n = (size_t)n};
            Py_BEGIN_ALLOW_THREADS;
            advance_all(&all, (size_t)threads);
            Py_END_ALLOW_THREADS;
            PyBuffer_Release(&x_view);
        }
        if (has_u) PyBuffer_Release(&u_view);
    }
    return PyErr_Occurred() ? NULL : Py_NewRef(Py_None);
}

// faults(): run, time reached and sentence of each motion that has ended early.
static PyObject *faults(PyObject *object, PyObject *none)
{
    (void)none;
    core_motions *self = (core_motions *)object;
    PyObject     *list = PyList_New(0);
    for (Py_ssize_t k = 0; list && k < self->runs; k++) {
        const fa_course *c = &self->of.of[k];
        if (c->fault.status == FA_OK) continue;
        PyObject *row = Py_BuildValue("(nds)", k, c->simulation.t, c->fault.message);
        if (!row || PyList_Append(list, row) != 0) Py_CLEAR(list);
        Py_XDECREF(row);
    }
    return list;
}

// in_lanes(): whether the robot has a right-hand side in lanes.
static PyObject *in_lanes(PyObject *object, PyObject *none)
{
    (void)none;
    return PyBool_FromLong(((core_motions *)object)->of.in_lanes);
}

// Loops are closed along a motion, sample after sample.
static void keep_place(fa_state *state)
{
    bool moved = false;
    if (state->plant->accept) (void)state->plant->accept(state->self, state->value, &moved, NULL);
}

// joints(q, qd): positions and speeds of all motions where they are.
static PyObject *joints(PyObject *object, PyObject *arguments)
{
    core_motions *self = (core_motions *)object;
    PyObject     *array[2];
    Py_buffer     view[2];
    const int     size[2] = {self->robot->n_positions, self->robot->n};
    int           got = 0;
    if (!PyArg_ParseTuple(arguments, "OO", &array[0], &array[1])) return NULL;
    while (got < 2 && core_numbers(array[got], self->runs * size[got], 'd', 1, &view[got]) == 0)
        got++;
    for (Py_ssize_t k = 0; k < self->runs && got == 2; k++)
        (void)fa_courses_joints(&self->of, (size_t)k, (double *)view[0].buf + k * size[0],
                                (double *)view[1].buf + k * size[1]);
    while (got > 0) PyBuffer_Release(&view[--got]);
    return PyErr_Occurred() ? NULL : Py_NewRef(Py_None);
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
    const Py_ssize_t size[4] = {lines, lines * self->robot->n, lines * self->of.n_states, lines};
    int              got = 0;
    while (got < 4 && core_numbers(array[got], size[got], 'd', got == 3, &view[got]) == 0) got++;
    if (got == 4 && (run < 0 || run >= self->runs || row < 0 || row >= self->robot->state.table.n))
        PyErr_SetString(PyExc_IndexError, "there is no such run or row");
    else if (got == 4) {
        fa_course     *c = &self->of.of[run];
        const unsigned groups = c->state.table.row[row].group;
        const double  *time = view[0].buf, *u = view[1].buf, *x = view[2].buf;
        double        *out = view[3].buf;
        for (Py_ssize_t i = 0; i < lines; i++) {
            fa_error error = fa_no_error();
            fa_simulation_place(&c->simulation, time[i], x + i * self->of.n_states);
            fa_courses_put_inputs(&self->of, (size_t)run, u + i * self->robot->n);
            const fa_status status = fa_state_evaluate(&c->state, groups, &error);
            out[i] = status == FA_OK ? c->state.value[row] : NAN;
            if (status == FA_OK) keep_place(&c->state);
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
     "advance(self, first: float, apart: float, n: int, end: float, control: "
     "npt.NDArray[np.float64] | None, x: npt.NDArray[np.float64], threads: int) -> None"},
    {"joints", joints, METH_VARARGS,
     "joints(self, q: npt.NDArray[np.float64], qd: npt.NDArray[np.float64]) -> None"},
    {"in_lanes", in_lanes, METH_NOARGS, "in_lanes(self) -> bool"},
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
