// Evaluates the regressor at a state and writes its columns.
#include "regressor_columns.h"

#include <stdio.h>
#include <string.h>

void fa_regressor_put_names(const fa_arm_dynamics *dynamics, const fa_arm_regressor *regressor,
                            fa_csv_writer *out)
{
    const fa_variable *row = dynamics->state->table.row;
    for (int i = 0; i < dynamics->n; i++)
        for (int k = 0; k < regressor->n_links; k++)
            for (int p = 0; p < FA_REGRESSOR_COLUMNS; p++) {
                char        name[4 * FA_NAME_SIZE];
                const char *mass = row[regressor->row[k]].name; // row of link.<l>.mass
                int         prefix = (int)(strlen(mass) - strlen(fa_regressor_names[0]));
                snprintf(name, sizeof name, "%s/%.*s%s", row[dynamics->first + i].name, prefix,
                         mass, fa_regressor_names[p]);
                fa_csv_put_name(out, name);
            }
}

void fa_regressor_put_numbers(const fa_arm_dynamics *dynamics, fa_arm_regressor *regressor,
                              fa_csv_writer *out)
{
    const int width = FA_REGRESSOR_COLUMNS * regressor->n_links;
    const int end = (dynamics->at + dynamics->n) * width;
    fa_arm_regressor_find(dynamics, regressor);
    for (int i = dynamics->at * width; i < end; i++) fa_csv_put_number(out, regressor->Y[i]);
}
