// What a variable's name says about the array that it belongs to.
#ifndef FA_VIEW_NAMES_H
#define FA_VIEW_NAMES_H

#include <stdbool.h>
#include <stddef.h>

typedef struct fa_slice {
    const char *text;
    int         length;
} fa_slice;

// joint.elbow.position: kind joint, part elbow, rest position.
// link.upper.com.x:     kind link, part upper, rest com.x; without the axis: com.
// link3.mass:           kind link, part 3, rest mass.
// tip.force.x:          kind and part empty, rest tip.force.x; without the axis: tip.force.
typedef struct fa_parsed_name {
    fa_slice           kind, part, rest, base; // base: rest without the axis
    const char *const *axes; // whose names end in one of these; NULL: not such a name
    int                n_axes;
    fa_slice           axis;
} fa_parsed_name;

fa_parsed_name fa_parse_name(const char *name);

bool fa_slices_equal(fa_slice a, fa_slice b);
bool fa_slice_equals(fa_slice a, const char *text);
int  fa_slice_number(fa_slice digits); // 0: it is no number

// A description of one element as one of all: of "link i" where it says "link upper", of "x, y, z"
// where it names one axis. Cut to size.
void fa_describe_all(const char *description, const fa_parsed_name *name, char out[], size_t size);

#endif
