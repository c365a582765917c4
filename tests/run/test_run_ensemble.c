// Many motions at once give what each alone gives, and what is kept is what a plain sum over the
// samples is.
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "arm.h"
#include "ensemble.h"
#include "import.h"
#include "random.h"
#include "run_help.h"
#include "simulation.h"
#include "test.h"

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

// Computes a statistic of one variable's samples directly.
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
// itself, the same bits. An arm on a base that moves has no right-hand side in lanes.
static void compare_motions(bool base_moves)
{
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
    robot->base_motion = base_moves;
    robot->checked = false;
    assert_int_equal(fa_robot_check(robot, NULL, &error), FA_OK);
    double low[] = {-0.5, -2}, high[] = {0.6, 2};
    compare_ensemble(robot, name, low, high, 1, false, false, 1e-4);
    compare_ensemble(robot, name, low, high, 1, false, true, 1e-4);
    compare_ensemble(robot, name, low, high, 0.75, true, false, 1e-15);
    compare_ensemble(robot, name, low, high, 0.75, true, true, 0);
    free(robot);
}

static void many_motions_are_what_each_is_alone(void **state)
{
    (void)state;
    compare_motions(false);
    compare_motions(true);
}

// Several runs: the report names the first one to leave a limit and the farthest one, when and how
// far.
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

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(many_motions_are_what_each_is_alone),
        cmocka_unit_test(the_farthest_of_several_runs_is_told),
        cmocka_unit_test(what_switches_goes_alone),
        cmocka_unit_test(a_fault_of_the_table_is_handed_on),
        cmocka_unit_test(too_much_to_keep_is_too_much),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
