// What the command line says of a state: --set, --solver and --tolerance.
#ifndef FA_STATE_OPTIONS_H
#define FA_STATE_OPTIONS_H

#include "options.h"
#include "state.h"

// What all of them say; and what --set alone says. The state begins anew with that.
fa_status fa_state_set_all(fa_state *state, const fa_arguments *arguments, fa_error *error);
fa_status fa_state_assign(fa_state *state, const fa_assignments *set, fa_error *error);

#endif
