// What is kept of a motion: of each variable its first or last sample, the smallest, the largest,
// the mean of all, or every one.
#ifndef FA_KEEPING_H
#define FA_KEEPING_H

#include "state.h"

typedef enum fa_keep {
    FA_KEEP_FIRST,
    FA_KEEP_LAST,
    FA_KEEP_MIN,
    FA_KEEP_MAX,
    FA_KEEP_MEAN,
    FA_KEEPS
} fa_keep;

typedef struct fa_keeping {
    bool     all; // every sample, and no words
    int      n_words;
    fa_keep  word[FA_KEEPS];
    int      n;      // variables
    int     *row;    // of the table, for each of them
    unsigned groups; // that calculate them
    double   lines;  // samples behind the one at the start
    size_t   size;   // numbers that are kept of a motion
} fa_keeping;

// Keeps nothing yet. Its words, or `all`, are the caller's to fill in, as are its variables: row[]
// has room for all of the table. Release with fa_keeping_free, also after a failure.
fa_status fa_keeping_new(const fa_state *state, double lines, fa_keeping *keeping, fa_error *error);

// When they are there: finds what calculates them, and how much is kept.
void fa_keeping_count(fa_keeping *keeping, const fa_variables *table);

// Takes states and outputs for its variables.
void fa_keeping_take_usual(fa_keeping *keeping, const fa_variables *table);
void fa_keeping_free(fa_keeping *keeping);

// Sample number `line` of a motion, from 0 to `lines`, in turn: value[] has every row.
void fa_keeping_add(const fa_keeping *keeping, const double value[], double line, double kept[]);

#endif
