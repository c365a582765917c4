// Common parts of the extension module forearm._core. It keeps to the limited API of CPython 3.11,
// so that one library serves all later versions.
#ifndef FA_CORE_H
#define FA_CORE_H

#define PY_SSIZE_T_CLEAN
#include <Python.h>

#include "courses.h"
#include "forearm.h"

// Workspaces that a robot keeps for the next call.
enum { CORE_IDLE = 64 };

// Lanes with the parameters of all states, in the precision that one call has asked for.
typedef struct core_groups core_groups;

// forearm._core.Robot: equations of motion. What Python adds to it is in robot.py.
typedef struct core_robot {
    PyObject_HEAD fa_robot *robot;
    fa_state                state;          // of the arm: names, values at the start
    int                     n, n_positions; // speeds; numbers of q
    fa_motion_position     *position;
    fa_motion_speed        *speed;
    fa_error                no_inverse;      // what inverse dynamics lacks, FA_OK: nothing
    int                     n_mass;          // links with mass parameters
    int                     n_given;         // parameters with other values than the robot's …
    int                    *given;           // … their rows …
    double                 *value;           // … and their values, in each lane
    bool                    moves_frames;    // some of them move frames of the links
    Py_ssize_t              lanes;           // 1: the same for all states
    core_groups            *groups;          // lanes with these values; NULL: none, or in use
    fa_workspace           *idle[CORE_IDLE]; // free workspaces, for reuse …
    int                     n_idle;          // … and how many
} core_robot;

// References that the module keeps while Python runs.
typedef struct core_names {
    PyObject *empty;   // numpy.empty
    PyObject *ndarray; // numpy.ndarray
    PyObject *prepare; // forearm._arrays.prepare: arguments of unlike shapes and types
    PyObject *deliver; // and results for `out`
    PyObject *errors;  // forearm.errors
    PyObject *robot_type, *motions_type;
} core_names;
extern core_names core;

extern PyType_Spec core_robot_spec, core_motions_spec;
void               core_robot_fill_methods(void); // before its type is made
extern PyMethodDef core_state_methods[]; // of Robot; filled from the table of state_calls.c

// Robot._run (held_runs.c).
PyObject *core_run(PyObject *object, PyObject *arguments);

// Result of PyThread_start_new_thread on failure.
#define CORE_NO_THREAD ((unsigned long)-1)

// Does the work on each of n parts, which are `size` bytes apart, in as many threads; without the
// interpreter's lock. At most CORE_MOST_THREADS.
enum { CORE_MOST_THREADS = 256 };
typedef void core_work(const void *part);
void         core_in_threads(core_work *work, const void *parts, size_t size, size_t n);

// Sets the Python exception of that name in forearm.errors from an error; gives NULL.
PyObject *core_raise(const char *name, const fa_error *error);
PyObject *core_refuse(const char *name, const char *sentence);

// A workspace with the robot's parameters, that the caller gives back. NULL: an exception is set.
// Both with the GIL.
fa_workspace *core_take_workspace(core_robot *self);
void          core_give_workspace(core_robot *self, fa_workspace *workspace);

// An array of doubles of these lengths; NULL with an exception.
PyObject *core_new_array(int dimensions, const Py_ssize_t length[]);

// The doubles of a contiguous array of `size` numbers ('d'), or whole numbers ('l'); -1 with an
// exception.
int core_numbers(PyObject *array, Py_ssize_t size, char kind, int writable, Py_buffer *view);

#endif
