#include "state.h"

#include <math.h>
#include <stdlib.h>

#include "nearest.h"
#include "number.h"

static fa_status no_memory(const fa_state *state, fa_error *error)
{
    return fa_fail(error, FA_NO_MEMORY, state->source, FA_NOWHERE,
                   "there is not enough memory to compute with this robot");
}

fa_status fa_state_new(const fa_robot *robot, fa_state *state, fa_error *error)
{
    *state = (fa_state){.source = robot->source, .plant = fa_plant_find(robot->plant)};
    if (!state->plant)
        return fa_fail(error, FA_BAD_INPUT, robot->source, FA_NOWHERE,
                       "it describes a plant '%s', which this version does not know", robot->plant);
    fa_status status =
        fa_plant_variables(state->plant, robot, false, &state->table, &state->block, error);
    if (status != FA_OK) return status;
    size_t rows = (size_t)state->table.n;
    state->self = malloc(state->plant->size(robot));
    state->value = calloc(rows, sizeof *state->value);
    if (!state->self || !state->value || !fa_names_new(&state->names, state->table.n))
        return no_memory(state, error);
    for (int row = 0; row < state->table.n; row++) {
        state->value[row] = state->table.row[row].start;
        fa_names_add(&state->names, state->table.row[row].name, row);
    }
    fa_state_start(state);
    state->plant->prepare(state->self, robot, &state->table);
    return fa_state_configure(state, error);
}

void fa_state_free(fa_state *state)
{
    fa_names_free(&state->names);
    free(state->value);
    free(state->self);
    free(state->block);
}

fa_status fa_state_find(const fa_state *state, const char *name, const char *file, fa_place place,
                        int *row, fa_error *error)
{
    *row = fa_names_find(&state->names, name);
    if (*row >= 0) return FA_OK;
    fa_nearest nearest = fa_nearest_to(name);
    for (int i = 0; i < state->table.n; i++) fa_nearest_try(&nearest, state->table.row[i].name);
    return fa_fail(error, FA_BAD_INPUT, file, place, "the robot has no variable '%s'; %s", name,
                   fa_nearest_hint(&nearest, "forearm inspect lists them").text);
}

fa_status fa_state_accept(const fa_state *state, int row, double value, const char *file,
                          fa_place place, fa_error *error)
{
    const fa_variable *v = &state->table.row[row];
    if (v->type != FA_REAL && value != floor(value))
        return fa_fail(error, FA_BAD_INPUT, file, place, "'%s' must be a whole number, not %s",
                       v->name, fa_number_text(value).text);
    // As in the FMU, bounds of inputs and states tell what a machine can take, not what may be
    // asked of it.
    bool parameter = v->role == FA_PARAMETER || v->role == FA_TUNABLE;
    if (parameter && !(value >= v->minimum && value <= v->maximum))
        return fa_fail(error, FA_BAD_INPUT, file, place,
                       "'%s' must lie between %s and %s, not be %s", v->name,
                       fa_minimum_text(v->minimum).text, fa_number_text(v->maximum).text,
                       fa_number_text(value).text);
    return FA_OK;
}

fa_status fa_state_find_settable(const fa_state *state, const char *name, const char *file,
                                 fa_place place, int *row, fa_error *error)
{
    fa_status status = fa_state_find(state, name, file, place, row, error);
    if (status != FA_OK) return status;
    const fa_variable *v = &state->table.row[*row];
    if (v->role == FA_STATE && v->initial == FA_NO_ROW)
        return fa_fail(error, FA_BAD_INPUT, file, place,
                       "'%s' is a state that starts from zero; it cannot be set", name);
    if (v->role == FA_STATE)
        return fa_fail(error, FA_BAD_INPUT, file, place,
                       "'%s' is a state; set '%s', which it starts from", name,
                       state->table.row[v->initial].name);
    if (v->role > FA_INPUT)
        return fa_fail(error, FA_BAD_INPUT, file, place,
                       "'%s' is calculated; only parameters and inputs can be set", name);
    return FA_OK;
}

fa_status fa_state_set(fa_state *state, const fa_assignments *set, fa_error *error)
{
    for (int i = 0; i < set->n; i++) {
        int       row;
        fa_status status =
            fa_state_find_settable(state, set->of[i].name, NULL, FA_NOWHERE, &row, error);
        if (status == FA_OK)
            status = fa_state_accept(state, row, set->of[i].value, NULL, FA_NOWHERE, error);
        if (status != FA_OK) return status;
        state->value[row] = set->of[i].value;
    }
    fa_state_start(state);
    return fa_state_configure(state, error);
}

fa_status fa_state_set_all(fa_state *state, const fa_arguments *arguments, fa_error *error)
{
    const double tolerance = arguments->tolerance;
    if (arguments->solver != FA_NOT_SAID) state->value[FA_ROW_SOLVER] = arguments->solver;
    if (!isnan(tolerance)) {
        const fa_status status =
            fa_state_accept(state, FA_ROW_SOLVER_TOLERANCE, tolerance, NULL, FA_NOWHERE, error);
        if (status != FA_OK) return status;
        state->value[FA_ROW_SOLVER_TOLERANCE] = tolerance;
    }
    return fa_state_set(state, &arguments->set, error);
}

void fa_state_start(fa_state *state)
{
    const int time = state->table.first[FA_TIME];
    for (int row = state->table.first[FA_STATE]; row < state->table.first[FA_STATE + 1]; row++) {
        const fa_variable *v = &state->table.row[row];
        if (v->initial != FA_NO_ROW) state->value[row] = state->value[v->initial];
        if (v->initial_rate != FA_NO_ROW)
            state->value[row] += state->value[v->initial_rate] * state->value[time];
    }
}

fa_status fa_state_configure(fa_state *state, fa_error *error)
{
    return state->plant->configure(state->self, state->value, error);
}
