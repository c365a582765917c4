#include "advance.h"

#include "number.h"
#include "plant_jacobian.h"

#include <math.h>
#include <string.h>

// --- intermediate updates

// Calls the host back at t; `finished`: a step of the solver ends here. The host may set inputs,
// read what follows, and ask to return.
static fa_status ask_host(fa_run *run, double t, bool finished, fa_error *error)
{
    fa_instance *self = run->self;
    const bool   may_return = finished && self->may_return_early && t < run->end;
    double       until = INFINITY; // where to return to the host
    self->may_set = self->takes_inputs;
    self->may_get = finished;
    self->moment->mode = FA_MODE_INTERMEDIATE;
    fa_arithmetic_give_back(self->of_host);
    self->host.update(self, t, finished, may_return, &until);
    self->of_host = fa_arithmetic_take();
    if (self->moment->mode != FA_MODE_INTERMEDIATE)
        return fa_fail(error, FA_BAD_INPUT, NULL, FA_NOWHERE, "the host made a mistake");
    self->moment->mode = FA_MODE_STEP;
    if (may_return && until < run->end) run->end = fmax(until, t);
    return FA_OK;
}

// --- what the integrators call

fa_status fa_run_to(fa_run *run, double t, const double x[], fa_error *error)
{
    fa_instance *self = run->self;
    double      *state = self->value + self->first_state;
    const size_t size = (size_t)self->n_states * sizeof *x;
    const bool   later = self->value[self->time_row] != t;
    if (!run->moving && !later && memcmp(state, x, size) == 0) return FA_OK;
    self->moment->fresh = 0;
    memcpy(state, x, size);
    self->value[self->time_row] = t;
    if (run->moving)
        for (int i = 0; i < self->n_inputs; i++)
            self->value[self->first_input + i] = run->input[i] + self->rate[i] * (t - run->begin);
    return self->takes_inputs && later ? ask_host(run, t, false, error) : FA_OK;
}

static fa_status rhs(void *context, double t, const double x[], double dx[], fa_error *error)
{
    fa_run      *run = context;
    fa_instance *self = run->self;
    fa_status    status = fa_run_to(run, t, x, error);
    if (status != FA_OK) return status;
    if (self->derivative_groups & ~self->moment->fresh) run->calls++;
    return fa_find_derivatives(self, dx, error);
}

// How fast the inputs that the host gives during the step move at t: from two questions, of which
// the second one brings the inputs back to t.
static fa_status ask_rates(fa_run *run, double t, const double x[], double rate[], fa_error *error)
{
    const double small = 1e-4; // of what is left: far above rounding, and nearly a derivative
    fa_instance *self = run->self;
    const double later = t + small * (run->end - t);
    memset(rate, 0, (size_t)self->n_inputs * sizeof *rate);
    if (!(later > t)) return FA_OK;
    const double *input = self->value + self->first_input;
    fa_status     status = fa_run_to(run, later, x, error);
    for (int i = 0; i < self->n_inputs; i++) rate[i] = input[i];
    if (status == FA_OK) status = fa_run_to(run, t, x, error);
    for (int i = 0; i < self->n_inputs; i++) rate[i] = (rate[i] - input[i]) / (later - t);
    return status;
}

static fa_status jacobian(void *context, double t, const double x[], double by_state[],
                          double by_time[], fa_error *error)
{
    fa_run       *run = context;
    fa_instance  *self = run->self;
    const double *rate = run->moving ? self->rate : NULL;
    fa_status     status = fa_run_to(run, t, x, error);
    if (status == FA_OK && self->takes_inputs) {
        // Behind the work of the integrators and the states of fa_step.
        double *asked = self->asked_rate;
        status = ask_rates(run, t, x, asked, error);
        rate = asked;
    }
    if (status == FA_OK) status = fa_refresh(self, self->derivative_groups, error);
    if (status != FA_OK) return status;
    run->jacobians++;
    return fa_plant_jacobian(self->plant, self->self, &self->states, self->value, rate,
                             self->direction, by_state, by_time, error);
}

