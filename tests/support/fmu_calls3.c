// Calls of FMI 3.0 by name.
#include "fmu_calls.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <fmi3Functions.h>

#define X(name, me, cs) {#name, {me, cs}, CALL3_##name},
const fa_call fmu_calls3[FA_FMI3_CALLS] = {FA_FMI3_CALL_LIST(X)};
#undef X

static fmi3Status dependencies(fmi3Instance i, fmi3ValueReference of)
{
    enum { ROOM = 1024 };
    size_t             n, elements[ROOM], elements_too[ROOM];
    fmi3ValueReference independents[ROOM];
    fmi3DependencyKind kinds[ROOM];
    if (fmi3GetNumberOfVariableDependencies(i, of, &n) != fmi3OK) return fmi3Error;
    assert_true(n > 0 && n <= ROOM);
    return fmi3GetVariableDependencies(i, of, elements, independents, elements_too, kinds, n);
}

int fmu_call3(int call, fmu_arguments *a)
{
    fmi3Instance       i = a->instance;
    fmi3ValueReference vr = a->in;
    fmi3Boolean        b[5];
    fmi3Int32          integer = 0, order = 1;
    fmi3Float64        time, real[FMU_ROOM];
    const fa_instance *self = i;
    const size_t       states = (size_t)self->n_states, events = (size_t)self->n_shown_indicators;
    const size_t       elements = (size_t)fa_cells_of(self, vr).n;
    const size_t       outputs = (size_t)fa_cells_of(self, a->out).n;
    assert_true(elements <= FMU_ROOM && outputs <= FMU_ROOM);
    for (int k = 0; k < FMU_ROOM; k++) real[k] = fmu_near_start(a, k);
    size_t n;
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
        return (int)fmi3GetFloat64(i, &a->out, 1, a->one, outputs);
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
        n = a->links ? 1 : 0;
        return (int)fmi3GetUInt64(i, &a->links, n, &a->n_links, n);
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
        return (int)fmi3SetFloat64(i, &vr, 1, real, elements);
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
        a->n_links = 2 + (a->n_links * 7 + 3) % 9; // 2 to 10, in no order
        n = a->links && self->moment->mode == FA_MODE_CONFIGURATION ? 1 : 0;
        return (int)fmi3SetUInt64(i, &a->links, n, &a->n_links, n);
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
        return (int)fmi3SerializedFMUStateSize(i, a->state, &n);
    case CALL3_SerializeFMUState:
        // States of snakes of other lengths have other sizes.
        if (fa_serialized_size(a->instance, a->state, &n) == FA_DONE) a->n_bytes = n;
        assert_true(a->n_bytes <= sizeof a->bytes);
        return (int)fmi3SerializeFMUState(i, a->state, a->bytes, a->n_bytes);
    case CALL3_DeserializeFMUState:
        return (int)fmi3DeserializeFMUState(i, a->bytes, a->n_bytes, &a->state);
    case CALL3_GetDirectionalDerivative:
        return (int)fmi3GetDirectionalDerivative(i, &a->out, 1, &vr, 1, real, elements, a->one,
                                                 outputs);
    case CALL3_GetAdjointDerivative:
        return (int)fmi3GetAdjointDerivative(i, &a->out, 1, &vr, 1, real, outputs, a->one,
                                             elements);
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
        return (int)fmi3SetTime(i, fmu_now(a) + 0.25);
    case CALL3_SetContinuousStates:
        return (int)fmi3SetContinuousStates(i, a->states, states);
    case CALL3_GetContinuousStateDerivatives:
        return (int)fmi3GetContinuousStateDerivatives(i, a->one, states);
    case CALL3_GetEventIndicators:
        return (int)fmi3GetEventIndicators(i, real, events);
    case CALL3_GetContinuousStates:
        return (int)fmi3GetContinuousStates(i, a->states, states);
    case CALL3_GetNominalsOfContinuousStates:
        return (int)fmi3GetNominalsOfContinuousStates(i, a->one, states);
    case CALL3_GetNumberOfEventIndicators:
        return (int)fmi3GetNumberOfEventIndicators(i, &n);
    case CALL3_GetNumberOfContinuousStates:
        return (int)fmi3GetNumberOfContinuousStates(i, &n);
    case CALL3_EnterStepMode:
        return (int)fmi3EnterStepMode(i);
    case CALL3_GetOutputDerivatives:
        return (int)fmi3GetOutputDerivatives(i, &a->out, 1, &order, a->one, outputs);
    case CALL3_DoStep:
        return (int)fmi3DoStep(i, fmu_now(a), 0.01, true, &b[0], &b[1], &b[2], &time);
    case CALL3_ActivateModelPartition:
        return (int)fmi3ActivateModelPartition(i, 1, 0);
    default:
        fail_msg("no such call");
        return -1;
    }
}
