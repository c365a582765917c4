// Declares the variables of a snake's FMU. Their names are a contract (docs/robot-file.md).
#include <math.h>
#include <stdio.h>

#include "snake_control.h"
#include "snake_plant.h"
#include "snake_rows.h"

fa_variable fa_snake_row_of(fa_role role, fa_unit unit, double start, fa_snake_quantity quantity,
                            int index)
{
    fa_variable variable = fa_variable_of(role, unit, start);
    variable.quantity = quantity;
    variable.index = index;
    return variable;
}

// Returns a parameter that must be positive.
fa_variable fa_snake_positive(fa_unit unit, double start, fa_snake_quantity quantity, int index)
{
    fa_variable variable = fa_snake_row_of(FA_PARAMETER, unit, start, quantity, index);
    variable.minimum = FA_POSITIVE;
    return variable;
}

// Returns the row of an element's number, with this role.
static fa_variable number_row(const fa_snake_number *n, fa_role role, double start, int index)
{
    const fa_unit unit = fa_element_unit(n->list, n->item, NULL, false);
    fa_variable   row = fa_snake_row_of(role, unit, start, (fa_snake_quantity)n->quantity, index);
    if (role == FA_INPUT) return row;
    if (n->rule == FA_RULE_NOT_NEGATIVE) row.minimum = 0;
    if (n->rule == FA_RULE_ABOVE_ZERO || n->rule == FA_RULE_SHARE) row.minimum = FA_POSITIVE;
    if (n->rule == FA_RULE_SHARE) row.maximum = 1;
    return row;
}

// Adds a row with name and description of an element list; `part`: from 0, FA_NOBODY for the whole.
static void add_listed(fa_variables *variables, fa_variable row, fa_owner kind, int part,
                       const char *prefix, const char *name, const char *about, const char *owner)
{
    char full[64], said[200];
    (void)snprintf(full, sizeof full, "%s%s", prefix, name);
    fa_item_text(fa_elements, about, NULL, false, owner, said, sizeof said);
    fa_variable_add(
        variables, row,
        part == FA_NOBODY ? fa_key_of(kind, full) : fa_key_of_part(kind, part, NULL, full), said);
}

// Declares the numbers that each joint or each wheel has.
void fa_snake_part_numbers(fa_variables *variables, const fa_robot *robot, fa_snake_scope scope,
                           int part)
{
    const bool joint = scope == FA_SNAKE_EACH_JOINT, foot = scope == FA_SNAKE_EACH_FOOT;
    // Casts const away for fa_snake_number_of_link; read only.
    fa_link *link = (fa_link *)&robot->link[part + joint];
    char     owner[32];
    (void)snprintf(owner, sizeof owner, "%s %d",
                   joint  ? "joint"
                   : foot ? "link"
                          : "wheel",
                   part + 1);
    for (fa_snake_number n = {0}; fa_snake_next(scope, &n);)
        if (fa_snake_is_of_law(&n, scope, robot->snake.law) &&
            (n.quantity < FA_SNAKE_ROW_LIMIT || link->joint.stop.present || !joint))
            add_listed(variables,
                       number_row(&n, FA_PARAMETER, *fa_snake_number_of_link(&n, link), part),
                       joint  ? FA_OF_JOINT
                       : foot ? FA_OF_LINK
                              : FA_OF_WHEEL,
                       part, "", n.row, n.about, owner);
}

