// Every allocation of an export fails once: the export says so, leaves no file, and leaks nothing
// (the sanitizers look). With arrays, sources and the results of an experiment, so that all parts
// of an FMU are made.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "export_help.h"
#include "failing_memory.h"
#include "files.h"
#include "plant.h"

static char *results_of(const fa_robot *robot, size_t *size)
{
    fa_variables variables;
    void        *block;
    char         text[4096];
    assert_int_equal(
        fa_plant_variables(fa_plant_find(robot->plant), robot, false, &variables, &block, NULL),
        FA_OK);
    *size = (size_t)snprintf(text, sizeof text, "time");
    for (int line = 0; line < 2; line++) {
        if (line) *size += (size_t)snprintf(text + *size, sizeof text - *size, "0");
        for (int row = 0; row < variables.n; row++) {
            const fa_role role = variables.row[row].role;
            if (role != FA_STATE && role != FA_OUTPUT) continue;
            *size += (size_t)snprintf(text + *size, sizeof text - *size, ",%s",
                                      line ? "1.5" : variables.row[row].name);
        }
        *size += (size_t)snprintf(text + *size, sizeof text - *size, "\n");
    }
    assert_true(*size < sizeof text);
    free(block);
    return strcpy(malloc(*size + 1), text);
}

static void a_lack_of_memory_is_told_and_leaves_no_file(void **state)
{
    (void)state;
    // A short list of sources in place of the library's.
    assert_int_equal(fa_file_write(in_folder("files.txt"),
                                   "built_in.c\nspecial.c\nother.c\nother.h\n", 37, NULL),
                     FA_OK);
    assert_int_equal(fa_file_write(in_folder("other.c"), "int other;\n", 11, NULL), FA_OK);
    assert_int_equal(fa_file_write(in_folder("other.h"), "extern int other;\n", 18, NULL), FA_OK);
    fa_robot     *robot = small_robot();
    fa_references references = {.model = "a robot", .model_size = 7, .model_name = "a.urdf"};
    char         *results = results_of(robot, &references.results_size);
    references.results = results;
    for (int fmi = 2; fmi <= 3; fmi++) {
        fa_options  options = options_for(fmi);
        fa_contents contents = *contents_for(fmi);
        fa_error    error = fa_no_error();
        options.arrays = fmi == 3;
        contents.references = &references;
        contents.sources = folder;
        contents.special = "// no code";
        contents.special_size = 10;
        char path[PATH_MAX];
        (void)snprintf(path, sizeof path, "%s/lack%d.fmu", folder, fmi);
        allocations = 0;
        if (fa_export(robot, &options, &contents, path, NULL, &error) != FA_OK)
            fail_msg("%s", error.message);
        const long n = allocations;
        assert_true(n > 20);
        for (long i = 0; i < n; i++) {
            assert_int_equal(unlink(path), 0);
            countdown = i;
            const fa_status status = fa_export(robot, &options, &contents, path, NULL, &error);
            countdown = -1;
            if (status == FA_OK) continue; // libxml2, libzip or the C library went on without
            assert_int_not_equal(access(path, F_OK), 0);
            if (!strstr(error.message, "memory"))
                fail_msg("allocation %ld of %ld: %s", i, n, error.message);
            assert_int_equal(fa_file_write(path, "", 0, NULL), FA_OK);
        }
        print_message("FMI %d: %ld allocations\n", fmi, n);
    }
    free(results);
    free(robot);
}

