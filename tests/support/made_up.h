// A robot file with one word changed: each number, flag, index and name in turn, to what strangers
// would write there.
#ifndef MADE_UP_H
#define MADE_UP_H

#include <stddef.h>

#define MADE_UP_VALUES 16 // ways to change a word

// Words behind the keys of the lines: all that can be changed.
size_t made_up_words(const char *text, size_t size);

// The text with the word of that number changed in this way; 0: there is no room for it, or this
// way is not one for this word.
size_t made_up(const char *text, size_t size, size_t word, size_t way, char out[], size_t room);

#endif
