// Umbrella header of run/: simulation of robots for C programs; docs/c-library.md has an example.
// Robots come from import.h, which belongs to another library, or from robot_file.h.
#ifndef FA_RUN_H
#define FA_RUN_H

#include "arm_dynamics.h"  // forward and inverse dynamics
#include "ensemble.h"      // many simulations in a batch
#include "equilibrium.h"   // torques and poses of equilibria
#include "linearisation.h" // dx/dt = A x + B u, y = C x + D u
#include "number.h"        // numbers as text, shortest and exact
#include "recording.h"     // a motion in memory
#include "schedule.h"      // inputs over time
#include "simulation.h"    // a motion, step by step
#include "state.h"         // a robot's variables and their values

#endif
