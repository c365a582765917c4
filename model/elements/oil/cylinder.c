// Combines cylinder, valve and pump laws into one hydraulic axis.
#include "cylinder.h"

#include <stddef.h>
#include <string.h>

#include "elements.h"
#include "laws.h"

#include "laws.gen.h"

enum {
    CHAMBERS = FA_PART_CHAMBERS,
    VALVE = FA_PART_VALVE,
    SPOOL = FA_PART_SPOOL,
    PUMP = FA_PART_PUMP,
    PORT = FA_PART_PORT,
    ENDS = FA_PART_ENDS
};

// Map from an element's reals, except its numbers and the flows between parts, to the axis'
// arguments.
#define OF_CYLINDER(X)                                                                             \
    X(pressure_a, FA_AXIS_PRESSURE_A)                                                              \
    X(pressure_b, FA_AXIS_PRESSURE_B)                                                              \
    X(length, FA_AXIS_LENGTH)                                                                      \
    X(rate, FA_AXIS_VELOCITY)
#define OF_VALVE(X)                                                                                \
    X(command, FA_AXIS_COMMAND)                                                                    \
    X(spool, FA_AXIS_SPOOL)                                                                        \
    X(spool_rate, FA_AXIS_SPOOL_RATE)                                                              \
    X(pressure_a, FA_AXIS_PRESSURE_A)                                                              \
    X(pressure_b, FA_AXIS_PRESSURE_B)                                                              \
    X(supply, FA_AXIS_SUPPLY)                                                                      \
    X(tank, FA_AXIS_TANK)
#define OF_PUMP(X)                                                                                 \
    X(flow, FA_AXIS_PUMP_FLOW)                                                                     \
    X(pressure, FA_AXIS_SUPPLY)
#define OF_PORT(X)                                                                                 \
    X(push, FA_AXIS_PORT_PUSH)                                                                     \
    X(length, FA_AXIS_LENGTH)                                                                      \
    X(rate, FA_AXIS_VELOCITY)
#define MODES_OF_PORT(X)                                                                           \
    X(hold, FA_AXIS_PORT_HOLD)                                                                     \
    X(spring, FA_AXIS_PORT_SPRING)                                                                 \
    X(damper, FA_AXIS_PORT_DAMPER)                                                                 \
    X(held_force, FA_AXIS_PORT_HELD_FORCE)                                                         \
    X(held_length, FA_AXIS_PORT_HELD_LENGTH)                                                       \
    X(held_velocity, FA_AXIS_PORT_HELD_VELOCITY)                                                   \
    X(told_length, FA_AXIS_PORT_TOLD_LENGTH)                                                       \
    X(told_velocity, FA_AXIS_PORT_TOLD_VELOCITY)                                                   \
    X(told_acceleration, FA_AXIS_PORT_TOLD_ACCELERATION)

// Map of their results.
#define BY_CYLINDER(X)                                                                             \
    X(force, FA_AXIS_FORCE)                                                                        \
    X(oil_force, FA_AXIS_OIL_FORCE)                                                                \
    X(friction, FA_AXIS_FRICTION)                                                                  \
    X(end, FA_AXIS_STOP)                                                                           \
    X(pressure_a_rate, FA_AXIS_PRESSURE_A_RATE)                                                    \
    X(pressure_b_rate, FA_AXIS_PRESSURE_B_RATE)
#define BY_VALVE(X)                                                                                \
    X(flow_a, FA_AXIS_FLOW_A)                                                                      \
    X(flow_b, FA_AXIS_FLOW_B)                                                                      \
    X(supply_flow, FA_AXIS_SUPPLY_FLOW)                                                            \
    X(tank_flow, FA_AXIS_TANK_FLOW)
#define BY_SPOOL(X)                                                                                \
    X(spool_acceleration, FA_AXIS_SPOOL_ACCELERATION)                                              \
    X(room, FA_AXIS_SPOOL_ROOM)
#define BY_PUMP(X)                                                                                 \
    X(relief, FA_AXIS_RELIEF_FLOW)                                                                 \
    X(pressure_rate, FA_AXIS_SUPPLY_RATE)
#define BY_PORT(X)                                                                                 \
    X(force, FA_AXIS_FORCE)                                                                        \
    X(jack_force, FA_AXIS_OIL_FORCE)                                                               \
    X(friction, FA_AXIS_FRICTION)                                                                  \
    X(end, FA_AXIS_STOP)                                                                           \
    X(velocity, FA_AXIS_PORT_VELOCITY)                                                             \
    X(acceleration, FA_AXIS_PORT_ACCELERATION)                                                     \
    X(place, FA_AXIS_PORT_LENGTH)                                                                  \
    X(gap, FA_AXIS_PORT_GAP)

