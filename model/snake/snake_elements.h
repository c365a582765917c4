// The joints of a snake, its wheels' axles and its base as places of elements (elements/place.h):
// the rows of the arguments and results of the elements' laws.
//
// All joints have the same elements, so one table maps a real or a result to its quantity; a number
// without a row has its default. The compiler resolves this table, so that a law's evaluation looks
// up nothing.
#ifndef FA_SNAKE_ELEMENTS_H
#define FA_SNAKE_ELEMENTS_H

#include <math.h>

#include "elements.h"
#include "laws.h"
#include "snake_plant.h"
#include "usual.h"

#include "laws.gen.h"

// -------------------------------------------------------------------------- what is which quantity

// Encodes a quantity with an index; negative where the row holds the negated number.
#define FA_SNAKE_ROW_AT(quantity, index) ((int)(quantity)*8 + (index))

// Torque limit of the gait: a number without a row where there is no limit.
#define FA_SNAKE_TORQUE_LIMIT FA_SNAKE_ROW_AT(FA_SNAKE_ROW_GAIT, FA_SNAKE_ROW_GAIT_TORQUE_LIMIT)

typedef struct fa_snake_places {
#define ELEMENT_LIST                  "at_snake.h"
#define ELEMENT(name, at, xml, about) fa_##name##_rows name;
#include "passes.h"
} fa_snake_places;

