// Declares the variables of a sliding snake's FMU. Their names are a contract (docs/robot-file.md).
#include <math.h>
#include <stdio.h>

#include "description.h"
#include "elements.h"
#include "sliding_plant.h"
#include "snake_rows.h"

// Adds a row by its name; `what` must not contain a number.
static void add(fa_variables *variables, fa_variable row, fa_owner owner, const char *name,
                const char *what)
{
    fa_variable_add(variables, row, fa_key_of(owner, name), what);
}

static void add_along(fa_variables *variables, fa_variable row, fa_owner owner, const char *name,
                      int axis, const char *what)
{
    static const char letter[] = "xy";
    char              said[160];
    (void)snprintf(said, sizeof said, "%s, world %c", what, letter[axis]);
    fa_variable_add(variables, row,
                    fa_key_along(fa_key_of(owner, name), (fa_along)(FA_ALONG_X + axis)), said);
}

static fa_variable parameter(fa_role role, fa_unit unit, double start, fa_snake_quantity quantity,
                             int index)
{
    return fa_snake_row_of(role, unit, start, quantity, index);
}

// ------------------------------------------------------------------------------------ parameters

static const struct {
    const char *name, *power, *what, *rate;
    fa_owner    owner;
    fa_unit     unit, rate_unit;
} sums[FA_SUMS] = {
    {"heading_integral.x", "heading_vector.x",
     FA_DESCRIPTION("Integral over time of the heading's direction, world x"),
     FA_DESCRIPTION("Direction of the heading, world x"), FA_OF_ROBOT, FA_UNIT_SECOND,
     FA_UNIT_NONE},
    {"heading_integral.y", "heading_vector.y",
     FA_DESCRIPTION("Integral over time of the heading's direction, world y"),
     FA_DESCRIPTION("Direction of the heading, world y"), FA_OF_ROBOT, FA_UNIT_SECOND,
     FA_UNIT_NONE},
    {"drive_work", "drive_power", FA_DESCRIPTION("Work of the drives since the start"),
     FA_DESCRIPTION("Power of the drives"), FA_OF_ENERGY, FA_UNIT_JOULE, FA_UNIT_WATT},
    {"positive_work", "positive_power",
     FA_DESCRIPTION(
         "Work of those drives that drive, since the start: what they gain in braking is lost"),
     FA_DESCRIPTION("Power of those drives that drive"), FA_OF_ENERGY, FA_UNIT_JOULE, FA_UNIT_WATT},
    {"ground_work", "ground_power", FA_DESCRIPTION("Work of the ground since the start"),
     FA_DESCRIPTION("Power of the ground"), FA_OF_ENERGY, FA_UNIT_JOULE, FA_UNIT_WATT},
    {"contact_work", "obstacle_power", FA_DESCRIPTION("Work of obstacles since the start"),
     FA_DESCRIPTION("Power of obstacles"), FA_OF_ENERGY, FA_UNIT_JOULE, FA_UNIT_WATT},
    {"joint_work", "joint_power",
     FA_DESCRIPTION("Work of viscous friction and stops at joints since the start"),
     FA_DESCRIPTION("Power of viscous friction and stops at joints"), FA_OF_ENERGY, FA_UNIT_JOULE,
     FA_UNIT_WATT},
};

static bool has_wheels(const fa_robot *robot)
{
    return robot->snake.law == FA_GROUND_IDEAL;
}

// Declares the initial values, and returns the first row: angles, x, y, rates, velocity, sums.
static int initial_states(fa_variables *variables, const fa_robot *robot)
{
    const fa_snake_options *snake = &robot->snake;
    const int               first = variables->n, n = robot->n_links;
    const double            velocity[] = {snake->velocity_x, snake->velocity_y};
    if (has_wheels(robot)) return fa_snake_initial_states(variables, robot);
    for (int k = 0; k < n; k++)
        ADD(variables,
            parameter(FA_PARAMETER, FA_UNIT_RADIAN, robot->link[k].segment.initial_angle,
                      FA_SNAKE_ROW_INITIAL_ANGLE, k),
            k + 1, FA_OF_LINK, "initial_angle", "Direction of link %d at the start");
    add(variables, parameter(FA_PARAMETER, FA_UNIT_METRE, snake->x, FA_SNAKE_ROW_INITIAL_X, 0),
        FA_OF_ROBOT, "initial_x", "Wheel of link 1 at the start, world x");
    add(variables, parameter(FA_PARAMETER, FA_UNIT_METRE, snake->y, FA_SNAKE_ROW_INITIAL_Y, 0),
        FA_OF_ROBOT, "initial_y", "Wheel of link 1 at the start, world y");
    for (int k = 0; k < n; k++)
        ADD(variables,
            parameter(FA_PARAMETER, FA_UNIT_RADIAN_PER_SECOND, robot->link[k].segment.initial_rate,
                      FA_SNAKE_ROW_INITIAL_LINK_RATE, k),
            k + 1, FA_OF_LINK, "initial_rate", "Rate of link %d at the start");
    for (int i = 0; i < 2; i++)
        add_along(variables,
                  parameter(FA_PARAMETER, FA_UNIT_METRE_PER_SECOND, velocity[i],
                            FA_SNAKE_ROW_INITIAL_VELOCITY, i),
                  FA_OF_ROBOT, "initial_velocity", i,
                  "Velocity of the wheel of link 1 at the start");
    if (robot->outputs & FA_EXTRA_ENERGY)
        add(variables, parameter(FA_PARAMETER, FA_UNIT_JOULE, 0, FA_SNAKE_ROW_INITIAL_WORK, 0),
            FA_OF_ENERGY, "initial_work",
            "Work at the start: zero, or what an earlier run has ended with");
    return first;
}

