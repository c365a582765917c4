// Chooses body frames in which the equations of motion of an arm are short. Each body's z axis is
// along its joint. Free choices are its rotation about that axis, and the origin's place on it:
//
//   - the rotation makes the constant part of the first child's joint a rotation about x alone,
//   - the origin makes one component of its place in the parent zero.
//
// The result is like that of Denavit and Hartenberg's parameters, without the common normal, which
// is ill-conditioned for nearly parallel axes.
#ifndef FA_FRAMES_H
#define FA_FRAMES_H

#include "special.h"

typedef struct fa_angle {
    double c, s; // cosine and sine of the angle
} fa_angle;

// Rotation from the parent's frame to this one: about z, about x, and about z again. The last angle
// is `about_axis` plus the joint's own angle.
typedef struct fa_frame {
    fa_angle about_z, about_x, about_axis;
    fa_vec3  place; // origin in the parent's frame, at q = 0 of a prismatic joint [m]
    fa_vec3  shift; // origin in the body's frame of the chain [m]
    fa_mat3  turn;  // rotation from the body's frame of the chain to this one
} fa_frame;

// Chooses the frames of a chain without coupled joints, with at most FA_SPECIAL_MAX bodies.
// `world`: rotation from the world's axes to the frame that is the parent of bodies on the ground.
// Numbers that differ from 0, and angles that differ from multiples of a right angle, only by
// rounding are rounded.
void fa_frames_choose(const fa_chain *chain, fa_frame frame[], fa_mat3 *world);

#endif
