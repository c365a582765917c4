// FMI 3.0 Co-Simulation beyond plain steps: event mode, early return and intermediate updates.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <fmi3Functions.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "fmu_help.h"

typedef struct ended {
    bool   event, early;
    double time;
} ended;

static fmi3Status step(fa_instance *self, double t, double h, ended *end)
{
    fmi3Boolean terminate = true;
    fmi3Status  status =
        fmi3DoStep(self, t, h, true, &end->event, &terminate, &end->early, &end->time);
    assert_false(terminate);
    return status;
}

// --- events: the ball, dropped from 1 m at g = 10, keeps 0.8 of its speed

static fa_instance *dropped(bool event_mode, bool early, fmu_host *host)
{
    fa_setup     wishes = {.event_mode = event_mode, .early_return = early};
    fa_instance *self = fmu_plant_new_with(&fmu_ball, 3, FA_CO_SIMULATION, host, &wishes);
    self->value[BALL_PERIOD] = 0.75;
    assert_int_equal(fmi3EnterInitializationMode(self, false, 0, 0, false, 0), fmi3OK);
    assert_int_equal(fmi3ExitInitializationMode(self), fmi3OK);
    return self;
}

static void update(fa_instance *self, bool *states_changed)
{
    fmi3Boolean again = true, terminate, nominals, timed;
    fmi3Float64 next;
    *states_changed = false;
    for (int i = 0; again; i++) {
        fmi3Boolean changed;
        assert_true(i < 3);
        assert_int_equal(
            fmi3UpdateDiscreteStates(self, &again, &terminate, &nominals, &changed, &timed, &next),
            fmi3OK);
        *states_changed |= changed;
        assert_true(timed && !terminate && !nominals);
    }
    assert_int_equal(fmi3EvaluateDiscreteStates(self), fmi3OK);
}

// To 3 s in steps of 0.1 s by a host that does what it is told; events that it saw.
static int ride(fa_instance *self)
{
    bool   changed;
    double t = 0;
    int    events = 0;
    if (self->event_mode) {
        assert_int_equal(self->moment->mode, FA_MODE_EVENT);
        update(self, &changed);
        assert_int_equal(fmi3EnterStepMode(self), fmi3OK);
    }
    for (int i = 1; i <= 30; i++)
        while (t < i * 0.1) {
            ended end;
            assert_int_equal(step(self, t, i * 0.1 - t, &end), fmi3OK);
            assert_true(end.time > t && end.time == self->value[BALL_TIME]);
            assert_true(end.early == (end.time < i * 0.1));
            t = end.early ? end.time : i * 0.1;
            events += end.early || end.event;
            if (!end.event) continue;
            const double bounces = self->value[BALL_BOUNCES], kicks = self->value[BALL_KICKS];
            assert_int_equal(fmi3EnterEventMode(self), fmi3OK);
            update(self, &changed);
            assert_true(changed &&
                        self->value[BALL_BOUNCES] + self->value[BALL_KICKS] == bounces + kicks + 1);
            assert_int_equal(fmi3EnterStepMode(self), fmi3OK);
        }
    return events;
}

static void every_way_to_meet_an_event_leads_to_the_same_motion(void **state)
{
    (void)state;
    double height[4], bounces = 0;
    for (int way = 0; way < 4; way++) {
        const bool   event_mode = way & 1, early = way & 2;
        fmu_host     host;
        fa_instance *self = dropped(event_mode, early, &host);
        int          events = ride(self);
        height[way] = self->value[BALL_HEIGHT];
        if (way == 0) bounces = self->value[BALL_BOUNCES];
        assert_true(bounces >= 3 && self->value[BALL_BOUNCES] == bounces);
        assert_true(self->value[BALL_KICKS] == 4); // at 0.75, 1.5, 2.25 and 3 s
        // Whoever lets itself be returned to sees them all; the kick at the end of the last step,
        // that at 1.5 s too, is one that even a host sees that does not.
        print_message("event mode %d, early return %d: %d events\n", event_mode, early, events);
        assert_int_equal(events, way == 0   ? 0
                                 : way == 1 ? 2
                                 : way == 2 ? (int)bounces + 2
                                            : (int)bounces + 4);
        // A bounce is found 1e-9 m deep, at 1e-8 of its time at most.
        assert_true(fabs(height[way] - height[0]) < 1e-7);
        fa_instance_free(self);
    }
}

