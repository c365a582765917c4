// The exporter: equal bytes whatever surrounds it, and never half an FMU.
#define _XOPEN_SOURCE 700
#include <dirent.h>
#include <fcntl.h>
#include <limits.h>
#include <locale.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>
#include <zip.h>

#include "export_help.h"
#include "files.h"

#define NOBODY 65534 // a user who may write nowhere

// An export that must fail; gives the sentence.
static const char *export_fault(const char *path)
{
    static fa_error error;
    fa_robot       *robot = small_robot();
    fa_options      options = options_for(3);
    assert_int_not_equal(fa_export(robot, &options, contents_for(3), path, NULL, &error), FA_OK);
    free(robot);
    return error.message;
}

static int files_in_folder(void)
{
    int  n = 0;
    DIR *handle = opendir(folder);
    assert_non_null(handle);
    while (readdir(handle)) n++;
    (void)closedir(handle);
    return n;
}

static void assert_same_bytes(const char *a, const char *b)
{
    char  *data[2];
    size_t size[2];
    assert_int_equal(fa_file_read(a, SIZE_MAX / 2, &data[0], &size[0], NULL), FA_OK);
    assert_int_equal(fa_file_read(b, SIZE_MAX / 2, &data[1], &size[1], NULL), FA_OK);
    assert_int_equal(size[0], size[1]);
    assert_memory_equal(data[0], data[1], size[0]);
    free(data[0]);
    free(data[1]);
}

// ----------------------------------------------------------------------------------------- bytes

static void time_zone_umask_and_folder_change_no_byte(void **state)
{
    (void)state;
    static const char *const zone[] = {"UTC", "Pacific/Apia", "America/St_Johns", "Asia/Kathmandu"};
    for (int fmi = 2; fmi <= 3; fmi++) {
        export_to(in_folder("first.fmu"), fmi);
        for (size_t i = 0; i < sizeof zone / sizeof *zone; i++) {
            char here[PATH_MAX];
            assert_non_null(getcwd(here, sizeof here));
            (void)setenv("TZ", zone[i], 1);
            tzset();
            mode_t mask = umask(i % 2 ? 077 : 0);
            assert_int_equal(chdir(i % 2 ? folder : "/"), 0);
            export_to(i % 2 ? "second.fmu" : in_folder("second.fmu"), fmi);
            assert_int_equal(chdir(here), 0);
            (void)umask(mask);
            (void)unsetenv("TZ");
            tzset();
            assert_same_bytes(in_folder("first.fmu"), in_folder("second.fmu"));
        }
    }
}

static void locale_and_source_folder_change_no_byte(void **state)
{
    (void)state;
    fa_robot  *robot = small_robot();
    fa_options options = options_for(3);
    export_to(in_folder("first.fmu"), 3);
    strcpy(robot->source, "somewhere/else.urdf");
    robot->link[1].place = (fa_place){77, 7};
    // Where the system has no German locale, the folder alone is tried.
    (void)setlocale(LC_ALL, "de_DE.UTF-8");
    assert_int_equal(
        fa_export(robot, &options, contents_for(3), in_folder("second.fmu"), NULL, NULL), FA_OK);
    (void)setlocale(LC_ALL, "C");
    assert_same_bytes(in_folder("first.fmu"), in_folder("second.fmu"));
    free(robot);
}

