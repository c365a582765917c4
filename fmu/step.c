#include "instance.h"

#include "number.h"
#include "plant_jacobian.h"

#include <math.h>
#include <string.h>

// Hosts add or multiply their step to get the time, and write it with nine digits: both stay below
// this, relative to the time and the step, and nobody chooses steps so small beside the time.
static const double rounding = 1e-9;

// The plant as the integrators see it, at states and times of their choice.
typedef struct fa_run {
    fa_instance  *self;
    const double *input;  // at the begin of the communication step
    double        begin;  // of it [s]
    bool          moving; // some input has a rate
    long          calls;  // of the right-hand side
    long          jacobians;
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
    fa_run      *run = context;
    fa_instance *self = run->self;
    place(run, t, x);
    if (self->derivative_groups & ~self->moment->fresh) run->calls++;
    fa_status status = fa_refresh(self, self->derivative_groups, error);
    if (status != FA_OK) return status;
    for (int i = 0; i < self->n_states; i++) dx[i] = self->value[self->derivative[i]];
    return FA_OK;
}

static fa_status jacobian(void *context, double t, const double x[], double by_state[],
                          double by_time[], fa_error *error)
{
    fa_run      *run = context;
    fa_instance *self = run->self;
    place(run, t, x);
    fa_status status = fa_refresh(self, self->derivative_groups, error);
    if (status != FA_OK) return status;
    run->jacobians++;
    return fa_plant_jacobian(self->plant, self->self, &self->table, self->value,
                             run->moving ? self->rate : NULL, self->direction, by_state, by_time,
                             error);
}

static fa_status crossed(void *context, double t, const double x[], bool *there, fa_error *error)
{
    const fa_run *run = context;
    place(run, t, x);
    return fa_side_changed(run->self, there, error);
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

static bool some_rate(const fa_instance *self)
{
    for (int i = 0; i < self->n_inputs; i++)
        if (self->rate[i] != 0) return true;
    return false;
}

// Discrete updates at the point where the instance is, and the states after them.
static fa_status switch_over(fa_instance *self, bool event, double x[], fa_error *error)
{
    fa_status status = event ? fa_settle(self, error) : FA_OK;
    if (status == FA_OK) status = fa_note_sides(self, error);
    memcpy(x, self->value + self->first_state, (size_t)self->n_states * sizeof *x);
    return status;
}

// From the instance's time to `end`, over any number of events. *t and x are the last good point;
// the instance may be elsewhere when this fails.
static fa_status run_to(fa_run *run, double end, double *t, double x[], fa_error *error)
{
    const int    most_events = 100000; // in one communication step: more is a chatter without end
    fa_instance *self = run->self;
    fa_moment   *moment = self->moment;
    bool         switches = fa_switches(self);
    fa_solver    solver = solver_of(self);
    fa_problem   problem = {.n = self->n_states,
                            .rhs = rhs,
                            .jacobian = self->plant->tangent ? jacobian : NULL,
                            .crossed = switches ? crossed : NULL,
                            .context = run,
                            .nominal = self->nominal};
    // What the host has set may switch something before time goes on.
    bool event = moment->touched;
    for (int events = 0; events <= most_events; events++) {
        fa_status status = switches ? switch_over(self, event, x, error) : FA_OK;
        if (status != FA_OK || *t >= end) return status;
        double until = fmin(end, fmax(*t, moment->next_event));
        status = fa_integrate(&problem, &solver, t, until, x, &moment->pace, self->work, error);
        if (status != FA_OK) return status;
        place(run, *t, x);
        if (!switches) return FA_OK;
        status = fa_side_changed(self, &event, error);
        if (status != FA_OK) return status;
        event |= *t >= moment->next_event;
    }
    return fa_fail(error, FA_UNFIT, NULL, FA_NOWHERE,
                   "%d events led to t = %s s only; make contacts and friction softer", most_events,
                   fa_number_text(*t).text);
}

fa_outcome fa_step(fa_instance *self, double from, double size)
{
    fa_outcome outcome = check_step(self, from, size);
    if (outcome != FA_DONE) return outcome;

    fa_moment *moment = self->moment;
    memcpy(self->undo, moment, self->moment_size);
    double  t = self->value[self->time_row];
    double *x = self->work + fa_integrate_work(self->n_states);
    memcpy(x, self->value + self->first_state, (size_t)self->n_states * sizeof *x);

    fa_run    run = {.self = self,
                     .input = self->undo->value + self->first_input,
                     .begin = t,
                     .moving = some_rate(self)};
    fa_error  error = {.message = ""};
    fa_status status = run_to(&run, from + size, &t, x, &error);
    if (status != FA_OK && self->fmi == 3) {
        memcpy(moment, self->undo, self->moment_size); // as if it had not been tried
        t = self->value[self->time_row];
        moment->fresh = 0;
    } else {
        place(&run, t, x);
    }
    if (self->log[FA_CATEGORY_SOLVER])
        fa_note(self, FA_CATEGORY_SOLVER,
                "from t = %s s to %s s with %ld right-hand sides and %ld Jacobians",
                fa_number_text(run.begin).text, fa_number_text(t).text, run.calls, run.jacobians);
    moment->last_time = t;
    moment->touched = 0;
    moment->last_step = status == FA_OK ? FA_DONE : FA_DISCARDED;
    if (status == FA_OK) {
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
        const int row = fa_cells_of(self, reference[i]).variable; // FMI 2.0 has no arrays
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
