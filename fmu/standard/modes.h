// Legality of calls by mode, and settability of variables by mode: the single table for both
// standards, which fmi2.c, fmi3.c and the tests use.
//
// Each string has one sign per mode of FA_MODE_LIST, in its order:
//
//   +   legal
//   ~   tolerated: it works, returns OK and is logged once (docs/hosts.md, rule 19)
//   -   refused with an error and a sentence
//   .   an instance of this kind is never in this mode
//
// and, of Co-Simulation in FMI 3.0, by whether the host uses event mode:
//
//   e   legal with it, refused without
//   n   refused with it, legal without
//   t   tolerated with it, legal without
#ifndef FA_MODES_H
#define FA_MODES_H

// X(code, as in "… cannot be called <words>")
#define FA_MODE_LIST(X)                                                                            \
    X(FA_MODE_INSTANTIATED, "before initialisation")                                               \
    X(FA_MODE_CONFIGURATION, "in configuration mode")                                              \
    X(FA_MODE_INITIALIZATION, "in initialisation mode")                                            \
    X(FA_MODE_EVENT, "in event mode")                                                              \
    X(FA_MODE_CONTINUOUS_TIME, "in continuous-time mode")                                          \
    X(FA_MODE_STEP, "between communication steps")                                                 \
    X(FA_MODE_INTERMEDIATE, "in an intermediate update")                                           \
    X(FA_MODE_STEP_FAILED, "after a discarded step")                                               \
    X(FA_MODE_TERMINATED, "after the end of the simulation or an error")

typedef enum fa_mode {
#define X(code, words) code,
    FA_MODE_LIST(X)
#undef X
        FA_MODE_COUNT
} fa_mode;

typedef enum fa_kind { FA_MODEL_EXCHANGE, FA_CO_SIMULATION } fa_kind;

#define FA_LEGAL     '+'
#define FA_TOLERATED '~'
#define FA_REFUSED   '-'
#define FA_NO_MODE   '.'

#define FA_WITH_EVENTS           'e'
#define FA_WITHOUT_EVENTS        'n'
#define FA_TOLERATED_WITH_EVENTS 't'

// X(call, Model Exchange, Co-Simulation). Modes: instantiated, configuration, initialisation,
// event, continuous-time, step, intermediate, step failed, terminated.
//
// SetTime in event mode is legal in FMI 2.0's table. FMI 3.0 does not mention it; hosts call it, so
// it is legal here.
#define FA_FMI2_CALL_LIST(X)                                                                       \
    X(SetDebugLogging, "+.+++...+", "+.+..+.++")                                                   \
    X(SetupExperiment, "+.---...-", "+.-..-.--")                                                   \
    X(EnterInitializationMode, "+.~~-...-", "+.~..-.--")                                           \
    X(ExitInitializationMode, "-.+--...-", "-.+..-.--")                                            \
    X(Terminate, "-.-++...-", "-.-..+.+-")                                                         \
    X(Reset, "+.+++...+", "+.+..+.++")                                                             \
    X(GetReal, "~.+++...+", "~.+..+.++")                                                           \
    X(GetInteger, "~.+++...+", "~.+..+.++")                                                        \
    X(GetBoolean, "~.+++...+", "~.+..+.++")                                                        \
    X(GetString, "~.+++...+", "~.+..+.++")                                                         \
    X(SetReal, "+.+++...-", "+.+..+.--")                                                           \
    X(SetInteger, "+.+++...-", "+.+..+.--")                                                        \
    X(SetBoolean, "+.+++...-", "+.+..+.--")                                                        \
    X(SetString, "+.+++...-", "+.+..+.--")                                                         \
    X(GetFMUstate, "+.+++...+", "+.+..+.++")                                                       \
    X(SetFMUstate, "+.+++...+", "+.+..+.++")                                                       \
    X(FreeFMUstate, "+.+++...+", "+.+..+.++")                                                      \
    X(SerializedFMUstateSize, "+.+++...+", "+.+..+.++")                                            \
    X(SerializeFMUstate, "+.+++...+", "+.+..+.++")                                                 \
    X(DeSerializeFMUstate, "+.+++...+", "+.+..+.++")                                               \
    X(GetDirectionalDerivative, "-.+++...+", "-.+..+.++")                                          \
    X(EnterEventMode, "-.-~+...-", "-.-..-.--")                                                    \
    X(NewDiscreteStates, "-.-+-...-", "-.-..-.--")                                                 \
    X(EnterContinuousTimeMode, "-.-+-...-", "-.-..-.--")                                           \
    X(CompletedIntegratorStep, "-.~~+...-", "-.-..-.--")                                           \
    X(SetTime, "-.-++...-", "-.-..-.--")                                                           \
    X(SetContinuousStates, "-.-~+...-", "-.-..-.--")                                               \
    X(GetDerivatives, "~.+++...+", "-.-..-.--")                                                    \
    X(GetEventIndicators, "-.+++...+", "-.-..-.--")                                                \
    X(GetContinuousStates, "~.+++...+", "-.-..-.--")                                               \
    X(GetNominalsOfContinuousStates, "+.+++...+", "-.-..-.--")                                     \
    X(SetRealInputDerivatives, "-.---...-", "+.+..+.--")                                           \
    X(GetRealOutputDerivatives, "-.---...-", "-.-..+.++")                                          \
    X(DoStep, "-.---...-", "-.-..+.--")                                                            \
    X(CancelStep, "-.---...-", "-.-..-.--")                                                        \
    X(GetStatus, "-.---...-", "-.-..+.++")                                                         \
    X(GetRealStatus, "-.---...-", "-.-..+.++")                                                     \
    X(GetIntegerStatus, "-.---...-", "-.-..+.++")                                                  \
    X(GetBooleanStatus, "-.---...-", "-.-..+.++")                                                  \
    X(GetStringStatus, "-.---...-", "-.-..+.++")

