// What a joint's bearing and spring do on their own: torque as a function of its motion, and how
// that changes.
#ifndef FA_FRICTION_H
#define FA_FRICTION_H

#include "robot.h"

// Torque against the motion [N m] or [N]: positive for positive rate.
double fa_friction_torque(const fa_friction *friction, double rate);

// Its first-order change for a step of the rate and of the four parameters.
double fa_friction_step(const fa_friction *friction, double rate, double rate_step,
                        const fa_friction *friction_step);

// Torque of the spring along the joint: -stiffness (position - rest) - damping rate.
double fa_spring_torque(const fa_spring *spring, double position, double rate);
double fa_spring_step(const fa_spring *spring, double position, double rate, double position_step,
                      double rate_step, const fa_spring *spring_step);

// Energy stored in the spring [J], and its change.
double fa_spring_energy(const fa_spring *spring, double position);
double fa_spring_energy_step(const fa_spring *spring, double position, double position_step,
                             const fa_spring *spring_step);

#endif
