// libxml2 decides what is XML; this file listens to it (SAX) and keeps the tree. libxml2 itself
// keeps lines up to 65535 and no columns, so places come from our own copy of the text: when an
// element is announced, the parser stands at the end of its start tag, and the tag's beginning is
// the last '<' before, because none can stand in an attribute's value.
#include "xml.h"

#include <libxml/SAX2.h>
#include <libxml/parser.h>
#include <libxml/parserInternals.h>
#include <libxml/xmlerror.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define BLOCK_SIZE ((size_t)64 << 10)

typedef struct block {
    struct block *next;
    size_t        used, size;
    max_align_t   data[];
} block;

typedef struct reader {
    fa_xml         *xml;
    fa_cursor       cursor; // at the last tag's end
    fa_xml_element *open;   // innermost element that is not closed yet
    int             depth;
    fa_status       status;
    fa_error       *error;
    xmlParserCtxt  *parser;
} reader;

static void *take(fa_xml *xml, size_t size)
{
    size = (size + sizeof(max_align_t) - 1) / sizeof(max_align_t) * sizeof(max_align_t);
    block *b = xml->blocks;
    if (!b || b->size - b->used < size) {
        size_t room = size > BLOCK_SIZE ? size : BLOCK_SIZE;
        b = malloc(sizeof *b + room);
        if (!b) return NULL;
        *b = (block){.next = xml->blocks, .size = room};
        xml->blocks = b;
    }
    void *memory = (char *)b->data + b->used;
    b->used += size;
    return memset(memory, 0, size);
}

static const char *keep(fa_xml *xml, const char *text, size_t size)
{
    char *copy = take(xml, size + 1);
    if (copy) memcpy(copy, text, size);
    return copy;
}

// -------------------------------------------------------------------------------------- positions

static const char *parser_position(const reader *r)
{
    long       offset = xmlByteConsumed(r->parser);
    fa_source *source = &r->xml->source;
    if (offset < 0) return r->cursor.at;
    return source->text + ((size_t)offset < source->size ? (size_t)offset : source->size);
}

static bool is_space(char c)
{
    return c == ' ' || c == '\t' || c == '\n' || c == '\r';
}

// The next attribute of a start tag; libxml2 has found the tag well-formed. The cursor stays in
// front of its value.
static bool next_attribute(fa_cursor *cursor, const char *end, fa_xml_attribute *attribute)
{
    const char *p = cursor->at;
    while (p < end && is_space(*p)) p++;
    if (p >= end || *p == '/' || *p == '>') return false;
    attribute->place = fa_cursor_advance(cursor, p);
    attribute->name = p;
    while (p < end && *p != '"' && *p != '\'') p++;
    if (p >= end) return false;
    const char *close = memchr(p + 1, *p, (size_t)(end - p - 1));
    if (!close) return false;
    attribute->raw = p + 1;
    attribute->raw_size = (size_t)(close - p - 1);
    attribute->value_place = fa_cursor_advance(cursor, p + 1);
    fa_cursor_advance(cursor, close + 1);
    return true;
}

static bool is_namespace(const char *name)
{
    return strncmp(name, "xmlns", 5) == 0 &&
           (name[5] == ':' || name[5] == '=' || is_space(name[5]));
}

// -------------------------------------------------------------------------------------- listening

static void stop(reader *r, fa_status status)
{
    if (r->status == FA_OK) r->status = status;
    xmlStopParser(r->parser);
}

static const char *full_name(fa_xml *xml, const xmlChar *prefix, const xmlChar *local)
{
    size_t a = prefix ? strlen((const char *)prefix) + 1 : 0, b = strlen((const char *)local);
    char  *name = take(xml, a + b + 1);
    if (!name) return NULL;
    if (a) {
        memcpy(name, prefix, a); // with its end, where the colon goes
        name[a - 1] = ':';
    }
    memcpy(name + a, local, b);
    return name;
}