// After a step that FMI 3.0 discards, the instance is in its state before the step.
#define FA_FMI3_CALL_LIST(X)                                                                       \
    X(SetDebugLogging, "+++++...+", "++++.++.+")                                                   \
    X(EnterInitializationMode, "+-~~-...-", "+-~~.--.-")                                           \
    X(ExitInitializationMode, "--+--...-", "--+-.--.-")                                            \
    X(EnterEventMode, "---~+...-", "---~.e-.-")                                                    \
    X(Terminate, "---++...-", "---+.+-.-")                                                         \
    X(Reset, "+++++...+", "++++.+-.+")                                                             \
    X(GetFloat32, "+++++...+", "++++.++.+")                                                        \
    X(GetFloat64, "+++++...+", "++++.++.+")                                                        \
    X(GetInt8, "+++++...+", "++++.++.+")                                                           \
    X(GetUInt8, "+++++...+", "++++.++.+")                                                          \
    X(GetInt16, "+++++...+", "++++.++.+")                                                          \
    X(GetUInt16, "+++++...+", "++++.++.+")                                                         \
    X(GetInt32, "+++++...+", "++++.++.+")                                                          \
    X(GetUInt32, "+++++...+", "++++.++.+")                                                         \
    X(GetInt64, "+++++...+", "++++.++.+")                                                          \
    X(GetUInt64, "+++++...+", "++++.++.+")                                                         \
    X(GetBoolean, "+++++...+", "++++.++.+")                                                        \
    X(GetString, "+++++...+", "++++.++.+")                                                         \
    X(GetBinary, "+++++...+", "++++.++.+")                                                         \
    X(GetClock, "-----...-", "----.--.-")                                                          \
    X(SetFloat32, "+-+++...-", "+-++.++.-")                                                        \
    X(SetFloat64, "+-+++...-", "+-++.++.-")                                                        \
    X(SetInt8, "+-+++...-", "+-++.++.-")                                                           \
    X(SetUInt8, "+-+++...-", "+-++.++.-")                                                          \
    X(SetInt16, "+-+++...-", "+-++.++.-")                                                          \
    X(SetUInt16, "+-+++...-", "+-++.++.-")                                                         \
    X(SetInt32, "+-+++...-", "+-++.++.-")                                                          \
    X(SetUInt32, "+-+++...-", "+-++.++.-")                                                         \
    X(SetInt64, "+-+++...-", "+-++.++.-")                                                          \
    X(SetUInt64, "+++++...-", "++++.++.-")                                                         \
    X(SetBoolean, "+-+++...-", "+-++.++.-")                                                        \
    X(SetString, "+-+++...-", "+-++.++.-")                                                         \
    X(SetBinary, "+-+++...-", "+-++.++.-")                                                         \
    X(SetClock, "-----...-", "----.--.-")                                                          \
    X(GetNumberOfVariableDependencies, "+++++...+", "++++.++.+")                                   \
    X(GetVariableDependencies, "+++++...+", "++++.++.+")                                           \
    X(GetFMUState, "+++++...+", "++++.+-.+")                                                       \
    X(SetFMUState, "+++++...+", "++++.+-.+")                                                       \
    X(FreeFMUState, "+++++...+", "++++.+-.+")                                                      \
    X(SerializedFMUStateSize, "+++++...+", "++++.+-.+")                                            \
    X(SerializeFMUState, "+++++...+", "++++.+-.+")                                                 \
    X(DeserializeFMUState, "+++++...+", "++++.+-.+")                                               \
    X(GetDirectionalDerivative, "--+++...+", "--++.+-.+")                                          \
    X(GetAdjointDerivative, "--+++...+", "--++.+-.+")                                              \
    X(EnterConfigurationMode, "+----...-", "+---.--.-")                                            \
    X(ExitConfigurationMode, "-+---...-", "-+--.--.-")                                             \
    X(GetIntervalDecimal, "-----...-", "----.--.-")                                                \
    X(GetIntervalFraction, "-----...-", "----.--.-")                                               \
    X(GetShiftDecimal, "-----...-", "----.--.-")                                                   \
    X(GetShiftFraction, "-----...-", "----.--.-")                                                  \
    X(SetIntervalDecimal, "-----...-", "----.--.-")                                                \
    X(SetIntervalFraction, "-----...-", "----.--.-")                                               \
    X(SetShiftDecimal, "-----...-", "----.--.-")                                                   \
    X(SetShiftFraction, "-----...-", "----.--.-")                                                  \
    X(EvaluateDiscreteStates, "--++-...-", "--++.--.-")                                            \
    X(UpdateDiscreteStates, "---+-...-", "---+.--.-")                                              \
    X(EnterContinuousTimeMode, "---+-...-", "----.--.-")                                           \
    X(CompletedIntegratorStep, "--~~+...-", "----.--.-")                                           \
    X(SetTime, "---++...-", "----.--.-")                                                           \
    X(SetContinuousStates, "----+...-", "----.--.-")                                               \
    X(GetContinuousStateDerivatives, "~-+++...+", "----.--.-")                                     \
    X(GetEventIndicators, "--+++...+", "----.--.-")                                                \
    X(GetContinuousStates, "~-+++...+", "----.--.-")                                               \
    X(GetNominalsOfContinuousStates, "--+++...+", "----.--.-")                                     \
    X(GetNumberOfEventIndicators, "+++++...+", "----.--.-")                                        \
    X(GetNumberOfContinuousStates, "+++++...+", "----.--.-")                                       \
    X(EnterStepMode, "-----...-", "---+.--.-")                                                     \
    X(GetOutputDerivatives, "-----...-", "---+.++.+")                                              \
    X(DoStep, "-----...-", "----.+-.-")                                                            \
    X(ActivateModelPartition, "-----...-", "----.--.-")

