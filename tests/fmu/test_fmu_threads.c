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

#include "fmu_machines.h"

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
    fmi3ValueReference out = (fmi3ValueReference)fa_recall(self)->table.first[FA_OUTPUT] + 1;
    double             sensitivity;
    *failed |=
        fmi3GetDirectionalDerivative(self, &out, 1, &vr, 1, &seed, 1, &sensitivity, 1) != fmi3OK;
    fa_error error = fa_no_error();
    *failed |= fa_refresh(self, FA_GROUP_ALL, &error) != FA_OK;
    memset(result, 0, ROWS * sizeof *result);
    memcpy(result, self->value, (size_t)self->states.rows * sizeof *result);
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
            assert_true(jobs[t].instance[i]->states.rows < ROWS);
        }
    pthread_t thread[2];
    for (int t = 0; t < 2; t++)
        assert_int_equal(pthread_create(&thread[t], NULL, run, &jobs[t]), 0);
    for (int t = 0; t < 2; t++) assert_int_equal(pthread_join(thread[t], NULL), 0);
    assert_false(jobs[0].failed || jobs[1].failed);
    assert_memory_equal(jobs[0].result, jobs[1].result, sizeof jobs[0].result);
    free(jobs);
}

// --- any thread, any instance, any order, of every kind of machine

#define SLOTS   200
#define VISITS  2000 // of each thread
#define LONGEST 30   // steps of one instance

typedef struct slot {
    pthread_mutex_t lock;    // as hosts have one: an instance is used by one thread at a time
    int             machine; // which one of fmu_machines
    fa_instance    *instance;
    fmu_host        host;
    fmi3FMUState    saved;
    int             steps, saved_steps;
} slot;

typedef struct crowd {
    slot      slot[SLOTS];
    fa_robot *robot[FMU_MACHINES];
    double    want[FMU_MACHINES][LONGEST + 1]; // what seen() is after so many steps
} crowd;

typedef struct visitor {
    crowd   *crowd;
    uint64_t seed;
    int      wrong, done;
} visitor;

static bool begin(fa_instance *self)
{
    return fmi3EnterInitializationMode(self, false, 0, 0, false, 0) == fmi3OK &&
           fmi3ExitInitializationMode(self) == fmi3OK;
}

static bool step_on(fa_instance *self, int steps)
{
    fmi3Boolean b[3];
    double      last;
    return fmi3DoStep(self, steps * 0.01, 0.01, false, &b[0], &b[1], &b[2], &last) == fmi3OK;
}

// The last state, or of a machine without states the time.
static double seen(const fa_instance *self)
{
    return self
        ->value[self->n_states > 0 ? self->first_state + self->n_states - 1 : self->time_row];
}

static fa_instance *new_in(const crowd *c, slot *s)
{
    return fmu_machine_new_of(&fmu_machines[s->machine], c->robot[s->machine], 3, FA_CO_SIMULATION,
                              &s->host);
}

// One thing to one instance; whether all went well.
static bool visit(crowd *c, slot *s, uint32_t what)
{
    if (!s->instance) {
        s->instance = new_in(c, s);
        s->steps = 0;
        return begin(s->instance);
    }
    bool fine = seen(s->instance) == c->want[s->machine][s->steps];
    switch (what) {
    case 0:
        if (s->saved) fine &= fmi3FreeFMUState(s->instance, &s->saved) == fmi3OK;
        fmi3FreeInstance(s->instance);
        s->instance = NULL;
        return fine;
    case 1:
        s->saved_steps = s->steps;
        return fine && fmi3GetFMUState(s->instance, &s->saved) == fmi3OK;
    case 2:
        if (!s->saved) return fine;
        s->steps = s->saved_steps;
        return fine && fmi3SetFMUState(s->instance, s->saved) == fmi3OK;
    default:
        if (s->steps == LONGEST) return fine;
        return fine && step_on(s->instance, s->steps++);
    }
}

static void *wander(void *context)
{
    visitor *v = context;
    for (int i = 0; i < VISITS; i++) {
        v->seed = v->seed * 6364136223846793005u + 1442695040888963407u;
        slot *s = &v->crowd->slot[(v->seed >> 33) % SLOTS];
        if (pthread_mutex_trylock(&s->lock) != 0) continue;
        v->wrong += !visit(v->crowd, s, (uint32_t)(v->seed >> 50) % 12);
        v->done++;
        (void)pthread_mutex_unlock(&s->lock);
    }
    return NULL;
}

static void two_hundred_instances_pass_from_thread_to_thread(void **state)
{
    (void)state;
    enum { MOST = 8 };
    crowd *c = calloc(1, sizeof *c);
    assert_non_null(c);
    for (int m = 0; m < FMU_MACHINES; m++) {
        c->robot[m] = fmu_machine_robot(&fmu_machines[m]);
        slot alone = {.machine = m};
        alone.instance = new_in(c, &alone);
        assert_true(begin(alone.instance));
        c->want[m][0] = seen(alone.instance);
        for (int k = 0; k < LONGEST; k++) {
            assert_true(step_on(alone.instance, k));
            c->want[m][k + 1] = seen(alone.instance);
        }
        fmi3FreeInstance(alone.instance);
    }
    for (int i = 0; i < SLOTS; i++) c->slot[i].machine = i % FMU_MACHINES;
    for (int i = 0; i < SLOTS; i++) assert_int_equal(pthread_mutex_init(&c->slot[i].lock, NULL), 0);
    for (int threads = 2; threads <= MOST; threads *= 4) {
        pthread_t thread[MOST];
        visitor   v[MOST] = {{0}};
        int       done = 0;
        for (int t = 0; t < threads; t++) {
            v[t] = (visitor){.crowd = c, .seed = (uint64_t)(100 * threads + t)};
            assert_int_equal(pthread_create(&thread[t], NULL, wander, &v[t]), 0);
        }
        for (int t = 0; t < threads; t++) {
            assert_int_equal(pthread_join(thread[t], NULL), 0);
            assert_int_equal(v[t].wrong, 0);
            done += v[t].done;
        }
        print_message("%d threads: %d visits\n", threads, done);
    }
    for (int i = 0; i < SLOTS; i++) {
        slot *s = &c->slot[i];
        if (s->saved) assert_int_equal(fmi3FreeFMUState(s->instance, &s->saved), fmi3OK);
        fmi3FreeInstance(s->instance);
        (void)pthread_mutex_destroy(&s->lock);
    }
    for (int m = 0; m < FMU_MACHINES; m++) free(c->robot[m]);
    free(c);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(instances_on_two_threads_do_not_meet),
        cmocka_unit_test(two_hundred_instances_pass_from_thread_to_thread),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
