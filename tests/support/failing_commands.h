// Commands of the program, run within the test, of which every allocation fails once: each says so
// and ends with the exit code for it, or does without that memory and gives the same bytes. Nothing
// leaks (the sanitizers look). Include it in one file of a program that is linked as
// failing_memory.h asks.
#ifndef FA_FAILING_COMMANDS_H
#define FA_FAILING_COMMANDS_H

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
#include "said.h"

static char folder[] = "/tmp/forearm_memory_XXXXXX";

static const char *in_folder(const char *name)
{
    static char path[8][128];
    static int  next;
    next = (next + 1) % 8;
    snprintf(path[next], sizeof path[next], "%s/%s", folder, name);
    return path[next];
}

static FILE *terminal; // what was standard error

// Redirects cmocka's output to that of the commands.
#define FAIL(...)                                                                                  \
    do {                                                                                           \
        fprintf(terminal, __VA_ARGS__);                                                            \
        fail();                                                                                    \
    } while (0)

// Runs a command line of words between blanks; its standard output goes to the file `printed`, what
// it complains of to `said`.
static fa_exit run(const char *line)
{
    char  words[512], *argv[32] = {"forearm"}, *rest = words;
    int   argc = 1;
    FILE *out = freopen(in_folder("printed"), "wb", stdout);
    assert_non_null(out);
    snprintf(words, sizeof words, "%s", line);
    while ((argv[argc] = strtok(argc == 1 ? rest : NULL, " "))) argc++;
    FILE *error = freopen(in_folder("said"), "wb", stderr);
    assert_non_null(error);
    unsaid = NULL;
    fa_exit code = fa_run_program(argc, argv);
    if (unsaid) FAIL("%s ends with '%s' and no sentence\n", line, unsaid);
    fflush(stdout);
    fflush(stderr);
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

static void assert_memory_is_blamed(const char *line, long allocation)
{
    text said = contents(in_folder("said"));
    if (!strstr(said.data, "memory"))
        FAIL("%s: of allocation %ld it says '%s'\n", line, allocation, said.data);
    free(said.data);
}

// `file` is the file that the command writes, or what it printed.
static void every_allocation_fails_once(const char *line, const char *file)
{
    char written[128]; // `file` may be in_folder's, which uses its places again
    snprintf(written, sizeof written, "%s", file);
    allocations = 0;
    fa_exit code = run(line);
    long    n = allocations, recovered = 0;
    if (code != FA_EXIT_DONE)
        FAIL("%s ends with %d: %s\n", line, code, contents(in_folder("said")).data);
    text whole = contents(written);
    for (long i = 0; i < n; i++) {
        countdown = i;
        code = run(line);
        countdown = -1;
        if (code != FA_EXIT_DONE && code != FA_EXIT_SYSTEM)
            FAIL("%s: after allocation %ld it ends with %d\n", line, i, code);
        if (code == FA_EXIT_SYSTEM) {
            assert_memory_is_blamed(line, i);
            continue;
        }
        recovered++;
        text again = contents(written);
        if (again.size != whole.size || memcmp(again.data, whole.data, whole.size) != 0)
            FAIL("%s: without allocation %ld it writes something else\n", line, i);
        free(again.data);
    }
    fprintf(terminal, "%s: %ld allocations, %ld of them dispensable\n", line, n, recovered);
    assert_true(n > 0 && recovered < n);
    free(whole.data);
}

static void write_text(const char *path, const char *words)
{
    assert_int_equal(fa_file_write(path, words, strlen(words), NULL), FA_OK);
}

static int make_folder(void **state)
{
    (void)state;
    terminal = fdopen(dup(STDERR_FILENO), "w");
    return terminal && mkdtemp(folder) ? 0 : -1;
}

// Fails if anything but these files, `printed` and `said` is there: a command has left it behind.
static int remove_files(const char *const names[], size_t n)
{
    (void)unlink(in_folder("printed"));
    (void)unlink(in_folder("said"));
    for (size_t i = 0; i < n; i++) (void)unlink(in_folder(names[i]));
    return rmdir(folder);
}

#endif
