// What results of the elements of a snake depend on, by the graphs of their laws.
#ifndef FA_SNAKE_ELEMENT_DEPENDS_H
#define FA_SNAKE_ELEMENT_DEPENDS_H

#include "snake_plant.h"

// What stands for a known row: parameters that states start from stand for these.
typedef struct fa_snake_known {
    fa_snake_quantity quantity;
    int               index;
} fa_snake_known;

// What a result reads: the known row itself, and what a place gives, bit by bit.
enum {
    FA_SNAKE_ROW_READS_ROW = 1,
    FA_SNAKE_ROW_READS_POSITION = 2,
    FA_SNAKE_ROW_READS_RATE = 4,
    FA_SNAKE_ROW_READS_TIME = 8,
    FA_SNAKE_ROW_READS_MASS = 16,
    FA_SNAKE_ROW_READS_GRAVITY = 32,
    FA_SNAKE_ROW_READS_FORCES = 64, // of the ground
    FA_SNAKE_ROW_READS_SPEED = 128
};

// Of the result in the row of this quantity, at joint or link `number`; FA_NOBODY: at any.
unsigned fa_snake_row_reads(fa_snake_quantity quantity, int number, const fa_snake_known *on);

// Of what drives a base that is told how to move: its speed (0) or its rate (1).
unsigned fa_snake_pace_reads(int which, const fa_snake_known *on);

// Whether results of these elements read the row.
typedef enum fa_snake_results {
    FA_SNAKE_ROW_TORQUES,      // all that act at joints
    FA_SNAKE_ROW_OWN_TORQUES,  // those that act without being driven
    FA_SNAKE_ROW_ROTORS,       // inertia at joints
    FA_SNAKE_ROW_ROLLING,      // forces along wheels
    FA_SNAKE_ROW_ACCELERATIONS // that are commanded
} fa_snake_results;
bool fa_snake_results_read(const fa_robot *robot, fa_snake_results results,
                           const fa_snake_known *on);

#endif
