// Cylinders of arms: torques against virtual work, pressures that hold a load, rules.
#include "test.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "plant.h"
#include "plant_rig.h"
#include "robot_cylinders.h"

static rig build_trial(uint64_t *seed, int trial)
{
    return rig_build(trial % 7 == 6 ? rig_linkage((fa_cut)(trial / 7 % 3))
                                    : rig_cylinders(seed, 2 + trial % 5, RIG_KINDS[trial / 5 % 4]));
}

// What the forces that an inverse asks for leave of its torques, no cylinder could take: it stands
// across all levers.
static void needed_forces_come_as_near_as_can_be(void **state)
{
    (void)state;
    uint64_t seed = 21;
    int      met = 0;
    for (int trial = 0; trial < 40; trial++) {
        fa_robot *robot = rig_cylinders(&seed, 2 + trial % 4, RANDOM_REVOLUTE_ONLY);
        for (int i = 0; i < robot->n_links; i++) robot->link[i].joint.motor.present = false;
        strcpy(robot->plant, "inverse");
        rig r = rig_build(robot);
        rig_shake(&r, &seed);
        rig_evaluate(&r, r.value);
        double across[3] = {0}, size[3] = {0}, most = 0, force[3], lever[3];
        for (int k = 0; k < 3; k++) {
            char name[64];
            snprintf(name, sizeof name, "cylinder.c%d.force", k);
            force[k] = r.value[fa_variables_find(&r.variables, name)];
        }
        for (int i = 0; i < robot->n_links; i++) {
            if (!fa_joint_is_free(&robot->link[i].joint)) continue;
            char name[128];
            snprintf(name, sizeof name, "joint.%s.torque", robot->link[i].joint.name);
            const double torque = r.value[fa_variables_find(&r.variables, name)];
            double       left = torque;
            for (int k = 0; k < 3; k++) {
                const fa_cylinder *c = fa_robot_cylinder(robot, k);
                const bool         one = fa_cylinder_joints(robot, c) == 1;
                snprintf(name, sizeof name, one ? "cylinder.c%d.lever" : "cylinder.c%d.lever.%s", k,
                         robot->link[i].joint.name);
                lever[k] = fa_cylinder_spans(robot, c, i)
                               ? r.value[fa_variables_find(&r.variables, name)]
                               : 0;
                left -= lever[k] * force[k];
            }
            for (int k = 0; k < 3; k++) {
                across[k] += lever[k] * left;
                size[k] += fabs(lever[k]) * (fabs(torque) + fabs(lever[k] * force[k]));
                if (lever[k] != 0) most = fmax(most, fabs(left) / fabs(torque));
            }
        }
        for (int k = 0; k < 3; k++) assert_true(fabs(across[k]) < 1e-10 * size[k]); // rounding
        met += most < 1e-9;
        rig_take_down(&r);
    }
    print_message("%d of 40 have cylinders enough\n", met);
    assert_in_range(met, 5, 35); // both kinds are among them
}

// The lever is the slope of the length, and the force works on the arm as force times rate.
static void a_force_does_its_work_on_the_length(void **state)
{
    (void)state;
    uint64_t seed = 4;
    for (int trial = 0; trial < 50; trial++) {
        rig r = build_trial(&seed, trial);
        rig_shake(&r, &seed);
        const int length = fa_variables_find(&r.variables, trial % 7 == 6 ? "cylinder.tilt.length"
                                                                          : "cylinder.c0.length");
        rig_evaluate(&r, r.value);
        const double rate = r.value[length + 1], h = 1e-5;
        double       at[2];
        for (int s = 0; s < 2; s++) { // positions a little later and a little earlier
            double *moved = malloc((size_t)r.variables.n * sizeof *moved);
            memcpy(moved, r.value, (size_t)r.variables.n * sizeof *moved);
            for (int row = r.variables.first[FA_STATE]; row < r.variables.first[FA_OUTPUT]; row++)
                if (fa_variable_is(&r.variables.row[row], FA_OF_JOINT, "position"))
                    moved[row] += (s ? h : -h) * r.value[r.variables.row[row].derivative];
            rig_evaluate(&r, moved);
            at[s] = moved[length];
            free(moved);
        }
        // Differences: h^2 times a third derivative of some tens, and rounding over h.
        assert_true(fabs((at[1] - at[0]) / (2 * h) - rate) < 1e-7 * (1 + fabs(rate)));
        rig_take_down(&r);
    }
}

