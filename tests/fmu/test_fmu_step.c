// Co-Simulation: steps of any size, what they reach when they fail, and inputs that move.
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

static fa_instance *ready(int fmi, fmu_host *host, double stop)
{
    fa_instance *self = fmu_oscillator_new(fmi, FA_CO_SIMULATION, host);
    bool         limited = stop > 0;
    if (fmi == 3) {
        assert_int_equal(fmi3EnterInitializationMode(self, false, 0, 0, limited, stop), fmi3OK);
        assert_int_equal(fmi3ExitInitializationMode(self), fmi3OK);
    } else {
        assert_int_equal(fmi2SetupExperiment(self, fmi2False, 0, 0, limited, stop), fmi2OK);
        assert_int_equal(fmi2EnterInitializationMode(self), fmi2OK);
        assert_int_equal(fmi2ExitInitializationMode(self), fmi2OK);
    }
    return self;
}

// The same call in both standards; last: where the FMU says that it is.
static int step(int fmi, fa_instance *self, double t, double h, double *last)
{
    *last = NAN;
    if (fmi == 3) {
        fmi3Boolean b[3] = {true, true, true};
        int         status = (int)fmi3DoStep(self, t, h, true, &b[0], &b[1], &b[2], last);
        if (status != (int)fmi3Error) assert_false(b[0] || b[1] || b[2]);
        return status;
    }
    int status = (int)fmi2DoStep(self, t, h, fmi2True);
    if (status != (int)fmi2Error)
        assert_int_equal(fmi2GetRealStatus(self, fmi2LastSuccessfulTime, last), fmi2OK);
    return status;
}

static void set(fa_instance *self, int row, double value)
{
    uint32_t vr = (uint32_t)row + 1;
    int      status = self->fmi == 3 ? (int)fmi3SetFloat64(self, &vr, 1, &value, 1)
                                     : (int)fmi2SetReal(self, &vr, 1, &value);
    assert_int_equal(status, 0);
}

static double get(fa_instance *self, int row)
{
    uint32_t vr = (uint32_t)row + 1;
    double   value;
    int      status = self->fmi == 3 ? (int)fmi3GetFloat64(self, &vr, 1, &value, 1)
                                     : (int)fmi2GetReal(self, &vr, 1, &value);
    assert_int_equal(status, 0);
    return value;
}

// Position of the oscillator that nothing pushes: m = 2, k = 50, d = 0.5.
static double swing(double t, double x0, double v0)
{
    double decay = 0.5 / (2 * 2), w = sqrt(50. / 2 - decay * decay);
    return exp(-decay * t) * (x0 * cos(w * t) + (v0 + decay * x0) / w * sin(w * t));
}

static void any_positive_step_is_taken(void **state)
{
    (void)state;
    for (int fmi = 2; fmi <= 3; fmi++) {
        fmu_host     host;
        fa_instance *self = ready(fmi, &host, 0);
        const double h[] = {1e-9, 0.1, 1e-3, 3, 0.7654321, 1e-6, 2};
        double       t = 0, last, worst = 0;
        for (size_t i = 0; i < sizeof h / sizeof *h; i++) {
            assert_int_equal(step(fmi, self, t, h[i], &last), 0);
            t += h[i];
            assert_true(last == t && self->value[OSC_TIME] == t);
            worst = fmax(worst, fabs(get(self, OSC_POSITION) - swing(t, 0.25, -1)));
        }
        print_message("worst error %.1e m in %.1f s\n", worst, t);
        // A hundred steps of the solver, each within 1e-8 of (nominal 0.5 + |x|).
        assert_true(worst < 1e-6);
        assert_int_equal(host.count, 0);
        fa_instance_free(self);
    }
}

static void many_small_steps_meet_one_large_one(void **state)
{
    (void)state;
    fmu_host     host;
    fa_instance *self = ready(3, &host, 0);
    double       last;
    // As hosts count: multiples and sums differ by rounding, and neither is refused.
    double sum = 0;
    for (int i = 0; i < 100000; i++) {
        assert_int_equal(step(3, self, i % 2 ? i * 1e-4 : sum, 1e-4, &last), 0);
        sum += 1e-4;
    }
    assert_true(fabs(get(self, OSC_POSITION) - swing(10, 0.25, -1)) < 1e-6);
    fa_instance_free(self);
}

static void steps_that_lead_nowhere_are_errors(void **state)
{
    (void)state;
    const struct {
        double from, size;
    } wrong[] = {{0, 0}, {0, -0.1}, {0, NAN}, {0, INFINITY}, {0.5, 0.1}, {NAN, 0.1}, {0, 1.001}};
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++)
        for (int fmi = 2; fmi <= 3; fmi++) {
            fmu_host     host;
            double       last;
            fa_instance *self = ready(fmi, &host, 1);
            assert_int_equal(step(fmi, self, wrong[i].from, wrong[i].size, &last), fmi3Error);
            assert_int_equal(host.count, 1);
            assert_string_equal(host.category, "logStatusError");
            fa_instance_free(self);
        }
}

