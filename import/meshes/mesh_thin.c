// Coarser meshes for pictures, by clustering corners on a grid (Rossignac and Borrel 1993).
#include <math.h>

#include "visual.h"

static fa_vec3 snapped(fa_vec3 p, double cell)
{
    return vec3(cell * round(p.x / cell), cell * round(p.y / cell), cell * round(p.z / cell));
}

static bool same(fa_vec3 a, fa_vec3 b)
{
    return a.x == b.x && a.y == b.y && a.z == b.z;
}

static bool has_area(const fa_triangle *t)
{
    return !same(t->corner[0], t->corner[1]) && !same(t->corner[1], t->corner[2]) &&
           !same(t->corner[2], t->corner[0]);
}

static fa_triangle on_grid(fa_triangle t, double cell)
{
    for (int k = 0; k < 3; k++) t.corner[k] = snapped(t.corner[k], cell);
    return t;
}

static size_t count_left(const fa_triangle triangle[], size_t n, double cell)
{
    size_t left = 0;
    for (size_t i = 0; i < n; i++) {
        fa_triangle t = on_grid(triangle[i], cell);
        left += has_area(&t);
    }
    return left;
}

size_t fa_triangles_thin(fa_triangle triangle[], size_t n, size_t most)
{
    double size = 0;
    if (n <= most) return n;
    for (size_t i = 0; i < n; i++)
        for (int k = 0; k < 3; k++)
            size = fmax(size, vec3_norm(vec3_sub(triangle[i].corner[k], triangle[0].corner[0])));
    double cell = size / 256;
    while (cell < size && count_left(triangle, n, cell) > most) cell *= 1.25;
    size_t left = 0;
    for (size_t i = 0; i < n && left < most; i++) { // the same triangle over and over ends here
        fa_triangle t = on_grid(triangle[i], cell);
        if (has_area(&t)) triangle[left++] = t;
    }
    return left;
}
