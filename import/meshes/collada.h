// A COLLADA document while it is read: what its two files share.
#ifndef FA_COLLADA_H
#define FA_COLLADA_H

#include <libxml/tree.h>

#include "mesh_frame.h"
#include "mesh_reader.h"

typedef struct fa_collada {
    fa_mesh_reader *r;
    xmlDoc         *document;
    xmlNode       **named; // elements with an id, by id; n_named of them
    int             n_named, instances;
    size_t          read, most_read; // bytes of numbers, those of repeated geometry again
} fa_collada;

// Elements by name, whatever their namespace. NULL: there is none.
bool     fa_collada_is(const xmlNode *node, const char *name);
xmlNode *fa_collada_child(const xmlNode *node, const char *name);
xmlNode *fa_collada_next(const xmlNode *node, const char *name); // sibling
// The element whose id is in the attribute, as #id or as id alone.
xmlNode *fa_collada_target(const fa_collada *c, const xmlNode *node, const char *attribute);
// Whole number of an attribute, from 0 to a thousand million; `otherwise` where there is none.
long fa_collada_whole(const xmlNode *node, const char *attribute, long otherwise);

// Numbers of an element's text, n of them, released with free(); a fault names the element's line.
fa_status fa_collada_numbers(fa_collada *c, xmlNode *node, double **number, size_t *n);
fa_status fa_collada_fail(const fa_collada *c, const xmlNode *node, const char *sentence);

// Adds the triangles of a <geometry>, where `frame` puts it. Its materials are what the
// <bind_material> of `instance` binds their names to; NULL: nothing.
fa_status fa_collada_geometry(fa_collada *c, const xmlNode *geometry, const xmlNode *instance,
                              const fa_mesh_frame *frame);

#endif
