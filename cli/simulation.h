// The motion of a plant over time, step by step: what `forearm simulate` and the session
// `forearm sim` have in common. Nothing is printed here.
#ifndef FA_SIMULATION_H
#define FA_SIMULATION_H

#include "integrate.h"
#include "schedule.h"
#include "switching.h"

typedef struct fa_simulation {
    fa_state    *state;    // where the motion is: its values change as time goes on
    fa_schedule *schedule; // what moves the inputs; without lines: nothing does
    fa_switching switching;
    fa_solver    solver;
    fa_pace      pace;
    double       t; // [s]
    long         evaluations;
    long         patience; // fails after so many evaluations; 0: never
    int          time_row;
    double      *x, *nominal, *work, *direction, *rate;

    fa_state_rows states;
    fa_state_row *state_row; // theirs
} fa_simulation;

// Both must live, and stay where they are, as long as the simulation. The solver is what the
// parameters of the state say. Release with fa_simulation_free, also after a failure.
fa_status fa_simulation_new(fa_state *state, fa_schedule *schedule, fa_simulation *simulation,
                            fa_error *error);
void      fa_simulation_free(fa_simulation *simulation);

// Begins at time t with the states that stand in the state's values, and lets settle what switches
// there.
fa_status fa_simulation_begin(fa_simulation *simulation, double t, fa_error *error);

// On to time `end`, with a stop wherever an input jumps or bends, and wherever something switches.
fa_status fa_simulation_advance(fa_simulation *simulation, double end, fa_error *error);

// Everything that the plant calculates, into the state's values, at the time t that was reached.
fa_status fa_simulation_show(fa_simulation *simulation, double t, fa_error *error);

// When a line of a result is due that is wanted at `t`, where lines are `step` apart. A time in the
// schedule that differs by rounding only is meant to be the same, so that 3 steps of 0.3 s end at
// 0.9 s and after what jumps there.
double fa_simulation_due(const fa_simulation *simulation, double t, double step);

#endif
