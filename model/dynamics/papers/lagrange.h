// The referees: Lagrangian formulations that share no code with the recursive methods. They use
// neither spatial.h's algebra nor the chain's kinematics, only the chain's plain data and the
// matrices of plain_matrix.h. Slow, and meant to be checked by eye.
#ifndef FA_LAGRANGE_H
#define FA_LAGRANGE_H

#include "dynamics.h"
#include "plain_matrix.h"

// Terms of Silver's equations, in world axes, for one body of the chain.
typedef struct fa_lagrange_body {
    fa_m3 W;      // the body's axes, as columns
    fa_v3 z;      // unit vector along the joint's axis
    fa_v3 o;      // a point on it, fixed in the body [m]
    fa_v3 com;    // centre of mass [m]
    fa_m3 I;      // inertia tensor about it [kg m^2]
    fa_v3 vo;     // velocity of o [m/s]
    fa_v3 v, w;   // velocity of the centre of mass [m/s], angular velocity [rad/s]
    fa_v3 dv, dw; // their derivatives in time; free fall is part of dv
} fa_lagrange_body;

// Fills b[0...n-1].
void fa_lagrange_motion(const fa_chain *chain, const double q[], const double qd[],
                        const double qdd[], fa_lagrange_body b[]);

// Derivatives of the velocities of body i by the rate of joint j, its own or an ancestor's: (3.15)
// and (3.16).
void fa_lagrange_partials(const fa_chain *chain, const fa_lagrange_body b[], int i, int j,
                          fa_v3 *dv_dqd, fa_v3 *dw_dqd);

#endif
