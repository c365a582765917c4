// What hosts should not say: each gets the status that the standards ask for and a sentence, and no
// other instance notices.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <fmi2Functions.h>
#include <fmi3Functions.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "fmu_help.h"

static void expect(const fmu_host *host, const char *words)
{
    assert_int_equal(host->count, 1);
    assert_string_equal(host->category, "logStatusError");
    if (!strstr(host->message, words)) fail_msg("'%s' is not in: %s", words, host->message);
}

static void versions_and_platforms_are_the_standards(void **state)
{
    (void)state;
    assert_string_equal(fmi2GetVersion(), "2.0");
    assert_string_equal(fmi3GetVersion(), "3.0");
    assert_string_equal(fmi2GetTypesPlatform(), "default");
}

static void an_instance_that_is_none_is_an_error(void **state)
{
    (void)state;
    double x = 0;
    assert_int_equal(fmi2SetTime(NULL, 0), fmi2Error);
    assert_int_equal(fmi2GetReal(NULL, NULL, 0, &x), fmi2Error);
    assert_int_equal(fmi3SetTime(NULL, 0), fmi3Error);
    assert_int_equal(fmi3DoStep(NULL, 0, 1, true, NULL, NULL, NULL, NULL), fmi3Error);
}

static void tell(fmi3InstanceEnvironment environment, fmi3Status status, fmi3String category,
                 fmi3String message)
{
    fmu_host *host = environment;
    host->count++;
    host->status = (int)status;
    (void)snprintf(host->category, sizeof host->category, "%s", category);
    (void)snprintf(host->message, sizeof host->message, "%s", message);
}

static void what_the_description_does_not_announce_is_not_instantiated(void **state)
{
    (void)state;
    const fmu_files *files = fmu_files_for(3);
    fmu_host         host = {0};
    assert_null(fmi3InstantiateCoSimulation("a", files->token, files->folder, false, true, true,
                                            false, NULL, 0, &host, tell, NULL));
    expect(&host, "hasEventMode");
    host.count = 0;
    assert_null(fmi3InstantiateScheduledExecution("a", files->token, files->folder, false, true,
                                                  &host, tell, NULL, NULL, NULL));
    expect(&host, "Model Exchange and Co-Simulation");
    // Without a logger nobody is told, and nothing else is different.
    assert_null(fmi3InstantiateCoSimulation("a", files->token, files->folder, false, true, true,
                                            false, NULL, 0, NULL, NULL, NULL));
    // What it does announce goes without callbacks and without being asked twice.
    fmi3ValueReference wanted = 1;
    host.count = 0;
    assert_null(fmi3InstantiateCoSimulation("a", files->token, files->folder, true, false, false,
                                            true, &wanted, 1, &host, tell, NULL));
    expect(&host, "'solver' for intermediate updates, which are for continuous");
    host.count = 0;
    assert_null(fmi3InstantiateCoSimulation("a", files->token, files->folder, true, false, false,
                                            true, NULL, 1, &host, tell, NULL));
    expect(&host, "missing");
    wanted = 100000;
    host.count = 0;
    assert_null(fmi3InstantiateCoSimulation("a", files->token, files->folder, true, false, false,
                                            true, &wanted, 1, &host, tell, NULL));
    expect(&host, "value reference 100000");
    void *arm = fmu_new(3, FA_CO_SIMULATION, &host);
    wanted = fmu_reference(arm, "joint.joint1.force");
    fmi3FreeInstance(arm);
    fmi3Instance self = fmi3InstantiateCoSimulation("a", files->token, files->folder, true, false,
                                                    false, true, &wanted, 1, NULL, NULL, NULL);
    assert_non_null(self);
    fmi3FreeInstance(self);
}

static void names_and_tokens_are_asked_for(void **state)
{
    (void)state;
    const fmu_files *files = fmu_files_for(3);
    const char      *name[] = {NULL, "", " \t", "a", "a", "a"};
    const char      *token[] = {files->token, files->token, files->token, NULL, "", "{no token}"};
    const char      *words[] = {"no name", "no name",       "no name",
                                "token",   "another robot", "another robot"};
    for (int i = 0; i < 6; i++) {
        fmu_host host = {0};
        assert_null(fmi3InstantiateModelExchange(name[i], token[i], files->folder, false, false,
                                                 &host, tell));
        expect(&host, words[i]);
    }
    // FMI 2.0 may come without callbacks.
    files = fmu_files_for(2);
    fmi2Component c = fmi2Instantiate("a", fmi2ModelExchange, files->token, files->folder, NULL,
                                      fmi2False, fmi2True);
    assert_non_null(c);
    assert_int_equal(fmi2SetTime(c, 0), fmi2Error);
    fmi2FreeInstance(c);
}

