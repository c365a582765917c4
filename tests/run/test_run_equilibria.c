// Equilibria stand still within limits, and a linearisation is what differences give.
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "arm.h"
#include "draw.h"
#include "equilibrium.h"
#include "import.h"
#include "linearisation.h"
#include "random.h"
#include "run_help.h"
#include "test.h"

// ------------------------------------------------------------------------------------- equilibria

// The largest acceleration, in shares of what gravity does to something that is free.
static double restlessness(fa_state *state)
{
    fa_error error = fa_no_error();
    double   most = 0;
    assert_int_equal(fa_state_evaluate(state, FA_GROUP_ALL, &error), FA_OK);
    for (int i = 0; i < arm_of(state)->chain.n_coordinates; i++)
        most = fmax(most, fabs(at(state, FA_ARM_ACCELERATION)[i]));
    return most / 10;
}

// Nothing but velocities and what the question is about has changed.
static void same_but(const fa_state *state, const double was[], int quantity)
{
    const int n = arm_of(state)->chain.n_coordinates;
    for (int row = 0; row < state->table.first[FA_OUTPUT]; row++) {
        const int which = arm_of(state)->row[quantity], moves = arm_of(state)->row[FA_ARM_VELOCITY];
        if ((row >= which && row < which + n) || (row >= moves && row < moves + n)) continue;
        assert_true(state->value[row] == was[row]);
    }
    for (int i = 0; i < n; i++)
        assert_true(state->value[arm_of(state)->row[FA_ARM_VELOCITY] + i] == 0);
}

static bool within_limits(const fa_robot *robot, fa_state *state)
{
    int  n = 0;
    bool inside = true;
    for (int i = 0; i < robot->n_links; i++) {
        const fa_joint *joint = &robot->link[i].joint;
        if (!fa_joint_is_free(joint)) continue;
        const double q = at(state, FA_ARM_POSITION)[n++];
        inside &= q >= joint->limit.lower && q <= joint->limit.upper;
    }
    return inside;
}

// Poses drawn within limits, held by torques; and found again from elsewhere with these torques.
static void an_arm_stands_still_at_an_equilibrium(fa_robot *robot, uint64_t *seed, int *found)
{
    fa_error     error = fa_no_error();
    fa_state     state = state_of(robot);
    const int    n = arm_of(&state)->chain.n_coordinates;
    const size_t size = (size_t)n * sizeof(double);
    double       q[64];
    assert_true(n <= 64);
    fa_draw_pose(robot, seed, q);
    memcpy(at(&state, FA_ARM_POSITION), q, size);
    for (int i = 0; i < n; i++) at(&state, FA_ARM_VELOCITY)[i] = 1 + i;
    double *was = values_copy(&state);
    if (fa_equilibrium_torques(robot, &state, &error) != FA_OK) fail_msg("%s", error.message);
    same_but(&state, was, FA_ARM_TORQUE);
    // Torques to rounding by inertias down to 1e-6 of the arm's.
    assert_true(restlessness(&state) < 1e-7);
    for (int i = 0; i < n; i++) {
        double *x = &at(&state, FA_ARM_POSITION)[i];
        *x += 0.05 * random_in(seed, -1, 1);
    }
    free(was);
    was = values_copy(&state);
    const fa_status status = fa_equilibrium_pose(robot, &state, &error);
    same_but(&state, was, FA_ARM_POSITION);
    if (status == FA_OK) {
        assert_true(within_limits(robot, &state));
        assert_true(restlessness(&state) < 1e-6);
        for (int i = 0; i < n; i++) *found += fabs(at(&state, FA_ARM_POSITION)[i] - q[i]) < 1e-4;
    } else {
        assert_int_equal(status, FA_SINGULAR);
        assert_non_null(strstr(error.message, "no pose near the given one is held"));
    }
    free(was);
    fa_state_free(&state);
}

