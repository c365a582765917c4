// Splits a line of a session into words.
#ifndef FA_WORDS_H
#define FA_WORDS_H

#include "status.h"

typedef struct fa_word {
    const char *text;
    int         column; // column of its first character, from 1
} fa_word;

typedef struct fa_words {
    int      n;
    fa_word *of;
    char    *text; // storage of the words
} fa_words;

// Blanks separate words, and = is a word of its own; "…" and '…' protect blanks, = and # in a word.
// A # at the beginning of a word begins a comment. Errors name the column. Release with
// fa_words_free, also after a failure.
fa_status fa_words_split(const char *line, fa_words *words, fa_error *error);
void      fa_words_free(fa_words *words);

#endif
