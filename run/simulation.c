// Integrates a plant over time, with its events.
#include "simulation.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "number.h"
#include "port.h"

// ------------------------------------------------------------------ callbacks of the trajectory

static fa_status inputs(void *context, double t, fa_error *error)
{
    const fa_simulation *s = context;
    (void)error;
    if (s->schedule->n > 0) fa_schedule_put(s->schedule, t, s->state->value);
    return FA_OK;
}

static fa_status rates(void *context, double t, const double x[], const double **rate,
                       fa_error *error)
{
    fa_simulation *s = context;
    (void)t, (void)x, (void)error;
    if (s->schedule->n == 0) return FA_OK;
    fa_schedule_rates(s->schedule, s->rate, s->states.first_input);
    *rate = s->rate;
    return FA_OK;
}

static const char *name(void *context, int row)
{
    const fa_simulation *s = context;
    return s->state->table.row[row].name;
}

// ------------------------------------------------------------------------------ beginning and end

static fa_trajectory trajectory_of(fa_simulation *s)
{
    fa_state           *state = s->state;
    const fa_variables *table = &state->table;
    const double       *value = state->value;
    return (fa_trajectory){.plant = state->plant,
                           .self = state->self,
                           .value = state->value,
                           .states = &s->states,
                           .stretch = s->stretch,
                           .n_stretches = fa_stretches(&s->states, s->stretch),
                           .nominal = s->nominal,
                           .first_indicator = table->first[FA_INDICATOR],
                           .n_indicators = fa_variables_count(table, FA_INDICATOR),
                           .derivative_groups = fa_derivative_groups(&s->states),
                           .indicator_groups = fa_indicator_groups(table),
                           .switches = fa_plant_switches(state->plant, table),
                           .solver = {.method = (int)value[FA_ROW_SOLVER],
                                      .step = value[FA_ROW_SOLVER_STEP],
                                      .tolerance = value[FA_ROW_SOLVER_TOLERANCE]},
                           .work = s->work,
                           .direction = s->direction,
                           .above = s->above,
                           .pace = &s->pace,
                           .fresh = &s->fresh,
                           .next_event = &s->next_event,
                           .seen = &s->seen,
                           .patience = fa_trajectory_patience(s->states.n),
                           .owner = {.inputs = inputs, .rates = rates, .name = name, .context = s}};
}

fa_status fa_simulation_new(fa_state *state, fa_schedule *schedule, fa_simulation *simulation,
                            fa_error *error)
{
    const fa_variables *table = &state->table;
    fa_simulation      *s = simulation;
    const int           n = fa_variables_count(table, FA_STATE);
    const size_t        states = (size_t)n + 1, rows = (size_t)table->n;
    const size_t        work = fa_integrate_work(n, state->plant->implicit);
    *s = (fa_simulation){.state = state, .schedule = schedule, .next_event = INFINITY};
    s->x = malloc(states * sizeof *s->x);
    s->nominal = malloc(states * sizeof *s->nominal);
    s->work = work > 0 || n == 0 ? malloc((work + 1) * sizeof *s->work) : NULL;
    s->direction = malloc(rows * sizeof *s->direction);
    s->rate = calloc((size_t)fa_variables_count(table, FA_INPUT) + 1, sizeof *s->rate);
    s->above = calloc((size_t)fa_variables_count(table, FA_INDICATOR) + 1, sizeof *s->above);
    s->stretch = malloc(states * sizeof *s->stretch);
    s->state_row = malloc(states * sizeof *s->state_row);
    if (!s->x || !s->nominal || !s->work || !s->direction || !s->rate || !s->above || !s->stretch ||
        !s->state_row)
        return fa_fail(error, FA_NO_MEMORY, NULL, FA_NOWHERE,
                       "there is not enough memory for %d states", n);
    s->states = fa_variables_states(table, s->state_row);
    for (int i = 0; i < n; i++) {
        const double nominal = table->row[s->states.first + i].nominal;
        s->nominal[i] = nominal > 0 ? nominal : 1;
    }
    s->trajectory = trajectory_of(s);
    return FA_OK;
}

void fa_simulation_restart(fa_simulation *simulation)
{
    fa_simulation *s = simulation;
    s->t = 0;
    s->pace = (fa_pace){0};
    s->next_event = INFINITY;
    s->fresh = 0;
    s->seen = 0;
    s->begun = false;
    s->trajectory = trajectory_of(s);
}

