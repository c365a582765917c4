// What a URDF says arrives in the robot: numbers, frames, order, and what the user asks for beyond
// the file. Which files are accepted at all is in test_import_files.c.
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "formats.h"
#include "import.h"
#include "number.h"
#include "values.h"

static const char INERTIAL[] = "<inertial><origin xyz='0 0 0.5'/><mass value='1'/>"
                               "<inertia ixx='0.1' iyy='0.1' izz='0.01' ixy='0' ixz='0' iyz='0'/>"
                               "</inertial>";

// A robot of one joint, with `origin` and `rest` inside of it.
static const char *one_joint(const char *root, const char *origin, const char *rest)
{
    static char text[4096];
    snprintf(text, sizeof text,
             "<robot name='r' %s><link name='base'/><link name='arm'>%s</link>"
             "<joint name='j' type='revolute'><parent link='base'/><child link='arm'/>"
             "<origin %s/><axis xyz='0 0 1'/>"
             "<limit lower='-1' upper='1' effort='5' velocity='3'/>%s</joint></robot>",
             root, INERTIAL, origin, rest);
    return text;
}

static fa_robot *read_with(const char *text, const fa_import_options *options)
{
    fa_robot *robot;
    fa_error  error = {.message = ""};
    if (fa_import_text(text, strlen(text), "text.urdf", options, NULL, &robot, &error) != FA_OK)
        fail_msg("%s", error.message);
    return robot;
}

static const char *refusal(const char *text, const fa_import_options *options)
{
    static fa_error error;
    fa_robot       *robot;
    assert_int_equal(fa_import_text(text, strlen(text), "text.urdf", options, NULL, &robot, &error),
                     FA_BAD_INPUT);
    assert_null(robot);
    return error.message;
}

static fa_robot *file(const char *name, const fa_import_options *options)
{
    char path[200];
    snprintf(path, sizeof path, "urdf/%s.urdf", name);
    fa_robot *robot;
    fa_error  error = {.message = ""};
    if (fa_import(path, options, NULL, &robot, &error) != FA_OK) fail_msg("%s", error.message);
    assert_string_equal(robot->source, path);
    return robot;
}

static void assert_near(double got, double want, double tolerance)
{
    if (!(fabs(got - want) <= tolerance))
        fail_msg("%s is not %s", fa_number_text(got).text, fa_number_text(want).text);
}

// ---------------------------------------------------------------------------------------- numbers

static void numbers_arrive_as_they_are_written(void **state)
{
    (void)state;
    fa_robot *robot = read_with(
        one_joint("", "xyz='0.1 -3 6.02e+23'", "<dynamics damping='0.7' friction='0.3'/>"), NULL);
    const fa_link  *link = &robot->link[1];
    const fa_joint *joint = &link->joint;
    assert_true(joint->origin.r.x == 0.1 && joint->origin.r.y == -3);
    assert_true(joint->origin.r.z == 6.02e23);
    assert_true(joint->friction.viscous == 0.7);
    assert_true(joint->friction.coulomb == 0.3 && joint->friction.coulomb_negative == 0.3);
    assert_true(joint->friction.width > 0);
    assert_true(joint->limit.lower == -1 && joint->limit.upper == 1);
    assert_true(joint->limit.effort == 5 && joint->limit.velocity == 3);
    assert_true(link->mass == 1 && link->com.z == 0.5 && link->inertia.zz == 0.01);
    assert_string_equal(joint->name, "j");
    assert_string_equal(link->name, "arm");
    assert_int_equal(link->parent, 0);
    assert_int_equal(joint->type, FA_REVOLUTE);
    free(robot);
}

static void every_way_of_writing_numbers_is_read(void **state)
{
    (void)state;
    fa_robot *robot = file("numbers", NULL);
    fa_vec3   r = robot->link[1].joint.origin.r;
    assert_true(robot->link[1].mass == 1.5);
    assert_true(r.x == -0.5 && r.y == 1 && r.z == 0.2);
    free(robot);
}

static void what_is_not_known_is_unlimited(void **state)
{
    (void)state;
    fa_robot *robot = file("limit_effort_zero", NULL);
    assert_true(isinf(robot->link[1].joint.limit.effort));
    free(robot);
    robot = file("limit_without_range", NULL);
    assert_true(isinf(robot->link[1].joint.limit.lower) && isinf(robot->link[1].joint.limit.upper));
    assert_true(robot->link[1].joint.limit.effort == 10);
    free(robot);
    robot = file("continuous_with_limits", NULL);
    assert_true(isinf(robot->link[1].joint.limit.lower) && isinf(robot->link[1].joint.limit.upper));
    free(robot);
    robot = file("v12_limits", NULL);
    assert_true(isinf(robot->link[1].joint.limit.effort));
    assert_true(isinf(robot->link[1].joint.limit.velocity));
    free(robot);
}

