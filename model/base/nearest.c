// Spelling suggestions by edit distance.
#include "nearest.h"

#include <limits.h>
#include <stdio.h>
#include <string.h>

#include "names.h"

fa_nearest fa_nearest_to(const char *word)
{
    return (fa_nearest){word, NULL, INT_MAX};
}

void fa_nearest_try(fa_nearest *nearest, const char *known)
{
    int apart = fa_words_apart(nearest->word, known);
    if (apart < nearest->apart) {
        nearest->best = known;
        nearest->apart = apart;
    }
}

const char *fa_nearest_found(const fa_nearest *nearest)
{
    return nearest->best && fa_words_close(nearest->word, nearest->apart) ? nearest->best : NULL;
}

fa_hint fa_nearest_hint(const fa_nearest *nearest, const char *otherwise)
{
    fa_hint     hint;
    const char *found = fa_nearest_found(nearest);
    if (found)
        snprintf(hint.text, sizeof hint.text, "did you mean '%s'?", found);
    else
        snprintf(hint.text, sizeof hint.text, "%s", otherwise);
    return hint;
}
