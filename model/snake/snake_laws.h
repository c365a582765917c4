// What drives and brakes a snake: torques at its joints and rolling forces at its wheels, as
// functions of its motion. Each law is one term; a snake's torque is the sum of those that it has.
#ifndef FA_SNAKE_LAWS_H
#define FA_SNAKE_LAWS_H

#include "robot.h"
#include "snake.h"

// Spring and viscous friction of a joint at angle phi and rate phid [N m].
double fa_snake_passive_torque(const fa_snake_joint *joint, double phi, double phid);

// Rolling friction of the wheel of link k at speed V: viscous, and Coulomb's, turned round over
// snake->rolling_width [N].
double fa_snake_rolling_force(const fa_snake *snake, int k, double V);

// What the gait wants of a joint.
typedef struct fa_snake_reference {
    double phi, phid, phidd; // [rad], [rad/s], [rad/s^2]
} fa_snake_reference;

fa_snake_reference fa_snake_gait_reference(const fa_snake_gait *gait, int joint, double time);
double fa_snake_gait_torque(const fa_snake_gait *gait, int joint, double time, double phi,
                            double phid);

// Current [A] and torque [N m] of a motor behind a gear that turns it gear_ratio times as fast.
// Its rotor's inertia, times gear ratio squared, is fa_snake_joint.rotor.
double fa_snake_motor_current(const fa_snake_motor *motor, double gear_ratio, double voltage,
                              double phid);
double fa_snake_motor_torque(const fa_snake_motor *motor, double gear_ratio, double voltage,
                             double phid);

// Share of a wheel's grip that its forces across and along use up: at 1 it starts to slip, and the
// model, whose wheels never slip, stops being true. Grip is friction coefficient times the load on
// the wheel, each link carrying itself: mass times g [N].
double fa_snake_slip_usage(double lateral, double rolling, double grip);

#endif
