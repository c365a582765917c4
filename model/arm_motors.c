// What elements at an arm's joints tell beyond what they do there: currents, voltages, powers; and
// the rates of their states. Of an inverse, the torque at the joint is known, and what its drive is
// given follows from it.
#include "arm_elements.h"
#include "elements.h"

// The row of a result that is told with these groups; FA_NO_ROW: it is not.
#define TOLD_PUSH(name)          (groups & FA_ARM_GROUP_MOTORS && !now->inverse ? rows->name : FA_NO_ROW)
#define TOLD_RATE(name)          (groups & FA_GROUP_DERIVATIVES ? rows->name : FA_NO_ROW)
#define TOLD_OUTPUT(name)        (groups & FA_ARM_GROUP_MOTORS ? rows->name : FA_NO_ROW)
#define TOLD_FLOW(name)          FA_NO_ROW
#define TOLD_CAPACITY(name)      FA_NO_ROW
#define TOLD_DRIVE(name)         FA_NO_ROW
#define TOLD_REFLECTED(name)     FA_NO_ROW
#define TOLD_FRICTION_LOSS(name) FA_NO_ROW
#define TOLD_STOP_LOSS(name)     FA_NO_ROW
#define TOLD_STORED(name)        FA_NO_ROW
#define TOLD_INVERSE(name)       FA_NO_ROW
#define TOLD_INDICATOR(name)     FA_NO_ROW // with the events, arm_event.c
#define TOLD_HOLD(name)          FA_NO_ROW

// What an element's results are for, bit by bit. One without rates and outputs tells nothing.
#define ELEMENT_LIST                               "at_joints.h"
#define ELEMENT(name, at, xml, about)              enum { name##_kinds = 0
#define RESULT(name, kind, row, unit, when, about) | 1 << FA_RESULT_##kind
#define END(name)                                                                                  \
    }                                                                                              \
    ;
#include "passes.h"
#define TELLS(name) (name##_kinds & (1 << FA_RESULT_RATE | 1 << FA_RESULT_OUTPUT))

// Whether anything of an element has a row.
#define ELEMENT_LIST "at_joints.h"
#define ELEMENT(name, at, xml, about)                                                              \
    static bool name##_tells(const fa_joint_now *now, unsigned groups)                             \
    {                                                                                              \
        const fa_##name##_rows *rows = FA_ROWS_OF(name, now->joint);                               \
        (void)rows;                                                                                \
        (void)groups;                                                                              \
        return now->joint->name.present && (false
#define RESULT(name, kind, row, unit, when, about) || TOLD_##kind(name) != FA_NO_ROW
#define END(name)                                                                                  \
    );                                                                                             \
    }
#include "passes.h"

