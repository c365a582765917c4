// Mechanisms at rest and near a state: the efforts that are found hold balls, free bases and loops
// behind servos and motors; a linearisation is what small turns of each quaternion give.
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "equilibrium.h"
#include "failing_memory.h"
#include "linearisation.h"
#include "mechanism.h"
#include "plant_rig.h"
#include "state.h"
#include "test.h"

static void check(fa_robot *robot)
{
    fa_error error = fa_no_error();
    robot->checked = false;
    if (fa_robot_check(robot, NULL, &error) != FA_OK) fail_msg("%s", error.message);
}

static fa_state state_of(const fa_robot *robot)
{
    fa_state state;
    fa_error error = fa_no_error();
    if (fa_state_new(robot, &state, &error) != FA_OK) fail_msg("%s", error.message);
    return state;
}

static const fa_mechanism *mechanism_of(const fa_state *state)
{
    assert_ptr_equal(state->plant, &fa_mechanism_plant);
    return state->self;
}

static void evaluate(fa_state *state)
{
    fa_error error = fa_no_error();
    if (fa_state_evaluate(state, FA_GROUP_ALL, &error) != FA_OK) fail_msg("%s", error.message);
}

// Positions, speeds and unit quaternions by chance.
static void shake(fa_state *state, uint64_t *seed)
{
    const fa_variables *table = &state->table;
    const fa_mechanism *m = mechanism_of(state);
    for (int row = table->first[FA_STATE]; row < table->first[FA_STATE + 1]; row++)
        if (!table->row[row].records) state->value[row] += random_in(seed, -1, 1);
    for (int k = 0; k < m->n_balls; k++) {
        double *q = state->value + m->ball[k].position, size = 0;
        for (int i = 0; i < 4; i++) size += q[i] * q[i];
        for (int i = 0; i < 4; i++) q[i] /= sqrt(size);
    }
}

// ----------------------------------------------------------------------------------- linearisation

static void product(const double a[4], const double b[4], double to[4])
{
    to[0] = a[0] * b[0] - a[1] * b[1] - a[2] * b[2] - a[3] * b[3];
    to[1] = a[0] * b[1] + a[1] * b[0] + a[2] * b[3] - a[3] * b[2];
    to[2] = a[0] * b[2] - a[1] * b[3] + a[2] * b[0] + a[3] * b[1];
    to[3] = a[0] * b[3] + a[1] * b[2] - a[2] * b[1] + a[3] * b[0];
}

// The values at a step along column j: a state or an input goes on, an angle turns its quaternion.
static void step(fa_state *state, const fa_linearisation *system, const double was[], int j,
                 double h)
{
    const int column = fa_linearisation_column(system, j);
    memcpy(state->value, was, (size_t)state->table.n * sizeof *was);
    if (j < system->n_x && system->x[j].axis != FA_NO_AXIS) {
        double turn[4] = {cos(h / 2), 0, 0, 0};
        turn[1 + system->x[j].axis] = sin(h / 2);
        product(turn, was + column, state->value + column);
    } else {
        state->value[column] += h;
    }
    evaluate(state);
}

// The rate of angle `axis` between a quaternion that moves and another one, with p = q q0^-1: d is
// 2 p near 1, and so is its rate.
static double rate_between(const fa_variables *table, const double value[], const double was[],
                           int row, int axis)
{
    const double *q = value + row, *q0 = was + row;
    const double *rate = value + table->row[row].derivative;
    const double *rate0 = was + table->row[row].derivative;
    const double  back[4] = {q0[0], -q0[1], -q0[2], -q0[3]};
    const double  back_rate[4] = {rate0[0], -rate0[1], -rate0[2], -rate0[3]};
    double        one[4], other[4];
    product(rate, back, one);
    product(q, back_rate, other);
    return 2 * (one[1 + axis] + other[1 + axis]);
}

