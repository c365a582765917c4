// What results of the elements of a snake depend on, by the graphs of their laws.
#ifndef FA_SNAKE_ELEMENT_DEPENDS_H
#define FA_SNAKE_ELEMENT_DEPENDS_H

#include "snake_plant.h"

// What stands for a known row: parameters that states start from stand for these.
typedef struct fa_crawl_known {
    fa_crawl quantity;
    int      index;
} fa_crawl_known;

// What a result reads: the known row itself, and what a place gives, bit by bit.
enum {
    FA_CRAWL_READS_ROW = 1,
    FA_CRAWL_READS_POSITION = 2,
    FA_CRAWL_READS_RATE = 4,
    FA_CRAWL_READS_TIME = 8,
    FA_CRAWL_READS_MASS = 16,
    FA_CRAWL_READS_GRAVITY = 32,
    FA_CRAWL_READS_FORCES = 64, // of the ground
    FA_CRAWL_READS_SPEED = 128
};

// Of the result in the row of this quantity, at joint or link `number`; FA_NOBODY: at any.
unsigned fa_crawl_row_reads(fa_crawl quantity, int number, const fa_crawl_known *on);

// Of what drives a base that is told how to move: its speed (0) or its rate (1).
unsigned fa_crawl_pace_reads(int which, const fa_crawl_known *on);

// Whether results of these elements read the row.
typedef enum fa_crawl_results {
    FA_CRAWL_TORQUES,      // all that act at joints
    FA_CRAWL_OWN_TORQUES,  // those that act without being driven
    FA_CRAWL_ROTORS,       // inertia at joints
    FA_CRAWL_ROLLING,      // forces along wheels
    FA_CRAWL_ACCELERATIONS // that are commanded
} fa_crawl_results;
bool fa_crawl_results_read(const fa_robot *robot, fa_crawl_results results,
                           const fa_crawl_known *on);

#endif
