// Groups rows of a table into arrays, the first step of a view (view.h).
#ifndef FA_VIEW_GROUPS_H
#define FA_VIEW_GROUPS_H

#include "robot.h"
#include "variables.h"

typedef enum fa_array_shape {
    FA_ARRAY_NONE,     // a single row
    FA_ARRAY_OF_PARTS, // one row per part: link.mass
    FA_ARRAY_OF_AXES   // one row per axis, of one owner or of each part: tip.force, link.com
} fa_array_shape;

typedef struct fa_group {
    fa_array_shape shape;
    fa_variable    like; // the first member
    int            members;
    bool           sized;  // has as many elements as the robot has counted parts
    bool           of_all; // the last part has a row, too
    bool           broken; // during construction: rejected
} fa_group;

typedef struct fa_groups {
    const fa_robot *robot; // the robot of the rows
    int             n;
    fa_group       *of;   // in the order of their first rows
    int             last; // last one found: consecutive rows often have the same or the next group
} fa_groups;

#define FA_NO_GROUP (-1)
#define FA_NO_SIZE  0

// Builds the groups from the rows' keys; they point to names in the table. With a size, the table's
// robot has so many counted parts (links), and arrays need a member for the last part, or for the
// last but one if they belong to joints in between. Joints of several freedoms are in no array.
// Release with fa_groups_free.
fa_status fa_groups_make(const fa_robot *robot, const fa_variables *table, int size,
                         fa_groups *groups, fa_error *error);
void      fa_groups_free(fa_groups *groups);

// Returns the group of a row, of this or of another robot of the family; FA_NO_GROUP if there is
// none.
int fa_groups_find(fa_groups *groups, const fa_variable *row);

#endif
