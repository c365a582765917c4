// Creates a snake with another number of links.
#include <stdlib.h>
#include <string.h>

#include "robot.h"
#include "sincos.h"

int fa_robot_least_links(const fa_robot *robot)
{
    const fa_snake_options *snake = &robot->snake;
    int                     least = 2; // a snake needs a joint
    if (snake->input == FA_SNAKE_SPEEDS) least = 3;
    if (least <= snake->base) least = snake->base + 1;
    if (snake->input != FA_SNAKE_PRESCRIBED) return least;
    for (int i = 0; i < snake->n_prescribed; i++)
        if (least <= snake->prescribed[i]) least = snake->prescribed[i] + 1;
    return least;
}

void fa_robot_start_in_gait(fa_robot *robot)
{
    const fa_gait_data *gait = &robot->snake.gait;
    double              angle = 0, mean = 0, sine, cosine;
    for (int k = 0; k < robot->n_links; k++) {
        robot->link[k].segment.initial_angle = angle;
        mean += angle / robot->n_links;
        fa_sincos(k * gait->shift + gait->phase, &sine, &cosine);
        angle += gait->amplitude * sine + gait->bias;
    }
    for (int k = 0; k < robot->n_links; k++) robot->link[k].segment.initial_angle -= mean;
}

// Copies the properties of a link and of the joint behind it, but not their names and order.
static void copy_part(fa_link *to, const fa_link *from)
{
    const fa_joint *joint = &from->joint;
    to->segment = from->segment;
    to->mass = from->mass;
    to->com = from->com;
    to->inertia = from->inertia;
    if (to->parent == FA_WORLD) return;
    to->joint.friction = joint->friction;
    to->joint.spring.stiffness = joint->spring.stiffness;
    to->joint.spring.damping = joint->spring.damping;
    to->joint.spring.rest = joint->spring.rest;
    to->joint.rotor.inertia = joint->rotor.inertia;
    to->joint.rotor.gear = joint->rotor.gear;
    to->joint.limit = joint->limit;
    to->joint.stop = joint->stop;
}

static void copy_whole(fa_robot *to, const fa_robot *from)
{
    memcpy(to->name, from->name, sizeof to->name);
    memcpy(to->plant, from->plant, sizeof to->plant);
    memcpy(to->source, from->source, sizeof to->source);
    to->gravity = from->gravity;
    to->tip_link = to->n_links - 1;
    to->tip = from->tip;
    to->snake = from->snake;
    to->outputs = from->outputs;
}

fa_status fa_robot_resize_snake(const fa_robot *robot, int n, fa_robot **resized, fa_error *error)
{
    const int least = fa_robot_least_links(robot);
    *resized = NULL;
    if (n < least || n > FA_LINK_MAX)
        return fa_fail(error, FA_BAD_INPUT, NULL, FA_NOWHERE,
                       "'%s' cannot have %d links; with its base, its kind of input and the joints "
                       "that this prescribes, it has %d to %d",
                       robot->name, n, least, FA_LINK_MAX);
    fa_robot *to = fa_robot_new_snake(n);
    if (to && robot->n_things > 0) {
        fa_robot *with = fa_robot_with_things(to, robot->n_things);
        if (!with) free(to);
        to = with;
    }
    if (!to)
        return fa_fail(error, FA_NO_MEMORY, NULL, FA_NOWHERE,
                       "there is not enough memory for %d links", n);
    copy_whole(to, robot);
    if (robot->n_things > 0)
        memcpy(fa_robot_things(to), fa_robot_thing(robot, 0),
               (size_t)robot->n_things * sizeof(fa_thing));
    for (int k = 0; k < n; k++) {
        const bool own = k < robot->n_links;
        copy_part(&to->link[k], own ? &robot->link[k] : &robot->snake.every);
        if (!own) to->link[k].segment.initial_angle = to->link[k - 2].segment.initial_angle;
    }
    if (robot->snake.input == FA_SNAKE_GAIT && robot->snake.in_gait) fa_robot_start_in_gait(to);
    fa_status status = fa_robot_check(to, NULL, error);
    if (status == FA_OK)
        *resized = to;
    else
        free(to);
    return status;
}
