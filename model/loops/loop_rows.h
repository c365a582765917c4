// Rows of one constraint: residual, Jacobian, bias, and what they push with. Only the files of this
// folder ask for them.
#ifndef FA_LOOP_ROWS_H
#define FA_LOOP_ROWS_H

#include "loops.h"

// Computes the poses of a cluster's bodies, and their joints' axes, in the carrier's frame.
void fa_loop_poses(const fa_loops *loops, const fa_cluster *cluster, const fa_chain *chain,
                   const double q[], fa_loop_body body[]);

// The frames of a constraint in the carrier's frame.
typedef struct fa_loop_frames {
    fa_transform P, S;
    fa_vec3      d; // from P to S
    fa_vec3      direction[FA_LOOP_ROWS_MAX];
    int          n_position, n_rows; // the first rows are on position
} fa_loop_frames;

fa_loop_frames fa_loop_frames_at(const fa_constraint *c, const fa_chain *chain,
                                 const fa_loop_body body[], int carrier);

// `q` is read by couplings and relations only.
void fa_loop_row_residual(const fa_constraint *c, const fa_loops *loops, const fa_chain *chain,
                          const fa_loop_frames *f, const double q[], double residual[]);
// kept[]: rows that are asked for, the others become zero; NULL: all are.
void fa_loop_row_jacobian(const fa_constraint *c, const fa_loops *loops, const fa_chain *chain,
                          const fa_loop_frames *f, const fa_loop_body body[], const double q[],
                          const bool kept[], double K[]);

// Velocities of the bodies of a cluster that stand as fa_loop_poses has found, and their
// accelerations with qdd zero.
void fa_loop_velocities(const fa_loops *loops, const fa_cluster *cluster, const fa_chain *chain,
                        const double qd[], fa_loop_body body[]);

// Accelerations of the rows with qdd zero; relations read qd and what the Jacobian has left in K.
void fa_loop_row_bias(const fa_constraint *c, const fa_loops *loops, const fa_loop_frames *f,
                      const fa_loop_body body[], int carrier, const double qd[], const double K[],
                      double bias[]);

#endif
