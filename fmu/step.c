#include "instance.h"

#include "integrate.h"
#include "number.h"

#include <math.h>
#include <string.h>

// Hosts add or multiply their step to get the time, and write it with nine digits: both stay below
// this, relative to the time and the step, and nobody chooses steps so small beside the time.
static const double rounding = 1e-9;

// Right-hand side of the integrators: the plant itself, at states and a time of their choice.
typedef struct fa_run {
    fa_instance  *self;
    const double *input;  // at the begin of the step
    double        begin;  // [s]
    bool          moving; // some input has a rate
} fa_run;

// Puts the instance at a point; what has been evaluated holds if it is there already.
static void place(const fa_run *run, double t, const double x[])
{
    fa_instance *self = run->self;
    double      *state = self->value + self->first_state;
    size_t       size = (size_t)self->n_states * sizeof *x;
    if (!run->moving && self->value[self->time_row] == t && memcmp(state, x, size) == 0) return;
    self->moment->fresh = 0;
    memcpy(state, x, size);
    self->value[self->time_row] = t;
    if (!run->moving) return;
    for (int i = 0; i < self->n_inputs; i++)
        self->value[self->first_input + i] = run->input[i] + self->rate[i] * (t - run->begin);
}

static fa_status rhs(void *context, double t, const double x[], double dx[], fa_error *error)
{
    const fa_run *run = context;
    fa_instance  *self = run->self;
    place(run, t, x);
    fa_status status = fa_refresh(self, self->derivative_groups, error);
    if (status != FA_OK) return status;
    for (int i = 0; i < self->n_states; i++) dx[i] = self->value[self->derivative[i]];
    return FA_OK;
}

static fa_outcome check_step(fa_instance *self, double from, double size)
{
    double now = self->value[self->time_row], stop = self->moment->stop;
    if (!(size > 0 && size < INFINITY))
        return fa_refuse(self, "the communication step is %s s; it must be positive",
                         fa_number_text(size).text);
    double slack = rounding * (fabs(now) + size);
    if (!(fabs(from - now) <= slack))
        return fa_refuse(self, "the host is at t = %s s and the FMU at t = %s s",
                         fa_number_text(from).text, fa_number_text(now).text);
    if (from + size > stop + slack)
        return fa_refuse(self, "a step from t = %s s to %s s passes the stop time %s s",
                         fa_number_text(from).text, fa_number_text(from + size).text,
                         fa_number_text(stop).text);
    return FA_DONE;
}

static fa_solver solver_of(const fa_instance *self)
{
    const double *value = self->value;
    double        asked = self->moment->tolerance, own = value[FA_ROW_SOLVER_TOLERANCE];
    // Whoever asks for less error gets it.
    return (fa_solver){.method = (int)value[FA_ROW_SOLVER],
                       .step = value[FA_ROW_SOLVER_STEP],
                       .tolerance = asked > 0 && asked < own ? asked : own};
}

// States and inputs as they were before the step, in case it is discarded.
static void remember(const fa_instance *self)
{
    size_t states = (size_t)self->n_states, inputs = (size_t)self->n_inputs;
    memcpy(self->undo, self->value + self->first_state, states * sizeof(double));
    memcpy(self->undo + states, self->value + self->first_input, inputs * sizeof(double));
}

static bool some_rate(const fa_instance *self)
{
    for (int i = 0; i < self->n_inputs; i++)
        if (self->rate[i] != 0) return true;
    return false;
}

fa_outcome fa_step(fa_instance *self, double from, double size)
{
    fa_outcome outcome = check_step(self, from, size);
    if (outcome != FA_DONE) return outcome;

    remember(self);
    fa_moment *moment = self->moment;
    double     begin = self->value[self->time_row], end = from + size, t = begin;
    double     step = moment->step;
    double    *x = self->work + fa_integrate_work(self->n_states);
    memcpy(x, self->undo, (size_t)self->n_states * sizeof *x);

    fa_run     run = {self, self->undo + self->n_states, begin, some_rate(self)};
    fa_problem problem = {self->n_states, rhs, &run, self->nominal};
    fa_solver  solver = solver_of(self);
    fa_error   error = {.message = ""};
    fa_status  status = fa_integrate(&problem, &solver, &t, end, x, &step, self->work, &error);
    if (status != FA_OK && self->fmi == 3) {
        // FMI 3.0: as if the step had not been tried.
        memcpy(x, self->undo, (size_t)self->n_states * sizeof *x);
        t = begin;
    }
    place(&run, t, x);
    moment->last_time = t;
    moment->touched = 0;
    moment->last_step = status == FA_OK ? FA_DONE : FA_DISCARDED;
    if (status == FA_OK) {
        moment->step = step;
        memset(self->rate, 0, (size_t)self->n_inputs * sizeof *self->rate);
        return FA_DONE;
    }
    outcome = fa_model_failed(self, status, &error);
    if (outcome == FA_DISCARDED && self->fmi == 2) moment->mode = FA_MODE_STEP_FAILED;
    return outcome;
}

fa_outcome fa_set_input_rates(fa_instance *self, const uint32_t reference[], size_t n,
                              const int32_t order[], const double rate[])
{
    if (n == 0) return FA_DONE;
    if (!reference || !order || !rate) return fa_refuse(self, "an array is missing");
    for (size_t i = 0; i < n; i++) {
        int row = fa_row_of(self, reference[i]);
        if (row == FA_NO_ROW) return fa_unknown_reference(self, reference[i]);
        const char *name = fa_row_name(self, row);
        if (self->row[row].setting != FA_SET_INPUT || self->row[row].type != FA_REAL)
            return fa_refuse(self, "'%s' is not a continuous input", name);
        if (order[i] != 1)
            return fa_refuse(self, "derivative %ld of '%s' was given; only the first is used",
                             (long)order[i], name);
        if (!isfinite(rate[i]))
            return fa_refuse(self, "the derivative of '%s' must be a finite number, not %s", name,
                             fa_number_text(rate[i]).text);
    }
    for (size_t i = 0; i < n; i++) self->rate[(int)reference[i] - 1 - self->first_input] = rate[i];
    return FA_DONE;
}
