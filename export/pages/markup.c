// XML and HTML in memory.
#include "markup.h"

#include <stdlib.h>
#include <string.h>

#include "number.h"

fa_markup fa_markup_new(void)
{
    fa_markup markup = {.buffer = xmlBufferCreate()};
    if (markup.buffer) markup.writer = xmlNewTextWriterMemory(markup.buffer, 0);
    markup.failed = !markup.writer || xmlTextWriterSetIndent(markup.writer, 1) < 0;
    return markup;
}

fa_status fa_markup_finish(fa_markup *markup, char **text, size_t *size, fa_error *error)
{
    char *copy = NULL;
    if (!markup->failed && xmlTextWriterEndDocument(markup->writer) >= 0 &&
        xmlTextWriterFlush(markup->writer) >= 0) {
        size_t length = (size_t)xmlBufferLength(markup->buffer);
        copy = malloc(length + 1);
        if (copy) {
            memcpy(copy, xmlBufferContent(markup->buffer), length + 1);
            *size = length;
        }
    }
    if (markup->writer) xmlFreeTextWriter(markup->writer);
    if (markup->buffer) xmlBufferFree(markup->buffer);
    *markup = (fa_markup){.failed = true};
    if (!copy) {
        return fa_fail(error, FA_NO_MEMORY, NULL, FA_NOWHERE,
                       "there is not enough memory for the FMU's description");
    }
    *text = copy;
    return FA_OK;
}

static void check(fa_markup *markup, int written)
{
    if (written < 0) markup->failed = true;
}

void fa_markup_declaration(fa_markup *markup)
{
    if (markup->failed) return;
    check(markup, xmlTextWriterStartDocument(markup->writer, "1.0", "UTF-8", NULL));
}

void fa_markup_open(fa_markup *markup, const char *element)
{
    if (markup->failed) return;
    check(markup, xmlTextWriterStartElement(markup->writer, BAD_CAST element));
}

void fa_markup_close(fa_markup *markup)
{
    if (markup->failed) return;
    check(markup, xmlTextWriterEndElement(markup->writer));
}

// Returns the text itself if XML may contain it; otherwise a copy with '?' for illegal bytes.
static xmlChar *legal(const char *text, xmlChar **copy)
{
    bool utf8 = xmlCheckUTF8(BAD_CAST text);
    bool clean = utf8;
    for (const char *c = text; *c && clean; c++) clean = (unsigned char)*c >= ' ' || *c == '\n';
    *copy = NULL;
    if (clean) return BAD_CAST text;
    *copy = xmlStrdup(BAD_CAST text);
    for (xmlChar *c = *copy; c && *c; c++) {
        if ((*c < ' ' && *c != '\n') || (*c >= 0x80 && !utf8)) *c = '?';
    }
    return *copy;
}

void fa_markup_attribute(fa_markup *markup, const char *name, const char *value)
{
    if (markup->failed) return;
    xmlChar *copy;
    xmlChar *text = legal(value, &copy);
    check(markup, text ? xmlTextWriterWriteAttribute(markup->writer, BAD_CAST name, text) : -1);
    xmlFree(copy);
}

void fa_markup_number(fa_markup *markup, const char *name, double value)
{
    fa_markup_attribute(markup, name, fa_number_text(value).text);
}

void fa_markup_integer(fa_markup *markup, const char *name, long value)
{
    if (markup->failed) return;
    check(markup, xmlTextWriterWriteFormatAttribute(markup->writer, BAD_CAST name, "%ld", value));
}

void fa_markup_text(fa_markup *markup, const char *text)
{
    if (markup->failed) return;
    xmlChar *copy;
    xmlChar *content = legal(text, &copy);
    check(markup, content ? xmlTextWriterWriteString(markup->writer, content) : -1);
    xmlFree(copy);
}

void fa_markup_element(fa_markup *markup, const char *element, const char *text)
{
    fa_markup_open(markup, element);
    fa_markup_text(markup, text);
    fa_markup_close(markup);
}

void fa_markup_raw(fa_markup *markup, const char *text)
{
    if (markup->failed) return;
    check(markup, xmlTextWriterWriteRaw(markup->writer, BAD_CAST text));
}
