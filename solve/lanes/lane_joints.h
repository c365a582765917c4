// Efforts at the joints in SIMD lanes: evaluates the laws of the elements (laws.h, compiled for
// lanes) and sums their results. arm_drives.c and place.h do the same for one motion.
#ifndef FA_LANE_JOINTS_H
#define FA_LANE_JOINTS_H

#include "arm.h"
#include "joint_lists.h"
#include "lane_vectors.h"
#include "laws.h"

// Arguments of a joint's laws. Parameters, inputs and modes are copied when a motion begins; states
// and the joint's motion at each evaluation.
typedef struct lane_joint {
    lane_float ratio, offset;
    int        coordinate;
    bool       plain;        // the joint has only a torque and viscous friction
    real       drive, brake; // … namely these; `brake` is torque per speed
#define ELEMENT_LIST                  "at_joints.h"
#define ELEMENT(name, at, xml, about) bool has_##name;
#include "passes.h"
#define ELEMENT_LIST                  "at_joints.h"
#define ELEMENT(name, at, xml, about) fa_##name##_in name;
#include "passes.h"
    // State offset of each element, and of the state whose rate a result is; -1: none.
#define ELEMENT_LIST                  "at_joints.h"
#define ELEMENT(name, at, xml, about) fa_##name##_rows state_of_##name;
#include "passes.h"
} lane_joint;

#define ROWS_OF(name, joint) ((const fa_##name##_rows *)(const void *)((joint)->at + FA_AT(name)))

// Kinds of an element's results, as a bit set.
#define ELEMENT_LIST                               "at_joints.h"
#define ELEMENT(name, at, xml, about)              enum { lane_##name##_kinds = 0
#define RESULT(name, kind, row, unit, when, about) | 1 << FA_RESULT_##kind
#define END(name)                                                                                  \
    }                                                                                              \
    ;
#include "passes.h"
#define HAS(name, kind) (lane_##name##_kinds >> FA_RESULT_##kind & 1)

// Elements that act by themselves or have a state. An element without a loss and without stored
// energy is a drive: its power counts as work.
#define ACTS(name)   (HAS(name, PUSH) || HAS(name, RATE))
#define DRIVES(name) (!HAS(name, FRICTION_LOSS) && !HAS(name, STOP_LOSS) && !HAS(name, STORED))

static int state_number(const fa_state_rows *states, int row)
{
    return row == FA_NO_ROW ? -1 : row - states->first;
}

static int number_of_rate(const fa_state_rows *states, int row)
{
    for (int i = 0; i < states->n && row != FA_NO_ROW; i++)
        if (states->of[i].derivative == row) return i;
    return -1;
}

