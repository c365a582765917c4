#include "arm.h"

#include <math.h>
#include <string.h>

#include "derivatives.h"
#include "energy.h"
#include "friction.h"
#include "methods.h"
#include "number.h"

// ------------------------------------------------------------------------------------------ layout

// Where the next array goes; with base NULL it only counts.
typedef struct arena {
    char  *base;
    size_t size;
} arena;

static void *take(arena *a, size_t n, size_t size)
{
    void *here = a->base ? a->base + a->size : NULL;
    a->size += (n * size + 15) / 16 * 16;
    return here;
}

// What preparation needs to know of each link of the robot.
typedef struct link_scratch {
    fa_transform frame;
    int          body, entry, joint_body;
} link_scratch;

// Lays the arrays behind the struct out; the same walk measures and places.
static size_t lay_out(fa_arm *arm, char *base, int n_bodies, int n_coordinates, int n_links)
{
    size_t   n = (size_t)n_bodies, c = (size_t)n_coordinates;
    arena    a = {base, 0};
    fa_arm   scratch;
    fa_arm  *to = arm ? arm : &scratch;
    fa_chain chain = {.n = n_bodies, .n_coordinates = n_coordinates};
    chain.coupled = n_bodies != n_coordinates;

    take(&a, 1, sizeof(fa_arm));
    to->body = take(&a, n, sizeof *to->body);
    to->joint = take(&a, n, sizeof *to->joint);
    to->inertia_step = take(&a, n, sizeof *to->inertia_step);
    to->rotor_step = take(&a, n, sizeof *to->rotor_step);
    to->motion = take(&a, n, sizeof *to->motion);
    to->motion_step = take(&a, n, sizeof *to->motion_step);
    to->wrench = take(&a, n, sizeof *to->wrench);
    to->wrench_step = take(&a, n, sizeof *to->wrench_step);
    to->pose = take(&a, n, sizeof *to->pose);
    to->path = take(&a, n, sizeof *to->path);
    to->link = take(&a, (size_t)n_links, sizeof *to->link);
    to->tau = take(&a, c, sizeof *to->tau);
    to->tau_step = take(&a, c, sizeof *to->tau_step);
    to->qdd = take(&a, c, sizeof *to->qdd);
    to->qdd_step = take(&a, c, sizeof *to->qdd_step);
    to->factor = take(&a, c * c, sizeof *to->factor);

    // Scratch for one thing after another.
    size_t uses[] = {
        fa_method_forward(&chain)->work_size(&chain),
        fa_composite_body_work_size(&chain), // the mass matrix, for tangents
        fa_inverse_step_work_size(&chain),
        (size_t)n_links * sizeof(link_scratch), // only while it is prepared
    };
    size_t largest = 0;
    for (size_t i = 0; i < sizeof uses / sizeof *uses; i++)
        if (uses[i] > largest) largest = uses[i];
    to->work = take(&a, 1, largest);
    return a.size;
}

static size_t arm_size(const fa_robot *robot)
{
    return lay_out(NULL, NULL, fa_chain_bodies(robot), fa_robot_freedom(robot), robot->n_links);
}

static void find_rows(fa_arm *arm, const fa_variables *variables)
{
    for (int row = variables->n - 1; row >= 0; row--) { // backwards: the first of a run stays
        switch (variables->row[row].quantity) {
        case FA_ARM_GRAVITY:
            arm->row_gravity = row;
            break;
        case FA_ARM_PAYLOAD_MASS:
            arm->row_payload = row;
            break;
        case FA_ARM_TORQUE:
            arm->row_torque = row;
            break;
        case FA_ARM_TIP_WRENCH:
            arm->row_tip_wrench = row;
            break;
        case FA_ARM_POSITION:
            arm->row_position = row;
            break;
        case FA_ARM_VELOCITY:
            arm->row_velocity = row;
            break;
        case FA_ARM_ACCELERATION:
            arm->row_acceleration = row;
            break;
        case FA_ARM_TIP_POSITION:
            arm->row_tip_pose = row;
            break;
        case FA_ARM_TIP_VELOCITY:
            arm->row_tip_velocity = row;
            break;
        case FA_ARM_TIP_ACCELERATION:
            arm->row_tip_acceleration = row;
            break;
        case FA_ARM_KINETIC:
            arm->row_energy = row;
            break;
        default:
            break;
        }
    }
    arm->row_inputs = variables->first[FA_INPUT];
    arm->row_states = variables->first[FA_STATE];
}

