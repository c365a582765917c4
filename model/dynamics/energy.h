// Kinetic and potential energy of a chain, and their first-order changes.
#ifndef FA_ENERGY_H
#define FA_ENERGY_H

#include "derivatives.h"
#include "kinematics.h"

// [J]; motion as fa_chain_motion gives it.
double fa_kinetic_energy(const fa_chain *chain, const double qd[], const fa_motion motion[]);

// [J]; zero with every mass at the world's origin. Springs are not in it.
double fa_potential_energy(const fa_chain *chain, const fa_motion motion[]);

double fa_kinetic_energy_tangent(const fa_chain *chain, const double qd[], const fa_motion motion[],
                                 const fa_tangent       *tangent,
                                 const fa_motion_tangent motion_tangent[]);
double fa_potential_energy_tangent(const fa_chain *chain, const fa_motion motion[],
                                   const fa_tangent       *tangent,
                                   const fa_motion_tangent motion_tangent[]);

// The transposes, for adjoints with respect to the energies: added to motion_adjoint,
// adjoint->joint.qd,
// ->inertia, ->rotor and ->gravity.
void fa_kinetic_energy_adjoint(const fa_chain *chain, const double qd[], const fa_motion motion[],
                               double wanted, fa_adjoint *adjoint,
                               fa_motion_adjoint motion_adjoint[]);
void fa_potential_energy_adjoint(const fa_chain *chain, const fa_motion motion[], double wanted,
                                 fa_adjoint *adjoint, fa_motion_adjoint motion_adjoint[]);

#endif