static void equilibria_stand_still_within_limits(void **state)
{
    (void)state;
    static const char *const names[] = {"double_pendulum", "scara", "puma560", "stanford"};
    uint64_t                 seed = 3;
    int                      found = 0, of = 0;
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        char path[128];
        (void)snprintf(path, sizeof path, ROBOTS "%s.xml", names[i]);
        fa_robot *robot = load(path);
        of += fa_robot_freedom(robot);
        an_arm_stands_still_at_an_equilibrium(robot, &seed, &found);
        free(robot);
    }
    for (int k = 0; k < 12; k++) {
        fa_robot *robot =
            random_robot(&seed, 1 + k % 4,
                         (k & 1 ? RANDOM_BRANCHED : 0) | (k & 2 ? RANDOM_COUPLED : 0) |
                             (k & 4 ? RANDOM_SPRINGS : 0));
        fa_error error = fa_no_error();
        for (int i = 1; i < robot->n_links; i += 2)
            if (k % 3 == 0) {
                robot->link[i].joint.initial_position = 0;
                robot->link[i].joint.limit = (fa_limit_data){.lower = -1, .upper = 1.5};
            }
        if (fa_robot_check(robot, NULL, &error) != FA_OK) fail_msg("%s", error.message);
        of += fa_robot_freedom(robot);
        an_arm_stands_still_at_an_equilibrium(robot, &seed, &found);
        free(robot);
    }
    // Near a pose lies another one now and then, and joints that weigh nothing slide.
    assert_true(found > 3 * of / 4);
}

// A bob of known weight: it hangs where the torque is its weight times the lever.
static void a_pendulum_hangs_where_its_torque_says(void **state)
{
    (void)state;
    fa_error  error = fa_no_error();
    fa_robot *robot = load(ROBOTS "double_pendulum.xml");
    fa_state  s = state_of(robot);
    at(&s, FA_ARM_POSITION)[0] = 40;
    at(&s, FA_ARM_POSITION)[1] = -30;
    assert_int_equal(fa_equilibrium_pose(robot, &s, &error), FA_OK);
    assert_true(restlessness(&s) < 1e-9);
    // Off whole turns: no angle is farther than half a turn from where it began.
    assert_true(fabs(at(&s, FA_ARM_POSITION)[0] - 40) <= PI + 1e-9);
    assert_true(fabs(at(&s, FA_ARM_POSITION)[1] + 30) <= PI + 1e-9);
    fa_state_free(&s);
    fa_state none = state_of(robot);
    for (int i = 0; i < 2; i++) at(&none, FA_ARM_TORQUE)[i] = 1e6;
    assert_int_equal(fa_equilibrium_pose(robot, &none, &error), FA_SINGULAR);
    fa_state_free(&none);

    // Limits that leave it out: another pose, or none.
    fa_state hanging = state_of(robot);
    assert_int_equal(fa_equilibrium_pose(robot, &hanging, &error), FA_OK);
    const double q = at(&hanging, FA_ARM_POSITION)[0];
    fa_state_free(&hanging);
    for (int i = 0; i < robot->n_links; i++) {
        fa_joint *joint = &robot->link[i].joint;
        if (!fa_joint_is_free(joint)) continue;
        joint->limit = (fa_limit_data){.lower = q + 0.3, .upper = q + 0.8};
        joint->initial_position = q + 0.4;
        break;
    }
    robot->checked = false;
    assert_int_equal(fa_robot_check(robot, NULL, &error), FA_OK);
    fa_state s2 = state_of(robot);
    if (fa_equilibrium_pose(robot, &s2, &error) == FA_OK) assert_true(within_limits(robot, &s2));
    fa_state_free(&s2);
    free(robot);
    robot = load(ROBOTS "serpenoid.xml");
    fa_state snake = state_of(robot);
    assert_int_equal(fa_equilibrium_pose(robot, &snake, &error), FA_UNFIT);
    assert_int_equal(fa_equilibrium_torques(robot, &snake, &error), FA_UNFIT);
    fa_state_free(&snake);
    free(robot);
    robot = load(ROBOTS "excavator.xml");
    fa_state crane = state_of(robot);
    assert_int_equal(fa_equilibrium_pose(robot, &crane, &error), FA_UNFIT);
    assert_non_null(strstr(error.message, "hangs on cylinders"));
    assert_int_equal(fa_equilibrium_torques(robot, &crane, &error), FA_OK);
    assert_true(restlessness(&crane) < 1e-7);
    fa_state_free(&crane);
    free(robot);
}

