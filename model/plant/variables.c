// Builds the table of variables: roles, names, lookup.
#include "variables.h"

#include <assert.h>
#include <float.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

fa_variable fa_variable_of(fa_role role, fa_unit unit, double start)
{
    return (fa_variable){.role = role,
                         .type = FA_REAL,
                         .unit = unit,
                         .start = start,
                         .minimum = -INFINITY,
                         .maximum = INFINITY,
                         .derivative = FA_NO_ROW,
                         .initial = FA_NO_ROW,
                         .initial_rate = FA_NO_ROW};
}

// Returns the address of the next text; NULL while the table is being measured.
static char *next_text(fa_variables *variables, size_t length)
{
    char *text = variables->text ? variables->text + variables->text_size : NULL;
    variables->text_size += length + 1;
    return text;
}

int(fa_variable_add)(fa_variables *variables, fa_variable variable, fa_key key,
                     const char *description)
{
    char         usual[256]; // names longer than this are composed twice
    const size_t length = fa_key_compose(&key, usual, sizeof usual, &variable.key);
    char        *name = next_text(variables, length);
    if (name && length < sizeof usual)
        memcpy(name, usual, length + 1);
    else if (name)
        (void)fa_key_compose(&key, name, length + 1, &variable.key);
    variable.name = name;

    variable.description = NULL;
    if (variables->described) {
        size_t size = strlen(description);
        char  *text = next_text(variables, size);
        if (text) variable.description = memcpy(text, description, size + 1);
    }

    int row = variables->n++;
    assert(row == 0 || !variables->row || variables->row[row - 1].role <= variable.role);
    if (variables->row) variables->row[row] = variable;
    // Later roles begin behind this row, until more rows follow.
    for (int role = (int)variable.role + 1; role <= FA_ROLE_COUNT; role++)
        variables->first[role] = variables->n;
    return row;
}

void(fa_variable_describe)(const fa_variables *variables, char text[], size_t size,
                           const char *format, ...)
{
    va_list arguments;
    text[0] = '\0';
    if (!variables->described) return;
    va_start(arguments, format);
    (void)vsnprintf(text, size, format, arguments);
    va_end(arguments);
}

fa_bounds_words fa_bounds_text(double minimum, double maximum)
{
    // Bounds "greater than 0" and "less than 1" are stored as the adjacent numbers.
    const bool      above = minimum == FA_POSITIVE, below = maximum == 1 - DBL_EPSILON / 2;
    const bool      low = isfinite(minimum), high = isfinite(maximum);
    const fa_text   least = fa_number_text(above ? 0 : minimum);
    const fa_text   most = fa_number_text(below ? 1 : maximum);
    fa_bounds_words words = {"a finite number"};
    char           *to = words.text;
    const size_t    room = sizeof words.text;
    if (low && high && !above && !below)
        (void)snprintf(to, room, "between %s and %s", least.text, most.text);
    else if (low || high)
        (void)snprintf(to, room, "%s%s%s%s%s",
                       !low    ? ""
                       : above ? "greater than "
                               : "at least ",
                       low ? least.text : "", low && high ? " and " : "",
                       !high   ? ""
                       : below ? "less than "
                               : "at most ",
                       high ? most.text : "");
    return words;
}

int fa_variables_count(const fa_variables *variables, fa_role role)
{
    return variables->first[role + 1] - variables->first[role];
}

fa_state_rows fa_variables_states(const fa_variables *variables, fa_state_row of[])
{
    const fa_state_rows states = {.rows = variables->n,
                                  .first = variables->first[FA_STATE],
                                  .n = fa_variables_count(variables, FA_STATE),
                                  .first_input = variables->first[FA_INPUT],
                                  .n_inputs = fa_variables_count(variables, FA_INPUT),
                                  .time = variables->first[FA_TIME],
                                  .of = of};
    for (int i = 0; i < states.n; i++) {
        const fa_variable *state = &variables->row[states.first + i];
        const fa_variable *derivative = &variables->row[state->derivative];
        of[i] = (fa_state_row){.quantity = state->quantity,
                               .index = state->index,
                               .initial = state->initial,
                               .initial_rate = state->initial_rate,
                               .derivative = state->derivative,
                               .derivative_index = derivative->index,
                               .derivative_group = derivative->group};
    }
    return states;
}

int fa_variables_find(const fa_variables *variables, const char *name)
{
    for (int row = 0; row < variables->n; row++)
        if (strcmp(variables->row[row].name, name) == 0) return row;
    return FA_NO_ROW;
}

bool fa_variable_is(const fa_variable *variable, fa_owner owner, const char *quantity)
{
    return fa_key_is(&variable->key, variable->name, owner, quantity);
}

int fa_variables_row(const fa_variables *variables, fa_owner owner, int part, const char *quantity,
                     int from)
{
    for (int i = 0; i < variables->n; i++) {
        const int row = from + i < variables->n ? from + i : from + i - variables->n;
        if (variables->row[row].key.part == part &&
            fa_variable_is(&variables->row[row], owner, quantity))
            return row;
    }
    return FA_NO_ROW;
}

// Compares names with '.' and '_' taken as the same character.
static int compare_flattened(const void *left, const void *right)
{
    const char *a = *(const char *const *)left, *b = *(const char *const *)right;
    for (;; a++, b++) {
        char x = *a == '.' ? '_' : *a, y = *b == '.' ? '_' : *b;
        if (x != y) return x < y ? -1 : 1;
        if (x == '\0') return 0;
    }
}

fa_status fa_variables_check(const fa_variables *variables, fa_error *error)
{
    size_t       n = (size_t)variables->n;
    const char **name = malloc((n + 1) * sizeof *name);
    if (!name)
        return fa_fail(error, FA_NO_MEMORY, NULL, FA_NOWHERE,
                       "there is not enough memory to compare the names of %d variables",
                       variables->n);
    for (size_t i = 0; i < n; i++) name[i] = variables->row[i].name;
    qsort(name, n, sizeof *name, compare_flattened);
    fa_status status = FA_OK;
    for (size_t i = 1; i < n && status == FA_OK; i++)
        if (compare_flattened(&name[i - 1], &name[i]) == 0)
            status =
                fa_fail(error, FA_BAD_INPUT, NULL, FA_NOWHERE,
                        "the variables '%s' and '%s' look the same to hosts that write '_' for "
                        "'.'; give one of the joints or links another name",
                        name[i - 1], name[i]);
    free(name);
    return status;
}

bool fa_variable_is_intermediate(const fa_variable *variable)
{
    const fa_role role = variable->role;
    return (role == FA_INPUT || role == FA_STATE || role == FA_OUTPUT) &&
           variable->type == FA_REAL && !variable->discrete;
}