void fa_simulation_free(fa_simulation *simulation)
{
    free(simulation->x);
    free(simulation->nominal);
    free(simulation->work);
    free(simulation->direction);
    free(simulation->rate);
    free(simulation->above);
    free(simulation->stretch);
    free(simulation->state_row);
}

// -------------------------------------------------------------------------------------- stepping

void fa_simulation_place(fa_simulation *simulation, double t, const double x[])
{
    (void)fa_trajectory_place(&simulation->trajectory, t, x, NULL); // a schedule never fails
}

void fa_simulation_derivatives(const fa_simulation *simulation, double dx[])
{
    fa_trajectory_derivatives(&simulation->trajectory, dx);
}

fa_problem fa_simulation_problem(fa_simulation *simulation)
{
    fa_problem problem = fa_trajectory_problem(&simulation->trajectory);
    problem.patient = NULL; // no call of the trajectory bounds its evaluations
    return problem;
}

// Enters the schedule's interval at the current time, and sets the inputs.
static void enter(fa_simulation *s)
{
    fa_schedule_enter(s->schedule, s->t);
    if (s->schedule->n > 0) fa_schedule_put(s->schedule, s->t, s->state->value);
    s->fresh = 0;
}

// Initialises the ports of cylinders: without a partner, the input is the force.
static fa_status show_ports(fa_simulation *s, fa_error *error)
{
    fa_port   port[FA_CYLINDER_MAX];
    const int n = fa_ports_find(&s->state->table, port, NULL);
    return fa_ports_show(&s->trajectory, port, n, error);
}

// Runs the discrete updates at the current time; they may change states.
static fa_status settle(fa_simulation *s, fa_error *error)
{
    fa_status status = fa_trajectory_settle(&s->trajectory, !s->begun, error);
    if (status == FA_OK && !s->begun) status = show_ports(s, error);
    s->begun = true;
    if (status == FA_OK) status = fa_trajectory_note_sides(&s->trajectory, error);
    memcpy(s->x, s->state->value + s->states.first, (size_t)s->states.n * sizeof *s->x);
    return status;
}

fa_status fa_simulation_begin(fa_simulation *simulation, double t, fa_error *error)
{
    fa_simulation *s = simulation;
    memcpy(s->x, s->state->value + s->states.first, (size_t)s->states.n * sizeof *s->x);
    s->t = t;
    s->state->value[s->states.time] = t;
    enter(s);
    return s->begun && !s->trajectory.switches ? FA_OK : settle(s, error);
}

fa_status fa_simulation_settle(fa_state *state, fa_error *error)
{
    fa_schedule   nothing = {0};
    fa_simulation s;
    fa_status     status = fa_simulation_new(state, &nothing, &s, error);
    if (status == FA_OK) status = fa_simulation_begin(&s, state->value[s.states.time], error);
    fa_simulation_free(&s);
    return status;
}

fa_status fa_simulation_advance(fa_simulation *simulation, double end, fa_error *error)
{
    fa_simulation *s = simulation;
    fa_status      status = FA_OK;
    while (s->t < end && status == FA_OK) {
        const double jump = fa_schedule_next(s->schedule, s->t);
        s->trajectory.end = fmin(end, jump);
        status = fa_trajectory_advance(&s->trajectory, false, &s->t, s->x, error);
        if (status != FA_OK || s->t < jump) continue;
        enter(s);
        if (s->trajectory.switches) status = settle(s, error);
    }
    return status;
}

fa_status fa_simulation_show(fa_simulation *simulation, double t, const double x[], unsigned groups,
                             fa_error *error)
{
    fa_trajectory *trajectory = &simulation->trajectory;
    fa_simulation_place(simulation, t, x);
    const fa_status status = fa_trajectory_evaluate(trajectory, groups, error);
    return status == FA_OK ? fa_trajectory_take_note(trajectory, error) : status;
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
    // The last interval may be shorter, but not by rounding alone.
    *lines = ceil(stop / step * (1 - 1e-12));
    if (!(stop / step > most)) return FA_OK;
    return fa_fail(error, FA_UNFIT, NULL, FA_NOWHERE,
                   "%s s in steps of %s s are more lines than any disk holds; take a longer --step",
                   fa_number_text(stop).text, fa_number_text(step).text);
}
