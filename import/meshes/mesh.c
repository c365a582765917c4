// Meshes: which reader a file takes, whether a surface is closed, and the solid within.
#include "mesh.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "mesh_reader.h"
#include "number.h"
#include "paths.h"
#include "source.h"

void fa_mesh_free(fa_mesh *mesh)
{
    free(mesh->triangle);
    free(mesh->part);
    *mesh = (fa_mesh){.n = 0};
}

// ------------------------------------------------------------------------------------------ files

enum { PATH_SIZE = 4096 };

fa_status fa_mesh_beside(const fa_mesh_reader *r, const char *name, size_t n, char **bytes,
                         size_t *size)
{
    char         path[PATH_SIZE], real[PATH_SIZE], home[PATH_SIZE];
    const char  *slash = fa_path_last(r->path);
    const int    folder = slash ? (int)(slash - r->path + 1) : 0;
    const size_t most = n < sizeof path ? n : sizeof path;
    const int    used = snprintf(path, sizeof path, "%.*s%.*s", folder, r->path, (int)most, name);
    if (memchr(name, '\0', n) || used < 0 || (size_t)used >= sizeof path ||
        !fa_path_resolve(path, real, sizeof real) || !fa_path_resolve(r->path, home, sizeof home) ||
        strncmp(real, home, (size_t)(strrchr(home, '/') - home + 1)) != 0)
        return fa_fail(r->error, FA_BAD_INPUT, r->path, FA_NOWHERE,
                       "there is no file '%.*s' in its folder, which it needs",
                       (int)(n < 200 ? n : 200), name);
    return fa_source_load_regular(real, bytes, size, r->error);
}

// ---------------------------------------------------------------------------------------- growing

fa_status fa_mesh_no_memory(const fa_mesh_reader *r)
{
    return fa_fail(r->error, FA_NO_MEMORY, r->path, FA_NOWHERE,
                   "there is not enough memory for its triangles");
}

fa_status fa_mesh_add(fa_mesh_reader *r, fa_triangle triangle)
{
    fa_mesh *m = r->mesh;
    if (m->n == FA_MESH_TRIANGLES)
        return fa_fail(r->error, FA_BAD_INPUT, r->path, FA_NOWHERE,
                       "it has more than %d triangles; no link needs that", FA_MESH_TRIANGLES);
    if (m->n_parts == 0 && !fa_mesh_paint(r, NULL)) return fa_mesh_no_memory(r);
    if (m->n == r->room) {
        const size_t room = 2 * r->room + 256;
        fa_triangle *larger = realloc(m->triangle, room * sizeof *larger);
        if (!larger) return fa_mesh_no_memory(r);
        m->triangle = larger;
        r->room = room;
    }
    m->triangle[m->n++] = triangle;
    m->part[m->n_parts - 1].n++;
    return FA_OK;
}

bool fa_mesh_paint(fa_mesh_reader *r, const double colour[3])
{
    fa_mesh     *m = r->mesh;
    fa_mesh_part next = {.first = m->n, .coloured = colour != NULL};
    for (int i = 0; i < 3 && colour; i++) next.colour[i] = fmin(1, fmax(0, colour[i]));
    fa_mesh_part *last = m->n_parts ? &m->part[m->n_parts - 1] : NULL;
    if (last && last->n == 0) {
        *last = next;
        return true;
    }
    if (m->n_parts == r->part_room) {
        const int     room = 2 * r->part_room + 4;
        fa_mesh_part *larger = realloc(m->part, (size_t)room * sizeof *larger);
        if (!larger) return false;
        m->part = larger;
        r->part_room = room;
    }
    m->part[m->n_parts++] = next;
    return true;
}

fa_status fa_mesh_add_polygon(fa_mesh_reader *r, const fa_vec3 corner[], size_t n)
{
    fa_status status = FA_OK;
    for (size_t i = 2; i < n && status == FA_OK; i++)
        status = fa_mesh_add(r, (fa_triangle){{corner[0], corner[i - 1], corner[i]}});
    return status;
}

// ------------------------------------------------------------------------------------ closedness

// A triangle's edge, from the smaller of its two ends to the larger, and its direction in the
// triangle.
typedef struct edge {
    double end[6];
    int    way;
} edge;

static int compare_ends(const double a[], const double b[], int n)
{
    for (int i = 0; i < n; i++)
        if (a[i] != b[i]) return a[i] < b[i] ? -1 : 1;
    return 0;
}

