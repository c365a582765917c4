// JSON as a tree, for the head of glTF files.
#ifndef FA_JSON_TREE_H
#define FA_JSON_TREE_H

#include <stdbool.h>
#include <stddef.h>

#include "status.h"

typedef enum fa_json_kind {
    FA_JSON_NULL,
    FA_JSON_BOOL,
    FA_JSON_NUMBER,
    FA_JSON_TEXT,
    FA_JSON_LIST,
    FA_JSON_OBJECT
} fa_json_kind;

typedef struct fa_json_value fa_json_value;
struct fa_json_value {
    fa_json_kind   kind;
    const char    *key, *text; // of a member; of a text: UTF-8, closed by a zero
    double         number;     // of a truth: 1 or 0
    int            n;          // of what a list or an object has
    fa_json_value *first, *next;
};

typedef struct fa_json_tree {
    fa_json_value *root;
    struct block  *blocks;
} fa_json_tree;

// Reads text[0..size), which is one value. A fault names the line. Released with
// fa_json_tree_free, also after a failure.
fa_status fa_json_tree_read(const char *text, size_t size, const char *path, fa_json_tree *tree,
                            fa_error *error);
void      fa_json_tree_free(fa_json_tree *tree);

// NULL: there is none; of a NULL, too.
const fa_json_value *fa_json_tree_member(const fa_json_value *object, const char *key);
const fa_json_value *fa_json_tree_element(const fa_json_value *list, size_t index);
double      fa_json_tree_number(const fa_json_value *object, const char *key, double otherwise);
const char *fa_json_tree_text(const fa_json_value *object, const char *key); // NULL: none

#endif
