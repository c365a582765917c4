// What an arm's FMU shows of its joints: parameters, inputs, states and what follows from them.
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "arm_table.h"

fa_variable fa_arm_row(fa_role role, fa_unit unit, double start, fa_arm_quantity quantity,
                       int index)
{
    fa_variable variable = fa_variable_of(role, unit, start);
    variable.quantity = quantity;
    variable.index = index;
    return variable;
}

fa_variable fa_arm_calculated(fa_unit unit, fa_arm_quantity quantity, int index, unsigned group)
{
    fa_variable variable = fa_arm_row(FA_OUTPUT, unit, 0, quantity, index);
    variable.group = group;
    return variable;
}

fa_arm_spelled fa_arm_spell(const char *name)
{
    fa_arm_spelled s;
    fa_variable_segment(name, s.segment, sizeof s.segment);
    if (strcmp(s.segment, name) == 0)
        snprintf(s.said, sizeof s.said, "%s", name);
    else
        snprintf(s.said, sizeof s.said, "%s (written %s)", s.segment, name);
    return s;
}

int fa_arm_row_with(const fa_variables *variables, fa_arm_quantity quantity, int index)
{
    for (int row = 0; variables->row && row < variables->n; row++)
        if (variables->row[row].quantity == (int)quantity && variables->row[row].index == index)
            return row;
    return FA_NO_ROW;
}

// The units of what belongs to a joint, by its type.
typedef struct joint_units {
    fa_unit     position, velocity, acceleration, effort, damping, stiffness, inertia;
    const char *effort_name, *place;
} joint_units;

static joint_units units_of(const fa_joint *joint)
{
    // Tables, since gcc keeps constants of its own that name strings in memory that can be written.
    static const joint_units sliding = {FA_UNIT_METRE,
                                        FA_UNIT_METRE_PER_SECOND,
                                        FA_UNIT_METRE_PER_SECOND2,
                                        FA_UNIT_NEWTON,
                                        FA_UNIT_NEWTON_SECOND_PER_METRE,
                                        FA_UNIT_NEWTON_PER_METRE,
                                        FA_UNIT_KILOGRAM,
                                        "force",
                                        "Distance"};
    static const joint_units turning = {FA_UNIT_RADIAN,
                                        FA_UNIT_RADIAN_PER_SECOND,
                                        FA_UNIT_RADIAN_PER_SECOND2,
                                        FA_UNIT_NEWTON_METRE,
                                        FA_UNIT_NEWTON_METRE_SECOND_PER_RADIAN,
                                        FA_UNIT_NEWTON_METRE_PER_RADIAN,
                                        FA_UNIT_KILOGRAM_METRE2,
                                        "torque",
                                        "Angle"};
    return joint->type == FA_PRISMATIC ? sliding : turning;
}

// Adds a row of a joint; `what` has its name in it as %s.
static void joint_row(fa_variables *variables, const fa_robot *robot, fa_variable row,
                      const char *name, const char *what)
{
    fa_arm_spelled joint = fa_arm_spell(robot->link[row.index].joint.name);
    char           description[FA_ARM_DESCRIPTION_SIZE];
    snprintf(description, sizeof description, what, joint.said);
    fa_variable_add(variables, row, description, "joint.%s.%s", joint.segment, name);
}

// ------------------------------------------------------------------------------------- parameters

typedef struct parameter {
    bool            present;
    fa_arm_quantity quantity;
    fa_unit         unit;
    double          value, minimum;
    const char     *name, *what;
} parameter;

static void add_parameters(fa_variables *variables, const fa_robot *robot, int link,
                           const parameter list[], size_t n)
{
    for (size_t i = 0; i < n; i++) {
        if (!list[i].present) continue;
        fa_variable row =
            fa_arm_row(FA_PARAMETER, list[i].unit, list[i].value, list[i].quantity, link);
        row.minimum = list[i].minimum;
        if (list[i].quantity == FA_AT(motor.efficiency) ||
            list[i].quantity == FA_AT(motor.efficiency_back))
            row.maximum = 1;
        joint_row(variables, robot, row, list[i].name, list[i].what);
    }
}

