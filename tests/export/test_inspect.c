// Reading FMUs back: ours, other people's, and archives that want to do harm.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <zip.h>

#include "export_help.h"
#include "files.h"
#include "inspect.h"

static void what_was_exported_reads_back(void **state)
{
    (void)state;
    for (int fmi = 2; fmi <= 3; fmi++) {
        fa_robot  *robot = small_robot();
        fa_options options = options_for(fmi);
        fa_fmu     fmu;
        char      *text;
        size_t     size;
        export_to(in_folder("read.fmu"), fmi);
        assert_true(fa_fmu_looks_like(in_folder("read.fmu")));
        assert_int_equal(fa_fmu_read(in_folder("read.fmu"), &fmu, NULL), FA_OK);
        assert_int_equal(fa_description_write(robot, &options, NULL, &text, &size, NULL), FA_OK);
        assert_int_equal(fmu.description_size, size);
        assert_memory_equal(fmu.description, text, size);
        assert_contains(fmu.description, fmu.token);
        assert_string_equal(fmu.robot->name, robot->name);
        assert_int_equal(fmu.options.fmi, fmi);
        assert_string_equal(fmu.options.identifier, "small_robot");
        assert_int_equal(fmu.n_platforms, 1);
        assert_string_equal(fmu.platform[0], fa_platform(fmi));
        fa_fmu_free(&fmu);
        free(text);
        free(robot);
    }
}

// An archive with one member of that name.
static void make_archive(const char *path, const char *name)
{
    (void)remove(path);
    zip_t *archive = zip_open(path, ZIP_CREATE, NULL);
    assert_non_null(archive);
    assert_true(zip_file_add(archive, name, zip_source_buffer(archive, "x", 1, 0), 0) >= 0);
    assert_int_equal(zip_close(archive), 0);
}

static void archives_that_are_no_fmu_are_refused(void **state)
{
    (void)state;
    static const char *const pair[][2] = {
        {"../modelDescription.xml", "unpacked somewhere else"},
        {"/etc/x", "unpacked somewhere else"},
        {"resources/../../x", "unpacked somewhere else"},
        {"..\\x", "unpacked somewhere else"},
        {"C:/x", "unpacked somewhere else"},
        {"readme.txt", "without modelDescription.xml"},
    };
    for (size_t i = 0; i < sizeof pair / sizeof *pair; i++) {
        fa_fmu   fmu;
        fa_error error = fa_no_error();
        make_archive(in_folder("bad.fmu"), pair[i][0]);
        assert_int_equal(fa_fmu_read(in_folder("bad.fmu"), &fmu, &error), FA_BAD_INPUT);
        assert_contains(error.message, pair[i][1]);
    }
    fa_fmu   fmu;
    fa_error error = fa_no_error();
    assert_int_equal(fa_fmu_read(library.path, &fmu, &error), FA_IO);
    assert_contains(error.message, "zip archive");
    assert_false(fa_fmu_looks_like(library.path));
}

static void an_fmu_of_another_tool_has_no_robot(void **state)
{
    (void)state;
    fa_fmu fmu;
    make_archive(in_folder("other.fmu"), "modelDescription.xml");
    assert_int_equal(fa_fmu_read(in_folder("other.fmu"), &fmu, NULL), FA_OK);
    assert_string_equal(fmu.description, "x");
    assert_null(fmu.robot);
    assert_string_equal(fmu.token, "");
    fa_fmu_free(&fmu);
}

// One byte changed anywhere, or the end cut off anywhere: read or refused, but in order.
static void a_damaged_fmu_is_read_or_refused(void **state)
{
    (void)state;
    char    *data;
    size_t   size;
    uint64_t seed = 1;
    int      refused = 0;
    export_to(in_folder("whole.fmu"), 3);
    assert_int_equal(fa_file_read(in_folder("whole.fmu"), SIZE_MAX / 2, &data, &size, NULL), FA_OK);
    for (int trial = 0; trial < 400; trial++) {
        fa_fmu fmu;
        seed = seed * 6364136223846793005u + 1442695040888963407u;
        size_t at = (size_t)(seed >> 33) % size;
        char   was = data[at];
        data[at] = (char)(was ^ (char)(1 + trial % 255));
        FILE *file = fopen(in_folder("damaged.fmu"), "wb");
        assert_non_null(file);
        size_t length = trial % 4 == 0 ? at : size;
        assert_int_equal(fwrite(data, 1, length, file), length);
        assert_int_equal(fclose(file), 0);
        data[at] = was;
        if (fa_fmu_read(in_folder("damaged.fmu"), &fmu, NULL) == FA_OK)
            fa_fmu_free(&fmu);
        else
            refused++;
    }
    assert_true(refused > 100); // every cut one, and most of those with damaged data
    free(data);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_was_exported_reads_back),
        cmocka_unit_test(archives_that_are_no_fmu_are_refused),
        cmocka_unit_test(an_fmu_of_another_tool_has_no_robot),
        cmocka_unit_test(a_damaged_fmu_is_read_or_refused),
    };
    return cmocka_run_group_tests(tests, make_folder, remove_folder);
}
