// The Jacobian of an arm's tip and its mass matrix, as outputs. A column of the one is the tip's
// velocity when one coordinate moves, of the other the torques of inverse dynamics, without gravity
// and at rest, when one accelerates; so their changes are those of fa_chain_motion and of
// fa_inverse_tangent, column by column.
#include <string.h>

#include "arm_outputs.h"
#include "methods.h"

enum { TWIST_ROWS = 6 };

static size_t larger(size_t a, size_t b)
{
    return a > b ? a : b;
}

void fa_arm_matrices_lay_out(fa_arm_outputs *to, fa_arena *a, const fa_chain *chain)
{
    size_t n = (size_t)chain->n, c = (size_t)chain->n_coordinates;
    to->jacobian =
        fa_arena_take(a, to->wanted & FA_EXTRA_JACOBIAN ? TWIST_ROWS * c : 0, sizeof *to->jacobian);
    to->mass_matrix =
        fa_arena_take(a, to->wanted & FA_EXTRA_MASS_MATRIX ? c * c : 0, sizeof *to->mass_matrix);
    to->motion = fa_arena_take(a, n, sizeof *to->motion);
    void *motions = fa_arena_share(a, n, sizeof *to->motion_tangent, sizeof *to->motion_adjoint);
    to->motion_tangent = motions;
    to->motion_adjoint = motions;
    to->zero = fa_arena_take(a, c, sizeof *to->zero);
    to->unit = fa_arena_take(a, c, sizeof *to->unit);
    to->column = fa_arena_take(a, c, sizeof *to->column);
    size_t work = larger(fa_inverse_step_work_size(chain), fa_inverse_slope_work_size(chain));
    to->work = fa_arena_take(a, 1, larger(work, fa_composite_body_work_size(chain)));
}

// --------------------------------------------------------------------------------------- Jacobian

// A column at a time, when coordinate j alone moves at unit speed.
bool fa_arm_jacobian(fa_arm *arm, const double q[])
{
    fa_arm_outputs *out = arm->outputs;
    int             c = arm->chain.n_coordinates;
    memset(out->jacobian, 0, (size_t)(TWIST_ROWS * c) * sizeof *out->jacobian);
    if (arm->tip_body == FA_WORLD) return true;
    fa_chain_poses(&arm->chain, q, arm->pose);
    fa_vec3 tip = point_to_parent(arm->pose[arm->tip_body], arm->tip_frame.r);
    for (int k = 0; k < arm->n_path; k++) {
        const fa_body      *body = &arm->body[arm->path[k]];
        const fa_transform *pose = &arm->pose[arm->path[k]];
        fa_twist            S = twist_scale(body->ratio, fa_joint_axis(body));
        fa_vec3             angular = mat3_tmul(pose->E, S.angular);
        fa_vec3             lever = cross(angular, vec3_sub(tip, pose->r));
        fa_vec3             linear = vec3_add(mat3_tmul(pose->E, S.linear), lever);
        const double        column[TWIST_ROWS] = {linear.x,  linear.y,  linear.z,
                                                  angular.x, angular.y, angular.z};
        for (int i = 0; i < TWIST_ROWS; i++) out->jacobian[i * c + body->coordinate] += column[i];
    }
    return fa_all_finite(out->jacobian, TWIST_ROWS * c);
}

void fa_arm_jacobian_tangent(fa_arm *arm, const double q[], const fa_tangent *tangent,
                             double direction[])
{
    fa_arm_outputs  *out = arm->outputs;
    int              c = arm->chain.n_coordinates;
    double          *to = direction + arm->row[FA_ARM_JACOBIAN];
    fa_joint_tangent joint = {.q = tangent->joint.q};
    const fa_chain   still = fa_arm_still(arm);
    for (int j = 0; j < c && arm->tip_body != FA_WORLD; j++) {
        out->unit[j] = 1;
        fa_chain_motion(&still, q, out->unit, NULL, out->motion);
        fa_chain_motion_tangent(&still, out->unit, NULL, out->motion, joint, out->motion_tangent);
        out->unit[j] = 0;
        fa_motion         tip = fa_frame_motion(&out->motion[arm->tip_body], arm->tip_frame);
        fa_motion_tangent tip_tangent =
            fa_frame_motion_tangent(&out->motion_tangent[arm->tip_body], arm->tip_frame);
        fa_twist     v = fa_world_velocity_tangent(&tip, &tip_tangent);
        const double column[TWIST_ROWS] = {v.linear.x,  v.linear.y,  v.linear.z,
                                           v.angular.x, v.angular.y, v.angular.z};
        for (int i = 0; i < TWIST_ROWS; i++) to[i * c + j] = column[i];
    }
}

