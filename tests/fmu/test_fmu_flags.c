// Flags from which nothing follows, such as a wheel that would slip: they change where both
// standards let discrete variables change, and stop nobody's steps.
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <fmi2Functions.h>
#include <fmi3Functions.h>
#include <stdlib.h>
#include <string.h>

#include "fmu_help.h"

enum { LINKS = 5 };

static const double weak = 1e-4, strong = 50; // torques that wheels hold, and do not [N m]

static fa_instance *contender(int fmi, fa_kind kind, fmu_host *host)
{
    fa_robot    *robot = fmu_snake(LINKS);
    fa_instance *self = fmu_robot_new(robot, fmi, false, kind, host);
    free(robot);
    return self;
}

static double value_of(fa_instance *self, const char *name)
{
    return self->value[fmu_reference(self, name) - 1];
}

static void push(int fmi, fa_instance *self, double torque)
{
    const unsigned vr = fmu_reference(self, "joint1.torque");
    const int      status = fmi == 3 ? (int)fmi3SetFloat64(self, &vr, 1, &torque, 1)
                                     : (int)fmi2SetReal(self, &vr, 1, &torque);
    assert_int_equal(status, 0);
}

// Returns true if the flags are unchanged; stores them.
static bool unchanged(fa_instance *self, double kept[LINKS + 2])
{
    double now[LINKS + 2];
    memcpy(now, self->value + fmu_reference(self, "wheel1.slip") - 1, LINKS * sizeof *now);
    now[LINKS] = value_of(self, "slipped");
    now[LINKS + 1] = value_of(self, "control_lost");
    const bool same = memcmp(now, kept, sizeof now) == 0;
    memcpy(kept, now, sizeof now);
    return same;
}

static bool completed_step(int fmi, fa_instance *self)
{
    if (fmi == 3) {
        fmi3Boolean event, end;
        assert_int_equal(fmi3CompletedIntegratorStep(self, true, &event, &end), fmi3OK);
        return event;
    }
    fmi2Boolean event, end;
    assert_int_equal(fmi2CompletedIntegratorStep(self, fmi2True, &event, &end), fmi2OK);
    return event != fmi2False;
}

static void update(int fmi, fa_instance *self)
{
    if (fmi == 3) {
        fmi3Boolean b[5];
        double      next;
        assert_int_equal(fmi3EnterEventMode(self), fmi3OK);
        assert_int_equal(fmi3UpdateDiscreteStates(self, &b[0], &b[1], &b[2], &b[3], &b[4], &next),
                         fmi3OK);
        return;
    }
    fmi2EventInfo info;
    assert_int_equal(fmi2EnterEventMode(self), fmi2OK);
    assert_int_equal(fmi2NewDiscreteStates(self, &info), fmi2OK);
}

static void go_on(int fmi, fa_instance *self)
{
    assert_int_equal(fmi == 3 ? (int)fmi3EnterContinuousTimeMode(self)
                              : (int)fmi2EnterContinuousTimeMode(self),
                     0);
}

// A wheel that slips for the first time asks for an event, which remembers it; nothing else does,
// and between events all flags stay.
static void in_model_exchange_flags_change_in_event_mode_alone(void **state)
{
    (void)state;
    for (int fmi = 2; fmi <= 3; fmi++) {
        fmu_host     host;
        fa_instance *self = contender(fmi, FA_MODEL_EXCHANGE, &host);
        double       kept[LINKS + 2];
        push(fmi, self, weak);
        fmu_go_to(fmi, FA_MODEL_EXCHANGE, self, FA_MODE_CONTINUOUS_TIME);
        (void)unchanged(self, kept);
        assert_true(value_of(self, "slipped") == 0);
        assert_false(completed_step(fmi, self));
        push(fmi, self, strong);
        assert_true(completed_step(fmi, self));
        assert_true(unchanged(self, kept));

        push(fmi, self, weak); // over before the event
        update(fmi, self);
        assert_true(value_of(self, "slipped") == 1 && value_of(self, "wheel1.slip") == 0);
        (void)unchanged(self, kept);
        go_on(fmi, self);

        int asked = 0;
        for (int i = 0; i < 1000; i++) {
            push(fmi, self, i % 2 ? weak : strong);
            asked += completed_step(fmi, self);
            assert_true(unchanged(self, kept));
        }
        assert_int_equal(asked, 0);
        push(fmi, self, strong);
        update(fmi, self);
        assert_true(value_of(self, "wheel1.slip") == 1);
        fmu_free(fmi, self);
    }
}

