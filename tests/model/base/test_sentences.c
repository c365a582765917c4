// No status but FA_OK comes without a sentence: of what plants do at states of every kind, of
// robots of every kind, and of commands on every file that is wrong on purpose. test_cli_memory.c
// and test_robots_memory.c hold commands to the same where allocations fail.
#define _XOPEN_SOURCE 700
#include <dirent.h>
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#include "arm.h"
#include "equilibrium.h"
#include "import.h"
#include "options.h"
#include "random.h"
#include "said.h"
#include "state.h"

static FILE *terminal; // what was standard error, which commands write to

#define SAY(...) (void)fprintf(terminal, __VA_ARGS__)

// ------------------------------------------------------------------------------------------ plants

static long failures, unsaid_calls;

// What memory held before must not be taken for a sentence: an error that nobody has filled is
// told from one that somebody has by what fa_no_error puts in it.
static void judge(const char *robot, const char *call, fa_status status, const fa_error *error)
{
    if (status == FA_OK) return;
    failures++;
    if (error->status == status && error->message[0]) return;
    SAY("%s: %s ends with '%s', and its error says '%s'\n", robot, call, fa_status_text(status),
        error->message);
    unsaid_calls++;
}

// A number for a row that stands well, at its bounds, or where no number can.
static double draw(uint64_t *seed)
{
    static const double odd[] = {0, -0.0, 1e300, -1e300, 1e150, 1e-300, INFINITY, NAN, 4e8};
    const double        kind = random_in(seed, 0, 4);
    if (kind < 2) return random_in(seed, -3, 3);
    return odd[(int)random_in(seed, 0, sizeof odd / sizeof *odd)];
}

static void ask_all(const char *path, fa_state *s, double other[], double by_state[])
{
    const fa_plant *p = s->plant;
    const size_t    rows = (size_t)s->table.n * sizeof(double);
    fa_state_row   *of = malloc((rows + 1) * sizeof *of);
    assert_non_null(of);
    const fa_state_rows states = fa_variables_states(&s->table, of);
    fa_error            error = fa_no_error();
    judge(path, "evaluate", p->evaluate(s->self, s->value, FA_GROUP_ALL, &error), &error);
    for (int row = 0; row < s->table.n; row++) other[row] = 1;
    error = fa_no_error();
    judge(path, "tangent", p->tangent(s->self, s->value, other, FA_GROUP_ALL, &error), &error);
    for (int row = 0; row < s->table.n; row++) other[row] = 1;
    error = fa_no_error();
    judge(path, "adjoint", p->adjoint(s->self, s->value, other, FA_GROUP_ALL, &error), &error);
    error = fa_no_error();
    fa_status status =
        p->jacobian ? p->jacobian(s->self, &states, s->value, other, by_state, &error) : FA_OK;
    if (status != FA_UNFIT) judge(path, "jacobian", status, &error); // or tangents, says plant.h
    if (p->event) {
        fa_event event = {.initial = false};
        memcpy(other, s->value, rows);
        error = fa_no_error();
        judge(path, "event", p->event(s->self, other, &event, &error), &error);
    }
    free(of);
}

// At a good state, then with one row after another, and then with several, out of bounds.
static void try_states(const char *path, const fa_robot *robot)
{
    uint64_t  seed = 7;
    fa_state  s;
    fa_error  error = fa_no_error();
    fa_status status = fa_state_new(robot, &s, &error);
    judge(path, "fa_state_new", status, &error);
    if (status == FA_OK) {
        const size_t rows = (size_t)s.table.n;
        const size_t states = (size_t)fa_variables_count(&s.table, FA_STATE);
        double      *good = malloc(rows * sizeof *good), *other = malloc(rows * sizeof *other);
        double      *by_state = malloc((states * states + 1) * sizeof *by_state);
        assert_true(good && other && by_state);
        memcpy(good, s.value, rows * sizeof *good);
        ask_all(path, &s, other, by_state);
        for (int trial = 0; trial < 60; trial++) {
            memcpy(s.value, good, rows * sizeof *good);
            const int changes = trial < 40 ? 1 : 1 + trial % 5;
            for (int k = 0; k < changes; k++) {
                const int     row = (int)random_in(&seed, FA_COMMON_ROWS, s.table.n - 1);
                const fa_role role = fa_state_role(&s, row);
                if (role > FA_STATE || s.table.row[row].type != FA_REAL) continue;
                s.value[row] = draw(&seed);
            }
            error = fa_no_error();
            status = fa_state_configure(&s, &error);
            judge(path, "configure", status, &error);
            if (status == FA_OK) ask_all(path, &s, other, by_state);
        }
        free(good);
        free(other);
        free(by_state);
    }
    fa_state_free(&s);
}

