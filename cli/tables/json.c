// Streaming JSON writer with a stack of open objects and arrays.
#include "json.h"

#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "base64.h"
#include "files.h"
#include "number.h"
#include "promise.h"
#include "streams.h"

static void begin(fa_json *json, const char *key)
{
    if (json->filled) fputc(',', json->out);
    if (json->depth > 0) fprintf(json->out, "\n%*s", 2 * json->depth, "");
    json->filled = true;
    if (key) fprintf(json->out, "\"%s\": ", key); // our own keys need no escapes
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

// Reports the first number that is not finite; the document fails.
static void promise(fa_json *json, const char *key, double value)
{
    char what[64];
    if (json->status != FA_OK || isfinite(value)) return;
    (void)snprintf(what, sizeof what, "'%s'", key ? key : json->inside ? json->inside : "a number");
    json->status = fa_promise(what, value, json->error);
}

static void put_number(fa_json *json, const char *key, double value)
{
    promise(json, key, value);
    fputs(fa_number_text(value).text, json->out);
}

fa_status fa_json_begin(fa_json *json, fa_error *error)
{
    *json = (fa_json){.error = error};
    json->out = fa_text_open(&json->text, &json->size);
    if (json->out) return FA_OK;
    return fa_fail(error, FA_NO_MEMORY, NULL, FA_NOWHERE, "there is not enough memory for JSON");
}

fa_status fa_json_take(fa_json *json, char **text, size_t *size)
{
    if (!fa_text_close(json->out) && json->status == FA_OK)
        json->status = fa_fail(json->error, FA_NO_MEMORY, NULL, FA_NOWHERE,
                               "there is not enough memory for JSON");
    *text = json->text;
    *size = json->size;
    if (json->status == FA_OK) return FA_OK;
    free(json->text);
    *text = NULL;
    return json->status;
}

fa_status fa_json_write(fa_json *json, const char *path)
{
    char  *text;
    size_t size;
    fputc('\n', json->out);
    fa_status status = fa_json_take(json, &text, &size);
    if (status != FA_OK) return status;
    if (path && strcmp(path, "-") != 0)
        status = fa_file_write(path, text, size, json->error);
    else
        (void)fwrite(text, 1, size, stdout); // main() checks standard output for errors
    free(text);
    return status;
}

void fa_json_open(fa_json *json, const char *key, char bracket)
{
    begin(json, key);
    fputc(bracket, json->out);
    json->depth++;
    if (key) json->inside = key;
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
    put_number(json, key, value);
}

void fa_json_known(fa_json *json, const char *key, double value)
{
    if (isfinite(value))
        fa_json_number(json, key, value);
    else
        fa_json_text(json, key, NULL);
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
        put_number(json, key, value[i]);
    }
    fputc(']', json->out);
}

void fa_json_bytes(fa_json *json, const char *key, const unsigned char bytes[], size_t n)
{
    begin(json, key);
    fputc('"', json->out);
    fa_base64_put(json->out, bytes, n);
    fputc('"', json->out);
}

void fa_json_floats(fa_json *json, const char *key, const float value[], size_t n)
{
    unsigned char group[3];
    int           filled = 0;
    begin(json, key);
    fputc('"', json->out);
    for (size_t i = 0; i < n; i++) {
        uint32_t bits;
        promise(json, key, (double)value[i]);
        memcpy(&bits, &value[i], sizeof bits);
        for (int k = 0; k < 4; k++) {
            group[filled++] = (unsigned char)(bits >> 8 * k & 255);
            if (filled < 3) continue;
            fa_base64_put(json->out, group, 3);
            filled = 0;
        }
    }
    if (filled > 0) fa_base64_put(json->out, group, (size_t)filled);
    fputc('"', json->out);
}