static void foot_parameters(fa_variables *variables, const fa_robot *robot)
{
    for (int k = 0; k < robot->n_links; k++)
        fa_snake_part_numbers(variables, robot, FA_SNAKE_EACH_FOOT, k);
    for (int k = 0; robot->snake.touch.present && k < robot->n_links; k++) {
        fa_variable radius = parameter(FA_PARAMETER, FA_UNIT_METRE, robot->link[k].segment.radius,
                                       FA_SNAKE_ROW_RADIUS, k);
        radius.minimum = 0;
        ADD(variables, radius, k + 1, FA_OF_LINK, "radius",
            "Radius of the sides and round ends of link %d, at obstacles");
    }
}

static fa_variable ruled(const fa_item *item, fa_role role, double start,
                         fa_snake_quantity quantity, int index)
{
    fa_variable row = parameter(role, (fa_unit)item->unit, start, quantity, index);
    if (item->rule == FA_RULE_NOT_NEGATIVE) row.minimum = 0;
    if (item->rule == FA_RULE_ABOVE_ZERO) row.minimum = FA_POSITIVE;
    return row;
}

// Declares the parameters of contacts with obstacles, of this role.
static void touch_parameters(fa_variables *variables, const fa_robot *robot, fa_role role)
{
    const fa_element *list = &fa_elements[FA_ELEMENT_touch];
    const double     *number = &robot->snake.touch.stiffness;
    for (int i = 0; robot->snake.touch.present && i < list->n_numbers; i++) {
        const fa_item *item = &list->item[i];
        const bool fixed = item->unit == FA_UNIT_NONE && i == 1; // the exponent of the contact law
        if ((role == FA_PARAMETER) == fixed)
            add(variables, ruled(item, role, number[i], FA_SNAKE_ROW_TOUCH, i), FA_OF_CONTACT,
                item->row, item->about);
    }
}

static void patch_parameters(fa_variables *variables, const fa_thing *thing, int index)
{
    const fa_element *list = &fa_elements[FA_ELEMENT_patch];
    const double     *number = &thing->patch.x;
    char              name[2 * FA_NAME_SIZE], owner[FA_NAME_SIZE + 16], said[200];
    for (int i = 0; i < list->n_numbers; i++) {
        const fa_item *item = &list->item[i];
        const bool     of_disc = i == 2, of_rectangle = i >= 3 && i <= 5;
        if (thing->patch.rectangle ? of_disc : of_rectangle) continue;
        (void)snprintf(owner, sizeof owner, "patch '%s'", thing->name);
        fa_item_text(list, item->about, NULL, false, owner, said, sizeof said);
        (void)snprintf(name, sizeof name, "%s", item->row);
        fa_variable_add(variables,
                        ruled(item, FA_TUNABLE, number[i], FA_SNAKE_ROW_THING, 16 * index + i),
                        fa_key_of_part(FA_OF_PATCH, index, thing->name, name), said);
    }
}

