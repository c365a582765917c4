// Reduces the samples of each variable to its first, last, minimum, maximum and mean, or keeps all.
#include "keeping.h"

#include <math.h>
#include <stdint.h>
#include <stdlib.h>

fa_status fa_keeping_new(const fa_state *state, double lines, fa_keeping *keeping, fa_error *error)
{
    *keeping = (fa_keeping){.lines = lines, .row = calloc((size_t)state->table.n, sizeof(int))};
    if (keeping->row) return FA_OK;
    return fa_fail(error, FA_NO_MEMORY, NULL, FA_NOWHERE,
                   "there is not enough memory for the result");
}

void fa_keeping_take_usual(fa_keeping *keeping, const fa_variables *table)
{
    keeping->n = 0;
    for (int row = 0; row < table->n; row++)
        if (table->row[row].role == FA_STATE || table->row[row].role == FA_OUTPUT)
            keeping->row[keeping->n++] = row;
}

void fa_keeping_count(fa_keeping *keeping, const fa_variables *table)
{
    for (int i = 0; i < keeping->n; i++) keeping->groups |= table->row[keeping->row[i]].group;
    // A size beyond every memory saturates instead of overflowing.
    const double size = keeping->n * (keeping->all ? keeping->lines + 1 : keeping->n_words);
    keeping->size = size < (double)(SIZE_MAX / 2) ? (size_t)size : SIZE_MAX / 2;
}

void fa_keeping_free(fa_keeping *keeping)
{
    free(keeping->row);
}

void fa_keeping_add(const fa_keeping *keeping, const double value[], double line, double kept[])
{
    const int n = keeping->n;
    for (int i = 0; i < n && keeping->all; i++)
        kept[(size_t)line * (size_t)n + (size_t)i] = value[keeping->row[i]];
    for (int i = 0; i < n && !keeping->all; i++)
        for (int k = 0; k < keeping->n_words; k++, kept++) {
            const double now = value[keeping->row[i]];
            switch (keeping->word[k]) {
            case FA_KEEP_MIN:
                *kept = line > 0 ? fmin(*kept, now) : now;
                break;
            case FA_KEEP_MAX:
                *kept = line > 0 ? fmax(*kept, now) : now;
                break;
            case FA_KEEP_MEAN: // a sum until the last sample
                *kept = line > 0 ? *kept + now : now;
                if (line == keeping->lines) *kept /= line + 1;
                break;
            default:
                if (line == 0 || keeping->word[k] == FA_KEEP_LAST) *kept = now;
                break;
            }
        }
}
