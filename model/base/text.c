// Validates UTF-8; escapes control characters for terminals.
#include "text.h"

#include <string.h>

size_t fa_text_character(const char *text, size_t size)
{
    const unsigned char *t = (const unsigned char *)text;
    unsigned char        c = t[0];
    size_t n = c < 0x80 ? 1 : c < 0xC2 ? 0 : c < 0xE0 ? 2 : c < 0xF0 ? 3 : c < 0xF5 ? 4 : 0;
    if (n == 0 || n > size) return 0;
    for (size_t i = 1; i < n; i++)
        if ((t[i] & 0xC0) != 0x80) return 0;
    if (c == 0xE0 && t[1] < 0xA0) return 0;
    if (c == 0xED && t[1] > 0x9F) return 0;
    if (c == 0xF0 && t[1] < 0x90) return 0;
    if (c == 0xF4 && t[1] > 0x8F) return 0;
    return n;
}

static bool is_control(const unsigned char *c)
{
    return *c < ' ' || *c == 127 || (*c == 0xC2 && c[1] >= 0x80 && c[1] < 0xA0);
}

bool fa_text_has_controls(const char *text)
{
    const unsigned char *c = (const unsigned char *)text;
    while (*c && !is_control(c)) c++;
    return *c != '\0';
}

// The first byte at or after `text` that may not be shown; the text's end if all may.
static char *unfit(char *text)
{
    size_t left = strlen(text);
    while (left > 0) {
        const size_t n = fa_text_character(text, left);
        if (n == 0 || is_control((const unsigned char *)text)) break;
        text += n;
        left -= n;
    }
    return text;
}

bool fa_text_is_plain(const char *text)
{
    return *unfit((char *)text) == '\0';
}

void fa_text_make_plain(char *text)
{
    while (*(text = unfit(text)) != '\0') *text = '?';
}
