// The regressor as columns of a table: named <torque>/<parameter of a link>.
#ifndef FA_REGRESSOR_COLUMNS_H
#define FA_REGRESSOR_COLUMNS_H

#include "arm.h"
#include "csv_writer.h"
#include "state.h"

typedef struct fa_regressor_columns {
    int           n_links; // that move
    int          *body;    // the body that each is part of …
    fa_transform *frame;   // … and where it stands in it
    int          *row;     // of its mass: the name
    double       *Y;
    void         *work;
} fa_regressor_columns;

// Of the arm in `state`. Release with fa_regressor_free, also after a failure.
fa_status fa_regressor_new(const fa_state *state, fa_regressor_columns *columns, fa_error *error);
void      fa_regressor_free(fa_regressor_columns *columns);

// Of n torques; first: the row of the first of them.
void fa_regressor_put_names(const fa_regressor_columns *columns, const fa_state *state, int first,
                            int n, fa_csv_writer *out);
// At the state's positions, velocities and accelerations; of n coordinates from `at` on.
void fa_regressor_put_numbers(const fa_regressor_columns *columns, const fa_state *state, int at,
                              int n, fa_csv_writer *out);

#endif