static void an_event_left_alone_is_handled_by_the_next_step(void **state)
{
    (void)state;
    fmu_host     host;
    ended        end;
    bool         changed;
    fa_instance *self = dropped(true, true, &host), *other = dropped(false, false, &host);
    update(self, &changed);
    assert_int_equal(fmi3EnterStepMode(self), fmi3OK);
    assert_int_equal(step(self, 0, 0.6, &end), fmi3OK);
    assert_true(end.event && end.early);
    fmi3FMUState saved = NULL; // what is due is part of the state
    assert_int_equal(fmi3GetFMUState(self, &saved), fmi3OK);
    for (int round = 0; round < 2; round++) {
        assert_int_equal(step(self, end.time, 0.6 - end.time, &end), fmi3OK);
        assert_true(!end.event && !end.early && self->value[BALL_BOUNCES] == 1);
        assert_int_equal(fmi3SetFMUState(self, saved), fmi3OK);
        end.time = self->value[BALL_TIME];
    }
    assert_int_equal(step(self, end.time, 0.6 - end.time, &end), fmi3OK);
    assert_int_equal(step(other, 0, 0.6, &end), fmi3OK);
    assert_true(fabs(self->value[BALL_HEIGHT] - other->value[BALL_HEIGHT]) < 1e-8);
    assert_int_equal(fmi3FreeFMUState(self, &saved), fmi3OK);
    fa_instance_free(self);
    free(other);
}

static void event_mode_is_for_those_who_asked_and_for_plants_that_switch(void **state)
{
    (void)state;
    fmu_host     host;
    fa_instance *self = dropped(false, false, &host);
    assert_int_equal(fmi3EnterEventMode(self), fmi3Error);
    assert_non_null(strstr(host.message, "said at the beginning that it uses event mode"));
    assert_int_equal(fmi3Reset(self), fmi3OK);
    fa_instance_free(self);
    fa_setup wishes = {.event_mode = true};
    assert_null(fmu_plant_try(&fmu_oscillator, 3, FA_CO_SIMULATION, &host, &wishes));
    assert_non_null(strstr(host.message, "hasEventMode"));
}

// --- intermediate updates: the oscillator with a force that the host knows

typedef struct listener {
    fa_instance *self;
    double       last, finished_at;
    int          calls, finished;
    double       return_at; // INFINITY: never
    int          mistake;   // to make in the next call that … 0: none
    fmi3Status   got;
} listener;

static double force_at(double t)
{
    return 40 * sin(7 * t);
}

static listener ear; // there is one host here, in one thread

static void listen(const fa_instance *const_self, double t, bool finished, bool may_return,
                   double *until)
{
    fa_instance             *self = ear.self;
    const fmi3ValueReference force = OSC_FORCE + 1, position = OSC_POSITION + 1,
                             mass = OSC_MASS + 1;
    const double u = force_at(t);
    double       x;
    assert_ptr_equal(const_self, self);
    assert_true(t >= ear.finished_at);
    ear.calls++;
    if (self->may_set && ear.mistake != 4)
        assert_int_equal(fmi3SetFloat64(self, &force, 1, &u, 1), fmi3OK);
    if (finished) {
        assert_true(self->may_get);
        assert_int_equal(fmi3GetFloat64(self, &position, 1, &x, 1), fmi3OK);
        assert_true(x == self->value[OSC_POSITION] && self->value[OSC_TIME] == t);
        ear.finished++;
        ear.finished_at = t;
        if (may_return && t < ear.return_at) *until = ear.return_at;
    }
    fmi3Boolean b[3];
    switch (ear.mistake) {
    case 1:
        if (!finished) ear.got = fmi3GetFloat64(self, &position, 1, &x, 1);
        break;
    case 2:
        ear.got = fmi3SetFloat64(self, &mass, 1, &u, 1);
        break;
    case 3:
        ear.got = fmi3DoStep(self, t, 0.1, true, &b[0], &b[1], &b[2], &x);
        break;
    case 4:
        ear.got = fmi3Reset(self);
        break;
    case 5:
        fmi3FreeInstance(self);
        ear.got = fmi3Error;
        break;
    default:
        break;
    }
    ear.last = t;
}

