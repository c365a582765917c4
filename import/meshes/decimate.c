// Decimation by quadric error metrics: M. Garland and P. S. Heckbert, "Surface simplification using
// quadric error metrics", SIGGRAPH 1997.
//
//   paper      here
//   Q          quadric: sum of squared distances to planes, weighted by the triangles' areas
//   v-bar      cheapest: where a collapsed edge's corner goes
//   Delta(v)   cost
//
// Open rims have a plane across each of their edges, as in the paper's section 6, so that they keep
// their places. A collapse that would turn a triangle over, or tie the surface to itself, is put
// off until there is no other.
#include "decimate.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define NONE UINT32_MAX

// x^T A x + 2 b x + c, with A symmetric.
typedef struct quadric {
    double xx, xy, xz, yy, yz, zz, x, y, z, c;
} quadric;

typedef struct candidate {
    double   cost;
    uint32_t corner[2];
    uint32_t stamp; // of both corners when it was made, together
    fa_vec3  place;
} candidate;

typedef struct mesh {
    size_t     n_corners, n_triangles, alive;
    fa_vec3   *corner;
    quadric   *Q;
    uint32_t  *index;     // three for each triangle
    bool      *dead;      // of each triangle
    uint32_t  *first;     // of each corner: a place in `index` that has it
    uint32_t  *next;      // of each place in `index`: another one with the same corner
    uint32_t  *stamp;     // of each corner: how often it has changed; NONE: it is no more
    uint32_t  *mark, now; // of each corner, for counting
    candidate *heap;
    size_t     n_heap, room;
    bool       bold; // collapses that were put off are taken
} mesh;

double fa_triangles_area(const fa_triangle triangle[], size_t n)
{
    double sum = 0;
    for (size_t i = 0; i < n; i++) {
        const fa_vec3 *c = triangle[i].corner;
        sum += vec3_norm(cross(vec3_sub(c[1], c[0]), vec3_sub(c[2], c[0]))) / 2;
    }
    return sum;
}

// ------------------------------------------------------------------------------- corners by index

static uint64_t hash_of(fa_vec3 p)
{
    const double v[3] = {p.x + 0.0, p.y + 0.0, p.z + 0.0}; // -0 is 0
    uint64_t     h = 14695981039346656037u, bits;
    for (int i = 0; i < 3; i++) {
        memcpy(&bits, &v[i], sizeof bits);
        h = (h ^ bits) * 1099511628211u;
        h ^= h >> 29;
    }
    return h * 0x9E3779B97F4A7C15u;
}

bool fa_index_corners(const fa_triangle triangle[], size_t n, fa_indexed *to)
{
    size_t size = 16;
    while (size < 6 * n) size *= 2;
    uint32_t *table = malloc(size * sizeof *table);
    *to = (fa_indexed){.corner = malloc((3 * n + 1) * sizeof *to->corner),
                       .index = calloc(3 * n + 1, sizeof *to->index)};
    if (!table || !to->corner || !to->index) {
        free(table);
        fa_indexed_free(to);
        return false;
    }
    memset(table, 0xFF, size * sizeof *table); // NONE
    for (size_t i = 0; i < 3 * n; i++) {
        const fa_vec3 p = triangle[i / 3].corner[i % 3];
        size_t        at = (size_t)(hash_of(p) >> 20) & (size - 1);
        while (table[at] != NONE) {
            const fa_vec3 q = to->corner[table[at]];
            if (p.x == q.x && p.y == q.y && p.z == q.z) break;
            at = (at + 1) & (size - 1);
        }
        if (table[at] == NONE) {
            table[at] = (uint32_t)to->n_corners;
            to->corner[to->n_corners++] = p;
        }
        to->index[i] = table[at];
    }
    free(table);
    return true;
}

void fa_indexed_free(fa_indexed *indexed)
{
    free(indexed->corner);
    free(indexed->index);
    *indexed = (fa_indexed){.n_corners = 0};
}

// --------------------------------------------------------------------------------------- quadrics

static void add_plane(quadric *Q, fa_vec3 normal, fa_vec3 point, double weight)
{
    const double d = -dot(normal, point);
    Q->xx += weight * normal.x * normal.x;
    Q->xy += weight * normal.x * normal.y;
    Q->xz += weight * normal.x * normal.z;
    Q->yy += weight * normal.y * normal.y;
    Q->yz += weight * normal.y * normal.z;
    Q->zz += weight * normal.z * normal.z;
    Q->x += weight * normal.x * d;
    Q->y += weight * normal.y * d;
    Q->z += weight * normal.z * d;
    Q->c += weight * d * d;
}

