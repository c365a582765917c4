// Functions of states, for arrays of any leading axes: one table says what each takes and gives,
// and one function calls them all.
#include "core.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "workspace.h"

enum { MOST_INPUTS = 4, MOST_RESULTS = 3, MOST_AXES = 32, GIL_ROWS = 64 };

typedef struct question {
    fa_workspace *workspace;
    size_t        states;
    const double *in[MOST_INPUTS]; // NULL: not given
    double       *out[MOST_RESULTS];
    int           frame, n_parameters;
    const int    *parameter;
} question;

// Names of arguments.
static const char *const TORQUES[] = {"q", "qd", "tau", "wrench"};
static const char *const MOTION[] = {"q", "qd", "qdd", "wrench"};

// Lengths of last axes, a letter each: n; q, of positions; 6 and 4 themselves; L: ten for each
// link; m: parameters; x: positions and speeds.
typedef struct function {
    const char        *name;
    const char *const *in;
    const char        *length; // of each argument
    int                n_needed, n_out;
    const char        *shape;                 // of each result
    enum { NO_MORE, FRAME, PARAMETERS } also; // a further argument
    void (*ask)(const fa_robot *robot, const question *q);
    bool inverts;  // it needs inverse dynamics
    bool geometry; // of a tree only the pitches of screws change it
} function;

// ----------------------------------------------------------------------------- what is asked in C

// Torques, and what a wrench at the tip adds to them (sign 1) or takes from them, into `sum`.
static void with_wrench(const fa_robot *robot, const question *q, const double *tau, double sign,
                        double *sum)
{
    const size_t numbers = q->states * (size_t)fa_robot_speeds(robot);
    (void)fa_tip_torque(robot, q->workspace, q->states, q->in[0], q->in[3], sum);
    for (size_t i = 0; i < numbers; i++) sum[i] = tau[i] + sign * sum[i];
}

static void forward(const fa_robot *robot, const question *q)
{
    if (q->in[3] && fa_robot_is_mechanism(robot)) {
        (void)fa_forward_pushed(robot, q->workspace, q->states, q->in[0], q->in[1], q->in[2],
                                q->in[3], q->out[0]);
        return;
    }
    const size_t numbers = q->states * (size_t)fa_robot_speeds(robot);
    double      *tau = q->in[3] ? malloc(numbers * sizeof *tau + 1) : NULL;
    if (tau) with_wrench(robot, q, q->in[2], 1, tau);
    for (size_t i = 0; i < numbers && q->in[3] && !tau; i++) q->out[0][i] = NAN; // no memory
    if (tau || !q->in[3])
        (void)fa_forward(robot, q->workspace, q->states, q->in[0], q->in[1], tau ? tau : q->in[2],
                         q->out[0]);
    free(tau);
}

static void inverse(const fa_robot *robot, const question *q)
{
    const size_t numbers = q->states * (size_t)fa_robot_speeds(robot);
    double      *tau = q->in[3] ? malloc(numbers * sizeof *tau + 1) : NULL;
    (void)fa_inverse(robot, q->workspace, q->states, q->in[0], q->in[1], q->in[2], q->out[0]);
    if (tau) {
        with_wrench(robot, q, q->out[0], -1, tau);
        memcpy(q->out[0], tau, numbers * sizeof *tau);
    }
    for (size_t i = 0; i < numbers && q->in[3] && !tau; i++) q->out[0][i] = NAN;
    free(tau);
}

static void bias(const fa_robot *robot, const question *q)
{
    (void)fa_bias(robot, q->workspace, q->states, q->in[0], q->in[1], q->out[0]);
}

static void gravity_torque(const fa_robot *robot, const question *q)
{
    (void)fa_gravity_torque(robot, q->workspace, q->states, q->in[0], q->out[0]);
}

static void mass_matrix(const fa_robot *robot, const question *q)
{
    (void)fa_mass_matrix(robot, q->workspace, q->states, q->in[0], q->out[0]);
}

