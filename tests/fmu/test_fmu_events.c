// Switching plants: bounces and kicks at the times that a closed form gives, in event mode and
// inside communication steps.
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

static fa_instance *thrown(int fmi, fa_kind kind, fmu_host *host, int solver)
{
    fa_instance *self = fmu_plant_new(&fmu_ball, fmi, kind, host);
    self->value[FA_ROW_SOLVER] = solver;
    return self;
}

static int step(fa_instance *self, double t, double h)
{
    fmi3Boolean b[3];
    double      last;
    return self->fmi == 3 ? (int)fmi3DoStep(self, t, h, true, &b[0], &b[1], &b[2], &last)
                          : (int)fmi2DoStep(self, t, h, fmi2True);
}

// Height and bounces of the ball dropped from 1 m at g = 10, each time with 0.8 of the speed.
static double height_at(double t, int *bounces)
{
    double fall = sqrt(2 / 10.), speed = 10 * fall;
    *bounces = 0;
    if (t < fall) return 1 - 5 * t * t;
    for (t -= fall;; t -= 2 * speed / 10) {
        speed *= 0.8;
        ++*bounces;
        if (t < 2 * speed / 10) return speed * t - 5 * t * t;
    }
}

static void steps_find_every_bounce(void **state)
{
    (void)state;
    for (int fmi = 2; fmi <= 3; fmi++)
        for (int solver = 0; solver <= 4; solver++)
            for (int parts = 1; parts <= 300; parts = parts * 10 + 7) {
                fmu_host     host;
                fa_instance *self = thrown(fmi, FA_CO_SIMULATION, &host, solver);
                fmu_go_to(fmi, FA_CO_SIMULATION, self, FA_MODE_STEP);
                double worst = 0;
                for (int i = 0; i < parts; i++) {
                    int    bounces;
                    double want = height_at((i + 1) * 3. / parts, &bounces);
                    assert_int_equal(step(self, i * 3. / parts, 3. / parts), 0);
                    assert_true(self->value[BALL_BOUNCES] == bounces);
                    worst = fmax(worst, fabs(self->value[BALL_HEIGHT] - want));
                }
                // A bounce is found 1e-9 m deep, so 1e-9 / speed late; the slowest one has 0.8 m/s.
                assert_true(worst < 2e-8);
                fa_instance_free(self);
            }
}

static void kicks_come_in_time(void **state)
{
    (void)state;
    for (int solver = 0; solver <= 4; solver++) {
        fmu_host     host;
        fa_instance *self = thrown(3, FA_CO_SIMULATION, &host, solver);
        self->value[BALL_GRAVITY] = 0;
        self->value[BALL_PERIOD] = 0.3;
        fmu_go_to(3, FA_CO_SIMULATION, self, FA_MODE_STEP);
        for (int i = 0; i < 10; i++) assert_int_equal(step(self, i * 0.2, 0.2), 0);
        // Kicks of 1 m/s at 0.3, 0.6 … 1.8.
        double want = 1;
        for (int k = 1; k <= 6; k++) want += 2 - 0.3 * k;
        assert_true(self->value[BALL_KICKS] == 6 && self->value[BALL_VELOCITY] == 6);
        assert_true(fabs(self->value[BALL_HEIGHT] - want) < 1e-12);
        fa_instance_free(self);
    }
}

static void a_switching_run_restores_bit_by_bit(void **state)
{
    (void)state;
    fmu_host     host;
    double       kept[64];
    fmi3FMUState saved = NULL;
    fa_instance *self = thrown(3, FA_CO_SIMULATION, &host, 0);
    size_t       size = (size_t)self->states.rows * sizeof *kept;
    assert_true(size <= sizeof kept);
    self->value[BALL_PERIOD] = 0.37;
    fmu_go_to(3, FA_CO_SIMULATION, self, FA_MODE_STEP);
    for (int round = 0; round < 2; round++) {
        for (int i = round * 8; i < 16; i++) {
            if (i == 8 && round == 0) assert_int_equal(fmi3GetFMUState(self, &saved), fmi3OK);
            assert_int_equal(step(self, i * 0.15, 0.15), 0);
        }
        if (round == 0) {
            memcpy(kept, self->value, size);
            assert_int_equal(fmi3SetFMUState(self, saved), fmi3OK);
        }
    }
    assert_memory_equal(self->value, kept, size);
    assert_true(self->value[BALL_BOUNCES] > 2 && self->value[BALL_KICKS] > 2);
    assert_int_equal(fmi3FreeFMUState(self, &saved), fmi3OK);
    fa_instance_free(self);
}

