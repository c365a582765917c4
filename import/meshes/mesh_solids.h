// Mass, centre of mass and inertia of what triangles bound, or of their surface; of density 1.
#ifndef FA_MESH_SOLIDS_H
#define FA_MESH_SOLIDS_H

#include "mesh.h"

// Tetrahedra with the sign of their volume: exact for a closed surface, negative for one that is
// inside out.
fa_solid fa_triangles_exact(const fa_triangle t[], size_t n);

// MuJoCo's usual way: tetrahedra over one point in the middle, all of them counted as positive.
// Exact where the surface is seen from that point as a star is; of others and of open ones it is
// what MuJoCo has.
fa_solid fa_triangles_legacy(const fa_triangle t[], size_t n);

// The surface, of area density 1.
fa_solid fa_triangles_shell(const fa_triangle t[], size_t n);

// The convex hull of points, as triangles that look outwards; released with free(). *n is 0 where
// they lie in a plane. FA_NO_MEMORY, and nothing else, may be the matter.
fa_status fa_convex_hull(const fa_vec3 point[], size_t n_points, fa_triangle **hull, size_t *n);

#endif
