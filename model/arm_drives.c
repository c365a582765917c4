// What acts at the joints of an arm: the sums of what their elements do, its accounts, and how both
// change. Nothing here knows any element: the list says what each result is for.
#include "arm_elements.h"
#include "elements.h"

// What an element's results are for, bit by bit.
#define ELEMENT_LIST                               "at_joints.h"
#define ELEMENT(name, at, xml, about)              enum { name##_kinds = 0
#define RESULT(name, kind, row, unit, when, about) | 1 << FA_RESULT_##kind
#define END(name)                                                                                  \
    }                                                                                              \
    ;
#include "passes.h"
#define HAS(name, kind) (name##_kinds >> FA_RESULT_##kind & 1)

// An element that has no account of its own and stores nothing drives: its power is work done.
#define DRIVES(name) (!HAS(name, FRICTION_LOSS) && !HAS(name, STOP_LOSS) && !HAS(name, STORED))

// Whether an element does something at this joint now: what drives does not of an inverse.
#define ACTS(name)   (HAS(name, PUSH) && now->joint->name.present && (!DRIVES(name) || !now->inverse))
#define STORES(name) (HAS(name, STORED) && ACTS(name))

fa_arm_plain fa_arm_plain_of(const fa_arm *arm, int body)
{
    const fa_arm_joint     *j = &arm->joint[body];
    const fa_friction_data *f = &j->friction;
    const bool more = !j->torque.present || j->spring.present || j->stop.present || f->sticks ||
                      f->on_motor || f->coulomb != 0 || f->coulomb_negative != 0;
    return (fa_arm_plain){f->viscous, arm->body[body].ratio,
                          more || arm->inverse ? FA_NO_ROW : j->at[FA_ARM_TORQUE],
                          arm->body[body].coordinate};
}

// ------------------------------------------------------------------------------------------ values

