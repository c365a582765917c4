// Motions and the stepper of forearm.h: runs in lanes and one by one, where results go, what is
// allocated, and what is refused.
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "failing_memory.h"
#include "forearm.h"
#include "random.h"
#include "test.h"

enum { N = 6, STATES = 2 * N, RUNS = 21, SAMPLES = 5, NUMBERS = RUNS * SAMPLES * STATES };

static const char sticks[] =
    "<arm name='s' convention='standard' gravity='0 -9.81 0'><joint name='j' type='revolute' "
    "a='1'><friction coulomb='1' static='2' law='stick-slip'/><link name='l' mass='1' com='-0.5 0 "
    "0' inertia='0 0.1 0.1 0 0 0'/></joint></arm>";

typedef struct rig {
    fa_robot          *robot;
    int                row[2]; // payload, friction of a joint
    fa_motions_options options;
    fa_run_table       table;
    double             q[RUNS * N], qd[RUNS * N], tau[RUNS * N], given[RUNS * 2];
} rig;

static int begin(void **state)
{
    rig     *r = calloc(1, sizeof *r);
    fa_error error = fa_no_error();
    uint64_t seed = 5;
    *state = r;
    if (!r) return -1;
    r->robot = fa_robot_load("../resources/robots/puma560.xml", NULL, &error);
    if (!r->robot) return -1;
    fa_robot_find_parameter(r->robot, "payload.mass", &r->row[0], &error);
    fa_robot_find_parameter(r->robot, "joint.elbow.viscous_friction", &r->row[1], &error);
    r->options = (fa_motions_options){
        .size = sizeof r->options, .stop = 0.2, .step = 0.05, .tolerance = 1e-10};
    r->options.parameter = r->row;
    r->options.n_parameters = 2;
    for (int i = 0; i < RUNS * N; i++) {
        r->q[i] = random_in(&seed, -1, 1);
        r->qd[i] = random_in(&seed, -1, 1);
        r->tau[i] = random_in(&seed, -5, 5);
    }
    for (int i = 0; i < RUNS * 2; i++) r->given[i] = random_in(&seed, 1, 3);
    r->table = (fa_run_table){sizeof r->table, r->q, r->qd, r->tau, r->given};
    return error.status == FA_OK ? 0 : -1;
}

static int end(void **state)
{
    rig *r = *state;
    fa_robot_free(r->robot);
    free(r);
    return 0;
}

static fa_motions *motions_of(const rig *r)
{
    fa_error    error = fa_no_error();
    fa_motions *m = fa_motions_new(r->robot, &r->options, &error);
    if (!m) fail_msg("%s", error.message);
    assert_int_equal(fa_motions_samples(m), SAMPLES);
    assert_int_equal(fa_motions_states(m), STATES);
    return m;
}

static void run(fa_motions *m, size_t runs, const fa_run_table *table, const fa_sink *sink,
                int threads)
{
    fa_error error = fa_no_error();
    if (fa_motions_run(m, runs, table, sink, threads, &error) != FA_OK)
        fail_msg("%s", error.message);
}

static void a_run_depends_on_no_other(void **state)
{
    rig          *r = *state;
    fa_motions   *m = motions_of(r);
    static double want[NUMBERS], got[NUMBERS];
    const fa_sink first = {.size = sizeof first, .samples = want};
    const fa_sink sink = {.size = sizeof sink, .samples = got};
    const size_t  each = sizeof want / RUNS;
    assert_true(fa_motions_in_lanes(m));
    assert_string_equal(fa_motions_state_name(m, 0), "joint.waist.position");
    assert_null(fa_motions_state_name(m, STATES));
    run(m, RUNS, &r->table, &first, 1);
    for (int threads = 2; threads <= 7; threads += 5) {
        memset(got, 0, sizeof got);
        run(m, RUNS, &r->table, &sink, threads);
        assert_memory_equal(got, want, sizeof want);
    }
    for (size_t k = 0; k < RUNS; k += 5) {
        const fa_run_table one = {sizeof one, r->q + k * N, r->qd + k * N, r->tau + k * N,
                                  r->given + 2 * k};
        run(m, 1, &one, &sink, 1);
        assert_memory_equal(got, want + k * SAMPLES * STATES, each);
    }
    fa_motions_free(m);
}

