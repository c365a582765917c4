// Lists behind the links in a robot's block of memory.
#ifndef FA_ROBOT_LISTS_H
#define FA_ROBOT_LISTS_H

#include "robot.h"

enum {
    FA_LIST_CYLINDERS,
    FA_LIST_LOOPS,
    FA_LIST_CONTACTS,
    FA_LIST_OBSTACLES,
    FA_LIST_SPRINGS,
    FA_LIST_NODES,
    FA_LIST_PARTS,
    FA_LIST_EDGES,
    FA_LIST_THINGS,
    FA_LISTS
};

// Number of entries in each list.
typedef struct fa_robot_lists {
    int n[FA_LISTS];
} fa_robot_lists;

size_t         fa_robot_lists_size(const fa_robot_lists *lists); // in bytes
fa_robot_lists fa_robot_lists_of(const fa_robot *robot);

// An item of a list, of so many bytes.
size_t fa_robot_item_size(int which);
void  *fa_robot_item(const fa_robot *robot, int which, int index);

// Returns the robot in a new block with these numbers of entries: the old ones, then zeros.
// Releases the old block. NULL without memory, and nothing changes.
fa_robot *fa_robot_with_lists(fa_robot *robot, const fa_robot_lists *lists);

#endif
