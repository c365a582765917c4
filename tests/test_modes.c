// Every call in every mode, held against the lists of fmu/modes.h.
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

#define STATES 6 // of the small arm

// Arguments that suit the mode: whatever the mode refuses is refused for the mode alone.
typedef struct arguments {
    void              *instance;
    bool               early;          // before initialisation ends
    fmi3ValueReference in, out, count; // of a force, an acceleration and the solver
    double             one[STATES];
    void              *state;
    unsigned char      bytes[1 << 16];
    size_t             n_bytes;
} arguments;

static void prepare(arguments *a, void *instance)
{
    fa_instance *self = instance;
    memset(a, 0, sizeof *a);
    a->instance = instance;
    a->early = self->moment->mode <= FA_MODE_INITIALIZATION;
    a->in = fmu_reference(instance, "joint.joint1.force");
    a->out = fmu_reference(instance, "joint.joint1.acceleration");
    a->count = fmu_reference(instance, "solver");
    // What every later call may need, without changing the mode.
    assert_int_equal(fa_save(self, (fa_saved_state **)&a->state), FA_DONE);
    assert_int_equal(fa_serialized_size(self, a->state, &a->n_bytes), FA_DONE);
    assert_true(a->n_bytes <= sizeof a->bytes);
    assert_int_equal(fa_serialize(self, a->state, a->bytes, a->n_bytes), FA_DONE);
    // In a failed step the input is what made it fail.
    self->value[a->in - 1] = 0;
    self->value[fmu_reference(instance, "joint.joint3.torque") - 1] = 0;
    self->moment->fresh = 0;
}

#define X(name, me, cs) CALL2_##name,
enum { FA_FMI2_CALL_LIST(X) };
#undef X
#define X(name, me, cs) CALL3_##name,
enum { FA_FMI3_CALL_LIST(X) };
#undef X

static int call2(int call, arguments *a)
{
    fmi2Component      c = a->instance;
    fmi2ValueReference vr = a->in;
    fmi2EventInfo      event;
    fmi2Boolean        yes, no;
    fmi2Integer        integer = 0, order = 1;
    fmi2Status         status;
    fmi2Real           real = 0.01;
    fmi2String         text = "";
    switch (call) {
    case CALL2_SetDebugLogging:
        return (int)fmi2SetDebugLogging(c, fmi2True, 0, NULL);
    case CALL2_SetupExperiment:
        return (int)fmi2SetupExperiment(c, 0, 0, 0, 0, 0);
    case CALL2_EnterInitializationMode:
        ((fa_instance *)c)->moment->experiment = 1;
        return (int)fmi2EnterInitializationMode(c);
    case CALL2_ExitInitializationMode:
        return (int)fmi2ExitInitializationMode(c);
    case CALL2_Terminate:
        return (int)fmi2Terminate(c);
    case CALL2_Reset:
        return (int)fmi2Reset(c);
    case CALL2_GetReal:
        return (int)fmi2GetReal(c, &a->out, 1, a->one);
    case CALL2_GetInteger:
        return (int)fmi2GetInteger(c, &a->count, 1, &integer);
    case CALL2_GetBoolean:
        return (int)fmi2GetBoolean(c, NULL, 0, NULL);
    case CALL2_GetString:
        return (int)fmi2GetString(c, NULL, 0, NULL);
    case CALL2_SetReal:
        return (int)fmi2SetReal(c, &vr, a->early ? 0 : 1, &real);
    case CALL2_SetInteger:
        return (int)fmi2SetInteger(c, &a->count, a->early ? 1 : 0, &integer);
    case CALL2_SetBoolean:
        return (int)fmi2SetBoolean(c, NULL, 0, NULL);
    case CALL2_SetString:
        return (int)fmi2SetString(c, NULL, 0, NULL);
    case CALL2_GetFMUstate:
        return (int)fmi2GetFMUstate(c, &a->state);
    case CALL2_SetFMUstate:
        return (int)fmi2SetFMUstate(c, a->state);
    case CALL2_FreeFMUstate:
        return (int)fmi2FreeFMUstate(c, &a->state);
    case CALL2_SerializedFMUstateSize:
        return (int)fmi2SerializedFMUstateSize(c, a->state, &a->n_bytes);
    case CALL2_SerializeFMUstate:
        return (int)fmi2SerializeFMUstate(c, a->state, (char *)a->bytes, a->n_bytes);
    case CALL2_DeSerializeFMUstate:
        return (int)fmi2DeSerializeFMUstate(c, (char *)a->bytes, a->n_bytes, &a->state);
    case CALL2_GetDirectionalDerivative:
        return (int)fmi2GetDirectionalDerivative(c, &a->out, 1, &vr, 1, &real, a->one);
    case CALL2_EnterEventMode:
        return (int)fmi2EnterEventMode(c);
    case CALL2_NewDiscreteStates:
        return (int)fmi2NewDiscreteStates(c, &event);
    case CALL2_EnterContinuousTimeMode:
        return (int)fmi2EnterContinuousTimeMode(c);
    case CALL2_CompletedIntegratorStep:
        return (int)fmi2CompletedIntegratorStep(c, fmi2True, &yes, &no);
    case CALL2_SetTime:
        return (int)fmi2SetTime(c, 0.25);
    case CALL2_SetContinuousStates:
        return (int)fmi2SetContinuousStates(c, a->one, STATES);
    case CALL2_GetDerivatives:
        return (int)fmi2GetDerivatives(c, a->one, STATES);
    case CALL2_GetEventIndicators:
        return (int)fmi2GetEventIndicators(c, NULL, 0);
    case CALL2_GetContinuousStates:
        return (int)fmi2GetContinuousStates(c, a->one, STATES);
    case CALL2_GetNominalsOfContinuousStates:
        return (int)fmi2GetNominalsOfContinuousStates(c, a->one, STATES);
    case CALL2_SetRealInputDerivatives:
        return (int)fmi2SetRealInputDerivatives(c, &vr, 1, &order, &real);
    case CALL2_GetRealOutputDerivatives:
        return (int)fmi2GetRealOutputDerivatives(c, &a->out, 1, &order, a->one);
    case CALL2_DoStep:
        return (int)fmi2DoStep(c, 0, 0.01, fmi2True);
    case CALL2_CancelStep:
        return (int)fmi2CancelStep(c);
    case CALL2_GetStatus:
        return (int)fmi2GetStatus(c, fmi2DoStepStatus, &status);
    case CALL2_GetRealStatus:
        return (int)fmi2GetRealStatus(c, fmi2LastSuccessfulTime, &real);
    case CALL2_GetIntegerStatus: { // there is none, which is no error
        int got = (int)fmi2GetIntegerStatus(c, fmi2DoStepStatus, &integer);
        return got == (int)fmi2Discard ? 0 : got;
    }
    case CALL2_GetBooleanStatus:
        return (int)fmi2GetBooleanStatus(c, fmi2Terminated, &yes);
    case CALL2_GetStringStatus:
        return (int)fmi2GetStringStatus(c, fmi2PendingStatus, &text);
    default:
        fail_msg("no such call");
        return -1;
    }
}

