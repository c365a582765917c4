// Random walks over FMI calls, checked against the table of modes.
#include "fmu_walk.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>

#include <cmocka.h>

#include <fmi2Functions.h>
#include <fmi3Functions.h>
#include <stdlib.h>
#include <string.h>

#include "fmu_calls.h"

static uint32_t random_below(uint64_t *seed, uint32_t n)
{
    *seed = *seed * 6364136223846793005u + 1442695040888963407u;
    return (uint32_t)(*seed >> 33) % n;
}

// ------------------------------------------------------------------------------------- a reset one

// Runs from the beginning.
static void run(int fmi, fa_kind kind, fa_instance *self)
{
    fa_error error = fa_no_error();
    fmu_go_to(fmi, kind, self, kind == FA_CO_SIMULATION ? FA_MODE_STEP : FA_MODE_EVENT);
    for (int i = 0; i < 5 && kind == FA_CO_SIMULATION; i++)
        assert_int_equal(fa_instance_step(self, i * 0.01, 0.01, &(fa_step_end){0}), FA_DONE);
    assert_int_equal(fa_refresh(self, FA_GROUP_ALL, &error), FA_OK);
}

static void check_reset(const fmu_machine *machine, int fmi, fa_kind kind, fa_instance *walked)
{
    fmu_host     host;
    fa_instance *fresh = fmu_machine_new(machine, fmi, kind, &host);
    assert_int_equal(fmi == 3 ? (int)fmi3Reset(walked) : (int)fmi2Reset(walked), 0);
    assert_int_equal(walked->states.rows, fresh->states.rows);
    run(fmi, kind, fresh);
    run(fmi, kind, walked);
    assert_memory_equal(walked->value, fresh->value, (size_t)fresh->states.rows * sizeof(double));
    fmu_free(fmi, fresh);
}

// ----------------------------------------------------------------------------------- within a step

// Callbacks of the host; the program has one thread.
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

static void wish_for(fa_instance *self, fmu_wish wish)
{
    if (wish == FMU_PLAIN) return;
    self->event_mode = wish == FMU_EVENT_MODE;
    self->may_return_early = true;
    self->takes_inputs = true;
    memset(self->intermediate, 1, self->n_visible);
    self->host.update = meddle;
}

// So that it can be compared with one that never wished for anything.
static void wish_for_nothing(fa_instance *self)
{
    if (self->moment->mode == FA_MODE_EVENT) self->moment->mode = FA_MODE_TERMINATED;
    self->event_mode = self->may_return_early = self->takes_inputs = false;
    self->host.update = NULL;
}

// ------------------------------------------------------------------------------------------ a walk

// Any call; every fourth time one that leads on, since most would leave the mode as it is.
static const fa_call *draw(int fmi, bool ended, uint64_t *seed)
{
    static const int on2[] = {CALL2_EnterInitializationMode, CALL2_ExitInitializationMode,
                              CALL2_NewDiscreteStates,       CALL2_EnterContinuousTimeMode,
                              CALL2_EnterEventMode,          CALL2_SetContinuousStates,
                              CALL2_CompletedIntegratorStep, CALL2_DoStep};
    static const int on3[] = {CALL3_EnterInitializationMode, CALL3_ExitInitializationMode,
                              CALL3_UpdateDiscreteStates,    CALL3_EnterContinuousTimeMode,
                              CALL3_EnterEventMode,          CALL3_SetContinuousStates,
                              CALL3_CompletedIntegratorStep, CALL3_DoStep,
                              CALL3_EnterStepMode,           CALL3_EnterConfigurationMode};
    enum { N2 = sizeof on2 / sizeof *on2, N3 = sizeof on3 / sizeof *on3 };
    if (random_below(seed, 4) != 0)
        return fmi == 3 ? &fmu_calls3[random_below(seed, FA_FMI3_CALLS)]
                        : &fmu_calls2[random_below(seed, FA_FMI2_CALLS)];
    if (ended) return fmi == 3 ? &fmu_calls3[CALL3_Reset] : &fmu_calls2[CALL2_Reset];
    return fmi == 3 ? &fmu_calls3[on3[random_below(seed, N3)]]
                    : &fmu_calls2[on2[random_below(seed, N2)]];
}

void fmu_walk(const fmu_machine *machine, int fmi, fa_kind kind, fmu_wish wish, long draws,
              uint64_t seed, fmu_walked *walked)
{
    static fmu_arguments a;
    fmu_host             host;
    fa_instance         *self = fmu_machine_new(machine, fmi, kind, &host);
    const bool           sized = fmu_machine_is_sized(machine, fmi);
    wish_for(self, wish);
    fmu_prepare(&a, self);
    inside.seed = seed;
    inside.visits = 0;
    for (long i = 0; i < draws; i++) {
        const fa_mode  mode = (fa_mode)self->moment->mode;
        const fa_call *call = draw(fmi, mode == FA_MODE_TERMINATED, &seed);
        char           sign = fa_verdict(self, call->verdict[kind][mode]);
        if (fmi == 3 && !sized && call->index == CALL3_EnterConfigurationMode) sign = FA_REFUSED;
        // Most calls would only be refused: let few of them end the run.
        if (sign == FA_REFUSED && random_below(&seed, 50) != 0) continue;
        a.early = mode <= FA_MODE_INITIALIZATION;
        // A force that no machine has makes values and steps be discarded until it is set anew.
        // Those that switch, or note flags, evaluate where initialisation ends, and it would end
        // the run.
        if (!self->switches && !self->plant->note && a.in > 0 && random_below(&seed, 30) == 0) {
            *fmu_first(&a) = 1e308;
            self->moment->fresh = 0;
        }
        host.count = 0;
        inside.a = a;
        inside.a.state = NULL;
        inside.refused = false;
        const int got = fmi == 3 ? fmu_call3(call->index, &a) : fmu_call2(call->index, &a);
        if (inside.refused) sign = FA_REFUSED;
        if ((got == FA_FAILED) != (sign == FA_REFUSED))
            fail_msg("%s, call %ld, fmi%d%s in mode %d: %d where modes.h has '%c' (%s)",
                     machine->name, i, fmi, call->name, (int)mode, got, sign, host.message);
        if (got == FA_FAILED) assert_int_equal(self->moment->mode, FA_MODE_TERMINATED);
        walked->calls++;
        walked->in_mode[mode]++;
        walked->refused += got == FA_FAILED;
        walked->discarded += got == FA_DISCARDED;
        if (!a.state) assert_int_equal(fa_save(self, (fa_saved_state **)&a.state), FA_DONE);
    }
    walked->within_steps += inside.visits;
    wish_for_nothing(self);
    check_reset(machine, fmi, kind, self);
    free(a.state);
    fmu_free(fmi, self);
}
