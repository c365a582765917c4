// The motion of a session: simulate makes and continues it, other commands show it.
#ifndef FA_MOTION_H
#define FA_MOTION_H

#include "left_limits.h"
#include "recording.h"
#include "sim_arm.h"
#include "simulation.h"

typedef struct fa_session_motion {
    bool          begun;
    fa_schedule   schedule; // without lines: inputs stay constant
    fa_simulation simulation;
    fa_limits     limits;    // joint limits exceeded; reported at the end of each continuation
    fa_recording  recording; // time, inputs, states, outputs, at the start and after each timestep
    size_t  n, room; // number of lines in `line`, equal to that of the recording, and capacity
    double *line;    // the six vectors of each instant, as fa_sim_arm_look gives them
} fa_session_motion;

// Motion and arm must stay at the same address until fa_motion_free: the simulation keeps pointers
// into both.
//
// Begins a motion at time 0, from the current theta and omega. Discards the one before.
fa_status fa_motion_begin(fa_session_motion *motion, fa_sim_arm *arm, fa_error *error);
void      fa_motion_free(fa_session_motion *motion); // leaves an empty motion that can begin again

// Integrates `steps` timesteps from the current theta and omega, under a schedule whose time 0 is
// now, or with constant voltages and torques. Takes ownership of the schedule's memory. Afterwards
// the arm's vectors are those at the end of the motion; after a failure or an interruption, those
// of the last complete timestep.
fa_status fa_motion_continue(fa_session_motion *motion, fa_sim_arm *arm, fa_schedule schedule,
                             double steps, double timestep, fa_error *error);

double fa_motion_time(const fa_session_motion *motion, size_t line); // [s]

// Returns the line whose time is nearest.
size_t fa_motion_nearest(const fa_session_motion *motion, double t);

// Reads a schedule, sampled by a converter at multiples of `period` (0: continuous), until `*end`.
// Lines without a time last a period each. Release with fa_schedule_free, also after a failure.
fa_status fa_motion_schedule(const fa_sim_arm *arm, const char *path, double period,
                             fa_schedule *schedule, double *end, fa_error *error);

#endif
