// No command prints what is no number where it promises one: with numbers at the ends of what a
// double holds, in every parameter, input and column of a table and in every place of a file, it
// gives finite numbers or ends with a sentence. One command in ONE_IN is run;
// scripts/campaign-numbers runs them all.
//
//     test_cli_numbers [ONE_IN]
#define _XOPEN_SOURCE 700
#include <ctype.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <unistd.h>

#include <cmocka.h>
#include <zip.h>

#include "files.h"
#include "import.h"
#include "options.h"
#include "said.h"
#include "state.h"

#define ROBOTS "../resources/robots/"

static const char *const extreme[] = {"1e300", "-1e300", "1e-300", "1e308", "-1e308", "1e160"};
enum { EXTREMES = sizeof extreme / sizeof *extreme };

static char  folder[] = "/tmp/forearm_numbers_XXXXXX";
static FILE *terminal; // what was standard error, which commands write to
static long  runs, answers, faults;

// The lists that commands are made of have 2, 3, 5, 6, 7 and 9 entries: with a prime beyond, each
// entry meets each.
static long one_in = 11, asked;

#define SAY(...) (void)fprintf(terminal, __VA_ARGS__)

static const char *in_folder(const char *name)
{
    static char path[8][128];
    static int  next;
    next = (next + 1) % 8;
    snprintf(path[next], sizeof path[next], "%s/%s", folder, name);
    return path[next];
}

// ---------------------------------------------------------------------------------------- looking

static bool is_part_of_word(char c)
{
    return isalnum((unsigned char)c) || c == '_';
}

// The first word of a text that stands for no number, outside of what is quoted; NULL: none. Of
// JSON, where a sentence or a name may be missing, `null` counts too if the key holds numbers.
static const char *no_number_in(const char *text)
{
    static const char *const words[] = {"nan", "inf", "infinity"};
    bool                     quoted = false;
    for (const char *at = text; *at; at++) {
        if (*at == '"') quoted = !quoted;
        if (quoted || (at > text && is_part_of_word(at[-1]))) continue;
        for (size_t k = 0; k < sizeof words / sizeof *words; k++) {
            const size_t n = strlen(words[k]);
            if (strncasecmp(at, words[k], n) == 0 && !is_part_of_word(at[n])) return at;
        }
        static const char *const keys[] = {"\"value\": null", "mass\": null", "[null", ", null"};
        for (size_t k = 0; k < sizeof keys / sizeof *keys && at[0] == 'n'; k++) {
            const size_t n = strlen(keys[k]) - 4;
            if (at >= text + n && strncmp(at - n, keys[k], n + 4) == 0) return at;
        }
    }
    return NULL;
}

static void read_back(const char *name, char **text)
{
    size_t size;
    *text = NULL;
    assert_int_equal(fa_file_read(in_folder(name), SIZE_MAX / 2, text, &size, NULL), FA_OK);
}

// The same for sentences, which say "infinity" and "NaN" where they mean these, quotes included.
static const char *no_word_in(const char *text)
{
    static const char *const words[] = {"nan", "inf"};
    for (const char *at = text; *at; at++) {
        if (at > text && is_part_of_word(at[-1])) continue;
        for (size_t k = 0; k < sizeof words / sizeof *words; k++) {
            const size_t n = strlen(words[k]);
            if (strncmp(at, words[k], n) == 0 && !is_part_of_word(at[n])) return at;
        }
    }
    return NULL;
}