// The rows of joints and links. Per link of the robot: the body that its joint moves, and its entry
// in arm->link.
static void find_rows_of_parts(fa_arm *arm, const fa_variables *variables, const int joint_body[],
                               const int entry[])
{
    for (int row = variables->n - 1; row >= 0; row--) {
        const fa_variable *v = &variables->row[row];
        if (v->quantity == FA_ARM_VISCOUS) arm->joint[joint_body[v->index]].row = row;
        if (v->quantity == FA_ARM_STIFFNESS) arm->joint[joint_body[v->index]].spring.present = true;
        if (v->quantity == FA_ARM_MASS) arm->link[entry[v->index]].row = row;
        if (v->quantity == FA_ARM_LINK_WRENCH) {
            arm->link[entry[v->index]].wrench_row = row;
            arm->has_link_wrenches = true;
        }
    }
}

static void find_tip(fa_arm *arm, const fa_robot *robot, const int link_body[],
                     const fa_transform link_frame[])
{
    arm->tip_body = link_body[robot->tip_link];
    arm->tip_frame = transform_compose(link_frame[robot->tip_link], robot->tip);
    arm->tip_home = fa_quaternion_of(arm->tip_frame.E);
    for (int i = arm->tip_body; i != FA_WORLD; i = arm->body[i].parent) arm->n_path++;
    int place = arm->n_path;
    for (int i = arm->tip_body; i != FA_WORLD; i = arm->body[i].parent) arm->path[--place] = i;
    for (int i = 0; i < arm->chain.n; i++)
        arm->joint[i].home = fa_quaternion_of(arm->body[i].home.E);
}

static void prepare(void *self, const fa_robot *robot, const fa_variables *variables)
{
    fa_arm *arm = self;
    int     n = fa_chain_bodies(robot);
    memset(arm, 0, arm_size(robot));
    lay_out(arm, self, n, fa_robot_freedom(robot), robot->n_links);

    // link_scratch, one array after another; gone when this function returns.
    fa_transform *link_frame = arm->work;
    int          *link_body = (int *)(link_frame + robot->n_links);
    int          *entry = link_body + robot->n_links, *joint_body = entry + robot->n_links;
    arm->chain = fa_chain_build(robot, arm->body, link_body, link_frame);
    arm->method = fa_method_forward(&arm->chain);
    for (int i = 0; i < robot->n_links; i++) {
        entry[i] = arm->n_links;
        joint_body[i] = robot->link[i].joint.type == FA_FIXED ? FA_NOBODY : link_body[i];
        if (link_body[i] == FA_WORLD) continue;
        arm->link[arm->n_links++] =
            (fa_arm_link){.body = link_body[i], .frame = link_frame[i], .wrench_row = FA_NO_ROW};
    }
    find_rows(arm, variables);
    find_rows_of_parts(arm, variables, joint_body, entry);
    find_tip(arm, robot, link_body, link_frame);
}

// -------------------------------------------------------------------------------------- parameters

fa_arm_mass fa_arm_mass_at(const double value[], int row)
{
    const double *v = value + row;
    return (fa_arm_mass){v[0], {v[1], v[2], v[3]}, {v[4], v[5], v[6], v[7], v[8], v[9]}};
}

static fa_inertia inertia_at(const double value[], int row, fa_transform frame)
{
    fa_arm_mass m = fa_arm_mass_at(value, row);
    return fa_link_inertia(m.mass, m.com, m.inertia, frame);
}

