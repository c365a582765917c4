// Runs many simulations, batched where their structure is the same.
#include "ensemble.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "arm_together.h"
#include "lockstep.h"
#include "simulation.h"

// As many as fill the widest registers a few times, and find room in the nearest memory.
enum { PLACES = 16 };

// Where one run after the other is computed.
typedef struct place {
    fa_lane       lane;  // comes first: a lane's address is its place's
    fa_state      state; // made when the place is first used
    fa_simulation simulation;
    fa_problem    problem;
    fa_run       *run;      // NULL: it is free
    double        line;     // the next sample
    bool          together; // accelerations are found with those of others
} place;

typedef struct crew {
    const fa_plan *plan;
    fa_schedule    nothing; // moves no input
    fa_arms       *arms;    // NULL: the plant is no arm
    place          place[PLACES];
    fa_question    question[PLACES], *asked[PLACES];
    fa_arm        *arm[PLACES];
    double        *value[PLACES];
    bool           answered[PLACES];
} crew;

// ------------------------------------------------------------------------------------ derivatives

// Those of arms that move the same bodies together, all others one by one.
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

// The start values of the run: those of the plan, and its own.
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

// To the beginning of the run in this place; *goes_on is false where it has come to its end.
static fa_status begin(crew *c, place *p, bool *goes_on, fa_error *error)
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
    p->together = c->arms && fa_arms_fit(c->arms, p->state.self, p->state.value);
    p->lane.status = FA_OK;
    p->lane.accepted = false;
    p->lane.error = fa_no_error();
    fa_steps_begin(&p->lane.steps, &p->problem, &s->trajectory.solver, &s->t, plan->stop, s->x,
                   &s->pace, s->work);
    return FA_OK;
}

// The samples that the last step has come past.
static fa_status keep_passed(const fa_plan *plan, place *p, fa_error *error)
{
    fa_steps *steps = &p->lane.steps;
    fa_trial *trial = &steps->trial;
    for (; p->line <= plan->keeping->lines;
         steps->count = 0) { // which is meant from one to the next
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

// Whether it is more than one run that has failed.
static bool is_fatal(fa_status status)
{
    return status == FA_NO_MEMORY || status == FA_IO;
}

static void finish(place *p, fa_status status)
{
    if (status == FA_OK) p->run->error = fa_no_error(); // of a step that was taken again
    (void)fa_explain(&p->run->error, status, NULL);
    p->run->finished = true;
    p->run = NULL;
}

// A run that takes some steps; those that end before are finished.
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
    fa_status status = prepare(c, error);
    if (status == FA_OK) status = work(c, next, context, error);
    for (int i = 0; i < PLACES; i++) {
        fa_simulation_free(&c->place[i].simulation);
        fa_state_free(&c->place[i].state);
    }
    free(c->arms);
    free(c);
    return status;
}
