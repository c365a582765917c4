// Declares the variables of an arm's FMU, and their dependencies. Names are a contract
// (docs/robot-file.md).
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "arm_outputs.h"
#include "arm_table.h"
#include "joint_lists.h"
#include "joint_parts.h"

static const char *const AXIS[] = {"x", "y", "z"};
static const char *const MOMENT[] = {"xx", "yy", "zz", "xy", "xz", "yz"};

// ------------------------------------------------------------------------------------ declarations

// Mass, centre of mass and inertia under a prefix: a link's own, or the payload's.
static void mass_parameters(fa_variables *variables, fa_role role, fa_arm_quantity first, int index,
                            fa_arm_mass start, fa_key key, const char *of, const char *frame)
{
    char        description[FA_ARM_DESCRIPTION_SIZE];
    fa_variable mass = fa_arm_row(role, FA_UNIT_KILOGRAM, start.mass, first, index);
    mass.minimum = 0;
    fa_variable_describe(variables, description, sizeof description, "Mass of %s", of);
    key.quantity = "mass";
    fa_variable_add(variables, mass, key, description);
    key.quantity = "com";
    for (int i = 0; i < 3; i++) {
        fa_variable_describe(variables, description, sizeof description,
                             "Centre of mass of %s, %s of %s", of, AXIS[i], frame);
        fa_variable_add(variables,
                        // cppcheck-suppress objectIndex ; its members lie one after the other
                        fa_arm_row(role, FA_UNIT_METRE, (&start.com.x)[i], first + 1, index),
                        fa_key_along(key, FA_ALONG_X + i), description);
    }
    key.quantity = "inertia";
    for (int i = 0; i < 6; i++) {
        fa_variable_describe(
            variables, description, sizeof description,
            "Inertia tensor of %s about its centre of mass, element %s, axes of %s", of, MOMENT[i],
            frame);
        fa_variable element =
            // cppcheck-suppress objectIndex ; its members lie one after the other
            fa_arm_row(role, FA_UNIT_KILOGRAM_METRE2, (&start.inertia.xx)[i], first + 2, index);
        fa_variable_add(variables, element, fa_key_along(key, FA_ALONG_XX + i), description);
    }
}

static void link_parameters(fa_variables *variables, const fa_robot *robot, int index)
{
    const fa_link *link = &robot->link[index];
    char           of[2 * FA_NAME_SIZE + 8];
    fa_arm_describe(variables, of, sizeof of, "link %s", link->name);
    mass_parameters(variables, FA_PARAMETER, FA_ARM_MASS, index,
                    (fa_arm_mass){link->mass, link->com, link->inertia},
                    fa_key_of_part(FA_OF_LINK, index, link->name, NULL), of, "its frame");
}

// Six inputs: a force and a torque in world axes.
static void wrench_inputs(fa_variables *variables, fa_arm_quantity quantity, int index, fa_key key,
                          const char *at)
{
    char description[FA_ARM_DESCRIPTION_SIZE];
    for (int i = 0; i < 6; i++) {
        key.quantity = i < 3 ? "force" : "torque";
        key.axis = FA_ALONG_X + i % 3;
        fa_variable_describe(variables, description, sizeof description,
                             "%s on the arm by its surroundings at %s, world %s",
                             i < 3 ? "Force" : "Torque", at, AXIS[i % 3]);
        fa_variable_add(
            variables,
            fa_arm_row(FA_INPUT, i < 3 ? FA_UNIT_NEWTON : FA_UNIT_NEWTON_METRE, 0, quantity, index),
            key, description);
    }
}

static void loads(fa_variables *variables, const fa_robot *robot)
{
    wrench_inputs(variables, FA_ARM_TIP_WRENCH, 0, fa_key_of(FA_OF_TIP, NULL), "the tip");
    for (int i = 0; i < robot->n_links; i++) {
        if (!robot->link[i].wrench || !fa_robot_link_moves(robot, i)) continue;
        char at[2 * FA_NAME_SIZE + 32];
        fa_arm_describe(variables, at, sizeof at, "the centre of mass of link %s",
                        robot->link[i].name);
        wrench_inputs(variables, FA_ARM_LINK_WRENCH, i,
                      fa_key_of_part(FA_OF_LINK, i, robot->link[i].name, NULL), at);
    }
}

