// Every allocation of an import fails once: the import says so, gives no robot and leaks nothing
// (the sanitizers look). Where libxml2 recovers from a failure on its own, the robot must be the
// same. Its schema validator does not survive (2.9.14 crashes in it), so with arms only our own
// allocations fail.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>
#include <libxml/parser.h>
#include <libxml/xmlmemory.h>

#include "failing_memory.h"
#include "import.h"

// libxml2's.
static bool libxml_fails;

static void *xml_malloc(size_t size)
{
    return libxml_fails ? __wrap_malloc(size) : __real_malloc(size);
}

static void *xml_realloc(void *old, size_t size)
{
    return libxml_fails ? __wrap_realloc(old, size) : __real_realloc(old, size);
}

static char *xml_strdup(const char *text)
{
    char *copy = xml_malloc(strlen(text) + 1);
    return copy ? strcpy(copy, text) : NULL;
}

// libxml2 2.9.14 itself loses a buffer when the memory for its contents is missing.
const char *__lsan_default_suppressions(void);
const char *__lsan_default_suppressions(void)
{
    return "leak:xmlBufCreateSize\n";
}

static void every_allocation_fails_once(const char *path)
{
    fa_robot *whole, *robot;
    fa_error  error = {.message = ""};
    allocations = 0;
    if (fa_import(path, NULL, NULL, &whole, &error) != FA_OK) fail_msg("%s", error.message);
    long n = allocations;
    for (long i = 0; i < n; i++) {
        countdown = i;
        fa_status status = fa_import(path, NULL, NULL, &robot, &error);
        countdown = -1;
        if (status == FA_OK) {
            assert_memory_equal(robot, whole, fa_robot_size(whole));
            free(robot);
            continue;
        }
        if (status != FA_NO_MEMORY) fail_msg("allocation %ld: %s", i, error.message);
        assert_null(robot);
        assert_non_null(strstr(error.message, "memory"));
    }
    print_message("%s: %ld allocations\n", path, n);
    free(whole);
}

static void a_urdf_survives_a_lack_of_memory(void **state)
{
    (void)state;
    libxml_fails = true;
    every_allocation_fails_once("urdf/mimic.urdf");
    every_allocation_fails_once("urdf/latin1.urdf");
    every_allocation_fails_once("xacro/arm.urdf.xacro");
}

static void an_arm_survives_a_lack_of_memory(void **state)
{
    (void)state;
    libxml_fails = false;
    every_allocation_fails_once("../resources/robots/scara.xml");
}

int main(void)
{
    if (xmlMemSetup(free, xml_malloc, xml_realloc, xml_strdup) != 0) return 1;
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_urdf_survives_a_lack_of_memory),
        cmocka_unit_test(an_arm_survives_a_lack_of_memory),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
