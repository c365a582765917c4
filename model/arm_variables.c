// What an arm's FMU shows, and which of it depends on what. Names are a contract
// (docs/robot-file.md).
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "arm.h"

static const char *const AXIS[] = {"x", "y", "z"};
static const char *const MOMENT[] = {"xx", "yy", "zz", "xy", "xz", "yz"};

// ------------------------------------------------------------------------------------ declarations

static bool moves(const fa_robot *robot, int link)
{
    while (link != FA_WORLD && robot->link[link].joint.type == FA_FIXED)
        link = robot->link[link].parent;
    return link != FA_WORLD;
}

static fa_variable row_of(fa_role role, fa_unit unit, double start, fa_arm_quantity quantity,
                          int index)
{
    fa_variable variable = fa_variable_of(role, unit, start);
    variable.quantity = quantity;
    variable.index = index;
    return variable;
}

static fa_variable calculated(fa_unit unit, fa_arm_quantity quantity, int index, unsigned group)
{
    fa_variable variable = row_of(FA_OUTPUT, unit, 0, quantity, index);
    variable.group = group;
    return variable;
}

// The units of what belongs to a joint, by its type.
typedef struct joint_units {
    fa_unit     position, velocity, acceleration, effort, damping, stiffness, inertia;
    const char *effort_name, *place;
} joint_units;

static joint_units units_of(const fa_joint *joint)
{
    if (joint->type == FA_PRISMATIC)
        return (joint_units){FA_UNIT_METRE,
                             FA_UNIT_METRE_PER_SECOND,
                             FA_UNIT_METRE_PER_SECOND2,
                             FA_UNIT_NEWTON,
                             FA_UNIT_NEWTON_SECOND_PER_METRE,
                             FA_UNIT_NEWTON_PER_METRE,
                             FA_UNIT_KILOGRAM,
                             "force",
                             "Distance"};
    return (joint_units){FA_UNIT_RADIAN,
                         FA_UNIT_RADIAN_PER_SECOND,
                         FA_UNIT_RADIAN_PER_SECOND2,
                         FA_UNIT_NEWTON_METRE,
                         FA_UNIT_NEWTON_METRE_SECOND_PER_RADIAN,
                         FA_UNIT_NEWTON_METRE_PER_RADIAN,
                         FA_UNIT_KILOGRAM_METRE2,
                         "torque",
                         "Angle"};
}

// A name as variables spell it, and as people wrote it.
typedef struct spelled {
    char segment[FA_NAME_SIZE + 1];
    char said[2 * FA_NAME_SIZE]; // "elbow", or "l_1 (in the robot file: l 1)"
} spelled;

static spelled spell(const char *name)
{
    spelled s;
    fa_variable_segment(name, s.segment, sizeof s.segment);
    if (strcmp(s.segment, name) == 0)
        snprintf(s.said, sizeof s.said, "%s", name);
    else
        snprintf(s.said, sizeof s.said, "%s (written %s)", s.segment, name);
    return s;
}

enum { DESCRIPTION_SIZE = 512 };

static void joint_parameter(fa_variables *variables, const fa_robot *robot, int link,
                            fa_arm_quantity quantity, fa_unit unit, double start, double minimum,
                            const char *name, const char *what)
{
    spelled     joint = spell(robot->link[link].joint.name);
    fa_variable variable = row_of(FA_PARAMETER, unit, start, quantity, link);
    char        description[DESCRIPTION_SIZE];
    variable.minimum = minimum;
    snprintf(description, sizeof description, what, joint.said);
    fa_variable_add(variables, variable, description, "joint.%s.%s", joint.segment, name);
}

