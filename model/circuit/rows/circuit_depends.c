// Structural dependencies in a circuit, from the parts and their laws.
#include <string.h>

#include "arm.h"
#include "circuit.h"
#include "robot_circuit.h"

static int part_of(const fa_variable *v)
{
    return v->index / FA_CIRCUIT_STRIDE;
}

static bool is_node(const fa_variable *on, int node)
{
    return (on->quantity == FA_CIRCUIT_PRESSURE || on->quantity == FA_CIRCUIT_PRESSURE_INITIAL) &&
           part_of(on) == node;
}

// Numbers, inputs and states of a part, of its edges too.
static bool is_own(const fa_robot *robot, const fa_variable *on, int part)
{
    if (on->quantity == FA_CIRCUIT_REAL || on->quantity == FA_CIRCUIT_INITIAL)
        return part_of(on) == part;
    if (on->quantity < FA_CIRCUIT_EDGE || on->quantity > FA_CIRCUIT_EDGE_HEIGHT) return false;
    return fa_robot_edge(robot, part_of(on))->part == part;
}

static bool is_velocity(const fa_variable *on, int link)
{
    return (on->quantity == FA_ARM_VELOCITY || on->quantity == FA_ARM_INITIAL_VELOCITY) &&
           on->index == link;
}

// Returns true if a part's results depend on the row.
static bool part_depends(const fa_robot *robot, int part, const fa_variable *on)
{
    const fa_circuit_part *p = fa_robot_circuit_part(robot, part);
    const fa_element      *e = fa_circuit_element(p->kind);
    bool                   of = is_own(robot, on, part);
    const bool             wet = fa_element_real_index(e, "density", 7) >= 0 ||
                     fa_element_real_index(e, "atmosphere", 10) >= 0 || p->kind == FA_CIRCUIT_VALVE;
    of |= on->quantity == FA_CIRCUIT_OIL && wet;
    for (int i = 0; i < fa_circuit_ports(p->kind); i++) of |= is_node(on, p->port[i]);
    if (p->sensing != FA_NOBODY) of |= is_own(robot, on, p->sensing);
    return of || (p->kind == FA_CIRCUIT_MOTOR && is_velocity(on, p->joint));
}

// The rows of the arm inside that a cylinder's length and its rate follow from: its joints.
static bool is_arm(const fa_variable *on)
{
    return on->quantity < FA_CIRCUIT_REAL && on->quantity != FA_ARM_OTHER;
}

static bool cylinder_depends(const fa_robot *robot, int index, const fa_variable *on)
{
    const fa_cylinder *c = fa_robot_cylinder(robot, index);
    if (is_node(on, c->node[0]) || is_node(on, c->node[1]) || on->quantity == FA_CIRCUIT_OIL)
        return true;
    if (on->quantity == FA_ARM_AXIS_GIVEN) return on->index / FA_AXIS_STRIDE == index;
    return on->quantity == FA_ARM_POSITION || on->quantity == FA_ARM_VELOCITY ||
           on->quantity == FA_ARM_INITIAL_POSITION || on->quantity == FA_ARM_INITIAL_VELOCITY;
}

static bool node_depends(const fa_robot *robot, int node, const fa_variable *on)
{
    bool of = is_node(on, node) || on->quantity == FA_CIRCUIT_OIL;
    for (int k = 0; k < robot->n_cylinders && !of; k++) {
        const fa_cylinder *c = fa_robot_cylinder(robot, k);
        if (c->cut == FA_CUT_CIRCUIT && (c->node[0] == node || c->node[1] == node))
            of = cylinder_depends(robot, k, on);
    }
    for (int k = 0; k < robot->n_parts && !of; k++) {
        const fa_circuit_part *p = fa_robot_circuit_part(robot, k);
        bool                   here = false;
        for (int i = 0; i < fa_circuit_ports(p->kind); i++) here |= p->port[i] == node;
        if (here) of = part_depends(robot, k, on);
    }
    return of;
}

static bool result_depends(const fa_robot *robot, const fa_variable *of, const fa_variable *on)
{
    const int              part = part_of(of);
    const fa_circuit_part *p = fa_robot_circuit_part(robot, part);
    if (p->kind != FA_CIRCUIT_SENSING) return part_depends(robot, part, on);
    bool depends = is_own(robot, on, part);
    for (int k = 0; k < robot->n_parts && !depends; k++) {
        const fa_circuit_part *section = fa_robot_circuit_part(robot, k);
        if (section->kind == FA_CIRCUIT_VALVE && section->sensing == part)
            depends = part_depends(robot, k, on);
    }
    return depends;
}

// A row of the arm inside, by what the circuit gives it.
static bool pushed(const fa_robot *robot, const fa_variable *of, const fa_variable *on)
{
    const bool moves = of->group & (FA_GROUP_DERIVATIVES | FA_ARM_GROUP_CYLINDERS);
    bool       depends = false;
    for (int k = 0; k < robot->n_cylinders && moves; k++) {
        const fa_cylinder *c = fa_robot_cylinder(robot, k);
        if (c->cut != FA_CUT_CIRCUIT) continue;
        const bool own = of->key.owner == FA_OF_CYLINDER && of->key.part != k;
        if (own && !(of->group & FA_GROUP_DERIVATIVES)) continue;
        if (of->quantity == FA_ARM_CYLINDER_LENGTH || of->quantity == FA_ARM_CYLINDER_RATE ||
            of->quantity == FA_ARM_CYLINDER_LEVER)
            continue;
        depends |= is_node(on, c->node[0]) || is_node(on, c->node[1]);
    }
    for (int k = 0; k < robot->n_parts && of->group & FA_GROUP_DERIVATIVES; k++)
        if (fa_robot_circuit_part(robot, k)->kind == FA_CIRCUIT_MOTOR)
            depends |= part_depends(robot, k, on);
    return depends;
}

static bool calculated(const fa_robot *robot, const fa_variable *of, const fa_variable *on)
{
    switch (of->quantity) {
    case FA_CIRCUIT_RESULT:
        return result_depends(robot, of, on);
    case FA_CIRCUIT_PRESSURE_RATE:
        return node_depends(robot, part_of(of), on);
    case FA_CIRCUIT_CHAMBER:
        return is_node(on,
                       fa_robot_cylinder(robot, part_of(of))->node[of->index % FA_CIRCUIT_STRIDE]);
    case FA_CIRCUIT_POWER:
        return on->quantity >= FA_CIRCUIT_REAL || is_arm(on);
    default:
        return pushed(robot, of, on);
    }
}

fa_dependence fa_circuit_depends(const fa_robot *robot, const fa_variables *variables, int unknown,
                                 int known)
{
    const fa_variable *of = &variables->row[unknown], *on = &variables->row[known];
    const fa_plant    *plant = fa_circuit_inner(robot);
    if (unknown == known) return FA_PROPORTIONAL;
    if (of->role == FA_STATE && of->quantity >= FA_CIRCUIT_REAL)
        return of->initial == known ? FA_PROPORTIONAL : FA_INDEPENDENT;
    const bool of_arm = of->quantity < FA_CIRCUIT_REAL, on_arm = on->quantity < FA_CIRCUIT_REAL;
    if (of_arm && on_arm && plant) {
        const fa_dependence inside = plant->depends(robot, variables, unknown, known);
        if (inside != FA_INDEPENDENT) return inside;
    }
    if (of->role == FA_STATE) return FA_INDEPENDENT;
    return calculated(robot, of, on) ? FA_DEPENDENT : FA_INDEPENDENT;
}
