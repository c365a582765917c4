// Growable table of samples in memory.
#include "recording.h"

#include <stdint.h>
#include <stdlib.h>

static fa_status no_memory(fa_error *error)
{
    return fa_fail(error, FA_NO_MEMORY, NULL, FA_NOWHERE,
                   "there is not enough memory for the result; take a longer --step");
}

bool fa_lines_grow(double **value, size_t *room, size_t n, size_t columns)
{
    if (n < *room) return true;
    const size_t more = 2 * *room + 64;
    double      *larger = more > SIZE_MAX / sizeof *larger / columns
                              ? NULL
                              : realloc(*value, more * columns * sizeof *larger);
    if (!larger) return false;
    *value = larger;
    *room = more;
    return true;
}

fa_status fa_recording_begin(const fa_state *state, const int wanted[], int n,
                             fa_recording *recording, fa_error *error)
{
    const fa_variables *table = &state->table;
    *recording = (fa_recording){.columns = 1};
    recording->row = calloc((size_t)table->n, sizeof *recording->row);
    if (!recording->row) return no_memory(error);
    recording->row[0] = table->first[FA_TIME];
    for (int i = 0; i < n; i++)
        if (fa_recording_column(recording, wanted[i]) < 0)
            recording->row[recording->columns++] = wanted[i];
    return FA_OK;
}

void fa_recording_free(fa_recording *recording)
{
    free(recording->row);
    free(recording->value);
    *recording = (fa_recording){.n = 0};
}

fa_status fa_recording_add(fa_recording *recording, const fa_state *state, fa_error *error)
{
    size_t columns = (size_t)recording->columns;
    if (!fa_lines_grow(&recording->value, &recording->room, recording->n, columns))
        return no_memory(error);
    double *line = recording->value + recording->n++ * columns;
    for (size_t i = 0; i < columns; i++) line[i] = state->value[recording->row[i]];
    return FA_OK;
}

int fa_recording_column(const fa_recording *recording, int row)
{
    for (int i = 0; i < recording->columns; i++)
        if (recording->row[i] == row) return i;
    return -1;
}
