// Resets unused data of a robot to defaults, such as numbers of an absent motor.
#include "robot_tidy.h"

#include <string.h>

#include "joint_lists.h"

// Resets data of other joint types: a pitch, the start of one freedom or of several.
static void tidy_type(fa_joint *joint)
{
    const fa_joint_start nowhere = {.quaternion = {1, 0, 0, 0}};
    if (joint->type != FA_SCREW) joint->pitch = 0;
    if (joint->type != FA_SPHERICAL) fa_joint_clear_cone(joint);
    if (!fa_joint_is_several(joint->type)) {
        joint->start = nowhere;
        return;
    }
    joint->initial_position = joint->initial_velocity = 0;
    fa_joint_reset(joint, FA_JOINT_limit);
    if (joint->type == FA_SPHERICAL)
        for (int i = 0; i < 3; i++) joint->start.position[i] = joint->start.velocity[i] = 0;
    if (fa_joint_has_ball(joint->type)) {
        joint->axis = vec3(0, 0, 1);
        return;
    }
    memcpy(joint->start.quaternion, nowhere.quaternion, sizeof nowhere.quaternion);
    for (int i = 0; i < 3; i++) joint->start.angular_velocity[i] = 0;
}

static void tidy_link(const fa_robot *robot, int index, fa_link *link)
{
    if (link->parent == FA_WORLD) link->joint.name[0] = '\0';
    if (link->joint.type == FA_FIXED)
        fa_joint_clear(&link->joint);
    else
        fa_joint_clear_absent(&link->joint);
    tidy_type(&link->joint);
    link->wrench = link->wrench && fa_robot_link_moves(robot, index);
    if (!fa_robot_link_moves(robot, index)) link->relief = 0;
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
    // Ideal wheels that have to do with more than level ground.
    if (strcmp(robot->plant, "snake") == 0 &&
        (snake->slope != 0 || robot->n_things > 0 || snake->touch.present ||
         (robot->outputs & FA_EXTRA_WORK)))
        strcpy(robot->plant, "rolling-snake");
    robot->tip = transform_identity();
    robot->tip_link = robot->n_links - 1;
    robot->outputs &= FA_EXTRA_POSES | FA_EXTRA_ENERGY | FA_EXTRA_WORK |
                      (fa_robot_has_ground(robot) ? FA_EXTRA_REACTIONS : 0);
    robot->base_motion = false;
    if (fa_robot_is_sliding(robot)) snake->n_prescribed = 0;
    if (snake->input != FA_SNAKE_GAIT) snake->gait_told = false;
    for (int k = 0; k < robot->n_links; k++)
        if (k == 0 || snake->input != FA_SNAKE_PRESCRIBED || !fa_robot_is_sliding(robot))
            robot->link[k].segment.prescribed = false;
    if (snake->input != FA_SNAKE_PRESCRIBED) snake->n_prescribed = 0;
    for (int i = snake->n_prescribed < 0 ? 0 : snake->n_prescribed; i < FA_PRESCRIBED_MAX; i++)
        snake->prescribed[i] = 0;
}

// Chooses the plant of an arm from the types of its joints.
static void tidy_plant(fa_robot *robot)
{
    const bool motion = strcmp(robot->plant, "arm") == 0 || strcmp(robot->plant, "mechanism") == 0;
    if (motion && fa_robot_has_circuit(robot)) strcpy(robot->plant, "circuit");
    static const char *const name[2][2] = {{"arm", "mechanism"}, {"inverse", "inverse-mechanism"}};
    const bool               mechanism = fa_robot_is_mechanism(robot);
    for (int inverse = 0; inverse < 2; inverse++)
        if (strcmp(robot->plant, name[inverse][!mechanism]) == 0)
            strcpy(robot->plant, name[inverse][mechanism]);
}

void fa_robot_tidy(fa_robot *robot)
{
    fa_cylinder *cylinder = fa_robot_cylinders(robot);
    for (int k = 0; k < robot->n_cylinders; k++) tidy_cylinder(robot, &cylinder[k]);
    if (fa_robot_is_snake(robot)) {
        tidy_snake(robot);
        return;
    }
    robot->outputs &= ~FA_EXTRA_WORK;
    for (int i = 0; i < robot->n_links; i++) tidy_link(robot, i, &robot->link[i]);
    tidy_plant(robot);
    if (!fa_robot_is_axis(robot)) return;
    robot->tip = transform_identity();
    robot->outputs = 0;
    robot->base_motion = false;
}