// Declares the numbers shared by all joints or wheels, of this role.
void fa_snake_shared_numbers(fa_variables *variables, const fa_robot *robot, fa_snake_scope scope,
                             fa_role role)
{
    const fa_snake_options *snake = &robot->snake;
    for (fa_snake_number n = {0}; fa_snake_next(scope, &n);) {
        const bool of_input = scope == FA_SNAKE_OF_INPUT;
        const bool input = n.quantity == FA_SNAKE_ROW_GAIT && snake->gait_inputs &&
                           n.index <= FA_SNAKE_ROW_GAIT_BIAS;
        const fa_role has = input                                           ? FA_INPUT
                            : n.list->tunable || scope == FA_SNAKE_ALL_FEET ? FA_TUNABLE
                                                                            : FA_PARAMETER;
        if ((of_input && n.input != snake->input) || has != role) continue;
        if (of_input && !fa_snake_is_of_drive(&n, snake)) continue;
        if (!fa_snake_is_of_law(&n, scope, snake->law)) continue;
        const double start = *fa_snake_number_of_all(&n, (fa_snake_options *)snake);
        if (fa_snake_is_none(&n, start)) continue;
        add_listed(variables, number_row(&n, role, start, n.index),
                   of_input                     ? FA_OF_ROBOT
                   : scope == FA_SNAKE_ALL_FEET ? FA_OF_GROUND
                                                : FA_OF_WHEEL,
                   FA_NOBODY, n.prefix, n.row, n.about, "each joint");
    }
}

fa_variable fa_snake_output(fa_unit unit, fa_snake_quantity quantity, int index, unsigned group)
{
    fa_variable variable = fa_snake_row_of(FA_OUTPUT, unit, 0, quantity, index);
    variable.group = group;
    return variable;
}

// ------------------------------------------------------------------------------------ parameters

int fa_snake_initial_states(fa_variables *variables, const fa_robot *robot)
{
    const fa_snake_options *snake = &robot->snake;
    int                     first = variables->n;
    for (int k = 0; k < robot->n_links; k++)
        ADD(variables,
            fa_snake_row_of(FA_PARAMETER, FA_UNIT_RADIAN, robot->link[k].segment.initial_angle,
                            FA_SNAKE_ROW_INITIAL_ANGLE, k),
            k + 1, FA_OF_LINK, "initial_angle", "Direction of link %d at the start");
    fa_variable_add(
        variables,
        fa_snake_row_of(FA_PARAMETER, FA_UNIT_METRE, snake->x, FA_SNAKE_ROW_INITIAL_X, 0),
        fa_key_of(FA_OF_ROBOT, "initial_x"), "Wheel of link 1 at the start, world x");
    fa_variable_add(
        variables,
        fa_snake_row_of(FA_PARAMETER, FA_UNIT_METRE, snake->y, FA_SNAKE_ROW_INITIAL_Y, 0),
        fa_key_of(FA_OF_ROBOT, "initial_y"), "Wheel of link 1 at the start, world y");
    char said[160];
    snprintf(said, sizeof said, "Speed of the wheel of link %d at the start", snake->base + 1);
    fa_variable_add(variables,
                    fa_snake_row_of(FA_PARAMETER, FA_UNIT_METRE_PER_SECOND, snake->speed,
                                    FA_SNAKE_ROW_INITIAL_SPEED, 0),
                    fa_key_of(FA_OF_ROBOT, "initial_speed"), said);
    snprintf(said, sizeof said, "Rate of link %d at the start", snake->base + 1);
    fa_variable_add(variables,
                    fa_snake_row_of(FA_PARAMETER, FA_UNIT_RADIAN_PER_SECOND, snake->rate,
                                    FA_SNAKE_ROW_INITIAL_RATE, 0),
                    fa_key_of(FA_OF_ROBOT, "initial_rate"), said);
    if (robot->outputs & FA_EXTRA_ENERGY)
        fa_variable_add(
            variables,
            fa_snake_row_of(FA_PARAMETER, FA_UNIT_JOULE, 0, FA_SNAKE_ROW_INITIAL_WORK, 0),
            fa_key_of(FA_OF_ENERGY, "initial_work"),
            "Work at the start: zero, or what an earlier run has ended with");
    return first;
}

