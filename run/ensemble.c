// Runs many simulations, and batches those of equal structure.
#include "ensemble.h"

#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "arm_together.h"
#include "lanes.h"
#include "lockstep.h"
#include "simulation.h"

// Batch size: it fills the widest vector registers a few times, and its data fit into the nearest
// cache.
enum { PLACES = 16 };

// A slot of the batch. It computes one run after another.
typedef struct place {
    fa_lane       lane;  // first member: converts fa_lane * to place *
    fa_state      state; // created at the first use of the slot
    fa_simulation simulation;
    fa_problem    problem;
    fa_run       *run;      // NULL: the slot is free
    double        line;     // index of the next sample
    bool          together; // the batch evaluates its accelerations
} place;

typedef struct crew {
    const fa_plan *plan;
    fa_schedule    nothing; // empty schedule: all inputs are constant
    fa_arms       *arms;    // NULL: the plant is not an arm
    place          place[PLACES];
    fa_question    question[PLACES], *asked[PLACES];
    fa_arm        *arm[PLACES];
    double        *value[PLACES];
    bool           answered[PLACES];
} crew;

// ------------------------------------------------------------------------------------ derivatives

// Computes derivatives: in a batch for arms that move the same bodies, otherwise one by one.
static void answer(void *context, int n, fa_question question[])
{
    crew *c = context;
    int   together = 0;
    for (int i = 0; i < n; i++) {
        fa_question *q = &question[i];
        place       *p = (place *)q->lane;
        if (!p->together) {
            q->status = p->problem.rhs(p->problem.context, q->t, q->x, q->dx, &q->lane->error);
            continue;
        }
        fa_simulation_place(&p->simulation, q->t, q->x);
        c->asked[together] = q;
        c->arm[together] = p->state.self;
        c->value[together++] = p->state.value;
    }
    if (together > 0) fa_arms_evaluate(c->arms, together, c->arm, c->value, c->answered);
    for (int i = 0; i < together; i++) {
        fa_question *q = c->asked[i];
        const place *p = (const place *)q->lane;
        if (c->answered[i])
            fa_simulation_derivatives(&p->simulation, q->dx);
        else
            q->status = p->problem.rhs(p->problem.context, q->t, q->x, q->dx, &q->lane->error);
    }
}

// ------------------------------------------------------------------------------------- one motion

double fa_plan_time(const fa_plan *plan, double line)
{
    return line < plan->keeping->lines ? line * plan->step : plan->stop;
}

static fa_status keep(const fa_plan *plan, place *p, double t, const double x[], fa_error *error)
{
    fa_status status = fa_simulation_show(&p->simulation, t, x, plan->keeping->groups, error);
    if (status != FA_OK) return status;
    plan->limits->run = p->run->number;
    fa_limits_look(plan->limits, t, p->state.value);
    fa_keeping_add(plan->keeping, p->state.value, p->line++, p->run->kept);
    return FA_OK;
}

// Sets the start values of the run: those of the plan, then its own.
static fa_status take_values(const fa_plan *plan, place *p, fa_error *error)
{
    fa_state *state = &p->state;
    memcpy(state->value, plan->state->value, (size_t)state->table.n * sizeof *state->value);
    for (int i = 0; i < plan->n_columns; i++) {
        const double    given = p->run->given[i];
        const fa_place  at = p->run->place ? p->run->place[i] : FA_NOWHERE;
        const fa_status status = fa_state_accept(state, plan->row[i], given, plan->file, at, error);
        if (status != FA_OK) return status;
        state->value[plan->row[i]] = given;
    }
    fa_state_start(state);
    return fa_state_configure(state, error);
}

static bool goes_alone(const fa_plan *plan, const place *p)
{
    const int method = p->simulation.trajectory.solver.method;
    return plan->alone || p->problem.crossed || isfinite(p->simulation.next_event) ||
           method == FA_SOLVER_KUTTA3 || method == FA_SOLVER_RUNGE_KUTTA4 || p->problem.n == 0;
}

static fa_status go_alone(const fa_plan *plan, place *p, fa_error *error)
{
    fa_status status = FA_OK;
    while (p->line <= plan->keeping->lines && status == FA_OK) {
        const double t = fa_plan_time(plan, p->line);
        status = fa_simulation_advance(&p->simulation, t, error);
        if (status == FA_OK) status = keep(plan, p, t, p->simulation.x, error);
    }
    return status;
}

