// A hydraulic axis: cylinder with its two chambers, four-way valve, pump with relief valve; or part
// of it, as the cut says where the rest is somebody else's; or the port that a jack is at.
//
// An axis consists of a cylinder, a valve and a pump, elements (model/elements) with the numbers of
// hydraulics.h. This file connects the outputs of one with the inputs of the next.
//
// Signs: force is positive when it pushes the piston out, velocity when the piston comes out, flow
// when oil enters the chamber. Chamber A is on the side of the piston without the rod. Pressures
// are absolute.
#ifndef FA_CYLINDER_H
#define FA_CYLINDER_H

#include <stdbool.h>
#include <stddef.h>

#include "hydraulics.h"

// Arguments of an axis besides its numbers. The parts decide which are inputs, states or unused.
typedef enum fa_axis_given {
    FA_AXIS_LENGTH = FA_CYLINDER_NUMBERS, // of the cylinder between its end points [m]
    FA_AXIS_VELOCITY,                     // [m/s]
    FA_AXIS_PRESSURE_A,                   // states with chambers, else inputs [Pa]
    FA_AXIS_PRESSURE_B,
    FA_AXIS_FLOW_A_IN, // inputs without a valve [m^3/s]
    FA_AXIS_FLOW_B_IN,
    FA_AXIS_COMMAND, // -1 … 1
    FA_AXIS_SPOOL,   // state with spool dynamics
    FA_AXIS_SPOOL_RATE,
    FA_AXIS_SUPPLY, // state with a pump, else an input [Pa]
    FA_AXIS_TANK,
    FA_AXIS_PUMP_FLOW,
    FA_AXIS_OTHERS_FLOW, // flow of other axes' valves from the same supply
    FA_AXIS_PORT_PUSH,   // input of a port [N]
    FA_AXIS_PORT_HOLD,   // from here on: constant during a step
    FA_AXIS_PORT_SPRING,
    FA_AXIS_PORT_DAMPER,
    FA_AXIS_PORT_HELD_FORCE,
    FA_AXIS_PORT_HELD_LENGTH,
    FA_AXIS_PORT_HELD_VELOCITY,
    FA_AXIS_PORT_TOLD_LENGTH,
    FA_AXIS_PORT_TOLD_VELOCITY,
    FA_AXIS_PORT_TOLD_ACCELERATION,
    FA_AXIS_PORT_RATE, // from here on: outputs without effect
    FA_AXIS_PORT_MASS,
    FA_AXIS_PORT_FREQUENCY,
    FA_AXIS_GIVEN
} fa_axis_given;

typedef enum fa_axis_result {
    FA_AXIS_FORCE,           // total force [N]
    FA_AXIS_OIL_FORCE,       // force of the pressures alone, or of the jack at a port
    FA_AXIS_FRICTION,        // against the motion, positive with positive velocity
    FA_AXIS_STOP,            // force of the end stops
    FA_AXIS_PRESSURE_A_RATE, // [Pa/s]
    FA_AXIS_PRESSURE_B_RATE,
    FA_AXIS_FLOW_A, // [m^3/s]
    FA_AXIS_FLOW_B,
    FA_AXIS_SUPPLY_FLOW,
    FA_AXIS_TANK_FLOW,
    FA_AXIS_SPOOL_ACCELERATION, // [1/s^2]
    FA_AXIS_SUPPLY_RATE,        // [Pa/s]
    FA_AXIS_RELIEF_FLOW,        // [m^3/s]
    FA_AXIS_SPOOL_ROOM,         // indicator of the spool's ends, above zero within the stroke
    FA_AXIS_PORT_VELOCITY,      // demanded speed of the jack [m/s], and so on
    FA_AXIS_PORT_ACCELERATION,
    FA_AXIS_PORT_LENGTH,
    FA_AXIS_PORT_GAP,
    FA_AXIS_RESULTS
} fa_axis_result;

// An evaluation, stored for its derivatives.
typedef struct fa_axis {
    unsigned parts;
    double   given[FA_AXIS_GIVEN];
    double   result[FA_AXIS_RESULTS]; // 0 for absent parts
} fa_axis;

bool fa_axis_uses(unsigned parts, fa_axis_given given);
bool fa_axis_has(unsigned parts, fa_axis_result result);

// Computes all results of the parts from given[FA_AXIS_GIVEN]; unused arguments are ignored.
// Results are finite only if the numbers obey their rules.
void fa_axis_evaluate(fa_axis *axis, unsigned parts, const double given[]);

// Tangent of the results in the direction tangent[FA_AXIS_GIVEN]; 0 for absent parts.
void fa_axis_tangent(const fa_axis *axis, const double tangent[], double result_tangent[]);

// Adjoint: adds to the adjoints of the arguments.
void fa_axis_adjoint(const fa_axis *axis, const double result_adjoint[], double adjoint[]);

// Returns true if the result depends on the argument for some values.
bool fa_axis_depends(unsigned parts, fa_axis_result result, int given);

// Returns the stiffness of the oil, hoses and walls of both chambers, at this length and these
// pressures, with closed ports [N/m].
double fa_cylinder_stiffness(const double number[], double length, double pressure_a,
                             double pressure_b);

// Event at an end of the spool's stroke: returns true if it stops the spool, and sets position and
// rate.
bool fa_axis_spool_stops(double *spool, double *rate);

#endif
