// Dependencies between a snake's variables. Motion propagates from the base link over the joints in
// between; forces act on every link from every other one.
#include "snake_element_depends.h"

typedef fa_snake_known known;

static bool between(int k, int a, int b)
{
    return a < b ? a <= k && k <= b : b <= k && k <= a;
}

static bool is_speed(const known *on)
{
    return on->quantity == FA_SNAKE_ROW_SPEED || on->quantity == FA_SNAKE_ROW_RATE;
}

// Returns true if speed and rate of a link depend on the row: through shape and lengths between
// base and link.
static bool link_moves(const fa_robot *robot, int link, const known *on)
{
    const int base = robot->snake.base;
    if (link == base) return false;
    switch (on->quantity) {
    case FA_SNAKE_ROW_SPEED:
    case FA_SNAKE_ROW_RATE:
        return true;
    case FA_SNAKE_ROW_ANGLE:
    case FA_SNAKE_ROW_WHEEL:
        return between(on->index, base, link);
    case FA_SNAKE_ROW_LENGTH: // the length does not matter for links that are left by their front
                              // joint, going forwards
        return between(on->index, base, link) && on->index != (base < link ? link : base);
    default:
        return false;
    }
}

static bool rate_depends(const fa_robot *robot, int link, const known *on)
{
    return link_moves(robot, link, on) ||
           (link == robot->snake.base && on->quantity == FA_SNAKE_ROW_RATE);
}

// Returns true if the link's wheel speed depends on the row; it is taken at the link's own wheel,
// wherever that is.
static bool speed_depends(const fa_robot *robot, int link, const known *on)
{
    const bool size = on->quantity == FA_SNAKE_ROW_WHEEL || on->quantity == FA_SNAKE_ROW_LENGTH;
    return (link_moves(robot, link, on) && !(size && on->index == link)) ||
           (link == robot->snake.base && on->quantity == FA_SNAKE_ROW_SPEED);
}

static bool joint_rate_depends(const fa_robot *robot, int joint, const known *on)
{
    return rate_depends(robot, joint, on) || rate_depends(robot, joint + 1, on);
}

// Returns true if motion or inertia of the links depends on the row. The last link's length has no
// effect, because no joint is in front of it.
static bool in_kinetic_energy(const fa_robot *robot, const known *on)
{
    switch (on->quantity) {
    case FA_SNAKE_ROW_LENGTH:
        return on->index < robot->n_links - 1;
    case FA_SNAKE_ROW_ANGLE:
    case FA_SNAKE_ROW_SPEED:
    case FA_SNAKE_ROW_RATE:
    case FA_SNAKE_ROW_MASS:
    case FA_SNAKE_ROW_INERTIA:
    case FA_SNAKE_ROW_WHEEL:
    case FA_SNAKE_ROW_ALONG:
    case FA_SNAKE_ROW_ACROSS:
        return true;
    default:
        return fa_snake_results_read(robot, FA_SNAKE_ROW_ROTORS, on);
    }
}

// Returns true if efforts at joints or wheels depend on the row.
static bool in_laws(const fa_robot *robot, const known *on)
{
    return fa_snake_results_read(robot, FA_SNAKE_ROW_TORQUES, on) ||
           fa_snake_results_read(robot, FA_SNAKE_ROW_ROLLING, on);
}

// Returns true if the equations of motion depend on the row.
static bool in_equations(const fa_robot *robot, const known *on)
{
    return in_kinetic_energy(robot, on) || in_laws(robot, on) ||
           fa_snake_results_read(robot, FA_SNAKE_ROW_ACCELERATIONS, on);
}

// Returns true if the joint is prescribed: its motion does not depend on its efforts.
static bool is_held(const fa_robot *robot, int joint)
{
    const fa_snake_options *snake = &robot->snake;
    if (snake->input != FA_SNAKE_PRESCRIBED) return false;
    for (int i = 0; i < snake->n_prescribed; i++)
        if (snake->prescribed[i] == joint + 1) return true;
    return false;
}