bool fa_axis_uses(unsigned parts, fa_axis_given given)
{
    switch (given) {
    case FA_AXIS_LENGTH:
    case FA_AXIS_VELOCITY:
        return parts & (CHAMBERS | PORT);
    case FA_AXIS_PRESSURE_A:
    case FA_AXIS_PRESSURE_B:
        return parts & (CHAMBERS | VALVE);
    case FA_AXIS_FLOW_A_IN:
    case FA_AXIS_FLOW_B_IN:
        return !(parts & (VALVE | PORT));
    case FA_AXIS_COMMAND:
    case FA_AXIS_SUPPLY:
    case FA_AXIS_TANK:
        return parts & VALVE;
    case FA_AXIS_SPOOL:
    case FA_AXIS_SPOOL_RATE:
        return parts & SPOOL;
    case FA_AXIS_PUMP_FLOW:
    case FA_AXIS_OTHERS_FLOW:
        return parts & PUMP;
    default:
        if (given > FA_AXIS_OTHERS_FLOW) return given == FA_AXIS_PORT_PUSH && parts & PORT;
        return fa_cylinder_uses(parts, (fa_cylinder_number)given);
    }
}

bool fa_axis_has(unsigned parts, fa_axis_result result)
{
    if (result <= FA_AXIS_STOP) return parts & (CHAMBERS | PORT);
    if (result <= FA_AXIS_PRESSURE_B_RATE) return parts & CHAMBERS;
    if (result <= FA_AXIS_TANK_FLOW) return parts & VALVE;
    if (result > FA_AXIS_SPOOL_ROOM) return parts & PORT;
    const bool spool = result == FA_AXIS_SPOOL_ACCELERATION || result == FA_AXIS_SPOOL_ROOM;
    return parts & (spool ? SPOOL : PUMP);
}

// ----------------------------------------------------------------------------- arguments of laws

#define TAKE(name, index) in.name = given[index];
#define PUT(name, index)  result[index] = out.name;

static fa_valve_in valve_in(unsigned parts, const double given[])
{
    fa_valve_in in = {.moves = parts & SPOOL};
    OF_VALVE(TAKE)
#define ELEMENT_LIST                                               "valve.h"
#define NUMBER(name, xml, row, unit, otherwise, rule, when, about) TAKE(name, FA_CYLINDER_##name)
#define NUMBER_OF(name, element)                                   TAKE(name, FA_CYLINDER_##name)
#include "passes.h"
    return in;
}

// Flows come from the valve, or from outside.
static fa_cylinder_in cylinder_in(unsigned parts, const double given[], const double result[])
{
    const bool     open = !(parts & VALVE);
    fa_cylinder_in in = {.open = open};
    OF_CYLINDER(TAKE)
#define ELEMENT_LIST                                               "cylinder_law.h"
#define NUMBER(name, xml, row, unit, otherwise, rule, when, about) TAKE(name, FA_CYLINDER_##name)
#define NUMBER_OF(name, element)                                   TAKE(name, FA_CYLINDER_##name)
#include "passes.h"
    in.flow_a = open ? given[FA_AXIS_FLOW_A_IN] : result[FA_AXIS_FLOW_A];
    in.flow_b = open ? given[FA_AXIS_FLOW_B_IN] : result[FA_AXIS_FLOW_B];
    return in;
}

static fa_pump_in pump_in(const double given[], const double result[])
{
    fa_pump_in in = {.drawn = result[FA_AXIS_SUPPLY_FLOW] + given[FA_AXIS_OTHERS_FLOW]};
    OF_PUMP(TAKE)
#define ELEMENT_LIST                                               "pump.h"
#define NUMBER(name, xml, row, unit, otherwise, rule, when, about) TAKE(name, FA_CYLINDER_##name)
#define NUMBER_OF(name, element)                                   TAKE(name, FA_CYLINDER_##name)
#include "passes.h"
    return in;
}

static fa_port_in port_in(unsigned parts, const double given[])
{
    fa_port_in in = {.ends = parts & ENDS};
    OF_PORT(TAKE)
    MODES_OF_PORT(TAKE)
#define ELEMENT_LIST                                               "port_law.h"
#define NUMBER(name, xml, row, unit, otherwise, rule, when, about) TAKE(name, FA_CYLINDER_##name)
#define NUMBER_OF(name, element)                                   TAKE(name, FA_CYLINDER_##name)
#include "passes.h"
    return in;
}

