// Finds rows of joints in a plant's table.
#include "motion_rows.h"

#include "arm_table.h"
#include "joint_parts.h"
#include "spatial.h"

int fa_robot_position_count(const fa_robot *robot)
{
    int n = 0;
    for (int i = 0; i < robot->n_links; i++) {
        const fa_joint *joint = &robot->link[i].joint;
        if (fa_joint_is_free(joint))
            n += fa_joint_speeds(joint) + (fa_joint_has_ball(joint->type) ? 1 : 0);
    }
    return n;
}

// Returns entry k of a vector that begins at this row.
static int entry(int first, int k)
{
    return first == FA_NO_ROW ? FA_NO_ROW : first + k;
}

void fa_motion_rows_find(const fa_robot *robot, const fa_variables *table,
                         fa_motion_position position[], fa_motion_speed speed[])
{
    for (int i = 0; i < robot->n_links; i++) {
        const fa_joint *joint = &robot->link[i].joint;
        if (!fa_joint_is_free(joint)) continue;
        const int n = fa_joint_speeds(joint);
        const int sliding = fa_joint_has_ball(joint->type) ? fa_joint_ball_part(joint->type) : n;
        const int q = fa_arm_row_with(table, FA_ARM_POSITION, i);
        const int q_start = fa_arm_row_with(table, FA_ARM_INITIAL_POSITION, i);
        const int qd = fa_arm_row_with(table, FA_ARM_VELOCITY, i);
        const int qd_start = fa_arm_row_with(table, FA_ARM_INITIAL_VELOCITY, i);
        const int qdd = fa_arm_row_with(table, FA_ARM_ACCELERATION, i);
        const int effort = fa_arm_row_with(table, FA_ARM_TORQUE, i);
        for (int k = 0; k < n + (sliding < n); k++)
            *position++ = (fa_motion_position){entry(q, k), entry(q_start, k), joint->dependent};
        for (int k = 0; k < n; k++) {
            const int axis = k < sliding ? FA_NOBODY : k - sliding, at = axis < 0 ? k : sliding;
            *speed++ = (fa_motion_speed){.velocity = entry(qd, k),
                                         .start = entry(qd_start, k),
                                         .acceleration = entry(qdd, k),
                                         .effort = entry(effort, k),
                                         .position = entry(q, at),
                                         .position_start = entry(q_start, at),
                                         .axis = axis,
                                         .link = i,
                                         .dependent = joint->dependent};
        }
    }
}

void fa_motion_move(const fa_motion_speed *speed, const double value[], double rate,
                    double direction[])
{
    double *to = direction + speed->position;
    if (speed->axis == FA_NOBODY) {
        to[0] += rate;
        return;
    }
    const double       *p = value + speed->position;
    const fa_quaternion half = {0, speed->axis == 0 ? rate / 2 : 0, speed->axis == 1 ? rate / 2 : 0,
                                speed->axis == 2 ? rate / 2 : 0};
    const fa_quaternion turned = fa_quaternion_mul(half, (fa_quaternion){p[0], p[1], p[2], p[3]});
    to[0] += turned.w;
    to[1] += turned.x;
    to[2] += turned.y;
    to[3] += turned.z;
}
