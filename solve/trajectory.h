// The motion of a plant through time, over the events on its way: the loop that Co-Simulation
// (fmu/stepping) and simulations without an FMU (run/simulation.h) share. An integrator goes as far
// as the next event, discrete updates follow there, and the integrator goes on.
#ifndef FA_TRAJECTORY_H
#define FA_TRAJECTORY_H

#include "integrate.h"

// States one behind the other whose derivatives are one behind the other.
typedef struct fa_stretch {
    int state, row, n;
} fa_stretch;

// Fills `stretch`, which has room for one per state; gives how many there are.
int fa_stretches(const fa_state_rows *states, fa_stretch stretch[]);

// What the owner of a trajectory adds to it. Any of them but `name` may be NULL: there is nothing
// to add.
typedef struct fa_trajectory_owner {
    // The time has become t: brings the inputs in the plant's values there.
    fa_status (*inputs)(void *context, double t, fa_error *error);

    // How fast the inputs move at (t, x) [unit/s], one for each; *rate NULL: they rest.
    fa_status (*rates)(void *context, double t, const double x[], const double **rate,
                       fa_error *error);

    // The integrator has completed a step. May bring the trajectory's end nearer.
    fa_status (*stepped)(void *context, double t, fa_error *error);

    // A discrete update has been made.
    void (*updated)(void *context, const fa_event *event);

    // The name of a row, for messages.
    const char *(*name)(void *context, int row);
    void *context;
} fa_trajectory_owner;

// Nothing in it is owned, so that it may be made anew for each call. What goes on from one call to
// the next stands behind `pace`, `fresh`, `next_event` and `seen`.
typedef struct fa_trajectory {
    const fa_plant      *plant;
    void                *self;  // the plant's memory; its parameters have been configured
    double              *value; // one for each row
    const fa_state_rows *states;
    const fa_stretch    *stretch;
    int                  n_stretches;
    const double        *nominal; // of each state, > 0
    int                  first_indicator, n_indicators;
    unsigned             derivative_groups, indicator_groups;
    bool                 switches; // as fa_plant_switches says
    fa_solver            solver;
    double              *work;      // as fa_integrate_work says
    double              *direction; // scratch: one for each row
    bool                *above;     // of each indicator, after the last update: whether positive
    fa_pace             *pace;
    uint32_t            *fresh;      // groups that have been evaluated at these values
    double              *next_event; // that the plant announced, infinite if none [s]
    int32_t             *seen;       // fa_plant.notable has said so since flags were renewed
    fa_trajectory_owner  owner;
    bool                 leaves;  // an event at the end is left to whoever called
    bool                 returns; // to whoever called, at the first event
    double               end;     // [s]
    bool                 event;   // it ended at an event that is left to whoever called
    long                 asked;   // evaluations of the derivatives that integrators have asked for,
    long                 calls;   // that were necessary,
    long                 most_asked; // and with which they fail; 0: never
    long                 jacobians;
    double               patience; // the most that one call of fa_trajectory_advance may spend, and
    double               spent;    // what this one has spent, in evaluations; 0: any number
} fa_trajectory;

// What one call may spend, as many steps and events as it takes: half a minute of an arm or a snake
// with so many states. Evaluations of derivatives, indicators and discrete updates count as one, a
// Jacobian as one for each state, or as six where the plant solves the equations without a matrix.
double fa_trajectory_patience(int n_states);

// The groups of rows that calculate the states' derivatives, and the indicators.
unsigned fa_derivative_groups(const fa_state_rows *states);
unsigned fa_indicator_groups(const fa_variables *variables);

// Puts the plant's values at a point. What has been evaluated there holds if they are there
// already: whoever changes a value otherwise clears `fresh`.
fa_status fa_trajectory_place(fa_trajectory *trajectory, double t, const double x[],
                              fa_error *error);

// Brings the rows of these groups up to date where the values are.
fa_status fa_trajectory_evaluate(fa_trajectory *trajectory, unsigned groups, fa_error *error);

// One discrete update where the values are; and all that are due, which are the first ones of a run
// where `initial` says so.
fa_status fa_trajectory_update(fa_trajectory *trajectory, fa_event *event, fa_error *error);
fa_status fa_trajectory_settle(fa_trajectory *trajectory, bool initial, fa_error *error);

// Keeps in mind on which side of zero each indicator is: events are changes of sign since.
fa_status fa_trajectory_note_sides(fa_trajectory *trajectory, fa_error *error);

// Brings up to date what only tells of the motion (fa_plant.note), where a host may see it change.
fa_status fa_trajectory_take_note(fa_trajectory *trajectory, fa_error *error);

// Where a step of an integrator has been accepted: what later evaluations search from
// (fa_plant.accept).
fa_status fa_trajectory_accept(fa_trajectory *trajectory, bool *moved, fa_error *error);

// Where a step of an integrator has been accepted: keeps in mind what that, or an event, must tell
// of though it may be over by then (fa_plant.notable).
fa_status fa_trajectory_look_out(fa_trajectory *trajectory, fa_error *error);

// From *t to trajectory->end, over any number of events, or less far where the owner wants to be
// returned to. `touched`: something was set, which may switch before time goes on. *t and x are the
// last good point; the plant's values may be elsewhere when this fails.
//
// The same plant, values and ends of calls give the same points, whoever calls.
fa_status fa_trajectory_advance(fa_trajectory *trajectory, bool touched, double *t, double x[],
                                fa_error *error);

// The equations between two events, for whoever integrates them otherwise (lockstep.h). The
// trajectory must stay where it is.
fa_problem fa_trajectory_problem(fa_trajectory *trajectory);

// The sentence of a derivative that is not finite.
fa_status fa_derivative_is_none(const char *name, fa_error *error);

// dx/dt from rows that are up to date.
void fa_trajectory_derivatives(const fa_trajectory *trajectory, double dx[]);

#endif
