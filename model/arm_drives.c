// What acts at the joints of an arm, by the table of drives (drives/drive.h): their torques, the
// accounts of their work, what they store. Evaluation, steps and slopes read the same laws.
#include <string.h>

#include "arm.h"

static fa_joint_now now_of(const fa_arm *arm, const double value[], int i)
{
    const fa_body *body = &arm->body[i];
    const double  *q = value + arm->row[FA_ARM_POSITION], *qd = value + arm->row[FA_ARM_VELOCITY];
    return (fa_joint_now){&arm->joint[i],
                          value,
                          fa_joint_position(body, q),
                          fa_joint_rate(body, qd),
                          body->ratio,
                          arm->row[FA_ARM_POSITION] + body->coordinate,
                          arm->row[FA_ARM_VELOCITY] + body->coordinate,
                          arm->inverse};
}

fa_motor_use fa_arm_motor_use(const fa_arm *arm, const double value[], int body)
{
    const fa_joint_now now = now_of(arm, value, body);
    return fa_motor_at(&now);
}

// What drives put in counts as work done; what all others put in is lost to them.
static double sign_of(fa_arm_work work)
{
    return work == FA_ARM_BY_ACTUATORS ? 1 : -1;
}

fa_arm_plain fa_arm_plain_of(const fa_arm *arm, int body)
{
    const fa_arm_joint *j = &arm->joint[body];
    const fa_friction  *f = &j->friction;
    const bool          more = j->motor.present || j->closure.present || j->spring.present ||
                      j->stop.present || f->sticks || f->on_motor || f->coulomb != 0 ||
                      f->coulomb_negative != 0;
    return (fa_arm_plain){f->viscous, arm->body[body].ratio,
                          more || arm->inverse ? FA_NO_ROW : j->at[FA_ARM_TORQUE],
                          arm->body[body].coordinate};
}

// One joint's torque along its coordinate, and its part of the accounts.
static double act(const fa_joint_now *now, double power[FA_ARM_WORKS])
{
    double sum = 0;
    for (int k = 0; k < fa_joint_drive_count; k++) {
        const fa_drive *drive = &fa_joint_drives[k];
        fa_law          law;
        if (!drive->acts(now)) continue;
        fa_law_begin(&law, false);
        drive->torque(now, &law);
        sum += law.value;
        if (drive->loss) {
            fa_law_begin(&law, false);
            drive->loss(now, &law);
            power[drive->work] += law.value;
        } else if (drive->work != FA_ARM_NO_WORK) {
            power[drive->work] += sign_of(drive->work) * law.value * now->rate;
        }
    }
    return now->ratio * sum;
}

void fa_arm_drives(const fa_arm *arm, const double value[], double tau[], double power[])
{
    const double *qd = value + arm->row[FA_ARM_VELOCITY];
    double        done[FA_ARM_WORKS] = {0};
    double        by_actuators = 0, by_friction = 0; // of done[], out of memory as long as may be
    for (int i = 0; i < arm->chain.n_coordinates; i++) tau[i] = 0;
    for (int i = 0; i < arm->chain.n; i++) {
        const fa_arm_plain *p = &arm->plain[i];
        if (p->torque != FA_NO_ROW) { // what all laws together come to
            const double rate = p->ratio * qd[p->coordinate], drive = value[p->torque];
            const double friction = p->viscous * rate;
            tau[p->coordinate] += p->ratio * (drive - friction);
            by_actuators += drive * rate;
            by_friction += friction * rate;
            continue;
        }
        const fa_joint_now now = now_of(arm, value, i);
        done[FA_ARM_BY_ACTUATORS] = by_actuators;
        done[FA_ARM_FRICTION] = by_friction;
        tau[p->coordinate] += act(&now, done);
        by_actuators = done[FA_ARM_BY_ACTUATORS];
        by_friction = done[FA_ARM_FRICTION];
    }
    done[FA_ARM_BY_ACTUATORS] = by_actuators;
    done[FA_ARM_FRICTION] = by_friction;
    if (power) memcpy(power, done, sizeof done);
    if (arm->cylinders.n > 0) fa_arm_cylinders_push(arm, tau, power);
}

