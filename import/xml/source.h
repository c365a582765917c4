// The bytes of a file as valid UTF-8, and line and column of each.
#ifndef FA_SOURCE_H
#define FA_SOURCE_H

#include <stddef.h>

#include "status.h"

#define FA_SOURCE_MAX     ((size_t)256 << 20) // bytes of a robot file; far beyond any real one
#define FA_ATTRIBUTES_MAX 256                 // of one element; robot files have twenty

// UTF-8 without byte order mark and without NUL, closed by one zero byte.
typedef struct fa_source {
    char  *text; // released with free()
    size_t size;
} fa_source;

// The whole file as it is on disk. *bytes is released by the caller with free(). The second is for
// files that another file names: a pipe or a device is refused, and never waited for.
fa_status fa_source_load_regular(const char *path, char **bytes, size_t *size, fa_error *error);
fa_status fa_source_load(const char *path, char **bytes, size_t *size, fa_error *error);

// Decodes UTF-8, UTF-16 and whatever the XML declaration names. Refused, because XML or caution
// does so: NUL bytes, bytes outside the encoding, a declaration that is not at the start, a DOCTYPE
// with anything but a name in it, a tag with so many attributes that comparing each with each,
// which XML demands, takes long. XML version 0.0, which some editors write, becomes 1.0 with a
// warning.
fa_status fa_source_decode(const char *bytes, size_t size, const char *path, const fa_log *log,
                           fa_source *source, fa_error *error);

// A position that walks forward through a text. Columns count characters, not bytes.
typedef struct fa_cursor {
    const char *at;
    fa_place    place;
} fa_cursor;

#define FA_CURSOR_AT(text) ((fa_cursor){(text), {1, 1}})

fa_place fa_cursor_advance(fa_cursor *cursor, const char *to);

#endif
