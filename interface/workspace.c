// A robot's equations in one block of memory: the arm with its parameters' values, and scratch for
// every question.
#include "workspace.h"

#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "arena.h"
#include "bare_mechanism.h"
#include "batch.h"
#include "finite.h"
#include "methods.h"
#include "regressor.h"

enum { ALIGNMENT = 64 };

static size_t larger(size_t a, size_t b)
{
    return a > b ? a : b;
}

// Scratch of the methods that are asked.
static size_t work_size(const fa_chain *chain)
{
    size_t size = fa_method_inverse(chain)->work_size(chain);
    size = larger(size, fa_composite_body_method.work_size(chain));
    size = larger(size, fa_jacobians_work_size(chain));
    size = larger(size, fa_inverse_step_work_size(chain));
    return larger(size, fa_regressor_work_size(chain));
}

// States of a robot from which a workspace is filled.
typedef struct ingredients {
    fa_state      state; // of the robot, with all that acts on it
    fa_bare_parts bare;  // of a mechanism
    bool          is_mechanism;
} ingredients;

static void drop(ingredients *from)
{
    fa_bare_parts_free(&from->bare);
    fa_state_free(&from->state);
}

static const fa_arm *arm_of(const ingredients *from)
{
    if (!from->is_mechanism) return from->state.self;
    return ((const fa_mechanism *)from->bare.forward.self)->arm;
}

// Everything in one block that begins with the workspace itself; gives its bytes.
// `memory` NULL: it is only measured.
static size_t lay_out(fa_workspace *to, void *memory, const ingredients *from,
                      const fa_robot *robot, size_t lanes_size)
{
    const fa_state *state = &from->state;
    const fa_arm   *arm = arm_of(from);
    const size_t    bodies = (size_t)arm->chain.n, n = (size_t)arm->chain.n_coordinates,
                 rows = (size_t)state->table.n, links = (size_t)robot->n_links,
                 parameters = (size_t)state->table.first[FA_INPUT],
                 states = (size_t)fa_variables_count(&state->table, FA_STATE);
    fa_arena a = {memory, 0};
    (void)fa_arena_take(&a, 1, sizeof *to);
    to->arm = from->is_mechanism ? NULL : fa_arena_take(&a, 1, state->plant->size(robot));
    if (from->is_mechanism) fa_bare_mechanism_lay_out(to, &a, &from->bare, state);
    to->value = fa_arena_take(&a, rows, sizeof *to->value);
    to->lower = fa_arena_take(&a, parameters, sizeof *to->lower);
    to->upper = fa_arena_take(&a, parameters, sizeof *to->upper);
    to->before = fa_arena_take(&a, parameters, sizeof *to->before);
    to->batch = fa_arena_take(&a, 1, fa_forward_batch_size(&arm->chain));
    to->link_body = fa_arena_take(&a, links, sizeof *to->link_body);
    to->link_frame = fa_arena_take(&a, links, sizeof *to->link_frame);
    to->mass_body = fa_arena_take(&a, links, sizeof *to->mass_body);
    to->mass_frame = fa_arena_take(&a, links, sizeof *to->mass_frame);
    to->zero = fa_arena_take(&a, n, sizeof *to->zero);
    to->tau = fa_arena_take(&a, n, sizeof *to->tau);
    to->qdd = fa_arena_take(&a, n, sizeof *to->qdd);
    to->push = fa_arena_take(&a, n, sizeof *to->push);
    for (int k = 0; k < 3; k++) to->matrix[k] = fa_arena_take(&a, n * n, sizeof *to->matrix[k]);
    to->direction = fa_arena_take(&a, rows, sizeof *to->direction);
    for (int k = 0; k < 6; k++) to->stage[k] = fa_arena_take(&a, n, sizeof *to->stage[k]);
    to->state_row = fa_arena_take(&a, states, sizeof *to->state_row);
    to->nominal = fa_arena_take(&a, states, sizeof *to->nominal);
    for (int k = 0; k < 2; k++) to->kept[k] = fa_arena_take(&a, n * FA_LANES_MOST, sizeof(double));
    to->pose = fa_arena_take(&a, bodies, sizeof *to->pose);
    to->motion = fa_arena_take(&a, bodies, sizeof *to->motion);
    to->motion_tangent = fa_arena_take(&a, bodies, sizeof *to->motion_tangent);
    to->wrench = fa_arena_take(&a, bodies, sizeof *to->wrench);
    to->turn = fa_arena_take(&a, bodies, sizeof *to->turn);
    to->work = fa_arena_take(&a, 1, work_size(&arm->chain));
    a.size = (a.size + ALIGNMENT - 1) / ALIGNMENT * ALIGNMENT;
    to->lanes = fa_arena_take(&a, 1, lanes_size);
    return a.size;
}