static void try_equilibria(const char *path, const fa_robot *robot)
{
    static fa_status (*const find[])(const fa_robot *, fa_state *,
                                     fa_error *) = {fa_equilibrium_torques, fa_equilibrium_pose};
    for (int k = 0; k < 2 && strcmp(robot->plant, "arm") == 0; k++) {
        fa_state  s;
        fa_error  error = fa_no_error();
        fa_status status = fa_state_new(robot, &s, &error);
        if (status == FA_OK) {
            status = find[k](robot, &s, &error);
            judge(path, "equilibrium", status, &error);
        }
        fa_state_free(&s);
    }
}

static void try_robot(const char *path)
{
    const fa_import_options options = {.lenient = true, .inputs = "base,lock"};
    const fa_import_options plain = {.lenient = true};
    const bool              snake = strstr(path, "serpenoid") || strstr(path, "tavakoli");
    fa_robot               *robot = NULL;
    fa_error                error = fa_no_error();
    fa_status status = fa_import(path, snake ? &plain : &options, NULL, &robot, &error);
    if (status != FA_OK) status = fa_import(path, &plain, NULL, &robot, &error);
    judge(path, "import", status, &error);
    if (status != FA_OK) return;
    try_states(path, robot);
    try_equilibria(path, robot);
    if (strcmp(robot->plant, "arm") == 0) {
        strcpy(robot->plant, "inverse");
        try_states(path, robot);
    }
    free(robot);
}

static int each_file(const char *folder, void (*does)(const char *path))
{
    DIR *open = opendir(folder);
    int  n = 0;
    assert_non_null(open);
    for (const struct dirent *entry; (entry = readdir(open));) {
        char        path[512];
        const char *end = strrchr(entry->d_name, '.');
        if (!end || (strcmp(end, ".xml") != 0 && strcmp(end, ".urdf") != 0)) continue;
        snprintf(path, sizeof path, "%s/%s", folder, entry->d_name);
        does(path);
        n++;
    }
    closedir(open);
    return n;
}

static void plants_say_what_is_wrong(void **state)
{
    (void)state;
    failures = 0;
    assert_true(each_file("../resources/robots", try_robot) > 10);
    assert_true(each_file("urdf", try_robot) > 10);
    assert_int_equal(unsaid_calls, 0);
    assert_true(failures > 1000); // or nothing was tried
}

// It has no torque to tell it by; it was taken for an arm, whose parameters it then read.
static void an_inverse_without_joints_is_one(void **state)
{
    (void)state;
    fa_robot *robot;
    fa_state  s;
    assert_int_equal(fa_import("urdf/no_joints.urdf", NULL, NULL, &robot, NULL), FA_OK);
    for (int inverse = 0; inverse < 2; inverse++) {
        strcpy(robot->plant, inverse ? "inverse" : "arm");
        assert_int_equal(fa_state_new(robot, &s, NULL), FA_OK);
        assert_int_equal(((const fa_arm *)s.self)->inverse, inverse);
        fa_state_free(&s);
    }
    free(robot);
}

// ---------------------------------------------------------------------------------------- commands

// A command line of words between blanks; what it prints is of no interest here.
static void run(char *line)
{
    char *argv[32] = {"forearm"};
    int   argc = 1;
    while ((argv[argc] = strtok(argc == 1 ? line : NULL, " "))) argc++;
    unsaid = NULL;
    (void)fa_run_program(argc, argv);
}

