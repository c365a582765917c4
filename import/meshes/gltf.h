// A glTF document while it is read: what its two files share.
#ifndef FA_GLTF_H
#define FA_GLTF_H

#include "json_tree.h"
#include "mesh_reader.h"

typedef struct fa_gltf_buffer {
    char  *bytes; // NULL: not loaded yet
    size_t size;
    bool   owned;
} fa_gltf_buffer;

typedef struct fa_gltf {
    fa_mesh_reader *r;
    fa_json_tree    json;
    const char     *chunk; // of a binary file; NULL: none
    size_t          chunk_size;
    fa_gltf_buffer *buffer; // n_buffers of them
    int             n_buffers, instances;
} fa_gltf;

// Elements that an accessor names: `count` rows of `width` numbers.
typedef struct fa_gltf_view {
    const unsigned char *at;
    size_t               count, stride;
    int                  width, type; // type of a number, as glTF numbers them
    bool                 normalised;
} fa_gltf_view;

fa_status fa_gltf_fail(const fa_gltf *g, const char *sentence);
// The element of a list of the document that `owner` names by its index; NULL: there is none.
const fa_json_value *fa_gltf_named(const fa_gltf *g, const fa_json_value *owner, const char *key,
                                   const char *list);

// The accessor, its bounds checked; `width` is what it must have: 3 for VEC3, 1 for SCALAR.
fa_status fa_gltf_open(fa_gltf *g, const fa_json_value *accessor, int width, fa_gltf_view *view);
double    fa_gltf_fetch(const fa_gltf_view *view, size_t row, int column);
void      fa_gltf_release(fa_gltf *g); // the buffers

#endif
