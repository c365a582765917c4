// Saved states restore every bit, and bytes that were changed on their way are refused.
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

#define STEPS 20

// One step with inputs of its own; the values of all rows afterwards.
static void step(int fmi, fa_instance *self, int i, double all[])
{
    const char *name[] = {"joint.joint1.force", "joint.joint2.torque", "joint.joint3.torque"};
    fmi2ValueReference vr[3];
    double             u[3];
    for (int k = 0; k < 3; k++) {
        vr[k] = fmu_reference(self, name[k]);
        u[k] = (k + 1) * ((i * 7 + k) % 5 - 2);
    }
    double t = i * 0.013;
    if (fmi == 3) {
        fmi3Boolean b[3];
        double      last;
        assert_int_equal(fmi3SetFloat64(self, vr, 3, u, 3), fmi3OK);
        assert_int_equal(fmi3DoStep(self, t, 0.013, false, &b[0], &b[1], &b[2], &last), fmi3OK);
    } else {
        assert_int_equal(fmi2SetReal(self, vr, 3, u), fmi2OK);
        assert_int_equal(fmi2DoStep(self, t, 0.013, fmi2False), fmi2OK);
    }
    fa_error error = fa_no_error();
    assert_int_equal(fa_refresh(self, FA_GROUP_ALL, &error), FA_OK);
    memcpy(all, self->value, (size_t)self->states.rows * sizeof *all);
}

static void *get_state(int fmi, fa_instance *self)
{
    void *saved = NULL;
    int status = fmi == 3 ? (int)fmi3GetFMUState(self, &saved) : (int)fmi2GetFMUstate(self, &saved);
    assert_int_equal(status, 0);
    return saved;
}

static int set_state(int fmi, fa_instance *self, void *saved)
{
    return fmi == 3 ? (int)fmi3SetFMUState(self, saved) : (int)fmi2SetFMUstate(self, saved);
}

static void free_state(int fmi, fa_instance *self, void *saved)
{
    int status =
        fmi == 3 ? (int)fmi3FreeFMUState(self, &saved) : (int)fmi2FreeFMUstate(self, &saved);
    assert_int_equal(status, 0);
    assert_null(saved);
}

// Bytes of a saved state, and from bytes, by the calls of the standard.
static size_t serialize(int fmi, fa_instance *self, void *saved, unsigned char **bytes)
{
    size_t size = 0;
    int    status = fmi == 3 ? (int)fmi3SerializedFMUStateSize(self, saved, &size)
                             : (int)fmi2SerializedFMUstateSize(self, saved, &size);
    assert_int_equal(status, 0);
    *bytes = malloc(size);
    assert_non_null(*bytes);
    status = fmi == 3 ? (int)fmi3SerializeFMUState(self, saved, *bytes, size)
                      : (int)fmi2SerializeFMUstate(self, saved, (fmi2Byte *)*bytes, size);
    assert_int_equal(status, 0);
    return size;
}

static int deserialize(int fmi, fa_instance *self, const unsigned char bytes[], size_t size,
                       void **saved)
{
    *saved = NULL;
    return fmi == 3 ? (int)fmi3DeserializeFMUState(self, bytes, size, saved)
                    : (int)fmi2DeSerializeFMUstate(self, (const fmi2Byte *)bytes, size, saved);
}

static void a_run_continues_from_a_saved_state_bit_by_bit(void **state)
{
    (void)state;
    for (int fmi = 2; fmi <= 3; fmi++)
        for (int solver = 0; solver <= 3; solver++) {
            fmu_host     host, other_host;
            fa_instance *self = fmu_new(fmi, FA_CO_SIMULATION, &host);
            fa_instance *other = fmu_new(fmi, FA_CO_SIMULATION, &other_host);
            int          n = self->states.rows;
            double      *first = calloc((size_t)(STEPS * n), sizeof *first);
            double      *again = calloc((size_t)n, sizeof *again);
            assert_true(first && again);
            self->value[FA_ROW_SOLVER] = solver;
            fmu_go_to(fmi, FA_CO_SIMULATION, self, FA_MODE_STEP);

            void *saved = NULL;
            for (int i = 0; i < STEPS; i++) {
                if (i == STEPS / 2) saved = get_state(fmi, self);
                step(fmi, self, i, first + (ptrdiff_t)i * n);
            }
            // The same instance goes back; another one goes on from the bytes.
            unsigned char *bytes;
            void          *copy;
            size_t         size = serialize(fmi, self, saved, &bytes);
            assert_int_equal(deserialize(fmi, other, bytes, size, &copy), 0);
            assert_int_equal(set_state(fmi, self, saved), 0);
            assert_int_equal(set_state(fmi, other, copy), 0);
            for (int i = STEPS / 2; i < STEPS; i++) {
                step(fmi, self, i, again);
                assert_memory_equal(again, first + (ptrdiff_t)i * n, (size_t)n * sizeof *again);
                step(fmi, other, i, again);
                assert_memory_equal(again, first + (ptrdiff_t)i * n, (size_t)n * sizeof *again);
            }
            free_state(fmi, self, saved);
            free_state(fmi, other, copy);
            free(bytes);
            free(first);
            free(again);
            fmu_free(fmi, self);
            fmu_free(fmi, other);
        }
}

