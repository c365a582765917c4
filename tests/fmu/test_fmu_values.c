// Getting and setting: what is refused, what is discarded, and that nothing is half done.
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

static void nothing_is_set_when_one_value_is_not_a_number(void **state)
{
    (void)state;
    for (int fmi = 2; fmi <= 3; fmi++) {
        fmu_host host;
        void    *self = fmu_new(fmi, FA_CO_SIMULATION, &host);
        fmu_go_to(fmi, FA_CO_SIMULATION, self, FA_MODE_STEP);
        const fmi3ValueReference vr[] = {fmu_reference(self, "joint.joint1.force"),
                                         fmu_reference(self, "joint.joint2.torque")};
        const double             bad[][2] = {{5, NAN}, {INFINITY, 5}, {5, -INFINITY}};
        double                   got[2] = {9, 9};
        for (int i = 0; i < 3; i++) {
            assert_int_equal(fmi == 3 ? (int)fmi3SetFloat64(self, vr, 2, bad[i], 2)
                                      : (int)fmi2SetReal(self, vr, 2, bad[i]),
                             fmi3Discard);
            assert_string_equal(host.category, "logStatusDiscard");
            assert_non_null(
                strstr(host.message, i == 1 ? "joint.joint1.force" : "joint.joint2.torque"));
        }
        assert_int_equal(fmi == 3 ? (int)fmi3GetFloat64(self, vr, 2, got, 2)
                                  : (int)fmi2GetReal(self, vr, 2, got),
                         0);
        assert_true(got[0] == 0 && got[1] == 0);
        // And the simulation goes on.
        const double good[] = {5, 1};
        assert_int_equal(fmi == 3 ? (int)fmi3SetFloat64(self, vr, 2, good, 2)
                                  : (int)fmi2SetReal(self, vr, 2, good),
                         0);
        assert_int_equal(fmi == 3 ? (int)fmi3DoStep(self, 0, 0.1, true, NULL, NULL, NULL, NULL)
                                  : (int)fmi2DoStep(self, 0, 0.1, fmi2True),
                         0);
        fmu_free(fmi, self);
    }
}

// Variables one behind the other go in and out as one block; in any other order, with gaps, one by
// one or twice, the same comes of it, and a number that is none stops all of them.
static void a_block_is_what_its_variables_are(void **state)
{
    (void)state;
    enum { INPUTS = 9, STATES = 6 };
    fmu_host           host;
    fa_instance       *self = fmu_new(3, FA_MODEL_EXCHANGE, &host);
    fmi3ValueReference vr[INPUTS], backwards[INPUTS + 1];
    double             u[INPUTS], turned[INPUTS + 1], got[INPUTS], want[STATES], dx[STATES];
    fmu_go_to(3, FA_MODEL_EXCHANGE, self, FA_MODE_CONTINUOUS_TIME);
    assert_int_equal(self->n_inputs, INPUTS);
    assert_int_equal(self->n_states, STATES);
    for (int i = 0; i < INPUTS; i++) {
        vr[i] = (fmi3ValueReference)(self->first_input + i) + 1;
        u[i] = 0.3 * i - 1;
        backwards[INPUTS - 1 - i] = vr[i];
        turned[INPUTS - 1 - i] = u[i];
    }
    backwards[INPUTS] = vr[3]; // again, with the number that holds
    turned[INPUTS] = u[3];
    turned[INPUTS - 4] = 77;

    assert_int_equal(fmi3SetFloat64(self, backwards, INPUTS + 1, turned, INPUTS + 1), fmi3OK);
    assert_int_equal(fmi3GetContinuousStateDerivatives(self, want, STATES), fmi3OK);
    const double zeros[INPUTS] = {0};
    for (int way = 0; way < 3; way++) {
        assert_int_equal(fmi3SetFloat64(self, vr, INPUTS, zeros, INPUTS), fmi3OK);
        assert_int_equal(fmi3GetContinuousStateDerivatives(self, dx, STATES), fmi3OK);
        assert_memory_not_equal(dx, want, sizeof dx);
        if (way == 0) {
            assert_int_equal(fmi3SetFloat64(self, vr, INPUTS, u, INPUTS), fmi3OK);
        } else if (way == 1) {
            for (int i = 0; i < INPUTS; i++)
                assert_int_equal(fmi3SetFloat64(self, &vr[i], 1, &u[i], 1), fmi3OK);
        } else {
            assert_int_equal(fmi3SetFloat64(self, vr, 4, u, 4), fmi3OK);
            assert_int_equal(fmi3SetFloat64(self, vr + 4, INPUTS - 4, u + 4, INPUTS - 4), fmi3OK);
        }
        assert_int_equal(fmi3GetContinuousStateDerivatives(self, dx, STATES), fmi3OK);
        assert_memory_equal(dx, want, sizeof dx);
        assert_int_equal(fmi3GetFloat64(self, vr, INPUTS, got, INPUTS), fmi3OK);
        assert_memory_equal(got, u, sizeof u);
    }
    for (int i = 0; i < INPUTS; i++) {
        double bad[INPUTS] = {5, 5, 5, 5, 5, 5, 5, 5, 5};
        bad[i] = i % 3 == 0 ? NAN : i % 3 == 1 ? INFINITY : -INFINITY;
        assert_int_equal(fmi3SetFloat64(self, vr, INPUTS, bad, INPUTS), fmi3Discard);
        assert_int_equal(fmi3GetFloat64(self, vr, INPUTS, got, INPUTS), fmi3OK);
        assert_memory_equal(got, u, sizeof u);
    }
    // Inputs and what follows them are no block of inputs.
    double more[INPUTS + 1] = {0};
    backwards[0] = vr[0];
    for (int i = 1; i <= INPUTS; i++) backwards[i] = backwards[i - 1] + 1;
    backwards[INPUTS] = (fmi3ValueReference)self->time_row + 1;
    assert_int_equal(fmi3SetFloat64(self, backwards, INPUTS + 1, more, INPUTS + 1), fmi3Error);
    fmu_free(3, self);
}

