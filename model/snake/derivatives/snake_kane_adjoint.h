// snake_kane_tangent.h in reverse mode: maps adjoints of a stage's results to adjoints of its
// arguments. All functions add to the adjoints, and cost O(n) for any number of parameters.
//
// As with tangents, the adjoint of a struct has the struct's type.
#ifndef FA_SNAKE_KANE_ADJOINT_H
#define FA_SNAKE_KANE_ADJOINT_H

#include "snake_kane.h"

// Accumulators of the adjoints of lengths, masses, rotors and forces: n links, n - 1 joints, n - 1
// torques, n rolling forces; n other forces and moments, where the forces have them.
typedef struct fa_snake_adjoints {
    fa_snake_link  *link;
    fa_snake_joint *joint;
    double         *torque, *rolling, *across, *moment;
} fa_snake_adjoints;

// Returns the size of the scratch of fa_snake_reactions_adjoint in bytes.
size_t fa_snake_slope_work_size(int n_links);

// lambda holds the adjoints with respect to the wheels' lateral forces.
void fa_snake_reactions_adjoint(const fa_snake *snake, const fa_snake_motion motion[],
                                const fa_snake_forces *forces, const double lambda_adjoint[],
                                fa_snake_motion adjoint[], fa_snake_adjoints *sums, void *work);

// Maps the adjoints of Vd and wd to those of ud, sigma, tau and the partial speeds.
void fa_snake_accelerate_adjoint(const fa_snake *snake, const fa_snake_motion motion[],
                                 const double ud[2], fa_snake_motion adjoint[],
                                 double ud_adjoint[2]);

// Maps by_residual to the adjoints of the equations' entries. The tangent of ud is M^-1 of
// fa_snake_residual_tangent, and by_residual is M^-1 of the adjoint of ud. M is symmetric: the
// adjoint of its off-diagonal entry is the sum of both.
void fa_snake_residual_adjoint(const double by_residual[2], const double ud[2],
                               fa_snake_equations *equations_adjoint);

void fa_snake_project_adjoint(const fa_snake *snake, const fa_snake_motion motion[],
                              const fa_snake_forces    *forces,
                              const fa_snake_equations *equations_adjoint,
                              fa_snake_motion adjoint[], fa_snake_adjoints *sums);

void fa_snake_kinetic_energy_adjoint(const fa_snake *snake, const fa_snake_motion motion[],
                                     double energy_adjoint, fa_snake_motion adjoint[],
                                     fa_snake_adjoints *sums);

// First stage of the reverse sweep; it overwrites `adjoint`.
void fa_snake_kinematics_adjoint(const fa_snake *snake, const fa_snake_motion motion[],
                                 fa_snake_motion adjoint[], fa_snake_adjoints *sums,
                                 double theta_adjoint[], double u_adjoint[2]);

#endif
