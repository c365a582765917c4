// Which calculated variable of an arm depends on which known one. Structure decides: joints on the
// way to the tip, joints on the same base, types of joints. "Depends" means for some value of the
// parameters; an axis that happens to stand so that an effect vanishes is not looked for.
#include <string.h>

#include "arm.h"

// Links by their joints: the next one towards the ground whose joint moves, itself included.
static int moving(const fa_robot *robot, int link)
{
    while (link != FA_WORLD && robot->link[link].joint.type == FA_FIXED)
        link = robot->link[link].parent;
    return link;
}

static int next_moving(const fa_robot *robot, int link)
{
    return moving(robot, robot->link[link].parent);
}

// The link whose free joint decides where this moving link's joint is.
static int leader(const fa_robot *robot, int link)
{
    while (robot->link[link].joint.mimic.leader != FA_NOBODY)
        link = robot->link[link].joint.mimic.leader;
    return link;
}

static bool is_revolute(const fa_robot *robot, int link)
{
    return robot->link[link].joint.type == FA_REVOLUTE;
}

static bool revolute_below(const fa_robot *robot, int link)
{
    for (int i = next_moving(robot, link); i != FA_WORLD; i = next_moving(robot, i))
        if (is_revolute(robot, i)) return true;
    return false;
}

// Some joint between the ground and this link turns.
static bool turns(const fa_robot *robot, int link)
{
    int i = moving(robot, link);
    return i != FA_WORLD && (is_revolute(robot, i) || revolute_below(robot, i));
}

static int root_of(const fa_robot *robot, int link)
{
    int root = moving(robot, link);
    while (root != FA_WORLD && next_moving(robot, root) != FA_WORLD)
        root = next_moving(robot, root);
    return root;
}

// Some cylinder goes from one root joint's links to another one's.
static bool cylinders_tie(const fa_robot *robot)
{
    for (int k = 0; k < robot->n_cylinders; k++) {
        const fa_cylinder *c = fa_robot_cylinder(robot, k);
        const int          from = root_of(robot, c->from), to = root_of(robot, c->to);
        if (from != FA_WORLD && to != FA_WORLD && from != to) return true;
    }
    return false;
}

// Motion of one joint is felt in every joint on the same root joint, and in no other, unless a
// joint that follows another one ties two roots together; then they count as one.
static int island(const fa_robot *robot, int link)
{
    for (int i = 0; i < robot->n_links; i++)
        if (robot->link[i].joint.type != FA_FIXED && !fa_joint_is_free(&robot->link[i].joint))
            return 0;
    if (cylinders_tie(robot)) return 0;
    return root_of(robot, link);
}

static bool same_island(const fa_robot *robot, int a, int b)
{
    return moving(robot, a) != FA_WORLD && moving(robot, b) != FA_WORLD &&
           island(robot, a) == island(robot, b);
}

// How the tip's place and motion hang on one coordinate: what its joints on the tip's path do.
typedef struct tip_use {
    bool on_path, revolute;
    bool revolute_before; // a joint of it is prismatic and turned by an earlier one
    bool revolute_after;  // a joint of it is revolute and turns a later one's axis
} tip_use;

static tip_use use_of(const fa_robot *robot, int coordinate)
{
    tip_use use = {false, false, false, false};
    bool    later = false;
    int     i = moving(robot, robot->tip_link);
    for (; i != FA_WORLD; i = next_moving(robot, i)) {
        if (leader(robot, i) == coordinate) {
            use.on_path = true;
            use.revolute |= is_revolute(robot, i);
            use.revolute_before |= !is_revolute(robot, i) && revolute_below(robot, i);
            use.revolute_after |= is_revolute(robot, i) && later;
        }
        later |= is_revolute(robot, i);
    }
    return use;
}

// A rule about every joint that a coordinate moves, its own and its followers'.
typedef bool joint_rule(const fa_robot *robot, int link);