static void tip_vector(fa_variables *variables, fa_arm_quantity quantity, fa_unit unit,
                       unsigned group, const char *name, const char *what)
{
    char description[FA_ARM_DESCRIPTION_SIZE];
    for (int i = 0; i < 3; i++) {
        fa_variable_describe(variables, description, sizeof description, "%s, world %s", what,
                             AXIS[i]);
        fa_variable_add(variables, fa_arm_calculated(unit, quantity, i, group),
                        fa_key_along(fa_key_of(FA_OF_TIP, name), FA_ALONG_X + i), description);
    }
}

static void tip_outputs(fa_variables *variables, unsigned acceleration)
{
    tip_vector(variables, FA_ARM_TIP_POSITION, FA_UNIT_METRE, FA_ARM_GROUP_POSE, "",
               "Position of the tip");
    for (int i = 0; i < 4; i++)
        fa_variable_add(
            variables, fa_arm_calculated(FA_UNIT_NONE, FA_ARM_TIP_QUATERNION, i, FA_ARM_GROUP_POSE),
            fa_key_along(fa_key_of(FA_OF_TIP, "quaternion"), FA_ALONG_QW + i),
            "Unit quaternion that turns the tip's axes into the world's; continuous in "
            "the joint angles");
    tip_vector(variables, FA_ARM_TIP_VELOCITY, FA_UNIT_METRE_PER_SECOND, FA_ARM_GROUP_VELOCITY,
               "velocity", "Velocity of the tip");
    tip_vector(variables, FA_ARM_TIP_ANGULAR_VELOCITY, FA_UNIT_RADIAN_PER_SECOND,
               FA_ARM_GROUP_VELOCITY, "angular_velocity", "Angular velocity of the tip");
    tip_vector(variables, FA_ARM_TIP_ACCELERATION, FA_UNIT_METRE_PER_SECOND2, acceleration,
               "acceleration", "Acceleration of the tip");
    tip_vector(variables, FA_ARM_TIP_ANGULAR_ACCELERATION, FA_UNIT_RADIAN_PER_SECOND2, acceleration,
               "angular_acceleration", "Angular acceleration of the tip");
}

static void parameters(fa_variables *variables, const fa_robot *robot, bool inverse)
{
    const double gravity[3] = {robot->gravity.x, robot->gravity.y, robot->gravity.z};
    for (int i = 0; i < 3; i++) {
        char        description[FA_ARM_DESCRIPTION_SIZE];
        fa_variable row =
            fa_arm_row(FA_PARAMETER, FA_UNIT_METRE_PER_SECOND2, gravity[i], FA_ARM_GRAVITY, i);
        fa_variable_describe(variables, description, sizeof description,
                             "Acceleration of free fall, world %s", AXIS[i]);
        fa_variable_add(variables, row,
                        fa_key_along(fa_key_of(FA_OF_ROBOT, "gravity"), FA_ALONG_X + i),
                        description);
    }
    if (!inverse) {
        fa_variable row = fa_arm_row(FA_PARAMETER, FA_UNIT_NONE, 0, FA_ARM_DETERMINISTIC, 0);
        row.type = FA_BOOLEAN;
        fa_variable_add(variables, row, fa_key_of(FA_OF_ROBOT, FA_DETERMINISTIC),
                        "True: accelerations have the same bits on every machine; false: the "
                        "fastest code of this one, which may differ in the last digits");
    }
    fa_arm_joint_parameters(variables, robot, inverse);
    for (int i = 0; i < robot->n_links; i++)
        if (fa_robot_link_moves(robot, i)) link_parameters(variables, robot, i);
    if (!inverse) fa_arm_cylinder_parameters(robot, variables);
    fa_arm_touch_parameters(robot, variables, inverse, FA_PARAMETER);
    fa_arm_mass nothing = {0};
    mass_parameters(variables, FA_TUNABLE, FA_ARM_PAYLOAD_MASS, 0, nothing,
                    fa_key_of(FA_OF_PAYLOAD, NULL), "the payload, added to what holds the tip",
                    "the tip's frame");
    fa_arm_joint_tunables(variables, robot, inverse);
    fa_arm_touch_parameters(robot, variables, inverse, FA_TUNABLE);
}