void fa_arm_jacobian_adjoint(fa_arm *arm, const double q[], fa_joint_adjoint joint,
                             const double adjoint[])
{
    fa_arm_outputs  *out = arm->outputs;
    int              c = arm->chain.n_coordinates;
    const double    *from = adjoint + arm->row[FA_ARM_JACOBIAN];
    fa_joint_adjoint by_position = {.q = joint.q, .advance = joint.advance};
    const fa_chain   still = fa_arm_still(arm);
    for (int j = 0; j < c && arm->tip_body != FA_WORLD; j++) {
        fa_twist          wanted = {vec3(from[3 * c + j], from[4 * c + j], from[5 * c + j]),
                                    vec3(from[j], from[c + j], from[2 * c + j])};
        fa_motion_adjoint tip_adjoint = {.pose = {{0, 0, 0}, {0, 0, 0}}};
        memset(out->motion_adjoint, 0, (size_t)arm->chain.n * sizeof *out->motion_adjoint);
        out->unit[j] = 1;
        fa_chain_motion(&still, q, out->unit, NULL, out->motion);
        fa_motion tip = fa_frame_motion(&out->motion[arm->tip_body], arm->tip_frame);
        fa_world_velocity_adjoint(&tip, wanted, &tip_adjoint);
        fa_frame_motion_adjoint(&tip_adjoint, arm->tip_frame, &out->motion_adjoint[arm->tip_body]);
        fa_chain_motion_adjoint(&still, out->unit, NULL, out->motion, out->motion_adjoint,
                                by_position);
        out->unit[j] = 0;
    }
}

// ------------------------------------------------------------------------------------ mass matrix

static fa_chain weightless(const fa_chain *chain)
{
    fa_chain copy = *chain;
    copy.gravity = vec3(0, 0, 0);
    copy.base_moves = false;
    return copy;
}

bool fa_arm_mass_matrix(fa_arm *arm, const double q[])
{
    fa_arm_outputs *out = arm->outputs;
    int             c = arm->chain.n_coordinates;
    return fa_composite_body_mass_matrix(&arm->chain, q, out->mass_matrix, out->work) == FA_OK &&
           fa_all_finite(out->mass_matrix, c * c);
}

void fa_arm_mass_matrix_tangent(fa_arm *arm, const double q[], const fa_tangent *all,
                                double direction[])
{
    fa_arm_outputs *out = arm->outputs;
    int             c = arm->chain.n_coordinates;
    double         *to = direction + arm->row[FA_ARM_MASS_MATRIX];
    fa_chain        chain = weightless(&arm->chain);
    fa_tangent      tangent = {
             .joint = {.q = all->joint.q}, .inertia = all->inertia, .rotor = all->rotor};
    for (int j = 0; j < c; j++) {
        out->unit[j] = 1;
        fa_chain_motion(&chain, q, out->zero, out->unit, out->motion);
        fa_chain_motion_tangent(&chain, out->zero, out->unit, out->motion, tangent.joint,
                                out->motion_tangent);
        fa_inverse_tangent(&chain, out->unit, NULL, out->motion, &tangent, out->motion_tangent,
                           out->column, out->work);
        out->unit[j] = 0;
        for (int i = 0; i < c; i++) to[i * c + j] = out->column[i];
    }
}

// Adjoints of inertias and rotors are added to the arm's own.
void fa_arm_mass_matrix_adjoint(fa_arm *arm, const double q[], fa_joint_adjoint joint,
                                const double adjoint[])
{
    fa_arm_outputs  *out = arm->outputs;
    int              c = arm->chain.n_coordinates;
    const double    *from = adjoint + arm->row[FA_ARM_MASS_MATRIX];
    fa_chain         chain = weightless(&arm->chain);
    fa_joint_adjoint by_position = {.q = joint.q, .advance = joint.advance};
    fa_adjoint       sums = {
              .joint = by_position, .inertia = arm->inertia_adjoint, .rotor = arm->rotor_adjoint};
    for (int j = 0; j < c; j++) {
        for (int i = 0; i < c; i++) out->column[i] = from[i * c + j];
        memset(out->motion_adjoint, 0, (size_t)chain.n * sizeof *out->motion_adjoint);
        out->unit[j] = 1;
        fa_chain_motion(&chain, q, out->zero, out->unit, out->motion);
        fa_inverse_adjoint(&chain, out->unit, NULL, out->motion, out->column, &sums,
                           out->motion_adjoint, out->work);
        fa_chain_motion_adjoint(&chain, out->zero, out->unit, out->motion, out->motion_adjoint,
                                by_position);
        out->unit[j] = 0;
    }
}