void fa_axis_evaluate(fa_axis *axis, unsigned parts, const double given[])
{
    double *result = axis->result;
    axis->parts = parts;
    memcpy(axis->given, given, sizeof axis->given);
    memset(result, 0, sizeof axis->result);
    if (parts & VALVE) {
        const fa_valve_in in = valve_in(parts, given);
        fa_valve_out      out;
        fa_valve_law(&in, &out);
        BY_VALVE(PUT)
        if (parts & SPOOL) {
            BY_SPOOL(PUT)
        }
    }
    if (parts & CHAMBERS) {
        const fa_cylinder_in in = cylinder_in(parts, given, result);
        fa_cylinder_out      out;
        fa_cylinder_law(&in, &out);
        BY_CYLINDER(PUT)
    }
    if (parts & PUMP) {
        const fa_pump_in in = pump_in(given, result);
        fa_pump_out      out;
        fa_pump_law(&in, &out);
        BY_PUMP(PUT)
    }
    if (parts & PORT) {
        const fa_port_in in = port_in(parts, given);
        fa_port_out      out;
        fa_port_law(&in, &out);
        BY_PORT(PUT)
    }
}

// ------------------------------------------------------------------------------------- derivatives

void fa_axis_tangent(const fa_axis *axis, const double tangent[], double result_tangent[])
{
    const unsigned parts = axis->parts;
    double        *result = result_tangent;
    memset(result, 0, sizeof axis->result);
    if (parts & VALVE) {
        const fa_valve_in in = valve_in(parts, axis->given), dot = valve_in(parts, tangent);
        fa_valve_out      out;
        fa_valve_tangent(&in, &dot, &out);
        BY_VALVE(PUT)
        if (parts & SPOOL) {
            BY_SPOOL(PUT)
        }
    }
    if (parts & CHAMBERS) {
        const fa_cylinder_in in = cylinder_in(parts, axis->given, axis->result);
        const fa_cylinder_in dot = cylinder_in(parts, tangent, result);
        fa_cylinder_out      out;
        fa_cylinder_tangent(&in, &dot, &out);
        BY_CYLINDER(PUT)
    }
    if (parts & PUMP) {
        const fa_pump_in in = pump_in(axis->given, axis->result), dot = pump_in(tangent, result);
        fa_pump_out      out;
        fa_pump_tangent(&in, &dot, &out);
        BY_PUMP(PUT)
    }
    if (parts & PORT) {
        const fa_port_in in = port_in(parts, axis->given), dot = port_in(parts, tangent);
        fa_port_out      out;
        fa_port_tangent(&in, &dot, &out);
        BY_PORT(PUT)
    }
}

#define WEIGH(name, index) weight.name = wanted[index];
#define ADD(name, index)   adjoint[index] += bar.name;

