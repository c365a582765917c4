// FMI 2.0 in terms of fa_instance. Dull and regular on purpose: each function checks that it may be
// called (modes.h), calls one function of fa_instance, and returns its status.
#include "instance.h"

#include "fmi2Functions.h" // the standard's header; hosts that compile an FMU provide it

#include <stdlib.h>

// References, statuses and storage types need no conversion.
typedef char reference_fits[sizeof(fmi2ValueReference) == sizeof(uint32_t) ? 1 : -1];
typedef char integer_fits[sizeof(fmi2Integer) == sizeof(int32_t) ? 1 : -1];
typedef char outcome_fits[(int)fmi2Error == (int)FA_FAILED && (int)fmi2Discard == (int)FA_DISCARDED
                              ? 1
                              : -1];

#define X(name, me, cs) CALL_##name,
enum { FA_FMI2_CALL_LIST(X) };
#undef X

#define X(name, me, cs) [CALL_##name] = {#name, {me, cs}, CALL_##name},
static const fa_call calls[] = {FA_FMI2_CALL_LIST(X)};
#undef X

static bool enter(fmi2Component c, int call)
{
    return fa_enter(c, &calls[call]);
}

static fmi2Status leave(fmi2Component c, fa_outcome outcome)
{
    return (fmi2Status)fa_leave(c, outcome);
}

static void log_message(const fa_instance *self, fa_outcome outcome, const char *category,
                        const char *message)
{
    char text[4096];
    // Escapes #: loggers replace #r12# by a variable's name.
    fa_double(message, "#%", text, sizeof text);
    ((fmi2CallbackLogger)self->host.logger)(self->host.environment, self->name, (fmi2Status)outcome,
                                            category, text);
}

const char *fmi2GetTypesPlatform(void)
{
    return fmi2TypesPlatform;
}

const char *fmi2GetVersion(void)
{
    return fmi2Version;
}

fmi2Status fmi2SetDebugLogging(fmi2Component c, fmi2Boolean loggingOn, size_t nCategories,
                               const fmi2String categories[])
{
    if (!enter(c, CALL_SetDebugLogging)) return fmi2Error;
    return leave(c, fa_choose_messages(c, loggingOn != fmi2False, nCategories, categories));
}

// --- creation and release

fmi2Component fmi2Instantiate(fmi2String instanceName, fmi2Type fmuType, fmi2String fmuGUID,
                              fmi2String                   fmuResourceLocation,
                              const fmi2CallbackFunctions *functions, fmi2Boolean visible,
                              fmi2Boolean loggingOn)
{
    (void)visible;
    if (fmuType != fmi2ModelExchange && fmuType != fmi2CoSimulation) {
        if (functions && functions->logger)
            functions->logger(functions->componentEnvironment, instanceName ? instanceName : "",
                              fmi2Error, "logStatusError",
                              "fmi2Instantiate: the type is neither fmi2ModelExchange nor "
                              "fmi2CoSimulation");
        return NULL;
    }
    fa_setup setup = {.fmi = 2,
                      .kind = fmuType == fmi2ModelExchange ? FA_MODEL_EXCHANGE : FA_CO_SIMULATION,
                      .name = instanceName,
                      .token = fmuGUID,
                      .resources = fmuResourceLocation,
                      .logging = loggingOn != fmi2False,
                      .host = {.log = log_message}};
    if (functions) {
        setup.host.logger = (void (*)(void))functions->logger;
        setup.host.environment = functions->componentEnvironment;
    }
    return fa_instance_new(&setup);
}

void fmi2FreeInstance(fmi2Component c)
{
    fa_instance_free(c);
}

// --- modes

fmi2Status fmi2SetupExperiment(fmi2Component c, fmi2Boolean toleranceDefined, fmi2Real tolerance,
                               fmi2Real startTime, fmi2Boolean stopTimeDefined, fmi2Real stopTime)
{
    if (!enter(c, CALL_SetupExperiment)) return fmi2Error;
    return leave(c, fa_set_experiment(c, toleranceDefined != fmi2False, tolerance, startTime,
                                      stopTimeDefined != fmi2False, stopTime));
}

fmi2Status fmi2EnterInitializationMode(fmi2Component c)
{
    if (!enter(c, CALL_EnterInitializationMode)) return fmi2Error;
    return leave(c, fa_enter_initialization(c));
}

