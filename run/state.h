// A robot's plant with a value for each of its variables, outside of any FMU.
#ifndef FA_STATE_H
#define FA_STATE_H

#include "names.h"
#include "plant.h"

typedef struct fa_state {
    const char     *source; // the robot's file, for messages
    const fa_plant *plant;
    fa_variables    table; // without descriptions
    void           *block; // of the table
    void           *self;  // the plant's memory
    double         *value; // one for each row
    fa_names        names; // name to row
} fa_state;

// Everything at its start value, and the states where their parameters put them. Release with
// fa_state_free, also after a failure. The robot must live as long.
fa_status fa_state_new(const fa_robot *robot, fa_state *state, fa_error *error);

// The same of another plant than the one that the robot names.
fa_status fa_state_of_plant(const fa_plant *plant, const fa_robot *robot, fa_state *state,
                            fa_error *error);
void      fa_state_free(fa_state *state);

// The row of a variable; where there is none, a sentence with the nearest name. `file` and `place`
// say where the name stands; NULL: on the command line.
fa_status fa_state_find(const fa_state *state, const char *name, const char *file, fa_place place,
                        int *row, fa_error *error);

// The same for one that can be set before a motion begins: a parameter or an input.
fa_status fa_state_find_settable(const fa_state *state, const char *name, const char *file,
                                 fa_place place, int *row, fa_error *error);

// Sets a parameter or an input by its name. fa_state_begin comes behind the last one.
fa_status fa_state_set(fa_state *state, const char *name, double value, fa_error *error);

// Whether a value can stand in a row: within the bounds of a parameter, and whole where the
// variable is.
fa_status fa_state_accept(const fa_state *state, int row, double value, const char *file,
                          fa_place place, fa_error *error);

// The same for all numbers of a line of a table, which then stand in their rows: number i in
// row[i], FA_NO_ROW: nowhere. `place` has the place of each column.
fa_status fa_state_accept_line(fa_state *state, int n, const int row[], const double given[],
                               const char *file, const fa_place place[], fa_error *error);

// The states from the parameters that they start from.
void fa_state_start(fa_state *state);

// The same, but for the rows that are given.
void fa_state_start_others(fa_state *state, const bool is_given[]);

// Hands the parameters to the plant; and that after the states have been put where they start.
// fa_state_new has done it once.
fa_status fa_state_configure(fa_state *state, fa_error *error);
fa_status fa_state_begin(fa_state *state, fa_error *error);

// Calculates the rows of these groups (fa_variable.group of plant.h, FA_GROUP_ALL: all) from
// parameters, inputs, states and time as they stand in the values.
fa_status fa_state_evaluate(fa_state *state, unsigned groups, fa_error *error);

static inline fa_role fa_state_role(const fa_state *state, int row)
{
    return state->table.row[row].role;
}

#endif
