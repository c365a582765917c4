// What an arm's motors tell beyond their torques: currents, voltages, powers. Of an inverse, the
// torque at the joint is known, and the voltage follows from it.
#include "arm.h"

// Torque at the joint, of an inverse: a row that has been calculated already.
static void needed_torque(const fa_arm_joint *joint, const double value[], fa_law *law)
{
    law->value = value[joint->at[FA_ARM_MOTOR_TORQUE]];
    fa_law_by(law, joint->at[FA_ARM_MOTOR_TORQUE], 1);
}

// Electrical power of an inverse's motor: voltage times current. Losses: less the joint's power.
static void needed_power(const fa_motor_use *use, const fa_law *torque, bool losses, fa_law *law)
{
    fa_law voltage, current;
    fa_law_begin(&voltage, law->derived);
    fa_law_begin(&current, law->derived);
    fa_dc_motor_needed_voltage(use, torque, &voltage);
    fa_dc_motor_needed_current(use, torque, &current);
    fa_law_add(law, voltage.value, &current);
    fa_law_add(law, current.value, &voltage);
    law->value = voltage.value * current.value;
    if (!losses) return;
    fa_law_add(law, -use->rate, torque);
    fa_law_by(law, use->row.rate, -torque->value);
}

static void inverse_law(const fa_motor_use *use, const fa_law *torque, fa_arm_quantity quantity,
                        fa_law *law)
{
    switch (quantity) {
    case FA_ARM_CURRENT:
        fa_dc_motor_needed_current(use, torque, law);
        break;
    case FA_ARM_EMF:
        fa_dc_motor_emf(use, law);
        break;
    case FA_ARM_TORQUE:
        fa_dc_motor_needed_voltage(use, torque, law);
        break;
    default:
        needed_power(use, torque, quantity == FA_ARM_LOSSES, law);
        break;
    }
}

static void forward_law(const fa_motor_use *use, fa_arm_quantity quantity, fa_law *law)
{
    switch (quantity) {
    case FA_ARM_MOTOR_TORQUE:
        fa_dc_motor_torque(use, law);
        break;
    case FA_ARM_CURRENT:
        fa_dc_motor_current(use, law);
        break;
    case FA_ARM_CURRENT_RATE:
        fa_dc_motor_current_rate(use, law);
        break;
    case FA_ARM_EMF:
        fa_dc_motor_emf(use, law);
        break;
    case FA_ARM_ELECTRICAL_POWER:
        fa_dc_motor_power(use, law);
        break;
    default:
        fa_dc_motor_losses(use, law);
        break;
    }
}

static void law_of(const fa_arm *arm, const double value[], int i, fa_arm_quantity quantity,
                   bool derived, fa_law *law)
{
    const fa_motor_use use = fa_arm_motor_use(arm, value, i);
    fa_law_begin(law, derived);
    if (!arm->inverse) {
        forward_law(&use, quantity, law);
        return;
    }
    fa_law torque;
    fa_law_begin(&torque, derived);
    needed_torque(&arm->joint[i], value, &torque);
    inverse_law(&use, &torque, quantity, law);
}

// What a group of motors' rows is made of.
static const struct {
    unsigned        group;
    fa_arm_quantity quantity;
} TOLD[] = {
    {FA_GROUP_DERIVATIVES, FA_ARM_CURRENT_RATE},    {FA_ARM_GROUP_MOTORS, FA_ARM_MOTOR_TORQUE},
    {FA_ARM_GROUP_MOTORS, FA_ARM_CURRENT},          {FA_ARM_GROUP_MOTORS, FA_ARM_EMF},
    {FA_ARM_GROUP_MOTORS, FA_ARM_ELECTRICAL_POWER}, {FA_ARM_GROUP_MOTORS, FA_ARM_LOSSES},
};

