// Motions in lanes, of every kernel that this machine runs: what each motion is by itself, to the
// tolerance of the integrators; with bits that depend neither on the neighbours nor on the lane.
#include <math.h>
#include <stdint.h>

#include "lanes.h"
#include "plant_rig.h"
#include "run_help.h"
#include "simulation.h"

enum { RUNS = 21, LINES = 7 };

// Motions of one robot that differ in where they start, in friction, payload and gravity.
typedef struct motions {
    fa_state      state[RUNS];
    fa_lane_plan  plan;
    fa_state_rows states;
    fa_state_row *of;
    double       *nominal;
    int          *number, *changed;
    double        stop, tolerance;
    // While they run in lanes: which runs, in which order, and what is theirs.
    int     order[RUNS], n, begun, in_lane[FA_LANES_MOST];
    double *found; // run, line, state
    int     ended, handed_back;
} motions;

static void begin(fa_state *state)
{
    fa_error error = fa_no_error();
    fa_state_start(state);
    if (fa_state_configure(state, &error) != FA_OK) fail_msg("%s", error.message);
    if (fa_simulation_settle(state, &error) != FA_OK) fail_msg("%s", error.message);
}

// Rows in which the runs differ, and the numbers that run k has there.
static void vary(motions *m, const fa_robot *robot, uint64_t *seed, bool masses)
{
    const fa_variables *table = &m->state[0].table;
    int                 n = 0;
    m->changed = calloc((size_t)table->n, sizeof *m->changed);
    for (int row = 0; row < table->first[FA_INPUT]; row++) {
        const char *name = table->row[row].name;
        const bool  starts = strstr(name, ".initial_") != NULL;
        const bool  brakes = strstr(name, ".viscous_friction") != NULL;
        const bool  weighs = strcmp(name, "payload.mass") == 0 || strcmp(name, "gravity.x") == 0;
        if (!starts && !brakes && !(masses && weighs)) continue;
        m->changed[n++] = row;
        for (int k = 0; k < RUNS; k++) {
            double *value = &m->state[k].value[row];
            *value = starts ? *value + random_in(seed, -0.5, 0.5) : random_in(seed, 0, 1);
        }
    }
    m->plan.changed = m->changed;
    m->plan.n_changed = n;
    for (int k = 0; k < RUNS; k++) begin(&m->state[k]);
    (void)robot;
}

static motions motions_of(const fa_robot *robot, uint64_t *seed, bool masses)
{
    motions m = {.stop = 0.3, .tolerance = 1e-10};
    for (int k = 0; k < RUNS; k++) m.state[k] = state_of(robot);
    const fa_variables *table = &m.state[0].table;
    const size_t        n = (size_t)fa_variables_count(table, FA_STATE) + 1;
    m.of = malloc(n * sizeof *m.of);
    m.nominal = malloc(n * sizeof *m.nominal);
    m.number = malloc(n * sizeof *m.number);
    m.states = fa_variables_states(table, m.of);
    for (int i = 0; i < m.states.n; i++) {
        const double nominal = table->row[m.states.first + i].nominal;
        m.nominal[i] = nominal > 0 ? nominal : 1;
        m.number[i] = i;
    }
    vary(&m, robot, seed, masses);
    m.plan.like = arm_of(&m.state[0]);
    m.plan.value = m.state[0].value;
    m.plan.nominal = m.nominal;
    m.plan.shown = m.number;
    m.plan.n_shown = m.states.n;
    m.found = calloc((size_t)(RUNS * LINES * m.states.n), sizeof *m.found);
    return m;
}

static void drop(motions *m)
{
    for (int k = 0; k < RUNS; k++) fa_state_free(&m->state[k]);
    free(m->of);
    free(m->nominal);
    free(m->number);
    free(m->changed);
    free(m->found);
}

static bool next(void *context, int lane, fa_lane_start *start)
{
    motions *m = context;
    if (m->begun == m->n) return false;
    const int       k = m->order[m->begun++];
    const fa_state *state = &m->state[k];
    m->in_lane[lane] = k;
    *start = (fa_lane_start){.arm = arm_of(state),
                             .value = state->value,
                             .x = state->value + m->states.first,
                             .stop = m->stop,
                             .tolerance = m->tolerance,
                             .automatic = true,
                             .first = 1,
                             .last = LINES,
                             .apart = m->stop / LINES,
                             .every = true};
    return true;
}

static bool sample(void *context, int lane, double number, const double shown[])
{
    motions  *m = context;
    const int line = m->in_lane[lane] * LINES + (int)number - 1;
    memcpy(m->found + line * m->states.n, shown, (size_t)m->states.n * sizeof *shown);
    return true;
}

static void end(void *context, int lane, fa_status status, double t, const double x[], double step)
{
    motions *m = context;
    (void)t, (void)x, (void)step, (void)lane;
    m->ended++;
    m->handed_back += status != FA_OK;
}

// The first n runs of an order that begins with `first` and goes on in that direction.
static void run_in_lanes(motions *m, const char *kernel, int first, int direction, int n)
{
    const fa_lane_driver driver = {next, sample, end, m};
    m->plan.states = &m->states;
    m->plan.kernel = kernel;
    m->n = n;
    m->begun = m->ended = m->handed_back = 0;
    for (int i = 0; i < n; i++) m->order[i] = ((first + direction * i) % RUNS + RUNS) % RUNS;
    char           *block = malloc(fa_lanes_size(&m->plan) + 64);
    const uintptr_t past = (uintptr_t)block % 64;
    fa_lanes_run(fa_lanes_place(block + (64 - past), &m->plan), &driver);
    free(block);
    assert_int_equal(m->ended, n);
}