static void a_state_brings_its_mode_and_parameters_back(void **state)
{
    (void)state;
    for (int mode = 0; mode < FA_MODE_COUNT; mode++)
        for (int fmi = 2; fmi <= 3; fmi++) {
            bool    steps = mode == FA_MODE_STEP || mode == FA_MODE_STEP_FAILED;
            fa_kind kind = steps ? FA_CO_SIMULATION : FA_MODEL_EXCHANGE;
            if (fmi == 3 && mode == FA_MODE_STEP_FAILED) continue;
            if (mode == FA_MODE_CONFIGURATION) continue; // test_arrays.c
            if (mode == FA_MODE_INTERMEDIATE) continue;  // nobody saves a state within a step
            fmu_host     host;
            fa_instance *self = fmu_new(fmi, kind, &host);
            int          mass = (int)fmu_reference(self, "payload.mass") - 1;
            self->value[mass] = 3.5;
            fmu_go_to(fmi, kind, self, (fa_mode)mode);
            void *saved = get_state(fmi, self);
            assert_int_equal(fmi == 3 ? (int)fmi3Reset(self) : (int)fmi2Reset(self), 0);
            assert_true(self->value[mass] != 3.5 && self->moment->mode == FA_MODE_INSTANTIATED);
            assert_int_equal(set_state(fmi, self, saved), 0);
            assert_true(self->value[mass] == 3.5 && self->moment->mode == mode);
            free_state(fmi, self, saved);
            fmu_free(fmi, self);
        }
}

// What no value shows is saved, too: rates of inputs that hold for one step, what was set since the
// last one, and whether states are yet to follow their initial parameters.
static void rates_of_inputs_are_saved(void **state)
{
    (void)state;
    fmu_host     host, other_host;
    fa_instance *self = fmu_new(2, FA_CO_SIMULATION, &host);
    fa_instance *other = fmu_new(2, FA_CO_SIMULATION, &other_host);
    int          n = self->states.rows;
    double *first = calloc((size_t)n, sizeof *first), *again = calloc((size_t)n, sizeof *again);
    assert_true(first && again);
    fmu_go_to(2, FA_CO_SIMULATION, self, FA_MODE_STEP);
    step(2, self, 0, again);
    fmi2ValueReference vr = fmu_reference(self, "joint.joint1.force");
    fmi2Integer        order = 1;
    fmi2Real           rate = -300;
    assert_int_equal(fmi2SetRealInputDerivatives(self, &vr, 1, &order, &rate), fmi2OK);
    void          *saved = get_state(2, self), *copy;
    unsigned char *bytes;
    size_t         size = serialize(2, self, saved, &bytes);
    step(2, self, 1, first);
    step(2, self, 2, again);
    assert_int_equal(fmi2Reset(self), fmi2OK); // takes the rates away
    assert_int_equal(set_state(2, self, saved), 0);
    step(2, self, 1, again);
    assert_memory_equal(again, first, (size_t)n * sizeof *again);
    assert_int_equal(deserialize(2, other, bytes, size, &copy), 0);
    assert_int_equal(set_state(2, other, copy), 0);
    step(2, other, 1, again);
    assert_memory_equal(again, first, (size_t)n * sizeof *again);
    // Without them the step ends elsewhere.
    assert_int_equal(set_state(2, self, saved), 0);
    rate = 0;
    assert_int_equal(fmi2SetRealInputDerivatives(self, &vr, 1, &order, &rate), fmi2OK);
    step(2, self, 1, again);
    assert_memory_not_equal(again, first, (size_t)n * sizeof *again);
    free_state(2, self, saved);
    free_state(2, other, copy);
    free(bytes);
    free(first);
    free(again);
    fmu_free(2, self);
    fmu_free(2, other);
}

