// Declares parameters, inputs, states and outputs of a hydraulic axis.
#include "axis_rows.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "description.h"
#include "elements.h"
#include "number.h"

#define DESCRIPTION_SIZE 512

static fa_variable row_of(const fa_axis_table *t, fa_role role, fa_unit unit, double start,
                          int quantity, int slot)
{
    fa_variable row = fa_variable_of(role, unit, start);
    row.quantity = quantity;
    row.index = t->index * FA_AXIS_STRIDE + slot;
    return row;
}

// A row named cylinder.<name>.<what>.
static int add(const fa_axis_table *t, fa_variable row, const char *what, const char *about)
{
    char description[DESCRIPTION_SIZE];
    snprintf(description, sizeof description, "Cylinder %s: %s", t->cylinder->name, about);
    return fa_variable_add(t->variables, row,
                           fa_key_of_part(FA_OF_CYLINDER, t->index, t->cylinder->name, what),
                           description);
}

// -------------------------------------------------------------------------------------- parameters

// Start values of the states.
static const struct {
    fa_axis_given given;
    unsigned      parts;
    fa_unit       unit, rate_unit;
    double        nominal;
    const char   *name, *about;
} states[] = {
    {FA_AXIS_PRESSURE_A, FA_PART_CHAMBERS, FA_UNIT_PASCAL, FA_UNIT_PASCAL_PER_SECOND, 1e6,
     "pressure_a", "Pressure in chamber A, without the rod"},
    {FA_AXIS_PRESSURE_B, FA_PART_CHAMBERS, FA_UNIT_PASCAL, FA_UNIT_PASCAL_PER_SECOND, 1e6,
     "pressure_b", "Pressure in chamber B, around the rod"},
    {FA_AXIS_SPOOL, FA_PART_SPOOL, FA_UNIT_NONE, FA_UNIT_PER_SECOND, 1, "spool_position",
     "Place of the valve's spool, -1 to 1"},
    {FA_AXIS_SPOOL_RATE, FA_PART_SPOOL, FA_UNIT_PER_SECOND, FA_UNIT_PER_SECOND2, 100,
     "spool_velocity", "Speed of the valve's spool"},
};

enum { STATES = sizeof states / sizeof *states };

static double start_of(const fa_cylinder *cylinder, fa_axis_given given)
{
    if (given == FA_AXIS_PRESSURE_A) return cylinder->initial_pressure[0];
    if (given == FA_AXIS_PRESSURE_B) return cylinder->initial_pressure[1];
    return 0;
}

void fa_axis_declare_parameters(const fa_axis_table *t)
{
    char name[64], about[DESCRIPTION_SIZE / 4];
    for (int i = 0; i < FA_CYLINDER_NUMBERS; i++) {
        const fa_cylinder_row number = fa_cylinder_row_of(i);
        if (!(number.parts & t->parts)) continue;
        fa_variable row = row_of(t, FA_PARAMETER, (fa_unit)number.item->unit,
                                 t->cylinder->number[i], t->kinds.given, i);
        row.minimum = number.item->rule == FA_RULE_ABOVE_ZERO ? FA_POSITIVE : 0;
        if (i == FA_CYLINDER_overlap) row.maximum = 1 - 0x1p-53; // all below 1
        add(t, row, number.item->row, number.item->about);
    }
    for (int i = 0; i < STATES; i++) {
        if (!(t->parts & states[i].parts)) continue;
        snprintf(name, sizeof name, "initial_%s", states[i].name);
        snprintf(about, sizeof about, "%s, at the start", states[i].about);
        fa_variable row =
            row_of(t, FA_PARAMETER, states[i].unit, start_of(t->cylinder, states[i].given),
                   t->kinds.initial, states[i].given);
        if (states[i].given == FA_AXIS_SPOOL) row.minimum = -1, row.maximum = 1;
        add(t, row, name, about);
    }
    if (t->parts & FA_PART_PUMP)
        fa_variable_add(t->variables,
                        row_of(t, FA_PARAMETER, FA_UNIT_PASCAL, t->cylinder->supply,
                               t->kinds.initial, FA_AXIS_SUPPLY),
                        fa_key_of(FA_OF_ROBOT, "supply.initial_pressure"),
                        "Pressure between pump and valve at the start");
}

