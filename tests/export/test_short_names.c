// Levels of variables' names, and the shorter names that an export gives joints and links.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "export.h"
#include "plant.h"
#include "test.h"

static void a_level_is_a_word_in_matlab_and_modelica(void **state)
{
    (void)state;
    static const char *const pair[][2] = {{"elbow", "elbow"},
                                          {"0", "_0"},
                                          {"2nd", "_2nd"},
                                          {"a::b", "a_b"},
                                          {"left/x", "left_x"},
                                          {"a::b::c", "a_b_c"},
                                          {"a:b", "a_b"},
                                          {"end", "_end"},
                                          {"End", "End"},
                                          {"parfor", "_parfor"},
                                          {"equation", "_equation"},
                                          {"endless", "endless"},
                                          {"int", "int"},
                                          {"a.b", "a_b"},
                                          {"\xC3\xA4", "_"},
                                          {"a:::b", "a__b"}};
    for (size_t i = 0; i < sizeof pair / sizeof *pair; i++) {
        char segment[FA_NAME_SIZE];
        fa_variable_segment(pair[i][0], segment, sizeof segment);
        assert_string_equal(segment, pair[i][1]);
    }
}

// A chain of revolute joints with these names; link i is called link[i].
static fa_robot *chain_of(int n, const char *const joint[], const char *const link[])
{
    fa_robot *robot = fa_robot_new(n + 1);
    fa_error  error = fa_no_error();
    assert_non_null(robot);
    strcpy(robot->name, "chain");
    robot->tip_link = n;
    for (int i = 0; i <= n; i++) {
        fa_link *at = &robot->link[i];
        (void)snprintf(at->name, sizeof at->name, "%s", link[i]);
        (void)snprintf(at->joint.name, sizeof at->joint.name, "%s", i ? joint[i - 1] : "");
        at->parent = i - 1;
        at->joint.type = i == 0 ? FA_FIXED : FA_REVOLUTE;
        at->joint.axis = (fa_vec3){0, 1, 0};
        at->joint.origin.r = (fa_vec3){1, 0, 0};
        at->mass = 1;
        at->inertia = (fa_sym3){1, 1, 1, 0, 0, 0};
    }
    if (fa_robot_set_outputs(robot, "mass-matrix,poses", &error) != FA_OK ||
        fa_robot_check(robot, NULL, &error) != FA_OK)
        fail_msg("%s", error.message);
    return robot;
}

static int long_names_of(const fa_robot *robot)
{
    fa_variables table;
    void        *block;
    int          longest;
    assert_int_equal(fa_plant_variables(fa_plant_find("arm"), robot, false, &table, &block, NULL),
                     FA_OK);
    const int n = fa_long_names(&table, &longest);
    free(block);
    return n;
}

static void suffix_and_prefix_go(void **state)
{
    (void)state;
    static const char *const joint[] = {"ur_pan_joint", "ur_lift_joint", "ur_end"};
    static const char *const link[] = {"world", "ur_a_link", "ur_b_link", "ur_c"};
    static const char *const want[][3] = {
        {"joint", "ur_pan_joint", "pan"}, {"joint", "ur_lift_joint", "lift"},
        {"joint", "ur_end", "end"},       {"link", "ur_a_link", "a"},
        {"link", "ur_b_link", "b"},       {"link", "ur_c", "c"}};
    fa_robot      *robot = chain_of(3, joint, link);
    fa_short_names names;
    assert_int_equal(fa_robot_shorten_names(robot, &names, NULL), FA_OK);
    assert_int_equal(names.n, 6);
    for (int i = 0; i < names.n; i++) {
        assert_string_equal(names.of[i].kind, want[i][0]);
        assert_string_equal(names.of[i].from, want[i][1]);
        assert_string_equal(names.of[i].to, want[i][2]);
    }
    assert_string_equal(robot->link[1].joint.name, "pan");
    assert_string_equal(robot->link[0].name, "world");
    assert_int_equal(fa_robot_require_checked(robot, NULL), FA_OK);
    free(names.of);
    free(robot);
}

static void names_that_would_be_the_same_or_a_number_stay(void **state)
{
    (void)state;
    static const char *const joint[] = {"joint_1", "joint_2_joint", "joint_2"};
    static const char *const link[] = {"base", "a", "b_link", "b"};
    fa_robot                *robot = chain_of(3, joint, link);
    fa_short_names           names;
    assert_int_equal(fa_robot_shorten_names(robot, &names, NULL), FA_OK);
    assert_int_equal(names.n, 0);
    free(names.of);
    free(robot);
}

// Whatever the letters, no name of a variable is too long, and all joints differ.
static void no_name_is_too_long_after(void **state)
{
    (void)state;
    char        text[2][6][FA_NAME_SIZE];
    const char *joint[5], *link[6];
    for (int i = 0; i < 6; i++) {
        for (int kind = 0; kind < 2; kind++) {
            memset(text[kind][i], "qz"[kind], FA_NAME_SIZE - 2);
            text[kind][i][FA_NAME_SIZE - 2] = '\0';
            text[kind][i][60] = (char)('a' + i); // they differ in the middle only
            text[kind][i][FA_NAME_SIZE - 3] = 'w';
        }
        link[i] = text[1][i];
        if (i < 5) joint[i] = text[0][i];
    }
    fa_robot      *robot = chain_of(5, joint, link);
    fa_short_names names;
    assert_true(long_names_of(robot) > 100);
    assert_int_equal(fa_robot_shorten_names(robot, &names, NULL), FA_OK);
    assert_int_equal(long_names_of(robot), 0);
    assert_int_equal(names.n, 10); // but for the base, which no variable is named after
    for (int i = 0; i < names.n; i++) {
        assert_true(strlen(names.of[i].to) > 20); // no shorter than need be
        assert_true(names.of[i].to[0] == names.of[i].from[0]);
        assert_true(names.of[i].to[strlen(names.of[i].to) - 1] == 'w'); // the end stays, too
    }
    free(names.of);
    free(robot);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_level_is_a_word_in_matlab_and_modelica),
        cmocka_unit_test(suffix_and_prefix_go),
        cmocka_unit_test(names_that_would_be_the_same_or_a_number_stay),
        cmocka_unit_test(no_name_is_too_long_after),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
