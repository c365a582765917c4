// Motions without an FMU: many of them give what each alone gives, what is kept is what a plain sum
// over the samples is, equilibria stand still within limits, a linearisation is what differences
// give, inputs are what their table says.
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "arm.h"
#include "arm_dynamics.h"
#include "draw.h"
#include "ensemble.h"
#include "equilibrium.h"
#include "import.h"
#include "linearisation.h"
#include "methods.h"
#include "one_joint.h"
#include "random.h"
#include "recording.h"
#include "simulation.h"
#include "test.h"

#define ROBOTS "../resources/robots/" // tests run in the folder tests/

static const double PI = 3.14159265358979323846;

static fa_robot *load(const char *path)
{
    fa_error  error = fa_no_error();
    fa_robot *robot = NULL;
    if (fa_import(path, NULL, NULL, &robot, &error) != FA_OK) fail_msg("%s", error.message);
    return robot;
}

static fa_robot *drawn(uint64_t *seed, int n, unsigned kind)
{
    fa_error  error = fa_no_error();
    fa_robot *robot = random_robot(seed, n, kind);
    if (fa_robot_check(robot, NULL, &error) != FA_OK) fail_msg("%s", error.message);
    return robot;
}

static fa_state state_of(const fa_robot *robot)
{
    fa_state state;
    fa_error error = fa_no_error();
    if (fa_state_new(robot, &state, &error) != FA_OK) fail_msg("%s", error.message);
    return state;
}

static double *values_copy(const fa_state *state)
{
    const size_t size = (size_t)state->table.n * sizeof(double);
    double      *copy = malloc(size);
    assert_non_null(copy);
    memcpy(copy, state->value, size);
    return copy;
}

// ------------------------------------------------------------------------------------- equilibria

static const fa_arm *arm_of(const fa_state *state)
{
    return state->self;
}

static double *at(fa_state *state, int quantity)
{
    return state->value + arm_of(state)->row[quantity];
}

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

// ----------------------------------------------------------------------------------- many motions

enum { RUNS = 40, COLUMNS = 2 };

typedef struct run_table {
    const fa_state *state;
    int             begun, columns;
    fa_run          run[RUNS];
    double          given[RUNS][COLUMNS];
    fa_status       fault; // what asking for run number RUNS - 1 says
} run_table;

static fa_status next_of(void *context, fa_run **run, fa_error *error)
{
    run_table *t = context;
    *run = t->begun < RUNS ? &t->run[t->begun] : NULL;
    if (t->begun == RUNS - 1 && t->fault != FA_OK)
        return fa_fail(error, t->fault, NULL, FA_NOWHERE, "the table ends here");
    if (*run) (*run)->number = t->begun++;
    return FA_OK;
}

static void fill_in(run_table *t, const fa_keeping *keeping)
{
    for (int i = 0; i < RUNS; i++) {
        t->run[i] =
            (fa_run){.given = t->given[i], .kept = calloc(keeping->size + 1, sizeof(double))};
        assert_non_null(t->run[i].kept);
        t->run[i].kept[keeping->size] = 17; // not the ensemble's
    }
}

static void empty(run_table *t, const fa_keeping *keeping)
{
    for (int i = 0; i < RUNS; i++) {
        assert_true(t->run[i].kept[keeping->size] == 17);
        free(t->run[i].kept);
    }
}

// One motion by itself, each step ending at a sample, every row of every sample.
static fa_status alone(const fa_robot *robot, const fa_plan *plan, const double given[],
                       double *samples, fa_error *error)
{
    fa_state      s = state_of(robot);
    fa_schedule   nothing = {0};
    fa_simulation simulation = {0};
    const size_t  rows = (size_t)s.table.n;
    memcpy(s.value, plan->state->value, rows * sizeof(double));
    fa_status status = FA_OK;
    for (int i = 0; i < plan->n_columns && status == FA_OK; i++)
        status = fa_state_set(&s, s.table.row[plan->row[i]].name, given[i], error);
    if (status == FA_OK) status = fa_state_begin(&s, error);
    if (status == FA_OK) status = fa_simulation_new(&s, &nothing, &simulation, error);
    if (status == FA_OK) status = fa_simulation_begin(&simulation, 0, error);
    for (double line = 0; line <= plan->keeping->lines && status == FA_OK; line++) {
        const double t = line < plan->keeping->lines ? line * plan->step : plan->stop;
        status = fa_simulation_advance(&simulation, t, error);
        if (status == FA_OK)
            status = fa_simulation_show(&simulation, t, simulation.x, FA_GROUP_ALL, error);
        memcpy(samples + (size_t)line * rows, s.value, rows * sizeof(double));
    }
    fa_simulation_free(&simulation);
    fa_state_free(&s);
    return status;
}