static fa_status configure_joint(fa_arm_joint *joint, fa_body *body, const double value[],
                                 fa_error *error)
{
    const double *v = value + joint->row;
    joint->friction = (fa_friction){v[0], v[1], v[2], v[3]};
    body->rotor = v[4] * v[5] * v[5];
    if (joint->spring.present) joint->spring = (fa_spring){true, v[6], v[7], v[8]};
    if (!(joint->friction.width > 0))
        return fa_fail(error, FA_BAD_INPUT, NULL, FA_NOWHERE,
                       "the parameter friction_width of a joint is %s; it must be above zero",
                       fa_number_text(joint->friction.width).text);
    if (!(body->rotor >= 0) || isinf(body->rotor))
        return fa_fail(error, FA_BAD_INPUT, NULL, FA_NOWHERE,
                       "the parameter rotor_inertia of a joint is %s; it must not be negative",
                       fa_number_text(v[4]).text);
    return FA_OK;
}

static fa_status configure(void *self, const double value[], fa_error *error)
{
    fa_arm *arm = self;
    arm->factored = false;
    arm->chain.gravity =
        vec3(value[arm->row_gravity], value[arm->row_gravity + 1], value[arm->row_gravity + 2]);
    for (int i = 0; i < arm->chain.n; i++) {
        arm->body[i].inertia = (fa_inertia){0, {0, 0, 0}, {0, 0, 0, 0, 0, 0}};
        fa_status status = configure_joint(&arm->joint[i], &arm->body[i], value, error);
        if (status != FA_OK) return status;
    }
    for (int i = 0; i < arm->n_links; i++) {
        const fa_arm_link *link = &arm->link[i];
        if (!(value[link->row] >= 0))
            return fa_fail(error, FA_BAD_INPUT, NULL, FA_NOWHERE,
                           "the mass of a link is %s kg; it must not be negative",
                           fa_number_text(value[link->row]).text);
        fa_inertia *inertia = &arm->body[link->body].inertia;
        *inertia = inertia_add(*inertia, inertia_at(value, link->row, link->frame));
    }
    if (!(value[arm->row_payload] >= 0))
        return fa_fail(error, FA_BAD_INPUT, NULL, FA_NOWHERE,
                       "payload.mass is %s kg; it must not be negative",
                       fa_number_text(value[arm->row_payload]).text);
    if (arm->tip_body != FA_WORLD) {
        fa_inertia *inertia = &arm->body[arm->tip_body].inertia;
        *inertia = inertia_add(*inertia, inertia_at(value, arm->row_payload, arm->tip_frame));
    }
    return FA_OK;
}

// -------------------------------------------------------------------------------------- evaluation

void fa_arm_effort(const fa_arm *arm, const double value[], double tau[])
{
    const double *q = value + arm->row_position, *qd = value + arm->row_velocity;
    memcpy(tau, value + arm->row_torque, (size_t)arm->chain.n_coordinates * sizeof *tau);
    for (int i = 0; i < arm->chain.n; i++) {
        const fa_body      *body = &arm->body[i];
        const fa_arm_joint *joint = &arm->joint[i];
        double              rate = fa_joint_rate(body, qd);
        double              effort = -fa_friction_torque(&joint->friction, rate);
        if (joint->spring.present)
            effort += fa_spring_torque(&joint->spring, fa_joint_position(body, q), rate);
        tau[body->coordinate] += body->ratio * effort;
    }
}

static bool any_nonzero(const double value[], int row, int n)
{
    for (int i = 0; i < n; i++)
        if (value[row + i] != 0) return true; // NaN, too
    return false;
}