static void a_joint_that_cannot_be_at_zero_starts_at_its_nearest_limit(void **state)
{
    (void)state;
    fa_robot *robot = file("start_at_nearest_limit", NULL);
    assert_true(robot->link[1].joint.initial_position == -0.25);
    free(robot);
}

// ----------------------------------------------------------------------------------------- frames

static void an_inertia_given_in_turned_axes_is_turned(void **state)
{
    (void)state;
    fa_robot *robot = file("inertia_rotated", NULL); // a quarter turn about x
    fa_sym3   I = robot->link[1].inertia;
    // cos(pi/2) is 6e-17 in doubles; times a moment of 0.1.
    assert_near(I.xx, 0.1, 1e-16);
    assert_near(I.yy, 0.01, 1e-16);
    assert_near(I.zz, 0.1, 1e-16);
    assert_near(I.yz, 0, 1e-16);
    free(robot);
}

static void a_quaternion_is_the_rotation_of_the_same_roll_pitch_and_yaw(void **state)
{
    (void)state;
    const double  roll = 0.3, pitch = -1.1, yaw = 2.5;
    fa_quaternion q =
        fa_quaternion_mul(fa_quaternion_about(vec3(0, 0, 1), yaw),
                          fa_quaternion_mul(fa_quaternion_about(vec3(0, 1, 0), pitch),
                                            fa_quaternion_about(vec3(1, 0, 0), roll)));
    char origin[200];
    snprintf(origin, sizeof origin, "quat_xyzw='%s %s %s %s'", fa_number_text(q.x).text,
             fa_number_text(q.y).text, fa_number_text(q.z).text, fa_number_text(q.w).text);
    fa_robot *a = read_with(one_joint("", "rpy='0.3 -1.1 2.5'", ""), NULL);
    fa_robot *b = read_with(one_joint("version='1.1'", origin, ""), NULL);
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++)
            // Half a dozen roundings of numbers up to 1.
            assert_near(a->link[1].joint.origin.E.m[i][j], b->link[1].joint.origin.E.m[i][j],
                        1e-15);
    free(a);
    free(b);
}

static void an_axis_is_scaled_to_unit_length_unless_it_has_it(void **state)
{
    (void)state;
    fa_robot *robot = file("axis_not_unit", NULL);
    fa_vec3   axis = robot->link[1].joint.axis;
    assert_near(axis.y, 0.6, 1e-15);
    assert_near(axis.z, 0.8, 1e-15);
    free(robot);
    robot = file("axis_missing", NULL);
    axis = robot->link[1].joint.axis;
    assert_true(axis.x == 1 && axis.y == 0 && axis.z == 0);
    free(robot);
}

// ------------------------------------------------------------------------------------------- tree

static void links_come_depth_first_and_siblings_as_in_the_file(void **state)
{
    (void)state;
    static const char *const want[] = {"base", "a", "c", "b"};
    static const int         parent[] = {FA_WORLD, 0, 1, 0};
    fa_robot                *robot = file("siblings_out_of_order", NULL);
    assert_int_equal(robot->n_links, 4);
    for (int i = 0; i < 4; i++) {
        assert_string_equal(robot->link[i].name, want[i]);
        assert_int_equal(robot->link[i].parent, parent[i]);
    }
    free(robot);
}

static void a_mimic_joint_follows_its_leader_wherever_that_stands(void **state)
{
    (void)state;
    fa_robot *robot = file("mimic", NULL);
    fa_mimic  mimic = robot->link[2].joint.mimic;
    assert_int_equal(mimic.leader, 1);
    assert_true(mimic.ratio == -0.5 && mimic.offset == 0.1);
    assert_int_equal(fa_robot_freedom(robot), 1);
    free(robot);
    robot = file("mimic_before_leader", NULL);
    mimic = robot->link[1].joint.mimic;
    assert_int_equal(mimic.leader, 2);
    assert_true(mimic.ratio == 1 && mimic.offset == 0);
    free(robot);
}

// Composed once, from 2 (-0.5 q + 0.25) + 1.
static void a_follower_of_a_follower_follows_the_free_joint(void **state)
{
    (void)state;
    fa_robot *robot = file("mimic_of_mimic", NULL);
    fa_mimic  mimic = robot->link[fa_robot_find_joint(robot, "j3")].joint.mimic;
    assert_int_equal(mimic.leader, fa_robot_find_joint(robot, "j1"));
    assert_true(mimic.ratio == -1 && mimic.offset == 1.5);
    free(robot);

    const fa_import_lock    lock = {"j1", 0.5};
    const fa_import_options options = {.lock = &lock, .n_locks = 1};
    robot = file("mimic_of_mimic", &options);
    assert_int_equal(fa_robot_freedom(robot), 0);
    // j3 stands at 1 about y: cos 1 in the corners of its rotation.
    assert_near(robot->link[3].joint.origin.E.m[0][0], cos(1), 1e-15);
    free(robot);
}

