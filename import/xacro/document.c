// A file as a tree that can be changed: elements, texts and comments, each with its place.
//
// The reader of robot files (xml.h) has said what is wrong with the file, and where its elements
// stand; libxml2 gives what that reader does not keep.
#include <libxml/parserInternals.h>
#include <libxml/tree.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "expansion.h"
#include "xml.h"

// ---------------------------------------------------------------------------------------- reading

typedef struct reader {
    fa_xacro             *x;
    const char           *file;
    fa_xacro_node        *root, *open;
    const fa_xml_element *place; // of the element that comes next
    bool                  short_of_memory, too_many;
} reader;

static fa_xacro_node *append(reader *r, fa_xacro_node_kind kind, const char *name, const char *text,
                             size_t size)
{
    if (r->short_of_memory) return NULL;
    fa_xacro_node *node = fa_xacro_try_take(r->x, sizeof *node);
    char          *copy = text ? fa_xacro_try_take(r->x, size + 1) : NULL;
    if (!node || (text && !copy)) {
        r->short_of_memory = true;
        return NULL;
    }
    if (text) memcpy(copy, text, size);
    r->too_many |= ++r->x->n_nodes > FA_XACRO_NODES;
    node->kind = kind;
    node->name = name;
    node->text = copy;
    node->file = r->file;
    node->call = r->x->call;
    if (r->open) {
        node->place = r->open->place;
        fa_xacro_node_insert(r->open, node, NULL);
    }
    return node;
}

static char *copied(reader *r, const char *prefix, const char *local, size_t size)
{
    const size_t a = prefix && *prefix ? strlen(prefix) + 1 : 0;
    char        *text = fa_xacro_try_take(r->x, a + size + 1);
    if (!text) {
        r->short_of_memory = true;
        return NULL;
    }
    if (a) memcpy(text, prefix, a); // with its end, where the colon goes
    if (a) text[a - 1] = ':';
    memcpy(text + a, local, size);
    return text;
}

static void add_attribute(reader *r, fa_xacro_attribute ***link, const char *name,
                          const char *value)
{
    fa_xacro_attribute *attribute = fa_xacro_try_take(r->x, sizeof *attribute);
    r->short_of_memory |= !attribute; // as where a name or a value lacks it
    if (r->short_of_memory) return;
    attribute->name = name;
    attribute->value = value;
    **link = attribute;
    *link = &attribute->next;
}

static const fa_xml_element *following(const fa_xml_element *e)
{
    if (e->first) return e->first;
    while (e && !e->next) e = e->parent;
    return e ? e->next : NULL;
}

static void start_element(void *context, const xmlChar *local, const xmlChar *prefix,
                          const xmlChar *uri, int n_namespaces, const xmlChar **namespaces,
                          int n_attributes, int n_defaulted, const xmlChar **attributes)
{
    (void)uri, (void)n_defaulted;
    reader *r = context;
    char *name = copied(r, (const char *)prefix, (const char *)local, strlen((const char *)local));
    fa_xacro_node *node = append(r, FA_ELEMENT, name, NULL, 0);
    if (!node || !name) return;
    // On a lack of memory, libxml2 may silently drop prefixes, attributes and elements.
    int attributes_there = 0;
    for (const fa_xml_attribute *a = r->place ? r->place->attributes : NULL; a; a = a->next)
        attributes_there++;
    r->short_of_memory |=
        !r->place || strcmp(r->place->name, name) != 0 || attributes_there != n_attributes;
    if (r->short_of_memory) return;
    node->place = r->place->place;
    r->place = following(r->place);
    fa_xacro_attribute **link = &node->attributes;
    for (int i = 0; i < n_namespaces; i++) {
        const char *p = (const char *)namespaces[2 * i], *v = (const char *)namespaces[2 * i + 1];
        add_attribute(r, &link, p ? copied(r, "xmlns", p, strlen(p)) : copied(r, NULL, "xmlns", 5),
                      copied(r, NULL, v ? v : "", v ? strlen(v) : 0));
    }
    for (int i = 0; i < n_attributes; i++, attributes += 5)
        add_attribute(
            r, &link,
            copied(r, (const char *)attributes[1], (const char *)attributes[0],
                   strlen((const char *)attributes[0])),
            copied(r, NULL, (const char *)attributes[3], (size_t)(attributes[4] - attributes[3])));
    if (!r->root) r->root = node;
    r->open = node;
}

