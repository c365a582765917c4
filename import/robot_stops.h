// Stops at the limits of all joints that have limits and no stop of their own.
#ifndef FA_ROBOT_STOPS_H
#define FA_ROBOT_STOPS_H

#include "robot.h"

// Options of stops, from the command line or a side file.
typedef struct fa_stops {
    bool   asked;
    bool   chosen;             // each from what its joint feels; else these numbers
    double stiffness, damping; // [N m/rad] or [N/m], [N m s/rad] or [N s/m]
} fa_stops;

// Gives each free joint with a limit its stop; *n is how many there are. A chosen stop is firm and
// not stiff: with the inertia that the joint feels at its limits, all others free and where they
// start, it swings at FA_STOP_FREQUENCY and loses half of the speed and more (FA_STOP_DAMPING). A
// joint that comes with 1 rad/s goes in by 2 mrad, and no solver needs steps below milliseconds.
// Three digits are kept, so that rounding on another machine chooses the same.
fa_status fa_robot_give_stops(fa_robot *robot, const fa_stops *stops, int *n, fa_error *error);

#define FA_STOP_FREQUENCY 50.0 // [Hz]
#define FA_STOP_DAMPING   0.5  // damping ratio

#endif
