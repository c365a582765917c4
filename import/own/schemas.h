// The schemas of our own formats, built into the library from resources/schema.
#ifndef FA_SCHEMAS_H
#define FA_SCHEMAS_H

#include <stddef.h>

typedef struct fa_schema {
    const char *root; // element that it is for
    const char *text;
    size_t      size;
} fa_schema;

// The motors and gearboxes that have names, from resources/parts.
extern const fa_schema fa_drives;

extern const fa_schema fa_schemas[]; // closed by a row whose root is NULL

#endif
