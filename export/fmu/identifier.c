// Identifiers that are valid in C and Modelica.
#include <string.h>

#include "export.h"
#include "keywords.h"

// Returns true for words reserved in C or Modelica: an FMU's identifier becomes a function prefix
// in C and a class in Modelica.
static bool is_reserved(const char *name)
{
    return fa_is_keyword(name, FA_OF_C | FA_OF_MODELICA);
}

// Independent of the locale, unlike isalpha.
static bool is_letter(char c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_';
}

static bool is_digit(char c)
{
    return c >= '0' && c <= '9';
}

void fa_identifier(const char *name, char identifier[FA_NAME_SIZE])
{
    size_t length = 0;
    if (!is_letter(name[0]) || is_reserved(name)) identifier[length++] = '_';
    for (const char *c = name; *c && length < FA_NAME_SIZE - 1; c++) {
        // One '_' for each character, not for each of its UTF-8 bytes.
        if (((unsigned char)*c & 0xC0) == 0x80) continue;
        identifier[length++] = is_letter(*c) || is_digit(*c) ? *c : '_';
    }
    identifier[length] = '\0';
}

bool fa_identifier_fits(const char *name)
{
    if (!is_letter(name[0]) || is_reserved(name) || strlen(name) >= FA_NAME_SIZE) return false;
    for (const char *c = name; *c; c++) {
        if (!is_letter(*c) && !is_digit(*c)) return false;
    }
    return true;
}
