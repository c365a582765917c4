#include "json.h"

#include <math.h>
#include <stdint.h>
#include <string.h>

#include "number.h"

static void begin(fa_json *json, const char *key)
{
    if (json->filled) fputc(',', json->out);
    if (json->depth > 0) fprintf(json->out, "\n%*s", 2 * json->depth, "");
    json->filled = true;
    if (key) fprintf(json->out, "\"%s\": ", key); // our own words: nothing to escape
}

static void put_text(FILE *out, const char *text)
{
    fputc('"', out);
    for (; *text; text++) {
        unsigned char c = (unsigned char)*text;
        if (c == '"' || c == '\\')
            fprintf(out, "\\%c", c);
        else if (c < 0x20)
            fprintf(out, "\\u%04x", c);
        else
            fputc(c, out);
    }
    fputc('"', out);
}

static void put_number(FILE *out, double value)
{
    fputs(isfinite(value) ? fa_number_text(value).text : "null", out);
}

void fa_json_open(fa_json *json, const char *key, char bracket)
{
    begin(json, key);
    fputc(bracket, json->out);
    json->depth++;
    json->filled = false;
}

void fa_json_close(fa_json *json, char bracket)
{
    json->depth--;
    if (json->filled) fprintf(json->out, "\n%*s", 2 * json->depth, "");
    fputc(bracket, json->out);
    json->filled = true;
}

void fa_json_text(fa_json *json, const char *key, const char *value)
{
    begin(json, key);
    if (value)
        put_text(json->out, value);
    else
        fputs("null", json->out);
}

void fa_json_number(fa_json *json, const char *key, double value)
{
    begin(json, key);
    put_number(json->out, value);
}

void fa_json_bool(fa_json *json, const char *key, bool value)
{
    begin(json, key);
    fputs(value ? "true" : "false", json->out);
}

void fa_json_numbers(fa_json *json, const char *key, const double value[], int n)
{
    begin(json, key);
    fputc('[', json->out);
    for (int i = 0; i < n; i++) {
        if (i > 0) fputs(", ", json->out);
        put_number(json->out, value[i]);
    }
    fputc(']', json->out);
}

static void put_base64(FILE *out, const unsigned char byte[], int n)
{
    static const char digits[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    uint32_t          bits = 0;
    for (int i = 0; i < 3; i++) bits = bits << 8 | (i < n ? byte[i] : 0u);
    for (int i = 0; i < 4; i++) fputc(i > n ? '=' : digits[bits >> (18 - 6 * i) & 63], out);
}

void fa_json_floats(fa_json *json, const char *key, const float value[], size_t n)
{
    unsigned char group[3];
    int           filled = 0;
    begin(json, key);
    fputc('"', json->out);
    for (size_t i = 0; i < n; i++) {
        uint32_t bits;
        memcpy(&bits, &value[i], sizeof bits);
        for (int k = 0; k < 4; k++) {
            group[filled++] = (unsigned char)(bits >> 8 * k & 255);
            if (filled < 3) continue;
            put_base64(json->out, group, 3);
            filled = 0;
        }
    }
    if (filled > 0) put_base64(json->out, group, filled);
    fputc('"', json->out);
}
