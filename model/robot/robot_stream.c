// Lines of a robot file, written or read by the same call (robot_stream.h).
#include "robot_stream.h"

#include <limits.h>
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include "number.h"

void fa_stream_fail(fa_stream *s, const char *what)
{
    if (s->status != FA_OK) return;
    s->status = fa_fail(s->error, FA_BAD_INPUT, "robot.forearm", (fa_place){s->line, 0},
                        "this robot file is damaged or was not written by this version of forearm "
                        "(%s); export the robot again",
                        what);
}

// ------------------------------------------------------------------------------------ characters

static void put(fa_stream *s, const char *text, size_t length)
{
    if (s->out) memcpy(s->out + s->at, text, length);
    if (s->in && (length > s->size - s->at || memcmp(s->in + s->at, text, length) != 0)) {
        fa_stream_fail(s, "it says something of what is not there");
        return;
    }
    s->at += length;
}

static bool take(fa_stream *s, char c)
{
    if (s->at == s->size || s->in[s->at] != c) return false;
    s->at++;
    return true;
}

static void begin(fa_stream *s, const char *key)
{
    s->line++;
    if (s->writing) {
        put(s, key, strlen(key));
        return;
    }
    for (; *key && s->status == FA_OK; key++)
        if (!take(s, *key)) fa_stream_fail(s, "a line is missing or out of place");
}

static void end(fa_stream *s)
{
    if (s->writing)
        put(s, "\n", 1);
    else if (s->status == FA_OK && !take(s, '\n'))
        fa_stream_fail(s, "a line is too long");
}

static void separate(fa_stream *s)
{
    if (s->writing)
        put(s, " ", 1);
    else if (s->status == FA_OK && !take(s, ' '))
        fa_stream_fail(s, "a line is too short");
}

// ---------------------------------------------------------------------------------------- values

// Infinite only where that means that there is no limit.
static void real(fa_stream *s, double *value, bool endless)
{
    separate(s);
    if (s->writing) {
        char         text[FA_NUMBER_SIZE];
        const size_t length = fa_hex_write(*value, text);
        put(s, text, length);
    } else if (s->status == FA_OK) {
        size_t used = fa_hex_read(s->in + s->at, s->size - s->at, value);
        if (!used) fa_stream_fail(s, "a number is not in its place");
        if (used && !endless && !isfinite(*value)) fa_stream_fail(s, "a number is not finite");
        s->at += used;
    }
}

static void integer(fa_stream *s, int *value)
{
    separate(s);
    if (s->writing) {
        char         text[FA_NUMBER_SIZE]; // integers of this size are written in full
        const size_t length = fa_number_write(*value, text);
        put(s, text, length);
    } else if (s->status == FA_OK) {
        bool negative = take(s, '-');
        long result = 0;
        int  digits = 0;
        bool leading_zero = s->at < s->size && s->in[s->at] == '0';
        for (; s->at < s->size && s->in[s->at] >= '0' && s->in[s->at] <= '9'; s->at++, digits++)
            if (result <= INT_MAX) result = 10 * result + (s->in[s->at] - '0');
        bool one_spelling = digits == 1 || !leading_zero;
        if (digits == 0 || result > INT_MAX || !one_spelling || (negative && result == 0))
            fa_stream_fail(s, "an integer is not in its place");
        else
            *value = (int)(negative ? -result : result);
    }
}

static void flag(fa_stream *s, bool *value)
{
    int number = *value;
    integer(s, &number);
    if (number != 0 && number != 1) fa_stream_fail(s, "a flag is neither 0 nor 1");
    *value = number == 1;
}

// Returns true for characters written literally; others, and '%', are written as %XX.
static bool stands_for_itself(unsigned char c)
{
    return c > ' ' && c < 127 && c != '%';
}

static int hex_value(char c)
{
    if (c >= '0' && c <= '9') return c - '0';
    return c >= 'A' && c <= 'F' ? c - 'A' + 10 : -1;
}

