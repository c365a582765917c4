// What drives and brakes a snake: torques at its joints and rolling forces at its wheels, as
// functions of its motion. Each law is one term; a snake's torque is the sum of those that it has.
#ifndef FA_SNAKE_LAWS_H
#define FA_SNAKE_LAWS_H

#include "snake.h"

// Spring and viscous friction of a joint at angle phi and rate phid [N m].
double fa_snake_passive_torque(const fa_snake_joint *joint, double phi, double phid);

// Rolling friction of the wheel of link k at speed V: viscous, and Coulomb's, turned round over
// snake->rolling_width [N].
double fa_snake_rolling_force(const fa_snake *snake, int k, double V);

// A serpenoid gait: every joint follows the same sine, each one `shift` later than the one behind
// it, and joint servos hold it. With shift > 0 the snake goes towards its last link, with shift < 0
// towards link 0; bias steers. A snake has two degrees of freedom, so that more than two joints
// follow a gait only about; from a straight line, where torques have no grip, it hardly starts.
typedef struct fa_snake_gait {
    double amplitude; // [rad]
    double frequency; // [rad/s]
    double shift;     // [rad] per joint
    double bias;      // [rad]
    double phase;     // [rad]
    double stiffness; // of the servos [N m/rad]
    double damping;   // of the servos [N m s/rad]
} fa_snake_gait;

typedef struct fa_snake_reference {
    double phi, phid, phidd; // [rad], [rad/s], [rad/s^2]
} fa_snake_reference;

fa_snake_reference fa_snake_gait_reference(const fa_snake_gait *gait, int joint, double time);
double fa_snake_gait_torque(const fa_snake_gait *gait, int joint, double time, double phi,
                            double phid);

// A direct-current motor behind a gear, without inductance. Its rotor's inertia, times gear ratio
// squared, is fa_snake_joint.rotor.
typedef struct fa_snake_motor {
    double resistance;       // [Ohm]
    double torque_constant;  // [N m/A]
    double voltage_constant; // [V s/rad]
    double gear_ratio;       // rotor turns per joint turn
} fa_snake_motor;

double fa_snake_motor_current(const fa_snake_motor *motor, double voltage, double phid);
double fa_snake_motor_torque(const fa_snake_motor *motor, double voltage, double phid);

// Share of a wheel's grip that its forces across and along use up: at 1 it starts to slip, and the
// model, whose wheels never slip, stops being true. Grip is friction coefficient times the load on
// the wheel, each link carrying itself: mass times g [N].
double fa_snake_slip_usage(double lateral, double rolling, double grip);

#endif
