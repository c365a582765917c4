// A hydraulic cylinder with its valve as an FMU of FMI 2.0, Co-Simulation, in plain C: what
// somebody who has a model of his own would write around it. It shares nothing with Forearm. Its
// rod is moved by an input, and its force is the output: https://fmi-standard.org. Pressures by
// Runge-Kutta steps of 0.25 ms or less; the oil's equations are in docs/hydraulics.md. SI units,
// pressures absolute.
#include <math.h>
#include <stdlib.h>

#include "fmi2Functions.h"

enum { FORCE, VELOCITY, LENGTH, PRESSURE_A, PRESSURE_B, OPENING, ACCELERATION, VALUES };

typedef struct {
    double value[VALUES];
    double time;
} Jack;

static const double bore_area = 7.853981633974483e-3, rod_area = 2.463008640414398e-3;
static const double closed_length = 0.82, stroke = 0.535, hose = 1.9001530466156163e-4;
static const double oil = 1.65e9, hose_wall = 7e8, wall = 2.1e11, vapour = 1e4;
static const double gain = 2.1380899352993953e-7, smooth = 1e5, supply = 1.6e7, tank = 1e5;

// The lever: it opens the valve to a share of its stroke at 0.1 s, and closes it at 0.7 s.
static double lever(double t, double opening)
{
    double up = (t - 0.1) / 0.1, down = (0.8 - t) / 0.1, u = up < down ? up : down;
    return opening * (u < 0 ? 0 : u > 1 ? 1 : u);
}

static double flow(double opening, double drop)
{
    return gain * opening * drop / pow(drop * drop + smooth * smooth, 0.25);
}

static double capacity(double inside, double p)
{
    double gap = p - vapour, c = 1 / oil + 3 * 8e6 / (gap * gap * gap * gap);
    return (inside + hose) * c + inside / wall + hose / hose_wall;
}

static void rates(const double p[2], double length, double v, double u, double rate[2])
{
    double a = bore_area, b = bore_area - rod_area, x = length - closed_length;
    double into_a = u >= 0 ? flow(u, supply - p[0]) : -flow(-u, p[0] - tank);
    double into_b = u >= 0 ? -flow(u, p[1] - tank) : flow(-u, supply - p[1]);
    rate[0] = (into_a - a * v) / capacity(a * x, p[0]);
    rate[1] = (into_b + b * v) / capacity(b * (stroke - x), p[1]);
}

static void give_force(Jack *j)
{
    j->value[FORCE] =
        bore_area * j->value[PRESSURE_A] - (bore_area - rod_area) * j->value[PRESSURE_B];
}

fmi2Status fmi2DoStep(fmi2Component c, fmi2Real t, fmi2Real h, fmi2Boolean keep)
{
    static const double at[4] = {0, 0.5, 0.5, 1}, share[4] = {1. / 6, 1. / 3, 1. / 3, 1. / 6};
    Jack               *j = c;
    int                 steps = (int)ceil(h / 2.5e-4 - 1e-9);
    double d = h / steps, v = j->value[VELOCITY], acceleration = j->value[ACCELERATION];
    (void)keep;
    for (int i = 0; i < steps; i++) {
        double p[2] = {j->value[PRESSURE_A], j->value[PRESSURE_B]}, k[2] = {0, 0}, sum[2] = {0, 0};
        for (int stage = 0; stage < 4; stage++) {
            double s = at[stage] * d, here[2] = {p[0] + s * k[0], p[1] + s * k[1]};
            rates(here, j->value[LENGTH] + v * s + acceleration * s * s / 2, v + acceleration * s,
                  lever(t + i * d + s, j->value[OPENING]), k);
            sum[0] += share[stage] * k[0];
            sum[1] += share[stage] * k[1];
        }
        j->value[PRESSURE_A] += d * sum[0];
        j->value[PRESSURE_B] += d * sum[1];
        j->value[LENGTH] += v * d + acceleration * d * d / 2;
        v += acceleration * d;
    }
    give_force(j);
    return fmi2OK;
}

// ------------------------------------------------------------------------------------ the standard

fmi2Status fmi2GetReal(fmi2Component c, const fmi2ValueReference vr[], size_t n, fmi2Real value[])
{
    for (size_t i = 0; i < n; i++) value[i] = ((Jack *)c)->value[vr[i]];
    return fmi2OK;
}

fmi2Status fmi2SetReal(fmi2Component c, const fmi2ValueReference vr[], size_t n,
                       const fmi2Real value[])
{
    for (size_t i = 0; i < n; i++) ((Jack *)c)->value[vr[i]] = value[i];
    return fmi2OK;
}

