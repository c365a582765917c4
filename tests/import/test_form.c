// The form between readers and model: which robot it makes, and what no reader that is in the tree
// lets through.
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "form_build.h"
#include "form_sum.h"
#include "form_weigh.h"

static int add_link(fa_form *form, const char *name)
{
    fa_form_link *link = fa_form_add_link(form);
    assert_non_null(link);
    (void)snprintf(link->name, sizeof link->name, "%s", name);
    link->mass = 1;
    link->inertia = (fa_sym3){1, 1, 1, 0, 0, 0};
    return form->n_links - 1;
}

static int join(fa_form *form, const char *name, int parent, int child)
{
    fa_form_joint *joint = fa_form_add_joint(form);
    assert_non_null(joint);
    (void)snprintf(joint->name, sizeof joint->name, "%s", name);
    joint->type = FA_FORM_REVOLUTE;
    joint->parent = parent;
    joint->child = child;
    return form->n_joints - 1;
}

static void begin(fa_form *form, const char *names)
{
    char name[2] = "";
    fa_form_begin(form, "robot.xml");
    (void)snprintf(form->name, sizeof form->name, "r");
    for (; *names; names++) {
        name[0] = *names;
        add_link(form, name);
    }
}

static fa_robot *built(const fa_form *form)
{
    fa_robot *robot;
    fa_error  error = fa_no_error();
    assert_int_equal(fa_form_build(form, NULL, &robot, &error), FA_OK);
    assert_int_equal(fa_robot_check(robot, NULL, &error), FA_OK);
    return robot;
}

static void assert_refused(fa_form *form, const char *sentence)
{
    fa_robot *robot;
    fa_error  error = fa_no_error();
    assert_int_equal(fa_form_build(form, NULL, &robot, &error), FA_BAD_INPUT);
    assert_null(robot);
    assert_string_equal(error.message, sentence);
    fa_form_free(form);
}

static void links_stand_depth_first_in_the_order_of_their_joints(void **state)
{
    (void)state;
    fa_form form;
    begin(&form, "edcba");
    join(&form, "1", 4, 1); // a: d, c; d: e, b
    join(&form, "2", 1, 0);
    join(&form, "3", 4, 2);
    join(&form, "4", 1, 3);
    fa_robot *robot = built(&form);
    char      order[6] = "";
    for (int i = 0; i < robot->n_links; i++) order[i] = robot->link[i].name[0];
    assert_string_equal(order, "adebc");
    assert_int_equal(robot->link[4].parent, 0);
    free(robot);
    fa_form_free(&form);
}

static void several_trees_hang_on_a_link_of_their_own(void **state)
{
    (void)state;
    fa_form form;
    begin(&form, "abc");
    (void)snprintf(form.link[2].name, sizeof form.link[2].name, "world");
    form.link[1].pose.r = vec3(1, 2, 3);
    join(&form, "1", 0, 2);
    fa_robot *robot = built(&form);
    assert_int_equal(robot->n_links, 4);
    assert_string_equal(robot->link[0].name, "world2"); // there is a world already
    assert_true(robot->link[0].mass == 0);
    assert_int_equal(robot->link[3].parent, 0);
    assert_true(robot->link[3].joint.origin.r.y == 2);
    free(robot);
    fa_form_free(&form);
}

static void what_is_no_tree_is_refused(void **state)
{
    (void)state;
    fa_form form;
    begin(&form, "abcd");
    join(&form, "1", 1, 2);
    join(&form, "2", 2, 3);
    join(&form, "3", 3, 1);
    assert_refused(&form, "the links 'd', 'c', 'b' hang on each other in a circle; links must hang "
                          "on each other as a tree");
    begin(&form, "abc");
    join(&form, "1", 0, 2);
    join(&form, "2", 1, 2);
    assert_refused(&form,
                   "link 'c' is the child of joint '1' and of joint '2'; a link hangs on one "
                   "joint");
    begin(&form, "");
    assert_refused(&form, "the robot has no link; a robot needs at least one");
    begin(&form, "");
    for (int i = 0; i <= FA_LINK_MAX; i++) add_link(&form, "l");
    assert_refused(&form, "the robot has 100001 links; 100000 are the most");
}

