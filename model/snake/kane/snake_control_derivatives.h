// How the measure of control changes, to first order, and the solution of small systems with G G^T.
// See snake_control.h.
#ifndef FA_SNAKE_CONTROL_DERIVATIVES_H
#define FA_SNAKE_CONTROL_DERIVATIVES_H

#include "snake_kane.h"

// The change of sigma2 / sigma1. Where it is below 1e-12, or 1 to that, the ratio has a kink and
// the change is given as 0.
double fa_snake_control_tangent(const fa_snake *snake, const fa_snake_motion motion[],
                                const fa_snake_equations *equations,
                                const fa_snake_motion     tangent[],
                                const fa_snake_equations *equations_tangent);

// Its transpose: adjoints of the partial rates and of M, times `wanted`, are added.
void fa_snake_control_adjoint(const fa_snake *snake, const fa_snake_motion motion[],
                              const fa_snake_equations *equations, double wanted,
                              fa_snake_motion adjoint[], fa_snake_equations *equations_adjoint);

// x with G G^T x = right. Takes a snake that torques control.
void fa_snake_gram_solve(const fa_snake *snake, const fa_snake_motion motion[],
                         const double right[2], double x[2]);

#endif