static void the_archive_holds_fixed_members_times_and_permissions(void **state)
{
    (void)state;
    static const char *const want[] = {"modelDescription.xml",
                                       "resources/robot.forearm",
                                       "documentation/index.html",
                                       "documentation/licenses/license.txt",
                                       "terminalsAndIcons/terminalsAndIcons.xml",
                                       "terminalsAndIcons/icon.png",
                                       "terminalsAndIcons/icon.svg",
                                       NULL, // the library
                                       "documentation/licenses/license.spdx"};
    export_to(in_folder("members.fmu"), 3);
    zip_t *archive = zip_open(in_folder("members.fmu"), ZIP_RDONLY | ZIP_CHECKCONS, NULL);
    assert_non_null(archive);
    const zip_uint64_t n = sizeof want / sizeof *want;
    assert_int_equal(zip_get_num_entries(archive, 0), n);
    for (zip_uint64_t i = 0; i < n; i++) {
        char         binary[128];
        zip_uint8_t  system;
        zip_uint32_t attributes;
        zip_stat_t   info;
        (void)snprintf(binary, sizeof binary, "binaries/%s/small_robot%s", fa_platform(3),
                       fa_library_ending());
        assert_string_equal(zip_get_name(archive, i, 0), want[i] ? want[i] : binary);
        zip_file_get_external_attributes(archive, i, 0, &system, &attributes);
        assert_int_equal(system, ZIP_OPSYS_UNIX);
        assert_int_equal(attributes >> 16, want[i] ? 0100644 : 0100755);
        assert_int_equal(zip_stat_index(archive, i, 0, &info), 0);
        struct tm *time = localtime(&info.mtime);
        assert_int_equal(time->tm_year, 80);
        assert_int_equal(time->tm_yday, 0);
        assert_int_equal(time->tm_hour, 12);
    }
    zip_discard(archive);
}

static void a_new_file_has_the_permissions_that_the_umask_leaves(void **state)
{
    (void)state;
    struct stat info;
    mode_t      mask = umask(027);
    export_to(in_folder("mode.fmu"), 3);
    (void)umask(mask);
    assert_int_equal(stat(in_folder("mode.fmu"), &info), 0);
    assert_int_equal(info.st_mode & 0777, 0640);
}

static void a_link_is_followed_and_stays_a_link(void **state)
{
    (void)state;
    struct stat info;
    export_to(in_folder("target.fmu"), 3);
    assert_int_equal(symlink("target.fmu", in_folder("link.fmu")), 0);
    export_to(in_folder("link.fmu"), 2);
    assert_int_equal(lstat(in_folder("link.fmu"), &info), 0);
    assert_true(S_ISLNK(info.st_mode));
    assert_same_bytes(in_folder("link.fmu"), in_folder("target.fmu"));
}

// ---------------------------------------------------------------------------------------- faults

static void a_missing_folder_is_named(void **state)
{
    (void)state;
    assert_contains(export_fault(in_folder("no/such/robot.fmu")), "there is no folder '");
    assert_contains(export_fault(in_folder("no/such/robot.fmu")), "no/such'; create it");
}

static void a_file_is_no_folder(void **state)
{
    (void)state;
    char path[PATH_MAX + 64];
    (void)snprintf(path, sizeof path, "%s/robot.fmu", library.path);
    assert_contains(export_fault(path), "is a file, not a folder");
}

static void what_is_no_file_is_not_replaced(void **state)
{
    (void)state;
    assert_contains(export_fault(folder), "is no file");
    assert_contains(export_fault("/dev/null"), "is no file");
    struct stat info;
    assert_int_equal(stat("/dev/null", &info), 0);
    assert_true(S_ISCHR(info.st_mode));
}

static void a_read_only_folder_is_a_sentence(void **state)
{
    (void)state;
    char        path[PATH_MAX];
    const char *closed = in_folder("closed");
    bool        root = geteuid() == 0;
    assert_int_equal(mkdir(closed, 0555), 0);
    (void)snprintf(path, sizeof path, "%s/robot.fmu", closed);
    if (root) assert_int_equal(seteuid(NOBODY), 0); // root may write everywhere
    bool        reached = faccessat(AT_FDCWD, library.path, R_OK, AT_EACCESS) == 0;
    const char *message = reached ? export_fault(path) : "";
    if (root) assert_int_equal(seteuid(0), 0);
    if (!reached) skip(); // a machine on which other users reach nothing at all
    assert_contains(message, "new files are not allowed in the folder '");
}

// A limit on the size of files stands for the full disk: write fails after some bytes.
static void a_disk_that_runs_full_leaves_what_was_there(void **state)
{
    (void)state;
    struct rlimit old;
    assert_int_equal(getrlimit(RLIMIT_FSIZE, &old), 0);
    export_to(in_folder("kept.fmu"), 2);
    export_to(in_folder("copy.fmu"), 2);
    int n = files_in_folder();

    (void)signal(SIGXFSZ, SIG_IGN);
    assert_int_equal(setrlimit(RLIMIT_FSIZE, &(struct rlimit){1000, old.rlim_max}), 0);
    const char *message = export_fault(in_folder("kept.fmu"));
    assert_int_equal(setrlimit(RLIMIT_FSIZE, &old), 0);

    assert_contains(message, "cannot write it");
    assert_same_bytes(in_folder("kept.fmu"), in_folder("copy.fmu"));
    assert_int_equal(files_in_folder(), n); // and nothing half-written beside it
}