// What the words say, of one variable's samples.
static double plainly(fa_keep word, const double *samples, size_t rows, int row, int lines)
{
    double least = INFINITY, most = -INFINITY, sum = 0;
    for (int line = 0; line <= lines; line++) {
        const double x = samples[(size_t)line * rows + (size_t)row];
        least = fmin(least, x);
        most = fmax(most, x);
        sum += x;
    }
    switch (word) {
    case FA_KEEP_FIRST:
        return samples[row];
    case FA_KEEP_LAST:
        return samples[(size_t)lines * rows + (size_t)row];
    case FA_KEEP_MIN:
        return least;
    case FA_KEEP_MAX:
        return most;
    default:
        return sum / (lines + 1);
    }
}

// Runs of one robot with other starts, side by side or each by itself, against motions alone.
static void compare_ensemble(fa_robot *robot, const char *const name[COLUMNS], double low[COLUMNS],
                             double high[COLUMNS], double stop, bool by_itself, bool all,
                             double tolerance)
{
    fa_error     error = fa_no_error();
    fa_state     s = state_of(robot);
    fa_keeping   keeping;
    fa_limits    limits, wanted;
    run_table   *t = calloc(1, sizeof *t);
    const double step = 0.07;
    double       lines;
    int          column[COLUMNS];
    uint64_t     seed = 6;
    assert_non_null(t);
    assert_int_equal(fa_simulation_lines(stop, step, &lines, &error), FA_OK);
    assert_true(lines == ceil(stop / step - 1e-9));
    assert_int_equal(fa_keeping_new(&s, lines, &keeping, &error), FA_OK);
    fa_keeping_take_usual(&keeping, &s.table);
    assert_int_equal(keeping.n, fa_variables_count(&s.table, FA_STATE) +
                                    fa_variables_count(&s.table, FA_OUTPUT));
    keeping.all = all;
    for (int k = 0; k < FA_KEEPS && !all; k++)
        keeping.word[keeping.n_words++] = (fa_keep)((k + 3) % FA_KEEPS);
    fa_keeping_count(&keeping, &s.table);
    assert_int_equal(keeping.size, keeping.n * (all ? (int)lines + 1 : FA_KEEPS));
    assert_int_equal(fa_limits_new(robot, &s.table, &limits, &error), FA_OK);
    assert_int_equal(fa_limits_new(robot, &s.table, &wanted, &error), FA_OK);
    limits.several = wanted.several = true;
    for (int c = 0; c < COLUMNS; c++)
        assert_int_equal(fa_state_find_settable(&s, name[c], NULL, FA_NOWHERE, &column[c], &error),
                         FA_OK);
    for (int i = 0; i < RUNS; i++)
        for (int c = 0; c < COLUMNS; c++) t->given[i][c] = random_in(&seed, low[c], high[c]);
    t->given[5][0] = -1e300; // refused, or without an acceleration
    t->given[7][1] = 1e308;
    t->given[8][1] = -1e308;
    const fa_plan plan = {.robot = robot,
                          .state = &s,
                          .n_columns = COLUMNS,
                          .row = column,
                          .stop = stop,
                          .step = step,
                          .keeping = &keeping,
                          .limits = &limits,
                          .alone = by_itself};
    fill_in(t, &keeping);
    if (fa_ensemble(&plan, next_of, t, &error) != FA_OK) fail_msg("%s", error.message);
    const size_t rows = (size_t)s.table.n;
    double      *samples = malloc((size_t)(lines + 1) * rows * sizeof *samples);
    assert_non_null(samples);
    for (int i = 0; i < RUNS; i++) {
        const fa_run *run = &t->run[i];
        fa_error      told = fa_no_error();
        assert_true(run->finished && run->number == i);
        const fa_status status = alone(robot, &plan, t->given[i], samples, &told);
        if (status != run->error.status) fail_msg("run %d: %s", i, run->error.message);
        if (status != FA_OK) {
            assert_string_equal(run->error.message, told.message);
            continue;
        }
        wanted.run = i;
        for (int line = 0; line <= (int)lines; line++)
            fa_limits_look(&wanted, line < lines ? line * step : stop,
                           samples + (size_t)line * rows);
        const double *kept = run->kept;
        for (int v = 0; v < keeping.n * (all ? (int)lines + 1 : 1); v++)
            for (int k = 0; k < (all ? 1 : keeping.n_words); k++, kept++) {
                const int    row = keeping.row[v % keeping.n];
                const double x = all ? samples[(size_t)(v / keeping.n) * rows + (size_t)row]
                                     : plainly(keeping.word[k], samples, rows, row, (int)lines);
                const double size = 1 + fabs(x);
                if (!(fabs(*kept - x) <= tolerance * size))
                    fail_msg("run %d, %s: %.17g, alone %.17g", i, s.table.row[row].name, *kept, x);
            }
    }
    assert_int_not_equal(t->run[5].error.status, FA_OK);
    assert_int_equal(limits.n, wanted.n);
    for (int i = 0; i < limits.n; i++) {
        const fa_limited *a = &limits.of[i], *b = &wanted.of[i];
        assert_true(a->left == b->left);
        assert_string_equal(a->name, b->name);
        if (!a->left) continue;
        assert_true(a->limit == b->limit && a->run == b->run && a->first == b->first);
        assert_true(fabs(a->by - b->by) <= tolerance * (1 + b->by) && a->when == b->when);
    }
    empty(t, &keeping);
    free(samples);
    free(t);
    fa_limits_free(&limits);
    fa_limits_free(&wanted);
    fa_keeping_free(&keeping);
    fa_state_free(&s);
}