static void initial_state(fa_variables *variables, const fa_robot *robot, int link)
{
    const fa_joint *joint = &robot->link[link].joint;
    joint_units     unit = units_of(joint);
    spelled         name = spell(joint->name);
    char            description[DESCRIPTION_SIZE];

    fa_variable position =
        row_of(FA_PARAMETER, unit.position, joint->initial_position, FA_ARM_INITIAL_POSITION, link);
    position.minimum = joint->limit.lower;
    position.maximum = joint->limit.upper;
    snprintf(description, sizeof description, "%s of joint %s at the start", unit.place, name.said);
    fa_variable_add(variables, position, description, "joint.%s.initial_position", name.segment);
    joint_parameter(variables, robot, link, FA_ARM_INITIAL_VELOCITY, unit.velocity,
                    joint->initial_velocity, -INFINITY, "initial_velocity",
                    "Velocity of joint %s at the start");
}

static void limits(fa_variables *variables, const fa_robot *robot, int link)
{
    const fa_joint *joint = &robot->link[link].joint;
    joint_units     unit = units_of(joint);
    const struct {
        double      value;
        fa_unit     unit;
        const char *name, *what;
    } limit[] = {
        {joint->limit.lower, unit.position, "lower_limit",
         "Lowest position that the maker allows joint %s; information, the joint moves on"},
        {joint->limit.upper, unit.position, "upper_limit",
         "Highest position that the maker allows joint %s; information, the joint moves on"},
        {joint->limit.effort, unit.effort, "effort_limit",
         "Largest effort that the maker allows joint %s; information, the input is not cut"},
        {joint->limit.velocity, unit.velocity, "velocity_limit",
         "Largest speed that the maker allows joint %s; information, the joint goes on"},
    };
    for (size_t i = 0; i < sizeof limit / sizeof *limit; i++)
        if (isfinite(limit[i].value))
            joint_parameter(variables, robot, link, FA_ARM_LIMIT, limit[i].unit, limit[i].value,
                            -INFINITY, limit[i].name, limit[i].what);
}

static void drive_parameters(fa_variables *variables, const fa_robot *robot, int link)
{
    const fa_joint *joint = &robot->link[link].joint;
    joint_units     unit = units_of(joint);
    const struct {
        fa_arm_quantity quantity;
        fa_unit         unit;
        double          value, minimum;
        const char     *name, *what;
    } row[] = {
        {FA_ARM_VISCOUS, unit.damping, joint->friction.viscous, 0, "viscous_friction",
         "Effort against the motion of joint %s per unit of speed"},
        {FA_ARM_COULOMB, unit.effort, joint->friction.coulomb, 0, "coulomb_friction",
         "Effort against positive motion of joint %s, whatever the speed"},
        {FA_ARM_COULOMB_NEGATIVE, unit.effort, joint->friction.coulomb_negative, 0,
         "coulomb_friction_negative",
         "Effort against negative motion of joint %s, whatever the speed"},
        {FA_ARM_WIDTH, unit.velocity, joint->friction.width, 0, "friction_width",
         "Speed over which the Coulomb friction of joint %s turns round; above zero"},
        {FA_ARM_ROTOR, unit.inertia, joint->rotor_inertia, 0, "rotor_inertia",
         "Inertia of the rotor that drives joint %s, on the rotor's side of the gear"},
        {FA_ARM_GEAR, FA_UNIT_NONE, joint->gear_ratio, -INFINITY, "gear_ratio",
         "Turns of the rotor per turn of joint %s"},
        {FA_ARM_STIFFNESS, unit.stiffness, joint->spring.stiffness, -INFINITY, "stiffness",
         "Stiffness of the spring at joint %s"},
        {FA_ARM_SPRING_DAMPING, unit.damping, joint->spring.damping, 0, "damping",
         "Damping of the spring at joint %s"},
        {FA_ARM_REST, unit.position, joint->spring.rest, -INFINITY, "rest",
         "Position of joint %s at which its spring is slack"},
    };
    for (size_t i = 0; i < sizeof row / sizeof *row; i++) {
        if (row[i].quantity >= FA_ARM_STIFFNESS && !joint->spring.present) break;
        joint_parameter(variables, robot, link, row[i].quantity, row[i].unit, row[i].value,
                        row[i].minimum, row[i].name, row[i].what);
    }
}

