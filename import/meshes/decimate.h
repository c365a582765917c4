// Fewer triangles that look alike.
#ifndef FA_DECIMATE_H
#define FA_DECIMATE_H

#include <stdint.h>

#include "mesh.h"

// Reduces n triangles to at most `most`, in place; *left is how many are left. Corners at the very
// same place are one. Edges whose collapse moves the surface least go first (Garland and Heckbert
// 1997), so that flat parts lose most, and both sides of a thin wall stay where they are. Few
// enough stay as they are. FA_NO_MEMORY: there is not enough, and nothing has changed.
fa_status fa_decimate(fa_triangle triangle[], size_t n, size_t most, size_t *left);

// Corners and triangles by the indices of their corners, three each; both lists are released with
// free(). False: there is not enough memory.
typedef struct fa_indexed {
    size_t    n_corners;
    fa_vec3  *corner;
    uint32_t *index; // three for each triangle
} fa_indexed;
bool fa_index_corners(const fa_triangle triangle[], size_t n, fa_indexed *indexed);
void fa_indexed_free(fa_indexed *indexed);

double fa_triangles_area(const fa_triangle triangle[], size_t n); // [m^2]

#endif
