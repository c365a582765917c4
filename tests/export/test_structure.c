// ModelStructure: what the description lists as depending on what.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "export_help.h"

// A chain of n revolute joints whose axes are all vertical.
static fa_robot *vertical_chain(int n)
{
    fa_robot *robot = fa_robot_new(n + 1);
    assert_non_null(robot);
    strcpy(robot->name, "chain");
    robot->tip_link = n;
    for (int i = 0; i <= n; i++) {
        fa_link *link = &robot->link[i];
        (void)snprintf(link->name, sizeof link->name, "link%d", i);
        (void)snprintf(link->joint.name, sizeof link->joint.name, "joint%d", i);
        link->parent = i - 1;
        link->joint.type = i == 0 ? FA_FIXED : FA_REVOLUTE;
        link->joint.axis = (fa_vec3){0, 0, 1};
        link->joint.origin.r = (fa_vec3){1, 0, 0};
        link->mass = 1;
        link->com = (fa_vec3){0.5, 0, 0};
    }
    assert_int_equal(fa_robot_check(robot, NULL, NULL), FA_OK);
    return robot;
}

static char *description_of(const fa_robot *robot)
{
    fa_options options = {.fmi = 3, .identifier = "chain"};
    fa_error   error = fa_no_error();
    char      *text;
    size_t     size;
    if (fa_description_write(robot, &options, NULL, &text, &size, &error) != FA_OK) {
        fail_msg("%s", error.message);
    }
    return text;
}

// The value of an attribute of the first element of that name, copied; empty if it has none.
static void attribute_of(const char *element, const char *attribute, char value[], size_t size)
{
    const char *end = strchr(element, '>');
    const char *start = strstr(element, attribute);
    value[0] = '\0';
    if (!start || start > end) return;
    start += strlen(attribute) + 2;
    size_t length = strcspn(start, "\"");
    assert_true(length < size);
    memcpy(value, start, length);
    value[length] = '\0';
}

// Dependencies of an output, such as " 7 9 ", with a blank on either side.
static void dependencies_of(const char *text, const char *name, char list[], size_t size)
{
    char marker[128], reference[16], value[1000];
    (void)snprintf(marker, sizeof marker, "name=\"%s\"", name);
    const char *variable = strstr(text, marker);
    assert_non_null(variable);
    attribute_of(variable, "valueReference", reference, sizeof reference);
    (void)snprintf(marker, sizeof marker, "<Output valueReference=\"%s\"", reference);
    const char *output = strstr(text, marker);
    assert_non_null(output);
    attribute_of(output, "dependencies", value, sizeof value);
    (void)snprintf(list, size, " %s ", value);
}

static void nothing_moves_along_parallel_axes(void **state)
{
    (void)state;
    fa_robot *robot = vertical_chain(3);
    char     *text = description_of(robot);
    char      list[1002];
    dependencies_of(text, "tip.z", list, sizeof list);
    assert_string_equal(list, "  ");
    dependencies_of(text, "tip.velocity.z", list, sizeof list);
    assert_string_equal(list, "  ");
    dependencies_of(text, "tip.x", list, sizeof list);
    assert_string_not_equal(list, "  ");
    free(text);
    // Tilt the last axis, and the tip, which lies one metre beside it, goes up and down.
    robot->link[3].joint.axis = (fa_vec3){0, 0.6, 0.8};
    robot->tip.r = (fa_vec3){1, 0, 0};
    text = description_of(robot);
    dependencies_of(text, "tip.z", list, sizeof list);
    assert_int_equal(strspn(list, " 0123456789"), strlen(list));
    assert_null(strchr(strchr(list + 1, ' ') + 1, ' ')); // one number: the last position
    free(text);
    free(robot);
}

static void count_warning(void *context, const char *file, fa_place place, const char *sentence)
{
    (void)file;
    (void)place;
    (void)sentence;
    ++*(int *)context;
}

static void a_very_long_chain_leaves_its_lists_out_and_says_so(void **state)
{
    (void)state;
    int        warnings = 0;
    fa_log     log = {.warn = count_warning, .context = &warnings};
    fa_options options = {.fmi = 3, .identifier = "chain"};
    fa_robot  *robot = vertical_chain(200);
    char      *text = description_of(robot);
    assert_contains(text, "<Output valueReference=");
    assert_null(strstr(text, "dependencies"));
    assert_int_equal(
        fa_export(robot, &options, contents_for(3), in_folder("chain.fmu"), &log, NULL), FA_OK);
    assert_int_equal(warnings, 1);
    free(text);
    free(robot);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(nothing_moves_along_parallel_axes),
        cmocka_unit_test(a_very_long_chain_leaves_its_lists_out_and_says_so),
    };
    return cmocka_run_group_tests(tests, make_folder, remove_folder);
}