static void coriolis_matrix(const fa_robot *robot, const question *q)
{
    (void)fa_coriolis_matrix(robot, q->workspace, q->states, q->in[0], q->in[1], q->out[0]);
}

static void pose(const fa_robot *robot, const question *q)
{
    (void)fa_pose(robot, q->workspace, q->states, q->frame, q->in[0], q->out[0]);
}

static void jacobian(const fa_robot *robot, const question *q)
{
    (void)fa_jacobian(robot, q->workspace, q->states, q->frame, q->in[0], q->out[0]);
}

static void drift(const fa_robot *robot, const question *q)
{
    (void)fa_drift(robot, q->workspace, q->states, q->frame, q->in[0], q->in[1], q->out[0]);
}

static void regressor(const fa_robot *robot, const question *q)
{
    (void)fa_link_regressor(robot, q->workspace, q->states, q->in[0], q->in[1], q->in[2],
                            q->out[0]);
}

static void forward_derivatives(const fa_robot *robot, const question *q)
{
    (void)fa_forward_derivatives(robot, q->workspace, q->states, q->in[0], q->in[1], q->in[2],
                                 q->in[3], q->out[0], q->out[1], q->out[2]);
}

static void inverse_derivatives(const fa_robot *robot, const question *q)
{
    (void)fa_inverse_derivatives(robot, q->workspace, q->states, q->in[0], q->in[1], q->in[2],
                                 q->in[3], q->out[0], q->out[1], q->out[2]);
}

static void parameter_derivatives(const fa_robot *robot, const question *q)
{
    (void)fa_parameter_derivatives_pushed(robot, q->workspace, q->states, q->in[0], q->in[1],
                                          q->in[2], q->in[3], q->n_parameters, q->parameter,
                                          q->out[0]);
}

static void forward_by_parameters(const fa_robot *robot, const question *q)
{
    (void)fa_forward_by_parameters(robot, q->workspace, q->states, q->in[0], q->in[1], q->in[2],
                                   q->in[3], q->n_parameters, q->parameter, q->out[0]);
}

static void closed(const fa_robot *robot, const question *q)
{
    const size_t n_q = (size_t)fa_robot_positions(robot), n = (size_t)fa_robot_speeds(robot);
    for (size_t k = 0; k < q->states; k++) {
        double *to = q->out[0] + k * (n_q + n);
        (void)fa_close_loops(robot, q->workspace, 1, q->in[0] + k * n_q, q->in[1] + k * n, to,
                             to + n_q);
    }
}

enum {
    FORWARD,
    INVERSE,
    BIAS,
    GRAVITY_TORQUE,
    MASS_MATRIX,
    CORIOLIS_MATRIX,
    POSE,
    JACOBIAN,
    DRIFT,
    REGRESSOR,
    FORWARD_DERIVATIVES,
    INVERSE_DERIVATIVES,
    PARAMETER_DERIVATIVES,
    FORWARD_BY_PARAMETERS,
    CLOSED
};

static const function function_of[] = {
    [FORWARD] = {"forward", TORQUES, "qnn6", 3, 1, "n", NO_MORE, forward, false, false},
    [INVERSE] = {"inverse", MOTION, "qnn6", 3, 1, "n", NO_MORE, inverse, true, false},
    [BIAS] = {"bias", MOTION, "qn", 2, 1, "n", NO_MORE, bias, true, false},
    [GRAVITY_TORQUE] = {"gravity_torque", MOTION, "q", 1, 1, "n", NO_MORE, gravity_torque, true,
                        false},
    [MASS_MATRIX] = {"mass_matrix", MOTION, "q", 1, 1, "nn", NO_MORE, mass_matrix, false, false},
    [CORIOLIS_MATRIX] = {"coriolis_matrix", MOTION, "qn", 2, 1, "nn", NO_MORE, coriolis_matrix,
                         false, false},
    [POSE] = {"pose", MOTION, "q", 1, 1, "44", FRAME, pose, false, true},
    [JACOBIAN] = {"jacobian", MOTION, "q", 1, 1, "6n", FRAME, jacobian, false, true},
    [DRIFT] = {"jacobian_dot_qd", MOTION, "qn", 2, 1, "6", FRAME, drift, false, true},
    [REGRESSOR] = {"regressor", MOTION, "qnn", 3, 1, "nL", NO_MORE, regressor, true, false},
    [FORWARD_DERIVATIVES] = {"forward_derivatives", TORQUES, "qnn6", 3, 3, "nn", NO_MORE,
                             forward_derivatives, false, false},
    [INVERSE_DERIVATIVES] = {"inverse_derivatives", MOTION, "qnn6", 3, 3, "nn", NO_MORE,
                             inverse_derivatives, true, false},
    [PARAMETER_DERIVATIVES] = {"parameter_derivatives", MOTION, "qnn6", 3, 1, "nm", PARAMETERS,
                               parameter_derivatives, true, false},
    [FORWARD_BY_PARAMETERS] = {"forward_by_parameters", TORQUES, "qnn6", 3, 1, "nm", PARAMETERS,
                               forward_by_parameters, false, false},
    [CLOSED] = {"closed", MOTION, "qn", 2, 1, "x", NO_MORE, closed, false, false},
};