// ------------------------------------------------------------------------ what the user asked for

static void a_locked_joint_is_fixed_where_it_was_locked(void **state)
{
    (void)state;
    const fa_import_lock    lock = {"left", 0.5};
    const fa_import_options options = {.lock = &lock, .n_locks = 1};
    fa_robot               *robot = file("several_tips", &options);
    int                     link = fa_robot_find_joint(robot, "left");
    assert_int_equal(robot->link[link].joint.type, FA_FIXED);
    assert_int_equal(fa_robot_freedom(robot), 2);
    // Locked, it is no longer on the way with the most moving joints.
    assert_string_equal(robot->link[robot->tip_link].name, "l3");
    free(robot);

    const fa_import_lock    nobody = {"elbow", 0};
    const fa_import_options wrong = {.lock = &nobody, .n_locks = 1};
    assert_non_null(strstr(refusal(one_joint("", "", ""), &wrong), "'elbow'"));
}

static void the_tip_is_the_link_that_was_named(void **state)
{
    (void)state;
    const fa_import_options options = {.tip = "l3"};
    fa_robot               *robot = file("several_tips", &options);
    assert_string_equal(robot->link[robot->tip_link].name, "l3");
    free(robot);
    const fa_import_options wrong = {.tip = "hand"};
    assert_non_null(strstr(refusal(one_joint("", "", ""), &wrong), "'hand'"));
}

static void the_links_that_were_named_get_wrenches(void **state)
{
    (void)state;
    const char *const       names[] = {"l3", "l1"};
    const fa_import_options options = {.wrench = names, .n_wrenches = 2};
    fa_robot               *robot = file("several_tips", &options);
    for (int i = 0; i < robot->n_links; i++)
        assert_int_equal(robot->link[i].wrench, strcmp(robot->link[i].name, "l3") == 0 ||
                                                    strcmp(robot->link[i].name, "l1") == 0);
    free(robot);
    const char *const       hand[] = {"hand"};
    const fa_import_options wrong = {.wrench = hand, .n_wrenches = 1};
    assert_non_null(strstr(refusal(one_joint("", "", ""), &wrong), "'hand'"));
}

static void what_is_asked_for_must_be_there(void **state)
{
    (void)state;
    const fa_import_lock    lock = {"elbow", 0};
    const fa_import_options locked = {.lock = &lock, .n_locks = 1}, inputs = {.inputs = "motion"};
    const char             *text = one_joint("", "", "");
    assert_non_null(strstr(refusal(text, &locked), "there is no joint 'elbow' to lock"));
    fa_robot *robot;
    fa_error  error = fa_no_error();
    assert_int_equal(fa_import_text(text, strlen(text), "x", &inputs, NULL, &robot, &error),
                     FA_UNFIT);
    assert_non_null(strstr(error.message, "there are no inputs 'motion'"));
}

static void lenient_reading_leaves_a_joint_without_limits_unlimited(void **state)
{
    (void)state;
    const fa_import_options lenient = {.lenient = true};
    fa_robot               *robot;
    assert_int_equal(fa_import("bad/limit_missing.urdf", &lenient, NULL, &robot, NULL), FA_OK);
    assert_true(isinf(robot->link[1].joint.limit.lower) && isinf(robot->link[1].joint.limit.upper));
    free(robot);
    assert_int_equal(fa_import("bad/limit_noeffort.urdf", &lenient, NULL, &robot, NULL), FA_OK);
    assert_true(isinf(robot->link[1].joint.limit.effort));
    free(robot);
    // Not in silence: what is strict besides hears it.
    const fa_import_options both = {.lenient = true, .strict = true};
    fa_error                error = fa_no_error();
    assert_int_equal(fa_import("bad/limit_missing.urdf", &both, NULL, &robot, &error),
                     FA_BAD_INPUT);
    assert_non_null(strstr(error.message, "has no <limit>; it is unlimited"));
    assert_int_equal(fa_import("bad/limit_noeffort.urdf", &both, NULL, &robot, &error),
                     FA_BAD_INPUT);
    assert_non_null(strstr(error.message, "joint 'j1' has no effort; it is unlimited"));
}

static void strict_reading_makes_the_first_warning_an_error(void **state)
{
    (void)state;
    const fa_import_options strict = {.strict = true};
    fa_robot               *robot;
    fa_error                error = fa_no_error();
    assert_int_equal(fa_import("urdf/axis_not_unit.urdf", &strict, NULL, &robot, &error),
                     FA_BAD_INPUT);
    assert_null(robot);
    assert_int_equal(error.place.line, 15);
    assert_non_null(strstr(error.message, "length 5"));
    assert_int_equal(fa_import("urdf/ok.urdf", &strict, NULL, &robot, &error), FA_OK);
    free(robot);
}

