// The committed modelDescription.xml is the default robot's, as the exporter writes it today.
// FOREARM_UPDATE=1 in the environment writes it anew.
#include <stdlib.h>
#include <string.h>

#include "export.h"
#include "files.h"
#include "import.h"
#include "test.h"

// Tests run in the folder tests/.
#define DEFAULT_ROBOT "../resources/robots/puma560.xml"
#define DESCRIPTION   "../modelDescription.xml"

static char *written_now(size_t *size)
{
    fa_robot  *robot;
    fa_options options = {.fmi = 3};
    fa_error   error = fa_no_error();
    char      *text;
    if (fa_import(DEFAULT_ROBOT, NULL, NULL, &robot, &error) != FA_OK)
        fail_msg("%s", error.message);
    fa_identifier(robot->name, options.identifier);
    assert_int_equal(fa_description_write(robot, &options, NULL, &text, size, NULL), FA_OK);
    free(robot);
    return text;
}

static void the_committed_description_is_the_default_robots(void **state)
{
    (void)state;
    size_t size, committed_size;
    char  *committed;
    char  *text = written_now(&size);
    if (getenv("FOREARM_UPDATE")) {
        assert_int_equal(fa_file_write(DESCRIPTION, text, size, NULL), FA_OK);
    }
    assert_int_equal(fa_file_read(DESCRIPTION, SIZE_MAX / 2, &committed, &committed_size, NULL),
                     FA_OK);
    if (committed_size != size || memcmp(committed, text, size) != 0) {
        fail_msg("modelDescription.xml is not what the exporter writes for " DEFAULT_ROBOT
                 "; look at what changed, then run this test with FOREARM_UPDATE=1");
    }
    free(committed);
    free(text);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_committed_description_is_the_default_robots),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
