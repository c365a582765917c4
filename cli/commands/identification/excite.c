// forearm excite: designs a motion whose log lets forearm identify find many parameters.
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "arm.h"
#include "csv_writer.h"
#include "excitation.h"
#include "load.h"
#include "motion_log.h"

// Default limits of a joint [rad/s^2] or [m/s^2], [rad/s] or [m/s].
static const double USUAL_ACCELERATION = 10, USUAL_SPEED = 3;

typedef struct job {
    fa_robot        *robot;
    fa_state         state;
    fa_arm_dynamics  dynamics;
    fa_motion_limit *limit;
    fa_excitation    found;
} job;

// Default range of a joint without limits, to either side [rad], [m].
static const double USUAL_ANGLE = 3.14159265358979323846, USUAL_WAY = 0.5;

// Computes the limits of a coordinate from those of its joint and of the joints that follow it;
// defaults replace missing ones.
static fa_status find_limit(const fa_arm *arm, int coordinate, double acceleration,
                            fa_motion_limit *limit, fa_error *error)
{
    const fa_arm_joint *leader = &arm->joint[fa_arm_independent_body(arm, coordinate)];
    const double        usual = fa_joint_slides(leader->given.type) ? USUAL_WAY : USUAL_ANGLE;
    *limit = (fa_motion_limit){-INFINITY, INFINITY, INFINITY, acceleration, INFINITY};
    for (int k = 0; k < arm->chain.n; k++) {
        const fa_body       *body = &arm->body[k];
        const fa_limit_data *of = &arm->joint[k].limit;
        if (body->coordinate != coordinate || body->ratio == 0) continue;
        const double lower = (of->lower - body->offset) / body->ratio;
        const double upper = (of->upper - body->offset) / body->ratio;
        limit->lower = fmax(limit->lower, fmin(lower, upper));
        limit->upper = fmin(limit->upper, fmax(lower, upper));
        if (of->velocity > 0) limit->speed = fmin(limit->speed, of->velocity / fabs(body->ratio));
    }
    if (leader->limit.effort > 0) limit->effort = leader->limit.effort;
    if (isinf(limit->speed)) limit->speed = USUAL_SPEED;
    if (isinf(limit->lower)) limit->lower = isinf(limit->upper) ? -usual : limit->upper - 2 * usual;
    if (isinf(limit->upper)) limit->upper = limit->lower + 2 * usual;
    if (limit->lower < limit->upper) return FA_OK;
    return fa_fail(error, FA_UNFIT, NULL, FA_NOWHERE,
                   "the limits of joint '%s' and of those that follow it leave it no room to move; "
                   "widen them in the robot file",
                   leader->given.name);
}

static fa_status write_motion(const job *j, const fa_arguments *a, double step, fa_error *error)
{
    static const char *const what[] = {"position", "velocity", "acceleration"};
    const int                n = j->found.n;
    double                  *motion = calloc(3 * (size_t)n, sizeof *motion);
    fa_csv_writer            out;
    if (!motion)
        return fa_fail(error, FA_NO_MEMORY, NULL, FA_NOWHERE,
                       "there is not enough memory for the motion");
    fa_csv_create(a->out, &out, error);
    fa_csv_put_name(&out, "time");
    for (int order = 0; order < 3; order++)
        for (int i = 0; i < n; i++)
            fa_csv_put_name(&out, fa_motion_column_of(&j->dynamics, i, what[order]).text);
    (void)fa_csv_end_line(&out);
    const double lines = ceil(j->found.period / step * (1 - 1e-12));
    for (double line = 0; line <= lines && out.status == FA_OK; line++) {
        const double t = fmin(line * step, j->found.period);
        fa_excitation_at(&j->found, t, motion, motion + n, motion + 2 * n);
        fa_csv_put_number(&out, t);
        for (int i = 0; i < 3 * n; i++) fa_csv_put_number(&out, motion[i]);
        (void)fa_csv_end_line(&out);
    }
    free(motion);
    if (out.status == FA_OK) return fa_csv_keep(&out);
    fa_csv_drop(&out);
    return out.status;
}

static fa_status work(job *j, const fa_arguments *a, fa_error *error)
{
    const double time = isnan(a->time) ? 20 : a->time;
    const double harmonics = isnan(a->harmonics) ? 5 : a->harmonics;
    const double step = isnan(a->step) ? 0.01 : a->step;
    const double seed = isnan(a->seed) ? 1 : a->seed;
    if (harmonics < 2 || harmonics > 100)
        return fa_fail(error, FA_UNFIT, NULL, FA_NOWHERE,
                       "--harmonics must be from 2 to 100: with one alone a motion that begins at "
                       "rest stays there");
    fa_status status = fa_load_robot(a, NULL, &j->robot, error);
    if (status == FA_OK && (fa_robot_is_snake(j->robot) || fa_robot_is_axis(j->robot) ||
                            fa_robot_has_circuit(j->robot) || fa_robot_is_mechanism(j->robot)))
        status = fa_fail(error, FA_UNFIT, a->operand, FA_NOWHERE,
                         "forearm excite finds motions of trees of joints with one freedom each, "
                         "and this robot is none");
    if (status == FA_OK)
        status = fa_state_of_plant(fa_arm_plant_for(j->robot, true), j->robot, &j->state, error);
    if (status == FA_OK) status = fa_arm_dynamics_new(&j->state, &j->dynamics, error);
    if (status != FA_OK) return status;
    const int n = j->dynamics.arm->chain.n_coordinates;
    j->limit = calloc((size_t)n + 1, sizeof *j->limit);
    if (!j->limit)
        return fa_fail(error, FA_NO_MEMORY, NULL, FA_NOWHERE,
                       "there is not enough memory for the limits of the joints");
    const double acceleration = isnan(a->acceleration) ? USUAL_ACCELERATION : a->acceleration;
    for (int i = 0; i < n && status == FA_OK; i++)
        status = find_limit(j->dynamics.arm, i, acceleration, &j->limit[i], error);
    if (status == FA_OK)
        status = fa_excite(&j->dynamics, j->limit, time, (int)harmonics, (uint64_t)seed, &j->found,
                           error);
    if (status == FA_OK) status = write_motion(j, a, step, error);
    if (status == FA_OK && a->out && strcmp(a->out, "-") != 0)
        (void)printf("wrote %s: condition number %.4g (%.4g before the search)\n", a->out,
                     j->found.condition, j->found.starting);
    return status;
}

fa_exit fa_run_excite(const fa_arguments *arguments)
{
    job             j = {0};
    fa_error        error = fa_no_error();
    const fa_status status = work(&j, arguments, &error);
    fa_excitation_free(&j.found);
    if (j.dynamics.state) fa_arm_dynamics_free(&j.dynamics);
    fa_state_free(&j.state);
    free(j.limit);
    free(j.robot);
    return fa_report(status, &error);
}