// Sets up the properties that all motions share: presence of elements, flags, state offsets.
// `touched`: motions have different parameters of this joint, so the plain form is not used.
static void joint_set_up(lane_joint *to, const fa_arm *arm, const fa_state_rows *states, int i,
                         bool touched)
{
    const fa_arm_joint *joint = &arm->joint[i];
    const fa_body      *body = &arm->body[i];
    memset(to, 0, sizeof *to);
    to->ratio = (lane_float)body->ratio;
    to->offset = (lane_float)body->offset;
    to->coordinate = body->coordinate;
    to->plain = !touched && arm->plain[i].torque != FA_NO_ROW;
#define TAKE(name, value)                                                                          \
    const double name = (value);                                                                   \
    (void)name;                                                                                    \
    in->name = num(name);
#define TAKE_FLAG(name, value)                                                                     \
    const bool name = in->name = (value);                                                          \
    (void)name;
#define NUMBER(number, xml, row, unit, otherwise, rule, when, about) TAKE(number, data->number)
#define NUMBER_OF(number, element)                                   TAKE(number, joint->element.number)
#define STATE(name, row, unit, nominal, bound, when, about)                                        \
    state->name = state_number(states, row_of->name);
#define SITE(name, about)                          TAKE_FLAG(name, SITE_##name(joint))
#define CHOICE(name, xml, no, yes)                 TAKE_FLAG(name, data->name)
#define FLAG(name, condition, about)               TAKE_FLAG(name, condition)
#define SHORTCUT(name, condition)                  in->name = touched || (condition);
#define RESULT(name, kind, row, unit, when, about) RATE_OF_##kind(name)
#define END(name)                                  }
#define ELEMENT_LIST                               "at_joints.h"
#define ELEMENT(name, at, xml, about)                                                              \
    to->has_##name = joint->name.present && ACTS(name);                                            \
    {                                                                                              \
        const fa_##name##_data *data = &joint->name;                                               \
        const fa_##name##_rows *row_of = ROWS_OF(name, joint);                                     \
        fa_##name##_in         *in = &to->name;                                                    \
        fa_##name##_rows       *state = &to->state_of_##name;                                      \
        (void)data, (void)row_of, (void)in, (void)state;
#define SITE_inverse(joint) false
#define SITE_stops(joint)   ((joint)->stop.present)
#define RATE_OF_RATE(name)  state->name = number_of_rate(states, row_of->name);
#define RATE_OF_PUSH(name)
#define RATE_OF_ACCELERATION(name)
#define RATE_OF_FLOW(name)
#define RATE_OF_CAPACITY(name)
#define RATE_OF_DRIVE(name)
#define RATE_OF_REFLECTED(name)
#define RATE_OF_FRICTION_LOSS(name)
#define RATE_OF_STOP_LOSS(name)
#define RATE_OF_CONTACT_LOSS(name)
#define RATE_OF_STORED(name)
#define RATE_OF_OUTPUT(name)
#define RATE_OF_INVERSE(name)
#define RATE_OF_INDICATOR(name)
#define RATE_OF_HOLD(name)
#define RATE_OF_SUPPLIED(name)
#define RATE_OF_STORING(name)
#include "passes.h"
#undef TAKE
#undef TAKE_FLAG
}

// Copies the parameters, inputs and modes of a motion into its lane.
static void joint_fill(lane_joint *to, const fa_arm *arm, const double value[], int i, int lane)
{
    const fa_arm_joint *joint = &arm->joint[i];
    const int           drive = joint->at[FA_ARM_TORQUE];
    set_lane(&to->brake, lane, joint->friction.viscous);
    set_lane(&to->drive, lane, drive == FA_NO_ROW ? 0 : value[drive]);
#define ELEMENT_LIST "at_joints.h"
#define ELEMENT(name, at, xml, about)                                                              \
    if (to->has_##name) {                                                                          \
        const fa_##name##_data *data = &joint->name;                                               \
        const fa_##name##_rows *row_of = ROWS_OF(name, joint);                                     \
        fa_##name##_in         *in = &to->name;                                                    \
        (void)data, (void)row_of, (void)in;
#define NUMBER(number, xml, row, unit, otherwise, rule, when, about)                               \
    set_lane(&in->number, lane, data->number);
#define NUMBER_OF(number, element) set_lane(&in->number, lane, joint->element.number);
#define INPUT(name, row, unit, bound, when, about)                                                 \
    {                                                                                              \
        const int from = row_of->name != FA_NO_ROW ? row_of->name : drive;                         \
        set_lane(&in->name, lane, from == FA_NO_ROW ? 0 : value[from]);                            \
    }
#define MODE(name, row, type, unit, when, about)                                                   \
    set_lane(&in->name, lane, row_of->name == FA_NO_ROW ? 0 : value[row_of->name]);
#define END(name) }
#include "passes.h"
}

// Copies states and motion into the arguments of the laws.
#define ELEMENT_LIST "at_joints.h"
#define ELEMENT(name, at, xml, about)                                                              \
    FA_INLINED void joint_put_##name(lane_joint *of, const real x[], real position, real rate)     \
    {                                                                                              \
        fa_##name##_in         *in = &of->name;                                                    \
        const fa_##name##_rows *state = &of->state_of_##name;                                      \
        const real              wanted = num(0), gravity = num(0);                                 \
        (void)in, (void)state, (void)x, (void)position, (void)rate, (void)wanted, (void)gravity;
#define STATE(name, row, unit, nominal, bound, when, about)                                        \
    if (state->name >= 0) in->name = x[state->name];
#define GIVEN(name, unit, about) in->name = name;
#define END(name)                }
#include "passes.h"

// Returns the effort at the joint, from its position and rate and the states x; writes rates of
// states into dx. power: sums of power by account, NULL: not needed.
FA_INLINED real joint_push(lane_joint *of, const real x[], real position, real rate, real dx[],
                           real power[])
{
    if (of->plain) {
        const real friction = of->brake * rate;
        if (power) {
            power[FA_ARM_BY_ACTUATORS] += of->drive * rate;
            power[FA_ARM_FRICTION] += friction * rate;
        }
        return of->drive - friction;
    }
    real sum = num(0);
#define KIND_PUSH(name)                                                                            \
    sum += out.name;                                                                               \
    if (drives && power) power[FA_ARM_BY_ACTUATORS] += out.name * rate;
#define KIND_FRICTION_LOSS(name)                                                                   \
    if (power) power[FA_ARM_FRICTION] += out.name;
#define KIND_STOP_LOSS(name)                                                                       \
    if (power) power[FA_ARM_STOPS] += out.name;
#define KIND_RATE(name)                                                                            \
    if (state->name >= 0) dx[state->name] = out.name;
#define KIND_ACCELERATION(name)
#define KIND_FLOW(name)
#define KIND_CAPACITY(name)
#define KIND_DRIVE(name)
#define KIND_REFLECTED(name)
#define KIND_CONTACT_LOSS(name)
#define KIND_STORED(name)
#define KIND_OUTPUT(name)
#define KIND_INVERSE(name)
#define KIND_INDICATOR(name)
#define KIND_HOLD(name)
#define KIND_SUPPLIED(name)
#define KIND_STORING(name)
#define ELEMENT_LIST "at_joints.h"
#define ELEMENT(name, at, xml, about)                                                              \
    if (ACTS(name) && of->has_##name) {                                                            \
        const bool              drives = DRIVES(name);                                             \
        const fa_##name##_rows *state = &of->state_of_##name;                                      \
        fa_##name##_out         out;                                                               \
        (void)drives, (void)state;                                                                 \
        joint_put_##name(of, x, position, rate);                                                   \
        fa_##name##_law(&of->name, &out);
#define RESULT(name, kind, row, unit, when, about) KIND_##kind(name)
#define END(name)                                  }
#include "passes.h"
    return sum;
}

// Sets the mode of a stop from the joint's position, for fixed steps without events. The law only
// pushes, so the result equals that of the event-driven mode.
FA_INLINED void joint_meet(lane_joint *of, real position)
{
    if (!of->has_stop) return;
    of->stop.side =
        where(position > of->stop.upper, num(1), where(position < of->stop.lower, num(-1), num(0)));
}

// Returns the damping coefficient of a stop in an implicit step h: its spring and damper per unit
// of speed; *less: the reduction of the effort at the current speed.
FA_INLINED real joint_yield(const lane_joint *of, real position, real rate, real h, real *less)
{
    if (!of->has_stop) return *less = num(0);
    const real side = of->stop.side, limit = where(side > 0, of->stop.upper, of->stop.lower);
    const real depth = where(side == 0, num(0), side * (position - limit));
    const real push = of->stop.stiffness * depth + of->stop.damping * side * rate;
    const real k = where((side != 0) & (push > 0), h * of->stop.stiffness, num(0));
    *less = k * rate;
    return where((side != 0) & (push > 0), of->stop.damping, num(0)) + k;
}

#endif
