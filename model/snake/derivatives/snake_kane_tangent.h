// How a moving snake changes, to first order, when its parameters, shape, speeds or forces do: the
// stages of snake_kane.h differentiated, O(n) each.
//
// A tangent of a thing has the thing's own type: a fa_snake whose links and joints hold the
// tangents of lengths and masses, a fa_snake_motion with the tangents of speeds. Tangents of `base`
// and `n` are not looked at.
#ifndef FA_SNAKE_KANE_TANGENT_H
#define FA_SNAKE_KANE_TANGENT_H

#include "snake_kane.h"

// Everything but Vd and wd.
void fa_snake_kinematics_tangent(const fa_snake *snake, const fa_snake_motion motion[],
                                 const fa_snake *snake_step, const double theta_tangent[],
                                 const double u_tangent[2], fa_snake_motion tangent[]);

fa_snake_equations fa_snake_project_tangent(const fa_snake *snake, const fa_snake_motion motion[],
                                            const fa_snake_forces *forces,
                                            const fa_snake        *snake_step,
                                            const fa_snake_motion  tangent[],
                                            const fa_snake_forces *forces_tangent);

// What is left of F - bias - M ud, to first order, while ud stands still: the tangent of ud is
// M^-1 of it.
void fa_snake_residual_tangent(const fa_snake_equations *equations_tangent, const double ud[2],
                               double residual[2]);

void fa_snake_accelerate_tangent(const fa_snake *snake, const fa_snake_motion motion[],
                                 const double ud[2], const double ud_tangent[2],
                                 fa_snake_motion tangent[]);

// Of the wheels' lateral forces only.
void fa_snake_reactions_tangent(const fa_snake *snake, const fa_snake_motion motion[],
                                const fa_snake_forces *forces, const fa_snake *snake_step,
                                const fa_snake_motion  tangent[],
                                const fa_snake_forces *forces_tangent, double lambda_tangent[]);

double fa_snake_kinetic_energy_tangent(const fa_snake *snake, const fa_snake_motion motion[],
                                       const fa_snake *snake_step, const fa_snake_motion tangent[]);

#endif
