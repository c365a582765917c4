// Many instances on two threads, created on one and used and freed on the other: the same numbers
// as alone. Built with -DFOREARM_SANITIZE=thread it also shows that they share nothing.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <fmi3Functions.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#include "fmu_help.h"

#define INSTANCES 24 // for each thread
#define STEPS     20
#define ROWS      512

typedef struct job {
    fa_instance *instance[INSTANCES]; // made by the main thread
    fmu_host     host[INSTANCES];
    double       result[INSTANCES][ROWS];
    bool         failed;
} job;

static void run_one(fa_instance *self, int i, double result[], bool *failed)
{
    fmi3ValueReference vr = (fmi3ValueReference)self->first_input + 1;
    fmi3Boolean        b[3];
    fmi3FMUState       saved = NULL;
    double             u = i, last, seed = 1;
    *failed |= fmi3EnterInitializationMode(self, false, 0, 0, false, 0) != fmi3OK;
    *failed |= fmi3ExitInitializationMode(self) != fmi3OK;
    for (int k = 0; k < STEPS; k++) {
        *failed |= fmi3SetFloat64(self, &vr, 1, &u, 1) != fmi3OK;
        *failed |= fmi3DoStep(self, k * 0.01, 0.01, false, &b[0], &b[1], &b[2], &last) != fmi3OK;
        if (k != STEPS / 2) continue;
        *failed |= fmi3GetFMUState(self, &saved) != fmi3OK;
        *failed |= fmi3SetFMUState(self, saved) != fmi3OK;
        *failed |= fmi3FreeFMUState(self, &saved) != fmi3OK;
    }
    fmi3ValueReference out = (fmi3ValueReference)self->table.first[FA_OUTPUT] + 1;
    double             sensitivity;
    *failed |=
        fmi3GetDirectionalDerivative(self, &out, 1, &vr, 1, &seed, 1, &sensitivity, 1) != fmi3OK;
    fa_error error;
    *failed |= fa_refresh(self, FA_GROUP_ALL, &error) != FA_OK;
    memset(result, 0, ROWS * sizeof *result);
    memcpy(result, self->value, (size_t)self->table.n * sizeof *result);
    result[ROWS - 1] = sensitivity;
}

static void *run(void *context)
{
    job *mine = context;
    for (int i = 0; i < INSTANCES; i++) {
        run_one(mine->instance[i], i, mine->result[i], &mine->failed);
        fmi3FreeInstance(mine->instance[i]);
        // And one that lives on this thread alone.
        fmu_host     host;
        fa_instance *own = fmu_new(3, FA_CO_SIMULATION, &host);
        double       result[ROWS];
        run_one(own, i, result, &mine->failed);
        mine->failed |= memcmp(result, mine->result[i], sizeof result) != 0;
        fmi3FreeInstance(own);
    }
    return NULL;
}

static void instances_on_two_threads_do_not_meet(void **state)
{
    (void)state;
    job *jobs = calloc(2, sizeof *jobs);
    assert_non_null(jobs);
    for (int t = 0; t < 2; t++)
        for (int i = 0; i < INSTANCES; i++) {
            jobs[t].instance[i] = fmu_new(3, FA_CO_SIMULATION, &jobs[t].host[i]);
            assert_true(jobs[t].instance[i]->table.n < ROWS);
        }
    pthread_t thread[2];
    for (int t = 0; t < 2; t++)
        assert_int_equal(pthread_create(&thread[t], NULL, run, &jobs[t]), 0);
    for (int t = 0; t < 2; t++) assert_int_equal(pthread_join(thread[t], NULL), 0);
    assert_false(jobs[0].failed || jobs[1].failed);
    assert_memory_equal(jobs[0].result, jobs[1].result, sizeof jobs[0].result);
    free(jobs);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(instances_on_two_threads_do_not_meet),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
