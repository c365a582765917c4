// Elements at the joints of an arm: from rows of its table to what their laws read, and back from
// derivatives to rows. The place: it fills what is GIVEN and knows where everything else stands.
#ifndef FA_ARM_ELEMENTS_H
#define FA_ARM_ELEMENTS_H

#include "arm.h"
#include "laws.h"

#include "laws.gen.h"

// A joint at this moment.
typedef struct fa_joint_now {
    const fa_arm_joint *joint;
    const double       *value;
    double              position, rate;
    double              ratio;         // by which it follows its coordinate …
    int                 q_row, qd_row; // … which these rows are of
    double              wanted;        // of an inverse with a motor: the torque at the joint …
    int                 wanted_row;    // … and its row
    bool                inverse;       // motion is given: nothing drives, sticks or stops
} fa_joint_now;

static inline double fa_at_row(const double of[], int row)
{
    return row == FA_NO_ROW ? 0 : of[row];
}

static inline fa_joint_now fa_joint_at(const fa_arm *arm, const double value[], int i)
{
    const fa_body      *body = &arm->body[i];
    const fa_arm_joint *joint = &arm->joint[i];
    const double *q = value + arm->row[FA_ARM_POSITION], *qd = value + arm->row[FA_ARM_VELOCITY];
    const int     wanted = arm->inverse ? joint->at[FA_AT(motor.torque)] : FA_NO_ROW;
    return (fa_joint_now){joint,
                          value,
                          fa_joint_position(body, q),
                          fa_joint_rate(body, qd),
                          body->ratio,
                          arm->row[FA_ARM_POSITION] + body->coordinate,
                          arm->row[FA_ARM_VELOCITY] + body->coordinate,
                          fa_at_row(value, wanted),
                          wanted,
                          arm->inverse};
}

