// A kinematic tree of one-degree-of-freedom joints: the input of every dynamics algorithm.
// Read-only once built; any number of threads may share it.
#ifndef FA_CHAIN_H
#define FA_CHAIN_H

#include "robot.h"
#include "spatial.h"

// Links that no joint separates are one body. Its frame is the joint's frame, moved by the joint.
typedef struct fa_body {
    int           parent; // index of the parent, smaller than this body's own, or FA_WORLD
    fa_joint_type joint;  // of a type that moves
    fa_vec3       axis;   // unit vector, in this body's axes
    fa_transform  home;   // parent to this body at q = 0
    fa_inertia    inertia;
    double        rotor;           // reflected rotor inertia [kg m^2] or [kg]
    double        advance;         // of a screw: along the axis with the angle [m/rad]
    double        advance_tangent; // of `advance`, where derivatives are taken along one; usually 0

    // The joint's own angle or distance is ratio * q[coordinate] + offset. In a chain that is not
    // `coupled`, coordinate is the body's own index, ratio 1 and offset 0.
    int    coordinate;
    double ratio;
    double offset; // [rad] or [m]
} fa_body;

typedef struct fa_chain {
    int            n;             // bodies, and joints: body i hangs on joint i
    int            n_coordinates; // degrees of freedom, at most n
    bool           coupled;       // some joint follows another one
    bool           branched;      // some body is not the parent of the next one
    bool           screws;        // some joint is a screw
    const fa_body *body;          // n of them, parents first
    fa_vec3        gravity;       // acceleration of free fall, world axes [m/s^2]

    // Closed loops (loops.h), whose methods take and give consistent coordinates. NULL: none.
    const struct fa_loops *loops;
    // result of fa_loops_factor at the current q; NULL: the method calls it
    struct fa_loop_work *closed;

    // locked coordinates: their accelerations are zero. NULL: none
    const bool *held;

    // The ground may move: its angular velocity, and the angular acceleration and the acceleration
    // of the world's origin, in world axes, which move with it. A steady speed does not matter.
    bool     base_moves;
    fa_vec3  base_rate;         // [rad/s]
    fa_twist base_acceleration; // [rad/s^2], [m/s^2]
} fa_chain;

// Joint axis S and parent-to-child transform X at the joint's own coordinate [rad] or [m].
fa_twist     fa_joint_axis(const fa_body *body);
fa_transform fa_joint_transform(const fa_body *body, double position);

// The joint's own coordinate and rate from the chain's.
static inline double fa_joint_position(const fa_body *body, const double q[])
{
    return body->ratio * q[body->coordinate] + body->offset;
}

static inline double fa_joint_rate(const fa_body *body, const double qd[])
{
    return body->ratio * qd[body->coordinate];
}

// Velocity and acceleration of what the first bodies stand on, as the spatial vectors that pass to
// the next body; without gravity.
fa_twist fa_chain_base_velocity(const fa_chain *chain);
fa_twist fa_chain_base_acceleration(const fa_chain *chain);

// Replaces the rows and columns of locked coordinates in a mass matrix by those of the unit matrix.
void fa_chain_hold(const fa_chain *chain, double M[]);

// Returns a screw's advance per angle [m/rad]; 0 for other joints.
double fa_joint_advance(const fa_joint *joint);

// World frame to each body's frame, at q.
void fa_chain_poses(const fa_chain *chain, const double q[], fa_transform pose[]);

// The chain of a robot: `body` and `gravity` of the chain, and for each of the robot's links the
// body that it is part of (`link_body`, FA_WORLD for what is bolted to the ground) and the body's
// frame to the link's frame (`link_frame`). Inertias of links bolted together are added. body holds
// fa_chain_bodies(robot) entries, the other two robot->n_links. A joint of several freedoms is a
// body for each of them, the last of which the link is part of; where its orientation is a
// quaternion, the three that turn stand at the joint's start when their angles are zero.
int      fa_chain_bodies(const fa_robot *robot);
fa_chain fa_chain_build(const fa_robot *robot, fa_body body[], int link_body[],
                        fa_transform link_frame[]);

// Returns the initial coordinates of such a chain.
void fa_chain_start(const fa_robot *robot, const fa_body body[], const int link_body[], double q[]);

// A link's inertia about the origin and in the axes of the frame that it hangs in.
fa_inertia fa_link_inertia(double mass, fa_vec3 com, fa_sym3 inertia, fa_transform frame);

#endif
