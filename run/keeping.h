// Selects what a run keeps of each variable: its first or last sample, minimum, maximum, mean, or
// every sample.
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
    bool     all; // keeps every sample; no words
    int      n_words;
    fa_keep  word[FA_KEEPS];
    int      n;      // number of variables
    int     *row;    // row of each variable in the table
    unsigned groups; // groups that compute them
    double   lines;  // number of samples after the first
    size_t   size;   // number of values kept per run
} fa_keeping;

// Initialises an empty selection. The caller then fills in its words, or `all`, and its variables:
// row[] has room for all rows of the table. Release with fa_keeping_free, also after a failure.
fa_status fa_keeping_new(const fa_state *state, double lines, fa_keeping *keeping, fa_error *error);

// Completes the selection: finds the groups of its variables, and the number of values kept.
void fa_keeping_count(fa_keeping *keeping, const fa_variables *table);

// Selects states and outputs.
void fa_keeping_take_usual(fa_keeping *keeping, const fa_variables *table);
void fa_keeping_free(fa_keeping *keeping);

// Adds sample `line` of a run, from 0 to `lines`, in order: value[] has every row.
void fa_keeping_add(const fa_keeping *keeping, const double value[], double line, double kept[]);

#endif
