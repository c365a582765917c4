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

static int calls = 100000; // of each walk; scripts/campaign-walk takes more

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

// What a host does from within a step; there is one here, in one thread.
static struct {
    fmu_arguments a;
    uint64_t      seed;
    int           visits;
    bool          refused;
} inside;

static void meddle(const fa_instance *const_self, double t, bool finished, bool may_return,
                   double *until)
{
    fa_instance *self = inside.a.instance;
    assert_ptr_equal(const_self, self);
    if (!finished) return;
    inside.visits++;
    const uint32_t dice = random_below(&inside.seed, 200);
    if (may_return && dice < 60) *until = t + 0.002 * (dice % 3);
    if (dice % 4 != 0) return;
    const fa_call *call = fmu_calls3 + random_below(&inside.seed, FA_FMI3_CALLS);
    const char     sign = call->verdict[FA_CO_SIMULATION][FA_MODE_INTERMEDIATE];
    if (sign == FA_REFUSED && dice != 0) return;
    const int got = fmu_call3(call->index, &inside.a);
    inside.refused |= got == FA_FAILED;
    if ((got == FA_FAILED) != (sign == FA_REFUSED))
        fail_msg("fmi3%s within a step: %d where modes.h has '%c'", call->name, got, sign);
}

// `wishes`: a host that uses event mode, early return and intermediate updates.
static void walk(int fmi, fa_kind kind, bool snake, bool wishes, uint64_t seed)
{
    static fmu_arguments a;
    fmu_host             host;
    fa_instance         *self = new_instance(fmi, kind, snake, &host);
    if (wishes) {
        self->event_mode = snake;
        self->may_return_early = true;
        self->takes_inputs = true;
        memset(self->intermediate, 1, (size_t)self->view.n);
        self->host.update = meddle;
    }
    uint32_t n = fmi == 3 ? FA_FMI3_CALLS : FA_FMI2_CALLS;
    int      refused = 0, visits[FA_MODE_COUNT] = {0};
    fmu_prepare(&a, self);
    inside.seed = seed;
    inside.visits = 0;
    for (int i = 0; i < calls; i++) {
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
        inside.a = a;
        inside.a.state = NULL;
        inside.refused = false;
        int got = fmi == 3 ? fmu_call3(call->index, &a) : fmu_call2(call->index, &a);
        if (inside.refused) sign = FA_REFUSED;
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
    print_message(", %d within steps\n", inside.visits);
    if (wishes) { // as who compares has it
        if (self->moment->mode == FA_MODE_EVENT) self->moment->mode = FA_MODE_TERMINATED;
        self->event_mode = self->may_return_early = self->takes_inputs = false;
        self->host.update = NULL;
    }
    check_reset(fmi, kind, snake, self);
    free(a.state);
    fmu_free(fmi, self);
}

static void no_order_of_calls_does_harm(void **state)
{
    (void)state;
    for (int fmi = 2; fmi <= 3; fmi++)
        for (int kind = 0; kind < 2; kind++)
            walk(fmi, (fa_kind)kind, false, false, (uint64_t)(10 * fmi + kind));
}

static void nor_does_one_that_changes_the_length_of_a_snake(void **state)
{
    (void)state;
    for (int kind = 0; kind < 2; kind++) walk(3, (fa_kind)kind, true, false, (uint64_t)(50 + kind));
}

static void nor_does_anything_within_a_step(void **state)
{
    (void)state;
    walk(3, FA_CO_SIMULATION, false, true, 70);
    walk(3, FA_CO_SIMULATION, true, true, 71);
}

int main(int argc, char **argv)
{
    if (argc > 1) calls = atoi(argv[1]);
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(no_order_of_calls_does_harm),
        cmocka_unit_test(nor_does_one_that_changes_the_length_of_a_snake),
        cmocka_unit_test(nor_does_anything_within_a_step),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
