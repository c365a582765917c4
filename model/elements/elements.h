// The element files as tables: what the XML reader, the schema, the robot file, the plants' rows,
// their rules and the documentation are read from. One element, one file, one line in all.h.
#ifndef FA_ELEMENTS_H
#define FA_ELEMENTS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "status.h"
#include "units.h"

// Units of a place, which follow from what it is: a joint that turns or one that slides. They go on
// where those of units.h end.
#define FA_PLACE_UNIT_LIST(X)                                                                      \
    X(FA_UNIT_POSITION, FA_UNIT_RADIAN, FA_UNIT_METRE)                                             \
    X(FA_UNIT_SPEED, FA_UNIT_RADIAN_PER_SECOND, FA_UNIT_METRE_PER_SECOND)                          \
    X(FA_UNIT_ACCELERATION, FA_UNIT_RADIAN_PER_SECOND2, FA_UNIT_METRE_PER_SECOND2)                 \
    X(FA_UNIT_EFFORT, FA_UNIT_NEWTON_METRE, FA_UNIT_NEWTON)                                        \
    X(FA_UNIT_DAMPING, FA_UNIT_NEWTON_METRE_SECOND_PER_RADIAN, FA_UNIT_NEWTON_SECOND_PER_METRE)    \
    X(FA_UNIT_STIFFNESS, FA_UNIT_NEWTON_METRE_PER_RADIAN, FA_UNIT_NEWTON_PER_METRE)                \
    X(FA_UNIT_INERTIA, FA_UNIT_KILOGRAM_METRE2, FA_UNIT_KILOGRAM)                                  \
    X(FA_UNIT_EFFORT_RATE, FA_UNIT_NEWTON_METRE_PER_SECOND, FA_UNIT_NEWTON_PER_SECOND)             \
    X(FA_UNIT_STIFFNESS_RATE, FA_UNIT_NEWTON_METRE_PER_RADIAN_SECOND,                              \
      FA_UNIT_NEWTON_PER_METRE_SECOND)

typedef enum fa_place_unit {
    FA_UNIT_LAST = FA_UNIT_COUNT - 1,
#define X(code, turns, slides) code,
    FA_PLACE_UNIT_LIST(X)
#undef X
} fa_place_unit;

// Where an element stands: what fills its GIVENs and takes its results.
typedef enum fa_element_place {
    FA_AT_JOINT,
    FA_AT_FREE_JOINT,  // one that follows no other
    FA_AT_MOVED_JOINT, // neither one that follows another, nor one whose motion is given
    FA_AT_FRAMES,      // the line between two points
    FA_AT_NODE,        // pressures
    FA_AT_WHEEL,
    FA_AT_BASE, // a link whose motion is that of the whole
    FA_AT_LINK,
    FA_AT_BALL,   // the angle between two axes at a ball joint
    FA_AT_CONTACT // of a link, against a surface that stands still
} fa_element_place;

typedef enum fa_item_kind {
    FA_ITEM_NUMBER, // reals, in this order …
    FA_ITEM_NUMBER_OF,
    FA_ITEM_INPUT,
    FA_ITEM_STATE,
    FA_ITEM_GIVEN,
    FA_ITEM_SWITCH,
    FA_ITEM_MODE,
    FA_ITEM_SITE, // … then flags …
    FA_ITEM_CHOICE,
    FA_ITEM_FLAG,
    FA_ITEM_SHORTCUT,
    FA_ITEM_TABLE,   // … then tables …
    FA_ITEM_TURNING, // … and what is no part of what a law reads
    FA_ITEM_PRESENCE,
    FA_ITEM_RULE,
    FA_ITEM_BETWEEN,
    FA_ITEM_RESULT
} fa_item_kind;

// What a number must be, and the sentence's end that says so. The usual value may always be.
#define FA_ITEM_RULE_LIST(X)                                                                       \
    X(FINITE, isfinite(x), "a finite number")                                                      \
    X(NOT_ZERO, isfinite(x) && x != 0, "a finite number other than zero")                          \
    X(NOT_NEGATIVE, x >= 0 && !isinf(x), "a finite number and not negative")                       \
    X(ABOVE_ZERO, x > 0 && !isinf(x), "a finite number above zero")                                \
    X(SHARE, x > 0 && x <= 1, "a share, above 0 and at most 1")                                    \
    X(ANY, !isnan(x), "a number")

typedef enum fa_item_rule {
#define X(code, holds, text) FA_RULE_##code,
    FA_ITEM_RULE_LIST(X)
#undef X
} fa_item_rule;

// What a result is for.
#define FA_RESULT_KIND_LIST(X)                                                                     \
    X(PUSH)          /* what it does to its place; those of a place are summed up */               \
    X(ACCELERATION)  /* with which its place is to move */                                         \
    X(RATE)          /* of a state, in the order of the states */                                  \
    X(FLOW)          /* out of or into nodes */                                                    \
    X(CAPACITY)      /* of a node */                                                               \
    X(DRIVE)         /* the part of PUSH that does work; without it all of it */                   \
    X(REFLECTED)     /* inertia that the joint feels */                                            \
    X(FRICTION_LOSS) /* power to the account of friction */                                        \
    X(STOP_LOSS)     /* power to the account of stops */                                           \
    X(CONTACT_LOSS)  /* power to the account of contacts */                                        \
    X(STORED)        /* energy */                                                                  \
    X(SUPPLIED)      /* power that comes from outside */                                           \
    X(STORING)       /* power that goes into store */                                              \
    X(OUTPUT)        /* something to show */                                                       \
    X(INVERSE)       /* the same of an inverse plant */                                            \
    X(INDICATOR)     /* whose sign tells that a mode changes */                                    \
    X(HOLD)          /* effort with which it holds the joint while its mode is 0 */

