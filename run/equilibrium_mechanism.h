// Equilibria of mechanisms, by their own plant: equilibrium.c asks, where a robot is one.
#ifndef FA_EQUILIBRIUM_MECHANISM_H
#define FA_EQUILIBRIUM_MECHANISM_H

#include "state.h"

// As fa_equilibrium_torques and fa_equilibrium_pose. Where loops determine joints, drives (servos
// and motors) bear the load if they can, with the least squares of their efforts; otherwise, and
// without loops, the efforts of the joints that are states do.
fa_status fa_mechanism_equilibrium_torques(fa_state *state, fa_error *error);
fa_status fa_mechanism_equilibrium_pose(fa_state *state, fa_error *error);

#endif
