// Derivatives of the accelerations of a snake on wheels that do not slip, with prescribed joints or
// a prescribed base: what the derivatives of both plants of such snakes share.
#ifndef FA_SNAKE_CHANGE_H
#define FA_SNAKE_CHANGE_H

#include "snake_plant.h"

// Tangents of a snake's results in a direction.
typedef struct fa_snake_change {
    fa_snake_self     *self;
    const double      *value;
    double            *direction;
    fa_snake           snake_step; // tangents of lengths and masses
    const double      *angle_tangent;
    fa_snake_equations equations_tangent;
    double             ud_tangent[2];
} fa_snake_change;

// Computes ud_tangent and the tangents of drives, and adds these to those of all torques.
fa_status fa_snake_solve_tangent(fa_snake_change *c, fa_error *error);

// Adjoints of a snake's results, on their way to those of its arguments.
typedef struct fa_snake_sweep {
    fa_snake_self     *self;
    const double      *value;
    double            *adjoint;
    double            *angle; // adjoints with respect to the links' angles
    fa_snake_adjoints  sums;
    fa_snake_equations equations;
    double             u[2], ud[2];
} fa_snake_sweep;

// Transpose of fa_snake_solve_tangent: adds to `equations`, to `u`, and to the adjoints of motion.
fa_status fa_snake_solve_adjoint(fa_snake_sweep *c, fa_error *error);

#endif