void fa_snake_link_parameters(fa_variables *variables, const fa_robot *robot, int k)
{
    const fa_link    *link = &robot->link[k];
    const fa_segment *segment = &link->segment;
    const int         i = k + 1;
    ADD(variables, fa_snake_positive(FA_UNIT_KILOGRAM, link->mass, FA_SNAKE_ROW_MASS, k), i,
        FA_OF_LINK, "mass", "Mass of link %d");
    ADD(variables,
        fa_snake_positive(FA_UNIT_KILOGRAM_METRE2, link->inertia.zz, FA_SNAKE_ROW_INERTIA, k), i,
        FA_OF_LINK, "inertia", "Moment of inertia of link %d about its centre of mass");
    ADD(variables, fa_snake_positive(FA_UNIT_METRE, segment->length, FA_SNAKE_ROW_LENGTH, k), i,
        FA_OF_LINK, "length", "Length of link %d, from joint to joint");
    ADD(variables,
        fa_snake_row_of(FA_PARAMETER, FA_UNIT_METRE, segment->wheel, FA_SNAKE_ROW_WHEEL, k), i,
        FA_OF_LINK, "wheel", "From the rear joint of link %d to its wheel");
    ADD(variables, fa_snake_row_of(FA_PARAMETER, FA_UNIT_METRE, link->com.x, FA_SNAKE_ROW_ALONG, k),
        i, FA_OF_LINK, "com.along", "From the wheel of link %d to its centre of mass, forwards");
    ADD(variables,
        fa_snake_row_of(FA_PARAMETER, FA_UNIT_METRE, link->com.y, FA_SNAKE_ROW_ACROSS, k), i,
        FA_OF_LINK, "com.across", "From the wheel of link %d to its centre of mass, to the left");
    if (robot->snake.law == FA_GROUND_IDEAL || robot->snake.law == FA_GROUND_WHEEL)
        fa_snake_part_numbers(variables, robot, FA_SNAKE_EACH_WHEEL, k);
}

// ---------------------------------------------------------------------------------------- inputs

bool fa_snake_is_prescribed(const fa_robot *robot, int joint)
{
    const fa_snake_options *snake = &robot->snake;
    if (snake->input == FA_SNAKE_SPEEDS) return true; // up to its torque limit
    if (snake->gait_told) return true;
    if (snake->input != FA_SNAKE_PRESCRIBED) return false;
    if (robot->link[joint + 1].segment.prescribed) return true;
    for (int i = 0; i < snake->n_prescribed; i++)
        if (snake->prescribed[i] == joint + 1) return true;
    return false;
}

void fa_snake_torques(fa_variables *variables, const fa_robot *robot, fa_role role)
{
    for (int k = 0; k < robot->n_links - 1; k++) {
        if (fa_snake_is_prescribed(robot, k) != (role == FA_OUTPUT)) continue;
        fa_variable torque = fa_snake_row_of(role, FA_UNIT_NEWTON_METRE, 0, FA_SNAKE_ROW_TORQUE, k);
        if (role == FA_OUTPUT) torque.group = FA_GROUP_DERIVATIVES;
        const char *what = robot->snake.input == FA_SNAKE_GAIT && !robot->snake.gait_told
                               ? "Torque at joint %d on top of its servo's; + on the link in front"
                               : "Drive torque at joint %d; + on the link in front, - on the other";
        char        said[160];
        snprintf(said, sizeof said, what, k + 1);
        fa_variable_add(variables, torque, fa_key_of_part(FA_OF_JOINT, k, NULL, "torque"), said);
    }
}

static void references(fa_variables *variables, const fa_robot *robot)
{
    int i = 0;
    for (int k = 0; k < robot->n_links - 1; k++) {
        const int joint = k + 1;
        if (!fa_snake_is_prescribed(robot, k)) continue;
        ADD(variables, fa_snake_row_of(FA_INPUT, FA_UNIT_RADIAN, 0, FA_SNAKE_ROW_REFERENCE, 3 * i),
            joint, FA_OF_JOINT, "reference", "Angle that joint %d is to have");
        ADD(variables,
            fa_snake_row_of(FA_INPUT, FA_UNIT_RADIAN_PER_SECOND, 0, FA_SNAKE_ROW_REFERENCE,
                            3 * i + 1),
            joint, FA_OF_JOINT, "reference_rate",
            "Derivative of the reference of joint %d, where known");
        ADD(variables,
            fa_snake_row_of(FA_INPUT, FA_UNIT_RADIAN_PER_SECOND2, 0, FA_SNAKE_ROW_REFERENCE,
                            3 * i + 2),
            joint, FA_OF_JOINT, "reference_acceleration",
            "Second derivative of the reference of joint %d, where known");
        i++;
    }
}