fa_lane_plan fa_plan_of(const fa_state *state, fa_state_rows *states, fa_state_row row[],
                        double nominal[])
{
    const fa_variables *table = &state->table;
    const fa_arm       *arm = state->self;
    *states = fa_variables_states(table, row);
    for (int i = 0; i < states->n; i++) {
        const double usual = table->row[states->first + i].nominal;
        nominal[i] = usual > 0 ? usual : 1;
    }
    return (fa_lane_plan){.like = arm,
                          .value = state->value,
                          .states = states,
                          .nominal = nominal,
                          .deterministic = state->value[arm->row[FA_ARM_DETERMINISTIC]] != 0};
}

// Bytes of lanes for whatever parameters: a kernel follows from one of them. *status: memory.
static size_t lanes_size(const ingredients *from, fa_status *status)
{
    const fa_state *state = &from->state;
    if (from->is_mechanism) return 0;
    const size_t  n = (size_t)fa_variables_count(&state->table, FA_STATE) + 1;
    fa_state_row *row = malloc(n * sizeof *row);
    double       *nominal = malloc(n * sizeof *nominal);
    size_t        size = 0;
    if (row && nominal) {
        fa_state_rows states;
        fa_lane_plan  plan = fa_plan_of(state, &states, row, nominal);
        for (int k = 0; k < 4; k++) {
            plan.deterministic = k % 2 == 0;
            plan.single = k / 2 == 1;
            if (fa_lanes_compute(&plan) || fa_lanes_take(&plan))
                size = larger(size, fa_lanes_size(&plan));
        }
    } else if (*status == FA_OK) {
        *status = FA_NO_MEMORY;
    }
    free(row);
    free(nominal);
    return size;
}

fa_status fa_workspace_fits(const fa_robot *robot, fa_error *error)
{
    const char *what = fa_robot_is_snake(robot)       ? "it is a snake"
                       : fa_robot_is_axis(robot)      ? "it is a hydraulic axis alone"
                       : fa_robot_has_circuit(robot)  ? "it has a hydraulic circuit"
                       : fa_robot_freedom(robot) == 0 ? "none of its joints moves"
                                                      : NULL;
    if (!what) return FA_OK;
    return fa_fail(error, FA_UNFIT, robot->source, FA_NOWHERE,
                   "%s, and equations for many states are of robots of links and joints; use "
                   "forearm simulate, or an FMU of it",
                   what);
}

// A robot's equations, or a sentence.
static fa_status begin(const fa_robot *robot, int lanes, ingredients *from, fa_error *error)
{
    *from = (ingredients){.state = {.source = robot->source}};
    const fa_status status = fa_workspace_fits(robot, error);
    if (status != FA_OK) return status;
    if (lanes < 0)
        return fa_fail(error, FA_BAD_INPUT, robot->source, FA_NOWHERE,
                       "%d lanes are asked for; use 0, for as many as suit the processor, or more",
                       lanes);
    from->is_mechanism = fa_robot_is_mechanism(robot);
    if (!from->is_mechanism) return fa_state_of_plant(&fa_arm_plant, robot, &from->state, error);
    const fa_status made = fa_state_of_plant(&fa_mechanism_plant, robot, &from->state, error);
    return made == FA_OK ? fa_bare_parts_new(robot, &from->bare, error) : made;
}