static void obstacle_parameters(fa_variables *variables, const fa_thing *thing, int index)
{
    static const char *const word[] = {"x", "y", "radius", "normal.x", "normal.y"};
    static const char *const what[] = {"Place of '%s', world x", "Place of '%s', world y",
                                       "Radius of '%s'; above zero", "Normal of '%s', world x",
                                       "Normal of '%s', world y"};
    const bool               wall = thing->kind == FA_THING_WALL;
    for (int i = 0; i < 5; i++) {
        char said[160];
        if (wall ? i == 2 : i > 2) continue;
        fa_variable row = parameter(FA_TUNABLE, i > 2 ? FA_UNIT_NONE : FA_UNIT_METRE,
                                    (&thing->x)[i], FA_SNAKE_ROW_THING, 16 * index + i);
        if (i == 2) row.minimum = FA_POSITIVE;
        fa_key key = fa_key_of_part(wall ? FA_OF_WALL : FA_OF_PEG, index, thing->name,
                                    i > 2 ? "normal" : word[i]);
        if (i > 2) key = fa_key_along(key, (fa_along)(FA_ALONG_X + i - 3));
        fa_variable_describe(variables, said, sizeof said, what[i], thing->name);
        fa_variable_add(variables, row, key, said);
    }
}

static void tunables(fa_variables *variables, const fa_robot *robot)
{
    fa_variable slope =
        parameter(FA_TUNABLE, FA_UNIT_RADIAN, robot->snake.slope, FA_SNAKE_ROW_SLOPE, 0);
    slope.minimum = 0;
    add(variables, slope, FA_OF_ROBOT, "slope", "Slope of the ground; below a right angle");
    add(variables,
        parameter(FA_TUNABLE, FA_UNIT_RADIAN, robot->snake.slope_direction,
                  FA_SNAKE_ROW_SLOPE_DIRECTION, 0),
        FA_OF_ROBOT, "slope_direction", "Direction of downhill, from the world's x axis");
    touch_parameters(variables, robot, FA_TUNABLE);
    for (int i = 0; i < robot->n_things; i++) {
        const fa_thing *thing = fa_robot_thing(robot, i);
        if (thing->kind == FA_THING_PATCH)
            patch_parameters(variables, thing, i);
        else
            obstacle_parameters(variables, thing, i);
    }
}

// ----------------------------------------------------------------------------- states and outputs

// Declares the integrals over time as states: derivatives from row `behind` on, `work_start` the
// row where the work starts.
static void sum_states(fa_variables *variables, const fa_robot *robot, int behind, int work_start)
{
    for (int i = 0; i < FA_SUMS; i++) {
        fa_variable row =
            fa_snake_state(sums[i].unit, 0, FA_SNAKE_ROW_SUM, i, behind + i, FA_NO_ROW);
        row.records = true;
        add(variables, row, sums[i].owner, sums[i].name, sums[i].what);
    }
    if (robot->outputs & FA_EXTRA_ENERGY) {
        fa_variable row =
            fa_snake_state(FA_UNIT_JOULE, 0, FA_SNAKE_ROW_WORK, 0, behind + FA_SUMS, work_start);
        row.records = true;
        add(variables, row, FA_OF_ENERGY, "work",
            "Work of all that acts on the snake since the start; kinetic energy less it is "
            "constant");
    }
    for (int k = 0; (robot->outputs & FA_EXTRA_WORK) && k < robot->n_links - 1; k++) {
        // Its derivative is an output among others: add_drives() enters the row.
        fa_variable row =
            fa_snake_state(FA_UNIT_JOULE, 0, FA_SNAKE_ROW_JOINT_WORK, k, FA_NO_ROW, FA_NO_ROW);
        row.records = true;
        ADD(variables, row, k + 1, FA_OF_JOINT, "work",
            "Work of the drive of joint %d since the start");
    }
}

// Returns the number of works of joints that are states.
static int count_works(const fa_robot *robot)
{
    return robot->outputs & FA_EXTRA_WORK ? robot->n_links - 1 : 0;
}

static void add_powers(fa_variables *variables)
{
    const unsigned group = FA_GROUP_DERIVATIVES;
    char           name[64];
    for (int i = 0; i < FA_SUMS; i++) {
        (void)snprintf(name, sizeof name, "%s", sums[i].power);
        add(variables, fa_snake_output(sums[i].rate_unit, FA_SNAKE_ROW_SUM_RATE, i, group),
            sums[i].owner, name, sums[i].rate);
    }
    add(variables, fa_snake_output(FA_UNIT_WATT, FA_SNAKE_ROW_POWER, 0, group), FA_OF_ENERGY,
        "power", "Power of all that acts on the snake");
}

static void add_accelerations(fa_variables *variables, const fa_robot *robot)
{
    const unsigned group = FA_GROUP_DERIVATIVES;
    for (int k = 0; k < robot->n_links; k++)
        ADD(variables,
            fa_snake_output(FA_UNIT_RADIAN_PER_SECOND2, FA_SNAKE_ROW_LINK_ACCELERATION, k, group),
            k + 1, FA_OF_LINK, "angular_acceleration", "Angular acceleration of link %d");
    for (int i = 0; i < 2; i++)
        add_along(variables,
                  fa_snake_output(FA_UNIT_METRE_PER_SECOND2,
                                  i ? FA_SNAKE_ROW_Y_ACCELERATION : FA_SNAKE_ROW_X_ACCELERATION, 0,
                                  group),
                  FA_OF_ROBOT, "acceleration", i, "Acceleration of the wheel of link 1");
}

