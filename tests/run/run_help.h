// Common helpers of the tests of motions without an FMU: robots, their states, and access to these.
#ifndef RUN_HELP_H
#define RUN_HELP_H

#include <stdlib.h>
#include <string.h>

#include "arm.h"
#include "import.h"
#include "random.h"
#include "state.h"
#include "test.h"

#define ROBOTS "../resources/robots/" // tests run in the folder tests/

static const double PI = 3.14159265358979323846;

static inline fa_robot *load(const char *path)
{
    fa_error  error = fa_no_error();
    fa_robot *robot = NULL;
    if (fa_import(path, NULL, NULL, &robot, &error) != FA_OK) fail_msg("%s", error.message);
    return robot;
}

static inline fa_robot *drawn(uint64_t *seed, int n, unsigned kind)
{
    fa_error  error = fa_no_error();
    fa_robot *robot = random_robot(seed, n, kind);
    if (fa_robot_check(robot, NULL, &error) != FA_OK) fail_msg("%s", error.message);
    return robot;
}

static inline fa_state state_of(const fa_robot *robot)
{
    fa_state state;
    fa_error error = fa_no_error();
    if (fa_state_new(robot, &state, &error) != FA_OK) fail_msg("%s", error.message);
    return state;
}

static inline double *values_copy(const fa_state *state)
{
    const size_t size = (size_t)state->table.n * sizeof(double);
    double      *copy = malloc(size);
    assert_non_null(copy);
    memcpy(copy, state->value, size);
    return copy;
}

static inline const fa_arm *arm_of(const fa_state *state)
{
    return state->self;
}

static inline double *at(fa_state *state, int quantity)
{
    return state->value + arm_of(state)->row[quantity];
}

#endif