static fa_status crossed(void *context, double t, const double x[], bool *there, fa_error *error)
{
    fa_run   *run = context;
    fa_status status = fa_run_to(run, t, x, error);
    return status == FA_OK ? fa_side_changed(run->self, there, error) : status;
}

static fa_status accepted(void *context, double t, const double x[], fa_error *error)
{
    fa_run   *run = context;
    fa_status status = fa_run_to(run, t, x, error);
    return status == FA_OK ? fa_take_note(run->self, error) : status;
}

// --- events

static fa_solver solver_of(const fa_instance *self)
{
    const double *value = self->value;
    double        asked = self->moment->tolerance, own = value[FA_ROW_SOLVER_TOLERANCE];
    // Whoever asks for less error gets it.
    return (fa_solver){.method = (int)value[FA_ROW_SOLVER],
                       .step = value[FA_ROW_SOLVER_STEP],
                       .tolerance = asked > 0 && asked < own ? asked : own};
}

// Discrete updates at the point where the instance is, and the states after them.
static fa_status switch_over(fa_instance *self, bool event, double x[], fa_error *error)
{
    fa_status status = event ? fa_settle(self, error) : FA_OK;
    if (status == FA_OK) status = fa_note_sides(self, error);
    memcpy(x, self->value + self->first_state, (size_t)self->n_states * sizeof *x);
    return status;
}

// One call of the integrator towards the end or the next event; tells whether one is due where it
// came to.
static fa_status go_on(fa_run *run, const fa_problem *problem, double *t, double x[], bool *event,
                       fa_error *error)
{
    fa_instance    *self = run->self;
    fa_moment      *moment = self->moment;
    const fa_solver solver = solver_of(self);
    const double    until = fmin(run->end, fmax(*t, moment->next_event));
    fa_status       status =
        fa_integrate(problem, &solver, t, until, x, &moment->pace, self->work, error);
    if (status == FA_OK) status = fa_run_to(run, *t, x, error);
    if (status == FA_OK && problem->one_step) status = ask_host(run, *t, true, error);
    *event = false;
    if (status != FA_OK || !problem->crossed) return status;
    status = fa_side_changed(self, event, error);
    *event |= *t >= moment->next_event;
    return status;
}

fa_status fa_advance(fa_run *run, double *t, double x[], fa_error *error)
{
    const int    most_events = 100000; // in one communication step: more is a chatter without end
    const double end = run->end;
    fa_instance *self = run->self;
    const bool   switches = self->switches;
    fa_problem   problem = {.n = self->n_states,
                            .rhs = rhs,
                            .jacobian = self->plant->tangent ? jacobian : NULL,
                            .implicit = self->plant->implicit,
                            .plant = self->self,
                            .crossed = switches ? crossed : NULL,
                            .accepted = self->plant->note ? accepted : NULL,
                            .context = run,
                            .nominal = self->nominal,
                            .one_step = self->host.update != NULL};
    // What the host has set may switch something before time goes on.
    bool event = self->moment->touched != FA_UNTOUCHED;
    for (int events = 0; events <= most_events; events += event) {
        fa_status status = switches ? switch_over(self, event, x, error) : FA_OK;
        if (status != FA_OK || *t >= run->end) return status;
        // An event has been handled on the way: a host that waits for them is told.
        if (event && *t > run->begin && self->may_return_early) return FA_OK;
        status = go_on(run, &problem, t, x, &event, error);
        if (status != FA_OK) return status;
        run->event = event && self->event_mode && (*t >= end || self->may_return_early);
        if (run->event) return FA_OK;
    }
    return fa_fail(error, FA_UNFIT, NULL, FA_NOWHERE,
                   "%d events led to t = %s s only; make contacts and friction softer", most_events,
                   fa_number_text(*t).text);
}
