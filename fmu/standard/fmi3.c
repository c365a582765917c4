// FMI 3.0 in terms of fa_instance. Dull and regular on purpose: each function checks that it may be
// called (modes.h), calls one function of fa_instance, and returns its status.
#include "instance.h"

#include "fmi3Functions.h" // the standard's header; hosts that compile an FMU provide it

#include <stdlib.h>

// References, statuses and storage types need no conversion.
typedef char reference_fits[sizeof(fmi3ValueReference) == sizeof(uint32_t) ? 1 : -1];
typedef char int32_fits[sizeof(fmi3Int32) == sizeof(int32_t) ? 1 : -1];
typedef char boolean_fits[sizeof(fmi3Boolean) == sizeof(bool) ? 1 : -1];
typedef char outcome_fits[(int)fmi3Error == (int)FA_FAILED && (int)fmi3Discard == (int)FA_DISCARDED
                              ? 1
                              : -1];

#define X(name, me, cs) CALL_##name,
enum { FA_FMI3_CALL_LIST(X) };
#undef X

#define X(name, me, cs) [CALL_##name] = {#name, {me, cs}, CALL_##name},
static const fa_call calls[] = {FA_FMI3_CALL_LIST(X)};
#undef X

static bool enter(fmi3Instance instance, int call)
{
    return fa_enter(instance, &calls[call]);
}

static fmi3Status leave(fmi3Instance instance, fa_outcome outcome)
{
    return (fmi3Status)fa_leave(instance, outcome);
}

static void log_message(const fa_instance *self, fa_outcome outcome, const char *category,
                        const char *message)
{
    char text[4096];
    // Escapes #: loggers replace #12# by a variable's name.
    fa_double(message, "#", text, sizeof text);
    ((fmi3LogMessageCallback)self->host.logger)(self->host.environment, (fmi3Status)outcome,
                                                category, text);
}

const char *fmi3GetVersion(void)
{
    return fmi3Version;
}

fmi3Status fmi3SetDebugLogging(fmi3Instance instance, fmi3Boolean loggingOn, size_t nCategories,
                               const fmi3String categories[])
{
    if (!enter(instance, CALL_SetDebugLogging)) return fmi3Error;
    return leave(instance, fa_choose_messages(instance, loggingOn, nCategories, categories));
}

// --- creation and release

static fa_setup setup_of(fa_kind kind, fmi3String name, fmi3String token, fmi3String resources,
                         fmi3Boolean logging, fmi3InstanceEnvironment environment,
                         fmi3LogMessageCallback logger)
{
    return (fa_setup){
        .fmi = 3,
        .kind = kind,
        .name = name,
        .token = token,
        .resources = resources,
        .logging = logging,
        .host = {.log = log_message, .logger = (void (*)(void))logger, .environment = environment}};
}

// Logs a refusal before an instance exists.
static fmi3Instance refuse_instance(fmi3InstanceEnvironment environment,
                                    fmi3LogMessageCallback logger, const char *sentence)
{
    if (logger) logger(environment, fmi3Error, "logStatusError", sentence);
    return NULL;
}

fmi3Instance fmi3InstantiateModelExchange(fmi3String instanceName, fmi3String instantiationToken,
                                          fmi3String resourcePath, fmi3Boolean visible,
                                          fmi3Boolean             loggingOn,
                                          fmi3InstanceEnvironment instanceEnvironment,
                                          fmi3LogMessageCallback  logMessage)
{
    (void)visible;
    fa_setup setup = setup_of(FA_MODEL_EXCHANGE, instanceName, instantiationToken, resourcePath,
                              loggingOn, instanceEnvironment, logMessage);
    return fa_instance_new(&setup);
}

static void update_host(const fa_instance *self, double t, bool finished, bool may_return,
                        double *until)
{
    fmi3Boolean return_requested = false;
    fmi3Float64 return_time = t;
    ((fmi3IntermediateUpdateCallback)self->host.updater)(self->host.environment, t, self->may_set,
                                                         self->may_get, finished, may_return,
                                                         &return_requested, &return_time);
    if (return_requested) *until = return_time > t ? return_time : t;
}

