// One block of memory for each instance, of a size that is promised, none while it runs, none left,
// and every failure of the allocator survived.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <fmi2Functions.h>
#include <fmi3Functions.h>
#include <malloc.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "fmu_help.h"

// The linker sends the library's calls here (--wrap).
void *__real_malloc(size_t size);
void *__real_calloc(size_t n, size_t size);
void *__real_realloc(void *block, size_t size);
void  __real_free(void *block);
void *__wrap_malloc(size_t size);
void *__wrap_calloc(size_t n, size_t size);
void *__wrap_realloc(void *block, size_t size);
void  __wrap_free(void *block);

static int    calls, alive, fail_at; // fail_at: which call fails, 0 for none
static size_t taken;                 // bytes of the blocks that are alive

static bool fails(void)
{
    return ++calls == fail_at;
}

static void *note(void *block)
{
    alive += block != NULL;
    taken += malloc_usable_size(block);
    return block;
}

static void forget(void *block)
{
    alive -= block != NULL;
    taken -= malloc_usable_size(block);
}

void *__wrap_malloc(size_t size)
{
    return note(fails() ? NULL : __real_malloc(size));
}

void *__wrap_calloc(size_t n, size_t size)
{
    return note(fails() ? NULL : __real_calloc(n, size));
}

void *__wrap_realloc(void *block, size_t size)
{
    if (fails()) return NULL;
    forget(block);
    return note(__real_realloc(block, size));
}

void __wrap_free(void *block)
{
    forget(block);
    __real_free(block);
}

static void begin(void)
{
    fmu_files_for(2);
    fmu_files_for(3);
    calls = alive = fail_at = 0;
    taken = 0;
}

static void an_instance_is_one_block(void **state)
{
    (void)state;
    for (int fmi = 2; fmi <= 3; fmi++)
        for (int kind = 0; kind < 2; kind++) {
            begin();
            fmu_host host;
            void    *self = fmu_new(fmi, (fa_kind)kind, &host);
            assert_int_equal(alive, 1);
            fmu_free(fmi, self);
            assert_int_equal(alive, 0);
        }
    fmi2FreeInstance(NULL); // ignored, as the standards say
    fmi3FreeInstance(NULL);
    assert_int_equal(alive, 0);
}

static void model_exchange_allocates_nothing(void **state)
{
    (void)state;
    begin();
    fmu_host           host;
    fa_instance       *self = fmu_new(3, FA_MODEL_EXCHANGE, &host);
    fmi3ValueReference in = fmu_reference(self, "joint.joint1.force");
    fmi3ValueReference out = fmu_reference(self, "tip.x"),
                       mass = fmu_reference(self, "payload.mass");
    double      x[6], dx[6], u = 1, y, one = 1;
    fmi3Boolean b[5];
    calls = 0;
    assert_int_equal(fmi3SetFloat64(self, &mass, 1, &u, 1), fmi3OK);
    fmu_go_to(3, FA_MODEL_EXCHANGE, self, FA_MODE_CONTINUOUS_TIME);
    assert_int_equal(fmi3GetContinuousStates(self, x, 6), fmi3OK);
    for (int i = 0; i < 100; i++) {
        u += 0.1;
        assert_int_equal(fmi3SetTime(self, i * 0.01), fmi3OK);
        assert_int_equal(fmi3SetFloat64(self, &in, 1, &u, 1), fmi3OK);
        assert_int_equal(fmi3GetContinuousStateDerivatives(self, dx, 6), fmi3OK);
        for (int k = 0; k < 6; k++) x[k] += 0.01 * dx[k];
        assert_int_equal(fmi3SetContinuousStates(self, x, 6), fmi3OK);
        assert_int_equal(fmi3CompletedIntegratorStep(self, true, &b[0], &b[1]), fmi3OK);
        assert_int_equal(fmi3GetFloat64(self, &out, 1, &y, 1), fmi3OK);
        assert_int_equal(fmi3GetDirectionalDerivative(self, &out, 1, &in, 1, &one, 1, &y, 1),
                         fmi3OK);
        assert_int_equal(fmi3GetAdjointDerivative(self, &out, 1, &in, 1, &one, 1, &y, 1), fmi3OK);
    }
    assert_int_equal(fmi3Terminate(self), fmi3OK);
    assert_int_equal(fmi3Reset(self), fmi3OK);
    assert_int_equal(calls, 0);
    fmu_free(3, self);
    assert_int_equal(alive, 0);
}

