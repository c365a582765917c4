// XML as a light tree that remembers line and column of everything, read through libxml2.
//
// Names keep their prefix as written ("xacro:macro"). Comments and processing instructions are not
// kept, and of text within an element only that it stands there, one piece behind the other.
// Everything belongs to the fa_xml and goes with it.
#ifndef FA_XML_H
#define FA_XML_H

#include <stddef.h>

#include "source.h"
#include "status.h"

#define FA_XML_DEPTH 64 // levels of nesting; robot files need eight

typedef struct fa_xml_attribute fa_xml_attribute;
struct fa_xml_attribute {
    const char       *name;
    const char       *value; // entities replaced, white space as spaces
    fa_place          place; // of the name
    fa_place          value_place;
    const char       *raw; // the value as it stands in the file
    size_t            raw_size;
    fa_xml_attribute *next; // in the order of the file
};

typedef struct fa_xml_element fa_xml_element;
struct fa_xml_element {
    const char       *name;
    fa_place          place;
    fa_place          text;    // of the first text in it that is not white space; line 0: none
    const char       *content; // its text, without white space at the ends; NULL: none
    size_t            content_size, content_room;
    fa_xml_attribute *attributes;
    fa_xml_element   *parent; // NULL for the root
    fa_xml_element   *first, *last;
    fa_xml_element   *next;
};

typedef struct fa_xml {
    const char     *path;
    fa_xml_element *root;
    fa_source       source;
    struct block   *blocks;
} fa_xml;

// *xml is NULL when this fails. `path` is kept as a pointer and must live as long as the tree.
fa_status fa_xml_read(const char *bytes, size_t size, const char *path, const fa_log *log,
                      fa_xml **xml, fa_error *error);
// The same for a file.
fa_status fa_xml_load(const char *path, const fa_log *log, fa_xml **xml, fa_error *error);
void      fa_xml_free(fa_xml *xml);

// The first child of that name, or the first at or after `from` among siblings; NULL if none.
const fa_xml_element   *fa_xml_child(const fa_xml_element *parent, const char *name);
const fa_xml_element   *fa_xml_next(const fa_xml_element *from, const char *name);
const fa_xml_attribute *fa_xml_find(const fa_xml_element *element, const char *name);

// The place of the byte `offset` of an attribute's value.
fa_place fa_xml_value_place(const fa_xml_attribute *attribute, size_t offset);

#endif