fmi3Instance fmi3InstantiateCoSimulation(
    fmi3String instanceName, fmi3String instantiationToken, fmi3String resourcePath,
    fmi3Boolean visible, fmi3Boolean loggingOn, fmi3Boolean eventModeUsed,
    fmi3Boolean earlyReturnAllowed, const fmi3ValueReference requiredIntermediateVariables[],
    size_t nRequiredIntermediateVariables, fmi3InstanceEnvironment instanceEnvironment,
    fmi3LogMessageCallback logMessage, fmi3IntermediateUpdateCallback intermediateUpdate)
{
    (void)visible;
    fa_setup setup = setup_of(FA_CO_SIMULATION, instanceName, instantiationToken, resourcePath,
                              loggingOn, instanceEnvironment, logMessage);
    setup.event_mode = eventModeUsed;
    setup.early_return = earlyReturnAllowed;
    setup.intermediate = requiredIntermediateVariables;
    setup.n_intermediate = nRequiredIntermediateVariables;
    if (intermediateUpdate) {
        setup.host.update = update_host;
        setup.host.updater = (void (*)(void))intermediateUpdate;
    }
    return fa_instance_new(&setup);
}

fmi3Instance fmi3InstantiateScheduledExecution(
    fmi3String instanceName, fmi3String instantiationToken, fmi3String resourcePath,
    fmi3Boolean visible, fmi3Boolean loggingOn, fmi3InstanceEnvironment instanceEnvironment,
    fmi3LogMessageCallback logMessage, fmi3ClockUpdateCallback clockUpdate,
    fmi3LockPreemptionCallback lockPreemption, fmi3UnlockPreemptionCallback unlockPreemption)
{
    (void)instanceName, (void)instantiationToken, (void)resourcePath, (void)visible;
    (void)loggingOn, (void)clockUpdate, (void)lockPreemption, (void)unlockPreemption;
    return refuse_instance(instanceEnvironment, logMessage,
                           "fmi3InstantiateScheduledExecution: this FMU is for Model Exchange and "
                           "Co-Simulation");
}

void fmi3FreeInstance(fmi3Instance instance)
{
    fa_instance *self = instance;
    // the running step still uses the instance
    if (self && self->moment->mode == FA_MODE_INTERMEDIATE) {
        self->of_host = fa_arithmetic_take();
        leave(self, fa_refuse(self, "cannot be freed in an intermediate update"));
    } else {
        fa_instance_free(self);
    }
}

// --- modes

fmi3Status fmi3EnterInitializationMode(fmi3Instance instance, fmi3Boolean toleranceDefined,
                                       fmi3Float64 tolerance, fmi3Float64 startTime,
                                       fmi3Boolean stopTimeDefined, fmi3Float64 stopTime)
{
    if (!enter(instance, CALL_EnterInitializationMode)) return fmi3Error;
    fa_outcome outcome = fa_set_experiment(instance, toleranceDefined, tolerance, startTime,
                                           stopTimeDefined, stopTime);
    return leave(instance, outcome == FA_DONE ? fa_enter_initialization(instance) : outcome);
}

fmi3Status fmi3ExitInitializationMode(fmi3Instance instance)
{
    if (!enter(instance, CALL_ExitInitializationMode)) return fmi3Error;
    return leave(instance, fa_exit_initialization(instance));
}

fmi3Status fmi3EnterEventMode(fmi3Instance instance)
{
    if (!enter(instance, CALL_EnterEventMode)) return fmi3Error;
    return leave(instance, fa_enter_mode(instance, FA_MODE_EVENT));
}

fmi3Status fmi3EnterContinuousTimeMode(fmi3Instance instance)
{
    if (!enter(instance, CALL_EnterContinuousTimeMode)) return fmi3Error;
    return leave(instance, fa_enter_mode(instance, FA_MODE_CONTINUOUS_TIME));
}