static void what_was_seen_is_part_of_the_saved_state(void **state)
{
    (void)state;
    for (int fmi = 2; fmi <= 3; fmi++) {
        fmu_host     host[2];
        void        *saved = NULL;
        fa_instance *self = contender(fmi, FA_MODEL_EXCHANGE, &host[0]);
        fa_instance *other = contender(fmi, FA_MODEL_EXCHANGE, &host[1]);
        fmu_go_to(fmi, FA_MODEL_EXCHANGE, self, FA_MODE_CONTINUOUS_TIME);
        push(fmi, self, strong);
        assert_true(completed_step(fmi, self));
        push(fmi, self, weak);
        if (fmi == 3) {
            assert_int_equal(fmi3GetFMUState(self, &saved), fmi3OK);
            assert_int_equal(fmi3SetFMUState(other, saved), fmi3OK);
            assert_int_equal(fmi3FreeFMUState(self, &saved), fmi3OK);
        } else {
            assert_int_equal(fmi2GetFMUstate(self, &saved), fmi2OK);
            assert_int_equal(fmi2SetFMUstate(other, saved), fmi2OK);
            assert_int_equal(fmi2FreeFMUstate(self, &saved), fmi2OK);
        }
        update(fmi, other);
        assert_true(value_of(other, "slipped") == 1 && value_of(other, "wheel1.slip") == 0);
        fmu_free(fmi, other);
        fmu_free(fmi, self);
    }
}

static bool step(int fmi, fa_instance *self, int i)
{
    if (fmi == 2) {
        assert_int_equal(fmi2DoStep(self, i * 1e-4, 1e-4, fmi2True), fmi2OK);
        return false;
    }
    fmi3Boolean event, end, early;
    double      last;
    assert_int_equal(fmi3DoStep(self, i * 1e-4, 1e-4, true, &event, &end, &early, &last), fmi3OK);
    assert_false(early);
    return event;
}

static void in_co_simulation_flags_change_at_communication_points(void **state)
{
    (void)state;
    for (int fmi = 2; fmi <= 3; fmi++) {
        fmu_host     host;
        fa_instance *self = contender(fmi, FA_CO_SIMULATION, &host);
        push(fmi, self, weak);
        fmu_go_to(fmi, FA_CO_SIMULATION, self, FA_MODE_STEP);
        assert_false(step(fmi, self, 0));
        assert_true(value_of(self, "slipped") == 0);
        push(fmi, self, strong);
        assert_true(value_of(self, "slipped") == 0);
        assert_false(step(fmi, self, 1));
        assert_true(value_of(self, "slipped") == 1 && value_of(self, "wheel1.slip") == 1);
        push(fmi, self, weak);
        assert_false(step(fmi, self, 2));
        assert_true(value_of(self, "slipped") == 1 && value_of(self, "wheel1.slip") == 0);
        fmu_free(fmi, self);
    }
}

// A snake that moves faster and faster: the friction coefficient decides when wheels slip. Gives
// the largest share of the grip of any wheel that the first `steps` steps come to.
static double run(fa_instance *self, int steps, bool *told, double kept[LINKS + 2])
{
    const unsigned usage = fmu_reference(self, "wheel1.slip_usage");
    double         most = 0, now;
    *told = false;
    for (int i = 0; i <= steps; i++) {
        for (unsigned k = 0; k < LINKS; k++) {
            const unsigned vr = usage + k;
            assert_int_equal(fmi3GetFloat64(self, &vr, 1, &now, 1), fmi3OK);
            if (now > most) most = now;
        }
        if (i == steps || *told) break;
        *told = step(3, self, i);
        if (self->event_mode) assert_true(unchanged(self, kept));
    }
    return most;
}

static fa_instance *swinging(fmu_host *host, bool event_mode, double grip)
{
    fa_robot *robot = fmu_snake(LINKS);
    robot->snake.input = FA_SNAKE_GAIT;
    robot->snake.gait = (fa_gait_data){true, 0.5, 30, 0, 0.1, 0, 5, 0, INFINITY};
    for (int k = 0; k < LINKS; k++) {
        robot->link[k].segment.ground.grip.coefficient = grip;
        robot->link[k].segment.initial_angle = 0.1 * k; // servos at rest
        robot->link[k].joint.stop.present = true;       // which events are for
    }
    fa_instance *self = fmu_robot_new(robot, 3, false, FA_CO_SIMULATION, host);
    self->event_mode = event_mode;
    fmu_go_to(3, FA_CO_SIMULATION, self, FA_MODE_STEP);
    free(robot);
    return self;
}

// A host that uses event mode sees them change there, and is sent there once.
static void with_event_mode_flags_change_in_that(void **state)
{
    (void)state;
    fmu_host     host;
    bool         told;
    double       kept[LINKS + 2];
    fa_instance *self = swinging(&host, false, 1e6);
    const double at_first = run(self, 0, &told, kept), later = run(self, 1000, &told, kept);
    fmu_free(3, self);
    print_message("share of the grip: %g at first, %g later\n", at_first, later);
    assert_true(later > 1.5 * at_first && !told);

    self = swinging(&host, true, 1e6 * (at_first + later) / 2); // between the two
    (void)unchanged(self, kept);
    (void)run(self, 1000, &told, kept);
    assert_true(told && value_of(self, "slipped") == 0);
    update(3, self);
    assert_true(value_of(self, "slipped") == 1);
    fmu_free(3, self);

    self = swinging(&host, true, 1e9); // nothing slips, and nobody is sent anywhere
    (void)unchanged(self, kept);
    (void)run(self, 1000, &told, kept);
    assert_false(told);
    fmu_free(3, self);
}

