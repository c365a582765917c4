// Dependencies of the results of elements at joints, wheels and base of a snake.
#include "snake_element_depends.h"

#include "snake_elements.h"

// Returns true if a known row is what the place returns for `at` (fa_snake_at) at this joint or
// link.
static bool is_at(const fa_snake_known *on, int at, int number)
{
    const int whole = at < 0 ? -at : at, quantity = whole / 8, index = whole % 8;
    if (at == 0) return false;
    // Where the angle is a state, it contains the phase.
    if (on->quantity == FA_SNAKE_ROW_GAIT_ANGLE)
        return whole == FA_SNAKE_ROW_AT(FA_SNAKE_ROW_GAIT, FA_SNAKE_ROW_GAIT_PHASE);
    if ((int)on->quantity != quantity) return false;
    switch (on->quantity) {
    case FA_SNAKE_ROW_GAIT:
    case FA_SNAKE_ROW_MOTOR:
    case FA_SNAKE_ROW_COMMAND:
    case FA_SNAKE_ROW_GROUND_SHARED:
        return on->index == index;
    case FA_SNAKE_ROW_REFERENCE:
        return on->index % 3 == index;
    case FA_SNAKE_ROW_BANDWIDTH:
        return true;
    default:
        return number == FA_NOBODY || on->index == number;
    }
}

// ------------------------------------------------------------------------------- one element's law

enum {
    BY_position = FA_SNAKE_ROW_READS_POSITION,
    BY_rate = FA_SNAKE_ROW_READS_RATE,
    BY_time = FA_SNAKE_ROW_READS_TIME,
    BY_mass = FA_SNAKE_ROW_READS_MASS,
    BY_gravity = FA_SNAKE_ROW_READS_GRAVITY,
    BY_lateral = FA_SNAKE_ROW_READS_FORCES,
    BY_rolling = FA_SNAKE_ROW_READS_FORCES,
    BY_speed = FA_SNAKE_ROW_READS_SPEED,
    BY_joint = 0,
    BY_wanted = 0
};

