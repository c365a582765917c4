// The coordinates of a ball joint: a quaternion p of any length, whose use is p/|p|, the angular
// velocity w of the child relative to the parent in the parent's axes, and a torque in these; and
// what the arm inside has in their place: three turns about the child's x, y and z that stand at
// angle zero behind the rotation R(p/|p|).
//
// At angles theta the child turns with J(theta) theta', in its own axes. To first order
//     J = 1 + D(theta),  D(d) = [0 dz 0; -dz 0 0; dy 0 0],
// and the angular acceleration in the child's axes is J theta'' + c(theta, theta') with
//     c(0, v) = (vy vz, -vx vz, vx vy).
// So at theta = 0 rates are angular velocities and efforts torques, both in the child's axes; a
// tangent of the quaternion is a tangent of theta, with which J and c change as well.
#ifndef FA_BALL_H
#define FA_BALL_H

#include <stdbool.h>

#include "spatial.h"

// Rate at which the quaternion's norm returns to 1 [1/s], near 1.
#define FA_QUATERNION_PULL 1.0

typedef struct fa_ball {
    double  p[4], unit[4], length;
    fa_mat3 E;            // from the joint's axes on the parent to the child's: R^T
    double  viscous;      // friction at each of the three
    fa_vec3 w;            // on the parent
    fa_vec3 rate;         // theta'
    fa_vec3 torque;       // in the child's axes: of the drive, or the result of an inverse
    fa_vec3 acceleration; // theta''
} fa_ball;

// Tangents of what hosts give: x[0 … 3] quaternion, x[4 … 6] angular velocity, x[7 … 9] torque of
// an arm, x[10 … 12] angular acceleration of an inverse. Of what the arm takes: y[0 … 2] theta, y[3
// … 5] theta', y[6 … 8] effort, y[9 … 11] theta''.
enum { FA_BALL_GIVEN = 13, FA_BALL_INNER = 12, FA_BALL_RESULTS = 4 };

// Places the ball at a quaternion, with an angular velocity on the parent.
void fa_ball_place(fa_ball *ball, const double p[4], const double w[3]);

// Torques and angular accelerations, between the parent's axes and the three turns.
fa_vec3 fa_ball_torque_in(const fa_ball *ball, const double torque[3]);
void    fa_ball_torque_out(const fa_ball *ball, fa_vec3 torque, double out[3]);
fa_vec3 fa_ball_acceleration_in(const fa_ball *ball, const double alpha[3]);
void    fa_ball_acceleration_out(const fa_ball *ball, fa_vec3 second, double out[3]);
void    fa_ball_velocity_out(const fa_ball *ball, fa_vec3 rate, double w[3]);

// p' = (0, w) p / 2 + pull (1 - p p) p, and its tangent with x[0 … 6].
void fa_ball_rate(const fa_ball *ball, double rate[4]);
void fa_ball_rate_tangent(const fa_ball *ball, const double x[FA_BALL_GIVEN], double tangent[4]);

// First-order changes. Results: three of the angular acceleration, or of an inverse's torque, in
// the parent's axes, from y as the arm has found it; then the power that the arm books with its
// drives and takes from its friction because friction is the same in all axes, while the arm knows
// it at three turns.
void fa_ball_step_in(const fa_ball *ball, bool inverse, const double x[FA_BALL_GIVEN],
                     double y[FA_BALL_INNER]);
void fa_ball_step_out(const fa_ball *ball, bool inverse, const double y[FA_BALL_INNER],
                      double out[FA_BALL_RESULTS]);

// Tangent of the effort of drive and friction at the three turns, for a change d of theta and a
// change of the drive's torque in the parent's axes; tangent of the friction alone; adjoint of the
// first one, which adds to `turn` and `torque`.
fa_vec3 fa_ball_effort_tangent(const fa_ball *ball, fa_vec3 d, const double torque[3]);
fa_vec3 fa_ball_friction_tangent(const fa_ball *ball, fa_vec3 d);
void fa_ball_effort_adjoint(const fa_ball *ball, fa_vec3 effort, double turn[3], double torque[3]);

// Their transposes: from adjoints by y to adjoints by x, from adjoints by the results to adjoints
// by y, and from adjoints by the quaternion's rate to adjoints by x; all are added.
void fa_ball_slope_in(const fa_ball *ball, bool inverse, const double y[FA_BALL_INNER],
                      double x[FA_BALL_GIVEN]);
void fa_ball_slope_out(const fa_ball *ball, bool inverse, const double out[FA_BALL_RESULTS],
                       double y[FA_BALL_INNER]);
void fa_ball_rate_adjoint(const fa_ball *ball, const double adjoint[4], double x[FA_BALL_GIVEN]);

#endif
