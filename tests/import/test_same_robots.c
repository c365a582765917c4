// What readers make of robot files, and say, as it was: tests/readings.txt has a digest of the
// robot file and of the warnings of each document in the lists of cases and folders below. Who
// changes what is read looks at what became of it, and runs this test with FOREARM_UPDATE=1, which
// writes the digests anew.
#define _XOPEN_SOURCE 700
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "import.h"
#include "read_json.h"
#include "robot_file.h"
#include "stored_lines.h"
#include "test.h"

#define STORED "readings.txt" // tests run in the folder tests/

enum { SHOWN = 6, MOST = 512 };

static stored_lines stored;
static heard_lines  heard;

static size_t add_digest(char *line, const char *name, const void *data, size_t size)
{
    const size_t n = (size_t)sprintf(line, " %s:", name);
    return n + put_digest(line + n, SHOWN, data, size);
}

// The options in which readers differ.
static const struct way {
    const char       *name;
    fa_import_options options;
} ways[] = {
    {"", {.inputs = NULL}},
    {"free", {.base = FA_BASE_FREE, .torques = true}},
    {"dense", {.base = FA_BASE_FIXED, .density = 1000, .stops = {.asked = true, .chosen = true}}},
};
enum { WAYS = sizeof ways / sizeof *ways };

static void compare(const char *name, const struct way *way, const char *text, size_t size,
                    const char *path)
{
    const fa_log log = {.warn = hear_line, .context = &heard};
    const fa_options export = {.fmi = 3, .identifier = "r"};
    fa_error  error = fa_no_error();
    fa_robot *robot;
    char      line[1024], *file;
    heard.used = 0;
    const size_t named =
        (size_t)snprintf(line, 256, "%.150s%s%s", name, *way->name ? " " : "", way->name);
    size_t    n = named;
    fa_status status = text ? fa_import_text(text, size, path, &way->options, &log, &robot, &error)
                            : fa_import(path, &way->options, &log, &robot, &error);
    if (status == FA_OK) {
        assert_int_equal(fa_robot_file_write(robot, &export, &file, &size, &error), FA_OK);
        n += add_digest(line + n, "robot", file, size);
        free(file);
        free(robot);
    } else {
        char      told[1200];
        const int length = snprintf(told, sizeof told, "%d:%d %s", error.place.line,
                                    error.place.column, error.message);
        n += add_digest(line + n, "refused", told, (size_t)length);
    }
    if (heard.used) n += add_digest(line + n, "warnings", heard.text, heard.used);
    stored_compare(&stored, line, named);
}

static void read_cases(const char *list, const char *ending)
{
    json       *file = json_read(list);
    const json *cases = json_member(file, "cases");
    for (int i = 0; i < json_count(cases); i++) {
        const json *c = json_element(cases, i);
        const char *text = json_string(json_member(c, "xml"));
        char        name[256];
        (void)snprintf(name, sizeof name, "%s: %s", list, json_string(json_member(c, "title")));
        for (int w = 0; w < WAYS; w++) compare(name, &ways[w], text, strlen(text), ending);
    }
    json_free(file);
}

static void read_folder(const char *where)
{
    static char name[MOST][NAME_MAX + 1];
    const int   n = robots_in(where, name, MOST);
    for (int i = 0; i < n; i++) {
        char path[PATH_MAX];
        if (strstr(name[i], ".mechanism.")) continue;
        (void)snprintf(path, sizeof path, "%s/%s", where, name[i]);
        for (int w = 0; w < WAYS; w++) compare(path, &ways[w], NULL, 0, path);
    }
}

static void documents_are_read_as_they_were(void **state)
{
    (void)state;
    static const char *const folders[] = {
        "../resources/robots", "fuzz/robots",       "urdf", "mjcf", "sdf", "mechanisms/robots",
        "mechanisms/syntax",   "reference/circuits"};
    stored = stored_open(STORED, "What readers make of documents: import/test_same_robots.c");
    read_cases("mjcf/semantics.json", "mjcf/text.xml");
    read_cases("mjcf/geoms.json", "mjcf/text.xml");
    read_cases("mjcf/readings.json", "mjcf/text.xml");
    read_cases("import/readings.json", "import/text.xml");
    read_cases("sdf/semantics.json", "sdf/text.sdf");
    read_cases("sdf/readings.json", "sdf/text.sdf");
    for (size_t f = 0; f < sizeof folders / sizeof *folders; f++) read_folder(folders[f]);
    stored_close(&stored);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(documents_are_read_as_they_were),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