static int compare_edges(const void *a, const void *b)
{
    return compare_ends(((const edge *)a)->end, ((const edge *)b)->end, 6);
}

static edge edge_between(fa_vec3 from, fa_vec3 to)
{
    edge e = {{from.x, from.y, from.z, to.x, to.y, to.z}, 1};
    if (compare_ends(e.end, e.end + 3, 3) <= 0) return e;
    return (edge){{to.x, to.y, to.z, from.x, from.y, from.z}, -1};
}

// Each edge must be passed as often in one direction as in the other. Sides between equal corners
// are none: triangles so thin that rounding has made lines of them are ordinary, and bound nothing.
static fa_status check_closed(const fa_mesh *m, const char *path, fa_error *error)
{
    size_t n = 0, open = 0;
    edge  *list = malloc(3 * m->n * sizeof *list);
    if (!list)
        return fa_fail(error, FA_NO_MEMORY, path, FA_NOWHERE,
                       "there is not enough memory to look at its edges");
    for (size_t i = 0; i < 3 * m->n; i++) {
        const fa_triangle *t = &m->triangle[i / 3];
        list[n] = edge_between(t->corner[i % 3], t->corner[(i + 1) % 3]);
        n += compare_ends(list[n].end, list[n].end + 3, 3) != 0;
    }
    qsort(list, n, sizeof *list, compare_edges);
    const edge *first = NULL;
    for (size_t i = 0; i < n;) {
        const edge *e = &list[i];
        int         sum = 0;
        for (; i < n && compare_edges(e, &list[i]) == 0; i++) sum += list[i].way;
        if (sum != 0 && open++ == 0) first = e;
    }
    fa_status status = FA_OK;
    if (open > 0)
        status = fa_fail(error, FA_BAD_INPUT, path, FA_NOWHERE,
                         "the surface is not closed: %zu edges belong to one triangle only, or to "
                         "two that look to different sides, such as the one from %s %s %s on; "
                         "repair the mesh in the program that it comes from",
                         open, fa_number_text(first->end[0]).text,
                         fa_number_text(first->end[1]).text, fa_number_text(first->end[2]).text);
    free(list);
    return status;
}

// --------------------------------------------------------------------------------------- volume

// The sum of the tetrahedra between the triangles and one point, each with the sign of its volume.
// The point is a corner of the mesh, so that numbers stay as small as the body.
static fa_solid enclosed(const fa_mesh *m, double scale)
{
    double  volume = 0;
    fa_vec3 first = {0, 0, 0}, origin = m->triangle[0].corner[0];
    fa_mat3 second = {{{0}}};
    for (size_t i = 0; i < m->n; i++) {
        fa_vec3 a = vec3_scale(scale, vec3_sub(m->triangle[i].corner[0], origin));
        fa_vec3 b = vec3_scale(scale, vec3_sub(m->triangle[i].corner[1], origin));
        fa_vec3 c = vec3_scale(scale, vec3_sub(m->triangle[i].corner[2], origin));
        double  six = dot(a, cross(b, c)); // times the volume of the tetrahedron
        fa_vec3 sum = vec3_add(a, vec3_add(b, c));
        volume += six / 6;
        first = vec3_add(first, vec3_scale(six / 24, sum));
        const fa_vec3 corner[] = {a, b, c, sum};
        for (int k = 0; k < 4; k++)
            second = mat3_add(second, mat3_outer(vec3_scale(six / 120, corner[k]), corner[k]));
    }
    // From second moments about the origin to the inertia about the centre of mass.
    fa_vec3 com = vec3_scale(1 / volume, first);
    double  xx = second.m[0][0] - volume * com.x * com.x;
    double  yy = second.m[1][1] - volume * com.y * com.y;
    double  zz = second.m[2][2] - volume * com.z * com.z;
    return (fa_solid){volume,
                      vec3_add(com, vec3_scale(scale, origin)),
                      {yy + zz, xx + zz, xx + yy, -(second.m[0][1] - volume * com.x * com.y),
                       -(second.m[0][2] - volume * com.x * com.z),
                       -(second.m[1][2] - volume * com.y * com.z)}};
}

static fa_status check_numbers(const fa_mesh *m, const char *path, fa_error *error)
{
    for (size_t i = 0; i < m->n; i++)
        for (int k = 0; k < 3; k++)
            if (!isfinite(vec3_norm(m->triangle[i].corner[k])))
                return fa_fail(error, FA_BAD_INPUT, path, FA_NOWHERE,
                               "a corner of triangle %zu is not at a finite number", i + 1);
    return FA_OK;
}

