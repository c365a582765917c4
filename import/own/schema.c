// A tree against the schema of its root element. The schema says what is known; the messages come
// from here, because libxml2's own name neither columns nor what was probably meant.
//
// First we walk through the tree and the schema side by side, looking at names only. That needs a
// schema that declares each element where it stands, with its type inside. Then libxml2 judges the
// rest: order, number and kinds of things.
#include <libxml/tree.h>
#include <libxml/xmlschemas.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "formats.h"
#include "names.h"
#include "schemas.h"
#include "values.h"

typedef struct check {
    const fa_xml *xml;    // what is checked
    const fa_xml *schema; // what it is checked against
    fa_status     status;
    fa_error     *error;
} check;

#define FAIL(c, place, ...)                                                                        \
    ((c)->status = fa_fail((c)->error, FA_BAD_INPUT, (c)->xml->path, place, __VA_ARGS__))

// ----------------------------------------------------------------------------- reading the schema

// The next element of the schema that belongs to the declaration `top`, not to one inside of it.
static const fa_xml_element *within(const fa_xml_element *top, const fa_xml_element *e)
{
    bool inner = e != top && strcmp(e->name, "xs:element") == 0;
    if (e->first && !inner) return e->first;
    while (e != top && !e->next) e = e->parent;
    return e == top ? NULL : e->next;
}

static const char *named(const fa_xml_element *e, const char *kind)
{
    const fa_xml_attribute *name = strcmp(e->name, kind) == 0 ? fa_xml_find(e, "name") : NULL;
    return name ? name->value : NULL;
}

static bool says(const fa_xml_element *declared, const char *attribute, const char *value)
{
    const fa_xml_attribute *found = fa_xml_find(declared, attribute);
    return found && strcmp(found->value, value) == 0;
}

// The declaration of that name in `top`, or NULL and the one whose name is nearest.
static const fa_xml_element *declaration(const fa_xml_element *top, const char *kind,
                                         const char *name, const char **nearest)
{
    int best = INT_MAX;
    *nearest = NULL;
    for (const fa_xml_element *e = within(top, top); e; e = within(top, e)) {
        const char *known = named(e, kind);
        if (!known) continue;
        if (strcmp(known, name) == 0) return e;
        int apart = fa_words_apart(name, known);
        if (apart < best || !*nearest) *nearest = known;
        if (apart < best) best = apart;
    }
    return NULL;
}

// ------------------------------------------------------------------------------------------ names

static fa_about suggest(const char *name, const char *nearest)
{
    fa_about text;
    if (!nearest)
        snprintf(text.text, sizeof text.text, "remove it");
    else if (fa_words_close(name, fa_words_apart(name, nearest)))
        snprintf(text.text, sizeof text.text, "did you mean %s?", nearest);
    else
        snprintf(text.text, sizeof text.text, "the nearest name that is known is %s", nearest);
    return text;
}

static fa_status check_attributes(check *c, const fa_xml_element *e, const fa_xml_element *declared)
{
    const char *nearest;
    for (const fa_xml_attribute *a = e->attributes; a; a = a->next)
        if (!declaration(declared, "xs:attribute", a->name, &nearest))
            return FAIL(c, a->place, "%s has no attribute %.60s; %s", fa_xml_about(e).text, a->name,
                        suggest(a->name, nearest).text);
    for (const fa_xml_element *d = within(declared, declared); d; d = within(declared, d)) {
        const char *name = named(d, "xs:attribute");
        if (name && says(d, "use", "required") && !fa_xml_find(e, name))
            return FAIL(c, e->place, "%s has no %s; add %s=\"…\"", fa_xml_about(e).text, name,
                        name);
    }
    return FA_OK;
}

// Checks that required children are present, and single ones not repeated.
static fa_status check_children(check *c, const fa_xml_element *e, const fa_xml_element *declared)
{
    for (const fa_xml_element *d = within(declared, declared); d; d = within(declared, d)) {
        const char           *name = named(d, "xs:element");
        const fa_xml_element *child;
        if (!name) continue;
        fa_need need = says(d, "minOccurs", "0") ? FA_OPTIONAL : FA_REQUIRED;
        if (says(d, "maxOccurs", "unbounded") && fa_xml_child(e, name)) continue;
        c->status = fa_read_child(c->xml, e, name, need, &child, c->error);
        if (c->status != FA_OK) return c->status;
    }
    return FA_OK;
}