#define ADD_PARAMETERS(variables, robot, link, list)                                               \
    add_parameters(variables, robot, link, list, sizeof list / sizeof *list)

static void initial_state(fa_variables *variables, const fa_robot *robot, int link)
{
    const fa_joint *joint = &robot->link[link].joint;
    joint_units     unit = units_of(joint);
    fa_variable     position = fa_arm_row(FA_PARAMETER, unit.position, joint->initial_position,
                                          FA_ARM_INITIAL_POSITION, link);
    // A joint may lie in its stop, which is a spring, and the stops may be moved.
    if (!joint->stop.present) {
        position.minimum = joint->limit.lower;
        position.maximum = joint->limit.upper;
    }
    joint_row(variables, robot, position, "initial_position",
              joint->type == FA_PRISMATIC ? "Distance of joint %s at the start"
                                          : "Angle of joint %s at the start");
    const parameter list[] = {
        {true, FA_ARM_INITIAL_VELOCITY, unit.velocity, joint->initial_velocity, -INFINITY,
         "initial_velocity", "Velocity of joint %s at the start"},
        {joint->motor.inductance > 0, FA_ARM_INITIAL_CURRENT, FA_UNIT_AMPERE, 0, -INFINITY,
         "initial_current", "Current in the motor of joint %s at the start"},
    };
    ADD_PARAMETERS(variables, robot, link, list);
}

static void limits(fa_variables *variables, const fa_robot *robot, int link, bool inverse)
{
    const fa_joint      *joint = &robot->link[link].joint;
    joint_units          unit = units_of(joint);
    const fa_limit_data *limit = &joint->limit;
    bool                 stops = joint->stop.present && !inverse;
    const parameter      list[] = {
             {isfinite(limit->lower), FA_AT(limit.lower), unit.position, limit->lower, -INFINITY,
              "lower_limit",
         stops ? "Position at which joint %s meets its lower stop"
                    : "Lowest position that the maker allows joint %s; information, the joint moves on"},
             {isfinite(limit->upper), FA_AT(limit.upper), unit.position, limit->upper, -INFINITY,
              "upper_limit",
         stops
                  ? "Position at which joint %s meets its upper stop"
                  : "Highest position that the maker allows joint %s; information, the joint moves on"},
             {isfinite(limit->effort), FA_AT(limit.effort), unit.effort, limit->effort, 0,
              "effort_limit",
              "Largest effort that the maker allows joint %s; information, the input is not cut"},
             {isfinite(limit->velocity), FA_AT(limit.velocity), unit.velocity, limit->velocity, 0,
              "velocity_limit",
              "Largest speed that the maker allows joint %s; information, the joint goes on"},
             {stops, FA_AT(stop.stiffness), unit.stiffness, joint->stop.stiffness, FA_POSITIVE,
              "stop_stiffness", "Stiffness of the stops of joint %s; above zero"},
             {stops, FA_AT(stop.damping), unit.damping, joint->stop.damping, 0, "stop_damping",
              "Damping of the stops of joint %s"},
    };
    ADD_PARAMETERS(variables, robot, link, list);
}

