// A motion of the session's arm: what simulate makes, continues, and others show.
#ifndef FA_MOTION_H
#define FA_MOTION_H

#include "left_limits.h"
#include "recording.h"
#include "sim_arm.h"
#include "simulation.h"

typedef struct fa_session_motion {
    bool          begun;
    fa_schedule   schedule; // without lines: inputs stay as they are
    fa_simulation simulation;
    fa_limits     limits;    // that joints may leave; told of at the end of each continuation
    fa_recording  recording; // time, inputs, states, outputs, at the start and after each timestep
    size_t        n, room;   // lines of `line`, as many as of the recording
    double       *line;      // of each instant the six vectors, as fa_sim_arm_look gives them
} fa_session_motion;

// Both let the motion stay where it is: it is found there again, and so must the arm be.
//
// A new one at time 0, from theta and omega as they stand. The one before is forgotten.
fa_status fa_motion_begin(fa_session_motion *motion, fa_sim_arm *arm, fa_error *error);
void      fa_motion_free(fa_session_motion *motion); // leaves one that can begin

// Goes on for so many timesteps, from theta and omega as they stand, under a schedule whose time 0
// is now, or with voltages and torques as they stand. The schedule's memory is the motion's from
// then on. The arm's vectors end as the motion does; after a failure, or an interruption, with the
// last timestep that was done.
fa_status fa_motion_continue(fa_session_motion *motion, fa_sim_arm *arm, fa_schedule schedule,
                             double steps, double timestep, fa_error *error);

double fa_motion_time(const fa_session_motion *motion, size_t line); // [s]

// The line whose time comes nearest.
size_t fa_motion_nearest(const fa_session_motion *motion, double t);

// Reads a schedule for a converter that changes what it gives at multiples of `period` only (0: at
// once), until `*end`. Lines without a time last a period each. Release with fa_schedule_free, also
// after a failure.
fa_status fa_motion_schedule(const fa_sim_arm *arm, const char *path, double period,
                             fa_schedule *schedule, double *end, fa_error *error);

#endif
