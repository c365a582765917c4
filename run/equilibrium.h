// Equilibria of an arm: the torques that hold a pose, or the pose that given torques hold.
#ifndef FA_EQUILIBRIUM_H
#define FA_EQUILIBRIUM_H

#include "state.h"

// Both fail for plants other than "arm" and "mechanism", and set the state's velocities to zero.
//
// The first sets the torque inputs to the values that hold the current positions. The second finds
// the nearest positions, within the joints' limits, at which the current torque inputs hold the
// arm; FA_SINGULAR if it finds none. Limits of an empty range count as no limits.
fa_status fa_equilibrium_torques(const fa_robot *robot, fa_state *state, fa_error *error);
fa_status fa_equilibrium_pose(const fa_robot *robot, fa_state *state, fa_error *error);

#endif
