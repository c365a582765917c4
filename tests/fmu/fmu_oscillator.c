// An oscillator with parameters, input and event as a plant without an arm.
#include "fmu_help.h"

#include <assert.h>
#include <math.h>

#define GROUP_ENERGY 2u
#define GROUP_THRUST 4u
#define GROUP_GAP    8u

static fa_status declare(const fa_robot *robot, fa_variables *variables, fa_error *error)
{
    (void)robot, (void)error;
    static const struct {
        const char *name;
        fa_role     role;
        double      start;
        unsigned    group;
    } row[] = {
        {"mass", FA_PARAMETER, 2, 0},
        {"stiffness", FA_PARAMETER, 50, 0},
        {"ramp", FA_PARAMETER, 0, 0},
        {"wall", FA_PARAMETER, 1e9, 0},
        {"initial_position", FA_PARAMETER, 0.25, 0},
        {"initial_velocity", FA_PARAMETER, -1, 0},
        {"damping", FA_TUNABLE, 0.5, 0},
        {"force", FA_INPUT, 0, 0},
        {"brake", FA_INPUT, 0, 0},
        {"position", FA_STATE, 0, 0},
        {"velocity", FA_STATE, 0, 0},
        {"acceleration", FA_OUTPUT, 0, FA_GROUP_DERIVATIVES},
        {"energy", FA_OUTPUT, 0, GROUP_ENERGY},
        {"thrust", FA_OUTPUT, 0, GROUP_THRUST},
        {"power", FA_LOCAL, 0, GROUP_ENERGY},
        {"gap", FA_INDICATOR, 0, GROUP_GAP},
    };
    for (size_t i = 0; i < sizeof row / sizeof *row; i++) {
        fa_variable variable = fa_variable_of(row[i].role, FA_UNIT_NONE, row[i].start);
        variable.group = row[i].group;
        int at = variables->n;
        if (at == OSC_BRAKE) {
            variable.discrete = true;
            variable.type = FA_BOOLEAN;
        }
        if (at == OSC_MASS) variable.minimum = 1e-3;
        if (at == OSC_POSITION || at == OSC_VELOCITY) {
            variable.nominal = at == OSC_POSITION ? 0.5 : 3;
            variable.derivative = at == OSC_POSITION ? OSC_VELOCITY : OSC_ACCELERATION;
            variable.initial = at == OSC_POSITION ? OSC_INITIAL_POSITION : OSC_INITIAL_VELOCITY;
        }
        fa_variable_add(variables, variable, fa_key_of(FA_OF_ROBOT, row[i].name), "");
    }
    assert(variables->n == OSC_TIME);
    return FA_OK;
}

static fa_dependence depends(const fa_robot *robot, const fa_variables *variables, int unknown,
                             int known)
{
    (void)robot, (void)variables;
    bool position = known == OSC_POSITION || known == OSC_INITIAL_POSITION;
    bool velocity = known == OSC_VELOCITY || known == OSC_INITIAL_VELOCITY;
    bool does = false;
    switch (unknown) {
    case OSC_POSITION:
        return known == OSC_INITIAL_POSITION ? FA_PROPORTIONAL : FA_INDEPENDENT;
    case OSC_VELOCITY:
        return known == OSC_INITIAL_VELOCITY ? FA_PROPORTIONAL : FA_INDEPENDENT;
    case OSC_ACCELERATION:
        does = known != OSC_WALL;
        break;
    case OSC_ENERGY:
        does = position || velocity || known == OSC_MASS || known == OSC_STIFFNESS;
        break;
    case OSC_THRUST:
        if (known == OSC_FORCE) return FA_PROPORTIONAL;
        does = known == OSC_RAMP || known == OSC_TIME;
        break;
    case OSC_POWER:
        does = velocity || known == OSC_FORCE;
        break;
    default:
        break;
    }
    return does ? FA_DEPENDENT : FA_INDEPENDENT;
}

// A copy of two parameters, so that a forgotten configure shows.
typedef struct oscillator {
    double mass, stiffness;
} oscillator;

static size_t size(const fa_robot *robot)
{
    (void)robot;
    return sizeof(oscillator);
}

static void prepare(void *self, const fa_robot *robot, const fa_variables *variables)
{
    (void)self, (void)robot, (void)variables;
}

static fa_status configure(void *self, const double value[], fa_error *error)
{
    oscillator *o = self;
    if (value[OSC_STIFFNESS] < 0)
        return fa_fail(error, FA_BAD_INPUT, NULL, FA_NOWHERE, "a spring that pushes");
    o->mass = value[OSC_MASS];
    o->stiffness = value[OSC_STIFFNESS];
    return FA_OK;
}