static void end_element(void *context, const xmlChar *local, const xmlChar *prefix,
                        const xmlChar *uri)
{
    (void)local, (void)prefix, (void)uri;
    reader *r = context;
    if (r->open) r->open = r->open->parent;
}

// libxml2 gives a text in pieces, and what stands between two tags has to be seen whole.
static void characters(void *context, const xmlChar *text, int size)
{
    reader        *r = context;
    fa_xacro_node *last = r->open ? r->open->last : NULL;
    if (!r->open) return;
    if (!last || last->kind != FA_TEXT) {
        append(r, FA_TEXT, NULL, (const char *)text, (size_t)size);
        return;
    }
    const size_t n = strlen(last->text);
    char        *longer = fa_xacro_try_take(r->x, n + (size_t)size + 1);
    if (!longer) {
        r->short_of_memory = true;
        return;
    }
    memcpy(longer, last->text, n);
    memcpy(longer + n, text, (size_t)size);
    last->text = longer;
}

static void cdata(void *context, const xmlChar *text, int size)
{
    reader *r = context;
    if (r->open) append(r, FA_CDATA, NULL, (const char *)text, (size_t)size);
}

static void comment(void *context, const xmlChar *text)
{
    reader *r = context;
    if (r->open) append(r, FA_COMMENT, NULL, (const char *)text, strlen((const char *)text));
}

static void processing(void *context, const xmlChar *target, const xmlChar *data)
{
    reader     *r = context;
    const char *text = data ? (const char *)data : "";
    if (r->open)
        append(r, FA_PROCESSING,
               copied(r, NULL, (const char *)target, strlen((const char *)target)), text,
               strlen(text));
}

fa_xacro_node *fa_xacro_document_read(fa_xacro *x, const char *text, size_t size, const char *path)
{
    fa_xml   *tree;
    fa_status status = fa_xml_read(text, size, path, x->log, &tree, x->error);
    if (status != FA_OK) {
        fa_macro_stack stack;
        const size_t   used = x->error ? strlen(x->error->message) : 0,
                     room = sizeof x->error->message;
        fa_xacro_stack_text(x->call, &stack);
        if (x->error) (void)snprintf(x->error->message + used, room - used, "%s", stack.text);
        fa_xacro_leave(x, status);
    }
    x->open_tree = tree;
    x->open_parser = xmlCreateMemoryParserCtxt(tree->source.text, (int)tree->source.size);
    if (!x->open_parser) fa_xacro_leave(x, FA_NO_MEMORY);
    reader        r = {.x = x, .file = fa_xacro_kept(x, path, strlen(path)), .place = tree->root};
    xmlSAXHandler listen = {
        .initialized = XML_SAX2_MAGIC,
        .startElementNs = start_element,
        .endElementNs = end_element,
        .characters = characters,
        .cdataBlock = cdata,
        .comment = comment,
        .processingInstruction = processing,
    };
    *x->open_parser->sax = listen;
    x->open_parser->userData = &r;
    xmlCtxtUseOptions(x->open_parser,
                      XML_PARSE_IGNORE_ENC | XML_PARSE_NOENT | XML_PARSE_NONET | XML_PARSE_HUGE);
    xmlParseDocument(x->open_parser);
    const bool whole = x->open_parser->wellFormed && !r.short_of_memory && r.root && !r.place &&
                       x->open_parser->errNo != XML_ERR_NO_MEMORY;
    xmlFreeParserCtxt(x->open_parser);
    x->open_parser = NULL;
    fa_xml_free(tree);
    x->open_tree = NULL;
    if (r.too_many)
        fa_xacro_halt(x, "there are more than %d elements and texts by now; no robot needs that",
                      FA_XACRO_NODES);
    if (!whole) fa_xacro_leave(x, FA_NO_MEMORY);
    return r.root;
}