// -------------------------------------------------------------------------------- linearisations

static void compare_with_differences(const fa_robot *robot)
{
    fa_error         error = fa_no_error();
    fa_state         s = state_of(robot);
    fa_linearisation system;
    const double     h = 1e-6;
    assert_int_equal(fa_linearise(&s, &system, &error), FA_OK);
    double *rows = malloc(2 * (size_t)system.rows * sizeof *rows);
    assert_non_null(rows);
    for (int j = 0; j < system.columns; j++) {
        const int    row = fa_linearisation_column(&system, j);
        const double was = s.value[row];
        for (int side = 0; side < 2; side++) {
            s.value[row] = was + (side ? h : -h);
            assert_int_equal(fa_state_evaluate(&s, FA_GROUP_ALL, &error), FA_OK);
            for (int i = 0; i < system.rows; i++) {
                int of = fa_linearisation_row(&system, i);
                if (i < system.n_x) of = s.table.row[of].derivative;
                rows[side * system.rows + i] = s.value[of];
            }
        }
        s.value[row] = was;
        for (int i = 0; i < system.rows; i++) {
            const double a = system.matrix[(size_t)i * (size_t)system.columns + (size_t)j];
            const double b = (rows[system.rows + i] - rows[i]) / (2 * h);
            // Rounding of values by the step, and its square by the third derivative.
            const double size = 1 + fabs(rows[i]) + fabs(a);
            if (!(fabs(a - b) < 1e-5 * size))
                fail_msg("%s: %s by %s is %g, differences give %g", robot->name,
                         s.table.row[fa_linearisation_row(&system, i)].name, s.table.row[row].name,
                         a, b);
        }
    }
    assert_int_equal(fa_linearisation_row(&system, 0), s.table.first[FA_STATE]);
    assert_int_equal(fa_linearisation_row(&system, system.n_x), s.table.first[FA_OUTPUT]);
    assert_int_equal(fa_linearisation_column(&system, 0), s.table.first[FA_STATE]);
    assert_int_equal(fa_linearisation_column(&system, system.n_x), s.table.first[FA_INPUT]);
    assert_int_equal(system.n_y, fa_variables_count(&s.table, FA_OUTPUT));
    assert_int_equal(system.n_u, fa_variables_count(&s.table, FA_INPUT));
    assert_int_equal(system.rows, system.n_x + system.n_y);
    assert_int_equal(system.columns, system.n_x + system.n_u);
    free(rows);
    fa_linearisation_free(&system);
    assert_null(system.matrix);
    fa_state_free(&s);
}

static void linearisations_are_what_differences_give(void **state)
{
    (void)state;
    uint64_t seed = 4;
    for (int k = 0; k < 4; k++) {
        fa_robot *robot = drawn(&seed, 1 + k, RANDOM_BRANCHED | RANDOM_COUPLED | RANDOM_SPRINGS);
        compare_with_differences(robot);
        free(robot);
    }
    fa_robot *robot = load(ROBOTS "double_pendulum.xml");
    compare_with_differences(robot);
    // Energy at the end of the states sums up and is left out.
    fa_error error = fa_no_error();
    assert_int_equal(fa_robot_set_outputs(robot, "energy", &error), FA_OK);
    assert_int_equal(fa_robot_check(robot, NULL, &error), FA_OK);
    fa_state         s = state_of(robot);
    fa_linearisation system;
    assert_int_equal(fa_linearise(&s, &system, &error), FA_OK);
    assert_int_equal(system.n_x, 4);
    assert_true(fa_variables_count(&s.table, FA_STATE) > 4);
    fa_linearisation_free(&system);
    fa_state_free(&s);
    strcpy(robot->plant, "inverse");
    assert_int_equal(fa_robot_check(robot, NULL, &error), FA_OK);
    s = state_of(robot);
    assert_int_equal(fa_linearise(&s, &system, &error), FA_UNFIT);
    fa_linearisation_free(&system);
    fa_state_free(&s);
    free(robot);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(equilibria_stand_still_within_limits),
        cmocka_unit_test(a_pendulum_hangs_where_its_torque_says),
        cmocka_unit_test(linearisations_are_what_differences_give),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
