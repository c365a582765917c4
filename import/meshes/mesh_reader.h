// Readers of mesh formats, and their common output.
#ifndef FA_MESH_READER_H
#define FA_MESH_READER_H

#include "mesh.h"

#define FA_MESH_TRIANGLES 6000000

typedef struct fa_mesh_reader {
    const char *path;
    fa_mesh    *mesh;
    size_t      room;
    int         part_room;
    fa_error   *error;
} fa_mesh_reader;

fa_status fa_mesh_no_memory(const fa_mesh_reader *r);
fa_status fa_mesh_add(fa_mesh_reader *r, fa_triangle triangle);
// A polygon of n corners becomes a fan from its first; fewer than three bound nothing.
fa_status fa_mesh_add_polygon(fa_mesh_reader *r, const fa_vec3 corner[], size_t n);
// The colour of what is added next; NULL: none is said. False: there is not enough memory.
bool fa_mesh_paint(fa_mesh_reader *r, const double colour[3]);

// The bytes of a file in the mesh's own folder, links followed, and nowhere else.
fa_status fa_mesh_beside(const fa_mesh_reader *r, const char *name, size_t n, char **bytes,
                         size_t *size);

bool      fa_stl_is_binary(const char *bytes, size_t size);
fa_status fa_stl_read(fa_mesh_reader *r, const char *bytes, size_t size);
bool      fa_obj_is_one(const char *bytes, size_t size); // by its first word
fa_status fa_obj_read(fa_mesh_reader *r, const char *bytes, size_t size);
fa_status fa_collada_read(fa_mesh_reader *r, const char *bytes, size_t size);
bool      fa_gltf_is_binary(const char *bytes, size_t size);
fa_status fa_gltf_read(fa_mesh_reader *r, const char *bytes, size_t size);

#endif