// Reverse sweep over the parts: adjoints of flows are passed to the valve.
void fa_axis_adjoint(const fa_axis *axis, const double result_adjoint[], double adjoint[])
{
    const unsigned parts = axis->parts;
    double         wanted[FA_AXIS_RESULTS];
    memcpy(wanted, result_adjoint, sizeof wanted);
    if (parts & PORT) {
        const fa_port_in in = port_in(parts, axis->given);
        fa_port_out      weight = {0};
        fa_port_in       bar;
        BY_PORT(WEIGH)
        fa_port_adjoint(&in, &weight, &bar);
        OF_PORT(ADD)
#define ELEMENT_LIST                                               "port_law.h"
#define NUMBER(name, xml, row, unit, otherwise, rule, when, about) ADD(name, FA_CYLINDER_##name)
#define NUMBER_OF(name, element)                                   ADD(name, FA_CYLINDER_##name)
#include "passes.h"
    }
    if (parts & PUMP) {
        const fa_pump_in in = pump_in(axis->given, axis->result);
        fa_pump_out      weight = {0};
        fa_pump_in       bar;
        BY_PUMP(WEIGH)
        fa_pump_adjoint(&in, &weight, &bar);
        OF_PUMP(ADD)
#define ELEMENT_LIST                                               "pump.h"
#define NUMBER(name, xml, row, unit, otherwise, rule, when, about) ADD(name, FA_CYLINDER_##name)
#define NUMBER_OF(name, element)                                   ADD(name, FA_CYLINDER_##name)
#include "passes.h"
        adjoint[FA_AXIS_OTHERS_FLOW] += bar.drawn;
        wanted[FA_AXIS_SUPPLY_FLOW] += bar.drawn;
    }
    if (parts & CHAMBERS) {
        const bool           open = !(parts & VALVE);
        const fa_cylinder_in in = cylinder_in(parts, axis->given, axis->result);
        double              *by = open ? adjoint : wanted;
        fa_cylinder_out      weight = {0};
        fa_cylinder_in       bar;
        BY_CYLINDER(WEIGH)
        fa_cylinder_adjoint(&in, &weight, &bar);
        OF_CYLINDER(ADD)
#define ELEMENT_LIST                                               "cylinder_law.h"
#define NUMBER(name, xml, row, unit, otherwise, rule, when, about) ADD(name, FA_CYLINDER_##name)
#define NUMBER_OF(name, element)                                   ADD(name, FA_CYLINDER_##name)
#include "passes.h"
        by[open ? (int)FA_AXIS_FLOW_A_IN : (int)FA_AXIS_FLOW_A] += bar.flow_a;
        by[open ? (int)FA_AXIS_FLOW_B_IN : (int)FA_AXIS_FLOW_B] += bar.flow_b;
    }
    if (parts & VALVE) {
        const fa_valve_in in = valve_in(parts, axis->given);
        fa_valve_out      weight = {0};
        fa_valve_in       bar;
        BY_VALVE(WEIGH)
        if (parts & SPOOL) {
            BY_SPOOL(WEIGH)
        }
        fa_valve_adjoint(&in, &weight, &bar);
        OF_VALVE(ADD)
#define ELEMENT_LIST                                               "valve.h"
#define NUMBER(name, xml, row, unit, otherwise, rule, when, about) ADD(name, FA_CYLINDER_##name)
#define NUMBER_OF(name, element)                                   ADD(name, FA_CYLINDER_##name)
#include "passes.h"
    }
}

// -------------------------------------------------------------------------------------- dependence

#define REAL_OF(element, name)   (int)(offsetof(fa_##element##_in, name) / sizeof(double))
#define RESULT_OF(element, name) (int)(offsetof(fa_##element##_out, name) / sizeof(double))

// Returns true if a result of an element depends on an argument directly.
static bool depends(int element, const void *in, int result, const int reals[], int given)
{
    return reals[given] >= 0 && fa_element_depends(&fa_elements[element], in, result, reals[given]);
}

static bool valve_depends(unsigned parts, fa_axis_result result, int given)
{
    const fa_valve_in in = {.moves = parts & SPOOL};
    int               of[FA_AXIS_GIVEN], row = -1;
    memset(of, -1, sizeof of);
#define ROW(name, index)                                                                           \
    if (result == (index)) row = RESULT_OF(valve, name);
#define PLACE(name, index) of[index] = REAL_OF(valve, name);
    OF_VALVE(PLACE)
#define ELEMENT_LIST                                               "valve.h"
#define NUMBER(name, xml, row, unit, otherwise, rule, when, about) PLACE(name, FA_CYLINDER_##name)
#define NUMBER_OF(name, element)                                   PLACE(name, FA_CYLINDER_##name)
#include "passes.h"
    BY_VALVE(ROW)
    BY_SPOOL(ROW)
#undef ROW
#undef PLACE
    return parts & VALVE && depends(FA_ELEMENT_valve, &in, row, of, given);
}

static bool cylinder_depends(unsigned parts, fa_axis_result result, int given)
{
    const fa_cylinder_in in = {.open = !(parts & VALVE)};
    int                  of[FA_AXIS_GIVEN], row = -1;
    memset(of, -1, sizeof of);
#define ROW(name, index)                                                                           \
    if (result == (index)) row = RESULT_OF(cylinder, name);
#define PLACE(name, index) of[index] = REAL_OF(cylinder, name);
    OF_CYLINDER(PLACE)
#define ELEMENT_LIST                                               "cylinder_law.h"
#define NUMBER(name, xml, row, unit, otherwise, rule, when, about) PLACE(name, FA_CYLINDER_##name)
#define NUMBER_OF(name, element)                                   PLACE(name, FA_CYLINDER_##name)
#include "passes.h"
    BY_CYLINDER(ROW)
#undef ROW
#undef PLACE
    if (depends(FA_ELEMENT_cylinder, &in, row, of, given)) return true;
    of[FA_AXIS_FLOW_A_IN] = REAL_OF(cylinder, flow_a);
    of[FA_AXIS_FLOW_B_IN] = REAL_OF(cylinder, flow_b);
    if (in.open) return depends(FA_ELEMENT_cylinder, &in, row, of, given);
    return (depends(FA_ELEMENT_cylinder, &in, row, of, FA_AXIS_FLOW_A_IN) &&
            valve_depends(parts, FA_AXIS_FLOW_A, given)) ||
           (depends(FA_ELEMENT_cylinder, &in, row, of, FA_AXIS_FLOW_B_IN) &&
            valve_depends(parts, FA_AXIS_FLOW_B, given));
}

