// Table of the numbers of a snake's elements.
#include "snake_lists.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "laws.h"
#include "snake_plant.h"
#include "usual.h"

// Consecutive numbers of an element. `data`: offset of the element in a fa_link, or in the
// fa_snake_options.
typedef struct entry {
    uint16_t    element, first, n, data;
    uint16_t    scope, quantity, index;
    uint16_t    input, law;
    const char *xml;    // NULL: the element list's word
    int         rule;   // -1: the element list's rule
    const char *prefix; // prefix of the rows' names
} entry;

// Index of a number among those of its element.
#define RANK(element, number) (offsetof(fa_##element##_data, number) / sizeof(double) - 1)
#define OWN(name)             FA_WHEEL_COUNT(fa_##name##_own, 1)
#define SHARED_OF(name)       FA_WHEEL_COUNT(fa_##name##_shared, 1)
#define FIRST_OWN(name)       ((int)(offsetof(fa_wheels_own, name) / sizeof(double)) - FA_WHEEL_##name)
#define FIRST_FOOT(name)                                                                           \
    ((int)(offsetof(fa_feet_own, name) / sizeof(double)) - (FA_FOOT_##name - 1))
#define FIRST_FOOT_SHARED(name)                                                                    \
    ((int)(offsetof(fa_feet_shared, name) / sizeof(double)) - (FA_FOOT_##name - 1))
#define FIRST_SHARED(name)                                                                         \
    ((int)(offsetof(fa_wheels_shared, name) / sizeof(double)) - FA_WHEEL_##name)

static const entry entries[] = {
#define X(list, number, ROW, word, must)                                                           \
    {.element = FA_ELEMENT_##list,                                                                 \
     .first = RANK(list, number),                                                                  \
     .n = 1,                                                                                       \
     .data = offsetof(fa_link, joint.list),                                                        \
     .scope = FA_SNAKE_EACH_JOINT,                                                                 \
     .quantity = FA_SNAKE_ROW_##ROW,                                                               \
     .xml = word,                                                                                  \
     .rule = FA_RULE_##must,                                                                       \
     .prefix = ""},
    FA_SNAKE_JOINT_NUMBER_LIST(X)
#undef X
#define ELEMENT_LIST "at_wheels.h"
#define ELEMENT(name, at, xml, about)                                                              \
    {.element = FA_ELEMENT_##name,                                                                 \
     .n = OWN(name),                                                                               \
     .data = offsetof(fa_link, segment.ground.name),                                               \
     .scope = FA_SNAKE_EACH_WHEEL,                                                                 \
     .quantity = FA_SNAKE_ROW_GROUND + FIRST_OWN(name),                                            \
     .rule = -1,                                                                                   \
     .prefix = ""},                                                                                \
        {.element = FA_ELEMENT_##name,                                                             \
         .first = OWN(name),                                                                       \
         .n = SHARED_OF(name),                                                                     \
         .data = offsetof(fa_snake_options, ground.name),                                          \
         .scope = FA_SNAKE_ALL_WHEELS,                                                             \
         .quantity = FA_SNAKE_ROW_GROUND_SHARED,                                                   \
         .index = FIRST_SHARED(name),                                                              \
         .rule = -1,                                                                               \
         .prefix = ""},
#include "passes.h"
#define ELEMENT_LIST "at_feet.h"
#define ELEMENT(name, at, xml, about)                                                              \
    {.element = FA_ELEMENT_##name,                                                                 \
     .n = OWN(name),                                                                               \
     .data = offsetof(fa_link, segment.feet.name),                                                 \
     .scope = FA_SNAKE_EACH_FOOT,                                                                  \
     .quantity = FA_SNAKE_ROW_FOOT + FIRST_FOOT(name),                                             \
     .law = FA_FOOT_##name,                                                                        \
     .rule = -1,                                                                                   \
     .prefix = ""},                                                                                \
        {.element = FA_ELEMENT_##name,                                                             \
         .first = OWN(name),                                                                       \
         .n = SHARED_OF(name),                                                                     \
         .data = offsetof(fa_snake_options, feet.name),                                            \
         .scope = FA_SNAKE_ALL_FEET,                                                               \
         .quantity = FA_SNAKE_ROW_FOOT_SHARED,                                                     \
         .index = FIRST_FOOT_SHARED(name),                                                         \
         .law = FA_FOOT_##name,                                                                    \
         .rule = -1,                                                                               \
         .prefix = ""},
#include "passes.h"
#define INPUT_OF(name, count, ROW, kind, before)                                                   \
    {.element = FA_ELEMENT_##name,                                                                 \
     .n = (count),                                                                                 \
     .data = offsetof(fa_snake_options, name),                                                     \
     .scope = FA_SNAKE_OF_INPUT,                                                                   \
     .quantity = FA_SNAKE_ROW_##ROW,                                                               \
     .input = FA_SNAKE_##kind,                                                                     \
     .rule = -1,                                                                                   \
     .prefix = (before)},
        INPUT_OF(motor, 1 + RANK(motor, back_emf), MOTOR, VOLTAGE,
                 "motor.") INPUT_OF(gait, 1 + RANK(gait, torque_limit), GAIT, GAIT, "")
            INPUT_OF(smoothing, 1, SMOOTHING, GAIT, "") INPUT_OF(follower, 1, BANDWIDTH, GAIT, "")
                INPUT_OF(follower, 1, BANDWIDTH, PRESCRIBED, "")
                    INPUT_OF(pace, 1, BANDWIDTH, SPEEDS, "")
#undef INPUT_OF
};

enum { ENTRIES = (int)(sizeof entries / sizeof *entries) };

bool fa_snake_next(fa_snake_scope scope, fa_snake_number *n)
{
    while (n->entry < ENTRIES &&
           (entries[n->entry].scope != scope || n->number >= entries[n->entry].n)) {
        n->entry++;
        n->number = 0;
    }
    if (n->entry >= ENTRIES) return false;
    const entry *e = &entries[n->entry];
    n->list = &fa_elements[e->element];
    n->item = &n->list->item[e->first + n->number];
    n->xml = e->xml ? e->xml : n->item->xml;
    n->row = n->item->row;
    n->about = n->item->about;
    n->rule = (fa_item_rule)(e->rule >= 0 ? e->rule : n->item->rule);
    n->input = (fa_snake_input)e->input;
    const bool each = scope == FA_SNAKE_EACH_WHEEL || scope == FA_SNAKE_EACH_FOOT;
    n->law = (fa_ground_law)e->law;
    n->quantity = e->quantity + (each ? n->number : 0);
    n->index = e->index + (each ? 0 : n->number);
    n->prefix = e->prefix;
    if (n->quantity == FA_SNAKE_ROW_LIMIT) { // one parameter for both sides
        n->row = "limit";
        n->about = "Angle of %s, to either side, at which it meets a stop";
    }
    n->number++;
    return true;
}

bool fa_snake_is_none(const fa_snake_number *n, double x)
{
    return isinf(x) && x == n->item->usual;
}

bool fa_snake_is_of_law(const fa_snake_number *n, fa_snake_scope scope, fa_ground_law law)
{
    if (scope == FA_SNAKE_EACH_FOOT || scope == FA_SNAKE_ALL_FEET) return n->law == law;
    if (scope == FA_SNAKE_EACH_WHEEL || scope == FA_SNAKE_ALL_WHEELS)
        return law == FA_GROUND_IDEAL || law == FA_GROUND_WHEEL;
    return true;
}

bool fa_snake_is_of_drive(const fa_snake_number *n, const fa_snake_options *snake)
{
    if (n->input != FA_SNAKE_GAIT) return true;
    const bool of_servo =
        n->quantity == FA_SNAKE_ROW_GAIT && n->index >= FA_SNAKE_ROW_GAIT_STIFFNESS;
    return snake->gait_told ? !of_servo : n->quantity == FA_SNAKE_ROW_GAIT;
}

static double *number_at(const fa_snake_number *n, void *base)
{
    const entry *e = &entries[n->entry];
    return (double *)(void *)((char *)base + e->data) + 1 + e->first + (n->number - 1);
}

double *fa_snake_number_of_link(const fa_snake_number *n, fa_link *link)
{
    return number_at(n, link);
}

double *fa_snake_number_of_all(const fa_snake_number *n, fa_snake_options *snake)
{
    return number_at(n, snake);
}

// ------------------------------------------------------------------------------------------ usual

static double said_first(double usual)
{
    return isnan(usual) ? 0 : usual;
}

void fa_snake_reset_wheel(fa_snake_ground *ground)
{
#define ELEMENT_LIST "at_wheels.h"
#define ELEMENT(name, at, xml, about)                                                              \
    {                                                                                              \
        fa_##name##_data *data = &ground->name;                                                    \
        *data = fa_##name##_usual();
#define NUMBER(name, xml, row, unit, otherwise, rule, when, about)                                 \
    data->name = said_first(data->name);
#define END(name) }
#include "passes.h"
}

void fa_snake_reset_feet(fa_snake_feet *feet)
{
#define ELEMENT_LIST                  "at_feet.h"
#define ELEMENT(name, at, xml, about) feet->name = fa_##name##_usual();
#include "passes.h"
}

void fa_snake_reset_inputs(fa_snake_options *snake)
{
    fa_snake_reset_wheel(&snake->ground);
    fa_snake_reset_feet(&snake->feet);
    snake->touch = fa_touch_usual();
    for (fa_snake_number n = {0}; fa_snake_next(FA_SNAKE_OF_INPUT, &n);)
        *fa_snake_number_of_all(&n, snake) = said_first(n.item->usual);
}

double fa_snake_follows(const fa_snake_number *n, fa_snake_options *snake)
{
    if (!n->item->as) return NAN;
    const double *of = fa_snake_number_of_all(n, snake) - (n->number - 1);
    const char   *as = n->item->as->number;
    return of[fa_element_real_index(n->list, as, strlen(as))];
}

// ------------------------------------------------------------------------------------------ rules

// Returns the broken rule between numbers of an element at a wheel; `all` has the shared numbers.
static const char *broken_rule(const fa_snake_ground *own, const fa_snake_ground *all)
{
    const char *sentence = NULL;
#define ELEMENT_LIST "at_wheels.h"
#define ELEMENT(name, at, xml, about)                                                              \
    if (!sentence) {                                                                               \
        const int               which = FA_ELEMENT_##name;                                         \
        const fa_##name##_data *own_data = &own->name, *all_data = &all->name;                     \
        fa_##name##_in          in = {0};                                                          \
        (void)own_data, (void)all_data;
#define DATA_ALWAYS                                                own_data
#define DATA_SHARED                                                all_data
#define NUMBER(name, xml, row, unit, otherwise, rule, when, about) in.name = DATA_##when->name;
#define END(name)                                                                                  \
    fa_elements[which].configure(&in);                                                             \
    sentence = fa_elements[which].broken(&in);                                                     \
    }
#include "passes.h"
    // cppcheck-suppress returnDanglingLifetime ; a text that the element has
    return sentence;
}

fa_status fa_snake_check_link(const fa_robot *robot, int k, fa_error *error)
{
    // Casts const away for fa_snake_number_of_link; read only.
    fa_link  *link = (fa_link *)&robot->link[k];
    char      owner[32];
    fa_status status = FA_OK;
    (void)snprintf(owner, sizeof owner, "wheel %d", k + 1);
    for (fa_snake_number n = {0}; fa_snake_next(FA_SNAKE_EACH_WHEEL, &n) && status == FA_OK;)
        status = fa_item_rule_check(n.rule, *fa_snake_number_of_link(&n, link), n.xml, owner,
                                    robot->source, link->place, error);
    for (fa_snake_number n = {0}; fa_snake_next(FA_SNAKE_EACH_FOOT, &n) && status == FA_OK;)
        if (n.law == robot->snake.law) {
            const double x = *fa_snake_number_of_link(&n, link);
            const bool   own = x != *fa_snake_number_of_link(&n, (fa_link *)&robot->snake.every);
            status = fa_item_rule_check(n.rule, x, n.xml, link->name, robot->source,
                                        own ? link->place : robot->snake.ground_place, error);
        }
    const char *sentence =
        status == FA_OK ? broken_rule(&link->segment.ground, &robot->snake.ground) : NULL;
    if (sentence) {
        char said[256];
        fa_item_text(fa_elements, sentence, NULL, false, owner, said, sizeof said);
        return fa_fail(error, FA_BAD_INPUT, robot->source, link->place, "%s", said);
    }
    if (k == 0 || status != FA_OK) return status;
    (void)snprintf(owner, sizeof owner, "joint %d", k);
    for (fa_snake_number n = {0}; fa_snake_next(FA_SNAKE_EACH_JOINT, &n) && status == FA_OK;)
        status = fa_item_rule_check(n.rule, *fa_snake_number_of_link(&n, link), n.xml, owner,
                                    robot->source, link->joint.place, error);
    return status;
}

fa_status fa_snake_check_all(const fa_robot *robot, fa_error *error)
{
    fa_snake_options *snake = (fa_snake_options *)&robot->snake; // casts const away; read only
    fa_status         status = FA_OK;
    for (fa_snake_number n = {0}; fa_snake_next(FA_SNAKE_ALL_WHEELS, &n) && status == FA_OK;)
        status = fa_item_rule_check(n.rule, *fa_snake_number_of_all(&n, snake), n.xml, "the snake",
                                    robot->source, snake->place, error);
    for (fa_snake_number n = {0}; fa_snake_next(FA_SNAKE_ALL_FEET, &n) && status == FA_OK;)
        if (n.law == snake->law)
            status = fa_item_rule_check(n.rule, *fa_snake_number_of_all(&n, snake), n.xml,
                                        "the ground", robot->source, snake->ground_place, error);
    for (fa_snake_number n = {0}; fa_snake_next(FA_SNAKE_OF_INPUT, &n) && status == FA_OK;)
        if (n.input == snake->input && *fa_snake_number_of_all(&n, snake) != n.item->usual)
            status = fa_item_rule_check(n.rule, *fa_snake_number_of_all(&n, snake), n.xml,
                                        "the input", robot->source, snake->input_place, error);
    return status;
}
