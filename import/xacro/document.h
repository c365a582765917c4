// A file as a tree of elements, texts and comments that can be changed, each with its place.
#ifndef FA_XACRO_DOCUMENT_H
#define FA_XACRO_DOCUMENT_H

#include "xacro.h"

typedef struct fa_xacro fa_xacro; // an expansion (expansion.h)

// A macro under expansion, or a file that is included; the chain of them is the stack that messages
// show.
typedef struct fa_xacro_call {
    const char                 *macro; // NULL: a file
    const char                 *file;  // of the call or inclusion
    int                         line;
    const struct fa_xacro_call *outer;
} fa_xacro_call;

typedef struct fa_xacro_attribute {
    const char                *name, *value;
    struct fa_xacro_attribute *next;
} fa_xacro_attribute;

typedef enum fa_xacro_node_kind {
    FA_ELEMENT,
    FA_TEXT,
    FA_CDATA,
    FA_COMMENT,
    FA_PROCESSING
} fa_xacro_node_kind;

typedef struct fa_xacro_node {
    fa_xacro_node_kind    kind;
    const char           *name, *text; // of a processing instruction: both
    fa_xacro_attribute   *attributes;
    struct fa_xacro_node *parent, *first, *last, *next, *previous;
    const char           *file;
    fa_place              place;
    const fa_xacro_call  *call; // under which it was made; NULL: none
} fa_xacro_node;

// Reads a file into a tree that belongs to the expansion; `text` is not kept.
fa_xacro_node *fa_xacro_document_read(fa_xacro *x, const char *text, size_t size, const char *path);
fa_xacro_node *fa_xacro_node_clone(fa_xacro *x, const fa_xacro_node *node);
void           fa_xacro_node_remove(fa_xacro_node *node);
void           fa_xacro_node_insert(fa_xacro_node *parent, fa_xacro_node *node,
                                    fa_xacro_node *before); // NULL: at the end
void           fa_xacro_node_replace_by_children(fa_xacro_node *node, fa_xacro_node *owner);
fa_xacro_node *fa_xacro_node_first_element(const fa_xacro_node *node);
fa_xacro_node *fa_xacro_node_next_element(const fa_xacro_node *node);
const char    *fa_xacro_attribute_of(const fa_xacro_node *node, const char *name); // NULL: none
fa_xacro_attribute *fa_xacro_attribute_set(fa_xacro *x, fa_xacro_node *node, const char *name,
                                           const char *value);
void                fa_xacro_attribute_remove(fa_xacro_node *node, const char *name);
void fa_xacro_document_write(fa_xacro *x, const fa_xacro_node *root, fa_expansion *expansion);

#endif
