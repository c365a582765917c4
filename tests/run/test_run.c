// Motions without an FMU: inputs are what their table says, poses are drawn within limits,
// variables are found by name, and the dynamics of an arm are the same however they are asked for.
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "arm.h"
#include "arm_dynamics.h"
#include "draw.h"
#include "import.h"
#include "one_joint.h"
#include "random.h"
#include "recording.h"
#include "run_help.h"
#include "simulation.h"
#include "test.h"

// ------------------------------------------------------------------------------------------ inputs

enum { TIMES = 300, INPUTS = 3 };

// The value at t of a table, by a walk from its beginning.
static double looked_up(bool linear, const double time[], double value[][INPUTS], int n, int c,
                        double t)
{
    int now = 0;
    while (now + 1 < n && time[now + 1] <= t) now++;
    if (!linear || now + 1 == n || t < time[0]) return value[now][c];
    const double part = (t - time[now]) / (time[now + 1] - time[now]);
    return part > 0 ? value[now][c] + part * (value[now + 1][c] - value[now][c]) : value[now][c];
}

static void inputs_are_what_their_table_says(void **state)
{
    (void)state;
    static double time[TIMES], value[TIMES][INPUTS];
    const int     row[INPUTS] = {7, 4, 5};
    uint64_t      seed = 5;
    fa_error      error = fa_no_error();
    for (int linear = 0; linear < 2; linear++) {
        fa_schedule s;
        double      t = -0.3, rate[4], got[8] = {0};
        assert_int_equal(fa_schedule_new(linear, row, INPUTS, &s, &error), FA_OK);
        assert_true(fa_schedule_next(&s, 0) == INFINITY);
        for (int i = 0; i < TIMES; i++) {
            time[i] = t;
            for (int c = 0; c < INPUTS; c++) value[i][c] = random_in(&seed, -1, 1);
            assert_int_equal(fa_schedule_add(&s, t, value[i], &error), FA_OK);
            t += i % 5 == 3 ? 0 : random_in(&seed, 0.01, 0.2); // a jump
        }
        assert_int_equal(fa_schedule_add(&s, time[TIMES - 1] - 1, value[0], &error), FA_BAD_INPUT);
        assert_int_equal(s.n, TIMES);
        for (t = -0.5; t < time[TIMES - 1] + 1;) {
            const double end = fa_schedule_next(&s, t),
                         middle = isfinite(end) ? (t + end) / 2 : t + 1;
            for (int i = 0; i < TIMES; i++) assert_true(!(time[i] > t && time[i] < end));
            assert_true(end > t);
            fa_schedule_enter(&s, t);
            fa_schedule_put(&s, middle, got);
            fa_schedule_rates(&s, rate, 4);
            for (int c = 0; c < INPUTS; c++) {
                const double x = looked_up(linear, time, value, TIMES, c, middle);
                assert_true(got[row[c]] == x);
                const double slope =
                    isfinite(end) && t >= time[0] && linear
                        ? (looked_up(linear, time, value, TIMES, c, (middle + end) / 2) - x) /
                              ((end - middle) / 2)
                        : 0;
                // Differences of numbers of size 1 over 2.5 ms.
                assert_true(fabs(rate[row[c] - 4] - slope) < 1e-10);
            }
            assert_true(got[6] == 0 && got[3] == 0);
            t = isfinite(end) ? end : INFINITY;
        }
        fa_schedule_free(&s);
    }
}

// A line that is due where an input jumps, but for rounding, is due there.
static void a_line_is_due_where_an_input_jumps(void **state)
{
    (void)state;
    const int     row = 0;
    const double  one = 1;
    fa_error      error = fa_no_error();
    fa_schedule   s;
    fa_simulation simulation = {.schedule = &s};
    assert_int_equal(fa_schedule_new(false, &row, 1, &s, &error), FA_OK);
    assert_int_equal(fa_schedule_add(&s, 0.9, &one, &error), FA_OK);
    assert_true(3 * 0.3 != 0.9);
    assert_true(fa_simulation_due(&simulation, 3 * 0.3, 0.3) == 0.9);
    assert_true(fa_simulation_due(&simulation, 0.9 + 1e-9, 0.3) == 0.9 + 1e-9);
    assert_true(fa_simulation_due(&simulation, 0.9 - 1e-9, 0.3) == 0.9 - 1e-9);
    fa_schedule_free(&s);
}

// ------------------------------------------------------------------------------------------- draws

