// Writes JSON (RFC 8259), indented, with exact numbers.
#ifndef FA_JSON_H
#define FA_JSON_H

#include <stdbool.h>
#include <stdio.h>

#include "status.h"

typedef struct fa_json {
    FILE       *out; // memory stream: a document that fails prints nothing
    char       *text;
    size_t      size;
    int         depth;
    const char *inside; // the key of the innermost list or object, for messages
    bool        filled; // the open object or list is not empty
    fa_status   status;
    fa_error   *error; // receives the first failure
} fa_json;

// fa_json_begin is followed by one of two ends: written to a file (NULL or "-": to standard output,
// with an end of line), or taken as text, which the caller frees. Both release all memory.
fa_status fa_json_begin(fa_json *json, fa_error *error);
fa_status fa_json_write(fa_json *json, const char *path);
fa_status fa_json_take(fa_json *json, char **text, size_t *size);

// `key` is NULL in a list and at the top.
void fa_json_open(fa_json *json, const char *key, char bracket);      // '{' or '['
void fa_json_close(fa_json *json, char bracket);                      // '}' or ']'
void fa_json_text(fa_json *json, const char *key, const char *value); // null for NULL
void fa_json_number(fa_json *json, const char *key, double value);    // must be finite
void fa_json_known(fa_json *json, const char *key, double value);     // null if not finite
void fa_json_bool(fa_json *json, const char *key, bool value);
void fa_json_numbers(fa_json *json, const char *key, const double value[], int n);

// Writes an array as base64 of little-endian IEEE single-precision numbers.
void fa_json_floats(fa_json *json, const char *key, const float value[], size_t n);
void fa_json_bytes(fa_json *json, const char *key, const unsigned char bytes[], size_t n);

#endif