fa_axis_places fa_axis_nowhere(const fa_cylinder *cylinder)
{
    fa_axis_places at = {.initial_pressure = {FA_NO_ROW, FA_NO_ROW}};
    memcpy(at.name, cylinder->name, sizeof at.name);
    for (int i = 0; i < FA_AXIS_GIVEN; i++) at.given[i] = FA_NO_ROW;
    return at;
}

void fa_axis_place_initial(fa_axis_places *at, int slot, int row)
{
    if (slot == FA_AXIS_PRESSURE_A) at->initial_pressure[0] = row;
    if (slot == FA_AXIS_PRESSURE_B) at->initial_pressure[1] = row;
}

static fa_status check_number(const fa_axis_places *at, int number, double x, fa_error *error)
{
    const fa_item *item = fa_cylinder_row_of(number).item;
    if ((item->rule == FA_RULE_ABOVE_ZERO ? x > 0 : x >= 0) && !isinf(x)) return FA_OK;
    return fa_fail(error, FA_BAD_INPUT, NULL, FA_NOWHERE,
                   "the parameter %s of cylinder '%s' is %s; it must be %s", item->row, at->name,
                   fa_number_text(x).text,
                   item->rule == FA_RULE_ABOVE_ZERO ? "above zero" : "zero or a positive number");
}

// Checks the rules between numbers.
static fa_status check_measures(const fa_axis_places *at, const double number[], unsigned parts,
                                const double value[], fa_error *error)
{
    if (parts & FA_PART_CHAMBERS && number[FA_CYLINDER_rod] >= number[FA_CYLINDER_bore])
        return fa_fail(error, FA_BAD_INPUT, NULL, FA_NOWHERE,
                       "the rod of cylinder '%s' has a diameter of %s m, but its bore %s m",
                       at->name, fa_number_text(number[FA_CYLINDER_rod]).text,
                       fa_number_text(number[FA_CYLINDER_bore]).text);
    if (parts & FA_PART_VALVE && !(number[FA_CYLINDER_overlap] < 1))
        return fa_fail(error, FA_BAD_INPUT, NULL, FA_NOWHERE,
                       "the valve of cylinder '%s' has an overlap of %s; it must be below 1",
                       at->name, fa_number_text(number[FA_CYLINDER_overlap]).text);
    for (int i = 0; i < 2; i++) {
        const int row = at->initial_pressure[i];
        if (row == FA_NO_ROW || value[row] > number[FA_CYLINDER_vapour]) continue;
        return fa_fail(error, FA_BAD_INPUT, NULL, FA_NOWHERE,
                       "initial_pressure_%c of cylinder '%s' is %s Pa; it must be above the vapour "
                       "pressure, %s Pa",
                       'a' + i, at->name, fa_number_text(value[row]).text,
                       fa_number_text(number[FA_CYLINDER_vapour]).text);
    }
    return FA_OK;
}

fa_status fa_axis_configure(const fa_axis_places *at, const double value[], fa_error *error)
{
    double   number[FA_CYLINDER_NUMBERS] = {0};
    unsigned parts = FA_PART_CHAMBERS | FA_PART_VALVE; // of which every number is there
    for (int i = 0; i < FA_CYLINDER_NUMBERS; i++) {
        if (at->given[i] == FA_NO_ROW) {
            if (i == FA_CYLINDER_bore) parts &= ~(unsigned)FA_PART_CHAMBERS;
            if (i == FA_CYLINDER_overlap) parts &= ~(unsigned)FA_PART_VALVE;
            continue;
        }
        number[i] = value[at->given[i]];
        fa_status status = check_number(at, i, number[i], error);
        if (status != FA_OK) return status;
    }
    return check_measures(at, number, parts, value, error);
}

// ------------------------------------------------------------------------------------------ inputs

void fa_axis_declare_inputs(const fa_axis_table *t)
{
    if (t->parts & FA_PART_PORT) {
        add(t,
            row_of(t, FA_INPUT, FA_UNIT_NEWTON, t->cylinder->initial_force, t->kinds.given,
                   FA_AXIS_PORT_PUSH),
            "force", "Force, positive when it pushes the piston out");
        return;
    }
    if (t->parts & FA_PART_VALVE) {
        fa_variable spool = row_of(t, FA_INPUT, FA_UNIT_NONE, 0, t->kinds.given, FA_AXIS_COMMAND);
        spool.minimum = -1;
        spool.maximum = 1;
        add(t, spool, "spool",
            "Command to the valve, 1: supply to A and B to tank, -1: the other way");
        return;
    }
    add(t, row_of(t, FA_INPUT, FA_UNIT_METRE3_PER_SECOND, 0, t->kinds.given, FA_AXIS_FLOW_A_IN),
        "flow_a", "Flow into chamber A");
    add(t, row_of(t, FA_INPUT, FA_UNIT_METRE3_PER_SECOND, 0, t->kinds.given, FA_AXIS_FLOW_B_IN),
        "flow_b", "Flow into chamber B");
}

