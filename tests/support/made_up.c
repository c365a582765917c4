// Changes one word of a robot file and makes its hash fit.
#include "made_up.h"

#include <stdbool.h>
#include <stdio.h>
#include <string.h>

// Integers and flags; numbers; then what follows from the word itself.
static const char *const integers[] = {"0", "1",          "-1",         "2",
                                       "7", "1000000000", "2147483647", "-2147483648"};
static const char *const numbers[] = {"0x0p+0",
                                      "0x1p+0",
                                      "-0x1p+0",
                                      "0x1.dcd65p+29",
                                      "nan",
                                      "inf",
                                      "-inf",
                                      "0x1.fffffffffffffp+1023",
                                      "-0x1p+1000",
                                      "0x1p-1074",
                                      "0x1.921fb54442d18p+1",
                                      "-0x0p+0"};

// The end of the word that begins at `at`, which is the end of its line or a blank.
static size_t end_of(const char *text, size_t size, size_t at)
{
    while (at < size && text[at] != ' ' && text[at] != '\n') at++;
    return at;
}

// The next word behind `at` that is not the first of its line.
static size_t next_word(const char *text, size_t size, size_t at)
{
    while (at < size && text[at] != ' ') at++;
    return at < size ? at + 1 : size;
}

size_t made_up_words(const char *text, size_t size)
{
    size_t n = 0;
    for (size_t at = next_word(text, size, 0); at < size; at = next_word(text, size, at)) n++;
    return n;
}

static bool looks_hexadecimal(const char *word, size_t length)
{
    return length >= 2 && (memchr(word, 'x', length) || memchr(word, 'f', length));
}

size_t made_up(const char *text, size_t size, size_t word, size_t way, char out[], size_t room)
{
    size_t at = next_word(text, size, 0), before = at;
    for (; word > 0 && at < size; word--) {
        before = at;
        at = next_word(text, size, at);
    }
    if (at >= size) return 0;
    const size_t end = end_of(text, size, at);
    const bool   number = looks_hexadecimal(text + at, end - at);
    const size_t n = number ? sizeof numbers / sizeof *numbers : sizeof integers / sizeof *integers;
    char         own[600];
    const char  *instead = own;
    if (way < n)
        instead = number ? numbers[way] : integers[way];
    else if (way == n) // another sign
        (void)snprintf(own, sizeof own, "%s%.*s", text[at] == '-' ? "" : "-",
                       (int)(end - at - (text[at] == '-')), text + at + (text[at] == '-'));
    else if (way == n + 1) // the word before it
        (void)snprintf(own, sizeof own, "%.*s", (int)(end_of(text, size, before) - before),
                       text + before);
    else
        return 0;
    const size_t length = strlen(instead);
    if (at + length + (size - end) > room) return 0;
    memcpy(out, text, at);
    memcpy(out + at, instead, length);
    memcpy(out + at + length, text + end, size - end);
    return at + length + (size - end);
}