// Returns true if forces between links and on wheels depend on the row. The drive of a prescribed
// joint cancels that joint's own elements.
static bool in_forces(const fa_robot *robot, const known *on)
{
    if (!in_equations(robot, on)) return false;
    return !is_held(robot, on->index) ||
           !(fa_snake_results_read(robot, FA_SNAKE_ROW_OWN_TORQUES, on) ||
             fa_snake_results_read(robot, FA_SNAKE_ROW_ROTORS, on));
}

// Returns true if two joints are prescribed: they determine the motion without forces.
static bool is_led(const fa_robot *robot)
{
    return robot->snake.input == FA_SNAKE_PRESCRIBED && robot->snake.n_prescribed == 2;
}

static bool led_depends(const fa_robot *robot, const known *on)
{
    if (fa_snake_results_read(robot, FA_SNAKE_ROW_ACCELERATIONS, on)) return true;
    for (int i = 0; i < robot->snake.n_prescribed; i++)
        if (joint_rate_depends(robot, robot->snake.prescribed[i] - 1, on)) return true;
    return false;
}

static bool acceleration_depends(const fa_robot *robot, int which, const known *on)
{
    if (is_led(robot)) return led_depends(robot, on);
    if (robot->snake.input != FA_SNAKE_SPEEDS) return in_forces(robot, on);
    const unsigned reads = fa_snake_pace_reads(which, on);
    return reads & FA_SNAKE_ROW_READS_ROW ||
           (reads & FA_SNAKE_ROW_READS_SPEED && on->quantity == FA_SNAKE_ROW_SPEED) ||
           (reads & FA_SNAKE_ROW_READS_RATE && on->quantity == FA_SNAKE_ROW_RATE);
}

// Dependence of a wheel's position: it follows from all links between the first wheel and this one;
// wheels in between have no effect.
static fa_dependence place_depends(int link, fa_snake_quantity own, const known *on)
{
    if (on->quantity == own) return FA_PROPORTIONAL;
    const bool end = on->index == 0 || on->index == link;
    if (link > 0 && on->quantity == FA_SNAKE_ROW_WHEEL && end) return FA_DEPENDENT;
    if (link > 0 && on->quantity == FA_SNAKE_ROW_ANGLE && on->index <= link) return FA_DEPENDENT;
    if (on->quantity == FA_SNAKE_ROW_LENGTH && on->index < link) return FA_DEPENDENT;
    return FA_INDEPENDENT;
}

static fa_dependence centre_depends(const fa_robot *robot, fa_snake_quantity own, const known *on)
{
    switch (on->quantity) {
    case FA_SNAKE_ROW_MASS:
    case FA_SNAKE_ROW_WHEEL:
    case FA_SNAKE_ROW_ALONG:
    case FA_SNAKE_ROW_ACROSS:
        return FA_DEPENDENT;
    default:
        return place_depends(robot->n_links - 1, own, on);
    }
}

// Returns true if the power of joints and rolling friction depends on the row: by the elements'
// laws or, with prescribed joints, by the change of kinetic energy.
static bool power_depends(const fa_robot *robot, const known *on)
{
    if (robot->snake.input == FA_SNAKE_SPEEDS || is_led(robot))
        return in_kinetic_energy(robot, on) ||
               fa_snake_results_read(robot, FA_SNAKE_ROW_ACCELERATIONS, on);
    if (robot->snake.input == FA_SNAKE_PRESCRIBED)
        return in_forces(robot, on) || in_kinetic_energy(robot, on);
    switch (on->quantity) {
    case FA_SNAKE_ROW_LENGTH:
    case FA_SNAKE_ROW_ANGLE:
    case FA_SNAKE_ROW_SPEED:
    case FA_SNAKE_ROW_RATE:
    case FA_SNAKE_ROW_WHEEL:
        return in_equations(robot, on);
    default:
        return in_laws(robot, on);
    }
}

// Returns true if the torque of a prescribed joint's drive depends on the row. It cancels the
// elements at its own joint.
static bool torque_depends(const fa_robot *robot, int joint, const known *on)
{
    return in_forces(robot, on) || (in_equations(robot, on) && on->index == joint);
}