fmi2Status fmi2ExitInitializationMode(fmi2Component c)
{
    if (!enter(c, CALL_ExitInitializationMode)) return fmi2Error;
    return leave(c, fa_exit_initialization(c));
}

fmi2Status fmi2EnterEventMode(fmi2Component c)
{
    if (!enter(c, CALL_EnterEventMode)) return fmi2Error;
    return leave(c, fa_enter_mode(c, FA_MODE_EVENT));
}

fmi2Status fmi2EnterContinuousTimeMode(fmi2Component c)
{
    if (!enter(c, CALL_EnterContinuousTimeMode)) return fmi2Error;
    return leave(c, fa_enter_mode(c, FA_MODE_CONTINUOUS_TIME));
}

fmi2Status fmi2Terminate(fmi2Component c)
{
    if (!enter(c, CALL_Terminate)) return fmi2Error;
    return leave(c, fa_enter_mode(c, FA_MODE_TERMINATED));
}

fmi2Status fmi2Reset(fmi2Component c)
{
    if (!enter(c, CALL_Reset)) return fmi2Error;
    fa_instance_reset(c);
    return leave(c, FA_DONE);
}

// --- variables

fmi2Status fmi2GetReal(fmi2Component c, const fmi2ValueReference vr[], size_t nvr, fmi2Real value[])
{
    if (!enter(c, CALL_GetReal)) return fmi2Error;
    return leave(c, fa_get(c, FA_REAL, FA_AS_DOUBLE, vr, nvr, value, nvr));
}

fmi2Status fmi2GetInteger(fmi2Component c, const fmi2ValueReference vr[], size_t nvr,
                          fmi2Integer value[])
{
    if (!enter(c, CALL_GetInteger)) return fmi2Error;
    return leave(c, fa_get(c, FA_INT32, FA_AS_INT32, vr, nvr, value, nvr));
}

// A Boolean of FMI 2.0 is an int.
fmi2Status fmi2GetBoolean(fmi2Component c, const fmi2ValueReference vr[], size_t nvr,
                          fmi2Boolean value[])
{
    if (!enter(c, CALL_GetBoolean)) return fmi2Error;
    return leave(c, fa_get(c, FA_BOOLEAN, FA_AS_INT32, vr, nvr, value, nvr));
}

fmi2Status fmi2GetString(fmi2Component c, const fmi2ValueReference vr[], size_t nvr,
                         fmi2String value[])
{
    (void)value;
    if (!enter(c, CALL_GetString)) return fmi2Error;
    return leave(c, fa_no_such_type(c, "String", vr, nvr));
}

fmi2Status fmi2SetReal(fmi2Component c, const fmi2ValueReference vr[], size_t nvr,
                       const fmi2Real value[])
{
    if (fa_legal(c, &calls[CALL_SetReal]) && fa_move_inputs(c, vr, nvr, value, nvr)) return fmi2OK;
    if (!enter(c, CALL_SetReal)) return fmi2Error;
    return leave(c, fa_set(c, FA_REAL, FA_AS_DOUBLE, vr, nvr, value, nvr));
}

fmi2Status fmi2SetInteger(fmi2Component c, const fmi2ValueReference vr[], size_t nvr,
                          const fmi2Integer value[])
{
    if (!enter(c, CALL_SetInteger)) return fmi2Error;
    return leave(c, fa_set(c, FA_INT32, FA_AS_INT32, vr, nvr, value, nvr));
}

fmi2Status fmi2SetBoolean(fmi2Component c, const fmi2ValueReference vr[], size_t nvr,
                          const fmi2Boolean value[])
{
    if (!enter(c, CALL_SetBoolean)) return fmi2Error;
    return leave(c, fa_set(c, FA_BOOLEAN, FA_AS_INT32, vr, nvr, value, nvr));
}

fmi2Status fmi2SetString(fmi2Component c, const fmi2ValueReference vr[], size_t nvr,
                         const fmi2String value[])
{
    (void)value;
    if (!enter(c, CALL_SetString)) return fmi2Error;
    return leave(c, fa_no_such_type(c, "String", vr, nvr));
}

// --- saved states

fmi2Status fmi2GetFMUstate(fmi2Component c, fmi2FMUstate *FMUstate)
{
    if (!enter(c, CALL_GetFMUstate)) return fmi2Error;
    return leave(c, fa_save(c, (fa_saved_state **)FMUstate));
}