// ------------------------------------------------------------------------------------ one call

// A call under way. Arguments are borrowed until they are converted; `held` are ours.
typedef struct call {
    const function *f;
    int             n_in;
    core_robot     *self;
    PyObject       *given[MOST_INPUTS], *out, *frame_name, *parameters;
    PyObject       *held; // a tuple of converted arguments, or NULL
    Py_buffer       view[MOST_INPUTS];
    int             n_views;
    Py_buffer       lane_view;
    const int64_t  *lane; // of each row, or NULL
    bool            has_lanes, single;
    int             axes; // leading ones
    Py_ssize_t      axis[MOST_AXES];
    size_t          rows;
    long            threads;
    int             frame;
    int            *parameter, n_parameters;
    PyObject       *result[MOST_RESULTS];
    Py_buffer       result_view[MOST_RESULTS];
    int             n_results;
} call;

static Py_ssize_t length_of(const call *c, char code)
{
    return code == 'n'   ? c->self->n
           : code == 'L' ? 10 * c->self->n_mass
           : code == 'm' ? c->n_parameters
           : code == 'q' ? c->self->n_positions
           : code == 'x' ? c->self->n_positions + c->self->n
                         : code - '0';
}

static int wrong(const call *c, const char *text)
{
    PyErr_Format(PyExc_TypeError, "%s() %s", c->f->name, text);
    return -1;
}

static int read_words(call *c, PyObject *const *arguments, Py_ssize_t n, PyObject *words)
{
    const int positional = c->f->n_needed + (c->f->also != NO_MORE);
    if (n > positional) return wrong(c, "takes fewer positional arguments");
    for (Py_ssize_t i = 0; i < n; i++) {
        if (i < c->f->n_needed)
            c->given[i] = arguments[i];
        else if (c->f->also == FRAME)
            c->frame_name = arguments[i];
        else
            c->parameters = arguments[i];
    }
    const Py_ssize_t n_words = words ? PyTuple_Size(words) : 0;
    for (Py_ssize_t k = 0; k < n_words; k++) {
        PyObject *word = PyTuple_GetItem(words, k), *value = arguments[n + k];
        int       i = 0;
        while (i < c->n_in && PyUnicode_CompareWithASCIIString(word, c->f->in[i]) != 0) i++;
        if (i < c->n_in && c->given[i]) return wrong(c, "got an argument twice");
        if (i < c->n_in)
            c->given[i] = value == Py_None ? NULL : value;
        else if (PyUnicode_CompareWithASCIIString(word, "out") == 0)
            c->out = value == Py_None ? NULL : value;
        else if (c->f->also == FRAME && PyUnicode_CompareWithASCIIString(word, "frame") == 0)
            c->frame_name = value;
        else if (c->f->also == PARAMETERS &&
                 PyUnicode_CompareWithASCIIString(word, "parameters") == 0)
            c->parameters = value;
        else if (PyUnicode_CompareWithASCIIString(word, "threads") == 0) {
            c->threads = PyLong_AsLong(value);
            if (c->threads == -1 && PyErr_Occurred()) return -1;
            if (c->threads < 1 || c->threads > CORE_MOST_THREADS)
                return core_refuse("Error", "threads must be a whole number from 1 to 256"), -1;
        } else {
            PyErr_Format(PyExc_TypeError, "%s() got an unexpected keyword argument '%U'",
                         c->f->name, word);
            return -1;
        }
    }
    for (int i = 0; i < c->f->n_needed; i++)
        if (!c->given[i]) {
            PyErr_Format(PyExc_TypeError, "%s() misses the argument '%s'", c->f->name, c->f->in[i]);
            return -1;
        }
    return 0;
}