static bool any_joint(const fa_robot *robot, int coordinate, joint_rule *rule)
{
    for (int i = 0; i < robot->n_links; i++)
        if (robot->link[i].joint.type != FA_FIXED && leader(robot, i) == coordinate &&
            rule(robot, i))
            return true;
    return false;
}

// Shifting everything along a first, prismatic joint changes no acceleration but by its spring.
static bool position_is_felt(const fa_robot *robot, int link)
{
    return is_revolute(robot, link) || revolute_below(robot, link) ||
           robot->link[link].joint.spring.present || fa_arm_cylinder_spans(robot, link);
}

// Turning or shifting the whole arm about its first joint leaves the kinetic energy alone.
static bool changes_shape(const fa_robot *robot, int link)
{
    if (is_revolute(robot, link)) return next_moving(robot, link) != FA_WORLD;
    return revolute_below(robot, link);
}

// A parameter of what acts at a joint: friction, rotor, spring.
static bool is_drive(int quantity)
{
    return quantity >= FA_ARM_VISCOUS && quantity <= FA_ARM_REST;
}

// ------------------------------------------------------------------------ one rule per unknown

// The accelerations of one island; `of` is any link of it.
static bool acceleration_depends(const fa_robot *robot, int of, const fa_variable *known)
{
    int link = known->index;
    if (fa_arm_is_cylinder_row(known))
        return fa_arm_cylinder_force_depends(robot, known, of, same_island);
    if (is_drive(known->quantity)) return same_island(robot, of, link);
    switch (known->quantity) {
    case FA_ARM_GRAVITY:
        return true;
    case FA_ARM_POSITION:
        return same_island(robot, of, link) && any_joint(robot, link, position_is_felt);
    case FA_ARM_VELOCITY:
    case FA_ARM_TORQUE:
    case FA_ARM_MASS:
        return same_island(robot, of, link);
    case FA_ARM_COM:
    case FA_ARM_INERTIA:
        return same_island(robot, of, link) && turns(robot, link);
    case FA_ARM_PAYLOAD_COM:
    case FA_ARM_PAYLOAD_INERTIA:
        return same_island(robot, of, robot->tip_link) && turns(robot, robot->tip_link);
    case FA_ARM_PAYLOAD_MASS:
        return same_island(robot, of, robot->tip_link);
    case FA_ARM_TIP_WRENCH:
        return same_island(robot, of, robot->tip_link);
    case FA_ARM_LINK_WRENCH:
        return same_island(robot, of, link);
    default:
        return false;
    }
}

// Some joint that a coordinate moves stands on the way from the ground to a link.
static bool holds(const fa_robot *robot, int coordinate, int link)
{
    for (int i = moving(robot, link); i != FA_WORLD; i = next_moving(robot, i))
        if (leader(robot, i) == coordinate) return true;
    return false;
}

// One of two coordinates moves a joint that holds a joint of the other's.
static bool in_line(const fa_robot *robot, int a, int b)
{
    for (int i = 0; i < robot->n_links; i++) {
        if (robot->link[i].joint.type == FA_FIXED) continue;
        if (leader(robot, i) == b && holds(robot, a, i)) return true;
        if (leader(robot, i) == a && holds(robot, b, i)) return true;
    }
    return false;
}

// The torque of coordinate `of` carries what is behind it, links and motion; its own friction and
// spring; and feels how the joints before it turn what is behind.
static bool torque_depends(const fa_robot *robot, int of, const fa_variable *known)
{
    int link = known->index;
    if (is_drive(known->quantity)) return leader(robot, link) == of;
    switch (known->quantity) {
    case FA_ARM_GRAVITY:
        return true;
    case FA_ARM_POSITION:
        return in_line(robot, of, link) && any_joint(robot, link, position_is_felt);
    case FA_ARM_VELOCITY:
    case FA_ARM_ACCELERATION:
        return in_line(robot, of, link);
    case FA_ARM_MASS:
    case FA_ARM_LINK_WRENCH:
        return holds(robot, of, link);
    case FA_ARM_COM:
    case FA_ARM_INERTIA:
        return holds(robot, of, link) && turns(robot, link);
    case FA_ARM_PAYLOAD_COM:
    case FA_ARM_PAYLOAD_INERTIA:
        return holds(robot, of, robot->tip_link) && turns(robot, robot->tip_link);
    case FA_ARM_PAYLOAD_MASS:
    case FA_ARM_TIP_WRENCH:
        return holds(robot, of, robot->tip_link);
    default:
        return false;
    }
}