// A force and a torque in world axes at a point of a body, as a wrench about the body's origin.
static fa_wrench body_wrench(const fa_transform *pose, const double world[6], fa_vec3 point)
{
    fa_vec3 force = mat3_mul(pose->E, vec3(world[0], world[1], world[2]));
    fa_vec3 torque = mat3_mul(pose->E, vec3(world[3], world[4], world[5]));
    return (fa_wrench){vec3_add(torque, cross(point, force)), force};
}

bool fa_arm_loads(const fa_arm *arm, const double value[])
{
    bool tip = arm->tip_body != FA_WORLD && any_nonzero(value, arm->row_tip_wrench, 6);
    bool any = tip;
    for (int i = 0; arm->has_link_wrenches && i < arm->n_links; i++)
        if (arm->link[i].wrench_row != FA_NO_ROW)
            any |= any_nonzero(value, arm->link[i].wrench_row, 6);
    if (!any) return false;

    fa_chain_poses(&arm->chain, value + arm->row_position, arm->pose);
    memset(arm->wrench, 0, (size_t)arm->chain.n * sizeof *arm->wrench);
    if (tip)
        arm->wrench[arm->tip_body] =
            body_wrench(&arm->pose[arm->tip_body], value + arm->row_tip_wrench, arm->tip_frame.r);
    for (int i = 0; arm->has_link_wrenches && i < arm->n_links; i++) {
        const fa_arm_link *link = &arm->link[i];
        if (link->wrench_row == FA_NO_ROW) continue;
        fa_vec3   com = fa_arm_mass_at(value, link->row).com;
        fa_wrench wrench = body_wrench(&arm->pose[link->body], value + link->wrench_row,
                                       point_to_parent(link->frame, com));
        arm->wrench[link->body] = wrench_add(arm->wrench[link->body], wrench);
    }
    return true;
}

fa_motion fa_arm_tip_motion(const fa_arm *arm)
{
    fa_motion        ground = {.X = transform_identity(), .pose = transform_identity()};
    const fa_motion *body = arm->tip_body == FA_WORLD ? &ground : &arm->motion[arm->tip_body];
    return fa_frame_motion(body, arm->tip_frame);
}

fa_quaternion fa_arm_tip_quaternion(const fa_arm *arm, const double q[])
{
    // Half angles multiplied along the path: continuous where one taken from a rotation matrix
    // would have to change its sign.
    fa_quaternion turn = {1, 0, 0, 0};
    for (int i = 0; i < arm->n_path; i++) {
        const fa_body *body = &arm->body[arm->path[i]];
        turn = fa_quaternion_mul(turn, arm->joint[arm->path[i]].home);
        if (body->joint == FA_REVOLUTE)
            turn = fa_quaternion_mul(turn,
                                     fa_quaternion_about(body->axis, fa_joint_position(body, q)));
    }
    return fa_quaternion_mul(turn, arm->tip_home);
}

static void put_twist(double to[6], fa_twist v)
{
    const double linear_first[6] = {v.linear.x,  v.linear.y,  v.linear.z,
                                    v.angular.x, v.angular.y, v.angular.z};
    memcpy(to, linear_first, sizeof linear_first);
}

static double spring_energy(const fa_arm *arm, const double q[])
{
    double energy = 0;
    for (int i = 0; i < arm->chain.n; i++)
        if (arm->joint[i].spring.present)
            energy += fa_spring_energy(&arm->joint[i].spring, fa_joint_position(&arm->body[i], q));
    return energy;
}

static fa_status accelerations(fa_arm *arm, const double value[], fa_error *error)
{
    fa_load load = {fa_arm_loads(arm, value) ? arm->wrench : NULL};
    fa_arm_effort(arm, value, arm->tau);
    arm->factored = false;
    fa_status status =
        arm->method->forward(&arm->chain, value + arm->row_position, value + arm->row_velocity,
                             arm->tau, &load, arm->qdd, arm->work);
    if (status == FA_SINGULAR)
        return fa_fail(error, status, NULL, FA_NOWHERE,
                       "in this position some joint moves nothing that has inertia, so its "
                       "acceleration is undefined");
    if (status == FA_NOT_FINITE)
        return fa_fail(error, status, NULL, FA_NOWHERE, "the accelerations are not finite numbers");
    return status;
}