static void a_discarded_step_takes_its_events_back(void **state)
{
    (void)state;
    fmu_host     host;
    double       kept[64];
    fa_instance *self = thrown(3, FA_CO_SIMULATION, &host, 0);
    fmu_go_to(3, FA_CO_SIMULATION, self, FA_MODE_STEP);
    assert_int_equal(step(self, 0, 0.1), 0);
    self->value[BALL_RESTITUTION] = 1.5; // noticed at the bounce
    memcpy(kept, self->value, (size_t)self->states.rows * sizeof *kept);
    assert_int_equal(step(self, 0.1, 2), fmi3Discard);
    assert_non_null(strstr(host.message, "the ball gains energy"));
    assert_true(self->value[BALL_BOUNCES] == 0 && self->value[BALL_TIME] == 0.1);
    assert_true(self->value[BALL_HEIGHT] == kept[BALL_HEIGHT]);
    self->value[BALL_RESTITUTION] = 0.5;
    assert_int_equal(step(self, 0.1, 1), 0);
    fa_instance_free(self);
}

// Evaluations that the first bounce takes, to a factor of two.
static double patience_of_a_bounce(int fmi, int solver)
{
    double patience = 1;
    for (int status = -1; status != 0; patience *= 2) {
        fmu_host     host;
        fa_instance *self = thrown(fmi, FA_CO_SIMULATION, &host, solver);
        self->patience = patience;
        fmu_go_to(fmi, FA_CO_SIMULATION, self, FA_MODE_STEP);
        status = step(self, 0, 0.6);
        fa_instance_free(self);
    }
    return patience;
}

// However many stretches events divide it into, a communication step takes so many evaluations in
// all, and the next one as many again.
static void all_events_of_a_step_share_its_patience(void **state)
{
    (void)state;
    for (int fmi = 2; fmi <= 3; fmi++)
        for (int solver = 0; solver <= 4; solver++) {
            fmu_host     host;
            fa_instance *self = thrown(fmi, FA_CO_SIMULATION, &host, solver);
            assert_true(self->patience == fa_trajectory_patience(self->n_states));
            self->patience = 2 * patience_of_a_bounce(fmi, solver);
            fmu_go_to(fmi, FA_CO_SIMULATION, self, FA_MODE_STEP);
            assert_int_equal(step(self, 0, 30), fmi3Discard); // some 15 bounces
            assert_non_null(strstr(host.message, " evaluations of the equations of motion led to"));
            const double reached = self->value[BALL_TIME];
            assert_true(fmi == 3 ? reached == 0 : reached > 0.6 && reached < 30);
            fa_instance_reset(self);
            self->value[FA_ROW_SOLVER] = solver;
            fmu_go_to(fmi, FA_CO_SIMULATION, self, FA_MODE_STEP);
            for (int i = 0; i < 6; i++) assert_int_equal(step(self, i * 0.5, 0.5), 0);
            int bounces;
            (void)height_at(3, &bounces);
            assert_true(self->value[BALL_BOUNCES] == bounces);
            fa_instance_free(self);
        }
}

static void event_mode_reports_what_has_changed(void **state)
{
    (void)state;
    for (int fmi = 2; fmi <= 3; fmi++) {
        fmu_host      host;
        fa_instance  *self = thrown(fmi, FA_MODEL_EXCHANGE, &host, 0);
        fmi2EventInfo info;
        bool          b[5];
        double        next, z, x[] = {-1e-6, -3}, got[2];
        self->value[BALL_PERIOD] = 0.25;
        fmu_go_to(fmi, FA_MODEL_EXCHANGE, self, FA_MODE_CONTINUOUS_TIME);
        if (fmi == 3) {
            assert_int_equal(fmi3SetTime(self, 0.1), fmi3OK);
            assert_int_equal(fmi3SetContinuousStates(self, x, 2), fmi3OK);
            assert_int_equal(fmi3GetEventIndicators(self, &z, 1), fmi3OK);
            assert_int_equal(fmi3EnterEventMode(self), fmi3OK);
            assert_int_equal(
                fmi3UpdateDiscreteStates(self, &b[0], &b[1], &b[2], &b[3], &b[4], &next), fmi3OK);
        } else {
            assert_int_equal(fmi2SetTime(self, 0.1), fmi2OK);
            assert_int_equal(fmi2SetContinuousStates(self, x, 2), fmi2OK);
            assert_int_equal(fmi2GetEventIndicators(self, &z, 1), fmi2OK);
            assert_int_equal(fmi2EnterEventMode(self), fmi2OK);
            assert_int_equal(fmi2NewDiscreteStates(self, &info), fmi2OK);
            b[0] = info.newDiscreteStatesNeeded, b[1] = info.terminateSimulation;
            b[2] = info.nominalsOfContinuousStatesChanged;
            b[3] = info.valuesOfContinuousStatesChanged, b[4] = info.nextEventTimeDefined;
            next = info.nextEventTime;
        }
        assert_true(z < 0 && !b[0] && !b[1] && !b[2] && b[3] && b[4] && next == 0.25);
        assert_int_equal(fa_get_states(self, got, 2), FA_DONE);
        assert_true(got[0] == 0 && fabs(got[1] - 2.4) < 1e-15);
        fa_instance_free(self);
    }
}