void fa_axis_declare_tank(const fa_axis_table *t)
{
    if (!(t->parts & FA_PART_PUMP))
        fa_variable_add(t->variables,
                        row_of(t, FA_INPUT, FA_UNIT_PASCAL, t->cylinder->supply, t->kinds.given,
                               FA_AXIS_SUPPLY),
                        fa_key_of(FA_OF_ROBOT, "supply.pressure"),
                        "Pressure that the valves take oil from, absolute");
    fa_variable_add(
        t->variables,
        row_of(t, FA_INPUT, FA_UNIT_PASCAL, t->cylinder->tank, t->kinds.given, FA_AXIS_TANK),
        fa_key_of(FA_OF_ROBOT, "tank.pressure"), "Pressure that the valves give oil to, absolute");
    if (t->parts & FA_PART_PUMP)
        fa_variable_add(t->variables,
                        row_of(t, FA_INPUT, FA_UNIT_METRE3_PER_SECOND, t->cylinder->pump_flow,
                               t->kinds.given, FA_AXIS_PUMP_FLOW),
                        fa_key_of(FA_OF_ROBOT, "pump.flow"), "Flow of the pump");
}

// ------------------------------------------------------------------------------------------ states

// The first row of that meaning; FA_NO_ROW while the table is only being measured.
static int row_with(const fa_axis_table *t, int quantity, int slot)
{
    const fa_variables *v = t->variables;
    for (int row = 0; v->row && row < v->n; row++)
        if (v->row[row].quantity == quantity &&
            v->row[row].index == t->index * FA_AXIS_STRIDE + slot)
            return row;
    return FA_NO_ROW;
}

void fa_axis_declare_states(const fa_axis_table *t)
{
    for (int i = 0; i < STATES; i++) {
        if (!(t->parts & states[i].parts)) continue;
        fa_variable state =
            row_of(t, FA_STATE, states[i].unit, start_of(t->cylinder, states[i].given),
                   t->kinds.given, states[i].given);
        state.nominal = states[i].nominal;
        state.initial = row_with(t, t->kinds.initial, states[i].given);
        // The spool's speed is the next row; other derivatives follow as locals.
        if (states[i].given == FA_AXIS_SPOOL) state.derivative = t->variables->n + 1;
        add(t, state, states[i].name, states[i].about);
    }
    if (!(t->parts & FA_PART_PUMP)) return;
    fa_variable supply =
        row_of(t, FA_STATE, FA_UNIT_PASCAL, t->cylinder->supply, t->kinds.given, FA_AXIS_SUPPLY);
    supply.nominal = 1e6;
    supply.initial = row_with(t, t->kinds.initial, FA_AXIS_SUPPLY);
    fa_variable_add(t->variables, supply, fa_key_of(FA_OF_ROBOT, "supply.pressure"),
                    "Pressure between pump and valve, absolute");
}

// Declares the derivative of a state, and links it to the state.
static void derivative(const fa_axis_table *t, fa_axis_given of, fa_axis_result result,
                       fa_unit unit, const char *name, const char *about)
{
    const int   state = row_with(t, t->kinds.given, of);
    fa_variable row = row_of(t, FA_LOCAL, unit, 0, t->kinds.result, result);
    row.group = t->kinds.derivatives;
    if (state != FA_NO_ROW) t->variables->row[state].derivative = t->variables->n;
    if (of == FA_AXIS_SUPPLY) // no cylinder's own
        fa_variable_add(t->variables, row, fa_key_of(FA_OF_ROBOT, name), about);
    else
        add(t, row, name, about);
}

