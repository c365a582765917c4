// Which calculated variable of an arm depends on which known one. Structure decides: joints on the
// way to the tip, joints on the same base, types of joints. "Depends" means for some value of the
// parameters; an axis that happens to stand so that an effect vanishes is not looked for.
#include <math.h>
#include <string.h>

#include "arm.h"
#include "arm_joint_depends.h"
#include "joint_lists.h"

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
    return fa_joint_turns(robot->link[link].joint.type);
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
    for (int k = 0; k < robot->n_springs; k++) {
        const fa_line_spring *s = fa_robot_spring(robot, k);
        const int             from = root_of(robot, s->from), to = root_of(robot, s->to);
        if (from != FA_WORLD && to != FA_WORLD && from != to) return true;
    }
    return false;
}

// Returns true if the link's orientation matters: it rotates itself, or the ground may.
static bool feels_turning(const fa_robot *robot, int link)
{
    return turns(robot, link) || (robot->base_motion && moving(robot, link) != FA_WORLD);
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

// Dependence of the tip's pose and motion on one coordinate: properties of its joints on the tip's
// path.
typedef struct tip_use {
    bool on_path, revolute;
    bool revolute_before; // a prismatic joint of it is rotated by an earlier joint
    bool revolute_after;  // a revolute joint of it rotates the axis of a later one
} tip_use;

static tip_use use_of(const fa_robot *robot, int coordinate, int link)
{
    tip_use use = {false, false, false, false};
    bool    later = false;
    int     i = moving(robot, link);
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

// Shifting everything along a first, prismatic joint changes no acceleration but by what acts
// there.
static bool position_is_felt(const fa_robot *robot, int link)
{
    const fa_joint *joint = &robot->link[link].joint;
    return is_revolute(robot, link) || revolute_below(robot, link) ||
           fa_arm_results_depend(joint, false, FA_ARM_EFFORT, FA_ARM_POSITION) ||
           fa_arm_cylinder_spans(robot, link) || robot->base_motion || robot->n_contacts > 0 ||
           robot->n_springs > 0;
}

// Turning or shifting the whole arm about its first joint leaves the kinetic energy alone.
static bool changes_shape(const fa_robot *robot, int link)
{
    if (fa_joint_is_several(robot->link[link].joint.type)) return true; // speeds in axes outside
    if (is_revolute(robot, link)) return next_moving(robot, link) != FA_WORLD;
    return revolute_below(robot, link);
}

static bool is_inverse(const fa_robot *robot)
{
    return fa_robot_is_inverse(robot);
}

// Returns true if an element at the joint, or its rotor, depends on this quantity of the joint. In
// an inverse, drives are excluded.
static bool joint_depends(const fa_robot *robot, const fa_joint *joint, int quantity)
{
    return fa_arm_results_depend(joint, is_inverse(robot), FA_ARM_EFFORT, quantity);
}

// ------------------------------------------------------------------------ one rule per unknown

// Returns true if the weight of links beyond `of`, or an external force there, depends on the row;
// gravity affects everything.
static bool load_depends(const fa_robot *robot, int of, const fa_variable *known,
                         bool (*reaches)(const fa_robot *robot, int of, int link))
{
    const int link = known->index, tip = robot->tip_link;
    switch (known->quantity) {
    case FA_ARM_GRAVITY:
    case FA_ARM_BASE_MOTION:
        return true;
    case FA_ARM_MASS:
    case FA_ARM_LINK_WRENCH:
        return reaches(robot, of, link);
    case FA_ARM_COM:
    case FA_ARM_INERTIA:
        return reaches(robot, of, link) && feels_turning(robot, link);
    case FA_ARM_PAYLOAD_COM:
    case FA_ARM_PAYLOAD_INERTIA:
        return reaches(robot, of, tip) && feels_turning(robot, tip);
    case FA_ARM_PAYLOAD_MASS:
    case FA_ARM_TIP_WRENCH:
        return reaches(robot, of, tip);
    default:
        return false;
    }
}

// Returns true if the accelerations of one island depend on the row; `of` is any of its links.
static bool acceleration_depends(const fa_robot *robot, int of, const fa_variable *known)
{
    int link = known->index;
    if (fa_arm_is_cylinder_row(known))
        return fa_arm_cylinder_force_depends(robot, known, of, same_island);
    if (fa_arm_is_touch_row(known))
        return fa_arm_touch_force_depends(robot, known, of, same_island);
    if (load_depends(robot, of, known, same_island)) return true;
    switch (known->quantity) {
    case FA_ARM_POSITION:
        return same_island(robot, of, link) && any_joint(robot, link, position_is_felt);
    case FA_ARM_VELOCITY:
        return same_island(robot, of, link);
    default:
        return known->quantity < FA_ARM_JOINT_END && same_island(robot, of, link) &&
               joint_depends(robot, &robot->link[link].joint, known->quantity);
    }
}

// Returns true if a joint of the coordinate is on the path from the ground to the link.
static bool holds(const fa_robot *robot, int coordinate, int link)
{
    for (int i = moving(robot, link); i != FA_WORLD; i = next_moving(robot, i))
        if (leader(robot, i) == coordinate) return true;
    return false;
}

// Returns true if one of two coordinates moves a joint that carries a joint of the other's.
static bool in_line(const fa_robot *robot, int a, int b)
{
    for (int i = 0; i < robot->n_links; i++) {
        if (robot->link[i].joint.type == FA_FIXED) continue;
        if (leader(robot, i) == b && holds(robot, a, i)) return true;
        if (leader(robot, i) == a && holds(robot, b, i)) return true;
    }
    return false;
}

// Returns true if the torque of coordinate `of` depends on the row: links and motion beyond it; its
// own friction and spring; and rotations before it, which rotate these.
static bool torque_depends(const fa_robot *robot, int of, const fa_variable *known)
{
    int link = known->index;
    if (robot->n_springs > 0 &&
        (known->quantity == FA_ARM_POSITION || known->quantity == FA_ARM_VELOCITY))
        return same_island(robot, of, link);
    if (fa_arm_is_touch_row(known))
        return fa_arm_touch_force_depends(robot, known, of, same_island);
    if (load_depends(robot, of, known, holds)) return true;
    switch (known->quantity) {
    case FA_ARM_POSITION:
        return in_line(robot, of, link) && any_joint(robot, link, position_is_felt);
    case FA_ARM_VELOCITY:
    case FA_ARM_ACCELERATION:
        return in_line(robot, of, link);
    default:
        return known->quantity < FA_ARM_JOINT_END && leader(robot, link) == of &&
               joint_depends(robot, &robot->link[link].joint, known->quantity);
    }
}

// Returns true if the gravity compensation at a joint depends on the row.
static bool weight_depends(const fa_robot *robot, int of, const fa_variable *known)
{
    return (known->quantity == FA_ARM_GRAVITY || known->quantity == FA_ARM_POSITION) &&
           torque_depends(robot, of, known);
}

// Returns true if an output of an element depends on the row. In an inverse, it also depends on the
// torque at the joint.
static bool told_depends(const fa_robot *robot, const fa_variable *of, int result,
                         const fa_variable *known)
{
    const bool own = known->quantity < FA_ARM_JOINT_END && known->index == of->index;
    const bool inverse = is_inverse(robot);
    bool       wanted, gravity;
    const bool depends = fa_arm_result_depends(&robot->link[of->index].joint, inverse, result,
                                               known->quantity, &wanted, &gravity);
    return (own && depends) || (inverse && wanted && torque_depends(robot, of->index, known)) ||
           (gravity && weight_depends(robot, of->index, known));
}

// Returns true if the drive's input, or the effort, that an inverse computes depends on the row.
static bool needed_depends(const fa_robot *robot, const fa_variable *of, const fa_variable *known)
{
    const fa_joint_element drive = fa_joint_drive(&robot->link[of->index].joint);
    const int              result = fa_joint_result_of(drive, FA_RESULT_INVERSE);
    return result == FA_NO_ROW ? torque_depends(robot, of->index, known)
                               : told_depends(robot, of, FA_ARM_ELEMENTS + result, known);
}

// Returns true if a result of an element depends on the row: an output, an effort, or the rate of a
// state.
static bool element_depends(const fa_robot *robot, const fa_variable *of, const fa_variable *known)
{
    const fa_joint_item item = fa_joint_item_of(of->quantity - FA_ARM_ELEMENTS);
    const fa_item      *result = &fa_joint_list(item.which)->item[item.item];
    if (result->kind != FA_ITEM_RESULT) return false; // events alone change it
    if (is_inverse(robot) && result->type == FA_RESULT_PUSH)
        return torque_depends(robot, of->index, known);
    return told_depends(robot, of, of->quantity, known);
}

static bool tip_depends(const fa_robot *robot, int quantity, const fa_variable *known)
{
    bool    position = known->quantity == FA_ARM_POSITION;
    bool    velocity = known->quantity == FA_ARM_VELOCITY;
    bool    acceleration = known->quantity == FA_ARM_ACCELERATION; // known to an inverse only
    bool    inverse = is_inverse(robot);
    tip_use use = {false, false, false, false};
    if (position || velocity || acceleration) use = use_of(robot, known->index, robot->tip_link);
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

// Something of the joint that a row belongs to.
static bool of_joint(const fa_robot *robot, const fa_variable *known, fa_arm_results results)
{
    return known->quantity < FA_ARM_JOINT_END &&
           fa_arm_results_depend(&robot->link[known->index].joint, is_inverse(robot), results,
                                 known->quantity);
}

static bool kinetic_depends(const fa_robot *robot, const fa_variable *known)
{
    switch (known->quantity) {
    case FA_ARM_POSITION:
        return any_joint(robot, known->index, changes_shape);
    case FA_ARM_VELOCITY:
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
        return of_joint(robot, known, FA_ARM_ROTOR);
    }
}

// Returns true if the effect of a force and a torque at a link depends on the row; their point may
// be anywhere on it.
static bool push_depends(const fa_robot *robot, int link, const fa_variable *known)
{
    if (known->quantity != FA_ARM_POSITION && known->quantity != FA_ARM_VELOCITY) return false;
    tip_use use = use_of(robot, known->index, link);
    return use.on_path &&
           (known->quantity == FA_ARM_VELOCITY || use.revolute || use.revolute_before);
}

static bool external_depends(const fa_robot *robot, const fa_variable *known)
{
    if (fa_arm_is_cylinder_row(known) || fa_arm_is_touch_row(known)) return false;
    const int link = known->index;
    bool      relieved = false;
    for (int i = 0; i < robot->n_links; i++) {
        const fa_link *pushed = &robot->link[i];
        relieved |= pushed->relief != 0;
        if ((pushed->wrench || pushed->relief != 0) && push_depends(robot, i, known)) return true;
    }
    if (push_depends(robot, robot->tip_link, known)) return true;
    switch (known->quantity) {
    case FA_ARM_TIP_WRENCH:
        return moving(robot, robot->tip_link) != FA_WORLD;
    case FA_ARM_LINK_WRENCH:
    case FA_ARM_BASE_MOTION:
        return true;
    case FA_ARM_COM:
        return feels_turning(robot, link) &&
               (robot->base_motion || robot->link[link].wrench || robot->link[link].relief != 0);
    case FA_ARM_GRAVITY:
        return relieved;
    case FA_ARM_MASS:
        return robot->base_motion || robot->link[link].relief != 0;
    case FA_ARM_POSITION:
    case FA_ARM_VELOCITY:
        return robot->base_motion;
    case FA_ARM_INERTIA:
        return robot->base_motion && feels_turning(robot, link);
    case FA_ARM_PAYLOAD_MASS:
        return robot->base_motion && moving(robot, robot->tip_link) != FA_WORLD;
    case FA_ARM_PAYLOAD_COM:
    case FA_ARM_PAYLOAD_INERTIA:
        return robot->base_motion && feels_turning(robot, robot->tip_link);
    default:
        return false;
    }
}

// Returns true if the power of an account depends on the row.
static bool power_depends(const fa_robot *robot, int account, const fa_variable *known)
{
    if (account == FA_ARM_BY_OTHERS) return external_depends(robot, known);
    if (fa_arm_is_cylinder_row(known)) return true;
    const bool contacts = account == FA_ARM_CONTACTS;
    const bool springs = account == FA_ARM_FRICTION && robot->n_springs > 0;
    const bool motion = known->quantity == FA_ARM_POSITION || known->quantity == FA_ARM_VELOCITY;
    const bool stops = account == FA_ARM_STOPS;
    if (fa_arm_is_touch_row(known))
        return fa_arm_touch_energy_depends(known, contacts, springs, stops);
    if (motion && (contacts || springs)) return true;
    if (motion && stops && robot->link[known->index].joint.cone.present) return true;
    if (contacts) return false;
    if (robot->n_cylinders > 0 && any_joint(robot, known->index, fa_arm_cylinder_spans) &&
        (known->quantity == FA_ARM_POSITION || known->quantity == FA_ARM_VELOCITY))
        return true;
    for (int i = 0; i < robot->n_links && account == FA_ARM_BY_ACTUATORS; i++) {
        const fa_joint *joint = &robot->link[i].joint;
        if (fa_joint_has(joint, FA_JOINT_servo, false) && joint->servo.compensates &&
            weight_depends(robot, i, known))
            return true;
    }
    if (known->quantity >= FA_ARM_JOINT_END) return false;
    if (known->quantity == FA_ARM_VELOCITY)
        for (int i = 0; i < robot->n_links; i++) {
            const fa_joint *joint = &robot->link[i].joint;
            bool            follows = joint->type != FA_FIXED && leader(robot, i) == known->index;
            if (follows && (account != FA_ARM_STOPS || joint->stop.present)) return true;
        }
    const fa_joint      *joint = &robot->link[known->index].joint;
    const fa_arm_results results = account == FA_ARM_BY_ACTUATORS ? FA_ARM_DRIVE
                                   : account == FA_ARM_FRICTION   ? FA_ARM_FRICTION_LOSS
                                                                  : FA_ARM_STOP_LOSS;
    return fa_arm_results_depend(joint, false, results, known->quantity);
}

static bool potential_depends(const fa_robot *robot, const fa_variable *known)
{
    switch (known->quantity) {
    case FA_ARM_GRAVITY:
    case FA_ARM_POSITION:
    case FA_ARM_MASS:
    case FA_ARM_COM:
        return true;
    case FA_ARM_PAYLOAD_MASS:
    case FA_ARM_PAYLOAD_COM:
        return moving(robot, robot->tip_link) != FA_WORLD;
    default:
        return of_joint(robot, known, FA_ARM_STORED) ||
               fa_arm_touch_energy_depends(known, true, true, true);
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
    bool motion = known->quantity >= FA_ARM_POSITION && known->quantity <= FA_ARM_ACCELERATION;
    if (known->quantity == FA_ARM_GRAVITY || known->quantity == FA_ARM_BASE_MOTION) return true;
    if (known->quantity == FA_ARM_OTHER || known->quantity == FA_ARM_WORK) return false;
    if (fa_arm_is_cylinder_row(known))
        return moving(robot, link) == FA_WORLD || acceleration_depends(robot, link, known);
    if (fa_arm_is_touch_row(known)) return true;
    if (known->quantity < FA_ARM_JOINT_END && !motion &&
        (is_inverse(robot) ||
         !joint_depends(robot, &robot->link[known->index].joint, known->quantity)))
        return false;
    return moving(robot, link) == FA_WORLD || same_island(robot, link, at);
}

// The link of the joint that coordinate number `index` is.
static int coordinate_link(const fa_robot *robot, int index)
{
    int i = 0;
    for (; i < robot->n_links; i++)
        if (fa_joint_is_free(&robot->link[i].joint)) {
            index -= fa_joint_speeds(&robot->link[i].joint);
            if (index < 0) break;
        }
    return i;
}

// Dependence of a mechanism's matrices: columns are by speeds, and any position may rotate them.
static bool matrix_may_depend(const fa_robot *robot, int quantity, const fa_variable *known)
{
    switch (known->quantity) {
    case FA_ARM_POSITION:
        return true;
    case FA_ARM_MASS:
    case FA_ARM_COM:
    case FA_ARM_INERTIA:
    case FA_ARM_PAYLOAD_MASS:
    case FA_ARM_PAYLOAD_COM:
    case FA_ARM_PAYLOAD_INERTIA:
        return quantity == FA_ARM_MASS_MATRIX;
    default:
        return quantity == FA_ARM_MASS_MATRIX && of_joint(robot, known, FA_ARM_ROTOR);
    }
}

static bool jacobian_depends(const fa_robot *robot, int element, const fa_variable *known)
{
    if (fa_robot_is_mechanism(robot)) return matrix_may_depend(robot, FA_ARM_JACOBIAN, known);
    int column = coordinate_link(robot, element % fa_robot_freedom(robot));
    return known->quantity == FA_ARM_POSITION && use_of(robot, column, robot->tip_link).on_path &&
           use_of(robot, known->index, robot->tip_link).on_path;
}

static bool mass_matrix_depends(const fa_robot *robot, int element, const fa_variable *known)
{
    if (fa_robot_is_mechanism(robot)) return matrix_may_depend(robot, FA_ARM_MASS_MATRIX, known);
    int n = fa_robot_freedom(robot);
    int a = coordinate_link(robot, element / n), b = coordinate_link(robot, element % n);
    switch (known->quantity) {
    case FA_ARM_POSITION:
        return same_island(robot, a, known->index) && same_island(robot, b, known->index);
    case FA_ARM_MASS:
    case FA_ARM_COM:
    case FA_ARM_INERTIA:
        return holds(robot, a, known->index) && holds(robot, b, known->index);
    case FA_ARM_PAYLOAD_MASS:
    case FA_ARM_PAYLOAD_COM:
    case FA_ARM_PAYLOAD_INERTIA:
        return holds(robot, a, robot->tip_link) && holds(robot, b, robot->tip_link);
    default:
        return a == b && of_joint(robot, known, FA_ARM_ROTOR) && leader(robot, known->index) == a;
    }
}

static bool pose_depends(const fa_robot *robot, const fa_variable *of, const fa_variable *known)
{
    if (known->quantity != FA_ARM_POSITION) return false;
    const tip_use use = use_of(robot, known->index, of->index);
    return of->quantity == FA_ARM_LINK_POSITION ? use.on_path : use.revolute;
}

// With loops, each joint may depend on every other one.
static bool loops_may_depend(const fa_robot *robot, const fa_variable *of, const fa_variable *on)
{
    const unsigned by_motion = FA_GROUP_DERIVATIVES | FA_ARM_GROUP_MOTORS | FA_ARM_GROUP_NEEDS;
    const bool     state = on->quantity == FA_ARM_POSITION || on->quantity == FA_ARM_VELOCITY ||
                       on->quantity == FA_ARM_PITCH; // which moves dependent joints
    if (is_inverse(robot) && of->group & by_motion) return true;
    switch (of->quantity) {
    case FA_ARM_QUATERNION_RATE:
    case FA_ARM_ACCEPTED:
    case FA_ARM_PLACED:
        return false;
    case FA_ARM_ACCELERATION:
    case FA_ARM_SLIP_INDICATOR:
    case FA_ARM_POWER:
    case FA_ARM_REACTION:
    case FA_ARM_BASE_REACTION:
    case FA_ARM_LOOP_FORCE:
    case FA_ARM_LOOP_AXIAL:
    case FA_ARM_TIP_ACCELERATION:
    case FA_ARM_TIP_ANGULAR_ACCELERATION:
        return on->quantity != FA_ARM_WORK;
    default:
        return state && of->group != 0;
    }
}

// Dependence of a computed row.
static bool calculated_depends(const fa_robot *robot, const fa_variable *of, fa_variable on)
{
    bool depends = false;
    switch (of->quantity) {
    case FA_ARM_CYLINDER_FORCE: // of an inverse
        depends = fa_arm_cylinder_need_depends(robot, &on, torque_depends);
        break;
    case FA_ARM_AXIS_RESULT:
    case FA_ARM_CYLINDER_LENGTH:
    case FA_ARM_CYLINDER_RATE:
    case FA_ARM_CYLINDER_LEVER:
        depends = fa_arm_cylinder_depends(robot, of, &on);
        break;
    case FA_ARM_CONTACT_ITEM:
    case FA_ARM_SPRING_ITEM:
    case FA_ARM_CONE_ITEM:
        depends = fa_arm_touch_depends(robot, of, &on, holds);
        break;
    case FA_ARM_TORQUE:
        depends = needed_depends(robot, of, &on);
        break;
    case FA_ARM_QUATERNION_RATE:
        depends = on.index == of->index &&
                  (on.quantity == FA_ARM_POSITION || on.quantity == FA_ARM_VELOCITY);
        break;
    case FA_ARM_ACCELERATION:
        depends = acceleration_depends(robot, of->index, &on);
        break;
    case FA_ARM_SLIP_INDICATOR:
        depends = acceleration_depends(robot, of->index, &on);
        break;
    case FA_ARM_POWER:
        depends = power_depends(robot, of->index, &on);
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
    case FA_ARM_LINK_POSITION:
    case FA_ARM_LINK_AXES:
        depends = pose_depends(robot, of, &on);
        break;
    case FA_ARM_RESIDUAL:
        depends = on.quantity == FA_ARM_WORK || kinetic_depends(robot, &on) ||
                  potential_depends(robot, &on);
        break;
    case FA_ARM_TIP_POSITION:
    case FA_ARM_TIP_QUATERNION:
    case FA_ARM_TIP_VELOCITY:
    case FA_ARM_TIP_ANGULAR_VELOCITY:
    case FA_ARM_TIP_ACCELERATION:
    case FA_ARM_TIP_ANGULAR_ACCELERATION:
        depends = tip_depends(robot, of->quantity, &on);
        break;
    default: // of the other rows, events alone change those that are not an element's
        depends = of->quantity >= FA_ARM_ELEMENTS && of->quantity < FA_ARM_INITIAL_POSITION &&
                  element_depends(robot, of, &on);
        break;
    }
    return depends;
}

// A pitch says where the screw's child is and how fast, as its angle and speed do.
static bool pitch_depends(const fa_robot *robot, const fa_variable *of, fa_variable on)
{
    static const fa_arm_quantity as[] = {FA_ARM_POSITION, FA_ARM_VELOCITY, FA_ARM_ACCELERATION};
    on.index = leader(robot, on.index);
    for (int i = 0; i < 3; i++) {
        on.quantity = (int16_t)as[i];
        if ((i < 2 || is_inverse(robot)) && calculated_depends(robot, of, on)) return true;
    }
    return false;
}

fa_dependence fa_arm_depends(const fa_robot *robot, const fa_variables *variables, int unknown,
                             int known)
{
    const fa_variable *of = &variables->row[unknown];
    fa_variable        on = variables->row[known];
    if (unknown == known) return FA_PROPORTIONAL;
    // Before initialisation ends, a start value represents its state.
    if (on.quantity == FA_ARM_INITIAL_POSITION) on.quantity = FA_ARM_POSITION;
    if (on.quantity == FA_ARM_INITIAL_VELOCITY) on.quantity = FA_ARM_VELOCITY;

    if (on.quantity == FA_ARM_AXIS_INITIAL) on.quantity = FA_ARM_AXIS_GIVEN;
    if (on.quantity == FA_ARM_CONTACT_START) on.quantity = FA_ARM_CONTACT_ITEM;
    if (on.quantity >= FA_ARM_ELEMENTS && on.quantity < FA_ARM_INITIAL_POSITION &&
        fa_joint_item_of(on.quantity - FA_ARM_ELEMENTS).start)
        on.quantity--; // its state

    bool state = of->role == FA_STATE, depends = false;
    if (state) return of->initial == known ? FA_PROPORTIONAL : FA_INDEPENDENT;
    if (robot->n_loops > 0 && loops_may_depend(robot, of, &on)) return FA_DEPENDENT;
    depends = on.quantity == FA_ARM_PITCH ? pitch_depends(robot, of, on)
                                          : calculated_depends(robot, of, on);
    return depends ? FA_DEPENDENT : FA_INDEPENDENT;
}
