// arm_tangent.c run backwards: from adjoints with respect to what an arm calculates to adjoints
// with respect to parameters, inputs and states, all of them in one sweep. Each function here is
// the transpose of the one of like name there.
#include <string.h>

#include "arm.h"
#include "arm_outputs.h"
#include "energy.h"
#include "loop_derivatives.h"

static fa_vec3 get(const double from[])
{
    return vec3(from[0], from[1], from[2]);
}

static void add(double to[], fa_vec3 v)
{
    to[0] += v.x;
    to[1] += v.y;
    to[2] += v.z;
}

// ------------------------------------------------------------------------------------- parameters

// With adjoints of the six elements of a symmetric A collected in B, a tangent's effect is tr(B
// dA): the off-diagonal ones stand twice in the matrix, so half of each.
static fa_sym3 as_matrix(fa_sym3 adjoint)
{
    return (fa_sym3){adjoint.xx,       adjoint.yy,       adjoint.zz,
                     0.5 * adjoint.xy, 0.5 * adjoint.xz, 0.5 * adjoint.yz};
}

// tr(B sym3_point(a, a)), and half its gradient with respect to a.
static double point_adjoint(fa_sym3 B, fa_vec3 a, fa_vec3 *half_gradient)
{
    *half_gradient = vec3_sub(vec3_scale(B.xx + B.yy + B.zz, a), sym3_mul(B, a));
    return dot(a, *half_gradient);
}

// Adjoints of an inertia in the body's frame, as adjoints of mass, centre of mass and inertia of a
// link.
static void inertia_adjoint(const double value[], int row, fa_transform frame,
                            const fa_inertia *of_body, double adjoint[])
{
    fa_arm_mass m = fa_arm_mass_at(value, row);
    fa_sym3     B = as_matrix(of_body->I);
    fa_vec3     by_r, by_com;
    double      mass = of_body->mass + dot(of_body->h, frame.r) + point_adjoint(B, frame.r, &by_r);
    fa_vec3     h = mat3_mul(frame.E, vec3_add(of_body->h, vec3_scale(2, by_r)));
    fa_sym3     turned = sym3_rotate(frame.E, B);

    adjoint[row] += mass + dot(h, m.com) + point_adjoint(turned, m.com, &by_com);
    add(adjoint + row + 1, vec3_scale(m.mass, vec3_add(h, vec3_scale(2, by_com))));
    add(adjoint + row + 4, vec3(turned.xx, turned.yy, turned.zz));
    add(adjoint + row + 7, vec3(2 * turned.xy, 2 * turned.xz, 2 * turned.yz));
}

void fa_arm_inertia_adjoints(const fa_arm *arm, const double value[], double adjoint[])
{
    for (int i = 0; i < arm->n_links; i++) {
        const fa_arm_link *link = &arm->link[i];
        inertia_adjoint(value, link->row, link->frame, &arm->inertia_adjoint[link->body], adjoint);
    }
    if (arm->tip_body != FA_WORLD)
        inertia_adjoint(value, arm->row[FA_ARM_PAYLOAD_MASS], arm->tip_frame,
                        &arm->inertia_adjoint[arm->tip_body], adjoint);
}

static void rotor_adjoints(const fa_arm *arm, const double value[], double adjoint[])
{
    for (int i = 0; i < arm->chain.n; i++) {
        const int inertia = arm->joint[i].at[FA_AT(rotor.inertia)],
                  gear = arm->joint[i].at[FA_AT(rotor.gear)];
        const double N = value[gear];
        adjoint[inertia] += arm->rotor_adjoint[i] * N * N;
        adjoint[gear] += arm->rotor_adjoint[i] * 2 * value[inertia] * N;
    }
}

void fa_arm_advance_adjoints(const fa_arm *arm, const double advance_adjoint[], double adjoint[])
{
    const double turn = 2 * 3.14159265358979323846;
    for (int i = 0; i < arm->chain.n && arm->chain.screws; i++) {
        const int row = arm->joint[i].at[FA_ARM_PITCH];
        if (row != FA_NO_ROW) adjoint[row] += advance_adjoint[i] / turn;
    }
}