fmi2Status fmi2SetFMUstate(fmi2Component c, fmi2FMUstate FMUstate)
{
    if (!enter(c, CALL_SetFMUstate)) return fmi2Error;
    return leave(c, fa_restore(c, FMUstate));
}

fmi2Status fmi2FreeFMUstate(fmi2Component c, fmi2FMUstate *FMUstate)
{
    if (!enter(c, CALL_FreeFMUstate)) return fmi2Error;
    return leave(c, fa_forget(c, (fa_saved_state **)FMUstate));
}

fmi2Status fmi2SerializedFMUstateSize(fmi2Component c, fmi2FMUstate FMUstate, size_t *size)
{
    if (!enter(c, CALL_SerializedFMUstateSize)) return fmi2Error;
    return leave(c, fa_serialized_size(c, FMUstate, size));
}

fmi2Status fmi2SerializeFMUstate(fmi2Component c, fmi2FMUstate FMUstate, fmi2Byte serializedState[],
                                 size_t size)
{
    if (!enter(c, CALL_SerializeFMUstate)) return fmi2Error;
    return leave(c, fa_serialize(c, FMUstate, serializedState, size));
}

fmi2Status fmi2DeSerializeFMUstate(fmi2Component c, const fmi2Byte serializedState[], size_t size,
                                   fmi2FMUstate *FMUstate)
{
    if (!enter(c, CALL_DeSerializeFMUstate)) return fmi2Error;
    return leave(c, fa_deserialize(c, serializedState, size, (fa_saved_state **)FMUstate));
}

// --- partial derivatives

fmi2Status fmi2GetDirectionalDerivative(fmi2Component c, const fmi2ValueReference vUnknown_ref[],
                                        size_t nUnknown, const fmi2ValueReference vKnown_ref[],
                                        size_t nKnown, const fmi2Real dvKnown[],
                                        fmi2Real dvUnknown[])
{
    if (!enter(c, CALL_GetDirectionalDerivative)) return fmi2Error;
    return leave(
        c, fa_get_directional(c, vUnknown_ref, nUnknown, vKnown_ref, nKnown, dvKnown, dvUnknown));
}

// --- Model Exchange

fmi2Status fmi2NewDiscreteStates(fmi2Component c, fmi2EventInfo *eventInfo)
{
    if (!enter(c, CALL_NewDiscreteStates)) return fmi2Error;
    if (!eventInfo) return leave(c, fa_refuse(c, "there is no place for the event's information"));
    fa_event   event;
    fa_outcome outcome = fa_update_discrete(c, &event);
    *eventInfo = (fmi2EventInfo){.newDiscreteStatesNeeded = event.again,
                                 .valuesOfContinuousStatesChanged = event.states_changed,
                                 .nextEventTimeDefined = event.timed,
                                 .nextEventTime = event.next_time};
    return leave(c, outcome);
}

fmi2Status fmi2CompletedIntegratorStep(fmi2Component c,
                                       fmi2Boolean   noSetFMUStatePriorToCurrentPoint,
                                       fmi2Boolean  *enterEventMode,
                                       fmi2Boolean  *terminateSimulation)
{
    (void)noSetFMUStatePriorToCurrentPoint;
    if (!enter(c, CALL_CompletedIntegratorStep)) return fmi2Error;
    bool             event = false;
    const fa_outcome outcome = fa_completed_step(c, &event);
    if (enterEventMode) *enterEventMode = event ? fmi2True : fmi2False;
    if (terminateSimulation) *terminateSimulation = fmi2False;
    return leave(c, outcome);
}

fmi2Status fmi2SetTime(fmi2Component c, fmi2Real time)
{
    if (fa_legal(c, &calls[CALL_SetTime]) && fa_move_time(c, time)) return fmi2OK;
    if (!enter(c, CALL_SetTime)) return fmi2Error;
    return leave(c, fa_set_time(c, time));
}

fmi2Status fmi2SetContinuousStates(fmi2Component c, const fmi2Real x[], size_t nx)
{
    if (fa_legal(c, &calls[CALL_SetContinuousStates]) && fa_move_states(c, x, nx)) return fmi2OK;
    if (!enter(c, CALL_SetContinuousStates)) return fmi2Error;
    return leave(c, fa_set_states(c, x, nx));
}

fmi2Status fmi2GetDerivatives(fmi2Component c, fmi2Real derivatives[], size_t nx)
{
    if (!enter(c, CALL_GetDerivatives)) return fmi2Error;
    return leave(c, fa_get_derivatives(c, derivatives, nx));
}

