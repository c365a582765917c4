// The linear system of small steps away from one state: dx/dt = A x + B u, y = C x + D u.
#ifndef FA_LINEARISATION_H
#define FA_LINEARISATION_H

#include "state.h"

// One of x: a state; or an angle in the place of a quaternion's four states. The quaternion q at
// the state, turned by small angles d about the axes of the joint's frame on the parent, is
// exp(d/2) q.
typedef struct fa_linear_state {
    int row;      // of the state; of an angle that of the quaternion's w
    int axis;     // 0, 1, 2: an angle about x, y, z; FA_NO_AXIS: a state
    int velocity; // of an angle: row of the angular velocity's x
} fa_linear_state;
#define FA_NO_AXIS (-1)

// x are states, but for those at their end that only sum something up; u inputs; y outputs.
typedef struct fa_linearisation {
    int              first_x, n_x, first_u, n_u, first_y, n_y; // n_x of x; others are rows
    int              rows, columns;                            // n_x + n_y, n_x + n_u
    int              n_angles;                                 // of x
    fa_linear_state *x;                                        // n_x of them
    double          *matrix;                                   // [A B; C D], row after row
} fa_linearisation;

// Refuses an inverse, which has no states; so does fa_linearise.
fa_status fa_linearisation_fits(const fa_state *state, fa_error *error);

// Where the state's values are, which are evaluated there; every column is exact, by the plant's
// tangent. Release with fa_linearisation_free, also after
// a failure.
fa_status fa_linearise(fa_state *state, fa_linearisation *system, fa_error *error);
void      fa_linearisation_free(fa_linearisation *system);

// The variable that row i, or column j, of the matrix belongs to, as a row of the table. Row i of
// the first n_x is the derivative of that variable. Of an angle: the quaternion's first row.
int fa_linearisation_row(const fa_linearisation *system, int i);
int fa_linearisation_column(const fa_linearisation *system, int j);

// Its name: of an angle joint.<j>.rotation.x, which is no variable.
typedef struct fa_linear_name {
    char text[512];
} fa_linear_name;
fa_linear_name fa_linearisation_row_name(const fa_state *state, const fa_linearisation *system,
                                         int i);
fa_linear_name fa_linearisation_column_name(const fa_state *state, const fa_linearisation *system,
                                            int j);

#endif