static fmi3Status dependencies(fmi3Instance i, fmi3ValueReference of)
{
    enum { ROOM = 256 };
    size_t             n, elements[ROOM], elements_too[ROOM];
    fmi3ValueReference independents[ROOM];
    fmi3DependencyKind kinds[ROOM];
    if (fmi3GetNumberOfVariableDependencies(i, of, &n) != fmi3OK) return fmi3Error;
    assert_true(n > 0 && n <= ROOM);
    return fmi3GetVariableDependencies(i, of, elements, independents, elements_too, kinds, n);
}

static int call3(int call, arguments *a)
{
    fmi3Instance       i = a->instance;
    fmi3ValueReference vr = a->in;
    fmi3Boolean        b[5];
    fmi3Int32          integer = 0, order = 1;
    fmi3Float64        real = 0.01, time;
    size_t             n;
    switch (call) {
    case CALL3_SetDebugLogging:
        return (int)fmi3SetDebugLogging(i, true, 0, NULL);
    case CALL3_EnterInitializationMode:
        return (int)fmi3EnterInitializationMode(i, false, 0, 0, false, 0);
    case CALL3_ExitInitializationMode:
        return (int)fmi3ExitInitializationMode(i);
    case CALL3_EnterEventMode:
        return (int)fmi3EnterEventMode(i);
    case CALL3_Terminate:
        return (int)fmi3Terminate(i);
    case CALL3_Reset:
        return (int)fmi3Reset(i);
    case CALL3_GetFloat32:
        return (int)fmi3GetFloat32(i, NULL, 0, NULL, 0);
    case CALL3_GetFloat64:
        return (int)fmi3GetFloat64(i, &a->out, 1, a->one, 1);
    case CALL3_GetInt8:
        return (int)fmi3GetInt8(i, NULL, 0, NULL, 0);
    case CALL3_GetUInt8:
        return (int)fmi3GetUInt8(i, NULL, 0, NULL, 0);
    case CALL3_GetInt16:
        return (int)fmi3GetInt16(i, NULL, 0, NULL, 0);
    case CALL3_GetUInt16:
        return (int)fmi3GetUInt16(i, NULL, 0, NULL, 0);
    case CALL3_GetInt32:
        return (int)fmi3GetInt32(i, &a->count, 1, &integer, 1);
    case CALL3_GetUInt32:
        return (int)fmi3GetUInt32(i, NULL, 0, NULL, 0);
    case CALL3_GetInt64:
        return (int)fmi3GetInt64(i, NULL, 0, NULL, 0);
    case CALL3_GetUInt64:
        return (int)fmi3GetUInt64(i, NULL, 0, NULL, 0);
    case CALL3_GetBoolean:
        return (int)fmi3GetBoolean(i, NULL, 0, NULL, 0);
    case CALL3_GetString:
        return (int)fmi3GetString(i, NULL, 0, NULL, 0);
    case CALL3_GetBinary:
        return (int)fmi3GetBinary(i, NULL, 0, NULL, NULL, 0);
    case CALL3_GetClock:
        return (int)fmi3GetClock(i, NULL, 0, NULL);
    case CALL3_SetFloat32:
        return (int)fmi3SetFloat32(i, NULL, 0, NULL, 0);
    case CALL3_SetFloat64:
        return (int)fmi3SetFloat64(i, &vr, 1, &real, 1);
    case CALL3_SetInt8:
        return (int)fmi3SetInt8(i, NULL, 0, NULL, 0);
    case CALL3_SetUInt8:
        return (int)fmi3SetUInt8(i, NULL, 0, NULL, 0);
    case CALL3_SetInt16:
        return (int)fmi3SetInt16(i, NULL, 0, NULL, 0);
    case CALL3_SetUInt16:
        return (int)fmi3SetUInt16(i, NULL, 0, NULL, 0);
    case CALL3_SetInt32:
        n = a->early ? 1 : 0;
        return (int)fmi3SetInt32(i, &a->count, n, &integer, n);
    case CALL3_SetUInt32:
        return (int)fmi3SetUInt32(i, NULL, 0, NULL, 0);
    case CALL3_SetInt64:
        return (int)fmi3SetInt64(i, NULL, 0, NULL, 0);
    case CALL3_SetUInt64:
        return (int)fmi3SetUInt64(i, NULL, 0, NULL, 0);
    case CALL3_SetBoolean:
        return (int)fmi3SetBoolean(i, NULL, 0, NULL, 0);
    case CALL3_SetString:
        return (int)fmi3SetString(i, NULL, 0, NULL, 0);
    case CALL3_SetBinary:
        return (int)fmi3SetBinary(i, NULL, 0, NULL, NULL, 0);
    case CALL3_SetClock:
        return (int)fmi3SetClock(i, NULL, 0, NULL);
    case CALL3_GetNumberOfVariableDependencies:
        return (int)fmi3GetNumberOfVariableDependencies(i, a->out, &n);
    case CALL3_GetVariableDependencies:
        return (int)dependencies(i, a->out);
    case CALL3_GetFMUState:
        return (int)fmi3GetFMUState(i, &a->state);
    case CALL3_SetFMUState:
        return (int)fmi3SetFMUState(i, a->state);
    case CALL3_FreeFMUState:
        return (int)fmi3FreeFMUState(i, &a->state);
    case CALL3_SerializedFMUStateSize:
        return (int)fmi3SerializedFMUStateSize(i, a->state, &a->n_bytes);
    case CALL3_SerializeFMUState:
        return (int)fmi3SerializeFMUState(i, a->state, a->bytes, a->n_bytes);
    case CALL3_DeserializeFMUState:
        return (int)fmi3DeserializeFMUState(i, a->bytes, a->n_bytes, &a->state);
    case CALL3_GetDirectionalDerivative:
        return (int)fmi3GetDirectionalDerivative(i, &a->out, 1, &vr, 1, &real, 1, a->one, 1);
    case CALL3_GetAdjointDerivative:
        return (int)fmi3GetAdjointDerivative(i, &a->out, 1, &vr, 1, &real, 1, a->one, 1);
    case CALL3_EnterConfigurationMode:
        return (int)fmi3EnterConfigurationMode(i);
    case CALL3_ExitConfigurationMode:
        return (int)fmi3ExitConfigurationMode(i);
    case CALL3_GetIntervalDecimal:
        return (int)fmi3GetIntervalDecimal(i, NULL, 0, NULL, NULL);
    case CALL3_GetIntervalFraction:
        return (int)fmi3GetIntervalFraction(i, NULL, 0, NULL, NULL, NULL);
    case CALL3_GetShiftDecimal:
        return (int)fmi3GetShiftDecimal(i, NULL, 0, NULL);
    case CALL3_GetShiftFraction:
        return (int)fmi3GetShiftFraction(i, NULL, 0, NULL, NULL);
    case CALL3_SetIntervalDecimal:
        return (int)fmi3SetIntervalDecimal(i, NULL, 0, NULL);
    case CALL3_SetIntervalFraction:
        return (int)fmi3SetIntervalFraction(i, NULL, 0, NULL, NULL);
    case CALL3_SetShiftDecimal:
        return (int)fmi3SetShiftDecimal(i, NULL, 0, NULL);
    case CALL3_SetShiftFraction:
        return (int)fmi3SetShiftFraction(i, NULL, 0, NULL, NULL);
    case CALL3_EvaluateDiscreteStates:
        return (int)fmi3EvaluateDiscreteStates(i);
    case CALL3_UpdateDiscreteStates:
        return (int)fmi3UpdateDiscreteStates(i, &b[0], &b[1], &b[2], &b[3], &b[4], &time);
    case CALL3_EnterContinuousTimeMode:
        return (int)fmi3EnterContinuousTimeMode(i);
    case CALL3_CompletedIntegratorStep:
        return (int)fmi3CompletedIntegratorStep(i, true, &b[0], &b[1]);
    case CALL3_SetTime:
        return (int)fmi3SetTime(i, 0.25);
    case CALL3_SetContinuousStates:
        return (int)fmi3SetContinuousStates(i, a->one, STATES);
    case CALL3_GetContinuousStateDerivatives:
        return (int)fmi3GetContinuousStateDerivatives(i, a->one, STATES);
    case CALL3_GetEventIndicators:
        return (int)fmi3GetEventIndicators(i, NULL, 0);
    case CALL3_GetContinuousStates:
        return (int)fmi3GetContinuousStates(i, a->one, STATES);
    case CALL3_GetNominalsOfContinuousStates:
        return (int)fmi3GetNominalsOfContinuousStates(i, a->one, STATES);
    case CALL3_GetNumberOfEventIndicators:
        return (int)fmi3GetNumberOfEventIndicators(i, &n);
    case CALL3_GetNumberOfContinuousStates:
        return (int)fmi3GetNumberOfContinuousStates(i, &n);
    case CALL3_EnterStepMode:
        return (int)fmi3EnterStepMode(i);
    case CALL3_GetOutputDerivatives:
        return (int)fmi3GetOutputDerivatives(i, &a->out, 1, &order, a->one, 1);
    case CALL3_DoStep:
        return (int)fmi3DoStep(i, 0, 0.01, true, &b[0], &b[1], &b[2], &time);
    case CALL3_ActivateModelPartition:
        return (int)fmi3ActivateModelPartition(i, 1, 0);
    default:
        fail_msg("no such call");
        return -1;
    }
}

