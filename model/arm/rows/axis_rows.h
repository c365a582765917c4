// The variables of a hydraulic axis: what the arm's table and that of the plant "cylinder" have in
// common. Names are a contract (docs/robot-file.md).
#ifndef FA_AXIS_ROWS_H
#define FA_AXIS_ROWS_H

#include "cylinder.h"
#include "robot.h"
#include "variables.h"

// fa_variable.index of an axis' rows: index of the cylinder times this, plus the fa_axis_given or
// fa_axis_result.
#define FA_AXIS_STRIDE 128

// The quantities and groups that a plant gives such rows.
typedef struct fa_axis_kinds {
    int      given, initial, result;
    unsigned derivatives, outputs;
} fa_axis_kinds;

typedef struct fa_axis_table {
    fa_variables       *variables;
    const fa_cylinder  *cylinder;
    int                 index;
    unsigned            parts;
    const fa_axis_kinds kinds;
} fa_axis_table;

// In this order, each for all of a plant's axes before the next one: rows of one role are in one
// run. Supply and tank are the plant's business, as they may belong to several axes; a pump is
// one axis'.
void fa_axis_declare_parameters(const fa_axis_table *table);
void fa_axis_declare_inputs(const fa_axis_table *table); // flows, the spool's command, a force
void fa_axis_declare_states(const fa_axis_table *table);
void fa_axis_declare_outputs(const fa_axis_table *table);
void fa_axis_declare_locals(const fa_axis_table *table); // derivatives of the states
void fa_axis_declare_indicators(const fa_axis_table *table);

// The rows of one axis, FA_NO_ROW where there is none.
typedef struct fa_axis_places {
    char name[FA_NAME_SIZE]; // of the cylinder
    int  given[FA_AXIS_GIVEN];
    int  initial_pressure[2]; // of A and B at the start
} fa_axis_places;

fa_axis_places fa_axis_nowhere(const fa_cylinder *cylinder);
void           fa_axis_place_initial(fa_axis_places *at, int slot, int row);

// Checks the parameters by the rules of the robot file.
fa_status fa_axis_configure(const fa_axis_places *at, const double value[], fa_error *error);

// Event of the spool at an end of its stroke. Returns true if a state has changed.
bool fa_axis_switch(const fa_axis_places *at, double value[]);

// Inputs of the supply, for all axes: pressures, or with a pump its flow; the pressure is then a
// state, among those of that axis. `cylinder` is the one whose numbers they start with.
void fa_axis_declare_tank(const fa_axis_table *table);

#endif
