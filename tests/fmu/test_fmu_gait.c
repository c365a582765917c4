// A gait whose frequency and phase are tuned while it runs goes on where it is: in event mode,
// between communication steps, as scalars and arrays, and from a state that was a file in between.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <fmi2Functions.h>
#include <fmi3Functions.h>
#include <math.h>
#include <stdlib.h>

#include "fmu_help.h"

enum { LINKS = 6 };

static const fa_gait_data gait = {true, 0.3, 2, 0.6, 0.05, 0.4, 5, 0.1, INFINITY};

typedef struct rig {
    int          fmi;
    bool         arrays;
    fa_kind      kind;
    fa_instance *self;
    fmu_host     host;
} rig;

static void open(rig *r)
{
    fa_robot *robot = fmu_snake(LINKS);
    robot->snake.input = FA_SNAKE_GAIT;
    robot->snake.gait = gait;
    r->self = fmu_robot_new(robot, r->fmi, r->arrays, r->kind, &r->host);
    free(robot);
    fmu_go_to(r->fmi, r->kind, r->self,
              r->kind == FA_MODEL_EXCHANGE ? FA_MODE_CONTINUOUS_TIME : FA_MODE_STEP);
}

// To the time, with the states as they are in Model Exchange: references follow from the time.
static void go_to(rig *r, double from, double t)
{
    int status;
    if (r->kind == FA_MODEL_EXCHANGE) {
        status = r->fmi == 3 ? (int)fmi3SetTime(r->self, t) : (int)fmi2SetTime(r->self, t);
    } else if (r->fmi == 3) {
        fmi3Boolean b[3];
        double      last;
        status = (int)fmi3DoStep(r->self, from, t - from, false, &b[0], &b[1], &b[2], &last);
    } else {
        status = (int)fmi2DoStep(r->self, from, t - from, fmi2False);
    }
    assert_int_equal(status, 0);
}

static void enter(rig *r)
{
    if (r->kind == FA_CO_SIMULATION) return;
    assert_int_equal(
        r->fmi == 3 ? (int)fmi3EnterEventMode(r->self) : (int)fmi2EnterEventMode(r->self), 0);
}

static void leave(rig *r)
{
    if (r->kind == FA_CO_SIMULATION) return;
    if (r->fmi == 3) {
        fmi3Boolean b[5];
        double      next;
        assert_int_equal(
            fmi3UpdateDiscreteStates(r->self, &b[0], &b[1], &b[2], &b[3], &b[4], &next), fmi3OK);
        assert_int_equal(fmi3EnterContinuousTimeMode(r->self), fmi3OK);
    } else {
        fmi2EventInfo info;
        assert_int_equal(fmi2NewDiscreteStates(r->self, &info), fmi2OK);
        assert_int_equal(fmi2EnterContinuousTimeMode(r->self), fmi2OK);
    }
}

static void tune(rig *r, const char *name, double value)
{
    const unsigned vr = fmu_reference(r->self, name);
    assert_int_equal(r->fmi == 3 ? (int)fmi3SetFloat64(r->self, &vr, 1, &value, 1)
                                 : (int)fmi2SetReal(r->self, &vr, 1, &value),
                     0);
}

// Compares the joints' references with a gait of this angle.
static void expect(rig *r, double angle, double shift)
{
    double got[LINKS];
    if (r->arrays) {
        const unsigned vr = fmu_reference(r->self, "joint.reference");
        assert_int_equal(fmi3GetFloat64(r->self, &vr, 1, got, LINKS), fmi3OK);
    } else {
        unsigned vr[LINKS - 1];
        for (unsigned k = 0; k + 1 < LINKS; k++)
            vr[k] = fmu_reference(r->self, "joint1.reference") + k;
        assert_int_equal(r->fmi == 3 ? (int)fmi3GetFloat64(r->self, vr, LINKS - 1, got, LINKS - 1)
                                     : (int)fmi2GetReal(r->self, vr, LINKS - 1, got),
                         0);
    }
    for (int k = 0; k + 1 < LINKS; k++) {
        const double want = gait.amplitude * sin(angle + k * shift) + gait.bias;
        // The angle is some radians, added up anew.
        assert_true(fabs(got[k] - want) < 1e-14);
    }
}

// Another instance goes on from the bytes of this one's state.
static void pass_on(rig *r)
{
    static rig next; // whose host outlives this call
    void      *saved = NULL, *read = NULL;
    size_t     size;
    next = (rig){.fmi = r->fmi, .arrays = r->arrays, .kind = r->kind};
    open(&next);
    if (r->fmi == 3) {
        assert_int_equal(fmi3GetFMUState(r->self, &saved), fmi3OK);
        assert_int_equal(fmi3SerializedFMUStateSize(r->self, saved, &size), fmi3OK);
        fmi3Byte *bytes = malloc(size);
        assert_int_equal(fmi3SerializeFMUState(r->self, saved, bytes, size), fmi3OK);
        assert_int_equal(fmi3DeserializeFMUState(next.self, bytes, size, &read), fmi3OK);
        assert_int_equal(fmi3SetFMUState(next.self, read), fmi3OK);
        assert_int_equal(fmi3FreeFMUState(r->self, &saved), fmi3OK);
        assert_int_equal(fmi3FreeFMUState(next.self, &read), fmi3OK);
        free(bytes);
    } else {
        assert_int_equal(fmi2GetFMUstate(r->self, &saved), fmi2OK);
        assert_int_equal(fmi2SerializedFMUstateSize(r->self, saved, &size), fmi2OK);
        fmi2Byte *bytes = malloc(size);
        assert_int_equal(fmi2SerializeFMUstate(r->self, saved, bytes, size), fmi2OK);
        assert_int_equal(fmi2DeSerializeFMUstate(next.self, bytes, size, &read), fmi2OK);
        assert_int_equal(fmi2SetFMUstate(next.self, read), fmi2OK);
        assert_int_equal(fmi2FreeFMUstate(r->self, &saved), fmi2OK);
        assert_int_equal(fmi2FreeFMUstate(next.self, &read), fmi2OK);
        free(bytes);
    }
    fmu_free(r->fmi, r->self);
    r->self = next.self;
}

static void a_tuned_gait_goes_on_where_it_is(void **state)
{
    (void)state;
    static const struct {
        int  fmi;
        bool arrays;
    } kinds[] = {{2, false}, {3, false}, {3, true}};
    for (int i = 0; i < 6; i++) {
        rig r = {.fmi = kinds[i / 2].fmi, .arrays = kinds[i / 2].arrays, .kind = (fa_kind)(i % 2)};
        open(&r);
        expect(&r, gait.phase, gait.shift);
        go_to(&r, 0, 0.25);
        const double angle = gait.frequency * 0.25 + gait.phase;
        expect(&r, angle, gait.shift);
        enter(&r);
        tune(&r, "gait.frequency", 7);
        expect(&r, angle, gait.shift);
        tune(&r, "gait.phase", -1);
        expect(&r, angle, gait.shift);
        tune(&r, "gait.frequency", 5);
        tune(&r, "gait.shift", 0.9); // moves every joint but the first
        expect(&r, angle, 0.9);
        leave(&r);
        expect(&r, angle, 0.9);
        pass_on(&r);
        expect(&r, angle, 0.9);
        go_to(&r, 0.25, 0.375);
        expect(&r, angle + 5 * 0.125, 0.9);
        fmu_free(r.fmi, r.self);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_tuned_gait_goes_on_where_it_is),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