static void co_simulation_allocates_nothing_but_saved_states(void **state)
{
    (void)state;
    begin();
    fmu_host     host;
    fa_instance *self = fmu_new(2, FA_CO_SIMULATION, &host);
    calls = 0;
    fmu_go_to(2, FA_CO_SIMULATION, self, FA_MODE_STEP);
    for (int i = 0; i < 100; i++)
        assert_int_equal(fmi2DoStep(self, i * 0.01, 0.01, fmi2True), fmi2OK);
    assert_int_equal(calls, 0);
    fmi2FMUstate saved = NULL;
    assert_int_equal(fmi2GetFMUstate(self, &saved), fmi2OK);
    assert_int_equal(fmi2GetFMUstate(self, &saved), fmi2OK); // the same place again
    assert_int_equal(fmi2SetFMUstate(self, saved), fmi2OK);
    assert_int_equal(calls, 1);
    assert_int_equal(fmi2FreeFMUstate(self, &saved), fmi2OK);
    fmu_free(2, self);
    assert_int_equal(alive, 0);
}

static void every_failing_allocation_is_told(void **state)
{
    (void)state;
    begin();
    fmu_host         host;
    void            *self;
    const fmu_files *files = fmu_files_for(3);
    int              refused = 0;
    for (fail_at = 1;; fail_at++) {
        calls = 0;
        self = fmu_new_at(3, FA_CO_SIMULATION, &host, files->folder, files->token);
        if (calls < fail_at) break; // none failed any more
        // The robot file is looked for in more than one place: a second try may succeed.
        if (!self) {
            refused++;
            assert_int_equal(host.count, 1);
            assert_string_equal(host.category, "logStatusError");
            assert_non_null(strstr(host.message, "memory"));
        }
        fmu_free(3, self);
        assert_int_equal(alive, 0);
    }
    print_message("%d allocations, %d of them needed\n", fail_at - 1, refused);
    assert_true(refused >= 3 && self);
    fmu_free(3, self);
    assert_int_equal(alive, 0);

    // A state that cannot be saved ends the run with an error, and nothing is lost.
    fail_at = 0;
    self = fmu_new(3, FA_CO_SIMULATION, &host);
    fmi3FMUState saved = NULL;
    calls = 0, fail_at = 1;
    assert_int_equal(fmi3GetFMUState(self, &saved), fmi3Error);
    assert_null(saved);
    fmu_free(3, self);
    assert_int_equal(alive, 0);
}

// "links" is the first variable where there is such a thing; to ask for it by its name takes
// memory.
static void set_links(void *self, uint64_t links)
{
    const fmi3ValueReference vr = 1;
    assert_int_equal(fmi3EnterConfigurationMode(self), fmi3OK);
    assert_int_equal(fmi3SetUInt64(self, &vr, 1, &links, 1), fmi3OK);
}

