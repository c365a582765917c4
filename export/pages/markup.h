// Writes XML and HTML in memory, by libxml2's writer. Errors are sticky: fa_markup_finish reports
// them, so calls in between need no check.
#ifndef FA_MARKUP_H
#define FA_MARKUP_H

#include <libxml/xmlwriter.h>
#include <stddef.h>

#include "status.h"

typedef struct fa_markup {
    xmlBufferPtr     buffer;
    xmlTextWriterPtr writer;
    bool             failed; // out of memory
} fa_markup;

// Begins an empty page. Ends with exactly one call of fa_markup_finish.
fa_markup fa_markup_new(void);

// Closes open elements and returns the text, which the caller frees.
fa_status fa_markup_finish(fa_markup *markup, char **text, size_t *size, fa_error *error);

// <?xml version="1.0" encoding="UTF-8"?>
void fa_markup_declaration(fa_markup *markup);

void fa_markup_open(fa_markup *markup, const char *element);
void fa_markup_close(fa_markup *markup);

// Adds an attribute to the element just opened. Characters that XML forbids, such as control
// characters, become '?'.
void fa_markup_attribute(fa_markup *markup, const char *name, const char *value);
void fa_markup_number(fa_markup *markup, const char *name, double value);
void fa_markup_integer(fa_markup *markup, const char *name, long value);

// Writes escaped text between the tags.
void fa_markup_text(fa_markup *markup, const char *text);

// Writes an element that contains only text.
void fa_markup_element(fa_markup *markup, const char *element, const char *text);

// Writes markup verbatim.
void fa_markup_raw(fa_markup *markup, const char *text);

#endif