static void poses_are_drawn_within_limits(void **state)
{
    (void)state;
    uint64_t  seed = 11, drawing = 1;
    fa_robot *robot = random_robot(&seed, 6, RANDOM_COUPLED);
    double    q[16], low[16], high[16], sum[16] = {0};
    int       n = 0;
    for (int i = 1; i < robot->n_links; i++) {
        fa_joint *joint = &robot->link[i].joint;
        if (i % 4 == 1) joint->limit.lower = -0.25;
        if (i % 8 == 1) joint->limit.upper = 2;
        if (!fa_joint_is_free(joint)) continue;
        const double usual = joint->type == FA_PRISMATIC ? 1 : PI;
        low[n] = i % 4 == 1 ? -0.25 : -usual;
        high[n++] = i % 8 == 1 ? 2 : usual;
    }
    assert_true(n > 2 && n < 6); // some follow
    q[n] = 17;
    for (int k = 0; k < 4000; k++) {
        fa_draw_pose(robot, &drawing, q);
        for (int i = 0; i < n; i++) {
            assert_true(q[i] >= low[i] && q[i] < high[i]);
            sum[i] += q[i] / 4000;
        }
    }
    // A mean of so many is off by a half of a hundredth of the range, and four times that seldom.
    for (int i = 0; i < n; i++)
        assert_true(fabs(sum[i] - (low[i] + high[i]) / 2) < 0.02 * (high[i] - low[i]));
    assert_true(q[n] == 17);
    free(robot);
}

// ------------------------------------------------------------------------- names, and what is kept

static void variables_are_found_and_refused_by_name(void **state)
{
    (void)state;
    fa_error            error = fa_no_error();
    fa_robot           *robot = load(ROBOTS "double_pendulum.xml");
    fa_state            s = state_of(robot);
    const fa_variables *table = &s.table;
    for (int row = 0; row < table->n; row++) {
        const fa_variable *v = &table->row[row];
        const char        *said = v->role <= FA_INPUT ? NULL
                                  : v->role == FA_STATE
                                      ? (v->initial == FA_NO_ROW ? "cannot be set" : "it starts from")
                                      : "is calculated";
        int                found = -1;
        error = fa_no_error();
        assert_int_equal(fa_state_find(&s, v->name, NULL, FA_NOWHERE, &found, &error), FA_OK);
        assert_int_equal(found, row);
        assert_int_equal(fa_state_role(&s, row), v->role);
        assert_int_equal(fa_state_set(&s, v->name, v->start, &error), said ? FA_BAD_INPUT : FA_OK);
        if (said) assert_non_null(strstr(error.message, said));
        if (said || v->type == FA_REAL) continue;
        assert_int_equal(fa_state_set(&s, v->name, v->start + 0.5, &error), FA_BAD_INPUT);
        assert_non_null(strstr(error.message, "must be a whole number"));
    }
    assert_int_equal(fa_state_set(&s, "solver_tolerance", -1, &error), FA_BAD_INPUT);
    assert_int_equal(fa_state_set(&s, "solver_tolerence", 1e-3, &error), FA_BAD_INPUT);
    assert_non_null(strstr(error.message, "solver_tolerance"));
    fa_recording recording;
    const int    wanted[] = {3, 5, 3};
    assert_int_equal(fa_recording_begin(&s, wanted, 3, &recording, &error), FA_OK);
    assert_int_equal(recording.columns, 3);
    for (int line = 0; line < 200; line++) {
        s.value[3] = line;
        s.value[5] = -line;
        s.value[table->first[FA_TIME]] = 0.5 * line;
        assert_int_equal(fa_recording_add(&recording, &s, &error), FA_OK);
    }
    for (size_t line = 0; line < 200; line++)
        assert_true(fa_recorded(&recording, line, 0) == 0.5 * (double)line &&
                    fa_recorded(&recording, line, fa_recording_column(&recording, 3)) ==
                        (double)line &&
                    fa_recorded(&recording, line, 2) == -(double)line);
    assert_int_equal(fa_recording_column(&recording, 4), -1);
    assert_int_equal(recording.n, 200);
    fa_recording_free(&recording);
    assert_true(recording.n == 0 && !recording.value);
    fa_state_free(&s);
    free(robot);
}

// ---------------------------------------------------------------------------- dynamics of an arm

