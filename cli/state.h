// A robot's plant with a value for each of its variables, outside of any FMU.
#ifndef FA_STATE_H
#define FA_STATE_H

#include "csv.h"
#include "names.h"
#include "options.h"
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
void      fa_state_free(fa_state *state);

// The row of a variable; where there is none, a sentence with the nearest name. `file` and `place`
// say where the name stands; NULL: on the command line.
fa_status fa_state_find(const fa_state *state, const char *name, const char *file, fa_place place,
                        int *row, fa_error *error);

// The same for one that can be set before a motion begins: a parameter or an input.
fa_status fa_state_find_settable(const fa_state *state, const char *name, const char *file,
                                 fa_place place, int *row, fa_error *error);

// What --solver, --tolerance and --set say; and what --set alone says.
fa_status fa_state_set_all(fa_state *state, const fa_arguments *arguments, fa_error *error);
fa_status fa_state_set(fa_state *state, const fa_assignments *set, fa_error *error);

// Whether a value can stand in a row: within the bounds of a parameter, and whole where the
// variable is.
fa_status fa_state_accept(const fa_state *state, int row, double value, const char *file,
                          fa_place place, fa_error *error);

// The states from the parameters that they start from.
void fa_state_start(fa_state *state);

// Hands the parameters to the plant; fa_state_new has done it once.
fa_status fa_state_configure(fa_state *state, fa_error *error);

static inline fa_role fa_state_role(const fa_state *state, int row)
{
    return state->table.row[row].role;
}

#endif