// Rows of an element's reals and results, as fields called like them.
#define FA_ROWS_OF(name, joint)                                                                    \
    ((const fa_##name##_rows *)(const void *)((joint)->at + FA_AT(name)))

// What comes in at a joint is what its drive is given.
#define FA_DRIVE_ROW(joint) ((joint)->at[FA_ARM_TORQUE])

#define SITE_inverse(now) ((now)->inverse)
#define SITE_stops(now)   ((now)->joint->stop.present)

// fa_<name>_in of an element at a joint: fa_<name>_now(now).
#define ELEMENT_LIST "at_joints.h"
#define ELEMENT(name, at, xml, about)                                                              \
    static inline fa_##name##_in fa_##name##_now(const fa_joint_now *now)                          \
    {                                                                                              \
        const fa_##name##_data *data = &now->joint->name;                                          \
        const fa_##name##_rows *rows = FA_ROWS_OF(name, now->joint);                               \
        fa_##name##_in          in;                                                                \
        (void)data;                                                                                \
        (void)rows;
#define TAKE(type, name, from)                                                                     \
    const type name = in.name = (from);                                                            \
    (void)name;
#define NUMBER(name, xml, row, unit, otherwise, rule, when, about) TAKE(double, name, data->name)
#define NUMBER_OF(name, element)                                   TAKE(double, name, now->joint->element.name)
#define INPUT(name, row, unit, bound, when, about)                                                 \
    TAKE(double, name, now->inverse ? 0 : fa_at_row(now->value, FA_DRIVE_ROW(now->joint)))
#define STATE(name, row, unit, nominal, bound, when, about)                                        \
    TAKE(double, name, fa_at_row(now->value, rows->name))
#define GIVEN(name, unit, about)           TAKE(double, name, now->name)
#define MODE(name, row, type, unit, about) TAKE(double, name, fa_at_row(now->value, rows->name))
#define SITE(name, about)                  TAKE(bool, name, SITE_##name(now))
#define CHOICE(name, xml, no, yes)         TAKE(bool, name, data->name)
#define FLAG(name, condition, about)       TAKE(bool, name, condition)
#define SHORTCUT(name, condition)          TAKE(bool, name, condition)
#define END(name)                                                                                  \
    return in;                                                                                     \
    }
#include "passes.h"
#undef TAKE

// A step of all that: fa_<name>_step(now, direction, position_step, rate_step).
#define ELEMENT_LIST "at_joints.h"
#define ELEMENT(name, at, xml, about)                                                              \
    static inline fa_##name##_in fa_##name##_step(                                                 \
        const fa_joint_now *now, const double *direction, double position_step, double rate_step)  \
    {                                                                                              \
        const fa_##name##_rows *rows = FA_ROWS_OF(name, now->joint);                               \
        const double            wanted_step = fa_at_row(direction, now->wanted_row);               \
        fa_##name##_in          dot = {0};                                                         \
        (void)rows;                                                                                \
        (void)direction;                                                                           \
        (void)position_step;                                                                       \
        (void)rate_step;                                                                           \
        (void)wanted_step;
#define NUMBER(name, xml, row, unit, otherwise, rule, when, about)                                 \
    dot.name = fa_at_row(direction, rows->name);
#define NUMBER_OF(name, element)                                                                   \
    dot.name = fa_at_row(direction, now->joint->at[FA_AT(element.name)]);
#define INPUT(name, row, unit, bound, when, about)                                                 \
    if (!now->inverse) dot.name = fa_at_row(direction, FA_DRIVE_ROW(now->joint));
#define STATE(name, row, unit, nominal, bound, when, about)                                        \
    dot.name = fa_at_row(direction, rows->name);
#define GIVEN(name, unit, about) dot.name = name##_step;
#define END(name)                                                                                  \
    return dot;                                                                                    \
    }
#include "passes.h"

static inline void fa_add_to_row(double slope[], int row, double by)
{
    if (row != FA_NO_ROW) slope[row] += by;
}

static inline void fa_add_position(const fa_joint_now *now, double slope[], double by)
{
    slope[now->q_row] += now->ratio * by;
}

static inline void fa_add_rate(const fa_joint_now *now, double slope[], double by)
{
    slope[now->qd_row] += now->ratio * by;
}

static inline void fa_add_wanted(const fa_joint_now *now, double slope[], double by)
{
    fa_add_to_row(slope, now->wanted_row, by);
}

// The transpose: slopes of what the law reads, added to those of rows: fa_<name>_slope(now, bar,
// slope).
#define ELEMENT_LIST "at_joints.h"
#define ELEMENT(name, at, xml, about)                                                              \
    static inline void fa_##name##_slope(const fa_joint_now *now, const fa_##name##_in *bar,       \
                                         double slope[])                                           \
    {                                                                                              \
        const fa_##name##_rows *rows = FA_ROWS_OF(name, now->joint);                               \
        (void)rows;                                                                                \
        (void)bar;                                                                                 \
        (void)slope;
#define NUMBER(name, xml, row, unit, otherwise, rule, when, about)                                 \
    fa_add_to_row(slope, rows->name, bar->name);
#define NUMBER_OF(name, element)                                                                   \
    fa_add_to_row(slope, now->joint->at[FA_AT(element.name)], bar->name);
#define INPUT(name, row, unit, bound, when, about)                                                 \
    if (!now->inverse) fa_add_to_row(slope, FA_DRIVE_ROW(now->joint), bar->name);
#define STATE(name, row, unit, nominal, bound, when, about)                                        \
    fa_add_to_row(slope, rows->name, bar->name);
#define GIVEN_position(by)       fa_add_position(now, slope, by)
#define GIVEN_rate(by)           fa_add_rate(now, slope, by)
#define GIVEN_wanted(by)         fa_add_wanted(now, slope, by)
#define GIVEN(name, unit, about) GIVEN_##name(bar->name);
#define END(name)                }
#include "passes.h"

#endif
