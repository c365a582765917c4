// The efforts by which drives move or hold a robot with closed loops: shares of what its tree would
// need. Drives are the servos that make up for the weight, or those of an inverse.
#ifndef FA_ARM_WEIGHT_LOOPS_H
#define FA_ARM_WEIGHT_LOOPS_H

#include "arena.h"
#include "loop_tangents.h"

typedef struct fa_weight_loops {
    int                   n, n_freedoms; // drives, independent coordinates
    int                  *coordinate;    // of each
    double               *scale;         // of each: efforts are smallest as multiples of these
    fa_loop_work          work;
    fa_loop_body_tangent *tangent;
    double               *B, *dB;     // rows of G of these coordinates, scaled, and their change
    double *N, *turn, *left, *pseudo; // B B^T, its eigenvectors, scratch, its pseudo-inverse
    double *tree, *x, *y, *unit;      // of coordinates
    double *u, *du, *rest;            // of independent coordinates
    double *share, *change, *other;   // of drives, as multiples
    double *rows, *unused;
} fa_weight_loops;

// Bytes for n of them, and one laid out there.
size_t           fa_weight_loops_size(const fa_loops *loops, int n);
fa_weight_loops *fa_weight_loops_place(void *memory, const fa_loops *loops, int n);

// From the efforts of the tree at q, which is closed, to those of the drives, zero elsewhere: of
// all that hold it best, the smallest. Then, at that pose, how they change with positions and with
// the tree's efforts, whose change is in `effort_tangent`; and the transpose, to adjoints by these,
// in its place, and by positions.
void fa_weight_loops_share(fa_weight_loops *w, const fa_chain *chain, const double q[],
                           double effort[]);
void fa_weight_loops_share_tangent(fa_weight_loops *w, const fa_chain *chain, const double dq[],
                                   double effort_tangent[]);
void fa_weight_loops_share_adjoint(fa_weight_loops *w, const fa_chain *chain,
                                   double effort_adjoint[], double q_adjoint[]);

// Shares of further efforts of the tree, at the same pose.
void fa_weight_loops_share_more(fa_weight_loops *w, const fa_chain *chain, double effort[]);

// The largest part of what the motion needs that the drives do not give, as a fraction of it; after
// fa_weight_loops_share.
double fa_weight_loops_left(fa_weight_loops *w);

#endif