static void a_tendon_of_one_joint_is_a_spring_beside_its_own(void **state)
{
    (void)state;
    fa_form form;
    begin(&form, "ab");
    const int j = join(&form, "1", 0, 1);
    form.joint[j].spring.stiffness = 2;
    form.joint[j].spring.rest = 1;
    *fa_form_add_term(&form) = (fa_form_term){j, 3};
    fa_form_tendon *tendon = fa_form_add_tendon(&form);
    tendon->n_terms = 1;
    tendon->stiffness = 4;
    tendon->damping = 0.5;
    tendon->rest[0] = tendon->rest[1] = 6;
    fa_robot       *robot = built(&form);
    const fa_joint *joint = &robot->link[1].joint;
    // 2 (1 - q) + 3 * 4 (6 - 3 q) = 74 - 38 q
    assert_true(joint->spring.stiffness == 38 && joint->friction.viscous == 4.5);
    assert_float_equal(joint->spring.stiffness * joint->spring.rest, 74, 1e-13);
    free(robot);
    fa_form_free(&form);
}

// A joint that follows nothing is held where the constant of its coupling says.
static void what_follows_nothing_is_held(void **state)
{
    (void)state;
    fa_form form;
    double  position = 0;
    begin(&form, "abc");
    const int         held = join(&form, "1", 0, 1), free_one = join(&form, "2", 1, 2);
    fa_form_coupling *coupling = fa_form_add_coupling(&form);
    assert_non_null(coupling);
    coupling->follower = held;
    coupling->leader = FA_FORM_NOBODY;
    coupling->coefficient[0] = 0.7;
    assert_true(fa_form_is_held(&form, held, &position));
    assert_true(position == 0.7);
    assert_false(fa_form_is_held(&form, free_one, &position));
    fa_form_free(&form);
}

// A link of which the side file says nothing is weighed with all others: 5 kg in all, of which 2
// are said, and 1 of a link that the file weighs, leave 2 for two boxes, one of twice the volume.
static void a_total_mass_is_for_links_of_which_nothing_is_said(void **state)
{
    (void)state;
    static const double    edge[] = {0, 1, 1, 2, 1}, mass[] = {0, 2, 2. / 3, 4. / 3, 1};
    const fa_link_weight   said[] = {[1] = {.mass = 2}, [4] = {.mass = 0}};
    const fa_weights       weights = {.total_mass = 5, .link = said};
    const fa_xacro_options none = {0};
    fa_form                form;
    fa_error               error = fa_no_error();
    begin(&form, "abcde");
    for (int i = 1; i < 5; i++) {
        fa_form_shape *shape = fa_form_add_shape(&form);
        assert_non_null(shape);
        shape->link = i;
        shape->kind = FA_FORM_BOX;
        shape->collision = true;
        shape->frame = transform_identity();
        shape->size = vec3(edge[i], 0.1, 0.1);
        if (i < 4) form.link[i].mass = 0;
        join(&form, (const char *[]){"", "1", "2", "3", "4"}[i], i - 1, i);
    }
    form.link[0].mass = 0;
    if (fa_form_weigh(&form, &weights, &none, NULL, &error) != FA_OK) fail_msg("%s", error.message);
    for (int i = 0; i < 5; i++) // rounding of a sum, a quotient and a product
        if (fabs(form.link[i].mass - mass[i]) > 1e-15 * 8)
            fail_msg("link %d weighs %.17g kg", i, form.link[i].mass);
    fa_form_free(&form);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(links_stand_depth_first_in_the_order_of_their_joints),
        cmocka_unit_test(several_trees_hang_on_a_link_of_their_own),
        cmocka_unit_test(what_is_no_tree_is_refused),
        cmocka_unit_test(a_tendon_of_one_joint_is_a_spring_beside_its_own),
        cmocka_unit_test(what_follows_nothing_is_held),
        cmocka_unit_test(a_total_mass_is_for_links_of_which_nothing_is_said),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
