// What belongs to the host stays as the host has it: how it rounds, whether it flushes denormals
// and traps exceptions, which exceptions have been raised, and what it does about signals. And none
// of it changes what the FMU computes.
#define _GNU_SOURCE // feenableexcept
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <fenv.h>
#include <fmi2Functions.h>
#include <fmi3Functions.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>

#include "fmu_calls.h"

#if defined(__GLIBC__) && defined(__x86_64__)
#include <xmmintrin.h>
#define TRAPS (FE_DIVBYZERO | FE_INVALID | FE_OVERFLOW)
#endif

// A host's choice. Hosts written in Delphi or LabVIEW trap what C lets pass; audio programs and
// those linked with -ffast-math flush denormals.
typedef struct choice {
    int  rounding;
    bool flushes, traps;
} choice;

static const choice choices[] = {
    {FE_TONEAREST, false, false},  {FE_UPWARD, false, false},   {FE_DOWNWARD, false, false},
    {FE_TOWARDZERO, false, false}, {FE_TONEAREST, true, false}, {FE_TONEAREST, false, true},
    {FE_UPWARD, true, true},
};
enum { CHOICES = sizeof choices / sizeof *choices };

static void choose(const choice *c)
{
    assert_int_equal(fesetround(c->rounding), 0);
#ifdef TRAPS
    (void)feclearexcept(FE_ALL_EXCEPT);
    if (c->flushes) _mm_setcsr(_mm_getcsr() | 0x8040);
    if (c->traps) assert_int_not_equal(feenableexcept(TRAPS), -1);
#endif
}

// Everything that choose has set, and the exceptions raised since.
static unsigned now(void)
{
#ifdef TRAPS
    return _mm_getcsr();
#else
    return (unsigned)fegetround() << 8 | (unsigned)fetestexcept(FE_ALL_EXCEPT);
#endif
}

static void as_usual(void)
{
    assert_int_equal(fesetenv(FE_DFL_ENV), 0);
}

// One call in one mode of a fresh instance, under each choice.
static void check_call(int fmi, fa_kind kind, fa_mode mode, const fa_call *call, const choice *c)
{
    static fmu_arguments a;
    fmu_host             host;
    void                *self = fmu_new(fmi, kind, &host);
    fmu_go_to(fmi, kind, self, mode);
    fmu_prepare(&a, self);
    a.early = mode <= FA_MODE_INITIALIZATION;
    choose(c);
    const unsigned before = now();
    (void)(fmi == 3 ? fmu_call3(call->index, &a) : fmu_call2(call->index, &a));
    const unsigned after = now();
    as_usual();
    if (after != before)
        fail_msg("fmi%d%s in mode %d changed %#x to %#x", fmi, call->name, (int)mode, before,
                 after);
    free(a.state);
    fmu_free(fmi, self);
}

static void every_call_in_every_mode_leaves_the_arithmetic_alone(void **state)
{
    (void)state;
    int checked = 0;
    for (int fmi = 2; fmi <= 3; fmi++)
        for (int kind = 0; kind < 2; kind++)
            for (int mode = 0; mode < FA_MODE_COUNT; mode++) {
                if (mode == FA_MODE_CONFIGURATION || mode == FA_MODE_INTERMEDIATE) continue;
                if (mode == FA_MODE_STEP_FAILED && (fmi == 3 || kind != FA_CO_SIMULATION)) continue;
                if (mode == FA_MODE_EVENT && fmi == 2 && kind == FA_CO_SIMULATION) continue;
                if (mode == FA_MODE_STEP && kind != FA_CO_SIMULATION) continue;
                if (mode == FA_MODE_CONTINUOUS_TIME && kind == FA_CO_SIMULATION) continue;
                const int      n = fmi == 3 ? (int)FA_FMI3_CALLS : (int)FA_FMI2_CALLS;
                const fa_call *calls = fmi == 3 ? fmu_calls3 : fmu_calls2;
                for (int i = 0; i < n; i++, checked++)
                    check_call(fmi, (fa_kind)kind, (fa_mode)mode, &calls[i],
                               &choices[(i + mode) % CHOICES]);
            }
    print_message("%d calls\n", checked);
}

// --- what the host hears, and in which arithmetic

static struct {
    unsigned want;
    int      messages, updates, wrong;
} heard;

static void hear(fmi3InstanceEnvironment environment, fmi3Status status, fmi3String category,
                 fmi3String message)
{
    (void)environment, (void)status, (void)category, (void)message;
    heard.messages++;
    heard.wrong += now() != heard.want;
}

static void see(fmi3InstanceEnvironment environment, fmi3Float64 time, fmi3Boolean may_set,
                fmi3Boolean may_get, fmi3Boolean finished, fmi3Boolean may_return,
                fmi3Boolean *wants_return, fmi3Float64 *return_time)
{
    (void)environment, (void)time, (void)may_set, (void)may_get, (void)finished, (void)may_return;
    *wants_return = fmi3False;
    *return_time = time;
    heard.updates++;
    heard.wrong += now() != heard.want;
}

enum { ROOM = 512, STEPS = 5 };
#define STEP 0x1p-7 // [s]