static void rolling_states(fa_variables *variables, const fa_robot *robot, int initial)
{
    const int motion = robot->n_links + 4 + robot->snake.gait_inputs;
    const int sums_behind = FA_SUMS + (robot->outputs & FA_EXTRA_ENERGY ? 1 : 0);
    const int apart = motion + sums_behind + count_works(robot);
    fa_snake_wheel_states(variables, robot, initial, apart);
    sum_states(variables, robot, variables->n + apart, initial + robot->n_links + 4);
    fa_snake_wheel_derivatives(variables, robot);
    add_powers(variables);
    add_accelerations(variables, robot);
}

// The numbers of a prescribed gait, which follow those asked for through filters.
static const struct {
    const char *now, *rate, *acceleration, *what, *rate_what, *acceleration_what;
    fa_unit     unit[3];
} filters_of[FA_GAIT_NUMBERS] = {
#define FILTER(name, ...)                                                                          \
    {                                                                                              \
        "gait." name "_now", "gait." name "_rate", "gait." name "_acceleration",                   \
            FA_DESCRIPTION("Value that gait." name " has in the motion"),                          \
            FA_DESCRIPTION("Derivative of gait." name "_now"),                                     \
            FA_DESCRIPTION("Second derivative of gait." name "_now"),                              \
        {                                                                                          \
            __VA_ARGS__                                                                            \
        }                                                                                          \
    }
    FILTER("amplitude", FA_UNIT_RADIAN, FA_UNIT_RADIAN_PER_SECOND, FA_UNIT_RADIAN_PER_SECOND2),
    FILTER("frequency", FA_UNIT_RADIAN_PER_SECOND, FA_UNIT_RADIAN_PER_SECOND2,
           FA_UNIT_RADIAN_PER_SECOND3),
    FILTER("shift", FA_UNIT_RADIAN, FA_UNIT_RADIAN_PER_SECOND, FA_UNIT_RADIAN_PER_SECOND2),
    FILTER("bias", FA_UNIT_RADIAN, FA_UNIT_RADIAN_PER_SECOND, FA_UNIT_RADIAN_PER_SECOND2),
#undef FILTER
};

// Declares the filters' states, whose second derivatives are in the rows from `behind` on.
static void filter_states(fa_variables *variables, int behind)
{
    for (int i = 0; i < FA_GAIT_NUMBERS; i++)
        add(variables,
            fa_snake_state(filters_of[i].unit[0], 0, FA_SNAKE_ROW_GAIT_NOW, i,
                           variables->n + FA_GAIT_NUMBERS, fa_snake_gait_row(variables, i)),
            FA_OF_ROBOT, filters_of[i].now, filters_of[i].what);
    for (int i = 0; i < FA_GAIT_NUMBERS; i++)
        add(variables,
            fa_snake_state(filters_of[i].unit[1], 0, FA_SNAKE_ROW_GAIT_NOW_RATE, i, behind + i,
                           FA_NO_ROW),
            FA_OF_ROBOT, filters_of[i].rate, filters_of[i].rate_what);
}

static void filter_derivatives(fa_variables *variables)
{
    for (int i = 0; i < FA_GAIT_NUMBERS; i++)
        add(variables,
            fa_snake_output(filters_of[i].unit[2], FA_SNAKE_ROW_GAIT_NOW_ACCELERATION, i,
                            FA_GROUP_DERIVATIVES),
            FA_OF_ROBOT, filters_of[i].acceleration, filters_of[i].acceleration_what);
}