// Starts the run of this slot; *goes_on is false if the run is already finished.
static fa_status set_out(crew *c, place *p, bool *goes_on, fa_error *error)
{
    const fa_plan *plan = c->plan;
    fa_simulation *s = &p->simulation;
    p->line = 0;
    *goes_on = false;
    fa_simulation_free(s);
    *s = (fa_simulation){0};
    fa_status status = p->state.plant ? FA_OK : fa_state_new(plan->robot, &p->state, error);
    if (status == FA_OK) status = take_values(plan, p, error);
    if (status == FA_OK) status = fa_simulation_new(&p->state, &c->nothing, s, error);
    if (status == FA_OK) status = fa_simulation_begin(s, 0, error);
    if (status == FA_OK) status = keep(plan, p, 0, s->x, error);
    if (status != FA_OK) return status;
    p->problem = fa_simulation_problem(s);
    if (goes_alone(plan, p)) return go_alone(plan, p, error);
    *goes_on = true;
    return FA_OK;
}

// Starts the run of this slot in lockstep with others.
static fa_status begin(crew *c, place *p, bool *goes_on, fa_error *error)
{
    fa_simulation  *s = &p->simulation;
    const fa_plan  *plan = c->plan;
    const fa_status status = set_out(c, p, goes_on, error);
    if (status != FA_OK || !*goes_on) return status;
    p->together = c->arms && fa_arms_fit(c->arms, p->state.self, p->state.value);
    p->lane.status = FA_OK;
    p->lane.accepted = false;
    p->lane.error = fa_no_error();
    fa_steps_begin(&p->lane.steps, &p->problem, &s->trajectory.solver, &s->t, plan->stop, s->x,
                   &s->pace, s->work);
    return FA_OK;
}

// Keeps the samples up to the end of the last step.
static fa_status keep_passed(const fa_plan *plan, place *p, fa_error *error)
{
    fa_steps *steps = &p->lane.steps;
    fa_trial *trial = &steps->trial;
    for (; p->line <= plan->keeping->lines;
         // `count` restarts after each sample.
         steps->count = 0) {
        const double t = fa_plan_time(plan, p->line);
        if (t > trial->t1) break;
        fa_status status = t < trial->t1 ? steps->scheme->between(trial, t, error) : FA_OK;
        if (status == FA_OK)
            status = keep(plan, p, t, t < trial->t1 ? trial->point : trial->at, error);
        if (status != FA_OK) return status;
    }
    return FA_OK;
}

// ------------------------------------------------------------------------------------ all of them

// Returns true for a failure of the whole ensemble, not of one run alone.
static bool is_fatal(fa_status status)
{
    return status == FA_NO_MEMORY || status == FA_IO;
}

static void finish(place *p, fa_status status)
{
    if (status == FA_OK) p->run->error = fa_no_error(); // an error of a rejected step
    (void)fa_explain(&p->run->error, status, NULL);
    p->run->finished = true;
    p->run = NULL;
}

// Fills a free slot with a run that takes at least one step; finishes runs that end before.
static fa_status fill(crew *c, place *p, fa_next_fn *next, void *context, fa_error *error)
{
    while (!p->run) {
        bool      goes_on;
        fa_status status = next(context, &p->run, error);
        if (status != FA_OK || !p->run) return status;
        p->run->error = fa_no_error();
        status = begin(c, p, &goes_on, &p->run->error);
        if (is_fatal(status)) *error = p->run->error;
        if (is_fatal(status)) return status;
        if (!goes_on) finish(p, status);
    }
    return FA_OK;
}

static void look_at(const fa_plan *plan, place *p)
{
    fa_status status = p->lane.status;
    if (status != FA_OK) p->run->error = p->lane.error;
    if (status == FA_OK && p->lane.accepted) status = keep_passed(plan, p, &p->run->error);
    if (status != FA_OK || p->line > plan->keeping->lines) finish(p, status);
}

static fa_status work(crew *c, fa_next_fn *next, void *context, fa_error *error)
{
    for (;;) {
        fa_lane *lane[PLACES];
        int      n = 0;
        for (int i = 0; i < PLACES; i++) {
            place          *p = &c->place[i];
            const fa_status status = fill(c, p, next, context, error);
            if (status != FA_OK) return status;
            if (p->run) lane[n++] = &p->lane;
        }
        if (n == 0) return FA_OK;
        fa_lockstep(n, lane, answer, c, c->question);
        for (int i = 0; i < n; i++) look_at(c->plan, (place *)lane[i]);
    }
}