// An empty library for a platform, in the folder of the run.
static void put_library(const char *platform, const char *file)
{
    char name[PATH_MAX];
    (void)mkdir(in_folder("libraries"), 0777);
    (void)snprintf(name, sizeof name, "libraries/%s", platform);
    (void)mkdir(in_folder(name), 0777);
    (void)snprintf(name, sizeof name, "libraries/%s/%s", platform, file);
    assert_int_equal(fa_file_write(in_folder(name), "x", 1, NULL), FA_OK);
}

// The platforms found, in one line.
static const char *found(int fmi, const char *list)
{
    static char text[256];
    fa_library  one[FA_PLATFORM_COUNT];
    int         n;
    fa_error    error = fa_no_error();
    *text = '\0';
    if (fa_libraries_find(in_folder("libraries"), fmi, list, one, &n, &error) != FA_OK)
        return strcpy(text, error.message);
    for (int i = 0; i < n; i++) {
        assert_int_equal(access(one[i].path, R_OK), 0);
        (void)strcat(strcat(text, one[i].platform), one[i].ending);
    }
    return text;
}

static void a_missing_library_is_named(void **state)
{
    (void)state;
    fa_library one[FA_PLATFORM_COUNT];
    int        n;
    fa_error   error = fa_no_error();
    assert_int_equal(fa_libraries_find(in_folder("empty"), 3, NULL, one, &n, &error), FA_IO);
    assert_contains(error.message, fa_platform(3));
    assert_contains(error.message, "FOREARM_LIBRARY_DIR");
    assert_contains(error.file, "/empty");
}

static void a_library_is_found_with_and_without_its_platform(void **state)
{
    (void)state;
    fa_library one[FA_PLATFORM_COUNT];
    int        n;
    char       name[PATH_MAX];
    (void)setenv("FOREARM_LIBRARY_DIR", folder, 1);
    (void)snprintf(name, sizeof name, "forearm%s", fa_library_ending());
    assert_int_equal(fa_file_write(in_folder(name), "x", 1, NULL), FA_OK);
    assert_int_equal(fa_libraries_find(NULL, 3, NULL, one, &n, NULL), FA_OK);
    assert_int_equal(n, 1);
    assert_string_equal(one[0].path, in_folder(name));
    assert_int_equal(mkdir(in_folder(fa_platform(3)), 0777), 0);
    (void)snprintf(name, sizeof name, "%s/forearm%s", fa_platform(3), fa_library_ending());
    assert_int_equal(fa_file_write(in_folder(name), "x", 1, NULL), FA_OK);
    assert_int_equal(fa_libraries_find(NULL, 2, "native", one, &n, NULL), FA_OK);
    assert_string_equal(one[0].path, in_folder(name));
    assert_string_equal(one[0].platform, fa_platform(2));
    (void)unsetenv("FOREARM_LIBRARY_DIR");
}

static void platforms_are_chosen_by_the_names_of_either_version(void **state)
{
    (void)state;
    put_library("x86_64-linux", "forearm.so");
    put_library("aarch64-linux", "forearm.so");
    put_library("x86_64-darwin", "forearm.dylib");
    put_library("aarch64-darwin", "forearm.dylib");
    put_library("universal-darwin", "forearm.dylib");
    assert_string_equal(found(3, NULL), "x86_64-linux.soaarch64-linux.so"
                                        "x86_64-darwin.dylibaarch64-darwin.dylib");
    assert_string_equal(found(2, NULL), "linux64.soaarch64-linux.sodarwin64.dylib");
    assert_string_equal(found(2, "aarch64-darwin,x86_64-linux"), "linux64.sodarwin64.dylib");
    assert_string_equal(found(3, "darwin64"), "x86_64-darwin.dylibaarch64-darwin.dylib");
    assert_contains(found(3, "x86_64-windows"), "the FMU library for x86_64-windows is not in");
    assert_contains(found(2, "x86_64-windows"), "the FMU library for win64 is not in this folder");
    put_library("x86_64-windows", "forearm.dll");
    assert_string_equal(found(2, "linux64,win64,linux64"), "linux64.sowin64.dll");
    assert_contains(found(3, "windows"), "there is no platform 'windows'; take some of native, ");
    assert_contains(found(3, "win64,"), "there is no platform '';");
    assert_contains(found(3, ""), "there is no platform '';");
    assert_contains(found(3, "none,native"), "there is no platform 'none';");
    assert_string_equal(found(3, "none"), "");
}

