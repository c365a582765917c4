// Every call in every mode on every kind of robot, held against the lists of fmu/standard/modes.h.
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
#include "fmu_machines.h"

// Who may be where after an error: nobody but by reset or a restored state.
static void check_recovery(int fmi, fa_mode was, fmu_arguments *a)
{
    fa_instance *self = a->instance;
    assert_int_equal(self->moment->mode, FA_MODE_TERMINATED);
    // Nobody saves a state within a step.
    if (was == FA_MODE_INTERMEDIATE)
        fmi3Reset(self), assert_int_equal(fa_save(self, (fa_saved_state **)&a->state), FA_DONE);
    assert_int_equal(
        fmi == 3 ? (int)fmi3SetFMUState(self, a->state) : (int)fmi2SetFMUstate(self, a->state), 0);
    assert_int_equal(fmi == 3 ? (int)fmi3Reset(self) : (int)fmi2Reset(self), 0);
    assert_int_equal(self->moment->mode, FA_MODE_INSTANTIATED);
}

static char resolved(char sign, bool events)
{
    switch (sign) {
    case FA_WITH_EVENTS:
        return events ? FA_LEGAL : FA_REFUSED;
    case FA_WITHOUT_EVENTS:
        return events ? FA_REFUSED : FA_LEGAL;
    case FA_TOLERATED_WITH_EVENTS:
        return events ? FA_TOLERATED : FA_LEGAL;
    default:
        return sign;
    }
}

// Whether a call leads to this mode, and may be called at all.
static bool applies(const fmu_machine *machine, int fmi, const fa_call *call, fa_mode mode)
{
    // Only a snake has something to configure.
    if (fmi == 2 || fmu_machine_is_sized(machine, fmi)) return true;
    return mode != FA_MODE_CONFIGURATION && call->index != CALL3_EnterConfigurationMode;
}

// Back to where a new instance is, from wherever it is.
static void begin_anew(int fmi, fa_instance *self, bool events)
{
    if (self->moment->mode == FA_MODE_INTERMEDIATE) self->moment->mode = FA_MODE_TERMINATED;
    assert_int_equal(fmi == 3 ? (int)fmi3Reset(self) : (int)fmi2Reset(self), 0);
    self->event_mode = events;
    self->may_set = self->may_get = false;
    memset(self->intermediate, 0, self->n_visible);
    memset(self->told, 0, sizeof self->told); // what is said once is said once to an instance
    self->log[FA_CATEGORY_SOLVER] = false;    // as at first; SetDebugLogging chooses all
}

static void check_call(const fmu_machine *machine, fa_instance *self, fmu_host *host, bool events,
                       const fa_call *call, fa_mode mode)
{
    static fmu_arguments a;
    const int            fmi = self->fmi;
    const fa_kind        kind = self->kind;
    begin_anew(fmi, self, events);
    fmu_go_to(fmi, kind, self, mode);
    fmu_prepare(&a, self);
    host->count = 0;
    int  got = fmi == 3 ? fmu_call3(call->index, &a) : fmu_call2(call->index, &a);
    char sign = resolved(call->verdict[kind][mode], events);
    if ((sign == FA_REFUSED) != (got == FA_FAILED) || (got != FA_DONE && got != FA_FAILED))
        fail_msg("%s: fmi%d%s, %s, mode %d: status %d where modes.h has '%c' (%s)", machine->name,
                 fmi, call->name, kind ? "Co-Simulation" : "Model Exchange", mode, got, sign,
                 host->message);
    switch (sign) {
    case FA_LEGAL:
        // Only a status that does not exist is discarded; that something has switched may be told.
        if (host->count > 0 && host->status != FA_DISCARDED &&
            strcmp(host->category, "logEvents") != 0)
            fail_msg("%s: unexpected message: %s", machine->name, host->message);
        break;
    case FA_TOLERATED:
        assert_int_equal(host->count, 1);
        assert_string_equal(host->category, "logStatusWarning");
        (void)(fmi == 3 ? fmu_call3(call->index, &a) : fmu_call2(call->index, &a));
        assert_int_equal(host->count, 1); // once
        break;
    default:
        assert_int_equal(host->count, 1);
        assert_string_equal(host->category, "logStatusError");
        assert_true(strlen(host->message) > strlen(call->name) + 20);
        check_recovery(fmi, mode, &a);
    }
    free(a.state);
}

