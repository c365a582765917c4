// What concerns a robot as a whole: stops for all joints with limits, another number of links,
// names of its variables.
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "import.h"
#include "plant.h"
#include "random.h"
#include "robot_stops.h"
#include "test.h"

static fa_robot *read_robot(const char *path)
{
    fa_robot *robot;
    fa_error  error = fa_no_error();
    if (fa_import(path, NULL, NULL, &robot, &error) != FA_OK)
        fail_msg("%s: %s", path, error.message);
    return robot;
}

static fa_robot *copy_of(const fa_robot *robot)
{
    fa_robot *copy = malloc(fa_robot_size(robot));
    assert_non_null(copy);
    return memcpy(copy, robot, fa_robot_size(robot));
}

// A stop is chosen from what its joint feels where the others start: whichever of them get stops
// before it.
static void a_chosen_stop_does_not_depend_on_the_others(void **state)
{
    (void)state;
    static const char *const file[] = {"puma560",    "stanford", "scara",
                                       "cmu_dd_arm", "patu655",  "excavator"};
    const fa_stops           stops = {.asked = true, .chosen = true};
    uint64_t                 seed = 3;
    int                      compared = 0;
    for (size_t f = 0; f < sizeof file / sizeof *file; f++) {
        char     path[128];
        int      n;
        fa_error error = fa_no_error();
        (void)snprintf(path, sizeof path, "../resources/robots/%s.xml", file[f]);
        fa_robot *robot = read_robot(path);
        for (int i = 0; i < robot->n_links; i++) {
            fa_joint *joint = &robot->link[i].joint;
            joint->stop = (fa_stop_data){false, 0, 0};
            if (!fa_joint_is_free(joint)) continue;
            if (isinf(joint->limit.lower)) joint->limit.lower = -2;
            if (isinf(joint->limit.upper)) joint->limit.upper = 1.5;
            joint->initial_position = random_in(&seed, joint->limit.lower, joint->limit.upper);
        }
        fa_robot *all = copy_of(robot);
        if (fa_robot_give_stops(all, &stops, &n, &error) != FA_OK) fail_msg("%s", error.message);
        int given = 0;
        for (int i = 0; i < robot->n_links; i++) {
            if (!fa_joint_is_free(&robot->link[i].joint)) continue;
            fa_robot *one = copy_of(robot);
            for (int k = 0; k < robot->n_links; k++)
                if (k != i) one->link[k].joint.stop.present = true; // its own
            assert_int_equal(fa_robot_give_stops(one, &stops, &n, &error), FA_OK);
            assert_int_equal(n, 1);
            const fa_stop_data *got = &all->link[i].joint.stop, *want = &one->link[i].joint.stop;
            assert_true(got->present && want->present);
            assert_true(got->stiffness == want->stiffness && got->damping == want->damping);
            // Half of the critical damping for the stiffness' frequency, to three digits.
            const double omega = 2 * 3.14159265358979323846 * FA_STOP_FREQUENCY;
            assert_true(fabs(got->damping / (2 * FA_STOP_DAMPING * got->stiffness / omega) - 1) <
                        0.011);
            free(one);
            given++;
            compared++;
        }
        assert_int_equal(fa_robot_give_stops(all, &stops, &n, &error), FA_OK);
        assert_int_equal(n, 0); // all have theirs
        assert_true(given > 0);
        free(all);
        free(robot);
    }
    assert_true(compared > 20);
}

// Links that are new look like the template, and their angles go on as those of the last two.
static void new_links_of_a_snake_go_on_as_the_last_two(void **state)
{
    (void)state;
    fa_robot       *robot = read_robot("../resources/robots/tavakoli_nia.xml");
    const fa_plant *plant = fa_plant_find(robot->plant);
    const int       n = robot->n_links;
    assert_non_null(plant->structure);
    for (int k = 0; k < n; k++) robot->link[k].segment.initial_angle = 0.01 * (k + 1);
    fa_error error = fa_no_error();
    for (int size = n - 2; size <= n + 5; size++) {
        fa_robot *to;
        if (plant->structure->resize(robot, size, &to, &error) != FA_OK)
            fail_msg("%s", error.message);
        assert_int_equal(plant->structure->now(to), size);
        for (int k = 0; k < size; k++) {
            const double want = 0.01 * (k < n ? k + 1 : n - 1 + (k - n) % 2);
            assert_true(to->link[k].segment.initial_angle == want);
            assert_true(to->link[k].segment.length > 0);
        }
        free(to);
    }
    free(robot);
}