// --------------------------------------------------------------------------------------- in lanes

// Context of runs whose right-hand side is evaluated in SIMD lanes; slot i is lane i.
typedef struct lane_work {
    crew       *crew;
    fa_next_fn *next;
    void       *context;
    fa_status   status; // failure of the whole ensemble
    fa_error   *error;
    bool        every;                    // every sample is kept, not only the last
    double      bound[2][FA_LANES_SHOWN]; // limits of the states, for the next run
} lane_work;

// Sets the limits of the states. Between kept samples, the lanes pass on only samples beyond a
// limit.
static void find_bounds(lane_work *w, const double value[], int first_state, int n)
{
    const fa_limits *limits = w->crew->plan->limits;
    for (int i = 0; i < n; i++) {
        w->bound[0][i] = -INFINITY;
        w->bound[1][i] = INFINITY;
    }
    for (int i = 0; i < limits->n; i++) {
        const fa_limited_joint *rows = &limits->of[i].rows;
        const int               at = rows->position - first_state;
        if (at < 0 || at >= n) continue;
        if (rows->lower != FA_NO_ROW) w->bound[0][at] = value[rows->lower];
        if (rows->upper != FA_NO_ROW) w->bound[1][at] = value[rows->upper];
    }
}

static bool next_in_lane(void *context, int lane, fa_lane_start *start)
{
    lane_work     *w = context;
    place         *p = &w->crew->place[lane];
    const fa_plan *plan = w->crew->plan;
    bool           goes_on = false;
    while (!goes_on) {
        w->status = w->status == FA_OK ? w->next(w->context, &p->run, w->error) : w->status;
        if (w->status != FA_OK || !p->run) return false;
        p->run->error = fa_no_error();
        const fa_status status = set_out(w->crew, p, &goes_on, &p->run->error);
        if (is_fatal(status)) {
            *w->error = p->run->error;
            w->status = status;
            return false;
        }
        if (!goes_on) finish(p, status);
    }
    const fa_simulation *s = &p->simulation;
    const fa_solver     *solver = &s->trajectory.solver;
    find_bounds(w, p->state.value, s->states.first, s->states.n);
    *start = (fa_lane_start){.arm = p->state.self,
                             .value = p->state.value,
                             .x = s->x,
                             .t = s->t,
                             .stop = plan->stop,
                             .tolerance = solver->tolerance,
                             .automatic = solver->method == FA_SOLVER_AUTOMATIC,
                             .first = p->line,
                             .last = plan->keeping->lines,
                             .apart = plan->step,
                             .every = w->every,
                             .lower = w->bound[0],
                             .upper = w->bound[1]};
    return true;
}

static bool sample_in_lane(void *context, int lane, double number, const double shown[])
{
    const lane_work *w = context;
    const fa_plan   *plan = w->crew->plan;
    place           *p = &w->crew->place[lane];
    p->line = number;
    (void)keep(plan, p, fa_plan_time(plan, number), shown, &p->run->error);
    return p->run->error.status == FA_OK;
}

// Ends the run of a lane. One that cannot continue in lanes continues alone.
static void end_in_lane(void *context, int lane, fa_status status, double t, const double x[],
                        double step)
{
    const lane_work *w = context;
    place           *p = &w->crew->place[lane];
    fa_simulation   *s = &p->simulation;
    if (p->run->error.status != FA_OK) {
        finish(p, p->run->error.status);
        return;
    }
    if (status != FA_OK) {
        while (p->line <= w->crew->plan->keeping->lines &&
               fa_plan_time(w->crew->plan, p->line) <= t)
            p->line++; // skips the samples already passed
        memcpy(p->state.value + s->states.first, x, (size_t)s->states.n * sizeof *x);
        s->pace.step = step;
        status = fa_simulation_begin(s, t, &p->run->error);
        if (status == FA_OK) status = go_alone(w->crew->plan, p, &p->run->error);
    }
    finish(p, status);
}

// The states' data for lanes, in memory of its own: nominal values, row numbers.
typedef struct lane_states {
    fa_state_row *row;
    double       *nominal;
    int          *number;
} lane_states;