// The largest difference from each motion alone, beside the tolerance of lanes and of that.
static double difference(const motions *m, int k)
{
    fa_schedule   nothing = {0};
    fa_simulation s;
    fa_state      state = m->state[k];
    fa_error      error = fa_no_error();
    double        worst = 0;
    double       *before = values_copy(&state);
    state.value[FA_ROW_SOLVER_TOLERANCE] = 1e-10;
    assert_int_equal(fa_simulation_new(&state, &nothing, &s, &error), FA_OK);
    assert_int_equal(fa_simulation_begin(&s, 0, &error), FA_OK);
    for (int line = 1; line <= LINES; line++) {
        const double t = line < LINES ? line * (m->stop / LINES) : m->stop;
        if (fa_simulation_advance(&s, t, &error) != FA_OK) fail_msg("%s", error.message);
        for (int i = 0; i < m->states.n; i++) {
            const double got = m->found[(k * LINES + line - 1) * m->states.n + i];
            worst = fmax(worst, fabs(got - s.x[i]) / (m->nominal[i] + fabs(s.x[i])));
            if (isnan(got)) worst = INFINITY;
        }
    }
    fa_simulation_free(&s);
    memcpy(state.value, before, (size_t)state.table.n * sizeof *before);
    free(before);
    return worst;
}

static void check_kernels(const fa_robot *robot, uint64_t *seed, bool masses)
{
    motions m = motions_of(robot, seed, masses);
    m.plan.states = &m.states;
    assert_true(fa_lanes_take(&m.plan));
    const size_t size = (size_t)(RUNS * LINES * m.states.n) * sizeof *m.found;
    double      *want = malloc(size);
    const char  *kernel;
    for (int i = 0; (kernel = fa_lanes_kernel(i)) != NULL; i++) {
        const bool floats = strstr(kernel, "floats") != NULL;
        m.tolerance = floats ? 1e-5 : 1e-10;
        run_in_lanes(&m, kernel, 0, 1, RUNS);
        assert_int_equal(m.handed_back, 0);
        memcpy(want, m.found, size);
        for (int k = 0; k < RUNS; k += 5) {
            // Tolerances are of one step; motions spread them. Worst seen: 4e-9 and 3e-4.
            const double off = difference(&m, k);
            if (!(off < (floats ? 5e-3 : 1e-7)))
                fail_msg("%s: run %d is off by %g", kernel, k, off);
        }
        memset(m.found, 0, size);
        run_in_lanes(&m, kernel, 4, -1, RUNS);
        assert_memory_equal(m.found, want, size);
        memset(m.found, 0, size);
        run_in_lanes(&m, kernel, 7, 1, 1); // alone
        const size_t each = size / RUNS;
        assert_memory_equal((char *)m.found + 7 * each, (char *)want + 7 * each, each);
    }
    free(want);
    drop(&m);
}

static void motions_in_lanes_are_what_each_is_alone(void **state)
{
    (void)state;
    uint64_t       seed = 1;
    const unsigned kind[] = {RANDOM_REVOLUTE_ONLY, 0, RANDOM_BRANCHED | RANDOM_REVOLUTE_ONLY,
                             RANDOM_COUPLED, RANDOM_BRANCHED | RANDOM_COUPLED | RANDOM_SPRINGS};
    for (int trial = 0; trial < 20; trial++) {
        fa_robot *robot = drawn(&seed, 1 + trial % 7, kind[trial % 5]);
        check_kernels(robot, &seed, trial % 3 == 0);
        free(robot);
    }
}

static void rows_of_turning_joints_of_every_length(void **state)
{
    (void)state;
    uint64_t seed = 2;
    for (int n = 1; n <= 9; n++) {
        fa_robot *robot = drawn(&seed, n, RANDOM_REVOLUTE_ONLY);
        check_kernels(robot, &seed, n % 2 == 0);
        free(robot);
    }
}

// All that can stand at a joint, over a time in which nothing switches.
static void laws_of_all_elements_act_in_lanes(void **state)
{
    (void)state;
    uint64_t seed = 3;
    int      taken = 0;
    for (int trial = 0; trial < 60; trial++) {
        fa_robot *robot = rig_arm(&seed, 1 + trial % 5, RIG_DRESSED, "arm");
        fa_error  error = fa_no_error();
        robot->base_motion = false;
        robot->n_contacts = robot->n_obstacles = robot->n_springs = 0;
        for (int i = 0; i < robot->n_links; i++) {
            robot->link[i].relief = 0;
            fa_joint *joint = &robot->link[i].joint;
            joint->friction.sticks = joint->lock.present = joint->servo.compensates = false;
        }
        if (fa_robot_check(robot, NULL, &error) != FA_OK) fail_msg("%s", error.message);
        motions m = motions_of(robot, &seed, true);
        m.plan.states = &m.states;
        m.stop = 1e-5;
        if (fa_lanes_take(&m.plan)) {
            taken++;
            run_in_lanes(&m, fa_lanes_kernel(0), 0, 1, RUNS);
            for (int k = 0; k < RUNS && m.handed_back == 0; k += 4)
                // A wrong derivative of 1 would be 1e-5.
                if (!(difference(&m, k) < 1e-9))
                    fail_msg("trial %d: off by %g", trial, difference(&m, k));
        }
        drop(&m);
        free(robot);
    }
    assert_true(taken > 10);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(motions_in_lanes_are_what_each_is_alone),
        cmocka_unit_test(rows_of_turning_joints_of_every_length),
        cmocka_unit_test(laws_of_all_elements_act_in_lanes),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