fmi2Component fmi2Instantiate(fmi2String name, fmi2Type type, fmi2String guid, fmi2String place,
                              const fmi2CallbackFunctions *host, fmi2Boolean visible,
                              fmi2Boolean logging)
{
    Jack *j = calloc(1, sizeof *j);
    (void)name, (void)type, (void)guid, (void)place, (void)host, (void)visible, (void)logging;
    if (!j) return NULL;
    j->value[PRESSURE_A] = 10010073.818747858;
    j->value[PRESSURE_B] = 5e6;
    j->value[LENGTH] = 0.9359521753516766;
    j->value[OPENING] = 0.33;
    give_force(j);
    return j;
}

fmi2Status fmi2ExitInitializationMode(fmi2Component c)
{
    give_force(c);
    return fmi2OK;
}

const char *fmi2GetTypesPlatform(void)
{
    return fmi2TypesPlatform;
}

const char *fmi2GetVersion(void)
{
    return fmi2Version;
}

void fmi2FreeInstance(fmi2Component c)
{
    free(c);
}

// Calls that have nothing to do here, and calls that this FMU does not offer.
#define EMPTY(name, ...)                                                                           \
    fmi2Status name(fmi2Component c, ##__VA_ARGS__)                                                \
    {                                                                                              \
        (void)c;                                                                                   \
        return fmi2OK;                                                                             \
    }
#define ABSENT(name, ...)                                                                          \
    fmi2Status name(fmi2Component c, ##__VA_ARGS__)                                                \
    {                                                                                              \
        (void)c;                                                                                   \
        return fmi2Error;                                                                          \
    }
EMPTY(fmi2SetDebugLogging, fmi2Boolean on, size_t n, const fmi2String names[])
EMPTY(fmi2SetupExperiment, fmi2Boolean a, fmi2Real b, fmi2Real d, fmi2Boolean e, fmi2Real f)
EMPTY(fmi2EnterInitializationMode)
EMPTY(fmi2Terminate)
ABSENT(fmi2Reset)
ABSENT(fmi2CancelStep)
ABSENT(fmi2GetInteger, const fmi2ValueReference v[], size_t n, fmi2Integer x[])
ABSENT(fmi2GetBoolean, const fmi2ValueReference v[], size_t n, fmi2Boolean x[])
ABSENT(fmi2GetString, const fmi2ValueReference v[], size_t n, fmi2String x[])
ABSENT(fmi2SetInteger, const fmi2ValueReference v[], size_t n, const fmi2Integer x[])
ABSENT(fmi2SetBoolean, const fmi2ValueReference v[], size_t n, const fmi2Boolean x[])
ABSENT(fmi2SetString, const fmi2ValueReference v[], size_t n, const fmi2String x[])
ABSENT(fmi2GetFMUstate, fmi2FMUstate *s)
ABSENT(fmi2SetFMUstate, fmi2FMUstate s)
ABSENT(fmi2FreeFMUstate, fmi2FMUstate *s)
ABSENT(fmi2SerializedFMUstateSize, fmi2FMUstate s, size_t *n)
ABSENT(fmi2SerializeFMUstate, fmi2FMUstate s, fmi2Byte b[], size_t n)
ABSENT(fmi2DeSerializeFMUstate, const fmi2Byte b[], size_t n, fmi2FMUstate *s)
ABSENT(fmi2GetDirectionalDerivative, const fmi2ValueReference u[], size_t n,
       const fmi2ValueReference k[], size_t m, const fmi2Real dk[], fmi2Real du[])
ABSENT(fmi2SetRealInputDerivatives, const fmi2ValueReference v[], size_t n, const fmi2Integer o[],
       const fmi2Real x[])
ABSENT(fmi2GetRealOutputDerivatives, const fmi2ValueReference v[], size_t n, const fmi2Integer o[],
       fmi2Real x[])
ABSENT(fmi2GetStatus, const fmi2StatusKind k, fmi2Status *s)
ABSENT(fmi2GetRealStatus, const fmi2StatusKind k, fmi2Real *s)
ABSENT(fmi2GetIntegerStatus, const fmi2StatusKind k, fmi2Integer *s)
ABSENT(fmi2GetBooleanStatus, const fmi2StatusKind k, fmi2Boolean *s)
ABSENT(fmi2GetStringStatus, const fmi2StatusKind k, fmi2String *s)
