// Equilibria of mechanisms by their own plant; equilibrium.c calls these functions.
#ifndef FA_EQUILIBRIUM_MECHANISM_H
#define FA_EQUILIBRIUM_MECHANISM_H

#include "state.h"

// Like fa_equilibrium_torques and fa_equilibrium_pose. Where loops determine joints, the drives
// (servos and motors) carry the load if they can, with least squares of their efforts. Otherwise,
// and without loops, the efforts at the joints that are states do.
fa_status fa_mechanism_equilibrium_torques(fa_state *state, fa_error *error);
fa_status fa_mechanism_equilibrium_pose(fa_state *state, fa_error *error);

#endif
