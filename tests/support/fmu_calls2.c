// Calls of FMI 2.0 by name.
#include "fmu_calls.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <fmi2Functions.h>
#include <string.h>

#define X(name, me, cs) {#name, {me, cs}, CALL2_##name},
const fa_call fmu_calls2[FA_FMI2_CALLS] = {FA_FMI2_CALL_LIST(X)};
#undef X

double fmu_now(const fmu_arguments *a)
{
    const fa_instance *self = a->instance;
    return self->value[self->time_row];
}

double *fmu_first(const fmu_arguments *a)
{
    const fa_instance *self = a->instance;
    return &self->value[self->cell[self->element[a->in - 1]]];
}

double fmu_near_start(const fmu_arguments *a, int element)
{
    const fa_instance *self = a->instance;
    const fa_cells     cells = fa_cells_of(self, a->in);
    const double       start = self->start[cells.cell[element % cells.n]];
    const bool flow = fa_recall(self)->view.variable[a->in - 1].unit == FA_UNIT_METRE3_PER_SECOND;
    return start != 0 ? start * 1.001 : flow ? 1e-5 : 0.01;
}

// A variable of this role, an acceleration or another rate of a state if there is one; 0: none.
static uint32_t first_real(const fa_instance *self, fa_role role, bool rate)
{
    const fa_view *view = &fa_recall(self)->view;
    for (int v = 0; v < (int)self->n_visible; v++) {
        const fa_cells cells = fa_cells_of(self, (uint32_t)v + 1);
        if (view->variable[v].role != role || view->variable[v].type != FA_REAL) continue;
        if (role == FA_INPUT && self->row[cells.cell[0]].setting != FA_SET_INPUT) continue;
        if (!rate) return (uint32_t)v + 1;
        for (int i = 0; i < self->n_states; i++)
            if (self->states.of[i].derivative == cells.cell[0]) return (uint32_t)v + 1;
    }
    return 0;
}

void fmu_prepare(fmu_arguments *a, void *instance)
{
    fa_instance *self = instance;
    memset(a, 0, sizeof *a);
    a->instance = instance;
    a->early = self->moment->mode <= FA_MODE_INITIALIZATION;
    a->in = first_real(self, FA_INPUT, false);
    a->out = first_real(self, FA_OUTPUT, true);
    if (!a->out) a->out = first_real(self, FA_OUTPUT, false);
    assert_true(a->in && a->out);
    a->count = fmu_reference(instance, "solver");
    a->links = self->first ? fmu_reference(instance, "links") : 0;
    a->n_links = 5;
    assert_true(self->n_states <= FMU_ROOM && self->n_shown_indicators <= FMU_ROOM);
    for (int i = 0; i < self->n_states; i++)
        a->states[i] = self->value[self->first_state + self->state_order[i]];
    // What every later call may need, without changing the mode.
    assert_int_equal(fa_save(self, (fa_saved_state **)&a->state), FA_DONE);
    assert_int_equal(fa_serialized_size(self, a->state, &a->n_bytes), FA_DONE);
    assert_true(a->n_bytes <= sizeof a->bytes);
    assert_int_equal(fa_serialize(self, a->state, a->bytes, a->n_bytes), FA_DONE);
    for (int i = 0; i < self->n_inputs; i++)
        self->value[self->first_input + i] = self->start[self->first_input + i];
    self->moment->fresh = 0;
}

int fmu_call2(int call, fmu_arguments *a)
{
    fmi2Component      c = a->instance;
    fmi2ValueReference vr = a->in;
    fmi2EventInfo      event;
    fmi2Boolean        yes, no;
    fmi2Integer        integer = 0, order = 1;
    fmi2Status         status;
    fmi2Real           real = fmu_near_start(a, 0);
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
        return (int)fmi2SetTime(c, fmu_now(a) + 0.25);
    case CALL2_SetContinuousStates:
        return (int)fmi2SetContinuousStates(c, a->states, (size_t)((fa_instance *)c)->n_states);
    case CALL2_GetDerivatives:
        return (int)fmi2GetDerivatives(c, a->one, (size_t)((fa_instance *)c)->n_states);
    case CALL2_GetEventIndicators:
        return (int)fmi2GetEventIndicators(c, a->one,
                                           (size_t)((fa_instance *)c)->n_shown_indicators);
    case CALL2_GetContinuousStates:
        return (int)fmi2GetContinuousStates(c, a->states, (size_t)((fa_instance *)c)->n_states);
    case CALL2_GetNominalsOfContinuousStates:
        return (int)fmi2GetNominalsOfContinuousStates(c, a->one,
                                                      (size_t)((fa_instance *)c)->n_states);
    case CALL2_SetRealInputDerivatives:
        return (int)fmi2SetRealInputDerivatives(c, &vr, 1, &order, &real);
    case CALL2_GetRealOutputDerivatives:
        return (int)fmi2GetRealOutputDerivatives(c, &a->out, 1, &order, a->one);
    case CALL2_DoStep:
        return (int)fmi2DoStep(c, fmu_now(a), 0.01, fmi2True);
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
