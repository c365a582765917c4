// Motions of one robot, side by side in lanes where they fit.
#include "courses.h"

#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "arm.h"
#include "arm_dynamics.h"
#include "workspace.h"

static fa_status no_memory(fa_error *error)
{
    return fa_fail(error, FA_NO_MEMORY, NULL, FA_NOWHERE,
                   "there is not enough memory for so many motions at once");
}

// ------------------------------------------------------------------------------------ their memory

static fa_status make(const fa_robot *robot, fa_courses *c, fa_error *error)
{
    for (size_t k = 0; k < c->n; k++) {
        fa_course *one = &c->of[k];
        one->fault = fa_no_error();
        fa_status status =
            fa_state_of_plant(fa_arm_plant_for(robot, false), robot, &one->state, error);
        if (status == FA_OK)
            status = fa_simulation_new(&one->state, &one->no_changes, &one->simulation, error);
        if (status != FA_OK) return status;
    }
    return FA_OK;
}

fa_status fa_courses_new(const fa_robot *robot, size_t n, int n_rows, const int row[],
                         fa_courses *courses, fa_error *error)
{
    fa_courses *c = courses;
    *c = (fa_courses){.n = n, .row = row, .n_rows = n_rows};
    c->of = calloc(n + 1, sizeof *c->of);
    if (!c->of) return no_memory(error);
    const fa_status status = make(robot, c, error);
    if (status != FA_OK || n == 0) return status;
    const fa_state     *state = &c->of[0].state;
    const fa_variables *table = &state->table;
    c->is_mechanism = fa_robot_is_mechanism(robot);
    c->n_states = fa_variables_count(table, FA_STATE);
    c->n_joints = fa_robot_freedom(robot);
    c->n_positions = fa_robot_position_count(robot);
    const size_t states = (size_t)c->n_states + 1, joints = (size_t)c->n_joints;
    c->base = malloc((size_t)table->n * sizeof *c->base);
    c->input = malloc((joints + 1) * sizeof *c->input);
    c->state_row = malloc(states * sizeof *c->state_row);
    c->nominal = malloc(states * sizeof *c->nominal);
    c->shown = malloc(states * sizeof *c->shown);
    c->changed = malloc(((size_t)n_rows + joints + 1) * sizeof *c->changed);
    c->position = malloc(((size_t)c->n_positions + 1) * sizeof *c->position);
    c->speed = malloc((joints + 1) * sizeof *c->speed);
    if (!c->base || !c->input || !c->state_row || !c->nominal || !c->shown || !c->changed ||
        !c->position || !c->speed)
        return no_memory(error);
    memcpy(c->base, state->value, (size_t)table->n * sizeof *c->base);
    fa_motion_rows_find(robot, table, c->position, c->speed);
    for (int i = 0; i < c->n_joints; i++) c->input[i] = c->speed[i].effort;
    return FA_OK;
}

void fa_courses_free(fa_courses *courses)
{
    for (size_t k = 0; courses->of && k < courses->n; k++) {
        fa_simulation_free(&courses->of[k].simulation);
        fa_state_free(&courses->of[k].state);
    }
    free(courses->block);
    free(courses->of);
    free(courses->base);
    free(courses->input);
    free(courses->state_row);
    free(courses->nominal);
    free(courses->shown);
    free(courses->changed);
    free(courses->position);
    free(courses->speed);
}

// Returns true if number i is the same in all rows of the table.
static bool agree(const double value[], size_t runs, size_t columns, size_t i)
{
    bool same = true;
    for (size_t k = 1; k < runs; k++) same = same && value[k * columns + i] == value[i];
    return same;
}

static fa_lane_plan plan_of(fa_courses *c, size_t runs, const double value[])
{
    const fa_state *state = &c->of[0].state;
    const fa_arm   *arm = state->self;
    fa_lane_plan    plan = fa_plan_of(state, &c->states, c->state_row, c->nominal);
    int             n = 0;
    for (int i = 0; i < c->n_rows; i++)
        if (c->row[i] != arm->row[FA_ARM_DETERMINISTIC] ||
            !agree(value, runs, (size_t)c->n_rows, (size_t)i))
            c->changed[n++] = c->row[i];
    for (int i = 0; i < c->n_joints; i++)
        if (c->input[i] != FA_NO_ROW) c->changed[n++] = c->input[i];
    for (int i = 0; i < c->n_states; i++) c->shown[i] = i;
    plan.changed = c->changed;
    plan.n_changed = n;
    plan.shown = c->shown;
    plan.n_shown = c->n_states;
    return plan;
}

