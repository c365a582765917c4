// A free planar chain of links and its recursions, O(n) each: positions, velocities, forward
// dynamics, and the tangents and adjoints of these.
//
// The first link is the base; link k + 1 hangs on the front joint of link k. In snake.h's letters a
// link reaches from a behind its wheel to b in front of it, and has its centre of mass at c, d.
//
// Articulated bodies after Featherstone (2008), ch. 7, in the plane. The body beyond a rear joint Q
// needs there, at the acceleration A of Q and the angular acceleration alpha,
//
//   force  f = S A + h alpha + f0,     torque  t = h.A + J alpha + t0
//
// with S symmetric; for one rigid link, r from Q to its centre of mass and i the quarter turn left,
// S = m, h = m i r, J = I + m r.r, f0 = -m w^2 r - F, t0 = -M - r x F.
#ifndef FA_SLIDING_CHAIN_H
#define FA_SLIDING_CHAIN_H

#include <stdbool.h>

#include "snake.h"

typedef struct fa_flat { // a vector of the plane, world axes
    double x, y;
} fa_flat;

static inline fa_flat flat(double x, double y)
{
    return (fa_flat){x, y};
}

static inline fa_flat flat_sum(fa_flat a, fa_flat b)
{
    return (fa_flat){a.x + b.x, a.y + b.y};
}

static inline fa_flat flat_less(fa_flat a, fa_flat b)
{
    return (fa_flat){a.x - b.x, a.y - b.y};
}

static inline fa_flat flat_times(double s, fa_flat a)
{
    return (fa_flat){s * a.x, s * a.y};
}

// s a + t b.
static inline fa_flat flat_mix(double s, fa_flat a, double t, fa_flat b)
{
    return (fa_flat){s * a.x + t * b.x, s * a.y + t * b.y};
}

static inline double flat_dot(fa_flat a, fa_flat b)
{
    return a.x * b.x + a.y * b.y;
}

static inline double flat_cross(fa_flat a, fa_flat b)
{
    return a.x * b.y - a.y * b.x;
}

static inline fa_flat flat_left(fa_flat a)
{
    return (fa_flat){-a.y, a.x};
}

static inline void flat_add(fa_flat *to, fa_flat a)
{
    to->x += a.x;
    to->y += a.y;
}

// State of a link, or the tangent or adjoint of a state.
typedef struct fa_sliding_link {
    fa_flat e;       // along the link; n is e turned left
    fa_flat P, V, A; // position, velocity and acceleration of the wheel
    fa_flat F;       // sum of all forces on the link but the joints'
    fa_flat ground;  // sum of the ground's forces alone
    double  w, alpha;
    double  M, ground_moment; // their moments about the centre of mass
    // The ground's results in the link's axes, summed over its points.
    double forwards, lateral, usage;
} fa_sliding_link;

typedef struct fa_sliding_chain {
    int                   n;
    const fa_snake_link  *link;
    const fa_snake_joint *joint;
    const bool           *told; // joints with prescribed acceleration
} fa_sliding_chain;

// An articulated body at its rear joint, and the pivots of its joint.
typedef struct fa_sliding_body {
    double  Sxx, Sxy, Syy, J, t0, D;
    fa_flat h, f0;
} fa_sliding_body;

// Compute P and V of all links from the first one's, and from e and w of all; and A from A of the
// first and alpha.
void fa_sliding_move(const fa_sliding_chain *chain, fa_sliding_link at[]);
void fa_sliding_accelerate(const fa_sliding_chain *chain, fa_sliding_link at[]);

// Computes alpha of all links and A of the first one, from F and M of the links, and from each
// joint's `torque` or prescribed acceleration. At a prescribed joint, `torque` is the sum of the
// other torques, and `drive` receives the drive's. Without `spinning` the links are at rest.
fa_status fa_sliding_solve(const fa_sliding_chain *chain, bool spinning, fa_sliding_link at[],
                           const double torque[], const double told[], double drive[],
                           fa_sliding_body body[]);

// Computes the forces between links: on link k + 1 at its rear joint, from A and F of all links.
void fa_sliding_reactions(const fa_sliding_chain *chain, const fa_sliding_link at[],
                          fa_flat force[]);

// Tangents: `by` has those of lengths and masses, `dot` those of e and w of all links and of P and
// V of the first.
void fa_sliding_move_tangent(const fa_sliding_chain *chain, const fa_sliding_link at[],
                             const fa_snake_link by[], fa_sliding_link dot[]);
// Tangent of A, with that of alpha.
void fa_sliding_accelerate_tangent(const fa_sliding_chain *chain, const fa_sliding_link at[],
                                   const fa_snake_link by[], fa_sliding_link dot[]);

// Converts the tangents of F and M, and those of A and alpha at constant accelerations, into the
// forces whose accelerations are the tangents of A and alpha: F and M of `dot`.
void fa_sliding_residual_tangent(const fa_sliding_chain *chain, const fa_sliding_link at[],
                                 const fa_snake_link by[], fa_sliding_link dot[]);
void fa_sliding_reactions_tangent(const fa_sliding_chain *chain, const fa_sliding_link at[],
                                  const fa_snake_link by[], const fa_sliding_link dot[],
                                  fa_flat force[]);

// Adjoints: add to the adjoints `bar` and to those of lengths and masses, `sums`. That of the
// acceleration overwrites A of all links but the first. `y` is the motion that the adjoints of
// accelerations cause: A of the first link and alpha; `A` of the others is overwritten.
void fa_sliding_move_adjoint(const fa_sliding_chain *chain, const fa_sliding_link at[],
                             fa_sliding_link bar[], fa_snake_link sums[]);
void fa_sliding_accelerate_adjoint(const fa_sliding_chain *chain, const fa_sliding_link at[],
                                   fa_sliding_link bar[], fa_snake_link sums[]);
void fa_sliding_residual_adjoint(const fa_sliding_chain *chain, const fa_sliding_link at[],
                                 const fa_sliding_link y[], fa_sliding_link bar[],
                                 fa_snake_link sums[]);
void fa_sliding_reactions_adjoint(const fa_sliding_chain *chain, const fa_sliding_link at[],
                                  const fa_flat force[], fa_sliding_link bar[],
                                  fa_snake_link sums[]);

// Return the velocity of a link's centre of mass, and its position relative to the wheel.
static inline fa_flat fa_sliding_centre(const fa_snake_link *link, const fa_sliding_link *at)
{
    return flat_mix(link->c, at->e, link->d, flat_left(at->e));
}

static inline fa_flat fa_sliding_centre_velocity(const fa_snake_link   *link,
                                                 const fa_sliding_link *at)
{
    return flat_sum(at->V, flat_times(at->w, flat_left(fa_sliding_centre(link, at))));
}

#endif
