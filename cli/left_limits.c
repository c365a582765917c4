// Watches joints that have limits and no stop, and says which left them, when and by how much.
#include "left_limits.h"

#include <math.h>
#include <stdlib.h>

#include "number.h"
#include "report.h"
#include "table.h"

// A joint that starts at its limit, or is held there, is beyond it by what a solver's tolerance of
// 1e-8 leaves, and has not left it [rad] or [m].
static const double SLACK = 1e-6;

static int row_of(const fa_variables *table, const char *joint, const char *what)
{
    char segment[FA_NAME_SIZE + 1], name[2 * FA_NAME_SIZE];
    fa_variable_segment(joint, segment, sizeof segment);
    (void)snprintf(name, sizeof name, "joint.%s.%s", segment, what);
    return fa_variables_find(table, name);
}

fa_status fa_limits_new(const fa_robot *robot, const fa_variables *table, fa_limits *limits,
                        fa_error *error)
{
    *limits = (fa_limits){.of = calloc((size_t)robot->n_links, sizeof *limits->of)};
    if (!limits->of)
        return fa_fail(error, FA_NO_MEMORY, NULL, FA_NOWHERE,
                       "there is not enough memory for the limits of the joints");
    for (int i = 0; i < robot->n_links && !fa_robot_is_snake(robot); i++) {
        const fa_joint *joint = &robot->link[i].joint;
        if (!fa_joint_is_free(joint) || joint->stop.present ||
            (isinf(joint->limit.lower) && isinf(joint->limit.upper)))
            continue;
        fa_limited *l = &limits->of[limits->n];
        *l = (fa_limited){.name = joint->name,
                          .position = row_of(table, joint->name, "position"),
                          .lower = row_of(table, joint->name, "lower_limit"),
                          .upper = row_of(table, joint->name, "upper_limit")};
        if (l->position == FA_NO_ROW || l->lower == FA_NO_ROW || l->upper == FA_NO_ROW) continue;
        l->unit = table->row[l->position].unit;
        limits->n++;
    }
    return FA_OK;
}

void fa_limits_free(fa_limits *limits)
{
    free(limits->of);
}

void fa_limits_look(fa_limits *limits, double t, const double value[])
{
    for (int i = 0; i < limits->n; i++) {
        fa_limited  *l = &limits->of[i];
        const double above = value[l->position] - value[l->upper];
        const double below = value[l->lower] - value[l->position];
        const double by = fmax(above, below);
        if (!(by > SLACK)) continue;
        if (!l->left) l->since = t;
        if (!l->left || by > l->by) {
            l->by = by;
            l->when = t;
            l->limit = value[above > below ? l->upper : l->lower];
        }
        l->left = true;
    }
}

void fa_limits_tell(const fa_limits *limits, const char *file)
{
    const fa_log log = fa_report_warnings(NULL);
    for (int i = 0; i < limits->n; i++) {
        const fa_limited *l = &limits->of[i];
        const char       *unit = fa_units[l->unit].name;
        if (l->left)
            fa_warn(&log, file, FA_NOWHERE,
                    "joint '%s' leaves its limits at t = %s s, and is farthest beyond %s %s at t = "
                    "%s s, by %s %s; nothing stops it there: --stops, or a <stop>, does",
                    l->name, fa_rounded_text(l->since).text, fa_rounded_text(l->limit).text, unit,
                    fa_rounded_text(l->when).text, fa_rounded_text(l->by).text, unit);
    }
}
