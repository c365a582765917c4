// The key of a variable: the kind of its owner (joint, link, tip), the owner, the quantity and the
// axis. Only key.c composes names from keys; no code parses a name to classify a variable.
#ifndef FA_KEY_H
#define FA_KEY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

// Kinds of owners, and the word that their variables' names begin with.
#define FA_OWNER_LIST(X)                                                                           \
    X(FA_OF_ROBOT, "") /* the whole, or what has no other row here: gravity, heading, gait */      \
    X(FA_OF_JOINT, "joint")                                                                        \
    X(FA_OF_LINK, "link")                                                                          \
    X(FA_OF_CYLINDER, "cylinder")                                                                  \
    X(FA_OF_WHEEL, "wheel")                                                                        \
    X(FA_OF_TIP, "tip")                                                                            \
    X(FA_OF_BASE, "base")                                                                          \
    X(FA_OF_PAYLOAD, "payload")                                                                    \
    X(FA_OF_ENERGY, "energy")                                                                      \
    X(FA_OF_LOOP, "loop")                                                                          \
    X(FA_OF_MECHANISM, "mechanism")                                                                \
    X(FA_OF_CONTACT, "contact")                                                                    \
    X(FA_OF_SPRING, "line_spring")                                                                 \
    X(FA_OF_GROUND, "ground")                                                                      \
    X(FA_OF_NODE, "node")                                                                          \
    X(FA_OF_VOLUME, "volume")                                                                      \
    X(FA_OF_ORIFICE, "orifice")                                                                    \
    X(FA_OF_LINE, "line")                                                                          \
    X(FA_OF_FILTER, "filter")                                                                      \
    X(FA_OF_CHECK, "check")                                                                        \
    X(FA_OF_RELIEF, "relief")                                                                      \
    X(FA_OF_PILOT_CHECK, "pilot_check")                                                            \
    X(FA_OF_COUNTERBALANCE, "counterbalance")                                                      \
    X(FA_OF_VALVE, "valve")                                                                        \
    X(FA_OF_LOAD_SENSING, "load_sensing")                                                          \
    X(FA_OF_PUMP, "pump")                                                                          \
    X(FA_OF_ACCUMULATOR, "accumulator")                                                            \
    X(FA_OF_HYDRAULIC_MOTOR, "hydraulic_motor")                                                    \
    X(FA_OF_CIRCUIT, "circuit")                                                                    \
    X(FA_OF_PATCH, "patch")                                                                        \
    X(FA_OF_PEG, "peg")                                                                            \
    X(FA_OF_WALL, "wall")

typedef enum fa_owner {
#define X(code, word) code,
    FA_OWNER_LIST(X)
#undef X
        FA_OWNER_COUNT
} fa_owner;

// Axes of vectors, of quaternions and of tensors. Plants declare those of one family in this order.
#define FA_ALONG_LIST(X)                                                                           \
    X(FA_ALONG_NONE, "", 0, 1)                                                                     \
    X(FA_ALONG_X, "x", 0, 3)                                                                       \
    X(FA_ALONG_Y, "y", 1, 3)                                                                       \
    X(FA_ALONG_Z, "z", 2, 3)                                                                       \
    X(FA_ALONG_QW, "w", 0, 4)                                                                      \
    X(FA_ALONG_QX, "x", 1, 4)                                                                      \
    X(FA_ALONG_QY, "y", 2, 4)                                                                      \
    X(FA_ALONG_QZ, "z", 3, 4)                                                                      \
    X(FA_ALONG_XX, "xx", 0, 6)                                                                     \
    X(FA_ALONG_YY, "yy", 1, 6)                                                                     \
    X(FA_ALONG_ZZ, "zz", 2, 6)                                                                     \
    X(FA_ALONG_XY, "xy", 3, 6)                                                                     \
    X(FA_ALONG_XZ, "xz", 4, 6)                                                                     \
    X(FA_ALONG_YZ, "yz", 5, 6)

typedef enum fa_along {
#define X(code, word, place, family) code,
    FA_ALONG_LIST(X)
#undef X
        FA_ALONG_COUNT
} fa_along;

#define FA_NO_PART (-1)

typedef struct fa_key {
    fa_owner    owner;
    int         part;     // index among owners of its kind; FA_NO_PART: there is one only
    const char *name;     // name of the part; NULL: named by its number, from 1
    const char *quantity; // "position", "com.along"; "" is the position of the tip
    fa_along    axis;
} fa_key;

// Returns the key of a quantity of the whole robot: energy.kinetic, heading.
fa_key fa_key_of(fa_owner owner, const char *quantity);

// Returns the key of a quantity of one part. Arms number links and joints by the index of the link;
// snakes by one less than the number in the name.
fa_key fa_key_of_part(fa_owner owner, int part, const char *name, const char *quantity);

// Returns the key along an axis: FA_ALONG_X + i, FA_ALONG_QW + i, FA_ALONG_XX + i.
fa_key fa_key_along(fa_key key, fa_along axis);

// Sets quantity and axis from the word of an element's list: force.x, or x alone. Copies the
// quantity without its axis to `room`, which must live as long as the key.
void fa_key_set_word(fa_key *key, const char *word, char room[], size_t size);

// A key stored in a row of a table; its texts are parts of the row's name.
typedef struct fa_row_key {
    int32_t  part;
    uint16_t word, length; // offset and length of the quantity in the name, without the axis
    uint8_t  owner, axis;  // fa_owner, fa_along
    bool     numbered;     // the part is named by its number
} fa_row_key;

// Composes the name of a key, and replaces characters that variables' names cannot have. Returns
// its length, like snprintf, and the key to store in the row.
size_t fa_key_compose(const fa_key *key, char name[], size_t size, fa_row_key *kept);

// Copies a name of a robot into a level of a variable's name: each character that cannot stand
// there and each "::" as '_', and a '_' in front of a digit or of a whole keyword of MATLAB or
// Modelica.
void fa_variable_segment(const char *name, char segment[], size_t size);

// A part of a name.
typedef struct fa_slice {
    const char *text;
    int         length;
} fa_slice;

bool fa_slices_equal(fa_slice a, fa_slice b);

// Return parts of a row's name: the word of its owner, the name or number of its part (empty:
// none), its quantity without the axis, and with it.
fa_slice    fa_key_owner(const fa_row_key *key);
fa_slice    fa_key_part(const fa_row_key *key, const char *name);
fa_slice    fa_key_quantity(const fa_row_key *key, const char *name);
fa_slice    fa_key_rest(const fa_row_key *key, const char *name);
const char *fa_along_word(fa_along axis);
int         fa_along_family(fa_along axis); // number of axes of the family: 1, 3, 4 or 6
fa_along    fa_along_first(fa_along axis);  // first axis of the family

// Returns true if the row is this quantity of an owner of this kind, along any axis.
bool fa_key_is(const fa_row_key *key, const char *name, fa_owner owner, const char *quantity);

// Composes the name of an array over all parts or axes: joint.position, link.com, tip.force. With
// `rest` the quantity keeps its axis. Truncates to size. `kept` is the key of the array.
void fa_key_array(const fa_row_key *key, const char *name, bool rest, char out[], size_t size,
                  fa_row_key *kept);

#endif
