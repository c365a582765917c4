// Samples a simulation: poses of links, pressures, and the path of the tip.
#include "moments.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "names.h"
#include "progress.h"
#include "schedule_file.h"
#include "simulation.h"
#include "state_options.h"
#include "told_limits.h"

enum { TRACED = 10 }; // places of the tip from one moment to the next

void fa_moments_want(fa_robot *robot)
{
    robot->outputs |= FA_EXTRA_POSES;
}

// ------------------------------------------------------------------------------------------ poses

static double number(const fa_state *state, const char *name)
{
    const int row = fa_names_find(&state->names, name);
    return row >= 0 ? state->value[row] : 0;
}

// A snake's links lie in the plane.
static fa_transform pose_of_segment(const fa_state *state, int i)
{
    char         name[64];
    fa_transform pose = transform_identity();
    if (i == 0) {
        pose.r = vec3(number(state, "x"), number(state, "y"), 0);
    } else {
        (void)snprintf(name, sizeof name, "link%d.x", i + 1);
        pose.r.x = number(state, name);
        (void)snprintf(name, sizeof name, "link%d.y", i + 1);
        pose.r.y = number(state, name);
    }
    (void)snprintf(name, sizeof name, "link%d.angle", i + 1);
    pose.E = fa_rotation_about(vec3(0, 0, 1), number(state, name));
    return pose;
}

// A link's rows: its origin, then its axes. One without rows is bolted to its parent.
static fa_transform pose_of_link(const fa_moments *moments, const fa_robot *robot,
                                 const fa_state *state, const fa_transform before[], int i)
{
    const fa_link *link = &robot->link[i];
    if (moments->row[i] < 0) {
        const fa_transform parent =
            link->parent == FA_WORLD ? transform_identity() : before[link->parent];
        return transform_compose(transform_compose(parent, link->joint.origin), link->frame);
    }
    const double *value = &state->value[moments->row[i]];
    fa_transform  pose = {.r = {value[0], value[1], value[2]}};
    for (int axis = 0; axis < 3; axis++)
        for (int k = 0; k < 3; k++) pose.E.m[axis][k] = value[3 + 3 * axis + k];
    return pose;
}

static fa_vec3 tip_of(const fa_moments *moments, const fa_state *state)
{
    if (moments->tip_row < 0) return vec3(0, 0, 0);
    const double *value = &state->value[moments->tip_row];
    return point_to_parent(moments->upright, vec3(value[0], value[1], value[2]));
}

static void keep(fa_moments *moments, const fa_robot *robot, const fa_state *state, int k)
{
    const size_t  links = (size_t)robot->n_links, cylinders = (size_t)robot->n_cylinders;
    fa_instant   *moment = &moments->of[k];
    fa_transform *pose = moments->pose + (size_t)k * links;
    const bool    snake = fa_robot_is_snake(robot);
    *moment = (fa_instant){.pose = pose,
                           .pressure = moments->pressure + (size_t)k * cylinders,
                           .tip = tip_of(moments, state)};
    for (int i = 0; i < robot->n_links; i++)
        pose[i] = snake ? pose_of_segment(state, i) : pose_of_link(moments, robot, state, pose, i);
    for (int i = 0; i < robot->n_links; i++) pose[i] = transform_compose(moments->upright, pose[i]);
    for (int i = 0; i < robot->n_cylinders; i++)
        for (int side = 0; side < 2; side++) {
            const int row = fa_variables_row(&state->table, FA_OF_CYLINDER, i,
                                             side ? "pressure_b" : "pressure_a", 0);
            moment->pressure[i][side] = row == FA_NO_ROW ? NAN : state->value[row];
        }
    if (moments->length_row >= 0) moment->length = state->value[moments->length_row];
}

static bool is_finite(const fa_moments *moments, const fa_robot *robot)
{
    const size_t n = (size_t)moments->n * (size_t)robot->n_links;
    for (size_t i = 0; i < n; i++) {
        const fa_vec3 r = moments->pose[i].r;
        if (!isfinite(r.x) || !isfinite(r.y) || !isfinite(r.z)) return false;
    }
    return true;
}

// ------------------------------------------------------------------------------------- the motion

