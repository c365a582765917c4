// The built library in an unpacked FMU finds its robot whatever the host says of the resources: in
// folders with spaces and umlauts, by path, by URI, by nothing at all. LIBRARY is its path.
#define _XOPEN_SOURCE 700
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <dlfcn.h>
#include <fmi2Functions.h>
#include <fmi3Functions.h>
#include <ftw.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "fmu_help.h"
#include "resource.h"

static char root[256]; // of all that is unpacked here

// An unpacked FMU of one standard.
typedef struct unpacked {
    void *handle;
    char  resources[400];
    union {
        fmi2InstantiateTYPE             *fmi2;
        fmi3InstantiateCoSimulationTYPE *fmi3;
        void                            *address;
    } instantiate;
    union {
        fmi2FreeInstanceTYPE *fmi2;
        fmi3FreeInstanceTYPE *fmi3;
        void                 *address;
    } release;
} unpacked;

static void copy(const char *from, const char *to)
{
    char   bytes[4096];
    size_t n;
    FILE  *in = fopen(from, "rb"), *out = fopen(to, "wb");
    assert_true(in && out);
    while ((n = fread(bytes, 1, sizeof bytes, in)) > 0)
        assert_int_equal(fwrite(bytes, 1, n, out), n);
    assert_int_equal(fclose(in) + fclose(out), 0);
}

static void make_folder(const char *path)
{
    assert_int_equal(mkdir(path, 0700), 0);
}

static unpacked unpack(int fmi, const char *name)
{
    unpacked fmu;
    char     path[512], robot[600], top[300];
    (void)snprintf(top, sizeof top, "%s/%s", root, name);
    make_folder(top);
    (void)snprintf(path, sizeof path, "%s/binaries", top);
    make_folder(path);
    (void)snprintf(path, sizeof path, "%s/binaries/here", top);
    make_folder(path);
    (void)snprintf(fmu.resources, sizeof fmu.resources, "%s/resources", top);
    make_folder(fmu.resources);
    (void)snprintf(path, sizeof path, "%s/binaries/here/small_arm.so", top);
    copy(LIBRARY, path);
    (void)snprintf(robot, sizeof robot, "%s/robot.forearm", fmu_files_for(fmi)->folder);
    char to[512];
    (void)snprintf(to, sizeof to, "%s/robot.forearm", fmu.resources);
    copy(robot, to);
    fmu.handle = dlopen(path, RTLD_NOW | RTLD_LOCAL);
    if (!fmu.handle) fail_msg("%s", dlerror());
    fmu.instantiate.address =
        dlsym(fmu.handle, fmi == 2 ? "fmi2Instantiate" : "fmi3InstantiateCoSimulation");
    fmu.release.address = dlsym(fmu.handle, fmi == 2 ? "fmi2FreeInstance" : "fmi3FreeInstance");
    assert_true(fmu.instantiate.address && fmu.release.address);
    return fmu;
}

static char told[4096];

static void tell_fmi2(fmi2ComponentEnvironment environment, fmi2String name, fmi2Status status,
                      fmi2String category, fmi2String message, ...)
{
    (void)environment, (void)name, (void)status, (void)category;
    (void)snprintf(told, sizeof told, "%s", message);
}

static void tell_fmi3(fmi3InstanceEnvironment environment, fmi3Status status, fmi3String category,
                      fmi3String message)
{
    (void)environment, (void)status, (void)category;
    (void)snprintf(told, sizeof told, "%s", message);
}

static bool instantiates(const unpacked *fmu, int fmi, const char *token, const char *resources)
{
    told[0] = '\0';
    if (fmi == 2) {
        fmi2CallbackFunctions functions = {.logger = tell_fmi2};
        fmi2Component         c = fmu->instantiate.fmi2("test", fmi2CoSimulation, token, resources,
                                                        &functions, fmi2False, fmi2False);
        fmu->release.fmi2(c);
        return c != NULL;
    }
    fmi3Instance i = fmu->instantiate.fmi3("test", token, resources, false, false, false, false,
                                           NULL, 0, NULL, tell_fmi3, NULL);
    fmu->release.fmi3(i);
    return i != NULL;
}

static void expect_all(const char *name)
{
    for (int fmi = 2; fmi <= 3; fmi++) {
        char     folder[128];
        unpacked fmu;
        (void)snprintf(folder, sizeof folder, "%s %d", name, fmi);
        fmu = unpack(fmi, folder);
        const char *token = fmu_files_for(fmi)->token;

        // Away from the library, so that only the path given leads there.
        char away[512], from[600], to[600];
        (void)snprintf(away, sizeof away, "%s away", fmu.resources);
        make_folder(away);
        (void)snprintf(from, sizeof from, "%s/robot.forearm", fmu.resources);
        (void)snprintf(to, sizeof to, "%s/robot.forearm", away);
        assert_int_equal(rename(from, to), 0);
        char encoded[1600] = "", uri[1700];
        for (const char *c = away; *c; c++) {
            char one[4] = {*c, '\0'};
            if ((unsigned char)*c >= 0x80 || *c == ' ' || *c == '%')
                (void)snprintf(one, sizeof one, "%%%02X", (unsigned)(unsigned char)*c);
            strcat(encoded, one);
        }
        const char *scheme[] = {"", "file:", "file://", "file://localhost"};
        for (int form = 0; form < 16; form++) {
            (void)snprintf(uri, sizeof uri, "%s%s%s", scheme[form / 4], form & 1 ? encoded : away,
                           form & 2 ? "/" : "");
            if (!instantiates(&fmu, fmi, token, uri)) fail_msg("%s: %s", uri, told);
        }

        // Paths that lead nowhere, or to another robot: the library knows where it is.
        assert_false(instantiates(&fmu, fmi, token, NULL));
        assert_int_equal(rename(to, from), 0);
        char other[600];
        (void)snprintf(other, sizeof other, "%s", fmu_files_for(5 - fmi)->folder);
        const char *wrong[] = {NULL,    "",         "/nowhere", "file:///nowhere", "%", "%zz%2",
                               "file:", "http://x", other};
        for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++)
            if (!instantiates(&fmu, fmi, token, wrong[i]))
                fail_msg("%s: %s", wrong[i] ? wrong[i] : "NULL", told);

        // But no other robot is taken for this one.
        assert_false(instantiates(&fmu, fmi, fmu_files_for(5 - fmi)->token, fmu.resources));
        assert_non_null(strstr(told, "belongs to another robot"));
        assert_false(instantiates(&fmu, fmi, NULL, fmu.resources));
        assert_int_equal(dlclose(fmu.handle), 0);
    }
}

