// Common helpers of the tests of the exporter.
#define _XOPEN_SOURCE 700
#include "export_help.h"

#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "files.h"

char       folder[PATH_MAX];
fa_library library;

const fa_contents *contents_for(int fmi)
{
    static const fa_contents contents = {.library = &library, .n_libraries = 1};
    library.platform = fa_platform(fmi);
    return &contents;
}

const char *in_folder(const char *name)
{
    static char path[2][PATH_MAX + 64];
    static int  turn;
    turn = 1 - turn;
    (void)snprintf(path[turn], sizeof path[turn], "%s/%s", folder, name);
    return path[turn];
}

fa_robot *small_robot(void)
{
    fa_robot *robot = fa_robot_new(3);
    assert_non_null(robot);
    strcpy(robot->name, "small robot");
    robot->tip_link = 2;
    for (int i = 0; i < 3; i++) {
        fa_link *link = &robot->link[i];
        (void)snprintf(link->name, sizeof link->name, "link %d", i);
        (void)snprintf(link->joint.name, sizeof link->joint.name, "joint-%d", i);
        link->parent = i - 1;
        link->joint.type = i == 0 ? FA_FIXED : i == 1 ? FA_REVOLUTE : FA_PRISMATIC;
        link->joint.axis = (fa_vec3){0, 0, 1};
        link->mass = 1 + i;
        link->inertia = (fa_sym3){.xx = 0.1, .yy = 0.1, .zz = 0.1};
    }
    assert_int_equal(fa_robot_check(robot, NULL, NULL), FA_OK);
    return robot;
}

fa_options options_for(int fmi)
{
    fa_options options = {.fmi = fmi, .identifier = "small_robot"};
    return options;
}

void export_to(const char *path, int fmi)
{
    fa_robot  *robot = small_robot();
    fa_options options = options_for(fmi);
    fa_error   error = fa_no_error();
    if (fa_export(robot, &options, contents_for(fmi), path, NULL, &error) != FA_OK)
        fail_msg("%s", error.message);
    free(robot);
}

void assert_contains(const char *text, const char *part)
{
    if (!strstr(text, part)) fail_msg("'%s' does not contain '%s'", text, part);
}

int make_folder(void **state)
{
    (void)state;
    const char *temporary = getenv("TMPDIR");
    (void)snprintf(folder, sizeof folder, "%s/forearm-export-XXXXXX",
                   temporary ? temporary : "/tmp");
    if (!mkdtemp(folder) || chmod(folder, 0755) != 0) return -1;
    library.ending = fa_library_ending();
    (void)snprintf(library.path, sizeof library.path, "%.*s/library", PATH_MAX - 16, folder);
    return fa_file_write(library.path, "a library", 9, NULL) == FA_OK ? 0 : -1;
}

int remove_folder(void **state)
{
    (void)state;
    char command[PATH_MAX + 16];
    (void)snprintf(command, sizeof command, "rm -rf '%s'", folder);
    return system(command);
}
