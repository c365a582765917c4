// Detects joints that exceed their limits and have no stop.
#include "left_limits.h"

#include <math.h>
#include <stdlib.h>

fa_status fa_limits_new(const fa_robot *robot, const fa_variables *table, fa_limits *limits,
                        fa_error *error)
{
    const size_t      links = (size_t)robot->n_links;
    fa_limited_joint *rows = calloc(links, sizeof *rows);
    *limits = (fa_limits){.of = calloc(links, sizeof *limits->of)};
    if (!rows || !limits->of) {
        free(rows);
        return fa_fail(error, FA_NO_MEMORY, NULL, FA_NOWHERE,
                       "there is not enough memory for the limits of the joints");
    }
    limits->n = fa_limited_joints_find(robot, table, rows);
    for (int i = 0; i < limits->n; i++)
        limits->of[i] = (fa_limited){.name = robot->link[rows[i].link].joint.name,
                                     .rows = rows[i],
                                     .unit = table->row[rows[i].position].unit};
    free(rows);
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
        int          limit;
        const double by = fa_limit_beyond(&l->rows, value, &limit);
        if (by == 0) continue;
        if (!l->left) l->since = t;
        l->first = l->left ? fmin(l->first, limits->run) : limits->run;
        if (!l->left || by > l->by) {
            l->by = by;
            l->when = t;
            l->run = limits->run;
            l->limit = value[limit];
        }
        l->left = true;
    }
}
