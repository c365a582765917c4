// C functions behind the Modelica packages that `forearm export --modelica` writes: an external
// object around one robot in the library of the package, which is an FMU's (FMI 3.0, Model
// Exchange).
//
// The functions are pure as Modelica sees them: what they give follows from their arguments. What
// the library remembers between events, whether a joint sticks, a stop is touched, a valve is at
// its end, changes in forearm_update alone, which counts the changes; the others take this number,
// so that a tool evaluates them anew.
//
// The library is opened by its path, and keeps its names for itself: robots of several packages,
// and of several versions, live in one model.
#ifndef FOREARM_MODELICA_H
#define FOREARM_MODELICA_H

#include <math.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#if defined(_WIN32)
#include <windows.h>
#else
#include <dlfcn.h>
#endif

#include "ModelicaUtilities.h"

#if !defined(FOREARM_FUNCTION)
#if defined(__GNUC__)
#define FOREARM_FUNCTION static __attribute__((unused))
#else
#define FOREARM_FUNCTION static
#endif
#endif

// The folder of the library for this system in Resources/Library, as Modelica names it.
#if defined(_WIN32)
#define FOREARM_PLATFORM "win64"
#define FOREARM_ENDING   ".dll"
#elif defined(__APPLE__)
#define FOREARM_PLATFORM "darwin64"
#define FOREARM_ENDING   ".dylib"
#elif defined(__aarch64__)
#define FOREARM_PLATFORM "aarch64-linux"
#define FOREARM_ENDING   ".so"
#else
#define FOREARM_PLATFORM "linux64"
#define FOREARM_ENDING   ".so"
#endif

// The standard's functions that are used. X(name, arguments)
#define FOREARM_CALL_LIST(X)                                                                       \
    X(SetTime, (void *, double))                                                                   \
    X(SetContinuousStates, (void *, const double *, size_t))                                       \
    X(GetContinuousStates, (void *, double *, size_t))                                             \
    X(GetContinuousStateDerivatives, (void *, double *, size_t))                                   \
    X(GetEventIndicators, (void *, double *, size_t))                                              \
    X(EnterInitializationMode, (void *, bool_, double, double, bool_, double))                     \
    X(ExitInitializationMode, (void *))                                                            \
    X(EnterEventMode, (void *))                                                                    \
    X(EnterContinuousTimeMode, (void *))                                                           \
    X(UpdateDiscreteStates, (void *, bool_ *, bool_ *, bool_ *, bool_ *, bool_ *, double *))       \
    X(CompletedIntegratorStep, (void *, bool_, bool_ *, bool_ *))                                  \
    X(GetFloat64, (void *, const uint32_t *, size_t, double *, size_t))                            \
    X(SetFloat64, (void *, const uint32_t *, size_t, const double *, size_t))                      \
    X(GetInt32, (void *, const uint32_t *, size_t, int32_t *, size_t))                             \
    X(SetInt32, (void *, const uint32_t *, size_t, const int32_t *, size_t))                       \
    X(GetBoolean, (void *, const uint32_t *, size_t, bool_ *, size_t))                             \
    X(SetBoolean, (void *, const uint32_t *, size_t, const bool_ *, size_t))                       \
    X(GetDirectionalDerivative, (void *, const uint32_t *, size_t, const uint32_t *, size_t,       \
                                 const double *, size_t, double *, size_t))

typedef unsigned char forearm_bool; // a Boolean of FMI 3.0 is a bool of C99, which C++ may include

typedef struct forearm_robot {
#define bool_              forearm_bool
#define X(name, arguments) int(*name) arguments;
    FOREARM_CALL_LIST(X)
#undef X
#undef bool_
    void (*FreeInstance)(void *);
    void     *library, *instance;
    int       started;    // initialisation is over
    int       events;     // discrete updates so far
    size_t    n_inputs;   // real ones
    size_t    n_switches; // Boolean ones
    size_t    n_states;
    uint32_t *reference;  // of the inputs, switches, states and their derivatives, and of time
    double   *at;         // time, states and inputs that the library has; then scratch
    int       known;      // `at` holds
    char      said[1024]; // the library's last sentence
} forearm_robot;

