#include "regressor_columns.h"

#include <stdlib.h>
#include <string.h>

#include "regressor.h"

static const char *const PARAMETER[FA_REGRESSOR_COLUMNS] = {"mass",
                                                            "mass_com.x",
                                                            "mass_com.y",
                                                            "mass_com.z",
                                                            "origin_inertia.xx",
                                                            "origin_inertia.yy",
                                                            "origin_inertia.zz",
                                                            "origin_inertia.xy",
                                                            "origin_inertia.xz",
                                                            "origin_inertia.yz"};

fa_status fa_regressor_new(const fa_state *state, fa_regressor_columns *columns, fa_error *error)
{
    const fa_arm *arm = state->self;
    size_t        n = (size_t)arm->n_links, c = (size_t)arm->chain.n_coordinates;
    columns->n_links = arm->n_links;
    columns->body = calloc(n + 1, sizeof *columns->body);
    columns->frame = calloc(n + 1, sizeof *columns->frame);
    columns->row = calloc(n + 1, sizeof *columns->row);
    columns->Y = calloc(FA_REGRESSOR_COLUMNS * n * c + 1, sizeof *columns->Y);
    columns->work = malloc(fa_regressor_work_size(&arm->chain) + 1);
    if (!columns->body || !columns->frame || !columns->row || !columns->Y || !columns->work)
        return fa_fail(error, FA_NO_MEMORY, state->source, FA_NOWHERE,
                       "there is not enough memory for the regressor");
    for (int i = 0; i < arm->n_links; i++) {
        columns->body[i] = arm->link[i].body;
        columns->frame[i] = arm->link[i].frame;
        columns->row[i] = arm->link[i].row;
    }
    return FA_OK;
}

void fa_regressor_free(fa_regressor_columns *columns)
{
    free(columns->body);
    free(columns->frame);
    free(columns->row);
    free(columns->Y);
    free(columns->work);
}

void fa_regressor_put_names(const fa_regressor_columns *columns, const fa_state *state, int first,
                            int n, fa_csv_writer *out)
{
    const fa_variable *row = state->table.row;
    for (int i = 0; i < n; i++)
        for (int k = 0; k < columns->n_links; k++)
            for (int p = 0; p < FA_REGRESSOR_COLUMNS; p++) {
                char        name[4 * FA_NAME_SIZE];
                const char *mass = row[columns->row[k]].name; // link.<l>.mass
                int         prefix = (int)(strlen(mass) - strlen(PARAMETER[0]));
                snprintf(name, sizeof name, "%s/%.*s%s", row[first + i].name, prefix, mass,
                         PARAMETER[p]);
                fa_csv_put_name(out, name);
            }
}

void fa_regressor_put_numbers(const fa_regressor_columns *columns, const fa_state *state, int at,
                              int n, fa_csv_writer *out)
{
    const fa_arm *arm = state->self;
    const double *value = state->value;
    fa_regressor(&arm->chain, value + arm->row[FA_ARM_POSITION], value + arm->row[FA_ARM_VELOCITY],
                 value + arm->row[FA_ARM_ACCELERATION], columns->n_links, columns->body,
                 columns->frame, columns->Y, columns->work);
    const int width = FA_REGRESSOR_COLUMNS * columns->n_links;
    for (int i = at * width; i < (at + n) * width; i++) fa_csv_put_number(out, columns->Y[i]);
}
