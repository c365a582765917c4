// Converts a robot description into the numbers of Kane's equations; validates snakes.
#include "robot_snake.h"

#include <math.h>
#include <stdlib.h>

#include "number.h"

fa_snake fa_robot_snake(const fa_robot *robot, fa_snake_link link[], fa_snake_joint joint[])
{
    for (int k = 0; k < robot->n_links; k++) {
        const fa_link    *of = &robot->link[k];
        const fa_segment *segment = &of->segment;
        link[k] = (fa_snake_link){.a = segment->wheel,
                                  .b = segment->length - segment->wheel,
                                  .c = of->com.x,
                                  .d = of->com.y,
                                  .m = of->mass,
                                  .I = of->inertia.zz,
                                  .rolling_viscous = segment->viscous,
                                  .rolling_coulomb = segment->coulomb};
        if (k == 0) continue;
        const fa_joint *by = &of->joint;
        joint[k - 1] =
            (fa_snake_joint){.rotor = by->rotor.inertia * by->rotor.gear * by->rotor.gear,
                             .viscous = by->friction.viscous,
                             .stiffness = by->spring.stiffness,
                             .rest = by->spring.rest};
    }
    return (fa_snake){robot->n_links, robot->snake.base, link, joint, robot->snake.rolling_width};
}

#define FAIL(place, ...) fa_fail(error, FA_BAD_INPUT, robot->source, place, __VA_ARGS__)

// A number, what it is, and what it has to be.
typedef struct rule {
    double value;
    enum { FINITE, NOT_NEGATIVE, POSITIVE } sign;
    const char *what;
} rule;

static fa_status check_rules(const fa_robot *robot, fa_place place, const rule list[], size_t n,
                             const char *of, fa_error *error)
{
    static const char *const wanted[] = {"a finite number", "zero or a positive number",
                                         "a positive number"};
    for (size_t i = 0; i < n; i++) {
        double value = list[i].value;
        bool   good = list[i].sign == FINITE         ? true
                      : list[i].sign == NOT_NEGATIVE ? value >= 0
                                                     : value > 0;
        if (!good || !isfinite(value))
            return FAIL(place, "the %s of %s is %s; give %s", list[i].what, of,
                        fa_number_text(value).text, wanted[list[i].sign]);
    }
    return FA_OK;
}

#define CHECK_RULES(place, list, of)                                                               \
    check_rules(robot, place, list, sizeof list / sizeof *list, of, error)

// What the equations of motion do not know of links and joints.
static fa_status check_part(const fa_robot *robot, int k, fa_error *error)
{
    const fa_link *link = &robot->link[k];
    const rule     of_link[] = {{link->segment.grip, POSITIVE, "grip"},
                                {link->segment.initial_angle, FINITE, "angle at the start"}};
    fa_status      status = CHECK_RULES(link->place, of_link, link->name);
    if (status != FA_OK || k == 0) return status;

    const fa_joint *joint = &link->joint;
    const rule      of_joint[] = {{joint->rotor.gear, FINITE, "gear ratio"},
                                  {joint->rotor.inertia, NOT_NEGATIVE, "rotor inertia"},
                                  {joint->limit.upper, POSITIVE, "limit"},
                                  {joint->stop.stiffness, POSITIVE, "stiffness at the stop"},
                                  {joint->stop.damping, NOT_NEGATIVE, "damping at the stop"}};
    status = CHECK_RULES(joint->place, of_joint, joint->name);
    if (status != FA_OK) return status;
    if (joint->limit.lower != -joint->limit.upper)
        return FAIL(joint->place, "%s has limits that differ to the left and to the right",
                    joint->name);
    if (joint->stop.present != robot->link[1].joint.stop.present)
        return FAIL(joint->place, "some joints have stops and some have none; give them to all");
    return FA_OK;
}

static fa_status check_prescribed(const fa_robot *robot, fa_error *error)
{
    const fa_snake_options *snake = &robot->snake;
    if (snake->input != FA_SNAKE_PRESCRIBED) return FA_OK;
    if (snake->n_prescribed < 1 || snake->n_prescribed > FA_PRESCRIBED_MAX)
        return FAIL(snake->input_place,
                    "%d joints are prescribed, but a snake on wheels has two degrees of freedom "
                    "whatever its length; prescribe one or two",
                    snake->n_prescribed);
    for (int i = 0; i < snake->n_prescribed; i++)
        if (snake->prescribed[i] < 1 || snake->prescribed[i] >= robot->n_links)
            return FAIL(snake->input_place,
                        "joint %d is prescribed, but the snake's joints are 1 to %d",
                        snake->prescribed[i], robot->n_links - 1);
    if (snake->n_prescribed == 2 && snake->prescribed[0] >= snake->prescribed[1])
        return FAIL(snake->input_place,
                    "the prescribed joints are %d and %d; give two different ones, the "
                    "lower number first",
                    snake->prescribed[0], snake->prescribed[1]);
    return FA_OK;
}