static void find_rows(fa_moments *moments, const fa_robot *robot, const fa_state *state)
{
    const fa_variables *table = &state->table;
    for (int i = 0; i < robot->n_links; i++) {
        const int row = fa_robot_is_snake(robot)
                            ? FA_NO_ROW
                            : fa_variables_row(table, FA_OF_LINK, i, "position", 0);
        moments->row[i] = row == FA_NO_ROW ? -1 : row;
    }
    moments->tip_row = fa_names_find(&state->names, "tip.x");
    moments->length_row = -1;
    if (fa_robot_is_axis(robot) && robot->n_cylinders > 0) {
        const int row = fa_variables_row(table, FA_OF_CYLINDER, 0, "length", 0);
        if (row != FA_NO_ROW) moments->length_row = row;
    }
}

static bool make_room(fa_moments *moments, const fa_robot *robot, int n)
{
    const size_t all = (size_t)n, links = (size_t)robot->n_links;
    const size_t cylinders = (size_t)robot->n_cylinders;
    moments->of = calloc(all, sizeof *moments->of);
    moments->trace = calloc(all * TRACED, sizeof *moments->trace);
    moments->pose = calloc(all * links, sizeof *moments->pose);
    moments->pressure = calloc(all * cylinders + 1, sizeof *moments->pressure);
    moments->row = calloc(links, sizeof *moments->row);
    return moments->of && moments->trace && moments->pose && moments->pressure && moments->row;
}

// The start is moment 0; every TRACED-th step ends at another one.
static fa_status follow(fa_moments *moments, const fa_robot *robot, fa_state *state,
                        fa_simulation *simulation, double stop, int n, fa_error *error)
{
    const int steps = TRACED * (n - 1);
    fa_status status = fa_simulation_begin(simulation, 0, error);
    for (int step = 0; step <= steps && status == FA_OK; step++) {
        const double t = step == steps ? stop : stop * step / steps;
        if (step > 0) status = fa_simulation_advance(simulation, t, error);
        if (status == FA_OK)
            status = fa_simulation_show(simulation, t, simulation->x, FA_GROUP_ALL, error);
        if (status != FA_OK) break;
        if (moments->tip_row >= 0) moments->trace[moments->n_trace++] = tip_of(moments, state);
        if (step % TRACED == 0) keep(moments, robot, state, moments->n++);
        fa_progress_at(t, stop);
    }
    return status;
}

fa_status fa_moments_new(const fa_arguments *a, const fa_robot *robot, double stop, int n,
                         fa_transform upright, fa_moments *moments, fa_error *error)
{
    fa_state      state = {.source = NULL};
    fa_schedule   schedule = {.n = 0};
    fa_simulation simulation = {.state = NULL};
    *moments = (fa_moments){.upright = upright};
    if (!(stop > 0)) n = 1;
    fa_status status = fa_state_new(robot, &state, error);
    if (status == FA_OK) status = fa_state_set_all(&state, a, error);
    if (status == FA_OK && a->input)
        status = fa_schedule_read(a->input, a->interpolate == FA_LINEAR, 0, &state, &schedule, NULL,
                                  error);
    if (status == FA_OK && !make_room(moments, robot, n))
        status = fa_fail(error, FA_NO_MEMORY, robot->source, FA_NOWHERE,
                         "there is not enough memory for the motion");
    if (status == FA_OK && fa_robot_is_axis(robot) &&
        fa_variables_row(&state.table, FA_OF_CYLINDER, 0, "length", 0) == FA_NO_ROW)
        status = fa_fail(error, FA_UNFIT, robot->source, FA_NOWHERE,
                         "'%s' is a valve without its cylinder, of which there is no picture; give "
                         "the robot file that has the cylinder",
                         robot->name);
    if (status == FA_OK) status = fa_simulation_new(&state, &schedule, &simulation, error);
    if (status == FA_OK) {
        find_rows(moments, robot, &state);
        fa_progress_begin("simulating");
        fa_progress_unit("s");
        status = follow(moments, robot, &state, &simulation, stop, n, error);
        fa_progress_end();
        fa_plant_tell(&state, a->operand);
    }
    if (status == FA_OK && !is_finite(moments, robot))
        status = fa_fail(error, FA_NOT_FINITE, robot->source, FA_NOWHERE,
                         "the place of a link is not a finite number; look at the start values");
    fa_simulation_free(&simulation);
    fa_schedule_free(&schedule);
    fa_state_free(&state);
    return status;
}

void fa_moments_free(fa_moments *moments)
{
    free(moments->of);
    free(moments->trace);
    free(moments->pose);
    free(moments->pressure);
    free(moments->row);
    *moments = (fa_moments){.n = 0};
}
