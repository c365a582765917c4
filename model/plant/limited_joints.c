// Finds the rows of joints with limits, and computes violations.
#include "limited_joints.h"

#include <math.h>

// Tolerance of a violation [rad] or [m]: a joint that starts at its limit, or is held there, is
// beyond it by up to the solver's tolerance of 1e-8.
static const double SLACK = 1e-6;

// Rows of one quantity are in the order of the joints, so the search begins at the last row found:
// *from.
static int row_of(const fa_variables *table, int link, const char *quantity, int *from)
{
    const int row = fa_variables_row(table, FA_OF_JOINT, link, quantity, *from);
    if (row != FA_NO_ROW) *from = row;
    return row;
}

int fa_limited_joints_find(const fa_robot *robot, const fa_variables *table,
                           fa_limited_joint rows[])
{
    int n = 0, position = 0, lower = 0, upper = 0;
    for (int i = 0; i < robot->n_links && !fa_robot_is_snake(robot); i++) {
        const fa_joint *joint = &robot->link[i].joint;
        const bool has_lower = !isinf(joint->limit.lower), has_upper = !isinf(joint->limit.upper);
        if (!fa_joint_is_free(joint) || joint->stop.present || (!has_lower && !has_upper)) continue;
        n++;
        if (!rows) continue;
        fa_limited_joint *r = &rows[n - 1];
        *r = (fa_limited_joint){i, row_of(table, i, "position", &position), FA_NO_ROW, FA_NO_ROW};
        if (r->position == FA_NO_ROW) { // inverse dynamics, or a plant without joints
            n--;
            continue;
        }
        if (has_lower) r->lower = row_of(table, i, "lower_limit", &lower);
        if (has_upper) r->upper = row_of(table, i, "upper_limit", &upper);
    }
    return n;
}

double fa_limit_beyond(const fa_limited_joint *rows, const double value[], int *limit)
{
    const double q = value[rows->position];
    const double above = rows->upper == FA_NO_ROW ? -INFINITY : q - value[rows->upper];
    const double below = rows->lower == FA_NO_ROW ? -INFINITY : value[rows->lower] - q;
    *limit = above > below ? rows->upper : rows->lower;
    const double by = fmax(above, below);
    return by > SLACK ? by : 0;
}