static void states(fa_variables *variables, const fa_robot *robot, int initial)
{
    const fa_snake_options *snake = &robot->snake;
    const int               works = robot->outputs & FA_EXTRA_ENERGY ? 1 : 0;
    const int               n = robot->n_links, angle = fa_snake_states_angle(robot);
    const int               filters = snake->gait_told ? FA_GAIT_NUMBERS : 0;
    const int               first = variables->n, rates = first + n + 2;
    // The states of the motion are followed by the derived ones, then by the outputs.
    const int accelerations =
        rates + n + 2 + angle + 2 * filters + FA_SUMS + works + count_works(robot);
    for (int k = 0; k < n; k++)
        ADD(variables,
            fa_snake_state(FA_UNIT_RADIAN, robot->link[k].segment.initial_angle, FA_SNAKE_ROW_ANGLE,
                           k, rates + k, initial + k),
            k + 1, FA_OF_LINK, "angle", "Direction of link %d, from the world's x axis");
    add(variables,
        fa_snake_state(FA_UNIT_METRE, snake->x, FA_SNAKE_ROW_X, 0, rates + n, initial + n),
        FA_OF_ROBOT, "x", "Wheel of link 1, world x");
    add(variables,
        fa_snake_state(FA_UNIT_METRE, snake->y, FA_SNAKE_ROW_Y, 0, rates + n + 1, initial + n + 1),
        FA_OF_ROBOT, "y", "Wheel of link 1, world y");
    for (int k = 0; k < n; k++)
        ADD(variables,
            fa_snake_state(FA_UNIT_RADIAN_PER_SECOND, robot->link[k].segment.initial_rate,
                           FA_SNAKE_ROW_LINK_RATE, k, accelerations + k, initial + n + 2 + k),
            k + 1, FA_OF_LINK, "rate", "Rate of link %d");
    const double velocity[] = {snake->velocity_x, snake->velocity_y};
    for (int i = 0; i < 2; i++)
        add_along(variables,
                  fa_snake_state(FA_UNIT_METRE_PER_SECOND, velocity[i],
                                 i ? FA_SNAKE_ROW_Y_RATE : FA_SNAKE_ROW_X_RATE, 0,
                                 accelerations + n + i, initial + 2 * n + 2 + i),
                  FA_OF_ROBOT, "velocity", i, "Velocity of the wheel of link 1");
    const int behind = accelerations + n + 2;
    if (angle) {
        fa_variable row =
            fa_snake_state(FA_UNIT_RADIAN, snake->gait.phase, FA_SNAKE_ROW_GAIT_ANGLE, 0, behind,
                           fa_snake_gait_row(variables, FA_SNAKE_ROW_GAIT_PHASE));
        row.initial_rate = fa_snake_gait_row(variables, FA_SNAKE_ROW_GAIT_FREQUENCY);
        add(variables, row, FA_OF_ROBOT, "gait.angle",
            "Angle of the gait at the first joint; starts at frequency times time + phase");
    }
    if (filters) filter_states(variables, behind + angle);
    sum_states(variables, robot, behind + angle + filters, initial + 2 * n + 4);
    add_accelerations(variables, robot);
    if (angle)
        add(variables,
            fa_snake_output(FA_UNIT_RADIAN_PER_SECOND, FA_SNAKE_ROW_GAIT_ANGLE_RATE, 0,
                            FA_GROUP_DERIVATIVES),
            FA_OF_ROBOT, "gait.angle_rate",
            filters ? "Derivative of gait.angle, which is gait.frequency_now"
                    : "Derivative of gait.angle, which is gait.frequency");
    if (filters) filter_derivatives(variables);
    add_powers(variables);
}

