// Co-Simulation of stiff machines: what the implicit solver costs and how close it comes.
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

#define STATES 6 // of the small arm
#define MOTION 6 // of them; the others are accounts of energy

// Right-hand sides so far, a Jacobian counted as one for each state and one for time.
static long cost_of(const fmu_host *host, int n)
{
    long        calls = -1, jacobians = -1;
    const char *from = strstr(host->message, " with ");
    if (!from || sscanf(from, " with %ld right-hand sides and %ld", &calls, &jacobians) != 2)
        fail_msg("no cost in: %s", host->message);
    return calls + (n + 1) * jacobians;
}

static void step(fa_instance *self, double t, double h)
{
    fmi3Boolean b[3];
    double      last;
    assert_int_equal(fmi3DoStep(self, t, h, true, &b[0], &b[1], &b[2], &last), fmi3OK);
}

// One second of the small arm with Coulomb friction in its joints that turns around within
// 2 mrad/s, or mm/s, in steps of 10 ms.
static long rub(int solver, double tolerance, double x[STATES])
{
    fmu_host     host;
    fa_instance *self = fmu_new(3, FA_CO_SIMULATION, &host);
    const char  *only[] = {"logSolver"};
    long         cost = 0;
    assert_int_equal(fmi3SetDebugLogging(self, true, 1, only), fmi3OK);
    self->value[FA_ROW_SOLVER] = solver;
    self->value[FA_ROW_SOLVER_TOLERANCE] = tolerance;
    for (int joint = 1; joint <= 3; joint++) {
        char name[64];
        (void)snprintf(name, sizeof name, "joint.joint%d.coulomb_friction", joint);
        self->value[fmu_reference(self, name) - 1] = 8;
        (void)snprintf(name, sizeof name, "joint.joint%d.coulomb_friction_negative", joint);
        self->value[fmu_reference(self, name) - 1] = 8;
        (void)snprintf(name, sizeof name, "joint.joint%d.friction_width", joint);
        self->value[fmu_reference(self, name) - 1] = 2e-3;
    }
    fmu_go_to(3, FA_CO_SIMULATION, self, FA_MODE_STEP);
    for (int i = 0; i < 100; i++) {
        step(self, i * 0.01, 0.01);
        cost += cost_of(&host, STATES);
    }
    assert_int_equal(fa_get_states(self, x, STATES), FA_DONE);
    fmi3FreeInstance(self);
    return cost;
}

static void narrow_friction_costs_a_twentieth(void **state)
{
    (void)state;
    double reference[STATES], x[STATES];
    long   explicit_cost = rub(FA_SOLVER_DORMAND_PRINCE, 1e-8, x);
    rub(FA_SOLVER_ROSENBROCK, 1e-10, reference);
    for (int solver = 0; solver <= 4; solver += 4) {
        long   cost = rub(solver, 1e-8, x);
        double off = 0;
        for (int i = 0; i < MOTION; i++) off = fmax(off, fabs(x[i] - reference[i]));
        print_message("solver %d: %ld evaluations for %ld, off by %.1e\n", solver, cost,
                      explicit_cost, off);
        assert_true(cost * 20 < explicit_cost);
        assert_true(off < 1e-6); // of a hundred steps with 1e-8 each
    }
    // The explicit method agrees, so that both are right.
    for (int i = 0; i < MOTION; i++) assert_true(fabs(x[i] - reference[i]) < 1e-6);
}

// The oscillator, heavily damped, while its force rises.
static long creep(int solver, double tolerance, double x[2])
{
    fmu_host           host;
    fmi2ValueReference vr = OSC_FORCE + 1;
    fmi2Integer        order = 1;
    double             rate = 3000;
    const char        *only[] = {"logSolver"};
    fa_instance       *self = fmu_oscillator_new(2, FA_CO_SIMULATION, &host);
    assert_int_equal(fmi2SetDebugLogging(self, fmi2True, 1, only), fmi2OK);
    self->value[FA_ROW_SOLVER] = solver;
    self->value[FA_ROW_SOLVER_TOLERANCE] = tolerance;
    self->value[OSC_DAMPING] = 1e5;
    self->value[OSC_STIFFNESS] = 1e6;
    self->value[OSC_RAMP] = 200;
    fmu_go_to(2, FA_CO_SIMULATION, self, FA_MODE_STEP);
    long cost = 0;
    for (int i = 0; i < 5; i++) {
        assert_int_equal(fmi2SetRealInputDerivatives(self, &vr, 1, &order, &rate), fmi2OK);
        assert_int_equal(fmi2DoStep(self, i * 0.1, 0.1, fmi2True), fmi2OK);
        cost += cost_of(&host, 2);
        rate = -0.5 * rate;
    }
    assert_int_equal(fa_get_states(self, x, 2), FA_DONE);
    fmi2FreeInstance(self);
    return cost;
}

static void moving_inputs_and_time_are_in_the_jacobian(void **state)
{
    (void)state;
    double want[2], x[2];
    long   dear = creep(FA_SOLVER_DORMAND_PRINCE, 1e-11, want);
    long   cheap = creep(FA_SOLVER_ROSENBROCK, 1e-8, x);
    print_message("%ld evaluations for %ld, off by %.1e\n", cheap, dear, fabs(x[0] - want[0]));
    assert_true(cheap * 20 < dear);
    assert_true(fabs(x[0] - want[0]) < 1e-8 && fabs(x[1] - want[1]) < 1e-6);
    // What the force's slope does to the result is four times what is allowed here: a method that
    // held the input, or left out its slope, would not pass.
}

static void the_choice_is_saved_with_the_state(void **state)
{
    (void)state;
    double       x[2][2];
    fmi3FMUState saved = NULL;
    fmu_host     host;
    fa_instance *self = fmu_oscillator_new(3, FA_CO_SIMULATION, &host);
    self->value[OSC_DAMPING] = 1e4;
    fmu_go_to(3, FA_CO_SIMULATION, self, FA_MODE_STEP);
    for (int i = 0; i < 10; i++) step(self, i * 0.02, 0.02);
    assert_true(self->moment->pace.implicit);
    assert_int_equal(fmi3GetFMUState(self, &saved), fmi3OK);
    for (int round = 0; round < 2; round++) {
        for (int i = 10; i < 20; i++) step(self, i * 0.02, 0.02);
        assert_int_equal(fa_get_states(self, x[round], 2), FA_DONE);
        if (round == 0) {
            assert_int_equal(fmi3Reset(self), fmi3OK);
            assert_false(self->moment->pace.implicit);
            assert_int_equal(fmi3SetFMUState(self, saved), fmi3OK);
        }
    }
    assert_memory_equal(x[0], x[1], sizeof x[0]);
    assert_int_equal(fmi3FreeFMUState(self, &saved), fmi3OK);
    fa_instance_free(self);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(narrow_friction_costs_a_twentieth),
        cmocka_unit_test(moving_inputs_and_time_are_in_the_jacobian),
        cmocka_unit_test(the_choice_is_saved_with_the_state),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
