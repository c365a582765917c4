// Linearisation at a state: A, B, C, D from tangents.
#include "linearisation.h"

#include <stdlib.h>
#include <string.h>

static void count(const fa_variables *table, fa_linearisation *s)
{
    s->first_x = table->first[FA_STATE];
    s->n_x = fa_variables_count(table, FA_STATE);
    // What only sums up, and comes last, is no part of the motion.
    while (s->n_x > 0 && table->row[s->first_x + s->n_x - 1].records) s->n_x--;
    s->first_u = table->first[FA_INPUT];
    s->n_u = fa_variables_count(table, FA_INPUT);
    s->first_y = table->first[FA_OUTPUT];
    s->n_y = fa_variables_count(table, FA_OUTPUT);
    s->rows = s->n_x + s->n_y;
    s->columns = s->n_x + s->n_u;
}

int fa_linearisation_row(const fa_linearisation *system, int i)
{
    return i < system->n_x ? system->first_x + i : system->first_y + i - system->n_x;
}

int fa_linearisation_column(const fa_linearisation *system, int j)
{
    return j < system->n_x ? system->first_x + j : system->first_u + j - system->n_x;
}

// Column after column, each a directional derivative.
static fa_status differentiate(fa_state *state, fa_linearisation *s, double direction[],
                               fa_error *error)
{
    const fa_variables *table = &state->table;
    const size_t        columns = (size_t)s->columns;
    fa_status           status = fa_state_evaluate(state, FA_GROUP_ALL, error);
    for (int j = 0; j < s->columns && status == FA_OK; j++) {
        memset(direction, 0, (size_t)table->n * sizeof *direction);
        direction[fa_linearisation_column(s, j)] = 1;
        status = state->plant->tangent(state->self, state->value, direction, FA_GROUP_ALL, error);
        for (int i = 0; i < s->rows; i++) {
            int row = fa_linearisation_row(s, i);
            if (i < s->n_x) row = table->row[row].derivative;
            s->matrix[(size_t)i * columns + (size_t)j] = direction[row];
        }
    }
    return status;
}

fa_status fa_linearisation_fits(const fa_state *state, fa_error *error)
{
    if (strcmp(state->plant->name, "inverse") != 0) return FA_OK;
    return fa_fail(error, FA_UNFIT, state->source, FA_NOWHERE,
                   "an inverse has no states; linearise the robot that it was made from");
}

fa_status fa_linearise(fa_state *state, fa_linearisation *system, fa_error *error)
{
    *system = (fa_linearisation){.matrix = NULL};
    fa_status status = fa_linearisation_fits(state, error);
    if (status != FA_OK) return status;
    count(&state->table, system);
    system->matrix =
        malloc(((size_t)system->rows * (size_t)system->columns + 1) * sizeof *system->matrix);
    double *direction = malloc((size_t)state->table.n * sizeof *direction);
    if (!system->matrix || !direction)
        status = fa_fail(error, FA_NO_MEMORY, state->source, FA_NOWHERE,
                         "there is not enough memory for matrices of %d by %d", system->rows,
                         system->columns);
    if (status == FA_OK) status = differentiate(state, system, direction, error);
    free(direction);
    return status;
}

void fa_linearisation_free(fa_linearisation *system)
{
    free(system->matrix);
    system->matrix = NULL;
}