fmi3Status fmi3EnterStepMode(fmi3Instance instance)
{
    if (!enter(instance, CALL_EnterStepMode)) return fmi3Error;
    return leave(instance, fa_enter_mode(instance, FA_MODE_STEP));
}

fmi3Status fmi3EnterConfigurationMode(fmi3Instance instance)
{
    if (!enter(instance, CALL_EnterConfigurationMode)) return fmi3Error;
    return leave(instance, fa_enter_configuration(instance));
}

fmi3Status fmi3ExitConfigurationMode(fmi3Instance instance)
{
    if (!enter(instance, CALL_ExitConfigurationMode)) return fmi3Error;
    return leave(instance, fa_exit_configuration(instance));
}

fmi3Status fmi3Terminate(fmi3Instance instance)
{
    if (!enter(instance, CALL_Terminate)) return fmi3Error;
    return leave(instance, fa_enter_mode(instance, FA_MODE_TERMINATED));
}

fmi3Status fmi3Reset(fmi3Instance instance)
{
    if (!enter(instance, CALL_Reset)) return fmi3Error;
    fa_instance_reset(instance);
    return leave(instance, FA_DONE);
}

// --- variables

// X(name of the type, host's type, type of the variable, storage type)
#define TYPE_LIST(X)                                                                               \
    X(Float64, fmi3Float64, FA_REAL, FA_AS_DOUBLE)                                                 \
    X(Int32, fmi3Int32, FA_INT32, FA_AS_INT32)                                                     \
    X(Boolean, fmi3Boolean, FA_BOOLEAN, FA_AS_BOOL)                                                \
    X(UInt64, fmi3UInt64, FA_UINT64, FA_AS_UINT64)