static void states_that_are_not_numbers_are_discarded(void **state)
{
    (void)state;
    fmu_host host;
    void    *self = fmu_new(3, FA_MODEL_EXCHANGE, &host);
    double   x[6], again[6], dx[6];
    fmu_go_to(3, FA_MODEL_EXCHANGE, self, FA_MODE_CONTINUOUS_TIME);
    assert_int_equal(fmi3GetContinuousStates(self, x, 6), fmi3OK);
    double kept = x[4];
    x[4] = NAN;
    assert_int_equal(fmi3SetContinuousStates(self, x, 6), fmi3Discard);
    x[4] = kept;
    assert_int_equal(fmi3GetContinuousStates(self, again, 6), fmi3OK);
    assert_memory_equal(again, x, sizeof x);
    // Speeds whose squares are beyond the largest number: no acceleration, no harm.
    assert_int_equal(fmi3GetContinuousStateDerivatives(self, dx, 6), fmi3OK);
    for (int i = 3; i < 6; i++) again[i] = 1e200;
    assert_int_equal(fmi3SetContinuousStates(self, again, 6), fmi3OK);
    assert_int_equal(fmi3GetContinuousStateDerivatives(self, again, 6), fmi3Discard);
    assert_int_equal(fmi3SetContinuousStates(self, x, 6), fmi3OK);
    assert_int_equal(fmi3GetContinuousStateDerivatives(self, again, 6), fmi3OK);
    assert_memory_equal(again, dx, sizeof dx);
    fmu_free(3, self);
}

