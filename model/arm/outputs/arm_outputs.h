// Outputs that an arm has on request (fa_extra): what its joints and its base have to hold, the
// Jacobian of its tip, its mass matrix, where its links are.
#ifndef FA_ARM_OUTPUTS_H
#define FA_ARM_OUTPUTS_H

#include "arena.h"
#include "arm.h"

#define FA_ARM_GROUP_EXTRAS                                                                        \
    (FA_ARM_GROUP_REACTIONS | FA_ARM_GROUP_JACOBIAN | FA_ARM_GROUP_MASS_MATRIX | FA_ARM_GROUP_POSES)

#define FA_ARM_POSE_ROWS 12 // of a link that moves: position, x axis, y axis, z axis

typedef struct fa_arm_outputs {
    int wanted; // a union of fa_extra

    // Reactions: the same arm with each link of the robot a body of its own, in the frame of its
    // joint; joints that are fixed follow the first coordinate with ratio 0. Of this fa_arm only
    // what loads, inertias and their derivatives need is filled.
    fa_arm          parts;
    fa_inertia      tip_inertia;  // of the tip's link without payload, if the ground holds it
    fa_vec3         base;         // about which the base's reaction is taken, in the world
    int            *reaction_row; // of each link's joint; FA_NO_ROW: none
    fa_joint_force *force;
    fa_joint_force_adjoint *force_adjoint;

    // Matrices: columns one after the other.
    double            *jacobian;    // 6 rows
    double            *mass_matrix; // a row per coordinate
    fa_motion         *motion;
    fa_motion_tangent *motion_tangent;
    fa_motion_adjoint *motion_adjoint;
    double            *zero, *unit, *column; // of coordinates
    void              *work;

    fa_transform *place; // world to link, of each link that moves
} fa_arm_outputs;

// Their rows.
fa_status fa_arm_outputs_declare(const fa_robot *robot, fa_variables *variables, fa_error *error);

// Takes their memory, and sets arm->outputs if there are any. `to` and the arena as in
// arm_layout.c.
void fa_arm_outputs_lay_out(fa_arm *to, fa_arena *arena, int wanted, const fa_chain *chain,
                            int n_links);
void fa_arm_outputs_prepare(fa_arm *arm, const fa_robot *robot, const fa_variables *variables,
                            const int entry[]);
void fa_arm_outputs_configure(fa_arm *arm, const double value[]);

// The groups' values, into memory of their own, and from there to their rows. False: some are not
// finite numbers. Nothing happens if the arm has no such outputs.
bool fa_arm_outputs_evaluate(fa_arm *arm, const double value[], const double qdd[],
                             unsigned groups);
void fa_arm_outputs_put(const fa_arm *arm, double value[], unsigned groups);

// Like fa_plant.tangent and fa_plant.adjoint, with accelerations as knowns: their rows in
// `direction`, and `joint.qdd`, where adjoints are added.
void fa_arm_outputs_tangent(fa_arm *arm, const double value[], const fa_tangent *tangent,
                            double direction[], unsigned groups);
void fa_arm_outputs_adjoint(fa_arm *arm, const double value[], fa_joint_adjoint joint,
                            double adjoint[], unsigned groups);

// Implementations of each kind of output; arm_reactions.c, arm_matrices.c, arm_poses.c.
void fa_arm_reactions_lay_out(fa_arm_outputs *to, fa_arena *arena, size_t n_links);
void fa_arm_reactions_prepare(fa_arm *arm, const fa_robot *robot, const fa_variables *variables,
                              const int entry[]);
void fa_arm_reactions_configure(fa_arm *arm, const double value[]);
bool fa_arm_reactions(fa_arm *arm, const double value[], const double qdd[]);
void fa_arm_put_reactions(const fa_arm *arm, double value[]);
void fa_arm_reactions_tangent(fa_arm *arm, const double value[], const fa_tangent *all,
                              double direction[]);
void fa_arm_reactions_adjoint(fa_arm *arm, const double value[], fa_joint_adjoint joint,
                              double adjoint[]);

void fa_arm_matrices_lay_out(fa_arm_outputs *to, fa_arena *arena, const fa_chain *chain);
bool fa_arm_jacobian(fa_arm *arm, const double q[]);
void fa_arm_jacobian_tangent(fa_arm *arm, const double q[], const fa_tangent *tangent,
                             double direction[]);
void fa_arm_jacobian_adjoint(fa_arm *arm, const double q[], fa_joint_adjoint joint,
                             const double adjoint[]);
bool fa_arm_mass_matrix(fa_arm *arm, const double q[]);
void fa_arm_mass_matrix_tangent(fa_arm *arm, const double q[], const fa_tangent *all,
                                double direction[]);
void fa_arm_mass_matrix_adjoint(fa_arm *arm, const double q[], fa_joint_adjoint joint,
                                const double adjoint[]);

void fa_arm_poses_lay_out(fa_arm_outputs *to, fa_arena *arena, size_t n_links);
bool fa_arm_poses(fa_arm *arm, const double q[]);
void fa_arm_put_poses(const fa_arm *arm, double value[]);
void fa_arm_poses_tangent(const fa_arm *arm, double direction[]);
void fa_arm_poses_adjoint(const fa_arm *arm, const double adjoint[]);

#endif
