// snake_kane_tangent.h run backwards: from adjoints of some quantity with respect to what a stage
// calculates, to its adjoints with respect to what the stage starts from. All are added to what is
// there, and all cost O(n), however many parameters a snake has.
//
// As with tangents, a thing's adjoints have its own type.
#ifndef FA_SNAKE_KANE_ADJOINT_H
#define FA_SNAKE_KANE_ADJOINT_H

#include "snake_kane.h"

// Where adjoints with respect to lengths, masses, rotors and forces are added up: n links, n - 1
// joints, n - 1 torques, n rolling forces.
typedef struct fa_snake_adjoints {
    fa_snake_link  *link;
    fa_snake_joint *joint;
    double         *torque, *rolling;
} fa_snake_adjoints;

// Bytes of work that fa_snake_reactions_adjoint takes.
size_t fa_snake_slope_work_size(int n_links);

// lambda holds the adjoints with respect to the wheels' lateral forces.
void fa_snake_reactions_adjoint(const fa_snake *snake, const fa_snake_motion motion[],
                                const fa_snake_forces *forces, const double lambda_adjoint[],
                                fa_snake_motion adjoint[], fa_snake_adjoints *sums, void *work);

// Takes the adjoints with respect to Vd and wd to those of ud, sigma, tau and the partial speeds.
void fa_snake_accelerate_adjoint(const fa_snake *snake, const fa_snake_motion motion[],
                                 const double ud[2], fa_snake_motion adjoint[],
                                 double ud_adjoint[2]);

// With the tangent of ud being M^-1 of fa_snake_residual_tangent, and by_residual M^-1 of the
// adjoint with respect to ud: the adjoints with respect to the equations' entries. M stands for a
// symmetric matrix: the adjoint with respect to its off-diagonal entry is the sum of both.
void fa_snake_residual_adjoint(const double by_residual[2], const double ud[2],
                               fa_snake_equations *equations_adjoint);

void fa_snake_project_adjoint(const fa_snake *snake, const fa_snake_motion motion[],
                              const fa_snake_forces    *forces,
                              const fa_snake_equations *equations_adjoint,
                              fa_snake_motion adjoint[], fa_snake_adjoints *sums);

void fa_snake_kinetic_energy_adjoint(const fa_snake *snake, const fa_snake_motion motion[],
                                     double energy_adjoint, fa_snake_motion adjoint[],
                                     fa_snake_adjoints *sums);

// The last stage backwards is the first: consumes `adjoint`.
void fa_snake_kinematics_adjoint(const fa_snake *snake, const fa_snake_motion motion[],
                                 fa_snake_motion adjoint[], fa_snake_adjoints *sums,
                                 double theta_adjoint[], double u_adjoint[2]);

#endif
