// Integrates the motion of a plant over time, with its events: the same algorithm as an FMU's
// Co-Simulation (trajectory.h). simulation->trajectory counts evaluations, and bounds them.
#ifndef FA_SIMULATION_H
#define FA_SIMULATION_H

#include "schedule.h"
#include "state.h"
#include "trajectory.h"

typedef struct fa_simulation {
    fa_state     *state;    // its values are updated as time advances
    fa_schedule  *schedule; // inputs over time; without lines all inputs are constant
    fa_trajectory trajectory;
    double        t; // [s]
    double       *x; // states at t
    fa_pace       pace;
    double        next_event; // next time event that the plant announced, infinite if none [s]
    uint32_t      fresh;      // groups that are valid for the current values
    int32_t       seen;       // fa_plant.notable has returned true since the last line
    bool          begun;      // the initial discrete updates are done

    double       *nominal, *work, *direction, *rate;
    bool         *above;
    fa_stretch   *stretch;
    fa_state_rows states;
    fa_state_row *state_row; // storage of `states`
} fa_simulation;

// State, schedule and simulation must stay where they are until fa_simulation_free. The state's
// parameters select the solver. Release with fa_simulation_free, also after a failure.
fa_status fa_simulation_new(fa_state *state, fa_schedule *schedule, fa_simulation *simulation,
                            fa_error *error);
void      fa_simulation_free(fa_simulation *simulation);

// As new, with the solver that the state's parameters select now. It allocates nothing.
void fa_simulation_restart(fa_simulation *simulation);

// Begins at time t with the states in the state's values, and runs the initial discrete updates.
fa_status fa_simulation_begin(fa_simulation *simulation, double t, fa_error *error);

// Runs the initial discrete updates of a state without a simulation.
fa_status fa_simulation_settle(fa_state *state, fa_error *error);

// Integrates to time `end`, and stops at each step or kink of an input and at each event.
fa_status fa_simulation_advance(fa_simulation *simulation, double end, fa_error *error);

// Writes time, states and scheduled inputs into the state's values; and computes groups. After
// fa_simulation_advance, x is simulation->x.
void      fa_simulation_place(fa_simulation *simulation, double t, const double x[]);
fa_status fa_simulation_show(fa_simulation *simulation, double t, const double x[], unsigned groups,
                             fa_error *error);

// Returns the equations for another integrator; and reads dx/dt from the state's values, for
// callers that compute FA_GROUP_DERIVATIVES themselves.
fa_problem fa_simulation_problem(fa_simulation *simulation);
void       fa_simulation_derivatives(const fa_simulation *simulation, double dx[]);

// Returns the time at which the line of `t` is due, where lines are `step` apart. A time in the
// schedule that differs by rounding only counts as equal, so that 3 steps of 0.3 s end at 0.9 s and
// after the input's step there.
double fa_simulation_due(const fa_simulation *simulation, double t, double step);

// Computes the number of lines after the first, the last of them at `stop`.
fa_status fa_simulation_lines(double stop, double step, double *lines, fa_error *error);

#endif
