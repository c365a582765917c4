// The linear system of small steps away from one state: dx/dt = A x + B u, y = C x + D u.
#ifndef FA_LINEARISATION_H
#define FA_LINEARISATION_H

#include "state.h"

// x are states, but for those at their end that only sum something up; u inputs; y outputs.
typedef struct fa_linearisation {
    int     first_x, n_x, first_u, n_u, first_y, n_y; // rows of the table
    int     rows, columns;                            // n_x + n_y, n_x + n_u
    double *matrix;                                   // [A B; C D], row after row
} fa_linearisation;

// Refuses an inverse, which has no states; so does fa_linearise.
fa_status fa_linearisation_fits(const fa_state *state, fa_error *error);

// Where the state's values are, which are evaluated there; every column is exact, by the plant's
// tangent. Release with fa_linearisation_free, also after
// a failure.
fa_status fa_linearise(fa_state *state, fa_linearisation *system, fa_error *error);
void      fa_linearisation_free(fa_linearisation *system);

// The variable that row i, or column j, of the matrix belongs to, as a row of the table. Row i of
// the first n_x is the derivative of that variable.
int fa_linearisation_row(const fa_linearisation *system, int i);
int fa_linearisation_column(const fa_linearisation *system, int j);

#endif