static bool tip_depends(const fa_robot *robot, int quantity, const fa_variable *known)
{
    bool    position = known->quantity == FA_ARM_POSITION;
    bool    velocity = known->quantity == FA_ARM_VELOCITY;
    bool    acceleration = known->quantity == FA_ARM_ACCELERATION; // known to an inverse only
    bool    inverse = strcmp(robot->plant, "inverse") == 0;
    tip_use use = {false, false, false, false};
    if (position || velocity || acceleration) use = use_of(robot, known->index);
    switch (quantity) {
    case FA_ARM_TIP_POSITION:
        return position && use.on_path;
    case FA_ARM_TIP_QUATERNION:
        return position && use.revolute;
    case FA_ARM_TIP_VELOCITY:
        return (velocity && use.on_path) || (position && (use.revolute || use.revolute_before));
    case FA_ARM_TIP_ANGULAR_VELOCITY:
        return (velocity && use.revolute) || (position && use.revolute_after);
    case FA_ARM_TIP_ACCELERATION:
        if (inverse) return (use.on_path && !position) || use.revolute || use.revolute_before;
        return moving(robot, robot->tip_link) != FA_WORLD &&
               acceleration_depends(robot, robot->tip_link, known);
    default: // FA_ARM_TIP_ANGULAR_ACCELERATION
        if (inverse) return use.revolute && (!position || use.revolute_after);
        return turns(robot, robot->tip_link) && acceleration_depends(robot, robot->tip_link, known);
    }
}

static bool kinetic_depends(const fa_robot *robot, const fa_variable *known)
{
    switch (known->quantity) {
    case FA_ARM_POSITION:
        return any_joint(robot, known->index, changes_shape);
    case FA_ARM_VELOCITY:
    case FA_ARM_ROTOR:
    case FA_ARM_GEAR:
    case FA_ARM_MASS:
        return true;
    case FA_ARM_COM:
    case FA_ARM_INERTIA:
        return turns(robot, known->index);
    case FA_ARM_PAYLOAD_MASS:
        return moving(robot, robot->tip_link) != FA_WORLD;
    case FA_ARM_PAYLOAD_COM:
    case FA_ARM_PAYLOAD_INERTIA:
        return turns(robot, robot->tip_link);
    default:
        return false;
    }
}

static bool potential_depends(const fa_robot *robot, const fa_variable *known)
{
    switch (known->quantity) {
    case FA_ARM_GRAVITY:
    case FA_ARM_POSITION:
    case FA_ARM_STIFFNESS:
    case FA_ARM_REST:
    case FA_ARM_MASS:
    case FA_ARM_COM:
        return true;
    case FA_ARM_PAYLOAD_MASS:
    case FA_ARM_PAYLOAD_COM:
        return moving(robot, robot->tip_link) != FA_WORLD;
    default:
        return false;
    }
}

// The force at the joint of a link that stands still carries every arm on it; at one that moves, it
// feels what the accelerations of its island feel, and where masses are.
static bool reaction_depends(const fa_robot *robot, int link, const fa_variable *known)
{
    bool of_tip =
        (known->quantity >= FA_ARM_PAYLOAD_MASS && known->quantity <= FA_ARM_PAYLOAD_INERTIA) ||
        known->quantity == FA_ARM_TIP_WRENCH;
    int  at = of_tip ? robot->tip_link : known->index;
    bool inverse = strcmp(robot->plant, "inverse") == 0;
    if (known->quantity == FA_ARM_GRAVITY || known->quantity == FA_ARM_BASE_MOTION) return true;
    if (known->quantity == FA_ARM_OTHER) return false;
    if (inverse && is_drive(known->quantity)) return false;
    return moving(robot, link) == FA_WORLD || same_island(robot, link, at);
}

