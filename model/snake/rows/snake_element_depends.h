// Dependencies of the results of a snake's elements, from the expression graphs of their laws.
#ifndef FA_SNAKE_ELEMENT_DEPENDS_H
#define FA_SNAKE_ELEMENT_DEPENDS_H

#include "snake_plant.h"

// A known row; a parameter that a state starts from is replaced by that state.
typedef struct fa_snake_known {
    fa_snake_quantity quantity;
    int               index;
} fa_snake_known;

// Reads of a result, as a bit set: the known row itself, and the givens of its place.
enum {
    FA_SNAKE_ROW_READS_ROW = 1,
    FA_SNAKE_ROW_READS_POSITION = 2,
    FA_SNAKE_ROW_READS_RATE = 4,
    FA_SNAKE_ROW_READS_TIME = 8,
    FA_SNAKE_ROW_READS_MASS = 16,
    FA_SNAKE_ROW_READS_GRAVITY = 32,
    FA_SNAKE_ROW_READS_FORCES = 64, // forces of the ground
    FA_SNAKE_ROW_READS_SPEED = 128
};

// Returns the reads of the result in the row of this quantity, at joint or link `number`;
// FA_NOBODY: at any.
unsigned fa_snake_row_reads(fa_snake_quantity quantity, int number, const fa_snake_known *on);

// Returns the reads of the prescribed base's speed (0) or rate (1).
unsigned fa_snake_pace_reads(int which, const fa_snake_known *on);

// Groups of results, for fa_snake_results_read.
typedef enum fa_snake_results {
    FA_SNAKE_ROW_TORQUES,      // all torques at joints
    FA_SNAKE_ROW_OWN_TORQUES,  // torques of elements that are no drives
    FA_SNAKE_ROW_ROTORS,       // inertia at joints
    FA_SNAKE_ROW_ROLLING,      // forces along wheels
    FA_SNAKE_ROW_ACCELERATIONS // prescribed accelerations
} fa_snake_results;
bool fa_snake_results_read(const fa_robot *robot, fa_snake_results results,
                           const fa_snake_known *on);

#endif