static void run_all_on(const char *path)
{
    static const char *const command[] = {"check %s",
                                          "inspect %s",
                                          "export %s -o /dev/null",
                                          "simulate %s --stop 0.01",
                                          "linearise %s",
                                          "compare --untimed --samples 1 %s",
                                          "forward %s --in bad/no_such_table.csv",
                                          "inverse %s --in bad/no_such_table.csv",
                                          "runs %s --in bad/no_such_table.csv --stop 0.01",
                                          "linearise %s --equilibrium pose",
                                          "linearise %s --equilibrium torques",
                                          "simulate %s --stop 0.01 --set no_such_variable=1",
                                          "export %s --kind inverse -o /no/such/folder/robot.fmu"};
    for (size_t i = 0; i < sizeof command / sizeof *command; i++) {
        char line[1024];
        snprintf(line, sizeof line, command[i], path);
        run(line);
        if (unsaid) SAY("%s: command %zu ends with '%s' and no sentence\n", path, i, unsaid);
        unsaid_calls += unsaid != NULL;
    }
}

static void commands_say_what_is_wrong(void **state)
{
    (void)state;
    const int out = dup(STDOUT_FILENO), error = dup(STDERR_FILENO);
    assert_non_null(freopen("/dev/null", "wb", stdout));
    assert_non_null(freopen("/dev/null", "wb", stderr));
    const int files = each_file("bad", run_all_on);
    run_all_on("bad/no_such_file.urdf");
    run_all_on("urdf/mimic.urdf");
    run_all_on("../resources/robots/serpenoid.xml");
    (void)fflush(stdout);
    (void)fflush(stderr);
    assert_true(dup2(out, STDOUT_FILENO) >= 0 && dup2(error, STDERR_FILENO) >= 0);
    (void)close(out);
    (void)close(error);
    assert_int_equal(unsaid_calls, 0);
    assert_true(files > 100 && reports > 1000);
}

// What has gone well is not explained, and what has a sentence of its own keeps it.
static void a_sentence_is_added_where_there_is_none(void **state)
{
    (void)state;
    fa_error error = fa_no_error();
    assert_int_equal(fa_explain(&error, FA_OK, "file"), FA_OK);
    assert_true(error.message[0] == '\0' && error.file[0] == '\0');
    assert_int_equal(fa_explain(NULL, FA_SINGULAR, NULL), FA_SINGULAR);
    assert_int_equal(fa_explain(&error, FA_SINGULAR, "file"), FA_SINGULAR);
    assert_string_equal(error.message, fa_status_text(FA_SINGULAR));
    assert_string_equal(error.file, "file");
    assert_int_equal(fa_fail(&error, FA_UNFIT, NULL, FA_NOWHERE, "its own"), FA_UNFIT);
    assert_int_equal(fa_explain(&error, FA_UNFIT, "file"), FA_UNFIT);
    assert_string_equal(error.message, "its own");
    assert_int_equal(fa_explain(&error, FA_IO, NULL), FA_IO); // it was of another status
    assert_string_equal(error.message, fa_status_text(FA_IO));
}

// The check itself can fail.
static void silence_is_heard(void **state)
{
    (void)state;
    const fa_error nothing = fa_no_error();
    unsaid = NULL;
    assert_int_equal(fa_report(FA_SINGULAR, &nothing), FA_EXIT_UNSOLVABLE);
    assert_string_equal(unsaid, fa_status_text(FA_SINGULAR));
    unsaid = NULL;
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(plants_say_what_is_wrong),
        cmocka_unit_test(an_inverse_without_joints_is_one),
        cmocka_unit_test(commands_say_what_is_wrong),
        cmocka_unit_test(a_sentence_is_added_where_there_is_none),
        cmocka_unit_test(silence_is_heard),
    };
    terminal = fdopen(dup(STDERR_FILENO), "w");
    if (!terminal) return 1;
    return cmocka_run_group_tests(tests, NULL, NULL);
}
