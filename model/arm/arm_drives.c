// Sums of the elements at the joints of an arm: efforts and accounts of energy, with tangents and
// adjoints. No element is named here: the lists declare the kind of each result (elements/place.h).
#include "arm_elements.h"
#include "joint_lists.h"

fa_arm_plain fa_arm_plain_of(const fa_arm *arm, int body)
{
    const fa_arm_joint     *j = &arm->joint[body];
    const fa_friction_data *f = &j->friction;
    bool more = !j->torque.present || f->sticks || f->on_motor || f->coulomb != 0 ||
                f->coulomb_negative != 0;
    // And whatever else pushes.
#define ELEMENT_LIST "at_joints.h"
#define ELEMENT(name, at, xml, about)                                                              \
    more |= (int)FA_JOINT_##name != (int)FA_JOINT_torque &&                                        \
            (int)FA_JOINT_##name != (int)FA_JOINT_friction && j->name.present && (false
#define RESULT(name, kind, row, unit, when, about) || FA_RESULT_##kind == FA_RESULT_PUSH
#define END(name)                                  );
#include "passes.h"
    return (fa_arm_plain){f->viscous, arm->body[body].ratio,
                          more || arm->inverse ? FA_NO_ROW : j->at[FA_ARM_TORQUE],
                          arm->body[body].coordinate};
}

// ------------------------------------------------------------------------------------------ values

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
        const fa_joint_now now = fa_joint_at(arm, value, i);
        done[FA_ARM_BY_ACTUATORS] = by_actuators;
        done[FA_ARM_FRICTION] = by_friction;
        tau[p->coordinate] += now.ratio * fa_joint_push(&now, done);
        by_actuators = done[FA_ARM_BY_ACTUATORS];
        by_friction = done[FA_ARM_FRICTION];
    }
    done[FA_ARM_BY_ACTUATORS] = by_actuators;
    done[FA_ARM_FRICTION] = by_friction;
    if (power) memcpy(power, done, sizeof done);
    if (arm->cylinders.n > 0) fa_arm_cylinders_push(arm, tau, power);
    if (power) fa_arm_touches_powers(arm, power);
}

// ---------------------------------------------------------------------------------------- tangents

void fa_arm_joint_drives_tangent(const fa_arm *arm, const double value[], const double direction[],
                                 double tau_tangent[], double power_tangent[])
{
    memset(tau_tangent, 0, (size_t)arm->chain.n_coordinates * sizeof *tau_tangent);
    memset(power_tangent, 0, FA_ARM_WORKS * sizeof *power_tangent);
    for (int i = 0; i < arm->chain.n; i++) {
        const fa_joint_now    now = fa_joint_at(arm, value, i);
        const fa_joint_change change = fa_joint_change_at(arm, &now, direction, i);
        tau_tangent[arm->body[i].coordinate] +=
            now.ratio * fa_joint_push_change(&now, &change, power_tangent);
    }
}

void fa_arm_drives_tangent(const fa_arm *arm, const double value[], const double direction[],
                           double tau_tangent[], double power_tangent[])
{
    fa_arm_joint_drives_tangent(arm, value, direction, tau_tangent, power_tangent);
    fa_arm_cylinders_push_tangent(arm, value, direction, tau_tangent, power_tangent);
    fa_arm_touches_power_tangents(arm, power_tangent);
}

// ---------------------------------------------------------------------------------------- adjoints

void fa_arm_drives_adjoint(const fa_arm *arm, const double value[], const double tau_adjoint[],
                           const double power_adjoint[], double adjoint[])
{
    for (int i = 0; i < arm->chain.n; i++) {
        const fa_joint_now now = fa_joint_at(arm, value, i);
        fa_joint_push_adjoints(&now, now.ratio * tau_adjoint[arm->body[i].coordinate],
                               power_adjoint, adjoint);
    }
    fa_arm_cylinders_push_adjoint(arm, value, tau_adjoint, power_adjoint, adjoint);
    fa_arm_touches_power_adjoints(arm, power_adjoint);
}

// -------------------------------------------------------------------------------- what they store

double fa_arm_drives_energy(const fa_arm *arm, const double value[])
{
    double energy = 0;
    for (int i = 0; i < arm->chain.n; i++) {
        const fa_joint_now now = fa_joint_at(arm, value, i);
        energy += fa_joint_stored(&now);
    }
    return arm->touches.n > 0 ? energy + fa_arm_touches_energy(arm) : energy;
}

double fa_arm_drives_energy_tangent(const fa_arm *arm, const double value[],
                                    const double direction[])
{
    double sum = 0;
    for (int i = 0; i < arm->chain.n; i++) {
        const fa_joint_now    now = fa_joint_at(arm, value, i);
        const fa_joint_change change = fa_joint_change_at(arm, &now, direction, i);
        sum += fa_joint_stored_change(&now, &change);
    }
    return sum + fa_arm_touches_energy_tangent(arm);
}

void fa_arm_drives_energy_adjoint(const fa_arm *arm, const double value[], double wanted,
                                  double adjoint[])
{
    for (int i = 0; i < arm->chain.n; i++) {
        const fa_joint_now now = fa_joint_at(arm, value, i);
        fa_joint_stored_adjoints(&now, wanted, adjoint);
    }
    fa_arm_touches_energy_adjoint(arm, wanted);
}