static void start_element(void *context, const xmlChar *local, const xmlChar *prefix,
                          const xmlChar *uri, int n_namespaces, const xmlChar **namespaces,
                          int n_attributes, int n_defaulted, const xmlChar **attributes)
{
    (void)uri, (void)n_namespaces, (void)namespaces, (void)n_defaulted;
    reader *r = context;
    if (r->status != FA_OK) return;

    const char *end = parser_position(r), *tag = end;
    while (tag > r->cursor.at && *tag != '<') tag--;
    fa_place place = fa_cursor_advance(&r->cursor, tag);
    if (++r->depth > FA_XML_DEPTH) {
        stop(r, fa_fail(r->error, FA_BAD_INPUT, r->xml->path, place,
                        "elements are nested more than %d deep here; no robot file needs that",
                        FA_XML_DEPTH));
        return;
    }

    fa_xml_element *element = take(r->xml, sizeof *element);
    const char     *name = full_name(r->xml, prefix, local);
    if (!element || !name) {
        stop(r, FA_NO_MEMORY);
        return;
    }
    element->name = name;
    element->place = place;
    element->parent = r->open;
    if (!r->open)
        r->xml->root = element;
    else if (r->open->last)
        r->open->last = r->open->last->next = element;
    else
        r->open->first = r->open->last = element;
    r->open = element;

    // libxml2 gives the attributes in the order of the file, without namespace declarations.
    fa_cursor_advance(&r->cursor, tag + 1 + strlen(name));
    fa_xml_attribute **link = &element->attributes;
    for (int i = 0; i < n_attributes; i++, attributes += 5) {
        fa_xml_attribute *attribute = take(r->xml, sizeof *attribute);
        if (!attribute) break;
        bool found;
        do found = next_attribute(&r->cursor, end, attribute);
        while (found && is_namespace(attribute->name));
        attribute->name = full_name(r->xml, attributes[1], attributes[0]);
        attribute->value =
            keep(r->xml, (const char *)attributes[3], (size_t)(attributes[4] - attributes[3]));
        if (!found) attribute->place = attribute->value_place = place;
        if (!attribute->name || !attribute->value) break;
        *link = attribute;
        link = &attribute->next;
        if (i == n_attributes - 1) return;
    }
    if (n_attributes > 0) stop(r, FA_NO_MEMORY);
}

static void end_element(void *context, const xmlChar *local, const xmlChar *prefix,
                        const xmlChar *uri)
{
    (void)local, (void)prefix, (void)uri;
    reader *r = context;
    if (r->status != FA_OK) return;
    fa_xml_element *e = r->open;
    while (e->content_size > 0 && is_space(e->content[e->content_size - 1]))
        ((char *)e->content)[--e->content_size] = '\0';
    r->depth--;
    r->open = e->parent;
}

// Text comes in pieces. The room for it doubles, so that long ones stay linear.
static bool add_text(fa_xml *xml, fa_xml_element *e, const char *text, size_t size)
{
    if (e->content_size + size + 1 > e->content_room) {
        const size_t room = 2 * (e->content_size + size) + 1;
        char        *larger = take(xml, room);
        if (!larger) return false;
        if (e->content) memcpy(larger, e->content, e->content_size);
        e->content = larger;
        e->content_room = room;
    }
    char *to = (char *)e->content + e->content_size;
    memcpy(to, text, size);
    to[size] = '\0';
    e->content_size += size;
    return true;
}

static void characters(void *context, const xmlChar *characters, int size)
{
    reader         *r = context;
    const char     *text = (const char *)characters;
    fa_xml_element *e = r->open;
    if (r->status != FA_OK || !e) return;
    int skipped = 0;
    while (skipped < size && !e->text.line && is_space(text[skipped])) skipped++;
    if (skipped == size) return;
    if (!e->text.line) {
        // The parser stands behind the text, somewhere before the next tag.
        const char *p = parser_position(r);
        e->text = fa_cursor_advance(&r->cursor, p - size > r->cursor.at ? p - size : p);
    }
    if (!add_text(r->xml, e, text + skipped, (size_t)(size - skipped))) stop(r, FA_NO_MEMORY);
}