static fa_instance *listening(bool inputs, bool early, int solver, fmu_host *host)
{
    const uint32_t list[] = {OSC_FORCE + 1, OSC_POSITION + 1};
    fa_setup       wishes = {.early_return = early,
                             .intermediate = inputs ? list : list + 1,
                             .n_intermediate = inputs ? 2 : 1,
                             .host.update = listen};
    fa_instance   *self = fmu_plant_new_with(&fmu_oscillator, 3, FA_CO_SIMULATION, host, &wishes);
    self->value[FA_ROW_SOLVER] = solver;
    self->value[FA_ROW_SOLVER_TOLERANCE] = 1e-9;
    fmu_go_to(3, FA_CO_SIMULATION, self, FA_MODE_STEP);
    ear = (listener){.self = self, .return_at = INFINITY};
    return self;
}

// Position at t by many small steps of Runge and Kutta's; m = 2, k = 50, d = 0.5.
static double swung(double end)
{
    const int    n = 200000;
    const double h = end / n;
    double       x[2] = {0.25, -1};
    for (int i = 0; i < n; i++) {
        double k[4][2];
        for (int s = 0; s < 4; s++) {
            const double c = s == 0 ? 0 : s == 3 ? 1 : 0.5, t = (i + c) * h;
            const double p = x[0] + (s ? c * h * k[s - 1][0] : 0);
            const double v = x[1] + (s ? c * h * k[s - 1][1] : 0);
            k[s][0] = v;
            k[s][1] = (force_at(t) - 50 * p - 0.5 * v) / 2;
        }
        for (int j = 0; j < 2; j++) x[j] += h / 6 * (k[0][j] + 2 * k[1][j] + 2 * k[2][j] + k[3][j]);
    }
    return x[0];
}

static void inputs_follow_their_host_within_the_step(void **state)
{
    (void)state;
    const double want = swung(2);
    const int solver[] = {FA_SOLVER_DORMAND_PRINCE, FA_SOLVER_RUNGE_KUTTA4, FA_SOLVER_ROSENBROCK};
    for (int i = 0; i < 3; i++) {
        fmu_host     host;
        ended        end;
        fa_instance *self = listening(true, false, solver[i], &host);
        for (int k = 0; k < 2; k++) assert_int_equal(step(self, k, 1, &end), fmi3OK);
        const double off = fabs(self->value[OSC_POSITION] - want);
        print_message("solver %d: off by %.1e in two steps of a second, %d updates, %d finished\n",
                      solver[i], off, ear.calls, ear.finished);
        // A host that can set its force only every second is off by a tenth.
        assert_true(off < 1e-7);
        assert_true(ear.finished_at == 2 && !end.early && host.count == 0);
        fa_instance_free(self);
    }
}

static void who_only_listens_changes_nothing(void **state)
{
    (void)state;
    double       x[2];
    fmu_host     host;
    ended        end;
    fa_instance *self = listening(false, false, 0, &host);
    assert_int_equal(step(self, 0, 3, &end), fmi3OK);
    assert_true(ear.calls == ear.finished && ear.calls > 20);
    x[0] = self->value[OSC_POSITION];
    fa_instance_free(self);
    self = fmu_oscillator_new(3, FA_CO_SIMULATION, &host);
    self->value[FA_ROW_SOLVER_TOLERANCE] = 1e-9;
    fmu_go_to(3, FA_CO_SIMULATION, self, FA_MODE_STEP);
    assert_int_equal(step(self, 0, 3, &end), fmi3OK);
    x[1] = self->value[OSC_POSITION];
    fa_instance_free(self);
    assert_true(x[0] == x[1]);
}

static void a_host_is_returned_to_when_it_asks(void **state)
{
    (void)state;
    for (int early = 0; early < 2; early++) {
        fmu_host     host;
        ended        end;
        fa_instance *self = listening(true, early, 0, &host);
        ear.return_at = 0.625;
        assert_int_equal(step(self, 0, 1, &end), fmi3OK);
        assert_true(end.early == early && end.time == (early ? 0.625 : 1) && !end.event);
        ear.return_at = INFINITY;
        if (early) assert_int_equal(step(self, 0.625, 0.375, &end), fmi3OK);
        assert_true(end.time == 1 && !end.early);
        assert_true(fabs(self->value[OSC_POSITION] - swung(1)) < 1e-7);
        fa_instance_free(self);
    }
}

