// Tables of the elements at a joint (elements/at_joints.h), and of the offsets of their numbers in
// a fa_joint. The XML reader, the robot file, the checks, an arm's rows and their dependencies
// iterate over these, so that none of them names an element's numbers.
#ifndef FA_JOINT_LISTS_H
#define FA_JOINT_LISTS_H

#include "elements.h"
#include "robot.h"

// Elements at joints, in the order of at_joints.h: FA_JOINT_friction …
typedef enum fa_joint_element {
#define ELEMENT_LIST                  "at_joints.h"
#define ELEMENT(name, at, xml, about) FA_JOINT_##name,
#include "passes.h"
    FA_JOINT_ELEMENTS
} fa_joint_element;

const fa_element *fa_joint_list(fa_joint_element which);

// Return the robot's data: number i, choice i, and the element's presence.
double *fa_joint_number(fa_joint *joint, fa_joint_element which, int i);
bool   *fa_joint_choice(fa_joint *joint, fa_joint_element which, int i);
bool   *fa_joint_present(fa_joint *joint, fa_joint_element which);

// Returns true if the element is declared; some are always.
bool fa_joint_says(const fa_joint *joint, fa_joint_element which);

// Returns true if the element acts at this joint, in the plant "arm" or in its inverse. This
// includes the default drive of joints without another one.
bool fa_joint_has(const fa_joint *joint, fa_joint_element which, bool inverse);

// The element that takes the joint's input: it, or the one that joints have without another.
fa_joint_element fa_joint_drive(const fa_joint *joint);

// The block that the element's law reads, with the joint's numbers and flags; what the place gives,
// inputs, states and modes are zero.
typedef struct fa_joint_block {
    double in[64]; // reals, then flags (laws.h); room for every element at a joint
} fa_joint_block;
void fa_joint_fill(const fa_joint *joint, fa_joint_element which, bool inverse,
                   fa_joint_block *block);

// Returns the default of number i; said[]: which earlier numbers are given. NaN: it is required.
#define FA_JOINT_NUMBERS 32 // the most that an element has
double fa_joint_usual(const fa_joint *joint, fa_joint_element which, int i, const bool said[]);

// Nothing is said of the element.
void fa_joint_reset(fa_joint *joint, fa_joint_element which);

// Number of the element's n-th item among fa_joint_rows: what FA_AT(…) of arm_quantity.h counts
// from. A state's start follows it.
int fa_joint_row_of(fa_joint_element which, int item);

// The other way: the element and item that a number among fa_joint_rows belongs to. `start`: it is
// what that state starts from.
typedef struct fa_joint_item {
    fa_joint_element which;
    int              item; // of its list
    bool             start;
} fa_joint_item;
fa_joint_item fa_joint_item_of(int row);

// The row of an element's first result of this kind; -1: it has none.
int fa_joint_result_of(fa_joint_element which, fa_result_kind kind);

// Returns the row of the rate of a state.
int fa_joint_rate_of(int row);

#endif