static void wrong_references_types_and_sizes_are_refused(void **state)
{
    (void)state;
    for (int trial = 0; trial < 9; trial++) {
        fmu_host           host;
        fa_instance       *self = fmu_new(3, FA_MODEL_EXCHANGE, &host);
        fmi3ValueReference vr[] = {fmu_reference(self, "gravity.x"), 0};
        double             value[2] = {0, 0};
        fmi3Int32          integer[2] = {0, 0};
        fmi3Status         got = fmi3OK;
        switch (trial) {
        case 0: // references run from 1
            got = fmi3GetFloat64(self, vr, 2, value, 2);
            break;
        case 1: // to the last row
            vr[1] = (fmi3ValueReference)self->states.rows + 1;
            got = fmi3GetFloat64(self, vr, 2, value, 2);
            break;
        case 2:
            vr[1] = UINT32_MAX;
            got = fmi3SetFloat64(self, vr, 2, value, 2);
            break;
        case 3:
            got = fmi3GetInt32(self, vr, 1, integer, 1);
            break;
        case 4:
            vr[0] = fmu_reference(self, "solver");
            got = fmi3GetFloat64(self, vr, 1, value, 1);
            break;
        case 5:
            got = fmi3GetFloat64(self, vr, 1, value, 2);
            break;
        case 6:
            got = fmi3GetFloat64(self, NULL, 1, value, 1);
            break;
        case 7:
            got = fmi3SetString(self, vr, 1, NULL, 1);
            break;
        case 8: // time is set by fmi3SetTime
            vr[0] = fmu_reference(self, "time");
            got = fmi3SetFloat64(self, vr, 1, value, 1);
            break;
        }
        assert_int_equal(got, fmi3Error);
        assert_int_equal(host.count, 1);
        assert_string_equal(host.category, "logStatusError");
        assert_int_equal(fmi3Reset(self), fmi3OK);
        assert_int_equal(fmi3GetFloat64(self, vr, 0, NULL, 0), fmi3OK);
        fmu_free(3, self);
    }
}

static void fmi2_does_not_know_what_only_fmi3_has(void **state)
{
    (void)state;
    fmu_host           host;
    fa_instance       *self = fmu_oscillator_new(2, FA_MODEL_EXCHANGE, &host);
    fmi2ValueReference gap = OSC_GAP + 1, time = OSC_TIME + 1, power = OSC_POWER + 1;
    double             value;
    fmu_go_to(2, FA_MODEL_EXCHANGE, self, FA_MODE_EVENT);
    assert_int_equal(fmi2GetReal(self, &power, 1, &value), fmi2OK);
    assert_int_equal(fmi2GetEventIndicators(self, &value, 1), fmi2OK);
    assert_true(value == 1e9 - 0.25);
    assert_int_equal(fmi2GetReal(self, &gap, 1, &value), fmi2Error);
    assert_int_equal(fmi2GetReal(self, &time, 1, &value), fmi2Error);
    fa_instance_free(self);
    self = fmu_oscillator_new(3, FA_MODEL_EXCHANGE, &host);
    fmu_go_to(3, FA_MODEL_EXCHANGE, self, FA_MODE_EVENT);
    assert_int_equal(fmi3SetTime(self, 2.5), fmi3OK);
    assert_int_equal(fmi3GetFloat64(self, &time, 1, &value, 1), fmi3OK);
    assert_true(value == 2.5);
    assert_int_equal(fmi3GetFloat64(self, &gap, 1, &value, 1), fmi3OK);
    fa_instance_free(self);
}

static void parameters_keep_their_bounds(void **state)
{
    (void)state;
    fmu_host           host;
    fa_instance       *self = fmu_oscillator_new(3, FA_MODEL_EXCHANGE, &host);
    fmi3ValueReference mass = OSC_MASS + 1, solver = FA_ROW_SOLVER + 1,
                       stiffness = OSC_STIFFNESS + 1;
    double    value = 0;
    fmi3Int32 method = 17;
    assert_int_equal(fmi3SetFloat64(self, &mass, 1, &value, 1), fmi3Discard);
    assert_non_null(strstr(host.message, "'mass' must be at least 0.001, not 0"));
    assert_int_equal(fmi3GetFloat64(self, &mass, 1, &value, 1), fmi3OK);
    assert_true(value == 2);
    // What does not fit together is told when initialisation ends.
    value = -1;
    assert_int_equal(fmi3SetFloat64(self, &stiffness, 1, &value, 1), fmi3OK);
    assert_int_equal(fmi3EnterInitializationMode(self, false, 0, 0, false, 0), fmi3OK);
    assert_int_equal(fmi3ExitInitializationMode(self), fmi3Error);
    assert_non_null(strstr(host.message, "a spring that pushes"));
    assert_int_equal(fmi3Reset(self), fmi3OK);
    assert_int_equal(fmi3SetInt32(self, &solver, 1, &method, 1), fmi3Error);
    fa_instance_free(self);
}