// The link of the joint that coordinate number `index` is.
static int coordinate_link(const fa_robot *robot, int index)
{
    int i = 0;
    for (; i < robot->n_links; i++)
        if (fa_joint_is_free(&robot->link[i].joint) && index-- == 0) break;
    return i;
}

static bool jacobian_depends(const fa_robot *robot, int element, const fa_variable *known)
{
    int column = coordinate_link(robot, element % fa_robot_freedom(robot));
    return known->quantity == FA_ARM_POSITION && use_of(robot, column).on_path &&
           use_of(robot, known->index).on_path;
}

static bool mass_matrix_depends(const fa_robot *robot, int element, const fa_variable *known)
{
    int n = fa_robot_freedom(robot);
    int a = coordinate_link(robot, element / n), b = coordinate_link(robot, element % n);
    switch (known->quantity) {
    case FA_ARM_POSITION:
        return same_island(robot, a, known->index) && same_island(robot, b, known->index);
    case FA_ARM_ROTOR:
    case FA_ARM_GEAR:
        return a == b && leader(robot, known->index) == a;
    case FA_ARM_MASS:
    case FA_ARM_COM:
    case FA_ARM_INERTIA:
        return holds(robot, a, known->index) && holds(robot, b, known->index);
    case FA_ARM_PAYLOAD_MASS:
    case FA_ARM_PAYLOAD_COM:
    case FA_ARM_PAYLOAD_INERTIA:
        return holds(robot, a, robot->tip_link) && holds(robot, b, robot->tip_link);
    default:
        return false;
    }
}

fa_dependence fa_arm_depends(const fa_robot *robot, const fa_variables *variables, int unknown,
                             int known)
{
    const fa_variable *of = &variables->row[unknown];
    fa_variable        on = variables->row[known];
    if (unknown == known) return FA_PROPORTIONAL;
    // What a state starts from stands for the state, before initialisation ends.
    if (on.quantity == FA_ARM_INITIAL_POSITION) on.quantity = FA_ARM_POSITION;
    if (on.quantity == FA_ARM_INITIAL_VELOCITY) on.quantity = FA_ARM_VELOCITY;

    bool depends = false;
    if (on.quantity == FA_ARM_AXIS_INITIAL) on.quantity = FA_ARM_AXIS_GIVEN;
    switch (of->quantity) {
    case FA_ARM_AXIS_GIVEN: // a state
        return of->initial == known ? FA_PROPORTIONAL : FA_INDEPENDENT;
    case FA_ARM_AXIS_RESULT:
    case FA_ARM_CYLINDER_LENGTH:
    case FA_ARM_CYLINDER_RATE:
    case FA_ARM_CYLINDER_LEVER:
        depends = fa_arm_cylinder_depends(robot, of, &on);
        break;
    case FA_ARM_TORQUE:
        depends = torque_depends(robot, of->index, &on);
        break;
    case FA_ARM_POSITION:
    case FA_ARM_VELOCITY:
        return of->initial == known ? FA_PROPORTIONAL : FA_INDEPENDENT;
    case FA_ARM_ACCELERATION:
        depends = acceleration_depends(robot, of->index, &on);
        break;
    case FA_ARM_KINETIC:
        depends = kinetic_depends(robot, &on);
        break;
    case FA_ARM_POTENTIAL:
        depends = potential_depends(robot, &on);
        break;
    case FA_ARM_REACTION:
    case FA_ARM_BASE_REACTION: // of link 0, the base
        depends = reaction_depends(robot, of->index, &on);
        break;
    case FA_ARM_JACOBIAN:
        depends = jacobian_depends(robot, of->index, &on);
        break;
    case FA_ARM_MASS_MATRIX:
        depends = mass_matrix_depends(robot, of->index, &on);
        break;
    default:
        depends = tip_depends(robot, of->quantity, &on);
        break;
    }
    return depends ? FA_DEPENDENT : FA_INDEPENDENT;
}
