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

// Its slopes with respect to the rate and the four parameters, times `wanted`: added.
void fa_friction_slope(const fa_friction *friction, double rate, double wanted, double *rate_slope,
                       fa_friction *slope);

// Torque of the spring along the joint: -stiffness (position - rest) - damping rate.
double fa_spring_torque(const fa_spring *spring, double position, double rate);
double fa_spring_step(const fa_spring *spring, double position, double rate, double position_step,
                      double rate_step, const fa_spring *spring_step);

// Energy stored in the spring [J], and its change.
double fa_spring_energy(const fa_spring *spring, double position);
double fa_spring_energy_step(const fa_spring *spring, double position, double position_step,
                             const fa_spring *spring_step);

// The transposes of the two steps: slopes times `wanted`, added.
void fa_spring_slope(const fa_spring *spring, double position, double rate, double wanted,
                     double *position_slope, double *rate_slope, fa_spring *slope);
void fa_spring_energy_slope(const fa_spring *spring, double position, double wanted,
                            double *position_slope, fa_spring *slope);

#endif
