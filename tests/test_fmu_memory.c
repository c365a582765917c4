// One block of memory for each instance, none while it runs, none left, and every failure of the
// allocator survived.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <fmi2Functions.h>
#include <fmi3Functions.h>
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

static int calls, alive, fail_at; // fail_at: which call fails, 0 for none

static bool fails(void)
{
    return ++calls == fail_at;
}

void *__wrap_malloc(size_t size)
{
    void *block = fails() ? NULL : __real_malloc(size);
    alive += block != NULL;
    return block;
}

void *__wrap_calloc(size_t n, size_t size)
{
    void *block = fails() ? NULL : __real_calloc(n, size);
    alive += block != NULL;
    return block;
}

void *__wrap_realloc(void *block, size_t size)
{
    void *moved = fails() ? NULL : __real_realloc(block, size);
    alive += !block && moved;
    return moved;
}

void __wrap_free(void *block)
{
    alive -= block != NULL;
    __real_free(block);
}

static void begin(void)
{
    fmu_files_for(2);
    fmu_files_for(3);
    calls = alive = fail_at = 0;
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
    double      x[10], dx[10], u = 1, y, one = 1;
    fmi3Boolean b[5];
    calls = 0;
    assert_int_equal(fmi3SetFloat64(self, &mass, 1, &u, 1), fmi3OK);
    fmu_go_to(3, FA_MODEL_EXCHANGE, self, FA_MODE_CONTINUOUS_TIME);
    assert_int_equal(fmi3GetContinuousStates(self, x, 10), fmi3OK);
    for (int i = 0; i < 100; i++) {
        u += 0.1;
        assert_int_equal(fmi3SetTime(self, i * 0.01), fmi3OK);
        assert_int_equal(fmi3SetFloat64(self, &in, 1, &u, 1), fmi3OK);
        assert_int_equal(fmi3GetContinuousStateDerivatives(self, dx, 10), fmi3OK);
        for (int k = 0; k < 6; k++) x[k] += 0.01 * dx[k];
        assert_int_equal(fmi3SetContinuousStates(self, x, 10), fmi3OK);
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

static void set_links(void *self, uint64_t links)
{
    fmi3ValueReference vr = fmu_reference(self, "links");
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
    set_links(self, 4);
    calls = 0;
    assert_int_equal(fmi3ExitConfigurationMode(self), fmi3OK); // back to where it was first
    assert_int_equal(calls, 0);
    assert_int_equal(fmi3FreeFMUState(self, &saved), fmi3OK);
    assert_int_equal(alive, one);
    __real_free(before);
    fmu_free(3, self);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(an_instance_is_one_block),
        cmocka_unit_test(model_exchange_allocates_nothing),
        cmocka_unit_test(co_simulation_allocates_nothing_but_saved_states),
        cmocka_unit_test(every_failing_allocation_is_told),
        cmocka_unit_test(a_snake_that_cannot_grow_stays_as_it_was),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
