// What import, the robot file and the exporter make of robots, byte for byte as it was:
// tests/files.txt has a digest of each file, of the warnings, and of code for one arm. Who changes
// what is written looks at what became of it, and runs this test with FOREARM_UPDATE=1, which
// writes the digests anew.
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <zip.h>

#include "chain.h"
#include "conversion.h"
#include "export_help.h"
#include "files.h"
#include "import.h"
#include "members.h"
#include "modelica.h"
#include "plant.h"
#include "specialise.h"
#include "stored_lines.h"

#define STORED "files.txt" // tests run in the folder tests/

enum { SHOWN = 4, MOST = 128, LINKS_MOST = 8, LINE = 4096 };

#define EVERY_OUTPUT "reactions,jacobian,mass-matrix,poses"

// A robot is exported in each of these ways; what does not fit it is refused, which is kept too.
static const struct way {
    const char *name;
    int         fmi;
    bool        arrays;
    const char *plant, *inputs, *outputs, *cut;
} ways[] = {
    {"fmi3", 3, false, NULL, NULL, NULL, NULL},
    {"fmi2-all", 2, false, NULL, "base", EVERY_OUTPUT, NULL},
    {"arrays", 3, true, NULL, NULL, NULL, NULL},
    {"arrays-all", 3, true, NULL, "lock", EVERY_OUTPUT, NULL},
    {"inverse", 3, true, "inverse", NULL, NULL, NULL},
    {"valve", 3, false, NULL, NULL, NULL, "valve"},
    {"chamber", 2, false, NULL, NULL, NULL, "chamber"},
};
enum { WAYS = sizeof ways / sizeof *ways };

// Lines of this run, and stored ones.
static stored_lines stored;
static char         line[LINE];
static size_t       used;

static void add(const char *text)
{
    assert_true(used + strlen(text) + 1 <= sizeof line);
    memcpy(line + used, text, strlen(text) + 1);
    used += strlen(text);
}

static void add_digest(const char *name, const void *data, size_t size)
{
    char hex[2 * SHOWN + 1];
    put_digest(hex, SHOWN, data, size);
    add(" ");
    add(name);
    add(":");
    add(hex);
}

// The name is the first two words.
static void compare(void)
{
    const size_t file = strcspn(line, " ") + 1;
    stored_compare(&stored, line, file + strcspn(line + file, " "));
}

// ------------------------------------------------------------------------------------------ inside

static heard_lines heard;

// An experiment's results: a table of states and outputs, each field a number of its own. NULL: the
// plant is none for this robot.
static char *made_up_results(const fa_robot *robot, size_t *size)
{
    fa_variables variables;
    void        *block;
    if (fa_plant_variables(fa_plant_find(robot->plant), robot, false, &variables, &block, NULL) !=
        FA_OK)
        return NULL;
    const size_t room = 64 + (size_t)variables.n * (FA_NAME_SIZE * 4 + 64);
    char        *text = malloc(room);
    assert_non_null(text);
    *size = (size_t)snprintf(text, room, "time");
    for (int at = -1; at < 2; at++) {
        if (at >= 0) *size += (size_t)snprintf(text + *size, room - *size, "%d", at);
        for (int row = 0; row < variables.n; row++) {
            const fa_variable *v = &variables.row[row];
            if (v->role != FA_STATE && v->role != FA_OUTPUT) continue;
            *size += at < 0
                         ? (size_t)snprintf(text + *size, room - *size, ",%s", v->name)
                         : (size_t)snprintf(text + *size, room - *size, ",%d.5", 1000 * at + row);
        }
        *size += (size_t)snprintf(text + *size, room - *size, "\n");
    }
    assert_true(*size < room);
    free(block);
    return text;
}

// The token says that the robot file is another, which its own digest says.
static void forget_token(char *data, size_t size)
{
    static const char *const mark[] = {"instantiationToken=\"", "guid=\""};
    for (int m = 0; m < 2; m++) {
        const size_t length = strlen(mark[m]);
        for (size_t i = 0; i + length + FA_TOKEN_SIZE < size; i++)
            if (memcmp(data + i, mark[m], length) == 0)
                memset(data + i + length, '0', FA_TOKEN_SIZE - 1);
    }
}

static void add_members(const char *path)
{
    zip_t *archive = zip_open(path, ZIP_RDONLY | ZIP_CHECKCONS, NULL);
    assert_non_null(archive);
    for (zip_int64_t i = 0; i < zip_get_num_entries(archive, 0); i++) {
        const char *name = zip_get_name(archive, (zip_uint64_t)i, 0);
        const char *last = strrchr(name, '/');
        char       *data;
        size_t      size;
        // The licences' list changes with libraries that are installed here, the robot file is made
        // up.
        if (strncmp(name, "binaries/", 9) == 0 || strstr(name, "licenses/") ||
            strstr(name, "/robot.xml") || strstr(name, "/robot.urdf"))
            continue;
        assert_int_equal(fa_member_read(archive, i, path, &data, &size, NULL), FA_OK);
        forget_token(data, size);
        add_digest(last ? last + 1 : name, data, size);
        free(data);
    }
    zip_discard(archive);
}

static void add_special_code(const fa_robot *robot)
{
    fa_body        body[2 * LINKS_MOST];
    int            link_body[LINKS_MOST + 1];
    fa_transform   frame[LINKS_MOST + 1];
    fa_specialised code;
    if (strcmp(robot->plant, "arm") != 0 || robot->n_links > LINKS_MOST ||
        fa_chain_bodies(robot) > 2 * LINKS_MOST)
        return;
    const fa_chain chain = fa_chain_build(robot, body, link_body, frame);
    if (fa_specialise(&chain, robot->name, &code, NULL) != FA_OK) return;
    add_digest("special.c", code.text, code.size);
    fa_specialised_free(&code);
}

