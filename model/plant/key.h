// The key of a variable: what it is of (a joint, a link, the tip), which one, which quantity of it
// and along which axis. Names are composed from keys, in key.c alone; nobody reads a name to learn
// what a variable is.
#ifndef FA_KEY_H
#define FA_KEY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

// What variables belong to, and the word that their names begin with.
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

// Axes: of vectors, of quaternions and of tensors. Plants declare those of one family in this
// order.
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
    int         part;     // which of its owner's kind, from 0; FA_NO_PART: there is one only
    const char *name;     // of the part; NULL: it goes by its number, from 1
    const char *quantity; // "position", "com.along"; "" is the position of the tip
    fa_along    axis;
} fa_key;

// Key of a quantity that the robot has once: energy.kinetic, heading.
fa_key fa_key_of(fa_owner owner, const char *quantity);

// Key of a quantity of one part. Of arms, links and joints go by the index of the link; of snakes,
// by what their number is beyond 1.
fa_key fa_key_of_part(fa_owner owner, int part, const char *name, const char *quantity);

// The same along an axis: FA_ALONG_X + i, FA_ALONG_QW + i, FA_ALONG_XX + i.
fa_key fa_key_along(fa_key key, fa_along axis);

// Sets quantity and axis by the word of an element's list: force.x, or x alone. The quantity
// without its axis goes to `room`, which must live as long as the key.
void fa_key_set_word(fa_key *key, const char *word, char room[], size_t size);

// A key within a row of a table, whose texts are pieces of the row's name.
typedef struct fa_row_key {
    int32_t  part;
    uint16_t word, length; // where the quantity stands in the name, without the axis
    uint8_t  owner, axis;  // fa_owner, fa_along
    bool     numbered;     // the part goes by its number
} fa_row_key;

// Composes the name of a key, with everything that cannot stand in a variable's name replaced.
// Gives its length, as snprintf does, and what a row keeps of the key.
size_t fa_key_compose(const fa_key *key, char name[], size_t size, fa_row_key *kept);

// Copies a name of a robot into a level of a variable's name: each character that cannot stand
// there and each "::" as '_', and a '_' in front of a digit or of a whole keyword of MATLAB or
// Modelica.
void fa_variable_segment(const char *name, char segment[], size_t size);

// A piece of a name.
typedef struct fa_slice {
    const char *text;
    int         length;
} fa_slice;

bool fa_slices_equal(fa_slice a, fa_slice b);

// Of a row with that name: the word of its owner, the name or number of its part (empty: it has
// none), its quantity without the axis, and with it.
fa_slice    fa_key_owner(const fa_row_key *key);
fa_slice    fa_key_part(const fa_row_key *key, const char *name);
fa_slice    fa_key_quantity(const fa_row_key *key, const char *name);
fa_slice    fa_key_rest(const fa_row_key *key, const char *name);
const char *fa_along_word(fa_along axis);
int         fa_along_family(fa_along axis); // how many axes belong together: 1, 3, 4 or 6
fa_along    fa_along_first(fa_along axis);  // of its family

// Whether a row is this quantity of an owner of this kind, along whichever axis.
bool fa_key_is(const fa_row_key *key, const char *name, fa_owner owner, const char *quantity);

// The name of an array of all parts or axes: joint.position, link.com, tip.force. With `rest` the
// quantity keeps its axis. Cut to size. `kept` is the key of the array.
void fa_key_array(const fa_row_key *key, const char *name, bool rest, char out[], size_t size,
                  fa_row_key *kept);

#endif
