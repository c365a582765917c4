// What importers do that the standards do not foresee, and what a host hears that asked for no
// messages.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <fmi2Functions.h>
#include <fmi3Functions.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "fmu_help.h"

static int enter_again(int fmi, void *self)
{
    return fmi == 3 ? (int)fmi3EnterInitializationMode(self, false, 0, 1.5, true, 9)
                    : (int)fmi2EnterInitializationMode(self);
}

// Moves the instance from wherever it is, so that something is there to be forgotten.
static void disturb(fa_instance *self)
{
    for (int i = 0; i < self->n_states; i++) self->value[self->first_state + i] = 7 + i;
    self->moment->fresh = 0;
}

// As a solver's homotopy repeats it: the same as a new instance with the same parameters and
// inputs.
static void initialisation_can_be_repeated(void **state)
{
    (void)state;
    const fa_mode from[] = {FA_MODE_INITIALIZATION, FA_MODE_EVENT};
    for (int fmi = 2; fmi <= 3; fmi++)
        for (int way = 0; way < 2; way++) {
            fmu_host       host;
            double         dx[2], again[2], x[2], mass = 2.5, force = 3, start = 0.25;
            fa_instance   *self = fmu_oscillator_new(fmi, FA_MODEL_EXCHANGE, &host);
            const uint32_t vr[] = {OSC_MASS + 1, OSC_FORCE + 1, OSC_INITIAL_POSITION + 1};
            fmu_go_to(fmi, FA_MODEL_EXCHANGE, self, FA_MODE_INITIALIZATION);
            self->moment->start = self->value[self->time_row] = 1.5;
            fa_set(self, FA_REAL, FA_AS_DOUBLE, &vr[0], 1, &mass, 1);
            fa_set(self, FA_REAL, FA_AS_DOUBLE, &vr[1], 1, &force, 1);
            fa_set(self, FA_REAL, FA_AS_DOUBLE, &vr[2], 1, &start, 1);
            assert_int_equal(fa_get_derivatives(self, dx, 2), FA_DONE);
            if (from[way] == FA_MODE_EVENT) {
                assert_int_equal(fmi == 3 ? (int)fmi3ExitInitializationMode(self)
                                          : (int)fmi2ExitInitializationMode(self),
                                 0);
                disturb(self);
            }
            host.count = 0;
            assert_int_equal(enter_again(fmi, self), 0);
            assert_int_equal(enter_again(fmi, self), 0);
            assert_int_equal(host.count, 1); // told once
            assert_string_equal(host.category, "logStatusWarning");
            assert_int_equal(self->moment->mode, FA_MODE_INITIALIZATION);
            assert_true(self->value[OSC_MASS] == mass && self->value[OSC_FORCE] == force);
            assert_true(self->value[self->time_row] == 1.5 && self->moment->start == 1.5);
            assert_int_equal(fa_get_states(self, x, 2), FA_DONE);
            assert_true(x[0] == start && x[1] == self->value[OSC_INITIAL_VELOCITY]);
            assert_int_equal(fa_get_derivatives(self, again, 2), FA_DONE);
            assert_memory_equal(dx, again, sizeof dx);
            assert_int_equal(fmi == 3 ? (int)fmi3ExitInitializationMode(self)
                                      : (int)fmi2ExitInitializationMode(self),
                             0);
            fa_instance_free(self);
        }
}