// A robot, imported and checked as this way has it; NULL: refused.
static fa_robot *imported(const char *path, const struct way *way, const fa_log *log,
                          fa_error *error)
{
    const fa_import_options asked = {.inputs = way->inputs,
                                     .outputs = way->outputs,
                                     .cut = &way->cut,
                                     .n_cuts = way->cut != NULL};
    fa_robot               *robot;
    if (fa_import(path, &asked, log, &robot, error) != FA_OK) return NULL;
    if (!way->plant) return robot;
    strcpy(robot->plant, way->plant);
    if (fa_robot_check(robot, log, error) == FA_OK) return robot;
    free(robot);
    return NULL;
}

static void export_one_way(const char *path, const struct way *way, bool special)
{
    const fa_log log = {.warn = hear_line, .context = &heard};
    fa_error     error = fa_no_error();
    const char  *base = strrchr(path, '/') + 1;
    heard.used = 0;
    used = 0;
    add(base);
    add(" ");
    add(way->name);
    fa_robot *robot = imported(path, way, &log, &error);
    if (robot) {
        fa_options    options = {.fmi = way->fmi, .arrays = way->arrays};
        fa_references references = {.model = "a robot file", .model_size = 12, .model_name = base};
        fa_contents   contents = *contents_for(way->fmi);
        char         *results = made_up_results(robot, &references.results_size);
        references.results = results;
        contents.references = &references;
        fa_identifier(robot->name, options.identifier);
        const fa_status status =
            fa_export(robot, &options, &contents, in_folder("same.fmu"), &log, &error);
        if ((status == FA_OK) != (results != NULL)) fail_msg("%s", error.message);
        if (results)
            add_members(in_folder("same.fmu"));
        else
            add_digest("refused", error.message, strlen(error.message));
        if (results && special) add_special_code(robot);
        free(results);
        free(robot);
    } else {
        add_digest("refused", error.message, strlen(error.message));
    }
    if (heard.used) add_digest("warnings", heard.text, heard.used);
    compare();
}

// The robot as a file of each format, or the sentence why it is none.
static void convert(const char *path)
{
    static const char *const name[] = {"as.urdf", "as.mjcf", "as.xml"};
    const fa_log             log = {.warn = hear_line, .context = &heard};
    fa_error                 error = fa_no_error();
    fa_robot                *robot = imported(path, &ways[0], NULL, &error);
    if (!robot) return;
    heard.used = 0;
    used = 0;
    add(strrchr(path, '/') + 1);
    add(" converted");
    for (int k = 0; k < 3; k++) {
        fa_convert_format format;
        char             *text;
        size_t            size;
        assert_true(fa_convert_format_of(name[k], &format));
        error = fa_no_error();
        if (fa_convert(robot, format, &log, &text, &size, &error) == FA_OK) {
            add_digest(name[k], text, size);
            free(text);
        } else {
            add_digest(name[k], error.message, strlen(error.message));
        }
    }
    if (heard.used) add_digest("warnings", heard.text, heard.used);
    compare();
    free(robot);
}

// The Modelica package around the robot, but for the token and the library.
static void package(const char *path)
{
    static const char *const part[] = {"package.mo",
                                       "Robot.mo",
                                       "Internal.mo",
                                       "Examples.mo",
                                       "package.order",
                                       "Resources/Data/robot.forearm",
                                       "Resources/Include/forearm_modelica.h"};
    fa_error                 error = fa_no_error();
    char                     name[FA_NAME_SIZE], below[FA_NAME_SIZE + 64];
    fa_robot                *robot = imported(path, &ways[0], NULL, &error);
    if (!robot) return;
    used = 0;
    add(strrchr(path, '/') + 1);
    add(" modelica");
    fa_modelica_name("robot", name);
    if (fa_modelica_write(robot, "robot", NULL, 0, folder, &error) == FA_OK) {
        for (size_t k = 0; k < sizeof part / sizeof *part; k++) {
            char  *text, *token;
            size_t size;
            (void)snprintf(below, sizeof below, "%s/%s", name, part[k]);
            assert_int_equal(fa_file_read(in_folder(below), SIZE_MAX / 2, &text, &size, NULL),
                             FA_OK);
            text[size - 1] = '\0';
            token = strstr(text, "getInstanceName()");
            if (token) memset(token - FA_TOKEN_SIZE - 2, '0', FA_TOKEN_SIZE - 1);
            add_digest(part[k], text, size);
            free(text);
        }
    } else {
        add_digest("refused", error.message, strlen(error.message));
    }
    compare();
    free(robot);
}

static void each_robot_becomes_the_files_that_it_became(void **state)
{
    (void)state;
    static const struct {
        const char *name;
        int         ways; // the first of them
    } folders[] = {
        {"../resources/robots", 3}, {"fuzz/robots", WAYS}, {"urdf", 1}, {"mjcf", 1}, {"sdf", 1},
        {"reference/circuits", 3}};
    static char name[MOST][NAME_MAX + 1];
    stored = stored_open(STORED, "What is made of robots: export/test_same_files.c");
    for (size_t f = 0; f < sizeof folders / sizeof *folders; f++) {
        const int n = robots_in(folders[f].name, name, MOST);
        for (int i = 0; i < n; i++) {
            char path[PATH_MAX];
            (void)snprintf(path, sizeof path, "%s/%s", folders[f].name, name[i]);
            for (int w = 0; w < folders[f].ways; w++) export_one_way(path, &ways[w], w == 0);
            convert(path);
            if (folders[f].ways > 1) package(path);
        }
    }
    stored_close(&stored);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(each_robot_becomes_the_files_that_it_became),
    };
    return cmocka_run_group_tests(tests, make_folder, remove_folder);
}