#define X(name, me, cs) {#name, {me, cs}, CALL2_##name},
static const fa_call calls2[] = {FA_FMI2_CALL_LIST(X)};
#undef X
#define X(name, me, cs) {#name, {me, cs}, CALL3_##name},
static const fa_call calls3[] = {FA_FMI3_CALL_LIST(X)};
#undef X

// Who may be where after an error: nobody but by reset or a restored state.
static void check_recovery(int fmi, arguments *a)
{
    fa_instance *self = a->instance;
    assert_int_equal(self->moment->mode, FA_MODE_TERMINATED);
    assert_int_equal(
        fmi == 3 ? (int)fmi3SetFMUState(self, a->state) : (int)fmi2SetFMUstate(self, a->state), 0);
    assert_int_equal(fmi == 3 ? (int)fmi3Reset(self) : (int)fmi2Reset(self), 0);
    assert_int_equal(self->moment->mode, FA_MODE_INSTANTIATED);
}

static void check_call(int fmi, fa_kind kind, const fa_call *call, fa_mode mode)
{
    static arguments a;
    fmu_host         host;
    void            *instance = fmu_new(fmi, kind, &host);
    fmu_go_to(fmi, kind, instance, mode);
    prepare(&a, instance);
    host.count = 0;
    int  got = fmi == 3 ? call3(call->index, &a) : call2(call->index, &a);
    char sign = call->verdict[kind][mode];
    if ((sign == FA_REFUSED) != (got == FA_FAILED) || (got != FA_DONE && got != FA_FAILED))
        fail_msg("fmi%d%s, %s, mode %d: status %d where modes.h has '%c' (%s)", fmi, call->name,
                 kind ? "Co-Simulation" : "Model Exchange", mode, got, sign, host.message);
    switch (sign) {
    case FA_LEGAL:
        // Only a status that does not exist is discarded.
        if (host.count > 0 && host.status != FA_DISCARDED)
            fail_msg("unexpected message: %s", host.message);
        break;
    case FA_TOLERATED:
        assert_int_equal(host.count, 1);
        assert_string_equal(host.category, "logStatusWarning");
        (void)(fmi == 3 ? call3(call->index, &a) : call2(call->index, &a));
        assert_int_equal(host.count, 1); // once
        break;
    default:
        assert_int_equal(host.count, 1);
        assert_string_equal(host.category, "logStatusError");
        assert_true(strlen(host.message) > strlen(call->name) + 20);
        check_recovery(fmi, &a);
    }
    free(a.state);
    fmu_free(fmi, instance);
}