static void motion_outputs(fa_variables *variables, const fa_robot *robot)
{
    const unsigned group = FA_SNAKE_GROUP_MOTION;
    const int      n = robot->n_links;
    char           said[160];
    fa_snake_joint_outputs(variables, robot);
    for (int k = 0; k < n; k++)
        ADD(variables, fa_snake_output(FA_UNIT_METRE_PER_SECOND, FA_SNAKE_ROW_LINK_SPEED, k, group),
            k + 1, FA_OF_LINK, "speed", "Speed of the wheel of link %d along the link");
    for (int k = 0; k < n; k++)
        ADD(variables, fa_snake_output(FA_UNIT_METRE, FA_SNAKE_ROW_LINK_X, k, group), k + 1,
            FA_OF_LINK, "x", "Wheel of link %d, world x");
    for (int k = 0; k < n; k++)
        ADD(variables, fa_snake_output(FA_UNIT_METRE, FA_SNAKE_ROW_LINK_Y, k, group), k + 1,
            FA_OF_LINK, "y", "Wheel of link %d, world y");
    for (int i = 0; i < 2; i++)
        add_along(
            variables,
            fa_snake_output(FA_UNIT_METRE, i ? FA_SNAKE_ROW_COM_Y : FA_SNAKE_ROW_COM_X, 0, group),
            FA_OF_ROBOT, "com", i, "Centre of mass of the snake");
    for (int i = 0; i < 2; i++)
        add_along(variables,
                  fa_snake_output(FA_UNIT_METRE_PER_SECOND,
                                  i ? FA_SNAKE_ROW_COM_Y_RATE : FA_SNAKE_ROW_COM_X_RATE, 0, group),
                  FA_OF_ROBOT, "com.velocity", i, "Velocity of the snake's centre of mass");
    add(variables, fa_snake_output(FA_UNIT_RADIAN, FA_SNAKE_ROW_HEADING, 0, group), FA_OF_ROBOT,
        "heading", "Direction of the sum of all links' directions, from -pi to pi");
    if (!has_wheels(robot)) {
        (void)snprintf(said, sizeof said, "Speed of the wheel of link %d along the link",
                       robot->snake.base + 1);
        add(variables, fa_snake_output(FA_UNIT_METRE_PER_SECOND, FA_SNAKE_ROW_SPEED, 0, group),
            FA_OF_ROBOT, "speed", said);
        (void)snprintf(said, sizeof said, "Rate of link %d", robot->snake.base + 1);
        add(variables, fa_snake_output(FA_UNIT_RADIAN_PER_SECOND, FA_SNAKE_ROW_RATE, 0, group),
            FA_OF_ROBOT, "rate", said);
    }
    add(variables, fa_snake_output(FA_UNIT_JOULE, FA_SNAKE_ROW_KINETIC, 0, group), FA_OF_ENERGY,
        "kinetic", "Kinetic energy, rotors included");
    add(variables, fa_snake_output(FA_UNIT_JOULE, FA_SNAKE_ROW_POTENTIAL, 0, group), FA_OF_ENERGY,
        "potential", "Potential energy on the slope, and in springs at joints");
    add(variables, fa_snake_output(FA_UNIT_JOULE, FA_SNAKE_ROW_CONTACT_STORED, 0, group),
        FA_OF_ENERGY, "contact_stored", "Energy in the springs of contacts with obstacles");
    if (robot->outputs & FA_EXTRA_POSES) fa_snake_axes(variables, robot);
}

// Enters the rows from `powers` on as the derivatives of the joints' works.
static void link_works(fa_variables *variables, int powers)
{
    for (int row = 0; variables->row && row < variables->n; row++)
        if (variables->row[row].quantity == FA_SNAKE_ROW_JOINT_WORK)
            variables->row[row].derivative = powers + variables->row[row].index;
}

// Declares what the drives of joints do.
static void add_drives(fa_variables *variables, int n)
{
    const unsigned group = FA_SNAKE_GROUP_FORCES;
    for (int k = 0; k < n - 1; k++)
        ADD(variables, fa_snake_output(FA_UNIT_NEWTON_METRE, FA_SNAKE_ROW_DRIVE_TORQUE, k, group),
            k + 1, FA_OF_JOINT, "drive_torque", "Torque of the drive of joint %d, with the input");
    link_works(variables, variables->n);
    for (int k = 0; k < n - 1; k++)
        ADD(variables, fa_snake_output(FA_UNIT_WATT, FA_SNAKE_ROW_JOINT_POWER, k, group), k + 1,
            FA_OF_JOINT, "power", "Power of the drive of joint %d");
    for (int k = 0; k < n - 1; k++)
        ADD(variables,
            fa_snake_output(FA_UNIT_RADIAN_PER_SECOND2, FA_SNAKE_ROW_JOINT_ACCELERATION, k, group),
            k + 1, FA_OF_JOINT, "acceleration", "Acceleration of joint %d");
}