// The row of one of these things, where this arm calculates it with that group.
static int told_row(const fa_arm *arm, int i, size_t k, unsigned groups)
{
    const fa_arm_joint *joint = &arm->joint[i];
    fa_arm_quantity     quantity = TOLD[k].quantity;
    if (!joint->motor.present || !(groups & TOLD[k].group)) return FA_NO_ROW;
    if (arm->inverse && quantity == FA_ARM_MOTOR_TORQUE) return FA_NO_ROW; // fa_arm_voltages has it
    bool state = !arm->inverse && joint->at[FA_ARM_CURRENT_RATE] != FA_NO_ROW;
    if (quantity == FA_ARM_CURRENT && state) return FA_NO_ROW;
    return joint->at[quantity];
}

enum { N_TOLD = sizeof TOLD / sizeof *TOLD };

void fa_arm_motors(const fa_arm *arm, double value[], unsigned groups)
{
    for (int i = 0; i < arm->chain.n; i++)
        for (size_t k = 0; k < N_TOLD; k++) {
            fa_law law;
            int    row = told_row(arm, i, k, groups);
            if (row == FA_NO_ROW) continue;
            law_of(arm, value, i, TOLD[k].quantity, false, &law);
            value[row] = law.value;
        }
}

void fa_arm_motors_step(const fa_arm *arm, const double value[], double direction[],
                        unsigned groups)
{
    for (int i = 0; i < arm->chain.n; i++)
        for (size_t k = 0; k < N_TOLD; k++) {
            fa_law law;
            int    row = told_row(arm, i, k, groups);
            if (row == FA_NO_ROW) continue;
            law_of(arm, value, i, TOLD[k].quantity, true, &law);
            direction[row] = fa_law_step(&law, direction);
        }
}

void fa_arm_motors_slope(const fa_arm *arm, const double value[], double slope[], unsigned groups)
{
    for (int i = 0; i < arm->chain.n; i++)
        for (size_t k = 0; k < N_TOLD; k++) {
            fa_law law;
            int    row = told_row(arm, i, k, groups);
            if (row == FA_NO_ROW || slope[row] == 0) continue;
            law_of(arm, value, i, TOLD[k].quantity, true, &law);
            fa_law_slope(&law, slope[row], slope);
        }
}

// ---------------------------------------------------------------- voltages from torques: an
// inverse

void fa_arm_voltages(const fa_arm *arm, const double torque[], double value[])
{
    for (int i = 0; i < arm->chain.n; i++) {
        const fa_arm_joint *joint = &arm->joint[i];
        fa_law              law;
        if (!joint->motor.present) continue;
        value[joint->at[FA_ARM_MOTOR_TORQUE]] = torque[arm->body[i].coordinate];
        law_of(arm, value, i, FA_ARM_TORQUE, false, &law);
        value[joint->at[FA_ARM_TORQUE]] = law.value;
    }
}

void fa_arm_voltages_step(const fa_arm *arm, const double value[], const double torque_step[],
                          double direction[])
{
    for (int i = 0; i < arm->chain.n; i++) {
        const fa_arm_joint *joint = &arm->joint[i];
        fa_law              law;
        if (!joint->motor.present) continue;
        direction[joint->at[FA_ARM_MOTOR_TORQUE]] = torque_step[arm->body[i].coordinate];
        law_of(arm, value, i, FA_ARM_TORQUE, true, &law);
        direction[joint->at[FA_ARM_TORQUE]] = fa_law_step(&law, direction);
    }
}

void fa_arm_voltages_slope(const fa_arm *arm, const double value[], double torque_slope[],
                           double slope[])
{
    for (int i = 0; i < arm->chain.n; i++) {
        const fa_arm_joint *joint = &arm->joint[i];
        fa_law              law;
        if (!joint->motor.present) continue;
        law_of(arm, value, i, FA_ARM_TORQUE, true, &law);
        fa_law_slope(&law, slope[joint->at[FA_ARM_TORQUE]], slope);
        torque_slope[arm->body[i].coordinate] = slope[joint->at[FA_ARM_MOTOR_TORQUE]];
    }
}