// --------------------------------------------------------------------------------------- changing

fa_xacro_node *fa_xacro_node_clone(fa_xacro *x, const fa_xacro_node *node)
{
    fa_xacro_count(x, 4);
    if (++x->n_nodes > FA_XACRO_NODES)
        fa_xacro_halt(x, "there are more than %d elements and texts by now; no robot needs that",
                      FA_XACRO_NODES);
    fa_xacro_node *copy = fa_xacro_take(x, sizeof *copy);
    *copy = (fa_xacro_node){.kind = node->kind,
                            .name = node->name,
                            .text = node->text,
                            .file = node->file,
                            .place = node->place,
                            .call = x->call};
    fa_xacro_attribute **link = &copy->attributes;
    for (const fa_xacro_attribute *a = node->attributes; a; a = a->next, link = &(*link)->next) {
        *link = fa_xacro_take(x, sizeof **link);
        **link = (fa_xacro_attribute){a->name, a->value, NULL};
    }
    for (const fa_xacro_node *child = node->first; child; child = child->next)
        fa_xacro_node_insert(copy, fa_xacro_node_clone(x, child), NULL);
    return copy;
}

void fa_xacro_node_remove(fa_xacro_node *node)
{
    fa_xacro_node *parent = node->parent;
    if (!parent) return;
    *(node->previous ? &node->previous->next : &parent->first) = node->next;
    *(node->next ? &node->next->previous : &parent->last) = node->previous;
    node->parent = node->next = node->previous = NULL;
}

void fa_xacro_node_insert(fa_xacro_node *parent, fa_xacro_node *node, fa_xacro_node *before)
{
    node->parent = parent;
    node->next = before;
    node->previous = before ? before->previous : parent->last;
    *(node->previous ? &node->previous->next : &parent->first) = node;
    *(before ? &before->previous : &parent->last) = node;
}

void fa_xacro_node_replace_by_children(fa_xacro_node *node, fa_xacro_node *owner)
{
    for (fa_xacro_node *child = owner->first, *next; child; child = next) {
        next = child->next;
        fa_xacro_node_remove(child);
        fa_xacro_node_insert(node->parent, child, node);
    }
    fa_xacro_node_remove(node);
}

bool fa_xacro_is_xml_name(const char *name)
{
    if (!*name || xmlValidateQName((const xmlChar *)name, 0) != 0) return false;
    return strcmp(name, "xmlns") != 0;
}

fa_xacro_node *fa_xacro_node_next_element(const fa_xacro_node *node)
{
    fa_xacro_node *n = node->next;
    while (n && n->kind != FA_ELEMENT) n = n->next;
    return n;
}

fa_xacro_node *fa_xacro_node_first_element(const fa_xacro_node *node)
{
    return node->first && node->first->kind != FA_ELEMENT ? fa_xacro_node_next_element(node->first)
                                                          : node->first;
}

const char *fa_xacro_attribute_of(const fa_xacro_node *node, const char *name)
{
    for (const fa_xacro_attribute *a = node->attributes; a; a = a->next)
        if (strcmp(a->name, name) == 0) return a->value;
    return NULL;
}

fa_xacro_attribute *fa_xacro_attribute_set(fa_xacro *x, fa_xacro_node *node, const char *name,
                                           const char *value)
{
    fa_xacro_attribute **link = &node->attributes;
    while (*link && strcmp((*link)->name, name) != 0) link = &(*link)->next;
    if (!*link) {
        *link = fa_xacro_take(x, sizeof **link);
        (*link)->name = fa_xacro_kept(x, name, strlen(name));
    }
    (*link)->value = value;
    return *link;
}

void fa_xacro_attribute_remove(fa_xacro_node *node, const char *name)
{
    fa_xacro_attribute **link = &node->attributes;
    while (*link && strcmp((*link)->name, name) != 0) link = &(*link)->next;
    if (*link) *link = (*link)->next;
}
