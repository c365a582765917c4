// The port of a cylinder: how a robot and somebody else's jack keep together over steps of 5 to 20
// ms. The robot carries an image of the jack, three numbers: its stiffness k, its damping d, and
// the rate s at which its force would change if nothing moved it. It finds them from the forces
// that come back, moves under the image's force within the step, and tells the jack a motion that
// keeps both together. The equations are those of docs/port.md.
//
// Here is what is kept from step to step, and the algebra. Who integrates, and when, is whoever
// makes the steps (fmu/stepping/ports.c); the law of the force is model/elements/port_law.h.
#ifndef FA_PORT_H
#define FA_PORT_H

#include <stdbool.h>

#include "trajectory.h"

// Rows of a port in a plant's table.
typedef struct fa_port {
    int      force, length, velocity; // of the cylinder
    int      hold, spring, damper, rate, mass, frequency;
    int      held_force, held_length, held_velocity;
    int      told_length, told_velocity, told_acceleration;
    int      velocity_row;               // the output port_velocity
    unsigned groups;                     // of length and velocity
    int      first_spring, first_damper; // parameters
    double   start;                      // force that the input starts with [N]
} fa_port;

// Values of the row `hold`.
enum { FA_PORT_PLAIN, FA_PORT_HOLDS, FA_PORT_RESTS };

// Rows of what all ports have in common.
typedef struct fa_port_rules {
    int schedule, line, learn, delay, wait;
} fa_port_rules;

enum { FA_PORT_PARALLEL, FA_PORT_ARM_FIRST, FA_PORT_JACK_FIRST };

// What the parameters say.
typedef struct fa_port_way {
    int  schedule;
    bool line, learn, delay, wait;
} fa_port_way;

// A motion of the jack: how far it went, how fast it was at the end, and how long it took.
typedef struct fa_port_motion {
    double by, speed, time;
} fa_port_motion;

// Numbers alone, since they are saved and compared as bytes.
typedef struct fa_port_memory {
    double         x;           // length that the jack has [m]
    double         v_a, v_b;    // its speed at the start and the end of the step to come [m/s]
    double         v_0;         // and at the end of its last step that was learnt from
    double         force;       // its last force [N]
    double         k, d, s;     // stiffness, damping, rate
    double         square[6];   // S: 11, 12, 13, 22, 23, 33
    double         product[3];  // b
    double         largest;     // m: force so far [N]
    double         first;       // h_1: duration of the first motion [s]; 0: there was none
    double         x_before;    // x at the start of the step before
    double         step_before; // its duration [s]; 0: there was none
    fa_port_motion last, older; // of the step before, and of the one before that
    double         steps;       // so far, 3 and more being 3
    double at_bound, apart;     // steps in which k was at a bound, and in which the gap was large
    double told[3];             // warnings that have been given
} fa_port_memory;

// The force within a step, by the time since it began: push + s t - k (L - x) - d (v - v_0).
typedef struct fa_port_law {
    double push, rate, spring, damper, length, velocity;
} fa_port_law;

// What a warning is about.
enum { FA_PORT_FAST, FA_PORT_BOUND, FA_PORT_APART };

// Fills `port`, one for each port of the table, if it is not NULL; gives how many there are.
int fa_ports_find(const fa_variables *variables, fa_port port[], fa_port_rules *rules);

// Brings the rows effective_mass and port_frequency up to date, by the plant's own tangents, where
// length, velocity and derivatives have been evaluated: force per acceleration of the length. Both
// are 0 where nothing moves.
fa_status fa_port_find_mass(const fa_trajectory *trajectory, const fa_port *port, fa_error *error);

// What all ports of a plant tell where initialisation ends, which is what they always tell where
// no steps of Co-Simulation are made. Where nothing can be evaluated nothing is told: whoever asks
// for the motion hears why.
fa_status fa_ports_show(fa_trajectory *trajectory, const fa_port port[], int n, fa_error *error);

fa_port_way fa_port_way_of(const fa_port_rules *rules, const double value[]);

// Where initialisation ends: the jack is where the cylinder is, and holds it with `force`.
void fa_port_start(fa_port_memory *memory, double length, double velocity, double force,
                   double stiffness, double damping);

// A step of this length begins with this force as the input. Stiffness and damping are those of
// fa_port_start.
fa_port_law fa_port_begin(fa_port_memory *memory, const fa_port_way *way, double force, double step,
                          double stiffness, double damping);

// It has ended there, after `step`. Where both step at once, or the jack first, `next` is the
// length and `next_velocity` the speed that the robot foretells for the end of a further step.
void fa_port_end(fa_port_memory *memory, const fa_port_way *way, double step, double length,
                 double velocity, double planned, double next, double next_velocity);

// Whether there is something to warn of that nobody has been told, after a step in which the
// cylinder moved that far; `angle` is omega h.
bool fa_port_warns(fa_port_memory *memory, int about, double stiffness, double angle, double gap,
                   double moved);

#endif
