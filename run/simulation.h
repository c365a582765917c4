// The motion of a plant over time, step by step, over the events on its way: the same as an FMU's
// Co-Simulation (trajectory.h). simulation->trajectory counts evaluations, and bounds them.
#ifndef FA_SIMULATION_H
#define FA_SIMULATION_H

#include "schedule.h"
#include "state.h"
#include "trajectory.h"

typedef struct fa_simulation {
    fa_state     *state;    // where the motion is: its values change as time goes on
    fa_schedule  *schedule; // what moves the inputs; without lines: nothing does
    fa_trajectory trajectory;
    double        t; // [s]
    double       *x; // the states there
    fa_pace       pace;
    double        next_event; // that the plant announced, infinite if none [s]
    uint32_t      fresh;      // groups that have been evaluated at these values
    int32_t       seen;       // fa_plant.notable has said so since the last line
    bool          begun;      // the first updates of a run are done

    double       *nominal, *work, *direction, *rate;
    bool         *above;
    fa_stretch   *stretch;
    fa_state_rows states;
    fa_state_row *state_row; // theirs
} fa_simulation;

// State, schedule and simulation must stay where they are until fa_simulation_free. The solver is
// what the parameters of the state say. Release with fa_simulation_free, also after a failure.
fa_status fa_simulation_new(fa_state *state, fa_schedule *schedule, fa_simulation *simulation,
                            fa_error *error);
void      fa_simulation_free(fa_simulation *simulation);

// Begins at time t with the states that stand in the state's values, and lets settle what switches
// there.
fa_status fa_simulation_begin(fa_simulation *simulation, double t, fa_error *error);

// The discrete updates that a run would begin with, of a state alone.
fa_status fa_simulation_settle(fa_state *state, fa_error *error);

// On to time `end`, with a stop wherever an input jumps or bends, and wherever something switches.
fa_status fa_simulation_advance(fa_simulation *simulation, double end, fa_error *error);

// Into the state's values: what belongs to time and states before anything is calculated; and the
// groups that the plant calculates of it. After fa_simulation_advance, x is simulation->x.
void      fa_simulation_place(fa_simulation *simulation, double t, const double x[]);
fa_status fa_simulation_show(fa_simulation *simulation, double t, const double x[], unsigned groups,
                             fa_error *error);

// The equations, for whoever integrates them otherwise; and dx/dt from the state's values, for
// whoever lets the plant calculate FA_GROUP_DERIVATIVES otherwise.
fa_problem fa_simulation_problem(fa_simulation *simulation);
void       fa_simulation_derivatives(const fa_simulation *simulation, double dx[]);

// When a line of a result is due that is wanted at `t`, where lines are `step` apart. A time in the
// schedule that differs by rounding only is meant to be the same, so that 3 steps of 0.3 s end at
// 0.9 s and after what jumps there.
double fa_simulation_due(const fa_simulation *simulation, double t, double step);

// How many lines a result has behind the one at the start, the last of them at `stop`.
fa_status fa_simulation_lines(double stop, double step, double *lines, fa_error *error);

#endif