// Settability by mode, for all setters. X(setting, as in "<words> cannot be set …", FMI 2.0 Model
// Exchange, FMI 2.0 Co-Simulation, FMI 3.0 Model Exchange, FMI 3.0 Co-Simulation)
#define FA_SETTING_LIST(X)                                                                         \
    X(FA_SET_STRUCTURE, "a structural parameter", "-.---...-", "-.-..-.--", "-+---...-",           \
      "-+--.--.-")                                                                                 \
    X(FA_SET_PARAMETER, "a fixed parameter", "+.+--...-", "+.+..-.--", "+-+--...-", "+-+-.--.-")   \
    X(FA_SET_TUNABLE, "a tunable parameter", "+.++-...-", "+.+..+.--", "+-++-...-", "+-++.n-.-")   \
    X(FA_SET_INPUT, "an input", "~.+++...-", "~.+..+.--", "+-+++...-", "+-++.++.-")                \
    X(FA_SET_DISCRETE, "a discrete input", "~.++~...-", "~.+..+.--", "+-++~...-", "+-++.t-.-")     \
    X(FA_SET_STATE, "a state", "-.--+...-", "-.-..-.--", "----+...-", "----.--.-")                 \
    X(FA_SET_NEVER, "a calculated variable", "-.---...-", "-.-..-.--", "-----...-", "----.--.-")

typedef enum fa_setting {
#define X(code, words, me2, cs2, me3, cs3) code,
    FA_SETTING_LIST(X)
#undef X
        FA_SETTING_COUNT
} fa_setting;

// Indices of fa_instance.told: one for each call, each setting, one for a get after a set without a
// step in between (Co-Simulation), and one for each call that discarded.
#define X(call, me, cs) +1
enum {
    FA_FMI2_CALLS = 0 FA_FMI2_CALL_LIST(X),
    FA_FMI3_CALLS = 0 FA_FMI3_CALL_LIST(X),
    FA_TOLD_SETTING = FA_FMI3_CALLS, // the longer list
    FA_TOLD_GET_AFTER_SET = FA_TOLD_SETTING + FA_SETTING_COUNT,
    FA_TOLD_PAST_STOP,
    FA_TOLD_DISCARD, // one for each call, cleared by a reset
    FA_TOLD_COUNT = FA_TOLD_DISCARD + FA_FMI3_CALLS
};
#undef X

#endif
