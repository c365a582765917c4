// Event loop: integrate, locate an event, process it, restart.
#include "trajectory.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "finite.h"
#include "number.h"
#include "plant_jacobian.h"

// ---------------------------------------------------------------------------------------- tables

int fa_stretches(const fa_state_rows *states, fa_stretch stretch[])
{
    int n = 0;
    for (int i = 0; i < states->n; i++) {
        const int row = states->of[i].derivative;
        if (i == 0 || row != states->of[i - 1].derivative + 1)
            stretch[n++] = (fa_stretch){.state = i, .row = row};
        stretch[n - 1].n++;
    }
    return n;
}

unsigned fa_derivative_groups(const fa_state_rows *states)
{
    unsigned groups = FA_GROUP_DERIVATIVES;
    for (int i = 0; i < states->n; i++) groups |= states->of[i].derivative_group;
    return groups;
}

unsigned fa_indicator_groups(const fa_variables *variables)
{
    unsigned  groups = 0;
    const int end = variables->first[FA_INDICATOR + 1];
    for (int row = variables->first[FA_INDICATOR]; row < end; row++)
        groups |= variables->row[row].group;
    return groups;
}

// ------------------------------------------------------------------------------------- one point

double fa_trajectory_patience(int n_states)
{
    // Limit of evaluations in a communication step: ten million steps of Runge-Kutta, as many as
    // the smallest solver_step needs for 10 ms. From 16 states on, the limit decreases in
    // proportion to their number, as evaluations take longer.
    const double most = 4e7, small = 16;
    return most * fmin(1, small / fmax(1, n_states));
}

fa_status fa_trajectory_place(fa_trajectory *trajectory, double t, const double x[],
                              fa_error *error)
{
    double      *value = trajectory->value, *now = &value[trajectory->states->time];
    double      *state = value + trajectory->states->first;
    const size_t size = (size_t)trajectory->states->n * sizeof *x;
    const bool   later = *now != t;
    if (!later && memcmp(state, x, size) == 0) return FA_OK;
    *trajectory->fresh = 0;
    memcpy(state, x, size);
    *now = t;
    const fa_trajectory_owner *owner = &trajectory->owner;
    return later && owner->inputs ? owner->inputs(owner->context, t, error) : FA_OK;
}

// Appends the time of the failure to the message.
static fa_status say_when(const fa_trajectory *trajectory, fa_status status, fa_error *error)
{
    fa_explain(error, status, NULL);
    const size_t length = strlen(error->message);
    (void)snprintf(error->message + length, sizeof error->message - length, " (t = %s s)",
                   fa_number_text(trajectory->value[trajectory->states->time]).text);
    return status;
}

fa_status fa_trajectory_evaluate(fa_trajectory *trajectory, unsigned groups, fa_error *error)
{
    if ((groups & ~*trajectory->fresh) == 0) return FA_OK;
    error->message[0] = '\0'; // message of a rejected step
    const fa_status status = fa_plant_evaluate(trajectory->plant, trajectory->self,
                                               trajectory->value, groups, trajectory->fresh, error);
    return status == FA_OK ? FA_OK : say_when(trajectory, status, error);
}

void fa_trajectory_derivatives(const fa_trajectory *trajectory, double dx[])
{
    for (int i = 0; i < trajectory->n_stretches; i++) {
        const fa_stretch *part = &trajectory->stretch[i];
        memcpy(dx + part->state, trajectory->value + part->row, (size_t)part->n * sizeof *dx);
    }
}

fa_status fa_derivative_is_none(const char *name, fa_error *error)
{
    return fa_fail(error, FA_NOT_FINITE, NULL, FA_NOWHERE,
                   "'%s' is not a finite number; the inputs, states and parameters are too far "
                   "from anything that a machine does",
                   name);
}

static fa_status not_finite(const fa_trajectory *trajectory, const double dx[], fa_error *error)
{
    const fa_trajectory_owner *owner = &trajectory->owner;
    int                        i = 0;
    while (isfinite(dx[i])) i++;
    fa_derivative_is_none(owner->name(owner->context, trajectory->states->of[i].derivative), error);
    return say_when(trajectory, FA_NOT_FINITE, error);
}

fa_status fa_trajectory_take_note(fa_trajectory *trajectory, fa_error *error)
{
    const fa_plant *plant = trajectory->plant;
    if (!plant->note) return FA_OK;
    const fa_status status =
        plant->note(trajectory->self, trajectory->value, *trajectory->seen != 0, error);
    if (status != FA_OK) return say_when(trajectory, status, error);
    *trajectory->seen = 0;
    return FA_OK;
}

fa_status fa_trajectory_accept(fa_trajectory *trajectory, bool *moved, fa_error *error)
{
    const fa_plant *plant = trajectory->plant;
    *moved = false;
    if (!plant->accept) return FA_OK;
    const fa_status status = plant->accept(trajectory->self, trajectory->value, moved, error);
    if (*moved) *trajectory->fresh = 0;
    return status == FA_OK ? FA_OK : say_when(trajectory, status, error);
}