static int read_frame(call *c)
{
    c->frame = FA_TIP_FRAME;
    if (!c->frame_name || c->frame_name == Py_None) return 0;
    PyObject *bytes = PyUnicode_AsUTF8String(c->frame_name);
    if (!bytes) return -1;
    fa_error  error = fa_no_error();
    const int status =
        fa_robot_find_frame(c->self->robot, PyBytes_AsString(bytes), &c->frame, &error);
    Py_DECREF(bytes);
    return status == FA_OK ? 0 : (core_raise("RobotError", &error), -1);
}

static int read_parameters(call *c)
{
    if (c->f->also != PARAMETERS) return 0;
    if (!c->parameters || !PyTuple_Check(c->parameters)) return wrong(c, "wants parameters");
    c->n_parameters = (int)PyTuple_Size(c->parameters);
    c->parameter = calloc((size_t)c->n_parameters + 1, sizeof *c->parameter);
    if (!c->parameter) return PyErr_NoMemory(), -1;
    for (int i = 0; i < c->n_parameters; i++) {
        c->parameter[i] = (int)PyLong_AsLong(PyTuple_GetItem(c->parameters, i));
        if (PyErr_Occurred()) return -1;
    }
    return 0;
}

// The usual case: arrays of doubles of one shape, one behind the other in memory. 0: it is not
// that.
static int take_as_they_are(call *c)
{
    if (c->self->lanes > 1) return 0;
    for (int i = 0; i < c->n_in; i++) {
        Py_buffer *v = &c->view[c->n_views];
        if (!c->given[i]) continue;
        if ((PyObject *)Py_TYPE(c->given[i]) != core.ndarray) return 0;
        if (PyObject_GetBuffer(c->given[i], v, PyBUF_C_CONTIGUOUS | PyBUF_FORMAT) != 0) {
            PyErr_Clear();
            return 0;
        }
        c->n_views++;
        const int axes = v->ndim - 1;
        if (v->itemsize != 8 || !v->format || v->format[0] != 'd' || axes < 0 ||
            axes >= MOST_AXES - 2 || v->shape[axes] != length_of(c, c->f->length[i]))
            return 0;
        if (c->n_views == 1) {
            c->axes = axes;
            memcpy(c->axis, v->shape, (size_t)axes * sizeof *c->axis);
        } else if (axes != c->axes ||
                   memcmp(c->axis, v->shape, (size_t)axes * sizeof *c->axis) != 0)
            return 0;
    }
    return 1;
}

static void release_views(call *c)
{
    for (int i = 0; i < c->n_views; i++) PyBuffer_Release(&c->view[i]);
    c->n_views = 0;
}