#define X(name, host_type, type, form)                                                             \
    fmi3Status fmi3Get##name(fmi3Instance instance, const fmi3ValueReference valueReferences[],    \
                             size_t nValueReferences, host_type values[], size_t nValues)          \
    {                                                                                              \
        if (!enter(instance, CALL_Get##name)) return fmi3Error;                                    \
        return leave(instance, fa_get(instance, type, form, valueReferences, nValueReferences,     \
                                      values, nValues));                                           \
    }                                                                                              \
    fmi3Status fmi3Set##name(fmi3Instance instance, const fmi3ValueReference valueReferences[],    \
                             size_t nValueReferences, const host_type values[], size_t nValues)    \
    {                                                                                              \
        if (form == FA_AS_DOUBLE && fa_legal(instance, &calls[CALL_Set##name]) &&                  \
            fa_move_inputs(instance, valueReferences, nValueReferences, (const void *)values,      \
                           nValues))                                                               \
            return fmi3OK;                                                                         \
        if (!enter(instance, CALL_Set##name)) return fmi3Error;                                    \
        return leave(instance, fa_set(instance, type, form, valueReferences, nValueReferences,     \
                                      values, nValues));                                           \
    }
TYPE_LIST(X)
#undef X
#undef TYPE_LIST

// types without variables
#define OTHER_TYPE_LIST(X)                                                                         \
    X(Float32)                                                                                     \
    X(Int8)                                                                                        \
    X(UInt8)                                                                                       \
    X(Int16)                                                                                       \
    X(UInt16)                                                                                      \
    X(UInt32)                                                                                      \
    X(Int64)                                                                                       \
    X(String)

#define X(name)                                                                                    \
    fmi3Status fmi3Get##name(fmi3Instance instance, const fmi3ValueReference valueReferences[],    \
                             size_t nValueReferences, fmi3##name values[], size_t nValues)         \
    {                                                                                              \
        (void)values, (void)nValues;                                                               \
        if (!enter(instance, CALL_Get##name)) return fmi3Error;                                    \
        return leave(instance,                                                                     \
                     fa_no_such_type(instance, #name, valueReferences, nValueReferences));         \
    }                                                                                              \
    fmi3Status fmi3Set##name(fmi3Instance instance, const fmi3ValueReference valueReferences[],    \
                             size_t nValueReferences, const fmi3##name values[], size_t nValues)   \
    {                                                                                              \
        (void)values, (void)nValues;                                                               \
        if (!enter(instance, CALL_Set##name)) return fmi3Error;                                    \
        return leave(instance,                                                                     \
                     fa_no_such_type(instance, #name, valueReferences, nValueReferences));         \
    }
OTHER_TYPE_LIST(X)
#undef X
#undef OTHER_TYPE_LIST

fmi3Status fmi3GetBinary(fmi3Instance instance, const fmi3ValueReference valueReferences[],
                         size_t nValueReferences, size_t valueSizes[], fmi3Binary values[],
                         size_t nValues)
{
    (void)valueSizes, (void)values, (void)nValues;
    if (!enter(instance, CALL_GetBinary)) return fmi3Error;
    return leave(instance, fa_no_such_type(instance, "Binary", valueReferences, nValueReferences));
}

fmi3Status fmi3SetBinary(fmi3Instance instance, const fmi3ValueReference valueReferences[],
                         size_t nValueReferences, const size_t valueSizes[],
                         const fmi3Binary values[], size_t nValues)
{
    (void)valueSizes, (void)values, (void)nValues;
    if (!enter(instance, CALL_SetBinary)) return fmi3Error;
    return leave(instance, fa_no_such_type(instance, "Binary", valueReferences, nValueReferences));
}

// --- dependencies

fmi3Status fmi3GetNumberOfVariableDependencies(fmi3Instance       instance,
                                               fmi3ValueReference valueReference,
                                               size_t            *nDependencies)
{
    if (!enter(instance, CALL_GetNumberOfVariableDependencies)) return fmi3Error;
    const int unknown = fa_cells_of(instance, valueReference).variable;
    if (unknown == FA_NO_ROW)
        return leave(instance, fa_unknown_reference(instance, valueReference));
    if (!nDependencies)
        return leave(instance, fa_refuse(instance, "there is no place for the number"));
    const fa_outcome ready = fa_begin_dependencies(instance);
    if (ready != FA_DONE) return leave(instance, ready);
    fa_dependency dependency = FA_NO_DEPENDENCY;
    *nDependencies = 0;
    while (fa_next_dependency(instance, unknown, &dependency)) ++*nDependencies;
    return leave(instance, FA_DONE);
}

// Elements are counted from 1; a scalar has one.
fmi3Status fmi3GetVariableDependencies(fmi3Instance instance, fmi3ValueReference dependent,
                                       size_t             elementIndicesOfDependent[],
                                       fmi3ValueReference independents[],
                                       size_t             elementIndicesOfIndependents[],
                                       fmi3DependencyKind dependencyKinds[], size_t nDependencies)
{
    if (!enter(instance, CALL_GetVariableDependencies)) return fmi3Error;
    const int unknown = fa_cells_of(instance, dependent).variable;
    if (unknown == FA_NO_ROW) return leave(instance, fa_unknown_reference(instance, dependent));
    bool complete = elementIndicesOfDependent && independents && elementIndicesOfIndependents &&
                    dependencyKinds;
    if (nDependencies > 0 && !complete)
        return leave(instance, fa_refuse(instance, "an array is missing"));
    const fa_outcome ready = fa_begin_dependencies(instance);
    if (ready != FA_DONE) return leave(instance, ready);

    fa_dependency found = FA_NO_DEPENDENCY;
    size_t        n = 0;
    for (; fa_next_dependency(instance, unknown, &found); n++) {
        if (n >= nDependencies) continue;
        elementIndicesOfDependent[n] = (size_t)found.element + 1;
        independents[n] = (fmi3ValueReference)found.known + 1;
        elementIndicesOfIndependents[n] = (size_t)found.of_known + 1;
        dependencyKinds[n] = found.how == FA_PROPORTIONAL ? fmi3Constant : fmi3Dependent;
    }
    if (n != nDependencies)
        return leave(instance,
                     fa_refuse(instance, "'%s' has %lu dependencies and there is room for %lu",
                               fa_name(instance, unknown), (unsigned long)n,
                               (unsigned long)nDependencies));
    return leave(instance, FA_DONE);
}

// --- saved states

fmi3Status fmi3GetFMUState(fmi3Instance instance, fmi3FMUState *FMUState)
{
    if (!enter(instance, CALL_GetFMUState)) return fmi3Error;
    return leave(instance, fa_save(instance, (fa_saved_state **)FMUState));
}

fmi3Status fmi3SetFMUState(fmi3Instance instance, fmi3FMUState FMUState)
{
    if (!enter(instance, CALL_SetFMUState)) return fmi3Error;
    return leave(instance, fa_restore(instance, FMUState));
}

fmi3Status fmi3FreeFMUState(fmi3Instance instance, fmi3FMUState *FMUState)
{
    if (!enter(instance, CALL_FreeFMUState)) return fmi3Error;
    return leave(instance, fa_forget(instance, (fa_saved_state **)FMUState));
}

fmi3Status fmi3SerializedFMUStateSize(fmi3Instance instance, fmi3FMUState FMUState, size_t *size)
{
    if (!enter(instance, CALL_SerializedFMUStateSize)) return fmi3Error;
    return leave(instance, fa_serialized_size(instance, FMUState, size));
}

fmi3Status fmi3SerializeFMUState(fmi3Instance instance, fmi3FMUState FMUState,
                                 fmi3Byte serializedState[], size_t size)
{
    if (!enter(instance, CALL_SerializeFMUState)) return fmi3Error;
    return leave(instance, fa_serialize(instance, FMUState, serializedState, size));
}

fmi3Status fmi3DeserializeFMUState(fmi3Instance instance, const fmi3Byte serializedState[],
                                   size_t size, fmi3FMUState *FMUState)
{
    if (!enter(instance, CALL_DeserializeFMUState)) return fmi3Error;
    return leave(instance,
                 fa_deserialize(instance, serializedState, size, (fa_saved_state **)FMUState));
}

// --- partial derivatives

fmi3Status fmi3GetDirectionalDerivative(fmi3Instance instance, const fmi3ValueReference unknowns[],
                                        size_t nUnknowns, const fmi3ValueReference knowns[],
                                        size_t nKnowns, const fmi3Float64 seed[], size_t nSeed,
                                        fmi3Float64 sensitivity[], size_t nSensitivity)
{
    if (!enter(instance, CALL_GetDirectionalDerivative)) return fmi3Error;
    if (!fa_counts_fit(instance, knowns, nKnowns, nSeed)) return leave(instance, FA_FAILED);
    if (!fa_counts_fit(instance, unknowns, nUnknowns, nSensitivity))
        return leave(instance, FA_FAILED);
    return leave(instance, fa_get_directional(instance, unknowns, nUnknowns, knowns, nKnowns, seed,
                                              sensitivity));
}

fmi3Status fmi3GetAdjointDerivative(fmi3Instance instance, const fmi3ValueReference unknowns[],
                                    size_t nUnknowns, const fmi3ValueReference knowns[],
                                    size_t nKnowns, const fmi3Float64 seed[], size_t nSeed,
                                    fmi3Float64 sensitivity[], size_t nSensitivity)
{
    if (!enter(instance, CALL_GetAdjointDerivative)) return fmi3Error;
    if (!fa_counts_fit(instance, unknowns, nUnknowns, nSeed)) return leave(instance, FA_FAILED);
    if (!fa_counts_fit(instance, knowns, nKnowns, nSensitivity)) return leave(instance, FA_FAILED);
    return leave(instance,
                 fa_get_adjoint(instance, unknowns, nUnknowns, knowns, nKnowns, seed, sensitivity));
}

// --- clocks: the FMU has none, modes.h refuses these calls

fmi3Status fmi3GetClock(fmi3Instance instance, const fmi3ValueReference valueReferences[],
                        size_t nValueReferences, fmi3Clock values[])
{
    (void)valueReferences, (void)nValueReferences, (void)values;
    return enter(instance, CALL_GetClock) ? leave(instance, FA_DONE) : fmi3Error;
}

fmi3Status fmi3SetClock(fmi3Instance instance, const fmi3ValueReference valueReferences[],
                        size_t nValueReferences, const fmi3Clock values[])
{
    (void)valueReferences, (void)nValueReferences, (void)values;
    return enter(instance, CALL_SetClock) ? leave(instance, FA_DONE) : fmi3Error;
}

fmi3Status fmi3GetIntervalDecimal(fmi3Instance instance, const fmi3ValueReference valueReferences[],
                                  size_t nValueReferences, fmi3Float64 intervals[],
                                  fmi3IntervalQualifier qualifiers[])
{
    (void)valueReferences, (void)nValueReferences, (void)intervals, (void)qualifiers;
    return enter(instance, CALL_GetIntervalDecimal) ? leave(instance, FA_DONE) : fmi3Error;
}

fmi3Status fmi3GetIntervalFraction(fmi3Instance             instance,
                                   const fmi3ValueReference valueReferences[],
                                   size_t nValueReferences, fmi3UInt64 counters[],
                                   fmi3UInt64 resolutions[], fmi3IntervalQualifier qualifiers[])
{
    (void)valueReferences, (void)nValueReferences, (void)counters, (void)resolutions;
    (void)qualifiers;
    return enter(instance, CALL_GetIntervalFraction) ? leave(instance, FA_DONE) : fmi3Error;
}

fmi3Status fmi3GetShiftDecimal(fmi3Instance instance, const fmi3ValueReference valueReferences[],
                               size_t nValueReferences, fmi3Float64 shifts[])
{
    (void)valueReferences, (void)nValueReferences, (void)shifts;
    return enter(instance, CALL_GetShiftDecimal) ? leave(instance, FA_DONE) : fmi3Error;
}

fmi3Status fmi3GetShiftFraction(fmi3Instance instance, const fmi3ValueReference valueReferences[],
                                size_t nValueReferences, fmi3UInt64 counters[],
                                fmi3UInt64 resolutions[])
{
    (void)valueReferences, (void)nValueReferences, (void)counters, (void)resolutions;
    return enter(instance, CALL_GetShiftFraction) ? leave(instance, FA_DONE) : fmi3Error;
}

fmi3Status fmi3SetIntervalDecimal(fmi3Instance instance, const fmi3ValueReference valueReferences[],
                                  size_t nValueReferences, const fmi3Float64 intervals[])
{
    (void)valueReferences, (void)nValueReferences, (void)intervals;
    return enter(instance, CALL_SetIntervalDecimal) ? leave(instance, FA_DONE) : fmi3Error;
}

fmi3Status fmi3SetIntervalFraction(fmi3Instance             instance,
                                   const fmi3ValueReference valueReferences[],
                                   size_t nValueReferences, const fmi3UInt64 counters[],
                                   const fmi3UInt64 resolutions[])
{
    (void)valueReferences, (void)nValueReferences, (void)counters, (void)resolutions;
    return enter(instance, CALL_SetIntervalFraction) ? leave(instance, FA_DONE) : fmi3Error;
}

fmi3Status fmi3SetShiftDecimal(fmi3Instance instance, const fmi3ValueReference valueReferences[],
                               size_t nValueReferences, const fmi3Float64 shifts[])
{
    (void)valueReferences, (void)nValueReferences, (void)shifts;
    return enter(instance, CALL_SetShiftDecimal) ? leave(instance, FA_DONE) : fmi3Error;
}

fmi3Status fmi3SetShiftFraction(fmi3Instance instance, const fmi3ValueReference valueReferences[],
                                size_t nValueReferences, const fmi3UInt64 counters[],
                                const fmi3UInt64 resolutions[])
{
    (void)valueReferences, (void)nValueReferences, (void)counters, (void)resolutions;
    return enter(instance, CALL_SetShiftFraction) ? leave(instance, FA_DONE) : fmi3Error;
}

fmi3Status fmi3ActivateModelPartition(fmi3Instance instance, fmi3ValueReference clockReference,
                                      fmi3Float64 activationTime)
{
    (void)clockReference, (void)activationTime;
    return enter(instance, CALL_ActivateModelPartition) ? leave(instance, FA_DONE) : fmi3Error;
}

// --- events

// Discrete variables change in updates only, so there is nothing to evaluate.
fmi3Status fmi3EvaluateDiscreteStates(fmi3Instance instance)
{
    return enter(instance, CALL_EvaluateDiscreteStates) ? leave(instance, FA_DONE) : fmi3Error;
}

fmi3Status fmi3UpdateDiscreteStates(fmi3Instance instance, fmi3Boolean *discreteStatesNeedUpdate,
                                    fmi3Boolean *terminateSimulation,
                                    fmi3Boolean *nominalsOfContinuousStatesChanged,
                                    fmi3Boolean *valuesOfContinuousStatesChanged,
                                    fmi3Boolean *nextEventTimeDefined, fmi3Float64 *nextEventTime)
{
    if (!enter(instance, CALL_UpdateDiscreteStates)) return fmi3Error;
    fa_event   event;
    fa_outcome outcome = fa_update_discrete(instance, &event);
    if (discreteStatesNeedUpdate) *discreteStatesNeedUpdate = event.again;
    if (terminateSimulation) *terminateSimulation = fmi3False;
    if (nominalsOfContinuousStatesChanged) *nominalsOfContinuousStatesChanged = fmi3False;
    if (valuesOfContinuousStatesChanged) *valuesOfContinuousStatesChanged = event.states_changed;
    if (nextEventTimeDefined) *nextEventTimeDefined = event.timed;
    if (nextEventTime) *nextEventTime = event.next_time;
    return leave(instance, outcome);
}

// --- Model Exchange

fmi3Status fmi3CompletedIntegratorStep(fmi3Instance instance,
                                       fmi3Boolean  noSetFMUStatePriorToCurrentPoint,
                                       fmi3Boolean *enterEventMode,
                                       fmi3Boolean *terminateSimulation)
{
    (void)noSetFMUStatePriorToCurrentPoint;
    if (!enter(instance, CALL_CompletedIntegratorStep)) return fmi3Error;
    bool             event = false;
    const fa_outcome outcome = fa_completed_step(instance, &event);
    if (enterEventMode) *enterEventMode = event;
    if (terminateSimulation) *terminateSimulation = fmi3False;
    return leave(instance, outcome);
}

fmi3Status fmi3SetTime(fmi3Instance instance, fmi3Float64 time)
{
    if (fa_legal(instance, &calls[CALL_SetTime]) && fa_move_time(instance, time)) return fmi3OK;
    if (!enter(instance, CALL_SetTime)) return fmi3Error;
    return leave(instance, fa_set_time(instance, time));
}

fmi3Status fmi3SetContinuousStates(fmi3Instance instance, const fmi3Float64 continuousStates[],
                                   size_t nContinuousStates)
{
    if (fa_legal(instance, &calls[CALL_SetContinuousStates]) &&
        fa_move_states(instance, continuousStates, nContinuousStates))
        return fmi3OK;
    if (!enter(instance, CALL_SetContinuousStates)) return fmi3Error;
    return leave(instance, fa_set_states(instance, continuousStates, nContinuousStates));
}

fmi3Status fmi3GetContinuousStateDerivatives(fmi3Instance instance, fmi3Float64 derivatives[],
                                             size_t nContinuousStates)
{
    if (!enter(instance, CALL_GetContinuousStateDerivatives)) return fmi3Error;
    return leave(instance, fa_get_derivatives(instance, derivatives, nContinuousStates));
}

fmi3Status fmi3GetEventIndicators(fmi3Instance instance, fmi3Float64 eventIndicators[],
                                  size_t nEventIndicators)
{
    if (!enter(instance, CALL_GetEventIndicators)) return fmi3Error;
    return leave(instance, fa_get_indicators(instance, eventIndicators, nEventIndicators));
}

fmi3Status fmi3GetContinuousStates(fmi3Instance instance, fmi3Float64 continuousStates[],
                                   size_t nContinuousStates)
{
    if (!enter(instance, CALL_GetContinuousStates)) return fmi3Error;
    return leave(instance, fa_get_states(instance, continuousStates, nContinuousStates));
}

fmi3Status fmi3GetNominalsOfContinuousStates(fmi3Instance instance, fmi3Float64 nominals[],
                                             size_t nContinuousStates)
{
    if (!enter(instance, CALL_GetNominalsOfContinuousStates)) return fmi3Error;
    return leave(instance, fa_get_nominals(instance, nominals, nContinuousStates));
}

fmi3Status fmi3GetNumberOfEventIndicators(fmi3Instance instance, size_t *nEventIndicators)
{
    if (!enter(instance, CALL_GetNumberOfEventIndicators)) return fmi3Error;
    if (!nEventIndicators)
        return leave(instance, fa_refuse(instance, "there is no place for the number"));
    *nEventIndicators = (size_t)((fa_instance *)instance)->n_shown_indicators;
    return leave(instance, FA_DONE);
}

fmi3Status fmi3GetNumberOfContinuousStates(fmi3Instance instance, size_t *nContinuousStates)
{
    if (!enter(instance, CALL_GetNumberOfContinuousStates)) return fmi3Error;
    if (!nContinuousStates)
        return leave(instance, fa_refuse(instance, "there is no place for the number"));
    *nContinuousStates = (size_t)((fa_instance *)instance)->n_states;
    return leave(instance, FA_DONE);
}

// --- Co-Simulation

fmi3Status fmi3GetOutputDerivatives(fmi3Instance             instance,
                                    const fmi3ValueReference valueReferences[],
                                    size_t nValueReferences, const fmi3Int32 orders[],
                                    fmi3Float64 values[], size_t nValues)
{
    if (!enter(instance, CALL_GetOutputDerivatives)) return fmi3Error;
    if (!fa_counts_fit(instance, valueReferences, nValueReferences, nValues))
        return leave(instance, FA_FAILED);
    return leave(instance,
                 fa_get_output_rates(instance, valueReferences, nValueReferences, orders, values));
}

fmi3Status fmi3DoStep(fmi3Instance instance, fmi3Float64 currentCommunicationPoint,
                      fmi3Float64  communicationStepSize,
                      fmi3Boolean  noSetFMUStatePriorToCurrentPoint,
                      fmi3Boolean *eventHandlingNeeded, fmi3Boolean *terminateSimulation,
                      fmi3Boolean *earlyReturn, fmi3Float64 *lastSuccessfulTime)
{
    (void)noSetFMUStatePriorToCurrentPoint;
    if (!enter(instance, CALL_DoStep)) return fmi3Error;
    fa_step_end stop;
    fa_outcome  outcome =
        fa_instance_step(instance, currentCommunicationPoint, communicationStepSize, &stop);
    if (eventHandlingNeeded) *eventHandlingNeeded = stop.event;
    if (terminateSimulation) *terminateSimulation = fmi3False;
    if (earlyReturn) *earlyReturn = stop.early;
    if (lastSuccessfulTime) *lastSuccessfulTime = stop.time;
    return leave(instance, outcome);
}
