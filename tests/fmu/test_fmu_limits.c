// Joints that leave their limits, where nothing stops them: the host is told once of each, at the
// next communication point, and nothing else changes by it.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <fmi2Functions.h>
#include <fmi3Functions.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "fmu_help.h"

enum { JOINTS = 4 };

static const char warning[] = "logStatusWarning";

// Joint 1 has both limits, joint 2 an upper one, joint 3 a lower one, joint 4 both and a stop.
static fa_instance *limited(int fmi, fa_kind kind, fmu_host *host)
{
    fa_robot *robot = fa_robot_new(JOINTS + 1);
    assert_non_null(robot);
    strcpy(robot->name, "limited");
    robot->tip_link = JOINTS;
    for (int i = 0; i <= JOINTS; i++) {
        fa_link *link = &robot->link[i];
        (void)snprintf(link->name, sizeof link->name, "link%d", i);
        (void)snprintf(link->joint.name, sizeof link->joint.name, "joint%d", i);
        link->parent = i - 1;
        link->joint.type = i == 0 ? FA_FIXED : FA_REVOLUTE;
        link->joint.axis = (fa_vec3){0, 0, 1};
        link->mass = 1;
        link->inertia = (fa_sym3){.xx = 0.01, .yy = 0.01, .zz = 0.01};
        if (i == 1 || i == 3 || i == 4) link->joint.limit.lower = -0.5;
        if (i == 1 || i == 2 || i == 4) link->joint.limit.upper = 0.5;
    }
    robot->link[4].joint.stop = (fa_stop_data){true, 1000, 10};
    assert_int_equal(fa_robot_check(robot, NULL, NULL), FA_OK);
    fa_instance *self = fmu_robot_new(robot, fmi, false, kind, host);
    free(robot);
    return self;
}

static void set(fa_instance *self, const char *name, double value)
{
    const unsigned vr = fmu_reference(self, name);
    assert_int_equal(self->fmi == 3 ? (int)fmi3SetFloat64(self, &vr, 1, &value, 1)
                                    : (int)fmi2SetReal(self, &vr, 1, &value),
                     0);
}

static double value_of(fa_instance *self, const char *name)
{
    return self->value[fmu_reference(self, name) - 1];
}

static void complete(fa_instance *self)
{
    if (self->fmi == 3) {
        fmi3Boolean event, end;
        assert_int_equal(fmi3CompletedIntegratorStep(self, true, &event, &end), fmi3OK);
        assert_false(event || end);
        return;
    }
    fmi2Boolean event, end;
    assert_int_equal(fmi2CompletedIntegratorStep(self, fmi2True, &event, &end), fmi2OK);
    assert_false(event || end);
}

static void step(fa_instance *self)
{
    const double t = self->value[self->time_row], h = 0.01;
    fmi3Boolean  b[3];
    double       last;
    assert_int_equal(self->fmi == 3 ? (int)fmi3DoStep(self, t, h, true, &b[0], &b[1], &b[2], &last)
                                    : (int)fmi2DoStep(self, t, h, fmi2True),
                     0);
}

static void reset(fa_instance *self)
{
    assert_int_equal(self->fmi == 3 ? (int)fmi3Reset(self) : (int)fmi2Reset(self), 0);
}

static void choose_no_messages(fa_instance *self)
{
    assert_int_equal(self->fmi == 3 ? (int)fmi3SetDebugLogging(self, false, 0, NULL)
                                    : (int)fmi2SetDebugLogging(self, fmi2False, 0, NULL),
                     0);
}

static bool spoke_of(const fmu_host *host, const char *joint, const char *limit)
{
    return strcmp(host->category, warning) == 0 && host->status == 0 &&
           strstr(host->message, joint) && strstr(host->message, limit);
}

static void go_to(fa_instance *self, const double q[JOINTS])
{
    for (int i = 0; i < JOINTS; i++) {
        char name[32];
        (void)snprintf(name, sizeof name, "joint.joint%d.position", i + 1);
        set(self, name, q[i]);
    }
}