static void parameters_are_finite(void **state)
{
    (void)state;
    static const double bad[] = {NAN, INFINITY, -INFINITY};
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        fmu_host           host;
        fa_instance       *self = fmu_oscillator_new(3, FA_MODEL_EXCHANGE, &host);
        fmi3ValueReference mass = OSC_MASS + 1;
        double             value = bad[i];
        assert_int_equal(fmi3SetFloat64(self, &mass, 1, &value, 1), fmi3Discard);
        assert_non_null(strstr(host.message, "'mass' must be a finite number"));
        assert_int_equal(fmi3GetFloat64(self, &mass, 1, &value, 1), fmi3OK);
        assert_true(value == 2);
        fa_instance_free(self);
    }
}

static void states_follow_their_parameters_until_initialisation_ends(void **state)
{
    (void)state;
    for (int fmi = 2; fmi <= 3; fmi++) {
        fmu_host     host;
        fa_instance *self = fmu_oscillator_new(fmi, FA_MODEL_EXCHANGE, &host);
        uint32_t from = OSC_INITIAL_POSITION + 1, to = OSC_POSITION + 1, a = OSC_ACCELERATION + 1;
        double   x = 0.75, got, acceleration;
        for (int mode = FA_MODE_INSTANTIATED; mode <= FA_MODE_INITIALIZATION; mode++, x += 1) {
            if (mode == FA_MODE_INITIALIZATION)
                fmu_go_to(fmi, FA_MODEL_EXCHANGE, self, FA_MODE_INITIALIZATION);
            assert_int_equal(fa_set(self, FA_REAL, FA_AS_DOUBLE, &from, 1, &x, 1), FA_DONE);
            assert_int_equal(fa_get(self, FA_REAL, FA_AS_DOUBLE, &to, 1, &got, 1), FA_DONE);
            assert_int_equal(fa_get(self, FA_REAL, FA_AS_DOUBLE, &a, 1, &acceleration, 1), FA_DONE);
            assert_true(got == x && acceleration == (0.5 - 50 * x) / 2);
        }
        // Afterwards the tunable parameter changes the forces and leaves the states alone.
        assert_int_equal(fa_exit_initialization(self), FA_DONE);
        uint32_t tune = OSC_DAMPING + 1;
        double   damping = 4, state_now[2];
        assert_int_equal(fa_set(self, FA_REAL, FA_AS_DOUBLE, &tune, 1, &damping, 1), FA_DONE);
        assert_int_equal(fa_get_states(self, state_now, 2), FA_DONE);
        assert_int_equal(fa_get(self, FA_REAL, FA_AS_DOUBLE, &a, 1, &acceleration, 1), FA_DONE);
        assert_true(state_now[0] == got && acceleration == (4 - 50 * got) / 2);
        fa_instance_free(self);
    }
}

static void getting_after_setting_gives_the_new_values_and_says_so_once(void **state)
{
    (void)state;
    fmu_host           host;
    fa_instance       *self = fmu_oscillator_new(3, FA_CO_SIMULATION, &host);
    fmi3ValueReference force = OSC_FORCE + 1, thrust = OSC_THRUST + 1;
    fmu_go_to(3, FA_CO_SIMULATION, self, FA_MODE_STEP);
    for (double u = 1; u < 4; u++) {
        double got;
        assert_int_equal(fmi3SetFloat64(self, &force, 1, &u, 1), fmi3OK);
        assert_int_equal(fmi3GetFloat64(self, &thrust, 1, &got, 1), fmi3OK);
        assert_true(got == u);
        assert_int_equal(host.count, 1);
    }
    fa_instance_free(self);
}

