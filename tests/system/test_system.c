// Tests the operating system layer: signals, child processes and their folders.
#define _XOPEN_SOURCE 700
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "break.h"
#include "child.h"
#include "interrupt.h"
#include "paths.h"
#include "test.h"

static const int NUMBERS[] = {SIGHUP, SIGINT, SIGTERM};
enum { N_NUMBERS = sizeof NUMBERS / sizeof *NUMBERS };

// ---------------------------------------------------------------------------------------- signals

// Returns how a child process ends that runs the function.
static int outcome_of(int (*does)(int number, const char *path), int number, const char *path)
{
    int         status;
    const pid_t process = fork();
    assert_true(process >= 0);
    if (process == 0) {
        for (int i = 0; i < N_NUMBERS; i++) (void)signal(NUMBERS[i], SIG_DFL);
        _exit(does(number, path));
    }
    assert_int_equal(waitpid(process, &status, 0), process);
    return status;
}

static volatile sig_atomic_t told;

static void tell(void)
{
    told++;
}

static int tidy_up(int number, const char *path)
{
    (void)path;
    fa_interrupt_begin(tell);
    if (fa_interrupt_came() || told) return 2;
    (void)raise(number);
    if (!fa_interrupt_came() || told != 1) return 3;
    (void)raise(number); // a second one changes nothing
    if (told != 2) return 4;
    fa_interrupt_end(); // ends the process as the signal would have
    return 5;
}

static int ignore(int number, const char *path)
{
    (void)path;
    (void)signal(number, SIG_IGN); // as nohup does
    fa_interrupt_begin(tell);
    (void)raise(number);
    if (fa_interrupt_came() || told) return 2;
    fa_interrupt_end();
    (void)raise(number);
    return 0;
}

static int begin_without_a_wish(int number, const char *path)
{
    (void)path;
    fa_interrupt_begin(NULL);
    (void)raise(number);
    if (!fa_interrupt_came()) return 2;
    fa_interrupt_end();
    return 3;
}

static int pass_by(int number, const char *path)
{
    (void)path;
    fa_interrupt_begin(tell);
    fa_interrupt_end();
    (void)raise(number); // is again what it was
    return 2;
}

static void a_signal_ends_the_program_when_it_has_tidied_up(void **state)
{
    (void)state;
    int (*const ended[])(int, const char *) = {tidy_up, begin_without_a_wish, pass_by};
    for (int i = 0; i < N_NUMBERS; i++) {
        for (size_t k = 0; k < sizeof ended / sizeof *ended; k++) {
            const int status = outcome_of(ended[k], NUMBERS[i], NULL);
            if (!WIFSIGNALED(status) || WTERMSIG(status) != NUMBERS[i])
                fail_msg("case %zu, signal %d: status %d", k, NUMBERS[i], status);
        }
        assert_int_equal(outcome_of(ignore, NUMBERS[i], NULL), 0);
    }
}

static int doom(int number, const char *path)
{
    fa_interrupt_removes(path);
    (void)raise(number);
    return 0;
}

static int doom_and_forgive(int number, const char *path)
{
    fa_interrupt_removes(path);
    fa_interrupt_removes(NULL);
    (void)raise(number);
    return 0;
}

static int doom_what_ignores(int number, const char *path)
{
    (void)signal(number, SIG_IGN);
    fa_interrupt_removes(path);
    (void)raise(number);
    return 0;
}

static void a_signal_removes_what_is_not_complete(void **state)
{
    (void)state;
    for (int i = 0; i < N_NUMBERS; i++) {
        char path[] = "/tmp/forearm-system-XXXXXX";
        assert_int_equal(close(mkstemp(path)), 0);
        assert_int_equal(outcome_of(doom_what_ignores, NUMBERS[i], path), 0);
        assert_true(fa_path_is_there(path));
        int status = outcome_of(doom_and_forgive, NUMBERS[i], path);
        assert_true(WIFSIGNALED(status) && WTERMSIG(status) == NUMBERS[i]);
        assert_true(fa_path_is_there(path));
        status = outcome_of(doom, NUMBERS[i], path);
        assert_true(WIFSIGNALED(status) && WTERMSIG(status) == NUMBERS[i]);
        assert_false(fa_path_is_there(path));
    }
}

static int ask_for_a_break(int number, const char *path)
{
    (void)path;
    fa_break_hold(number == SIGINT);
    if (fa_break_asked() || fa_break_hung_up()) return 2;
    (void)raise(number);
    if (!fa_break_asked() || fa_break_hung_up() != (number == SIGHUP)) return 3;
    fa_break_hold(false);
    return fa_break_asked() || fa_break_hung_up() != (number == SIGHUP) ? 4 : 0;
}

static void a_session_goes_on_after_a_break(void **state)
{
    (void)state;
    assert_int_equal(outcome_of(ask_for_a_break, SIGINT, NULL), 0);
    assert_int_equal(outcome_of(ask_for_a_break, SIGHUP, NULL), 0);
}

// -------------------------------------------------------------------------------------- processes

static int run_shell(const char *script, const char *folder)
{
    fa_child_words command = {.n = 0};
    fa_child_add(&command, "sh");
    fa_child_add(&command, "-c");
    fa_child_add(&command, script);
    return fa_process_start(&command, folder);
}