void fa_arm_joint_drives_step(const fa_arm *arm, const double value[], const double direction[],
                              double tau_step[], double power_step[])
{
    const double *dqd = direction + arm->row[FA_ARM_VELOCITY];
    memset(tau_step, 0, (size_t)arm->chain.n_coordinates * sizeof *tau_step);
    memset(power_step, 0, FA_ARM_WORKS * sizeof *power_step);
    for (int i = 0; i < arm->chain.n; i++) {
        const fa_joint_now now = now_of(arm, value, i);
        const double       rate_step = fa_joint_rate(&arm->body[i], dqd);
        for (int k = 0; k < fa_joint_drive_count; k++) {
            const fa_drive *drive = &fa_joint_drives[k];
            fa_law          law;
            if (!drive->acts(&now)) continue;
            fa_law_begin(&law, true);
            drive->torque(&now, &law);
            const double step = fa_law_step(&law, direction);
            tau_step[arm->body[i].coordinate] += now.ratio * step;
            if (drive->loss) {
                fa_law_begin(&law, true);
                drive->loss(&now, &law);
                power_step[drive->work] += fa_law_step(&law, direction);
            } else if (drive->work != FA_ARM_NO_WORK) {
                power_step[drive->work] +=
                    sign_of(drive->work) * (step * now.rate + law.value * rate_step);
            }
        }
    }
}

void fa_arm_drives_step(const fa_arm *arm, const double value[], const double direction[],
                        double tau_step[], double power_step[])
{
    fa_arm_joint_drives_step(arm, value, direction, tau_step, power_step);
    fa_arm_cylinders_push_step(arm, value, direction, tau_step, power_step);
}

void fa_arm_drives_slope(const fa_arm *arm, const double value[], const double tau_slope[],
                         const double power_slope[], double slope[])
{
    for (int i = 0; i < arm->chain.n; i++) {
        const fa_joint_now now = now_of(arm, value, i);
        const double       wanted = now.ratio * tau_slope[arm->body[i].coordinate];
        for (int k = 0; k < fa_joint_drive_count; k++) {
            const fa_drive *drive = &fa_joint_drives[k];
            fa_law          law;
            if (!drive->acts(&now)) continue;
            const bool   by_torque = !drive->loss && drive->work != FA_ARM_NO_WORK;
            const double account = by_torque ? sign_of(drive->work) * power_slope[drive->work] : 0;
            fa_law_begin(&law, true);
            drive->torque(&now, &law);
            fa_law_slope(&law, wanted + account * now.rate, slope);
            slope[now.qd_row] += now.ratio * account * law.value;
            if (!drive->loss) continue;
            fa_law_begin(&law, true);
            drive->loss(&now, &law);
            fa_law_slope(&law, power_slope[drive->work], slope);
        }
    }
    fa_arm_cylinders_push_slope(arm, value, tau_slope, power_slope, slope);
}

// ---------------------------------------------------------------------------------- what they
// store

// All that the drives of one joint store.
static void energy_law(const fa_joint_now *now, bool derived, fa_law *sum)
{
    fa_law_begin(sum, derived);
    for (int k = 0; k < fa_joint_drive_count; k++) {
        fa_law law;
        if (!fa_joint_drives[k].energy || !fa_joint_drives[k].acts(now)) continue;
        fa_law_begin(&law, derived);
        fa_joint_drives[k].energy(now, &law);
        fa_law_add(sum, 1, &law);
    }
}

double fa_arm_drives_energy(const fa_arm *arm, const double value[])
{
    double energy = 0;
    for (int i = 0; i < arm->chain.n; i++) {
        const fa_joint_now now = now_of(arm, value, i);
        fa_law             law;
        energy_law(&now, false, &law);
        energy += law.value;
    }
    return energy;
}

double fa_arm_drives_energy_step(const fa_arm *arm, const double value[], const double direction[])
{
    double change = 0;
    for (int i = 0; i < arm->chain.n; i++) {
        const fa_joint_now now = now_of(arm, value, i);
        fa_law             law;
        energy_law(&now, true, &law);
        change += fa_law_step(&law, direction);
    }
    return change;
}

void fa_arm_drives_energy_slope(const fa_arm *arm, const double value[], double wanted,
                                double slope[])
{
    for (int i = 0; i < arm->chain.n; i++) {
        const fa_joint_now now = now_of(arm, value, i);
        fa_law             law;
        energy_law(&now, true, &law);
        fa_law_slope(&law, wanted, slope);
    }
}