// By another integrator, in steps of one length. Together they err by less than 1e-10 rad and
// 1e-9 rad/s; the bounds are ten times that.
static void a_motion_is_that_of_small_steps(void **state)
{
    rig          *r = *state;
    fa_error      error = fa_no_error();
    static double got[NUMBERS];
    const fa_sink sink = {.size = sizeof sink, .samples = got};
    fa_motions   *m = motions_of(r);
    fa_workspace *w = fa_workspace_new(r->robot, 0, &error);
    run(m, 3, &r->table, &sink, 1);
    for (size_t k = 0; k < 3; k++) {
        double q[N], qd[N];
        memcpy(q, r->q + k * N, sizeof q);
        memcpy(qd, r->qd + k * N, sizeof qd);
        assert_int_equal(fa_workspace_set(w, 2, r->row, r->given + 2 * k, &error), FA_OK);
        for (size_t i = 0; i < SAMPLES; i++) {
            const double *x = got + (k * SAMPLES + i) * STATES;
            for (int j = 0; j < N; j++) {
                assert_float_equal(x[j], q[j], 1e-9);
                assert_float_equal(x[N + j], qd[j], 1e-8);
            }
            fa_fixed_steps(r->robot, w, 1, FA_STEP_RK4, 500, 1e-4, NULL, r->tau + k * N, q, qd);
        }
    }
    fa_workspace_free(w);
    fa_motions_free(m);
}

static void results_go_where_the_caller_says(void **state)
{
    rig          *r = *state;
    fa_motions   *m = motions_of(r);
    static double want[NUMBERS], wide[2 * NUMBERS], final[RUNS * STATES], reached[RUNS];
    static float  small[2 * NUMBERS];
    fa_status     status[RUNS];
    const size_t  line = STATES;
    run(m, RUNS, &r->table, &(fa_sink){.size = sizeof(fa_sink), .samples = want}, 1);
    run(m, RUNS, &r->table,
        &(fa_sink){.size = sizeof(fa_sink),
                   .samples = wide,
                   .singles = small,
                   .run_stride = 2 * SAMPLES * line,
                   .sample_stride = 2 * line},
        1);
    for (size_t k = 0; k < RUNS * SAMPLES; k++)
        assert_memory_equal(wide + 2 * k * line, want + k * line, line * sizeof *want);
    for (size_t k = 0; k < RUNS * SAMPLES; k++)
        for (size_t i = 0; i < line; i++)
            assert_true(small[2 * k * line + i] == (float)want[k * line + i]);
    assert_true(wide[line] == 0 && small[line] == 0); // between samples nothing is written
    run(m, RUNS, &r->table,
        &(fa_sink){.size = sizeof(fa_sink),
                   .samples = final,
                   .last = true,
                   .status = status,
                   .reached = reached},
        2);
    for (size_t k = 0; k < RUNS; k++) {
        assert_memory_equal(final + k * line, want + (k * SAMPLES + SAMPLES - 1) * line,
                            line * sizeof *want);
        assert_true(status[k] == FA_OK && reached[k] == 0.2);
    }
    fa_motions_free(m);
}

static void a_run_that_fails_disturbs_no_other(void **state)
{
    rig          *r = *state;
    fa_motions   *m = motions_of(r);
    fa_error      error = fa_no_error();
    static double want[NUMBERS], got[NUMBERS];
    fa_status     status[RUNS];
    double        reached[RUNS];
    const fa_sink sink = {
        .size = sizeof sink, .samples = got, .status = status, .reached = reached};
    const size_t each = SAMPLES * STATES;
    run(m, RUNS, &r->table, &(fa_sink){.size = sizeof(fa_sink), .samples = want}, 1);
    r->tau[4 * N + 1] = NAN;
    r->given[2 * 9] = -1;
    assert_int_equal(fa_motions_run(m, RUNS, &r->table, &sink, 2, &error), FA_NOT_FINITE);
    assert_memory_equal(error.message, "run 4: ", 7);
    for (size_t k = 0; k < RUNS; k++) {
        const bool bad = k == 4 || k == 9;
        assert_int_equal(status[k] != FA_OK, bad);
        if (bad) assert_true(isnan(got[(k + 1) * each - 1]));
        if (!bad) assert_memory_equal(got + k * each, want + k * each, each * sizeof *got);
    }
    assert_int_equal(status[9], FA_BAD_INPUT); // a payload below zero
    assert_true(reached[9] == 0 && reached[8] == 0.2);
    fa_motions_free(m);
}