fa_status fa_trajectory_look_out(fa_trajectory *trajectory, fa_error *error)
{
    const fa_plant *plant = trajectory->plant;
    bool            seen = false;
    if (!plant->notable || *trajectory->seen) return FA_OK;
    const fa_status status = plant->notable(trajectory->self, trajectory->value, &seen, error);
    if (status != FA_OK) return say_when(trajectory, status, error);
    *trajectory->seen = seen;
    return FA_OK;
}

// -------------------------------------------------------------------------------- discrete updates

fa_status fa_trajectory_update(fa_trajectory *trajectory, fa_event *event, fa_error *error)
{
    const fa_plant *plant = trajectory->plant;
    *event = (fa_event){.initial = event->initial, .seen = *trajectory->seen != 0};
    if (!plant->event) return FA_OK;
    trajectory->spent++;
    // The plant's relations need valid rows.
    fa_status status =
        trajectory->switches ? fa_trajectory_evaluate(trajectory, FA_GROUP_ALL, error) : FA_OK;
    if (status != FA_OK) return status;
    status = plant->event(trajectory->self, trajectory->value, event, error);
    if (status != FA_OK) return say_when(trajectory, status, error);
    *trajectory->fresh = 0;
    *trajectory->seen = 0;
    *trajectory->next_event = event->timed ? event->next_time : INFINITY;
    const fa_trajectory_owner *owner = &trajectory->owner;
    if (owner->updated) owner->updated(owner->context, event);
    return FA_OK;
}

fa_status fa_trajectory_settle(fa_trajectory *trajectory, bool initial, fa_error *error)
{
    const int most = 1000; // event iterations converge in a few rounds
    fa_event  event = {.again = true, .initial = initial};
    for (int i = 0; event.again; i++) {
        if (i == most)
            return fa_fail(error, FA_UNFIT, NULL, FA_NOWHERE,
                           "the events at t = %s s cause each other without end",
                           fa_number_text(trajectory->value[trajectory->states->time]).text);
        const fa_status status = fa_trajectory_update(trajectory, &event, error);
        if (status != FA_OK) return status;
        event.initial = false;
    }
    return FA_OK;
}

fa_status fa_trajectory_note_sides(fa_trajectory *trajectory, fa_error *error)
{
    const fa_status status =
        fa_trajectory_evaluate(trajectory, trajectory->indicator_groups, error);
    const double *indicator = trajectory->value + trajectory->first_indicator;
    for (int i = 0; i < trajectory->n_indicators && status == FA_OK; i++)
        trajectory->above[i] = indicator[i] > 0;
    return status;
}

static fa_status side_changed(fa_trajectory *trajectory, bool *changed, fa_error *error)
{
    const fa_status status =
        fa_trajectory_evaluate(trajectory, trajectory->indicator_groups, error);
    const double *indicator = trajectory->value + trajectory->first_indicator;
    *changed = false;
    for (int i = 0; i < trajectory->n_indicators && status == FA_OK; i++)
        *changed |= trajectory->above[i] != (indicator[i] > 0);
    return status;
}

// Makes discrete updates if an event is due, and reads back the states.
static fa_status switch_over(fa_trajectory *trajectory, bool event, double x[], fa_error *error)
{
    fa_status status = event ? fa_trajectory_settle(trajectory, false, error) : FA_OK;
    if (status == FA_OK) status = fa_trajectory_note_sides(trajectory, error);
    memcpy(x, trajectory->value + trajectory->states->first,
           (size_t)trajectory->states->n * sizeof *x);
    return status;
}

// ----------------------------------------------------------------------- callbacks of integrators

static fa_status rhs(void *context, double t, const double x[], double dx[], fa_error *error)
{
    fa_trajectory *trajectory = context;
    fa_status      status = fa_trajectory_place(trajectory, t, x, error);
    if (status != FA_OK) return status;
    // Must not be retried with a shorter step.
    if (trajectory->asked++ == trajectory->most_asked && trajectory->most_asked > 0)
        return fa_fail(error, FA_BAD_INPUT, NULL, FA_NOWHERE,
                       "%ld evaluations of the equations of motion lead to t = %s s only",
                       trajectory->most_asked, fa_number_text(t).text);
    trajectory->spent++;
    trajectory->calls += (trajectory->derivative_groups & ~*trajectory->fresh) != 0;
    status = fa_trajectory_evaluate(trajectory, trajectory->derivative_groups, error);
    if (status != FA_OK) return status;
    fa_trajectory_derivatives(trajectory, dx);
    return fa_are_finite(dx, (size_t)trajectory->states->n) ? FA_OK
                                                            : not_finite(trajectory, dx, error);
}