// Every call in every mode of one kind of instance; how many those were.
static int check_machine(const fmu_machine *machine, int fmi, fa_kind kind, bool events,
                         const fa_call call[], int n)
{
    fmu_host     host;
    fa_instance *self = fmu_machine_new(machine, fmi, kind, &host);
    int          checked = 0;
    for (int c = 0; c < n; c++)
        for (int mode = 0; mode < FA_MODE_COUNT; mode++) {
            if (call[c].verdict[kind][mode] == FA_NO_MODE) continue;
            // Only who asked for event mode is ever in it.
            if (kind == FA_CO_SIMULATION && mode == FA_MODE_EVENT && !events) continue;
            if (!applies(machine, fmi, &call[c], (fa_mode)mode)) continue;
            check_call(machine, self, &host, events, &call[c], (fa_mode)mode);
            checked++;
        }
    begin_anew(fmi, self, false);
    fmu_free(fmi, self);
    return checked;
}

static void check_all(int fmi, const fa_call call[], int n)
{
    int checked = 0;
    for (int c = 0; c < n; c++)
        for (int kind = 0; kind < 2; kind++)
            assert_int_equal(strlen(call[c].verdict[kind]), FA_MODE_COUNT);
    for (int m = 0; m < FMU_MACHINES; m++)
        for (int how = 0; how < (fmi == 3 ? 3 : 2); how++)
            checked +=
                check_machine(&fmu_machines[m], fmi,
                              how == 0 ? FA_MODEL_EXCHANGE : FA_CO_SIMULATION, how == 2, call, n);
    print_message("FMI %d: %d calls, %d machines, %d cases\n", fmi, n, FMU_MACHINES, checked);
}

static void fmi2_calls_do_what_the_list_says(void **state)
{
    (void)state;
    check_all(2, fmu_calls2, FA_FMI2_CALLS);
}

static void fmi3_calls_do_what_the_list_says(void **state)
{
    (void)state;
    check_all(3, fmu_calls3, FA_FMI3_CALLS);
}

static void the_tolerated_calls_are_the_published_ones(void **state)
{
    (void)state;
    const char *published[] = {"GetReal",
                               "GetInteger",
                               "GetBoolean",
                               "GetString",
                               "EnterInitializationMode",
                               "GetContinuousStates",
                               "GetDerivatives",
                               "GetContinuousStateDerivatives",
                               "EnterEventMode",
                               "CompletedIntegratorStep",
                               "SetContinuousStates"};
    for (int fmi = 2; fmi <= 3; fmi++) {
        const fa_call *call = fmi == 3 ? fmu_calls3 : fmu_calls2;
        int            n = fmi == 3 ? FA_FMI3_CALLS : FA_FMI2_CALLS;
        for (int c = 0; c < n; c++) {
            bool tolerated = strchr(call[c].verdict[0], FA_TOLERATED) ||
                             strchr(call[c].verdict[1], FA_TOLERATED);
            bool known = false;
            for (size_t p = 0; p < sizeof published / sizeof *published; p++)
                known |= strcmp(call[c].name, published[p]) == 0;
            if (tolerated && !known) fail_msg("%s is tolerated", call[c].name);
        }
    }
}

// Every role in every mode, on a plant that has them all.
static void variables_are_set_when_the_list_says(void **state)
{
    (void)state;
#define X(code, words, me2, cs2, me3, cs3) {{me2, cs2}, {me3, cs3}},
    static const char *const verdict[FA_SETTING_COUNT][2][2] = {FA_SETTING_LIST(X)};
#undef X
    const int row[FA_SETTING_COUNT] = {
        [FA_SET_PARAMETER] = OSC_RAMP, [FA_SET_TUNABLE] = OSC_DAMPING, [FA_SET_INPUT] = OSC_FORCE,
        [FA_SET_DISCRETE] = OSC_BRAKE, [FA_SET_STATE] = OSC_POSITION,  [FA_SET_NEVER] = OSC_THRUST};
    static const fa_call call = {"SetFloat64", {"+++++++++", "+++++++++"}, 0};
    for (int set = 0; set < FA_SETTING_COUNT; set++) {
        if (set == FA_SET_STRUCTURE) continue; // test_arrays.c
        for (int fmi = 2; fmi <= 3; fmi++)
            for (int kind = 0; kind < 2; kind++)
                for (int mode = 0; mode < FA_MODE_COUNT; mode++) {
                    for (int events = 0; events < 1 + (fmi == 3 && kind == FA_CO_SIMULATION);
                         events++) {
                        char sign = resolved(verdict[set][fmi == 3][kind][mode], events);
                        if (sign == FA_NO_MODE) continue;
                        fmu_host     host;
                        fa_instance *self = fmu_oscillator_new(fmi, (fa_kind)kind, &host);
                        fa_row       was = self->row[row[set]];
                        double       value = 1;
                        bool         flag = true;
                        uint32_t     vr = (uint32_t)row[set] + 1;
                        self->event_mode = events;
                        self->may_set = true;
                        memset(self->intermediate, 1, self->n_visible);
                        self->moment->mode = mode;
                        assert_true(fa_enter(self, &call));
                        fa_outcome got =
                            was.type == FA_BOOLEAN
                                ? fa_set(self, FA_BOOLEAN, FA_AS_BOOL, &vr, 1, &flag, 1)
                                : fa_set(self, FA_REAL, FA_AS_DOUBLE, &vr, 1, &value, 1);
                        if (got != (sign == FA_REFUSED ? FA_FAILED : FA_DONE))
                            fail_msg("FMI %d, kind %d, mode %d, row %d: %d, '%c', %s", fmi, kind,
                                     mode, row[set], got, sign, host.message);
                        assert_int_equal(host.count, sign != FA_LEGAL);
                        if (sign != FA_REFUSED) assert_true(self->value[row[set]] == 1);
                        fa_instance_free(self);
                    }
                }
    }
}

