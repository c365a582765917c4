// Spelling suggestion: the known word with the least edit distance.
#ifndef FA_NEAREST_H
#define FA_NEAREST_H

typedef struct fa_nearest {
    const char *word; // as it was typed
    const char *best; // nearest known word so far; NULL: none yet
    int         apart;
} fa_nearest;

fa_nearest fa_nearest_to(const char *word);
void       fa_nearest_try(fa_nearest *nearest, const char *known);

// The nearest word that was tried, NULL if none comes near enough to be meant.
const char *fa_nearest_found(const fa_nearest *nearest);

// The end of a sentence: "did you mean 'x'?", or `otherwise`.
typedef struct fa_hint {
    char text[256];
} fa_hint;
fa_hint fa_nearest_hint(const fa_nearest *nearest, const char *otherwise);

#endif