// Declares the memory of a port, and its outputs for the jack: discrete rows, which Co-Simulation
// updates between steps.
static void declare_port(const fa_axis_table *t, fa_role role)
{
    static const struct {
        fa_role       role;
        fa_type       type;
        fa_unit       unit;
        fa_axis_given slot;
        double        minimum, maximum;
        const char   *name, *about;
    } list[] = {
        {FA_OUTPUT, FA_REAL, FA_UNIT_NEWTON_PER_METRE, FA_AXIS_PORT_SPRING, 0, INFINITY,
         "port_stiffness", FA_DESCRIPTION("Stiffness of the jack, as the port takes it to be")},
        {FA_OUTPUT, FA_REAL, FA_UNIT_NEWTON_SECOND_PER_METRE, FA_AXIS_PORT_DAMPER, 0, INFINITY,
         "port_damping", FA_DESCRIPTION("Damping of the jack, as the port takes it to be")},
        {FA_OUTPUT, FA_REAL, FA_UNIT_NEWTON_PER_SECOND, FA_AXIS_PORT_RATE, -INFINITY, INFINITY,
         "port_rate", FA_DESCRIPTION("How fast the jack's force would change if nothing moved it")},
        {FA_OUTPUT, FA_REAL, FA_UNIT_KILOGRAM, FA_AXIS_PORT_MASS, 0, INFINITY, "effective_mass",
         FA_DESCRIPTION(
             "Mass that the cylinder has to move: force per acceleration of its length")},
        {FA_OUTPUT, FA_REAL, FA_UNIT_HERTZ, FA_AXIS_PORT_FREQUENCY, 0, INFINITY, "port_frequency",
         FA_DESCRIPTION("Frequency of that mass on the jack's stiffness")},
        {FA_LOCAL, FA_INT32, FA_UNIT_NONE, FA_AXIS_PORT_HOLD, 0, 2, "port_hold",
         FA_DESCRIPTION("Who says the force: 0 the input, 1 the port within a step, 2 the port "
                        "between two steps")},
        {FA_LOCAL, FA_REAL, FA_UNIT_NEWTON, FA_AXIS_PORT_HELD_FORCE, -INFINITY, INFINITY,
         "port_held_force",
         FA_DESCRIPTION("Force at the end of the last step, without that of the jack's image")},
        {FA_LOCAL, FA_REAL, FA_UNIT_METRE, FA_AXIS_PORT_HELD_LENGTH, -INFINITY, INFINITY,
         "port_held_length",
         FA_DESCRIPTION("Length at which the spring of the jack's image is at rest")},
        {FA_LOCAL, FA_REAL, FA_UNIT_METRE_PER_SECOND, FA_AXIS_PORT_HELD_VELOCITY, -INFINITY,
         INFINITY, "port_held_velocity",
         FA_DESCRIPTION("Speed at which the damper of the jack's image is at rest")},
        {FA_LOCAL, FA_REAL, FA_UNIT_METRE, FA_AXIS_PORT_TOLD_LENGTH, -INFINITY, INFINITY,
         "port_told_length", FA_DESCRIPTION("Length that the jack has, as told")},
        {FA_LOCAL, FA_REAL, FA_UNIT_METRE_PER_SECOND, FA_AXIS_PORT_TOLD_VELOCITY, -INFINITY,
         INFINITY, "port_told_velocity", FA_DESCRIPTION("Speed that the jack is to have, as told")},
        {FA_LOCAL, FA_REAL, FA_UNIT_METRE_PER_SECOND2, FA_AXIS_PORT_TOLD_ACCELERATION, -INFINITY,
         INFINITY, "port_told_acceleration",
         FA_DESCRIPTION("How that speed is to change, as told")},
    };
    for (size_t i = 0; t->parts & FA_PART_PORT && i < sizeof list / sizeof *list; i++) {
        if (list[i].role != role) continue;
        double start = 0;
        if (list[i].slot == FA_AXIS_PORT_SPRING)
            start = t->cylinder->number[FA_CYLINDER_first_stiffness];
        if (list[i].slot == FA_AXIS_PORT_DAMPER)
            start = t->cylinder->number[FA_CYLINDER_first_damping];
        fa_variable row = row_of(t, role, list[i].unit, start, t->kinds.given, list[i].slot);
        row.type = list[i].type;
        row.discrete = true;
        row.minimum = list[i].minimum;
        row.maximum = list[i].maximum;
        add(t, row, list[i].name, list[i].about);
    }
}