static void text(fa_stream *s, char value[], size_t size)
{
    static const char digit[] = "0123456789ABCDEF";
    separate(s);
    if (s->writing) {
        for (const unsigned char *c = (const unsigned char *)value; *c; c++) {
            char escaped[3] = {'%', digit[*c >> 4], digit[*c & 15]};
            if (stands_for_itself(*c))
                put(s, (const char *)c, 1);
            else
                put(s, escaped, 3);
        }
        return;
    }
    size_t length = 0;
    while (s->status == FA_OK && s->at < s->size && s->in[s->at] != '\n') {
        unsigned char c = (unsigned char)s->in[s->at++];
        if (c == '%') {
            int high = s->at < s->size ? hex_value(s->in[s->at]) : -1;
            int low = s->at + 1 < s->size ? hex_value(s->in[s->at + 1]) : -1;
            s->at += 2;
            c = high < 0 || low < 0 ? 0 : (unsigned char)(high << 4 | low);
            if (c == 0 || stands_for_itself(c))
                fa_stream_fail(s, "a name is not spelled as it should be");
        } else if (!stands_for_itself(c)) {
            fa_stream_fail(s, "a name has a character that should not be there");
        }
        if (length + 1 >= size)
            fa_stream_fail(s, "a name is too long");
        else
            value[length++] = (char)c;
    }
    value[length] = '\0';
}

// ---------------------------------------------------------------------------------------- fields

void fa_stream_key(fa_stream *s, const char *key)
{
    begin(s, key);
    end(s);
}

void fa_stream_text(fa_stream *s, const char *key, char value[], size_t size)
{
    begin(s, key);
    text(s, value, size);
    end(s);
}

void fa_stream_integer(fa_stream *s, const char *key, int *value)
{
    begin(s, key);
    integer(s, value);
    end(s);
}

void fa_stream_flag(fa_stream *s, const char *key, bool *value)
{
    begin(s, key);
    flag(s, value);
    end(s);
}

void fa_stream_reals(fa_stream *s, const char *key, double value[], int n)
{
    begin(s, key);
    for (int i = 0; i < n; i++) real(s, &value[i], false);
    end(s);
}

void fa_stream_limits(fa_stream *s, const char *key, double value[], int n, int endless)
{
    begin(s, key);
    for (int i = 0; i < n; i++) real(s, &value[i], i >= n - endless);
    end(s);
}

void fa_stream_place(fa_stream *s, const char *key, fa_transform *X)
{
    begin(s, key);
    for (int i = 0; i < 9; i++) real(s, &X->E.m[i / 3][i % 3], false);
    real(s, &X->r.x, false);
    real(s, &X->r.y, false);
    real(s, &X->r.z, false);
    end(s);
}

void fa_stream_joint_type(fa_stream *s, fa_joint_type *type)
{
    char word[16] = "";
    if (s->writing) (void)snprintf(word, sizeof word, "%s", fa_joint_kinds[*type].name);
    fa_stream_text(s, "joint.type", word, sizeof word);
    if (s->writing || s->status != FA_OK) return;
    if (!fa_joint_type_named(word, type)) fa_stream_fail(s, "there is no such type of joint");
}

// ------------------------------------------------------------------------------------- elements

bool fa_stream_has(const fa_stream *s, const char *key, bool said)
{
    const size_t length = strlen(key);
    if (s->writing) return said;
    return s->status == FA_OK && s->size - s->at > length &&
           memcmp(s->in + s->at, key, length) == 0 &&
           (s->in[s->at + length] == ' ' || s->in[s->at + length] == '\n');
}

void fa_stream_choice(fa_stream *s, const char *key, const fa_item *item, bool *value)
{
    char word[32] = "";
    if (!fa_stream_has(s, key, *value)) return;
    if (s->writing) (void)snprintf(word, sizeof word, "%s", item->word);
    fa_stream_text(s, key, word, sizeof word);
    *value = strcmp(word, item->word) == 0;
    if (!*value) fa_stream_fail(s, "there is no such choice");
}

void fa_stream_if_set(fa_stream *s, const char *key, bool *value)
{
    if (!fa_stream_has(s, key, *value)) {
        *value = false;
        return;
    }
    fa_stream_key(s, key);
    *value = true;
}

void fa_stream_maybe(fa_stream *s, const char *key, double value[], int n)
{
    begin(s, key);
    for (int i = 0; i < n; i++) {
        double x = isnan(value[i]) ? -INFINITY : value[i];
        real(s, &x, true);
        if (x == INFINITY) fa_stream_fail(s, "a number is not finite");
        value[i] = x > -INFINITY ? x : NAN;
    }
    end(s);
}