// Declares the motion of the ground: nine inputs, in moving axes.
static void base_motion(fa_variables *variables, const fa_robot *robot)
{
    static const struct {
        const char *name, *what;
        fa_unit     unit;
    } kind[] = {
        {"acceleration", "Acceleration of the ground at the world's origin, gravity not in it",
         FA_UNIT_METRE_PER_SECOND2},
        {"angular_velocity", "Angular velocity of the ground", FA_UNIT_RADIAN_PER_SECOND},
        {"angular_acceleration", "Angular acceleration of the ground", FA_UNIT_RADIAN_PER_SECOND2},
    };
    char description[FA_ARM_DESCRIPTION_SIZE];
    for (int i = 0; robot->base_motion && i < 9; i++) {
        fa_variable_describe(variables, description, sizeof description,
                             "%s, %s of the axes that move with it", kind[i / 3].what, AXIS[i % 3]);
        fa_variable_add(variables, fa_arm_row(FA_INPUT, kind[i / 3].unit, 0, FA_ARM_BASE_MOTION, i),
                        fa_key_along(fa_key_of(FA_OF_BASE, kind[i / 3].name), FA_ALONG_X + i % 3),
                        description);
    }
}

static int works_of(const fa_robot *robot)
{
    return robot->n_contacts > 0 ? FA_ARM_WORKS : FA_ARM_CONTACTS;
}

// Work done on the arm and energy lost, from the start on: states, so that they are as exact as the
// motion is. Nothing depends on them but the balance.
static void works(fa_variables *variables, const fa_robot *robot)
{
    static const char *const name[FA_ARM_WORKS] = {"actuator_work", "external_work",
                                                   "friction_loss", "stop_loss", "contact_loss"};
    static const char *const what[FA_ARM_WORKS] = {
        "Work of the drives at the joints since the start",
        "Work of external forces and of the motion of the ground since the start",
        "Energy lost in bearings, in dampers and by locking joints since the start",
        "Energy lost in stops since the start", "Energy lost in contacts since the start"};
    for (int i = 0; i < works_of(robot); i++) {
        fa_variable row = fa_arm_row(FA_STATE, FA_UNIT_JOULE, 0, FA_ARM_WORK, i);
        row.nominal = 1;
        row.records = true;
        row.jumps = (i == FA_ARM_FRICTION && fa_arm_jumps(robot)) ||
                    (i == FA_ARM_STOPS && fa_arm_has_stops(robot));
        fa_variable_add(variables, row, fa_key_of(FA_OF_ENERGY, name[i]), what[i]);
    }
}

// Derivatives of the accounts; computed on demand where there are none.
static void powers(fa_variables *variables, const fa_robot *robot, bool accounts)
{
    static const char *const name[FA_ARM_WORKS] = {"actuator_power", "external_power",
                                                   "friction_power", "stop_power", "contact_power"};
    static const char *const what[FA_ARM_WORKS] = {
        "Power of the drives at the joints",
        "Power of external forces and of the motion of the ground",
        "Power lost in bearings and dampers", "Power lost in stops", "Power lost in contacts"};
    for (int i = 0; i < works_of(robot); i++) {
        fa_variable row = fa_arm_row(FA_LOCAL, FA_UNIT_WATT, 0, FA_ARM_POWER, i);
        row.group = accounts ? FA_GROUP_DERIVATIVES : FA_ARM_GROUP_POWERS;
        fa_variable_add(variables, row, fa_key_of(FA_OF_ENERGY, name[i]), what[i]);
    }
}