static void force_outputs(fa_variables *variables, const fa_robot *robot)
{
    const unsigned group = FA_SNAKE_GROUP_FORCES;
    const int      n = robot->n_links;
    char           said[160];
    for (int k = 0; k < n; k++)
        for (int i = 0; i < 3; i++) {
            fa_key key =
                fa_key_of_part(FA_OF_LINK, k, NULL, i < 2 ? "ground.force" : "ground.torque");
            if (i < 2) key = fa_key_along(key, (fa_along)(FA_ALONG_X + i));
            (void)snprintf(said, sizeof said,
                           i < 2 ? "Force of the ground on link %d, world %c"
                                 : "Moment of the ground on link %d about its centre of mass",
                           k + 1, "xy "[i]);
            fa_variable_add(variables,
                            fa_snake_output(i < 2 ? FA_UNIT_NEWTON : FA_UNIT_NEWTON_METRE,
                                            FA_SNAKE_ROW_GROUND_FORCE, 3 * k + i, group),
                            key, said);
        }
    if (has_wheels(robot)) fa_snake_wheel_outputs(variables, robot);
    for (int k = 0; robot->snake.law == FA_GROUND_WHEEL && k < n; k++)
        ADD(variables, fa_snake_output(FA_UNIT_NEWTON, FA_SNAKE_ROW_LATERAL, k, group), k + 1,
            FA_OF_WHEEL, "lateral_force",
            "Force of the ground on wheel %d, to the left of its link");
    for (int k = 0; robot->snake.law == FA_GROUND_WHEEL && k < n; k++)
        ADD(variables, fa_snake_output(FA_UNIT_NONE, FA_SNAKE_ROW_USAGE, k, group), k + 1,
            FA_OF_WHEEL, "slip_usage", "Share of its grip that wheel %d uses");
    add_drives(variables, n);
    for (int k = 0; (robot->outputs & FA_EXTRA_REACTIONS) && k < n - 1; k++)
        for (int i = 0; i < 2; i++) {
            (void)snprintf(said, sizeof said, "Force at joint %d on the link in front, world %c",
                           k + 1, "xy"[i]);
            fa_variable_add(
                variables,
                fa_snake_output(FA_UNIT_NEWTON, FA_SNAKE_ROW_JOINT_FORCE, 2 * k + i, group),
                fa_key_along(fa_key_of_part(FA_OF_JOINT, k, NULL, "force"),
                             (fa_along)(FA_ALONG_X + i)),
                said);
        }
    for (int t = 0; t < robot->n_things; t++) {
        const fa_thing *thing = fa_robot_thing(robot, t);
        const fa_owner  owner = thing->kind == FA_THING_WALL ? FA_OF_WALL : FA_OF_PEG;
        for (int i = 0; thing->kind != FA_THING_PATCH && i < 2; i++) {
            (void)snprintf(said, sizeof said, "Force of %s '%s' on the snake, world %c",
                           thing->kind == FA_THING_WALL ? "wall" : "peg", thing->name, "xy"[i]);
            fa_variable_add(
                variables,
                fa_snake_output(FA_UNIT_NEWTON, FA_SNAKE_ROW_THING_FORCE, 2 * t + i, group),
                fa_key_along(fa_key_of_part(owner, t, thing->name, "force"),
                             (fa_along)(FA_ALONG_X + i)),
                said);
        }
    }
}

// ----------------------------------------------------------------------------------------- events

static void flags(fa_variables *variables, const fa_robot *robot)
{
    char said[160];
    fa_snake_stop_flags(variables, robot);
    if (has_wheels(robot)) fa_snake_wheel_flags(variables, robot);
    for (int t = 0; t < robot->n_things; t++) {
        const fa_thing *thing = fa_robot_thing(robot, t);
        if (thing->kind == FA_THING_PATCH) continue;
        const bool wall = thing->kind == FA_THING_WALL;
        (void)snprintf(said, sizeof said, "Whether the snake touches %s '%s'",
                       wall ? "wall" : "peg", thing->name);
        fa_variable_add(variables, fa_snake_flag(FA_SNAKE_ROW_TOUCHING, t),
                        fa_key_of_part(wall ? FA_OF_WALL : FA_OF_PEG, t, thing->name, "touching"),
                        said);
    }
}

static const struct {
    const char *name, *what;
    fa_unit     unit;
} periods[FA_PERIODS] = {
    {"period.count", "Periods of the gait that are over", FA_UNIT_NONE},
    {"period.duration", "Duration of the last period", FA_UNIT_SECOND},
    {"period.distance", "Distance of the centre of mass over the last period", FA_UNIT_METRE},
    {"period.speed", "Speed over the last period, along its mean heading; below zero: backwards",
     FA_UNIT_METRE_PER_SECOND},
    {"period.heading", "Mean heading of the last period", FA_UNIT_RADIAN},
    {"period.work", "Work of the last period, of those drives that drive", FA_UNIT_JOULE},
    {"period.net_work", "Work of all drives in the last period, what they gain in braking included",
     FA_UNIT_JOULE},
    {"period.cost_of_transport", "Work of the last period over weight and distance", FA_UNIT_NONE},
};

static void period_outputs(fa_variables *variables)
{
    for (int i = 0; i < FA_PERIODS; i++) {
        fa_variable row = fa_snake_row_of(FA_OUTPUT, periods[i].unit, 0, FA_SNAKE_ROW_PERIOD, i);
        row.discrete = true;
        if (i == FA_PERIOD_COUNT) row.type = FA_INT32;
        add(variables, row, FA_OF_ROBOT, periods[i].name, periods[i].what);
    }
}

