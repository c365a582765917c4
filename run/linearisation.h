// Linearisation at a state: dx/dt = A x + B u, y = C x + D u.
#ifndef FA_LINEARISATION_H
#define FA_LINEARISATION_H

#include "state.h"

// An entry of x: a state, or a small angle that replaces a quaternion's four states. The quaternion
// q at the state, rotated by small angles d about the axes of the joint's frame on the parent, is
// exp(d/2) q.
typedef struct fa_linear_state {
    int row;      // row of the state; for an angle that of the quaternion's w
    int axis;     // 0, 1, 2: rotation about x, y, z; FA_NO_AXIS: a state
    int velocity; // for an angle: row of the angular velocity's x
} fa_linear_state;
#define FA_NO_AXIS (-1)

// The linear system. x are states, except recorded integrals at their end; u inputs; y outputs.
typedef struct fa_linearisation {
    int              first_x, n_x, first_u, n_u, first_y, n_y; // n_x counts x; the others are rows
    int              rows, columns;                            // n_x + n_y, n_x + n_u
    int              n_angles;                                 // number of angles in x
    fa_linear_state *x;                                        // n_x entries
    double          *matrix;                                   // [A B; C D], row by row
} fa_linearisation;

// Fails for inverse dynamics, which has no states; so does fa_linearise.
fa_status fa_linearisation_fits(const fa_state *state, fa_error *error);

// Linearises at the state's values, and evaluates the state there. Every column is exact, by the
// plant's tangent. Release with fa_linearisation_free, also after a failure.
fa_status fa_linearise(fa_state *state, fa_linearisation *system, fa_error *error);
void      fa_linearisation_free(fa_linearisation *system);

// Return the variable of row i, or column j, of the matrix, as a row of the table. Each of the
// first n_x rows is the derivative of its variable. For an angle: the quaternion's first row.
int fa_linearisation_row(const fa_linearisation *system, int i);
int fa_linearisation_column(const fa_linearisation *system, int j);

// Its name; an angle has a name that is no variable: joint.<j>.rotation.x.
typedef struct fa_linear_name {
    char text[512];
} fa_linear_name;
fa_linear_name fa_linearisation_row_name(const fa_state *state, const fa_linearisation *system,
                                         int i);
fa_linear_name fa_linearisation_column_name(const fa_state *state, const fa_linearisation *system,
                                            int j);

#endif
