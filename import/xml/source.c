// Reads a file, validates UTF-8, and maps byte offsets to line and column.
#include "source.h"

#include <libxml/encoding.h>
#include <libxml/tree.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "paths.h"
#include "text.h"

// All that is to be read of `file`, which is closed.
static fa_status load(FILE *file, const char *path, char **bytes, size_t *size, fa_error *error)
{
    *bytes = NULL;
    *size = 0;
    if (!file)
        return fa_fail(error, FA_IO, path, FA_NOWHERE,
                       "the file cannot be opened; check its name and your permissions");
    fa_status status = FA_OK;
    size_t    capacity = 0;
    for (;;) {
        if (*size == capacity) {
            capacity = capacity ? 2 * capacity : 1 << 16;
            char *larger = capacity <= 2 * FA_SOURCE_MAX ? realloc(*bytes, capacity) : NULL;
            if (!larger) {
                status = capacity <= 2 * FA_SOURCE_MAX ? FA_NO_MEMORY : FA_BAD_INPUT;
                break;
            }
            *bytes = larger;
        }
        size_t got = fread(*bytes + *size, 1, capacity - *size, file);
        if (got == 0) break;
        *size += got;
    }
    if (status == FA_NO_MEMORY)
        fa_fail(error, status, path, FA_NOWHERE, "there is not enough memory for the file");
    else if (status != FA_OK || *size > FA_SOURCE_MAX)
        status = fa_fail(error, FA_BAD_INPUT, path, FA_NOWHERE,
                         "the file is larger than the 256 MiB that a robot file may have");
    else if (ferror(file))
        status = fa_fail(error, FA_IO, path, FA_NOWHERE,
                         "the file cannot be read; if it is a folder, name a file in it");
    fclose(file);
    if (status != FA_OK) {
        free(*bytes);
        *bytes = NULL;
        *size = 0;
    }
    return status;
}

fa_status fa_source_load(const char *path, char **bytes, size_t *size, fa_error *error)
{
    return load(fopen(path, "rb"), path, bytes, size, error);
}

fa_status fa_source_load_regular(const char *path, char **bytes, size_t *size, fa_error *error)
{
    bool  irregular;
    FILE *file = fa_file_open_regular(path, &irregular);
    *bytes = NULL;
    *size = 0;
    if (irregular)
        return fa_fail(error, FA_IO, path, FA_NOWHERE,
                       "it is a folder, a pipe or a device; name a regular file");
    return load(file, path, bytes, size, error);
}

fa_place fa_cursor_advance(fa_cursor *cursor, const char *to)
{
    for (; cursor->at < to; cursor->at++) {
        if (*cursor->at == '\n') {
            cursor->place.line++;
            cursor->place.column = 1;
        } else if (((unsigned char)*cursor->at & 0xC0) != 0x80) { // not within a character
            cursor->place.column++;
        }
    }
    return cursor->place;
}

// -------------------------------------------------------------------------------------- encodings

static fa_status check_utf8(const fa_source *source, const char *path, fa_error *error)
{
    fa_cursor   cursor = FA_CURSOR_AT(source->text);
    const char *text = source->text;
    for (size_t i = 0, n; i < source->size; i += n) {
        n = fa_text_character(text + i, 4);
        if (n > 0 && text[i] != 0) continue;
        fa_place place = fa_cursor_advance(&cursor, source->text + i);
        if (n > 0)
            return fa_fail(error, FA_BAD_INPUT, path, place,
                           "there is a NUL byte, which XML does not allow; the file is damaged, or "
                           "not a text file");
        return fa_fail(error, FA_BAD_INPUT, path, place,
                       "the byte 0x%02x is not UTF-8; save the file as UTF-8, or name its encoding "
                       "in the first line, such as <?xml version=\"1.0\" "
                       "encoding=\"ISO-8859-1\"?>",
                       (unsigned char)text[i]);
    }
    return FA_OK;
}

// The pseudo-attribute of an XML declaration, between its quotes; NULL if it is not there.
static char *declared(char *declaration, char *end, const char *name, size_t *size)
{
    size_t n = strlen(name);
    for (char *p = declaration; p + n < end; p++) {
        if (memcmp(p, name, n) != 0 || !strchr(" \t\r\n", p[-1])) continue;
        char *value = p + n;
        while (value < end && strchr(" \t\r\n=", *value)) value++;
        if (value >= end || (*value != '"' && *value != '\'')) return NULL;
        char *close = memchr(value + 1, *value, (size_t)(end - value - 1));
        if (!close) return NULL;
        *size = (size_t)(close - value - 1);
        return value + 1;
    }
    return NULL;
}

