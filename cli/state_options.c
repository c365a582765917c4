// Applies --set, --solver and --tolerance to a state.
#include "state_options.h"

#include <math.h>

fa_status fa_state_assign(fa_state *state, const fa_assignments *set, fa_error *error)
{
    for (int i = 0; i < set->n; i++) {
        const fa_status status = fa_state_set(state, set->of[i].name, set->of[i].value, error);
        if (status != FA_OK) return status;
    }
    return fa_state_begin(state, error);
}

fa_status fa_state_set_all(fa_state *state, const fa_arguments *arguments, fa_error *error)
{
    const double tolerance = arguments->tolerance;
    if (arguments->solver != FA_NOT_SAID) state->value[FA_ROW_SOLVER] = arguments->solver;
    if (!isnan(tolerance)) {
        const fa_status status =
            fa_state_accept(state, FA_ROW_SOLVER_TOLERANCE, tolerance, NULL, FA_NOWHERE, error);
        if (status != FA_OK) return status;
        state->value[FA_ROW_SOLVER_TOLERANCE] = tolerance;
    }
    return fa_state_assign(state, &arguments->set, error);
}
