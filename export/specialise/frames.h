// Frames in which the equations of motion of an arm are short. Each body's z axis is along its
// joint; how it is turned about that axis, and where on it the origin is, can be chosen:
//
// - the turn of a body so that the constant part of its first child's joint is a rotation about x
//   alone,
// - the origin so that one component of its place in the parent is zero.
//
// This is what Denavit and Hartenberg's parameters do, without the common normal, which nearly
// parallel axes do not have.
#ifndef FA_FRAMES_H
#define FA_FRAMES_H

#include "special.h"

typedef struct fa_angle {
    double c, s; // cosine and sine
} fa_angle;

// From the parent's frame to this one: a turn about z, one about x, and one about z again, which is
// `about_axis` and the joint's own angle.
typedef struct fa_frame {
    fa_angle about_z, about_x, about_axis;
    fa_vec3  place; // origin in the parent's frame, at q = 0 of a joint that slides [m]
    fa_vec3  shift; // origin in the chain's frame of the body [m]
    fa_mat3  turn;  // from the chain's frame of the body to this one
} fa_frame;

// For a chain that is not coupled, of at most FA_SPECIAL_MAX bodies. `world`: from the world's axes
// to those of the frame that bodies on the ground have as their parent's. Numbers that differ from
// 0, or angles that differ from multiples of a right angle, by rounding alone are these.
void fa_frames_choose(const fa_chain *chain, fa_frame frame[], fa_mat3 *world);

#endif
