// Converts a robot description into the numbers of Kane's equations; validates snakes.
#include "robot_snake.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "laws.h"
#include "methods.h"
#include "number.h"
#include "snake_lists.h"

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
                                  .I = of->inertia.zz};
        if (k == 0) continue;
        const fa_joint *by = &of->joint;
        joint[k - 1] =
            (fa_snake_joint){.rotor = by->rotor.inertia * by->rotor.gear * by->rotor.gear};
    }
    return (fa_snake){robot->n_links, robot->snake.base, link, joint, 0};
}

#define FAIL(place, ...) fa_fail(error, FA_BAD_INPUT, robot->source, place, __VA_ARGS__)

// Refuses properties of a sliding link that its ground law does not use.
static fa_status check_sliding(const fa_robot *robot, int k, fa_error *error)
{
    const fa_link    *link = &robot->link[k];
    const fa_segment *segment = &link->segment;
    if (!(segment->radius >= 0) || isinf(segment->radius))
        return FAIL(link->place, "the radius of %s is %s; it must be zero or a positive number",
                    link->name, fa_number_text(segment->radius).text);
    if (!isfinite(segment->initial_rate))
        return FAIL(link->place, "the rate at the start of %s is %s; give a finite number",
                    link->name, fa_number_text(segment->initial_rate).text);
    return FA_OK;
}