static const fa_snake_places fa_snake_at = {
#define X(element, number, ROW, word, rule)                                                        \
    .element.number = FA_SNAKE_ROW_AT(FA_SNAKE_ROW_##ROW, 0),
    FA_SNAKE_JOINT_NUMBER_LIST(X)
#undef X
        .limit.lower = -FA_SNAKE_ROW_AT(FA_SNAKE_ROW_LIMIT, 0),
    .torque = {.asked = FA_SNAKE_ROW_AT(FA_SNAKE_ROW_TORQUE, 0)},
    .motor = {.resistance = FA_SNAKE_ROW_AT(FA_SNAKE_ROW_MOTOR, 0),
              .torque_constant = FA_SNAKE_ROW_AT(FA_SNAKE_ROW_MOTOR, 1),
              .back_emf = FA_SNAKE_ROW_AT(FA_SNAKE_ROW_MOTOR, 2),
              .asked = FA_SNAKE_ROW_AT(FA_SNAKE_ROW_VOLTAGE, 0),
              .amperes = FA_SNAKE_ROW_AT(FA_SNAKE_ROW_CURRENT, 0)},
    .gait = {.amplitude = FA_SNAKE_ROW_AT(FA_SNAKE_ROW_GAIT, 0),
             .frequency = FA_SNAKE_ROW_AT(FA_SNAKE_ROW_GAIT, FA_SNAKE_ROW_GAIT_FREQUENCY),
             .shift = FA_SNAKE_ROW_AT(FA_SNAKE_ROW_GAIT, FA_SNAKE_ROW_GAIT_SHIFT),
             .bias = FA_SNAKE_ROW_AT(FA_SNAKE_ROW_GAIT, FA_SNAKE_ROW_GAIT_BIAS),
             .phase = FA_SNAKE_ROW_AT(FA_SNAKE_ROW_GAIT, FA_SNAKE_ROW_GAIT_PHASE),
             .stiffness = FA_SNAKE_ROW_AT(FA_SNAKE_ROW_GAIT, FA_SNAKE_ROW_GAIT_STIFFNESS),
             .damping = FA_SNAKE_ROW_AT(FA_SNAKE_ROW_GAIT, FA_SNAKE_ROW_GAIT_DAMPING),
             .torque_limit = FA_SNAKE_TORQUE_LIMIT,
             .reference = FA_SNAKE_ROW_AT(FA_SNAKE_ROW_JOINT_REFERENCE, 0)},
    .stop.side = FA_SNAKE_ROW_AT(FA_SNAKE_ROW_STOP, 0),
    .stop.indicator = FA_SNAKE_ROW_AT(FA_SNAKE_ROW_STOP_INDICATOR, 0),
    .follower = {.bandwidth = FA_SNAKE_ROW_AT(FA_SNAKE_ROW_BANDWIDTH, 0),
                 .wanted = FA_SNAKE_ROW_AT(FA_SNAKE_ROW_REFERENCE, 0),
                 .wanted_rate = FA_SNAKE_ROW_AT(FA_SNAKE_ROW_REFERENCE, 1),
                 .wanted_acceleration = FA_SNAKE_ROW_AT(FA_SNAKE_ROW_REFERENCE, 2)},
    .pace = {.bandwidth = FA_SNAKE_ROW_AT(FA_SNAKE_ROW_BANDWIDTH, 0),
             .wanted_speed = FA_SNAKE_ROW_AT(FA_SNAKE_ROW_COMMAND, 0),
             .wanted_rate = FA_SNAKE_ROW_AT(FA_SNAKE_ROW_COMMAND, 1)},
    .grip = {.slip = FA_SNAKE_ROW_AT(FA_SNAKE_ROW_SLIP, 0),
             .usage = FA_SNAKE_ROW_AT(FA_SNAKE_ROW_USAGE, 0)},
};

// Rows of an element's reals and results: fa_snake_<element>_rows(). The numbers of elements at
// wheels follow from their list.
#define ELEMENT_LIST "at_snake_joints.h"
#define ELEMENT(name, at, xml, about)                                                              \
    FA_INLINED fa_##name##_rows fa_snake_##name##_rows(void)                                       \
    {                                                                                              \
        return fa_snake_at.name;                                                                   \
    }
#include "passes.h"
FA_INLINED fa_pace_rows fa_snake_pace_rows(void)
{
    return fa_snake_at.pace;
}

#define ELEMENT_LIST "at_wheels.h"
#define ELEMENT(name, at, xml, about)                                                              \
    FA_INLINED fa_##name##_rows fa_snake_##name##_rows(void)                                       \
    {                                                                                              \
        typedef fa_##name##_own    own;                                                            \
        typedef fa_##name##_shared shared;                                                         \
        enum { before = 1 + FA_WHEEL_##name + (int)(0 * (sizeof(own) + sizeof(shared))) };         \
        enum { first = (int)(offsetof(fa_wheels_own, name) / sizeof(double)) - before };           \
        enum { first_shared = (int)(offsetof(fa_wheels_shared, name) / sizeof(double)) - before }; \
        fa_##name##_rows rows = fa_snake_at.name;
#define RANK_OF(type, name) (int)(offsetof(type, name) / sizeof(double))
#define AT_ALWAYS(name)     FA_SNAKE_ROW_AT(FA_SNAKE_ROW_GROUND + first + RANK_OF(own, name), 0)
#define AT_SHARED(name)                                                                            \
    FA_SNAKE_ROW_AT(FA_SNAKE_ROW_GROUND_SHARED, first_shared + RANK_OF(shared, name))
#define NUMBER(name, xml, row, unit, otherwise, rule, when, about) rows.name = AT_##when(name);
#define END(name)                                                                                  \
    return rows;                                                                                   \
    }
#include "passes.h"
#undef RANK_OF
#undef AT_ALWAYS
#undef AT_SHARED

// ------------------------------------------------------------------------------------------ rows

// A joint or a link: its index, and the first row of its own parameters.
typedef struct fa_snake_part {
    const fa_snake_self *self;
    const double        *value;
    int                  number, first;
    int                  command; // of a prescribed joint: index of its command
} fa_snake_part;

// Returns the row; gcc and clang evaluate this at compile time where `at` is a constant.
FA_INLINED int fa_snake_row_at(const fa_snake_part *part, int at)
{
    const fa_snake_self *self = part->self;
    const int            whole = at < 0 ? -at : at, quantity = whole / 8, index = whole % 8;
    if (at == 0) return FA_NO_ROW;
    if (quantity >= FA_SNAKE_ROW_MASS && quantity <= FA_SNAKE_ROW_GROUND_LAST)
        return part->first + quantity - FA_SNAKE_ROW_MASS;
    if (quantity >= FA_SNAKE_ROW_VISCOUS && quantity <= FA_SNAKE_ROW_STOP_DAMPING)
        return part->first + quantity - FA_SNAKE_ROW_VISCOUS;
    switch (quantity) {
    case FA_SNAKE_ROW_GAIT: // where the angle is a state, only the phase is needed
        return index == FA_SNAKE_ROW_GAIT_PHASE && fa_snake_has_angle(self)
                   ? self->row[FA_SNAKE_ROW_GAIT_ANGLE]
                   : self->gait_row[index];
    case FA_SNAKE_ROW_TORQUE:
    case FA_SNAKE_ROW_VOLTAGE:
        return self->input_row[part->number];
    case FA_SNAKE_ROW_REFERENCE:
        return self->row[quantity] + 3 * part->command + index;
    case FA_SNAKE_ROW_GROUND_SHARED:
    case FA_SNAKE_ROW_MOTOR:
    case FA_SNAKE_ROW_BANDWIDTH:
    case FA_SNAKE_ROW_COMMAND:
        return self->row[quantity] + index;
    default: // one row for each joint, or each wheel
        return self->row[quantity] + part->number;
    }
}

// Returns true if the row exists: a compile-time constant but for the limit.
FA_INLINED bool fa_snake_has_row(const fa_snake_part *part, int at)
{
    if (at == FA_SNAKE_TORQUE_LIMIT)
        return part->self->gait_row[FA_SNAKE_ROW_GAIT_TORQUE_LIMIT] != FA_NO_ROW;
    return at != 0;
}

FA_INLINED double fa_snake_in(const fa_snake_part *part, const double of[], int at)
{
    if (!fa_snake_has_row(part, at)) return 0;
    return at < 0 ? -of[fa_snake_row_at(part, at)] : of[fa_snake_row_at(part, at)];
}

FA_INLINED double fa_snake_value_at(const fa_snake_part *part, int at)
{
    const fa_snake_self *self = part->self;
    if (at == FA_SNAKE_TORQUE_LIMIT && !fa_snake_has_row(part, at)) return INFINITY;
    const double found = fa_snake_in(part, part->value, at);
    if (at != FA_SNAKE_ROW_AT(FA_SNAKE_ROW_GAIT, FA_SNAKE_ROW_GAIT_PHASE) ||
        fa_snake_has_angle(self))
        return found;
    return found + part->value[self->row[FA_SNAKE_ROW_GAIT_OFFSET]];
}

FA_INLINED void fa_snake_add_at(const fa_snake_part *part, double adjoint[], int at, double by)
{
    if (!fa_snake_has_row(part, at)) return;
    if (at < 0)
        adjoint[fa_snake_row_at(part, at)] -= by;
    else
        adjoint[fa_snake_row_at(part, at)] += by;
}

// ---------------------------------------------------------------------------------------- joints

typedef struct fa_snake_joint_now {
    fa_snake_part part;
    double        position, rate;
    double        time, joint; // time and index for the gait
    double        wanted;      // for inverse dynamics, which snakes do not have
} fa_snake_joint_now;

typedef struct fa_snake_joint_change {
    const double *direction;
    double        position, rate, time, joint, wanted;
} fa_snake_joint_change;

typedef struct fa_snake_joint_sums {
    double *adjoint;
    double  position, rate, time, joint, wanted;
} fa_snake_joint_sums;

// Returns the givens of joint k at the motion in self->motion.
FA_INLINED fa_snake_joint_now fa_snake_joint_at(const fa_snake_self *self, const double value[],
                                                int k)
{
    const double *theta = value + self->row[FA_SNAKE_ROW_ANGLE];
    return (fa_snake_joint_now){
        {self, value, k, fa_snake_joint_row(self, FA_SNAKE_ROW_VISCOUS, k), 0},
        theta[k + 1] - theta[k],
        self->motion[k + 1].w - self->motion[k].w,
        fa_snake_has_angle(self) ? 0 : value[self->time_row],
        k,
        0,
    };
}

// Returns their tangents, at the tangent in self->motion_tangent.
FA_INLINED fa_snake_joint_change fa_snake_joint_change_at(const fa_snake_self *self,
                                                          const double         direction[],
                                                          const double theta_tangent[], int k)
{
    return (fa_snake_joint_change){
        direction,
        theta_tangent[k + 1] - theta_tangent[k],
        self->motion_tangent[k + 1].w - self->motion_tangent[k].w,
        fa_snake_has_angle(self) ? 0 : direction[self->time_row],
        0,
        0,
    };
}

#define SITE_inverse(now) false
#define SITE_stops(now)   ((now)->part.self->stops)

// Presence of elements: it follows from the input, and from whether joints have stops.
#define HAS_limit(part)    false
#define HAS_rotor(part)    true
#define HAS_friction(part) true
#define HAS_spring(part)   true
#define HAS_torque(part)                                                                           \
    ((part).self->input != FA_SNAKE_VOLTAGE && (part).self->input_row[(part).number] != FA_NO_ROW)
#define HAS_motor(part)    ((part).self->input == FA_SNAKE_VOLTAGE)
#define HAS_gait(part)     ((part).self->input == FA_SNAKE_GAIT && !(part).self->gait_told)
#define HAS_stop(part)     ((part).self->stops)
#define HAS_follower(part) false // prescribed joints have ideal drives instead
#define HAS_wheel(part)    true
#define HAS_pace(part)     false

#define PLACE                       snake_joint
#define PLACE_LIST                  "at_snake_joints.h"
#define PLACE_PRESENT(now, element) HAS_##element((now)->part)
#include "snake_place.h"

// The outputs of elements at joints, with tangents and adjoints: one copy for both plants of
// snakes.
void fa_snake_tell_joint(const fa_snake_joint_now *now, double result[]);
void fa_snake_tell_joint_change(const fa_snake_joint_now *now, const fa_snake_joint_change *change,
                                double direction[]);
void fa_snake_tell_joint_adjoints(const fa_snake_joint_now *now, double adjoint[],
                                  fa_snake_joint_sums *sums);

// Returns the givens of prescribed joint i: its command and its motion.
FA_INLINED fa_snake_joint_now fa_snake_told_at(const fa_snake_self *self, const double value[],
                                               int i)
{
    fa_snake_joint_now now = fa_snake_joint_at(self, value, self->prescribed[i]);
    now.part.command = i;
    return now;
}

// ---------------------------------------------------------------------------------------- wheels

typedef struct fa_snake_axle_now {
    fa_snake_part part;
    double        rate, lateral, rolling, mass, gravity;
} fa_snake_axle_now;

typedef struct fa_snake_axle_change {
    const double *direction;
    double        rate, lateral, rolling, mass, gravity;
} fa_snake_axle_change;

typedef struct fa_snake_axle_sums {
    double *adjoint;
    double  rate, lateral, rolling, mass, gravity;
} fa_snake_axle_sums;

// Returns the givens of link k's axle; forces of the ground are used by the grip alone.
FA_INLINED fa_snake_axle_now fa_snake_axle_at(const fa_snake_self *self, const double value[],
                                              int k)
{
    return (fa_snake_axle_now){
        {self, value, k, fa_snake_link_row(self, FA_SNAKE_ROW_MASS, k), 0},
        self->motion[k].V,
        self->lambda[k],
        self->rolling[k],
        self->link[k].m,
        value[self->row[FA_SNAKE_ROW_GRAVITY]],
    };
}

// Returns true if the wheel would slip now, with hysteresis.
bool fa_snake_slips(const fa_snake_axle_now *now);

#define PLACE                       snake_axle
#define PLACE_LIST                  "at_wheels.h"
#define PLACE_PRESENT(now, element) true
#include "snake_place.h"

// The outputs of elements at wheels, likewise.
void fa_snake_tell_axle(const fa_snake_axle_now *now, double result[]);
void fa_snake_tell_axle_change(const fa_snake_axle_now *now, const fa_snake_axle_change *change,
                               double direction[]);
void fa_snake_tell_axle_adjoints(const fa_snake_axle_now *now, double adjoint[],
                                 fa_snake_axle_sums *sums);

// ------------------------------------------------------------------------------------------ base

typedef struct fa_snake_base_now {
    fa_snake_part part;
    double        speed, rate;
} fa_snake_base_now;

typedef struct fa_snake_base_change {
    const double *direction;
    double        speed, rate;
} fa_snake_base_change;

typedef struct fa_snake_base_sums {
    double *adjoint;
    double  speed, rate;
} fa_snake_base_sums;

FA_INLINED fa_snake_base_now fa_snake_base_at(const fa_snake_self *self, const double value[])
{
    const double *u = value + self->row[FA_SNAKE_ROW_SPEED]; // and rate
    return (fa_snake_base_now){{self, value, 0, 0, 0}, u[0], u[1]};
}

#define PLACE                       snake_base
#define PLACE_LIST                  "pace.h"
#define PLACE_PRESENT(now, element) true
#include "snake_place.h"

#endif