// ----------------------------------------------------------------------------------- identifiers

static void identifiers_are_made_of_any_name(void **state)
{
    (void)state;
    static const char *const pair[][2] = {
        {"puma560", "puma560"},  {"UR5 robot", "UR5_robot"},
        {"3-axis", "_3_axis"},   {"", "_"},
        {"Kr\xc3\xa4n", "Kr_n"}, {"a.b", "a_b"},
    };
    for (size_t i = 0; i < sizeof pair / sizeof *pair; i++) {
        char identifier[FA_NAME_SIZE];
        fa_identifier(pair[i][0], identifier);
        assert_string_equal(identifier, pair[i][1]);
        assert_true(fa_identifier_fits(identifier));
    }
}

static void words_of_c_and_modelica_are_no_identifiers(void **state)
{
    (void)state;
    static const char *const word[] = {
        "algorithm", "auto",   "constant", "constrainedby", "continue",    "default",     "der",
        "else",      "elseif", "end",      "enum",          "enumeration", "extern",      "false",
        "if",        "in",     "initial",  "int",           "model",       "replaceable", "return",
        "static",    "stream", "when",     "while",         "within"};
    for (size_t i = 0; i < sizeof word / sizeof *word; i++) {
        char identifier[FA_NAME_SIZE];
        assert_false(fa_identifier_fits(word[i]));
        fa_identifier(word[i], identifier);
        assert_int_equal(identifier[0], '_');
        assert_string_equal(identifier + 1, word[i]);
    }
    fa_robot  *robot = small_robot();
    fa_options options = {.fmi = 3, .identifier = "model"};
    fa_error   error = fa_no_error();
    assert_int_equal(fa_export(robot, &options, contents_for(3), in_folder("x.fmu"), NULL, &error),
                     FA_BAD_INPUT);
    assert_contains(error.message, "take '_model'");
    free(robot);
}

static void a_long_name_is_cut_to_fit(void **state)
{
    (void)state;
    char name[2 * FA_NAME_SIZE], identifier[FA_NAME_SIZE];
    memset(name, '7', sizeof name - 1);
    name[sizeof name - 1] = '\0';
    fa_identifier(name, identifier);
    assert_int_equal(strlen(identifier), FA_NAME_SIZE - 1);
    assert_true(fa_identifier_fits(identifier));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(time_zone_umask_and_folder_change_no_byte),
        cmocka_unit_test(locale_and_source_folder_change_no_byte),
        cmocka_unit_test(the_archive_holds_fixed_members_times_and_permissions),
        cmocka_unit_test(a_new_file_has_the_permissions_that_the_umask_leaves),
        cmocka_unit_test(a_link_is_followed_and_stays_a_link),
        cmocka_unit_test(a_missing_folder_is_named),
        cmocka_unit_test(a_file_is_no_folder),
        cmocka_unit_test(what_is_no_file_is_not_replaced),
        cmocka_unit_test(a_read_only_folder_is_a_sentence),
        cmocka_unit_test(a_disk_that_runs_full_leaves_what_was_there),
        cmocka_unit_test(a_missing_library_is_named),
        cmocka_unit_test(a_library_is_found_with_and_without_its_platform),
        cmocka_unit_test(platforms_are_chosen_by_the_names_of_either_version),
        cmocka_unit_test(identifiers_are_made_of_any_name),
        cmocka_unit_test(words_of_c_and_modelica_are_no_identifiers),
        cmocka_unit_test(a_long_name_is_cut_to_fit),
    };
    return cmocka_run_group_tests(tests, make_folder, remove_folder);
}
