// Which calculated variable of a snake depends on which known one. Motion reaches a link from the
// base link, over the joints between them; forces reach every link from everywhere.
#include "snake_plant.h"

// What stands for a known row: parameters that states start from stand for these.
typedef struct known {
    fa_crawl quantity;
    int      index;
} known;

static bool between(int k, int a, int b)
{
    return a < b ? a <= k && k <= b : b <= k && k <= a;
}

static bool is_speed(const known *on)
{
    return on->quantity == FA_CRAWL_SPEED || on->quantity == FA_CRAWL_RATE;
}

// Speed and rate of a link: through the shape and the lengths on the way from the base.
static bool link_moves(const fa_robot *robot, int link, const known *on)
{
    const int base = robot->snake.base;
    if (link == base) return false;
    switch (on->quantity) {
    case FA_CRAWL_SPEED:
    case FA_CRAWL_RATE:
        return true;
    case FA_CRAWL_ANGLE:
    case FA_CRAWL_WHEEL:
        return between(on->index, base, link);
    case FA_CRAWL_LENGTH: // of links that are left by their front joint, going forwards
        return between(on->index, base, link) && on->index != (base < link ? link : base);
    default:
        return false;
    }
}

static bool rate_depends(const fa_robot *robot, int link, const known *on)
{
    return link_moves(robot, link, on) ||
           (link == robot->snake.base && on->quantity == FA_CRAWL_RATE);
}

static bool speed_depends(const fa_robot *robot, int link, const known *on)
{
    return link_moves(robot, link, on) ||
           (link == robot->snake.base && on->quantity == FA_CRAWL_SPEED);
}

static bool joint_rate_depends(const fa_robot *robot, int joint, const known *on)
{
    return rate_depends(robot, joint, on) || rate_depends(robot, joint + 1, on);
}

static bool is_command(const known *on)
{
    return on->quantity == FA_CRAWL_COMMAND || on->quantity == FA_CRAWL_BANDWIDTH;
}

// Everything that has a part in the equations of motion. The last link is not left by its front
// joint, so its length is in none.
static bool in_equations(const fa_robot *robot, const known *on)
{
    switch (on->quantity) {
    case FA_CRAWL_LENGTH:
        return on->index < robot->n_links - 1;
    case FA_CRAWL_ANGLE:
    case FA_CRAWL_SPEED:
    case FA_CRAWL_RATE:
    case FA_CRAWL_MASS:
    case FA_CRAWL_INERTIA:
    case FA_CRAWL_WHEEL:
    case FA_CRAWL_ALONG:
    case FA_CRAWL_ACROSS:
    case FA_CRAWL_ROLLING_VISCOUS:
    case FA_CRAWL_ROLLING_COULOMB:
    case FA_CRAWL_ROLLING_WIDTH:
    case FA_CRAWL_VISCOUS:
    case FA_CRAWL_STIFFNESS:
    case FA_CRAWL_REST:
    case FA_CRAWL_ROTOR:
    case FA_CRAWL_GEAR:
    case FA_CRAWL_LIMIT:
    case FA_CRAWL_STOP_STIFFNESS:
    case FA_CRAWL_STOP_DAMPING:
    case FA_CRAWL_MOTOR:
    case FA_CRAWL_GAIT:
    case FA_CRAWL_BANDWIDTH:
    case FA_CRAWL_TORQUE:
    case FA_CRAWL_VOLTAGE:
    case FA_CRAWL_REFERENCE:
    case FA_CRAWL_COMMAND:
        return true;
    default:
        return false;
    }
}

static bool acceleration_depends(const fa_robot *robot, int which, const known *on)
{
    if (robot->snake.input != FA_SNAKE_SPEEDS) return in_equations(robot, on);
    if (on->quantity == FA_CRAWL_BANDWIDTH) return true;
    if (on->quantity == FA_CRAWL_COMMAND) return on->index == which;
    return on->quantity == (which == 0 ? FA_CRAWL_SPEED : FA_CRAWL_RATE);
}