// The reals that a result reads, as a bit set, with the flags that a snake's numbers set.
#define ELEMENT_LIST "at_snake.h"
#define ELEMENT(name, at, xml, about)                                                              \
    static uint64_t name##_reach(int result)                                                       \
    {                                                                                              \
        const fa_##name##_data data = fa_##name##_usual();                                         \
        fa_##name##_in         in = {0};                                                           \
        (void)data;
#define TAKE(type, name, from)                                                                     \
    const type name = (from);                                                                      \
    (void)name;
#define NUMBER(name, xml, row, unit, otherwise, rule, when, about) TAKE(double, name, data.name)
#define NUMBER_OF(name, element)                                   TAKE(double, name, fa_##element##_usual().name)
#define SITE(name, about)                                          TAKE(bool, name, false)
#define CHOICE(name, xml, no, yes)                                 TAKE(bool, name, data.name)
#define FLAG(name, condition, about)                               TAKE(bool, name, in.name = (condition))
#define SHORTCUT(name, condition)                                  in.name = true;
#define END(name)                                                                                  \
    return fa_element_reach(&fa_elements[FA_ELEMENT_##name], &in, result);                         \
    }
#include "passes.h"
#undef TAKE

// The part of these reals that is the known row, or a given of the place.
#define ELEMENT_LIST "at_snake.h"
#define ELEMENT(name, at, xml, about)                                                              \
    static unsigned name##_reads(uint64_t reach, int number, const fa_snake_known *on)             \
    {                                                                                              \
        const fa_##name##_rows  at_ = fa_snake_##name##_rows();                                    \
        const fa_##name##_rows *rows = &at_;                                                       \
        unsigned                found = 0;                                                         \
        (void)rows, (void)number, (void)on, (void)reach;
#define READ(what)                                                                                 \
    found |= reach & 1 ? (unsigned)(what) : 0;                                                     \
    reach >>= 1;
#define NUMBER(name, xml, row, unit, otherwise, rule, when, about)                                 \
    READ(is_at(on, rows->name, number))
#define NUMBER_OF(name, element)                            READ(is_at(on, fa_snake_at.element.name, number))
#define INPUT(name, row, unit, bound, when, about)          READ(is_at(on, rows->name, number))
#define STATE(name, row, unit, nominal, bound, when, about) READ(is_at(on, rows->name, number))
#define GIVEN(name, unit, about)                            READ(BY_##name)
#define MODE(name, row, type, unit, when, about)            READ(0)
#define END(name)                                                                                  \
    return found;                                                                                  \
    }
#include "passes.h"

typedef struct reader {
    int element;
    uint64_t (*reach)(int result);
    unsigned (*reads)(uint64_t reach, int number, const fa_snake_known *on);
} reader;

static const reader readers[] = {
#define ELEMENT_LIST                  "at_snake.h"
#define ELEMENT(name, at, xml, about) {FA_ELEMENT_##name, name##_reach, name##_reads},
#include "passes.h"
};

enum { READERS = (int)(sizeof readers / sizeof *readers) };

static unsigned result_reads(int element, int result, int number, const fa_snake_known *on)
{
    for (int i = 0; i < READERS; i++)
        if (readers[i].element == element)
            return readers[i].reads(readers[i].reach(result), number, on);
    return 0;
}

#define RESULT_OF(element, name) (int)(offsetof(fa_##element##_out, name) / sizeof(double))

unsigned fa_snake_row_reads(fa_snake_quantity quantity, int number, const fa_snake_known *on)
{
    switch (quantity) {
    case FA_SNAKE_ROW_JOINT_REFERENCE:
        return result_reads(FA_ELEMENT_gait, RESULT_OF(gait, reference), number, on);
    case FA_SNAKE_ROW_CURRENT:
        return result_reads(FA_ELEMENT_motor, RESULT_OF(motor, amperes), number, on);
    case FA_SNAKE_ROW_STOP:
    case FA_SNAKE_ROW_STOP_INDICATOR:
        return result_reads(FA_ELEMENT_stop, RESULT_OF(stop, indicator), number, on);
    default: // slip usage and its flags
        return result_reads(FA_ELEMENT_grip, RESULT_OF(grip, usage), number, on);
    }
}

unsigned fa_snake_pace_reads(int which, const fa_snake_known *on)
{
    const int result =
        which == 0 ? RESULT_OF(pace, speed_derivative) : RESULT_OF(pace, rate_derivative);
    return result_reads(FA_ELEMENT_pace, result, FA_NOBODY, on);
}

// ----------------------------------------------------------------------------------- all of a kind

static bool is_present(const fa_robot *robot, int element)
{
    const fa_snake_input input = robot->snake.input;
    switch (element) {
    case FA_ELEMENT_torque:
        return input != FA_SNAKE_VOLTAGE;
    case FA_ELEMENT_motor:
        return input == FA_SNAKE_VOLTAGE;
    case FA_ELEMENT_gait:
        return input == FA_SNAKE_GAIT;
    case FA_ELEMENT_follower:
        return input == FA_SNAKE_PRESCRIBED;
    case FA_ELEMENT_pace:
        return input == FA_SNAKE_SPEEDS;
    case FA_ELEMENT_stop:
        return robot->link[1].joint.stop.present;
    default:
        return true;
    }
}

// As in place.h: an element without an account of its own and without stored energy is a drive.
static bool drives(const fa_element *e)
{
    for (int i = e->n_items - e->n_results; i < e->n_items; i++)
        if (e->item[i].type == FA_RESULT_FRICTION_LOSS || e->item[i].type == FA_RESULT_STOP_LOSS ||
            e->item[i].type == FA_RESULT_STORED)
            return false;
    return true;
}

static bool is_asked(const fa_element *e, fa_snake_results results)
{
    switch (results) {
    case FA_SNAKE_ROW_TORQUES:
        return e->at != FA_AT_WHEEL;
    case FA_SNAKE_ROW_OWN_TORQUES:
        return e->at != FA_AT_WHEEL && !drives(e);
    case FA_SNAKE_ROW_ROLLING:
        return e->at == FA_AT_WHEEL;
    default:
        return true;
    }
}

bool fa_snake_results_read(const fa_robot *robot, fa_snake_results results,
                           const fa_snake_known *on)
{
    const int kind = results == FA_SNAKE_ROW_ROTORS          ? FA_RESULT_REFLECTED
                     : results == FA_SNAKE_ROW_ACCELERATIONS ? FA_RESULT_ACCELERATION
                                                             : FA_RESULT_PUSH;
    for (int k = 0; k < READERS; k++) {
        const reader     *by = &readers[k];
        const fa_element *e = &fa_elements[by->element];
        if (!(by->reads(~(uint64_t)0, FA_NOBODY, on) & FA_SNAKE_ROW_READS_ROW)) continue;
        if (!is_present(robot, by->element) || !is_asked(e, results)) continue;
        for (int r = 0; r < e->n_results; r++)
            if (e->item[e->n_items - e->n_results + r].type == kind &&
                by->reads(by->reach(r), FA_NOBODY, on) & FA_SNAKE_ROW_READS_ROW)
                return true;
    }
    return false;
}