static void check_all(int fmi, const fa_call call[], int n)
{
    int checked = 0;
    for (int c = 0; c < n; c++)
        for (int kind = 0; kind < 2; kind++) {
            assert_int_equal(strlen(call[c].verdict[kind]), FA_MODE_COUNT);
            for (int mode = 0; mode < FA_MODE_COUNT; mode++) {
                if (call[c].verdict[kind][mode] == FA_NO_MODE) continue;
                check_call(fmi, (fa_kind)kind, &call[c], (fa_mode)mode);
                checked++;
            }
        }
    print_message("FMI %d: %d calls, %d cases\n", fmi, n, checked);
}

static void fmi2_calls_do_what_the_list_says(void **state)
{
    (void)state;
    check_all(2, calls2, (int)(sizeof calls2 / sizeof *calls2));
}

static void fmi3_calls_do_what_the_list_says(void **state)
{
    (void)state;
    check_all(3, calls3, (int)(sizeof calls3 / sizeof *calls3));
}

static void the_tolerated_calls_are_the_published_ones(void **state)
{
    (void)state;
    const char *published[] = {"GetReal",
                               "GetInteger",
                               "GetBoolean",
                               "GetString",
                               "EnterEventMode",
                               "CompletedIntegratorStep",
                               "SetContinuousStates"};
    for (int fmi = 2; fmi <= 3; fmi++) {
        const fa_call *call = fmi == 3 ? calls3 : calls2;
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
    const int            row[FA_SETTING_COUNT] = {OSC_RAMP,  OSC_DAMPING,  OSC_FORCE,
                                                  OSC_BRAKE, OSC_POSITION, OSC_THRUST};
    static const fa_call call = {"SetFloat64", {"+++++++", "+++++++"}, 0};
    for (int set = 0; set < FA_SETTING_COUNT; set++)
        for (int fmi = 2; fmi <= 3; fmi++)
            for (int kind = 0; kind < 2; kind++)
                for (int mode = 0; mode < FA_MODE_COUNT; mode++) {
                    char sign = verdict[set][fmi == 3][kind][mode];
                    if (sign == FA_NO_MODE) continue;
                    fmu_host     host;
                    fa_instance *self = fmu_oscillator_new(fmi, (fa_kind)kind, &host);
                    fa_row       was = self->row[row[set]];
                    double       value = 1;
                    bool         flag = true;
                    uint32_t     vr = (uint32_t)row[set] + 1;
                    self->moment->mode = mode;
                    assert_true(fa_enter(self, &call));
                    fa_outcome got = was.type == FA_BOOLEAN
                                         ? fa_set(self, FA_BOOLEAN, FA_AS_BOOL, &vr, 1, &flag)
                                         : fa_set(self, FA_REAL, FA_AS_DOUBLE, &vr, 1, &value);
                    if (got != (sign == FA_REFUSED ? FA_FAILED : FA_DONE))
                        fail_msg("FMI %d, kind %d, mode %d, row %d: %d, '%c', %s", fmi, kind, mode,
                                 row[set], got, sign, host.message);
                    assert_int_equal(host.count, sign != FA_LEGAL);
                    if (sign != FA_REFUSED) assert_true(self->value[row[set]] == 1);
                    free(self);
                }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(fmi2_calls_do_what_the_list_says),
        cmocka_unit_test(fmi3_calls_do_what_the_list_says),
        cmocka_unit_test(the_tolerated_calls_are_the_published_ones),
        cmocka_unit_test(variables_are_set_when_the_list_says),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