// Names that hosts cannot tell apart, between others: both are told.
static void names_that_look_alike_are_both_told(void **state)
{
    (void)state;
    fa_variable row[] = {
        {.name = "a"}, {.name = "m.x"}, {.name = "k"}, {.name = "m_x"}, {.name = "z"}};
    fa_variables variables = {.n = 5, .row = row};
    fa_error     error = fa_no_error();
    assert_int_equal(fa_variables_check(&variables, &error), FA_BAD_INPUT);
    assert_non_null(strstr(error.message, "'m.x'"));
    assert_non_null(strstr(error.message, "'m_x'"));
    row[3].name = "m_y";
    assert_int_equal(fa_variables_check(&variables, &error), FA_OK);
}

// All that names links names them one further on; nothing else changes but the root's joint.
static void under_a_free_base_everything_stands_one_link_further(void **state)
{
    (void)state;
    static const char *const file[] = {
        "fuzz/robots/everything.xml",   "fuzz/robots/followers.urdf",
        "fuzz/robots/loops_arm.xml",    "fuzz/robots/loops_tree.urdf",
        "fuzz/robots/touching.xml",     "reference/circuits/slewing.xml",
        "reference/circuits/bucket.xml"};
    for (size_t f = 0; f < sizeof file / sizeof *file; f++) {
        fa_robot *robot = read_robot(file[f]), *free_one = fa_robot_with_free_base(robot);
        assert_non_null(free_one);
        assert_int_equal(free_one->n_links, robot->n_links + 1);
        assert_int_equal(free_one->tip_link, robot->tip_link + 1);
        assert_string_equal(free_one->link[0].name, "world");
        assert_int_equal(free_one->link[0].parent, FA_WORLD);
        assert_true(free_one->link[0].mass == 0);
        assert_int_equal(free_one->link[1].joint.type, FA_FLOATING);
        assert_string_equal(free_one->link[1].joint.name, "root_joint");
        for (int i = 0; i < robot->n_links; i++) {
            const fa_link *was = &robot->link[i], *is = &free_one->link[i + 1];
            assert_string_equal(is->name, was->name);
            assert_int_equal(is->parent, was->parent + 1);
            assert_true(is->mass == was->mass);
            if (i == 0) continue;
            assert_string_equal(is->joint.name, was->joint.name);
            assert_int_equal(is->joint.type, was->joint.type);
            if (was->joint.mimic.leader == FA_NOBODY)
                assert_int_equal(is->joint.mimic.leader, FA_NOBODY);
            else
                assert_int_equal(is->joint.mimic.leader, was->joint.mimic.leader + 1);
        }
        for (int k = 0; k < robot->n_loops; k++) {
            const fa_loop *was = fa_robot_loop(robot, k), *is = fa_robot_loop(free_one, k);
            assert_true(is->from == was->from + 1 && is->to == was->to + 1);
            for (int i = 0; i < was->n_terms; i++)
                assert_int_equal(is->term[i].of, was->term[i].of + 1);
        }
        for (int k = 0; k < robot->n_cylinders; k++) {
            const fa_cylinder *was = fa_robot_cylinder(robot, k),
                              *is = fa_robot_cylinder(free_one, k);
            assert_true(is->from == was->from + 1 && is->to == was->to + 1);
            assert_string_equal(is->name, was->name);
        }
        for (int k = 0; k < robot->n_contacts; k++)
            assert_int_equal(fa_robot_contact(free_one, k)->link,
                             fa_robot_contact(robot, k)->link + 1);
        for (int k = 0; k < robot->n_springs; k++) {
            const fa_line_spring *was = fa_robot_spring(robot, k),
                                 *is = fa_robot_spring(free_one, k);
            assert_true(is->from == was->from + 1 && is->to == was->to + 1);
        }
        for (int k = 0; k < robot->n_parts; k++) {
            const fa_circuit_part *was = fa_robot_circuit_part(robot, k),
                                  *is = fa_robot_circuit_part(free_one, k);
            assert_int_equal(is->joint, was->joint == FA_NOBODY ? FA_NOBODY : was->joint + 1);
        }
        free(free_one);
        free(robot);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_chosen_stop_does_not_depend_on_the_others),
        cmocka_unit_test(names_that_look_alike_are_both_told),
        cmocka_unit_test(new_links_of_a_snake_go_on_as_the_last_two),
        cmocka_unit_test(under_a_free_base_everything_stands_one_link_further),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