static void friction_parameters(fa_variables *variables, const fa_robot *robot, int link,
                                bool inverse)
{
    const fa_joint         *joint = &robot->link[link].joint;
    const fa_friction_data *f = &joint->friction;
    joint_units             unit = units_of(joint);
    bool                    sticks = f->sticks && !inverse;
    if (f->on_motor) { // the numbers are the motor's, whatever the joint is
        unit.damping = FA_UNIT_NEWTON_METRE_SECOND_PER_RADIAN;
        unit.effort = FA_UNIT_NEWTON_METRE;
        unit.velocity = FA_UNIT_RADIAN_PER_SECOND;
    }
    const parameter list[] = {
        {true, FA_AT(friction.viscous), unit.damping, f->viscous, 0, "viscous_friction",
         f->on_motor ? "Effort against the motion of the motor of joint %s per unit of speed"
                     : "Effort against the motion of joint %s per unit of speed"},
        {true, FA_AT(friction.coulomb), unit.effort, f->coulomb, 0, "coulomb_friction",
         f->on_motor ? "Effort against positive motion of the motor of joint %s, whatever the speed"
                     : "Effort against positive motion of joint %s, whatever the speed"},
        {true, FA_AT(friction.coulomb_negative), unit.effort, f->coulomb_negative, 0,
         "coulomb_friction_negative",
         f->on_motor ? "Effort against negative motion of the motor of joint %s, whatever the speed"
                     : "Effort against negative motion of joint %s, whatever the speed"},
        {true, FA_AT(friction.width), unit.velocity, f->width, FA_POSITIVE, "friction_width",
         "Speed over which the Coulomb friction of joint %s turns round; above zero"},
        {sticks, FA_AT(friction.breakaway), unit.effort, f->breakaway, 0, "static_friction",
         "Effort that sets joint %s in positive motion when it sticks"},
        {sticks, FA_AT(friction.breakaway_negative), unit.effort, f->breakaway_negative, 0,
         "static_friction_negative", "Effort that sets joint %s in negative motion when it sticks"},
        {sticks, FA_AT(friction.stribeck), unit.velocity, f->stribeck, FA_POSITIVE,
         "stribeck_speed",
         "Speed over which the static friction of joint %s falls to the Coulomb level; above zero"},
    };
    ADD_PARAMETERS(variables, robot, link, list);
}

static void motor_parameters(fa_variables *variables, const fa_robot *robot, int link)
{
    const fa_motor_data *m = &robot->link[link].joint.motor;
    const parameter      list[] = {
             {m->present, FA_AT(motor.resistance), FA_UNIT_OHM, m->resistance, FA_POSITIVE, "resistance",
              "Resistance of the motor of joint %s; above zero"},
             {m->present, FA_AT(motor.torque_constant), FA_UNIT_NEWTON_METRE_PER_AMPERE,
              m->torque_constant, -INFINITY, "torque_constant",
              "Torque of the motor of joint %s per unit of current"},
             {m->present, FA_AT(motor.back_emf), FA_UNIT_VOLT_SECOND_PER_RADIAN, m->back_emf, -INFINITY,
              "back_emf", "Voltage that the motor of joint %s generates per unit of its speed"},
             {m->present && m->inductance > 0, FA_AT(motor.inductance), FA_UNIT_HENRY, m->inductance,
              FA_POSITIVE, "inductance", "Inductance of the motor of joint %s; above zero"},
             {m->present, FA_AT(motor.efficiency), FA_UNIT_NONE, m->efficiency, FA_POSITIVE,
              "efficiency",
              "Share of the motor's torque that the gear passes on while the motor drives joint %s"},
             {m->present, FA_AT(motor.efficiency_back), FA_UNIT_NONE, m->efficiency_back, FA_POSITIVE,
              "efficiency_back",
              "Share of the joint's torque that the gear passes on while joint %s drives the motor"},
             {m->present && isfinite(m->voltage_limit), FA_AT(motor.voltage_limit), FA_UNIT_VOLT,
              m->voltage_limit, FA_POSITIVE, "voltage_limit",
              "Largest voltage that the amplifier of joint %s applies"},
             {m->present && isfinite(m->current_limit), FA_AT(motor.current_limit), FA_UNIT_AMPERE,
              m->current_limit, FA_POSITIVE, "current_limit",
              "Current within which the amplifier of joint %s keeps its motor"},
    };
    ADD_PARAMETERS(variables, robot, link, list);
}

