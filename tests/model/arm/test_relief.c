// Links that are relieved of weight: against gravity that is not there, and against the host's push
// upwards; and an FMU's robot file keeps it.
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "arm.h"
#include "plant_rig.h"
#include "robot_file.h"
#include "test.h"

// Arms of every kind; what ground does that moves adds nothing here.
static fa_robot *arm_of(uint64_t *seed, int trial, const char *plant)
{
    return rig_arm(seed, 1 + trial % 9, RIG_KINDS[trial % 4] & ~(unsigned)RIG_BASE, plant);
}

static fa_robot *copy_of(const fa_robot *robot)
{
    fa_robot *copy = malloc(fa_robot_size(robot));
    assert_non_null(copy);
    memcpy(copy, robot, fa_robot_size(robot));
    return copy;
}

// The largest difference of accelerations, or of an inverse's torques, by the largest of them.
static double difference(const rig *a, const rig *b, fa_arm_quantity quantity)
{
    double most = 0, size = 1;
    for (int i = 0, k = 0; i < a->variables.n; i++) {
        const fa_variable *v = &a->variables.row[i];
        if (v->quantity != (int)quantity || v->role < FA_STATE) continue;
        while (k < b->variables.n && strcmp(b->variables.row[k].name, v->name) != 0) k++;
        assert_true(k < b->variables.n);
        most = fmax(most, fabs(a->value[i] - b->value[k]));
        size = fmax(size, fabs(a->value[i]));
    }
    return most / size;
}

// Values of the one by the names of the other.
static void take_over(const rig *from, rig *to)
{
    for (int i = 0, k = 0; i < from->variables.n; i++) {
        int at = k;
        while (at < to->variables.n &&
               strcmp(to->variables.row[at].name, from->variables.row[i].name) != 0)
            at++;
        if (at == to->variables.n) continue;
        to->value[at] = from->value[i];
        k = at;
    }
}

static int row_of(const rig *r, const char *name)
{
    const int row = fa_variables_find(&r->variables, name);
    assert_true(row != FA_NO_ROW);
    return row;
}

static void without_weight_there_is_no_gravity(void **state)
{
    (void)state;
    uint64_t seed = 11;
    for (int trial = 0; trial < 60; trial++) {
        const bool inverse = trial % 3 == 0;
        fa_robot  *robot = arm_of(&seed, trial, inverse ? "inverse" : "arm");
        fa_robot  *light = copy_of(robot);
        for (int i = 0; i < robot->n_links; i++) {
            robot->link[i].relief = 0;
            light->link[i].relief = 1;
        }
        assert_int_equal(fa_robot_check(robot, NULL, NULL), FA_OK);
        assert_int_equal(fa_robot_check(light, NULL, NULL), FA_OK);
        rig a = rig_build(robot), b = rig_build(light);
        rig_shake(&a, &seed);
        a.value[row_of(&a, "payload.mass")] = 0; // which gravity pulls on in both
        take_over(&a, &b);
        for (int i = 0; i < 3; i++)
            a.value[row_of(&a, (const char *[]){"gravity.x", "gravity.y", "gravity.z"}[i])] = 0;
        rig_evaluate(&a, a.value);
        rig_evaluate(&b, b.value);
        const fa_arm_quantity result = inverse ? FA_ARM_TORQUE : FA_ARM_ACCELERATION;
        // Weights that are taken off again leave their rounding.
        const double apart = difference(&a, &b, result);
        if (!(apart < 1e-8)) fail_msg("trial %d: %g", trial, apart);
        rig_take_down(&a);
        rig_take_down(&b);
    }
}

static void relief_is_a_push_upwards(void **state)
{
    (void)state;
    uint64_t seed = 12;
    for (int trial = 0; trial < 60; trial++) {
        fa_robot *robot = arm_of(&seed, trial, "arm");
        const int link = robot->n_links - 1;
        for (int i = 0; i < robot->n_links; i++) robot->link[i].relief = 0;
        fa_robot *pushed = copy_of(robot);
        pushed->link[link].wrench = true;
        robot->link[link].wrench = false;
        robot->link[link].relief = 0.7;
        assert_int_equal(fa_robot_check(robot, NULL, NULL), FA_OK);
        assert_int_equal(fa_robot_check(pushed, NULL, NULL), FA_OK);
        if (!fa_robot_link_moves(robot, link)) {
            free(robot);
            free(pushed);
            continue;
        }
        rig a = rig_build(robot), b = rig_build(pushed);
        rig_shake(&a, &seed);
        take_over(&a, &b);
        char segment[FA_NAME_SIZE + 1], name[2 * FA_NAME_SIZE];
        fa_variable_segment(robot->link[link].name, segment, sizeof segment);
        (void)snprintf(name, sizeof name, "link.%s.mass", segment);
        const double mass = a.value[row_of(&a, name)];
        for (int i = 0; i < 6; i++) {
            static const char *const axis[] = {"force.x",  "force.y",  "force.z",
                                               "torque.x", "torque.y", "torque.z"};
            static const char *const gravity[] = {"gravity.x", "gravity.y", "gravity.z"};
            (void)snprintf(name, sizeof name, "link.%s.%s", segment, axis[i]);
            b.value[row_of(&b, name)] = i < 3 ? -0.7 * mass * a.value[row_of(&a, gravity[i])] : 0;
        }
        rig_evaluate(&a, a.value);
        rig_evaluate(&b, b.value);
        const double apart = difference(&a, &b, FA_ARM_ACCELERATION); // the same operations
        if (!(apart < 1e-12)) fail_msg("trial %d: %g", trial, apart);
        rig_take_down(&a);
        rig_take_down(&b);
    }
}

static void a_robot_file_keeps_it(void **state)
{
    (void)state;
    uint64_t   seed = 13;
    fa_robot  *robot = arm_of(&seed, 5, "arm"), *again;
    fa_options options = {.fmi = 3, .identifier = "x"}, read;
    char      *text;
    size_t     size;
    for (int i = 0; i < robot->n_links; i++) robot->link[i].relief = i == robot->n_links - 1;
    assert_int_equal(fa_robot_check(robot, NULL, NULL), FA_OK);
    assert_int_equal(fa_robot_file_write(robot, &options, &text, &size, NULL), FA_OK);
    assert_non_null(strstr(text, "relief "));
    assert_int_equal(fa_robot_file_read(text, size, &again, &read, NULL), FA_OK);
    for (int i = 0; i < robot->n_links; i++)
        assert_true(again->link[i].relief == robot->link[i].relief);
    free(text);
    free(again);
    robot->link[robot->n_links - 1].relief = NAN;
    fa_error error = fa_no_error();
    assert_int_equal(fa_robot_check(robot, NULL, &error), FA_BAD_INPUT);
    assert_non_null(strstr(error.message, "the gravity factor of link"));
    free(robot);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(without_weight_there_is_no_gravity),
        cmocka_unit_test(relief_is_a_push_upwards),
        cmocka_unit_test(a_robot_file_keeps_it),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