static void tell(const fa_joint_now *now, unsigned groups, double value[])
{
#define ELEMENT_LIST "at_joints.h"
#define ELEMENT(name, at, xml, about)                                                              \
    if (TELLS(name) && name##_tells(now, groups)) {                                                \
        const fa_##name##_rows *rows = FA_ROWS_OF(name, now->joint);                               \
        const fa_##name##_in    in = fa_##name##_now(now);                                         \
        fa_##name##_out         out;                                                               \
        fa_##name##_law(&in, &out);                                                                \
        (void)rows;
#define RESULT(name, kind, row, unit, when, about)                                                 \
    if (TOLD_##kind(name) != FA_NO_ROW) value[TOLD_##kind(name)] = out.name;
#define END(name) }
#include "passes.h"
}

static void tell_step(const fa_joint_now *now, unsigned groups, double direction[],
                      double position_step, double rate_step)
{
#define ELEMENT_LIST "at_joints.h"
#define ELEMENT(name, at, xml, about)                                                              \
    if (TELLS(name) && name##_tells(now, groups)) {                                                \
        const fa_##name##_rows *rows = FA_ROWS_OF(name, now->joint);                               \
        const fa_##name##_in    in = fa_##name##_now(now);                                         \
        const fa_##name##_in    dot = fa_##name##_step(now, direction, position_step, rate_step);  \
        fa_##name##_out         out;                                                               \
        fa_##name##_tangent(&in, &dot, &out);                                                      \
        (void)rows;
#define RESULT(name, kind, row, unit, when, about)                                                 \
    if (TOLD_##kind(name) != FA_NO_ROW) direction[TOLD_##kind(name)] = out.name;
#define END(name) }
#include "passes.h"
}

static void tell_slope(const fa_joint_now *now, unsigned groups, double slope[])
{
#define ELEMENT_LIST "at_joints.h"
#define ELEMENT(name, at, xml, about)                                                              \
    if (TELLS(name) && name##_tells(now, groups)) {                                                \
        const fa_##name##_rows *rows = FA_ROWS_OF(name, now->joint);                               \
        const fa_##name##_in    in = fa_##name##_now(now);                                         \
        fa_##name##_in          bar;                                                               \
        fa_##name##_out         weight = {0};                                                      \
        (void)rows;
#define RESULT(name, kind, row, unit, when, about)                                                 \
    if (TOLD_##kind(name) != FA_NO_ROW) weight.name = slope[TOLD_##kind(name)];
#define END(name)                                                                                  \
    fa_##name##_adjoint(&in, &weight, &bar);                                                       \
    fa_##name##_slope(now, &bar, slope);                                                           \
    }
#include "passes.h"
}

void fa_arm_motors(const fa_arm *arm, double value[], unsigned groups)
{
    for (int i = 0; i < arm->chain.n; i++) {
        const fa_joint_now now = fa_joint_at(arm, value, i);
        tell(&now, groups, value);
    }
}

void fa_arm_motors_step(const fa_arm *arm, const double value[], double direction[],
                        unsigned groups)
{
    const double *dq = direction + arm->row[FA_ARM_POSITION];
    const double *dqd = direction + arm->row[FA_ARM_VELOCITY];
    for (int i = 0; i < arm->chain.n; i++) {
        const fa_joint_now now = fa_joint_at(arm, value, i);
        tell_step(&now, groups, direction, now.ratio * dq[arm->body[i].coordinate],
                  fa_joint_rate(&arm->body[i], dqd));
    }
}

void fa_arm_motors_slope(const fa_arm *arm, const double value[], double slope[], unsigned groups)
{
    for (int i = 0; i < arm->chain.n; i++) {
        const fa_joint_now now = fa_joint_at(arm, value, i);
        tell_slope(&now, groups, slope);
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

void fa_arm_voltages_step(const fa_arm *arm, const double value[], const double torque_step[],
                          double direction[])
{
    const double *dqd = direction + arm->row[FA_ARM_VELOCITY];
    for (int i = 0; i < arm->chain.n; i++) {
        const fa_arm_joint *joint = &arm->joint[i];
        if (!joint->motor.present) continue;
        direction[joint->at[FA_AT(motor.torque)]] = torque_step[arm->body[i].coordinate];
        const fa_joint_now now = fa_joint_at(arm, value, i);
        const fa_motor_in  in = fa_motor_now(&now);
        const fa_motor_in  dot =
            fa_motor_step(&now, direction, 0, fa_joint_rate(&arm->body[i], dqd));
        fa_motor_out out;
        fa_motor_tangent(&in, &dot, &out);
        direction[FA_DRIVE_ROW(joint)] = out.voltage;
    }
}

void fa_arm_voltages_slope(const fa_arm *arm, const double value[], double torque_slope[],
                           double slope[])
{
    for (int i = 0; i < arm->chain.n; i++) {
        const fa_arm_joint *joint = &arm->joint[i];
        if (!joint->motor.present) continue;
        const fa_joint_now now = fa_joint_at(arm, value, i);
        const fa_motor_in  in = fa_motor_now(&now);
        const fa_motor_out weight = {.voltage = slope[FA_DRIVE_ROW(joint)]};
        fa_motor_in        bar;
        fa_motor_adjoint(&in, &weight, &bar);
        fa_motor_slope(&now, &bar, slope);
        torque_slope[arm->body[i].coordinate] = slope[joint->at[FA_AT(motor.torque)]];
    }
}
