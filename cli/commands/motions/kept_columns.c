// Parses --keep and --variables into a list of columns.
#include "kept_columns.h"

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

fa_status fa_keeping_read(const fa_state *state, const char *words, const char *list, double lines,
                          fa_keeping *keeping, fa_error *error)
{
    fa_status status = fa_keeping_new(state, lines, keeping, error);
    if (status == FA_OK) status = read_words(words, keeping, error);
    if (status == FA_OK && list)
        status = fa_choose(state, list, "--variables", keeping->row, &keeping->n, error);
    if (!list && status == FA_OK) fa_keeping_take_usual(keeping, &state->table);
    fa_keeping_count(keeping, &state->table);
    return status;
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

void fa_keeping_add_fields(const fa_keeping *keeping, const fa_variables *table, fa_arrays *arrays)
{
    const size_t count = keeping->all ? (size_t)keeping->lines + 1 : 1;
    for (int i = 0; i < keeping->n; i++) {
        const char *name = table->row[keeping->row[i]].name;
        if (keeping->n_words < 2) fa_arrays_add(arrays, name, NULL, count);
        for (int k = 0; k < keeping->n_words && keeping->n_words > 1; k++)
            fa_arrays_add(arrays, name, names[keeping->word[k]], count);
    }
}