// Every other case: Python makes arrays of doubles of one shape of them.
static int convert(call *c)
{
    PyObject *arrays = PyTuple_New(c->n_in), *names = PyTuple_New(c->n_in),
             *lengths = PyTuple_New(c->n_in), *made = NULL;
    for (int i = 0; arrays && names && lengths && i < c->n_in; i++) {
        PyTuple_SetItem(arrays, i, Py_NewRef(c->given[i] ? c->given[i] : Py_None));
        PyTuple_SetItem(names, i, PyUnicode_FromString(c->f->in[i]));
        PyTuple_SetItem(lengths, i, PyLong_FromSsize_t(length_of(c, c->f->length[i])));
    }
    if (arrays && names && lengths && !PyErr_Occurred())
        made = PyObject_CallFunctionObjArgs(core.prepare, (PyObject *)c->self, arrays, names,
                                            lengths, NULL);
    Py_XDECREF(arrays);
    Py_XDECREF(names);
    Py_XDECREF(lengths);
    if (!made) return -1;
    c->held = made; // (arrays or None …, lanes or None, shape, single precision)
    PyObject *shape = PyTuple_GetItem(made, c->n_in + 1);
    PyObject *lane = PyTuple_GetItem(made, c->n_in);
    c->single = PyTuple_GetItem(made, c->n_in + 2) == Py_True;
    c->axes = (int)PyTuple_Size(shape);
    if (c->axes > MOST_AXES - 2) return wrong(c, "takes no more than 30 axes");
    Py_ssize_t rows = 1;
    for (int i = 0; i < c->axes; i++)
        rows *= c->axis[i] = PyLong_AsSsize_t(PyTuple_GetItem(shape, i));
    for (int i = 0; i < c->n_in; i++) {
        PyObject *array = PyTuple_GetItem(made, i);
        if (array == Py_None) continue;
        if (core_numbers(array, rows * length_of(c, c->f->length[i]), 'd', 0,
                         &c->view[c->n_views]) != 0)
            return -1;
        c->n_views++;
    }
    if (lane == Py_None) return 0;
    if (core_numbers(lane, rows, 'l', 0, &c->lane_view) != 0) return -1;
    c->lane = c->lane_view.buf;
    c->has_lanes = true;
    return 0;
}

// -------------------------------------------------------------------------------------- results

static bool takes(const call *c, const Py_buffer *v, int axes, const Py_ssize_t length[])
{
    (void)c;
    return v->itemsize == 8 && v->format && v->format[0] == 'd' && v->ndim == axes &&
           memcmp(v->shape, length, (size_t)axes * sizeof *length) == 0;
}

// Arrays for the results; `out` itself where it is one of doubles, contiguous and of the right
// shape.
static int make_results(call *c)
{
    Py_ssize_t length[MOST_AXES];
    int        axes = c->axes;
    memcpy(length, c->axis, (size_t)axes * sizeof *length);
    for (const char *code = c->f->shape; *code; code++) length[axes++] = length_of(c, *code);
    const int flags = PyBUF_C_CONTIGUOUS | PyBUF_FORMAT | PyBUF_WRITABLE;
    if (c->out && c->f->n_out == 1) {
        if (PyObject_GetBuffer(c->out, &c->result_view[0], flags) != 0)
            PyErr_Clear();
        else if (!takes(c, &c->result_view[0], axes, length))
            PyBuffer_Release(&c->result_view[0]);
        else {
            c->result[0] = Py_NewRef(c->out);
            c->n_results = 1;
            return 0;
        }
    }
    for (; c->n_results < c->f->n_out; c->n_results++) {
        PyObject *array = core_new_array(axes, length);
        if (!array) return -1;
        if (PyObject_GetBuffer(array, &c->result_view[c->n_results], flags) != 0) {
            Py_DECREF(array);
            return -1;
        }
        c->result[c->n_results] = array;
    }
    return 0;
}

// ---------------------------------------------------------------------------------------- rows

typedef struct part {
    const call   *c;
    fa_workspace *workspace;
    size_t        first, end;
} part;

static void ask(const part *p, size_t first, size_t end)
{
    const call *c = p->c;
    question    q = {.workspace = p->workspace,
                     .states = end - first,
                     .frame = c->frame,
                     .n_parameters = c->n_parameters,
                     .parameter = c->parameter};
    int         view = 0;
    for (int i = 0; i < c->n_in; i++)
        if (c->given[i])
            q.in[i] =
                (const double *)c->view[view++].buf + first * (size_t)length_of(c, c->f->length[i]);
    size_t size = 1;
    for (const char *code = c->f->shape; *code; code++) size *= (size_t)length_of(c, *code);
    for (int i = 0; i < c->f->n_out; i++) q.out[i] = (double *)c->result_view[i].buf + first * size;
    c->f->ask(c->self->robot, &q);
}