// --------------------------------------------------------------------------------------- reading

static bool ends_in(const char *path, const char *suffix)
{
    const size_t n = strlen(path), m = strlen(suffix);
    for (size_t i = 0; i < m && n > m; i++) {
        const char c = path[n - m + i];
        if ((c >= 'A' && c <= 'Z' ? c + 'a' - 'A' : c) != suffix[i]) return false;
    }
    return n > m;
}

// The first byte that says something: behind a byte order mark, white space, and the zeros of
// UTF-16.
static char first_sign(const char *bytes, size_t size)
{
    size_t i = 0;
    while (i < size && strchr("\xEF\xBB\xBF\xFE\xFF \t\r\n", bytes[i])) i++;
    return i < size ? bytes[i] : '\0';
}

// Detects the format by content; by name only if the content is ambiguous.
static fa_status read_bytes(fa_mesh_reader *r, const char *bytes, size_t size)
{
    if (fa_stl_is_binary(bytes, size)) return fa_stl_read(r, bytes, size);
    if (first_sign(bytes, size) == '<') return fa_collada_read(r, bytes, size);
    if (fa_gltf_is_binary(bytes, size) || first_sign(bytes, size) == '{')
        return fa_gltf_read(r, bytes, size);
    const bool obj = fa_obj_is_one(bytes, size) || ends_in(r->path, ".obj");
    return obj ? fa_obj_read(r, bytes, size) : fa_stl_read(r, bytes, size);
}

fa_status fa_mesh_read(const char *path, fa_mesh *mesh, fa_error *error)
{
    char  *bytes;
    size_t size;
    *mesh = (fa_mesh){.n = 0};
    fa_mesh_reader r = {.path = path, .mesh = mesh, .error = error};
    fa_status      status = fa_source_load_regular(path, &bytes, &size, error);
    if (status != FA_OK) return status;
    status = read_bytes(&r, bytes, size);
    free(bytes);
    if (status == FA_OK && mesh->n == 0)
        status = fa_fail(error, FA_BAD_INPUT, path, FA_NOWHERE, "it holds no triangle");
    if (status == FA_OK) status = check_numbers(mesh, path, error);
    if (status != FA_OK) fa_mesh_free(mesh);
    return status;
}

void fa_mesh_scale(fa_mesh *mesh, fa_vec3 scale)
{
    const bool mirrors = scale.x * scale.y * scale.z < 0;
    for (size_t i = 0; i < mesh->n; i++) {
        fa_vec3 *corner = mesh->triangle[i].corner;
        for (int k = 0; k < 3; k++)
            corner[k] = vec3(scale.x * corner[k].x, scale.y * corner[k].y, scale.z * corner[k].z);
        const fa_vec3 second = corner[1];
        corner[1] = mirrors ? corner[2] : second;
        corner[2] = mirrors ? second : corner[2];
    }
}

fa_status fa_mesh_fill(const fa_mesh *mesh, const char *path, double scale, double density,
                       const char *source, fa_place place, const fa_log *log, fa_solid *solid,
                       fa_error *error)
{
    fa_status status = check_closed(mesh, path, error);
    if (status != FA_OK) return status;
    *solid = enclosed(mesh, scale);
    if (solid->mass < 0) {
        fa_warn(log, source, place,
                "the triangles of '%s' look inwards; the body is taken to be inside them", path);
        solid->mass = -solid->mass;
        solid->inertia = sym3_scale(-1, solid->inertia);
    }
    solid->mass *= density;
    solid->inertia = sym3_scale(density, solid->inertia);
    if (solid->mass > 0 && !isinf(solid->mass)) return FA_OK;
    return fa_fail(error, FA_BAD_INPUT, path, FA_NOWHERE,
                   "the surface encloses no volume that can be weighed");
}

fa_status fa_mesh_solid(const char *path, double scale, double density, const char *source,
                        fa_place place, const fa_log *log, fa_solid *solid, fa_error *error)
{
    fa_mesh   m;
    fa_status status = fa_mesh_read(path, &m, error);
    if (status == FA_OK)
        status = fa_mesh_fill(&m, path, scale, density, source, place, log, solid, error);
    fa_mesh_free(&m);
    return status;
}
