// The types of loops, a row each: which relative motions of two frames a loop forbids. P is the
// loop's frame on its predecessor, S that on its successor.
#ifndef FA_LOOP_TYPES_H
#define FA_LOOP_TYPES_H

#include <stdbool.h>

// Directions of rows, fixed in P: all three; the two across the axis; the one along it.
typedef enum fa_loop_rows {
    FA_ROWS_NONE,
    FA_ROWS_ALL,
    FA_ROWS_ACROSS,
    FA_ROWS_ALONG,
} fa_loop_rows;

// code; name in files; rows on position; rows on orientation; further rows, of its own kind.
#define FA_LOOP_LIST(X)                                                                            \
    X(FA_LOOP_FIXED, "fixed", FA_ROWS_ALL, FA_ROWS_ALL, 0)                                         \
    X(FA_LOOP_REVOLUTE, "revolute", FA_ROWS_ALL, FA_ROWS_ACROSS, 0)                                \
    X(FA_LOOP_PRISMATIC, "prismatic", FA_ROWS_ACROSS, FA_ROWS_ALL, 0)                              \
    X(FA_LOOP_CYLINDRICAL, "cylindrical", FA_ROWS_ACROSS, FA_ROWS_ACROSS, 0)                       \
    X(FA_LOOP_SPHERICAL, "spherical", FA_ROWS_ALL, FA_ROWS_NONE, 0)                                \
    X(FA_LOOP_UNIVERSAL, "universal", FA_ROWS_ALL, FA_ROWS_NONE, 1)                                \
    X(FA_LOOP_PLANAR, "planar", FA_ROWS_ALONG, FA_ROWS_ACROSS, 0)                                  \
    X(FA_LOOP_DISTANCE, "distance", FA_ROWS_NONE, FA_ROWS_NONE, 1)                                 \
    X(FA_LOOP_COUPLING, "coupling", FA_ROWS_NONE, FA_ROWS_NONE, 1)                                 \
    X(FA_LOOP_RELATION, "relation", FA_ROWS_NONE, FA_ROWS_NONE, 1)

typedef enum fa_loop_type {
#define X(code, name, position, orientation, further) code,
    FA_LOOP_LIST(X)
#undef X
        FA_LOOP_TYPE_COUNT
} fa_loop_type;

typedef struct fa_loop_kind {
    const char  *name;
    fa_loop_rows position, orientation;
    int          further;
} fa_loop_kind;

extern const fa_loop_kind fa_loop_kinds[FA_LOOP_TYPE_COUNT];

// The type of this name; false: there is none, and *type stays. "continuous" is revolute.
bool fa_loop_type_named(const char *name, fa_loop_type *type);

// Rows of a loop of this type, at most six.
int fa_loop_row_count(fa_loop_type type);

#define FA_LOOP_ROWS_MAX 6

// A constraint between the positions of joints, with no frames that it holds together.
bool fa_loop_is_of_positions(fa_loop_type type);

// A relation: the sum of polynomials, one of each of its joints' positions, is zero.
#define FA_RELATION_TERMS  8
#define FA_RELATION_DEGREE 4

typedef struct fa_relation_term {
    int    of;                                  // a robot's link, or a chain's body
    double coefficient[FA_RELATION_DEGREE + 1]; // of the powers of its joint's position
} fa_relation_term;

#endif
