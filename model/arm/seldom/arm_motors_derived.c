// Tangents and adjoints of the outputs of arm_motors.c.
#include "arm_elements.h"

void fa_arm_tell_tangent(const fa_arm *arm, const double value[], double direction[],
                         unsigned groups)
{
    for (int i = 0; i < arm->chain.n; i++) {
        const fa_joint_now    now = fa_joint_at(arm, value, i);
        const fa_joint_change change = fa_joint_change_at(arm, &now, direction, i);
        fa_joint_tell_change(&now, groups, &change, direction);
    }
}

void fa_arm_tell_adjoint(const fa_arm *arm, const double value[], double adjoint[], unsigned groups)
{
    for (int i = 0; i < arm->chain.n; i++) {
        const fa_joint_now now = fa_joint_at(arm, value, i);
        fa_joint_tell_adjoints(&now, groups, adjoint, adjoint);
    }
}

void fa_arm_voltages_tangent(const fa_arm *arm, const double value[], const double torque_tangent[],
                             double direction[])
{
    for (int i = 0; i < arm->chain.n; i++) {
        const fa_arm_joint *joint = &arm->joint[i];
        if (!joint->motor.present) continue;
        direction[joint->at[FA_AT(motor.torque)]] = torque_tangent[arm->body[i].coordinate];
        const fa_joint_now    now = fa_joint_at(arm, value, i);
        const fa_joint_change change = fa_joint_change_at(arm, &now, direction, i);
        const fa_motor_in     in = fa_motor_now(&now);
        const fa_motor_in     dot = fa_motor_change(&now, &change);
        fa_motor_out          out;
        fa_motor_tangent(&in, &dot, &out);
        direction[FA_DRIVE_ROW(joint)] = out.voltage;
    }
}

void fa_arm_voltages_adjoint(const fa_arm *arm, const double value[], double torque_adjoint[],
                             double adjoint[])
{
    for (int i = 0; i < arm->chain.n; i++) {
        const fa_arm_joint *joint = &arm->joint[i];
        if (!joint->motor.present) continue;
        const fa_joint_now now = fa_joint_at(arm, value, i);
        const fa_motor_in  in = fa_motor_now(&now);
        const fa_motor_out weight = {.voltage = adjoint[FA_DRIVE_ROW(joint)]};
        fa_motor_in        bar;
        fa_motor_adjoint(&in, &weight, &bar);
        fa_motor_adjoints(&now, &bar, adjoint);
        torque_adjoint[arm->body[i].coordinate] = adjoint[joint->at[FA_AT(motor.torque)]];
    }
}