static void a_robot_of_the_other_standard_is_told(void **state)
{
    (void)state;
    fmu_host         host;
    const fmu_files *files = fmu_files_for(2);
    assert_null(fmu_new_at(3, FA_MODEL_EXCHANGE, &host, files->folder, files->token));
    expect(&host, "export the FMU with --fmi 3");
}

static void experiments_must_make_sense(void **state)
{
    (void)state;
    const struct {
        double      tolerance, start, stop;
        const char *words;
    } wrong[] = {{1e-6, NAN, 1, "start time"}, {1e-6, INFINITY, 1, "start time"},
                 {1e-6, 2, 1, "stop time"},    {1e-6, 0, NAN, "stop time"},
                 {0, 0, 1, "tolerance"},       {NAN, 0, 1, "tolerance"},
                 {-1e-6, 0, 1, "tolerance"},   {INFINITY, 0, 1, "tolerance"}};
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++)
        for (int fmi = 2; fmi <= 3; fmi++) {
            fmu_host host;
            void    *self = fmu_new(fmi, FA_CO_SIMULATION, &host);
            double   tolerance = wrong[i].tolerance, start = wrong[i].start, stop = wrong[i].stop;
            assert_int_equal(
                fmi == 3
                    ? (int)fmi3EnterInitializationMode(self, true, tolerance, start, true, stop)
                    : (int)fmi2SetupExperiment(self, fmi2True, tolerance, start, fmi2True, stop),
                fmi3Error);
            expect(&host, wrong[i].words);
            fmu_free(fmi, self);
        }
    fmu_host host;
    void    *self = fmu_new(2, FA_CO_SIMULATION, &host);
    assert_int_equal(fmi2EnterInitializationMode(self), fmi2Error);
    expect(&host, "fmi2SetupExperiment");
    fmu_free(2, self);
}

static void arrays_must_have_their_length(void **state)
{
    (void)state;
    double x[7] = {0};
    for (int trial = 0; trial < 7; trial++) {
        fmu_host host;
        void    *self = fmu_new(3, FA_MODEL_EXCHANGE, &host);
        int      got = 0;
        fmu_go_to(3, FA_MODEL_EXCHANGE, self, FA_MODE_CONTINUOUS_TIME);
        switch (trial) {
        case 0:
            got = (int)fmi3SetContinuousStates(self, x, 5);
            break;
        case 1:
            got = (int)fmi3GetContinuousStates(self, x, 7);
            break;
        case 2:
            got = (int)fmi3GetContinuousStateDerivatives(self, NULL, 6);
            break;
        case 3:
            got = (int)fmi3GetEventIndicators(self, x, 1);
            break;
        case 4:
            got = (int)fmi3GetNominalsOfContinuousStates(self, x, 0);
            break;
        case 5:
            got = (int)fmi3GetNumberOfContinuousStates(self, NULL);
            break;
        default:
            got = (int)fmi3SetTime(self, NAN);
            break;
        }
        assert_int_equal(got, fmi3Error);
        expect(&host, trial < 5 ? (trial == 2 ? "missing" : "should have")
                                : (trial == 5 ? "no place" : "finite"));
        fmu_free(3, self);
    }
}