// Each file in the order of the list, with the lines around those that are compiled, without the
// other standard's.
static void sources_are_what_the_list_names(void **state)
{
    (void)state;
#define BEGIN "#include \"source_begin.h\"\n#include \"source_names.h\"\n\n"
    static const char        list[] = "built_in.c\nspecial.c\nother.c\nother.h\nfmi2.c\nfmi3.c\n";
    static const char *const name[] = {"other.c", "other.h", "fmi2.c", "fmi3.c"};
    assert_int_equal(fa_file_write(in_folder("files.txt"), list, sizeof list - 1, NULL), FA_OK);
    for (int i = 0; i < 4; i++)
        assert_int_equal(fa_file_write(in_folder(name[i]), "// text\n", 8, NULL), FA_OK);
    const fa_own_sources own = {"AB\xC3", 3, "// special\n", 11};
    for (int fmi = 2; fmi <= 3; fmi++) {
        const char *const want[][2] = {
            {"built_in.c",
             BEGIN ""
                   "// The robot of this FMU: resources/robot.forearm, so that nothing has "
                   "to be found at run time.\n"
                   "#include \"built_in.h\"\n\nconst unsigned char fa_built_in_robot[] = "
                   "{\n65,66,195,\n};\n"
                   "const size_t fa_built_in_size = sizeof fa_built_in_robot;\n\n#include "
                   "\"source_end.h\"\n"},
            {"special.c", BEGIN "// special\n\n#include \"source_end.h\"\n"},
            {"other.c", BEGIN "// text\n\n#include \"source_end.h\"\n"},
            {"other.h", "// text\n"},
            {fmi == 2 ? "fmi2.c" : "fmi3.c",
             "#define FA_SOURCE_SHOWS\n" BEGIN "// text\n\n#include \"source_end.h\"\n"},
        };
        const fa_options options = options_for(fmi);
        fa_sources       sources;
        assert_int_equal(fa_sources_read(folder, &options, &own, &sources, NULL), FA_OK);
        assert_int_equal(sources.n, 6);
        assert_string_equal(sources.of[5].name, "source_names.h"); // prefixes: test_sources.py
        for (int i = 0; i < 5; i++) {
            assert_string_equal(sources.of[i].name, want[i][0]);
            assert_int_equal(sources.of[i].size, strlen(want[i][1]));
            assert_memory_equal(sources.of[i].text, want[i][1], sources.of[i].size);
            assert_int_equal(sources.of[i].compiled, i != 3);
        }
        fa_sources_free(&sources);
    }
#undef BEGIN
}

// What goes wrong with a file names the file as the caller did, and a file that was not begun needs
// no dropping.
static void a_file_that_cannot_be_finished_is_named(void **state)
{
    (void)state;
    fa_new_file file;
    fa_error    error = fa_no_error();
    assert_int_equal(fa_new_file_create(in_folder("new"), &file, &error), FA_OK);
    assert_int_equal(close(file.handle), 0); // somebody else's doing
    assert_int_equal(fa_new_file_append(&file, "text", 4, &error), FA_IO);
    assert_non_null(strstr(error.file, "/new"));
    assert_int_equal(file.handle, -1);
    assert_int_not_equal(access(file.temporary, F_OK), 0);
    assert_int_not_equal(access(in_folder("new"), F_OK), 0);

    assert_int_equal(fa_new_file_create(in_folder("new"), &file, &error), FA_OK);
    assert_int_equal(close(file.handle), 0);
    assert_int_equal(fa_new_file_keep(&file, &error), FA_IO);
    assert_non_null(strstr(error.file, "/new"));
    assert_int_not_equal(access(in_folder("new"), F_OK), 0);

    memset(&file, 0, sizeof file);
    assert_int_equal(fa_new_file_create(in_folder("no/such/folder/new"), &file, &error), FA_IO);
    assert_true(file.handle < 0);
    fa_new_file_drop(&file);

    char far[2 * FA_FILE_PATH_SIZE];
    memset(far, 'a', sizeof far - 1);
    far[sizeof far - 1] = '\0';
    file.handle = 1;
    assert_int_equal(fa_new_file_create(far, &file, &error), FA_IO);
    assert_true(file.handle < 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_lack_of_memory_is_told_and_leaves_no_file),
        cmocka_unit_test(sources_are_what_the_list_names),
        cmocka_unit_test(a_file_that_cannot_be_finished_is_named),
    };
    return cmocka_run_group_tests(tests, make_folder, remove_folder);
}