static fa_lanes *lanes_of(const fa_courses *c, int thread)
{
    enum { ALIGNMENT = 64 };
    char *first = c->block + (ALIGNMENT - (uintptr_t)c->block % ALIGNMENT);
    return (fa_lanes *)(void *)(first + (size_t)thread * c->lane_size);
}

// Returns true if all runs take the explicit method with error control, which lanes have.
static bool have_lanes_the_method(const fa_courses *c, size_t runs, const double value[])
{
    double method = c->base[FA_ROW_SOLVER];
    bool   have = method == FA_SOLVER_AUTOMATIC || method == FA_SOLVER_DORMAND_PRINCE;
    for (int i = 0; i < c->n_rows; i++) {
        if (c->row[i] != FA_ROW_SOLVER) continue;
        have = true;
        for (size_t k = 0; k < runs; k++) {
            method = value[k * (size_t)c->n_rows + (size_t)i];
            have &= method == FA_SOLVER_AUTOMATIC || method == FA_SOLVER_DORMAND_PRINCE;
        }
    }
    return have;
}

fa_status fa_courses_choose(fa_courses *courses, int threads, size_t runs, const double value[],
                            fa_error *error)
{
    fa_courses *c = courses;
    c->lanes = 1;
    if (c->n == 0 || c->is_mechanism) return FA_OK;
    const fa_lane_plan plan = plan_of(c, runs, value);
    c->in_lanes = fa_lanes_take(&plan) && have_lanes_the_method(c, runs, value) &&
                  !fa_plant_switches(&fa_arm_plant, &c->of[0].state.table);
    c->lanes = c->in_lanes ? fa_lanes_count(&plan) : 1;
    if (!c->in_lanes) return FA_OK;
    const size_t size = fa_lanes_size(&plan);
    if (threads > c->threads || size > c->lane_size) {
        free(c->block);
        c->block = malloc((size_t)threads * size + 64);
        c->in_lanes = c->block != NULL;
        c->threads = c->in_lanes ? threads : 0;
        c->lane_size = size;
        if (!c->in_lanes) return no_memory(error);
    }
    for (int i = 0; i < threads; i++) (void)fa_lanes_place(lanes_of(c, i), &plan);
    return FA_OK;
}

// --------------------------------------------------------------------------------- one motion

void fa_courses_set(fa_courses *courses, size_t k, const double value[])
{
    fa_course *one = &courses->of[k];
    fa_state  *state = &one->state;
    fa_status  status = FA_OK;
    one->fault = fa_no_error();
    one->simulation.t = 0; // a run that is refused has reached nothing
    memcpy(state->value, courses->base, (size_t)state->table.n * sizeof *state->value);
    for (int i = 0; i < courses->n_rows && status == FA_OK; i++) {
        status = fa_state_accept(state, courses->row[i], value[i], NULL, FA_NOWHERE, &one->fault);
        state->value[courses->row[i]] = value[i];
    }
    if (status == FA_OK) status = fa_state_begin(state, &one->fault);
    if (status == FA_OK) fa_simulation_restart(&one->simulation);
}

void fa_courses_put_inputs(fa_courses *courses, size_t k, const double input[])
{
    for (int i = 0; i < courses->n_joints; i++)
        if (courses->input[i] != FA_NO_ROW)
            courses->of[k].state.value[courses->input[i]] = input[i];
}

void fa_courses_begin(fa_courses *courses, size_t k, const double q[], const double qd[],
                      const double input[])
{
    fa_course *one = &courses->of[k];
    double    *value = one->state.value;
    if (one->fault.status != FA_OK) return;
    for (int i = 0; i < courses->n_positions && q; i++) {
        const fa_motion_position *at = &courses->position[i];
        if (courses->is_mechanism) value[at->start] = q[i]; // where closing begins
        if (!at->dependent) value[at->row] = q[i];
    }
    for (int i = 0; i < courses->n_joints && qd; i++)
        if (!courses->speed[i].dependent) value[courses->speed[i].velocity] = qd[i];
    if (input) fa_courses_put_inputs(courses, k, input);
    (void)fa_simulation_begin(&one->simulation, 0, &one->fault);
}

fa_status fa_courses_joints(fa_courses *courses, size_t k, double q[], double qd[])
{
    fa_course *one = &courses->of[k];
    unsigned   groups = 0;
    fa_simulation_place(&one->simulation, one->simulation.t, one->simulation.x);
    for (int i = 0; i < courses->n_positions; i++)
        groups |= one->state.table.row[courses->position[i].row].group;
    const fa_status status = groups ? fa_state_evaluate(&one->state, groups, NULL) : FA_OK;
    one->simulation.fresh = 0;
    for (int i = 0; i < courses->n_positions; i++)
        q[i] = status == FA_OK ? one->state.value[courses->position[i].row] : NAN;
    for (int i = 0; i < courses->n_joints; i++)
        qd[i] = status == FA_OK ? one->state.value[courses->speed[i].velocity] : NAN;
    return status;
}

