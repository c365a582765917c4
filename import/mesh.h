// Surfaces of triangles, read from STL files, binary or text; and the solid that one encloses.
#ifndef FA_MESH_H
#define FA_MESH_H

#include <stddef.h>

#include "solid.h"
#include "status.h"

typedef struct fa_triangle {
    fa_vec3 corner[3];
} fa_triangle;

// The triangles of an STL file, n of them, in its own unit of length. *triangles is released with
// free(). A file without one, or with a number that is not finite, is refused.
fa_status fa_mesh_read(const char *path, fa_triangle **triangles, size_t *n, fa_error *error);

// Reads an STL file whose lengths are multiplied by `scale` to be metres, and fills it with a
// material [kg/m^3]. Refused, beside that: a surface that is not closed (each edge must be passed
// once in each direction), or without volume. A surface that is inside out is turned, with a
// warning at `place` of the file `source` that names it.
fa_status fa_mesh_solid(const char *path, double scale, double density, const char *source,
                        fa_place place, const fa_log *log, fa_solid *solid, fa_error *error);

#endif
