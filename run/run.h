// Everything of run/: motions of a robot, for C programs; docs/c-library.md has an example. A robot
// comes from import.h, whose library is another one, or from robot_file.h.
#ifndef FA_RUN_H
#define FA_RUN_H

#include "arm_dynamics.h"  // accelerations and torques of states
#include "ensemble.h"      // many motions side by side
#include "equilibrium.h"   // where an arm stands still
#include "linearisation.h" // dx/dt = A x + B u, y = C x + D u
#include "number.h"        // numbers as text, shortest and exact
#include "recording.h"     // a motion in memory
#include "schedule.h"      // inputs over time
#include "simulation.h"    // a motion, step by step
#include "state.h"         // a robot's variables, and what follows from them

#endif
