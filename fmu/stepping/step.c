// DoStep for both standards.
#include "communication.h"

#include "number.h"
#include "ports.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

// Hosts add or multiply their step to compute the time, and some write it with nine digits. Both
// errors are below this, relative to the time and the step.
static const double rounding = 1e-9;

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

static bool some_rate(const fa_instance *self)
{
    for (int i = 0; i < self->n_inputs; i++)
        if (self->rate[i] != 0) return true;
    return false;
}

// Extends an error message if an input changes very fast: hosts compute a large slope from two
// table rows that are meant as a step.
static void blame_rates(const fa_instance *self, double size, fa_error *error)
{
    int fastest = 0;
    for (int i = 1; i < self->n_inputs; i++)
        if (fabs(self->rate[i]) > fabs(self->rate[fastest])) fastest = i;
    const size_t length = strlen(error->message);
    (void)snprintf(
        error->message + length, sizeof error->message - length,
        "; the host lets '%s' change by %s within this step: where an input jumps, let it "
        "give both values at the same time, or no derivative",
        fa_row_name(self, self->first_input + fastest),
        fa_number_text(self->rate[fastest] * size).text);
}

// Returns the size of the part of the moment that a step may change: all but the parameters, which
// come first among the values. self->undo stores this part; it begins with the inputs.
static size_t changing(const fa_instance *self)
{
    return self->moment_size - sizeof *self->moment - (size_t)self->first_input * sizeof(double);
}

static void keep(fa_instance *self)
{
    memcpy(self->undo, self->moment, sizeof *self->undo);
    memcpy(self->undo->value, self->value + self->first_input, changing(self));
}

static void take_back(fa_instance *self)
{
    memcpy(self->moment, self->undo, sizeof *self->undo);
    memcpy(self->value + self->first_input, self->undo->value, changing(self));
}

// Renews flags that affect no other variable (fa_plant.note) where the host may see discrete
// variables change: at communication points, or in event mode if it uses that.
static fa_status renew_flags(fa_communication *step, double t, const double x[], fa_error *error)
{
    const fa_instance *self = step->self;
    fa_trajectory     *trajectory = &step->trajectory;
    if (!self->plant->note) return FA_OK;
    const fa_status status = fa_trajectory_place(trajectory, t, x, error);
    trajectory->event |= self->event_mode && self->moment->seen;
    return status == FA_OK && !self->event_mode ? fa_trajectory_take_note(trajectory, error)
                                                : status;
}

fa_outcome fa_instance_step(fa_instance *self, double from, double size, fa_step_end *end)
{
    *end = (fa_step_end){.time = self->value[self->time_row]};
    fa_outcome outcome = check_step(self, from, size);
    if (outcome != FA_DONE) return outcome;

    fa_moment *moment = self->moment;
    keep(self);
    double  t = self->value[self->time_row];
    double *x = self->work + fa_integrate_work(self->n_states, self->plant->implicit);
    memcpy(x, self->value + self->first_state, (size_t)self->n_states * sizeof *x);

    const bool       given = some_rate(self);
    const bool       touched = moment->touched != FA_UNTOUCHED;
    fa_error         error = fa_no_error();
    fa_communication step;
    step = (fa_communication){.self = self, .input = self->undo->value};
    fa_ports_begin(&step, size);
    const bool moving = given || some_rate(self);
    fa_communication_begin(&step, self, step.input, moving, t, from + size);
    fa_trajectory *trajectory = &step.trajectory;
    fa_status      status = fa_refresh(self, 0, &error);
    if (status == FA_OK) status = fa_trajectory_advance(trajectory, touched, &t, x, &error);
    if (status == FA_OK) status = renew_flags(&step, t, x, &error);
    if (status == FA_OK) status = fa_trajectory_place(trajectory, t, x, &error);
    if (status == FA_OK) status = fa_ports_end(&step, t, x, size, true, &error);
    // An error of the host in an intermediate update.
    const bool mistaken = moment->mode == FA_MODE_TERMINATED;
    if (status != FA_OK && self->fmi == 3) {
        take_back(self); // restores the state before the step
        t = self->value[self->time_row];
        moment->fresh = 0;
        if (mistaken) moment->mode = FA_MODE_TERMINATED;
    } else if (fa_trajectory_place(trajectory, t, x, &error) != FA_OK) {
        status = FA_BAD_INPUT;
    }
    if (status != FA_OK) (void)fa_ports_end(&step, t, x, size, false, &error);
    if (self->log[FA_CATEGORY_SOLVER])
        fa_note(self, FA_CATEGORY_SOLVER,
                "from t = %s s to %s s with %ld right-hand sides and %ld Jacobians",
                fa_number_text(step.begin).text, fa_number_text(t).text, trajectory->calls,
                trajectory->jacobians);
    moment->last_time = t;
    moment->touched = trajectory->event ? FA_EVENT_DUE : FA_UNTOUCHED;
    moment->last_step = status == FA_OK ? FA_DONE : FA_DISCARDED;
    *end = (fa_step_end){
        .time = t, .event = trajectory->event, .early = status == FA_OK && t < from + size};
    fa_look_at_limits(self);
    if (status == FA_OK) {
        memset(self->rate, 0, (size_t)self->n_inputs * sizeof *self->rate);
        return FA_DONE;
    }
    if (mistaken) return FA_FAILED;
    if (given) blame_rates(self, size, &error);
    outcome = fa_step_failed(self, status, &error);
    if (outcome == FA_DISCARDED && self->fmi == 2) moment->mode = FA_MODE_STEP_FAILED;
    return outcome;
}

fa_outcome fa_set_input_rates(fa_instance *self, const uint32_t reference[], size_t n,
                              const int32_t order[], const double rate[])
{
    if (n == 0) return FA_DONE;
    if (!reference || !order || !rate) return fa_refuse(self, "an array is missing");
    for (size_t i = 0; i < n; i++) {
        const fa_cells cells = fa_cells_of(self, reference[i]);
        if (cells.variable == FA_NO_ROW) return fa_unknown_reference(self, reference[i]);
        const int row = cells.cell[0]; // FMI 2.0 has no arrays
        if (self->row[row].setting != FA_SET_INPUT || self->row[row].type != FA_REAL)
            return fa_refuse(self, "'%s' is not a continuous input", fa_row_name(self, row));
        if (order[i] != 1)
            return fa_refuse(self, "derivative %ld of '%s' was given; only the first is used",
                             (long)order[i], fa_row_name(self, row));
        if (!isfinite(rate[i]))
            return fa_refuse(self, "the derivative of '%s' must be a finite number, not %s",
                             fa_row_name(self, row), fa_number_text(rate[i]).text);
    }
    for (size_t i = 0; i < n; i++)
        self->rate[fa_cells_of(self, reference[i]).cell[0] - self->first_input] = rate[i];
    return FA_DONE;
}