// A wheel is behind or at the link: its place follows from all links up to it.
static fa_dependence place_depends(int link, fa_crawl own, const known *on)
{
    if (on->quantity == own) return FA_PROPORTIONAL;
    bool shape = on->quantity == FA_CRAWL_ANGLE || on->quantity == FA_CRAWL_WHEEL;
    if (link > 0 && shape && on->index <= link) return FA_DEPENDENT;
    if (on->quantity == FA_CRAWL_LENGTH && on->index < link) return FA_DEPENDENT;
    return FA_INDEPENDENT;
}

static fa_dependence centre_depends(const fa_robot *robot, fa_crawl own, const known *on)
{
    switch (on->quantity) {
    case FA_CRAWL_MASS:
    case FA_CRAWL_ALONG:
    case FA_CRAWL_ACROSS:
        return FA_DEPENDENT;
    default:
        return place_depends(robot->n_links - 1, own, on);
    }
}

static bool energy_depends(const fa_robot *robot, const known *on)
{
    switch (on->quantity) {
    case FA_CRAWL_ROLLING_VISCOUS:
    case FA_CRAWL_ROLLING_COULOMB:
    case FA_CRAWL_ROLLING_WIDTH:
    case FA_CRAWL_VISCOUS:
    case FA_CRAWL_STIFFNESS:
    case FA_CRAWL_REST:
    case FA_CRAWL_LIMIT:
    case FA_CRAWL_STOP_STIFFNESS:
    case FA_CRAWL_STOP_DAMPING:
    case FA_CRAWL_MOTOR:
    case FA_CRAWL_GAIT:
    case FA_CRAWL_TORQUE:
    case FA_CRAWL_VOLTAGE:
    case FA_CRAWL_REFERENCE:
        return false;
    default:
        return in_equations(robot, on) && !is_command(on);
    }
}

static bool control_depends(const fa_robot *robot, const known *on)
{
    return energy_depends(robot, on) && !is_speed(on);
}

static bool stop_depends(const fa_robot *robot, int joint, const known *on)
{
    switch (on->quantity) {
    case FA_CRAWL_ANGLE:
        return on->index == joint || on->index == joint + 1 || joint_rate_depends(robot, joint, on);
    case FA_CRAWL_LIMIT:
    case FA_CRAWL_STOP_STIFFNESS:
    case FA_CRAWL_STOP_DAMPING:
        return on->index == joint;
    default:
        return joint_rate_depends(robot, joint, on);
    }
}

static bool usage_depends(const fa_robot *robot, int link, const known *on)
{
    return in_equations(robot, on) || on->quantity == FA_CRAWL_GRAVITY ||
           (on->quantity == FA_CRAWL_GRIP && (link < 0 || on->index == link));
}

static bool current_depends(const fa_robot *robot, int joint, const known *on)
{
    return on->quantity == FA_CRAWL_MOTOR ? on->index != 1 // not on the torque constant
           : on->quantity == FA_CRAWL_VOLTAGE || on->quantity == FA_CRAWL_GEAR
               ? on->index == joint
               : joint_rate_depends(robot, joint, on);
}

static fa_dependence angle_depends(int joint, const known *on)
{
    bool mine = on->quantity == FA_CRAWL_ANGLE && (on->index == joint || on->index == joint + 1);
    return mine ? FA_PROPORTIONAL : FA_INDEPENDENT;
}

static bool starts_at(const fa_robot *robot, const known *on)
{
    return speed_depends(robot, 0, on) || (on->quantity == FA_CRAWL_ANGLE && on->index == 0);
}