static void a_program_runs_in_its_folder_and_tells_how_it_ended(void **state)
{
    (void)state;
    char     folder[FA_FILE_PATH_SIZE], path[FA_FILE_PATH_SIZE + 32], *text;
    size_t   size;
    fa_error error = fa_no_error();
    assert_int_equal(fa_workshop_open(folder, &error), FA_OK);
    assert_true(fa_path_is_folder(folder));
    assert_true(fa_process_finish(
        run_shell("echo out $TMPDIR; echo err >&2; cat; mkdir deep; echo x > deep/file", folder)));
    (void)snprintf(path, sizeof path, "%s/messages.txt", folder);
    assert_int_equal(fa_file_read(path, 100, &text, &size, &error), FA_OK);
    assert_int_equal(size, strlen("out .\nerr\n"));
    assert_memory_equal(text, "out .\nerr\n", size);
    free(text);
    assert_false(fa_process_finish(run_shell("exit 1", folder)));
    assert_false(fa_process_finish(run_shell("kill -9 $$", folder)));
    assert_false(fa_process_finish(-1));
    fa_child_words nobody = {.n = 0};
    fa_child_add(&nobody, "forearm-no-such-program");
    assert_false(fa_process_finish(fa_process_start(&nobody, folder)));
    (void)snprintf(path, sizeof path, "%s/nowhere", folder);
    assert_false(fa_process_finish(run_shell("exit 0", path)));
    fa_workshop_close(folder);
    assert_false(fa_path_is_there(folder));
    fa_workshop_close(""); // which is none

    // Two at once, of which the second ends first.
    assert_int_equal(fa_workshop_open(folder, &error), FA_OK);
    const int slow = run_shell("while ! test -e done; do sleep 0.01; done", folder);
    const int fast = run_shell("echo > done", folder);
    assert_true(fa_process_finish(fast) && fa_process_finish(slow));
    fa_workshop_close(folder);
}

static void words_that_are_too_many_are_cut(void **state)
{
    (void)state;
    fa_child_words command = {.n = 0};
    for (int i = 0; i < 2 * FA_CHILD_WORDS; i++) fa_child_add(&command, "word");
    assert_int_equal(command.n, FA_CHILD_WORDS - 1);
    assert_null(command.word[FA_CHILD_WORDS - 1]);
}

static void programs_are_found_on_the_path(void **state)
{
    (void)state;
    char path[FA_FILE_PATH_SIZE], same[FA_FILE_PATH_SIZE];
    assert_true(fa_program_find("sh", path));
    assert_true(strlen(path) > 3 && strcmp(path + strlen(path) - 3, "/sh") == 0);
    assert_true(fa_program_find(path, same));
    assert_string_equal(same, path);
    assert_false(fa_program_find("forearm-no-such-program", path));
    assert_false(fa_program_find("/etc/passwd", path)); // no program
    assert_int_equal(setenv("PATH", "/forearm-nowhere::/bin:/usr/bin", 1), 0);
    assert_true(fa_program_find("sh", path));
    assert_string_equal(path, "/bin/sh");
}

static int end_all(int number, const char *folder)
{
    const int first = run_shell("sleep 100", folder), second = run_shell("sleep 100", folder);
    (void)number;
    fa_processes_end();
    if (run_shell("exit 0", folder) != -1) return 2; // nothing starts any more
    return fa_process_finish(first) || fa_process_finish(second) ? 3 : 0;
}

static void processes_end_together(void **state)
{
    (void)state;
    char     folder[FA_FILE_PATH_SIZE];
    fa_error error = fa_no_error();
    assert_int_equal(fa_workshop_open(folder, &error), FA_OK);
    assert_int_equal(outcome_of(end_all, 0, folder), 0);
    fa_workshop_close(folder);
    assert_int_equal(setenv("TMPDIR", "/forearm-nowhere", 1), 0);
    assert_int_equal(fa_workshop_open(folder, &error), FA_IO);
    assert_non_null(strstr(error.message, "cannot make a folder in it"));
    assert_string_equal(error.file, "/forearm-nowhere");
    assert_string_equal(folder, "");
    assert_int_equal(unsetenv("TMPDIR"), 0);
}

// What a robot file names may be anything of the machine.
static void regular_files_alone_are_opened(void **state)
{
    (void)state;
    static const char *const others[] = {"/tmp", "/dev/null", "/dev/zero"};
    char                     path[] = "/tmp/forearm-system-XXXXXX";
    bool                     irregular = true;
    FILE                    *file;
    for (size_t i = 0; i < sizeof others / sizeof *others; i++) {
        irregular = false;
        assert_null(fa_file_open_regular(others[i], &irregular));
        assert_true(irregular);
    }
    assert_null(fa_file_open_regular("/forearm-nowhere", &irregular));
    assert_false(irregular);
    assert_int_equal(close(mkstemp(path)), 0);
    irregular = true;
    assert_non_null(file = fa_file_open_regular(path, &irregular));
    assert_false(irregular);
    assert_int_equal(fclose(file), 0);
    assert_int_equal(remove(path), 0);
    assert_int_equal(mkfifo(path, 0600), 0); // nobody writes to it, and nobody waits for that
    assert_null(fa_file_open_regular(path, &irregular));
    assert_true(irregular);
    assert_int_equal(remove(path), 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_signal_ends_the_program_when_it_has_tidied_up),
        cmocka_unit_test(a_signal_removes_what_is_not_complete),
        cmocka_unit_test(a_session_goes_on_after_a_break),
        cmocka_unit_test(a_program_runs_in_its_folder_and_tells_how_it_ended),
        cmocka_unit_test(words_that_are_too_many_are_cut),
        cmocka_unit_test(programs_are_found_on_the_path),
        cmocka_unit_test(processes_end_together),
        cmocka_unit_test(regular_files_alone_are_opened),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
