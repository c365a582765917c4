// Tables of all elements, for the XML reader, the schema, the robot file, the plants' rows, the
// checks and the documentation. An element is one file, and one line in all.h.
#ifndef FA_ELEMENTS_H
#define FA_ELEMENTS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "status.h"
#include "units.h"

// Units that depend on the type of the joint, revolute or prismatic. Their values continue those of
// units.h.
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

// Places of elements: a place supplies the GIVENs of an element and takes its results.
typedef enum fa_element_place {
    FA_AT_JOINT,
    FA_AT_FREE_JOINT,  // a joint that does not follow another
    FA_AT_MOVED_JOINT, // a joint that neither follows another nor has a prescribed motion
    FA_AT_FRAMES,      // the line between two points
    FA_AT_NODE,        // pressures
    FA_AT_WHEEL,
    FA_AT_BASE, // base link of a snake
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
    FA_ITEM_TURNING, // … and items that a law does not read
    FA_ITEM_PRESENCE,
    FA_ITEM_RULE,
    FA_ITEM_BETWEEN,
    FA_ITEM_RESULT
} fa_item_kind;

// Rules for numbers, with the end of the message. The default is always valid.
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

// Kinds of results.
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

// Default that other numbers of the element supply: `number`, or `unsaid` if the file does not have
// that one either; divided by `over`. NULL: none.
typedef struct fa_item_as {
    const char *number, *unsaid, *over;
} fa_item_as;

// Bound of an input, of either sign (NaN: the number with the name `bound_by`), and the nominal
// value of a state.
typedef struct fa_item_range {
    double      bound;
    const char *bound_by;
    double      nominal;
} fa_item_range;

// Few items have a rule for their default or a range: a pointer keeps the table small, which is a
// sixteenth of the library in every FMU.
typedef struct fa_item {
    const char *name;
    const char *xml; // attribute, or child element/attribute; of NUMBER_OF the other element;
                     // of BETWEEN the port that it leaves
    const char *row; // name in the FMU; for CHOICE or PRESENCE the first word; empty: none
    // For these the second word, which sets the flag; for BETWEEN the port entered.
    const char          *word;
    const char          *when; // the flag that must be set; NULL: always there
    const char          *about;
    double               usual; // default; NaN: see `as`, or required
    const fa_item_as    *as;    // NULL: follows no other number
    const fa_item_range *range; // of an input or a state
    uint8_t kind, rule, type;   // fa_item_kind, fa_item_rule; fa_mode_type or fa_result_kind
    uint8_t unit;               // fa_unit or fa_place_unit
    bool    required;
    bool    shared; // one number for all places of a robot
} fa_item;

typedef struct fa_element {
    const char      *name, *xml, *about;
    fa_element_place at;
    const fa_item   *item;
    bool             everywhere; // present in every robot
    bool             tunable;    // its numbers may be changed during a run
    int              n_items, n_numbers, n_inputs, n_reals, n_choices, n_flags, n_tables, n_results;
    size_t           in_size, out_size;
    void (*configure)(void *in);           // sets the flags that depend on numbers
    const char *(*broken)(const void *in); // returns the message about a broken rule, or NULL
} fa_element;

extern const fa_element fa_elements[];
extern const int        fa_element_count;

// Indices of elements in the table: FA_ELEMENT_friction …
enum {
#define ELEMENT(name, at, xml, about) FA_ELEMENT_##name,
#include "passes.h"
    FA_ELEMENTS
};

const fa_element *fa_element_named(const char *name); // Returns NULL if there is none.

// Returns the address of a real by its index, in the arguments of a law (fa_<name>_in of laws.h, in
// doubles).
double *fa_element_real(const fa_element *element, void *in, int index);
bool   *fa_element_flag(const fa_element *element, void *in, int index);

// Return the index among reals, flags or results; -1: no such name. `length` of the name in bytes.
int fa_element_real_index(const fa_element *element, const char *name, size_t length);
int fa_element_flag_index(const fa_element *element, const char *name, size_t length);
int fa_element_table_index(const fa_element *element, const char *name, size_t length);
int fa_element_result_index(const fa_element *element, const char *name, size_t length);
// Returns the item of that index among the kinds from … to.
const fa_item *fa_element_item(const fa_element *element, fa_item_kind from, fa_item_kind to,
                               int index);

// Returns true if the item's condition is met with these flags.
bool fa_element_has(const fa_element *element, const fa_item *item, const void *in);

// Return the unit of an item at a prismatic or revolute joint, with these flags (NULL: defaults).
fa_unit fa_element_unit(const fa_element *element, const fa_item *item, const void *in,
                        bool slides);

// Formats a text of an item: %s becomes the owner, {number} the number of that name, [flag?yes:no]
// one of two texts (`slides` is a flag).
void fa_item_text(const fa_element *element, const char *text, const void *in, bool slides,
                  const char *owner, char out[], size_t size);

// Returns the default of a number; earlier numbers in `in` are set; said[] tells which ones the
// file has.
double fa_element_usual(const fa_element *element, const fa_item *item, void *in,
                        const bool said[]);

// Checks one rule; an error names the number `name` of `owner`.
fa_status fa_item_rule_check(fa_item_rule rule, double x, const char *name, const char *owner,
                             const char *source, fa_place place, fa_error *error);

// Checks all rules on present numbers, and between numbers. `owner`: "joint 'elbow'".
fa_status fa_element_check(const fa_element *element, const void *in, const char *owner,
                           const char *source, fa_place place, fa_error *error);

// Updates the flags after a change of parameters: `in` has the new numbers. Fails if a number
// breaks a rule or changes a flag that is fixed; sets shortcuts.
fa_status fa_element_configure(const fa_element *element, void *in, const char *owner,
                               fa_error *error);

// Returns the reals that a result may depend on.
uint64_t fa_element_reach(const fa_element *element, const void *in, int result); // bit set
bool     fa_element_depends(const fa_element *element, const void *in, int result, int real);

#endif