static bool pump_depends(unsigned parts, fa_axis_result result, int given)
{
    const fa_pump_in in = {0};
    int              of[FA_AXIS_GIVEN], row = -1;
    memset(of, -1, sizeof of);
#define ROW(name, index)                                                                           \
    if (result == (index)) row = RESULT_OF(pump, name);
#define PLACE(name, index) of[index] = REAL_OF(pump, name);
    OF_PUMP(PLACE)
#define ELEMENT_LIST                                               "pump.h"
#define NUMBER(name, xml, row, unit, otherwise, rule, when, about) PLACE(name, FA_CYLINDER_##name)
#define NUMBER_OF(name, element)                                   PLACE(name, FA_CYLINDER_##name)
#include "passes.h"
    BY_PUMP(ROW)
#undef ROW
#undef PLACE
    of[FA_AXIS_OTHERS_FLOW] = REAL_OF(pump, drawn);
    return depends(FA_ELEMENT_pump, &in, row, of, given) ||
           (depends(FA_ELEMENT_pump, &in, row, of, FA_AXIS_OTHERS_FLOW) &&
            valve_depends(parts, FA_AXIS_SUPPLY_FLOW, given));
}

static bool port_depends(unsigned parts, fa_axis_result result, int given)
{
    const fa_port_in in = {.ends = parts & ENDS};
    int              of[FA_AXIS_GIVEN], row = -1;
    memset(of, -1, sizeof of);
#define ROW(name, index)                                                                           \
    if (result == (index)) row = RESULT_OF(port, name);
#define PLACE(name, index) of[index] = REAL_OF(port, name);
    OF_PORT(PLACE)
#define ELEMENT_LIST                                               "port_law.h"
#define NUMBER(name, xml, row, unit, otherwise, rule, when, about) PLACE(name, FA_CYLINDER_##name)
#define NUMBER_OF(name, element)                                   PLACE(name, FA_CYLINDER_##name)
#include "passes.h"
    BY_PORT(ROW)
#undef ROW
#undef PLACE
    return depends(FA_ELEMENT_port, &in, row, of, given);
}

bool fa_axis_depends(unsigned parts, fa_axis_result result, int given)
{
    if (!fa_axis_has(parts, result)) return false;
    if (parts & PORT) return port_depends(parts, result, given);
    if (result <= FA_AXIS_PRESSURE_B_RATE) return cylinder_depends(parts, result, given);
    if (result == FA_AXIS_SUPPLY_RATE || result == FA_AXIS_RELIEF_FLOW)
        return pump_depends(parts, result, given);
    return valve_depends(parts, result, given);
}

// Returns the change of the force by the pressures' rates, per unit of speed, without leakage.
double fa_cylinder_stiffness(const double number[], double length, double pressure_a,
                             double pressure_b)
{
    double given[FA_AXIS_GIVEN] = {0}, no_flow[FA_AXIS_RESULTS] = {0};
    memcpy(given, number, FA_CYLINDER_NUMBERS * sizeof *given);
    given[FA_CYLINDER_leakage] = given[FA_CYLINDER_leakage_out] = 0;
    given[FA_AXIS_LENGTH] = length;
    given[FA_AXIS_VELOCITY] = 1;
    given[FA_AXIS_PRESSURE_A] = pressure_a;
    given[FA_AXIS_PRESSURE_B] = pressure_b;
    const fa_cylinder_in in = cylinder_in(CHAMBERS, given, no_flow);
    fa_cylinder_out      out;
    fa_cylinder_law(&in, &out);
    return fa_cylinder_area_b(number) * out.pressure_b_rate -
           fa_cylinder_area_a(number) * out.pressure_a_rate;
}

bool fa_axis_spool_stops(double *spool, double *rate)
{
    const fa_valve_in in = {.moves = true, .overlap = 0, .spool = *spool, .spool_rate = *rate};
    fa_valve_in       next = in;
    fa_valve_out      out;
    double            next_time = INFINITY;
    fa_valve_law(&in, &out);
    fa_valve_event(&in, &out, &next, 0, &next_time);
    const bool stops = next.spool != *spool || next.spool_rate != *rate;
    *spool = next.spool;
    *rate = next.spool_rate;
    return stops;
}