typedef enum fa_result_kind {
#define X(code) FA_RESULT_##code,
    FA_RESULT_KIND_LIST(X)
#undef X
} fa_result_kind;

typedef enum fa_mode_type { FA_MODE_REAL, FA_MODE_INTEGER, FA_MODE_BOOLEAN } fa_mode_type;

typedef struct fa_item {
    const char *name;
    const char *xml;  // attribute, or child element/attribute; of NUMBER_OF the other element;
                      // of BETWEEN the port that it leaves
    const char *row;  // in the FMU; of a CHOICE or PRESENCE its first word; empty: none
    const char *word; // of those the second one, which sets the flag; of BETWEEN the port entered
    const char *when; // the flag that must be set; NULL: always there
    const char *about;
    double      usual;            // where the file says nothing; NaN: see as, and required
    const char *as;               // the number that it follows then, …
    const char *as_unsaid;        // … or where the file does not say that one either, this one
    const char *as_over;          // … or divided by this one
    double      bound;            // of an input, +- so much; NaN: the number that is called …
    const char *bound_by;         // … so
    double      nominal;          // of a state
    uint8_t     kind, rule, type; // fa_item_kind, fa_item_rule; fa_mode_type or fa_result_kind
    uint8_t     unit;             // fa_unit or fa_place_unit
    bool        required;
    bool        shared; // a number that is one for all places of a robot
} fa_item;

typedef struct fa_element {
    const char      *name, *xml, *about;
    fa_element_place at;
    const fa_item   *item;
    bool             everywhere; // said or not
    bool             tunable;    // its numbers may change during a run
    int              n_items, n_numbers, n_inputs, n_reals, n_choices, n_flags, n_tables, n_results;
    size_t           in_size, out_size;
    void (*configure)(void *in);           // sets the flags that follow from numbers
    const char *(*broken)(const void *in); // the sentence of a broken rule, or NULL
} fa_element;

extern const fa_element fa_elements[];
extern const int        fa_element_count;

// The numbers of elements in the table: FA_ELEMENT_friction …
enum {
#define ELEMENT(name, at, xml, about) FA_ELEMENT_##name,
#include "passes.h"
    FA_ELEMENTS
};

const fa_element *fa_element_named(const char *name); // NULL: there is none

// The block that a law reads (fa_<name>_in of laws.h, in doubles), by index.
double *fa_element_real(const fa_element *element, void *in, int index);
bool   *fa_element_flag(const fa_element *element, void *in, int index);

// Index among reals, flags or results; -1: none of that name. `length` of the name's bytes.
int fa_element_real_index(const fa_element *element, const char *name, size_t length);
int fa_element_flag_index(const fa_element *element, const char *name, size_t length);
int fa_element_table_index(const fa_element *element, const char *name, size_t length);
int fa_element_result_index(const fa_element *element, const char *name, size_t length);
// The item of that index among the kinds from … to.
const fa_item *fa_element_item(const fa_element *element, fa_item_kind from, fa_item_kind to,
                               int index);

// Whether an item is there with these flags.
bool fa_element_has(const fa_element *element, const fa_item *item, const void *in);

// Units of an item at a joint that slides or turns, with these flags (NULL: as loaded without any).
fa_unit fa_element_unit(const fa_element *element, const fa_item *item, const void *in,
                        bool slides);

// A text of an item: %s becomes the owner, {number} the number of that name, [flag?yes:no] what
// that flag says (`slides` is one of them).
void fa_item_text(const fa_element *element, const char *text, const void *in, bool slides,
                  const char *owner, char out[], size_t size);

// The value that a number has where nothing is said: numbers before it in `in` are known; said[] by
// index of reals.
double fa_element_usual(const fa_element *element, const fa_item *item, void *in,
                        const bool said[]);

// One rule: refuses the number `name` of `owner` that breaks it.
fa_status fa_item_rule_check(fa_item_rule rule, double x, const char *name, const char *owner,
                             const char *source, fa_place place, fa_error *error);

// Every rule on numbers that are there, and between numbers. `owner`: "joint 'elbow'".
fa_status fa_element_check(const fa_element *element, const void *in, const char *owner,
                           const char *source, fa_place place, fa_error *error);

// Parameters have changed: `in` has new numbers and the flags as loaded. Refuses numbers that break
// a rule, and those that would turn a flag; sets shortcuts.
fa_status fa_element_configure(const fa_element *element, void *in, const char *owner,
                               fa_error *error);

// Whether a result depends on a real for some value of the numbers.
uint64_t fa_element_reach(const fa_element *element, const void *in, int result); // bit by bit
bool     fa_element_depends(const fa_element *element, const void *in, int result, int real);

#endif