// The end of the declaration at the start of the text, NULL if there is none.
static char *declaration_end(char *text, size_t size)
{
    if (size < 6 || memcmp(text, "<?xml", 5) != 0 || !strchr(" \t\r\n", text[5])) return NULL;
    char *end = text + 6; // the text is closed by a zero, so that strstr stops there at the latest
    return strstr(end, "?>");
}

static fa_status convert(const char *encoding, const char *bytes, size_t size, const char *path,
                         fa_source *source, fa_error *error)
{
    xmlCharEncodingHandlerPtr handler = xmlFindCharEncodingHandler(encoding);
    if (!handler)
        return fa_fail(error, FA_BAD_INPUT, path, (fa_place){1, 1},
                       "the encoding '%.40s' is not known here; save the file as UTF-8", encoding);
    fa_status    status = FA_NO_MEMORY;
    xmlBufferPtr in = xmlBufferCreate(), out = xmlBufferCreate();
    if (in && out && xmlBufferAdd(in, (const xmlChar *)bytes, (int)size) == 0) {
        // A call converts one buffer; the conversion is complete when a call makes no progress.
        int before;
        do {
            before = xmlBufferLength(in);
            if (xmlCharEncInFunc(handler, out, in) < 0) break;
        } while (xmlBufferLength(in) > 0 && xmlBufferLength(in) < before);
        if (xmlBufferLength(in) > 0) {
            status = fa_fail(error, FA_BAD_INPUT, path, (fa_place){1, 1},
                             "the file is not in the encoding '%.40s' that it says it has; save it "
                             "as UTF-8",
                             encoding);
        } else {
            source->size = (size_t)xmlBufferLength(out);
            source->text = malloc(source->size + 1);
            if (source->text) {
                memcpy(source->text, xmlBufferContent(out), source->size);
                source->text[source->size] = '\0';
                status = FA_OK;
            }
        }
    }
    xmlBufferFree(in);
    xmlBufferFree(out);
    xmlCharEncCloseFunc(handler);
    return status;
}

static bool same_ignoring_case(const char *text, size_t size, const char *other)
{
    if (strlen(other) != size) return false;
    for (size_t i = 0; i < size; i++) {
        char c = text[i] >= 'a' && text[i] <= 'z' ? (char)(text[i] - 'a' + 'A') : text[i];
        if (c != other[i]) return false;
    }
    return true;
}

static fa_status to_utf8(const char *bytes, size_t size, const char *path, fa_source *source,
                         fa_error *error)
{
    const unsigned char *head = (const unsigned char *)bytes;
    if (size >= 2 && ((head[0] == 0xFF && head[1] == 0xFE) || (head[0] == '<' && head[1] == 0)))
        return convert("UTF-16LE", bytes, size, path, source, error);
    if (size >= 2 && ((head[0] == 0xFE && head[1] == 0xFF) || (head[0] == 0 && head[1] == '<')))
        return convert("UTF-16BE", bytes, size, path, source, error);

    source->text = malloc(size + 1);
    if (!source->text) return FA_NO_MEMORY;
    memcpy(source->text, bytes, size);
    source->text[size] = '\0';
    source->size = size;

    char  *end = declaration_end(source->text, size), *name;
    size_t n = 0;
    if (!end || !(name = declared(source->text, end, "encoding", &n))) return FA_OK;
    if (same_ignoring_case(name, n, "UTF-8") || same_ignoring_case(name, n, "UTF8")) return FA_OK;
    char encoding[64];
    snprintf(encoding, sizeof encoding, "%.*s", (int)(n < 63 ? n : 63), name);
    free(source->text);
    source->text = NULL;
    return convert(encoding, bytes, size, path, source, error);
}

// -------------------------------------------------------------------------------- before the root

static char *after(char *text, const char *mark)
{
    char *found = strstr(text, mark);
    return found ? found + strlen(mark) : text + strlen(text);
}

// <!DOCTYPE robot> alone says nothing and is harmless. What defines entities or names other files
// is not, and robots need neither.
static fa_status check_doctype(const char *doctype, fa_place place, const char *path,
                               fa_error *error)
{
    const char *p = doctype + strlen("<!DOCTYPE");
    p += strspn(p, " \t\r\n");
    p += strcspn(p, " \t\r\n[>");
    p += strspn(p, " \t\r\n");
    if (*p == '>' || *p == '\0') return FA_OK;
    return fa_fail(error, FA_BAD_INPUT, path, place,
                   "the DOCTYPE %s, which is refused because it can make a small file huge or read "
                   "other files; remove it, and write out what its entities stand for",
                   *p == '[' ? "has an internal subset" : "refers to another file");
}

