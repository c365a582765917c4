// A robot's data of an element, generated from the element lists: numbers, and choices of
// attributes.
#ifndef FA_ELEMENT_DATA_H
#define FA_ELEMENT_DATA_H

#include <stdbool.h>

// fa_<name>_data
#define ELEMENT(name, at, xml, about)                                                              \
    typedef struct fa_##name##_data {                                                              \
        bool present;
#define NUMBER(name, xml, row, unit, otherwise, rule, when, about) double name;
#define CHOICE(name, xml, no, yes)                                 bool name;
#define END(name)                                                                                  \
    }                                                                                              \
    fa_##name##_data;
#include "passes.h"

// For something about each real and each result of an element: rows of a table, say.
#define ELEMENT_LIST                                               "at_moving_parts.h"
#define ELEMENT(name, at, xml, about)                              typedef struct fa_##name##_rows {
#define NUMBER(name, xml, row, unit, otherwise, rule, when, about) int name;
#define NUMBER_OF(name, element)                                   int name;
#define INPUT(name, row, unit, bound, when, about)                 int name;
#define STATE(name, row, unit, nominal, bound, when, about)        int name, name##_start;
#define GIVEN(name, unit, about)                                   int name;
#define MODE(name, row, type, unit, when, about)                   int name;
#define RESULT(name, kind, row, unit, when, about)                 int name;
#define END(name)                                                                                  \
    }                                                                                              \
    fa_##name##_rows;
#include "passes.h"

typedef struct fa_joint_rows {
#define ELEMENT_LIST                  "at_joints.h"
#define ELEMENT(name, at, xml, about) fa_##name##_rows name;
#include "passes.h"
} fa_joint_rows;

#endif