static bool control_depends(const fa_robot *robot, const known *on)
{
    return in_kinetic_energy(robot, on) && !is_speed(on);
}

// Returns true if outputs of elements at a joint or wheel depend on the row (number FA_NOBODY: at
// any).
static bool told_depends(const fa_robot *robot, fa_snake_quantity quantity, int number,
                         const known *on)
{
    const unsigned reads = fa_snake_row_reads(quantity, number, on);
    const bool     angle =
        on->quantity == FA_SNAKE_ROW_ANGLE && (on->index == number || on->index == number + 1);
    return reads & FA_SNAKE_ROW_READS_ROW || (reads & FA_SNAKE_ROW_READS_POSITION && angle) ||
           (reads & FA_SNAKE_ROW_READS_RATE && joint_rate_depends(robot, number, on)) ||
           (reads & FA_SNAKE_ROW_READS_FORCES && in_forces(robot, on)) ||
           (reads & FA_SNAKE_ROW_READS_MASS && on->quantity == FA_SNAKE_ROW_MASS &&
            (number == FA_NOBODY || on->index == number)) ||
           (reads & FA_SNAKE_ROW_READS_GRAVITY && on->quantity == FA_SNAKE_ROW_GRAVITY);
}

// Dependence of a joint's reference. The first joint has no phase lag, and an angle that is a state
// does not depend on the frequency.
static bool reference_depends(const fa_robot *robot, int joint, const known *on)
{
    if (on->quantity == FA_SNAKE_ROW_GAIT && on->index == FA_SNAKE_ROW_GAIT_SHIFT && joint == 0)
        return false;
    if (on->quantity == FA_SNAKE_ROW_GAIT && on->index == FA_SNAKE_ROW_GAIT_FREQUENCY &&
        robot->snake.gait_inputs)
        return false;
    return told_depends(robot, FA_SNAKE_ROW_JOINT_REFERENCE, joint, on);
}

static fa_dependence angle_depends(int joint, const known *on)
{
    bool mine =
        on->quantity == FA_SNAKE_ROW_ANGLE && (on->index == joint || on->index == joint + 1);
    return mine ? FA_PROPORTIONAL : FA_INDEPENDENT;
}

static bool starts_at(const fa_robot *robot, const known *on)
{
    return speed_depends(robot, 0, on) || (on->quantity == FA_SNAKE_ROW_ANGLE && on->index == 0);
}

static known stands_for(const fa_robot *robot, const fa_variable *row)
{
    known on = {(fa_snake_quantity)row->quantity, row->index};
    if (robot->snake.gait_inputs && on.quantity == FA_SNAKE_ROW_GAIT &&
        on.index == FA_SNAKE_ROW_GAIT_PHASE)
        return (known){FA_SNAKE_ROW_GAIT_ANGLE, 0};
    if (on.quantity >= FA_SNAKE_ROW_INITIAL_ANGLE && on.quantity <= FA_SNAKE_ROW_INITIAL_WORK)
        on.quantity =
            (fa_snake_quantity)(FA_SNAKE_ROW_ANGLE + (on.quantity - FA_SNAKE_ROW_INITIAL_ANGLE));
    return on;
}