static fa_status check_names(check *c)
{
    // The declarations that belong to the open elements, outermost first.
    const fa_xml_element *open[FA_XML_DEPTH + 1] = {c->schema->root};
    const fa_xml_element *e = c->xml->root;
    const char           *nearest;
    for (int depth = 0; e;) {
        const fa_xml_element *found = declaration(open[depth], "xs:element", e->name, &nearest);
        if (!found)
            return FAIL(c, e->place, "<%.60s> is not known in <%s>; %s", e->name, e->parent->name,
                        suggest(e->name, nearest).text);
        if (check_attributes(c, e, found) != FA_OK) return c->status;
        if (check_children(c, e, found) != FA_OK) return c->status;
        if (e->text.line)
            return FAIL(c, e->text, "there is text in %s, which means nothing here; remove it",
                        fa_xml_about(e).text);
        if (e->first) {
            open[++depth] = found;
            e = e->first;
            continue;
        }
        for (; e && !e->next; e = e->parent) depth--;
        e = e ? e->next : NULL;
    }
    return FA_OK;
}

// ----------------------------------------------------------------------------- what libxml2 finds

// "a, b or c", the values that an attribute's type lists; true if `value` is none of them.
static bool is_not_listed(const fa_xml_element *attribute, const char *value, char *text,
                          size_t size)
{
    const fa_xml_element *last = NULL;
    size_t                used = 0;
    for (const fa_xml_element *e = within(attribute, attribute); e; e = within(attribute, e))
        if (strcmp(e->name, "xs:enumeration") == 0) last = e;
    for (const fa_xml_element *e = within(attribute, attribute); e; e = within(attribute, e)) {
        if (strcmp(e->name, "xs:enumeration") != 0 || used >= size) continue;
        if (says(e, "value", value)) return false;
        int n = snprintf(text + used, size - used, "%s%s",
                         !used       ? ""
                         : e == last ? " or "
                                     : ", ",
                         fa_xml_find(e, "value")->value);
        used += n > 0 ? (size_t)n : 0;
    }
    return last != NULL;
}

static const fa_xml_element *declaration_of(const check *c, const fa_xml_element *e)
{
    const fa_xml_element *path[FA_XML_DEPTH + 1];
    const char           *nearest;
    int                   depth = 0;
    for (; e; e = e->parent) path[depth++] = e;
    const fa_xml_element *found = c->schema->root;
    while (depth > 0) found = declaration(found, "xs:element", path[--depth]->name, &nearest);
    return found;
}

// Numbers of any number.
static fa_status check_list(check *c, const fa_xml_element *e, const fa_xml_attribute *a)
{
    int n = 0;
    for (const char *at = a->value; *at; n++) {
        at += strspn(at, " \t\r\n");
        at += strcspn(at, " \t\r\n");
    }
    double *value = malloc((size_t)(n + 1) * sizeof *value);
    c->status =
        value ? fa_read_numbers(c->xml, e, a->name, n, value, FA_REQUIRED, c->error) : FA_NO_MEMORY;
    free(value);
    return c->status;
}

// Says what is wrong with the value of an attribute, if it is.
static fa_status check_value(check *c, const fa_xml_element *e, const fa_xml_attribute *a)
{
    static const struct {
        const char *type;
        int         n;
    } numbers[] = {{"number", 1},        {"whole", 1},        {"two-numbers", 2},
                   {"three-numbers", 3}, {"four-numbers", 4}, {"six-numbers", 6}};
    const char           *nearest;
    const fa_xml_element *d = declaration(declaration_of(c, e), "xs:attribute", a->name, &nearest);
    for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++) {
        double value[6];
        if (!says(d, "type", numbers[i].type)) continue;
        c->status = fa_read_numbers(c->xml, e, a->name, numbers[i].n, value, FA_REQUIRED, c->error);
        if (c->status == FA_OK && says(d, "type", "whole") &&
            a->value[strspn(a->value, "0123456789")] != '\0')
            return FAIL(c, a->value_place, "%s of %s is '%.60s'; it must be a whole number",
                        a->name, fa_xml_about(e).text, a->value);
        return c->status;
    }
    if (says(d, "type", "numbers")) return check_list(c, e, a);
    char values[200], name[FA_NAME_SIZE];
    if (is_not_listed(d, a->value, values, sizeof values))
        return FAIL(c, a->value_place, "%s of %s is '%.60s'; it can be %s", a->name,
                    fa_xml_about(e).text, a->value, values);
    if (says(d, "type", "name")) c->status = fa_read_name(c->xml, e, a->name, name, c->error);
    return c->status;
}

// The children that an element may have, in the order in which they stand: "base, joint, tip".
static fa_about order_in(const check *c, const fa_xml_element *parent)
{
    const fa_xml_element *declared = declaration_of(c, parent);
    fa_about              list = {""};
    size_t                used = 0;
    for (const fa_xml_element *d = within(declared, declared); d; d = within(declared, d)) {
        const char *name = named(d, "xs:element");
        if (!name || used >= sizeof list.text) continue;
        int n = snprintf(list.text + used, sizeof list.text - used, "%s%s", used ? ", " : "", name);
        used += n > 0 ? (size_t)n : 0;
    }
    return list;
}

