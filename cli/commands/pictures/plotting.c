// Chooses default curves and writes SVG, PNG or text plots.
#include "plotting.h"

#include <stdlib.h>
#include <string.h>

#include "choice.h"
#include "plot.h"

// Default selection among states and outputs, in this order.
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

static void choose_usual(const fa_state *state, const int driven[], int n_driven, int rows[],
                         int *n)
{
    const fa_variables *table = &state->table;
    *n = 0;
    for (int i = 0; i < n_driven; i++) fa_choice_add(rows, n, driven[i]);
    for (size_t k = 0; k < sizeof usual / sizeof *usual; k++)
        for (int row = table->first[FA_STATE]; row < table->first[FA_OUTPUT + 1]; row++)
            if (fa_choice_fits(usual[k], strlen(usual[k]), table->row[row].name))
                fa_choice_add(rows, n, row);
    for (int row = table->first[FA_STATE]; row < table->first[FA_OUTPUT + 1] && *n == 0; row++)
        fa_choice_add(rows, n, row);
}

fa_status fa_plotting_choose(const fa_state *state, const char *list, const int driven[],
                             int n_driven, int rows[], int *n, fa_error *error)
{
    if (list) return fa_choose(state, list, "--plot-variables", rows, n, error);
    choose_usual(state, driven, n_driven, rows, n);
    return FA_OK;
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
        // A residual of energy is a few roundings in size, and invisible in a plot with others.
        .apart = fa_variable_is(v, FA_OF_ENERGY, "residual"),
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