static void robots_with_events_go_one_by_one(void **state)
{
    (void)state;
    fa_error                 error = fa_no_error();
    fa_robot                *robot = fa_robot_read(sticks, sizeof sticks - 1, "s", NULL, &error);
    const fa_motions_options options = {.size = sizeof options, .stop = 1, .step = 0.5};
    fa_motions              *m = robot ? fa_motions_new(robot, &options, &error) : NULL;
    // A torque that stiction holds, m g / 2 at the start, and one that it does not.
    const double       q[3] = {1.5707963267948966, 1.5707963267948966, 0}, tau[3] = {1.5, 3, 0};
    double             got[9 * 2];
    const fa_run_table table = {.size = sizeof table, .q = q, .input = tau};
    if (!m) fail_msg("%s", error.message);
    assert_int_equal(fa_motions_states(m), 2);
    run(m, 3, &table, &(fa_sink){.size = sizeof(fa_sink), .samples = got}, 2);
    assert_false(fa_motions_in_lanes(m));
    assert_true(got[4] == q[0] && got[5] == 0);
    assert_true(fabs(got[10] - q[1]) > 0.01 && fabs(got[16]) > 0.1);
    fa_motions_free(m);
    const fa_stepper_options steps = {.size = sizeof steps, .step = 1e-3};
    assert_null(fa_stepper_new(robot, &steps, &error));
    assert_non_null(strstr(error.message, "steps of one length have none"));
    fa_robot_free(robot);
}

static void nothing_is_allocated_while_motions_run(void **state)
{
    rig          *r = *state;
    fa_motions   *m = motions_of(r);
    static double got[NUMBERS];
    const fa_sink sink = {.size = sizeof sink, .samples = got};
    const long    before = allocations;
    for (int turn = 0; turn < 3; turn++) run(m, RUNS, &r->table, &sink, 1);
    assert_int_equal(allocations, before);
    fa_motions_free(m);
}

static void memory_that_is_not_there_is_a_sentence(void **state)
{
    rig        *r = *state;
    fa_error    error = fa_no_error();
    long        turn = 0;
    fa_motions *m = NULL;
    for (; !m; turn += 1 + turn / 8) {
        error = fa_no_error();
        countdown = turn;
        m = fa_motions_new(r->robot, &r->options, &error);
        countdown = -1;
        if (!m) assert_non_null(strstr(error.message, "memory"));
    }
    assert_true(turn > 50);
    static double got[NUMBERS];
    const fa_sink sink = {.size = sizeof sink, .samples = got};
    fa_status     status = FA_NO_MEMORY;
    for (turn = 0; status != FA_OK; turn += 1 + turn / 8) {
        countdown = turn;
        status = fa_motions_run(m, RUNS, &r->table, &sink, 3, &error);
        countdown = -1;
        assert_true(status == FA_OK || status == FA_NO_MEMORY);
    }
    fa_motions_free(m);
}

static void what_is_refused_gets_a_sentence(void **state)
{
    rig               *r = *state;
    fa_error           error = fa_no_error();
    fa_motions_options options = r->options;
    const int          none = 1 << 20;
    options.size = 1;
    assert_null(fa_motions_new(r->robot, &options, &error));
    assert_non_null(strstr(error.message, "the options of motions have another size"));
    options = r->options;
    options.step = 0;
    assert_null(fa_motions_new(r->robot, &options, &error));
    assert_non_null(strstr(error.message, "not 0.2 s, 0 s and 1e-10"));
    options = r->options;
    options.parameter = &none;
    options.n_parameters = 1;
    assert_null(fa_motions_new(r->robot, &options, &error));
    assert_non_null(strstr(error.message, "the robot has no parameter number 1048576"));
    fa_motions   *m = motions_of(r);
    const fa_sink sink = {.size = sizeof sink};
    fa_run_table  table = r->table;
    table.size = 0;
    assert_int_equal(fa_motions_run(m, 1, &table, &sink, 1, &error), FA_BAD_INPUT);
    assert_non_null(strstr(error.message, "the table of runs, or the sink, has another size"));
    table = r->table;
    table.parameter = NULL;
    assert_int_equal(fa_motions_run(m, 1, &table, &sink, 1, &error), FA_BAD_INPUT);
    assert_non_null(strstr(error.message, "their table has no values of them"));
    fa_motions_free(m);
    fa_stepper_options steps = {.size = sizeof steps, .step = NAN};
    assert_null(fa_stepper_new(r->robot, &steps, &error));
    assert_non_null(strstr(error.message, "a stepper needs a step above zero"));
    steps = (fa_stepper_options){.size = 3, .step = 1};
    assert_null(fa_stepper_new(r->robot, &steps, &error));
    assert_non_null(strstr(error.message, "the options of a stepper have another size"));
    steps = (fa_stepper_options){sizeof steps, (fa_step_method)7, 1e-3, NULL};
    assert_null(fa_stepper_new(r->robot, &steps, &error));
    assert_non_null(strstr(error.message, "there is no method number 7"));
}