size_t fa_workspace_size(const fa_robot *robot, int lanes)
{
    ingredients  from;
    fa_workspace measured;
    fa_status    status = begin(robot, lanes, &from, NULL);
    const size_t in_lanes = status == FA_OK ? lanes_size(&from, &status) : 0;
    const size_t size = status == FA_OK ? lay_out(&measured, NULL, &from, robot, in_lanes) : 0;
    drop(&from);
    return (size + 63) / 64 * 64;
}

static fa_status configure(fa_workspace *w, fa_error *error)
{
    if (w->bare) return fa_bare_mechanism_configure(w, error);
    const fa_status status = fa_arm_plant.configure(w->arm, w->value, error);
    if (status != FA_OK) return status;
    w->chain = fa_arm_still(w->arm);
    w->chain.held = NULL;
    const bool deterministic = w->value[w->arm->row[FA_ARM_DETERMINISTIC]] != 0;
    fa_forward_batch_prepare(&w->chain, deterministic,
                             deterministic ? w->arm->fixed_kernel : w->arm->kernel, w->batch);
    w->plan.like = w->arm;
    w->plan.value = w->value;
    w->plan.states = &w->states;
    w->plan.nominal = w->nominal;
    w->plan.deterministic = deterministic;
    w->filled = -1;
    return FA_OK;
}

static void place_links(fa_workspace *w, const fa_robot *robot)
{
    // The bodies are the arm's own, which has built them of the same robot; its numbers stay.
    fa_chain_build(robot, w->arm->body, w->link_body, w->link_frame);
    w->n_mass = 0;
    for (int i = 0; i < w->arm->n_links; i++) {
        w->mass_body[w->n_mass] = w->arm->link[i].body;
        w->mass_frame[w->n_mass++] = w->arm->link[i].frame;
    }
}

// The block, filled.
static fa_status fill(const fa_robot *robot, const ingredients *from, void *memory,
                      fa_workspace **workspace, fa_error *error)
{
    const fa_state *state = &from->state;
    fa_workspace   *w = memory;
    fa_status       status = FA_OK;
    const size_t    in_lanes = lanes_size(from, &status);
    const size_t    size = lay_out(w, memory, from, robot, in_lanes);
    memset(memory, 0, size);
    (void)lay_out(w, memory, from, robot, in_lanes);
    w->has_lanes = in_lanes > 0;
    w->robot = robot;
    w->n_parameters = state->table.first[FA_INPUT];
    for (int row = 0; row < w->n_parameters; row++) {
        w->lower[row] = state->table.row[row].minimum;
        w->upper[row] = state->table.row[row].maximum;
    }
    memcpy(w->value, state->value, (size_t)state->table.n * sizeof *w->value);
    *workspace = w;
    if (w->bare) return fa_bare_mechanism_fill(w, &from->bare, state, error);
    (void)fa_plan_of(state, &w->states, w->state_row, w->nominal);
    state->plant->prepare(w->arm, robot, &state->table);
    place_links(w, robot);
    w->n_positions = w->n = w->arm->chain.n_coordinates;
    status = configure(w, error);
    w->in_lanes = status == FA_OK && fa_lanes_take(&w->plan);
    return status;
}

fa_workspace *fa_workspace_place(const fa_robot *robot, int lanes, void *memory, fa_error *error)
{
    ingredients   from;
    fa_workspace *workspace = NULL;
    if (!memory || (uintptr_t)memory % ALIGNMENT != 0) {
        (void)fa_fail(
            error, FA_BAD_INPUT, robot->source, FA_NOWHERE,
            "the memory for a workspace does not begin at a multiple of 64 bytes; take it "
            "from aligned_alloc(64, …)");
        return NULL;
    }
    fa_status status = begin(robot, lanes, &from, error);
    if (status == FA_OK) status = fill(robot, &from, memory, &workspace, error);
    drop(&from);
    return status == FA_OK ? workspace : NULL;
}

