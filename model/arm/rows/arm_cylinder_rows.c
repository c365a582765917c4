// The variables of an arm's cylinders, and what depends on what.
#include <stdio.h>

#include "arm.h"
#include "arm_table.h"
#include "robot_cylinders.h"

static fa_axis_table table_of(const fa_robot *robot, fa_variables *variables, int index)
{
    const fa_cylinder *cylinder = fa_robot_cylinder(robot, index);
    return (fa_axis_table){variables,
                           cylinder,
                           index,
                           fa_cylinder_parts(cylinder),
                           {FA_ARM_AXIS_GIVEN, FA_ARM_AXIS_INITIAL, FA_ARM_AXIS_RESULT,
                            FA_GROUP_DERIVATIVES, FA_ARM_GROUP_CYLINDERS}};
}

static void add(const fa_axis_table *t, fa_variable row, const char *about, const char *name)
{
    char description[FA_ARM_DESCRIPTION_SIZE];
    snprintf(description, sizeof description, "Cylinder %s: %s", t->cylinder->name, about);
    fa_variable_add(t->variables, row,
                    fa_key_of_part(FA_OF_CYLINDER, t->index, t->cylinder->name, name), description);
}

// Declares the parameters common to all ports: schedule, delay and other properties of the
// coupling.
static void how_ports_go(fa_variables *variables)
{
    static const struct {
        const char *name;
        fa_type     type;
        double      start, maximum;
        const char *about;
    } list[] = {
        {"port_schedule", FA_INT32, 0, 2,
         "Who steps first: 0 robot and jack at once, 1 the robot, 2 the jack"},
        {"port_line", FA_BOOLEAN, 0, 1,
         "True: the jack's speed is a line over a step; false: it stays what it is in a step"},
        {"port_learn", FA_BOOLEAN, 1, 1,
         "Whether stiffness and damping of the jack are found from what comes back"},
        {"port_delay", FA_INT32, 0, 1,
         "Steps by which the host gives the force later, where both step at once"},
        {"port_wait", FA_BOOLEAN, 1, 1,
         "Whether a force of exactly 0 before the first step means that there is none yet"},
    };
    for (int i = 0; i < (int)(sizeof list / sizeof *list); i++) {
        fa_variable row = fa_arm_row(FA_PARAMETER, FA_UNIT_NONE, list[i].start, FA_ARM_PORTS, i);
        row.type = list[i].type;
        row.minimum = list[i].type == FA_INT32 ? 0 : row.minimum;
        row.maximum = list[i].type == FA_INT32 ? list[i].maximum : row.maximum;
        fa_variable_add(variables, row, fa_key_of(FA_OF_ROBOT, list[i].name), list[i].about);
    }
}

void fa_arm_cylinder_parameters(const fa_robot *robot, fa_variables *variables)
{
    for (int k = 0; k < robot->n_cylinders; k++) {
        const fa_axis_table t = table_of(robot, variables, k);
        fa_axis_declare_parameters(&t);
    }
    for (int k = 0; k < robot->n_cylinders; k++)
        if (fa_robot_cylinder(robot, k)->cut == FA_CUT_PORT) {
            how_ports_go(variables);
            return;
        }
}

void fa_arm_cylinder_inputs(const fa_robot *robot, fa_variables *variables)
{
    int supplied = -1; // the cylinder that says what the supply starts with; a pump's, if any
    for (int k = 0; k < robot->n_cylinders; k++) {
        const fa_axis_table t = table_of(robot, variables, k);
        if (t.parts)
            fa_axis_declare_inputs(&t);
        else
            add(&t, fa_arm_row(FA_INPUT, FA_UNIT_NEWTON, 0, FA_ARM_CYLINDER_FORCE, k),
                "Force, positive when it pushes the piston out", "force");
    }
    for (int k = 0; k < robot->n_cylinders; k++) {
        const unsigned parts = fa_cylinder_parts(fa_robot_cylinder(robot, k));
        if (parts & FA_PART_PUMP || (parts & FA_PART_VALVE && supplied < 0)) supplied = k;
    }
    if (supplied < 0) return;
    const fa_axis_table t = table_of(robot, variables, supplied);
    fa_axis_declare_tank(&t);
}