// Mass, centre of mass and inertia under a prefix: a link's own, or the payload's.
static void mass_parameters(fa_variables *variables, fa_role role, fa_arm_quantity first, int index,
                            fa_arm_mass start, const char *prefix, const char *of,
                            const char *frame)
{
    char        description[DESCRIPTION_SIZE];
    fa_variable mass = row_of(role, FA_UNIT_KILOGRAM, start.mass, first, index);
    mass.minimum = 0;
    snprintf(description, sizeof description, "Mass of %s", of);
    fa_variable_add(variables, mass, description, "%s.mass", prefix);
    for (int i = 0; i < 3; i++) {
        snprintf(description, sizeof description, "Centre of mass of %s, %s of %s", of, AXIS[i],
                 frame);
        fa_variable_add(variables, row_of(role, FA_UNIT_METRE, (&start.com.x)[i], first + 1, index),
                        description, "%s.com.%s", prefix, AXIS[i]);
    }
    for (int i = 0; i < 6; i++) {
        snprintf(description, sizeof description,
                 "Inertia tensor of %s about its centre of mass, element %s, axes of %s", of,
                 MOMENT[i], frame);
        fa_variable element =
            row_of(role, FA_UNIT_KILOGRAM_METRE2, (&start.inertia.xx)[i], first + 2, index);
        fa_variable_add(variables, element, description, "%s.inertia.%s", prefix, MOMENT[i]);
    }
}

static void link_parameters(fa_variables *variables, const fa_robot *robot, int index)
{
    const fa_link *link = &robot->link[index];
    spelled        name = spell(link->name);
    char           prefix[FA_NAME_SIZE + 8], of[2 * FA_NAME_SIZE + 8];
    snprintf(prefix, sizeof prefix, "link.%s", name.segment);
    snprintf(of, sizeof of, "link %s", name.said);
    mass_parameters(variables, FA_PARAMETER, FA_ARM_MASS, index,
                    (fa_arm_mass){link->mass, link->com, link->inertia}, prefix, of, "its frame");
}

// Six inputs: a force and a torque in world axes.
static void wrench_inputs(fa_variables *variables, fa_arm_quantity quantity, int index,
                          const char *prefix, const char *at)
{
    char description[DESCRIPTION_SIZE];
    for (int i = 0; i < 6; i++) {
        const char *what = i < 3 ? "force" : "torque";
        snprintf(description, sizeof description,
                 "%s on the arm by its surroundings at %s, world %s", i < 3 ? "Force" : "Torque",
                 at, AXIS[i % 3]);
        fa_variable_add(
            variables,
            row_of(FA_INPUT, i < 3 ? FA_UNIT_NEWTON : FA_UNIT_NEWTON_METRE, 0, quantity, index),
            description, "%s.%s.%s", prefix, what, AXIS[i % 3]);
    }
}

// Torques or forces of the free joints: inputs of an arm, outputs of its inverse.
static void efforts(fa_variables *variables, const fa_robot *robot, fa_role role)
{
    char description[DESCRIPTION_SIZE];
    for (int i = 0; i < robot->n_links; i++) {
        const fa_joint *joint = &robot->link[i].joint;
        if (!fa_joint_is_free(joint)) continue;
        spelled     name = spell(joint->name);
        joint_units unit = units_of(joint);
        fa_variable effort = row_of(role, unit.effort, 0, FA_ARM_TORQUE, i);
        if (role == FA_INPUT) {
            effort.minimum = -joint->limit.effort;
            effort.maximum = joint->limit.effort;
        } else {
            effort.group = FA_GROUP_DERIVATIVES;
        }
        snprintf(description, sizeof description,
                 "Drive %s at joint %s; positive increases its position", unit.effort_name,
                 name.said);
        fa_variable_add(variables, effort, description, "joint.%s.%s", name.segment,
                        unit.effort_name);
    }
}

