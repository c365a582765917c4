// The closed form of Grigorov (2013); see closed_form.c for reference and symbols.
#ifndef FA_CLOSED_FORM_H
#define FA_CLOSED_FORM_H

#include "dynamics.h"

// The wrench with which each joint holds its link, about the body's origin and in its axes. Its
// part along the joint's axis is the generalised force less the rotor's share. `work` as for the
// inverse dynamics of the closed form. FA_UNFIT when joints follow others.
fa_status fa_joint_reactions(const fa_chain *chain, const double q[], const double qd[],
                             const double qdd[], const fa_load *load, fa_wrench reaction[],
                             void *work);

// The paper's piecewise solution: "each torque is computed without regard to the others". One row
// of (12), with the sums over the links that this joint carries and the accelerations known: a cost
// of n^2 at most. Where joints follow others it is the coordinate's whole force. `work` as for the
// inverse dynamics of the closed form.
fa_inverse_one_fn fa_closed_form_inverse_one;

#endif