void fa_courses_change(fa_courses *courses, size_t k, const double input[])
{
    fa_course     *one = &courses->of[k];
    fa_simulation *s = &one->simulation;
    if (one->fault.status != FA_OK) return;
    fa_simulation_place(s, s->t, s->x);
    fa_courses_put_inputs(courses, k, input);
    (void)fa_simulation_begin(s, s->t, &one->fault);
}

// --------------------------------------------------------------------------------- integration

// Returns true if the motion may go on in a lane: nothing stops at it, and the explicit method with
// error control computes it.
static bool fits(fa_course *one, double end)
{
    fa_simulation   *s = &one->simulation;
    const int        method = s->trajectory.solver.method;
    const fa_problem problem = fa_simulation_problem(s);
    return (method == FA_SOLVER_AUTOMATIC || method == FA_SOLVER_DORMAND_PRINCE) &&
           !problem.crossed && !isfinite(s->next_event) && !s->pace.implicit && problem.n > 0 &&
           s->t < end;
}

// Takes the samples that are left, one by one.
static void go_alone(const fa_course_call *call, fa_course *one)
{
    fa_simulation *s = &one->simulation;
    for (; one->due < call->n; one->due++) {
        const double i = (double)one->due;
        const double t = one->due + 1 < call->n ? (call->first + i) * call->apart : call->end;
        if (one->fault.status == FA_OK) (void)fa_simulation_advance(s, t, &one->fault);
        call->sample(call->context, one, one->due, one->fault.status == FA_OK ? s->x : NULL);
    }
    if (call->done) call->done(call->context, one);
}

typedef struct lane_work {
    const fa_courses     *courses;
    const fa_course_call *call;
    fa_course            *in_lane[FA_LANES_MOST];
} lane_work;

static bool next_in_lane(void *context, int lane, fa_lane_start *start)
{
    lane_work            *w = context;
    const fa_course_call *call = w->call;
    fa_course            *one = call->next(call->context, lane);
    for (; one; one = call->next(call->context, lane)) {
        one->due = 0;
        if (one->fault.status == FA_OK && fits(one, call->end)) break;
        go_alone(call, one);
    }
    w->in_lane[lane] = one;
    if (!one) return false;
    const fa_simulation *s = &one->simulation;
    const fa_solver     *solver = &s->trajectory.solver;
    *start = (fa_lane_start){.arm = one->state.self,
                             .value = one->state.value,
                             .x = s->x,
                             .t = s->t,
                             .stop = call->end,
                             .step = s->pace.step,
                             .tolerance = solver->tolerance,
                             .automatic = solver->method == FA_SOLVER_AUTOMATIC,
                             .first = call->first,
                             .last = call->first + (double)call->n - 1,
                             .apart = call->apart,
                             .every = true};
    return true;
}

static bool sample_in_lane(void *context, int lane, double number, const double shown[])
{
    lane_work *w = context;
    fa_course *one = w->in_lane[lane];
    one->due = (size_t)(number - w->call->first) + 1;
    w->call->sample(w->call->context, one, one->due - 1, shown);
    return true;
}

// Takes a motion out of its lane. One that cannot continue in lanes continues alone.
static void end_in_lane(void *context, int lane, fa_status status, double t, const double x[],
                        double step)
{
    lane_work     *w = context;
    fa_course     *one = w->in_lane[lane];
    fa_simulation *s = &one->simulation;
    const size_t   size = (size_t)s->states.n * sizeof *x;
    s->pace.step = step;
    s->t = t;
    s->fresh = 0;
    memcpy(s->x, x, size);
    memcpy(one->state.value + s->states.first, x, size);
    if (status != FA_OK) (void)fa_simulation_begin(s, t, &one->fault);
    go_alone(w->call, one);
}

void fa_courses_run(const fa_courses *courses, int thread, const fa_course_call *call)
{
    if (courses->in_lanes) {
        lane_work            w = {.courses = courses, .call = call};
        const fa_lane_driver driver = {next_in_lane, sample_in_lane, end_in_lane, &w};
        fa_lanes_run(lanes_of(courses, thread), &driver);
        return;
    }
    for (fa_course *one = call->next(call->context, 0); one; one = call->next(call->context, 0)) {
        one->due = 0;
        go_alone(call, one);
    }
}