static void forearm_hear(void *environment, int status, const char *category, const char *message)
{
    (void)status, (void)category;
    (void)snprintf(((forearm_robot *)environment)->said, sizeof((forearm_robot *)0)->said, "%s",
                   message);
}

static void forearm_release(forearm_robot *r)
{
    if (r->instance) r->FreeInstance(r->instance);
#if defined(_WIN32)
    if (r->library) FreeLibrary((HMODULE)r->library);
#else
    if (r->library) dlclose(r->library);
#endif
    free(r->reference);
    free(r->at);
    free(r);
}

static void *forearm_symbol(void *library, const char *name)
{
#if defined(_WIN32)
    return (void *)GetProcAddress((HMODULE)library, name);
#else
    return dlsym(library, name);
#endif
}

// ModelicaFormatError does not return: a tool tries a shorter step, or ends the simulation.
static void forearm_check(forearm_robot *r, int status)
{
    if (status > 1) ModelicaFormatError("%s", r->said[0] ? r->said : "the robot has no solution");
}

static uint32_t *forearm_copy(uint32_t *to, const int *from, size_t n)
{
    for (size_t i = 0; i < n; i++) to[i] = (uint32_t)from[i];
    return to + n;
}

// `folder` has Library/<platform> with the library <identifier>, and Data with the robot.
// Parameters are numbers, Boolean ones 0 and 1; `kinds` has an r, i or b for each. References are
// those of the real and Boolean inputs, the states, their derivatives and time.
FOREARM_FUNCTION void *forearm_open(const char *folder, const char *identifier, const char *token,
                                    const char *name, const char *kinds, const double *parameter,
                                    size_t n_parameters, const int *parameter_reference,
                                    size_t n_references, const int *input, size_t n_inputs,
                                    const int *toggle, size_t n_switches, const int *state,
                                    size_t n_states, const int *derivative, size_t n_derivatives,
                                    int time_reference)
{
    typedef void  *instantiate(const char *, const char *, const char *, forearm_bool, forearm_bool,
                               void *, void (*)(void *, int, const char *, const char *));
    char           path[4096];
    forearm_robot *r = (forearm_robot *)calloc(1, sizeof *r);
    const size_t   references = n_inputs + n_switches + 2 * n_states + 1;
    if (r) {
        r->reference = (uint32_t *)calloc(references, sizeof *r->reference);
        r->at = (double *)calloc(2 * (n_states + n_inputs + 1) + n_states, sizeof *r->at);
    }
    if (!r || !r->reference || !r->at || n_references < n_parameters || n_derivatives < n_states) {
        if (r) forearm_release(r);
        ModelicaFormatError("there is not enough memory for the robot %s", name);
        return NULL;
    }
    r->n_inputs = n_inputs;
    r->n_switches = n_switches;
    r->n_states = n_states;
    uint32_t *to = forearm_copy(r->reference, input, n_inputs);
    to = forearm_copy(to, toggle, n_switches);
    to = forearm_copy(to, state, n_states);
    to = forearm_copy(to, derivative, n_states);
    *to = (uint32_t)time_reference;

    (void)snprintf(path, sizeof path, "%s/Library/" FOREARM_PLATFORM "/%s" FOREARM_ENDING, folder,
                   identifier);
#if defined(_WIN32)
    r->library = (void *)LoadLibraryA(path);
#else
    r->library = dlopen(path, RTLD_NOW | RTLD_LOCAL);
#endif
    if (!r->library) {
        forearm_release(r);
        ModelicaFormatError("the library %s cannot be opened; export the package for this system, "
                            "with --platforms",
                            path);
        return NULL;
    }
    int missing = 0;
    // Through a union: ISO C has no conversion from what dlsym gives to a function.
    union {
        void        *object;
        instantiate *make;
        void (*release)(void *);
    } found;
#define bool_ forearm_bool
#define X(name, arguments)                                                                         \
    {                                                                                              \
        union {                                                                                    \
            void *object;                                                                          \
            int(*function) arguments;                                                              \
        } symbol;                                                                                  \
        symbol.object = forearm_symbol(r->library, "fmi3" #name);                                  \
        r->name = symbol.function;                                                                 \
        missing |= !symbol.object;                                                                 \
    }
    FOREARM_CALL_LIST(X)
#undef X
#undef bool_
    found.object = forearm_symbol(r->library, "fmi3FreeInstance");
    r->FreeInstance = found.release;
    missing |= !found.object;
    found.object = forearm_symbol(r->library, "fmi3InstantiateModelExchange");
    (void)snprintf(path, sizeof path, "%s/Data", folder);
    if (found.object && !missing)
        r->instance = found.make(name, token, path, 0, 0, r, forearm_hear);
    if (!r->instance) {
        char said[sizeof r->said];
        (void)snprintf(said, sizeof said, "%s", r->said);
        forearm_release(r);
        ModelicaFormatError("the robot %s cannot be made: %s", name,
                            said[0] ? said : "the library is not one of Forearm's");
        return NULL;
    }
    for (size_t i = 0; i < n_parameters; i++) {
        const uint32_t     reference = (uint32_t)parameter_reference[i];
        const int32_t      whole = kinds[i] == 'i' ? (int32_t)parameter[i] : 0;
        const forearm_bool flag = parameter[i] != 0;
        // Modelica has no infinity; Modelica.Constants.inf is 1e60, or the largest number.
        const double number = fabs(parameter[i]) < 1e60 ? parameter[i]
                              : parameter[i] > 0        ? HUGE_VAL
                                                        : -HUGE_VAL;
        const int status = kinds[i] == 'r'   ? r->SetFloat64(r->instance, &reference, 1, &number, 1)
                           : kinds[i] == 'i' ? r->SetInt32(r->instance, &reference, 1, &whole, 1)
                                             : r->SetBoolean(r->instance, &reference, 1, &flag, 1);
        if (status > 1) {
            char said[sizeof r->said];
            (void)snprintf(said, sizeof said, "%s", r->said);
            forearm_release(r);
            ModelicaFormatError("%s", said);
            return NULL;
        }
    }
    return r;
}

FOREARM_FUNCTION void forearm_close(void *robot)
{
    if (robot) forearm_release((forearm_robot *)robot);
}

// Discrete updates until nothing changes; gives the time of the next event that is announced.
static double forearm_settle(forearm_robot *r)
{
    forearm_bool again = 1, over, nominals, values, timed = 0;
    double       next = 1e300;
    for (int i = 0; again && i < 100; i++)
        forearm_check(r, r->UpdateDiscreteStates(r->instance, &again, &over, &nominals, &values,
                                                 &timed, &next));
    return timed ? next : 1e300;
}

static void forearm_start(forearm_robot *r, double t)
{
    if (r->started) return;
    forearm_check(r, r->EnterInitializationMode(r->instance, 0, 0, t, 0, 0));
    forearm_check(r, r->ExitInitializationMode(r->instance));
    (void)forearm_settle(r);
    forearm_check(r, r->EnterContinuousTimeMode(r->instance));
    r->started = 1;
}

// Tells the library time, states and inputs, where it does not have them. `input` may be NULL: they
// stay.
static void forearm_go(forearm_robot *r, double t, const double *state, const double *input)
{
    double *at = r->at;
    forearm_start(r, t);
    if (!r->known || at[0] != t) forearm_check(r, r->SetTime(r->instance, t));
    if (!r->known || memcmp(at + 1, state, r->n_states * sizeof *at) != 0)
        forearm_check(r, r->SetContinuousStates(r->instance, state, r->n_states));
    if (input && r->n_inputs > 0 &&
        (!r->known || memcmp(at + 1 + r->n_states, input, r->n_inputs * sizeof *at) != 0))
        forearm_check(r, r->SetFloat64(r->instance, r->reference, r->n_inputs, input, r->n_inputs));
    at[0] = t;
    memcpy(at + 1, state, r->n_states * sizeof *at);
    if (input) {
        if (r->n_inputs > 0) memcpy(at + 1 + r->n_states, input, r->n_inputs * sizeof *at);
        r->known = 1;
    }
}

// dx/dt at (t, x, u).
FOREARM_FUNCTION void forearm_derivatives(void *robot, int event, double t, const double *x,
                                          size_t n, const double *u, size_t n_u, double *dx)
{
    forearm_robot *r = (forearm_robot *)robot;
    (void)event, (void)n_u;
    forearm_go(r, t, x, u);
    forearm_check(r, r->GetContinuousStateDerivatives(r->instance, dx, n));
}

static void forearm_tangent(forearm_robot *r, const uint32_t *unknown, size_t n, double der_t,
                            const double *der_x, const double *der_u, double *out)
{
    const size_t n_x = r->n_states, n_u = r->n_inputs;
    double      *scratch = r->at + 1 + n_x + n_u;
    memset(out, 0, n * sizeof *out);
    if (n == 0) return;
    if (n_x > 0) {
        forearm_check(r, r->GetDirectionalDerivative(r->instance, unknown, n,
                                                     r->reference + n_u + r->n_switches, n_x, der_x,
                                                     n_x, out, n));
    }
    // One direction at a time: the three kinds do not stand one behind the other.
    for (int kind = 0; kind < 2; kind++) {
        const double   *seed = kind == 0 ? der_u : &der_t;
        const uint32_t *known =
            kind == 0 ? r->reference : r->reference + n_u + r->n_switches + 2 * n_x;
        const size_t n_known = kind == 0 ? n_u : 1;
        int          any = 0;
        for (size_t i = 0; i < n_known; i++) any |= seed[i] != 0;
        if (!any) continue;
        for (size_t first = 0; first < n; first += n_x + 1) {
            const size_t some = n - first < n_x + 1 ? n - first : n_x + 1;
            forearm_check(r, r->GetDirectionalDerivative(r->instance, unknown + first, some, known,
                                                         n_known, seed, n_known, scratch, some));
            for (size_t i = 0; i < some; i++) out[first + i] += scratch[i];
        }
    }
}

FOREARM_FUNCTION void forearm_derivatives_der(void *robot, int event, double t, const double *x,
                                              size_t n, const double *u, size_t n_u, double der_t,
                                              const double *der_x, const double *der_u,
                                              double *der_dx)
{
    forearm_robot *r = (forearm_robot *)robot;
    (void)event, (void)n_u;
    forearm_go(r, t, x, u);
    forearm_tangent(r, r->reference + r->n_inputs + r->n_switches + n, n, der_t, der_x, der_u,
                    der_dx);
}

// Outputs that no input feeds through to, at (t, x).
FOREARM_FUNCTION void forearm_outputs(void *robot, int event, double t, const double *x, size_t n,
                                      const int *output, size_t n_outputs, double *y)
{
    forearm_robot *r = (forearm_robot *)robot;
    (void)event, (void)n;
    forearm_go(r, t, x, NULL);
    if (n_outputs > 0)
        forearm_check(r, r->GetFloat64(r->instance, (const uint32_t *)(const void *)output,
                                       n_outputs, y, n_outputs));
}

FOREARM_FUNCTION void forearm_outputs_der(void *robot, int event, double t, const double *x,
                                          size_t n, const int *output, size_t n_outputs,
                                          double der_t, const double *der_x, double *der_y)
{
    forearm_robot *r = (forearm_robot *)robot;
    (void)event, (void)n;
    forearm_go(r, t, x, NULL);
    // No input has an effect, so that none moves.
    double *still = r->at + 1 + r->n_states + r->n_inputs + r->n_states + 1;
    memset(still, 0, r->n_inputs * sizeof *still);
    forearm_tangent(r, (const uint32_t *)(const void *)output, n_outputs, der_t, der_x, still,
                    der_y);
}

// Outputs that follow from the inputs at once, at (t, x, u).
FOREARM_FUNCTION void forearm_through(void *robot, int event, double t, const double *x, size_t n,
                                      const double *u, size_t n_u, const int *output,
                                      size_t n_outputs, double *y)
{
    forearm_robot *r = (forearm_robot *)robot;
    (void)event, (void)n, (void)n_u;
    forearm_go(r, t, x, u);
    if (n_outputs > 0)
        forearm_check(r, r->GetFloat64(r->instance, (const uint32_t *)(const void *)output,
                                       n_outputs, y, n_outputs));
}

FOREARM_FUNCTION void forearm_through_der(void *robot, int event, double t, const double *x,
                                          size_t n, const double *u, size_t n_u, const int *output,
                                          size_t n_outputs, double der_t, const double *der_x,
                                          const double *der_u, double *der_y)
{
    forearm_robot *r = (forearm_robot *)robot;
    (void)event, (void)n, (void)n_u;
    forearm_go(r, t, x, u);
    forearm_tangent(r, (const uint32_t *)(const void *)output, n_outputs, der_t, der_x, der_u,
                    der_y);
}

// Evaluates the event indicators: a mode switches where one changes its sign.
FOREARM_FUNCTION void forearm_indicators(void *robot, int event, double t, const double *x,
                                         size_t n, const double *u, size_t n_u, double *z,
                                         size_t n_z)
{
    forearm_robot *r = (forearm_robot *)robot;
    (void)event, (void)n, (void)n_u;
    forearm_go(r, t, x, u);
    if (n_z > 0) forearm_check(r, r->GetEventIndicators(r->instance, z, n_z));
}

// An event at (t, x) with the inputs that the library had last: the step up to here is complete,
// the Boolean inputs take their values, and what is discrete settles. Gives the states, which may
// have jumped, the time of the next event that is known of, discrete outputs (`kinds` has an r, i
// or b for each) as numbers, and how many updates there have been.
FOREARM_FUNCTION int forearm_update(void *robot, double t, const double *x, size_t n,
                                    const int *toggles, size_t n_switches, const char *kinds,
                                    const int *flag, size_t n_flags, double *new_x, double *next,
                                    double *flags)
{
    forearm_robot *r = (forearm_robot *)robot;
    const double   at_once = 1e-9; // [s], or of the time where that is larger than one
    forearm_bool   event = 0, over = 0;
    const int      blind = !r->known; // the initial equations, before inputs are known
    forearm_go(r, t, x, NULL);
    forearm_check(r, r->CompletedIntegratorStep(r->instance, 1, &event, &over));
    forearm_check(r, r->EnterEventMode(r->instance));
    for (size_t i = 0; i < n_switches; i++) {
        const forearm_bool on = toggles[i] != 0;
        forearm_check(r, r->SetBoolean(r->instance, r->reference + r->n_inputs + i, 1, &on, 1));
    }
    *next = forearm_settle(r);
    if (blind && r->n_inputs > 0 && *next > t + at_once * (1 + fabs(t)))
        *next = t + at_once * (1 + fabs(t));
    forearm_check(r, r->EnterContinuousTimeMode(r->instance));
    if (n > 0) forearm_check(r, r->GetContinuousStates(r->instance, new_x, n));
    memcpy(r->at + 1, new_x, n * sizeof *new_x);
    for (size_t i = 0; i < n_flags; i++) {
        const uint32_t reference = (uint32_t)flag[i];
        int32_t        whole = 0;
        forearm_bool   on = 0;
        if (kinds[i] == 'r')
            forearm_check(r, r->GetFloat64(r->instance, &reference, 1, &flags[i], 1));
        else if (kinds[i] == 'i')
            forearm_check(r, r->GetInt32(r->instance, &reference, 1, &whole, 1));
        else
            forearm_check(r, r->GetBoolean(r->instance, &reference, 1, &on, 1));
        if (kinds[i] != 'r') flags[i] = kinds[i] == 'i' ? whole : on;
    }
    return ++r->events;
}

#endif
