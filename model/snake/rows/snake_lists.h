// Table of the numbers of a snake's elements: owner, place in a fa_robot, XML word and row. The XML
// reader, the robot file, the checks and the rows iterate over it, so that none of them names an
// element's numbers.
//
// An element that only snakes have is complete in it; of elements that arms have, too, the numbers
// listed here are. A new law of the ground is one file in elements/at_wheels.h, and no change here.
#ifndef FA_SNAKE_LISTS_H
#define FA_SNAKE_LISTS_H

#include "elements.h"
#include "robot.h"

// X(element, number, ROW, XML word, rule), in the order of a joint's rows.
#define FA_SNAKE_JOINT_NUMBER_LIST(X)                                                              \
    X(friction, viscous, VISCOUS, "viscous", NOT_NEGATIVE)                                         \
    X(spring, stiffness, STIFFNESS, "stiffness", NOT_NEGATIVE)                                     \
    X(spring, rest, REST, "rest", FINITE)                                                          \
    X(rotor, inertia, ROTOR, "rotor-inertia", NOT_NEGATIVE)                                        \
    X(rotor, gear, GEAR, "gear", FINITE)                                                           \
    X(limit, upper, LIMIT, "limit", ABOVE_ZERO)                                                    \
    X(stop, stiffness, STOP_STIFFNESS, "stop-stiffness", ABOVE_ZERO)                               \
    X(stop, damping, STOP_DAMPING, "stop-damping", NOT_NEGATIVE)

// Counts the numbers of elements at wheels and of laws of the ground at compile time, as structs:
// one number per wheel, or SHARED by all. The first member keeps a struct from being empty.
#define ELEMENT_LIST "at_ground.h"
#define ELEMENT(name, at, xml, about)                                                              \
    typedef struct fa_##name##_own {                                                               \
        double before_;
#define FIELD_ALWAYS(name) double name;
#define FIELD_SHARED(name)
#define NUMBER(name, xml, row, unit, otherwise, rule, when, about) FIELD_##when(name)
#define END(name)                                                                                  \
    }                                                                                              \
    fa_##name##_own;
#include "passes.h"
#undef FIELD_ALWAYS
#undef FIELD_SHARED

#define ELEMENT_LIST "at_ground.h"
#define ELEMENT(name, at, xml, about)                                                              \
    typedef struct fa_##name##_shared {                                                            \
        double before_;
#define FIELD_ALWAYS(name)
#define FIELD_SHARED(name)                                         double name;
#define NUMBER(name, xml, row, unit, otherwise, rule, when, about) FIELD_##when(name)
#define END(name)                                                                                  \
    }                                                                                              \
    fa_##name##_shared;
#include "passes.h"
#undef FIELD_ALWAYS
#undef FIELD_SHARED

typedef struct fa_wheels_own {
#define ELEMENT_LIST                  "at_wheels.h"
#define ELEMENT(name, at, xml, about) fa_##name##_own name;
#include "passes.h"
} fa_wheels_own;

typedef struct fa_wheels_shared {
#define ELEMENT_LIST                  "at_wheels.h"
#define ELEMENT(name, at, xml, about) fa_##name##_shared name;
#include "passes.h"
} fa_wheels_shared;

// Indices of the elements at wheels: FA_WHEEL_grip …
enum {
#define ELEMENT_LIST                  "at_wheels.h"
#define ELEMENT(name, at, xml, about) FA_WHEEL_##name,
#include "passes.h"
    FA_WHEEL_ELEMENTS
};

typedef struct fa_feet_own {
#define ELEMENT_LIST                  "at_feet.h"
#define ELEMENT(name, at, xml, about) fa_##name##_own name;
#include "passes.h"
} fa_feet_own;

typedef struct fa_feet_shared {
#define ELEMENT_LIST                  "at_feet.h"
#define ELEMENT(name, at, xml, about) fa_##name##_shared name;
#include "passes.h"
} fa_feet_shared;

