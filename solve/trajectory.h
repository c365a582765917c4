// The event loop of a plant: Co-Simulation (fmu/stepping) and simulations without an FMU
// (run/simulation.h) share it. An integrator runs to the next event, discrete updates follow there,
// and the integrator continues.
#ifndef FA_TRAJECTORY_H
#define FA_TRAJECTORY_H

#include "integrate.h"

// A block of consecutive states whose derivatives are consecutive, too.
typedef struct fa_stretch {
    int state, row, n;
} fa_stretch;

// Finds the blocks; `stretch` has room for one per state. Returns their number.
int fa_stretches(const fa_state_rows *states, fa_stretch stretch[]);

// Callbacks of a trajectory's owner. Each but `name` may be NULL.
typedef struct fa_trajectory_owner {
    // Sets the inputs in the plant's values to those at time t.
    fa_status (*inputs)(void *context, double t, fa_error *error);

    // Returns the rates of all inputs at (t, x) [unit/s]; *rate NULL: constant inputs.
    fa_status (*rates)(void *context, double t, const double x[], const double **rate,
                       fa_error *error);

    // Called after each integrator step. May reduce the trajectory's `end`.
    fa_status (*stepped)(void *context, double t, fa_error *error);

    // Called after each discrete update.
    void (*updated)(void *context, const fa_event *event);

    // Returns the name of a row, for messages.
    const char *(*name)(void *context, int row);
    void *context;
} fa_trajectory_owner;

// A trajectory owns no memory and may be created for each call. Its state between calls is behind
// `pace`, `fresh`, `next_event` and `seen`.
typedef struct fa_trajectory {
    const fa_plant      *plant;
    void                *self;  // the plant's memory; its parameters are configured
    double              *value; // one value for each row
    const fa_state_rows *states;
    const fa_stretch    *stretch;
    int                  n_stretches;
    const double        *nominal; // nominal value of each state, > 0
    int                  first_indicator, n_indicators;
    unsigned             derivative_groups, indicator_groups;
    bool                 switches; // fa_plant_switches
    fa_solver            solver;
    double              *work;      // scratch of fa_integrate_work numbers
    double              *direction; // scratch, one number for each row
    bool                *above;     // for each indicator: it was positive after the last update
    fa_pace             *pace;
    uint32_t            *fresh; // groups that are valid for the current values
    double  *next_event;        // next time event that the plant announced, infinite if none [s]
    int32_t *seen; // fa_plant.notable has returned true since the last renewal of flags
    fa_trajectory_owner owner;
    bool                leaves;     // leaves an event at the end to the caller
    bool                returns;    // returns at the first event
    double              end;        // [s]
    bool                event;      // stopped at an event that is left to the caller
    long                asked;      // number of evaluations requested by integrators,
    long                calls;      // number of those computed,
    long                most_asked; // and limit of requests, at which they fail; 0: none
    long                jacobians;
    double              patience; // limit of one call of fa_trajectory_advance, and
    double              spent;    // use of this call, in evaluations; 0: no limit
} fa_trajectory;

// Returns the limit of one call, for any number of steps and events: half a minute of an arm or a
// snake with so many states. The unit is an evaluation of derivatives, indicators or a discrete
// update; a Jacobian counts as one for each state, or as six where the plant solves the equations
// without a matrix.
double fa_trajectory_patience(int n_states);

// Returns the groups of rows that contain the states' derivatives, and those of the indicators.
unsigned fa_derivative_groups(const fa_state_rows *states);
unsigned fa_indicator_groups(const fa_variables *variables);

// Sets the plant's values to a point. If time and states are unchanged, evaluated groups stay
// valid; code that changes other values must clear `fresh`.
fa_status fa_trajectory_place(fa_trajectory *trajectory, double t, const double x[],
                              fa_error *error);

// Evaluates the rows of these groups where they are not valid.
fa_status fa_trajectory_evaluate(fa_trajectory *trajectory, unsigned groups, fa_error *error);

// Make one discrete update at the current values; and repeat updates until none is due. `initial`:
// these are the first updates of a run.
fa_status fa_trajectory_update(fa_trajectory *trajectory, fa_event *event, fa_error *error);
fa_status fa_trajectory_settle(fa_trajectory *trajectory, bool initial, fa_error *error);

// Records the sign of each indicator: a change of sign is an event.
fa_status fa_trajectory_note_sides(fa_trajectory *trajectory, fa_error *error);

// Renews the flags that only describe the motion (fa_plant.note), where a host may see them change.
fa_status fa_trajectory_take_note(fa_trajectory *trajectory, fa_error *error);

// Passes an accepted step to the plant, which may use it as the start of later iterations
// (fa_plant.accept).
fa_status fa_trajectory_accept(fa_trajectory *trajectory, bool *moved, fa_error *error);

// Records flags of a short event in an accepted step, which a later call reports
// (fa_plant.notable).
fa_status fa_trajectory_look_out(fa_trajectory *trajectory, fa_error *error);

// Integrates from *t to trajectory->end, over any number of events, or less far if the owner
// requests a return. `touched`: a variable was set, so events may be due at *t. *t and x are the
// last accepted point; after a failure the plant's values may be others.
//
// The result depends only on the plant, the values and the ends of the calls.
fa_status fa_trajectory_advance(fa_trajectory *trajectory, bool touched, double *t, double x[],
                                fa_error *error);

// Returns the equations between two events, for other integrators (lockstep.h). The trajectory must
// stay where it is.
fa_problem fa_trajectory_problem(fa_trajectory *trajectory);

// Writes the message about a derivative that is not finite.
fa_status fa_derivative_is_none(const char *name, fa_error *error);

// Reads dx/dt from valid rows.
void fa_trajectory_derivatives(const fa_trajectory *trajectory, double dx[]);

#endif
