// Structural dependencies between the variables of a sliding snake; fa_probe_take removes those
// without effect.
#include "sliding_plant.h"
#include "snake_rows.h"

static bool summed(fa_snake_quantity quantity)
{
    return quantity == FA_SNAKE_ROW_SUM || quantity == FA_SNAKE_ROW_WORK ||
           quantity == FA_SNAKE_ROW_JOINT_WORK || quantity == FA_SNAKE_ROW_INITIAL_SUM ||
           quantity == FA_SNAKE_ROW_INITIAL_WORK;
}

fa_dependence fa_sliding_depends(const fa_robot *robot, const fa_variables *variables, int unknown,
                                 int row)
{
    const fa_variable      *of = &variables->row[unknown], *known = &variables->row[row];
    const fa_snake_quantity quantity = (fa_snake_quantity)of->quantity;
    const fa_snake_quantity on = (fa_snake_quantity)known->quantity;
    const bool              gait = robot->snake.input == FA_SNAKE_GAIT;
    if (unknown == row) return FA_PROPORTIONAL;
    if (of->role == FA_STATE) {
        if (of->initial != row) return FA_INDEPENDENT;
        return FA_PROPORTIONAL;
    }
    switch (quantity) {
    case FA_SNAKE_ROW_GAIT_OFFSET: // depends on past events only
    case FA_SNAKE_ROW_PERIOD:
    case FA_SNAKE_ROW_PERIOD_MEMORY:
        return FA_INDEPENDENT;
    case FA_SNAKE_ROW_PERIOD_INDICATOR:
        return FA_DEPENDENT;
    case FA_SNAKE_ROW_GAIT_ANGLE_RATE:
        return on == (robot->snake.gait_told ? FA_SNAKE_ROW_GAIT_NOW : FA_SNAKE_ROW_GAIT) &&
                       known->index == FA_SNAKE_ROW_GAIT_FREQUENCY
                   ? FA_PROPORTIONAL
                   : FA_INDEPENDENT;
    default:
        break;
    }
    if (summed(on) || on == FA_SNAKE_ROW_AVERAGING || on == FA_SNAKE_ROW_OTHER) {
        const bool time = known->role == FA_TIME && gait && !fa_snake_states_angle(robot);
        return time ? FA_DEPENDENT : FA_INDEPENDENT;
    }
    return FA_DEPENDENT;
}
