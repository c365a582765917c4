// Jacobian of state derivatives by tangents, or by the plant's own function.
#include "plant_jacobian.h"

#include <string.h>

fa_status fa_plant_jacobian(const fa_plant *plant, void *self, const fa_state_rows *states,
                            const double value[], const double rate[], double direction[],
                            double by_state[], double by_time[], fa_error *error)
{
    const int n = states->n;
    unsigned  groups = FA_GROUP_DERIVATIVES;
    for (int i = 0; i < n; i++) groups |= states->of[i].derivative_group;

    // One tangent for each column that the plant does not compute itself, and one for time.
    fa_status at_once = FA_UNFIT;
    if (!by_state)
        at_once = plant->implicit->linearise(self, value, direction, error);
    else if (plant->jacobian)
        at_once = plant->jacobian(self, states, value, direction, by_state, error);
    if (at_once != FA_OK && at_once != FA_UNFIT) return at_once;
    for (int j = at_once == FA_OK ? n : 0; j <= n; j++) {
        memset(direction, 0, (size_t)states->rows * sizeof *direction);
        if (j < n) {
            direction[states->first + j] = 1;
        } else {
            direction[states->time] = 1;
            if (rate)
                memcpy(direction + states->first_input, rate,
                       (size_t)states->n_inputs * sizeof *rate);
        }
        fa_status status = plant->tangent(self, value, direction, groups, error);
        if (status != FA_OK) return status;
        for (int i = 0; i < n; i++)
            *(j < n ? &by_state[i * n + j] : &by_time[i]) = direction[states->of[i].derivative];
    }
    return FA_OK;
}