void fa_arm_cylinder_states(const fa_robot *robot, fa_variables *variables)
{
    for (int k = 0; k < robot->n_cylinders; k++) {
        const fa_axis_table t = table_of(robot, variables, k);
        fa_axis_declare_states(&t);
    }
}

// Declares a cylinder's length, velocity and levers.
static void shape(const fa_robot *robot, const fa_axis_table *t, int k)
{
    const unsigned group = FA_ARM_GROUP_CYLINDERS;
    const bool     one = fa_cylinder_joints(robot, t->cylinder) == 1;
    add(t, fa_arm_calculated(FA_UNIT_METRE, FA_ARM_CYLINDER_LENGTH, k, group),
        "Distance of its end points", "length");
    add(t, fa_arm_calculated(FA_UNIT_METRE_PER_SECOND, FA_ARM_CYLINDER_RATE, k, group),
        "Rate of its length, positive when the piston comes out", "velocity");
    for (int i = 0; i < robot->n_links; i++) {
        const fa_joint *joint = &robot->link[i].joint;
        char            name[FA_NAME_SIZE + 16];
        if (!fa_joint_is_free(joint) || !fa_cylinder_spans(robot, t->cylinder, i)) continue;
        const fa_arm_spelled spelled = fa_arm_spell(joint->name);
        snprintf(name, sizeof name, one ? "lever" : "lever.%s", spelled.segment);
        fa_variable row = fa_arm_calculated(
            fa_joint_is_linear(joint->type) ? FA_UNIT_NONE : FA_UNIT_METRE_PER_RADIAN,
            FA_ARM_CYLINDER_LEVER, i * FA_CYLINDER_MAX + k, group);
        add(t, row, "Change of its length per change of the joint's position", name);
    }
}

void fa_arm_cylinder_outputs(const fa_robot *robot, fa_variables *variables)
{
    for (int k = 0; k < robot->n_cylinders; k++) {
        const fa_axis_table t = table_of(robot, variables, k);
        shape(robot, &t, k);
        fa_axis_declare_outputs(&t);
    }
}

void fa_arm_cylinder_needs(const fa_robot *robot, fa_variables *variables)
{
    for (int k = 0; k < robot->n_cylinders; k++) {
        const fa_axis_table t = table_of(robot, variables, k);
        shape(robot, &t, k);
        add(&t, fa_arm_calculated(FA_UNIT_NEWTON, FA_ARM_CYLINDER_FORCE, k, FA_ARM_GROUP_NEEDS),
            "Force that gives its joints their torques, positive when it pushes the piston out; "
            "of several that share a joint the smallest ones",
            "force");
    }
}

void fa_arm_cylinder_locals(const fa_robot *robot, fa_variables *variables)
{
    for (int k = 0; k < robot->n_cylinders; k++) {
        const fa_axis_table t = table_of(robot, variables, k);
        fa_axis_declare_locals(&t);
    }
}

void fa_arm_cylinder_indicators(const fa_robot *robot, fa_variables *variables)
{
    for (int k = 0; k < robot->n_cylinders; k++) {
        const fa_axis_table t = table_of(robot, variables, k);
        fa_axis_declare_indicators(&t);
    }
}

// -------------------------------------------------------------------------------------
// dependencies

bool fa_arm_is_cylinder_row(const fa_variable *row)
{
    return row->quantity >= FA_ARM_AXIS_GIVEN && row->quantity <= FA_ARM_CYLINDER_LEVER;
}

