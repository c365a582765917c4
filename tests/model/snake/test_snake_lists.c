// Numbers of elements at a snake: each one of the lists has a row where the plant's laws read it,
// and a line in the robot file. A law of the ground that comes to at_wheels.h needs no test here.
#include "test.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "plant_rig.h"
#include "snake_elements.h"
#include "snake_lists.h"

static void each_number_has_the_row_that_its_law_reads(void **state)
{
    (void)state;
    static const fa_snake_scope scope[] = {FA_SNAKE_EACH_JOINT, FA_SNAKE_EACH_WHEEL,
                                           FA_SNAKE_ALL_WHEELS, FA_SNAKE_OF_INPUT};
    uint64_t                    seed = 4;
    for (int input = 0; input < FA_SNAKE_INPUT_COUNT; input++) {
        rig                  r = rig_build(rig_snake(&seed, 5, (fa_snake_input)input));
        const fa_snake_self *self = r.self;
        for (int s = 0; s < 4; s++)
            for (fa_snake_number n = {0}; fa_snake_next(scope[s], &n);) {
                if (scope[s] == FA_SNAKE_OF_INPUT && (int)n.input != input) continue;
                if (scope[s] == FA_SNAKE_OF_INPUT && !fa_snake_is_of_drive(&n, &r.robot->snake))
                    continue;
                if (scope[s] == FA_SNAKE_EACH_JOINT && n.quantity >= FA_SNAKE_ROW_LIMIT &&
                    !self->stops)
                    continue;
                const bool    wheel = scope[s] == FA_SNAKE_EACH_WHEEL;
                const int     part = 3;
                fa_snake_part at = {self, r.value, part, 0, 0};
                at.first = wheel ? fa_snake_link_row(self, FA_SNAKE_ROW_MASS, part)
                                 : fa_snake_joint_row(self, FA_SNAKE_ROW_VISCOUS, part);
                const int row = fa_snake_row_at(&at, FA_SNAKE_ROW_AT(n.quantity, n.index));
                char      name[80];
                if (n.list == &fa_elements[FA_ELEMENT_gait] &&
                    strcmp(n.item->name, "torque_limit") == 0)
                    continue; // this one has none
                const char *owner = scope[s] == FA_SNAKE_EACH_JOINT   ? "joint4."
                                    : wheel                           ? "wheel4."
                                    : scope[s] == FA_SNAKE_ALL_WHEELS ? "wheel."
                                                                      : "";
                (void)snprintf(name, sizeof name, "%s%s%s", owner, n.prefix, n.row);
                if (n.list == &fa_elements[FA_ELEMENT_gait] && strcmp(n.item->name, "phase") == 0 &&
                    fa_snake_has_angle(self))
                    continue; // whose place the angle takes
                assert_string_equal(r.variables.row[row].name, name);
            }
        rig_take_down(&r);
    }
}

// What the compiler counts in structs is what the lists have.
static void numbers_of_wheels_are_counted(void **state)
{
    (void)state;
    int own = 0, shared = 0;
#define ELEMENT_LIST                  "at_wheels.h"
#define ELEMENT(name, at, xml, about) const fa_element *name = &fa_elements[FA_ELEMENT_##name];
#define END(name)                                                                                  \
    for (int i = 0; i < name->n_numbers; i++) {                                                    \
        own += !name->item[i].shared;                                                              \
        shared += name->item[i].shared;                                                            \
        assert_true(i == 0 || name->item[i].shared >= name->item[i - 1].shared);                   \
    }
#include "passes.h"
    assert_int_equal(own, FA_WHEEL_NUMBERS);
    assert_int_equal(shared, FA_WHEEL_SHARED);
}

static void a_start_without_end_is_refused(void **state)
{
    (void)state;
    uint64_t  seed = 4;
    fa_robot *robot = rig_snake(&seed, 3, FA_SNAKE_TORQUE);
    fa_error  error = fa_no_error();
    robot->snake.x = INFINITY;
    assert_int_equal(fa_robot_check(robot, NULL, &error), FA_BAD_INPUT);
    assert_string_equal(error.message,
                        "a number of the snake's <start> is not finite; give finite ones");
    robot->snake.x = 0;
    robot->link[1].segment.initial_angle = INFINITY;
    assert_int_equal(fa_robot_check(robot, NULL, &error), FA_BAD_INPUT);
    assert_non_null(strstr(error.message, "the angle at the start of link2 is inf"));
    free(robot);
}

static void an_obstacle_without_end_is_refused(void **state)
{
    (void)state;
    uint64_t  seed = 4;
    fa_robot *robot = rig_sliding(&seed, 3, FA_SNAKE_TORQUE, FA_GROUND_VISCOUS, 0);
    fa_error  error = fa_no_error();
    fa_robot_things(robot)[2].x = INFINITY;
    assert_int_equal(fa_robot_check(robot, NULL, &error), FA_BAD_INPUT);
    assert_string_equal(error.message, "a number of 'p' is not finite; give finite ones");
    free(robot);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(each_number_has_the_row_that_its_law_reads),
        cmocka_unit_test(numbers_of_wheels_are_counted),
        cmocka_unit_test(a_start_without_end_is_refused),
        cmocka_unit_test(an_obstacle_without_end_is_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