// By name, many at once, one joint alone, and as a sum over the links' parameters: the same.
static void torques_and_accelerations_agree_however_they_are_asked_for(void **state)
{
    (void)state;
    uint64_t seed = 12;
    for (int k = 0; k < 6; k++) {
        fa_error        error = fa_no_error();
        fa_robot       *robot = drawn(&seed, 1 + k, k % 2 ? RANDOM_BRANCHED : RANDOM_REVOLUTE_ONLY);
        fa_state        s = state_of(robot);
        fa_arm_dynamics d, by;
        fa_arm_batch    batch;
        double          qdd[3][8];
        assert_int_equal(fa_arm_dynamics_new(&s, &d, &error), FA_OK);
        assert_int_equal(fa_arm_batch_new(&d, 3, &batch, &error), FA_OK);
        for (int i = 0; i < 3; i++) {
            for (int c = 0; c < d.n; c++) {
                at(&s, FA_ARM_POSITION)[c] = random_in(&seed, -2, 2);
                at(&s, FA_ARM_VELOCITY)[c] = random_in(&seed, -2, 2);
                at(&s, FA_ARM_TORQUE)[c] = random_in(&seed, -9, 9);
            }
            assert_int_equal(fa_state_evaluate(&s, FA_GROUP_DERIVATIVES, &error), FA_OK);
            memcpy(qdd[i], s.value + d.first, (size_t)d.n * sizeof(double));
            const int place = fa_arm_batch_add(&batch);
            assert_int_equal(place, batch.work ? i : FA_ARM_ALONE);
        }
        fa_arm_batch_solve(&batch);
        for (int i = 0; i < 3 && batch.work; i++)
            for (int c = 0; c < d.n; c++)
                // Last digits, of accelerations of arms whose inertias lie far apart.
                assert_true(fabs(fa_arm_batch_answer(&batch, i)[c] - qdd[i][c]) <
                            1e-9 * (1 + fabs(qdd[i][c])));
        assert_int_equal(batch.n, 0);
        fa_state other = state_of(robot);
        memcpy(other.value, s.value, (size_t)s.table.n * sizeof(double));
        assert_int_equal(fa_arm_dynamics_new(&other, &by, &error), FA_OK);
        assert_int_equal(fa_arm_dynamics_by(&by, "composite-body", &error), FA_OK);
        assert_int_equal(fa_state_evaluate(&other, FA_GROUP_DERIVATIVES, &error), FA_OK);
        for (int c = 0; c < d.n; c++)
            assert_true(fabs(other.value[by.first + c] - qdd[2][c]) < 1e-8 * (1 + fabs(qdd[2][c])));
        assert_int_equal(fa_arm_dynamics_by(&by, "composite-bodi", &error), FA_UNFIT);
        assert_non_null(strstr(error.message, "'composite-body'"));
        fa_arm_dynamics_free(&by);
        fa_arm_batch_free(&batch);
        fa_arm_dynamics_free(&d);
        fa_state_free(&other);
        fa_state_free(&s);
        free(robot);
    }
}

// What cylinders take off a joint's torque is their lever times their force.
static void cylinders_take_their_share_of_a_torque(void **state)
{
    (void)state;
    fa_error  error = fa_no_error();
    fa_robot *robot = load(ROBOTS "excavator.xml");
    strcpy(robot->plant, "inverse");
    robot->checked = false;
    assert_int_equal(fa_robot_check(robot, NULL, &error), FA_OK);
    fa_state        s = state_of(robot);
    fa_arm_dynamics d;
    assert_int_equal(fa_arm_dynamics_new(&s, &d, &error), FA_OK);
    assert_true(d.inverse);
    assert_int_equal(fa_state_evaluate(&s, FA_GROUP_ALL, &error), FA_OK);
    const int n = fa_arm_dynamics_cylinders(&d);
    double    needed[16], half[16], none[16], unknown[16];
    int       carried = 0;
    assert_true(n > 1 && n <= 16);
    for (int k = 0; k < n; k++) {
        needed[k] = fa_arm_dynamics_need(&d, k);
        half[k] = needed[k] / 2;
        none[k] = 0;
        unknown[k] = NAN;
        assert_true(isfinite(needed[k]) && needed[k] != 0);
    }
    for (int i = 0; i < d.n; i++) {
        const double tau = s.value[d.first + i], all = fa_arm_dynamics_effort(&d, i, needed);
        assert_true(fa_arm_dynamics_effort(&d, i, unknown) == tau);
        assert_true(fa_arm_dynamics_effort(&d, i, none) == tau);
        // Half of the force leaves half of what all of it takes.
        const double left = fa_arm_dynamics_effort(&d, i, half);
        assert_true(fabs(left - (tau + all) / 2) <= 1e-9 * fabs(tau));
        if (all == tau) continue;
        assert_true(all == 0); // rounding is no torque
        assert_true(fabs(left) > 0.1 * fabs(tau));
        carried++;
    }
    assert_true(carried > 2); // two of the four share the boom

    // One joint without the others, by a method that can: the same, of that joint.
    const fa_method *method = NULL;
    for (int i = 0; i < fa_method_count && !method; i++)
        if (fa_methods[i]->inverse_one && fa_method_fits(fa_methods[i], &d.arm->chain))
            method = fa_methods[i];
    assert_non_null(method);
    for (int i = 0; i < d.n; i++) {
        fa_state        other = state_of(robot);
        fa_arm_dynamics one;
        assert_int_equal(fa_arm_dynamics_new(&other, &one, &error), FA_OK);
        assert_int_equal(fa_arm_dynamics_only(&one, method, i, &error), FA_OK);
        assert_int_equal(fa_state_evaluate(&other, FA_GROUP_DERIVATIVES, &error), FA_OK);
        const double tau = s.value[d.first + i], left = fa_arm_dynamics_effort(&d, i, half);
        assert_int_equal(one.n, 1);
        assert_true(fabs(other.value[one.first] - tau) <= 1e-9 * (1 + fabs(tau)));
        assert_true(fabs(fa_arm_dynamics_effort(&one, 0, half) - left) <= 1e-9 * (1 + fabs(tau)));
        fa_arm_dynamics_free(&one);
        fa_state_free(&other);
    }
    fa_arm_dynamics_free(&d);
    fa_state_free(&s);
    free(robot);
}