// Checks a file that a command has written: a picture, a page or an archive with pages. Other
// members of an archive (libraries, the robot file) are not checked.
static const char *no_number_in_file(const char *name)
{
    static char found[64];
    const char *where = NULL;
    char       *text = NULL;
    size_t      size;
    if (access(in_folder(name), R_OK) != 0) return NULL;
    if (strcmp(strrchr(name, '.'), ".fmu") != 0) {
        assert_int_equal(fa_file_read(in_folder(name), SIZE_MAX / 2, &text, &size, NULL), FA_OK);
        where = no_word_in(text);
        if (where) snprintf(found, sizeof found, "%.40s", where);
        free(text);
        return where ? found : NULL;
    }
    zip_t *archive = zip_open(in_folder(name), ZIP_RDONLY, NULL);
    assert_non_null(archive);
    for (zip_uint64_t i = 0; i < (zip_uint64_t)zip_get_num_entries(archive, 0) && !where; i++) {
        const char *member = zip_get_name(archive, i, 0), *end = strrchr(member, '.');
        zip_stat_t  stat;
        if (!end || (strcmp(end, ".xml") != 0 && strcmp(end, ".html") != 0 &&
                     strcmp(end, ".csv") != 0 && strcmp(end, ".ssv") != 0))
            continue;
        assert_int_equal(zip_stat_index(archive, i, 0, &stat), 0);
        text = calloc(1, stat.size + 1);
        zip_file_t *file = zip_fopen_index(archive, i, 0);
        assert_true(text && file && zip_fread(file, text, stat.size) == (zip_int64_t)stat.size);
        where = no_word_in(text);
        if (where) snprintf(found, sizeof found, "%.20s: %.30s", member, where);
        zip_fclose(file);
        free(text);
    }
    zip_discard(archive);
    return where ? found : NULL;
}

static const char *const written[] = {"out.csv", "out.svg", "out.html", "out.fmu"};
enum { WRITTEN = sizeof written / sizeof *written };

// Runs a command of words between blanks and judges what it prints, says and writes.
static void judge(const char *line)
{
    char words[512], *argv[32] = {"forearm"}, *printed, *said;
    int  argc = 1;
    assert_non_null(freopen(in_folder("printed"), "wb", stdout));
    assert_non_null(freopen(in_folder("said"), "wb", stderr));
    snprintf(words, sizeof words, "%s", line);
    while ((argv[argc] = strtok(argc == 1 ? words : NULL, " "))) argc++;
    unsaid = NULL;
    for (int i = 0; i < WRITTEN; i++) (void)unlink(in_folder(written[i]));
    const fa_exit code = fa_run_program(argc, argv);
    fflush(stdout);
    fflush(stderr);
    read_back("printed", &printed);
    read_back("said", &said);
    const char *where = no_number_in(printed);
    if (!where) where = no_word_in(said);
    for (int i = 0; i < WRITTEN && !where; i++) where = no_number_in_file(written[i]);
    runs++;
    answers += code == FA_EXIT_DONE;
    if (where || unsaid || (code != FA_EXIT_DONE && !said[0])) {
        if (faults++ < 40)
            SAY("%s: ends with %d, %s%.30s\n", line, code, where ? "prints " : "says nothing",
                where ? where : "");
    }
    free(printed);
    free(said);
}

static void try(const char *line)
{
    if (asked++ % one_in == 0) judge(line);
}

// ------------------------------------------------------------------------------------ what is set

static const char *const robots[] = {ROBOTS "double_pendulum.xml", ROBOTS "scara.xml",
                                     ROBOTS "cmu_dd_arm.xml",      ROBOTS "patu655_lift_axis.xml",
                                     ROBOTS "serpenoid.xml",       "../examples/scara/scara.urdf"};
enum { ROBOTS_N = sizeof robots / sizeof *robots };

static fa_state *state_of(const char *path, fa_robot **robot)
{
    fa_state *state = malloc(sizeof *state);
    assert_non_null(state);
    fa_error error = fa_no_error();
    if (fa_import(path, NULL, NULL, robot, &error) != FA_OK) fail_msg("%s", error.message);
    assert_int_equal(fa_state_new(*robot, state, &error), FA_OK);
    return state;
}

// With steps of 1e-300 s no run ends.
static bool can_be_set(const fa_variable *v)
{
    return v->role <= FA_INPUT && v->role != FA_STRUCTURE && strcmp(v->name, "solver_step") != 0;
}