static void drive_parameters(fa_variables *variables, const fa_robot *robot, int link, bool inverse)
{
    const fa_joint *joint = &robot->link[link].joint;
    joint_units     unit = units_of(joint);
    bool            spring = joint->spring.present, closure = joint->closure.present && !inverse;
    friction_parameters(variables, robot, link, inverse);
    const parameter list[] = {
        {true, FA_AT(rotor.inertia), unit.inertia, joint->rotor.inertia, 0, "rotor_inertia",
         "Inertia of the rotor that drives joint %s, on the rotor's side of the gear"},
        {true, FA_AT(rotor.gear), FA_UNIT_NONE, joint->rotor.gear, -INFINITY, "gear_ratio",
         "Turns of the rotor per turn of joint %s"},
        {spring, FA_AT(spring.stiffness), unit.stiffness, joint->spring.stiffness, -INFINITY,
         "stiffness", "Stiffness of the spring at joint %s"},
        {spring, FA_AT(spring.damping), unit.damping, joint->spring.damping, 0, "damping",
         "Damping of the spring at joint %s"},
        {spring, FA_AT(spring.rest), unit.position, joint->spring.rest, -INFINITY, "rest",
         "Position of joint %s at which its spring is slack"},
        {closure, FA_AT(closure.stiffness), unit.stiffness, joint->closure.stiffness, FA_POSITIVE,
         "closure_stiffness",
         "Stiffness of joint %s while its valve is closed, of the oil shut in; above zero"},
        {closure, FA_AT(closure.damping), unit.damping, joint->closure.damping, 0,
         "closure_damping", "Damping of joint %s while its valve is closed"},
        {closure && isfinite(joint->closure.time), FA_AT(closure.time), FA_UNIT_SECOND,
         joint->closure.time, -INFINITY, "closure_time",
         "When the valve of joint %s closes, whatever the input says"},
    };
    ADD_PARAMETERS(variables, robot, link, list);
    motor_parameters(variables, robot, link);
}

void fa_arm_joint_parameters(fa_variables *variables, const fa_robot *robot, bool inverse)
{
    for (int i = 0; i < robot->n_links; i++) {
        if (!fa_joint_is_free(&robot->link[i].joint)) continue;
        if (!inverse) initial_state(variables, robot, i);
        limits(variables, robot, i, inverse);
    }
    for (int i = 0; i < robot->n_links; i++)
        if (robot->link[i].joint.type != FA_FIXED) drive_parameters(variables, robot, i, inverse);
}

// ------------------------------------------------------------------------------------------ drives

static fa_variable drive_row(const fa_joint *joint, fa_role role, int link)
{
    fa_unit unit = joint->motor.present ? FA_UNIT_VOLT : units_of(joint).effort;
    return fa_arm_row(role, unit, 0, FA_ARM_TORQUE, link);
}

static const char *drive_name(const fa_joint *joint)
{
    return joint->motor.present ? "voltage" : units_of(joint).effort_name;
}

void fa_arm_drive_inputs(fa_variables *variables, const fa_robot *robot)
{
    for (int i = 0; i < robot->n_links; i++) {
        const fa_joint *joint = &robot->link[i].joint;
        if (!fa_joint_is_free(joint)) continue;
        fa_variable row = drive_row(joint, FA_INPUT, i);
        double      most = joint->motor.present ? joint->motor.voltage_limit : joint->limit.effort;
        row.minimum = -most;
        row.maximum = most;
        joint_row(variables, robot, row, drive_name(joint),
                  joint->motor.present ? "Voltage asked of the amplifier of joint %s"
                  : joint->type == FA_PRISMATIC
                      ? "Drive force at joint %s; positive increases its position"
                      : "Drive torque at joint %s; positive increases its position");
    }
}

void fa_arm_drive_outputs(fa_variables *variables, const fa_robot *robot)
{
    for (int i = 0; i < robot->n_links; i++) {
        const fa_joint *joint = &robot->link[i].joint;
        if (!fa_joint_is_free(joint)) continue;
        fa_variable row = drive_row(joint, FA_OUTPUT, i);
        row.group = FA_GROUP_DERIVATIVES;
        joint_row(variables, robot, row, drive_name(joint),
                  joint->motor.present
                      ? "Voltage that the motor of joint %s needs, but for what changes its current"
                  : joint->type == FA_PRISMATIC
                      ? "Drive force at joint %s; positive increases its position"
                      : "Drive torque at joint %s; positive increases its position");
    }
}