static void a_stepper_takes_the_fixed_steps(void **state)
{
    rig          *r = *state;
    const double  gain[N] = {400, 400, 400, 50, 50, 50}, brake[N] = {40, 40, 40, 5, 5, 5};
    fa_servos     servos = {gain, brake, gain};
    fa_error      error = fa_no_error();
    fa_workspace *w = fa_workspace_new(r->robot, 1, &error);
    for (int kind = 0; kind < FA_STEP_METHODS; kind++) {
        const fa_stepper_options options = {sizeof options, (fa_step_method)kind, 1e-3, &servos};
        fa_stepper              *s = fa_stepper_new(r->robot, &options, &error);
        double                   q[N], qd[N], want[N], rate[N];
        assert_non_null(s);
        assert_int_equal(fa_stepper_evaluations(s), kind == FA_STEP_RK4 ? 4 : 1);
        assert_int_equal(fa_workspace_set(fa_stepper_workspace(s), 2, r->row, r->given, &error),
                         FA_OK);
        assert_int_equal(fa_workspace_set(w, 2, r->row, r->given, &error), FA_OK);
        memcpy(want, r->q, sizeof want);
        memcpy(rate, r->qd, sizeof rate);
        fa_stepper_begin(s, 5, want, rate);
        fa_stepper_hold(s, r->q + N);
        const long before = allocations;
        for (int period = 1; period <= 200; period++) {
            // Periods of two steps; the first is cut, and its rest is taken up by the next.
            const double until = 5 + 2e-3 * period - (period == 1 ? 4e-4 : 0);
            assert_int_equal(fa_stepper_step(s, until, q, qd), FA_OK);
        }
        assert_int_equal(allocations, before);
        fa_fixed_steps(r->robot, w, 1, (fa_step_method)kind, 400, 1e-3, &servos, r->q + N, want,
                       rate);
        assert_memory_equal(q, want, sizeof q);
        assert_memory_equal(qd, rate, sizeof qd);
        assert_float_equal(fa_stepper_time(s), 5.4, 1e-12);
        assert_int_equal(fa_stepper_step(s, NAN, q, qd), FA_BAD_INPUT);
        assert_int_equal(fa_stepper_step(s, 1e9, q, qd), FA_BAD_INPUT);
        assert_memory_equal(q, want, sizeof q);
        r->q[N] = NAN;
        fa_stepper_hold(s, r->q + N);
        assert_int_not_equal(fa_stepper_step(s, 5.5, q, qd), FA_OK);
        assert_memory_equal(q, want, sizeof q);
        assert_float_equal(fa_stepper_time(s), 5.4, 1e-12);
        r->q[N] = 0.5;
        fa_stepper_free(s);
    }
    fa_workspace_free(w);
}

int main(void)
{
#define CASE(name) cmocka_unit_test_setup_teardown(name, begin, end)
    const struct CMUnitTest cases[] = {
        CASE(a_run_depends_on_no_other),
        CASE(a_motion_is_that_of_small_steps),
        CASE(results_go_where_the_caller_says),
        CASE(a_run_that_fails_disturbs_no_other),
        CASE(robots_with_events_go_one_by_one),
        CASE(nothing_is_allocated_while_motions_run),
        CASE(memory_that_is_not_there_is_a_sentence),
        CASE(what_is_refused_gets_a_sentence),
        CASE(a_stepper_takes_the_fixed_steps),
    };
    return cmocka_run_group_tests(cases, NULL, NULL);
}
