// XML and HTML in memory, through libxml2's writer. A fault is remembered, so that a page is
// written without a check after each call and asked about once, at its end.
#ifndef FA_MARKUP_H
#define FA_MARKUP_H

#include <libxml/xmlwriter.h>
#include <stddef.h>

#include "status.h"

typedef struct fa_markup {
    xmlBufferPtr     buffer;
    xmlTextWriterPtr writer;
    bool             failed; // there was no memory for something
} fa_markup;

// An empty page. Ends with exactly one call of fa_markup_finish.
fa_markup fa_markup_new(void);

// The text so far, released by the caller with free; what is still open is closed.
fa_status fa_markup_finish(fa_markup *markup, char **text, size_t *size, fa_error *error);

// <?xml version="1.0" encoding="UTF-8"?>
void fa_markup_declaration(fa_markup *markup);

void fa_markup_open(fa_markup *markup, const char *element);
void fa_markup_close(fa_markup *markup);

// Attributes of the element just opened. What no XML file may hold, such as control characters,
// comes out as '?'.
void fa_markup_attribute(fa_markup *markup, const char *name, const char *value);
void fa_markup_number(fa_markup *markup, const char *name, double value);
void fa_markup_integer(fa_markup *markup, const char *name, long value);

// Text between the tags.
void fa_markup_text(fa_markup *markup, const char *text);

// An element that holds nothing but a text.
void fa_markup_element(fa_markup *markup, const char *element, const char *text);

// Text that is markup already.
void fa_markup_raw(fa_markup *markup, const char *text);

#endif
