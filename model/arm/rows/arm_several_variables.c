// Declares the variables of joints of several freedoms: one row for each coordinate.
#include <stdio.h>

#include "arm.h"
#include "arm_table.h"
#include "joint_parts.h"

// Quantities of such a joint, and their names: of its translation and of its rotation.
typedef enum several_kind { POSITION, VELOCITY, ACCELERATION, EFFORT } several_kind;

static const struct {
    const char *along, *about;           // names
    const char *along_text, *about_text; // descriptions
    uint8_t     along_unit, about_unit;
} kinds[] = {
    [POSITION] = {"position", "quaternion", "Position", "Orientation", FA_UNIT_METRE, FA_UNIT_NONE},
    [VELOCITY] = {"velocity", "angular_velocity", "Velocity", "Angular velocity",
                  FA_UNIT_METRE_PER_SECOND, FA_UNIT_RADIAN_PER_SECOND},
    [ACCELERATION] = {"acceleration", "angular_acceleration", "Acceleration",
                      "Angular acceleration", FA_UNIT_METRE_PER_SECOND2,
                      FA_UNIT_RADIAN_PER_SECOND2},
    [EFFORT] = {"force", "torque", "Force", "Torque", FA_UNIT_NEWTON, FA_UNIT_NEWTON_METRE},
};

// Coordinate k: its quantity and axis, what it is, and its unit.
typedef struct component {
    const char *name;
    fa_along    axis;
    char        what[120];
    fa_unit     unit;
} component;

static component component_of(fa_joint_type type, several_kind kind, int k)
{
    static const char *const part[] = {"w", "x", "y", "z"};
    const bool               planar = type == FA_PLANAR;
    const int                sliding = planar ? 2 : type == FA_FLOATING ? 3 : 0;
    component                c = {.axis = FA_ALONG_NONE};
    if (k < sliding) {
        c.unit = (fa_unit)kinds[kind].along_unit;
        c.name = kinds[kind].along;
        c.axis = (fa_along)(FA_ALONG_X + k);
        (void)snprintf(c.what, sizeof c.what, "%s of what joint %%s carries, %s %s",
                       kinds[kind].along_text, part[k + 1],
                       planar ? "in its plane" : "of its axes on the parent");
    } else if (planar) {
        const bool angle = kind == POSITION;
        c.unit = angle ? FA_UNIT_RADIAN : (fa_unit)kinds[kind].about_unit;
        c.name = angle ? "angle" : kinds[kind].about;
        (void)snprintf(c.what, sizeof c.what, "%s of joint %%s about the normal of its plane",
                       angle ? "Angle" : kinds[kind].about_text);
    } else {
        const char *axis = part[k - sliding + (kind != POSITION)];
        c.unit = (fa_unit)kinds[kind].about_unit;
        c.name = kinds[kind].about;
        c.axis = (fa_along)((kind == POSITION ? FA_ALONG_QW : FA_ALONG_X) + k - sliding);
        if (kind == POSITION)
            (void)snprintf(c.what, sizeof c.what,
                           "Quaternion that turns the axes of what joint %%s carries into those on "
                           "its parent, %s",
                           axis);
        else
            (void)snprintf(c.what, sizeof c.what, "%s of joint %%s, %s of its axes on the parent",
                           kinds[kind].about_text, axis);
    }
    if (kind == EFFORT && k < sliding)
        (void)snprintf(c.what, sizeof c.what,
                       "Force of joint %%s on what it carries, at its origin, %s %s", part[k + 1],
                       planar ? "in its plane" : "of its axes on the parent");
    return c;
}

static void several_row(fa_variables *variables, const fa_robot *robot, fa_variable row,
                        const component *c, const char *before, const char *behind)
{
    const char          *name = robot->link[row.index].joint.name;
    const fa_arm_spelled joint = fa_arm_spell(name);
    char                 what[FA_ARM_DESCRIPTION_SIZE], text[sizeof c->what + 32], quantity[48];
    (void)snprintf(text, sizeof text, "%s%s", c->what, behind);
    (void)snprintf(what, sizeof what, text, joint.said);
    (void)snprintf(quantity, sizeof quantity, "%s%s", before, c->name);
    const fa_key key = fa_key_of_part(FA_OF_JOINT, row.index, name, quantity);
    fa_variable_add(variables, row, fa_key_along(key, c->axis), what);
}

static int positions_of(const fa_joint *joint)
{
    return fa_joint_kinds[joint->type].positions;
}

static double start_of(const fa_joint *joint, several_kind kind, int k)
{
    const fa_joint_start *start = &joint->start;
    const int             sliding = joint->type == FA_SPHERICAL ? 0 : 3;
    if (kind == POSITION) return k < sliding ? start->position[k] : start->quaternion[k - sliding];
    if (kind != VELOCITY) return 0;
    return k < sliding ? start->velocity[k] : start->angular_velocity[k - sliding];
}

