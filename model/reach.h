// The distance of two points on bodies of a chain, along which a cylinder pushes: directly, or over
// a rocker and a coupler (four_bar.h). Its rate, the forces on the bodies, and the derivatives of
// all of them.
//
// With d = C - B from the start to the end, L = |d| and n = d / L, the rate is n.(v_C - v_B), and a
// force F pushes with F n at C and with -F n at B. Bodies may be any two; FA_WORLD is the ground.
#ifndef FA_REACH_H
#define FA_REACH_H

#include "four_bar.h"
#include "kinematics.h"

typedef struct fa_reach {
    int          from, to;             // bodies
    fa_transform from_frame, to_frame; // body to a frame with its origin at the point
    bool         linkage;
    int          joint; // body whose joint the linkage turns
    fa_four_bar  bar;
} fa_reach;

// Of a cylinder of a robot; link_body and link_frame are those of fa_chain_build.
fa_reach fa_reach_of(const fa_cylinder *cylinder, const fa_chain *chain, const int link_body[],
                     const fa_transform link_frame[]);

typedef struct fa_extent {
    double  length;         // [m]
    double  rate;           // [m/s]
    double  lever, bending; // of a linkage: first and second derivative by the joint's position
    fa_vec3 n;              // unit vector, world axes
    fa_vec3 v;              // v_C - v_B, world axes [m/s]
} fa_extent;

typedef struct fa_extent_step {
    double  length, rate, lever;
    fa_vec3 n;
} fa_extent_step;

// motion[] are those of fa_chain_motion at q and qd. FA_SINGULAR where the points fall together or
// the linkage cannot be assembled.
fa_status fa_reach_extent(const fa_reach *reach, const fa_chain *chain, const double q[],
                          const double qd[], const fa_motion motion[], fa_extent *out);

fa_extent_step fa_reach_extent_step(const fa_reach *reach, const fa_chain *chain,
                                    const fa_extent *at, const double qd[],
                                    const fa_motion motion[], const double q_step[],
                                    const double qd_step[], const fa_motion_step motion_step[]);

// The transpose. Slopes with respect to the bodies' motion are added to motion_slope; a linkage
// adds to the coordinates' own.
void fa_reach_extent_slope(const fa_reach *reach, const fa_chain *chain, const fa_extent *at,
                           const double qd[], const fa_motion motion[], fa_extent_step wanted,
                           fa_motion_slope motion_slope[], double q_slope[], double qd_slope[]);

// Adds what a force does: wrenches on the bodies or, through a linkage, a torque at the joint. Both
// arrays are the whole chain's.
void fa_reach_push(const fa_reach *reach, const fa_chain *chain, const fa_extent *at, double force,
                   const fa_motion motion[], fa_wrench wrench[], double tau[]);

void fa_reach_push_step(const fa_reach *reach, const fa_chain *chain, const fa_extent *at,
                        double force, const fa_motion motion[], double force_step,
                        const fa_extent_step *step, const fa_motion_step motion_step[],
                        fa_wrench wrench_step[], double tau_step[]);

// The transpose: gives the slope with respect to the force, adds to *by_extent.
double fa_reach_push_slope(const fa_reach *reach, const fa_chain *chain, const fa_extent *at,
                           double force, const fa_motion motion[], const fa_twist wrench_slope[],
                           const double tau_slope[], fa_extent_step *by_extent,
                           fa_motion_slope motion_slope[]);

#endif