// The rows behind the accelerations, laid out as in the table.
enum { POSE_ROWS = 7, TWIST_ROWS = 6, ENERGY_ROWS = 2 };

static fa_status evaluate(void *self, double value[], unsigned groups, fa_error *error)
{
    fa_arm       *arm = self;
    const double *q = value + arm->row_position, *qd = value + arm->row_velocity;
    const double *qdd = value + arm->row_acceleration;
    int           n = arm->chain.n_coordinates;
    double        pose[POSE_ROWS], velocity[TWIST_ROWS], acceleration[TWIST_ROWS];
    double        energy[ENERGY_ROWS];

    if (groups & FA_GROUP_DERIVATIVES) {
        fa_status status = accelerations(arm, value, error);
        if (status != FA_OK) return status;
        qdd = arm->qdd;
    }
    unsigned moving =
        FA_ARM_GROUP_POSE | FA_ARM_GROUP_VELOCITY | FA_ARM_GROUP_ACCELERATION | FA_ARM_GROUP_ENERGY;
    if (groups & moving) fa_chain_motion(&arm->chain, q, qd, qdd, arm->motion);
    fa_motion tip = fa_arm_tip_motion(arm);
    bool      finite = true;
    if (groups & FA_ARM_GROUP_POSE) {
        fa_quaternion turn = fa_arm_tip_quaternion(arm, q);
        const double  rows[POSE_ROWS] = {tip.pose.r.x, tip.pose.r.y, tip.pose.r.z, turn.w,
                                         turn.x,       turn.y,       turn.z};
        memcpy(pose, rows, sizeof pose);
        finite &= fa_all_finite(pose, POSE_ROWS);
    }
    if (groups & FA_ARM_GROUP_VELOCITY) {
        put_twist(velocity, fa_world_velocity(&tip));
        finite &= fa_all_finite(velocity, TWIST_ROWS);
    }
    if (groups & FA_ARM_GROUP_ACCELERATION) {
        put_twist(acceleration, fa_world_acceleration(&tip));
        finite &= fa_all_finite(acceleration, TWIST_ROWS);
    }
    if (groups & FA_ARM_GROUP_ENERGY) {
        energy[0] = fa_kinetic_energy(&arm->chain, qd, arm->motion);
        energy[1] = fa_potential_energy(&arm->chain, arm->motion) + spring_energy(arm, q);
        finite &= fa_all_finite(energy, ENERGY_ROWS);
    }
    if (!finite)
        return fa_fail(error, FA_NOT_FINITE, NULL, FA_NOWHERE,
                       "the motion of the tip or the energy is not a finite number");

    // Nothing can fail any more.
    if (groups & FA_GROUP_DERIVATIVES)
        memcpy(value + arm->row_acceleration, arm->qdd, (size_t)n * sizeof *value);
    if (groups & FA_ARM_GROUP_POSE) memcpy(value + arm->row_tip_pose, pose, sizeof pose);
    if (groups & FA_ARM_GROUP_VELOCITY)
        memcpy(value + arm->row_tip_velocity, velocity, sizeof velocity);
    if (groups & FA_ARM_GROUP_ACCELERATION)
        memcpy(value + arm->row_tip_acceleration, acceleration, sizeof acceleration);
    if (groups & FA_ARM_GROUP_ENERGY) memcpy(value + arm->row_energy, energy, sizeof energy);
    return FA_OK;
}

const fa_plant fa_arm_plant = {
    .name = "arm",
    .about = "serial or branched manipulator",
    .declare = fa_arm_declare,
    .depends = fa_arm_depends,
    .size = arm_size,
    .prepare = prepare,
    .configure = configure,
    .evaluate = evaluate,
    .tangent = fa_arm_tangent,
};
