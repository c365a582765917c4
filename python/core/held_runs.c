// Robot._run: many motions under constant inputs, by fa_motions_run of the promised interface.
#include "core.h"

#include <stdlib.h>
#include <string.h>

// Results of a call.
typedef struct outcome {
    fa_status *status;  // of each run
    double    *reached; // [s]
    fa_error   error;   // of the first run that failed
    bool       in_lanes;
} outcome;

static fa_status run(const core_robot *self, const fa_motions_options *options, size_t runs,
                     const fa_run_table *table, const fa_sink *sink, int threads, outcome *found)
{
    fa_motions *motions = fa_motions_new(self->robot, options, &found->error);
    if (!motions) return FA_BAD_INPUT;
    const fa_status status = fa_motions_run(motions, runs, table, sink, threads, &found->error);
    found->in_lanes = fa_motions_in_lanes(motions);
    fa_motions_free(motions);
    return status;
}

// (in_lanes, run, time reached and sentence of the first motion that has ended early, and how many
// have).
static PyObject *answer(const outcome *found, Py_ssize_t runs)
{
    Py_ssize_t  first = -1, failed = 0;
    const char *sentence = strstr(found->error.message, ": "); // behind "run 3"
    for (Py_ssize_t k = 0; k < runs; k++) {
        if (found->status[k] == FA_OK) continue;
        if (failed++ == 0) first = k;
    }
    if (failed == 0)
        return Py_BuildValue("(Nndsn)", PyBool_FromLong(found->in_lanes), first, 0.0, "", failed);
    if (found->status[first] == FA_BAD_INPUT) { // a parameter's value, and no motion
        fa_error error = found->error;
        if (sentence) memmove(error.message, sentence + 2, strlen(sentence + 2) + 1);
        return core_raise("RobotError", &error);
    }
    return Py_BuildValue("(Nndsn)", PyBool_FromLong(found->in_lanes), first, found->reached[first],
                         sentence ? sentence + 2 : found->error.message, failed);
}

PyObject *core_run(PyObject *object, PyObject *arguments)
{
    core_robot        *self = (core_robot *)object;
    fa_motions_options options = {.size = sizeof options};
    PyObject          *rows, *array[4], *out;
    Py_ssize_t         samples, states;
    int                single, threads, got = 0;
    Py_buffer          view[4], to;
    if (!PyArg_ParseTuple(arguments, "ddO!OOOOOnnpi", &options.stop, &options.step, &PyTuple_Type,
                          &rows, &array[0], &array[1], &array[2], &array[3], &out, &samples,
                          &states, &single, &threads))
        return NULL;
    const Py_ssize_t n = PyTuple_Size(rows), runs = PyObject_Size(array[1]);
    if (runs < 0) return NULL;
    const Py_ssize_t size[4] = {runs * n, runs * self->n_positions, runs * self->n, runs * self->n};
    while (got < 4 && core_numbers(array[got], size[got], 'd', 0, &view[got]) == 0) got++;
    outcome found = {.error = fa_no_error()};
    int    *row = malloc(((size_t)n + 1) * sizeof *row);
    found.status = calloc((size_t)runs + 1, sizeof *found.status);
    found.reached = calloc((size_t)runs + 1, sizeof *found.reached);
    if (!row || !found.status || !found.reached) PyErr_NoMemory();
    for (Py_ssize_t k = 0; k < n && row; k++) row[k] = (int)PyLong_AsLong(PyTuple_GetItem(rows, k));
    PyObject *told = NULL;
    if (got == 4 && !PyErr_Occurred() &&
        core_numbers(out, runs * samples * states, single ? 'f' : 'd', 1, &to) == 0) {
        options.parameter = row;
        options.n_parameters = (int)n;
        const fa_run_table table = {sizeof table, view[1].buf, view[2].buf, view[3].buf,
                                    view[0].buf};
        const fa_sink      sink = {.size = sizeof sink,
                                   .samples = single ? NULL : to.buf,
                                   .singles = single ? to.buf : NULL,
                                   .status = found.status,
                                   .reached = found.reached};
        fa_status          status;
        Py_BEGIN_ALLOW_THREADS;
        status = run(self, &options, (size_t)runs, &table, &sink, threads, &found);
        Py_END_ALLOW_THREADS;
        bool any = false;
        for (Py_ssize_t k = 0; k < runs; k++) any |= found.status[k] != FA_OK;
        told =
            status == FA_OK || any ? answer(&found, runs) : core_raise("RobotError", &found.error);
        PyBuffer_Release(&to);
    }
    while (got > 0) PyBuffer_Release(&view[--got]);
    free(row);
    free(found.status);
    free(found.reached);
    return told;
}
