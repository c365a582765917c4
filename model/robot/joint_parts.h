// Joints of several freedoms as joints of one freedom in a row, with links without mass between
// them: a planar joint slides twice and turns, a floating one slides along three axes and turns
// like a ball, and a ball is three turns about the child's x, y and z at angle zero, behind a
// rotation that the quaternion gives. So no recursion has to know a joint of several freedoms.
#ifndef FA_JOINT_PARTS_H
#define FA_JOINT_PARTS_H

#include "robot.h"

typedef struct fa_joint_part {
    fa_joint_type type;   // of one freedom
    fa_transform  origin; // from the part before; of the first from the joint's frame on the parent
    fa_vec3       axis;
    double        position, velocity; // at the start, of its own coordinate
} fa_joint_part;

// The parts as the joint starts; their number. Of a joint of one freedom: itself.
int fa_joint_parts(const fa_joint *joint, fa_joint_part part[FA_JOINT_SPEEDS_MAX]);

// Returns the first of the three parts of a ball; FA_NOBODY: the joint has no ball.
int fa_joint_ball_part(fa_joint_type type);

// Two axes across a third one, all unit vectors: e2 = axis x e1, and e1 is the projection of the
// coordinate axis behind the one that `axis` is nearest to. Across z: x and y.
void fa_axes_across(fa_vec3 axis, fa_vec3 *e1, fa_vec3 *e2);

// Returns the rotation from the parent's to the child's coordinates of a quaternion of any length
// but 0.
fa_mat3 fa_rotation_of_quaternion(const double q[4]);

// The same robot with every joint of several freedoms in parts and without loops, as the plants
// "arm" and "inverse" take it; the links between have the joint's name and no mass. It has passed
// fa_robot_check if the robot has. `to` has the bytes that the first one tells.
size_t fa_robot_expanded_size(const fa_robot *robot);
void   fa_robot_expand(const fa_robot *robot, fa_robot *to);

// Returns a link's index in the expanded robot: behind the parts of its joint.
int fa_robot_expanded_link(const fa_robot *robot, int link);

#endif
