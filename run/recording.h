// The numbers of a simulation kept in memory, for pages and plots.
#ifndef FA_RECORDING_H
#define FA_RECORDING_H

#include <stddef.h>

#include "state.h"

typedef struct fa_recording {
    int     columns;
    int    *row;  // of the table of variables, for each column; the first is time
    size_t  n;    // lines
    size_t  room; // lines
    double *value;
} fa_recording;

// Columns: time, and the n rows that `wanted` names, each once. Release with fa_recording_free,
// also after a failure.
fa_status fa_recording_begin(const fa_state *state, const int wanted[], int n,
                             fa_recording *recording, fa_error *error);
void      fa_recording_free(fa_recording *recording);

// One more line: the values as they stand.
fa_status fa_recording_add(fa_recording *recording, const fa_state *state, fa_error *error);

// Makes room for line n of a table of so many columns, `*room` lines long so far; false if there is
// no memory, and the table is as it was.
bool fa_lines_grow(double **value, size_t *room, size_t n, size_t columns);

static inline double fa_recorded(const fa_recording *recording, size_t line, int column)
{
    return recording->value[line * (size_t)recording->columns + (size_t)column];
}

// The column of a variable, by the row that it has in the table; -1: none.
int fa_recording_column(const fa_recording *recording, int row);

#endif