static fa_status jacobian(void *context, double t, const double x[], double by_state[],
                          double by_time[], fa_error *error)
{
    fa_trajectory             *trajectory = context;
    const fa_trajectory_owner *owner = &trajectory->owner;
    const double              *rate = NULL;
    fa_status                  status = fa_trajectory_place(trajectory, t, x, error);
    if (status == FA_OK && owner->rates) status = owner->rates(owner->context, t, x, &rate, error);
    if (status == FA_OK)
        status = fa_trajectory_evaluate(trajectory, trajectory->derivative_groups, error);
    if (status != FA_OK) return status;
    trajectory->jacobians++;
    trajectory->spent += trajectory->plant->implicit ? 6 : trajectory->states->n;
    status =
        fa_plant_jacobian(trajectory->plant, trajectory->self, trajectory->states,
                          trajectory->value, rate, trajectory->direction, by_state, by_time, error);
    return status == FA_OK ? FA_OK : say_when(trajectory, status, error);
}

static fa_status crossed(void *context, double t, const double x[], bool *there, fa_error *error)
{
    fa_trajectory  *trajectory = context;
    const fa_status status = fa_trajectory_place(trajectory, t, x, error);
    trajectory->spent++;
    return status == FA_OK ? side_changed(context, there, error) : status;
}

static fa_status accepted(void *context, double t, const double x[], bool *moved, fa_error *error)
{
    fa_trajectory *trajectory = context;
    fa_status      status = fa_trajectory_place(context, t, x, error);
    if (status == FA_OK) status = fa_trajectory_accept(trajectory, moved, error);
    return status == FA_OK ? fa_trajectory_look_out(trajectory, error) : status;
}

static fa_status patient(void *context, double t, fa_error *error)
{
    const fa_trajectory *trajectory = context;
    if (trajectory->spent < trajectory->patience || trajectory->patience == 0) return FA_OK;
    return fa_fail(
        error, FA_UNFIT, NULL, FA_NOWHERE,
        "%s evaluations of the equations of motion led to t = %s s only; take shorter "
        "communication steps, a larger solver_tolerance or solver_step, or the automatic "
        "solver",
        fa_number_text(trajectory->spent).text, fa_number_text(t).text);
}

fa_problem fa_trajectory_problem(fa_trajectory *trajectory)
{
    const fa_plant *plant = trajectory->plant;
    return (fa_problem){.n = trajectory->states->n,
                        .rhs = rhs,
                        .jacobian = plant->tangent && (plant->implicit ||
                                                       fa_integrate_has_matrix(
                                                           trajectory->states->n, plant->implicit))
                                        ? jacobian
                                        : NULL,
                        .implicit = plant->implicit,
                        .plant = trajectory->self,
                        .crossed = trajectory->switches ? crossed : NULL,
                        .accepted = plant->notable || plant->accept ? accepted : NULL,
                        .patient = patient,
                        .context = trajectory,
                        .nominal = trajectory->nominal,
                        .one_step = trajectory->owner.stepped != NULL};
}

// --------------------------------------------------------------------------------------- the loop

// Calls the integrator up to the end or the next event; *event: an event is due where it stopped.
static fa_status go_on(fa_trajectory *trajectory, const fa_problem *problem, double *t, double x[],
                       bool *event, fa_error *error)
{
    const fa_trajectory_owner *owner = &trajectory->owner;
    const double               until = fmin(trajectory->end, fmax(*t, *trajectory->next_event));
    fa_status status = fa_integrate(problem, &trajectory->solver, t, until, x, trajectory->pace,
                                    trajectory->work, error);
    if (status == FA_OK) status = fa_trajectory_place(trajectory, *t, x, error);
    if (status == FA_OK && owner->stepped) status = owner->stepped(owner->context, *t, error);
    *event = false;
    if (status != FA_OK || !problem->crossed) return status;
    status = side_changed(trajectory, event, error);
    *event |= *t >= *trajectory->next_event;
    return status;
}

fa_status fa_trajectory_advance(fa_trajectory *trajectory, bool touched, double *t, double x[],
                                fa_error *error)
{
    const int        most_events = 100000; // limit of one call: more events mean chattering
    const double     begin = *t, end = trajectory->end;
    const fa_problem problem = fa_trajectory_problem(trajectory);
    bool             event = touched;
    trajectory->event = false;
    trajectory->spent = 0;
    for (int events = 0; events <= most_events; events += event) {
        fa_status status = trajectory->switches ? switch_over(trajectory, event, x, error) : FA_OK;
        if (status != FA_OK || *t >= trajectory->end) return status;
        if (event && *t > begin && trajectory->returns) return FA_OK;
        status = go_on(trajectory, &problem, t, x, &event, error);
        if (status != FA_OK) return status;
        trajectory->event = event && trajectory->leaves && (*t >= end || trajectory->returns);
        if (trajectory->event) return FA_OK;
    }
    return fa_fail(error, FA_UNFIT, NULL, FA_NOWHERE,
                   "%d events led to t = %s s only; make contacts and friction softer", most_events,
                   fa_number_text(*t).text);
}