static void a_host_of_model_exchange_is_told_once_of_each_joint(void **state)
{
    (void)state;
    for (int fmi = 2; fmi <= 3; fmi++) {
        fmu_host     host;
        fa_instance *self = limited(fmi, FA_MODEL_EXCHANGE, &host);
        for (int run = 0; run < 2; run++) {
            fmu_go_to(fmi, FA_MODEL_EXCHANGE, self, FA_MODE_CONTINUOUS_TIME);
            host.count = 0;
            complete(self);
            go_to(self, (double[]){0.5, -7, 7, 0.6}); // at its limit; sides without one; stopped
            complete(self);
            assert_int_equal(host.count, 0);
            go_to(self, (double[]){-0.6, 0, 0, 0}); // on the way, no step is kept here
            go_to(self, (double[]){0, 0, 0, 0});
            complete(self);
            assert_int_equal(host.count, 0);

            go_to(self, (double[]){-0.75, 0, 0, 0});
            complete(self);
            assert_int_equal(host.count, 1);
            assert_true(spoke_of(&host, "'joint.joint1.position' is -0.75", "limit -0.5"));
            go_to(self, (double[]){0.9, 1.25, 0, 0});
            complete(self);
            assert_int_equal(host.count, 2);
            assert_true(spoke_of(&host, "'joint.joint2.position' is 1.25", "limit 0.5"));
            go_to(self, (double[]){0.9, 1.25, -0.625, 0});
            complete(self);
            complete(self);
            assert_int_equal(host.count, 3);
            assert_true(spoke_of(&host, "'joint.joint3.position' is -0.625", "limit -0.5"));
            reset(self); // another run: told again
        }
        fa_instance_free(self);
    }
}

// A host that does not tell of its steps, as FMPy does, is told where it enters event mode or
// terminates; of points that it has only tried it is not.
static void a_host_that_completes_no_steps_is_told_at_the_end(void **state)
{
    (void)state;
    for (int fmi = 2; fmi <= 3; fmi++)
        for (int ends = 0; ends < 2; ends++) {
            fmu_host     host;
            fa_instance *self = limited(fmi, FA_MODEL_EXCHANGE, &host);
            fmu_go_to(fmi, FA_MODEL_EXCHANGE, self, FA_MODE_CONTINUOUS_TIME);
            host.count = 0;
            go_to(self, (double[]){0, 1.25, 0, 0}); // tried, and not kept
            go_to(self, (double[]){-0.75, 0, 0, 0});
            assert_int_equal(host.count, 0);
            const int status = fmi == 3
                                   ? (int)(ends ? fmi3Terminate(self) : fmi3EnterEventMode(self))
                                   : (int)(ends ? fmi2Terminate(self) : fmi2EnterEventMode(self));
            assert_int_equal(status, 0);
            assert_int_equal(host.count, 1);
            assert_true(spoke_of(&host, "'joint.joint1.position' is -0.75", "limit -0.5"));
            fa_instance_free(self);
        }
}

// Moments of an instance that tells and of one that does not are the same, byte by byte.
static void a_step_that_tells_has_the_same_numbers(void **state)
{
    (void)state;
    for (int fmi = 2; fmi <= 3; fmi++) {
        fmu_host     host[2];
        fa_instance *self[2];
        for (int k = 0; k < 2; k++) {
            self[k] = limited(fmi, FA_CO_SIMULATION, &host[k]);
            if (k == 1) choose_no_messages(self[k]);
            set(self[k], "joint.joint1.initial_velocity", 10);
            fmu_go_to(fmi, FA_CO_SIMULATION, self[k], FA_MODE_STEP);
            host[k].count = 0;
        }
        int told_at = -1;
        for (int i = 0; i < 20; i++) {
            step(self[0]);
            step(self[1]);
            assert_memory_equal(self[0]->moment, self[1]->moment, self[0]->moment_size);
            const bool beyond = value_of(self[0], "joint.joint1.position") > 0.5 + 1e-6;
            if (told_at < 0 && spoke_of(&host[0], "joint.joint1.position", "limit 0.5")) {
                assert_true(beyond);
                told_at = i;
            }
            assert_true(beyond == (told_at >= 0));
        }
        assert_true(told_at > 2);
        assert_int_equal(host[1].count, 0);
        fa_instance_free(self[0]);
        fa_instance_free(self[1]);
    }
}

// What has been told is no part of a saved state: it is not said again after going back.
static void going_back_tells_nothing_again(void **state)
{
    (void)state;
    fmu_host     host;
    fa_instance *self = limited(3, FA_CO_SIMULATION, &host);
    set(self, "joint.joint1.initial_velocity", 10);
    fmu_go_to(3, FA_CO_SIMULATION, self, FA_MODE_STEP);
    fa_saved_state *saved = NULL;
    assert_int_equal(fa_save(self, &saved), FA_DONE);
    host.count = 0;
    for (int i = 0; i < 10; i++) step(self);
    const int told = host.count;
    assert_true(told > 0);
    assert_int_equal(fa_restore(self, saved), FA_DONE);
    for (int i = 0; i < 10; i++) step(self);
    // Messages of events that happen again are no warnings.
    assert_true(told == host.count || strcmp(host.category, warning) != 0);
    assert_int_equal(fa_forget(self, &saved), FA_DONE);
    fa_instance_free(self);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_host_of_model_exchange_is_told_once_of_each_joint),
        cmocka_unit_test(a_host_that_completes_no_steps_is_told_at_the_end),
        cmocka_unit_test(a_step_that_tells_has_the_same_numbers),
        cmocka_unit_test(going_back_tells_nothing_again),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