// Side by side steps are as long as the motion allows: within what the tolerance grows to. Each by
// itself, the same bits.
static void many_motions_are_what_each_is_alone(void **state)
{
    (void)state;

    fa_robot   *robot = load(ROBOTS "double_pendulum.xml");
    fa_error    error = fa_no_error();
    const char *name[COLUMNS];
    char        first[2][FA_NAME_SIZE + 32];
    fa_state    s = state_of(robot);
    // By role, whatever the joints are called.
    (void)snprintf(first[0], sizeof first[0], "%s",
                   s.table.row[s.table.row[s.table.first[FA_STATE]].initial].name);
    (void)snprintf(first[1], sizeof first[1], "%s", s.table.row[s.table.first[FA_INPUT]].name);
    name[0] = first[0];
    name[1] = first[1];
    fa_state_free(&s);
    for (int i = 1; i < robot->n_links; i++)
        if (fa_joint_is_free(&robot->link[i].joint))
            robot->link[i].joint.limit =
                (fa_limit_data){.lower = -0.9, .upper = 0.7, .effort = 100};
    assert_int_equal(fa_robot_check(robot, NULL, &error), FA_OK);
    double low[] = {-0.5, -2}, high[] = {0.6, 2};
    compare_ensemble(robot, name, low, high, 1, false, false, 1e-4);
    compare_ensemble(robot, name, low, high, 1, false, true, 1e-4);
    compare_ensemble(robot, name, low, high, 0.75, true, false, 1e-15);
    compare_ensemble(robot, name, low, high, 0.75, true, true, 0);
    free(robot);
}

// Of several runs: who left a limit first, who went farthest beyond, when and how far.
static void the_farthest_of_several_runs_is_told(void **state)
{
    (void)state;
    fa_error  error = fa_no_error();
    fa_robot *robot = load(ROBOTS "double_pendulum.xml");
    for (int i = 1; i < robot->n_links; i++)
        if (fa_joint_is_free(&robot->link[i].joint))
            robot->link[i].joint.limit = (fa_limit_data){.lower = -1, .upper = 2};
    robot->checked = false;
    assert_int_equal(fa_robot_check(robot, NULL, &error), FA_OK);
    fa_state  s = state_of(robot);
    fa_limits limits;
    assert_int_equal(fa_limits_new(robot, &s.table, &limits, &error), FA_OK);
    limits.several = true;
    assert_int_equal(limits.n, 2);
    static const struct {
        double run, t, q[2];
    } sample[] = {{4, 0, {0.5, 2}},
                  {4, 1, {2.125, 0}},
                  {7, 0.5, {-1.5, -1}},
                  {2, 0.75, {2.25, 0}},
                  {3, 2, {2.375, 1}}};
    for (size_t i = 0; i < sizeof sample / sizeof *sample; i++) {
        limits.run = sample[i].run;
        memcpy(at(&s, FA_ARM_POSITION), sample[i].q, sizeof sample[i].q);
        fa_limits_look(&limits, sample[i].t, s.value);
    }
    const fa_limited *l = &limits.of[0];
    assert_true(l->left && !limits.of[1].left);
    assert_true(l->first == 2 && l->run == 7 && l->when == 0.5 && l->since == 1);
    assert_true(fabs(l->by - 0.5) < 1e-5 && l->limit == -1); // but for a solver's tolerance
    fa_limits_free(&limits);
    fa_state_free(&s);
    free(robot);
}