// Indices of the laws of the ground: FA_FOOT_viscous_ground …
enum {
    FA_FOOT_NONE = FA_GROUND_IDEAL,
#define ELEMENT_LIST                  "at_feet.h"
#define ELEMENT(name, at, xml, about) FA_FOOT_##name,
#include "passes.h"
    FA_FOOT_LAST
};

#define FA_WHEEL_COUNT(type, of) ((int)(sizeof(type) / sizeof(double)) - (of))
#define FA_WHEEL_NUMBERS         FA_WHEEL_COUNT(fa_wheels_own, FA_WHEEL_ELEMENTS) // of each wheel
#define FA_WHEEL_SHARED          FA_WHEEL_COUNT(fa_wheels_shared, FA_WHEEL_ELEMENTS)
#define FA_FEET_NUMBERS          FA_WHEEL_COUNT(fa_feet_own, FA_FOOT_LAST - 1) // of each link
#define FA_FEET_SHARED           FA_WHEEL_COUNT(fa_feet_shared, FA_FOOT_LAST - 1)

// Scope of a number: the parts that have one each.
typedef enum fa_snake_scope {
    FA_SNAKE_EACH_JOINT,
    FA_SNAKE_EACH_WHEEL,
    FA_SNAKE_ALL_WHEELS, // one for all of them
    FA_SNAKE_EACH_FOOT,  // of a law of the ground: one for each link
    FA_SNAKE_ALL_FEET,   // of a law of the ground: one for all links
    FA_SNAKE_OF_INPUT    // of the drives of all joints, or of the base
} fa_snake_scope;

typedef struct fa_snake_number {
    const fa_element *list;
    const fa_item    *item;   // of the list
    const char       *xml;    // word in the robot file
    const char       *row;    // name in the FMU, behind …
    const char       *prefix; // … this
    const char       *about;  // %s: the owner
    fa_item_rule      rule;
    fa_snake_input    input;           // with FA_SNAKE_OF_INPUT: the kind of input that has it
    fa_ground_law     law;             // the law of the ground that has it; otherwise ideal
    int               quantity, index; // quantity and index of its row (snake_plant.h)
    int               entry, number;   // position of the iterator fa_snake_next
} fa_snake_number;

// Returns true if the number means "not given": an infinite limit.
bool fa_snake_is_none(const fa_snake_number *n, double x);

// Returns true if the number is used on this ground: wheels' numbers on ideal and slipping wheels
// only.
bool fa_snake_is_of_law(const fa_snake_number *n, fa_snake_scope scope, fa_ground_law law);

// Returns false if the number of a gait is one of servos and the gait is prescribed, or the other
// way round.
bool fa_snake_is_of_drive(const fa_snake_number *n, const fa_snake_options *snake);

// Iterates over the numbers of a scope; `n` begins as {0}. False: no further one.
bool fa_snake_next(fa_snake_scope scope, fa_snake_number *n);

// Return the address of a number: in a link and the joint behind it, or in the whole snake.
double *fa_snake_number_of_link(const fa_snake_number *n, fa_link *link);
double *fa_snake_number_of_all(const fa_snake_number *n, fa_snake_options *snake);

// Sets the defaults of a file; required numbers are zero.
void fa_snake_reset_wheel(fa_snake_ground *ground);
void fa_snake_reset_feet(fa_snake_feet *feet);
void fa_snake_reset_inputs(fa_snake_options *snake);

// Returns the default of number `n` where it depends on others that the file gives; NaN: the
// default of fa_snake_reset_inputs.
double fa_snake_follows(const fa_snake_number *n, fa_snake_options *snake);

// Check the numbers of elements.
fa_status fa_snake_check_link(const fa_robot *robot, int k, fa_error *error);
fa_status fa_snake_check_all(const fa_robot *robot, fa_error *error);

#endif
