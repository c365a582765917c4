#include "plotting.h"

#include <stdlib.h>
#include <string.h>

#include "inspection.h"
#include "plot.h"

// What is shown if nobody has said what: of states and outputs, in this order.
static const char *const usual[] = {"joint.*.torque",
                                    "joint.*.force",
                                    "joint.*.current",
                                    "joint.*.position",
                                    "joint.*.velocity",
                                    "joint*.angle",
                                    "joint*.rate",
                                    "x",
                                    "y",
                                    "speed",
                                    "cylinder.*.pressure_?",
                                    "supply.pressure",
                                    "cylinder.*.force",
                                    "cylinder.*.spool_position",
                                    "cylinder.*.flow_?",
                                    "energy.kinetic",
                                    "energy.potential",
                                    "energy.residual"};

// A balance is a few roundings wide, and invisible beside anything else.
static const char balance[] = "energy.residual";

// * stands for any letters, dots among them, and ? for one.
static bool fits(const char *pattern, size_t size, const char *name)
{
    while (size > 0 && *pattern != '*') {
        if (*name == 0 || (*pattern != '?' && *pattern != *name)) return false;
        pattern++, size--, name++;
    }
    if (size == 0) return *name == 0;
    for (;; name++) {
        if (fits(pattern + 1, size - 1, name)) return true;
        if (*name == 0) return false;
    }
}

static bool moves(const fa_state *state, int row)
{
    fa_role role = fa_state_role(state, row);
    return role >= FA_INPUT && role <= FA_LOCAL;
}

static void add(int rows[], int *n, int row)
{
    for (int i = 0; i < *n; i++)
        if (rows[i] == row) return;
    rows[(*n)++] = row;
}

static void choose_usual(const fa_state *state, const int driven[], int n_driven, int rows[],
                         int *n)
{
    const fa_variables *table = &state->table;
    for (int i = 0; i < n_driven; i++) add(rows, n, driven[i]);
    for (size_t k = 0; k < sizeof usual / sizeof *usual; k++)
        for (int row = table->first[FA_STATE]; row < table->first[FA_OUTPUT + 1]; row++)
            if (fits(usual[k], strlen(usual[k]), table->row[row].name)) add(rows, n, row);
    for (int row = table->first[FA_STATE]; row < table->first[FA_OUTPUT + 1] && *n == 0; row++)
        add(rows, n, row);
}

// One name, or all that fit a pattern.
static fa_status choose(const fa_state *state, const char *word, size_t size, int rows[], int *n,
                        fa_error *error)
{
    char name[256];
    if (size >= sizeof name) size = sizeof name - 1;
    memcpy(name, word, size);
    name[size] = 0;
    int before = *n, row;
    if (!strpbrk(name, "*?")) {
        fa_status status = fa_state_find(state, name, NULL, FA_NOWHERE, &row, error);
        if (status != FA_OK) return status;
        if (!moves(state, row))
            return fa_fail(error, FA_UNFIT, NULL, FA_NOWHERE,
                           "'%s' is no curve over time but a %s; --plot-variables takes inputs, "
                           "states, outputs and locals",
                           name, fa_role_name(fa_state_role(state, row)));
        add(rows, n, row);
        return FA_OK;
    }
    bool known = false;
    for (row = 0; row < state->table.n; row++)
        if (moves(state, row) && fits(name, size, state->table.row[row].name)) {
            add(rows, n, row);
            known = true;
        }
    if (known || *n > before) return FA_OK;
    return fa_fail(error, FA_UNFIT, NULL, FA_NOWHERE,
                   "no variable that moves is named like '%s'; forearm inspect lists them", name);
}

fa_status fa_plotting_choose(const fa_state *state, const char *list, const int driven[],
                             int n_driven, int rows[], int *n, fa_error *error)
{
    *n = 0;
    if (!list) choose_usual(state, driven, n_driven, rows, n);
    while (list && *list) {
        list += strspn(list, ", ");
        size_t size = strcspn(list, ", ");
        if (size == 0) break;
        fa_status status = choose(state, list, size, rows, n, error);
        if (status != FA_OK) return status;
        list += size;
    }
    if (*n > 0) return FA_OK;
    return fa_fail(error, FA_UNFIT, NULL, FA_NOWHERE,
                   "--plot-variables names no variable; forearm inspect lists them");
}

static fa_series series_of(const fa_state *state, const fa_recording *recording, int row, bool held)
{
    const fa_variable *v = &state->table.row[row];
    return (fa_series){
        .name = v->name,
        .unit = fa_units[v->unit].name,
        .value = recording->value + fa_recording_column(recording, row),
        .stride = (size_t)recording->columns,
        .held = v->discrete || (held && v->role == FA_INPUT),
        .apart = strcmp(v->name, balance) == 0,
    };
}

fa_status fa_plotting_write(const char *path, const char *title, const fa_state *state,
                            const fa_recording *recording, const int rows[], int n, bool held,
                            fa_error *error)
{
    fa_series *series = malloc((size_t)n * sizeof *series);
    if (!series)
        return fa_fail(error, FA_NO_MEMORY, NULL, FA_NOWHERE,
                       "there is not enough memory for the plot");
    for (int i = 0; i < n; i++) series[i] = series_of(state, recording, rows[i], held);
    fa_plot   plot = {.title = title,
                      .axis = series_of(state, recording, state->table.first[FA_TIME], false),
                      .n = recording->n,
                      .n_series = n,
                      .series = series};
    fa_status status = fa_plot_write(&plot, path, error);
    free(series);
    return status;
}
