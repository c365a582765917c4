#include "plant_jacobian.h"

#include <string.h>

fa_status fa_plant_jacobian(const fa_plant *plant, void *self, const fa_variables *table,
                            const double value[], const double rate[], double direction[],
                            double by_state[], double by_time[], fa_error *error)
{
    const int          n = fa_variables_count(table, FA_STATE), first = table->first[FA_STATE];
    const fa_variable *state = table->row + first;
    const size_t       size = (size_t)table->n * sizeof *direction;
    unsigned           groups = FA_GROUP_DERIVATIVES;
    for (int i = 0; i < n; i++) groups |= table->row[state[i].derivative].group;

    // One direction for each column that the plant does not give at once, and the last for time.
    fa_status at_once = plant->jacobian
                            ? plant->jacobian(self, table, value, direction, by_state, error)
                            : FA_UNFIT;
    if (at_once != FA_OK && at_once != FA_UNFIT) return at_once;
    for (int j = at_once == FA_OK ? n : 0; j <= n; j++) {
        memset(direction, 0, size);
        if (j < n) {
            direction[first + j] = 1;
        } else {
            direction[table->first[FA_TIME]] = 1;
            const int inputs = fa_variables_count(table, FA_INPUT);
            if (rate)
                memcpy(direction + table->first[FA_INPUT], rate, (size_t)inputs * sizeof *rate);
        }
        fa_status status = plant->tangent(self, value, direction, groups, error);
        if (status != FA_OK) return status;
        for (int i = 0; i < n; i++)
            *(j < n ? &by_state[i * n + j] : &by_time[i]) = direction[state[i].derivative];
    }
    return FA_OK;
}