static void loads(fa_variables *variables, const fa_robot *robot)
{
    wrench_inputs(variables, FA_ARM_TIP_WRENCH, 0, "tip", "the tip");
    for (int i = 0; i < robot->n_links; i++) {
        if (!robot->link[i].wrench || !moves(robot, i)) continue;
        spelled name = spell(robot->link[i].name);
        char    prefix[FA_NAME_SIZE + 8], at[2 * FA_NAME_SIZE + 32];
        snprintf(prefix, sizeof prefix, "link.%s", name.segment);
        snprintf(at, sizeof at, "the centre of mass of link %s", name.said);
        wrench_inputs(variables, FA_ARM_LINK_WRENCH, i, prefix, at);
    }
}

// The first row of that meaning; FA_NO_ROW while the table is only being measured.
static int row_with(const fa_variables *variables, fa_arm_quantity quantity, int index)
{
    for (int row = 0; variables->row && row < variables->n; row++)
        if (variables->row[row].quantity == (int)quantity && variables->row[row].index == index)
            return row;
    return FA_NO_ROW;
}

// Three runs of the free joints. Of an arm: states, each before its derivative, and what the last
// derivatives are. Of its inverse: inputs.
static void joint_motion(fa_variables *variables, const fa_robot *robot, bool inverse)
{
    static const char *const name[] = {"position", "velocity", "acceleration"};
    static const char *const what[] = {"", "Velocity", "Acceleration"};
    char                     description[DESCRIPTION_SIZE];
    int                      n = fa_robot_freedom(robot);
    for (int order = 0; order < 3; order++) {
        for (int i = 0; i < robot->n_links; i++) {
            const fa_joint *joint = &robot->link[i].joint;
            if (!fa_joint_is_free(joint)) continue;
            spelled       joint_name = spell(joint->name);
            joint_units   units = units_of(joint);
            const fa_unit unit[] = {units.position, units.velocity, units.acceleration};
            const double  start[] = {joint->initial_position, joint->initial_velocity, 0};
            fa_role       role = inverse ? FA_INPUT : (order < 2 ? FA_STATE : FA_OUTPUT);
            fa_variable   row = row_of(role, unit[order], start[order], FA_ARM_POSITION + order, i);
            if (role == FA_STATE) {
                row.derivative = variables->n + n;
                row.initial = row_with(variables, FA_ARM_INITIAL_POSITION + order, i);
                row.nominal = 1; // a radian, a metre, and as much in a second
            }
            if (role == FA_OUTPUT) row.group = FA_GROUP_DERIVATIVES;
            snprintf(description, sizeof description, "%s of joint %s",
                     order == 0 ? units.place : what[order], joint_name.said);
            fa_variable_add(variables, row, description, "joint.%s.%s", joint_name.segment,
                            name[order]);
        }
    }
}

static void tip_vector(fa_variables *variables, fa_arm_quantity quantity, fa_unit unit,
                       unsigned group, const char *name, const char *what)
{
    char description[DESCRIPTION_SIZE];
    for (int i = 0; i < 3; i++) {
        snprintf(description, sizeof description, "%s, world %s", what, AXIS[i]);
        fa_variable_add(variables, calculated(unit, quantity, i, group), description, "tip.%s%s",
                        name, AXIS[i]);
    }
}