static void energies(fa_variables *variables)
{
    fa_variable_add(variables,
                    fa_arm_calculated(FA_UNIT_JOULE, FA_ARM_KINETIC, 0, FA_ARM_GROUP_ENERGY),
                    fa_key_of(FA_OF_ENERGY, "kinetic"), "Kinetic energy, rotors included");
    fa_variable_add(variables,
                    fa_arm_calculated(FA_UNIT_JOULE, FA_ARM_POTENTIAL, 0, FA_ARM_GROUP_ENERGY),
                    fa_key_of(FA_OF_ENERGY, "potential"),
                    "Potential energy in gravity, zero at the world's origin, and in springs");
}

// Declares the balance of all accounts.
static void balance(fa_variables *variables)
{
    fa_variable_add(
        variables, fa_arm_calculated(FA_UNIT_JOULE, FA_ARM_RESIDUAL, 0, FA_ARM_GROUP_ENERGY),
        fa_key_of(FA_OF_ENERGY, "residual"),
        "Energy that the accounts do not explain: kinetic + potential - actuator_work - "
        "external_work + friction_loss + stop_loss - initial; an error, zero but for rounding, the "
        "integrator, and a payload that was changed");
}

static void initial_energy(fa_variables *variables)
{
    fa_variable row = fa_arm_row(FA_LOCAL, FA_UNIT_JOULE, 0, FA_ARM_INITIAL_ENERGY, 0);
    row.discrete = true;
    fa_variable_add(variables, row, fa_key_of(FA_OF_ENERGY, "initial"),
                    "Kinetic and potential energy when initialisation ended");
}

static int next_of(const fa_variables *variables, int row, fa_arm_quantity quantity)
{
    while (row < variables->n && variables->row[row].quantity != (int)quantity) row++;
    return row;
}

// The derivative of row `row`, a coordinate of a joint of several freedoms.
static int several_derivative(const fa_variables *variables, const fa_joint *joint, int row)
{
    const int index = variables->row[row].index;
    const int ball = fa_joint_ball_part(joint->type); // positions before the quaternion
    const int k = row - fa_arm_row_with(variables, FA_ARM_POSITION, index);
    if (ball == FA_NOBODY || k < ball)
        return fa_arm_row_with(variables, FA_ARM_VELOCITY, index) + k;
    return fa_arm_row_with(variables, FA_ARM_QUATERNION_RATE, index) + k - ball;
}

// Joints of several freedoms have more positions than velocities.
static void link_positions(fa_variables *variables, const fa_robot *robot)
{
    const int first = variables->first[FA_STATE];
    int       derivative = next_of(variables, first, FA_ARM_VELOCITY);
    for (int row = next_of(variables, first, FA_ARM_POSITION); row < variables->first[FA_OUTPUT];
         row++) {
        fa_variable *state = &variables->row[row];
        if (state->quantity != FA_ARM_POSITION) continue;
        const fa_joint *joint = &robot->link[state->index].joint;
        if (!fa_joint_is_several(joint->type))
            state->derivative = derivative++;
        else {
            state->derivative = several_derivative(variables, joint, row);
            if (row + 1 == variables->first[FA_OUTPUT] ||
                variables->row[row + 1].quantity != FA_ARM_POSITION ||
                variables->row[row + 1].index != state->index)
                derivative += fa_joint_speeds(joint);
        }
    }
}

static void link_pair(fa_variables *variables, fa_arm_quantity state, fa_arm_quantity rate)
{
    int derivative = next_of(variables, variables->first[FA_STATE], rate);
    for (int row = next_of(variables, variables->first[FA_STATE], state);
         row < variables->first[FA_OUTPUT]; row++)
        if (variables->row[row].quantity == (int)state) {
            variables->row[row].derivative = derivative;
            derivative = next_of(variables, derivative + 1, rate);
        }
}

