// Tangent of an arm: derivatives of all results in a direction of parameters, inputs and states.
// The sweeps are in dynamics/derivatives.c and kinematics.c; this file copies between rows and
// their tangents.
#include <string.h>

#include "arm.h"
#include "arm_outputs.h"
#include "arm_weight_loops.h"
#include "derivatives.h"
#include "energy.h"
#include "loop_derivatives.h"

static bool any_tangent(const double direction[], int first, int end)
{
    for (int row = first; row < end; row++)
        if (direction[row] != 0) return true;
    return false;
}

// A tangent of mass, centre of mass and inertia, as a tangent of the inertia in the body's frame.
static fa_inertia inertia_tangent(const double value[], const double direction[], int row,
                                  fa_transform frame)
{
    fa_arm_mass m = fa_arm_mass_at(value, row), d = fa_arm_mass_at(direction, row);
    fa_inertia  tangent = {
         d.mass,
         vec3_add(vec3_scale(d.mass, m.com), vec3_scale(m.mass, d.com)),
         sym3_add(d.inertia, sym3_add(sym3_scale(d.mass, sym3_point(m.com, m.com)),
                                      sym3_scale(2 * m.mass, sym3_point(m.com, d.com)))),
    };
    return inertia_to_parent(frame, tangent);
}

void fa_arm_inertia_tangents(fa_arm *arm, const double value[], const double direction[])
{
    memset(arm->inertia_tangent, 0, (size_t)arm->chain.n * sizeof *arm->inertia_tangent);
    for (int i = 0; i < arm->n_links; i++) {
        const fa_arm_link *link = &arm->link[i];
        fa_inertia        *tangent = &arm->inertia_tangent[link->body];
        *tangent = inertia_add(*tangent, inertia_tangent(value, direction, link->row, link->frame));
    }
    if (arm->tip_body != FA_WORLD) {
        fa_inertia *tangent = &arm->inertia_tangent[arm->tip_body];
        *tangent =
            inertia_add(*tangent, inertia_tangent(value, direction, arm->row[FA_ARM_PAYLOAD_MASS],
                                                  arm->tip_frame));
    }
}

void fa_arm_rotor_tangents(fa_arm *arm, const double value[], const double direction[])
{
    for (int i = 0; i < arm->chain.n; i++) { // rotor = inertia gear^2
        const int inertia = arm->joint[i].at[FA_AT(rotor.inertia)],
                  gear = arm->joint[i].at[FA_AT(rotor.gear)];
        arm->rotor_tangent[i] = direction[inertia] * value[gear] * value[gear] +
                                2 * value[inertia] * value[gear] * direction[gear];
    }
}

// Sets the tangents of the pitches in the chain's bodies and in its parts; NULL resets them.
void fa_arm_advance_tangents(fa_arm *arm, const double direction[])
{
    const double turn = 2 * 3.14159265358979323846;
    for (int i = 0; i < arm->chain.n && arm->chain.screws; i++) {
        const int row = arm->joint[i].at[FA_ARM_PITCH];
        if (row != FA_NO_ROW) arm->body[i].advance_tangent = direction ? direction[row] / turn : 0;
    }
}

// A force in world axes at a point of a body: its own tangent, and that of the axes; the point may
// move in the body, too.
static fa_wrench body_wrench_tangent(const fa_motion *body, const fa_motion_tangent *body_tangent,
                                     const double world[6], const double world_tangent[6],
                                     fa_vec3 point, fa_vec3 point_tangent)
{
    fa_mat3 E = body->pose.E;
    fa_vec3 turn = body_tangent->pose.angular;
    fa_vec3 force = mat3_mul(E, vec3(world[0], world[1], world[2]));
    fa_vec3 torque = mat3_mul(E, vec3(world[3], world[4], world[5]));
    fa_vec3 dforce =
        vec3_sub(mat3_mul(E, vec3(world_tangent[0], world_tangent[1], world_tangent[2])),
                 cross(turn, force));
    fa_vec3 dtorque =
        vec3_sub(mat3_mul(E, vec3(world_tangent[3], world_tangent[4], world_tangent[5])),
                 cross(turn, torque));
    fa_vec3 lever = vec3_add(cross(point_tangent, force), cross(point, dforce));
    return (fa_wrench){vec3_add(dtorque, lever), dforce};
}

