// Tokeniser of session lines: words, quotes, comments.
#include "words.h"

#include <stdlib.h>
#include <string.h>

static const char blanks[] = " \t\r\n";

// Moves one word from `from` to `to`, which never overtakes it. Returns NULL if a quote is not
// closed.
static const char *take(const char *from, char **to)
{
    if (*from == '=') {
        *(*to)++ = *from++;
        return from;
    }
    while (*from && !strchr(blanks, *from) && *from != '=') {
        char quote = *from;
        if (quote != '"' && quote != '\'') {
            *(*to)++ = *from++;
            continue;
        }
        for (from++; *from != quote; from++) {
            if (!*from) return NULL;
            *(*to)++ = *from;
        }
        from++;
    }
    return from;
}

fa_status fa_words_split(const char *line, fa_words *words, fa_error *error)
{
    size_t room = strlen(line) + 1;
    *words = (fa_words){.of = malloc(room * sizeof *words->of), .text = malloc(2 * room)};
    if (!words->of || !words->text)
        return fa_fail(error, FA_NO_MEMORY, NULL, FA_NOWHERE,
                       "there is not enough memory for the line");
    char *to = words->text;
    for (const char *from = line; from;) {
        from += strspn(from, blanks);
        if (!*from || *from == '#') return FA_OK;
        words->of[words->n] = (fa_word){to, (int)(from - line) + 1};
        from = take(from, &to);
        *to++ = '\0';
        if (from) words->n++;
    }
    return fa_fail(error, FA_BAD_INPUT, NULL, (fa_place){0, words->of[words->n].column},
                   "a quotation mark is not closed");
}

void fa_words_free(fa_words *words)
{
    free(words->of);
    free(words->text);
    *words = (fa_words){.n = 0};
}
