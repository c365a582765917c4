// Surfaces of triangles, read from STL, OBJ and COLLADA files; and the solid that one encloses.
#ifndef FA_MESH_H
#define FA_MESH_H

#include <stdbool.h>
#include <stddef.h>

#include "solid.h"
#include "status.h"

typedef struct fa_triangle {
    fa_vec3 corner[3];
} fa_triangle;

// Triangles of one colour.
typedef struct fa_mesh_part {
    size_t first, n;
    bool   coloured; // the file says a colour
    double colour[3];
} fa_mesh_part;

typedef struct fa_mesh {
    size_t        n;
    fa_triangle  *triangle;
    int           n_parts; // one after the other, together all triangles
    fa_mesh_part *part;
} fa_mesh;

// The triangles of a file. Those of STL and OBJ have the file's own unit of length; those of
// COLLADA and glTF are in metres. A file without one, or with a number that is not finite, is
// refused; *mesh is empty then. Colours of an OBJ file are in a file beside it, and are left out
// where that is not there.
fa_status fa_mesh_read(const char *path, fa_mesh *mesh, fa_error *error);
void      fa_mesh_free(fa_mesh *mesh);

// Multiplies each axis of the corners by a factor. Factors that turn left hands into right ones
// turn the triangles' sense with it.
void fa_mesh_scale(fa_mesh *mesh, fa_vec3 scale);

// Fills a mesh whose lengths are multiplied by `scale` to be metres with a material [kg/m^3].
// Refused: a surface that is not closed (each edge must be passed
// once in each direction), or without volume. A surface that is inside out is turned, with a
// warning at `place` of the file `source` that names it. `path` is for sentences.
fa_status fa_mesh_fill(const fa_mesh *mesh, const char *path, double scale, double density,
                       const char *source, fa_place place, const fa_log *log, fa_solid *solid,
                       fa_error *error);
// The same for a file.
fa_status fa_mesh_solid(const char *path, double scale, double density, const char *source,
                        fa_place place, const fa_log *log, fa_solid *solid, fa_error *error);

#endif
