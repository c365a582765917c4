// Reserved words of the hosts' languages, which names must not be.
#ifndef FA_KEYWORDS_H
#define FA_KEYWORDS_H

#include <stdbool.h>

#define FA_OF_C        1u
#define FA_OF_MODELICA 2u
#define FA_OF_MATLAB   4u

// Returns true if one of the languages, a bit set, reserves the word.
bool fa_is_keyword(const char *word, unsigned languages);

#endif