// ----------------------------------------------------------------------------------------- faults

// Rewords libxml2's error where the user needs to know what to do.
static fa_status fault(reader *r, const xmlError *e)
{
    fa_place    place = fa_cursor_advance(&r->cursor, parser_position(r));
    const char *path = r->xml->path;
    const char *name = r->open ? r->open->name : "";
    int         line = r->open ? r->open->place.line : 0;
    const char *first = e->str1 ? (const char *)e->str1 : "";
    bool        at_end = r->cursor.at == r->xml->source.text + r->xml->source.size;

    if (e->code == XML_ERR_NO_MEMORY) return FA_NO_MEMORY;
    if (e->code == XML_ERR_DOCUMENT_END)
        return fa_fail(r->error, FA_BAD_INPUT, path, place,
                       "something follows the end of <%s>; an XML file has one root element and "
                       "nothing after it",
                       r->xml->root ? r->xml->root->name : "");
    if (r->open && at_end)
        return fa_fail(r->error, FA_BAD_INPUT, path, place,
                       "the file ends although <%.100s> of line %d is still open; it is cut off, "
                       "or a closing tag is missing",
                       name, line);
    if (at_end)
        return fa_fail(r->error, FA_BAD_INPUT, path, place,
                       "the file ends in the middle of a tag; it is cut off");
    if (e->code == XML_ERR_TAG_NAME_MISMATCH)
        return fa_fail(r->error, FA_BAD_INPUT, path, place,
                       "<%.100s> of line %d must be closed before </%.100s> here", name, line,
                       e->str2 ? (const char *)e->str2 : "");
    if (e->code == XML_ERR_ATTRIBUTE_REDEFINED)
        return fa_fail(r->error, FA_BAD_INPUT, path, place,
                       "the attribute %.100s stands twice in one tag; remove one", first);
    if (e->code == XML_ERR_UNDECLARED_ENTITY || e->code == XML_WAR_UNDECLARED_ENTITY)
        return fa_fail(r->error, FA_BAD_INPUT, path, place,
                       "&%.100s; stands for nothing here; a plain & is written &amp;", first);
    static const struct {
        int         code;
        const char *sentence;
    } known[] = {
        {XML_ERR_NAME_REQUIRED,
         "a name is missing here; names start with a letter, and a plain & is written &amp;"},
        {XML_ERR_ENTITYREF_SEMICOL_MISSING, "a plain & is written &amp;"},
        {XML_ERR_LT_IN_ATTRIBUTE, "a < in the value of an attribute is written &lt;"},
        {XML_ERR_ATTRIBUTE_NOT_STARTED, "the value of an attribute must stand in quotes"},
        {XML_ERR_DOCUMENT_EMPTY, "the file does not start with an element; is it the right one?"},
        {XML_ERR_UNKNOWN_VERSION, "this version of XML does not exist; write version=\"1.0\""},
    };
    for (size_t i = 0; i < sizeof known / sizeof *known; i++)
        if (e->code == known[i].code)
            return fa_fail(r->error, FA_BAD_INPUT, path, place, "%s", known[i].sentence);

    size_t n = e->message ? strlen(e->message) : 0;
    while (n > 0 && is_space(e->message[n - 1])) n--;
    return fa_fail(r->error, FA_BAD_INPUT, path, place, "this is not XML: %.*s", (int)n,
                   n ? e->message : "");
}

#if LIBXML_VERSION >= 21200
typedef const xmlError *error_pointer;
#else
typedef xmlError *error_pointer;
#endif

static void complain(void *context, error_pointer e)
{
    reader *r = context;
    // Prefixes without a declaration are common in robot files and do no harm.
    if (r->status != FA_OK || e->domain == XML_FROM_NAMESPACE || e->level < XML_ERR_ERROR) return;
    r->status = fault(r, e);
}

