// What a word of a session that is half typed can become.
#define _XOPEN_SOURCE 700
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cmocka.h>

#include "complete.h"
#include "files.h"
#include "random.h"

// The words with | between them, behind the column where they begin.
static void assert_completes(const char *line, bool is_answer, const char *want)
{
    fa_completions c = fa_complete(line, strlen(line), is_answer);
    char           got[1024];
    int            length = snprintf(got, sizeof got, "%d", (int)c.start);
    for (int i = 0; i < c.n; i++)
        length += snprintf(got + length, sizeof got - (size_t)length, "|%s", c.of[i]);
    assert_string_equal(got, want);
    for (int i = 0; i < c.n; i++) assert_memory_equal(c.of[i], c.of[0], c.same);
    fa_completions_free(&c);
}

static void a_first_word_is_a_command_or_a_variable(void **state)
{
    (void)state;
    assert_completes("th", false, "0|theta");
    assert_completes("t", false, "0|theta|timestep|torque");
    assert_completes("  print", false, "2|print.simulation");
    assert_completes("nothing", false, "0");
    assert_completes("D", false, "0|DACOut|DACTimePeriod");
    fa_completions c = fa_complete("", 0, false);
    assert_int_equal(c.same, 0);
    assert_true(c.n > 15);
    fa_completions_free(&c);
}

static void behind_a_command_stands_what_it_takes(void **state)
{
    (void)state;
    assert_completes("help gr", false, "5|gravity");
    assert_completes("help write", false, "5|write.graphic.file");
    assert_completes("plot.simulation a.svg theta o", false, "28|omega");
    assert_completes("simulate ", false, "9|constant|continued|kept|new|schedule|zeroed");
    assert_completes("simulate new z", false, "13|zeroed");
    assert_completes("theta = th", false, "8");
    assert_completes("show t", false, "5");
    assert_completes("nonsense t", false, "9");
}

// A folder of the test's own is the current one.
static void names_of_files_come_where_files_are_taken(void **state)
{
    (void)state;
    assert_completes("database.read o", false, "14|one.xml|other/");
    assert_completes("database.read other/", false, "14|other/two.csv");
    assert_completes("simulate new zeroed schedule other/t", false, "29|other/two.csv");
    assert_completes("", true, "0|one.xml|other/");
    assert_completes("other/", true, "0|other/two.csv");
    assert_completes("nowhere/", true, "0");
    assert_completes(".h", true, "0|.hidden");
}

static void names_with_blanks_come_in_quotation_marks(void **state)
{
    (void)state;
    assert_completes("database.read w", false, "14");
    assert_completes("database.read 'w", false, "15|with blanks.xml");
    assert_completes("database.read 'with b", false, "15|with blanks.xml");
    assert_completes("database.read \"one", false, "15|one.xml");
}

// The sanitizers look while this runs.
static void lines_of_any_kind_stay_within_their_memory(void **state)
{
    (void)state;
    static const char *const part[] = {"simulate", " ", "'",  "\"",       "help", "/",
                                       "o",        ".", "\t", "schedule", "="};
    uint64_t                 seed = 1;
    for (int trial = 0; trial < 2000; trial++) {
        char line[128] = "";
        for (int i = 0; i < 9; i++)
            strcat(line, part[random_bits(&seed) % (sizeof part / sizeof *part)]);
        size_t         cursor = random_bits(&seed) % (strlen(line) + 1);
        fa_completions c = fa_complete(line, cursor, trial % 2 == 0);
        assert_true(c.start <= cursor);
        for (int i = 0; i < c.n; i++)
            assert_memory_equal(c.of[i], line + c.start, cursor - c.start);
        fa_completions_free(&c);
    }
}

static const char *const files[] = {"one.xml", "with blanks.xml", ".hidden", "other/two.csv"};
static char              folder[] = "/tmp/forearm_complete_XXXXXX";

static int make_files(void **state)
{
    (void)state;
    if (!mkdtemp(folder) || chdir(folder) != 0 || mkdir("other", 0700) != 0) return -1;
    for (size_t i = 0; i < sizeof files / sizeof *files; i++)
        if (fa_file_write(files[i], "", 0, NULL) != FA_OK) return -1;
    return 0;
}

static int remove_files(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof files / sizeof *files; i++) (void)unlink(files[i]);
    (void)rmdir("other");
    return rmdir(folder);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_first_word_is_a_command_or_a_variable),
        cmocka_unit_test(behind_a_command_stands_what_it_takes),
        cmocka_unit_test(names_of_files_come_where_files_are_taken),
        cmocka_unit_test(names_with_blanks_come_in_quotation_marks),
        cmocka_unit_test(lines_of_any_kind_stay_within_their_memory),
    };
    return cmocka_run_group_tests(tests, make_files, remove_files);
}
