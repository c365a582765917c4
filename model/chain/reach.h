// The distance of two points on bodies of a chain, along which a cylinder pushes: directly, or over
// a rocker and a coupler (four_bar.h).
//
// The length L is a function of the chain's coordinates. A force F that pushes the points apart is
// a pair of opposite forces on the two bodies, and to the joints the torques F dL/dq; the rate of L
// is dL/dq . qd. So all that is needed is L, its gradient, and for derivatives the product of its
// second derivatives with some direction.
#ifndef FA_REACH_H
#define FA_REACH_H

#include "four_bar.h"
#include "kinematics.h"

typedef struct fa_reach {
    int          from, to;             // bodies, FA_WORLD: the ground
    fa_transform from_frame, to_frame; // body to a frame with its origin at the point
    bool         linkage;              // it turns the joint of the body `to`
    fa_four_bar  bar;
} fa_reach;

// Returns the geometry of a cylinder; link_body and link_frame are those of fa_chain_build.
fa_reach fa_reach_of(const fa_cylinder *cylinder, const fa_chain *chain, const int link_body[],
                     const fa_transform link_frame[]);

// Room for what follows: motion[] and adjoint[] have an entry per body, and so has advance[], which
// may be NULL: it receives derivatives by the advances of screws.
typedef struct fa_reach_work {
    fa_motion         *motion;
    fa_motion_adjoint *adjoint;
    double            *advance;
} fa_reach_work;

// L, and dL/dq of every coordinate; advance[] is by L. FA_SINGULAR where the points fall together
// or the linkage cannot be assembled.
fa_status fa_reach_length(const fa_reach *reach, const fa_chain *chain, const double q[],
                          double *length, double gradient[], fa_reach_work work);

// (d^2L/dq^2) direction, which is also the gradient of L's rate with the speeds `direction`;
// advance[] is by that rate.
// Coordinates are those of a length that has been found.
void fa_reach_curvature(const fa_reach *reach, const fa_chain *chain, const double q[],
                        const double direction[], double product[], fa_reach_work work);

// Over a linkage: what the body `to` feels when the cylinder pushes with a unit force, in its
// frame. The coupler is taken to be in the plane of its end on that body.
typedef struct fa_reach_push {
    fa_wrench unit;
    fa_wrench first; // derivative by the joint's coordinate …
    int       coordinate;
} fa_reach_push;

fa_reach_push fa_reach_push_of(const fa_reach *reach, const fa_chain *chain, const double q[]);

#endif
