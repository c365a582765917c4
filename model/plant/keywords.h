// Words that languages of hosts keep for themselves, so that no name may be one of them.
#ifndef FA_KEYWORDS_H
#define FA_KEYWORDS_H

#include <stdbool.h>

#define FA_OF_C        1u
#define FA_OF_MODELICA 2u
#define FA_OF_MATLAB   4u

// Whether one of the languages, a union of the bits above, keeps the word for itself.
bool fa_is_keyword(const char *word, unsigned languages);

#endif