static void times_before_the_start_are_refused(void **state)
{
    (void)state;
    for (int fmi = 2; fmi <= 3; fmi++) {
        fmu_host host;
        void    *self = fmu_new(fmi, FA_MODEL_EXCHANGE, &host);
        if (fmi == 3) {
            assert_int_equal(fmi3EnterInitializationMode(self, false, 0, 2, true, 3), fmi3OK);
            assert_int_equal(fmi3ExitInitializationMode(self), fmi3OK);
            assert_int_equal(fmi3EnterContinuousTimeMode(self), fmi3OK);
        } else {
            assert_int_equal(fmi2SetupExperiment(self, fmi2False, 0, 2, fmi2True, 3), fmi2OK);
            assert_int_equal(fmi2EnterInitializationMode(self), fmi2OK);
            assert_int_equal(fmi2ExitInitializationMode(self), fmi2OK);
            assert_int_equal(fmi2EnterContinuousTimeMode(self), fmi2OK);
        }
        // Rounding passes; a solver that looks beyond the end is told once, and works.
        const double fine[] = {2, 2 - 1e-12, 3, 3 + 1e-12};
        for (int i = 0; i < 4; i++)
            assert_int_equal(
                fmi == 3 ? (int)fmi3SetTime(self, fine[i]) : (int)fmi2SetTime(self, fine[i]), 0);
        assert_int_equal(host.count, 0);
        for (int i = 0; i < 2; i++)
            assert_int_equal(fmi == 3 ? (int)fmi3SetTime(self, 3.5) : (int)fmi2SetTime(self, 3.5),
                             0);
        assert_int_equal(host.count, 1);
        assert_non_null(strstr(host.message, "behind the stop time 3 s"));
        host.count = 0;
        assert_int_equal(fmi == 3 ? (int)fmi3SetTime(self, 1.5) : (int)fmi2SetTime(self, 1.5),
                         fmi3Error);
        expect(&host, "before the start time 2 s");
        fmu_free(fmi, self);
    }
}

// A host that gets everything wrong, next to one that gets everything right.
static void another_instance_does_not_notice(void **state)
{
    (void)state;
    double             result[2];
    fmi3ValueReference none = 0;
    for (int beside = 0; beside < 2; beside++) {
        fmu_host host, wrong;
        void    *self = fmu_new(3, FA_CO_SIMULATION, &host);
        unsigned vr = fmu_reference(self, "joint.joint2.position");
        fmu_go_to(3, FA_CO_SIMULATION, self, FA_MODE_STEP);
        for (int i = 0; i < 20; i++) {
            fmi3Boolean b[3];
            double      last;
            assert_int_equal(fmi3DoStep(self, i * 0.05, 0.05, true, &b[0], &b[1], &b[2], &last),
                             fmi3OK);
            if (!beside) continue;
            void *bad = fmu_new(3, FA_CO_SIMULATION, &wrong);
            fmu_go_to(3, FA_CO_SIMULATION, bad, FA_MODE_STEP);
            double nan = NAN;
            switch (i % 10) {
            case 0:
                assert_int_equal(fmi3DoStep(bad, 0, -1, true, NULL, NULL, NULL, NULL), fmi3Error);
                break;
            case 1:
                assert_int_equal(fmi3DoStep(bad, 7, 1, true, NULL, NULL, NULL, NULL), fmi3Error);
                break;
            case 2:
                assert_int_equal(fmi3DoStep(bad, 0, NAN, true, NULL, NULL, NULL, NULL), fmi3Error);
                break;
            case 3: // legal: nothing asked, nothing given
                assert_int_equal(fmi3GetFloat64(bad, NULL, 0, NULL, 0), fmi3OK);
                assert_int_equal(fmi3SetFloat64(bad, NULL, 0, NULL, 0), fmi3OK);
                assert_int_equal(
                    fmi3GetDirectionalDerivative(bad, NULL, 0, NULL, 0, NULL, 0, NULL, 0), fmi3OK);
                assert_int_equal(fmi3GetAdjointDerivative(bad, NULL, 0, NULL, 0, NULL, 0, NULL, 0),
                                 fmi3OK);
                assert_int_equal(fmi3GetOutputDerivatives(bad, NULL, 0, NULL, NULL, 0), fmi3OK);
                assert_int_equal(wrong.count, 0);
                break;
            case 4:
                assert_int_equal(fmi3GetFloat64(bad, NULL, 3, NULL, 3), fmi3Error);
                break;
            case 5:
                assert_int_equal(fmi3SetFloat64(bad, &none, 1, &nan, 1), fmi3Error);
                break;
            case 6:
                assert_int_equal(fmi3SetFloat64(bad, &vr, 1, NULL, 1), fmi3Error);
                break;
            case 7:
                assert_int_equal(
                    fmi3GetDirectionalDerivative(bad, NULL, 1, &vr, 1, &nan, 1, &nan, 1),
                    fmi3Error);
                break;
            case 8:
                assert_int_equal(fmi3SetFMUState(bad, NULL), fmi3Error);
                break;
            default:
                assert_int_equal(fmi3SetDebugLogging(bad, true, 2, NULL), fmi3Error);
                break;
            }
            if (i % 10 != 3) {
                assert_int_equal(wrong.count, 1);
                assert_true(strlen(wrong.message) > 30); // a sentence
                // An error is not the end.
                assert_int_equal(fmi3Reset(bad), fmi3OK);
                fmu_go_to(3, FA_CO_SIMULATION, bad, FA_MODE_STEP);
            }
            fmi3FreeInstance(bad);
        }
        assert_int_equal(fmi3GetFloat64(self, &vr, 1, &result[beside], 1), fmi3OK);
        assert_int_equal(host.count, 0);
        fmi3FreeInstance(self);
    }
    assert_true(result[0] == result[1]);
}