static void a_file_that_is_not_there_or_is_a_folder_is_no_robot(void **state)
{
    (void)state;
    fa_robot *robot;
    fa_error  error = fa_no_error();
    assert_int_equal(fa_import("urdf/nowhere.urdf", NULL, NULL, &robot, &error), FA_IO);
    assert_string_equal(error.file, "urdf/nowhere.urdf");
    assert_int_equal(fa_import("urdf", NULL, NULL, &robot, &error), FA_IO);
    assert_null(robot);
}

// Lists of names in sentences: the first ones that fit, and how many more there are. A short name
// behind one that was left out is left out, too.
static void names_that_do_not_fit_into_a_sentence_are_counted(void **state)
{
    (void)state;
    for (int length = 1; length < 120; length++)
        for (int n = 1; n < 200; n += 1 + n / 4) {
            fa_list list = {.used = 0};
            char    name[128] = "", want[4096] = "";
            size_t  used = 0;
            int     left = 0;
            memset(name, 'x', (size_t)length);
            for (int i = 0; i <= n; i++) {
                const char *one = i < n ? name : "y";
                fa_list_add(&list, one);
                // Room for 'name', a comma and a space, and as many bytes as " and 99999 more"
                // takes.
                left += left > 0 || used + strlen(one) + 4 > sizeof list.text - 32;
                if (left == 0)
                    used += (size_t)snprintf(want + used, sizeof want - used, "%s'%s'",
                                             i ? ", " : "", one);
            }
            if (left) (void)snprintf(want + used, sizeof want - used, " and %d more", left);
            assert_string_equal(fa_list_text(&list), want);
        }
}

// Shapes to look at and shapes to run into, and nothing else that has a geometry.
static void shapes_are_seen_or_touched(void **state)
{
    (void)state;
    static const char text[] =
        "<robot name='r'><link name='a'><collision><origin xyz='0 0 1'/><geometry><box size='1 2 "
        "3'/></geometry></collision><sensor><geometry><sphere radius='7'/></geometry></sensor>"
        "<visual><geometry><sphere radius='4'/></geometry></visual><visual/><collision><geometry/>"
        "</collision></link></robot>";
    fa_error error = {.message = ""};
    fa_xml  *xml;
    fa_form  form;
    fa_form_begin(&form, "text.urdf");
    assert_int_equal(fa_xml_read(text, strlen(text), "text.urdf", NULL, &xml, &error), FA_OK);
    const fa_import_options options = {0};
    if (fa_urdf_read(xml, &options, NULL, &form, &error) != FA_OK) fail_msg("%s", error.message);
    assert_int_equal(form.n_shapes, 2);
    const fa_form_shape *box = &form.shape[0], *ball = &form.shape[1];
    assert_true(box->kind == FA_FORM_BOX && box->collision && !box->visual);
    assert_true(box->size.x == 1 && box->size.y == 2 && box->size.z == 3 && box->frame.r.z == 1);
    assert_true(ball->kind == FA_FORM_SPHERE && ball->visual && !ball->collision);
    assert_true(ball->size.x == 4);
    fa_form_free(&form);
    fa_xml_free(xml);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(names_that_do_not_fit_into_a_sentence_are_counted),
        cmocka_unit_test(numbers_arrive_as_they_are_written),
        cmocka_unit_test(every_way_of_writing_numbers_is_read),
        cmocka_unit_test(what_is_not_known_is_unlimited),
        cmocka_unit_test(a_joint_that_cannot_be_at_zero_starts_at_its_nearest_limit),
        cmocka_unit_test(an_inertia_given_in_turned_axes_is_turned),
        cmocka_unit_test(a_quaternion_is_the_rotation_of_the_same_roll_pitch_and_yaw),
        cmocka_unit_test(an_axis_is_scaled_to_unit_length_unless_it_has_it),
        cmocka_unit_test(links_come_depth_first_and_siblings_as_in_the_file),
        cmocka_unit_test(a_mimic_joint_follows_its_leader_wherever_that_stands),
        cmocka_unit_test(a_follower_of_a_follower_follows_the_free_joint),
        cmocka_unit_test(a_locked_joint_is_fixed_where_it_was_locked),
        cmocka_unit_test(the_tip_is_the_link_that_was_named),
        cmocka_unit_test(the_links_that_were_named_get_wrenches),
        cmocka_unit_test(what_is_asked_for_must_be_there),
        cmocka_unit_test(lenient_reading_leaves_a_joint_without_limits_unlimited),
        cmocka_unit_test(strict_reading_makes_the_first_warning_an_error),
        cmocka_unit_test(shapes_are_seen_or_touched),
        cmocka_unit_test(a_file_that_is_not_there_or_is_a_folder_is_no_robot),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
