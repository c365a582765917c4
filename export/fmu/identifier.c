// Names that C and Modelica both take.
#include <stdlib.h>
#include <string.h>

#include "export.h"

// Sorted. An FMU's identifier becomes a function prefix in C and a class in Modelica.
static const char *const reserved[] = {
    "algorithm",     "and",      "annotation", "assert",    "auto",         "block",     "break",
    "case",          "char",     "class",      "connect",   "connector",    "const",     "constant",
    "constrainedby", "continue", "default",    "der",       "discrete",     "do",        "double",
    "each",          "else",     "elseif",     "elsewhen",  "encapsulated", "end",       "enum",
    "enumeration",   "equation", "expandable", "extends",   "extern",       "external",  "false",
    "final",         "float",    "flow",       "for",       "function",     "goto",      "if",
    "import",        "impure",   "in",         "initial",   "inline",       "inner",     "input",
    "int",           "long",     "loop",       "model",     "not",          "operator",  "or",
    "outer",         "output",   "package",    "parameter", "partial",      "protected", "public",
    "pure",          "record",   "redeclare",  "register",  "replaceable",  "restrict",  "return",
    "short",         "signed",   "sizeof",     "static",    "stream",       "struct",    "switch",
    "then",          "true",     "type",       "typedef",   "union",        "unsigned",  "void",
    "volatile",      "when",     "while",      "within",
};

static int compare(const void *name, const void *entry)
{
    return strcmp(name, *(const char *const *)entry);
}

static bool is_reserved(const char *name)
{
    size_t n = sizeof reserved / sizeof *reserved;
    return bsearch(name, reserved, n, sizeof *reserved, compare) != NULL;
}

// Not isalpha and the like: they follow the locale.
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
        // One '_' for a character of several bytes, not one for each of them.
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
