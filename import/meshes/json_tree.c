// JSON (RFC 8259) as a tree.
#include "json_tree.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "number.h"

enum { DEPTH = 64, BLOCK = 512 };

// Values come from blocks, so that none moves; texts lie in one copy of the file.
typedef struct block {
    struct block *next;
    int           used;
    fa_json_value value[BLOCK];
} block;

typedef struct reader {
    char         *at;
    const char   *path;
    fa_json_tree *tree;
    fa_error     *error;
    int           line, depth;
} reader;

static fa_status fault(const reader *r, const char *why)
{
    return fa_fail(r->error, FA_BAD_INPUT, r->path, (fa_place){r->line, 1}, "this is no JSON: %s",
                   why);
}

static fa_status no_memory(const reader *r)
{
    return fa_fail(r->error, FA_NO_MEMORY, r->path, FA_NOWHERE,
                   "there is not enough memory for its head");
}

static fa_json_value *new_value(reader *r)
{
    block *b = r->tree->blocks;
    if (!b || b->used == BLOCK) {
        b = calloc(1, sizeof *b);
        if (!b) return NULL;
        b->next = r->tree->blocks;
        r->tree->blocks = b;
    }
    return &b->value[b->used++];
}

static void skip(reader *r)
{
    for (; *r->at && strchr(" \t\r\n", *r->at); r->at++) r->line += *r->at == '\n';
}

static bool take(reader *r, char sign)
{
    skip(r);
    if (*r->at != sign) return false;
    r->at++;
    return true;
}

// ------------------------------------------------------------------------------------------ texts

static bool four_digits(const char *at, unsigned *code)
{
    *code = 0;
    for (int i = 0; i < 4; i++) {
        const char *digits = "0123456789abcdefABCDEF",
                   *found = at[i] ? strchr(digits, at[i]) : NULL;
        if (!found) return false;
        const unsigned value = (unsigned)(found - digits);
        *code = 16 * *code + (value > 15 ? value - 6 : value);
    }
    return true;
}

static char *put_utf8(char *to, unsigned code)
{
    if (code < 0x80) {
        *to++ = (char)code;
        return to;
    }
    const int more = code < 0x800 ? 1 : code < 0x10000 ? 2 : 3;
    *to++ = (char)((0xFF00 >> (more + 1) & 0xFF) | code >> 6 * more);
    for (int i = more - 1; i >= 0; i--) *to++ = (char)(0x80 | (code >> 6 * i & 0x3F));
    return to;
}

// Behind the quote; written over itself, because no escape is shorter than what it stands for.
static fa_status read_text(reader *r, const char **text)
{
    char *to = r->at;
    *text = to;
    while (*r->at != '"') {
        if ((unsigned char)*r->at < ' ') return fault(r, "a text does not end");
        if (*r->at != '\\') {
            *to++ = *r->at++;
            continue;
        }
        static const char from[] = "\"\\/bfnrt", into[] = "\"\\/\b\f\n\r\t";
        const char       *found = r->at[1] ? strchr(from, r->at[1]) : NULL;
        unsigned          code, low;
        if (found) {
            *to++ = into[found - from];
            r->at += 2;
            continue;
        }
        if (r->at[1] != 'u' || !four_digits(r->at + 2, &code) || code == 0)
            return fault(r, "an escape in a text means nothing");
        r->at += 6;
        const bool high = code >= 0xD800 && code < 0xDC00;
        if (high && r->at[0] == '\\' && r->at[1] == 'u' && four_digits(r->at + 2, &low) &&
            low >= 0xDC00 && low < 0xE000) {
            code = 0x10000 + ((code - 0xD800) << 10) + (low - 0xDC00);
            r->at += 6;
        } else if (code >= 0xD800 && code < 0xE000)
            code = 0xFFFD; // half of a character
        to = put_utf8(to, code);
    }
    r->at++;
    *to = '\0';
    return FA_OK;
}

// ----------------------------------------------------------------------------------------- values

static fa_status read_value(reader *r, fa_json_value **value);