void fa_arm_load_tangents(fa_arm *arm, const double value[], const double direction[])
{
    fa_vec3 fixed = {0, 0, 0};
    memset(arm->wrench_tangent, 0, (size_t)arm->chain.n * sizeof *arm->wrench_tangent);
    if (arm->tip_body != FA_WORLD) {
        int i = arm->tip_body;
        arm->wrench_tangent[i] = body_wrench_tangent(
            &arm->motion[i], &arm->motion_tangent[i], value + arm->row[FA_ARM_TIP_WRENCH],
            direction + arm->row[FA_ARM_TIP_WRENCH], arm->tip_frame.r, fixed);
    }
    for (int k = 0; arm->has_link_wrenches && k < arm->n_links; k++) {
        const fa_arm_link *link = &arm->link[k];
        double             world[6], world_tangent[6];
        if (link->wrench_row == FA_NO_ROW && link->relief == 0) continue;
        (void)fa_arm_link_push(arm, link, value, world);
        fa_arm_link_push_tangent(arm, link, value, direction, world_tangent);
        int     i = link->body;
        fa_vec3 com = fa_arm_mass_at(value, link->row).com;
        fa_vec3 com_tangent = fa_arm_mass_at(direction, link->row).com;
        arm->wrench_tangent[i] =
            wrench_add(arm->wrench_tangent[i],
                       body_wrench_tangent(&arm->motion[i], &arm->motion_tangent[i], world,
                                           world_tangent, point_to_parent(link->frame, com),
                                           mat3_tmul(link->frame.E, com_tangent)));
    }
    fa_arm_touches_wrench_tangents(arm, false, arm->motion, arm->motion_tangent,
                                   arm->wrench_tangent);
}

static void put(double to[], fa_vec3 v)
{
    to[0] = v.x;
    to[1] = v.y;
    to[2] = v.z;
}

static void tip_tangents(const fa_arm *arm, const double q[], double direction[])
{
    fa_motion             tip = fa_arm_tip_motion(arm);
    static const fa_twist rest = {{0, 0, 0}, {0, 0, 0}};
    fa_motion_tangent     tangent = {rest, rest, rest};
    if (arm->tip_body != FA_WORLD)
        tangent = fa_frame_motion_tangent(&arm->motion_tangent[arm->tip_body], arm->tip_frame);

    // A turn by the small angle a, in the tip's axes, multiplies by (1, a / 2) from the right.
    fa_vec3       half = vec3_scale(0.5, tangent.pose.angular);
    fa_quaternion turn = fa_quaternion_mul(fa_arm_tip_quaternion(arm, q),
                                           (fa_quaternion){0, half.x, half.y, half.z});
    double       *pose = direction + arm->row[FA_ARM_TIP_POSITION];
    put(pose, mat3_tmul(tip.pose.E, tangent.pose.linear));
    pose[3] = turn.w;
    put(pose + 4, vec3(turn.x, turn.y, turn.z));

    fa_twist velocity = fa_world_velocity_tangent(&tip, &tangent);
    put(direction + arm->row[FA_ARM_TIP_VELOCITY], velocity.linear);
    put(direction + arm->row[FA_ARM_TIP_VELOCITY] + 3, velocity.angular);
    fa_twist acceleration = fa_world_acceleration_tangent(&tip, &tangent);
    put(direction + arm->row[FA_ARM_TIP_ACCELERATION], acceleration.linear);
    put(direction + arm->row[FA_ARM_TIP_ACCELERATION] + 3, acceleration.angular);
}

// Accelerations from everything else, or torques of an inverse: their tangents' rows. arm->motion
// and arm->motion_tangent are those of the chain as it is, with the ground's motion.
static fa_status result_tangent(fa_arm *arm, const double value[], const fa_load *load,
                                double direction[], fa_tangent *tangent, unsigned groups,
                                fa_error *error)
{
    const double *qdd = value + arm->row[FA_ARM_ACCELERATION];
    int           n = arm->chain.n_coordinates;
    fa_arm_drives_tangent(arm, value, direction, arm->tau_tangent, arm->power_tangent);
    fa_arm_load_tangents(arm, value, direction);
    if (arm->inverse && arm->loops) {
        const fa_status status = fa_arm_linearise_loops(arm, value, error);
        if (status != FA_OK) return status;
    }
    if (arm->inverse) {
        fa_inverse_tangent(&arm->chain, qdd, load, arm->motion, tangent, arm->motion_tangent,
                           arm->qdd_tangent, arm->work);
        for (int i = 0; i < n; i++) arm->qdd_tangent[i] -= arm->tau_tangent[i];
        if (arm->shares) {
            for (int i = 0; i < n; i++) arm->qdd_tangent[i] -= arm->turned[i];
            memcpy(arm->tau_tangent, arm->qdd_tangent, (size_t)n * sizeof *arm->tau_tangent);
            fa_weight_loops_share_tangent(arm->shares, &arm->chain, tangent->joint.q,
                                          arm->qdd_tangent);
            for (int i = 0; i < n; i++) arm->tau_tangent[i] -= arm->qdd_tangent[i];
            fa_loops_inverse_tangent(&arm->chain, tangent, arm->tau_tangent, arm->loops);
        }
        memcpy(direction + arm->row[FA_ARM_TORQUE], arm->qdd_tangent,
               (size_t)n * sizeof *direction);
        if (arm->has_drives) fa_arm_voltages_tangent(arm, value, arm->qdd_tangent, direction);
        if (groups & FA_ARM_GROUP_NEEDS)
            fa_arm_cylinders_need_tangent(arm, value, arm->qdd_tangent, direction);
        return FA_OK;
    }
    if (arm->loops) {
        const fa_status status = fa_arm_linearise_loops(arm, value, error);
        if (status == FA_OK)
            fa_loops_forward_tangent(&arm->chain, qdd, load, arm->motion, tangent,
                                     arm->motion_tangent, arm->loops,
                                     direction + arm->row[FA_ARM_ACCELERATION], arm->work);
        return status;
    }
    fa_status status = fa_arm_factor(arm, value + arm->row[FA_ARM_POSITION], error);
    if (status != FA_OK) return status;
    fa_forward_tangent(&arm->chain, qdd, load, arm->motion, tangent, arm->motion_tangent,
                       arm->factor, direction + arm->row[FA_ARM_ACCELERATION], arm->work);
    return FA_OK;
}