static void states_and_derivatives_are_there_before_initialisation(void **state)
{
    (void)state;
    for (int fmi = 2; fmi <= 3; fmi++) {
        fmu_host       host;
        double         x[2], dx[2], start = 0.5;
        const uint32_t vr = OSC_INITIAL_POSITION + 1;
        fa_instance   *self = fmu_oscillator_new(fmi, FA_MODEL_EXCHANGE, &host);
        fa_set(self, FA_REAL, FA_AS_DOUBLE, &vr, 1, &start, 1);
        assert_int_equal(fmi == 3 ? (int)fmi3GetContinuousStates(self, x, 2)
                                  : (int)fmi2GetContinuousStates(self, x, 2),
                         0);
        assert_true(x[0] == start);
        assert_int_equal(fmi == 3 ? (int)fmi3GetContinuousStateDerivatives(self, dx, 2)
                                  : (int)fmi2GetDerivatives(self, dx, 2),
                         0);
        assert_true(dx[0] == x[1] && isfinite(dx[1]));
        assert_int_equal(host.count, 2); // each is told once, as a warning
        assert_string_equal(host.category, "logStatusWarning");
        fmu_go_to(fmi, FA_MODEL_EXCHANGE, self, FA_MODE_CONTINUOUS_TIME);
        fa_instance_free(self);
    }
}

static void failures_are_told_to_who_asked_for_nothing(void **state)
{
    (void)state;
    fmu_host       host;
    double         wrong = NAN, value;
    const uint32_t mass = OSC_MASS + 1, acceleration = OSC_ACCELERATION + 1;
    fa_instance   *self = fmu_oscillator_new(3, FA_CO_SIMULATION, &host);
    assert_int_equal(fmi3SetDebugLogging(self, false, 0, NULL), fmi3OK);
    host.count = 0;
    for (int i = 0; i < 3; i++)
        assert_int_equal(fmi3SetFloat64(self, &mass, 1, &wrong, 1), fmi3Discard);
    assert_int_equal(host.count, 1); // solvers repeat what is discarded
    assert_string_equal(host.category, "logStatusDiscard");
    assert_non_null(strstr(host.message, "'mass' must be"));
    assert_int_equal(fmi3Reset(self), fmi3OK);
    assert_int_equal(fmi3SetFloat64(self, &mass, 1, &wrong, 1), fmi3Discard);
    assert_int_equal(host.count, 2);

    // Warnings wait for someone who wants them.
    fmu_go_to(3, FA_CO_SIMULATION, self, FA_MODE_STEP);
    self->moment->touched = FA_SET_SINCE;
    self->moment->fresh = 0;
    assert_int_equal(fmi3GetFloat64(self, &acceleration, 1, &value, 1), fmi3OK);
    assert_int_equal(host.count, 2);

    for (int i = 0; i < 2; i++) {
        assert_int_equal(fmi3EnterConfigurationMode(self), fmi3Error);
        assert_string_equal(host.category, "logStatusError");
        assert_int_equal(host.count, 3 + i);
        assert_int_equal(fmi3Reset(self), fmi3OK);
    }
    // A choice of categories does not leave them out either.
    const char *const events = "logEvents";
    assert_int_equal(fmi3SetDebugLogging(self, true, 1, &events), fmi3OK);
    assert_int_equal(fmi3ExitConfigurationMode(self), fmi3Error);
    assert_int_equal(host.count, 5);
    fa_instance_free(self);
}

static int         told;
static const char *sentence;

static void listen(fmi2ComponentEnvironment environment, fmi2String name, fmi2Status status,
                   fmi2String category, fmi2String message, ...)
{
    (void)environment, (void)name, (void)category;
    assert_int_equal(status, fmi2Error);
    told++;
    sentence = strstr(message, "type") ? "type" : "";
}

static void the_type_of_an_instance_is_one_of_two(void **state)
{
    (void)state;
    const fmu_files            *files = fmu_files_for(2);
    const fmi2CallbackFunctions callbacks = {.logger = listen};
    assert_null(fmi2Instantiate("a", (fmi2Type)2, files->token, files->folder, &callbacks,
                                fmi2False, fmi2False));
    assert_int_equal(told, 1);
    assert_string_equal(sentence, "type");
    assert_null(fmi2Instantiate("a", (fmi2Type)-1, files->token, files->folder, NULL, fmi2False,
                                fmi2False));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(initialisation_can_be_repeated),
        cmocka_unit_test(states_and_derivatives_are_there_before_initialisation),
        cmocka_unit_test(failures_are_told_to_who_asked_for_nothing),
        cmocka_unit_test(the_type_of_an_instance_is_one_of_two),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