static void write_text(const char *name, const char *text)
{
    assert_int_equal(fa_file_write(in_folder(name), text, strlen(text), NULL), FA_OK);
}

// Every parameter and input, at every extreme; the slower commands with one extreme each.
static void numbers_that_are_set(void **unused)
{
    (void)unused;
    write_text("table.csv", "time\n0\n");
    write_text("runs.csv", "solver_step\n0.001\n");
    char line[512];
    for (int r = 0; r < ROBOTS_N; r++) {
        fa_robot *robot;
        fa_state *s = state_of(robots[r], &robot);
        for (int row = 0, turn = r; row < s->table.n; row++) {
            if (!can_be_set(&s->table.row[row])) continue;
            const char *name = s->table.row[row].name;
            for (int k = 0; k < EXTREMES; k++, turn++) {
                snprintf(line, sizeof line, "linearise --set %s=%s %s%s", name, extreme[k],
                         turn % 2 ? "--json " : "", robots[r]);
                try(line);
                static const char *const others[] = {
                    "simulate --solver kutta-3 --stop 0.002 --step 0.001",
                    "forward --outputs reactions,mass-matrix --in %s",
                    "inverse --outputs reactions,jacobian --in %s",
                    "linearise --equilibrium torques",
                    "inverse --regressor --in %s",
                    "compare --untimed --samples 2 --csv -",
                    "compare --untimed --samples 2"};
                const size_t which = (size_t)turn % (sizeof others / sizeof *others);
                char         other[256];
                snprintf(other, sizeof other, others[which], in_folder("table.csv"));
                snprintf(line, sizeof line, "%s --set %s=%s %s", other, name, extreme[k],
                         robots[r]);
                if (turn % 3 == 0) try(line);
            }
        }
        fa_state_free(s);
        free(s);
        free(robot);
    }
}

// Tables of one line for forward, inverse and linearise --at, and of runs.
static void numbers_in_tables(void **unused)
{
    (void)unused;
    char line[512], table[512];
    for (int r = 0; r < ROBOTS_N; r++) {
        fa_robot *robot;
        fa_state *s = state_of(robots[r], &robot);
        for (int row = 0, turn = 0; row < s->table.n; row++) {
            const fa_variable *v = &s->table.row[row];
            const char *const  x = extreme[(row + r) % EXTREMES];
            if (!can_be_set(v) && v->role != FA_STATE) continue;
            snprintf(table, sizeof table, "%s\n%s\n", v->name, x);
            write_text("table.csv", table);
            static const char *const commands[] = {
                "forward --in %s %s", "inverse --in %s --outputs reactions %s",
                "linearise --at %s %s",
                "runs --solver kutta-3 --stop 0.002 --step 0.001 --keep all "
                "--in %s %s",
                "runs --solver kutta-3 --stop 0.002 --step 0.001 --alone "
                "--keep mean --in %s %s"};
            for (int k = 0; k < 2; k++, turn++) {
                const char *table_path = in_folder("table.csv");
                snprintf(line, sizeof line,
                         commands[(size_t)turn % (sizeof commands / sizeof *commands)], table_path,
                         robots[r]);
                try(line);
            }
        }
        fa_state_free(s);
        free(s);
        free(robot);
    }
}

// ------------------------------------------------------------------------------------------- files

// The next quoted number of a text; its length goes to `n`. NULL: none.
static char *next_number(char *at, size_t *n)
{
    for (; (at = strchr(at, '"')); at++) {
        char *end;
        (void)strtod(at + 1, &end);
        if (end == at + 1 || (*end != '"' && *end != ' ')) continue;
        *n = (size_t)(end - at - 1);
        return at + 1;
    }
    return NULL;
}