// With loops, accelerations of dependent joints are between those of the others.
static void link_velocities(fa_variables *variables)
{
    int       before = FA_NOBODY, derivative = FA_NO_ROW;
    const int first = variables->first[FA_STATE];
    for (int row = next_of(variables, first, FA_ARM_VELOCITY); row < variables->first[FA_OUTPUT];
         row++) {
        fa_variable *state = &variables->row[row];
        if (state->quantity != FA_ARM_VELOCITY) continue;
        if (state->index != before)
            derivative = fa_arm_row_with(variables, FA_ARM_ACCELERATION, state->index);
        before = state->index;
        state->derivative = derivative++;
    }
}

// States name the rows of their derivatives, which come later: kind by kind, in the same order.
static void link_derivatives(fa_variables *variables, const fa_robot *robot)
{
    if (!variables->row) return; // the table is only being measured
    link_positions(variables, robot);
    if (robot->n_loops > 0)
        link_velocities(variables);
    else
        link_pair(variables, FA_ARM_VELOCITY, FA_ARM_ACCELERATION);
    link_pair(variables, FA_ARM_WORK, FA_ARM_POWER);
    for (int row = variables->first[FA_STATE]; row < variables->first[FA_OUTPUT]; row++) {
        const int quantity = variables->row[row].quantity;
        if (quantity >= FA_ARM_ELEMENTS && quantity < FA_ARM_INITIAL_POSITION)
            link_pair(variables, (fa_arm_quantity)quantity,
                      FA_ARM_ELEMENTS + fa_joint_rate_of(quantity - FA_ARM_ELEMENTS));
    }
}

fa_status fa_arm_declare(const fa_robot *robot, fa_variables *variables, fa_error *error)
{
    const bool moving = fa_robot_freedom(robot) > 0;
    const bool accounts = moving && robot->outputs & FA_EXTRA_ENERGY;
    parameters(variables, robot, false);
    fa_arm_drive_inputs(variables, robot);
    loads(variables, robot);
    base_motion(variables, robot);
    fa_arm_cylinder_inputs(robot, variables);
    fa_arm_switch_inputs(variables, robot);
    fa_arm_joint_motion(variables, robot, false, 0);
    fa_arm_joint_motion(variables, robot, false, 1);
    fa_arm_cylinder_states(robot, variables);
    fa_arm_touch_states(robot, variables);
    if (accounts) works(variables, robot);
    fa_arm_joint_motion(variables, robot, false, 2);
    fa_arm_dependent_motion(variables, robot, false);
    fa_arm_loop_outputs(variables, robot);
    fa_arm_motor_outputs(variables, robot, false);
    tip_outputs(variables, FA_ARM_GROUP_ACCELERATION);
    fa_arm_cylinder_outputs(robot, variables);
    fa_arm_touch_outputs(robot, variables, false);
    energies(variables);
    if (accounts) balance(variables);
    fa_status status = fa_arm_outputs_declare(robot, variables, error);
    fa_arm_quaternion_rates(variables, robot);
    fa_arm_joint_locals(variables, robot);
    fa_arm_cylinder_locals(robot, variables);
    fa_arm_touch_locals(robot, variables);
    if (accounts) initial_energy(variables);
    if (moving) powers(variables, robot, accounts);
    fa_arm_loop_locals(variables, robot);
    fa_arm_joint_indicators(variables, robot);
    fa_arm_cylinder_indicators(robot, variables);
    fa_arm_touch_indicators(robot, variables);
    link_derivatives(variables, robot);
    return status;
}

fa_status fa_inverse_declare(const fa_robot *robot, fa_variables *variables, fa_error *error)
{
    parameters(variables, robot, true);
    for (int order = 0; order < 3; order++) fa_arm_joint_motion(variables, robot, true, order);
    loads(variables, robot);
    base_motion(variables, robot);
    fa_arm_drive_outputs(variables, robot);
    fa_arm_dependent_motion(variables, robot, true);
    fa_arm_loop_outputs(variables, robot);
    fa_arm_motor_outputs(variables, robot, true);
    fa_arm_cylinder_needs(robot, variables);
    fa_arm_touch_outputs(robot, variables, true);
    tip_outputs(variables, FA_ARM_GROUP_ACCELERATION);
    energies(variables);
    return fa_arm_outputs_declare(robot, variables, error);
}