static void memories(fa_variables *variables)
{
    static const struct {
        const char *name, *what;
        fa_unit     unit;
    } list[FA_MEMORIES] = {
        {"period.start_angle", "Angle of the gait when the period began", FA_UNIT_RADIAN},
        {"period.start_time", "When the period began", FA_UNIT_SECOND},
        {"period.start_x", "Centre of mass when the period began, world x", FA_UNIT_METRE},
        {"period.start_y", "Centre of mass when the period began, world y", FA_UNIT_METRE},
        {"period.start_heading_x", "Value of heading_integral.x when the period began",
         FA_UNIT_SECOND},
        {"period.start_heading_y", "Value of heading_integral.y when the period began",
         FA_UNIT_SECOND},
        {"period.start_work", "Value of energy.positive_work when the period began", FA_UNIT_JOULE},
        {"period.start_net_work", "Value of energy.drive_work when the period began",
         FA_UNIT_JOULE},
    };
    for (int i = 0; i < FA_MEMORIES; i++) {
        fa_variable row = fa_snake_row_of(FA_LOCAL, list[i].unit, 0, FA_SNAKE_ROW_PERIOD_MEMORY, i);
        row.discrete = true;
        add(variables, row, FA_OF_ROBOT, list[i].name, list[i].what);
    }
}

static void indicators(fa_variables *variables, const fa_robot *robot)
{
    fa_variable row =
        fa_snake_row_of(FA_INDICATOR, FA_UNIT_NONE, 0, FA_SNAKE_ROW_STOP_INDICATOR, 0);
    row.group = FA_SNAKE_GROUP_MOTION;
    for (row.index = 0; robot->link[1].joint.stop.present && row.index < robot->n_links - 1;
         row.index++)
        ADD(variables, row, row.index + 1, FA_OF_JOINT, "stop_indicator",
            "Above zero where joint %d touches a stop");
    row.quantity = FA_SNAKE_ROW_TOUCH_INDICATOR;
    for (int t = 0; t < robot->n_things; t++) {
        const fa_thing *thing = fa_robot_thing(robot, t);
        if (thing->kind == FA_THING_PATCH) continue;
        row.index = t;
        fa_variable_add(variables, row,
                        fa_key_of_part(thing->kind == FA_THING_WALL ? FA_OF_WALL : FA_OF_PEG, t,
                                       thing->name, "touch_indicator"),
                        "Above zero while the snake touches it");
    }
    row.quantity = FA_SNAKE_ROW_PERIOD_INDICATOR;
    row.index = 0;
    add(variables, row, FA_OF_ROBOT, "period.indicator", "Above zero when the period is over");
}

// Always returns FA_OK; fa_variables_check finds name clashes later.
fa_status fa_sliding_declare(const fa_robot *robot, fa_variables *variables, fa_error *error)
{
    (void)error;
    add(variables,
        fa_snake_positive(FA_UNIT_METRE_PER_SECOND2, -robot->gravity.z, FA_SNAKE_ROW_GRAVITY, 0),
        FA_OF_ROBOT, "gravity", "Gravity, which presses each link on the ground");
    const int initial = initial_states(variables, robot);
    for (int k = 0; k < robot->n_links; k++) fa_snake_link_parameters(variables, robot, k);
    foot_parameters(variables, robot);
    fa_snake_shared_numbers(variables, robot, FA_SNAKE_ALL_WHEELS, FA_PARAMETER);
    for (int k = 0; k < robot->n_links - 1; k++)
        fa_snake_part_numbers(variables, robot, FA_SNAKE_EACH_JOINT, k);
    fa_snake_shared_numbers(variables, robot, FA_SNAKE_OF_INPUT, FA_PARAMETER);
    touch_parameters(variables, robot, FA_PARAMETER);
    if (robot->snake.input != FA_SNAKE_GAIT)
        add(variables, fa_snake_positive(FA_UNIT_SECOND, 1, FA_SNAKE_ROW_AVERAGING, 0), FA_OF_ROBOT,
            "averaging_time", "Time over which period.speed and the like are taken");
    if (has_wheels(robot)) fa_snake_control_limit(variables);
    fa_snake_shared_numbers(variables, robot, FA_SNAKE_ALL_FEET, FA_TUNABLE);
    fa_snake_shared_numbers(variables, robot, FA_SNAKE_OF_INPUT, FA_TUNABLE);
    tunables(variables, robot);
    fa_snake_inputs(variables, robot);
    if (has_wheels(robot))
        rolling_states(variables, robot, initial);
    else
        states(variables, robot, initial);
    fa_snake_torques(variables, robot, FA_OUTPUT);
    motion_outputs(variables, robot);
    force_outputs(variables, robot);
    flags(variables, robot);
    period_outputs(variables);
    fa_snake_locals(variables, robot);
    memories(variables);
    indicators(variables, robot);
    return FA_OK;
}