static fa_status evaluate(void *self, double value[], unsigned groups, fa_error *error)
{
    const oscillator *o = self;
    double            x = value[OSC_POSITION], v = value[OSC_VELOCITY], u = value[OSC_FORCE];
    double            thrust = u + value[OSC_RAMP] * value[OSC_TIME];
    double            drag = value[OSC_DAMPING] + value[OSC_BRAKE];
    if (x > value[OSC_WALL])
        return fa_fail(error, FA_SINGULAR, NULL, FA_NOWHERE, "the mass is in the wall");
    if (groups & FA_GROUP_DERIVATIVES)
        value[OSC_ACCELERATION] = (thrust - o->stiffness * x - drag * v) / o->mass;
    if (groups & GROUP_ENERGY) {
        value[OSC_ENERGY] = 0.5 * o->mass * v * v + 0.5 * o->stiffness * x * x;
        value[OSC_POWER] = u * v;
    }
    if (groups & GROUP_THRUST) value[OSC_THRUST] = thrust;
    if (groups & GROUP_GAP) value[OSC_GAP] = value[OSC_WALL] - x;
    return FA_OK;
}

static fa_status tangent(void *self, const double value[], double direction[], unsigned groups,
                         fa_error *error)
{
    (void)error;
    const oscillator *o = self;
    const double     *w = value;
    double           *d = direction;
    double dthrust = d[OSC_FORCE] + d[OSC_RAMP] * w[OSC_TIME] + w[OSC_RAMP] * d[OSC_TIME];
    double drag = w[OSC_DAMPING] + w[OSC_BRAKE], ddrag = d[OSC_DAMPING] + d[OSC_BRAKE];
    double x = w[OSC_POSITION], v = w[OSC_VELOCITY];
    double dx = d[OSC_POSITION], dv = d[OSC_VELOCITY];
    if (groups & FA_GROUP_DERIVATIVES) {
        double dforce = dthrust - d[OSC_STIFFNESS] * x - o->stiffness * dx - ddrag * v - drag * dv;
        d[OSC_ACCELERATION] = (dforce - d[OSC_MASS] * w[OSC_ACCELERATION]) / o->mass;
    }
    if (groups & GROUP_ENERGY) {
        d[OSC_ENERGY] = 0.5 * d[OSC_MASS] * v * v + o->mass * v * dv +
                        0.5 * d[OSC_STIFFNESS] * x * x + o->stiffness * x * dx;
        d[OSC_POWER] = d[OSC_FORCE] * v + w[OSC_FORCE] * dv;
    }
    if (groups & GROUP_THRUST) d[OSC_THRUST] = dthrust;
    return FA_OK;
}

static fa_status adjoint(void *self, const double value[], double slope[], unsigned groups,
                         fa_error *error)
{
    (void)error;
    const oscillator *o = self;
    const double     *w = value;
    double           *s = slope, x = w[OSC_POSITION], v = w[OSC_VELOCITY], dthrust = 0;
    if (groups & FA_GROUP_DERIVATIVES) {
        double force = s[OSC_ACCELERATION] / o->mass;
        dthrust += force;
        s[OSC_STIFFNESS] -= force * x;
        s[OSC_POSITION] -= force * o->stiffness;
        s[OSC_DAMPING] -= force * v;
        s[OSC_BRAKE] -= force * v;
        s[OSC_VELOCITY] -= force * (w[OSC_DAMPING] + w[OSC_BRAKE]);
        s[OSC_MASS] -= force * w[OSC_ACCELERATION];
    }
    if (groups & GROUP_ENERGY) {
        s[OSC_MASS] += s[OSC_ENERGY] * 0.5 * v * v;
        s[OSC_STIFFNESS] += s[OSC_ENERGY] * 0.5 * x * x;
        s[OSC_POSITION] += s[OSC_ENERGY] * o->stiffness * x;
        s[OSC_VELOCITY] += s[OSC_ENERGY] * o->mass * v + s[OSC_POWER] * w[OSC_FORCE];
        s[OSC_FORCE] += s[OSC_POWER] * v;
    }
    if (groups & GROUP_THRUST) dthrust += s[OSC_THRUST];
    s[OSC_FORCE] += dthrust;
    s[OSC_RAMP] += dthrust * w[OSC_TIME];
    s[OSC_TIME] += dthrust * w[OSC_RAMP];
    return FA_OK;
}

const fa_plant fmu_oscillator = {.name = "oscillator",
                                 .about = "for tests",
                                 .declare = declare,
                                 .depends = depends,
                                 .size = size,
                                 .prepare = prepare,
                                 .configure = configure,
                                 .evaluate = evaluate,
                                 .tangent = tangent,
                                 .adjoint = adjoint};