static fa_outcome set_to_what_it_is(fa_instance *self, int variable)
{
    enum { ROOM = 512 };
    union {
        double   real[ROOM];
        int32_t  whole[ROOM];
        uint64_t count[ROOM];
        bool     flag[ROOM];
    } value;
    static const fa_form form[] = {[FA_REAL] = FA_AS_DOUBLE,
                                   [FA_INT32] = FA_AS_INT32,
                                   [FA_BOOLEAN] = FA_AS_BOOL,
                                   [FA_UINT64] = FA_AS_UINT64};
    const fa_type        type = (fa_type)self->row[self->cell[self->element[variable]]].type;
    const size_t         n = (size_t)fa_cells_of(self, (uint32_t)variable + 1).n;
    const uint32_t       vr = (uint32_t)variable + 1;
    assert_true(n <= ROOM);
    for (size_t k = 0; k < n; k++) {
        const double is = self->value[self->cell[self->element[variable] + (int)k]];
        if (type == FA_REAL)
            value.real[k] = is;
        else if (type == FA_INT32)
            value.whole[k] = (int32_t)is;
        else if (type == FA_UINT64)
            value.count[k] = (uint64_t)is;
        else
            value.flag[k] = is != 0;
    }
    return fa_set(self, type, form[type], &vr, 1, &value, n);
}

// Every variable of one kind of instance in every mode; how many cases those were.
static int check_settings(const fmu_machine *machine, int fmi, fa_kind kind, bool events)
{
#define X(code, words, me2, cs2, me3, cs3) {{me2, cs2}, {me3, cs3}},
    static const char *const verdict[FA_SETTING_COUNT][2][2] = {FA_SETTING_LIST(X)};
#undef X
    static const fa_call call = {"Set…", {"+++++++++", "+++++++++"}, 0};
    fmu_host             host;
    fa_instance         *self = fmu_machine_new(machine, fmi, kind, &host);
    int                  checked = 0;
    fmu_go_to(fmi, kind, self, FA_MODE_INITIALIZATION);
    self->event_mode = events;
    self->may_set = true;
    memset(self->intermediate, 1, self->n_visible);
    for (int v = 0; v < (int)self->n_visible; v++)
        for (int mode = 0; mode < FA_MODE_COUNT; mode++) {
            const int  setting = self->row[fa_cells_of(self, (uint32_t)v + 1).cell[0]].setting;
            const char sign = resolved(verdict[setting][fmi == 3][kind][mode], events);
            if (sign == FA_NO_MODE) continue;
            self->moment->mode = mode;
            memset(self->told, 0, sizeof self->told);
            host.count = 0;
            assert_true(fa_enter(self, &call));
            const fa_outcome got = set_to_what_it_is(self, v);
            if (got != (sign == FA_REFUSED ? FA_FAILED : FA_DONE) ||
                host.count != (sign != FA_LEGAL))
                fail_msg("%s, FMI %d, %s: '%s' in mode %d: status %d where modes.h has '%c' (%s)",
                         machine->name, fmi, kind ? "Co-Simulation" : "Model Exchange",
                         fa_name(self, v), mode, (int)got, sign, host.message);
            checked++;
        }
    self->moment->mode = FA_MODE_TERMINATED;
    fmu_free(fmi, self);
    return checked;
}

static void every_variable_of_every_machine_is_set_when_the_list_says(void **state)
{
    (void)state;
    int checked = 0;
    for (int m = 0; m < FMU_MACHINES; m++)
        for (int fmi = 2; fmi <= 3; fmi++)
            for (int how = 0; how < fmi; how++)
                checked +=
                    check_settings(&fmu_machines[m], fmi,
                                   how == 0 ? FA_MODEL_EXCHANGE : FA_CO_SIMULATION, how == 2);
    print_message("%d cases\n", checked);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(fmi2_calls_do_what_the_list_says),
        cmocka_unit_test(fmi3_calls_do_what_the_list_says),
        cmocka_unit_test(the_tolerated_calls_are_the_published_ones),
        cmocka_unit_test(variables_are_set_when_the_list_says),
        cmocka_unit_test(every_variable_of_every_machine_is_set_when_the_list_says),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
