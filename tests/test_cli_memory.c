// Every allocation of every command fails once: the command says so and ends with the exit code for
// it, or does without that memory and gives the same bytes. Nothing leaks (the sanitizers look).
#define _XOPEN_SOURCE 700
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#include "failing_memory.h"
#include "files.h"
#include "options.h"

static char folder[] = "/tmp/forearm_cli_XXXXXX";

static const char *in_folder(const char *name)
{
    static char path[8][128];
    static int  next;
    next = (next + 1) % 8;
    snprintf(path[next], sizeof path[next], "%s/%s", folder, name);
    return path[next];
}

// Runs a command line of words between blanks; its standard output goes to the file `printed`.
static fa_exit run(const char *line)
{
    char  words[512], *argv[32] = {"forearm"}, *rest = words;
    int   argc = 1;
    FILE *out = freopen(in_folder("printed"), "wb", stdout);
    assert_non_null(out);
    snprintf(words, sizeof words, "%s", line);
    while ((argv[argc] = strtok(argc == 1 ? rest : NULL, " "))) argc++;
    fa_exit code = fa_run_program(argc, argv);
    fflush(stdout);
    return code;
}

typedef struct text {
    char  *data;
    size_t size;
} text;

static text contents(const char *path)
{
    text t = {NULL, 0};
    assert_int_equal(fa_file_read(path, SIZE_MAX / 2, &t.data, &t.size, NULL), FA_OK);
    return t;
}

static void assert_same(text a, text b)
{
    assert_int_equal(a.size, b.size);
    assert_memory_equal(a.data, b.data, a.size);
}

// `written` is the file that the command writes, or what it printed.
static void every_allocation_fails_once(const char *line, const char *written)
{
    counted = 0;
    fa_exit code = run(line);
    long    n = counted, recovered = 0;
    if (code != FA_EXIT_DONE) fail_msg("%s ends with %d", line, code);
    text whole = contents(written);
    for (long i = 0; i < n; i++) {
        countdown = i;
        code = run(line);
        countdown = -1;
        if (code != FA_EXIT_DONE && code != FA_EXIT_SYSTEM)
            fail_msg("%s: after allocation %ld it ends with %d", line, i, code);
        if (code == FA_EXIT_SYSTEM) continue;
        recovered++;
        text again = contents(written);
        assert_same(again, whole);
        free(again.data);
    }
    fprintf(stderr, "%s: %ld allocations, %ld of them dispensable\n", line, n, recovered);
    assert_true(n > 0 && recovered < n);
    free(whole.data);
}

static void write_text(const char *path, const char *words)
{
    assert_int_equal(fa_file_write(path, words, strlen(words), NULL), FA_OK);
}

#define ROBOT "../resources/robots/double_pendulum.xml"

static void commands_survive_a_lack_of_memory(void **state)
{
    (void)state;
    char line[512];
    every_allocation_fails_once("methods", in_folder("printed"));
    every_allocation_fails_once("check " ROBOT, in_folder("printed"));
    every_allocation_fails_once("compare --untimed --samples 2 --method gibbs-appell " ROBOT,
                                in_folder("printed"));
    every_allocation_fails_once("inspect " ROBOT, in_folder("printed"));
    every_allocation_fails_once("inspect --json " ROBOT, in_folder("printed"));
    snprintf(line, sizeof line, "export %s -o %s", ROBOT, in_folder("arm.fmu"));
    every_allocation_fails_once(line, in_folder("arm.fmu"));
}

static void tables_survive_a_lack_of_memory(void **state)
{
    (void)state;
    char line[512];
    write_text(in_folder("states.csv"), "joint.elbow.position,payload.mass\n1,2\n3,4\n");
    write_text(in_folder("inputs.csv"), "time,joint.elbow.torque\n0,2\n0.01,4\n");
    snprintf(line, sizeof line, "forward %s --lock shoulder=0 --in %s --out %s --method lagrange",
             ROBOT, in_folder("states.csv"), in_folder("out.csv"));
    every_allocation_fails_once(line, in_folder("out.csv"));
    snprintf(line, sizeof line, "inverse %s --in %s", ROBOT, in_folder("states.csv"));
    every_allocation_fails_once(line, in_folder("printed"));
    snprintf(line, sizeof line, "simulate %s --stop 0.02 --input %s", ROBOT,
             in_folder("inputs.csv"));
    every_allocation_fails_once(line, in_folder("printed"));
}

static void sessions_survive_a_lack_of_memory(void **state)
{
    (void)state;
    char line[512], script[1024];
    write_text(in_folder("inputs.csv"), "time,joint.elbow.torque\n0,2\n0.01,4\n");
    write_text(in_folder("motion.csv"), "joint.elbow.acceleration\n1\n");
    snprintf(script, sizeof script,
             "theta = 1 2\nalpha = 1\ninverse_arm\nforward_arm\nshow\ninverse_arm %s\n"
             "simulate new kept schedule %s\nsimulate continued constant 2\nplot.simulation\n"
             "open.output.file %s\nprint.simulation 0 0.01 0.01\nclose.output.file\n"
             "write.graphic.file %s\ndatabase.read\n" ROBOT "\nhelp\n",
             in_folder("motion.csv"), in_folder("inputs.csv"), in_folder("out.csv"),
             in_folder("again.csv"));
    write_text(in_folder("script"), script);
    snprintf(line, sizeof line, "sim %s --script %s", ROBOT, in_folder("script"));
    every_allocation_fails_once(line, in_folder("printed"));
}

static int make_folder(void **state)
{
    (void)state;
    return mkdtemp(folder) ? 0 : -1;
}

static int remove_folder(void **state)
{
    (void)state;
    const char *const names[] = {"printed", "states.csv", "inputs.csv", "out.csv",
                                 "arm.fmu", "motion.csv", "again.csv",  "script"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) (void)unlink(in_folder(names[i]));
    return rmdir(folder); // nothing else was left behind
}

int main(void)
{
    if (setenv("FOREARM_LIBRARY_DIR", LIBRARY_FOLDER, 1) != 0) return 1;
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(commands_survive_a_lack_of_memory),
        cmocka_unit_test(tables_survive_a_lack_of_memory),
        cmocka_unit_test(sessions_survive_a_lack_of_memory),
    };
    cmocka_set_message_output(CM_OUTPUT_STDOUT);
    return cmocka_run_group_tests(tests, make_folder, remove_folder);
}