void fa_snake_inputs(fa_variables *variables, const fa_robot *robot)
{
    const fa_snake_options *snake = &robot->snake;
    if (snake->input == FA_SNAKE_VOLTAGE)
        for (int k = 0; k < robot->n_links - 1; k++)
            ADD(variables, fa_snake_row_of(FA_INPUT, FA_UNIT_VOLT, 0, FA_SNAKE_ROW_VOLTAGE, k),
                k + 1, FA_OF_JOINT, "voltage", "Voltage at the motor of joint %d");
    else
        fa_snake_torques(variables, robot, FA_INPUT);
    fa_snake_shared_numbers(variables, robot, FA_SNAKE_OF_INPUT, FA_INPUT);
    if (snake->input == FA_SNAKE_PRESCRIBED) references(variables, robot);
    if (snake->input != FA_SNAKE_SPEEDS) return;
    char said[160];
    snprintf(said, sizeof said, "Speed that the wheel of link %d is to have", snake->base + 1);
    fa_variable_add(
        variables,
        fa_snake_row_of(FA_INPUT, FA_UNIT_METRE_PER_SECOND, snake->speed, FA_SNAKE_ROW_COMMAND, 0),
        fa_key_of(FA_OF_ROBOT, "speed_command"), said);
    snprintf(said, sizeof said, "Rate that link %d is to have", snake->base + 1);
    fa_variable_add(
        variables,
        fa_snake_row_of(FA_INPUT, FA_UNIT_RADIAN_PER_SECOND, snake->rate, FA_SNAKE_ROW_COMMAND, 1),
        fa_key_of(FA_OF_ROBOT, "rate_command"), said);
}

// ----------------------------------------------------------------------------- states and outputs

fa_variable fa_snake_state(fa_unit unit, double start, fa_snake_quantity quantity, int index,
                           int derivative, int initial)
{
    fa_variable variable = fa_snake_row_of(FA_STATE, unit, start, quantity, index);
    variable.derivative = derivative;
    variable.initial = initial;
    variable.nominal = 1; // nominal 1: a radian, a metre, as much in a second; a joule
    return variable;
}

// Returns the row of one of the gait's numbers; FA_NO_ROW while rows are only counted.
int fa_snake_gait_row(const fa_variables *variables, int number)
{
    for (int row = 0; variables->row && row < variables->n; row++)
        if (variables->row[row].quantity == FA_SNAKE_ROW_GAIT &&
            variables->row[row].index == number)
            return row;
    return FA_NO_ROW;
}

