#include "mesh.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "number.h"
#include "source.h"

// Binary STL: 80 bytes of anything, the number of triangles, 50 bytes for each: a normal, three
// corners of three floats each, two bytes of anything. All little-endian.
enum { HEAD = 84, RECORD = 50, NORMAL = 12 };

typedef fa_triangle triangle;

typedef struct mesh {
    const char *path;
    size_t      n, room;
    triangle   *triangle;
    fa_error   *error;
} mesh;

static fa_status no_memory(const mesh *m)
{
    return fa_fail(m->error, FA_NO_MEMORY, m->path, FA_NOWHERE,
                   "there is not enough memory for its triangles");
}

static fa_status reserve(mesh *m, size_t n)
{
    if (n <= m->room) return FA_OK;
    size_t    room = n > 2 * m->room ? n : 2 * m->room;
    triangle *larger = realloc(m->triangle, room * sizeof *larger);
    if (!larger) return no_memory(m);
    m->triangle = larger;
    m->room = room;
    return FA_OK;
}

// -------------------------------------------------------------------------------------- reading

static uint32_t little_endian(const unsigned char bytes[4])
{
    return bytes[0] | (uint32_t)bytes[1] << 8 | (uint32_t)bytes[2] << 16 | (uint32_t)bytes[3] << 24;
}

static double float_at(const char *bytes)
{
    uint32_t bits = little_endian((const unsigned char *)bytes);
    float    value;
    memcpy(&value, &bits, sizeof value);
    return value;
}

// What a binary file says that it takes; 0: it is too short to say.
static uint64_t size_said(const char *bytes, size_t size)
{
    if (size < HEAD) return 0;
    return HEAD + (uint64_t)RECORD * little_endian((const unsigned char *)bytes + HEAD - 4);
}

static fa_status read_binary(mesh *m, const char *bytes, size_t size)
{
    fa_status status = reserve(m, (size - HEAD) / RECORD);
    if (status != FA_OK) return status;
    for (const char *record = bytes + HEAD; record < bytes + size; record += RECORD) {
        triangle *t = &m->triangle[m->n++];
        for (int i = 0; i < 3; i++) {
            const char *corner = record + NORMAL + 12 * i;
            t->corner[i] = vec3(float_at(corner), float_at(corner + 4), float_at(corner + 8));
        }
    }
    return FA_OK;
}

// The next word, which ends at the cursor; its length.
static size_t next_word(fa_cursor *cursor, const char *end, const char **word)
{
    const char *p = cursor->at;
    while (p < end && strchr(" \t\r\n", *p)) p++;
    *word = p;
    while (p < end && !strchr(" \t\r\n", *p)) p++;
    fa_cursor_advance(cursor, *word);
    return (size_t)(p - *word);
}

// In either case: some programs write it all in capitals.
static bool is_word(const char *word, size_t length, const char *wanted)
{
    for (size_t i = 0; i < length; i++) {
        char letter = word[i] >= 'A' && word[i] <= 'Z' ? (char)(word[i] - 'A' + 'a') : word[i];
        if (letter != wanted[i]) return false; // also where `wanted` ends
    }
    return wanted[length] == '\0';
}

static fa_status read_corner(mesh *m, fa_cursor *cursor, const char *end, fa_vec3 *corner)
{
    double *value[] = {&corner->x, &corner->y, &corner->z};
    for (int i = 0; i < 3; i++) {
        const char *word;
        size_t      length = next_word(cursor, end, &word);
        if (length == 0 || fa_number_read(word, length, value[i]) != length)
            return fa_fail(m->error, FA_BAD_INPUT, m->path, cursor->place,
                           "a vertex has three numbers, and '%.*s' is none",
                           (int)(length < 40 ? length : 40), word);
        cursor->at = word + length;
        cursor->place.column += (int)length;
    }
    return FA_OK;
}

