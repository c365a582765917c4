// The types of joints, a row each. What files, units, chains and pictures ask of a joint's type is
// a column here, so that a type of one freedom about and along a fixed axis is one more row. The
// motion subspace S follows from the last two columns, the axis and the pitch: fa_joint_axis of
// chain.h; it is constant in the axes of the child, so that its rate there is zero, and the speed
// is the position's rate. A joint of several freedoms is a row of joints of one freedom with links
// without mass between them (joint_parts.h), and chains know these alone.
#ifndef FA_JOINT_TYPES_H
#define FA_JOINT_TYPES_H

#include <stdbool.h>

// code; name in files; positions and speeds; whether the child turns about the axis; whether it
// slides along it. What does both advances by a pitch [m/rad] and is measured by its angle.
#define FA_JOINT_LIST(X)                                                                           \
    X(FA_FIXED, "fixed", 0, 0, false, false)                                                       \
    X(FA_REVOLUTE, "revolute", 1, 1, true, false)                                                  \
    X(FA_PRISMATIC, "prismatic", 1, 1, false, true)                                                \
    X(FA_SCREW, "screw", 1, 1, true, true)                                                         \
    X(FA_PLANAR, "planar", 3, 3, true, true)                                                       \
    X(FA_SPHERICAL, "spherical", 4, 3, true, false)                                                \
    X(FA_FLOATING, "floating", 7, 6, true, true)

#define FA_JOINT_SPEEDS_MAX 6 // of one joint

typedef enum fa_joint_type {
#define X(code, name, positions, speeds, turns, slides) code,
    FA_JOINT_LIST(X)
#undef X
        FA_JOINT_TYPE_COUNT
} fa_joint_type;

typedef struct fa_joint_kind {
    const char *name;
    int         positions, speeds;
    bool        turns, slides;
} fa_joint_kind;

extern const fa_joint_kind fa_joint_kinds[FA_JOINT_TYPE_COUNT];

// The type of this name; false: there is none, and *type stays.
bool fa_joint_type_named(const char *name, fa_joint_type *type);

// Columns as sets of bits, because loops over bodies ask for them.
enum {
#define X(code, name, positions, speeds, turns, slides) | (int)(turns) << (code)
    FA_TURNING_TYPES = 0 FA_JOINT_LIST(X),
#undef X
#define X(code, name, positions, speeds, turns, slides) | (int)(slides) << (code)
    FA_SLIDING_TYPES = 0 FA_JOINT_LIST(X),
#undef X
#define X(code, name, positions, speeds, turns, slides) | (int)((slides) > (turns)) << (code)
    FA_LINEAR_TYPES = 0 FA_JOINT_LIST(X),
#undef X
#define X(code, name, positions, speeds, turns, slides) | (int)((speeds) > 1) << (code)
    FA_SEVERAL_TYPES = 0 FA_JOINT_LIST(X)
#undef X
};

static inline bool fa_joint_turns(fa_joint_type type)
{
    return FA_TURNING_TYPES >> type & 1;
}

static inline bool fa_joint_slides(fa_joint_type type)
{
    return FA_SLIDING_TYPES >> type & 1;
}

// It has several freedoms.
static inline bool fa_joint_is_several(fa_joint_type type)
{
    return FA_SEVERAL_TYPES >> type & 1;
}

// Its position is a distance [m] and its effort a force; of what else moves, an angle and a torque.
static inline bool fa_joint_is_linear(fa_joint_type type)
{
    return FA_LINEAR_TYPES >> type & 1;
}

// Its orientation is a quaternion.
static inline bool fa_joint_has_ball(fa_joint_type type)
{
    return type == FA_SPHERICAL || type == FA_FLOATING;
}

#endif