// Declares the states of the motion, whose derivatives are `apart` rows behind them.
void fa_snake_wheel_states(fa_variables *variables, const fa_robot *robot, int initial, int apart)
{
    const fa_snake_options *snake = &robot->snake;
    const int               n = robot->n_links, base = snake->base + 1;
    char                    said[160];
    for (int k = 0; k < n; k++)
        ADD(variables,
            fa_snake_state(FA_UNIT_RADIAN, robot->link[k].segment.initial_angle, FA_SNAKE_ROW_ANGLE,
                           k, variables->n + apart, initial + k),
            k + 1, FA_OF_LINK, "angle", "Direction of link %d, from the world's x axis");
    initial += n;
    fa_variable_add(
        variables,
        fa_snake_state(FA_UNIT_METRE, snake->x, FA_SNAKE_ROW_X, 0, variables->n + apart, initial),
        fa_key_of(FA_OF_ROBOT, "x"), "Wheel of link 1, world x");
    fa_variable_add(variables,
                    fa_snake_state(FA_UNIT_METRE, snake->y, FA_SNAKE_ROW_Y, 0, variables->n + apart,
                                   initial + 1),
                    fa_key_of(FA_OF_ROBOT, "y"), "Wheel of link 1, world y");
    snprintf(said, sizeof said, "Speed of the wheel of link %d along the link", base);
    fa_variable_add(variables,
                    fa_snake_state(FA_UNIT_METRE_PER_SECOND, snake->speed, FA_SNAKE_ROW_SPEED, 0,
                                   variables->n + apart, initial + 2),
                    fa_key_of(FA_OF_ROBOT, "speed"), said);
    snprintf(said, sizeof said, "Rate of link %d", base);
    fa_variable_add(variables,
                    fa_snake_state(FA_UNIT_RADIAN_PER_SECOND, snake->rate, FA_SNAKE_ROW_RATE, 0,
                                   variables->n + apart, initial + 3),
                    fa_key_of(FA_OF_ROBOT, "rate"), said);
    if (!snake->gait_inputs) return;
    fa_variable angle =
        fa_snake_state(FA_UNIT_RADIAN, snake->gait.phase, FA_SNAKE_ROW_GAIT_ANGLE, 0,
                       variables->n + apart, fa_snake_gait_row(variables, FA_SNAKE_ROW_GAIT_PHASE));
    angle.initial_rate = fa_snake_gait_row(variables, FA_SNAKE_ROW_GAIT_FREQUENCY);
    fa_variable_add(variables, angle, fa_key_of(FA_OF_ROBOT, "gait.angle"),
                    "Angle of the gait at the first joint; starts at frequency times time + phase");
}

// Declares the derivatives of these states, in their order.
void fa_snake_wheel_derivatives(fa_variables *variables, const fa_robot *robot)
{
    const unsigned group = FA_GROUP_DERIVATIVES;
    for (int k = 0; k < robot->n_links; k++)
        ADD(variables, fa_snake_output(FA_UNIT_RADIAN_PER_SECOND, FA_SNAKE_ROW_LINK_RATE, k, group),
            k + 1, FA_OF_LINK, "rate", "Rate of link %d");
    fa_variable_add(variables,
                    fa_snake_output(FA_UNIT_METRE_PER_SECOND, FA_SNAKE_ROW_X_RATE, 0, group),
                    fa_key_along(fa_key_of(FA_OF_ROBOT, "velocity"), FA_ALONG_X),
                    "Velocity of the wheel of link 1, world x");
    fa_variable_add(variables,
                    fa_snake_output(FA_UNIT_METRE_PER_SECOND, FA_SNAKE_ROW_Y_RATE, 0, group),
                    fa_key_along(fa_key_of(FA_OF_ROBOT, "velocity"), FA_ALONG_Y),
                    "Velocity of the wheel of link 1, world y");
    fa_variable_add(
        variables,
        fa_snake_output(FA_UNIT_METRE_PER_SECOND2, FA_SNAKE_ROW_SPEED_DERIVATIVE, 0, group),
        fa_key_of(FA_OF_ROBOT, "speed_derivative"), "Derivative of speed");
    fa_variable_add(
        variables,
        fa_snake_output(FA_UNIT_RADIAN_PER_SECOND2, FA_SNAKE_ROW_RATE_DERIVATIVE, 0, group),
        fa_key_of(FA_OF_ROBOT, "rate_derivative"), "Derivative of rate");
    if (robot->snake.gait_inputs)
        fa_variable_add(
            variables,
            fa_snake_output(FA_UNIT_RADIAN_PER_SECOND, FA_SNAKE_ROW_GAIT_ANGLE_RATE, 0, group),
            fa_key_of(FA_OF_ROBOT, "gait.angle_rate"),
            "Derivative of gait.angle, which is gait.frequency");
}