static void derivatives_that_do_not_exist_are_refused(void **state)
{
    (void)state;
    const struct {
        int         row, order;
        double      rate; // of an input, or NAN: of an output
        const char *words;
    } wrong[] = {{OSC_POWER, 1, NAN, "not an output"},  {OSC_THRUST, 2, NAN, "the first only"},
                 {OSC_TIME + 1, 1, NAN, "no variable"}, {OSC_BRAKE, 1, 1, "continuous input"},
                 {OSC_FORCE, 1, INFINITY, "finite"},    {OSC_POSITION, 1, 1, "continuous input"},
                 {OSC_TIME + 1, 1, 1, "no variable"}};
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        fmu_host           host;
        fa_instance       *self = fmu_oscillator_new(2, FA_CO_SIMULATION, &host);
        fmi2ValueReference vr = (fmi2ValueReference)wrong[i].row + 1;
        fmi2Integer        order = wrong[i].order;
        double             value = wrong[i].rate;
        fmu_go_to(2, FA_CO_SIMULATION, self, FA_MODE_STEP);
        assert_int_equal(isnan(value)
                             ? (int)fmi2GetRealOutputDerivatives(self, &vr, 1, &order, &value)
                             : (int)fmi2SetRealInputDerivatives(self, &vr, 1, &order, &value),
                         fmi2Error);
        expect(&host, wrong[i].words);
        fa_instance_free(self);
    }
}

static void room_for_states_and_dependencies_must_fit(void **state)
{
    (void)state;
    fmu_host           host;
    void              *self = fmu_new(3, FA_MODEL_EXCHANGE, &host);
    fmi3FMUState       saved = NULL;
    size_t             size, elements[2];
    fmi3Byte           bytes[8];
    fmi3ValueReference list[2];
    fmi3DependencyKind kind[2];
    assert_int_equal(fmi3GetFMUState(self, &saved), fmi3OK);
    assert_int_equal(fmi3SerializedFMUStateSize(self, saved, &size), fmi3OK);
    assert_int_equal(fmi3SerializeFMUState(self, saved, bytes, sizeof bytes), fmi3Error);
    expect(&host, "there is room for 8");
    host.count = 0;
    assert_int_equal(fmi3SetFMUState(self, saved), fmi3OK);
    assert_int_equal(fmi3GetVariableDependencies(self, fmu_reference(self, "tip.x"), elements, list,
                                                 elements, kind, 1),
                     fmi3Error);
    expect(&host, "room for 1");
    assert_int_equal(fmi3FreeFMUState(self, &saved), fmi3OK);
    fmu_free(3, self);
}

static void a_long_robot_is_read_to_its_end(void **state)
{
    (void)state;
    fmu_host     host;
    fa_instance *self = fmu_long_arm_new(3, FA_CO_SIMULATION, &host, 120);
    assert_int_equal(self->n_states, 2 * 120);
    fmu_go_to(3, FA_CO_SIMULATION, self, FA_MODE_STEP);
    fmi3Boolean b[3];
    double      last;
    assert_int_equal(fmi3DoStep(self, 0, 1e-3, true, &b[0], &b[1], &b[2], &last), fmi3OK);
    fa_instance_free(self);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(versions_and_platforms_are_the_standards),
        cmocka_unit_test(an_instance_that_is_none_is_an_error),
        cmocka_unit_test(what_the_description_does_not_announce_is_not_instantiated),
        cmocka_unit_test(names_and_tokens_are_asked_for),
        cmocka_unit_test(a_robot_of_the_other_standard_is_told),
        cmocka_unit_test(experiments_must_make_sense),
        cmocka_unit_test(arrays_must_have_their_length),
        cmocka_unit_test(times_before_the_start_are_refused),
        cmocka_unit_test(another_instance_does_not_notice),
        cmocka_unit_test(derivatives_that_do_not_exist_are_refused),
        cmocka_unit_test(room_for_states_and_dependencies_must_fit),
        cmocka_unit_test(a_long_robot_is_read_to_its_end),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