// White space, comments and processing instructions up to the root element.
static fa_status check_prolog(const fa_source *source, const char *path, fa_error *error)
{
    fa_cursor cursor = FA_CURSOR_AT(source->text);
    char     *p = source->text;
    for (;;) {
        p += strspn(p, " \t\r\n");
        fa_place place = fa_cursor_advance(&cursor, p);
        if (strncmp(p, "<!--", 4) == 0) {
            p = after(p + 4, "-->");
        } else if (strncmp(p, "<?xml", 5) == 0 && p[5] && strchr(" \t\r\n", p[5]) &&
                   p > source->text) {
            return fa_fail(error, FA_BAD_INPUT, path, place,
                           "the XML declaration must be the very first thing in a file; move it "
                           "to the start, or remove it");
        } else if (strncmp(p, "<?", 2) == 0) {
            p = after(p, "?>");
        } else if (strncmp(p, "<!DOCTYPE", 9) == 0) {
            fa_status status = check_doctype(p, place, path, error);
            if (status != FA_OK) return status;
            p = after(p, ">");
        } else if (*p == '\0') {
            return fa_fail(error, FA_BAD_INPUT, path, place,
                           "the file has no element; a robot file starts with <robot> or <arm>");
        } else {
            return FA_OK;
        }
    }
}

// Two dashes within a comment, which XML forbids and public robots have: every other reader takes
// them. The place of what follows stays.
static void soften(char *comment, const char *end)
{
    for (char *p = comment; p + 3 < end; p++)
        if (p[0] == '-' && p[1] == '-') p[0] = ' ';
}

// libxml2 looks for doubles among the attributes of a tag by comparing each with each: 100,000 take
// 2.6 s, and ten times as many a hundred times that. What is not XML is passed over here.
static fa_status check_tags(const fa_source *source, const char *path, fa_error *error)
{
    char *p = source->text, *tag;
    while ((tag = strchr(p, '<')) != NULL) {
        int attributes = 0;
        if (strncmp(tag, "<!--", 4) == 0) {
            p = after(tag + 4, "-->");
            soften(tag + 4, p);
        } else if (strncmp(tag, "<![CDATA[", 9) == 0) {
            p = after(tag + 9, "]]>");
        } else if (strncmp(tag, "<?", 2) == 0) {
            p = after(tag + 2, "?>");
        } else {
            // Each attribute has a value in quotes, within which '>' may stand.
            for (p = tag + 1; (p = strpbrk(p, "\"'>")) != NULL && *p != '>'; p++) {
                p = strchr(p + 1, *p);
                if (!p || ++attributes > FA_ATTRIBUTES_MAX) break;
            }
            if (!p) return FA_OK;
        }
        if (attributes > FA_ATTRIBUTES_MAX) {
            fa_cursor cursor = FA_CURSOR_AT(source->text);
            return fa_fail(error, FA_BAD_INPUT, path, fa_cursor_advance(&cursor, tag),
                           "the tag that begins here has more than %d attributes; no robot file "
                           "needs that",
                           FA_ATTRIBUTES_MAX);
        }
    }
    return FA_OK;
}

fa_status fa_source_decode(const char *bytes, size_t size, const char *path, const fa_log *log,
                           fa_source *source, fa_error *error)
{
    *source = (fa_source){NULL, 0};
    if (size > FA_SOURCE_MAX)
        return fa_fail(error, FA_BAD_INPUT, path, FA_NOWHERE,
                       "the file is larger than the 256 MiB that a robot file may have");
    // The mark is no part of the text; UTF-16 keeps its own until it has been decoded.
    if (size >= 3 && memcmp(bytes, "\xEF\xBB\xBF", 3) == 0) {
        bytes += 3;
        size -= 3;
    }
    fa_status status = to_utf8(bytes, size, path, source, error);
    if (status == FA_NO_MEMORY)
        fa_fail(error, status, path, FA_NOWHERE, "there is not enough memory for the file");
    if (status == FA_OK && source->size >= 3 && memcmp(source->text, "\xEF\xBB\xBF", 3) == 0) {
        source->size -= 3;
        memmove(source->text, source->text + 3, source->size + 1);
    }
    if (status == FA_OK) status = check_utf8(source, path, error);
    if (status == FA_OK) status = check_prolog(source, path, error);
    if (status == FA_OK) status = check_tags(source, path, error);

    char  *end = status == FA_OK ? declaration_end(source->text, source->size) : NULL;
    size_t n = 0;
    char  *version = end ? declared(source->text, end, "version", &n) : NULL;
    if (version && n == 3 && memcmp(version, "0.0", 3) == 0) {
        fa_warn(log, path, (fa_place){1, 1},
                "there is no XML version 0.0; the file is read as version 1.0");
        version[0] = '1';
    }
    if (status != FA_OK) {
        free(source->text);
        *source = (fa_source){NULL, 0};
    }
    return status;
}
