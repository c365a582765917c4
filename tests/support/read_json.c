// Recursive-descent JSON parser.
#include "read_json.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "number.h"

typedef enum kind { NULL_VALUE, NUMBER, STRING, ARRAY, OBJECT } kind;

struct json {
    kind   kind;
    double number; // 0 and 1 for false and true
    char  *text;   // of a string
    char  *name;   // in the object that this is a member of
    json  *first;  // of an array or object
    json  *next;   // in the same array or object
    int    count;
};

static void fail(const char *what, const char *where)
{
    fprintf(stderr, "reference file: %s: %.40s\n", what, where);
    exit(1);
}

static const char *skip(const char *at)
{
    return at + strspn(at, " \t\r\n,:");
}

static const char *read_text(const char *at, char **text)
{
    static const char escape[] = "\"\\/n", stands_for[] = "\"\\/\n";
    const size_t      most = strlen(at);
    char             *to = *text = malloc(most);
    if (!to) fail("no memory", at);
    for (at++; *at != '"'; at++) {
        if (!*at) fail("a string does not end", at);
        if (*at != '\\') {
            *to++ = *at;
            continue;
        }
        const char *escaped = at[1] ? strchr(escape, *++at) : NULL;
        if (!escaped) fail("a string has an odd escape", at);
        *to++ = stands_for[escaped - escape];
    }
    *to = 0;
    return at + 1;
}

static const char *read_value(const char *at, json **value)
{
    json *node = *value = calloc(1, sizeof *node);
    if (!node) fail("no memory", at);
    if (*at == '{' || *at == '[') {
        const char end = *at == '{' ? '}' : ']';
        json     **last = &node->first;
        node->kind = *at == '{' ? OBJECT : ARRAY;
        for (at = skip(at + 1); *at != end; at = skip(at)) {
            char *name = NULL;
            if (!*at) fail("the text ends early", "");
            if (node->kind == OBJECT) at = skip(read_text(at, &name));
            at = read_value(at, last);
            (*last)->name = name;
            last = &(*last)->next;
            node->count++;
        }
        return at + 1;
    }
    if (*at == '"') {
        node->kind = STRING;
        return read_text(at, &node->text);
    }
    if (strncmp(at, "null", 4) == 0) return at + 4;
    node->kind = NUMBER;
    if (strncmp(at, "false", 5) == 0) return at + 5;
    if (strncmp(at, "true", 4) == 0) {
        node->number = 1;
        return at + 4;
    }
    const size_t used = fa_number_read(at, strcspn(at, " \t\r\n,:]}"), &node->number);
    if (!used) fail("no value", at);
    return at + used;
}

json *json_read(const char *path)
{
    FILE *file = fopen(path, "rb");
    if (!file) fail("cannot be opened", path);
    fseek(file, 0, SEEK_END);
    const long size = ftell(file);
    rewind(file);
    char *text = malloc((size_t)size + 1);
    if (!text || fread(text, 1, (size_t)size, file) != (size_t)size) fail("cannot be read", path);
    text[size] = 0;
    fclose(file);
    json *tree;
    read_value(skip(text), &tree);
    free(text);
    return tree;
}

void json_free(json *tree)
{
    while (tree) {
        json *next = tree->next;
        json_free(tree->first);
        free(tree->text);
        free(tree->name);
        free(tree);
        tree = next;
    }
}

static const json *find(const json *object, const char *name)
{
    const json *at = object->first;
    while (at && !(at->name && strcmp(at->name, name) == 0)) at = at->next;
    return at;
}

const json *json_member(const json *object, const char *name)
{
    const json *at = find(object, name);
    if (!at) fail("no such member", name);
    return at;
}

bool json_has(const json *object, const char *name)
{
    return find(object, name) != NULL;
}

const json *json_element(const json *array, int index)
{
    const json *at = array->first;
    for (int i = 0; at && i < index; i++) at = at->next;
    if (!at) fail("too few elements", array->name ? array->name : "");
    return at;
}

int json_count(const json *array)
{
    return array->count;
}

bool json_is_null(const json *value)
{
    return value->kind == NULL_VALUE;
}

double json_number(const json *value)
{
    if (value->kind != NUMBER) fail("not a number", value->name ? value->name : "");
    return value->number;
}

const char *json_string(const json *value)
{
    if (value->kind != STRING) fail("not a string", value->name ? value->name : "");
    return value->text;
}

int json_numbers(const json *array, double out[], int room)
{
    if (array->kind == NUMBER) {
        if (room < 1) fail("too many numbers", array->name ? array->name : "");
        out[0] = array->number;
        return 1;
    }
    int count = 0;
    for (const json *at = array->first; at; at = at->next)
        count += json_numbers(at, out + count, room - count);
    return count;
}