// ----------------------------------------------------------------------------------------- forces

// W pairs with the wrench about the body's origin that a world force and torque at `point` make.
// Gives the adjoint with respect to the point.
static fa_vec3 body_wrench_adjoint(const fa_motion *body, fa_twist W, const double world[6],
                                   fa_vec3 point, double world_adjoint[6],
                                   fa_motion_adjoint *body_adjoint)
{
    fa_mat3 E = body->pose.E;
    fa_vec3 force = mat3_mul(E, get(world)), torque = mat3_mul(E, get(world + 3));
    fa_vec3 by_force = vec3_add(W.linear, cross(W.angular, point));
    fa_vec3 by_turn = vec3_add(cross(force, by_force), cross(torque, W.angular));
    add(world_adjoint, mat3_tmul(E, by_force));
    add(world_adjoint + 3, mat3_tmul(E, W.angular));
    body_adjoint->pose.moment = vec3_sub(body_adjoint->pose.moment, by_turn);
    return cross(force, W.angular);
}

void fa_arm_load_adjoints(const fa_arm *arm, const double value[], double adjoint[])
{
    if (arm->tip_body != FA_WORLD) {
        int i = arm->tip_body, row = arm->row[FA_ARM_TIP_WRENCH];
        body_wrench_adjoint(&arm->motion[i], arm->wrench_adjoint[i], value + row, arm->tip_frame.r,
                            adjoint + row, &arm->motion_adjoint[i]);
    }
    for (int k = 0; arm->has_link_wrenches && k < arm->n_links; k++) {
        const fa_arm_link *link = &arm->link[k];
        const int          i = link->body;
        double             world[6], world_adjoint[6] = {0};
        if (link->wrench_row == FA_NO_ROW && link->relief == 0) continue;
        (void)fa_arm_link_push(arm, link, value, world);
        fa_vec3 point = point_to_parent(link->frame, fa_arm_mass_at(value, link->row).com);
        fa_vec3 by_point = body_wrench_adjoint(&arm->motion[i], arm->wrench_adjoint[i], world,
                                               point, world_adjoint, &arm->motion_adjoint[i]);
        fa_arm_link_push_adjoint(arm, link, value, world_adjoint, adjoint);
        add(adjoint + link->row + 1, mat3_mul(link->frame.E, by_point));
    }
    fa_arm_touches_wrench_adjoints(arm, false, arm->motion, arm->wrench_adjoint,
                                   arm->motion_adjoint);
}

// ----------------------------------------------------------------------------------------- outputs

static void tip_adjoints(const fa_arm *arm, const double q[], const double adjoint[],
                         unsigned groups)
{
    if (arm->tip_body == FA_WORLD) return;
    static const fa_wrench none = {{0, 0, 0}, {0, 0, 0}};
    fa_motion              tip = fa_arm_tip_motion(arm);
    fa_motion_adjoint      tip_adjoint = {none, none, none};
    if (groups & FA_ARM_GROUP_POSE) {
        const double *pose = adjoint + arm->row[FA_ARM_TIP_POSITION];
        fa_quaternion turn = fa_arm_tip_quaternion(arm, q);
        double        by_turn[3];
        for (int i = 0; i < 3; i++) {
            fa_quaternion half = {0, i == 0 ? 0.5 : 0, i == 1 ? 0.5 : 0, i == 2 ? 0.5 : 0};
            fa_quaternion tangent = fa_quaternion_mul(turn, half);
            by_turn[i] = pose[3] * tangent.w + pose[4] * tangent.x + pose[5] * tangent.y +
                         pose[6] * tangent.z;
        }
        tip_adjoint.pose = (fa_wrench){get(by_turn), mat3_mul(tip.pose.E, get(pose))};
    }
    if (groups & FA_ARM_GROUP_VELOCITY) {
        const double *row = adjoint + arm->row[FA_ARM_TIP_VELOCITY];
        fa_world_velocity_adjoint(&tip, (fa_twist){get(row + 3), get(row)}, &tip_adjoint);
    }
    if (groups & FA_ARM_GROUP_ACCELERATION) {
        const double *row = adjoint + arm->row[FA_ARM_TIP_ACCELERATION];
        fa_world_acceleration_adjoint(&tip, (fa_twist){get(row + 3), get(row)}, &tip_adjoint);
    }
    fa_frame_motion_adjoint(&tip_adjoint, arm->tip_frame, &arm->motion_adjoint[arm->tip_body]);
}

