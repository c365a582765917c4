// A bouncing ball as a plant without an arm.
#include "fmu_help.h"

#include <math.h>

#define GROUP_CLEARANCE 2u

// The ball has bounced when it is this deep in the ground, and is put on the ground then [m].
static const double depth = 1e-9;

static fa_status declare(const fa_robot *robot, fa_variables *variables, fa_error *error)
{
    (void)robot, (void)error;
    static const struct {
        const char *name;
        fa_role     role;
        double      start;
    } row[] = {{"gravity", FA_PARAMETER, 10},
               {"restitution", FA_PARAMETER, 0.8},
               {"period", FA_PARAMETER, 0},
               {"kick", FA_PARAMETER, 1},
               {"initial_height", FA_PARAMETER, 1},
               {"initial_velocity", FA_PARAMETER, 0},
               {"lift", FA_INPUT, 0},
               {"height", FA_STATE, 0},
               {"velocity", FA_STATE, 0},
               {"acceleration", FA_OUTPUT, 0},
               {"bounces", FA_OUTPUT, 0},
               {"kicks", FA_OUTPUT, 0},
               {"clearance", FA_INDICATOR, 0}};
    for (size_t i = 0; i < sizeof row / sizeof *row; i++) {
        fa_variable variable = fa_variable_of(row[i].role, FA_UNIT_NONE, row[i].start);
        int         at = variables->n;
        if (at == BALL_HEIGHT || at == BALL_VELOCITY) {
            variable.derivative = at == BALL_HEIGHT ? BALL_VELOCITY : BALL_ACCELERATION;
            variable.initial = at == BALL_HEIGHT ? BALL_INITIAL_HEIGHT : BALL_INITIAL_VELOCITY;
        }
        if (at == BALL_BOUNCES || at == BALL_KICKS) {
            variable.discrete = true;
            variable.type = FA_INT32;
        }
        if (at == BALL_ACCELERATION) variable.group = FA_GROUP_DERIVATIVES;
        if (at == BALL_CLEARANCE) variable.group = GROUP_CLEARANCE;
        fa_variable_add(variables, variable, fa_key_of(FA_OF_ROBOT, row[i].name), "");
    }
    return FA_OK;
}

static size_t size(const fa_robot *robot)
{
    (void)robot;
    return 1;
}

static void prepare(void *self, const fa_robot *robot, const fa_variables *variables)
{
    (void)self, (void)robot, (void)variables;
}

static fa_status configure(void *self, const double value[], fa_error *error)
{
    (void)self, (void)value, (void)error;
    return FA_OK;
}

static fa_status evaluate(void *self, double value[], unsigned groups, fa_error *error)
{
    (void)self, (void)error;
    if (groups & FA_GROUP_DERIVATIVES)
        value[BALL_ACCELERATION] = value[BALL_LIFT] - value[BALL_GRAVITY];
    if (groups & GROUP_CLEARANCE) value[BALL_CLEARANCE] = value[BALL_HEIGHT] + depth;
    return FA_OK;
}

static fa_status event(void *self, double value[], fa_event *event, fa_error *error)
{
    (void)self;
    if (value[BALL_RESTITUTION] > 1)
        return fa_fail(error, FA_SINGULAR, NULL, FA_NOWHERE, "the ball gains energy");
    if (value[BALL_HEIGHT] <= -depth && value[BALL_VELOCITY] < 0) {
        value[BALL_HEIGHT] = 0;
        value[BALL_VELOCITY] *= -value[BALL_RESTITUTION];
        value[BALL_BOUNCES]++;
        event->states_changed = true;
    }
    double period = value[BALL_PERIOD];
    if (period > 0) {
        double due = (value[BALL_KICKS] + 1) * period;
        if (value[BALL_TIME] >= due) {
            value[BALL_VELOCITY] += value[BALL_KICK];
            value[BALL_KICKS]++;
            event->states_changed = true;
            due += period;
        }
        event->timed = true;
        event->next_time = due;
    }
    return FA_OK;
}

static fa_status tangent(void *self, const double value[], double direction[], unsigned groups,
                         fa_error *error)
{
    (void)self, (void)value, (void)error;
    if (groups & FA_GROUP_DERIVATIVES)
        direction[BALL_ACCELERATION] = direction[BALL_LIFT] - direction[BALL_GRAVITY];
    return FA_OK;
}

const fa_plant fmu_ball = {.name = "ball",
                           .about = "for tests",
                           .declare = declare,
                           .size = size,
                           .prepare = prepare,
                           .configure = configure,
                           .evaluate = evaluate,
                           .tangent = tangent,
                           .event = event};