// Every attribute of a file whose value begins with a number, at an extreme.
static void vary(const char *path, const char *name, const char *const commands[], int n_commands)
{
    char  *text, line[512];
    size_t size, n, turn = 0;
    assert_int_equal(fa_file_read(path, SIZE_MAX / 2, &text, &size, NULL), FA_OK);
    char *changed = malloc(size + 16);
    assert_non_null(changed);
    for (char *at = text; (at = next_number(at, &n)); at += n) {
        for (int k = 0; k < 2; k++, turn++) {
            const int length = snprintf(changed, size + 16, "%.*s%s%s", (int)(at - text), text,
                                        extreme[turn % EXTREMES], at + n);
            assert_int_equal(fa_file_write(in_folder(name), changed, (size_t)length, NULL), FA_OK);
            for (int c = 0; c < n_commands; c++) {
                snprintf(line, sizeof line, commands[c], in_folder(name));
                try(line);
            }
        }
    }
    free(changed);
    free(text);
}

static void numbers_in_files(void **unused)
{
    (void)unused;
    static const char *const commands[] = {"check %s", "inspect %s", "inspect --json %s",
                                           "compare --untimed --samples 2 %s"};
    vary(ROBOTS "double_pendulum.xml", "robot.xml", commands, 4);
    vary("../examples/scara/scara.urdf", "robot.urdf", commands, 3);
    vary(ROBOTS "serpenoid.xml", "robot.xml", commands, 3);
    vary(ROBOTS "excavator.xml", "robot.xml", commands, 1);
}

static void numbers_in_parts(void **unused)
{
    (void)unused;
    static const char *const commands[] = {"parts %s", "parts --json %s"};
    vary("../resources/parts/cmu_dd_arm.xml", "parts.xml", commands, 2);
}

// ---------------------------------------------------------------------------------- what is drawn

// Pictures, pages and FMUs of a motion with a number at an extreme.
static void numbers_in_what_is_written(void **unused)
{
    (void)unused;
    static const char *const commands[] = {
        ("simulate --solver kutta-3 --stop 0.002 --step 0.001 --plot %s/out.svg --plot-variables * "
         "-o %s/out.csv"),
        "simulate --solver kutta-3 --stop 0.002 --step 0.001 --html %s/out.html",
        "export --platforms native -o %s/out.fmu",
    };
    char line[512], command[256];
    for (int r = 0; r < ROBOTS_N; r++) {
        fa_robot *robot;
        fa_state *s = state_of(robots[r], &robot);
        for (int row = 0, turn = r; row < s->table.n; row++) {
            const fa_variable *v = &s->table.row[row];
            if (!can_be_set(v)) continue;
            // An FMU takes no --set, but locks joints; its numbers are those of the file.
            const int which = turn++ % 2;
            snprintf(command, sizeof command, commands[which], folder, folder);
            snprintf(line, sizeof line, "%s --set %s=%s %s", command, v->name,
                     extreme[turn / 2 % EXTREMES], robots[r]);
            try(line);
        }
        fa_state_free(s);
        free(s);
        free(robot);
    }
    char export[256];
    snprintf(export, sizeof export, commands[2], folder, folder);
    strcat(export, " %s");
    const char *const exports[] = {export};
    vary(ROBOTS "double_pendulum.xml", "robot.xml", exports, 1);
    vary("../examples/scara/scara.urdf", "robot.urdf", exports, 1);
}

// ---------------------------------------------------------------------------------------- sessions