static quadric sum_of(const quadric *a, const quadric *b)
{
    return (quadric){a->xx + b->xx, a->xy + b->xy, a->xz + b->xz, a->yy + b->yy, a->yz + b->yz,
                     a->zz + b->zz, a->x + b->x,   a->y + b->y,   a->z + b->z,   a->c + b->c};
}

static double error_at(const quadric *Q, fa_vec3 p)
{
    const double x = Q->xx * p.x + Q->xy * p.y + Q->xz * p.z + 2 * Q->x;
    const double y = Q->xy * p.x + Q->yy * p.y + Q->yz * p.z + 2 * Q->y;
    const double z = Q->xz * p.x + Q->yz * p.y + Q->zz * p.z + 2 * Q->z;
    return fabs(x * p.x + y * p.y + z * p.z + Q->c);
}

// Minimises Q; false if its planes are parallel to rounding.
static bool least_of(const quadric *Q, fa_vec3 *place)
{
    const double a = Q->yy * Q->zz - Q->yz * Q->yz, b = Q->xz * Q->yz - Q->xy * Q->zz;
    const double c = Q->xy * Q->yz - Q->xz * Q->yy;
    const double det = Q->xx * a + Q->xy * b + Q->xz * c;
    const double size = Q->xx + Q->yy + Q->zz;
    if (!(fabs(det) > 1e-10 * size * size * size)) return false; // planes within 0.3 degrees
    const double e = Q->xx * Q->zz - Q->xz * Q->xz, f = Q->xy * Q->xz - Q->xx * Q->yz;
    const double g = Q->xx * Q->yy - Q->xy * Q->xy;
    *place = vec3(-(a * Q->x + b * Q->y + c * Q->z) / det, -(b * Q->x + e * Q->y + f * Q->z) / det,
                  -(c * Q->x + f * Q->y + g * Q->z) / det);
    return true;
}

static fa_vec3 normal_of(fa_vec3 a, fa_vec3 b, fa_vec3 c)
{
    return cross(vec3_sub(b, a), vec3_sub(c, a));
}

// ------------------------------------------------------------------------------------------- heap

static bool push(mesh *m, candidate c)
{
    if (m->n_heap == m->room) {
        const size_t room = 2 * m->room + 64;
        candidate   *larger = realloc(m->heap, room * sizeof *larger);
        if (!larger) return false;
        m->heap = larger;
        m->room = room;
    }
    size_t i = m->n_heap++;
    while (i > 0 && m->heap[(i - 1) / 2].cost > c.cost) {
        m->heap[i] = m->heap[(i - 1) / 2];
        i = (i - 1) / 2;
    }
    m->heap[i] = c;
    return true;
}

static candidate pop(mesh *m)
{
    const candidate top = m->heap[0], last = m->heap[--m->n_heap];
    size_t          i = 0;
    for (size_t child; (child = 2 * i + 1) < m->n_heap; i = child) {
        if (child + 1 < m->n_heap && m->heap[child + 1].cost < m->heap[child].cost) child++;
        if (m->heap[child].cost >= last.cost) break;
        m->heap[i] = m->heap[child];
    }
    m->heap[i] = last;
    return top;
}

static bool consider(mesh *m, uint32_t a, uint32_t b)
{
    const quadric Q = sum_of(&m->Q[a], &m->Q[b]);
    const fa_vec3 A = m->corner[a], B = m->corner[b];
    const double  length = vec3_norm(vec3_sub(A, B));
    fa_vec3       place[4] = {A, B, vec3_scale(0.5, vec3_add(A, B))};
    int           n = 3, best = 0;
    if (least_of(&Q, &place[3]) &&
        vec3_norm(vec3_sub(place[3], place[2])) < 2 * length) // not far off the edge
        n = 4;
    double cost = INFINITY;
    for (int i = 0; i < n; i++) {
        const double e = error_at(&Q, place[i]);
        if (!(e < cost)) continue;
        cost = e;
        best = i;
    }
    // Among collapses that cost nothing, those of short edges go first.
    cost += 1e-9 * length * length * (Q.xx + Q.yy + Q.zz);
    return push(m, (candidate){cost, {a, b}, m->stamp[a] + m->stamp[b], place[best]});
}

// -------------------------------------------------------------------------------------- collapsing

