// Writes JSON (RFC 8259), indented, with exact numbers.
#ifndef FA_JSON_H
#define FA_JSON_H

#include <stdbool.h>
#include <stdio.h>

#include "status.h"

typedef struct fa_json {
    FILE       *out; // in memory: nothing is shown of a document that fails
    char       *text;
    size_t      size;
    int         depth;
    const char *inside; // the key of what was opened last: lists have it for their numbers
    bool        filled; // the object or list that is open has something in it
    fa_status   status;
    fa_error   *error; // where the first failure is told
} fa_json;

// Begin, then end in one of two ways: written to a file (NULL or "-": to standard output, with an
// end of line), or taken as text, which the caller frees. Both leave nothing to release.
fa_status fa_json_begin(fa_json *json, fa_error *error);
fa_status fa_json_write(fa_json *json, const char *path);
fa_status fa_json_take(fa_json *json, char **text, size_t *size);

// `key` is NULL in a list and at the top.
void fa_json_open(fa_json *json, const char *key, char bracket);      // '{' or '['
void fa_json_close(fa_json *json, char bracket);                      // '}' or ']'
void fa_json_text(fa_json *json, const char *key, const char *value); // NULL: null
void fa_json_number(fa_json *json, const char *key, double value);    // must be finite
void fa_json_known(fa_json *json, const char *key, double value);     // not finite: null
void fa_json_bool(fa_json *json, const char *key, bool value);
void fa_json_numbers(fa_json *json, const char *key, const double value[], int n);

// As text: base64 of IEEE floats of four bytes, the lowest byte first.
void fa_json_floats(fa_json *json, const char *key, const float value[], size_t n);
void fa_json_bytes(fa_json *json, const char *key, const unsigned char bytes[], size_t n);

#endif