// One joint's torque along its coordinate, and its part of the accounts.
static double act(const fa_joint_now *now, double power[FA_ARM_WORKS])
{
    double sum = 0;
#define KIND_PUSH(name)                                                                            \
    sum += out.name;                                                                               \
    if (drives) power[FA_ARM_BY_ACTUATORS] += out.name * now->rate;
#define KIND_RATE(name)
#define KIND_FLOW(name)
#define KIND_CAPACITY(name)
#define KIND_DRIVE(name)
#define KIND_REFLECTED(name)
#define KIND_FRICTION_LOSS(name) power[FA_ARM_FRICTION] += out.name;
#define KIND_STOP_LOSS(name)     power[FA_ARM_STOPS] += out.name;
#define KIND_STORED(name)
#define KIND_OUTPUT(name)
#define KIND_INVERSE(name)
#define KIND_INDICATOR(name)
#define KIND_HOLD(name)
#define ELEMENT_LIST "at_joints.h"
#define ELEMENT(name, at, xml, about)                                                              \
    if (ACTS(name)) {                                                                              \
        const bool           drives = DRIVES(name);                                                \
        const fa_##name##_in in = fa_##name##_now(now);                                            \
        fa_##name##_out      out;                                                                  \
        fa_##name##_law(&in, &out);                                                                \
        (void)drives;
#define RESULT(name, kind, row, unit, when, about) KIND_##kind(name)
#define END(name)                                  }
#include "passes.h"
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
        const fa_joint_now now = fa_joint_at(arm, value, i);
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

// ------------------------------------------------------------------------------------------- steps

#undef KIND_PUSH
#undef KIND_FRICTION_LOSS
#undef KIND_STOP_LOSS
#define KIND_PUSH(name)                                                                            \
    sum += change.name;                                                                            \
    if (drives) power[FA_ARM_BY_ACTUATORS] += change.name * now->rate + out.name * rate_step;
#define KIND_FRICTION_LOSS(name) power[FA_ARM_FRICTION] += change.name;
#define KIND_STOP_LOSS(name)     power[FA_ARM_STOPS] += change.name;
static double act_step(const fa_joint_now *now, const double direction[], double position_step,
                       double rate_step, double power[FA_ARM_WORKS])
{
    double sum = 0;
#define ELEMENT_LIST "at_joints.h"
#define ELEMENT(name, at, xml, about)                                                              \
    if (ACTS(name)) {                                                                              \
        const bool           drives = DRIVES(name);                                                \
        const fa_##name##_in in = fa_##name##_now(now);                                            \
        const fa_##name##_in dot = fa_##name##_step(now, direction, position_step, rate_step);     \
        fa_##name##_out      out, change;                                                          \
        fa_##name##_law(&in, &out);                                                                \
        fa_##name##_tangent(&in, &dot, &change);                                                   \
        (void)drives;
#define RESULT(name, kind, row, unit, when, about) KIND_##kind(name)
#define END(name)                                  }
#include "passes.h"
    return now->ratio * sum;
}

void fa_arm_joint_drives_step(const fa_arm *arm, const double value[], const double direction[],
                              double tau_step[], double power_step[])
{
    const double *dq = direction + arm->row[FA_ARM_POSITION];
    const double *dqd = direction + arm->row[FA_ARM_VELOCITY];
    memset(tau_step, 0, (size_t)arm->chain.n_coordinates * sizeof *tau_step);
    memset(power_step, 0, FA_ARM_WORKS * sizeof *power_step);
    for (int i = 0; i < arm->chain.n; i++) {
        const fa_joint_now now = fa_joint_at(arm, value, i);
        const fa_body     *body = &arm->body[i];
        tau_step[body->coordinate] += act_step(&now, direction, body->ratio * dq[body->coordinate],
                                               fa_joint_rate(body, dqd), power_step);
    }
}

void fa_arm_drives_step(const fa_arm *arm, const double value[], const double direction[],
                        double tau_step[], double power_step[])
{
    fa_arm_joint_drives_step(arm, value, direction, tau_step, power_step);
    fa_arm_cylinders_push_step(arm, value, direction, tau_step, power_step);
}

// ------------------------------------------------------------------------------------------ slopes

#undef KIND_PUSH
#undef KIND_FRICTION_LOSS
#undef KIND_STOP_LOSS
#define KIND_PUSH(name)                                                                            \
    weight.name = wanted + (drives ? power_slope[FA_ARM_BY_ACTUATORS] * now->rate : 0);            \
    if (drives) fa_add_rate(now, slope, power_slope[FA_ARM_BY_ACTUATORS] * out.name);
#define KIND_FRICTION_LOSS(name) weight.name = power_slope[FA_ARM_FRICTION];
#define KIND_STOP_LOSS(name)     weight.name = power_slope[FA_ARM_STOPS];
static void act_slope(const fa_joint_now *now, double wanted, const double power_slope[],
                      double slope[])
{
#define ELEMENT_LIST "at_joints.h"
#define ELEMENT(name, at, xml, about)                                                              \
    if (ACTS(name)) {                                                                              \
        const bool           drives = DRIVES(name);                                                \
        const fa_##name##_in in = fa_##name##_now(now);                                            \
        fa_##name##_in       bar;                                                                  \
        fa_##name##_out      out, weight = {0};                                                    \
        fa_##name##_law(&in, &out);                                                                \
        (void)drives;
#define RESULT(name, kind, row, unit, when, about) KIND_##kind(name)
#define END(name)                                                                                  \
    fa_##name##_adjoint_of_motion(&in, &weight, &bar);                                             \
    fa_##name##_slope(now, &bar, slope);                                                           \
    }
#include "passes.h"
}

void fa_arm_drives_slope(const fa_arm *arm, const double value[], const double tau_slope[],
                         const double power_slope[], double slope[])
{
    for (int i = 0; i < arm->chain.n; i++) {
        const fa_joint_now now = fa_joint_at(arm, value, i);
        act_slope(&now, now.ratio * tau_slope[arm->body[i].coordinate], power_slope, slope);
    }
    fa_arm_cylinders_push_slope(arm, value, tau_slope, power_slope, slope);
}

// ---------------------------------------------------------------------------------- what they
// store

#undef KIND_PUSH
#undef KIND_FRICTION_LOSS
#undef KIND_STOP_LOSS
#undef KIND_STORED
#define KIND_PUSH(name)
#define KIND_FRICTION_LOSS(name)
#define KIND_STOP_LOSS(name)
#define KIND_STORED(name) sum += out.name;
static double stored(const fa_joint_now *now)
{
    double sum = 0;
#define ELEMENT_LIST "at_joints.h"
#define ELEMENT(name, at, xml, about)                                                              \
    if (STORES(name)) {                                                                            \
        const fa_##name##_in in = fa_##name##_now(now);                                            \
        fa_##name##_out      out;                                                                  \
        fa_##name##_law(&in, &out);
#define RESULT(name, kind, row, unit, when, about) KIND_##kind(name)
#define END(name)                                  }
#include "passes.h"
    return sum;
}

double fa_arm_drives_energy(const fa_arm *arm, const double value[])
{
    double energy = 0;
    for (int i = 0; i < arm->chain.n; i++) {
        const fa_joint_now now = fa_joint_at(arm, value, i);
        energy += stored(&now);
    }
    return energy;
}

static double stored_step(const fa_joint_now *now, const double direction[], double position_step,
                          double rate_step)
{
    double sum = 0;
#define ELEMENT_LIST "at_joints.h"
#define ELEMENT(name, at, xml, about)                                                              \
    if (STORES(name)) {                                                                            \
        const fa_##name##_in in = fa_##name##_now(now);                                            \
        const fa_##name##_in dot = fa_##name##_step(now, direction, position_step, rate_step);     \
        fa_##name##_out      out;                                                                  \
        fa_##name##_tangent(&in, &dot, &out);
#define RESULT(name, kind, row, unit, when, about) KIND_##kind(name)
#define END(name)                                  }
#include "passes.h"
    return sum;
}

double fa_arm_drives_energy_step(const fa_arm *arm, const double value[], const double direction[])
{
    const double *dq = direction + arm->row[FA_ARM_POSITION];
    double        change = 0;
    for (int i = 0; i < arm->chain.n; i++) {
        const fa_joint_now now = fa_joint_at(arm, value, i);
        change += stored_step(&now, direction, now.ratio * dq[arm->body[i].coordinate], 0);
    }
    return change;
}

#undef KIND_STORED
#define KIND_STORED(name) weight.name = wanted;
static void stored_slope(const fa_joint_now *now, double wanted, double slope[])
{
#define ELEMENT_LIST "at_joints.h"
#define ELEMENT(name, at, xml, about)                                                              \
    if (STORES(name)) {                                                                            \
        const fa_##name##_in in = fa_##name##_now(now);                                            \
        fa_##name##_in       bar;                                                                  \
        fa_##name##_out      weight = {0};
#define RESULT(name, kind, row, unit, when, about) KIND_##kind(name)
#define END(name)                                                                                  \
    fa_##name##_adjoint(&in, &weight, &bar);                                                       \
    fa_##name##_slope(now, &bar, slope);                                                           \
    }
#include "passes.h"
}

void fa_arm_drives_energy_slope(const fa_arm *arm, const double value[], double wanted,
                                double slope[])
{
    for (int i = 0; i < arm->chain.n; i++) {
        const fa_joint_now now = fa_joint_at(arm, value, i);
        stored_slope(&now, wanted, slope);
    }
}
