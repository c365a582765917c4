// Simulation of an arm under motor voltages as Swartz (1982) does it: motors without inductance,
// any forward dynamics, Kutta's third-order step with the voltage held. See forward_arm.c.
#ifndef FA_FORWARD_ARM_H
#define FA_FORWARD_ARM_H

#include "dynamics.h"

// At the joint, behind the gear if there is one.
typedef struct fa_dc_motor {
    double R;  // armature resistance [ohm]
    double Kt; // torque constant [N m/A], the same number as the back-EMF constant [V s/rad]
    double b;  // viscous friction of motor and joint [N m s/rad]
} fa_dc_motor;

double fa_motor_voltage(fa_dc_motor motor, double tau, double rate); // (11)
double fa_motor_torque(fa_dc_motor motor, double V, double rate);    // (12)

// One step of h seconds from (theta, omega), which it overwrites, under the voltages V. When it
// fails, theta and omega are as they were.
size_t    fa_forward_arm_work_size(const fa_method *method, const fa_chain *chain);
fa_status fa_forward_arm_step(const fa_method *method, const fa_chain *chain,
                              const fa_dc_motor motor[], const double V[], const fa_load *load,
                              double h, double theta[], double omega[], void *work);

#endif