fmi2Status fmi2GetEventIndicators(fmi2Component c, fmi2Real eventIndicators[], size_t ni)
{
    if (!enter(c, CALL_GetEventIndicators)) return fmi2Error;
    return leave(c, fa_get_indicators(c, eventIndicators, ni));
}

fmi2Status fmi2GetContinuousStates(fmi2Component c, fmi2Real x[], size_t nx)
{
    if (!enter(c, CALL_GetContinuousStates)) return fmi2Error;
    return leave(c, fa_get_states(c, x, nx));
}

fmi2Status fmi2GetNominalsOfContinuousStates(fmi2Component c, fmi2Real x_nominal[], size_t nx)
{
    if (!enter(c, CALL_GetNominalsOfContinuousStates)) return fmi2Error;
    return leave(c, fa_get_nominals(c, x_nominal, nx));
}

// --- Co-Simulation

fmi2Status fmi2SetRealInputDerivatives(fmi2Component c, const fmi2ValueReference vr[], size_t nvr,
                                       const fmi2Integer order[], const fmi2Real value[])
{
    if (!enter(c, CALL_SetRealInputDerivatives)) return fmi2Error;
    return leave(c, fa_set_input_rates(c, vr, nvr, order, value));
}

fmi2Status fmi2GetRealOutputDerivatives(fmi2Component c, const fmi2ValueReference vr[], size_t nvr,
                                        const fmi2Integer order[], fmi2Real value[])
{
    if (!enter(c, CALL_GetRealOutputDerivatives)) return fmi2Error;
    return leave(c, fa_get_output_rates(c, vr, nvr, order, value));
}

fmi2Status fmi2DoStep(fmi2Component c, fmi2Real currentCommunicationPoint,
                      fmi2Real communicationStepSize, fmi2Boolean noSetFMUStatePriorToCurrentPoint)
{
    (void)noSetFMUStatePriorToCurrentPoint;
    if (!enter(c, CALL_DoStep)) return fmi2Error;
    fa_step_end stop;
    return leave(c, fa_instance_step(c, currentCommunicationPoint, communicationStepSize, &stop));
}

// Refused by modes.h: fmi2DoStep is synchronous, so no step is pending.
fmi2Status fmi2CancelStep(fmi2Component c)
{
    return enter(c, CALL_CancelStep) ? leave(c, FA_DONE) : fmi2Error;
}

static fmi2Status no_such_status(fmi2Component c)
{
    return leave(c, fa_discard(c, "this FMU has no such status: its steps are over when fmi2DoStep "
                                  "returns"));
}

fmi2Status fmi2GetStatus(fmi2Component c, const fmi2StatusKind s, fmi2Status *value)
{
    if (!enter(c, CALL_GetStatus)) return fmi2Error;
    if (s != fmi2DoStepStatus || !value) return no_such_status(c);
    *value = (fmi2Status)((fa_instance *)c)->moment->last_step;
    return leave(c, FA_DONE);
}

fmi2Status fmi2GetRealStatus(fmi2Component c, const fmi2StatusKind s, fmi2Real *value)
{
    if (!enter(c, CALL_GetRealStatus)) return fmi2Error;
    if (s != fmi2LastSuccessfulTime || !value) return no_such_status(c);
    *value = ((fa_instance *)c)->moment->last_time;
    return leave(c, FA_DONE);
}

fmi2Status fmi2GetIntegerStatus(fmi2Component c, const fmi2StatusKind s, fmi2Integer *value)
{
    (void)s, (void)value;
    if (!enter(c, CALL_GetIntegerStatus)) return fmi2Error;
    return no_such_status(c);
}

fmi2Status fmi2GetBooleanStatus(fmi2Component c, const fmi2StatusKind s, fmi2Boolean *value)
{
    if (!enter(c, CALL_GetBooleanStatus)) return fmi2Error;
    if (s != fmi2Terminated || !value) return no_such_status(c);
    *value = fmi2False;
    return leave(c, FA_DONE);
}

fmi2Status fmi2GetStringStatus(fmi2Component c, const fmi2StatusKind s, fmi2String *value)
{
    if (!enter(c, CALL_GetStringStatus)) return fmi2Error;
    if (s != fmi2PendingStatus || !value) return no_such_status(c);
    *value = "";
    return leave(c, FA_DONE);
}