// Each allocation fails in turn, on the way to a longer snake and back to it by a saved state; the
// snake stays as it was and a reset leads on, without memory of its own.
static void a_snake_that_cannot_grow_stays_as_it_was(void **state)
{
    (void)state;
    fa_robot *robot = fmu_snake(4);
    fmu_host  host;
    calls = alive = fail_at = 0;
    fa_instance *self = fmu_robot_new(robot, 3, true, FA_CO_SIMULATION, &host);
    assert_int_equal(self->row[self->structure].role, FA_STRUCTURE);
    assert_int_equal(self->cell[0], self->structure);
    free(robot);
    size_t     size = self->moment_size;
    fa_moment *before = __real_malloc(size);
    memcpy(before, self->moment, size);
    const int one = alive;
    int       refused = 0;
    for (fail_at = 1;; fail_at++) {
        set_links(self, 30);
        calls = 0;
        if (fmi3ExitConfigurationMode(self) == fmi3OK && calls < fail_at) break;
        refused++;
        assert_non_null(strstr(host.message, "memory"));
        assert_int_equal(self->moment_size, size);
        assert_int_equal(self->moment->mode, FA_MODE_TERMINATED);
        self->moment->mode = before->mode; // which the error changed, and nothing else
        assert_memory_equal(self->moment, before, size);
        assert_int_equal(alive, one);
        calls = 0;
        assert_int_equal(fmi3Reset(self), fmi3OK);
        assert_int_equal(calls, 0);
    }
    assert_true(refused >= 4);
    assert_int_equal(alive, one + 1);

    fmi3FMUState saved = NULL;
    fail_at = 0;
    assert_int_equal(fmi3GetFMUState(self, &saved), fmi3OK);
    assert_int_equal(fmi3Reset(self), fmi3OK);
    assert_int_equal(alive, one + 1); // the state
    for (fail_at = 1;; fail_at++) {
        calls = 0;
        if (fmi3SetFMUState(self, saved) == fmi3OK && calls < fail_at) break;
        if (!strstr(host.message, "memory")) fail_msg("%s", host.message);
        assert_int_equal(self->moment_size, size);
        assert_int_equal(fmi3Reset(self), fmi3OK);
    }
    assert_true(self->moment_size > size);
    fail_at = 0;
    set_links(self, 4);
    calls = 0;
    assert_int_equal(fmi3ExitConfigurationMode(self), fmi3OK); // back to where it was first
    assert_int_equal(calls, 0);
    assert_int_equal(fmi3FreeFMUState(self, &saved), fmi3OK);
    assert_int_equal(alive, one);
    __real_free(before);
    fmu_free(3, self);
}

static void names_and_dependencies_wait_until_somebody_asks(void **state)
{
    (void)state;
    begin();
    fmu_host                 host;
    fa_instance             *self = fmu_new(3, FA_CO_SIMULATION, &host);
    const fmi3ValueReference step = FA_ROW_SOLVER_STEP + 1;
    const double             wrong = NAN;
    void (*const logger)(void) = self->host.logger;
    self->host.logger = NULL;
    calls = 0;
    assert_int_equal(fmi3SetFloat64(self, &step, 1, &wrong, 1), fmi3Discard);
    assert_int_equal(calls, 0); // nobody hears the name
    self->host.logger = logger;

    // A message without memory for the name still says which variable it is about.
    assert_int_equal(fmi3SetDebugLogging(self, true, 0, NULL), fmi3OK);
    for (fail_at = 1;; fail_at++) {
        calls = 0;
        assert_int_equal(fmi3SetFloat64(self, &step, 1, &wrong, 1), fmi3Discard);
        if (calls < fail_at) break;
        assert_non_null(strstr(host.message, "'value reference 2'"));
        assert_int_equal(alive, 1);
    }
    assert_true(fail_at > 3);
    assert_non_null(strstr(host.message, "'solver_step'"));
    calls = fail_at = 0;
    assert_int_equal(fmi3SetFloat64(self, &step, 1, &wrong, 1), fmi3Discard);
    assert_int_equal(calls, 0); // names are kept
    fmu_free(3, self);
    assert_int_equal(alive, 0);

    // Without the table there are no dependencies; without what geometry says, there are more.
    size_t n = 0, most = 0;
    int    refused = 0;
    for (int fails = 1;; fails++) {
        self = fmu_new(3, FA_CO_SIMULATION, &host);
        const fmi3ValueReference acceleration =
            (fmi3ValueReference)self->states.of[self->n_states / 2].derivative + 1;
        calls = 0, fail_at = fails;
        const fmi3Status got = fmi3GetNumberOfVariableDependencies(self, acceleration, &n);
        const bool       last = calls < fail_at;
        fail_at = 0;
        if (got != fmi3OK) {
            refused++;
            assert_int_equal(got, fmi3Error);
            assert_non_null(strstr(host.message, "memory"));
        } else if (n > most) {
            most = n;
        }
        fmu_free(3, self);
        assert_int_equal(alive, 0);
        if (last) break;
    }
    assert_true(refused >= 3 && n > 0 && n <= most);
}

