// Where an arm stands still: torques that hold a pose, or a pose that given torques hold.
#ifndef FA_EQUILIBRIUM_H
#define FA_EQUILIBRIUM_H

#include "state.h"

// A state of another plant than "arm" and "mechanism" is refused. Both set its velocities to zero.
//
// The first sets the torque inputs to what keeps the positions as they are. The second looks for
// the nearest positions, within the limits of the joints, at which the torque inputs as they are
// hold the arm; FA_SINGULAR when it finds none. Limits that leave no room are taken for none.
fa_status fa_equilibrium_torques(const fa_robot *robot, fa_state *state, fa_error *error);
fa_status fa_equilibrium_pose(const fa_robot *robot, fa_state *state, fa_error *error);

#endif