// Refuses properties of links and joints that the equations of motion do not support.
static fa_status check_part(const fa_robot *robot, int k, fa_error *error)
{
    const fa_link *link = &robot->link[k];
    fa_status      status = fa_snake_check_link(robot, k, error);
    if (status == FA_OK && !isfinite(link->segment.initial_angle))
        return FAIL(link->place, "the angle at the start of %s is %s; give a finite number",
                    link->name, fa_number_text(link->segment.initial_angle).text);
    if (status == FA_OK) status = check_sliding(robot, k, error);
    if (status != FA_OK || k == 0) return status;

    const fa_joint *joint = &link->joint;
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
    if (snake->gait_told && !fa_robot_is_sliding(robot))
        return FAIL(snake->input_place,
                    "the gait prescribes the motion of %d joints, but a snake on ideal wheels has "
                    "two degrees of freedom whatever its length; take drive=\"servo\" (free ground "
                    "takes any number: see <ground>)",
                    robot->n_links - 1);
    if (snake->input != FA_SNAKE_PRESCRIBED) return FA_OK;
    if (fa_robot_is_sliding(robot)) {
        for (int k = 1; k < robot->n_links; k++)
            if (robot->link[k].segment.prescribed) return FA_OK;
        return FAIL(snake->input_place, "no joint is prescribed; name some, or say joints=\"all\"");
    }
    if (snake->n_prescribed < 1 || snake->n_prescribed > FA_PRESCRIBED_MAX)
        return FAIL(snake->input_place,
                    "%d joints are prescribed, but a snake on wheels has two degrees of freedom "
                    "whatever its length; prescribe one or two (free ground takes any number: see "
                    "<ground>)",
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

static fa_status check_patch(const fa_robot *robot, const fa_thing *thing, fa_error *error)
{
    const fa_patch_data *data = &thing->patch;
    const fa_patch_in    in = {.x = data->x,
                               .y = data->y,
                               .radius = data->radius,
                               .width = data->width,
                               .height = data->height,
                               .angle = data->angle,
                               .edge = data->edge,
                               .scale_tangential = data->scale_tangential,
                               .scale_normal = data->scale_normal,
                               .rectangle = data->rectangle,
                               .round = !data->rectangle};
    char                 owner[FA_NAME_SIZE + 16];
    (void)snprintf(owner, sizeof owner, "patch '%s'", thing->name);
    return fa_element_check(&fa_elements[FA_ELEMENT_patch], &in, owner, robot->source, thing->place,
                            error);
}

static fa_status check_obstacle(const fa_robot *robot, const fa_thing *thing, fa_error *error)
{
    const double numbers[] = {thing->x, thing->y, thing->radius, thing->hx, thing->hy};
    const bool   wall = thing->kind == FA_THING_WALL;
    if (!fa_all_finite(numbers, 5))
        return FAIL(thing->place, "a number of '%s' is not finite; give finite ones", thing->name);
    if (!wall && !(thing->radius > 0))
        return FAIL(thing->place, "the radius of peg '%s' is %s; it must be above zero",
                    thing->name, fa_number_text(thing->radius).text);
    if (wall && !(thing->hx * thing->hx + thing->hy * thing->hy > 0))
        return FAIL(thing->place,
                    "the normal of wall '%s' is 0 0; write where it points, out of the wall, such "
                    "as 0 1",
                    thing->name);
    if (!robot->snake.touch.present)
        return FAIL(thing->place,
                    "'%s' is an obstacle, and the file does not say what touching one is like; add "
                    "<contact stiffness=\"…\"/>",
                    thing->name);
    return FA_OK;
}

static fa_status check_touch(const fa_robot *robot, int obstacles, fa_error *error)
{
    const fa_touch_data *data = &robot->snake.touch;
    const fa_touch_in    in = {.stiffness = data->stiffness,
                               .exponent = data->exponent,
                               .dissipation = data->dissipation,
                               .friction = data->friction,
                               .slip_speed = data->slip_speed,
                               .linear = data->exponent == 1};
    if (!data->present) return FA_OK;
    if (obstacles == 0)
        return FAIL(robot->snake.touch_place,
                    "there is a <contact> and nothing to touch; add a <peg> or a <wall>, or remove "
                    "it");
    return fa_element_check(&fa_elements[FA_ELEMENT_touch], &in, "<contact>", robot->source,
                            robot->snake.touch_place, error);
}

// Checks the things on the ground.
static fa_status check_things(const fa_robot *robot, fa_error *error)
{
    fa_status status = FA_OK;
    int       obstacles = 0;
    for (int k = 0; k < robot->n_things && status == FA_OK; k++) {
        const fa_thing *thing = fa_robot_thing(robot, k);
        for (int i = 0; i < k; i++)
            if (strcmp(fa_robot_thing(robot, i)->name, thing->name) == 0)
                return FAIL(thing->place,
                            "two things on the ground are called '%s' (the other one in line %d); "
                            "give each its own name",
                            thing->name, fa_robot_thing(robot, i)->place.line);
        obstacles += thing->kind != FA_THING_PATCH;
        status = thing->kind == FA_THING_PATCH ? check_patch(robot, thing, error)
                                               : check_obstacle(robot, thing, error);
    }
    return status == FA_OK ? check_touch(robot, obstacles, error) : status;
}

static const double QUARTER = 3.14159265358979323846 / 2; // a quarter turn [rad]

static fa_status check_slope(const fa_robot *robot, fa_error *error)
{
    const fa_snake_options *snake = &robot->snake;
    const double start[] = {snake->velocity_x, snake->velocity_y, snake->slope_direction};
    if (!(snake->slope >= 0 && snake->slope < QUARTER))
        return FAIL(snake->place,
                    "the slope of the ground is %s rad; it must be at least 0 and below a right "
                    "angle",
                    fa_number_text(snake->slope).text);
    if (!fa_all_finite(start, 3))
        return FAIL(snake->place,
                    "a number of the snake's <start>, or its slope-direction, is not finite; give "
                    "finite ones");
    if (snake->spread < 0 || snake->spread > FA_SPREAD_MOST)
        return FAIL(snake->place, "the ground acts at %d points of each link; 2 to %d are possible",
                    snake->spread, FA_SPREAD_MOST);
    if (fa_robot_is_sliding(robot) && snake->input == FA_SNAKE_SPEEDS)
        return FAIL(snake->input_place,
                    "speeds drive a snake on ideal wheels, which has two; make the kind 'gait' or "
                    "'prescribed'");
    return FA_OK;
}

static fa_status check_options(const fa_robot *robot, fa_error *error)
{
    const fa_snake_options *snake = &robot->snake;
    const double            start[] = {snake->x, snake->y, snake->speed, snake->rate};
    if (!(-robot->gravity.z > 0) || isinf(robot->gravity.z))
        return FAIL(snake->place, "the gravity of the snake is %s; give a positive number",
                    fa_number_text(-robot->gravity.z).text);
    if (!fa_all_finite(start, 4))
        return FAIL(snake->place,
                    "a number of the snake's <start> is not finite; give finite ones");
    fa_status status = check_slope(robot, error);
    if (status == FA_OK) status = check_things(robot, error);
    if (status == FA_OK) status = fa_snake_check_all(robot, error);
    if (status == FA_OK && snake->input == FA_SNAKE_SPEEDS && robot->n_links < 3)
        status = FAIL(snake->input_place,
                      "a snake of two links has one joint, which cannot drive both its speed and "
                      "its rate; give it three links or more");
    return status == FA_OK ? check_prescribed(robot, error) : status;
}

// Checks the numbers of the equations of motion; errors have the place of the faulty part.
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
        for (size_t i = 0; fa_robot_is_sliding(robot) && i < n; i++)
            if (isfinite(link[i].a + link[i].b))
                // No wheel constrains the link, so its place does not matter.
                link[i].a = link[i].b = (link[i].a + link[i].b) / 2;
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

// Returns the distance of a point from a link, a segment from its rear joint along the unit vector.
static double distance(double x, double y, double along_x, double along_y, double length)
{
    double s = x * along_x + y * along_y;
    s = s < 0 ? 0 : s > length ? length : s;
    const double dx = x - s * along_x, dy = y - s * along_y;
    return sqrt(dx * dx + dy * dy); // hypot of newer C libraries is another symbol
}

// Returns the link in which a peg is deepest at the start, or FA_NOBODY, and the depth.
static int deepest_link(const fa_robot *robot, const fa_thing *peg, double *depth)
{
    const fa_segment *first = &robot->link[0].segment;
    double            x = robot->snake.x - first->wheel * cos(first->initial_angle);
    double            y = robot->snake.y - first->wheel * sin(first->initial_angle);
    int               deepest = FA_NOBODY;
    *depth = 0;
    for (int k = 0; k < robot->n_links; k++) {
        const fa_segment *segment = &robot->link[k].segment;
        const double along_x = cos(segment->initial_angle), along_y = sin(segment->initial_angle);
        const double from = distance(peg->x - x, peg->y - y, along_x, along_y, segment->length);
        const double in = peg->radius + segment->radius - from;
        if (in > *depth) {
            *depth = in;
            deepest = k;
        }
        x += segment->length * along_x;
        y += segment->length * along_y;
    }
    return deepest;
}

// Share of the peg's radius: a link that runs so near to its centre has no defined side.
static const double CENTRAL = 1e-9;

// Warns of pegs that overlap links at the start: the contact would push the link away violently.
static fa_status check_pegs(const fa_robot *robot, const fa_log *log, fa_error *error)
{
    for (int i = 0; i < robot->n_things; i++) {
        const fa_thing *peg = fa_robot_thing(robot, i);
        double          depth;
        if (peg->kind != FA_THING_PEG) continue;
        const int k = deepest_link(robot, peg, &depth);
        if (k == FA_NOBODY) continue;
        const fa_link *link = &robot->link[k];
        const double   most = peg->radius + link->segment.radius;
        if (most - depth <= CENTRAL * peg->radius)
            return FAIL(peg->place,
                        "the centre of peg '%s' lies on %s at the start, so that nothing says to "
                        "which side it pushes; move the peg, or the snake's start",
                        peg->name, link->name);
        if (depth > peg->radius / 2)
            fa_warn(log, robot->source, peg->place,
                    "peg '%s' reaches %s m into %s at the start, which will push the snake away; "
                    "move the peg, or the snake's start",
                    peg->name, fa_number_text(depth).text, link->name);
    }
    return FA_OK;
}

// Returns true if the ground resists no link at all.
static bool is_ice(const fa_robot *robot)
{
    const fa_ground_law law = robot->snake.law;
    if (law != FA_GROUND_VISCOUS && law != FA_GROUND_COULOMB) return false;
    for (int k = 0; k < robot->n_links; k++) {
        // Casts const away for fa_snake_number_of_link; read only.
        fa_link *link = (fa_link *)&robot->link[k];
        for (fa_snake_number n = {0}; fa_snake_next(FA_SNAKE_EACH_FOOT, &n);)
            if (n.law == law && *fa_snake_number_of_link(&n, link) != 0) return false;
    }
    return true;
}

// Discs with fewer edges than this have a noticeable kink at their centre.
static const double EDGES = 3;

// Remarks on valid but unusual grounds.
static void remark_ground(const fa_robot *robot, const fa_log *log)
{
    if (is_ice(robot))
        fa_remark(
            log, robot->source, robot->snake.ground_place,
            "the ground resists no motion of any link: this is a snake on ice, which turns and "
            "bends and gets nowhere");
    for (int i = 0; i < robot->n_things; i++) {
        const fa_thing      *thing = fa_robot_thing(robot, i);
        const fa_patch_data *patch = &thing->patch;
        if (thing->kind != FA_THING_PATCH || patch->rectangle) continue;
        if (patch->radius < EDGES * patch->edge)
            fa_warn(
                log, robot->source, thing->place,
                "the radius of patch '%s' is less than three times its edge, so that the ground "
                "has a kink at the patch's centre; make the edge %s m or less",
                thing->name, fa_number_text(patch->radius / EDGES).text);
    }
}

fa_status fa_robot_check_snake(const fa_robot *robot, const fa_log *log, fa_error *error)
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
    if (status == FA_OK) status = check_options(robot, error);
    if (status == FA_OK) status = check_pegs(robot, log, error);
    if (status == FA_OK) remark_ground(robot, log);
    return status;
}
