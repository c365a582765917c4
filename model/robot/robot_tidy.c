// Resets what means nothing in a robot, such as numbers of a motor that is absent.
#include "robot_tidy.h"

static void tidy_link(const fa_robot *robot, int index, fa_link *link)
{
    if (link->parent == FA_WORLD) link->joint.name[0] = '\0';
    if (link->joint.type == FA_FIXED)
        fa_joint_clear(&link->joint);
    else
        fa_joint_clear_absent(&link->joint);
    link->wrench = link->wrench && fa_robot_link_moves(robot, index);
}

static void tidy_cylinder(const fa_robot *robot, fa_cylinder *cylinder)
{
    if (!cylinder->linkage.present) cylinder->linkage = (fa_linkage){.branch = 1};
    if (!fa_robot_is_axis(robot)) return;
    cylinder->from = cylinder->to = 0; // its one link
    cylinder->from_point = cylinder->to_point = vec3(0, 0, 0);
    cylinder->linkage = (fa_linkage){.branch = 1};
}

static void tidy_snake(fa_robot *robot)
{
    fa_snake_options *snake = &robot->snake;
    robot->tip = transform_identity();
    robot->tip_link = robot->n_links - 1;
    robot->outputs &= FA_EXTRA_POSES | FA_EXTRA_ENERGY;
    robot->base_motion = false;
    if (snake->input != FA_SNAKE_PRESCRIBED) snake->n_prescribed = 0;
    for (int i = snake->n_prescribed < 0 ? 0 : snake->n_prescribed; i < FA_PRESCRIBED_MAX; i++)
        snake->prescribed[i] = 0;
}

void fa_robot_tidy(fa_robot *robot)
{
    fa_cylinder *cylinder = fa_robot_cylinders(robot);
    for (int k = 0; k < robot->n_cylinders; k++) tidy_cylinder(robot, &cylinder[k]);
    if (fa_robot_is_snake(robot)) {
        tidy_snake(robot);
        return;
    }
    for (int i = 0; i < robot->n_links; i++) tidy_link(robot, i, &robot->link[i]);
    if (!fa_robot_is_axis(robot)) return;
    robot->tip = transform_identity();
    robot->outputs = 0;
    robot->base_motion = false;
}