static double result(const fa_state *state, const fa_linearisation *system, const double was[],
                     int i)
{
    const fa_variables *table = &state->table;
    const int           row = fa_linearisation_row(system, i);
    if (i >= system->n_x) return state->value[row];
    if (system->x[i].axis == FA_NO_AXIS) return state->value[table->row[row].derivative];
    return rate_between(table, state->value, was, row, system->x[i].axis);
}

static void compare_with_turns(const fa_robot *robot, uint64_t *seed)
{
    fa_error         error = fa_no_error();
    fa_state         state = state_of(robot);
    fa_linearisation system;
    const double     h = 1e-5;
    shake(&state, seed);
    if (fa_linearise(&state, &system, &error) != FA_OK) fail_msg("%s", error.message);
    assert_int_equal(system.n_angles, 3 * mechanism_of(&state)->n_balls);
    evaluate(&state);
    double *was = malloc((size_t)state.table.n * sizeof *was);
    double *side = malloc(2 * (size_t)system.rows * sizeof *side);
    memcpy(was, state.value, (size_t)state.table.n * sizeof *was);
    for (int j = 0; j < system.columns; j++) {
        for (int s = 0; s < 2; s++) {
            step(&state, &system, was, j, s ? h : -h);
            for (int i = 0; i < system.rows; i++)
                side[s * system.rows + i] = result(&state, &system, was, i);
        }
        for (int i = 0; i < system.rows; i++) {
            const double a = system.matrix[(size_t)i * (size_t)system.columns + (size_t)j];
            const double b = (side[system.rows + i] - side[i]) / (2 * h);
            // Rounding by the step, 1e-11, and the step's square, each times what is near.
            if (!(fabs(a - b) < 1e-6 * (1 + fabs(side[i]) + fabs(a))))
                fail_msg("%s: row %s by %s is %g, differences give %g", robot->name,
                         fa_linearisation_row_name(&state, &system, i).text,
                         fa_linearisation_column_name(&state, &system, j).text, a, b);
        }
    }
    free(side);
    free(was);
    fa_linearisation_free(&system);
    fa_state_free(&state);
}

static void linearisations_of_balls_are_what_turns_give(void **unused)
{
    (void)unused;
    uint64_t seed = 6;
    for (int trial = 0; trial < 12; trial++) {
        fa_robot *robot = rig_mechanism(&seed, trial, "mechanism");
        check(robot);
        compare_with_turns(robot, &seed);
        free(robot);
    }
}

// -------------------------------------------------------------------------------------- equilibria

// The fastest change of a speed or a current, over what gravity does to something that is free.
static double restlessness(fa_state *state)
{
    const fa_variables *table = &state->table;
    double              most = 0;
    evaluate(state);
    for (int row = table->first[FA_STATE]; row < table->first[FA_STATE + 1]; row++)
        if (!table->row[row].records)
            most = fmax(most, fabs(state->value[table->row[row].derivative]) / 10);
    return most;
}

// Servos and motors with a coil that is felt, in turn, at joints of one freedom.
static void drive(fa_robot *robot, int first)
{
    for (int i = 0; i < robot->n_links; i++) {
        fa_joint *joint = &robot->link[i].joint;
        if (!fa_joint_is_free(joint)) continue;
        if (joint->type != FA_REVOLUTE && joint->type != FA_PRISMATIC) continue;
        if ((first + i) % 3 == 0)
            joint->servo = (fa_servo_data){.present = true,
                                           .kp = 100,
                                           .kd = 10,
                                           .bandwidth = 50,
                                           .torque_limit = 1e6,
                                           .compensates = (first + i) % 2};
        else if ((first + i) % 3 == 1)
            joint->motor = (fa_motor_data){true, 2, 0.7, 0.6, 0.5, 0.7, 0.6, INFINITY, INFINITY};
    }
}