static void what_happens_is_told_on_request(void **state)
{
    (void)state;
    fmu_host     host;
    const char  *solver[] = {"logSolver"};
    fa_instance *self = thrown(3, FA_CO_SIMULATION, &host, FA_SOLVER_RUNGE_KUTTA4);
    fmu_go_to(3, FA_CO_SIMULATION, self, FA_MODE_STEP);
    host.count = 0;
    assert_int_equal(step(self, 0, 0.2), 0); // no bounce yet: nothing to tell
    assert_int_equal(host.count, 0);
    assert_int_equal(step(self, 0.2, 0.3), 0);
    assert_int_equal(host.count, 1);
    assert_string_equal(host.category, "logEvents");
    assert_non_null(strstr(host.message, "states have jumped"));
    assert_int_equal(fmi3SetDebugLogging(self, true, 1, solver), fmi3OK);
    assert_int_equal(step(self, 0.5, 0.1), 0);
    assert_int_equal(host.count, 2);
    assert_string_equal(host.category, "logSolver");
    // A stage that meets a point where the plant has been evaluated costs nothing.
    long calls = 0;
    assert_int_equal(sscanf(host.message, "fmi3DoStep: from t = 0.5 s to 0.6 s with %ld", &calls),
                     1);
    assert_true(calls >= 300 && calls <= 400);
    assert_non_null(strstr(host.message, " right-hand sides and 0 Jacobians"));
    fa_instance_free(self);
}

// A joint that sticks: its indicator is how far the push is from what lets it go, forwards or
// backwards, whichever is nearer, and friction need not be the same both ways.
static void an_indicator_is_the_way_to_the_nearer_edge(void **state)
{
    (void)state;
    const double forwards = 3, backwards = 1, h = 0.125;
    fmu_host     host;
    fa_robot    *robot = fa_robot_new(2);
    assert_non_null(robot);
    strcpy(robot->name, "sticking");
    strcpy(robot->link[0].name, "base");
    strcpy(robot->link[1].name, "rod");
    strcpy(robot->link[1].joint.name, "pivot");
    robot->tip_link = 1;
    robot->link[0].parent = FA_WORLD;
    robot->link[1].parent = 0;
    robot->link[1].mass = 1;
    robot->link[1].inertia = (fa_sym3){.xx = 0.1, .yy = 0.1, .zz = 0.1};
    robot->link[1].joint.type = FA_REVOLUTE;
    robot->link[1].joint.axis = (fa_vec3){0, 0, 1};
    robot->link[1].joint.friction = (fa_friction_data){.coulomb = 2,
                                                       .coulomb_negative = 0.5,
                                                       .width = FA_FRICTION_WIDTH,
                                                       .breakaway = forwards,
                                                       .breakaway_negative = backwards,
                                                       .stribeck = 0.1,
                                                       .sticks = true};
    assert_int_equal(fa_robot_check(robot, NULL, NULL), FA_OK);
    fa_instance *self = fmu_robot_new(robot, 3, false, FA_MODEL_EXCHANGE, &host);
    free(robot);
    fmu_go_to(3, FA_MODEL_EXCHANGE, self, FA_MODE_CONTINUOUS_TIME);
    const fmi3ValueReference torque = fmu_reference(self, "joint.pivot.torque");
    double                   slack = NAN, value;
    for (double push = h - backwards; push < forwards; push += h) {
        assert_int_equal(fmi3SetFloat64(self, &torque, 1, &push, 1), fmi3OK);
        assert_int_equal(fmi3GetEventIndicators(self, &value, 1), fmi3OK);
        const double way = fmin(forwards - push, push + backwards);
        if (isnan(slack)) slack = value - way; // the hysteresis, which is the same everywhere
        assert_true(slack >= 0 && slack < 0.5);
        assert_true(fabs(value - way - slack) < 1e-12); // some sums of numbers below 4
    }
    fmi3FreeInstance(self);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(an_indicator_is_the_way_to_the_nearer_edge),
        cmocka_unit_test(steps_find_every_bounce),
        cmocka_unit_test(kicks_come_in_time),
        cmocka_unit_test(a_switching_run_restores_bit_by_bit),
        cmocka_unit_test(a_discarded_step_takes_its_events_back),
        cmocka_unit_test(all_events_of_a_step_share_its_patience),
        cmocka_unit_test(event_mode_reports_what_has_changed),
        cmocka_unit_test(what_happens_is_told_on_request),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
