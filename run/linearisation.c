// Linearisation at a state: A, B, C, D from tangents.
#include "linearisation.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "arm_table.h"

// Returns true if a quaternion begins at this row.
static bool is_quaternion(const fa_variables *table, int row)
{
    const int rate = table->row[row].derivative;
    return rate != FA_NO_ROW && table->row[rate].quantity == FA_ARM_QUATERNION_RATE;
}

// Counts the linear states: three angles for each quaternion, and all other states.
static void count_states(const fa_variables *table, fa_linearisation *s)
{
    s->first_x = table->first[FA_STATE];
    int n = fa_variables_count(table, FA_STATE);
    s->n_x = 0;
    // Excludes the last states that only record integrals: they do not affect the motion.
    while (n > 0 && table->row[s->first_x + n - 1].records) n--;
    for (int row = s->first_x; row < s->first_x + n; row++) {
        if (!is_quaternion(table, row)) {
            if (s->x) s->x[s->n_x] = (fa_linear_state){row, FA_NO_AXIS, FA_NO_ROW};
            s->n_x++;
            continue;
        }
        const int index = table->row[row].index;
        const int before = row - fa_arm_row_with(table, FA_ARM_POSITION, index);
        const int velocity = fa_arm_row_with(table, FA_ARM_VELOCITY, index) + before;
        for (int axis = 0; s->x && axis < 3; axis++)
            s->x[s->n_x + axis] = (fa_linear_state){row, axis, velocity};
        if (s->x) s->n_angles += 3;
        s->n_x += 3;
        row += 3;
    }
}

static void count(const fa_variables *table, fa_linearisation *s)
{
    count_states(table, s);
    s->first_u = table->first[FA_INPUT];
    s->n_u = fa_variables_count(table, FA_INPUT);
    s->first_y = table->first[FA_OUTPUT];
    s->n_y = fa_variables_count(table, FA_OUTPUT);
    s->rows = s->n_x + s->n_y;
    s->columns = s->n_x + s->n_u;
}

int fa_linearisation_row(const fa_linearisation *system, int i)
{
    return i < system->n_x ? system->x[i].row : system->first_y + i - system->n_x;
}

int fa_linearisation_column(const fa_linearisation *system, int j)
{
    return j < system->n_x ? system->x[j].row : system->first_u + j - system->n_x;
}

static fa_linear_name name_of(const fa_state *state, const fa_linear_state *x, int row)
{
    const char    *name = state->table.row[row].name;
    fa_linear_name text = {""};
    if (!x || x->axis == FA_NO_AXIS)
        (void)snprintf(text.text, sizeof text.text, "%s", name);
    else // joint.<j>.quaternion.w
        (void)snprintf(text.text, sizeof text.text, "%.*srotation.%c",
                       (int)(strlen(name) - strlen("quaternion.w")), name, "xyz"[x->axis]);
    return text;
}

fa_linear_name fa_linearisation_row_name(const fa_state *state, const fa_linearisation *system,
                                         int i)
{
    return name_of(state, i < system->n_x ? &system->x[i] : NULL, fa_linearisation_row(system, i));
}

fa_linear_name fa_linearisation_column_name(const fa_state *state, const fa_linearisation *system,
                                            int j)
{
    return name_of(state, j < system->n_x ? &system->x[j] : NULL,
                   fa_linearisation_column(system, j));
}

// ------------------------------------------------------------------------------------------ angles

// Sets the direction of column j: for an angle the tangent of its quaternion, (0, axis/2) q.
static void put_tangent(const fa_state *state, const fa_linearisation *s, int j, double direction[])
{
    const int row = fa_linearisation_column(s, j);
    if (j >= s->n_x || s->x[j].axis == FA_NO_AXIS) {
        direction[row] = 1;
        return;
    }
    const double *q = state->value + row;
    const int     a = s->x[j].axis, b = (a + 1) % 3, c = (a + 2) % 3;
    direction[row] = -0.5 * q[1 + a];
    direction[row + 1 + a] = 0.5 * q[0];
    direction[row + 1 + b] = -0.5 * q[1 + c];
    direction[row + 1 + c] = 0.5 * q[1 + b];
}

// Returns the derivative of the rate of angle i by number j of x or u: d' = dw + w x d, with the
// angular velocity w.
static double angle_rate(const fa_state *state, const fa_linearisation *s, int i, int j)
{
    const fa_linear_state *angle = &s->x[i];
    const int              column = fa_linearisation_column(s, j);
    if (j < s->n_x && s->x[j].axis != FA_NO_AXIS) {
        if (s->x[j].row != angle->row || s->x[j].axis == angle->axis) return 0;
        const int    other = 3 - angle->axis - s->x[j].axis;
        const double w = state->value[angle->velocity + other];
        return (angle->axis + 1) % 3 == other ? w : -w;
    }
    return j < s->n_x && column == angle->velocity + angle->axis;
}

// Fills the matrix column by column; each is a directional derivative.
static fa_status differentiate(fa_state *state, fa_linearisation *s, double direction[],
                               fa_error *error)
{
    const fa_variables *table = &state->table;
    const size_t        columns = (size_t)s->columns;
    fa_status           status = fa_state_evaluate(state, FA_GROUP_ALL, error);
    for (int j = 0; j < s->columns && status == FA_OK; j++) {
        memset(direction, 0, (size_t)table->n * sizeof *direction);
        put_tangent(state, s, j, direction);
        status = state->plant->tangent(state->self, state->value, direction, FA_GROUP_ALL, error);
        for (int i = 0; i < s->rows; i++) {
            int     row = fa_linearisation_row(s, i);
            double *to = &s->matrix[(size_t)i * columns + (size_t)j];
            if (i < s->n_x) row = table->row[row].derivative;
            *to = direction[row];
            if (i < s->n_x && s->x[i].axis != FA_NO_AXIS) *to = angle_rate(state, s, i, j);
        }
    }
    return status;
}

fa_status fa_linearisation_fits(const fa_state *state, fa_error *error)
{
    if (strncmp(state->plant->name, "inverse", strlen("inverse")) != 0) return FA_OK;
    return fa_fail(error, FA_UNFIT, state->source, FA_NOWHERE,
                   "an inverse has no states; linearise the robot that it was made from");
}

fa_status fa_linearise(fa_state *state, fa_linearisation *system, fa_error *error)
{
    *system = (fa_linearisation){.matrix = NULL};
    fa_status status = fa_linearisation_fits(state, error);
    if (status != FA_OK) return status;
    count(&state->table, system);
    system->x = calloc((size_t)system->n_x + 1, sizeof *system->x);
    if (!system->x)
        return fa_fail(error, FA_NO_MEMORY, state->source, FA_NOWHERE,
                       "there is not enough memory for %d states", system->n_x);
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
    free(system->x);
    system->matrix = NULL;
    system->x = NULL;
}
