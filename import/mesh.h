// The solid that a closed surface of triangles encloses, read from an STL file.
#ifndef FA_MESH_H
#define FA_MESH_H

#include "solid.h"
#include "status.h"

// Reads an STL file, binary or text, whose lengths are multiplied by `scale` to be metres, and
// fills it with a material [kg/m^3]. Refused: a surface that is not closed (each edge must be
// passed once in each direction), without volume, or with a number that is not finite. A surface
// that is inside out is turned, with a warning at `place` of the file `source` that names it.
fa_status fa_mesh_solid(const char *path, double scale, double density, const char *source,
                        fa_place place, const fa_log *log, fa_solid *solid, fa_error *error);

#endif