static void stands_still_where_it_is_held(const fa_robot *robot, uint64_t *seed)
{
    fa_error error = fa_no_error();
    fa_state state = state_of(robot);
    if (robot->n_loops == 0) shake(&state, seed); // others stand where their loops are closed
    if (fa_equilibrium_torques(robot, &state, &error) != FA_OK) fail_msg("%s", error.message);
    const double rest = restlessness(&state);
    // Efforts to rounding by inertias down to 1e-6 of the mechanism's.
    if (!(rest < 1e-7)) fail_msg("%s moves: %g", robot->name, rest);
    fa_state_free(&state);
}

static void balls_stand_still_behind_servos_and_motors(void **unused)
{
    (void)unused;
    uint64_t seed = 7;
    for (int trial = 0; trial < 36; trial++) {
        fa_robot *robot = rig_mechanism(&seed, trial, "mechanism");
        drive(robot, trial);
        check(robot);
        stands_still_where_it_is_held(robot, &seed);
        free(robot);
    }
}

static void loops_stand_still_behind_servos_and_motors(void **unused)
{
    (void)unused;
    uint64_t seed = 9;
    for (int trial = 0; trial < 24; trial++) {
        fa_robot *robot = rig_closed(&seed, trial);
        for (int i = 0; i < robot->n_links; i++) {
            robot->link[i].joint.friction.sticks = false;
            robot->link[i].joint.lock.present = false;
        }
        drive(robot, trial);
        check(robot);
        stands_still_where_it_is_held(robot, &seed);
        free(robot);
    }
}

// An amplifier that gives less than the weight takes is named, with what it would have to give.
static void an_amplifier_has_its_limits(void **unused)
{
    (void)unused;
    uint64_t seed = 7;
    int      refused = 0;
    for (int trial = 0; trial < 12; trial++) {
        fa_robot *robot = rig_mechanism(&seed, trial, "mechanism");
        drive(robot, 1);
        for (int i = 0; i < robot->n_links; i++) {
            fa_motor_data *motor = &robot->link[i].joint.motor;
            if (!motor->present) continue;
            if (trial % 2)
                motor->voltage_limit = 1e-6;
            else
                motor->current_limit = 1e-6;
        }
        check(robot);
        fa_error        error = fa_no_error();
        fa_state        state = state_of(robot);
        const fa_status status = fa_equilibrium_torques(robot, &state, &error);
        if (status != FA_OK) {
            assert_int_equal(status, FA_SINGULAR);
            assert_non_null(strstr(error.message, "which is more than its amplifier gives"));
            refused++;
        } else {
            assert_true(restlessness(&state) < 1e-7);
        }
        fa_state_free(&state);
        free(robot);
    }
    assert_true(refused >= 4);
}

// Whichever allocation fails, the answer is a sentence.
static void without_memory_an_equilibrium_is_refused(void **unused)
{
    (void)unused;
    uint64_t  seed = 8;
    fa_robot *robot = rig_closed(&seed, 1);
    drive(robot, 0);
    check(robot);
    int refused = 0;
    for (long k = 0;; k++) {
        fa_error error = fa_no_error();
        fa_state state = state_of(robot);
        countdown = k;
        const fa_status status = fa_equilibrium_torques(robot, &state, &error);
        const bool      late = countdown >= 0;
        countdown = -1;
        fa_state_free(&state);
        if (late) {
            assert_int_equal(status, FA_OK);
            break;
        }
        assert_int_equal(status, FA_NO_MEMORY);
        assert_non_null(strstr(error.message, "memory"));
        refused++;
    }
    assert_true(refused >= 9);
    free(robot);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(linearisations_of_balls_are_what_turns_give),
        cmocka_unit_test(balls_stand_still_behind_servos_and_motors),
        cmocka_unit_test(loops_stand_still_behind_servos_and_motors),
        cmocka_unit_test(an_amplifier_has_its_limits),
        cmocka_unit_test(without_memory_an_equilibrium_is_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
