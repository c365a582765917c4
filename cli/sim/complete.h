// What a word of a session that is half typed can become.
#ifndef FA_COMPLETE_H
#define FA_COMPLETE_H

#include <stdbool.h>
#include <stddef.h>

typedef struct fa_completions {
    size_t start; // where the word begins in the line
    size_t same;  // bytes that all of them have in common; of a directory its / too
    int    n, room;
    char **of; // n words, in order; a directory's ends in /
} fa_completions;

// Of the word that ends at line[cursor]. An answer to a question is the name of a file, if
// anything. Names of files with blanks come in quotation marks only. Release with
// fa_completions_free.
fa_completions fa_complete(const char *line, size_t cursor, bool is_answer);
void           fa_completions_free(fa_completions *completions);

#endif