static void the_stop_time_can_be_reached_and_not_passed(void **state)
{
    (void)state;
    for (int fmi = 2; fmi <= 3; fmi++) {
        fmu_host     host;
        fa_instance *self = ready(fmi, &host, 1);
        double       t = 0, last;
        for (int i = 0; i < 10; i++, t += 0.1) // 1.0999999999999999 / 0.1 …: rounding both ways
            assert_int_equal(step(fmi, self, t, 0.1, &last), 0);
        assert_int_equal(step(fmi, self, t, 1e-3, &last), fmi3Error);
        // An error is not the end: reset, and go on.
        assert_int_equal(fmi == 3 ? (int)fmi3Reset(self) : (int)fmi2Reset(self), 0);
        fmu_go_to(fmi, FA_CO_SIMULATION, self, FA_MODE_STEP);
        assert_int_equal(step(fmi, self, 0, 5, &last), 0);
        fa_instance_free(self);
    }
}

// Rises with 1 m/s towards a wall at 0.5 m.
static fa_instance *towards_the_wall(int fmi, fmu_host *host)
{
    fa_instance *self = fmu_oscillator_new(fmi, FA_CO_SIMULATION, host);
    set(self, OSC_STIFFNESS, 0);
    set(self, OSC_DAMPING, 0);
    set(self, OSC_INITIAL_POSITION, 0);
    set(self, OSC_INITIAL_VELOCITY, 1);
    set(self, OSC_WALL, 0.5);
    fmu_go_to(fmi, FA_CO_SIMULATION, self, FA_MODE_STEP);
    return self;
}

static void fmi3_takes_a_failed_step_back(void **state)
{
    (void)state;
    fmu_host     host;
    double       last;
    fa_instance *self = towards_the_wall(3, &host);
    assert_int_equal(step(3, self, 0, 0.25, &last), fmi3OK);
    double x = get(self, OSC_POSITION);
    assert_int_equal(step(3, self, 0.25, 1, &last), fmi3Discard);
    assert_string_equal(host.category, "logStatusDiscard");
    assert_non_null(strstr(host.message, "the mass is in the wall"));
    assert_true(last == 0.25 && get(self, OSC_POSITION) == x && self->value[OSC_TIME] == 0.25);
    // And goes on: a shorter step, or another input.
    assert_int_equal(step(3, self, 0.25, 0.125, &last), fmi3OK);
    set(self, OSC_FORCE, -100);
    assert_int_equal(step(3, self, 0.375, 1, &last), fmi3OK);
    fa_instance_free(self);
}

static void fmi2_stays_at_the_last_good_point(void **state)
{
    (void)state;
    fmu_host     host;
    double       last;
    fmi2FMUstate saved = NULL;
    fmi2Status   status;
    fa_instance *self = towards_the_wall(2, &host);
    assert_int_equal(fmi2GetFMUstate(self, &saved), fmi2OK);
    assert_int_equal(step(2, self, 0, 1, &last), fmi2Discard);
    // To rounding: the solver shortens its step until the wall is a few units away.
    assert_true(fabs(last - 0.5) < 1e-12 && last <= 0.5);
    assert_true(fabs(get(self, OSC_POSITION) - last) < 1e-12);
    assert_int_equal(fmi2GetStatus(self, fmi2DoStepStatus, &status), fmi2OK);
    assert_int_equal(status, fmi2Discard);
    assert_int_equal(fmi2SetFMUstate(self, saved), fmi2OK);
    assert_int_equal(step(2, self, 0, 0.25, &last), fmi2OK);
    assert_int_equal(fmi2FreeFMUstate(self, &saved), fmi2OK);
    fa_instance_free(self);
}

static void inputs_move_as_their_derivatives_say(void **state)
{
    (void)state;
    // x'' = (u + r t) / m: a cubic, which the methods of order four and more integrate exactly.
    for (int solver = 1; solver <= 4; solver++) {
        fmu_host           host;
        double             last, rate = 3;
        fmi2ValueReference vr = OSC_FORCE + 1;
        fmi2Integer        order = 1;
        fa_instance       *self = towards_the_wall(2, &host);
        self->value[OSC_WALL] = 1e9;
        self->value[FA_ROW_SOLVER] = solver;
        set(self, OSC_FORCE, 2);
        assert_int_equal(fmi2SetRealInputDerivatives(self, &vr, 1, &order, &rate), fmi2OK);
        assert_int_equal(step(2, self, 0, 2, &last), fmi2OK);
        double want = 2 + (2 * 4 / 2. + 3 * 8 / 6.) / 2;
        assert_true(fabs(get(self, OSC_POSITION) - want) < 1e-13);
        assert_true(get(self, OSC_FORCE) == 2 + 3 * 2); // where it has come to
        // For that one step: now it stays.
        double v = get(self, OSC_VELOCITY), x = get(self, OSC_POSITION);
        assert_int_equal(step(2, self, 2, 1, &last), fmi2OK);
        assert_true(fabs(get(self, OSC_POSITION) - (x + v + 8. / 2 / 2)) < 1e-12);
        order = 2;
        assert_int_equal(fmi2SetRealInputDerivatives(self, &vr, 1, &order, &rate), fmi2Error);
        fa_instance_free(self);
    }
}