// Declares the states, in the order of their derivatives; the power is an output even without the
// work.
static void states(fa_variables *variables, const fa_robot *robot, int initial)
{
    const int  n = robot->n_links;
    const bool works = robot->outputs & FA_EXTRA_ENERGY;
    const int  apart = n + 4 + robot->snake.gait_inputs + works;
    fa_snake_wheel_states(variables, robot, initial, apart);
    if (works)
        fa_variable_add(
            variables,
            fa_snake_state(FA_UNIT_JOULE, 0, FA_SNAKE_ROW_WORK, 0, variables->n + apart,
                           initial + n + 4),
            fa_key_of(FA_OF_ENERGY, "work"),
            "Work of joints and rolling friction since the start; kinetic energy less it is "
            "constant");
    fa_snake_wheel_derivatives(variables, robot);
    fa_variable_add(variables,
                    fa_snake_output(FA_UNIT_WATT, FA_SNAKE_ROW_POWER, 0, FA_GROUP_DERIVATIVES),
                    fa_key_of(FA_OF_ENERGY, "power"), "Power of joints and rolling friction");
}

void fa_snake_joint_outputs(fa_variables *variables, const fa_robot *robot)
{
    const unsigned group = FA_SNAKE_GROUP_MOTION;
    const int      joints = robot->n_links - 1;
    for (int k = 0; k < joints; k++)
        ADD(variables, fa_snake_output(FA_UNIT_RADIAN, FA_SNAKE_ROW_JOINT_ANGLE, k, group), k + 1,
            FA_OF_JOINT, "angle",
            "Angle of joint %d: of the link in front less that of the one behind");
    for (int k = 0; k < joints; k++)
        ADD(variables,
            fa_snake_output(FA_UNIT_RADIAN_PER_SECOND, FA_SNAKE_ROW_JOINT_RATE, k, group), k + 1,
            FA_OF_JOINT, "rate", "Rate of joint %d");
    for (int k = 0; robot->snake.input == FA_SNAKE_GAIT && k < joints; k++)
        ADD(variables, fa_snake_output(FA_UNIT_RADIAN, FA_SNAKE_ROW_JOINT_REFERENCE, k, group),
            k + 1, FA_OF_JOINT, "reference", "Angle that the gait wants of joint %d");
    for (int k = 0; robot->snake.input == FA_SNAKE_VOLTAGE && k < joints; k++)
        ADD(variables, fa_snake_output(FA_UNIT_AMPERE, FA_SNAKE_ROW_CURRENT, k, group), k + 1,
            FA_OF_JOINT, "current", "Current in the motor of joint %d");
}

void fa_snake_wheel_outputs(fa_variables *variables, const fa_robot *robot)
{
    fa_variable_add(
        variables,
        fa_snake_output(FA_UNIT_NONE, FA_SNAKE_ROW_CONTROLLABILITY, 0, FA_SNAKE_GROUP_CONTROL),
        fa_key_of(FA_OF_ROBOT, "controllability"),
        "How well the joints' torques control both degrees of freedom, from 0 (the "
        "snake can roll on as a rigid body and no torque changes that) to 1");
    for (int k = 0; k < robot->n_links; k++)
        ADD(variables,
            fa_snake_output(FA_UNIT_NEWTON, FA_SNAKE_ROW_LATERAL, k, FA_SNAKE_GROUP_FORCES), k + 1,
            FA_OF_WHEEL, "lateral_force",
            "Force of the ground on wheel %d, to the left of its link");
    for (int k = 0; k < robot->n_links; k++)
        ADD(variables, fa_snake_output(FA_UNIT_NONE, FA_SNAKE_ROW_USAGE, k, FA_SNAKE_GROUP_FORCES),
            k + 1, FA_OF_WHEEL, "slip_usage",
            "Share of its grip that wheel %d uses; from 1 on it would slip and the model, in "
            "which it does not, is no longer true");
}