static xmlEntityPtr no_entity(void *context, const xmlChar *name)
{
    (void)context, (void)name;
    return NULL;
}

static fa_status parse(reader *r)
{
    const fa_source *source = &r->xml->source;
    r->parser = xmlCreateMemoryParserCtxt(source->text, (int)source->size);
    if (!r->parser) return FA_NO_MEMORY;
    xmlSAXHandler listen = {
        .initialized = XML_SAX2_MAGIC,
        .startElementNs = start_element,
        .endElementNs = end_element,
        .characters = characters,
        .cdataBlock = characters,
        .getEntity = no_entity,
        .serror = complain,
    };
    *r->parser->sax = listen;
    r->parser->userData = r;
    // The text is UTF-8 by now, whatever its declaration says. NOENT makes & of &amp; and can do no
    // more: entities that a file defines itself have been refused.
    xmlCtxtUseOptions(r->parser, XML_PARSE_IGNORE_ENC | XML_PARSE_NOENT | XML_PARSE_NONET);
    xmlParseDocument(r->parser);
    if (r->status == FA_OK && (!r->parser->wellFormed || !r->xml->root))
        r->status = fa_fail(r->error, FA_BAD_INPUT, r->xml->path, FA_NOWHERE,
                            "the file is not XML; is it the right one?");
    xmlFreeParserCtxt(r->parser);
    return r->status;
}

fa_status fa_xml_read(const char *bytes, size_t size, const char *path, const fa_log *log,
                      fa_xml **xml, fa_error *error)
{
    xmlInitParser();
    fa_xml   *tree = calloc(1, sizeof *tree);
    fa_status status = FA_NO_MEMORY;
    *xml = NULL;
    if (tree) {
        tree->path = path;
        status = fa_source_decode(bytes, size, path, log, &tree->source, error);
    }
    if (status == FA_OK) {
        reader r = {.xml = tree, .cursor = FA_CURSOR_AT(tree->source.text), .error = error};
        status = parse(&r);
    }
    if (status == FA_NO_MEMORY)
        fa_fail(error, status, path, FA_NOWHERE, "there is not enough memory for the file");
    if (status == FA_OK)
        *xml = tree;
    else
        fa_xml_free(tree);
    return status;
}

fa_status fa_xml_load(const char *path, const fa_log *log, fa_xml **xml, fa_error *error)
{
    char     *text;
    size_t    size;
    fa_status status = fa_source_load(path, &text, &size, error);
    *xml = NULL;
    if (status != FA_OK) return status;
    status = fa_xml_read(text, size, path, log, xml, error);
    free(text);
    return status;
}

void fa_xml_free(fa_xml *xml)
{
    if (!xml) return;
    for (block *b = xml->blocks, *next; b; b = next) {
        next = b->next;
        free(b);
    }
    free(xml->source.text);
    free(xml);
}

// ---------------------------------------------------------------------------------------- looking

const fa_xml_element *fa_xml_next(const fa_xml_element *from, const char *name)
{
    while (from && strcmp(from->name, name) != 0) from = from->next;
    return from;
}

const fa_xml_element *fa_xml_child(const fa_xml_element *parent, const char *name)
{
    return fa_xml_next(parent->first, name);
}

const fa_xml_attribute *fa_xml_find(const fa_xml_element *element, const char *name)
{
    const fa_xml_attribute *attribute = element->attributes;
    while (attribute && strcmp(attribute->name, name) != 0) attribute = attribute->next;
    return attribute;
}

fa_place fa_xml_value_place(const fa_xml_attribute *attribute, size_t offset)
{
    // Where an entity or CR LF makes the value shorter than the text, its start has to do.
    if (!attribute->raw || strlen(attribute->value) != attribute->raw_size)
        return attribute->value_place;
    fa_cursor cursor = {attribute->raw, attribute->value_place};
    return fa_cursor_advance(&cursor, attribute->raw + offset);
}