static void tip_outputs(fa_variables *variables, unsigned acceleration)
{
    static const char *const part[] = {"w", "x", "y", "z"};
    tip_vector(variables, FA_ARM_TIP_POSITION, FA_UNIT_METRE, FA_ARM_GROUP_POSE, "",
               "Position of the tip");
    for (int i = 0; i < 4; i++)
        fa_variable_add(variables,
                        calculated(FA_UNIT_NONE, FA_ARM_TIP_QUATERNION, i, FA_ARM_GROUP_POSE),
                        "Unit quaternion that turns the tip's axes into the world's; continuous in "
                        "the joint angles",
                        "tip.quaternion.%s", part[i]);
    tip_vector(variables, FA_ARM_TIP_VELOCITY, FA_UNIT_METRE_PER_SECOND, FA_ARM_GROUP_VELOCITY,
               "velocity.", "Velocity of the tip");
    tip_vector(variables, FA_ARM_TIP_ANGULAR_VELOCITY, FA_UNIT_RADIAN_PER_SECOND,
               FA_ARM_GROUP_VELOCITY, "angular_velocity.", "Angular velocity of the tip");
    tip_vector(variables, FA_ARM_TIP_ACCELERATION, FA_UNIT_METRE_PER_SECOND2, acceleration,
               "acceleration.", "Acceleration of the tip");
    tip_vector(variables, FA_ARM_TIP_ANGULAR_ACCELERATION, FA_UNIT_RADIAN_PER_SECOND2, acceleration,
               "angular_acceleration.", "Angular acceleration of the tip");
}

static void parameters(fa_variables *variables, const fa_robot *robot, bool inverse)
{
    const double gravity[3] = {robot->gravity.x, robot->gravity.y, robot->gravity.z};
    for (int i = 0; i < 3; i++) {
        char        description[DESCRIPTION_SIZE];
        fa_variable row =
            row_of(FA_PARAMETER, FA_UNIT_METRE_PER_SECOND2, gravity[i], FA_ARM_GRAVITY, i);
        snprintf(description, sizeof description, "Acceleration of free fall, world %s", AXIS[i]);
        fa_variable_add(variables, row, description, "gravity.%s", AXIS[i]);
    }
    for (int i = 0; i < robot->n_links; i++) {
        if (!fa_joint_is_free(&robot->link[i].joint)) continue;
        if (!inverse) initial_state(variables, robot, i);
        limits(variables, robot, i);
    }
    for (int i = 0; i < robot->n_links; i++)
        if (robot->link[i].joint.type != FA_FIXED) drive_parameters(variables, robot, i);
    for (int i = 0; i < robot->n_links; i++)
        if (moves(robot, i)) link_parameters(variables, robot, i);
    fa_arm_mass nothing = {0};
    mass_parameters(variables, FA_TUNABLE, FA_ARM_PAYLOAD_MASS, 0, nothing, "payload",
                    "the payload, added to what holds the tip", "the tip's frame");
}

static void energies(fa_variables *variables)
{
    fa_variable_add(variables, calculated(FA_UNIT_JOULE, FA_ARM_KINETIC, 0, FA_ARM_GROUP_ENERGY),
                    "Kinetic energy, rotors included", "energy.kinetic");
    fa_variable_add(variables, calculated(FA_UNIT_JOULE, FA_ARM_POTENTIAL, 0, FA_ARM_GROUP_ENERGY),
                    "Potential energy in gravity, zero at the world's origin, and in springs",
                    "energy.potential");
}

// Neither can fail: fa_variables_check has the last word.
fa_status fa_arm_declare(const fa_robot *robot, fa_variables *variables, fa_error *error)
{
    (void)error;
    parameters(variables, robot, false);
    efforts(variables, robot, FA_INPUT);
    loads(variables, robot);
    joint_motion(variables, robot, false);
    tip_outputs(variables, FA_ARM_GROUP_ACCELERATION | FA_GROUP_DERIVATIVES);
    energies(variables);
    return FA_OK;
}

fa_status fa_inverse_declare(const fa_robot *robot, fa_variables *variables, fa_error *error)
{
    (void)error;
    parameters(variables, robot, true);
    joint_motion(variables, robot, true);
    loads(variables, robot);
    efforts(variables, robot, FA_OUTPUT);
    tip_outputs(variables, FA_ARM_GROUP_ACCELERATION);
    energies(variables);
    return FA_OK;
}