// Returns true if a triangle at corner a, except those that the collapse removes, would flip or
// degenerate.
static bool turns_over(const mesh *m, uint32_t a, uint32_t b, fa_vec3 place)
{
    for (uint32_t at = m->first[a]; at != NONE; at = m->next[at]) {
        const uint32_t *t = &m->index[at - at % 3];
        if (m->dead[at / 3] || t[0] == b || t[1] == b || t[2] == b) continue;
        const fa_vec3 p = m->corner[t[(at + 1) % 3]], q = m->corner[t[(at + 2) % 3]];
        const fa_vec3 before = normal_of(m->corner[a], p, q), after = normal_of(place, p, q);
        const double  size = vec3_norm(before) * vec3_norm(after);
        if (!(vec3_norm(before) > 0)) continue;              // it was none
        if (!(dot(before, after) > 0.2 * size)) return true; // by 78 degrees
    }
    return false;
}

// Corners next to both, besides those of triangles that have the edge: a collapse would tie the
// surface to itself there.
static bool pinches(mesh *m, uint32_t a, uint32_t b)
{
    int shared = 0, common = 0;
    m->now += 2;
    for (uint32_t at = m->first[a]; at != NONE; at = m->next[at]) {
        const uint32_t *t = &m->index[at - at % 3];
        if (m->dead[at / 3]) continue;
        shared += t[0] == b || t[1] == b || t[2] == b;
        for (int k = 0; k < 3; k++) m->mark[t[k]] = m->now;
    }
    for (uint32_t at = m->first[b]; at != NONE; at = m->next[at]) {
        const uint32_t *t = &m->index[at - at % 3];
        if (m->dead[at / 3]) continue;
        for (int k = 0; k < 3; k++) {
            if (t[k] == a || t[k] == b || m->mark[t[k]] != m->now) continue;
            m->mark[t[k]] = m->now + 1; // counted
            common++;
        }
    }
    return common > shared || shared > 2;
}

// Corner b becomes a, which moves; triangles that have lost a corner are no more.
static bool collapse(mesh *m, const candidate *c)
{
    const uint32_t a = c->corner[0], b = c->corner[1];
    uint32_t       last = NONE;
    m->corner[a] = c->place;
    m->Q[a] = sum_of(&m->Q[a], &m->Q[b]);
    for (uint32_t at = m->first[b]; at != NONE; at = m->next[at]) {
        m->index[at] = a;
        last = at;
    }
    if (last != NONE) { // b's places in front of a's
        m->next[last] = m->first[a];
        m->first[a] = m->first[b];
    }
    m->first[b] = NONE;
    m->stamp[b] = NONE;
    m->stamp[a]++;
    uint32_t *link = &m->first[a];
    while (*link != NONE) { // places in triangles that are gone are no longer walked over
        const uint32_t  at = *link;
        const uint32_t *t = &m->index[at - at % 3];
        if (!m->dead[at / 3] && (t[0] == t[1] || t[1] == t[2] || t[2] == t[0])) {
            m->dead[at / 3] = true;
            m->alive--;
        }
        if (m->dead[at / 3])
            *link = m->next[at];
        else
            link = &m->next[at];
    }
    m->now += 2;
    m->mark[a] = m->now;
    for (uint32_t at = m->first[a]; at != NONE; at = m->next[at]) {
        const uint32_t *t = &m->index[at - at % 3];
        for (int k = 0; k < 3; k++) {
            if (m->mark[t[k]] == m->now) continue;
            m->mark[t[k]] = m->now;
            if (!consider(m, a, t[k])) return false;
        }
    }
    return true;
}

static bool collapse_edges(mesh *m, size_t most)
{
    while (m->alive > most && m->n_heap > 0) {
        const candidate c = pop(m);
        const uint32_t  a = c.corner[0], b = c.corner[1];
        if (m->stamp[a] == NONE || m->stamp[b] == NONE || m->stamp[a] + m->stamp[b] != c.stamp)
            continue; // one of them has changed since
        if (!m->bold &&
            (turns_over(m, a, b, c.place) || turns_over(m, b, a, c.place) || pinches(m, a, b)))
            continue;
        if (!collapse(m, &c)) return false;
    }
    return true;
}

// --------------------------------------------------------------------------------------- together

static bool consider_all(mesh *m)
{
    for (uint32_t i = 0; i < m->n_corners; i++) {
        if (m->stamp[i] == NONE) continue;
        m->now += 2;
        for (uint32_t at = m->first[i]; at != NONE; at = m->next[at]) {
            const uint32_t *t = &m->index[at - at % 3];
            for (int k = 0; k < 3 && !m->dead[at / 3]; k++) {
                if (t[k] <= i || m->mark[t[k]] == m->now) continue;
                m->mark[t[k]] = m->now;
                if (!consider(m, i, t[k])) return false;
            }
        }
    }
    return true;
}