static known stands_for(const fa_variable *row)
{
    known on = {(fa_crawl)row->quantity, row->index};
    if (on.quantity >= FA_CRAWL_INITIAL_ANGLE && on.quantity <= FA_CRAWL_INITIAL_WORK)
        on.quantity = (fa_crawl)(FA_CRAWL_ANGLE + (on.quantity - FA_CRAWL_INITIAL_ANGLE));
    return on;
}

fa_dependence fa_crawl_depends(const fa_robot *robot, const fa_variables *variables, int unknown,
                               int row)
{
    const fa_variable *of = &variables->row[unknown];
    const known        on = stands_for(&variables->row[row]);
    const bool time = variables->row[row].role == FA_TIME && robot->snake.input == FA_SNAKE_GAIT;
    bool       depends = false;
    if (unknown == row) return FA_PROPORTIONAL;
    switch ((fa_crawl)of->quantity) {
    case FA_CRAWL_ANGLE:
    case FA_CRAWL_X:
    case FA_CRAWL_Y:
    case FA_CRAWL_SPEED:
    case FA_CRAWL_RATE:
    case FA_CRAWL_WORK:
        return of->initial == row ? FA_PROPORTIONAL : FA_INDEPENDENT;
    case FA_CRAWL_LINK_RATE:
        depends = rate_depends(robot, of->index, &on);
        break;
    case FA_CRAWL_X_RATE:
    case FA_CRAWL_Y_RATE:
        depends = starts_at(robot, &on);
        break;
    case FA_CRAWL_SPEED_DERIVATIVE:
        depends = time || acceleration_depends(robot, 0, &on);
        break;
    case FA_CRAWL_RATE_DERIVATIVE:
        depends = time || acceleration_depends(robot, 1, &on);
        break;
    case FA_CRAWL_POWER:
    case FA_CRAWL_TORQUE:
    case FA_CRAWL_LATERAL:
        depends = time || in_equations(robot, &on);
        break;
    case FA_CRAWL_JOINT_ANGLE:
        return angle_depends(of->index, &on);
    case FA_CRAWL_JOINT_RATE:
        depends = joint_rate_depends(robot, of->index, &on);
        break;
    case FA_CRAWL_JOINT_REFERENCE: // gait: stiffness and damping are the servo's
        depends = time || (on.quantity == FA_CRAWL_GAIT && on.index < 5);
        break;
    case FA_CRAWL_CURRENT:
        depends = current_depends(robot, of->index, &on);
        break;
    case FA_CRAWL_LINK_SPEED:
        depends = speed_depends(robot, of->index, &on);
        break;
    case FA_CRAWL_LINK_X:
        return place_depends(of->index, FA_CRAWL_X, &on);
    case FA_CRAWL_LINK_Y:
        return place_depends(of->index, FA_CRAWL_Y, &on);
    case FA_CRAWL_COM_X:
        return centre_depends(robot, FA_CRAWL_X, &on);
    case FA_CRAWL_COM_Y:
        return centre_depends(robot, FA_CRAWL_Y, &on);
    case FA_CRAWL_HEADING:
        depends = on.quantity == FA_CRAWL_ANGLE;
        break;
    case FA_CRAWL_KINETIC:
        depends = energy_depends(robot, &on);
        break;
    case FA_CRAWL_CONTROLLABILITY:
        depends = control_depends(robot, &on);
        break;
    case FA_CRAWL_CONTROL_LOST:
    case FA_CRAWL_CONTROL_INDICATOR:
        depends = control_depends(robot, &on) || on.quantity == FA_CRAWL_CONTROL_LIMIT;
        break;
    case FA_CRAWL_STOP:
    case FA_CRAWL_STOP_INDICATOR:
        depends = stop_depends(robot, of->index, &on);
        break;
    case FA_CRAWL_SLIPPED:
        depends = time || usage_depends(robot, -1, &on);
        break;
    default: // slip usage, its flag and its indicator
        depends = time || usage_depends(robot, of->index, &on);
        break;
    }
    return depends ? FA_DEPENDENT : FA_INDEPENDENT;
}
