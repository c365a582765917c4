// Which mesh a robot file may name: what lies beside it, in its package, in the package that it
// names, and nothing else. In a folder of its own: two packages whose names begin alike, one beside
// the other, and a file outside.
#define _XOPEN_SOURCE 700
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "mesh_place.h"
#include "test.h"

static char root[PATH_MAX];

static const char *at(const char *name)
{
    static char path[4][PATH_MAX + 64];
    static int  turn;
    turn = (turn + 1) % 4;
    (void)snprintf(path[turn], sizeof path[turn], "%s/%s", root, name);
    return path[turn];
}

static void put(const char *name)
{
    FILE *file = fopen(at(name), "w");
    assert_non_null(file);
    assert_int_equal(fclose(file), 0);
}

static int make_folders(void **state)
{
    (void)state;
    static const char *const folders[] = {"arm",        "arm/urdf",     "arm/urdf/meshes",
                                          "arm/urdf-2", "arm/meshes",   "arm-2",
                                          "listed",     "listed/other", "away"};
    const char              *temporary = getenv("TMPDIR");
    char                     made[PATH_MAX];
    (void)snprintf(made, sizeof made, "%s/forearm-places-XXXXXX", temporary ? temporary : "/tmp");
    if (!mkdtemp(made) || !realpath(made, root)) return -1;
    for (size_t i = 0; i < sizeof folders / sizeof *folders; i++)
        if (mkdir(at(folders[i]), 0755) != 0) return -1;
    put("arm/package.xml");
    put("arm/urdf/robot.urdf");
    put("arm/urdf/beside.stl");
    put("arm/urdf/meshes/a.stl");
    put("arm/urdf-2/b.stl");
    put("arm/meshes/c.stl");
    put("arm-2/d.stl");
    put("listed/other/e.stl");
    put("away/f.stl");
    put("away/robot.urdf");
    if (symlink(at("away/f.stl"), at("arm/urdf/link.stl")) != 0) return -1;
    if (symlink(at("arm/meshes/c.stl"), at("arm/urdf/inner.stl")) != 0) return -1;
    (void)unsetenv("ROS_PACKAGE_PATH");
    return 0;
}

static int remove_folders(void **state)
{
    (void)state;
    char command[PATH_MAX + 16];
    (void)snprintf(command, sizeof command, "rm -rf '%s'", root);
    return system(command);
}

static void expect(const char *source, const char *name, fa_mesh_found want, const char *where)
{
    char                path[FA_MESH_PATH_SIZE] = "";
    const char         *why = NULL;
    const fa_mesh_found got = fa_mesh_place(at(source), name, NULL, path, &why);
    if (got != want) fail_msg("%s: %d, not %d: %s", name, (int)got, (int)want, why);
    if (want == FA_MESH_FOUND)
        assert_string_equal(path, at(where));
    else
        assert_true(why && *why);
}

static void what_is_beside_or_in_the_package_is_found(void **state)
{
    (void)state;
    char absolute[PATH_MAX + 128];
    expect("arm/urdf/robot.urdf", "beside.stl", FA_MESH_FOUND, "arm/urdf/beside.stl");
    expect("arm/urdf/robot.urdf", "meshes/a.stl", FA_MESH_FOUND, "arm/urdf/meshes/a.stl");
    expect("arm/urdf/robot.urdf", "../meshes/c.stl", FA_MESH_FOUND, "arm/meshes/c.stl");
    expect("arm/urdf/robot.urdf", "../urdf-2/b.stl", FA_MESH_FOUND,
           "arm/urdf-2/b.stl"); // of the package
    expect("arm/urdf/robot.urdf", "inner.stl", FA_MESH_FOUND, "arm/meshes/c.stl");
    expect("arm/urdf/robot.urdf", "package://arm/meshes/c.stl", FA_MESH_FOUND, "arm/meshes/c.stl");
    expect("arm/urdf/robot.urdf", "package://urdf/beside.stl", FA_MESH_FOUND,
           "arm/urdf/beside.stl");
    (void)snprintf(absolute, sizeof absolute, "file://%s", at("arm/meshes/c.stl"));
    expect("arm/urdf/robot.urdf", absolute, FA_MESH_FOUND, "arm/meshes/c.stl");
    expect("arm/urdf/robot.urdf", absolute + 7, FA_MESH_FOUND, "arm/meshes/c.stl");
}

static void what_lies_elsewhere_is_refused(void **state)
{
    (void)state;
    char absolute[PATH_MAX + 128];
    expect("arm/urdf/robot.urdf", "../../arm-2/d.stl", FA_MESH_REFUSED,
           NULL); // "arm" begins "arm-2"
    expect("arm/urdf/robot.urdf", "../../away/f.stl", FA_MESH_REFUSED, NULL);
    expect("arm/urdf/robot.urdf", "link.stl", FA_MESH_REFUSED, NULL); // links are followed
    expect("arm/urdf/robot.urdf", "package://away/f.stl", FA_MESH_REFUSED, NULL); // no package
    expect("arm/urdf/robot.urdf", "meshes", FA_MESH_REFUSED, NULL);               // no file
    (void)snprintf(absolute, sizeof absolute, "file://%s", at("away/f.stl"));
    expect("arm/urdf/robot.urdf", absolute, FA_MESH_REFUSED, NULL);
}

static void what_is_not_there_is_missing(void **state)
{
    (void)state;
    static const char *const names[] = {"none.stl",
                                        "package://",
                                        "package:///a.stl",
                                        "package://arm",
                                        "package://armx/meshes/c.stl",
                                        "package://../arm/meshes/c.stl",
                                        "package://./arm/meshes/c.stl",
                                        "file:///none/a.stl"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        expect("arm/urdf/robot.urdf", names[i], FA_MESH_MISSING, NULL);
}

static void listed_folders_hold_packages(void **state)
{
    (void)state;
    char list[2 * PATH_MAX + 64];
    expect("arm/urdf/robot.urdf", "package://other/e.stl", FA_MESH_MISSING, NULL);
    (void)snprintf(list, sizeof list, ":%s:%s", at("nowhere"), at("listed"));
    assert_int_equal(setenv("ROS_PACKAGE_PATH", list, 1), 0);
    expect("arm/urdf/robot.urdf", "package://other/e.stl", FA_MESH_FOUND, "listed/other/e.stl");
    expect("arm/urdf/robot.urdf", "../../listed/other/e.stl", FA_MESH_FOUND, "listed/other/e.stl");
    expect("arm/urdf/robot.urdf", "../../away/f.stl", FA_MESH_REFUSED, NULL);
    assert_int_equal(unsetenv("ROS_PACKAGE_PATH"), 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_is_beside_or_in_the_package_is_found),
        cmocka_unit_test(what_lies_elsewhere_is_refused),
        cmocka_unit_test(what_is_not_there_is_missing),
        cmocka_unit_test(listed_folders_hold_packages),
    };
    return cmocka_run_group_tests(tests, make_folders, remove_folders);
}
