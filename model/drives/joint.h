// A joint of an arm as what acts at it sees it: its numbers, and the rows of the plant's table that
// these stand in.
#ifndef FA_JOINT_H
#define FA_JOINT_H

#include "arm_quantity.h"
#include "law.h"
#include "robot.h"
#include "variables.h"

// A joint that moves, free or not; one per body.
typedef struct fa_arm_joint {
    int           at[FA_ARM_JOINT_END]; // rows by quantity, FA_NO_ROW where there is none
    fa_quaternion home;                 // turns the body's axes at q = 0 into its parent's
    fa_friction   friction;
    fa_spring     spring;
    fa_stop       stop;
    double        lower, upper; // where the stops are
    fa_motor      motor;
    fa_closure    closure;
    double        gear;
    fa_joint      given; // as the robot has it: for the rules, with the parameters' numbers in it
} fa_arm_joint;

// The same at this moment.
typedef struct fa_joint_now {
    const fa_arm_joint *joint;
    const double       *value;
    double              position, rate, ratio; // ratio: by which it follows its coordinate …
    int                 q_row, qd_row;         // … which these rows are of
    bool                inverse;               // motion is given: nothing drives, sticks or stops
} fa_joint_now;

FA_INLINED double fa_joint_value(const fa_joint_now *now, fa_arm_quantity quantity)
{
    const int row = now->joint->at[quantity];
    return row == FA_NO_ROW ? 0 : now->value[row];
}

// Derivatives of a law: by one of the joint's rows, by its position, by its rate.
FA_INLINED void fa_law_by_quantity(fa_law *law, const fa_joint_now *now, fa_arm_quantity quantity,
                                   double by)
{
    fa_law_by(law, now->joint->at[quantity], by);
}

FA_INLINED void fa_law_by_position(fa_law *law, const fa_joint_now *now, double by)
{
    fa_law_by(law, now->q_row, now->ratio * by);
}

FA_INLINED void fa_law_by_rate(fa_law *law, const fa_joint_now *now, double by)
{
    fa_law_by(law, now->qd_row, now->ratio * by);
}

#endif