fa_dependence fa_snake_depends(const fa_robot *robot, const fa_variables *variables, int unknown,
                               int row)
{
    const fa_variable *of = &variables->row[unknown];
    const known        on = stands_for(robot, &variables->row[row]);
    const bool         angle = robot->snake.gait_inputs; // the gait's angle is a state
    const bool         time =
        variables->row[row].role == FA_TIME && robot->snake.input == FA_SNAKE_GAIT && !angle;
    bool depends = false;
    if (unknown == row) return FA_PROPORTIONAL;
    switch ((fa_snake_quantity)of->quantity) {
    case FA_SNAKE_ROW_ANGLE:
    case FA_SNAKE_ROW_X:
    case FA_SNAKE_ROW_Y:
    case FA_SNAKE_ROW_SPEED:
    case FA_SNAKE_ROW_RATE:
    case FA_SNAKE_ROW_WORK:
    case FA_SNAKE_ROW_GAIT_ANGLE:
        return of->initial == row ? FA_PROPORTIONAL : FA_INDEPENDENT;
    case FA_SNAKE_ROW_LINK_RATE:
        depends = rate_depends(robot, of->index, &on);
        break;
    case FA_SNAKE_ROW_X_RATE:
    case FA_SNAKE_ROW_Y_RATE:
        depends = starts_at(robot, &on);
        break;
    case FA_SNAKE_ROW_SPEED_DERIVATIVE:
        depends = time || acceleration_depends(robot, 0, &on);
        break;
    case FA_SNAKE_ROW_RATE_DERIVATIVE:
        depends = time || acceleration_depends(robot, 1, &on);
        break;
    case FA_SNAKE_ROW_POWER:
        depends = time || power_depends(robot, &on);
        break;
    case FA_SNAKE_ROW_TORQUE:
        depends = time || torque_depends(robot, of->index, &on);
        break;
    case FA_SNAKE_ROW_LATERAL:
        depends = time || in_forces(robot, &on);
        break;
    case FA_SNAKE_ROW_GAIT_ANGLE_RATE:
        return on.quantity == FA_SNAKE_ROW_GAIT && on.index == FA_SNAKE_ROW_GAIT_FREQUENCY
                   ? FA_PROPORTIONAL
                   : FA_INDEPENDENT;
    case FA_SNAKE_ROW_GAIT_OFFSET: // depends on past events only
        return FA_INDEPENDENT;
    case FA_SNAKE_ROW_JOINT_ANGLE:
        return angle_depends(of->index, &on);
    case FA_SNAKE_ROW_JOINT_RATE:
        depends = joint_rate_depends(robot, of->index, &on);
        break;
    case FA_SNAKE_ROW_JOINT_REFERENCE:
        depends = time || reference_depends(robot, of->index, &on);
        break;
    case FA_SNAKE_ROW_CURRENT:
    case FA_SNAKE_ROW_STOP:
    case FA_SNAKE_ROW_STOP_INDICATOR:
        depends = told_depends(robot, (fa_snake_quantity)of->quantity, of->index, &on);
        break;
    case FA_SNAKE_ROW_LINK_SPEED:
        depends = speed_depends(robot, of->index, &on);
        break;
    case FA_SNAKE_ROW_LINK_X:
        return place_depends(of->index, FA_SNAKE_ROW_X, &on);
    case FA_SNAKE_ROW_LINK_Y:
        return place_depends(of->index, FA_SNAKE_ROW_Y, &on);
    case FA_SNAKE_ROW_AXES:
        depends = on.quantity == FA_SNAKE_ROW_ANGLE && on.index == of->index / 4;
        break;
    case FA_SNAKE_ROW_COM_X:
        return centre_depends(robot, FA_SNAKE_ROW_X, &on);
    case FA_SNAKE_ROW_COM_Y:
        return centre_depends(robot, FA_SNAKE_ROW_Y, &on);
    case FA_SNAKE_ROW_HEADING:
        depends = on.quantity == FA_SNAKE_ROW_ANGLE;
        break;
    case FA_SNAKE_ROW_KINETIC:
        depends = in_kinetic_energy(robot, &on);
        break;
    case FA_SNAKE_ROW_CONTROLLABILITY:
        depends = control_depends(robot, &on);
        break;
    case FA_SNAKE_ROW_CONTROL_LOST:
        depends = control_depends(robot, &on) || on.quantity == FA_SNAKE_ROW_CONTROL_LIMIT;
        break;
    case FA_SNAKE_ROW_SLIPPED:
        depends = time || told_depends(robot, FA_SNAKE_ROW_USAGE, FA_NOBODY, &on);
        break;
    default: // slip usage and its flag
        depends = time || told_depends(robot, FA_SNAKE_ROW_USAGE, of->index, &on);
        break;
    }
    return depends ? FA_DEPENDENT : FA_INDEPENDENT;
}
