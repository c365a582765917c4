// Tangents of the stages of snake_kane.h, by parameters, shape, speeds and forces; O(n) each.
//
// The tangent of a struct has the struct's type: a fa_snake whose links and joints hold the
// tangents of lengths and masses, a fa_snake_motion with the tangents of speeds. `base` and `n` of
// a tangent are ignored.
#ifndef FA_SNAKE_KANE_TANGENT_H
#define FA_SNAKE_KANE_TANGENT_H

#include "snake_kane.h"

// Computes all tangents but those of Vd and wd.
void fa_snake_kinematics_tangent(const fa_snake *snake, const fa_snake_motion motion[],
                                 const fa_snake *snake_step, const double theta_tangent[],
                                 const double u_tangent[2], fa_snake_motion tangent[]);

fa_snake_equations fa_snake_project_tangent(const fa_snake *snake, const fa_snake_motion motion[],
                                            const fa_snake_forces *forces,
                                            const fa_snake        *snake_step,
                                            const fa_snake_motion  tangent[],
                                            const fa_snake_forces *forces_tangent);

// Computes the tangent of F - bias - M ud at constant ud. The tangent of ud is M^-1 times it.
void fa_snake_residual_tangent(const fa_snake_equations *equations_tangent, const double ud[2],
                               double residual[2]);

void fa_snake_accelerate_tangent(const fa_snake *snake, const fa_snake_motion motion[],
                                 const double ud[2], const double ud_tangent[2],
                                 fa_snake_motion tangent[]);

// Computes the tangents of the wheels' lateral forces only.
void fa_snake_reactions_tangent(const fa_snake *snake, const fa_snake_motion motion[],
                                const fa_snake_forces *forces, const fa_snake *snake_step,
                                const fa_snake_motion  tangent[],
                                const fa_snake_forces *forces_tangent, double lambda_tangent[]);

double fa_snake_kinetic_energy_tangent(const fa_snake *snake, const fa_snake_motion motion[],
                                       const fa_snake *snake_step, const fa_snake_motion tangent[]);

#endif