// Control is lost where controllability is well below its limit, and not near it.
static void control_is_lost_below_the_limit_alone(void **state)
{
    (void)state;
    static const struct {
        double limit; // as a multiple of what controllability is
        bool   lost;
    } row[] = {{0.5, false}, {0.97, false}, {1, false}, {1.03, false}, {1.1, true}, {3, true}};
    for (size_t i = 0; i < sizeof row / sizeof *row; i++) {
        fmu_host  host;
        double    now, limit;
        fa_robot *robot = fmu_snake(LINKS);
        for (int k = 0; k < LINKS; k++) robot->link[k].segment.initial_angle = 0.2 * k * (k - 2);
        fa_instance   *self = fmu_robot_new(robot, 3, false, FA_CO_SIMULATION, &host);
        const unsigned vr = fmu_reference(self, "controllability"),
                       of = fmu_reference(self, "controllability_limit");
        free(robot);
        fmu_go_to(3, FA_CO_SIMULATION, self, FA_MODE_INITIALIZATION);
        assert_int_equal(fmi3GetFloat64(self, &vr, 1, &now, 1), fmi3OK);
        assert_true(now > 1e-6);
        limit = row[i].limit * now;
        assert_int_equal(fmi3SetFloat64(self, &of, 1, &limit, 1), fmi3OK);
        assert_int_equal(fmi3ExitInitializationMode(self), fmi3OK);
        assert_int_equal(value_of(self, "control_lost"), row[i].lost);
        fmu_free(3, self);
    }
}

// Wheels of a long snake begin and end to slip all the time: a host's integrator is asked to stop
// once, that of Co-Simulation never.
static void a_thousand_wheels_stop_an_integrator_once(void **state)
{
    (void)state;
    enum { MANY = 1000, STEPS = 200 };
    fa_robot *robot = fmu_snake(MANY);
    fmu_host  host;
    robot->snake.input = FA_SNAKE_GAIT;
    robot->snake.gait = (fa_gait_data){true, 0.5, 30, 0.6, 0, 0, 5, 0, INFINITY};
    for (int k = 0; k < MANY; k++) robot->link[k].segment.ground.grip.coefficient = 0.05;
    fa_instance *self = fmu_robot_new(robot, 3, false, FA_MODEL_EXCHANGE, &host);
    fmu_go_to(3, FA_MODEL_EXCHANGE, self, FA_MODE_CONTINUOUS_TIME);
    const unsigned first = fmu_reference(self, "wheel1.slip_usage");
    const size_t   n = (size_t)self->n_states;
    double        *x = malloc(2 * n * sizeof *x), *dx = x + n, usage[MANY];
    int            asked = 0, flips = 0;
    bool           slips[MANY] = {false};
    unsigned       vr[MANY];
    for (unsigned k = 0; k < MANY; k++) vr[k] = first + k;
    assert_int_equal(fmi3GetContinuousStates(self, x, n), fmi3OK);
    for (int i = 0; i < STEPS; i++) {
        assert_int_equal(fmi3GetContinuousStateDerivatives(self, dx, n), fmi3OK);
        for (size_t k = 0; k < n; k++) x[k] += 1e-3 * dx[k];
        assert_int_equal(fmi3SetTime(self, (i + 1) * 1e-3), fmi3OK);
        assert_int_equal(fmi3SetContinuousStates(self, x, n), fmi3OK);
        assert_int_equal(fmi3GetFloat64(self, vr, MANY, usage, MANY), fmi3OK);
        for (int k = 0; k < MANY; k++) {
            flips += i > 0 && slips[k] != (usage[k] > 1);
            slips[k] = usage[k] > 1;
        }
        if (!completed_step(3, self)) continue;
        asked++;
        update(3, self);
        go_on(3, self);
    }
    fmu_free(3, self);
    free(x);
    print_message("%d flips\n", flips);
    assert_true(flips > 100 && asked <= 1);

    self = fmu_robot_new(robot, 3, false, FA_CO_SIMULATION, &host);
    fmu_go_to(3, FA_CO_SIMULATION, self, FA_MODE_STEP);
    const int told = host.count;
    for (int i = 0; i < 20; i++) (void)step(3, self, i);
    assert_int_equal(host.count, told); // an event would have been logged, as the first one was
    assert_non_null(strstr(host.message, "an event at t = 0 s"));
    fmu_free(3, self);
    free(robot);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(in_model_exchange_flags_change_in_event_mode_alone),
        cmocka_unit_test(what_was_seen_is_part_of_the_saved_state),
        cmocka_unit_test(in_co_simulation_flags_change_at_communication_points),
        cmocka_unit_test(with_event_mode_flags_change_in_that),
        cmocka_unit_test(control_is_lost_below_the_limit_alone),
        cmocka_unit_test(a_thousand_wheels_stop_an_integrator_once),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
