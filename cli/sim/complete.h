// Completion of an incomplete word of a session.
#ifndef FA_COMPLETE_H
#define FA_COMPLETE_H

#include <stdbool.h>
#include <stddef.h>

typedef struct fa_completions {
    size_t start; // offset of the word in the line
    size_t same;  // length of the common prefix in bytes; includes the / of a directory
    int    n, room;
    char **of; // n candidates, sorted; a directory's ends in /
} fa_completions;

// Completes the word that ends at line[cursor]. An answer to a question is completed as a file
// name. File names with blanks are completed only inside quotation marks. Release with
// fa_completions_free.
fa_completions fa_complete(const char *line, size_t cursor, bool is_answer);
void           fa_completions_free(fa_completions *completions);

#endif