static fa_status read_text(mesh *m, const char *bytes, size_t size)
{
    const char *end = bytes + size, *word;
    fa_cursor   cursor = FA_CURSOR_AT(bytes);
    int         corners = 0;
    triangle    t = {{{0, 0, 0}, {0, 0, 0}, {0, 0, 0}}};
    for (size_t length; (length = next_word(&cursor, end, &word)) > 0;) {
        cursor.at = word + length;
        cursor.place.column += (int)length;
        fa_status status = FA_OK;
        if (is_word(word, length, "vertex")) {
            if (corners == 3)
                return fa_fail(m->error, FA_BAD_INPUT, m->path, cursor.place,
                               "this is the fourth vertex of a facet; only triangles can be read");
            status = read_corner(m, &cursor, end, &t.corner[corners++]);
        } else if (is_word(word, length, "endfacet")) {
            if (corners != 3)
                return fa_fail(m->error, FA_BAD_INPUT, m->path, cursor.place,
                               "the facet that ends here has %d vertices; it must have three",
                               corners);
            status = reserve(m, m->n + 1);
            if (status == FA_OK) m->triangle[m->n++] = t;
            corners = 0;
        }
        if (status != FA_OK) return status;
    }
    return FA_OK;
}

// ------------------------------------------------------------------------------------ closedness

// One side of a triangle, from the smaller of its two ends to the larger, and which way it is
// passed.
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
static fa_status check_closed(const mesh *m)
{
    size_t n = 0, open = 0;
    edge  *list = malloc(3 * m->n * sizeof *list);
    if (!list) return no_memory(m);
    for (size_t i = 0; i < 3 * m->n; i++) {
        const triangle *t = &m->triangle[i / 3];
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
        status = fa_fail(m->error, FA_BAD_INPUT, m->path, FA_NOWHERE,
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
static fa_solid enclosed(const mesh *m, double scale)
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

static fa_status check_numbers(const mesh *m)
{
    for (size_t i = 0; i < m->n; i++)
        for (int k = 0; k < 3; k++)
            if (!isfinite(vec3_norm(m->triangle[i].corner[k])))
                return fa_fail(m->error, FA_BAD_INPUT, m->path, FA_NOWHERE,
                               "a corner of triangle %zu is not at a finite number", i + 1);
    return FA_OK;
}

// Neither text nor a whole binary file; zero bytes tell which of them it was to be.
static fa_status no_triangle(const mesh *m, const char *bytes, size_t size)
{
    uint64_t said = size_said(bytes, size);
    if (said > HEAD && memchr(bytes, 0, size))
        return fa_fail(m->error, FA_BAD_INPUT, m->path, FA_NOWHERE,
                       "if it is a binary STL file, its head announces %" PRIu64 " triangles, "
                       "which take %" PRIu64 " bytes, and it has %zu; fetch or export it again",
                       (said - HEAD) / RECORD, said, size);
    return fa_fail(m->error, FA_BAD_INPUT, m->path, FA_NOWHERE,
                   "it holds no triangle; is it an STL file, binary or text?");
}

static fa_status read_file(mesh *m)
{
    char     *bytes;
    size_t    size;
    fa_status status = fa_source_load_regular(m->path, &bytes, &size, m->error);
    if (status != FA_OK) return status;
    bool binary = size >= HEAD && size_said(bytes, size) == size;
    status = binary ? read_binary(m, bytes, size) : read_text(m, bytes, size);
    if (status == FA_OK && m->n == 0) status = no_triangle(m, bytes, size);
    free(bytes);
    return status == FA_OK ? check_numbers(m) : status;
}

fa_status fa_mesh_read(const char *path, fa_triangle **triangles, size_t *n, fa_error *error)
{
    mesh      m = {.path = path, .error = error};
    fa_status status = read_file(&m);
    if (status != FA_OK) {
        free(m.triangle);
        m = (mesh){.n = 0};
    }
    *triangles = m.triangle;
    *n = m.n;
    return status;
}

fa_status fa_mesh_solid(const char *path, double scale, double density, const char *source,
                        fa_place place, const fa_log *log, fa_solid *solid, fa_error *error)
{
    mesh      m = {.path = path, .error = error};
    fa_status status = read_file(&m);
    if (status == FA_OK) status = check_closed(&m);
    if (status == FA_OK) {
        *solid = enclosed(&m, scale);
        if (solid->mass < 0) {
            fa_warn(log, source, place,
                    "the triangles of '%s' look inwards; the body is taken to be inside them",
                    path);
            solid->mass = -solid->mass;
            solid->inertia = sym3_scale(-1, solid->inertia);
        }
        solid->mass *= density;
        solid->inertia = sym3_scale(density, solid->inertia);
        if (!(solid->mass > 0) || isinf(solid->mass))
            status = fa_fail(error, FA_BAD_INPUT, path, FA_NOWHERE,
                             "the surface encloses no volume that can be weighed");
    }
    free(m.triangle);
    return status;
}
