// Two source-code FMUs in one program: PUMA and SCARA step in turns, and nothing is allocated while
// they do. Prints the outputs, whose value references the command line gives, in hexadecimal.
#include "fmi3FunctionTypes.h"

#include <stdio.h>
#include <stdlib.h>

#include "failing_memory.h"

#define ROBOT_LIST(X) X(puma560) X(scara)

#define X(id)                                                                                      \
    fmi3InstantiateCoSimulationTYPE id##_fmi3InstantiateCoSimulation;                              \
    fmi3EnterInitializationModeTYPE id##_fmi3EnterInitializationMode;                              \
    fmi3ExitInitializationModeTYPE  id##_fmi3ExitInitializationMode;                               \
    fmi3DoStepTYPE                  id##_fmi3DoStep;                                               \
    fmi3SetBooleanTYPE              id##_fmi3SetBoolean;                                           \
    fmi3GetFloat64TYPE              id##_fmi3GetFloat64;                                           \
    fmi3TerminateTYPE               id##_fmi3Terminate;                                            \
    fmi3ResetTYPE                   id##_fmi3Reset;                                                \
    fmi3FreeInstanceTYPE            id##_fmi3FreeInstance;
ROBOT_LIST(X)
#undef X

typedef struct robot {
    const char                      *name, *token;
    fmi3InstantiateCoSimulationTYPE *make;
    fmi3EnterInitializationModeTYPE *begin;
    fmi3ExitInitializationModeTYPE  *start;
    fmi3DoStepTYPE                  *step;
    fmi3SetBooleanTYPE              *set;
    fmi3GetFloat64TYPE              *get;
    fmi3TerminateTYPE               *end;
    fmi3ResetTYPE                   *reset;
    fmi3FreeInstanceTYPE            *release;
    fmi3Instance                     instance;
} robot;

#define X(id)                                                                                      \
    {#id,                                                                                          \
     NULL,                                                                                         \
     id##_fmi3InstantiateCoSimulation,                                                             \
     id##_fmi3EnterInitializationMode,                                                             \
     id##_fmi3ExitInitializationMode,                                                              \
     id##_fmi3DoStep,                                                                              \
     id##_fmi3SetBoolean,                                                                          \
     id##_fmi3GetFloat64,                                                                          \
     id##_fmi3Terminate,                                                                           \
     id##_fmi3Reset,                                                                               \
     id##_fmi3FreeInstance,                                                                        \
     NULL},
static robot robots[] = {ROBOT_LIST(X)};
#undef X

enum { N = sizeof robots / sizeof *robots, STEPS = 50 };

static void hear(fmi3InstanceEnvironment environment, fmi3Status status, fmi3String category,
                 fmi3String message)
{
    fprintf(stderr, "%s: %d %s: %s\n", ((robot *)environment)->name, (int)status, category,
            message);
}

static void expect(fmi3Status status)
{
    if (status != fmi3OK) exit(3);
}

// Arguments: of each robot its token, the reference of `deterministic`, of the first output, and
// how many there are.
int main(int argc, char *argv[])
{
    if (argc != 1 + 4 * N) return 2;
    double out[N][16];
    for (int i = 0; i < N; i++) {
        robot             *r = &robots[i];
        const fmi3Boolean  yes = true;
        fmi3ValueReference same = (fmi3ValueReference)atoi(argv[2 + 4 * i]);
        r->instance = r->make(r->name, argv[1 + 4 * i], NULL, false, false, false, false, NULL, 0,
                              r, hear, NULL);
        if (!r->instance) return 4;
        allocations = 0;
        expect(r->set(r->instance, &same, 1, &yes, 1));
        expect(r->begin(r->instance, false, 0, 0, false, 0));
        expect(r->start(r->instance));
        if (allocations != 0) return 5;
    }
    allocations = 0;
    for (int k = 0; k < STEPS; k++)
        for (int i = 0; i < N; i++) {
            fmi3Boolean event, over, early;
            double      last;
            expect(robots[i].step(robots[i].instance, 0.01 * k, 0.01, true, &event, &over, &early,
                                  &last));
        }
    for (int i = 0; i < N; i++) {
        const int          n = atoi(argv[4 + 4 * i]);
        fmi3ValueReference reference[16];
        for (int k = 0; k < n; k++) reference[k] = (fmi3ValueReference)(atoi(argv[3 + 4 * i]) + k);
        expect(robots[i].get(robots[i].instance, reference, (size_t)n, out[i], (size_t)n));
        expect(robots[i].end(robots[i].instance));
        expect(robots[i].reset(robots[i].instance));
    }
    if (allocations != 0) return 6;
    for (int i = 0; i < N; i++) {
        for (int k = 0; k < atoi(argv[4 + 4 * i]); k++) printf("%a\n", out[i][k]);
        robots[i].release(robots[i].instance);
    }
    return 0;
}
