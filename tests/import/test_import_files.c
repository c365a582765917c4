// What every file in tests/bad and tests/urdf is answered: the lists beside them say it, word for
// word and with line and column, as `forearm check` prints it. A new file needs a line there and no
// new test. FOREARM_REWRITE=1 in the environment writes the lists anew; read the difference.
#include <dirent.h>
#include <locale.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "import.h"
#include "parts.h"

typedef struct text {
    char  *s;
    size_t used, size;
} text;

static void add(text *t, const char *format, ...) FA_PRINTF(2, 3);
static void add(text *t, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    if (t->size - t->used < 4096) {
        t->size = 2 * t->size + 8192;
        t->s = realloc(t->s, t->size);
        assert_non_null(t->s);
    }
    t->used += (size_t)vsnprintf(t->s + t->used, t->size - t->used, format, arguments);
    va_end(arguments);
}

static const char *base(const char *path)
{
    const char *slash = strrchr(path, '/');
    return slash ? slash + 1 : path;
}

static void note(void *context, const char *file, fa_place place, const char *sentence)
{
    add(context, "%s:%d:%d: warning: %s\n", base(file), place.line, place.column, sentence);
}

// The same for a file of parts.
static void describe_parts(text *t, const char *path)
{
    const fa_log log = {.warn = note, .context = t};
    fa_parts     parts;
    fa_error     error = {.message = "nothing was said"};
    if (fa_parts_read(path, &log, &parts, &error) == FA_OK)
        add(t, "%s: %d things\n", base(path), parts.n);
    else
        add(t, "%s:%d:%d: %s\n", base(error.file), error.place.line, error.place.column,
            error.message);
    fa_parts_free(&parts);
}

// One line for each warning, and one for the result.
static void describe(text *t, const char *path)
{
    if (strncmp(base(path), "parts_", 6) == 0) {
        describe_parts(t, path);
        return;
    }
    const fa_log log = {.warn = note, .context = t};
    fa_robot    *robot;
    fa_error     error = {.message = "nothing was said"};
    if (fa_import(path, NULL, &log, &robot, &error) == FA_OK) {
        add(t, "%s: %d links, %d of them free, tip %s\n", base(path), robot->n_links,
            fa_robot_freedom(robot), robot->link[robot->tip_link].name);
        free(robot);
        return;
    }
    assert_null(robot);
    assert_string_equal(error.file, path);
    add(t, "%s:%d:%d: %s\n", base(path), error.place.line, error.place.column, error.message);
}

static int by_name(const void *a, const void *b)
{
    return strcmp(*(char *const *)a, *(char *const *)b);
}

// The answers to all files of a folder, by name.
static text answers(const char *folder)
{
    char *name[1000];
    int   n = 0;
    DIR  *directory = opendir(folder);
    assert_non_null(directory);
    for (struct dirent *entry; (entry = readdir(directory));) {
        const char *end = strrchr(entry->d_name, '.');
        if (!end ||
            (strcmp(end, ".urdf") != 0 && strcmp(end, ".xml") != 0 && strcmp(end, ".sdf") != 0))
            continue;
        assert_true(n < 1000);
        name[n] = malloc(512);
        assert_non_null(name[n]);
        snprintf(name[n++], 512, "%s/%s", folder, entry->d_name);
    }
    closedir(directory);
    qsort(name, (size_t)n, sizeof *name, by_name);
    text t = {0};
    add(&t, "%s", "");
    for (int i = 0; i < n; i++) {
        describe(&t, name[i]);
        free(name[i]);
    }
    return t;
}

static char *load(const char *path)
{
    static char content[1 << 17];
    FILE       *file = fopen(path, "rb");
    assert_non_null(file);
    size_t size = fread(content, 1, sizeof content - 1, file);
    fclose(file);
    content[size] = '\0';
    return content;
}

// Line by line, so that a difference shows where it is.
static void compare(const text *got, const char *list)
{
    if (getenv("FOREARM_REWRITE")) {
        FILE *file = fopen(list, "wb");
        assert_non_null(file);
        assert_int_equal(fwrite(got->s, 1, got->used, file), got->used);
        assert_int_equal(fclose(file), 0);
        return;
    }
    char *rest_of_want = load(list), *rest_of_got = got->s;
    while (*rest_of_want || *rest_of_got) {
        size_t n = strcspn(rest_of_want, "\n"), m = strcspn(rest_of_got, "\n");
        bool   more_want = rest_of_want[n] != '\0', more_got = rest_of_got[m] != '\0';
        rest_of_want[n] = rest_of_got[m] = '\0';
        assert_string_equal(rest_of_got, rest_of_want);
        rest_of_want += n + more_want;
        rest_of_got += m + more_got;
    }
}

static void judge(const char *folder, const char *list)
{
    text got = answers(folder);
    compare(&got, list);
    free(got.s);
}

static void every_bad_file_is_told_what_is_wrong_and_where(void **state)
{
    (void)state;
    judge("bad", "bad/expected.txt");
}

static void every_odd_file_is_read_with_its_warnings(void **state)
{
    (void)state;
    judge("urdf", "urdf/expected.txt");
}

static void every_robot_that_comes_with_us_is_read(void **state)
{
    (void)state;
    judge("../resources/robots", "robots.expected.txt");
}

// CMake makes this locale and says where it is, if the system can.
static void a_locale_with_a_decimal_comma_changes_nothing(void **state)
{
    (void)state;
    if (!setlocale(LC_ALL, "de_DE.UTF-8")) skip();
    text robots = answers("../resources/robots"), odd = answers("urdf"), bad = answers("bad");
    setlocale(LC_ALL, "C");
    compare(&robots, "robots.expected.txt");
    compare(&odd, "urdf/expected.txt");
    compare(&bad, "bad/expected.txt");
    free(robots.s);
    free(odd.s);
    free(bad.s);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_bad_file_is_told_what_is_wrong_and_where),
        cmocka_unit_test(every_odd_file_is_read_with_its_warnings),
        cmocka_unit_test(every_robot_that_comes_with_us_is_read),
        cmocka_unit_test(a_locale_with_a_decimal_comma_changes_nothing),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
