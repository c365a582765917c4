// Owns a plant, its table of variables and their values.
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
    const fa_plant *plant = fa_plant_find(robot->plant);
    *state = (fa_state){.source = robot->source};
    if (plant) return fa_state_of_plant(plant, robot, state, error);
    return fa_fail(error, FA_BAD_INPUT, robot->source, FA_NOWHERE,
                   "it describes a plant '%s', which this version does not know", robot->plant);
}

fa_status fa_state_of_plant(const fa_plant *plant, const fa_robot *robot, fa_state *state,
                            fa_error *error)
{
    *state = (fa_state){.source = robot->source, .plant = plant};
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
    state->plant->prepare(state->self, robot, &state->table);
    return fa_state_begin(state, error);
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
    // Bounds of inputs and states are properties of a machine, not restrictions of values, as in
    // the FMU.
    bool parameter = v->role == FA_PARAMETER || v->role == FA_TUNABLE;
    if (parameter && !(value >= v->minimum && value <= v->maximum))
        return fa_fail(error, FA_BAD_INPUT, file, place, "'%s' must be %s, not %s", v->name,
                       fa_bounds_text(v->minimum, v->maximum).text, fa_number_text(value).text);
    return FA_OK;
}

fa_status fa_state_accept_line(fa_state *state, int n, const int row[], const double given[],
                               const char *file, const fa_place place[], fa_error *error)
{
    for (int i = 0; i < n; i++) {
        if (row[i] == FA_NO_ROW) continue;
        const fa_status status = fa_state_accept(state, row[i], given[i], file, place[i], error);
        if (status != FA_OK) return status;
        state->value[row[i]] = given[i];
    }
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

fa_status fa_state_set(fa_state *state, const char *name, double value, fa_error *error)
{
    int       row;
    fa_status status = fa_state_find_settable(state, name, NULL, FA_NOWHERE, &row, error);
    if (status == FA_OK) status = fa_state_accept(state, row, value, NULL, FA_NOWHERE, error);
    if (status == FA_OK) state->value[row] = value;
    return status;
}

void fa_state_start(fa_state *state)
{
    fa_state_start_others(state, NULL);
}

void fa_state_start_others(fa_state *state, const bool is_given[])
{
    const int time = state->table.first[FA_TIME];
    for (int row = state->table.first[FA_STATE]; row < state->table.first[FA_STATE + 1]; row++) {
        const fa_variable *v = &state->table.row[row];
        if (is_given && is_given[row]) continue;
        if (v->initial != FA_NO_ROW) state->value[row] = state->value[v->initial];
        if (v->initial_rate != FA_NO_ROW)
            state->value[row] += state->value[v->initial_rate] * state->value[time];
    }
}

fa_status fa_state_configure(fa_state *state, fa_error *error)
{
    return state->plant->configure(state->self, state->value, error);
}

fa_status fa_state_begin(fa_state *state, fa_error *error)
{
    fa_state_start(state);
    return fa_state_configure(state, error);
}

fa_status fa_state_evaluate(fa_state *state, unsigned groups, fa_error *error)
{
    return fa_plant_evaluate(state->plant, state->self, state->value, groups, NULL, error);
}