// Adjoints of the energies, and of their balance.
static void energy_adjoints(const fa_arm *arm, const fa_chain *still, const double value[],
                            double adjoint[], fa_adjoint *sums)
{
    const double *qd = value + arm->row[FA_ARM_VELOCITY];
    double        kinetic = adjoint[arm->row[FA_ARM_KINETIC]],
           potential = adjoint[arm->row[FA_ARM_KINETIC] + 1];
    if (arm->works) {
        double  balance = adjoint[arm->row[FA_ARM_RESIDUAL]];
        double *work = adjoint + arm->row[FA_ARM_WORK];
        kinetic += balance;
        potential += balance;
        work[FA_ARM_BY_ACTUATORS] -= balance;
        work[FA_ARM_BY_OTHERS] -= balance;
        work[FA_ARM_FRICTION] += balance;
        work[FA_ARM_STOPS] += balance;
        if (arm->n_works > FA_ARM_CONTACTS) work[FA_ARM_CONTACTS] += balance;
    }
    fa_kinetic_energy_adjoint(still, qd, arm->motion, kinetic, sums, arm->motion_adjoint);
    fa_potential_energy_adjoint(still, arm->motion, potential, sums, arm->motion_adjoint);
    fa_arm_drives_energy_adjoint(arm, value, potential, adjoint);
}

// From adjoints of the accelerations in arm->qdd_tangent, or of an inverse's torques, to everything
// that they depend on.
static fa_status result_adjoints(fa_arm *arm, const double value[], const fa_load *load,
                                 double adjoint[], fa_adjoint *sums, unsigned groups,
                                 fa_error *error)
{
    const double *q = value + arm->row[FA_ARM_POSITION],
                 *qdd = value + arm->row[FA_ARM_ACCELERATION];
    int n = arm->chain.n_coordinates;
    sums->wrench = arm->wrench_adjoint;
    if (arm->inverse) {
        memcpy(arm->qdd_tangent, adjoint + arm->row[FA_ARM_TORQUE], (size_t)n * sizeof *adjoint);
        if (arm->has_drives) fa_arm_voltages_adjoint(arm, value, arm->qdd_tangent, adjoint);
        if (groups & FA_ARM_GROUP_NEEDS)
            fa_arm_cylinders_need_adjoint(arm, value, arm->qdd_tangent, adjoint);
        fa_inverse_adjoint(&arm->chain, qdd, load, arm->motion, arm->qdd_tangent, sums,
                           arm->motion_adjoint, arm->work);
        for (int i = 0; i < n; i++) arm->tau_tangent[i] = -arm->qdd_tangent[i];
    } else {
        fa_status status =
            arm->loops ? fa_arm_linearise_loops(arm, value, error) : fa_arm_factor(arm, q, error);
        if (status != FA_OK) return status;
        sums->tau = arm->tau_tangent;
        if (arm->loops)
            fa_loops_forward_adjoint(&arm->chain, qdd, load, arm->motion, arm->loops,
                                     arm->qdd_tangent, sums, arm->motion_adjoint, arm->work);
        else
            fa_forward_adjoint(&arm->chain, qdd, load, arm->motion, arm->factor, arm->qdd_tangent,
                               sums, arm->motion_adjoint, arm->work);
    }
    fa_arm_drives_adjoint(arm, value, arm->tau_tangent, arm->power_adjoint, adjoint);
    fa_arm_load_adjoints(arm, value, adjoint);
    return FA_OK;
}