// Tangent of the efforts on locked joints: arm->push_tangent_of. dqdd is that of all free ones.
static void push_tangent_of(fa_arm *arm, const double value[], const fa_load *load,
                            const double dqdd[], const fa_tangent *tangent)
{
    const double *qd = value + arm->row[FA_ARM_VELOCITY];
    const double *qdd = value + arm->row[FA_ARM_ACCELERATION];
    fa_tangent    own = *tangent;
    own.joint.qdd = dqdd;
    fa_chain_motion_tangent(&arm->chain, qd, qdd, arm->motion, own.joint, arm->motion_tangent);
    fa_inverse_tangent(&arm->chain, qdd, load, arm->motion, &own, arm->motion_tangent,
                       arm->push_tangent_of, arm->work);
    for (int i = 0; i < arm->chain.n_coordinates; i++)
        arm->push_tangent_of[i] = arm->tau_tangent[i] - arm->push_tangent_of[i];
    if (arm->loops)
        fa_loops_push_tangent(&arm->chain, tangent->joint.q, arm->push_tangent_of, arm->loops);
}

// The tangents of the energies, and of what the accounts do not explain.
static void energy_tangents(const fa_arm *arm, const fa_chain *still, const double value[],
                            const fa_tangent *tangent, double direction[])
{
    const double *qd = value + arm->row[FA_ARM_VELOCITY];
    double       *energy = direction + arm->row[FA_ARM_KINETIC];
    energy[0] = fa_kinetic_energy_tangent(still, qd, arm->motion, tangent, arm->motion_tangent);
    energy[1] = fa_potential_energy_tangent(still, arm->motion, tangent, arm->motion_tangent) +
                fa_arm_drives_energy_tangent(arm, value, direction);
    if (!arm->works) return;
    const double *work = direction + arm->row[FA_ARM_WORK];
    direction[arm->row[FA_ARM_RESIDUAL]] = energy[0] + energy[1] - work[FA_ARM_BY_ACTUATORS] -
                                           work[FA_ARM_BY_OTHERS] + work[FA_ARM_FRICTION] +
                                           work[FA_ARM_STOPS];
    if (arm->n_works > FA_ARM_CONTACTS)
        direction[arm->row[FA_ARM_RESIDUAL]] += work[FA_ARM_CONTACTS];
}

// The ground's motion as its rows have it: a tangent of the twists that it passes on.
void fa_arm_base_tangents(const fa_arm *arm, const double direction[], fa_twist tangent[2])
{
    const double *d = direction + arm->row[FA_ARM_BASE_MOTION];
    tangent[0] = (fa_twist){vec3(d[3], d[4], d[5]), vec3(0, 0, 0)};
    tangent[1] = (fa_twist){vec3(d[6], d[7], d[8]), vec3(d[0], d[1], d[2])};
}

