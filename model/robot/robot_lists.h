// What follows the links in a robot's block of memory: lists, one behind the other.
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

// How many of each.
typedef struct fa_robot_lists {
    int n[FA_LISTS];
} fa_robot_lists;

size_t         fa_robot_lists_size(const fa_robot_lists *lists); // in bytes
fa_robot_lists fa_robot_lists_of(const fa_robot *robot);

// An item of a list, of so many bytes.
size_t fa_robot_item_size(int which);
void  *fa_robot_item(const fa_robot *robot, int which, int index);

// The robot in a new block, with as many of each as is said: its own, then zeros. The old block is
// released; NULL, and nothing has changed, when there is no memory.
fa_robot *fa_robot_with_lists(fa_robot *robot, const fa_robot_lists *lists);

#endif