// Adjoint of the efforts on locked joints, from arm->push_tangent_of. Adds to the adjoints of the
// accelerations.
static fa_status push_adjoints(fa_arm *arm, const double value[], const fa_load *load,
                               fa_adjoint *sums, fa_error *error)
{
    const double *qd = value + arm->row[FA_ARM_VELOCITY];
    const double *qdd = value + arm->row[FA_ARM_ACCELERATION];
    if (arm->loops) {
        const fa_status status = fa_arm_linearise_loops(arm, value, error);
        if (status != FA_OK) return status;
        fa_loops_push_adjoint(&arm->chain, sums->joint.q, sums->joint.advance, arm->push_tangent_of,
                              arm->loops);
    }
    for (int i = 0; i < arm->chain.n_coordinates; i++) {
        arm->tau_tangent[i] = arm->push_tangent_of[i];
        arm->push_tangent_of[i] = -arm->push_tangent_of[i];
    }
    sums->joint.qdd = arm->qdd_tangent;
    sums->wrench = arm->wrench_adjoint;
    memset(arm->motion_adjoint, 0, (size_t)arm->chain.n * sizeof *arm->motion_adjoint);
    fa_inverse_adjoint(&arm->chain, qdd, load, arm->motion, arm->push_tangent_of, sums,
                       arm->motion_adjoint, arm->work);
    fa_chain_motion_adjoint(&arm->chain, qd, qdd, arm->motion, arm->motion_adjoint, sums->joint);
    sums->joint.qdd = NULL;
    return FA_OK;
}

void fa_arm_base_adjoints(const fa_arm *arm, const fa_wrench by[2], double adjoint[])
{
    double *s = adjoint + arm->row[FA_ARM_BASE_MOTION];
    add(s, by[1].force);
    add(s + 3, by[0].moment);
    add(s + 6, by[1].moment);
}

