// Derivatives of the measure of control, and solution of small systems with G G^T. See
// snake_control.h.
#ifndef FA_SNAKE_CONTROL_DERIVATIVES_H
#define FA_SNAKE_CONTROL_DERIVATIVES_H

#include "snake_kane.h"

// Returns the tangent of sigma2 / sigma1. Below 1e-12, or within 1e-12 of 1, the ratio has a kink
// and the tangent is 0.
double fa_snake_control_tangent(const fa_snake *snake, const fa_snake_motion motion[],
                                const fa_snake_equations *equations,
                                const fa_snake_motion     tangent[],
                                const fa_snake_equations *equations_tangent);

// Adjoint of that function: adds the adjoints of the partial rates and of M, times `wanted`.
void fa_snake_control_adjoint(const fa_snake *snake, const fa_snake_motion motion[],
                              const fa_snake_equations *equations, double wanted,
                              fa_snake_motion adjoint[], fa_snake_equations *equations_adjoint);

// Solves G G^T x = right. Requires a snake that torques control.
void fa_snake_gram_solve(const fa_snake *snake, const fa_snake_motion motion[],
                         const double right[2], double x[2]);

#endif
