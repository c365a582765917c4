// Composes array names and dimensions.
#include "view_names.h"

#include <string.h>

// The orders in which plants declare them. A name's last word says which it is: no two lists share
// a first word.
static const char *const vector[] = {"x", "y", "z"};
static const char *const quaternion[] = {"w", "x", "y", "z"};
static const char *const tensor[] = {"xx", "yy", "zz", "xy", "xz", "yz"};

// What there is one of for each part of a robot: <kind>.<name>.<rest>, or <kind><number>.<rest>.
static const char *const kinds[] = {"joint", "link", "cylinder", "wheel"};

bool fa_slices_equal(fa_slice a, fa_slice b)
{
    return a.length == b.length && memcmp(a.text, b.text, (size_t)a.length) == 0;
}

bool fa_slice_equals(fa_slice a, const char *text)
{
    return strlen(text) == (size_t)a.length && memcmp(a.text, text, (size_t)a.length) == 0;
}

int fa_slice_number(fa_slice digits)
{
    int number = 0;
    for (int i = 0; i < digits.length; i++) {
        const char c = digits.text[i];
        if (c < '0' || c > '9' || number > 100000000) return 0;
        number = 10 * number + (c - '0');
    }
    return number;
}

static fa_slice slice(const char *from, const char *to)
{
    return (fa_slice){from, (int)(to - from)};
}

static void parse_part(fa_parsed_name *parsed, const char *name)
{
    const char *end = name + strlen(name);
    parsed->kind = parsed->part = slice(name, name);
    parsed->rest = slice(name, end);
    const char *dot = strchr(name, '.');
    if (!dot) return;
    for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++) {
        const size_t length = strlen(kinds[i]);
        if (strncmp(name, kinds[i], length) != 0) continue;
        const char *from = name + length, *to = dot;
        if (from == dot) { // <kind>.<name>.<rest>
            from = dot + 1;
            to = strchr(from, '.');
            if (!to) return;
        } else if (fa_slice_number(slice(from, to)) == 0) {
            return;
        }
        parsed->kind = slice(name, name + length);
        parsed->part = slice(from, to);
        parsed->rest = slice(to + 1, end);
        return;
    }
}

static void parse_axis(fa_parsed_name *parsed)
{
    const char *from = parsed->rest.text, *end = from + parsed->rest.length;
    const char *last = end;
    while (last > from && last[-1] != '.') last--;
    parsed->base = parsed->rest;
    if (last == from) return; // no word before it
    static const struct {
        const char *const *axes;
        int                n;
    } lists[] = {{vector, 3}, {quaternion, 4}, {tensor, 6}};
    parsed->axis = slice(last, end);
    for (size_t i = 0; i < sizeof lists / sizeof *lists; i++)
        for (int k = 0; k < lists[i].n; k++) {
            if (!fa_slice_equals(parsed->axis, lists[i].axes[k])) continue;
            parsed->axes = lists[i].axes;
            parsed->n_axes = lists[i].n;
            parsed->base = slice(from, last - 1);
            return; // x, y and z of a quaternion look like a vector's until one sees the w
        }
}

fa_parsed_name fa_parse_name(const char *name)
{
    fa_parsed_name parsed = {.axes = NULL};
    parse_part(&parsed, name);
    parse_axis(&parsed);
    return parsed;
}

// --- descriptions

typedef struct writer {
    char  *out;
    size_t used, size;
} writer;

static void put(writer *w, const char *text, size_t length)
{
    if (w->used + length + 1 > w->size) length = w->size - w->used - 1;
    memcpy(w->out + w->used, text, length);
    w->used += length;
    w->out[w->used] = '\0';
}

static bool word_at(const char *from, const char *at, fa_slice word)
{
    const char after = at[word.length];
    const bool begins = at == from || at[-1] == ' ';
    const bool ends = after == '\0' || after == ' ' || after == ',' || after == ';' || after == ':';
    return begins && ends;
}

static const char *find_word(const char *text, fa_slice word)
{
    for (const char *at = text; word.length > 0 && *at; at++)
        if (strncmp(at, word.text, (size_t)word.length) == 0 && word_at(text, at, word)) return at;
    return NULL;
}

// "of link upper (written up per), …": where the part's name is, after its kind.
static const char *find_part(const char *text, const fa_parsed_name *name)
{
    for (const char *at = text; (at = find_word(at, name->part)) != NULL; at++) {
        const char *before = at - 1 - name->kind.length;
        if (before >= text && at[-1] == ' ' &&
            strncmp(before, name->kind.text, (size_t)name->kind.length) == 0)
            return at;
    }
    return NULL;
}

void fa_describe_all(const char *description, const fa_parsed_name *name, char out[], size_t size)
{
    static const char written[] = " (written ";
    writer            w = {out, 0, size};
    const char       *part = name->part.length ? find_part(description, name) : NULL;
    const char       *axis = name->axes ? find_word(description, name->axis) : NULL;
    out[0] = '\0';
    for (const char *at = description; *at;) {
        if (at == part) {
            put(&w, "i", 1);
            at += name->part.length;
            if (strncmp(at, written, sizeof written - 1) == 0 && strchr(at, ')'))
                at = strchr(at, ')') + 1;
        } else if (at == axis) {
            for (int k = 0; k < name->n_axes; k++) {
                if (k > 0) put(&w, ", ", 2);
                put(&w, name->axes[k], strlen(name->axes[k]));
            }
            at += name->axis.length;
        } else {
            put(&w, at++, 1);
        }
    }
}