static void mistakes_within_a_step_end_it_and_not_the_process(void **state)
{
    (void)state;
    const char *said[] = {NULL,
                          "no values belong to it",
                          "fixed parameter",
                          "cannot be called",
                          "cannot be called",
                          "cannot be freed"};
    for (int mistake = 1; mistake <= 5; mistake++) {
        fmu_host     host;
        ended        end;
        fa_instance *self = listening(true, true, 0, &host);
        ear.mistake = mistake;
        assert_int_equal(step(self, 0, 1, &end), fmi3Error);
        assert_int_equal(ear.got, fmi3Error);
        assert_int_equal(host.count, 1);
        if (!strstr(host.message, said[mistake])) fail_msg("%s", host.message);
        assert_int_equal(self->moment->mode, FA_MODE_TERMINATED);
        // As after any error: reset, and go on.
        ear = (listener){.self = self, .return_at = INFINITY};
        assert_int_equal(fmi3Reset(self), fmi3OK);
        fmu_go_to(3, FA_CO_SIMULATION, self, FA_MODE_STEP);
        assert_int_equal(step(self, 0, 1, &end), fmi3OK);
        fa_instance_free(self);
    }
}

// Through the callback of the standard.
typedef struct arm_host {
    fmu_host     log;
    fmi3Instance arm;
    int          calls;
    bool         flags_ok;
} arm_host;

static void tell(fmi3InstanceEnvironment environment, fmi3Status status, fmi3String category,
                 fmi3String message)
{
    (void)status, (void)category;
    fail_msg("%p: %s", environment, message);
}

static void standard_update(fmi3InstanceEnvironment environment, fmi3Float64 time, fmi3Boolean set,
                            fmi3Boolean get, fmi3Boolean finished, fmi3Boolean can_return,
                            fmi3Boolean *requested, fmi3Float64 *at)
{
    arm_host          *host = environment;
    fmi3ValueReference out = fmu_reference(host->arm, "joint.joint1.position");
    fmi3Int32          order = 1;
    fmi3Float64        x, rate;
    host->calls++;
    host->flags_ok &= !set && get && finished;
    host->flags_ok &= fmi3GetFloat64(host->arm, &out, 1, &x, 1) == fmi3OK && isfinite(x);
    host->flags_ok &= fmi3GetOutputDerivatives(host->arm, &out, 1, &order, &rate, 1) == fmi3OK;
    if (can_return && time > 0.3) {
        *requested = true;
        *at = time;
    }
}

static void the_standards_callback_is_called(void **state)
{
    (void)state;
    const fmu_files *files = fmu_files_for(3);
    arm_host         host = {.flags_ok = true};
    host.arm = fmi3InstantiateCoSimulation("test", files->token, files->folder, false, true, false,
                                           true, NULL, 0, &host, tell, standard_update);
    assert_non_null(host.arm);
    fmu_go_to(3, FA_CO_SIMULATION, host.arm, FA_MODE_STEP);
    ended end;
    assert_int_equal(step(host.arm, 0, 1, &end), fmi3OK);
    assert_true(host.calls > 2 && host.flags_ok);
    assert_true(end.early && end.time > 0.3 && end.time < 1);
    fmi3FreeInstance(host.arm);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_way_to_meet_an_event_leads_to_the_same_motion),
        cmocka_unit_test(an_event_left_alone_is_handled_by_the_next_step),
        cmocka_unit_test(event_mode_is_for_those_who_asked_and_for_plants_that_switch),
        cmocka_unit_test(inputs_follow_their_host_within_the_step),
        cmocka_unit_test(who_only_listens_changes_nothing),
        cmocka_unit_test(a_host_is_returned_to_when_it_asks),
        cmocka_unit_test(mistakes_within_a_step_end_it_and_not_the_process),
        cmocka_unit_test(the_standards_callback_is_called),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
