// A direct-current motor with its amplifier and gear, as fa_motor describes it:
//
//     emf      = K_e N w                               w: speed of the joint, N: gear ratio
//     applied  = asked, at most R I_max away from emf, and then within +-V_max
//     current  = (applied - emf) / R, or L di/dt = applied - emf - R i
//     torque   = N K_t i (1 - k t)                     t = tanh(w / width)
//
// k is what the gear loses: 1 - efficiency where the motor drives the joint, 1 / efficiency_back -
// 1 where the joint drives the motor; near standstill the loss fades with t.
#ifndef FA_MOTOR_H
#define FA_MOTOR_H

#include "joint.h"

// The motor's parameters, what it is given, and the rows that these numbers stand in.
typedef struct fa_motor_use {
    const fa_motor *motor;
    double          gear, width; // of the smooth transition at standstill [rad/s] or [m/s]
    double          asked;       // voltage [V]
    double          rate;        // of the joint [rad/s] or [m/s]
    double          current;     // of a motor with inductance [A]
    struct {
        int asked, rate, current, gear, width;
        int resistance, torque_constant, back_emf, inductance, efficiency, efficiency_back;
        int voltage_limit, current_limit;
    } row;
} fa_motor_use;

// The motor of a joint.
fa_motor_use fa_motor_at(const fa_joint_now *now);

// Each fills a law that has been begun.
void fa_dc_motor_emf(const fa_motor_use *use, fa_law *law);          // [V]
void fa_dc_motor_current(const fa_motor_use *use, fa_law *law);      // [A]
void fa_dc_motor_current_rate(const fa_motor_use *use, fa_law *law); // [A/s], with inductance only
void fa_dc_motor_torque(const fa_motor_use *use, fa_law *law);       // at the joint [N m] or [N]
void fa_dc_motor_power(const fa_motor_use *use, fa_law *law);        // that it takes up [W]

// Electrical power less what reaches the joint and what goes into the coil's field [W].
void fa_dc_motor_losses(const fa_motor_use *use, fa_law *law);

// The other way round: the current and the voltage that a torque at the joint needs, limits aside;
// the coil's own voltage L di/dt is left out. `torque` is a law already.
void fa_dc_motor_needed_current(const fa_motor_use *use, const fa_law *torque, fa_law *law);
void fa_dc_motor_needed_voltage(const fa_motor_use *use, const fa_law *torque, fa_law *law);

#endif
