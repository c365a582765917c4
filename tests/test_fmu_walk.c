// Calls in any order: each gets the verdict of fmu/modes.h for the mode that the calls before it
// led to, and whatever has been done to an instance, a reset one computes what a new one does.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <fmi2Functions.h>
#include <fmi3Functions.h>
#include <stdlib.h>
#include <string.h>

#include "fmu_calls.h"

#define CALLS 100000 // of each walk; all four take a second with sanitizers

static uint32_t random_below(uint64_t *seed, uint32_t n)
{
    *seed = *seed * 6364136223846793005u + 1442695040888963407u;
    return (uint32_t)(*seed >> 33) % n;
}

// What a run from the beginning comes to.
static void run(int fmi, fa_kind kind, fa_instance *self, double all[])
{
    fa_error error;
    fmu_go_to(fmi, kind, self, kind == FA_CO_SIMULATION ? FA_MODE_STEP : FA_MODE_EVENT);
    for (int i = 0; i < 5 && kind == FA_CO_SIMULATION; i++)
        assert_int_equal(fa_step(self, i * 0.1, 0.1, &(fa_step_end){0}), FA_DONE);
    assert_int_equal(fa_refresh(self, FA_GROUP_ALL, &error), FA_OK);
    memcpy(all, self->value, (size_t)self->table.n * sizeof *all);
}

// Of the small arm, or of a snake whose links can be counted anew.
static fa_instance *new_instance(int fmi, fa_kind kind, bool snake, fmu_host *host)
{
    if (!snake) return fmu_new(fmi, kind, host);
    fa_robot *robot = fmu_snake(3);
    void     *self = fmu_robot_new(robot, fmi, true, kind, host);
    free(robot);
    return self;
}

static void check_reset(int fmi, fa_kind kind, bool snake, fa_instance *walked)
{
    enum { ROOM = 256 };
    double       want[ROOM], got[ROOM];
    fmu_host     host;
    fa_instance *fresh = new_instance(fmi, kind, snake, &host);
    size_t       size = (size_t)fresh->table.n * sizeof *want;
    assert_true(size <= sizeof want);
    run(fmi, kind, fresh, want);
    assert_int_equal(fmi == 3 ? (int)fmi3Reset(walked) : (int)fmi2Reset(walked), 0);
    run(fmi, kind, walked, got);
    assert_memory_equal(got, want, size);
    fmu_free(fmi, fresh);
}

static void walk(int fmi, fa_kind kind, bool snake, uint64_t seed)
{
    static fmu_arguments a;
    fmu_host             host;
    fa_instance         *self = new_instance(fmi, kind, snake, &host);
    uint32_t             n = fmi == 3 ? FA_FMI3_CALLS : FA_FMI2_CALLS;
    int                  refused = 0, visits[FA_MODE_COUNT] = {0};
    fmu_prepare(&a, self);
    for (int i = 0; i < CALLS; i++) {
        const fa_call *call = (fmi == 3 ? fmu_calls3 : fmu_calls2) + random_below(&seed, n);
        fa_mode        mode = (fa_mode)self->moment->mode;
        char           sign = fa_verdict(self, call->verdict[kind][mode]);
        // An arm has nothing to configure.
        if (fmi == 3 && !snake && call->index == CALL3_EnterConfigurationMode) sign = FA_REFUSED;
        // Most calls would only be refused: let few of them end the run.
        if (sign == FA_REFUSED && random_below(&seed, 50) != 0) continue;
        a.early = mode <= FA_MODE_INITIALIZATION;
        visits[mode]++;
        // A force that no machine has makes values and steps be discarded until it is set anew; of
        // snakes, which switch, it would end the run.
        if (!snake && random_below(&seed, 30) == 0) {
            *fmu_first(&a) = 1e308;
            self->moment->fresh = 0;
        }
        host.count = 0;
        int got = fmi == 3 ? fmu_call3(call->index, &a) : fmu_call2(call->index, &a);
        if ((got == FA_FAILED) != (sign == FA_REFUSED))
            fail_msg("call %d, fmi%d%s in mode %d: %d where modes.h has '%c' (%s)", i, fmi,
                     call->name, (int)mode, got, sign, host.message);
        if (got == FA_FAILED) {
            refused++;
            assert_int_equal(self->moment->mode, FA_MODE_TERMINATED);
        }
        if (!a.state) assert_int_equal(fa_save(self, (fa_saved_state **)&a.state), FA_DONE);
    }
    print_message("FMI %d, %s: %d refused; modes", fmi, kind ? "Co-Simulation" : "Model Exchange",
                  refused);
    for (int mode = 0; mode < FA_MODE_COUNT; mode++) print_message(" %d", visits[mode]);
    print_message("\n");
    check_reset(fmi, kind, snake, self);
    free(a.state);
    fmu_free(fmi, self);
}

static void no_order_of_calls_does_harm(void **state)
{
    (void)state;
    for (int fmi = 2; fmi <= 3; fmi++)
        for (int kind = 0; kind < 2; kind++)
            walk(fmi, (fa_kind)kind, false, (uint64_t)(10 * fmi + kind));
}

static void nor_does_one_that_changes_the_length_of_a_snake(void **state)
{
    (void)state;
    for (int kind = 0; kind < 2; kind++) walk(3, (fa_kind)kind, true, (uint64_t)(50 + kind));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(no_order_of_calls_does_harm),
        cmocka_unit_test(nor_does_one_that_changes_the_length_of_a_snake),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
