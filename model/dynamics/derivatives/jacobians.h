// The Jacobians of inverse and forward dynamics, all columns at once: analytic, two passes over the
// chain and one product for each pair of joints on one branch. docs/theory/derivatives.md derives
// them.
#ifndef FA_JACOBIANS_H
#define FA_JACOBIANS_H

#include "dynamics.h"

// Derivative of a load's wrenches by the orientation of their bodies. With A: rotated by a small
// angle w, in its own axes, body i has the additional moment A w and the additional force f x w, f
// being the force of load->wrench[i]. A force with a constant direction in the world at the point p
// of the body, and such a torque t, have A = p~ f~ + t~. NULL: wrenches rotate with their bodies.
typedef struct fa_load_turn {
    const fa_mat3 *moment;
} fa_load_turn;

// Change of tau of inverse dynamics with q, qd and qdd; the last is the mass matrix. Each is a
// matrix of n_coordinates squared, row by row: element [i][j] is the change of tau_i with q_j.
typedef struct fa_jacobians {
    double *by_q, *by_qd;
    double *by_third; // qdd of inverse dynamics, tau of forward dynamics
} fa_jacobians;

size_t fa_jacobians_work_size(const fa_chain *chain);
void   fa_inverse_jacobians(const fa_chain *chain, const double q[], const double qd[],
                            const double qdd[], const fa_load *load, fa_load_turn turn,
                            fa_jacobians to, void *work);

// Change of qdd of forward dynamics with q, qd and tau, at the qdd that tau causes; the last is the
// inverse of the mass matrix. Rows of coordinates that are held are zero. FA_SINGULAR where that
// has none.
fa_status fa_forward_jacobians(const fa_chain *chain, const double q[], const double qd[],
                               const double qdd[], const fa_load *load, fa_load_turn turn,
                               fa_jacobians to, void *work);

#endif