static fa_status tangent(void *self, const double value[], double direction[], unsigned groups,
                         fa_error *error)
{
    fa_arm       *arm = self;
    const double *q = value + arm->row[FA_ARM_POSITION], *qd = value + arm->row[FA_ARM_VELOCITY];
    const double *qdd = value + arm->row[FA_ARM_ACCELERATION];
    const double *dq = direction + arm->row[FA_ARM_POSITION];
    const double *dqd = direction + arm->row[FA_ARM_VELOCITY];
    const double *dqdd = direction + arm->row[FA_ARM_ACCELERATION];
    const double *gravity = direction + arm->row[FA_ARM_GRAVITY];
    fa_twist      base[2];
    fa_tangent    tangent = {
           .joint = {.q = dq, .qd = dqd, .qdd = arm->inverse ? dqdd : NULL},
           .tau = arm->tau_tangent,
           .wrench = arm->wrench_tangent,
           .gravity = vec3(gravity[0], gravity[1], gravity[2]),
    };
    if (arm->cylinders.n > 0) {
        fa_status status = fa_arm_cylinders_trace(arm, value, error);
        if (status != FA_OK) return fa_explain(error, status, NULL);
        fa_arm_cylinders_put_tangent(arm, value, direction, groups);
    }
    fa_arm_place(arm, value);
    fa_arm_weigh_tangent(arm, value, direction);
    fa_arm_touches_tangent(arm, value, direction);
    fa_arm_touches_put_tangent(arm, direction, groups);
    if (arm->chain.base_moves) {
        fa_arm_base_tangents(arm, direction, base);
        tangent.joint.base_velocity = &base[0];
        tangent.joint.base_acceleration = &base[1];
    }
    if (any_tangent(direction, 0, arm->n_parameters)) {
        fa_arm_inertia_tangents(arm, value, direction);
        fa_arm_rotor_tangents(arm, value, direction);
        tangent.inertia = arm->inertia_tangent;
        tangent.rotor = arm->rotor_tangent;
    }
    fa_load    load = {NULL};
    const bool powers = groups & arm->powers, solved = powers || groups & FA_GROUP_DERIVATIVES;
    if (solved) {
        fa_chain_motion(&arm->chain, q, qd, qdd, arm->motion);
        fa_chain_motion_tangent(&arm->chain, qd, qdd, arm->motion, tangent.joint,
                                arm->motion_tangent);
        load.wrench = fa_arm_loads(arm, value) ? arm->wrench : NULL;
        fa_status status = result_tangent(arm, value, &load, direction, &tangent, groups, error);
        if (status == FA_OK && (groups & FA_ARM_GROUP_STICK) && arm->sticks) {
            status = fa_arm_pushes(arm, value, qdd);
            if (status == FA_OK) push_tangent_of(arm, value, &load, dqdd, &tangent);
        }
        double *ground = &arm->power_tangent[FA_ARM_BY_OTHERS];
        if (status == FA_OK && powers)
            status = fa_arm_ground_power_tangent(arm, value, &tangent, ground);
        if (status != FA_OK) return fa_explain(error, status, NULL);
        if (!arm->inverse) tangent.joint.qdd = dqdd; // from here on: the accelerations' own tangent
    }
    // Outputs are relative to the ground. On fixed ground, only the tip's acceleration needs
    // another sweep.
    const fa_chain still = fa_arm_still(arm);
    const bool     known = solved && !arm->chain.base_moves;
    tangent.joint.base_velocity = tangent.joint.base_acceleration = NULL;
    if (!known) fa_chain_motion(&still, q, qd, qdd, arm->motion);
    if (!known || (groups & FA_ARM_GROUP_ACCELERATION))
        fa_chain_motion_tangent(&still, qd, qdd, arm->motion, tangent.joint, arm->motion_tangent);
    if (powers) {
        arm->power_tangent[FA_ARM_BY_OTHERS] += fa_arm_load_power_tangent(arm, &load);
        memcpy(direction + arm->row[FA_ARM_POWER], arm->power_tangent,
               (size_t)arm->n_works * sizeof *arm->power_tangent);
    }
    unsigned tip = FA_ARM_GROUP_POSE | FA_ARM_GROUP_VELOCITY | FA_ARM_GROUP_ACCELERATION;
    if (groups & tip) tip_tangents(arm, q, direction);
    if (groups & FA_ARM_GROUP_ENERGY) energy_tangents(arm, &still, value, &tangent, direction);
    if (arm->tells) fa_arm_tell_tangent(arm, value, direction, groups);
    if (arm->sticks && (groups & FA_ARM_GROUP_STICK))
        fa_arm_gaps_tangent(arm, value, arm->push_tangent_of, direction);
    if (groups & FA_ARM_GROUP_EXTRAS)
        fa_arm_outputs_tangent(arm, value, &tangent, direction, groups);
    return FA_OK;
}

fa_status fa_arm_tangent(void *self, const double value[], double direction[], unsigned groups,
                         fa_error *error)
{
    fa_arm *arm = self;
    fa_arm_advance_tangents(arm, direction);
    const fa_status status = tangent(self, value, direction, groups, error);
    fa_arm_advance_tangents(arm, NULL);
    return status;
}
