// Surfaces of triangles with normals, and solids that are made of them.
#ifndef FA_SURFACE_H
#define FA_SURFACE_H

#include <stdbool.h>

#include "mesh.h"

// A triangle, with the normal of the surface that it stands for at each of its corners.
typedef struct fa_facet {
    fa_vec3 corner[3], normal[3];
} fa_facet;

typedef struct fa_surface {
    size_t    n, room;
    fa_facet *of;
    bool      lost; // a facet is missing for lack of memory
} fa_surface;

void fa_surface_free(fa_surface *surface);
void fa_surface_add(fa_surface *surface, fa_facet facet);

// A solid of revolution about z: n pairs of radius and height from below to above. Edges between
// pieces of its outline that turn by more than 35 degrees are sharp.
void fa_surface_turned(fa_surface *surface, const double outline[][2], int n, int around);

// About the origin, along z: a drum whose edges are rounded by `edge`; a ball; a box.
void fa_surface_drum(fa_surface *surface, double radius, double length, double edge);
void fa_surface_ball(fa_surface *surface, double radius);
void fa_surface_box(fa_surface *surface, fa_vec3 size);

// From the origin along z, from one radius to another, 13 % slimmer in the middle.
void fa_surface_body(fa_surface *surface, double from, double to, double length);

// Triangles of a mesh: the surface is round where two of them meet by less than 35 degrees, and
// sharp elsewhere. Normals are weighted by area.
void fa_surface_creased(fa_surface *surface, const fa_triangle triangle[], size_t n);

#endif
