// Applies the options --set, --solver and --tolerance to a state.
#ifndef FA_STATE_OPTIONS_H
#define FA_STATE_OPTIONS_H

#include "options.h"
#include "state.h"

// Apply all of these options; or --set alone. Both initialise the state again.
fa_status fa_state_set_all(fa_state *state, const fa_arguments *arguments, fa_error *error);
fa_status fa_state_assign(fa_state *state, const fa_assignments *set, fa_error *error);

#endif