static void one_joint_is_counted_as_the_chain_counts(void **state)
{
    (void)state;
    uint64_t    seed = 13;
    fa_error    error = fa_no_error();
    fa_robot   *robot = drawn(&seed, 7, RANDOM_BRANCHED | RANDOM_COUPLED);
    int         next = 0, follow = 0, which;
    const char *last = "";
    for (int i = 1; i < robot->n_links; i++) {
        const fa_joint *joint = &robot->link[i].joint;
        const fa_status status = fa_one_joint(robot, joint->name, &which, &error);
        assert_int_equal(status,
                         fa_joint_is_free(joint) && joint->type != FA_FIXED ? FA_OK : FA_UNFIT);
        if (status == FA_OK) assert_int_equal(which, next++);
        if (status == FA_OK) last = joint->name;
        if (joint->type == FA_FIXED)
            assert_non_null(strstr(error.message, "is fixed and has no torque"));
        if (joint->mimic.leader != FA_NOBODY) {
            assert_non_null(strstr(error.message, "follows"));
            assert_non_null(strstr(error.message, robot->link[joint->mimic.leader].joint.name));
            follow++;
        }
    }
    assert_true(follow > 0 && next > 2);
    char wrong[FA_NAME_SIZE + 1], hint[FA_NAME_SIZE + 2];
    (void)snprintf(wrong, sizeof wrong, "%sx", last);
    (void)snprintf(hint, sizeof hint, "'%s'", last);
    assert_int_equal(fa_one_joint(robot, wrong, &which, &error), FA_UNFIT);
    assert_non_null(strstr(error.message, hint));
    free(robot);
}

// A cover whose moment is below zero by rounding of the body that it is bolted to, and not of
// another one.
static void a_link_is_weighed_against_what_it_is_bolted_to(void **state)
{
    (void)state;
    fa_robot *robot = load("urdf/inertia_below_zero_bolted.urdf");
    fa_state  s = state_of(robot);
    fa_error  error = fa_no_error();
    assert_int_equal(fa_state_set(&s, "joint.j1.initial_position", 0.1, &error), FA_OK);
    if (fa_state_begin(&s, &error) != FA_OK) fail_msg("%s", error.message);
    // Where that body is light, it is no rounding.
    for (const char *const *name = (const char *const[]){"xx", "yy", "zz", NULL}; *name; name++) {
        char what[64];
        (void)snprintf(what, sizeof what, "link.l1.inertia.%s", *name);
        assert_int_equal(fa_state_set(&s, what, 1e-6, &error), FA_OK);
    }
    assert_int_equal(fa_state_begin(&s, &error), FA_BAD_INPUT);
    assert_non_null(strstr(error.message, "'cover'"));
    fa_state_free(&s);
    free(robot);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(inputs_are_what_their_table_says),
        cmocka_unit_test(a_line_is_due_where_an_input_jumps),
        cmocka_unit_test(poses_are_drawn_within_limits),
        cmocka_unit_test(variables_are_found_and_refused_by_name),
        cmocka_unit_test(torques_and_accelerations_agree_however_they_are_asked_for),
        cmocka_unit_test(cylinders_take_their_share_of_a_torque),
        cmocka_unit_test(one_joint_is_counted_as_the_chain_counts),
        cmocka_unit_test(a_link_is_weighed_against_what_it_is_bolted_to),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
