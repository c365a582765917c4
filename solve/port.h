// The port of a cylinder: couples a robot and a foreign jack over steps of 5 to 20 ms. The robot
// has a model of the jack with three numbers: its stiffness k, its damping d, and the rate s of its
// force at rest. It estimates them from the returned forces, moves under the model's force within
// the step, and sends the jack a motion that keeps both together. The equations are those of
// docs/port.md.
//
// This file has the memory between steps, and the algebra. fmu/stepping/ports.c makes the steps;
// the law of the force is model/elements/port_law.h.
#ifndef FA_PORT_H
#define FA_PORT_H

#include <stdbool.h>

#include "trajectory.h"

// Rows of a port in a plant's table.
typedef struct fa_port {
    int      force, length, velocity; // variables of the cylinder
    int      hold, spring, damper, rate, mass, frequency;
    int      held_force, held_length, held_velocity;
    int      told_length, told_velocity, told_acceleration;
    int      velocity_row;               // the output port_velocity
    unsigned groups;                     // groups of length and velocity
    int      first_spring, first_damper; // parameters
    double   start;                      // start value of the input force [N]
} fa_port;

// Values of the row `hold`.
enum { FA_PORT_PLAIN, FA_PORT_HOLDS, FA_PORT_RESTS };

// Rows of the parameters common to all ports.
typedef struct fa_port_rules {
    int schedule, line, learn, delay, wait;
} fa_port_rules;

enum { FA_PORT_PARALLEL, FA_PORT_ARM_FIRST, FA_PORT_JACK_FIRST };

// Values of those parameters.
typedef struct fa_port_way {
    int  schedule;
    bool line, learn, delay, wait;
} fa_port_way;

// A motion of the jack: displacement, final speed, and duration.
typedef struct fa_port_motion {
    double by, speed, time;
} fa_port_motion;

// Memory of a port. It has no padding, because it is saved and compared as bytes.
typedef struct fa_port_memory {
    double         x;          // length of the jack [m]
    double         v_a, v_b;   // its demanded speed at the start and the end of the next step [m/s]
    double         v_0;        // its final speed in the last step used for estimation
    double         force;      // its last force [N]
    double         k, d, s;    // estimates: stiffness, damping, rate
    double         square[6];  // matrix S: 11, 12, 13, 22, 23, 33
    double         product[3]; // right-hand side b
    double         largest;    // m: largest force so far [N]
    double         first;      // h_1: duration of the first motion [s]; 0: none yet
    double         x_before;   // x at the start of the previous step
    double         step_before;     // duration of the previous step [s]; 0: none
    fa_port_motion last, older;     // motion of the previous step, and of the one before
    double         steps;           // number of steps so far, saturated at 3
    double         at_bound, apart; // consecutive steps with k at a bound, and with a large gap
    double         told[3];         // warnings given
} fa_port_memory;

// The force within a step, by the time since it began: push + s t - k (L - x) - d (v - v_0).
typedef struct fa_port_law {
    double push, rate, spring, damper, length, velocity;
} fa_port_law;

// Kinds of warnings.
enum { FA_PORT_FAST, FA_PORT_BOUND, FA_PORT_APART };

// Finds the ports of the table, and returns their number. `port` may be NULL.
int fa_ports_find(const fa_variables *variables, fa_port port[], fa_port_rules *rules);

// Computes effective_mass and port_frequency by the plant's tangents; length, velocity and
// derivatives must be valid. The mass is force per acceleration of the length. Both are 0 if the
// port cannot move.
fa_status fa_port_find_mass(const fa_trajectory *trajectory, const fa_port *port, fa_error *error);

// Initialises the output rows of all ports, at the end of initialisation; without Co-Simulation
// they remain constant. If the evaluation fails, they are not set; the first evaluation of the
// motion reports the failure.
fa_status fa_ports_show(fa_trajectory *trajectory, const fa_port port[], int n, fa_error *error);

fa_port_way fa_port_way_of(const fa_port_rules *rules, const double value[]);

// Initialises the memory: the jack has the cylinder's length and pushes with `force`.
void fa_port_start(fa_port_memory *memory, double length, double velocity, double force,
                   double stiffness, double damping);

// Begins a step with this input force, and returns its law. Stiffness and damping are the initial
// values of the estimates.
fa_port_law fa_port_begin(fa_port_memory *memory, const fa_port_way *way, double force, double step,
                          double stiffness, double damping);

// Ends a step of duration `step`. If both parties step in parallel, or the jack first, `next` and
// `next_velocity` are the robot's forecast of the length and speed at the end of a further step.
void fa_port_end(fa_port_memory *memory, const fa_port_way *way, double step, double length,
                 double velocity, double planned, double next, double next_velocity);

// Returns true if a warning of this kind is due for the first time, after a step in which the
// cylinder moved by `moved`; `angle` is omega h.
bool fa_port_warns(fa_port_memory *memory, int about, double stiffness, double angle, double gap,
                   double moved);

#endif
