// Hash table of names, so that files with many links take linear time; and spelling suggestions.
#ifndef FA_NAMES_H
#define FA_NAMES_H

#include <stdbool.h>
#include <stddef.h>

// Maps texts to numbers. It keeps pointers to the texts.
typedef struct fa_names {
    struct fa_names_entry {
        const char *name; // NULL: free
        int         index;
    } * entry;
    size_t mask;
} fa_names;

// Room for n names; false if there is no memory.
bool fa_names_new(fa_names *names, int n);
void fa_names_free(fa_names *names);

// Adds a name, or gives the index of the same name added before; -1 if it is new.
int fa_names_add(fa_names *names, const char *name, int index);

// -1 if it is not there.
int fa_names_find(const fa_names *names, const char *name);

// Returns the edit distance of two words: letters to change, add, remove or swap with their
// neighbour; differences of case count little. Words beyond 63 bytes are infinitely far.
int fa_words_apart(const char *a, const char *b);

// Returns true if a known word at that distance is a plausible correction.
bool fa_words_close(const char *word, int apart);

#endif
