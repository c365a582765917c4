// The real-time stepper: one arm in steps of one length, with the same work in each of them.
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "forearm.h"
#include "machine.h"
#include "number.h"
#include "robot.h"

static const double SAME_TIME = 1e-6; // share of a step by which a time may miss the end of one
static const double MOST_STEPS = 1e9; // of a call; more do not fit an int

struct fa_stepper {
    const fa_robot *robot;
    fa_workspace   *workspace;
    fa_step_method  method;
    size_t          n;
    double          begin, step; // [s]
    double          count;       // steps since `begin`
    bool            has_servos;
    fa_servos       servos;
    double         *gains, *held, *q, *qd; // 3 n numbers, and n each; q and qd: two states
};

static fa_status look_at(const fa_robot *robot, const fa_stepper_options *o, fa_error *error)
{
    if (!o || o->size != sizeof *o)
        return fa_fail(error, FA_BAD_INPUT, robot->source, FA_NOWHERE,
                       "the options of a stepper have another size than the library's; set their "
                       "field size to sizeof(fa_stepper_options), and compile with the headers of "
                       "version %s",
                       fa_version());
    if (!(isfinite(o->step) && o->step > 0))
        return fa_fail(error, FA_BAD_INPUT, robot->source, FA_NOWHERE,
                       "a stepper needs a step above zero, and not %s s",
                       fa_number_text(o->step).text);
    if ((unsigned)o->method >= FA_STEP_METHODS)
        return fa_fail(error, FA_BAD_INPUT, robot->source, FA_NOWHERE,
                       "there is no method number %d for steps of one length; take "
                       "FA_STEP_SEMI_IMPLICIT or FA_STEP_RK4",
                       (int)o->method);
    return FA_OK;
}

static fa_status fill(fa_stepper *s, const fa_stepper_options *o, fa_error *error)
{
    s->workspace = fa_workspace_new(s->robot, 1, error);
    if (!s->workspace) return FA_BAD_INPUT;
    const size_t n = s->n = (size_t)fa_robot_speeds(s->robot);
    s->gains = calloc(8 * n, sizeof *s->gains);
    if (!s->gains)
        return fa_fail(error, FA_NO_MEMORY, s->robot->source, FA_NOWHERE,
                       "there is not enough memory for a stepper");
    s->held = s->gains + 3 * n;
    s->q = s->held + n;
    s->qd = s->q + 2 * n;
    s->has_servos = o->servos != NULL;
    if (o->servos) {
        memcpy(s->gains, o->servos->kp, n * sizeof *s->gains);
        memcpy(s->gains + n, o->servos->kd, n * sizeof *s->gains);
        memcpy(s->gains + 2 * n, o->servos->limit, n * sizeof *s->gains);
    }
    s->servos = (fa_servos){s->gains, s->gains + n, s->gains + 2 * n};
    // Steps of no state say whether the robot has steps of one length.
    if (fa_fixed_steps(s->robot, s->workspace, 0, s->method, 1, s->step, NULL, s->held, s->q,
                       s->qd) == FA_OK)
        return FA_OK;
    return fa_fail(error, FA_UNFIT, s->robot->source, FA_NOWHERE,
                   "the robot has friction that sticks, locks, valves that close, contacts, "
                   "cylinders, drives with states of their own, joints of several freedoms, or "
                   "loops, and steps of one length have none; use fa_motions_run, or an FMU of it");
}

fa_stepper *fa_stepper_new(const fa_robot *robot, const fa_stepper_options *options,
                           fa_error *error)
{
    fa_status   status = look_at(robot, options, error);
    fa_stepper *s = status == FA_OK ? calloc(1, sizeof *s) : NULL;
    if (!s) {
        if (status == FA_OK)
            (void)fa_fail(error, FA_NO_MEMORY, robot->source, FA_NOWHERE,
                          "there is not enough memory for a stepper");
        return NULL;
    }
    s->robot = robot;
    s->method = options->method;
    s->step = options->step;
    status = fill(s, options, error);
    if (status == FA_OK) return s;
    fa_stepper_free(s);
    return NULL;
}

void fa_stepper_free(fa_stepper *stepper)
{
    if (!stepper) return;
    fa_workspace_free(stepper->workspace);
    free(stepper->gains);
    free(stepper);
}

fa_workspace *fa_stepper_workspace(fa_stepper *stepper)
{
    return stepper->workspace;
}

int fa_stepper_evaluations(const fa_stepper *stepper)
{
    return stepper->method == FA_STEP_RK4 ? 4 : 1;
}

double fa_stepper_time(const fa_stepper *stepper)
{
    return stepper->begin + stepper->count * stepper->step;
}

void fa_stepper_begin(fa_stepper *stepper, double t, const double *q, const double *qd)
{
    stepper->begin = t;
    stepper->count = 0;
    memcpy(stepper->q, q, stepper->n * sizeof *q);
    memcpy(stepper->qd, qd, stepper->n * sizeof *qd);
}

void fa_stepper_hold(fa_stepper *stepper, const double *held)
{
    memcpy(stepper->held, held, stepper->n * sizeof *held);
}

fa_status fa_stepper_step(fa_stepper *stepper, double until, double *q, double *qd)
{
    fa_stepper  *s = stepper;
    const size_t size = s->n * sizeof *q;
    double      *next = s->q + s->n, *next_rate = s->qd + s->n;
    const double steps = floor((until - fa_stepper_time(s)) / s->step + SAME_TIME);
    fa_status    status = steps <= MOST_STEPS ? FA_OK : FA_BAD_INPUT; // also where it is no number
    memcpy(next, s->q, size);
    memcpy(next_rate, s->qd, size);
    if (status == FA_OK && steps > 0)
        status = fa_fixed_steps(s->robot, s->workspace, 1, s->method, (int)steps, s->step,
                                s->has_servos ? &s->servos : NULL, s->held, next, next_rate);
    if (status == FA_OK && steps > 0) {
        memcpy(s->q, next, size);
        memcpy(s->qd, next_rate, size);
        s->count += steps;
    }
    memcpy(q, s->q, size);
    memcpy(qd, s->qd, size);
    return status;
}

fa_status fa_lock_memory(fa_error *error)
{
    if (fa_machine_keep_memory()) return FA_OK;
    return fa_fail(error, FA_IO, NULL, FA_NOWHERE,
                   "the system does not let this process keep its memory from being paged out; "
                   "raise its limit (ulimit -l, or memlock in limits.conf)");
}
