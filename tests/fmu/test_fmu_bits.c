// The same bits: on another run, on another instance, in the company of others, by the other
// standard; and, with the parameter `deterministic`, from any compiler and at any level of
// optimisation: tests/bits.txt has the digests that every build must come to. FOREARM_UPDATE=1 in
// the environment writes them anew.
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
#include "import.h"
#include "sha256.h"

#define STORED "bits.txt" // tests run in the folder tests/
#define STEP   0x1p-6     // [s], a power of two: the times are exact

enum { STEPS = 16, ROOM = 512, DIGEST = 32 };

static const struct {
    const char *robot, *cut;
} robots[] = {
    {"ascher2", NULL},      {"cmu_dd_arm", NULL},        {"double_pendulum", NULL},
    {"excavator", NULL},    {"grigorov5", NULL},         {"patu655", "valve"},
    {"patu655", "chamber"}, {"patu655_lift_axis", NULL}, {"patu655_lift_valve", NULL},
    {"puma560", NULL},      {"puma560akb", NULL},        {"scara", NULL},
    {"serpenoid", NULL},    {"stanford", NULL},          {"tavakoli_nia", NULL},
};
enum { ROBOTS = sizeof robots / sizeof *robots };

static fa_robot *load(int i, bool energy)
{
    char              path[256];
    fa_error          error = {.message = ""};
    fa_robot         *robot;
    fa_import_options options = {.cut = &robots[i].cut, .n_cuts = robots[i].cut != NULL};
    (void)snprintf(path, sizeof path, "../resources/robots/%s.xml", robots[i].robot);
    if (fa_import(path, &options, NULL, &robot, &error) != FA_OK) fail_msg("%s", error.message);
    if (!energy || fa_robot_is_axis(robot)) return robot; // an axis has no accounts of energy
    robot->outputs = FA_EXTRA_ENERGY;
    robot->checked = false;
    if (fa_robot_check(robot, NULL, &error) != FA_OK) fail_msg("%s", error.message);
    return robot;
}

typedef struct run {
    fmu_host     host;
    fa_instance *self;
    int          fmi, steps;
    size_t       n; // numbers that both standards have
    double       value[STEPS][ROOM];
} run;

static void begin(run *r, bool deterministic)
{
    memset(r->value, 0, sizeof r->value);
    r->steps = 0;
    for (int v = 0; v < fa_recall(r->self)->view.n; v++) {
        const fa_variable *row = &fa_recall(r->self)->view.variable[v];
        if (strcmp(row->name, "deterministic") == 0) r->self->value[v] = deterministic;
    }
    fmu_go_to(r->fmi, FA_CO_SIMULATION, r->self, FA_MODE_STEP);
}

static void create(run *r, const fa_robot *robot, int fmi, bool deterministic)
{
    r->self = fmu_robot_new(robot, fmi, false, FA_CO_SIMULATION, &r->host);
    r->fmi = fmi;
    // Behind what both have come indicators and time.
    r->n = (size_t)r->self->first_indicator;
    assert_true(r->n <= ROOM);
    begin(r, deterministic);
}

static void step(run *r)
{
    fmi3Boolean  b[3];
    double       last;
    const double t = r->steps * STEP;
    assert_int_equal(r->fmi == 3
                         ? (int)fmi3DoStep(r->self, t, STEP, false, &b[0], &b[1], &b[2], &last)
                         : (int)fmi2DoStep(r->self, t, STEP, fmi2True),
                     0);
    for (size_t v = 0; v < r->n; v++) {
        const fmi3ValueReference vr = (fmi3ValueReference)v + 1;
        double                  *to = &r->value[r->steps][v];
        if (fa_recall(r->self)->view.variable[v].type != FA_REAL) continue;
        assert_int_equal(r->fmi == 3 ? (int)fmi3GetFloat64(r->self, &vr, 1, to, 1)
                                     : (int)fmi2GetReal(r->self, &vr, 1, to),
                         0);
    }
    r->steps++;
}

// Two runs of a robot with another robot's steps between theirs, and one after a reset.
static void compare(int i, bool energy, bool deterministic, uint8_t digest[DIGEST])
{
    static run one, two, other;
    fa_robot  *robot = load(i, energy), *beside = load((i + 1) % ROBOTS, energy);
    create(&one, robot, 3, deterministic);
    create(&other, beside, 3, !deterministic);
    create(&two, robot, 2, deterministic);
    for (int k = 0; k < STEPS; k++) {
        step(&one);
        step(&other);
        step(&two);
    }
    assert_memory_equal(one.value, two.value, sizeof one.value);
    assert_int_equal(fmi2Reset(two.self), fmi2OK);
    begin(&two, deterministic);
    for (int k = 0; k < STEPS; k++) step(&two);
    assert_memory_equal(one.value, two.value, sizeof one.value);

    fa_sha256(one.value, sizeof one.value, digest);
    fmi3FreeInstance(one.self);
    fmi3FreeInstance(other.self);
    fmi2FreeInstance(two.self);
    free(robot);
    free(beside);
}

static void runs_repeat_themselves_with_the_fastest_code(void **state)
{
    (void)state;
    uint8_t digest[DIGEST];
    for (int i = 0; i < ROBOTS; i++) compare(i, i % 2, false, digest);
}

static void and_have_the_bits_of_every_build_where_they_are_deterministic(void **state)
{
    (void)state;
    const bool update = getenv("FOREARM_UPDATE") != NULL;
    FILE      *file = fopen(STORED, update ? "w" : "r");
    if (!file) fail_msg("%s cannot be opened", STORED);
    int differ = 0;
    for (int k = 0; k < 2 * ROBOTS; k++) { // with accounts of energy, then without
        const int  i = k % ROBOTS;
        const bool energy = k < ROBOTS;
        uint8_t    digest[DIGEST];
        char       line[256] = "", stored[256] = "";
        compare(i, energy, true, digest);
        int used = snprintf(line, sizeof line, "%s %s %s", robots[i].robot,
                            robots[i].cut ? robots[i].cut : "-", energy ? "" : "without ");
        for (int j = 0; j < DIGEST; j++)
            used += snprintf(line + used, sizeof line - (size_t)used, "%02x", digest[j]);
        if (update) {
            (void)fprintf(file, "%s\n", line);
            continue;
        }
        if (!fgets(stored, sizeof stored, file)) stored[0] = '\0';
        stored[strcspn(stored, "\n")] = '\0';
        if (strcmp(line, stored) == 0) continue;
        print_message("here   %s\nstored %s\n", line, stored);
        differ++;
    }
    assert_int_equal(fclose(file), 0);
    if (differ)
        fail_msg("%d of %d robots have other bits than stored; if what they compute was meant to "
                 "change, run this test with FOREARM_UPDATE=1, else this build computes otherwise",
                 differ, 2 * (int)ROBOTS);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(runs_repeat_themselves_with_the_fastest_code),
        cmocka_unit_test(and_have_the_bits_of_every_build_where_they_are_deterministic),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
