// The joints of an arm as a place that elements stand at (elements/place.h): where its table has
// what their laws read and what they come to.
#ifndef FA_ARM_ELEMENTS_H
#define FA_ARM_ELEMENTS_H

#include "arm.h"
#include "elements.h"
#include "laws.h"

#include "laws.gen.h"

// A joint at this moment.
typedef struct fa_joint_now {
    const fa_arm_joint *joint;
    const double       *value;
    double              position, rate;
    double              ratio;           // by which it follows its coordinate …
    int                 q_row, qd_row;   // … which these rows are of
    double              wanted;          // of an inverse with a motor: the torque at the joint …
    int                 wanted_row;      // … and its row
    bool                inverse;         // prescribed motion: no drives, no sticking, no stops
    double              gravity;         // effort that holds the arm, where a servo wants it …
    double             *gravity_adjoint; // … and the adjoint by it
} fa_joint_now;

typedef struct fa_joint_change {
    const double *direction; // of the rows
    double        position, rate, wanted, gravity;
} fa_joint_change;

typedef double fa_joint_sums; // adjoints of the rows

static inline double fa_at_row(const double of[], int row)
{
    return row == FA_NO_ROW ? 0 : of[row];
}

static inline fa_joint_now fa_joint_at(const fa_arm *arm, const double value[], int i)
{
    const fa_body      *body = &arm->body[i];
    const fa_arm_joint *joint = &arm->joint[i];
    const double *q = value + arm->row[FA_ARM_POSITION], *qd = value + arm->row[FA_ARM_VELOCITY];
    const int     wanted = arm->inverse ? joint->at[FA_AT(motor.torque)] : FA_NO_ROW;
    return (fa_joint_now){joint,
                          value,
                          fa_joint_position(body, q),
                          fa_joint_rate(body, qd),
                          body->ratio,
                          arm->row[FA_ARM_POSITION] + body->coordinate,
                          arm->row[FA_ARM_VELOCITY] + body->coordinate,
                          fa_at_row(value, wanted),
                          wanted,
                          arm->inverse,
                          arm->weight.effort ? arm->weight.effort[body->coordinate] : 0,
                          arm->weight.adjoint ? arm->weight.adjoint + body->coordinate : NULL};
}

static inline fa_joint_change fa_joint_change_at(const fa_arm *arm, const fa_joint_now *now,
                                                 const double direction[], int i)
{
    const fa_body *body = &arm->body[i];
    const double  *dq = direction + arm->row[FA_ARM_POSITION];
    const double  *dqd = direction + arm->row[FA_ARM_VELOCITY];
    return (fa_joint_change){direction, body->ratio * dq[body->coordinate],
                             fa_joint_rate(body, dqd), fa_at_row(direction, now->wanted_row),
                             arm->weight.tangent ? arm->weight.tangent[body->coordinate] : 0};
}

static inline void fa_add_to_row(double adjoint[], int row, double by)
{
    if (row != FA_NO_ROW) adjoint[row] += by;
}

static inline void fa_add_position(const fa_joint_now *now, double adjoint[], double by)
{
    adjoint[now->q_row] += now->ratio * by;
}

static inline void fa_add_rate(const fa_joint_now *now, double adjoint[], double by)
{
    adjoint[now->qd_row] += now->ratio * by;
}

static inline void fa_add_wanted(const fa_joint_now *now, double adjoint[], double by)
{
    fa_add_to_row(adjoint, now->wanted_row, by);
}

static inline void fa_add_gravity(const fa_joint_now *now, double adjoint[], double by)
{
    (void)adjoint;
    if (now->gravity_adjoint) *now->gravity_adjoint += by;
}

// Rows of an element's reals and results, as fields called like them.
#define FA_ROWS_OF(name, joint)                                                                    \
    ((const fa_##name##_rows *)(const void *)((joint)->at + FA_AT(name)))

// Row of the drive's input; a drive with more inputs has a row for each.
#define FA_DRIVE_ROW(joint) ((joint)->at[FA_ARM_TORQUE])

#define SITE_inverse(now) ((now)->inverse)
#define SITE_stops(now)   ((now)->joint->stop.present)

#define PLACE                         joint
#define PLACE_LIST                    "at_joints.h"
#define PLACE_PRESENT(now, element)   ((now)->joint->element.present)
#define PLACE_DRIVEN(now)             (!(now)->inverse)
#define PLACE_ROWS_OF(now, element)   FA_ROWS_OF(element, (now)->joint)
#define PLACE_DATA_OF(now, element)   ((now)->joint->element)
#define PLACE_NUMBER(now, at, loaded) (loaded)
#define PLACE_INPUT(now, at)                                                                       \
    ((now)->inverse ? FA_NO_ROW : (at) != FA_NO_ROW ? (at) : FA_DRIVE_ROW((now)->joint))
#define PLACE_VALUE(now, at)                 fa_at_row((now)->value, at)
#define PLACE_CHANGE(now, change, at)        fa_at_row((change)->direction, at)
#define PLACE_ADD(now, sums, at, by)         fa_add_to_row(sums, at, by)
#define PLACE_ADD_GIVEN(now, sums, name, by) fa_add_##name(now, sums, by)
#define PLACE_ROW(now, at)                   (at)
#define PLACE_TELLS_PUSH(now, groups)        ((groups)&FA_ARM_GROUP_MOTORS && !(now)->inverse)
#define PLACE_TELLS_RATE(now, groups)        ((groups)&FA_GROUP_DERIVATIVES)
#define PLACE_TELLS_OUTPUT(now, groups)      ((groups)&FA_ARM_GROUP_MOTORS)
#define PLACE_TELLS_INDICATOR(now, groups)   ((groups)&FA_ARM_GROUP_STOPS)
#define PLACE_WORK                           FA_ARM_BY_ACTUATORS
#define PLACE_FRICTION                       FA_ARM_FRICTION
#define PLACE_STOPS                          FA_ARM_STOPS
#include "place.h"

#endif