static void whole_outputs(fa_variables *variables, const fa_robot *robot)
{
    const unsigned group = FA_SNAKE_GROUP_MOTION;
    for (int k = 0; k < robot->n_links; k++)
        ADD(variables, fa_snake_output(FA_UNIT_METRE_PER_SECOND, FA_SNAKE_ROW_LINK_SPEED, k, group),
            k + 1, FA_OF_LINK, "speed", "Speed of the wheel of link %d along the link");
    for (int k = 0; k < robot->n_links; k++)
        ADD(variables, fa_snake_output(FA_UNIT_METRE, FA_SNAKE_ROW_LINK_X, k, group), k + 1,
            FA_OF_LINK, "x", "Wheel of link %d, world x");
    for (int k = 0; k < robot->n_links; k++)
        ADD(variables, fa_snake_output(FA_UNIT_METRE, FA_SNAKE_ROW_LINK_Y, k, group), k + 1,
            FA_OF_LINK, "y", "Wheel of link %d, world y");
    fa_variable_add(variables, fa_snake_output(FA_UNIT_METRE, FA_SNAKE_ROW_COM_X, 0, group),
                    fa_key_along(fa_key_of(FA_OF_ROBOT, "com"), FA_ALONG_X),
                    "Centre of mass of the snake, world x");
    fa_variable_add(variables, fa_snake_output(FA_UNIT_METRE, FA_SNAKE_ROW_COM_Y, 0, group),
                    fa_key_along(fa_key_of(FA_OF_ROBOT, "com"), FA_ALONG_Y),
                    "Centre of mass of the snake, world y");
    fa_variable_add(variables, fa_snake_output(FA_UNIT_RADIAN, FA_SNAKE_ROW_HEADING, 0, group),
                    fa_key_of(FA_OF_ROBOT, "heading"),
                    "Direction of the sum of all links' directions, from -pi to pi");
    fa_variable_add(variables, fa_snake_output(FA_UNIT_JOULE, FA_SNAKE_ROW_KINETIC, 0, group),
                    fa_key_of(FA_OF_ENERGY, "kinetic"), "Kinetic energy, rotors included");
    fa_snake_wheel_outputs(variables, robot);
}

// Declares the axes of each link. The first two numbers are cosine and sine of its direction.
void fa_snake_axes(fa_variables *variables, const fa_robot *robot)
{
    static const struct {
        const char *quantity, *what;
        fa_along    along;
    } list[] = {{"x_axis", "The x-axis of link %d, which points forwards, world x", FA_ALONG_X},
                {"x_axis", "The x-axis of link %d, which points forwards, world y", FA_ALONG_Y},
                {"y_axis", "The y-axis of link %d, which points to the left, world x", FA_ALONG_X},
                {"y_axis", "The y-axis of link %d, which points to the left, world y", FA_ALONG_Y}};
    char said[160];
    for (int k = 0; k < robot->n_links; k++)
        for (int i = 0; i < 4; i++) {
            const fa_key key = fa_key_of_part(FA_OF_LINK, k, NULL, list[i].quantity);
            snprintf(said, sizeof said, list[i].what, k + 1);
            fa_variable_add(
                variables,
                fa_snake_output(FA_UNIT_NONE, FA_SNAKE_ROW_AXES, 4 * k + i, FA_SNAKE_GROUP_MOTION),
                fa_key_along(key, list[i].along), said);
        }
}

// ----------------------------------------------------------------------------------------- events

fa_variable fa_snake_flag(fa_snake_quantity quantity, int index)
{
    fa_variable variable = fa_snake_row_of(FA_OUTPUT, FA_UNIT_NONE, 0, quantity, index);
    variable.type = FA_BOOLEAN;
    variable.discrete = true;
    return variable;
}

void fa_snake_stop_flags(fa_variables *variables, const fa_robot *robot)
{
    for (int k = 0; robot->link[1].joint.stop.present && k < robot->n_links - 1; k++) {
        fa_variable side = fa_snake_flag(FA_SNAKE_ROW_STOP, k);
        side.type = FA_INT32;
        side.minimum = -1;
        side.maximum = 1;
        ADD(variables, side, k + 1, FA_OF_JOINT, "stop",
            "Stop that joint %d touches: -1 the lower, 1 the upper, 0 none");
    }
}