static fa_status check_options(const fa_robot *robot, fa_error *error)
{
    const fa_snake_options *snake = &robot->snake;
    const fa_snake_gait    *gait = &snake->gait;
    const fa_snake_motor   *motor = &snake->motor;
    const rule              list[] = {{-robot->gravity.z, POSITIVE, "gravity"},
                                      {snake->rolling_width, POSITIVE, "rolling width"},
                                      {snake->x, FINITE, "x at the start"},
                                      {snake->y, FINITE, "y at the start"},
                                      {snake->speed, FINITE, "speed at the start"},
                                      {snake->rate, FINITE, "rate at the start"}};
    const rule              driven[] = {{snake->bandwidth, POSITIVE, "bandwidth"},
                                        {gait->amplitude, FINITE, "amplitude"},
                                        {gait->frequency, FINITE, "frequency"},
                                        {gait->shift, FINITE, "shift"},
                                        {gait->bias, FINITE, "bias"},
                                        {gait->phase, FINITE, "phase"},
                                        {gait->stiffness, NOT_NEGATIVE, "stiffness"},
                                        {gait->damping, NOT_NEGATIVE, "damping"}};
    const rule              voltage[] = {{motor->resistance, POSITIVE, "resistance"},
                                         {motor->torque_constant, FINITE, "torque constant"},
                                         {motor->back_emf, FINITE, "back-emf"}};
    fa_status               status = CHECK_RULES(snake->place, list, "the snake");
    if (status == FA_OK) status = CHECK_RULES(snake->input_place, driven, "the input");
    if (status == FA_OK && snake->input == FA_SNAKE_VOLTAGE)
        status = CHECK_RULES(snake->input_place, voltage, "the motors");
    if (status == FA_OK && snake->input == FA_SNAKE_SPEEDS && robot->n_links < 3)
        status = FAIL(snake->input_place,
                      "a snake of two links has one joint, which cannot drive both its speed and "
                      "its rate; give it three links or more");
    return status == FA_OK ? check_prescribed(robot, error) : status;
}

// The equations' own rules, at the place of what is at fault.
static fa_status check_equations(const fa_robot *robot, fa_error *error)
{
    size_t          n = (size_t)robot->n_links;
    fa_snake_link  *link = malloc(n * sizeof *link);
    fa_snake_joint *joint = malloc(n * sizeof *joint);
    fa_status       status = FA_NO_MEMORY;
    fa_place        place = robot->snake.place;
    fa_error        reason = fa_no_error();
    int             k, j;
    if (link && joint) {
        fa_snake snake = fa_robot_snake(robot, link, joint);
        status = fa_snake_check_parts(&snake, &k, &j, &reason);
        if (k != FA_SNAKE_WHOLE) place = robot->link[k].place;
        if (j != FA_SNAKE_WHOLE) place = robot->link[j + 1].joint.place;
        if (status != FA_OK) fa_fail(error, status, robot->source, place, "%s", reason.message);
    } else {
        fa_fail(error, status, robot->source, FA_NOWHERE,
                "there is not enough memory for a snake of %d links", robot->n_links);
    }
    free(joint);
    free(link);
    return status;
}

fa_status fa_robot_check_snake(const fa_robot *robot, fa_error *error)
{
    if (!robot->name[0])
        return FAIL(FA_NOWHERE, "the robot has no name; give it one in the attribute name");
    for (int k = 0; k < robot->n_links; k++)
        if (robot->link[k].parent != k - 1)
            return FAIL(robot->link[k].place, "link %d does not hang on the link before it", k + 1);
    if (robot->tip_link < 0 || robot->tip_link >= robot->n_links)
        return FAIL(FA_NOWHERE, "the tip is on no link of the snake");
    fa_status status = check_equations(robot, error);
    for (int k = 0; k < robot->n_links && status == FA_OK; k++)
        status = check_part(robot, k, error);
    return status == FA_OK ? check_options(robot, error) : status;
}