// A pointer before the workspace says where the block begins that malloc has given.
enum { PREFIX = 16 };

fa_workspace *fa_workspace_new(const fa_robot *robot, int lanes, fa_error *error)
{
    ingredients  from;
    fa_workspace measured, *workspace = NULL;
    char        *block = NULL;
    fa_status    status = begin(robot, lanes, &from, error);
    if (status == FA_OK) {
        const size_t size = lay_out(&measured, NULL, &from, robot, lanes_size(&from, &status));
        block = status != FA_OK ? NULL : malloc(PREFIX + ALIGNMENT + size);
        if (!block)
            status = fa_fail(error, FA_NO_MEMORY, robot->source, FA_NOWHERE,
                             "there is not enough memory to compute with this robot");
    }
    if (block) {
        const size_t past = (uintptr_t)(block + PREFIX) % ALIGNMENT;
        char *const  at = block + PREFIX + (ALIGNMENT - past) % ALIGNMENT;
        ((void **)(void *)at)[-1] = block;
        status = fill(robot, &from, at, &workspace, error);
    }
    drop(&from);
    if (status == FA_OK) return workspace;
    free(block);
    return NULL;
}

const fa_error *fa_workspace_lack(const fa_workspace *workspace)
{
    return &workspace->lack;
}

void fa_workspace_free(fa_workspace *workspace)
{
    if (workspace) free(((void **)(void *)workspace)[-1]);
}

fa_status fa_workspace_set(fa_workspace *workspace, int n, const int parameter[],
                           const double value[], fa_error *error)
{
    fa_workspace *w = workspace;
    for (int k = 0; k < n; k++)
        if (parameter[k] < 0 || parameter[k] >= w->n_parameters ||
            !(value[k] >= w->lower[parameter[k]] && value[k] <= w->upper[parameter[k]]))
            return fa_fail(error, FA_BAD_INPUT, w->robot->source, FA_NOWHERE,
                           "parameter number %d cannot be %s; forearm inspect --json lists the "
                           "parameters with their bounds",
                           parameter[k], fa_number_text(value[k]).text);
    memcpy(w->before, w->value, (size_t)w->n_parameters * sizeof *w->value);
    for (int k = 0; k < n; k++) w->value[parameter[k]] = value[k];
    const fa_status status = configure(w, error);
    if (status == FA_OK) return FA_OK;
    memcpy(w->value, w->before, (size_t)w->n_parameters * sizeof *w->value);
    (void)configure(w, NULL);
    return status;
}

fa_status fa_rows(const fa_robot *robot, fa_workspace *workspace, size_t states,
                  const fa_row_call *call, fa_row_fn *row)
{
    fa_row_call at = *call;
    fa_status   first = workspace->robot == robot ? FA_OK : FA_UNFIT;
    for (size_t k = 0; k < states; k++) {
        bool finite = workspace->robot == robot;
        for (int i = 0; i < FA_ROW_ARGUMENTS; i++)
            finite = finite && fa_are_finite(at.in[i], at.size[i]);
        fa_status status = finite ? row(workspace, &at) : FA_NOT_FINITE;
        for (int j = 0; j < 3 && status == FA_OK; j++)
            if (!fa_are_finite(at.out[j], at.out_size[j])) status = FA_NOT_FINITE;
        for (int j = 0; j < 3; j++) {
            for (size_t i = 0; i < at.out_size[j] && status != FA_OK; i++) at.out[j][i] = NAN;
            if (at.out[j]) at.out[j] += at.out_size[j];
        }
        for (int i = 0; i < FA_ROW_ARGUMENTS; i++)
            if (at.in[i]) at.in[i] += at.size[i];
        if (first == FA_OK) first = status;
    }
    return first;
}