static double acceleration_at_rest(fa_robot *robot)
{
    fa_error error = fa_no_error();
    assert_int_equal(fa_robot_balance_cylinders(robot, &error), FA_OK);
    rig r = rig_build(robot);
    rig_evaluate(&r, r.value);
    // States start where their parameters say.
    for (int row = r.variables.first[FA_STATE]; row < r.variables.first[FA_OUTPUT]; row++)
        if (r.variables.row[row].initial != FA_NO_ROW)
            r.value[row] = r.value[r.variables.row[row].initial];
    rig_evaluate(&r, r.value);
    double worst = 0;
    for (int row = r.variables.first[FA_OUTPUT]; row < r.variables.first[FA_LOCAL]; row++)
        if (fa_variable_is(&r.variables.row[row], FA_OF_JOINT, "acceleration"))
            worst = fmax(worst, fabs(r.value[row]));
    rig_take_down(&r);
    return worst;
}

static void pressures_hold_what_nobody_else_holds(void **state)
{
    (void)state;
    fa_robot *robot = rig_linkage(FA_CUT_CHAMBER);
    robot->gravity = vec3(0, 0, -9.81);
    fa_cylinder *c = fa_robot_cylinders(robot);
    c->initial_pressure[0] = c->initial_pressure[1] = NAN;
    // 500 N m against 100 kg at 0.7 m: rounding of forces that cancel.
    assert_true(acceleration_at_rest(robot) < 1e-12);
    robot = rig_linkage(FA_CUT_VALVE); // and with one of the pressures given
    c = fa_robot_cylinders(robot);
    c->initial_pressure[0] = NAN;
    assert_true(acceleration_at_rest(robot) < 1e-12);
}

static void a_larger_robot_keeps_its_cylinders(void **state)
{
    (void)state;
    rig                r = rig_build(rig_linkage(FA_CUT_FORCE));
    fa_robot          *more = fa_robot_with_cylinders(r.robot, 3);
    const fa_cylinder *c = fa_robot_cylinder(more, 0);
    r.robot = more;
    assert_string_equal(c->name, "tilt");
    assert_true(c->number[FA_CYLINDER_bore] == 0.1);
    assert_true(isnan(fa_robot_cylinder(more, 2)->number[FA_CYLINDER_bore]));
    rig_take_down(&r);
}

// A host may set the parameter that a pressure starts from, of a cylinder alone as of an arm's.
static void a_start_below_vapour_is_refused(void **state)
{
    (void)state;
    rig rigs[] = {rig_build(rig_axis(true, true, false)), rig_build(rig_linkage(FA_CUT_VALVE))};
    for (size_t i = 0; i < sizeof rigs / sizeof *rigs; i++) {
        rig *r = &rigs[i];
        int  found = 0;
        for (int row = 0; row < r->variables.n; row++) {
            const char  *name = strstr(r->variables.row[row].name, "initial_pressure_");
            const double was = r->value[row];
            fa_error     error = fa_no_error();
            if (!name) continue;
            found++;
            r->value[row] = -1e6;
            if (r->plant->configure(r->self, r->value, &error) != FA_BAD_INPUT ||
                !strstr(error.message, "it must be above the vapour pressure"))
                fail_msg("%s: '%s'", r->variables.row[row].name, error.message);
            r->value[row] = was;
            assert_int_equal(r->plant->configure(r->self, r->value, &error), FA_OK);
        }
        assert_int_equal(found, 2);
        rig_take_down(r);
    }
}

// As only a damaged robot file can have them: what people write names links, and numbers are
// finite.
static void ends_and_supplies_that_are_nowhere_are_refused(void **state)
{
    (void)state;
    uint64_t     seed = 11;
    fa_robot    *robot = rig_cylinders(&seed, 4, RANDOM_REVOLUTE_ONLY);
    fa_cylinder *c = fa_robot_cylinders(robot), good = *c;
    fa_error     error = fa_no_error();
    assert_int_equal(fa_robot_check_cylinders(robot, &error), FA_OK);
    c->to = robot->n_links;
    assert_int_equal(fa_robot_check_cylinders(robot, &error), FA_BAD_INPUT);
    assert_string_equal(error.message, "an end of cylinder 'c0' is on no link");
    *c = good;
    c->from = -2;
    assert_int_equal(fa_robot_check_cylinders(robot, &error), FA_BAD_INPUT);
    *c = good;
    c->tank = INFINITY;
    assert_int_equal(fa_robot_check_cylinders(robot, &error), FA_BAD_INPUT);
    assert_string_equal(error.message, "the supply of cylinder 'c0' is not finite");
    free(robot);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_start_below_vapour_is_refused),
        cmocka_unit_test(ends_and_supplies_that_are_nowhere_are_refused),
        cmocka_unit_test(needed_forces_come_as_near_as_can_be),
        cmocka_unit_test(a_force_does_its_work_on_the_length),
        cmocka_unit_test(pressures_hold_what_nobody_else_holds),
        cmocka_unit_test(a_larger_robot_keeps_its_cylinders),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