// Every variable of a session at every extreme, before whatever can be done with it.
static void numbers_in_sessions(void **unused)
{
    (void)unused;
    static const char *const set[] = {"gravity", "DACTimePeriod", "timestep", "theta", "omega",
                                      "alpha",   "torque",        "voltage",  "DACOut"};
    static const char *const then[] = {
        "theta\nomega\nalpha\ntorque\ngravity\nvoltage\n",
        "DACOut\n",
        "show\n",
        "inverse_arm\nshow\ntorque\nvoltage\n",
        "forward_arm\nshow\nalpha\n",
        "simulate new kept constant 3\nprint.simulation 0\nshow\n",
        "simulate new kept constant 3\nplot.simulation theta omega alpha torque\n",
        "simulate new kept constant 3\nplot.simulation %s/out.svg\n",
        "simulate new kept constant 3\nwrite.graphic.file %s/out.csv\n",
    };
    char line[512], script[1024];
    for (int r = 0; r < ROBOTS_N; r++) {
        if (strstr(robots[r], "serpenoid") || strstr(robots[r], "lift_axis")) continue;
        for (size_t k = 0; k < sizeof set / sizeof *set; k++)
            for (int e = 0; e < EXTREMES; e++)
                for (size_t c = 0; c < sizeof then / sizeof *then; c++) {
                    int n = snprintf(script, sizeof script, "%s = %s\n", set[k], extreme[e]);
                    n += snprintf(script + n, sizeof script - (size_t)n, then[c], folder);
                    write_text("session", script);
                    snprintf(line, sizeof line, "sim --script %s %s", in_folder("session"),
                             robots[r]);
                    try(line);
                }
    }
}

// ------------------------------------------------------------------------------------- sentences

static void expect_sentence(const char *line, const char *sentence)
{
    char *said;
    judge(line);
    read_back("said", &said);
    if (!strstr(said, sentence)) fail_msg("%s: '%s' is not in '%s'", line, sentence, said);
    free(said);
}

static void the_number_is_named(void **unused)
{
    (void)unused;
    expect_sentence("linearise --set gravity.x=1e308 " ROBOTS "double_pendulum.xml",
                    "'joint.shoulder.position' in line 4 of the result is not finite: on the way");
    expect_sentence("linearise --json --set gravity.x=1e308 " ROBOTS "double_pendulum.xml",
                    "'A' would be no finite number: on the way to it numbers leave");
    expect_sentence("compare --untimed --samples 2 --set gravity.y=1e308 " ROBOTS
                    "double_pendulum.xml",
                    "has no finite answer in");
    judge("methods"); // a command with an answer
}

// -------------------------------------------------------------------------------------------- main

static int make_folder(void **state)
{
    (void)state;
    terminal = fdopen(dup(STDERR_FILENO), "w");
    if (terminal) (void)setvbuf(terminal, NULL, _IOLBF, BUFSIZ);
    return terminal && mkdtemp(folder) ? 0 : -1;
}

static int remove_folder(void **state)
{
    static const char *const names[] = {"printed",   "said",       "table.csv", "runs.csv",
                                        "robot.xml", "robot.urdf", "parts.xml", "session",
                                        "out.csv",   "out.svg",    "out.html",  "out.fmu"};
    (void)state;
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) (void)unlink(in_folder(names[i]));
    return rmdir(folder);
}

static int begin_counting(void **state)
{
    (void)state;
    runs = answers = faults = 0;
    return 0;
}

static int no_faults(void **state)
{
    (void)state;
    SAY("%ld runs, %ld with an answer, %ld faults\n", runs, answers, faults);
    fflush(terminal);
    return faults > 0 || answers == 0 || answers == runs ? -1 : 0;
}

int main(int argc, char *argv[])
{
    if (argc > 1) one_in = strtol(argv[1], NULL, 10);
    if (one_in < 1) one_in = 1;
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(numbers_that_are_set, begin_counting, no_faults),
        cmocka_unit_test_setup_teardown(numbers_in_tables, begin_counting, no_faults),
        cmocka_unit_test_setup_teardown(numbers_in_files, begin_counting, no_faults),
        cmocka_unit_test_setup_teardown(numbers_in_parts, begin_counting, no_faults),
        cmocka_unit_test_setup_teardown(numbers_in_what_is_written, begin_counting, no_faults),
        cmocka_unit_test_setup_teardown(numbers_in_sessions, begin_counting, no_faults),
        cmocka_unit_test_setup_teardown(the_number_is_named, begin_counting, no_faults)};
    return cmocka_run_group_tests(tests, make_folder, remove_folder);
}