#if LIBXML_VERSION >= 21200
typedef const xmlError *error_pointer;
#else
typedef xmlError *error_pointer;
#endif

static void complain(void *context, error_pointer found)
{
    check   *c = context;
    xmlNode *node = found->node;
    if (c->status != FA_OK) return;
    if (found->code == XML_ERR_NO_MEMORY) {
        c->status = FA_NO_MEMORY;
        return;
    }
    if (node && node->type == XML_ATTRIBUTE_NODE) node = node->parent;
    const fa_xml_element *e = node && node->_private ? node->_private : c->xml->root;
    for (const fa_xml_attribute *a = e->attributes; a; a = a->next)
        if (check_value(c, e, a) != FA_OK) return;
    // All names are known by now, so that only the order can be wrong.
    if (found->code == XML_SCHEMAV_ELEMENT_CONTENT && e->parent) {
        FAIL(c, e->place, "%s stands in the wrong place; in <%s> the order is: %s",
             fa_xml_about(e).text, e->parent->name, order_in(c, e->parent).text);
        return;
    }
    const char *text = found->message ? strstr(found->message, ": ") : NULL;
    text = text ? text + 2 : found->message ? found->message : "it is against the schema";
    FAIL(c, e->place, "%s: %.*s", fa_xml_about(e).text, (int)strcspn(text, "\n"), text);
}

// Copies an element with its attributes; NULL if out of memory.
static xmlNode *copy_element(xmlDoc *document, fa_xml_element *e)
{
    xmlNode *node = xmlNewDocNode(document, NULL, BAD_CAST e->name, NULL);
    if (!node) return NULL;
    node->_private = e;
    for (fa_xml_attribute *a = e->attributes; a; a = a->next) {
        xmlAttr *attribute = xmlNewProp(node, BAD_CAST a->name, BAD_CAST a->value);
        if (!attribute) {
            xmlFreeNode(node);
            return NULL;
        }
        attribute->_private = a;
    }
    return node;
}

// libxml2's own tree of the same elements, whose _private leads back to ours.
static xmlDoc *copy(const fa_xml *xml)
{
    xmlDoc  *document = xmlNewDoc(BAD_CAST "1.0");
    xmlNode *parent = NULL;
    for (fa_xml_element *e = xml->root; document && e;) {
        xmlNode *node = copy_element(document, e);
        if (!node) {
            xmlFreeDoc(document);
            return NULL;
        }
        if (parent)
            xmlAddChild(parent, node);
        else
            xmlDocSetRootElement(document, node);
        if (e->first) {
            parent = node;
            e = e->first;
            continue;
        }
        for (; e && !e->next; e = e->parent) parent = parent ? parent->parent : NULL;
        e = e ? e->next : NULL;
    }
    return document;
}

static void validate(check *c, const char *text, size_t size)
{
    xmlDoc              *document = copy(c->xml);
    xmlSchemaParserCtxt *reader = xmlSchemaNewMemParserCtxt(text, (int)size);
    xmlSchema           *schema = reader ? xmlSchemaParse(reader) : NULL;
    xmlSchemaValidCtxt  *valid = schema ? xmlSchemaNewValidCtxt(schema) : NULL;
    if (document && valid) {
        xmlSchemaSetValidStructuredErrors(valid, complain, c);
        int verdict = xmlSchemaValidateDoc(valid, document);
        if (verdict != 0 && c->status == FA_OK)
            FAIL(c, c->xml->root->place, "<%s> is against its schema", c->xml->root->name);
    } else {
        c->status = FA_NO_MEMORY;
    }
    xmlSchemaFreeValidCtxt(valid);
    xmlSchemaFree(schema);
    xmlSchemaFreeParserCtxt(reader);
    xmlFreeDoc(document);
}

fa_status fa_schema_check(const fa_xml *xml, fa_error *error)
{
    const fa_schema *found = fa_schemas;
    while (found->root && strcmp(found->root, xml->root->name) != 0) found++;
    if (!found->root) return FA_OK;
    fa_xml *schema;
    check   c = {.xml = xml, .error = error};
    c.status = fa_xml_read(found->text, found->size, "schema", NULL, &schema, error);
    if (c.status != FA_OK) return c.status;
    c.schema = schema;
    if (check_names(&c) == FA_OK) validate(&c, found->text, found->size);
    fa_xml_free(schema);
    if (c.status == FA_NO_MEMORY)
        fa_fail(error, FA_NO_MEMORY, xml->path, FA_NOWHERE,
                "there is not enough memory for the schema");
    return c.status;
}