// Discrete inputs: what may lock, and what may close.
void fa_arm_switch_inputs(fa_variables *variables, const fa_robot *robot)
{
    for (int i = 0; i < robot->n_links; i++) {
        const fa_joint *joint = &robot->link[i].joint;
        fa_variable     row = fa_arm_row(FA_INPUT, FA_UNIT_NONE, 0, FA_AT(lock.lock), i);
        row.type = FA_BOOLEAN;
        row.discrete = true;
        if (joint->lock.present)
            joint_row(variables, robot, row, "lock",
                      "True: joint %s is locked where it is; whatever moves by then is stopped");
        row.quantity = FA_AT(closure.close);
        if (joint->closure.present)
            joint_row(
                variables, robot, row, "close",
                "True: the valve of joint %s is closed, and its drive a spring with a damper");
    }
}

void fa_arm_motor_outputs(fa_variables *variables, const fa_robot *robot, bool inverse)
{
    for (int i = 0; i < robot->n_links; i++) {
        const fa_joint *joint = &robot->link[i].joint;
        if (!joint->motor.present) continue;
        joint_units unit = units_of(joint);
        const struct {
            bool            present;
            fa_arm_quantity quantity;
            fa_unit         unit;
            const char     *name, *what;
        } list[] = {
            {true, FA_AT(motor.torque), unit.effort, unit.effort_name,
             "What the motor of joint %s does at the joint, behind its gear"},
            {inverse || !(joint->motor.inductance > 0), FA_AT(motor.amperes), FA_UNIT_AMPERE,
             "current", "Current in the motor of joint %s"},
            {true, FA_AT(motor.emf), FA_UNIT_VOLT, "back_emf_voltage",
             "Voltage that the motor of joint %s generates"},
            {true, FA_AT(motor.power), FA_UNIT_WATT, "electrical_power",
             "Electrical power that the motor of joint %s takes up"},
            {true, FA_AT(motor.losses), FA_UNIT_WATT, "losses",
             "Electrical power that reaches neither joint %s nor the field of its motor"},
        };
        for (size_t k = 0; k < sizeof list / sizeof *list; k++)
            if (list[k].present)
                joint_row(variables, robot,
                          fa_arm_calculated(list[k].unit, list[k].quantity, i, FA_ARM_GROUP_MOTORS),
                          list[k].name, list[k].what);
    }
}

// ------------------------------------------------------------------------------------------ motion

static void currents(fa_variables *variables, const fa_robot *robot)
{
    for (int i = 0; i < robot->n_links; i++) {
        if (!(robot->link[i].joint.motor.inductance > 0)) continue;
        fa_variable row = fa_arm_row(FA_STATE, FA_UNIT_AMPERE, 0, FA_AT(motor.current), i);
        row.initial = fa_arm_row_with(variables, FA_ARM_INITIAL_CURRENT, i);
        row.nominal = 1;
        joint_row(variables, robot, row, "current", "Current in the motor of joint %s");
    }
}

void fa_arm_joint_motion(fa_variables *variables, const fa_robot *robot, bool inverse, int order)
{
    static const char *const name[] = {"position", "velocity", "acceleration"};
    static const char *const what[] = {"Angle of joint %s", "Velocity of joint %s",
                                       "Acceleration of joint %s"};
    for (int i = 0; i < robot->n_links; i++) {
        const fa_joint *joint = &robot->link[i].joint;
        if (!fa_joint_is_free(joint)) continue;
        joint_units   units = units_of(joint);
        const fa_unit unit[] = {units.position, units.velocity, units.acceleration};
        const double  start[] = {joint->initial_position, joint->initial_velocity, 0};
        fa_role       role = inverse ? FA_INPUT : (order < 2 ? FA_STATE : FA_OUTPUT);
        fa_variable   row = fa_arm_row(role, unit[order], start[order], FA_ARM_POSITION + order, i);
        if (role == FA_STATE) {
            row.initial = fa_arm_row_with(variables, FA_ARM_INITIAL_POSITION + order, i);
            row.nominal = 1; // a radian, a metre, and as much in a second
            row.jumps = order == 1 && fa_arm_jumps(robot);
        }
        if (role == FA_OUTPUT) row.group = FA_GROUP_DERIVATIVES;
        joint_row(variables, robot, row, name[order],
                  order == 0 && joint->type == FA_PRISMATIC ? "Distance of joint %s" : what[order]);
    }
    if (order == 1 && !inverse) currents(variables, robot);
}