void fa_snake_wheel_flags(fa_variables *variables, const fa_robot *robot)
{
    const int n = robot->n_links;
    for (int k = 0; k < n; k++)
        ADD(variables, fa_snake_flag(FA_SNAKE_ROW_SLIP, k), k + 1, FA_OF_WHEEL, "slip",
            "Whether wheel %d would slip now");
    fa_variable_add(variables, fa_snake_flag(FA_SNAKE_ROW_SLIPPED, 0),
                    fa_key_of(FA_OF_ROBOT, "slipped"),
                    "Whether some wheel would have slipped by now, so that what follows is not to "
                    "be trusted");
    fa_variable_add(variables, fa_snake_flag(FA_SNAKE_ROW_CONTROL_LOST, 0),
                    fa_key_of(FA_OF_ROBOT, "control_lost"),
                    "Warning: controllability is below controllability_limit");
}

// Declares discrete locals, which keep events' results.
void fa_snake_locals(fa_variables *variables, const fa_robot *robot)
{
    if (robot->snake.input != FA_SNAKE_GAIT || fa_snake_states_angle(robot)) return;
    fa_variable offset = fa_snake_row_of(FA_LOCAL, FA_UNIT_RADIAN, 0, FA_SNAKE_ROW_GAIT_OFFSET, 0);
    offset.discrete = true;
    fa_variable_add(variables, offset, fa_key_of(FA_OF_ROBOT, "gait.offset"),
                    "What the angle of the gait has beyond frequency times time and phase, so that "
                    "it goes on where it is when these are tuned");
}

static void indicators(fa_variables *variables, const fa_robot *robot)
{
    fa_variable row =
        fa_snake_row_of(FA_INDICATOR, FA_UNIT_NONE, 0, FA_SNAKE_ROW_STOP_INDICATOR, 0);
    row.group = FA_SNAKE_GROUP_MOTION;
    if (!robot->link[1].joint.stop.present) return;
    for (row.index = 0; row.index < robot->n_links - 1; row.index++)
        ADD(variables, row, row.index + 1, FA_OF_JOINT, "stop_indicator",
            "Above zero where joint %d touches a stop");
}

void fa_snake_control_limit(fa_variables *variables)
{
    fa_variable limit = fa_snake_row_of(FA_PARAMETER, FA_UNIT_NONE, FA_SNAKE_CONTROL_MIN,
                                        FA_SNAKE_ROW_CONTROL_LIMIT, 0);
    limit.minimum = 0;
    fa_variable_add(variables, limit, fa_key_of(FA_OF_ROBOT, "controllability_limit"),
                    "Controllability below which control_lost warns");
}

// Always returns FA_OK; fa_variables_check finds name clashes later.
fa_status fa_snake_declare(const fa_robot *robot, fa_variables *variables, fa_error *error)
{
    (void)error;
    fa_variable_add(
        variables,
        fa_snake_positive(FA_UNIT_METRE_PER_SECOND2, -robot->gravity.z, FA_SNAKE_ROW_GRAVITY, 0),
        fa_key_of(FA_OF_ROBOT, "gravity"), "Gravity, which presses each link on its own wheel");
    const int initial = fa_snake_initial_states(variables, robot);
    for (int k = 0; k < robot->n_links; k++) fa_snake_link_parameters(variables, robot, k);
    fa_snake_shared_numbers(variables, robot, FA_SNAKE_ALL_WHEELS, FA_PARAMETER);
    for (int k = 0; k < robot->n_links - 1; k++)
        fa_snake_part_numbers(variables, robot, FA_SNAKE_EACH_JOINT, k);
    fa_snake_shared_numbers(variables, robot, FA_SNAKE_OF_INPUT, FA_PARAMETER);
    fa_snake_control_limit(variables);
    fa_snake_shared_numbers(variables, robot, FA_SNAKE_OF_INPUT, FA_TUNABLE);
    fa_snake_inputs(variables, robot);
    states(variables, robot, initial);
    fa_snake_torques(variables, robot, FA_OUTPUT);
    fa_snake_joint_outputs(variables, robot);
    whole_outputs(variables, robot);
    if (robot->outputs & FA_EXTRA_POSES) fa_snake_axes(variables, robot);
    fa_snake_stop_flags(variables, robot);
    fa_snake_wheel_flags(variables, robot);
    fa_snake_locals(variables, robot);
    indicators(variables, robot);
    return FA_OK;
}
