// Kinematics of a chain: poses, velocities and accelerations of its bodies, with tangents and
// adjoints.
#ifndef FA_KINEMATICS_H
#define FA_KINEMATICS_H

#include "chain.h"

// Motion of a body's frame, in its own axes. The acceleration is spatial: the classical
// acceleration of the origin is its linear part plus angular velocity cross linear velocity.
typedef struct fa_motion {
    fa_transform X;    // parent to body
    fa_transform pose; // world to body
    fa_twist     velocity;
    fa_twist     acceleration; // without gravity
} fa_motion;

// A small tangent of the same. `pose` is the twist that carries the body's frame along.
typedef struct fa_motion_tangent {
    fa_twist pose;
    fa_twist velocity;
    fa_twist acceleration;
} fa_motion_tangent;

// Tangents of the coordinates, and of the ground's motion; NULL where there is none.
typedef struct fa_joint_tangent {
    const double   *q, *qd, *qdd;
    const fa_twist *base_velocity, *base_acceleration;
} fa_joint_tangent;

// Fills motion[chain->n]. qdd may be NULL: then accelerations are those at qdd = 0.
void fa_chain_motion(const fa_chain *chain, const double q[], const double qd[], const double qdd[],
                     fa_motion motion[]);

// The angle of a screw, from its transform: what its advance is multiplied with.
double fa_screw_angle(const fa_body *body, const fa_transform *X);

// The twist along a body's axis.
static inline fa_twist fa_along_axis(const fa_body *body, double x)
{
    return (fa_twist){{0, 0, 0}, vec3_scale(x, body->axis)};
}

// The first-order change of `motion` that a tangent of the coordinates makes, and those of pitches
// (fa_body.advance_tangent).
void fa_chain_motion_tangent(const fa_chain *chain, const double qd[], const double qdd[],
                             const fa_motion motion[], fa_joint_tangent joint,
                             fa_motion_tangent tangent[]);

// Adjoint of fa_motion_tangent: the sum of the products of these wrenches with its twists is the
// derivative of the quantity.
typedef struct fa_motion_adjoint {
    fa_wrench pose, velocity, acceleration;
} fa_motion_adjoint;

// Adjoints with respect to the coordinates and the ground's motion; NULL where they are not wanted.
typedef struct fa_joint_adjoint {
    double    *q, *qd, *qdd;
    fa_wrench *base_velocity, *base_acceleration;
    double    *advance; // of each body: by its `advance`
} fa_joint_adjoint;

// The transpose of fa_chain_motion_tangent: carries adjoints from the bodies to the coordinates,
// which they are added to. Overwrites adjoint[].
void fa_chain_motion_adjoint(const fa_chain *chain, const double qd[], const double qdd[],
                             const fa_motion motion[], fa_motion_adjoint adjoint[],
                             fa_joint_adjoint joint);

// The same for a frame fixed on a body; `frame` leads from the body to it.
fa_motion         fa_frame_motion(const fa_motion *body, fa_transform frame);
fa_motion_tangent fa_frame_motion_tangent(const fa_motion_tangent *body, fa_transform frame);

// Classical velocity and acceleration of a frame's origin, and angular ones, in world axes.
fa_twist fa_world_velocity(const fa_motion *frame);
fa_twist fa_world_acceleration(const fa_motion *frame);
fa_twist fa_world_velocity_tangent(const fa_motion *frame, const fa_motion_tangent *tangent);
fa_twist fa_world_acceleration_tangent(const fa_motion *frame, const fa_motion_tangent *tangent);

// The transposes of the three functions above, for adjoints with respect to what they give. They
// add to the adjoint of the frame, or of the body.
void fa_world_velocity_adjoint(const fa_motion *frame, fa_twist wanted, fa_motion_adjoint *adjoint);
void fa_world_acceleration_adjoint(const fa_motion *frame, fa_twist wanted,
                                   fa_motion_adjoint *adjoint);
void fa_frame_motion_adjoint(const fa_motion_adjoint *frame_adjoint, fa_transform frame,
                             fa_motion_adjoint *body);

#endif