// Rows of one lane after the other have the parameters of that lane.
static void ask_rows(const void *of)
{
    const part       *p = of;
    const core_robot *self = p->c->self;
    if (!p->c->lane || (p->c->f->geometry && !self->moves_frames)) {
        ask(p, p->first, p->end);
        return;
    }
    for (size_t row = p->first, next; row < p->end; row = next) {
        const int64_t lane = p->c->lane[row];
        for (next = row + 1; next < p->end && p->c->lane[next] == lane; next++) {
        }
        (void)fa_workspace_set(p->workspace, self->n_given, self->given,
                               self->value + (size_t)lane * (size_t)self->n_given, NULL);
        ask(p, row, next);
    }
}

static int ask_all(call *c)
{
    const size_t most = c->rows / GIL_ROWS + 1;
    const size_t n = (size_t)c->threads < most ? (size_t)c->threads : most;
    part         of[CORE_MOST_THREADS];
    size_t       ready = 0;
    int          status = 0;
    for (; ready < n && status == 0; ready++) {
        part *p = &of[ready];
        p->c = c;
        p->first = c->rows * ready / n;
        p->end = c->rows * (ready + 1) / n;
        p->workspace = core_take_workspace(c->self);
        if (!p->workspace) status = -1;
    }
    if (status == 0 && c->rows <= GIL_ROWS && n == 1) {
        ask_rows(&of[0]);
    } else if (status == 0) {
        Py_BEGIN_ALLOW_THREADS;
        core_in_threads(ask_rows, of, sizeof *of, n);
        Py_END_ALLOW_THREADS;
    }
    for (size_t k = 0; k < ready; k++)
        if (of[k].workspace) core_give_workspace(c->self, of[k].workspace);
    return status;
}

// Returns one array, or a tuple of several; in single precision if all arguments have that, or in
// `out`.
static PyObject *answer(call *c)
{
    if (c->f->n_out == 1 && !c->single && (!c->out || c->result[0] == c->out))
        return Py_NewRef(c->result[0]);
    PyObject *all = PyTuple_New(c->f->n_out);
    for (int i = 0; all && i < c->f->n_out; i++) PyTuple_SetItem(all, i, Py_NewRef(c->result[i]));
    if (!all || (c->f->n_out > 1 && !c->single && !c->out)) return all;
    PyObject *to = PyObject_CallFunctionObjArgs(core.deliver, all, c->out ? c->out : Py_None,
                                                c->single ? Py_True : Py_False, NULL);
    Py_DECREF(all);
    return to;
}

static PyObject *call_function(PyObject *self, int which, PyObject *const *arguments, Py_ssize_t n,
                               PyObject *words)
{
    call c;
    memset(&c, 0, sizeof c);
    c.f = &function_of[which];
    c.n_in = (int)strlen(c.f->length);
    c.self = (core_robot *)self;
    c.threads = 1;
    c.rows = 1;
    PyObject *to = NULL;
    if (c.f->inverts && c.self->no_inverse.status != FA_OK)
        return core_raise("RobotError", &c.self->no_inverse);
    if (read_words(&c, arguments, n, words) == 0 && read_frame(&c) == 0 &&
        read_parameters(&c) == 0) {
        int status = take_as_they_are(&c);
        if (status == 0) release_views(&c);
        status = status == 1 ? 0 : convert(&c);
        for (int i = 0; i < c.axes; i++) c.rows *= (size_t)c.axis[i];
        if (status == 0 && make_results(&c) == 0 && ask_all(&c) == 0) to = answer(&c);
    }
    for (int i = 0; i < c.n_results; i++) {
        PyBuffer_Release(&c.result_view[i]);
        Py_DECREF(c.result[i]);
    }
    release_views(&c);
    if (c.has_lanes) PyBuffer_Release(&c.lane_view);
    Py_XDECREF(c.held);
    free(c.parameter);
    return to;
}