// Returns the number of triangles with the edge from a to b.
static int sharers(const mesh *m, uint32_t a, uint32_t b)
{
    int n = 0;
    for (uint32_t at = m->first[a]; at != NONE; at = m->next[at]) {
        const uint32_t *t = &m->index[at - at % 3];
        n += !m->dead[at / 3] && (t[0] == b || t[1] == b || t[2] == b);
    }
    return n;
}

static void add_quadrics(mesh *m)
{
    for (size_t i = 0; i < m->n_triangles; i++) {
        const uint32_t *t = &m->index[3 * i];
        const fa_vec3   p[3] = {m->corner[t[0]], m->corner[t[1]], m->corner[t[2]]};
        fa_vec3         normal = normal_of(p[0], p[1], p[2]);
        const double    twice = vec3_norm(normal);
        if (m->dead[i] || !(twice > 0)) continue;
        normal = vec3_scale(1 / twice, normal);
        for (int k = 0; k < 3; k++) add_plane(&m->Q[t[k]], normal, p[k], twice / 6);
        for (int k = 0; k < 3; k++) {
            const uint32_t a = t[k], b = t[(k + 1) % 3];
            const fa_vec3  along = vec3_sub(m->corner[b], m->corner[a]);
            if (sharers(m, a, b) != 1) continue;
            fa_vec3      across = cross(along, normal);
            const double length = vec3_norm(across);
            if (!(length > 0)) continue;
            across = vec3_scale(1 / length, across);
            add_plane(&m->Q[a], across, m->corner[a], length * length); // as its square's area
            add_plane(&m->Q[b], across, m->corner[b], length * length);
        }
    }
}

static void link_corners(mesh *m)
{
    for (size_t i = 0; i < m->n_corners; i++) m->first[i] = NONE;
    for (size_t at = 3 * m->n_triangles; at-- > 0;) {
        const uint32_t *t = &m->index[at - at % 3];
        if (t[0] == t[1] || t[1] == t[2] || t[2] == t[0]) {
            m->dead[at / 3] = true;
            continue;
        }
        m->next[at] = m->first[m->index[at]];
        m->first[m->index[at]] = (uint32_t)at;
    }
    m->alive = 0;
    for (size_t i = 0; i < m->n_triangles; i++) m->alive += !m->dead[i];
}

// Loose triangles, of which no edge can go: the smallest are left out.
static int compare_areas(const void *a, const void *b)
{
    const double x = fa_triangles_area(a, 1), y = fa_triangles_area(b, 1);
    return x < y ? 1 : x > y ? -1 : 0;
}

static bool reduce(mesh *m, size_t most)
{
    link_corners(m);
    add_quadrics(m);
    for (int bold = 0; bold < 2 && m->alive > most; bold++) {
        m->bold = bold;
        m->n_heap = 0;
        if (!consider_all(m) || !collapse_edges(m, most)) return false;
    }
    return true;
}

fa_status fa_decimate(fa_triangle triangle[], size_t n, size_t most, size_t *left)
{
    fa_indexed indexed;
    *left = n;
    if (n <= most) return FA_OK;
    if (n > NONE / 3 || !fa_index_corners(triangle, n, &indexed)) return FA_NO_MEMORY;
    mesh         m = {.n_corners = indexed.n_corners,
                      .n_triangles = n,
                      .corner = indexed.corner,
                      .index = indexed.index};
    const size_t corners = m.n_corners;
    m.Q = calloc(corners + 1, sizeof *m.Q); // of none, an allocation may be NULL
    m.dead = calloc(n + 1, sizeof *m.dead);
    m.first = calloc(3 * corners + 3 * n + 1, sizeof *m.first);
    bool good = m.Q && m.dead && m.first;
    if (good) {
        m.stamp = m.first + corners;
        m.mark = m.stamp + corners;
        m.next = m.mark + corners;
        good = reduce(&m, most);
    }
    if (good) {
        *left = 0;
        for (size_t i = 0; i < n; i++) {
            const uint32_t *t = &m.index[3 * i];
            if (m.dead[i]) continue;
            triangle[(*left)++] = (fa_triangle){{m.corner[t[0]], m.corner[t[1]], m.corner[t[2]]}};
        }
        if (*left > most) {
            qsort(triangle, *left, sizeof *triangle, compare_areas);
            *left = most;
        }
    }
    free(m.Q);
    free(m.dead);
    free(m.first);
    free(m.heap);
    fa_indexed_free(&indexed);
    return good ? FA_OK : FA_NO_MEMORY;
}