// Kutta's rule as Swartz (1982) prints it, ten steps of a millisecond.
static void kutta(double x[2], double force)
{
    const double h = 1e-3, m = 2, k = 50, d = 0.5;
    for (int i = 0; i < 10; i++) {
        double c1 = x[1], k1 = (force - k * x[0] - d * x[1]) / m;
        double c2 = x[1] + h / 2 * k1;
        double k2 = (force - k * (x[0] + h / 2 * c1) - d * c2) / m;
        double c3 = x[1] + 2 * h * k2 - h * k1;
        double k3 = (force - k * (x[0] + 2 * h * c2 - h * c1) - d * c3) / m;
        x[0] += h / 6 * (c1 + 4 * c2 + c3);
        x[1] += h / 6 * (k1 + 4 * k2 + k3);
    }
}

static void ten_milliseconds_are_ten_of_kuttas_steps(void **state)
{
    (void)state;
    fmu_host     host;
    double       last, x[2] = {0.25, -1};
    fa_instance *self = fmu_oscillator_new(3, FA_CO_SIMULATION, &host);
    self->value[FA_ROW_SOLVER] = FA_SOLVER_KUTTA3;
    fmu_go_to(3, FA_CO_SIMULATION, self, FA_MODE_STEP);
    for (int i = 0; i < 300; i++) {
        double force = i % 7 - 3;
        set(self, OSC_FORCE, force);
        assert_int_equal(step(3, self, i * 0.01, 0.01, &last), fmi3OK);
        kutta(x, force);
    }
    // Rounding alone, of 3000 steps; seen 1e-14.
    assert_true(fabs(get(self, OSC_POSITION) - x[0]) < 1e-13);
    assert_true(fabs(get(self, OSC_VELOCITY) - x[1]) < 1e-12);
    fa_instance_free(self);
}

static void the_hosts_tolerance_can_only_tighten(void **state)
{
    (void)state;
    double error[3];
    double asked[] = {0, 1e-3, 1e-11};
    for (int i = 0; i < 3; i++) {
        fmu_host     host;
        double       last;
        fa_instance *self = fmu_oscillator_new(3, FA_CO_SIMULATION, &host);
        assert_int_equal(fmi3EnterInitializationMode(self, asked[i] > 0, asked[i], 0, false, 0),
                         fmi3OK);
        assert_int_equal(fmi3ExitInitializationMode(self), fmi3OK);
        assert_int_equal(step(3, self, 0, 10, &last), fmi3OK);
        error[i] = fabs(get(self, OSC_POSITION) - swing(10, 0.25, -1));
        fa_instance_free(self);
    }
    assert_true(error[0] == error[1] && error[2] < error[0] / 100);
}

// Inverse dynamics as a block: inputs go straight to outputs, and time just goes on.
static void a_plant_without_states_steps(void **state)
{
    (void)state;
    for (int fmi = 2; fmi <= 3; fmi++) {
        fmu_host     host;
        double       last;
        fa_instance *self = fmu_plant_new(fa_plant_find("inverse"), fmi, FA_CO_SIMULATION, &host);
        assert_int_equal(self->n_states, 0);
        fmu_go_to(fmi, FA_CO_SIMULATION, self, FA_MODE_STEP);
        for (int i = 0; i < 3; i++) assert_int_equal(step(fmi, self, i * 0.5, 0.5, &last), 0);
        assert_true(last == 1.5 && host.count == 0);
        fa_instance_free(self);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(any_positive_step_is_taken),
        cmocka_unit_test(many_small_steps_meet_one_large_one),
        cmocka_unit_test(steps_that_lead_nowhere_are_errors),
        cmocka_unit_test(the_stop_time_can_be_reached_and_not_passed),
        cmocka_unit_test(fmi3_takes_a_failed_step_back),
        cmocka_unit_test(fmi2_stays_at_the_last_good_point),
        cmocka_unit_test(inputs_move_as_their_derivatives_say),
        cmocka_unit_test(ten_milliseconds_are_ten_of_kuttas_steps),
        cmocka_unit_test(the_hosts_tolerance_can_only_tighten),
        cmocka_unit_test(a_plant_without_states_steps),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