void fa_axis_declare_locals(const fa_axis_table *t)
{
    declare_port(t, FA_LOCAL);
    if (t->parts & FA_PART_CHAMBERS) {
        derivative(t, FA_AXIS_PRESSURE_A, FA_AXIS_PRESSURE_A_RATE, FA_UNIT_PASCAL_PER_SECOND,
                   "pressure_a_rate", "Derivative of the pressure in chamber A");
        derivative(t, FA_AXIS_PRESSURE_B, FA_AXIS_PRESSURE_B_RATE, FA_UNIT_PASCAL_PER_SECOND,
                   "pressure_b_rate", "Derivative of the pressure in chamber B");
    }
    if (t->parts & FA_PART_SPOOL)
        derivative(t, FA_AXIS_SPOOL_RATE, FA_AXIS_SPOOL_ACCELERATION, FA_UNIT_PER_SECOND2,
                   "spool_acceleration", "Acceleration of the valve's spool");
    if (t->parts & FA_PART_PUMP)
        derivative(t, FA_AXIS_SUPPLY, FA_AXIS_SUPPLY_RATE, FA_UNIT_PASCAL_PER_SECOND,
                   "supply.pressure_rate", "Derivative of the supply pressure");
}

void fa_axis_declare_indicators(const fa_axis_table *t)
{
    if (!(t->parts & FA_PART_SPOOL)) return;
    fa_variable row = row_of(t, FA_INDICATOR, FA_UNIT_NONE, 0, t->kinds.result, FA_AXIS_SPOOL_ROOM);
    row.group = t->kinds.derivatives;
    add(t, row, "spool_indicator", "Above zero while the valve's spool is within its stroke");
}

bool fa_axis_switch(const fa_axis_places *at, double value[])
{
    const int spool = at->given[FA_AXIS_SPOOL], rate = at->given[FA_AXIS_SPOOL_RATE];
    return spool != FA_NO_ROW && fa_axis_spool_stops(&value[spool], &value[rate]);
}

// ----------------------------------------------------------------------------------------- outputs

void fa_axis_declare_outputs(const fa_axis_table *t)
{
    static const struct {
        fa_axis_result result;
        fa_unit        unit;
        const char    *name, *about;
    } list[] = {
        {FA_AXIS_FORCE, FA_UNIT_NEWTON, "force",
         "Force, of oil, friction and ends of the stroke, positive when it pushes the piston out"},
        {FA_AXIS_FRICTION, FA_UNIT_NEWTON, "friction_force",
         "Friction of the seals, positive when the piston comes out"},
        {FA_AXIS_STOP, FA_UNIT_NEWTON, "stop_force",
         "Push of the ends of the stroke, positive when the piston is all in"},
        {FA_AXIS_FLOW_A, FA_UNIT_METRE3_PER_SECOND, "flow_a", "Flow into chamber A"},
        {FA_AXIS_FLOW_B, FA_UNIT_METRE3_PER_SECOND, "flow_b", "Flow into chamber B"},
        {FA_AXIS_SUPPLY_FLOW, FA_UNIT_METRE3_PER_SECOND, "supply_flow",
         "Flow that the valve takes from the supply"},
        {FA_AXIS_TANK_FLOW, FA_UNIT_METRE3_PER_SECOND, "tank_flow",
         "Flow that the valve gives to the tank"},
        {FA_AXIS_RELIEF_FLOW, FA_UNIT_METRE3_PER_SECOND, "relief_flow",
         "Flow over the relief valve"},
        {FA_AXIS_PORT_VELOCITY, FA_UNIT_METRE_PER_SECOND, "port_velocity",
         "Speed that the jack is to have at the start of the next step"},
        {FA_AXIS_PORT_ACCELERATION, FA_UNIT_METRE_PER_SECOND2, "port_acceleration",
         "How that speed is to change in the step"},
        {FA_AXIS_PORT_LENGTH, FA_UNIT_METRE, "port_length", "Length that the jack has"},
        {FA_AXIS_PORT_GAP, FA_UNIT_METRE, "port_gap", "Length less that of the jack"},
    };
    for (size_t i = 0; i < sizeof list / sizeof *list; i++) {
        if (!fa_axis_has(t->parts, list[i].result)) continue;
        // At a port the force is an input, and nothing more is said than with the cut at the force
        // where the file says nothing.
        if (t->parts & FA_PART_PORT && list[i].result == FA_AXIS_FORCE) continue;
        if (t->parts & FA_PART_PORT && list[i].result == FA_AXIS_STOP && !(t->parts & FA_PART_ENDS))
            continue;
        fa_variable row = row_of(t, FA_OUTPUT, list[i].unit, 0, t->kinds.result, list[i].result);
        row.group = t->kinds.outputs;
        add(t, row, list[i].name, list[i].about);
    }
    declare_port(t, FA_OUTPUT);
}