// What switches goes alone, whatever is asked for.
static void what_switches_goes_alone(void **state)
{
    (void)state;
    fa_robot *robot = load("fuzz/robots/everything.xml");
    fa_state  s = state_of(robot);
    char      first[COLUMNS][FA_NAME_SIZE + 32];
    (void)snprintf(first[0], sizeof first[0], "%s",
                   s.table.row[s.table.row[s.table.first[FA_STATE]].initial].name);
    (void)snprintf(first[1], sizeof first[1], "%s", s.table.row[s.table.first[FA_INPUT]].name);
    fa_state_free(&s);
    const char *name[] = {first[0], first[1]};
    double      low[] = {0, 0}, high[] = {0.01, 0.1};
    compare_ensemble(robot, name, low, high, 0.2, false, true, 0);
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

// A fault of the table, or a lack of memory, ends all.
static void a_fault_of_the_table_is_handed_on(void **state)
{
    (void)state;
    fa_error   error = fa_no_error();
    fa_robot  *robot = load(ROBOTS "double_pendulum.xml");
    fa_state   s = state_of(robot);
    fa_keeping keeping;
    fa_limits  limits;
    run_table *t = calloc(1, sizeof *t);
    assert_non_null(t);
    assert_int_equal(fa_keeping_new(&s, 2, &keeping, &error), FA_OK);
    fa_keeping_take_usual(&keeping, &s.table);
    keeping.all = true;
    fa_keeping_count(&keeping, &s.table);
    assert_int_equal(fa_limits_new(robot, &s.table, &limits, &error), FA_OK);
    const fa_plan plan = {.robot = robot,
                          .state = &s,
                          .stop = 0.1,
                          .step = 0.05,
                          .keeping = &keeping,
                          .limits = &limits};
    fill_in(t, &keeping);
    t->fault = FA_IO;
    assert_int_equal(fa_ensemble(&plan, next_of, t, &error), FA_IO);
    assert_string_equal(error.message, "the table ends here");
    empty(t, &keeping);
    free(t);
    fa_limits_free(&limits);
    fa_keeping_free(&keeping);
    fa_state_free(&s);
    free(robot);
    assert_true(fa_simulation_lines(1e13, 1, &(double){0}, &error) == FA_UNFIT);
}

// More numbers than memory can have are asked for as many, and not as few.
static void too_much_to_keep_is_too_much(void **state)
{
    (void)state;
    fa_error   error = fa_no_error();
    fa_robot  *robot = load(ROBOTS "double_pendulum.xml");
    fa_state   s = state_of(robot);
    fa_keeping keeping;
    assert_int_equal(fa_keeping_new(&s, 1e300, &keeping, &error), FA_OK);
    fa_keeping_take_usual(&keeping, &s.table);
    keeping.all = true;
    fa_keeping_count(&keeping, &s.table);
    assert_true(keeping.size >= SIZE_MAX / 4);
    unsigned groups = 0;
    for (int i = 0; i < keeping.n; i++) groups |= s.table.row[keeping.row[i]].group;
    assert_int_equal(keeping.groups, groups);
    fa_keeping_free(&keeping);
    fa_state_free(&s);
    free(robot);
}

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

// --------------------------------------------------------------------------- names, and what is
// kept

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

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(equilibria_stand_still_within_limits),
        cmocka_unit_test(a_pendulum_hangs_where_its_torque_says),
        cmocka_unit_test(linearisations_are_what_differences_give),
        cmocka_unit_test(many_motions_are_what_each_is_alone),
        cmocka_unit_test(the_farthest_of_several_runs_is_told),
        cmocka_unit_test(what_switches_goes_alone),
        cmocka_unit_test(a_link_is_weighed_against_what_it_is_bolted_to),
        cmocka_unit_test(a_fault_of_the_table_is_handed_on),
        cmocka_unit_test(too_much_to_keep_is_too_much),
        cmocka_unit_test(inputs_are_what_their_table_says),
        cmocka_unit_test(a_line_is_due_where_an_input_jumps),
        cmocka_unit_test(poses_are_drawn_within_limits),
        cmocka_unit_test(variables_are_found_and_refused_by_name),
        cmocka_unit_test(torques_and_accelerations_agree_however_they_are_asked_for),
        cmocka_unit_test(cylinders_take_their_share_of_a_torque),
        cmocka_unit_test(one_joint_is_counted_as_the_chain_counts),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
