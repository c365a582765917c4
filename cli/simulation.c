#include "simulation.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "number.h"
#include "plant_jacobian.h"

// ------------------------------------------------------------------------------------ equations

void fa_simulation_place(fa_simulation *s, double t, const double x[])
{
    const fa_variables *table = &s->state->table;
    double             *value = s->state->value;
    value[s->time_row] = t;
    memcpy(value + table->first[FA_STATE], x,
           (size_t)fa_variables_count(table, FA_STATE) * sizeof *x);
    if (s->schedule->n > 0) fa_schedule_put(s->schedule, t, value);
}

static fa_status evaluate(fa_simulation *s, double t, unsigned groups, fa_error *error)
{
    fa_status status =
        fa_plant_evaluate(s->state->plant, s->state->self, s->state->value, groups, NULL, error);
    if (status == FA_OK) return FA_OK;
    size_t length = strlen(error->message);
    snprintf(error->message + length, sizeof error->message - length, " (t = %s s)",
             fa_number_text(t).text);
    return status;
}

void fa_simulation_derivatives(const fa_simulation *simulation, double dx[])
{
    const fa_state_rows *states = &simulation->states;
    for (int i = 0; i < states->n; i++) dx[i] = simulation->state->value[states->of[i].derivative];
}

static fa_status rhs(void *context, double t, const double x[], double dx[], fa_error *error)
{
    fa_simulation *s = context;
    fa_simulation_place(s, t, x);
    // Of a kind that no shorter step gets round.
    if (s->evaluations++ == s->patience && s->patience > 0)
        return fa_fail(error, FA_BAD_INPUT, NULL, FA_NOWHERE,
                       "%ld evaluations of the equations of motion lead to t = %s s only",
                       s->patience, fa_number_text(t).text);
    fa_status status = evaluate(s, t, FA_GROUP_DERIVATIVES, error);
    if (status != FA_OK) return status;
    fa_simulation_derivatives(s, dx);
    return FA_OK;
}

static fa_status jacobian(void *context, double t, const double x[], double by_state[],
                          double by_time[], fa_error *error)
{
    fa_simulation      *s = context;
    const fa_variables *table = &s->state->table;
    fa_simulation_place(s, t, x);
    fa_status status = evaluate(s, t, FA_GROUP_DERIVATIVES, error);
    if (status != FA_OK) return status;
    if (s->schedule->n > 0) fa_schedule_rates(s->schedule, s->rate, table->first[FA_INPUT]);
    return fa_plant_jacobian(s->state->plant, s->state->self, &s->states, s->state->value, s->rate,
                             s->direction, by_state, by_time, error);
}

static fa_status crossed(void *context, double t, const double x[], bool *there, fa_error *error)
{
    fa_simulation *s = context;
    fa_simulation_place(s, t, x);
    return fa_switching_due(&s->switching, there, error);
}

static fa_status accepted(void *context, double t, const double x[], fa_error *error)
{
    fa_simulation *s = context;
    fa_simulation_place(s, t, x);
    return s->state->plant->note(s->state->self, s->state->value, error);
}

// -------------------------------------------------------------------------------------- stepping

fa_status fa_simulation_new(fa_state *state, fa_schedule *schedule, fa_simulation *simulation,
                            fa_error *error)
{
    const fa_variables *table = &state->table;
    const double       *value = state->value;
    int                 first = table->first[FA_STATE], n = fa_variables_count(table, FA_STATE);
    *simulation = (fa_simulation){.state = state,
                                  .schedule = schedule,
                                  .solver = {.method = (int)value[FA_ROW_SOLVER],
                                             .step = value[FA_ROW_SOLVER_STEP],
                                             .tolerance = value[FA_ROW_SOLVER_TOLERANCE]},
                                  .time_row = table->first[FA_TIME]};
    fa_status status = fa_switching_new(state, &simulation->switching, error);
    if (status != FA_OK) return status;
    simulation->x = malloc(((size_t)n + 1) * sizeof(double));
    simulation->nominal = malloc(((size_t)n + 1) * sizeof(double));
    const size_t work = fa_integrate_work(n, state->plant->implicit);
    simulation->work = work > 0 || n == 0 ? malloc((work + 1) * sizeof(double)) : NULL;
    simulation->direction = malloc((size_t)table->n * sizeof(double));
    simulation->rate = calloc((size_t)fa_variables_count(table, FA_INPUT) + 1, sizeof(double));
    simulation->state_row = malloc(((size_t)n + 1) * sizeof *simulation->state_row);
    if (!simulation->x || !simulation->nominal || !simulation->work || !simulation->direction ||
        !simulation->rate || !simulation->state_row)
        return fa_fail(error, FA_NO_MEMORY, NULL, FA_NOWHERE,
                       "there is not enough memory for %d states", n);
    simulation->states = fa_variables_states(table, simulation->state_row);
    for (int i = 0; i < n; i++) {
        double nominal = table->row[first + i].nominal;
        simulation->nominal[i] = nominal > 0 ? nominal : 1;
    }
    return FA_OK;
}