// A run through the standard's functions alone, with numbers that no machine has. What comes out of
// it goes to `result`. The step is a power of two, so that the host itself rounds nothing.
static bool run(int solver, double result[ROOM])
{
    const fmu_files *files = fmu_files_for(3);
    fmi3Instance     self = fmi3InstantiateCoSimulation("host", files->token, files->folder, false,
                                                        true, false, false, NULL, 0, NULL, hear, see);
    if (!self) return false;
    const fa_instance *inside = self;
    fmi3ValueReference which = FA_ROW_SOLVER + 1;
    fmi3ValueReference force = fmu_reference(self, "joint.joint2.torque");
    fmi3ValueReference vr[ROOM];
    size_t             n = 0;
    for (int v = 0; v < fa_recall(inside)->view.n && n < ROOM; v++)
        if (fa_recall(inside)->view.variable[v].type == FA_REAL)
            vr[n++] = (fmi3ValueReference)v + 1;
    fmi3Boolean b[3];
    double      last;
    bool        fine = fmi3SetInt32(self, &which, 1, &solver, 1) == fmi3OK &&
                fmi3EnterInitializationMode(self, false, 0, 0, false, 0) == fmi3OK &&
                fmi3ExitInitializationMode(self) == fmi3OK;
    // More than any machine: its accelerations overflow, which is discarded, and told.
    double torque = 1e308;
    fine &= fmi3SetFloat64(self, &force, 1, &torque, 1) == fmi3OK;
    fine &= fmi3DoStep(self, 0, STEP, false, &b[0], &b[1], &b[2], &last) == fmi3Discard;
    torque = 5e-324; // the least denormal
    fine &= fmi3SetFloat64(self, &force, 1, &torque, 1) == fmi3OK;
    for (int k = 0; k < STEPS; k++)
        fine &= fmi3DoStep(self, k * STEP, STEP, false, &b[0], &b[1], &b[2], &last) == fmi3OK;
    memset(result, 0, ROOM * sizeof *result);
    fine &= fmi3GetFloat64(self, vr, n, result, n) == fmi3OK;
    fmi3FreeInstance(self);
    return fine;
}

static void a_run_has_the_same_bits_whatever_the_host_has_chosen(void **state)
{
    (void)state;
    for (int solver = 0; solver <= 4; solver++) {
        double want[ROOM], got[ROOM];
        heard.want = now();
        assert_true(run(solver, want));
        for (int i = 0; i < CHOICES; i++) {
            choose(&choices[i]);
            memset(&heard, 0, sizeof heard);
            heard.want = now();
            const bool     fine = run(solver, got);
            const unsigned after = now();
            as_usual();
            assert_true(fine);
            assert_int_equal(after, heard.want);
            assert_true(heard.messages > 0 && heard.updates >= STEPS);
            assert_int_equal(heard.wrong, 0);
            assert_memory_equal(got, want, sizeof want);
        }
    }
}

static void what_cannot_begin_leaves_it_alone_too(void **state)
{
    (void)state;
    for (int i = 0; i < CHOICES; i++) {
        choose(&choices[i]);
        memset(&heard, 0, sizeof heard);
        heard.want = now();
        const fmi3Instance self =
            fmi3InstantiateModelExchange("host", "no token", "nowhere", false, true, NULL, hear);
        const unsigned after = now();
        as_usual();
        assert_null(self);
        assert_int_equal(heard.messages, 1);
        assert_int_equal(heard.wrong, 0);
        assert_int_equal(after, heard.want);
    }
}

// --- signals

static void handle(int number)
{
    (void)number;
}

static void signals_are_handled_by_whom_the_host_has_chosen(void **state)
{
    (void)state;
    enum { LAST = 31 };
    const int        own[] = {SIGFPE, SIGSEGV, SIGINT, SIGTERM, SIGABRT};
    struct sigaction before[LAST + 1], kept[LAST + 1], mine = {.sa_handler = handle};
    for (int s = 1; s <= LAST; s++) (void)sigaction(s, NULL, &kept[s]);
    for (size_t i = 0; i < sizeof own / sizeof *own; i++)
        assert_int_equal(sigaction(own[i], &mine, NULL), 0);
    for (int s = 1; s <= LAST; s++) (void)sigaction(s, NULL, &before[s]);
    sigset_t mask, mask_after;
    assert_int_equal(sigprocmask(SIG_SETMASK, NULL, &mask), 0);

    double result[ROOM];
    bool   fine = run(0, result);
    int    wrong = 0;
    for (int s = 1; s <= LAST; s++) {
        struct sigaction after;
        if (s == SIGKILL || s == SIGSTOP) continue;
        (void)sigaction(s, NULL, &after);
        wrong += after.sa_handler != before[s].sa_handler || after.sa_flags != before[s].sa_flags;
    }
    assert_int_equal(sigprocmask(SIG_SETMASK, NULL, &mask_after), 0);
    for (size_t i = 0; i < sizeof own / sizeof *own; i++)
        (void)sigaction(own[i], &kept[own[i]], NULL);
    assert_true(fine);
    assert_int_equal(wrong, 0);
    for (int s = 1; s <= LAST; s++)
        assert_int_equal(sigismember(&mask, s), sigismember(&mask_after, s));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_call_in_every_mode_leaves_the_arithmetic_alone),
        cmocka_unit_test(a_run_has_the_same_bits_whatever_the_host_has_chosen),
        cmocka_unit_test(what_cannot_begin_leaves_it_alone_too),
        cmocka_unit_test(signals_are_handled_by_whom_the_host_has_chosen),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