void fa_arm_several_initial(fa_variables *variables, const fa_robot *robot, int link, bool speeds)
{
    const fa_joint *joint = &robot->link[link].joint;
    for (int order = 0; order < (speeds ? 2 : 1); order++) {
        const several_kind kind = order == 0 ? POSITION : VELOCITY;
        const int          n = order == 0 ? positions_of(joint) : fa_joint_speeds(joint);
        for (int k = 0; k < n; k++) {
            const component c = component_of(joint->type, kind, k);
            several_row(variables, robot,
                        fa_arm_row(FA_PARAMETER, c.unit, start_of(joint, kind, k),
                                   FA_ARM_INITIAL_POSITION + order, link),
                        &c, "initial_", ", at the start");
        }
    }
}

void fa_arm_several_friction(fa_variables *variables, const fa_robot *robot, int link)
{
    const fa_joint *joint = &robot->link[link].joint;
    const fa_unit   unit =
        joint->type == FA_SPHERICAL ? FA_UNIT_NEWTON_METRE_SECOND_PER_RADIAN : FA_UNIT_NONE;
    const component c = {.name = "viscous_friction",
                         .what = "Effort against each speed of joint %s per unit of that speed",
                         .unit = unit};
    fa_variable     row =
        fa_arm_row(FA_PARAMETER, c.unit, joint->friction.viscous, FA_AT(friction.viscous), link);
    row.minimum = 0;
    several_row(variables, robot, row, &c, "", "");
}

void fa_arm_several_efforts(fa_variables *variables, const fa_robot *robot, int link, bool inverse)
{
    const fa_joint *joint = &robot->link[link].joint;
    for (int k = 0; k < fa_joint_speeds(joint); k++) {
        const component c = component_of(joint->type, EFFORT, k);
        fa_variable     row =
            fa_arm_row(inverse ? FA_OUTPUT : FA_INPUT, c.unit, 0, FA_ARM_TORQUE, link);
        if (inverse) row.group = FA_GROUP_DERIVATIVES;
        several_row(variables, robot, row, &c, "", "");
    }
}

void fa_arm_several_motion(fa_variables *variables, const fa_robot *robot, bool inverse, int order,
                           int link)
{
    const fa_joint    *joint = &robot->link[link].joint;
    const several_kind kind = (several_kind)order;
    const int          n = order == 0 ? positions_of(joint) : fa_joint_speeds(joint);
    const bool         state = order < 2 && !joint->dependent;
    const bool         given = inverse && !joint->dependent;
    const fa_role      role = given ? FA_INPUT : state ? FA_STATE : FA_OUTPUT;
    const int          initial = role == FA_STATE
                                     ? fa_arm_row_with(variables, FA_ARM_INITIAL_POSITION + order, link)
                                     : FA_NO_ROW;
    for (int k = 0; k < n; k++) {
        const component c = component_of(joint->type, kind, k);
        fa_variable     row =
            fa_arm_row(role, c.unit, start_of(joint, kind, k), FA_ARM_POSITION + order, link);
        if (role == FA_STATE) {
            row.initial = initial == FA_NO_ROW ? FA_NO_ROW : initial + k;
            row.nominal = 1; // a radian, a metre, and as much in a second; a quaternion's length
            row.jumps = order == 1 && fa_arm_jumps(robot);
        }
        if (role == FA_OUTPUT)
            row.group = order < 2 || inverse ? FA_ARM_GROUP_LOOPS : FA_GROUP_DERIVATIVES;
        several_row(variables, robot, row, &c, "", "");
    }
}

void fa_arm_accepted(fa_variables *variables, const fa_robot *robot, int link)
{
    const fa_joint *joint = &robot->link[link].joint;
    const bool      several = fa_joint_is_several(joint->type);
    for (int k = 0; k < positions_of(joint); k++) {
        component c = {.name = "position", .what = "Position of joint %s"};
        if (several) c = component_of(joint->type, POSITION, k);
        if (!several) c.unit = fa_joint_is_linear(joint->type) ? FA_UNIT_METRE : FA_UNIT_RADIAN;
        fa_variable row = fa_arm_row(
            FA_LOCAL, c.unit, several ? start_of(joint, POSITION, k) : joint->initial_position,
            FA_ARM_ACCEPTED, link);
        row.discrete = true;
        several_row(variables, robot, row, &c, "accepted_",
                    ", when a step was accepted last: loops are closed from there");
    }
}

void fa_arm_quaternion_rates(fa_variables *variables, const fa_robot *robot)
{
    for (int i = 0; i < robot->n_links; i++) {
        if (!fa_joint_has_ball(robot->link[i].joint.type)) continue;
        if (robot->link[i].joint.dependent) continue;
        for (int k = 0; k < 4; k++) {
            const component c = {.name = "quaternion_rate",
                                 .axis = (fa_along)(FA_ALONG_QW + k),
                                 .what =
                                     "Rate of the quaternion of joint %s, with a pull to length 1",
                                 .unit = FA_UNIT_PER_SECOND};
            fa_variable     row = fa_arm_row(FA_LOCAL, c.unit, 0, FA_ARM_QUATERNION_RATE, i);
            row.group = FA_GROUP_DERIVATIVES;
            several_row(variables, robot, row, &c, "", "");
        }
    }
}
