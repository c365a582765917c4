// Which rows of a table make an array: the first half of what a view is (view.h).
#ifndef FA_VIEW_GROUPS_H
#define FA_VIEW_GROUPS_H

#include "robot.h"
#include "variables.h"

typedef enum fa_array_shape {
    FA_ARRAY_NONE,     // a row by itself
    FA_ARRAY_OF_PARTS, // one row for each part: link.mass
    FA_ARRAY_OF_AXES   // one row for each axis, of one thing or of each part: tip.force, link.com
} fa_array_shape;

typedef struct fa_group {
    fa_array_shape shape;
    fa_variable    like; // the first member
    int            members;
    bool           sized;  // as many elements as the robot has parts that can be counted
    bool           of_all; // the last of them has a row, too
    bool           broken; // while groups are being made: not what it seemed
} fa_group;

typedef struct fa_groups {
    const fa_robot *robot; // whose rows they are of
    int             n;
    fa_group       *of;   // in the order of their first rows
    int             last; // found last: rows come in runs, or in turns
} fa_groups;

#define FA_NO_GROUP (-1)
#define FA_NO_SIZE  0

// Groups point to names in the table, and are made by the rows' keys. With a size, the table is
// that of a robot with so many parts that can be counted (links); then arrays are what has a member
// of the last one or, of what is between them, of the last but one. Joints of several freedoms are
// in no array: each keeps the names of its own. Release with fa_groups_free.
fa_status fa_groups_make(const fa_robot *robot, const fa_variables *table, int size,
                         fa_groups *groups, fa_error *error);
void      fa_groups_free(fa_groups *groups);

// The group of a row, of this or of another robot of the kind; FA_NO_GROUP if there is none.
int fa_groups_find(fa_groups *groups, const fa_variable *row);

#endif
