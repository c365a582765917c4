// Text that strangers wrote: what in it is a character, and what of it may be shown.
//
// Terminals take orders from control characters, those of ASCII and those that UTF-8 writes as
// C2 80 to C2 9F: a name with some of them could clear the screen, or look like another message.
#ifndef FA_TEXT_H
#define FA_TEXT_H

#include <stdbool.h>
#include <stddef.h>

// Length [bytes] of the UTF-8 character at text[0..size), 0 if there is none: overlong forms,
// surrogates and what lies beyond U+10FFFF are none. size is at least 1.
size_t fa_text_character(const char *text, size_t size);

// Whatever the encoding.
bool fa_text_has_controls(const char *text);

// UTF-8 without control characters.
bool fa_text_is_plain(const char *text);

// Puts '?' for each byte that keeps a text from being plain.
void fa_text_make_plain(char *text);

#endif