#define CALL(name, which)                                                                          \
    static PyObject *call_##name(PyObject *self, PyObject *const *arguments, Py_ssize_t n,         \
                                 PyObject *words)                                                  \
    {                                                                                              \
        return call_function(self, which, arguments, n, words);                                    \
    }
CALL(forward, FORWARD)
CALL(inverse, INVERSE)
CALL(bias, BIAS)
CALL(gravity_torque, GRAVITY_TORQUE)
CALL(mass_matrix, MASS_MATRIX)
CALL(coriolis_matrix, CORIOLIS_MATRIX)
CALL(pose, POSE)
CALL(jacobian, JACOBIAN)
CALL(jacobian_dot_qd, DRIFT)
CALL(regressor, REGRESSOR)
CALL(forward_derivatives, FORWARD_DERIVATIVES)
CALL(inverse_derivatives, INVERSE_DERIVATIVES)
CALL(parameter_derivatives, PARAMETER_DERIVATIVES)
CALL(forward_by_parameters, FORWARD_BY_PARAMETERS)
CALL(closed, CLOSED)
#undef CALL

#define ARRAYS "npt.ArrayLike"
#define REST   ", out: npt.NDArray[Any] | None = None, threads: int = 1) -> npt.NDArray[Any]\n\n"
#define FRAME  ", frame: str | None = None, *"
#define SINGLE                                                                                     \
    "\n\nLeading axes broadcast. Arguments that are all float32 give float32; numbers are double " \
    "inside. A state with\na number that is not finite gives NaN."
#define DEFINE(name, text)                                                                         \
    {                                                                                              \
#name, (PyCFunction)(void (*)(void))call_##name, METH_FASTCALL | METH_KEYWORDS, text       \
    }