static void free_lane_states(lane_states *of)
{
    free(of->row);
    free(of->nominal);
    free(of->number);
}

// Returns true if every run may use the explicit method with error control, which lanes have;
// methods with fixed steps go alone.
static bool is_explicit(const fa_plan *plan)
{
    bool so = plan->state->value[FA_ROW_SOLVER] != FA_SOLVER_ROSENBROCK;
    for (int i = 0; i < plan->n_columns; i++) so = so && plan->row[i] != FA_ROW_SOLVER;
    return so;
}

// Runs the ensemble in SIMD lanes; *done is false if the plant has no right-hand side in lanes.
static fa_status work_in_lanes(crew *c, fa_next_fn *next, void *context, bool *done,
                               fa_error *error)
{
    const fa_state   *state = c->plan->state;
    const int         n = fa_variables_count(&state->table, FA_STATE);
    const size_t      size = (size_t)n + 1;
    lane_work         w = {.crew = c, .next = next, .context = context, .error = error};
    const fa_keeping *keeping = c->plan->keeping;
    w.every = keeping->all;
    for (int i = 0; i < keeping->n_words; i++)
        w.every |= keeping->word[i] != FA_KEEP_FIRST && keeping->word[i] != FA_KEEP_LAST;
    *done = false;
    if (c->plan->alone || state->plant != &fa_arm_plant || n > FA_LANES_SHOWN ||
        !is_explicit(c->plan))
        return FA_OK;
    lane_states         of = {malloc(size * sizeof *of.row), malloc(size * sizeof *of.nominal),
                              malloc(size * sizeof *of.number)};
    const fa_arm       *arm = state->self;
    const bool          memory = of.row && of.nominal && of.number;
    const fa_state_rows states =
        memory ? fa_variables_states(&state->table, of.row) : (fa_state_rows){0};
    for (int i = 0; i < n && memory; i++) {
        const double nominal = state->table.row[states.first + i].nominal;
        of.nominal[i] = nominal > 0 ? nominal : 1;
        of.number[i] = i;
    }
    const fa_lane_plan plan = {.like = arm,
                               .value = state->value,
                               .states = &states,
                               .nominal = of.nominal,
                               .changed = c->plan->row,
                               .n_changed = c->plan->n_columns,
                               .shown = of.number,
                               .n_shown = n,
                               .deterministic = state->value[arm->row[FA_ARM_DETERMINISTIC]] != 0};
    fa_status          status = memory ? FA_OK : FA_NO_MEMORY;
    if (memory && fa_lanes_take(&plan)) {
        void *block = malloc(fa_lanes_size(&plan) + 64);
        if (block) {
            const uintptr_t      past = (uintptr_t)block % 64;
            fa_lanes            *lanes = fa_lanes_place((char *)block + (64 - past), &plan);
            const fa_lane_driver driver = {next_in_lane, sample_in_lane, end_in_lane, &w};
            fa_lanes_run(lanes, &driver);
            *done = true;
        }
        status = block ? w.status : FA_NO_MEMORY;
        free(block);
    }
    free_lane_states(&of);
    return status;
}

static fa_status no_memory(fa_error *error)
{
    return fa_fail(error, FA_NO_MEMORY, NULL, FA_NOWHERE,
                   "there is not enough memory for so many motions at once");
}

static fa_status prepare(crew *c, fa_error *error)
{
    const fa_state *state = c->plan->state;
    if (state->plant != &fa_arm_plant) return FA_OK;
    void *memory = malloc(fa_arms_size(state->self, PLACES));
    if (!memory) return no_memory(error);
    c->arms = fa_arms_place(memory, state->self, state->value, PLACES);
    return FA_OK;
}

fa_status fa_ensemble(const fa_plan *plan, fa_next_fn *next, void *context, fa_error *error)
{
    crew *c = calloc(1, sizeof *c);
    if (!c) return no_memory(error);
    c->plan = plan;
    bool      done = false;
    fa_status status = work_in_lanes(c, next, context, &done, error);
    if (status == FA_NO_MEMORY && !done) status = no_memory(error);
    if (status == FA_OK && !done) status = prepare(c, error);
    if (status == FA_OK && !done) status = work(c, next, context, error);
    for (int i = 0; i < PLACES; i++) {
        fa_simulation_free(&c->place[i].simulation);
        fa_state_free(&c->place[i].state);
    }
    free(c->arms);
    free(c);
    return status;
}
