// Robots from files, and what they say of their joints and frames.
#include "forearm.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "arm_dynamics.h"
#include "import.h"
#include "motion_rows.h"
#include "nearest.h"
#include "state.h"

const char *fa_version(void)
{
    return FOREARM_VERSION;
}

const char *fa_status_name(fa_status status)
{
#define X(code, text) [code] = #code,
    static const char *const name[] = {FA_STATUS_LIST(X)};
#undef X
    const unsigned k = (unsigned)status;
    return k < sizeof name / sizeof *name ? name[k] : "no status";
}

static fa_status options_of(const fa_load_options *given, fa_import_options *options,
                            fa_error *error)
{
    *options = (fa_import_options){.base = FA_BASE_UNSAID};
    if (!given) return FA_OK;
    if (given->size != sizeof *given)
        return fa_fail(error, FA_BAD_INPUT, NULL, FA_NOWHERE,
                       "the options of loading have another size than the library's; set their "
                       "field size to sizeof(fa_load_options), and compile with the headers of "
                       "version %s",
                       FOREARM_VERSION);
    options->tip = given->tip;
    options->actuators = given->actuators;
    options->strict = given->strict;
    options->lenient = given->lenient;
    options->independent = given->independent;
    if (given->base == FA_LOAD_BASE_FIXED) options->base = FA_BASE_FIXED;
    if (given->base == FA_LOAD_BASE_FREE) options->base = FA_BASE_FREE;
    if (given->n_locks == 0) return FA_OK;
    fa_import_lock *lock = calloc(given->n_locks, sizeof *lock);
    if (!lock)
        return fa_fail(error, FA_NO_MEMORY, NULL, FA_NOWHERE,
                       "there is not enough memory for the options");
    for (size_t i = 0; i < given->n_locks; i++)
        lock[i] = (fa_import_lock){given->lock[i].joint, given->lock[i].position};
    options->lock = lock;
    options->n_locks = (int)given->n_locks;
    return FA_OK;
}

fa_robot *fa_robot_load(const char *path, const fa_load_options *options, fa_error *error)
{
    fa_import_options to;
    fa_robot         *robot = NULL;
    if (options_of(options, &to, error) == FA_OK && fa_import(path, &to, NULL, &robot, error))
        robot = NULL;
    free((void *)to.lock);
    return robot;
}

fa_robot *fa_robot_read(const char *text, size_t size, const char *name,
                        const fa_load_options *options, fa_error *error)
{
    fa_import_options to;
    fa_robot         *robot = NULL;
    if (options_of(options, &to, error) == FA_OK &&
        fa_import_text(text, size, name, &to, NULL, &robot, error))
        robot = NULL;
    free((void *)to.lock);
    return robot;
}

void fa_robot_free(fa_robot *robot)
{
    free(robot);
}

// The link that free joint i carries; NULL: there is no such joint.
static const fa_link *link_of(const fa_robot *robot, int i)
{
    for (int k = 0; k < robot->n_links; k++)
        if (fa_joint_is_free(&robot->link[k].joint) && i-- == 0) return &robot->link[k];
    return NULL;
}

int fa_robot_joints(const fa_robot *robot)
{
    int n = 0;
    for (int k = 0; k < robot->n_links; k++) n += fa_joint_is_free(&robot->link[k].joint);
    return n;
}

int fa_robot_positions(const fa_robot *robot)
{
    return fa_robot_position_count(robot);
}

int fa_robot_speeds(const fa_robot *robot)
{
    return fa_robot_freedom(robot);
}

void fa_robot_joint_sizes(const fa_robot *robot, int i, int *positions, int *speeds)
{
    const fa_link *link = link_of(robot, i);
    *speeds = link ? fa_joint_speeds(&link->joint) : 0;
    *positions = link ? *speeds + fa_joint_has_ball(link->joint.type) : 0;
}

const char *fa_robot_joint_name(const fa_robot *robot, int i)
{
    const fa_link *link = link_of(robot, i);
    return link ? link->joint.name : NULL;
}

const char *fa_robot_joint_link(const fa_robot *robot, int i)
{
    const fa_link *link = link_of(robot, i);
    return link ? link->name : NULL;
}

fa_joint_limits fa_robot_joint_limits(const fa_robot *robot, int i)
{
    const fa_link        *link = link_of(robot, i);
    const fa_joint_limits none = {-INFINITY, INFINITY, INFINITY, INFINITY};
    if (!link) return none;
    const fa_limit_data *limit = &link->joint.limit;
    return (fa_joint_limits){limit->lower, limit->upper, limit->effort, limit->velocity};
}

fa_status fa_robot_find_frame(const fa_robot *robot, const char *link, int *frame, fa_error *error)
{
    *frame = FA_TIP_FRAME;
    if (!link) return FA_OK;
    fa_nearest nearest = fa_nearest_to(link);
    for (int k = 0; k < robot->n_links; k++) {
        *frame = k;
        if (strcmp(robot->link[k].name, link) == 0) return FA_OK;
        fa_nearest_try(&nearest, robot->link[k].name);
    }
    *frame = FA_TIP_FRAME;
    return fa_fail(error, FA_BAD_INPUT, robot->source, FA_NOWHERE, "the robot has no link '%s'; %s",
                   link, fa_nearest_hint(&nearest, "forearm inspect lists them").text);
}

fa_status fa_robot_find_parameter(const fa_robot *robot, const char *name, int *parameter,
                                  fa_error *error)
{
    fa_state  state = {0};
    fa_status status = fa_state_of_plant(fa_arm_plant_for(robot, false), robot, &state, error);
    if (status == FA_OK)
        status = fa_state_find_settable(&state, name, NULL, FA_NOWHERE, parameter, error);
    if (status == FA_OK && *parameter >= state.table.first[FA_INPUT])
        status = fa_fail(error, FA_BAD_INPUT, robot->source, FA_NOWHERE,
                         "'%s' is an input and no parameter of the robot", name);
    fa_state_free(&state);
    return status;
}
