// Sums over triangles: volumes, areas, and their first and second moments.
#include "mesh_solids.h"

typedef struct moments {
    double  amount; // volume or area
    fa_vec3 first;
    fa_mat3 second; // about the point that all is measured from
} moments;

static void add_first(moments *to, double amount, fa_vec3 middle)
{
    to->amount += amount;
    to->first = vec3_add(to->first, vec3_scale(amount, middle));
}

// Second moments of a simplex: its corners and their sum, by the number of corners.
static void add_second(moments *to, double amount, const fa_vec3 corner[], int n)
{
    const double factor = amount / (n * (n + 1));
    fa_vec3      sum = {0, 0, 0};
    for (int k = 0; k < n; k++) {
        sum = vec3_add(sum, corner[k]);
        to->second = mat3_add(to->second, mat3_outer(vec3_scale(factor, corner[k]), corner[k]));
    }
    to->second = mat3_add(to->second, mat3_outer(vec3_scale(factor, sum), sum));
}

static fa_solid solid_of(const moments *of, fa_vec3 origin)
{
    const double  m = of->amount;
    const fa_vec3 c = vec3_scale(1 / m, of->first);
    const double  xx = of->second.m[0][0] - m * c.x * c.x, yy = of->second.m[1][1] - m * c.y * c.y,
                 zz = of->second.m[2][2] - m * c.z * c.z;
    return (fa_solid){m,
                      vec3_add(origin, c),
                      {yy + zz, xx + zz, xx + yy, -(of->second.m[0][1] - m * c.x * c.y),
                       -(of->second.m[0][2] - m * c.x * c.z),
                       -(of->second.m[1][2] - m * c.y * c.z)}};
}

// Returns six times the volume of the tetrahedron between a triangle and the origin.
static double six_volumes(const fa_vec3 c[3])
{
    return dot(c[0], cross(c[1], c[2]));
}

static void seen_from(const fa_triangle *t, fa_vec3 origin, fa_vec3 c[4])
{
    for (int k = 0; k < 3; k++) c[k] = vec3_sub(t->corner[k], origin);
    c[3] = vec3(0, 0, 0);
}

static double area_of(const fa_triangle *t)
{
    return vec3_norm(
               cross(vec3_sub(t->corner[1], t->corner[0]), vec3_sub(t->corner[2], t->corner[0]))) /
           2;
}

static fa_vec3 middle_of(const fa_triangle *t)
{
    return vec3_scale(1.0 / 3, vec3_add(t->corner[0], vec3_add(t->corner[1], t->corner[2])));
}

fa_solid fa_triangles_exact(const fa_triangle t[], size_t n)
{
    const fa_vec3 origin = t[0].corner[0];
    moments       sum = {.amount = 0};
    for (size_t i = 0; i < n; i++) {
        fa_vec3 c[4];
        seen_from(&t[i], origin, c);
        const double volume = six_volumes(c) / 6;
        add_first(&sum, volume, vec3_scale(0.25, vec3_add(c[0], vec3_add(c[1], c[2]))));
        add_second(&sum, volume, c, 4);
    }
    return solid_of(&sum, origin);
}

fa_solid fa_triangles_legacy(const fa_triangle t[], size_t n)
{
    moments surface = {.amount = 0}, pyramids = {.amount = 0}, sum = {.amount = 0};
    fa_vec3 c[4];
    for (size_t i = 0; i < n; i++) add_first(&surface, area_of(&t[i]), middle_of(&t[i]));
    if (!(surface.amount > 0)) return (fa_solid){.mass = 0};
    const fa_vec3 middle = vec3_scale(1 / surface.amount, surface.first);
    for (size_t i = 0; i < n; i++) {
        seen_from(&t[i], middle, c);
        const fa_vec3 centre = vec3_scale(0.25, vec3_add(c[0], vec3_add(c[1], c[2])));
        add_first(&pyramids, fabs(six_volumes(c)) / 6, centre);
    }
    if (!(pyramids.amount > 0)) return (fa_solid){.mass = 0};
    const fa_vec3 com = vec3_add(middle, vec3_scale(1 / pyramids.amount, pyramids.first));
    for (size_t i = 0; i < n; i++) {
        seen_from(&t[i], com, c);
        const double volume = fabs(six_volumes(c)) / 6;
        sum.amount += volume;
        add_second(&sum, volume, c, 4);
    }
    return sum.amount > 0 ? solid_of(&sum, com) : (fa_solid){.mass = 0};
}

fa_solid fa_triangles_shell(const fa_triangle t[], size_t n)
{
    const fa_vec3 origin = t[0].corner[0];
    moments       sum = {.amount = 0};
    for (size_t i = 0; i < n; i++) {
        const double area = area_of(&t[i]);
        fa_vec3      c[4];
        seen_from(&t[i], origin, c);
        add_first(&sum, area, vec3_sub(middle_of(&t[i]), origin));
        add_second(&sum, area, c, 3);
    }
    return sum.amount > 0 ? solid_of(&sum, origin) : (fa_solid){.mass = 0};
}