bool fa_arm_cylinder_spans(const fa_robot *robot, int link)
{
    for (int k = 0; k < robot->n_cylinders; k++)
        if (fa_cylinder_spans(robot, fa_robot_cylinder(robot, k), link)) return true;
    return false;
}

// A row of numbers, states and inputs: of which cylinder, and which. The supply is everybody's.
static bool is_given(const fa_variable *on, int cylinder, int *slot)
{
    if (on->quantity != FA_ARM_AXIS_GIVEN && on->quantity != FA_ARM_AXIS_INITIAL) return false;
    *slot = on->index % FA_AXIS_STRIDE;
    const bool shared = *slot == FA_AXIS_SUPPLY || *slot == FA_AXIS_TANK;
    return shared || on->index / FA_AXIS_STRIDE == cylinder;
}

static bool result_depends(const fa_robot *robot, int cylinder, fa_axis_result result,
                           const fa_variable *on)
{
    const fa_cylinder *c = fa_robot_cylinder(robot, cylinder);
    const unsigned     parts = fa_cylinder_parts(c);
    int                slot;
    // A pump's pressure depends on the flows of the other valves.
    for (int other = 0; other < robot->n_cylinders; other++)
        if (other != cylinder && fa_axis_depends(parts, result, FA_AXIS_OTHERS_FLOW) &&
            result_depends(robot, other, FA_AXIS_SUPPLY_FLOW, on))
            return true;
    if (is_given(on, cylinder, &slot)) return fa_axis_depends(parts, result, slot);
    const bool position = on->quantity == FA_ARM_POSITION;
    if (!position && on->quantity != FA_ARM_VELOCITY) return false;
    if (!fa_cylinder_spans(robot, c, on->index)) return false;
    return fa_axis_depends(parts, result, FA_AXIS_VELOCITY) ||
           (position && fa_axis_depends(parts, result, FA_AXIS_LENGTH));
}

bool fa_arm_cylinder_depends(const fa_robot *robot, const fa_variable *of, const fa_variable *on)
{
    const bool position = on->quantity == FA_ARM_POSITION;
    const bool velocity = on->quantity == FA_ARM_VELOCITY;
    int        k = of->index;
    if (of->quantity == FA_ARM_AXIS_GIVEN) return false; // of a port: steps alone change it
    if (of->quantity == FA_ARM_AXIS_RESULT)
        return result_depends(robot, of->index / FA_AXIS_STRIDE,
                              (fa_axis_result)(of->index % FA_AXIS_STRIDE), on);
    if (of->quantity == FA_ARM_CYLINDER_LEVER) k = of->index % FA_CYLINDER_MAX;
    if (!position && !(velocity && of->quantity == FA_ARM_CYLINDER_RATE)) return false;
    return fa_cylinder_spans(robot, fa_robot_cylinder(robot, k), on->index);
}

bool fa_arm_cylinder_force_depends(const fa_robot *robot, const fa_variable *on, int of,
                                   bool (*together)(const fa_robot *, int, int))
{
    int slot;
    for (int k = 0; k < robot->n_cylinders; k++) {
        const fa_cylinder *c = fa_robot_cylinder(robot, k);
        if (!together(robot, of, c->from) && !together(robot, of, c->to)) continue;
        if (on->quantity == FA_ARM_CYLINDER_FORCE && on->index == k) return true;
        if (is_given(on, k, &slot) && fa_axis_depends(fa_cylinder_parts(c), FA_AXIS_FORCE, slot))
            return true;
    }
    return false;
}

bool fa_arm_cylinder_need_depends(const fa_robot *robot, const fa_variable *on,
                                  bool (*needed)(const fa_robot *, int, const fa_variable *))
{
    for (int i = 0; i < robot->n_links; i++) {
        if (!fa_joint_is_free(&robot->link[i].joint) || !fa_arm_cylinder_spans(robot, i)) continue;
        if (on->quantity == FA_ARM_POSITION && on->index == i) return true;
        if (needed(robot, i, on)) return true;
    }
    return false;
}