static fa_status read_members(reader *r, fa_json_value *v, char close)
{
    fa_json_value **link = &v->first;
    if (++r->depth > DEPTH) return fault(r, "it is nested too deep");
    if (take(r, close)) {
        r->depth--;
        return FA_OK;
    }
    do {
        const char *key = NULL;
        fa_status   status = FA_OK;
        if (close == '}') {
            if (!take(r, '"')) return fault(r, "a member has no name");
            status = read_text(r, &key);
            if (status == FA_OK && !take(r, ':')) status = fault(r, "there is no : behind a name");
        }
        if (status == FA_OK) status = read_value(r, link);
        if (status != FA_OK) return status;
        (*link)->key = key;
        link = &(*link)->next;
        v->n++;
    } while (take(r, ','));
    r->depth--;
    return take(r, close) ? FA_OK : fault(r, "a list or an object does not end");
}

static bool take_word(reader *r, const char *word)
{
    const size_t n = strlen(word);
    if (strncmp(r->at, word, n) != 0) return false;
    r->at += n;
    return true;
}

static fa_status read_value(reader *r, fa_json_value **value)
{
    fa_json_value *v = *value = new_value(r);
    if (!v) return no_memory(r);
    skip(r);
    if (take(r, '{')) {
        v->kind = FA_JSON_OBJECT;
        return read_members(r, v, '}');
    }
    if (take(r, '[')) {
        v->kind = FA_JSON_LIST;
        return read_members(r, v, ']');
    }
    if (take(r, '"')) {
        v->kind = FA_JSON_TEXT;
        return read_text(r, &v->text);
    }
    if (take_word(r, "null")) return FA_OK;
    const bool yes = take_word(r, "true");
    if (yes || take_word(r, "false")) {
        v->kind = FA_JSON_BOOL;
        v->number = yes;
        return FA_OK;
    }
    const size_t n = fa_number_read(r->at, strspn(r->at, "0123456789+-.eE"), &v->number);
    v->kind = FA_JSON_NUMBER;
    r->at += n;
    return n ? FA_OK : fault(r, "a value is missing");
}

fa_status fa_json_tree_read(const char *text, size_t size, const char *path, fa_json_tree *tree,
                            fa_error *error)
{
    *tree = (fa_json_tree){NULL, NULL};
    reader r = {.path = path, .tree = tree, .error = error, .line = 1};
    // The copy that texts lie in hangs before the first block.
    block *copy = malloc(sizeof *copy + size + 1);
    if (!copy) return no_memory(&r);
    *copy = (block){.used = BLOCK};
    tree->blocks = copy;
    r.at = (char *)(copy + 1);
    memcpy(r.at, text, size);
    r.at[size] = '\0';
    const char *end = r.at + size;
    fa_status   status = read_value(&r, &tree->root);
    skip(&r);
    while (r.at < end && *r.at == '\0') r.at++; // what fills the chunk of a binary file
    if (status == FA_OK && r.at != end) status = fault(&r, "something follows its value");
    return status;
}

void fa_json_tree_free(fa_json_tree *tree)
{
    for (block *b = tree->blocks, *next; b; b = next) {
        next = b->next;
        free(b);
    }
    *tree = (fa_json_tree){NULL, NULL};
}

// ---------------------------------------------------------------------------------------- looking

const fa_json_value *fa_json_tree_member(const fa_json_value *object, const char *key)
{
    if (!object || object->kind != FA_JSON_OBJECT) return NULL;
    const fa_json_value *v = object->first;
    while (v && strcmp(v->key, key) != 0) v = v->next;
    return v;
}

const fa_json_value *fa_json_tree_element(const fa_json_value *list, size_t index)
{
    if (!list || list->kind != FA_JSON_LIST || index >= (size_t)list->n) return NULL;
    const fa_json_value *v = list->first;
    while (v && index-- > 0) v = v->next;
    return v;
}

double fa_json_tree_number(const fa_json_value *object, const char *key, double otherwise)
{
    const fa_json_value *v = fa_json_tree_member(object, key);
    return v && v->kind == FA_JSON_NUMBER ? v->number : otherwise;
}

const char *fa_json_tree_text(const fa_json_value *object, const char *key)
{
    const fa_json_value *v = fa_json_tree_member(object, key);
    return v && v->kind == FA_JSON_TEXT ? v->text : NULL;
}
