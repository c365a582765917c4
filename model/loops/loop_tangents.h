// Tangents of loops, and their constraint forces. All functions require fa_loops_factor at the same
// pose.
#ifndef FA_LOOP_TANGENTS_H
#define FA_LOOP_TANGENTS_H

#include "loops.h"

typedef struct fa_loop_body_tangent {
    fa_twist pose, v, a, dv, da;
} fa_loop_body_tangent;

size_t fa_loop_tangents_size(const fa_loops *loops); // bytes of `tangent` below

// Speeds, accelerations and tangents of coordinates; NULL: zero.
// Changes of screws' advances stand in their bodies; `screw` is 1 + the one body whose advance
// grows by 1 beyond that, 0: none.
typedef struct fa_loop_motion {
    const double *qd, *qdd, *dq, *dqd;
    int           screw;
} fa_loop_motion;

// Tangents of K qd and K qdd + k, by rows, at constant qdd; all rows.
void fa_loops_row_tangents(const fa_loops *loops, const fa_chain *chain,
                           const fa_loop_motion *motion, const fa_loop_work *work,
                           double velocity[], double acceleration[],
                           fa_loop_body_tangent tangent[]);

// Tangents of the residuals by dq and screws' advances; all rows.
void fa_loops_residual_tangents(const fa_loops *loops, const fa_chain *chain,
                                const fa_loop_motion *motion, const fa_loop_work *work,
                                double residual[], fa_loop_body_tangent tangent[]);

// The tangent of work->regularity is that of the sum of by_row times K x, at fixed x. False: it is
// 1, and stays so.
bool fa_loops_regularity_parts(const fa_loops *loops, const fa_loop_work *work, double x[],
                               double by_row[]);

// Tangent of K^T lambda at constant lambda, by coordinates.
void fa_loops_force_tangent(const fa_loops *loops, const fa_chain *chain,
                            const fa_loop_motion *motion, const double lambda[],
                            const fa_loop_work *work, double force[],
                            fa_loop_body_tangent tangent[]);

// Returns the reaction of the predecessor on the successor: moment and force at S, in the axes of
// S, for the multipliers of the rows in K^T lambda = M qdd + h - tau.
fa_wrench fa_loops_reaction(const fa_loops *loops, const fa_chain *chain, int constraint,
                            const double lambda[], const fa_loop_work *work);

// Its change with that of the pose and of the multipliers. `tangent` is that of
// fa_loops_row_tangents with the change of the pose.
fa_wrench fa_loops_reaction_tangent(const fa_loops *loops, const fa_chain *chain, int constraint,
                                    const double lambda[], const double lambda_tangent[],
                                    const fa_loop_work *work, const fa_loop_body_tangent tangent[]);

#endif
