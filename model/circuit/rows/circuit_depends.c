// Structural dependencies in a circuit, from the parts and their laws.
#include <string.h>

#include "arm.h"
#include "circuit.h"
#include "elements.h"
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

// A known row, in a table.
typedef struct question {
    const fa_robot     *robot;
    const fa_variables *variables;
    int                 known;
} question;

static const fa_variable *row_of(const question *q)
{
    return &q->variables->row[q->known];
}

// Returns true if this row of the arm inside is the known one, starts from it, or depends on it:
// loops make lengths and speeds depend on more than the joints between two links.
static bool moves_with(const question *q, int quantity, int index)
{
    const fa_variable *row = q->variables->row;
    const fa_plant    *plant = fa_circuit_inner(q->robot);
    if (row_of(q)->quantity >= FA_CIRCUIT_REAL) return false;
    for (int i = 0; i < q->variables->n; i++) {
        if (row[i].quantity != quantity || row[i].index != index) continue;
        if (row[i].role == FA_STATE) return i == q->known || row[i].initial == q->known;
        return plant->depends(q->robot, q->variables, i, q->known) != FA_INDEPENDENT;
    }
    return false;
}

// Returns true if a part's results depend on the row.
static bool part_depends(const question *q, int part)
{
    const fa_robot        *robot = q->robot;
    const fa_variable     *on = row_of(q);
    const fa_circuit_part *p = fa_robot_circuit_part(robot, part);
    const fa_element      *e = fa_circuit_element(p->kind);
    bool                   of = is_own(robot, on, part);
    const bool             wet = fa_element_real_index(e, "density", 7) >= 0 ||
                     fa_element_real_index(e, "atmosphere", 10) >= 0 || p->kind == FA_CIRCUIT_VALVE;
    of |= on->quantity == FA_CIRCUIT_OIL && wet;
    for (int i = 0; i < fa_circuit_ports(p->kind); i++) of |= is_node(on, p->port[i]);
    if (p->sensing != FA_NOBODY) of |= is_own(robot, on, p->sensing);
    return of || (p->kind == FA_CIRCUIT_MOTOR && moves_with(q, FA_ARM_VELOCITY, p->joint));
}

static bool is_arm(const fa_variable *on)
{
    return on->quantity < FA_CIRCUIT_REAL && on->quantity != FA_ARM_OTHER;
}

static bool cylinder_depends(const question *q, int index)
{
    const fa_cylinder *c = fa_robot_cylinder(q->robot, index);
    const fa_variable *on = row_of(q);
    if (is_node(on, c->node[0]) || is_node(on, c->node[1]) || on->quantity == FA_CIRCUIT_OIL)
        return true;
    if (on->quantity == FA_ARM_AXIS_GIVEN) return on->index / FA_AXIS_STRIDE == index;
    return moves_with(q, FA_ARM_CYLINDER_LENGTH, index) ||
           moves_with(q, FA_ARM_CYLINDER_RATE, index);
}

static bool node_depends(const question *q, int node)
{
    const fa_robot *robot = q->robot;
    bool            of = is_node(row_of(q), node) || row_of(q)->quantity == FA_CIRCUIT_OIL;
    for (int k = 0; k < robot->n_cylinders && !of; k++) {
        const fa_cylinder *c = fa_robot_cylinder(robot, k);
        if (c->cut == FA_CUT_CIRCUIT && (c->node[0] == node || c->node[1] == node))
            of = cylinder_depends(q, k);
    }
    for (int k = 0; k < robot->n_parts && !of; k++) {
        const fa_circuit_part *p = fa_robot_circuit_part(robot, k);
        bool                   here = false;
        for (int i = 0; i < fa_circuit_ports(p->kind); i++) here |= p->port[i] == node;
        if (here) of = part_depends(q, k);
    }
    return of;
}

static bool result_depends(const question *q, const fa_variable *of)
{
    const int              part = part_of(of);
    const fa_robot        *robot = q->robot;
    const fa_circuit_part *p = fa_robot_circuit_part(robot, part);
    if (p->kind != FA_CIRCUIT_SENSING) return part_depends(q, part);
    bool depends = is_own(robot, row_of(q), part);
    for (int k = 0; k < robot->n_parts && !depends; k++) {
        const fa_circuit_part *section = fa_robot_circuit_part(robot, k);
        if (section->kind == FA_CIRCUIT_VALVE && section->sensing == part)
            depends = part_depends(q, k);
    }
    return depends;
}

// A row of the arm inside, by what the circuit gives it.
static bool pushed(const question *q, const fa_variable *of)
{
    const fa_robot    *robot = q->robot;
    const fa_variable *on = row_of(q);
    const bool         moves = of->group & (FA_GROUP_DERIVATIVES | FA_ARM_GROUP_CYLINDERS);
    bool               depends = false;
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
    for (int k = 0; k < robot->n_parts && of->group & FA_GROUP_DERIVATIVES && !depends; k++)
        if (fa_robot_circuit_part(robot, k)->kind == FA_CIRCUIT_MOTOR) depends = part_depends(q, k);
    return depends;
}

static bool calculated(const question *q, const fa_variable *of)
{
    const fa_variable *on = row_of(q);
    switch (of->quantity) {
    case FA_CIRCUIT_RESULT:
        return result_depends(q, of);
    case FA_CIRCUIT_PRESSURE_RATE:
        return node_depends(q, part_of(of));
    case FA_CIRCUIT_CHAMBER:
        return is_node(
            on, fa_robot_cylinder(q->robot, part_of(of))->node[of->index % FA_CIRCUIT_STRIDE]);
    case FA_CIRCUIT_POWER:
        return on->quantity >= FA_CIRCUIT_REAL || is_arm(on);
    default:
        return pushed(q, of);
    }
}

// The row of the arm inside whose value this one, a number of a motor, is added to: the rotor that
// the gear reflects. FA_NO_ROW: none.
static int rotor_of(const question *q)
{
    const fa_variable *row = q->variables->row, *on = row_of(q);
    const fa_element  *e = &fa_elements[FA_ELEMENT_hydraulic_motor];
    if (on->quantity != FA_CIRCUIT_REAL) return FA_NO_ROW;
    const fa_circuit_part *part = fa_robot_circuit_part(q->robot, part_of(on));
    const int              which = on->index % FA_CIRCUIT_STRIDE;
    if (part->kind != FA_CIRCUIT_MOTOR || (which != fa_element_real_index(e, "gear", 4) &&
                                           which != fa_element_real_index(e, "inertia", 7)))
        return FA_NO_ROW;
    for (int i = 0; i < q->variables->n; i++)
        if (row[i].quantity == FA_AT(rotor.inertia) && row[i].index == part->joint) return i;
    return FA_NO_ROW;
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
    const question q = {robot, variables, known};
    const int      rotor = of_arm && plant ? rotor_of(&q) : FA_NO_ROW;
    if (rotor != FA_NO_ROW && plant->depends(robot, variables, unknown, rotor) != FA_INDEPENDENT)
        return FA_DEPENDENT;
    return calculated(&q, of) ? FA_DEPENDENT : FA_INDEPENDENT;
}
