// First-order changes of the accelerations of chains with loops, and their transposes.
//
//     G^T (M dqdd + dID - dtau - dK^T lambda) = 0,   K dqdd = - d(K qdd + k)
//
// with dID the change of inverse dynamics at fixed qdd, and K^T lambda = M qdd + h - tau.
#ifndef FA_LOOP_DERIVATIVES_H
#define FA_LOOP_DERIVATIVES_H

#include "derivatives.h"
#include "loop_tangents.h"

typedef struct fa_loop_tangent {
    fa_loop_work          loop;
    double               *M;                      // mass matrix of the tree
    double               *H;                      // Cholesky factor of G^T M G
    double               *lambda;                 // of rows
    double               *lambda_tangent;         // likewise
    double               *left;                   // of coordinates: dtau - dID + dK^T lambda
    double               *b, *y, *unit;           // of coordinates
    double               *u;                      // of independent coordinates
    double               *among, *share, *across; // of coordinates (fa_loops_share)
    double               *velocity, *acceleration, *unread; // of rows
    fa_loop_body_tangent *tangent;
    const double         *q, *qd, *qdd;
} fa_loop_tangent;

size_t          fa_loop_tangent_size(const fa_chain *chain);
fa_loop_tangent fa_loop_tangent_at(const fa_chain *chain, void *memory);

// At consistent q, qd and the qdd that tau and load cause. `work`: of the matrix and of inverse
// dynamics (fa_method_inverse, composite-body).
fa_status fa_loops_linearise(const fa_chain *chain, const double q[], const double qd[],
                             const double qdd[], const double tau[], const fa_load *load,
                             fa_loop_tangent *t, void *work);

// Maps x from efforts at coordinates, or from impulses, to the accelerations or speeds of the chain
// with its loops and locks.
fa_status fa_loops_respond(const fa_chain *chain, const double q[], double x[], fa_loop_tangent *t,
                           void *work);

// Computes the efforts that locks resist at each coordinate, from the efforts that the motion does
// not need; their tangent, and the transpose, after fa_loops_linearise.
fa_status fa_loops_push(const fa_chain *chain, const double q[], double push[], fa_loop_tangent *t);
void      fa_loops_push_tangent(const fa_chain *chain, const double dq[], double push[],
                                fa_loop_tangent *t);
void      fa_loops_push_adjoint(const fa_chain *chain, double q_adjoint[], double advance[],
                                double push[], fa_loop_tangent *t);

// Like fa_forward_tangent and fa_forward_adjoint. tangent->joint.q and qd must be consistent.
void fa_loops_forward_tangent(const fa_chain *chain, const double qdd[], const fa_load *load,
                              const fa_motion motion[], const fa_tangent *tangent,
                              const fa_motion_tangent motion_tangent[], fa_loop_tangent *t,
                              double qdd_tangent[], void *work);
void fa_loops_forward_adjoint(const fa_chain *chain, const double qdd[], const fa_load *load,
                              const fa_motion motion[], fa_loop_tangent *t, double qdd_adjoint[],
                              fa_adjoint *adjoint, fa_motion_adjoint motion_adjoint[], void *work);

// Completes tangents of dependent positions and speeds from those of independent ones.
void fa_loops_complete_tangents(const fa_chain *chain, double dq[], double dqd[],
                                fa_loop_tangent *t);

// And of dependent accelerations, after that.
void fa_loops_complete_accelerations(const fa_chain *chain, const double dq[], const double dqd[],
                                     double dqdd[], fa_loop_tangent *t);

// Prepares fa_loops_multiplier_tangent for an inverse, whose qdd_tangent is zero: `tree` is the
// tangent of the tree's efforts, less those of the drives.
void fa_loops_inverse_tangent(const fa_chain *chain, const fa_tangent *tangent, const double tree[],
                              fa_loop_tangent *t);

// The transpose: from adjoints by all positions and speeds to those by independent ones, which
// stand in their places; those of dependent ones become zero.
void fa_loops_complete_adjoints(const fa_chain *chain, double q_adjoint[], double qd_adjoint[],
                                double advance[], fa_loop_tangent *t);

// Tangents of fa_loop_work.regularity and of the gaps of loops, by the order they were given in;
// the transpose. After fa_loops_linearise; dq complete.
double fa_loops_regularity_tangent(const fa_chain *chain, const double dq[], fa_loop_tangent *t);
void   fa_loops_gap_tangents(const fa_chain *chain, const double dq[], double gap[],
                             fa_loop_tangent *t);
void   fa_loops_shown_adjoint(const fa_chain *chain, double regularity, const double gap[],
                              double q_adjoint[], double advance[], fa_loop_tangent *t);

// Computes the tangent of the multipliers, after fa_loops_forward_tangent: into t->lambda_tangent;
// t->tangent receives those of the bodies.
void fa_loops_multiplier_tangent(const fa_chain *chain, const fa_tangent *tangent,
                                 const double qdd_tangent[], fa_loop_tangent *t);

#endif
