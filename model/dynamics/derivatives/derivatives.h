// Tangents and adjoints of inverse and forward dynamics: analytic, one sweep over the chain for a
// direction, without finite differences.
#ifndef FA_DERIVATIVES_H
#define FA_DERIVATIVES_H

#include "dynamics.h"
#include "kinematics.h"

// A small tangent of everything that the motion depends on. NULL where there is none. An inertia's
// tangent has the inertia's form, because mass, first moment and moment about the origin enter
// linearly.
typedef struct fa_tangent {
    fa_joint_tangent  joint;   // q, qd, qdd
    const double     *tau;     // read by fa_forward_tangent only
    const fa_wrench  *wrench;  // of the load, body axes
    const fa_inertia *inertia; // of each body
    const double     *rotor;   // of each body
    fa_vec3           gravity;
} fa_tangent;

// Total force that a joint transmits from its parent to its child, as a wrench about the child's
// origin, in its axes; and its tangent.
typedef struct fa_joint_force {
    fa_wrench f, df;
} fa_joint_force;

// Only f, then f and df. motion and motion_tangent belong to the same q, qd, qdd and to
// tangent->joint.
void fa_joint_forces(const fa_chain *chain, const fa_load *load, const fa_motion motion[],
                     fa_joint_force force[]);
void fa_joint_forces_tangent(const fa_chain *chain, const fa_load *load, const fa_motion motion[],
                             const fa_tangent *tangent, const fa_motion_tangent motion_tangent[],
                             fa_joint_force force[]);

// Tangent of tau of inverse dynamics. motion and motion_tangent as above. `work`: chain->n
// fa_joint_force, fa_inverse_step_work_size bytes.
size_t fa_inverse_step_work_size(const fa_chain *chain);
void   fa_inverse_tangent(const fa_chain *chain, const double qdd[], const fa_load *load,
                          const fa_motion motion[], const fa_tangent *tangent,
                          const fa_motion_tangent motion_tangent[], double tau_tangent[], void *work);

// Tangent of qdd of forward dynamics: M^-1 (dtau - the tangent of inverse dynamics at constant
// qdd). On entry motion_tangent belongs to tangent->joint with qdd NULL; `factor` is the Cholesky
// factor of M at q.
void fa_forward_tangent(const fa_chain *chain, const double qdd[], const fa_load *load,
                        const fa_motion motion[], const fa_tangent *tangent,
                        const fa_motion_tangent motion_tangent[], const double factor[],
                        double qdd_tangent[], void *work);

// Adjoints of a quantity: the transpose of a fa_tangent. Functions add to them; NULL if not needed,
// except for the joints' q and qd.
typedef struct fa_adjoint {
    fa_joint_adjoint joint; // qdd of inverse dynamics only
    double          *tau;
    fa_twist        *wrench;  // of the load, body axes; what pairs with a wrench is a twist
    fa_inertia      *inertia; // element by element: mass, h, and the six numbers of I
    double          *rotor;
    fa_vec3          gravity;
} fa_adjoint;

// The transpose of fa_joint_forces_tangent. On entry each `wanted` is the adjoint with respect to
// that joint's force: a twist pairs with a wrench. f is filled, `wanted` overwritten.
// adjoint->joint.qdd is not touched.
typedef struct fa_joint_force_adjoint {
    fa_wrench f;
    fa_twist  wanted;
} fa_joint_force_adjoint;

void fa_joint_forces_adjoint(const fa_chain *chain, const fa_load *load, const fa_motion motion[],
                             fa_joint_force_adjoint force[], fa_adjoint *adjoint,
                             fa_motion_adjoint motion_adjoint[]);

// The transposes of fa_inverse_tangent and fa_forward_tangent: from adjoints with respect to tau,
// or qdd, to those with respect to everything else. qdd_adjoint is overwritten. They add to
// motion_adjoint what the bodies' motion does; hand it to fa_chain_motion_adjoint next, with qdd
// NULL after fa_forward_adjoint.
size_t fa_inverse_slope_work_size(const fa_chain *chain);
void   fa_inverse_adjoint(const fa_chain *chain, const double qdd[], const fa_load *load,
                          const fa_motion motion[], const double tau_adjoint[], fa_adjoint *adjoint,
                          fa_motion_adjoint motion_adjoint[], void *work);
void   fa_forward_adjoint(const fa_chain *chain, const double qdd[], const fa_load *load,
                          const fa_motion motion[], const double factor[], double qdd_adjoint[],
                          fa_adjoint *adjoint, fa_motion_adjoint motion_adjoint[], void *work);

// x . I y for an inertia I, as an adjoint with respect to I: added to `adjoint`.
void fa_inertia_adjoint(fa_twist x, fa_twist y, fa_inertia *adjoint);

#endif
