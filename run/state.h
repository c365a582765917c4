// A robot's plant and the values of its variables, outside of any FMU.
#ifndef FA_STATE_H
#define FA_STATE_H

#include "names.h"
#include "plant.h"

typedef struct fa_state {
    const char     *source; // the robot's file, for messages
    const fa_plant *plant;
    fa_variables    table; // without descriptions
    void           *block; // memory of the table
    void           *self;  // memory of the plant
    double         *value; // one value for each row
    fa_names        names; // index of names to rows
} fa_state;

// Creates the state with start values, and initial states from their parameters. Release with
// fa_state_free, also after a failure. The robot must live as long.
fa_status fa_state_new(const fa_robot *robot, fa_state *state, fa_error *error);

// Creates the state for another plant than the robot's default.
fa_status fa_state_of_plant(const fa_plant *plant, const fa_robot *robot, fa_state *state,
                            fa_error *error);
void      fa_state_free(fa_state *state);

// Finds the row of a variable; otherwise fails with a message that suggests the nearest name.
// `file` and `place` are the place of the name; NULL: the command line.
fa_status fa_state_find(const fa_state *state, const char *name, const char *file, fa_place place,
                        int *row, fa_error *error);

// Finds a variable that can be set before a motion begins: a parameter or an input.
fa_status fa_state_find_settable(const fa_state *state, const char *name, const char *file,
                                 fa_place place, int *row, fa_error *error);

// Sets a parameter or an input by its name. Call fa_state_begin after the last one.
fa_status fa_state_set(fa_state *state, const char *name, double value, fa_error *error);

// Fails unless the value is within the bounds of a parameter, and a whole number where the variable
// is one.
fa_status fa_state_accept(const fa_state *state, int row, double value, const char *file,
                          fa_place place, fa_error *error);

// Checks all numbers of a line of a table and writes them: number i into row[i]; FA_NO_ROW:
// ignored. `place` has the place of each column.
fa_status fa_state_accept_line(fa_state *state, int n, const int row[], const double given[],
                               const char *file, const fa_place place[], fa_error *error);

// Computes the initial states from their parameters.
void fa_state_start(fa_state *state);

// Computes the initial states, except for the rows that are given.
void fa_state_start_others(fa_state *state, const bool is_given[]);

// Passes the parameters to the plant; and the same after computing the initial states. fa_state_new
// calls it once.
fa_status fa_state_configure(fa_state *state, fa_error *error);
fa_status fa_state_begin(fa_state *state, fa_error *error);

// Evaluates these groups (fa_variable.group of plant.h, FA_GROUP_ALL: all) from parameters, inputs,
// states and time in the values.
fa_status fa_state_evaluate(fa_state *state, unsigned groups, fa_error *error);

static inline fa_role fa_state_role(const fa_state *state, int row)
{
    return state->table.row[row].role;
}

#endif