// What is promised (docs/performance.md), of a robot with as much beside its seven joints as a
// Panda has: a hand with two fingers, and names that are not short. By the C library's count, which
// rounds up, and what it may take for itself beside a block.
static void seven_joints_fit_into_64_kib(void **state)
{
    (void)state;
    enum { JOINTS = 7, LINKS = 13, OWN = 16 };
    fa_robot *robot = fa_robot_new(LINKS);
    assert_non_null(robot);
    strcpy(robot->name, "seven_joints_and_a_hand");
    robot->tip_link = LINKS - 1;
    for (int i = 0; i < LINKS; i++) {
        fa_link *link = &robot->link[i];
        (void)snprintf(link->name, sizeof link->name, "seven_joints_link%d", i);
        (void)snprintf(link->joint.name, sizeof link->joint.name, "seven_joints_joint%d", i);
        link->parent = i - 1;
        link->joint.type = i == 0 || i > JOINTS ? FA_FIXED : FA_REVOLUTE;
        link->joint.axis = (fa_vec3){0, i % 2 == 0, i % 2};
        link->joint.origin.r = (fa_vec3){0.1, 0.01 * i, 0.3};
        link->joint.limit = (fa_limit_data){true, -2.8973 - i, 2.8973 + i, 87, 2.175};
        link->joint.friction.viscous = 0.5;
        link->joint.rotor.inertia = 1e-4;
        link->joint.rotor.gear = 100 + i;
        link->mass = 1 + 0.37 * i;
        link->com = (fa_vec3){0.01, -0.002 * i, 0.1};
        link->inertia = (fa_sym3){.xx = 0.013, .yy = 0.011, .zz = 0.012, .xy = 0.0001 * i};
    }
    assert_int_equal(fa_robot_check(robot, NULL, NULL), FA_OK);
    for (int fmi = 2; fmi <= 3; fmi++)
        for (int kind = 0; kind < 2; kind++) {
            fmu_host host;
            begin();
            fa_instance *self = fmu_robot_new(robot, fmi, false, (fa_kind)kind, &host);
            assert_int_equal(self->n_inputs, JOINTS + 6);
            fmu_go_to(fmi, (fa_kind)kind, self,
                      kind == FA_CO_SIMULATION ? FA_MODE_STEP : FA_MODE_CONTINUOUS_TIME);
            const size_t bytes = taken + (size_t)alive * OWN;
            print_message("FMI %d, %s: %lu bytes, %d variables\n", fmi, kind ? "CS" : "ME",
                          (unsigned long)bytes, self->states.rows);
            assert_true(bytes < 64 * 1024);
            fmu_free(fmi, self);
        }
    free(robot);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(an_instance_is_one_block),
        cmocka_unit_test(model_exchange_allocates_nothing),
        cmocka_unit_test(co_simulation_allocates_nothing_but_saved_states),
        cmocka_unit_test(every_failing_allocation_is_told),
        cmocka_unit_test(a_snake_that_cannot_grow_stays_as_it_was),
        cmocka_unit_test(names_and_dependencies_wait_until_somebody_asks),
        cmocka_unit_test(seven_joints_fit_into_64_kib),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