fa_status fa_arm_adjoint(void *self, const double value[], double adjoint[], unsigned groups,
                         fa_error *error)
{
    fa_arm       *arm = self;
    const double *q = value + arm->row[FA_ARM_POSITION], *qd = value + arm->row[FA_ARM_VELOCITY];
    const double *qdd = value + arm->row[FA_ARM_ACCELERATION];
    double       *q_adjoint = adjoint + arm->row[FA_ARM_POSITION];
    double       *qd_adjoint = adjoint + arm->row[FA_ARM_VELOCITY];
    double       *qdd_adjoint = adjoint + arm->row[FA_ARM_ACCELERATION];
    size_t        bodies = (size_t)arm->chain.n, coordinates = (size_t)arm->chain.n_coordinates;
    bool          powers = groups & arm->powers, solved = powers || groups & FA_GROUP_DERIVATIVES;
    fa_wrench     base[2] = {{{0, 0, 0}, {0, 0, 0}}, {{0, 0, 0}, {0, 0, 0}}};
    fa_adjoint    sums = {
           .joint = {.q = q_adjoint,
                     .qd = qd_adjoint,
                     .qdd = arm->inverse ? qdd_adjoint : NULL,
                     .advance = arm->chain.screws ? arm->advance_adjoint : NULL},
           .inertia = arm->inertia_adjoint,
           .rotor = arm->rotor_adjoint,
    };
    fa_arm_place(arm, value);
    if (arm->cylinders.n > 0) {
        fa_status status = fa_arm_cylinders_trace(arm, value, error);
        if (status != FA_OK) return fa_explain(error, status, NULL);
        fa_arm_cylinders_put_adjoint(arm, value, adjoint, groups);
    }
    memset(arm->inertia_adjoint, 0, bodies * sizeof *arm->inertia_adjoint);
    memset(arm->rotor_adjoint, 0, bodies * sizeof *arm->rotor_adjoint);
    if (arm->chain.screws) memset(arm->advance_adjoint, 0, bodies * sizeof *arm->advance_adjoint);
    memset(arm->motion_adjoint, 0, bodies * sizeof *arm->motion_adjoint);
    memset(arm->wrench_adjoint, 0, bodies * sizeof *arm->wrench_adjoint);
    memset(arm->qdd_tangent, 0, coordinates * sizeof *arm->qdd_tangent);
    memset(arm->tau_tangent, 0, coordinates * sizeof *arm->tau_tangent);
    memset(arm->push_tangent_of, 0, coordinates * sizeof *arm->push_tangent_of);
    memset(arm->power_adjoint, 0, sizeof arm->power_adjoint);
    if (arm->weight.adjoint)
        memset(arm->weight.adjoint, 0, coordinates * sizeof *arm->weight.adjoint);
    fa_arm_touches_begin_adjoints(arm);
    fa_arm_touches_put_adjoint(arm, adjoint, groups);
    const fa_chain still = fa_arm_still(arm);
    fa_load        load = {NULL};
    fa_chain_motion(&still, q, qd, qdd, arm->motion);
    if (arm->tells) fa_arm_tell_adjoint(arm, value, adjoint, groups);

    const unsigned sticks = arm->sticks ? groups & FA_ARM_GROUP_STICK : 0;
    if (sticks) {
        fa_status status = fa_arm_pushes(arm, value, qdd);
        if (status != FA_OK) return fa_explain(error, status, NULL);
        fa_arm_gaps_adjoint(arm, value, arm->push_tangent_of, adjoint);
    }

    // Backwards: outputs first, then the accelerations, to which the tip's acceleration adds. An
    // inverse is given them.
    if (!arm->inverse) {
        if (solved) memcpy(arm->qdd_tangent, qdd_adjoint, coordinates * sizeof *arm->qdd_tangent);
        qdd_adjoint = arm->qdd_tangent;
    }
    tip_adjoints(arm, q, adjoint, groups);
    if (groups & FA_ARM_GROUP_ENERGY) energy_adjoints(arm, &still, value, adjoint, &sums);
    if (solved) load.wrench = fa_arm_loads(arm, value) ? arm->wrench : NULL;
    if (powers) {
        memcpy(arm->power_adjoint, adjoint + arm->row[FA_ARM_POWER],
               (size_t)arm->n_works * sizeof *arm->power_adjoint);
        fa_arm_load_power_adjoint(arm, &load, arm->power_adjoint[FA_ARM_BY_OTHERS]);
    }
    fa_joint_adjoint joint = {
        .q = q_adjoint, .qd = qd_adjoint, .qdd = qdd_adjoint, .advance = sums.joint.advance};
    if (groups & FA_ARM_GROUP_EXTRAS) fa_arm_outputs_adjoint(arm, value, joint, adjoint, groups);
    fa_chain_motion_adjoint(&still, qd, qdd, arm->motion, arm->motion_adjoint, joint);

    if (solved) {
        if (arm->chain.base_moves) {
            sums.joint.base_velocity = &base[0];
            sums.joint.base_acceleration = &base[1];
            fa_chain_motion(&arm->chain, q, qd, qdd, arm->motion);
        }
        if (sticks) {
            const fa_status status = push_adjoints(arm, value, &load, &sums, error);
            if (status != FA_OK) return status;
        }
        memset(arm->motion_adjoint, 0, bodies * sizeof *arm->motion_adjoint);
        fa_status status = result_adjoints(arm, value, &load, adjoint, &sums, groups, error);
        if (status != FA_OK) return fa_explain(error, status, NULL);
        fa_chain_motion_adjoint(&arm->chain, qd, qdd, arm->motion, arm->motion_adjoint, sums.joint);
        if (powers)
            status = fa_arm_ground_power_adjoint(arm, value, arm->power_adjoint[FA_ARM_BY_OTHERS],
                                                 &sums);
        if (status != FA_OK) return fa_explain(error, status, NULL);
        if (arm->chain.base_moves) fa_arm_base_adjoints(arm, base, adjoint);
    }
    add(adjoint + arm->row[FA_ARM_GRAVITY], sums.gravity);
    fa_arm_inertia_adjoints(arm, value, adjoint);
    rotor_adjoints(arm, value, adjoint);
    fa_arm_advance_adjoints(arm, arm->advance_adjoint, adjoint);
    fa_arm_weigh_adjoint(arm, value, adjoint);
    fa_arm_touches_end_adjoints(arm, value, adjoint);
    return FA_OK;
}