static void an_ordinary_folder_will_do(void **state)
{
    (void)state;
    expect_all("plain");
}

static void spaces_umlauts_and_percent_signs_do_no_harm(void **state)
{
    (void)state;
    expect_all("mit Leerzeichen, \xc3\x84rger und 100%25");
}

static void a_missing_robot_is_told(void **state)
{
    (void)state;
    for (int fmi = 2; fmi <= 3; fmi++) {
        unpacked fmu = unpack(fmi, fmi == 2 ? "empty 2" : "empty 3");
        char     path[512];
        (void)snprintf(path, sizeof path, "%s/robot.forearm", fmu.resources);
        assert_int_equal(remove(path), 0);
        assert_false(instantiates(&fmu, fmi, fmu_files_for(fmi)->token, fmu.resources));
        assert_non_null(strstr(told, "resources/robot.forearm"));
        make_folder(path); // a folder of that name is no file
        assert_false(instantiates(&fmu, fmi, fmu_files_for(fmi)->token, fmu.resources));
        assert_int_equal(dlclose(fmu.handle), 0);
    }
}

static void uris_become_paths(void **state)
{
    (void)state;
    const char *pair[][2] = {
        {"file:/a/b", "/a/b"},
        {"file:///a/b", "/a/b"},
        {"file://localhost/a/b", "/a/b"},
        {"file:///C:/temp", "C:/temp"},
        {"file:/C:/temp", "C:/temp"},
        {"/a%20b", "/a b"},
        {"/a%2Fb", "/a/b"},
        {"/100%", "/100%"},
        {"/%zz%4", "/%zz%4"},
        {"/%00", "/%00"}, // no end in the middle
        {"", ""},
    };
    char path[64];
    for (size_t i = 0; i < sizeof pair / sizeof *pair; i++) {
        assert_true(fa_resource_path(pair[i][0], true, path, sizeof path));
        assert_string_equal(path, pair[i][1]);
    }
    assert_true(fa_resource_path("file:/100%25", false, path, sizeof path));
    assert_string_equal(path, "/100%25");
    assert_false(fa_resource_path("/too/long", true, path, 9));
    assert_true(fa_resource_path("/too/long", true, path, 10));
}

// Paths of POSIX and of Windows, folders from one letter to a name that fills the buffer.
static void the_folder_of_a_path_is_all_before_its_last_slash(void **state)
{
    (void)state;
    static const char *const pair[][2] = {
        {"/a/b/forearm.so", "/a/b"},           {"C:\\a\\b c\\forearm.dll", "C:\\a\\b c"},
        {"/a\\b/forearm.so", "/a\\b"},         {"a/f", "a"},
        {"\xc3\xa4 /forearm.so", "\xc3\xa4 "}, {"/a/b/", "/a/b"},
    };
    char folder[16];
    for (size_t i = 0; i < sizeof pair / sizeof *pair; i++) {
        const size_t length = strlen(pair[i][1]);
        memset(folder, 'x', sizeof folder);
        assert_true(fa_folder_of(pair[i][0], folder, length + 1));
        assert_string_equal(folder, pair[i][1]);
        assert_false(fa_folder_of(pair[i][0], folder, length));
    }
    assert_false(fa_folder_of("forearm.so", folder, sizeof folder));
    assert_false(fa_folder_of("/forearm.so", folder, sizeof folder));
    assert_false(fa_folder_of("", folder, sizeof folder));
}

static int remove_one(const char *path, const struct stat *status, int type, struct FTW *walk)
{
    (void)status, (void)type, (void)walk;
    return remove(path);
}

static int make_root(void **state)
{
    (void)state;
    const char *temporary = getenv("TMPDIR");
    (void)snprintf(root, sizeof root, "%s/forearm_XXXXXX", temporary ? temporary : "/tmp");
    return mkdtemp(root) ? 0 : -1;
}

static int remove_root(void **state)
{
    (void)state;
    return nftw(root, remove_one, 8, FTW_DEPTH | FTW_PHYS);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(an_ordinary_folder_will_do),
        cmocka_unit_test(spaces_umlauts_and_percent_signs_do_no_harm),
        cmocka_unit_test(a_missing_robot_is_told),
        cmocka_unit_test(uris_become_paths),
        cmocka_unit_test(the_folder_of_a_path_is_all_before_its_last_slash),
    };
    return cmocka_run_group_tests(tests, make_root, remove_root);
}
