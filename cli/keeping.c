#include "keeping.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "choice.h"

static const char *const names[FA_KEEPS] = {"first", "last", "min", "max", "mean"};

static fa_status read_word(const char *word, size_t size, fa_keeping *keeping, fa_error *error)
{
    for (int keep = 0; keep < FA_KEEPS; keep++) {
        if (strlen(names[keep]) != size || memcmp(names[keep], word, size) != 0) continue;
        for (int i = 0; i < keeping->n_words; i++)
            if (keeping->word[i] == (fa_keep)keep)
                return fa_fail(error, FA_UNFIT, NULL, FA_NOWHERE,
                               "--keep names '%s' twice; leave one out", names[keep]);
        keeping->word[keeping->n_words++] = (fa_keep)keep;
        return FA_OK;
    }
    return fa_fail(error, FA_UNFIT, NULL, FA_NOWHERE,
                   "--keep names '%.*s'; it can be all, or some of first, last, min, max, mean",
                   (int)size, word);
}

static fa_status read_words(const char *words, fa_keeping *keeping, fa_error *error)
{
    if (!words) words = "last";
    keeping->all = strcmp(words, "all") == 0;
    for (fa_status status = FA_OK; !keeping->all;) {
        const size_t size = strcspn(words, ",");
        status = read_word(words, size, keeping, error);
        if (status != FA_OK || !words[size]) return status;
        words += size + 1;
    }
    return FA_OK;
}

fa_status fa_keeping_new(const fa_state *state, const char *words, const char *list, double lines,
                         fa_keeping *keeping, fa_error *error)
{
    const fa_variables *table = &state->table;
    *keeping = (fa_keeping){.lines = lines, .row = calloc((size_t)table->n, sizeof(int))};
    if (!keeping->row)
        return fa_fail(error, FA_NO_MEMORY, NULL, FA_NOWHERE,
                       "there is not enough memory for the result");
    fa_status status = read_words(words, keeping, error);
    if (status == FA_OK && list)
        status = fa_choose(state, list, "--variables", keeping->row, &keeping->n, error);
    for (int row = 0; row < table->n && !list; row++)
        if (table->row[row].role == FA_STATE || table->row[row].role == FA_OUTPUT)
            keeping->row[keeping->n++] = row;
    for (int i = 0; i < keeping->n; i++) keeping->groups |= table->row[keeping->row[i]].group;
    // What no memory holds is too much, and not a wrong number.
    const double size = keeping->n * (keeping->all ? lines + 1 : keeping->n_words);
    keeping->size = size < (double)(SIZE_MAX / 2) ? (size_t)size : SIZE_MAX / 2;
    return status;
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
            case FA_KEEP_MEAN: // a sum until the last one
                *kept = line > 0 ? *kept + now : now;
                if (line == keeping->lines) *kept /= line + 1;
                break;
            default:
                if (line == 0 || keeping->word[k] == FA_KEEP_LAST) *kept = now;
                break;
            }
        }
}

void fa_keeping_put_names(const fa_keeping *keeping, const fa_variables *table, fa_csv_writer *out)
{
    for (int i = 0; i < keeping->n; i++) {
        const char *name = table->row[keeping->row[i]].name;
        if (keeping->n_words < 2) fa_csv_put_name(out, name);
        for (int k = 0; k < keeping->n_words && keeping->n_words > 1; k++)
            fa_csv_put_name_of(out, name, names[keeping->word[k]]);
    }
}

void fa_keeping_put(const fa_keeping *keeping, const double kept[], double line, fa_csv_writer *out)
{
    const size_t  n = (size_t)keeping->n * (size_t)(keeping->all ? 1 : keeping->n_words);
    const double *from = kept + (keeping->all ? (size_t)line * n : 0);
    for (size_t i = 0; i < n; i++) fa_csv_put_number(out, from[i]);
}

void fa_keeping_put_nothing(const fa_keeping *keeping, fa_csv_writer *out)
{
    const int n = keeping->n * (keeping->all ? 1 : keeping->n_words);
    for (int i = 0; i < n; i++) fa_csv_put_name(out, "");
}