static double position_of(int fmi, fa_instance *self)
{
    unsigned vr = fmu_reference(self, "joint.joint1.position");
    double   q = NAN;
    assert_int_equal(fmi == 3 ? (int)fmi3GetFloat64(self, &vr, 1, &q, 1)
                              : (int)fmi2GetReal(self, &vr, 1, &q),
                     0);
    return q;
}

static void states_follow_initial_parameters_as_they_would_have_without_saving(void **state)
{
    (void)state;
    for (int fmi = 2; fmi <= 3; fmi++)
        for (int mode = FA_MODE_INSTANTIATED; mode <= FA_MODE_INITIALIZATION; mode++) {
            if (mode == FA_MODE_CONFIGURATION) continue; // test_arrays.c
            fmu_host     host;
            fa_instance *self = fmu_new(fmi, FA_CO_SIMULATION, &host);
            unsigned     vr = fmu_reference(self, "joint.joint1.initial_position");
            double       q = 0.0625;
            fmu_go_to(fmi, FA_CO_SIMULATION, self, (fa_mode)mode);
            assert_int_equal(fmi == 3 ? (int)fmi3SetFloat64(self, &vr, 1, &q, 1)
                                      : (int)fmi2SetReal(self, &vr, 1, &q),
                             0);
            // Set, and nothing was got since: the state has not followed yet.
            void *early = get_state(fmi, self);
            if (mode == FA_MODE_INSTANTIATED) fmu_go_to(fmi, FA_CO_SIMULATION, self, FA_MODE_STEP);
            if (mode == FA_MODE_INITIALIZATION)
                assert_int_equal(fmi == 3 ? (int)fmi3ExitInitializationMode(self)
                                          : (int)fmi2ExitInitializationMode(self),
                                 0);
            assert_true(position_of(fmi, self) == q);
            double all[256];
            assert_true(self->states.rows <= 256);
            double t = self->value[self->time_row];
            if (fmi == 3) {
                fmi3Boolean b[3];
                assert_int_equal(fmi3DoStep(self, t, 0.25, false, &b[0], &b[1], &b[2], all), 0);
            } else {
                assert_int_equal(fmi2DoStep(self, t, 0.25, fmi2False), 0);
            }
            const double moved = position_of(fmi, self);
            assert_true(moved != q);
            void *late = get_state(fmi, self);
            assert_int_equal(set_state(fmi, self, early), 0);
            assert_true(position_of(fmi, self) == q);
            // A reset makes states follow again; a run that goes on does not.
            assert_int_equal(fmi == 3 ? (int)fmi3Reset(self) : (int)fmi2Reset(self), 0);
            assert_int_equal(set_state(fmi, self, late), 0);
            assert_true(position_of(fmi, self) == moved);
            free_state(fmi, self, early);
            free_state(fmi, self, late);
            fmu_free(fmi, self);
        }
}

static void a_place_for_a_state_is_used_again(void **state)
{
    (void)state;
    fmu_host     host;
    fa_instance *self = fmu_new(3, FA_MODEL_EXCHANGE, &host);
    void        *saved = get_state(3, self), *before = saved;
    assert_int_equal(fmi3GetFMUState(self, &saved), fmi3OK);
    assert_ptr_equal(saved, before);
    free_state(3, self, saved);
    saved = NULL;
    assert_int_equal(fmi3FreeFMUState(self, &saved), fmi3OK); // nothing to free
    fmu_free(3, self);
}

