// Writes JSON (RFC 8259), indented, with exact numbers.
#ifndef FA_JSON_H
#define FA_JSON_H

#include <stdbool.h>
#include <stdio.h>

typedef struct fa_json {
    FILE *out;
    int   depth;
    bool  filled; // the object or list that is open has something in it
} fa_json;

// `key` is NULL in a list and at the top.
void fa_json_open(fa_json *json, const char *key, char bracket);      // '{' or '['
void fa_json_close(fa_json *json, char bracket);                      // '}' or ']'
void fa_json_text(fa_json *json, const char *key, const char *value); // NULL: null
void fa_json_number(fa_json *json, const char *key, double value);    // not finite: null
void fa_json_bool(fa_json *json, const char *key, bool value);
void fa_json_numbers(fa_json *json, const char *key, const double value[], int n);

// As text: base64 of IEEE floats of four bytes, the lowest byte first.
void fa_json_floats(fa_json *json, const char *key, const float value[], size_t n);

#endif