// ------------------------------------------------------------------------------- rows of switching

void fa_arm_joint_locals(fa_variables *variables, const fa_robot *robot)
{
    for (int i = 0; i < robot->n_links; i++) {
        if (!(robot->link[i].joint.motor.inductance > 0)) continue;
        fa_variable row =
            fa_arm_row(FA_LOCAL, FA_UNIT_AMPERE_PER_SECOND, 0, FA_AT(motor.current_rate), i);
        row.group = FA_GROUP_DERIVATIVES;
        joint_row(variables, robot, row, "current_derivative",
                  "Change of the current in the motor of joint %s");
    }
    for (int i = 0; i < robot->n_links; i++) {
        const fa_joint *joint = &robot->link[i].joint;
        const struct {
            bool            present;
            fa_arm_quantity quantity;
            fa_type         type;
            const char     *name, *what;
        } list[] = {
            {joint->friction.sticks, FA_AT(friction.slip), FA_INT32, "slip",
             "1 or -1: joint %s slips that way; 0: it sticks"},
            {joint->stop.present, FA_AT(stop.side), FA_INT32, "stop",
             "Stop that joint %s touches: -1 the lower, 1 the upper, 0 none"},
            {joint->lock.present, FA_AT(lock.locked), FA_BOOLEAN, "locked",
             "Whether joint %s is locked"},
            {joint->closure.present, FA_AT(closure.closed), FA_BOOLEAN, "closed",
             "Whether the valve of joint %s is closed"},
            {joint->closure.present, FA_AT(closure.rest), FA_REAL, "closure_rest",
             "Position of joint %s at which the oil shut in would be without pressure"},
        };
        for (size_t k = 0; k < sizeof list / sizeof *list; k++) {
            bool        real = list[k].type == FA_REAL;
            fa_variable row = fa_arm_row(FA_LOCAL, real ? units_of(joint).position : FA_UNIT_NONE,
                                         0, list[k].quantity, i);
            row.type = list[k].type;
            row.discrete = true;
            if (list[k].type == FA_INT32) {
                row.minimum = -1;
                row.maximum = 1;
            }
            if (list[k].present) joint_row(variables, robot, row, list[k].name, list[k].what);
        }
    }
}

void fa_arm_joint_indicators(fa_variables *variables, const fa_robot *robot)
{
    for (int i = 0; i < robot->n_links; i++) {
        const fa_joint *joint = &robot->link[i].joint;
        fa_variable     row = fa_arm_row(FA_INDICATOR, FA_UNIT_NONE, 0, FA_ARM_SLIP_INDICATOR, i);
        row.group = FA_ARM_GROUP_STICK;
        if (joint->friction.sticks)
            joint_row(variables, robot, row, "slip_indicator",
                      "Above zero while joint %s goes on sticking, or slipping that way");
        row.quantity = FA_AT(stop.indicator);
        row.group = FA_ARM_GROUP_STOPS;
        if (joint->stop.present)
            joint_row(variables, robot, row, "stop_indicator",
                      "Above zero while joint %s touches a stop");
    }
}

bool fa_arm_jumps(const fa_robot *robot)
{
    for (int i = 0; i < robot->n_links; i++)
        if (robot->link[i].joint.friction.sticks || robot->link[i].joint.lock.present) return true;
    return false;
}

bool fa_arm_has_stops(const fa_robot *robot)
{
    for (int i = 0; i < robot->n_links; i++)
        if (robot->link[i].joint.stop.present) return true;
    return false;
}
