// Outputs of elements at an arm's joints besides their efforts: currents, voltages, powers; and the
// rates of their states. For an inverse, the torque at the joint is known, and the drive's input
// follows from it.
#include "arm_elements.h"

void fa_arm_tell(const fa_arm *arm, double value[], unsigned groups)
{
    for (int i = 0; i < arm->chain.n; i++) {
        const fa_joint_now now = fa_joint_at(arm, value, i);
        fa_joint_tell(&now, groups, value);
    }
}

// ------------------------------------------------------------ voltages from torques: an inverse

void fa_arm_voltages(const fa_arm *arm, const double torque[], double value[])
{
    for (int i = 0; i < arm->chain.n; i++) {
        const fa_arm_joint *joint = &arm->joint[i];
        if (!joint->motor.present) continue;
        value[joint->at[FA_AT(motor.torque)]] = torque[arm->body[i].coordinate];
        const fa_joint_now now = fa_joint_at(arm, value, i);
        const fa_motor_in  in = fa_motor_now(&now);
        fa_motor_out       out;
        fa_motor_law(&in, &out);
        value[FA_DRIVE_ROW(joint)] = out.voltage;
    }
}