static void messages_follow_the_categories(void **state)
{
    (void)state;
    for (int fmi = 2; fmi <= 3; fmi++) {
        fmu_host           host;
        void              *self = fmu_new(fmi, FA_MODEL_EXCHANGE, &host);
        fmi3ValueReference vr = fmu_reference(self, "joint.joint1.force");
        double             nan = NAN;
        const char        *errors[] = {"logStatusError"}, *unknown[] = {"logTea"};
        fmu_go_to(fmi, FA_MODEL_EXCHANGE, self, FA_MODE_EVENT);
        host.count = 0;
        assert_int_equal(fmi == 3 ? (int)fmi3SetDebugLogging(self, true, 1, errors)
                                  : (int)fmi2SetDebugLogging(self, fmi2True, 1, errors),
                         0);
        for (int on = 0; on < 2; on++) {
            assert_int_equal(fmi == 3 ? (int)fmi3SetFloat64(self, &vr, 1, &nan, 1)
                                      : (int)fmi2SetReal(self, &vr, 1, &nan),
                             fmi3Discard);
            assert_int_equal(host.count, on + 1); // errors are told whatever the host asks for
            assert_int_equal(fmi == 3 ? (int)fmi3SetDebugLogging(self, true, 0, NULL)
                                      : (int)fmi2SetDebugLogging(self, fmi2True, 0, NULL),
                             0);
        }
        assert_int_equal(fmi == 3 ? (int)fmi3SetDebugLogging(self, true, 1, unknown)
                                  : (int)fmi2SetDebugLogging(self, fmi2True, 1, unknown),
                         fmi3Warning);
        fmu_free(fmi, self);
    }
}

// FMI 2.0's logger takes a format: a percent sign of ours must not be one of its.
static void percent_signs_survive_the_logger(void **state)
{
    (void)state;
    char out[32];
    fa_double("100% of #1#", "#%", out, sizeof out);
    assert_string_equal(out, "100%% of ##1##");
    fa_double("######", "#", out, 6);
    assert_true(strlen(out) < 6 && strlen(out) % 2 == 0);
    fmu_host  host;
    fmu_files files = *fmu_files_for(2);
    assert_null(fmu_new_at(2, FA_MODEL_EXCHANGE, &host, "/no%s/such%n", files.token));
    assert_non_null(strstr(host.message, "/no%s/such%n"));
}

static char spoke[2000];

static void hear_name(fmi2ComponentEnvironment environment, fmi2String name, fmi2Status status,
                      fmi2String category, fmi2String message, ...)
{
    (void)environment, (void)status, (void)category, (void)message;
    (void)snprintf(spoke, sizeof spoke, "%s", name);
}

// The logger of FMI 2.0 gets the name of the instance that logs, however long the name is.
static void the_logger_hears_the_whole_name(void **state)
{
    const fmu_files            *files = fmu_files_for(2);
    const fmi2CallbackFunctions functions = {.logger = hear_name};
    const fmi2ValueReference    unknown = 4000000000u;
    (void)state;
    for (size_t length = 1; length < 1000; length = 3 * length + 1) {
        char     given[1000], own[1000];
        fmi2Real value;
        memset(given, 'n', length);
        given[length] = '\0';
        strcpy(own, given);
        fmi2Component self = fmi2Instantiate(given, fmi2CoSimulation, files->token, files->folder,
                                             &functions, fmi2False, fmi2True);
        assert_non_null(self);
        memset(given, 'x', length); // the host's own again
        assert_int_equal(fmi2GetReal(self, &unknown, 1, &value), fmi2Error);
        assert_string_equal(spoke, own);
        fmi2FreeInstance(self);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(nothing_is_set_when_one_value_is_not_a_number),
        cmocka_unit_test(a_block_is_what_its_variables_are),
        cmocka_unit_test(states_that_are_not_numbers_are_discarded),
        cmocka_unit_test(wrong_references_types_and_sizes_are_refused),
        cmocka_unit_test(fmi2_does_not_know_what_only_fmi3_has),
        cmocka_unit_test(parameters_keep_their_bounds),
        cmocka_unit_test(parameters_are_finite),
        cmocka_unit_test(states_follow_their_parameters_until_initialisation_ends),
        cmocka_unit_test(getting_after_setting_gives_the_new_values_and_says_so_once),
        cmocka_unit_test(messages_follow_the_categories),
        cmocka_unit_test(percent_signs_survive_the_logger),
        cmocka_unit_test(the_logger_hears_the_whole_name),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