PyMethodDef core_state_methods[] = {
    DEFINE(forward,
           "forward(self, q: " ARRAYS ", qd: " ARRAYS ", tau: " ARRAYS ", *, wrench: " ARRAYS
           " | None = None" REST
           "Accelerations (…, n) [rad/s²] or [m/s²] from positions, speeds and torques (…, n), by "
           "the equations of rigid bodies;\nfriction and springs act in `simulate`. `wrench` (…, "
           "6): force [N] and torque [N m] on the arm at its tip, world\naxes." SINGLE
           "\n\n>>> robot.forward([0.1, 0.2], [0, 0], [1, 0]).shape\n(2,)"),
    DEFINE(inverse,
           "inverse(self, q: " ARRAYS ", qd: " ARRAYS ", qdd: " ARRAYS ", *, wrench: " ARRAYS
           " | None = None" REST
           "Torques (…, n) [N m] or [N] that accelerations (…, n) need, with `wrench` at the tip "
           "as for `forward`." SINGLE "\n\n>>> tau = robot.inverse([0.1, 0.2], [0, 0], [1, 2])\n"
           ">>> bool(abs(robot.forward([0.1, 0.2], [0, 0], tau) - [1, 2]).max() < 1e-9)\nTrue"),
    DEFINE(mass_matrix,
           "mass_matrix(self, q: " ARRAYS ", *" REST
           "The mass matrix (…, n, n) [kg m²] or [kg], rotor inertias on its diagonal." SINGLE
           "\n\n>>> robot.mass_matrix([0.1, 0.2]).shape\n(2, 2)"),
    DEFINE(bias,
           "bias(self, q: " ARRAYS ", qd: " ARRAYS ", *" REST
           "Torques (…, n) at zero acceleration: gravity, Coriolis and centrifugal ones." SINGLE
           "\n\n>>> robot.bias([0.1, 0.2], [1, 2]).shape\n(2,)"),
    DEFINE(gravity_torque, "gravity_torque(self, q: " ARRAYS ", *" REST
                           "Torques (…, n) that hold the robot at rest against gravity." SINGLE
                           "\n\n>>> robot.gravity_torque([[0.1, 0.2], [0, 0]]).shape\n(2, 2)"),
    DEFINE(coriolis_matrix,
           "coriolis_matrix(self, q: " ARRAYS ", qd: " ARRAYS ", *" REST
           "C (…, n, n) with C qd = bias - gravity_torque, by Christoffel's symbols: the rate of "
           "the mass matrix less 2 C is\nskew-symmetric." SINGLE
           "\n\n>>> robot.coriolis_matrix([0.1, 0.2], [1, 2]).shape\n(2, 2)"),
    DEFINE(pose, "pose(self, q: " ARRAYS FRAME REST
                 "The frame of a link, None: of the tip, in the base's axes, as matrices (…, 4, 4) "
                 "[m]." SINGLE "\n\n>>> robot.pose([0.1, 0.2]).shape\n(4, 4)"),
    DEFINE(jacobian,
           "jacobian(self, q: " ARRAYS FRAME REST
           "The Jacobian (…, 6, n) of a frame, None: of the tip: velocity of its origin, then "
           "angular velocity, in the base's\naxes." SINGLE
           "\n\n>>> robot.jacobian([0.1, 0.2]).shape\n(6, 2)"),
    DEFINE(jacobian_dot_qd,
           "jacobian_dot_qd(self, q: " ARRAYS ", qd: " ARRAYS FRAME REST
           "Accelerations (…, 6) of a frame's origin [m/s²], then angular ones [rad/s²], at zero "
           "joint accelerations and without\ngravity." SINGLE
           "\n\n>>> robot.jacobian_dot_qd([0.1, 0.2], [1, 2]).shape\n(6,)"),
    DEFINE(regressor,
           "regressor(self, q: " ARRAYS ", qd: " ARRAYS ", qdd: " ARRAYS ", *" REST
           "Torques as linear functions of the links' mass parameters, (…, n, 10 links): columns "
           "as `regressor_columns` names\nthem." SINGLE
           "\n\n>>> robot.regressor([0.1, 0.2], [1, 2], [0, 0]).shape\n(2, 20)"),
    {"_forward_derivatives", (PyCFunction)(void (*)(void))call_forward_derivatives,
     METH_FASTCALL | METH_KEYWORDS,
     "_forward_derivatives(self, q: " ARRAYS ", qd: " ARRAYS ", tau: " ARRAYS ", *, wrench: " ARRAYS
     " | None = None, threads: int = 1) -> tuple[npt.NDArray[Any], npt.NDArray[Any], "
     "npt.NDArray[Any]]"},
    {"_inverse_derivatives", (PyCFunction)(void (*)(void))call_inverse_derivatives,
     METH_FASTCALL | METH_KEYWORDS,
     "_inverse_derivatives(self, q: " ARRAYS ", qd: " ARRAYS ", qdd: " ARRAYS ", *, wrench: " ARRAYS
     " | None = None, threads: int = 1) -> tuple[npt.NDArray[Any], npt.NDArray[Any], "
     "npt.NDArray[Any]]"},
    {"_parameter_derivatives", (PyCFunction)(void (*)(void))call_parameter_derivatives,
     METH_FASTCALL | METH_KEYWORDS,
     "_parameter_derivatives(self, q: " ARRAYS ", qd: " ARRAYS ", qdd: " ARRAYS
     ", parameters: tuple[int, ...], *, wrench: " ARRAYS
     " | None = None, threads: int = 1) -> npt.NDArray[Any]"},
    {"_forward_by_parameters", (PyCFunction)(void (*)(void))call_forward_by_parameters,
     METH_FASTCALL | METH_KEYWORDS,
     "_forward_by_parameters(self, q: " ARRAYS ", qd: " ARRAYS ", tau: " ARRAYS
     ", parameters: tuple[int, ...], *, wrench: " ARRAYS
     " | None = None, threads: int = 1) -> npt.NDArray[Any]"},
    {"_closed", (PyCFunction)(void (*)(void))call_closed, METH_FASTCALL | METH_KEYWORDS,
     "_closed(self, q: " ARRAYS ", qd: " ARRAYS ", *, threads: int = 1) -> npt.NDArray[Any]"},
    {NULL, NULL, 0, NULL},
};
