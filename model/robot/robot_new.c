// Robots with every field at its default.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "joint_lists.h"
#include "robot_lists.h"
#include "snake_lists.h"
#include "usual.h"

size_t fa_robot_size(const fa_robot *robot)
{
    const fa_robot_lists lists = fa_robot_lists_of(robot);
    return sizeof(fa_robot) + (size_t)robot->n_links * sizeof(fa_link) +
           fa_robot_lists_size(&lists);
}

void fa_joint_clear_cone(fa_joint *joint)
{
    memset(&joint->cone, 0, sizeof joint->cone);
    joint->cone_axis = vec3(0, 0, 1);
}

void fa_joint_clear(fa_joint *joint)
{
    joint->axis = vec3(0, 0, 1);
    joint->mimic = (fa_mimic){FA_NOBODY, 1, 0};
    joint->initial_position = joint->initial_velocity = joint->pitch = 0;
    joint->start = (fa_joint_start){.quaternion = {1, 0, 0, 0}};
    joint->independent = joint->dependent = false;
    fa_joint_clear_cone(joint);
    for (int k = 0; k < FA_JOINT_ELEMENTS; k++) fa_joint_reset(joint, (fa_joint_element)k);
}

void fa_joint_clear_absent(fa_joint *joint)
{
    for (int k = 0; k < FA_JOINT_ELEMENTS; k++)
        if (!fa_joint_says(joint, (fa_joint_element)k)) fa_joint_reset(joint, (fa_joint_element)k);
    if (!joint->cone.present) fa_joint_clear_cone(joint);
    if (joint->mimic.leader == FA_NOBODY) joint->mimic = (fa_mimic){FA_NOBODY, 1, 0};
}

fa_robot *fa_robot_new(int n_links)
{
    const fa_robot wanted = {.n_links = n_links};
    fa_robot      *robot = calloc(1, fa_robot_size(&wanted));
    if (!robot) return NULL;
    strcpy(robot->plant, "arm");
    robot->gravity = vec3(0, 0, -9.81);
    robot->tip = transform_identity();
    robot->ground.normal = vec3(0, 0, 1);
    robot->oil = fa_oil_usual();
    robot->n_links = n_links;
    for (int i = 0; i < n_links; i++) {
        fa_link  *link = &robot->link[i];
        fa_joint *joint = &link->joint;
        link->parent = FA_WORLD;
        link->frame = transform_identity();
        joint->origin = transform_identity();
        fa_joint_clear(joint);
    }
    return robot;
}

// Defaults of a snake. The stop is like rubber for a link of a kilogram and twenty centimetres:
// contact lasts a hundredth of a second, and half of the speed is returned.
static const double SNAKE_LIMIT = 150 * 3.14159265358979323846 / 180; // [rad]
static const double SNAKE_STOP_STIFFNESS = 100;                       // [N m/rad]
static const double SNAKE_STOP_DAMPING = 1;                           // [N m s/rad]

static void join(fa_joint *joint)
{
    joint->type = FA_REVOLUTE;
    joint->spring.present = true;
    joint->limit.lower = -SNAKE_LIMIT;
    joint->limit.upper = SNAKE_LIMIT;
    joint->stop = (fa_stop_data){true, SNAKE_STOP_STIFFNESS, SNAKE_STOP_DAMPING};
}

fa_robot *fa_robot_new_snake(int n_links)
{
    fa_robot *robot = fa_robot_new(n_links);
    if (!robot) return NULL;
    strcpy(robot->plant, "snake");
    fa_snake_reset_inputs(&robot->snake);
    for (int i = 0; i < n_links; i++) {
        fa_link  *link = &robot->link[i];
        fa_joint *joint = &link->joint;
        link->parent = i - 1; // of the first: FA_WORLD
        fa_snake_reset_wheel(&link->segment.ground);
        fa_snake_reset_feet(&link->segment.feet);
        if (i > 0) join(joint);
        snprintf(link->name, sizeof link->name, "link%d", i + 1);
        if (i > 0) snprintf(joint->name, sizeof joint->name, "joint%d", i);
    }
    robot->snake.every = robot->link[0];
    robot->snake.every.name[0] = '\0';
    robot->snake.every.parent = 0; // some link, so that there is a joint
    join(&robot->snake.every.joint);
    return robot;
}
