// Recording of a simulation in memory, for pages and plots.
#ifndef FA_RECORDING_H
#define FA_RECORDING_H

#include <stddef.h>

#include "state.h"

typedef struct fa_recording {
    int     columns;
    int    *row;  // row of each column in the table; the first is time
    size_t  n;    // number of lines
    size_t  room; // capacity in lines
    double *value;
} fa_recording;

// Begins a recording of time and of the n rows in `wanted`, each once. Release with
// fa_recording_free, also after a failure.
fa_status fa_recording_begin(const fa_state *state, const int wanted[], int n,
                             fa_recording *recording, fa_error *error);
void      fa_recording_free(fa_recording *recording);

// Appends the current values as a line.
fa_status fa_recording_add(fa_recording *recording, const fa_state *state, fa_error *error);

// Grows a table to hold line n of `columns` numbers; `*room` is its capacity in lines. Returns
// false without memory, and leaves the table unchanged.
bool fa_lines_grow(double **value, size_t *room, size_t n, size_t columns);

static inline double fa_recorded(const fa_recording *recording, size_t line, int column)
{
    return recording->value[line * (size_t)recording->columns + (size_t)column];
}

// Returns the column of a row of the table; -1: not recorded.
int fa_recording_column(const fa_recording *recording, int row);

#endif