static void every_changed_byte_is_noticed(void **state)
{
    (void)state;
    for (int fmi = 2; fmi <= 3; fmi++) {
        fmu_host       host;
        fa_instance   *self = fmu_new(fmi, FA_CO_SIMULATION, &host);
        void          *saved = get_state(fmi, self), *copy;
        unsigned char *bytes;
        size_t         size = serialize(fmi, self, saved, &bytes);
        for (size_t i = 0; i < size; i++)
            for (int change = 1; change < 256; change = change * 2 + 5) {
                bytes[i] = (unsigned char)(bytes[i] ^ change);
                assert_int_not_equal(deserialize(fmi, self, bytes, size, &copy), 0);
                assert_null(copy);
                bytes[i] = (unsigned char)(bytes[i] ^ change);
            }
        // An error ends the run; what was saved goes on.
        assert_int_equal(self->moment->mode, FA_MODE_TERMINATED);
        assert_int_equal(set_state(fmi, self, saved), 0);
        assert_int_equal(self->moment->mode, FA_MODE_INSTANTIATED);
        assert_int_not_equal(deserialize(fmi, self, bytes, size - 1, &copy), 0);
        assert_int_not_equal(deserialize(fmi, self, NULL, size, &copy), 0);
        assert_int_equal(deserialize(fmi, self, bytes, size, &copy), 0);
        free_state(fmi, self, copy);
        free_state(fmi, self, saved);
        free(bytes);
        fmu_free(fmi, self);
    }
}

// Bytes with the right checksum that somebody made up, or states of an instance whose memory the
// host has overwritten: found by tests/fuzz/fuzz_state.c, where each of these ended in a crash or a
// step without end.
static void states_that_no_run_comes_to_are_refused(void **state)
{
    (void)state;
    fmu_host     host;
    fa_instance *self = fmu_new(3, FA_CO_SIMULATION, &host);
    void        *good = get_state(3, self);
    fa_moment   *m = self->moment;
    for (int i = 0; i < 11; i++) {
        assert_int_equal(set_state(3, self, good), 0);
        if (i == 0) m->value[FA_ROW_SOLVER] = 1e277;
        if (i == 1) m->value[FA_ROW_SOLVER] = 0.5;
        if (i == 2) m->value[FA_ROW_SOLVER_TOLERANCE] = -1;
        if (i == 3) m->next_event = NAN;
        if (i == 4) m->next_event = -1; // of an arm in which nothing switches
        if (i == 5) m->pace.returns = 4074797;
        if (i == 6) m->mode = FA_MODE_CONTINUOUS_TIME; // not of Co-Simulation
        if (i == 7) m->value[self->time_row] = INFINITY;
        if (i == 8) m->touched = 9;
        if (i == 9) m->tolerance = NAN;
        if (i == 10) m->pace.step = INFINITY;
        void *bad = NULL;
        assert_int_equal(fa_save(self, (fa_saved_state **)&bad), FA_DONE);
        m->mode = FA_MODE_INSTANTIATED; // in which it can be told what follows
        assert_int_equal(set_state(3, self, good), 0);
        assert_int_equal(set_state(3, self, bad), fmi3Error);
        assert_non_null(strstr(host.message, "no run"));
        assert_int_equal(self->moment->mode, FA_MODE_TERMINATED);
        free(bad);
    }
    assert_int_equal(set_state(3, self, good), 0);
    free_state(3, self, good);
    fmu_free(3, self);
}

static void states_of_other_kinds_are_refused(void **state)
{
    (void)state;
    fmu_host     host[4];
    fa_instance *exchange = fmu_new(3, FA_MODEL_EXCHANGE, &host[0]);
    fa_instance *steps = fmu_new(3, FA_CO_SIMULATION, &host[1]);
    fa_instance *oscillator = fmu_oscillator_new(3, FA_CO_SIMULATION, &host[2]);
    void        *saved = get_state(3, exchange);
    assert_int_equal(set_state(3, steps, saved), fmi3Error);
    assert_int_equal(set_state(3, oscillator, saved), fmi3Error);
    assert_int_equal(set_state(3, exchange, NULL), fmi3Error);
    assert_string_equal(host[1].category, "logStatusError");
    free_state(3, exchange, saved);
    fmu_free(3, exchange);
    fmu_free(3, steps);
    free(oscillator);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_run_continues_from_a_saved_state_bit_by_bit),
        cmocka_unit_test(a_state_brings_its_mode_and_parameters_back),
        cmocka_unit_test(rates_of_inputs_are_saved),
        cmocka_unit_test(states_follow_initial_parameters_as_they_would_have_without_saving),
        cmocka_unit_test(a_place_for_a_state_is_used_again),
        cmocka_unit_test(every_changed_byte_is_noticed),
        cmocka_unit_test(states_that_no_run_comes_to_are_refused),
        cmocka_unit_test(states_of_other_kinds_are_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