void fa_simulation_free(fa_simulation *simulation)
{
    free(simulation->x);
    free(simulation->nominal);
    free(simulation->work);
    free(simulation->direction);
    free(simulation->rate);
    free(simulation->state_row);
    fa_switching_free(&simulation->switching);
}

// Discrete updates at the time reached, after which states may be elsewhere.
static fa_status settle(fa_simulation *s, fa_error *error)
{
    const fa_variables *table = &s->state->table;
    fa_simulation_place(s, s->t, s->x);
    fa_status status = fa_switching_settle(&s->switching, error);
    memcpy(s->x, s->state->value + table->first[FA_STATE],
           (size_t)fa_variables_count(table, FA_STATE) * sizeof *s->x);
    return status;
}

fa_status fa_simulation_begin(fa_simulation *simulation, double t, fa_error *error)
{
    const fa_variables *table = &simulation->state->table;
    memcpy(simulation->x, simulation->state->value + table->first[FA_STATE],
           (size_t)fa_variables_count(table, FA_STATE) * sizeof *simulation->x);
    simulation->t = t;
    fa_schedule_enter(simulation->schedule, t);
    return settle(simulation, error);
}

fa_problem fa_simulation_problem(fa_simulation *simulation)
{
    return (fa_problem){.n = fa_variables_count(&simulation->state->table, FA_STATE),
                        .rhs = rhs,
                        .jacobian = jacobian,
                        .implicit = simulation->state->plant->implicit,
                        .plant = simulation->state->self,
                        .crossed = simulation->switching.switches ? crossed : NULL,
                        .accepted = simulation->state->plant->note ? accepted : NULL,
                        .context = simulation,
                        .nominal = simulation->nominal};
}

fa_status fa_simulation_advance(fa_simulation *simulation, double end, fa_error *error)
{
    fa_simulation   *s = simulation;
    const fa_problem problem = fa_simulation_problem(s);
    while (s->t < end) {
        double    jump = fa_schedule_next(s->schedule, s->t);
        double    part = fmin(end, fmin(jump, fmax(s->t, s->switching.next_event)));
        bool      due = false;
        fa_status status =
            fa_integrate(&problem, &s->solver, &s->t, part, s->x, &s->pace, s->work, error);
        if (status == FA_OK && problem.crossed) status = crossed(s, s->t, s->x, &due, error);
        if (status != FA_OK) return status;
        due |= s->t >= s->switching.next_event;
        if (s->t >= jump || s->t >= end) fa_schedule_enter(s->schedule, s->t);
        if (problem.crossed && (due || s->t >= jump)) status = settle(s, error);
        if (status != FA_OK) return status;
    }
    return FA_OK;
}

fa_status fa_simulation_show(fa_simulation *simulation, double t, const double x[], unsigned groups,
                             fa_error *error)
{
    const fa_state *state = simulation->state;
    fa_simulation_place(simulation, t, x);
    const fa_status status = evaluate(simulation, t, groups, error);
    if (status != FA_OK || !state->plant->note) return status;
    return state->plant->note(state->self, state->value, error);
}

double fa_simulation_due(const fa_simulation *simulation, double t, double step)
{
    double slack = 1e-9 * step;
    double jump = fa_schedule_next(simulation->schedule, t - slack);
    return jump <= t + slack ? jump : t;
}

fa_status fa_simulation_lines(double stop, double step, double *lines, fa_error *error)
{
    const double most = 1e12;
    *lines = ceil(stop / step * (1 - 1e-12)); // the last stretch is shorter, beyond rounding
    if (!(stop / step > most)) return FA_OK;
    return fa_fail(error, FA_UNFIT, NULL, FA_NOWHERE,
                   "%s s in steps of %s s are more lines than any disk holds; take a longer --step",
                   fa_number_text(stop).text, fa_number_text(step).text);
}
