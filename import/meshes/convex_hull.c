// The convex hull of points: one after the other is added to a hull that begins as a tetrahedron
// (C. B. Barber, D. P. Dobkin, H. Huhdanpaa: The Quickhull Algorithm for Convex Hulls, ACM
// Transactions on Mathematical Software 22, 1996). Each face knows the points that see it, so that
// a point is compared with the few faces that have taken the place of the one that it saw.
#include <stdlib.h>
#include <string.h>

#include "mesh_solids.h"

typedef struct face {
    int     corner[3], beside[3]; // beside[k]: the face at the edge from corner k to k + 1
    fa_vec3 normal;
    double  distance; // of the plane from the origin
    int     seen_by;  // first of the points that see it, as a list by `next`
    bool    gone;
} face;

typedef struct hull {
    const fa_vec3 *point;
    int           *next; // of each point
    face          *f;
    int            n, room;
    double         width;        // of what counts as in the plane
    int           *stack, *edge; // faces to look at; horizon: face and side, two by two
} hull;

#define NOBODY (-1)

static double above(const hull *h, const face *f, int point)
{
    return dot(f->normal, h->point[point]) - f->distance;
}

static int add_face(hull *h, int a, int b, int c)
{
    if (h->n == h->room) {
        const int room = 2 * h->room + 64;
        face     *larger = realloc(h->f, (size_t)room * sizeof *larger);
        int      *stack = realloc(h->stack, (size_t)room * sizeof *stack);
        int      *edge = realloc(h->edge, 6 * (size_t)room * sizeof *edge);
        if (larger) h->f = larger;
        if (stack) h->stack = stack;
        if (edge) h->edge = edge;
        if (!larger || !stack || !edge) return NOBODY;
        h->room = room;
    }
    face *f = &h->f[h->n];
    *f = (face){.corner = {a, b, c}, .beside = {NOBODY, NOBODY, NOBODY}, .seen_by = NOBODY};
    f->normal = cross(vec3_sub(h->point[b], h->point[a]), vec3_sub(h->point[c], h->point[a]));
    const double length = vec3_norm(f->normal);
    if (length > 0) f->normal = vec3_scale(1 / length, f->normal);
    f->distance = dot(f->normal, h->point[a]);
    return h->n++;
}

// Gives the point to the face from `first` on that it is farthest above, if there is one.
static void assign(hull *h, int point, int first)
{
    int    best = NOBODY;
    double most = h->width;
    for (int i = first; i < h->n; i++) {
        const double d = h->f[i].gone ? 0 : above(h, &h->f[i], point);
        if (d <= most) continue;
        most = d;
        best = i;
    }
    if (best == NOBODY) return;
    h->next[point] = h->f[best].seen_by;
    h->f[best].seen_by = point;
}

// Four points that are far from each other; false: all lie in a plane.
static bool begin(hull *h, int n)
{
    int    a = 0, b = 0, c = 0, d = 0;
    double most = 0;
    for (int i = 1; i < n; i++) // the leftmost
        if (h->point[i].x < h->point[a].x) a = i;
    for (int i = 0; i < n; i++) {
        const double far = vec3_norm(vec3_sub(h->point[i], h->point[a]));
        if (far > most) most = far, b = i;
    }
    h->width = 1e-12 * most; // rounding of a few sums, by the size of the points' cloud
    const double  size = most;
    const fa_vec3 ab = vec3_sub(h->point[b], h->point[a]);
    most = 0;
    for (int i = 0; i < n; i++) {
        const double far = vec3_norm(cross(ab, vec3_sub(h->point[i], h->point[a])));
        if (far > most) most = far, c = i;
    }
    const fa_vec3 normal = cross(ab, vec3_sub(h->point[c], h->point[a]));
    most = 0;
    for (int i = 0; i < n; i++) {
        const double far = fabs(dot(normal, vec3_sub(h->point[i], h->point[a])));
        if (far > most) most = far, d = i;
    }
    if (!(most > 1e-12 * size * vec3_norm(normal))) return false;
    if (dot(normal, vec3_sub(h->point[d], h->point[a])) > 0) {
        const int swap = b;
        b = c;
        c = swap;
    }
    // Seen from outside, the corners of each face turn to the left.
    const int corner[4][3] = {{a, b, c}, {a, d, b}, {b, d, c}, {c, d, a}};
    const int beside[4][3] = {{1, 2, 3}, {3, 2, 0}, {1, 3, 0}, {2, 1, 0}};
    for (int i = 0; i < 4; i++) {
        if (add_face(h, corner[i][0], corner[i][1], corner[i][2]) == NOBODY) return false;
        memcpy(h->f[i].beside, beside[i], sizeof beside[i]);
    }
    return true;
}

// Takes away the faces that the point sees, from one of them on, and finds the edges around them,
// one after the other around the hole.
static int open_hole(hull *h, int point, int seen)
{
    int waiting = 0, edges = 0;
    h->stack[waiting++] = seen;
    h->f[seen].gone = true;
    while (waiting > 0) {
        const int i = h->stack[--waiting];
        for (int k = 0; k < 3; k++) {
            const int j = h->f[i].beside[k];
            if (h->f[j].gone) continue;
            if (above(h, &h->f[j], point) > h->width) {
                h->f[j].gone = true;
                h->stack[waiting++] = j;
            }
        }
    }
    for (int i = 0; i < h->n; i++) {
        if (!h->f[i].gone || h->f[i].seen_by == -2) continue;
        for (int k = 0; k < 3; k++) {
            const int j = h->f[i].beside[k];
            if (h->f[j].gone) continue;
            h->edge[2 * edges] = i;
            h->edge[2 * edges + 1] = k;
            edges++;
        }
    }
    return edges;
}

static int side_with(const hull *h, int face_index, int from)
{
    for (int k = 0; k < 3; k++)
        if (h->f[face_index].corner[k] == from) return k;
    return 0;
}

// A cone from the edges to the point closes the hole.
static bool close_hole(hull *h, int point, int edges)
{
    const int first = h->n;
    for (int e = 0; e < edges; e++) {
        const int i = h->edge[2 * e], k = h->edge[2 * e + 1];
        const int a = h->f[i].corner[k], b = h->f[i].corner[(k + 1) % 3], other = h->f[i].beside[k];
        const int made = add_face(h, a, b, point);
        if (made == NOBODY) return false;
        h->f[made].beside[0] = other;
        h->f[other].beside[side_with(h, other, b)] = made; // it has the edge from b to a
    }
    for (int i = first; i < h->n; i++)
        for (int j = first; j < h->n; j++) { // from b to the point, and from the point to b
            if (h->f[j].corner[0] != h->f[i].corner[1]) continue;
            h->f[i].beside[1] = j;
            h->f[j].beside[2] = i;
        }
    return true;
}

static bool grow(hull *h, int seen)
{
    int    point = h->f[seen].seen_by;
    double most = 0;
    for (int p = point; p != NOBODY; p = h->next[p]) {
        const double d = above(h, &h->f[seen], p);
        if (d > most) most = d, point = p;
    }
    const int first = h->n, edges = open_hole(h, point, seen);
    if (!close_hole(h, point, edges)) return false;
    for (int i = 0; i < first; i++) {
        if (!h->f[i].gone || h->f[i].seen_by == -2) continue;
        for (int p = h->f[i].seen_by, after; p != NOBODY; p = after) {
            after = h->next[p];
            if (p != point) assign(h, p, first);
        }
        h->f[i].seen_by = -2; // settled
    }
    return true;
}

fa_status fa_convex_hull(const fa_vec3 point[], size_t n_points, fa_triangle **result, size_t *n)
{
    hull      h = {.point = point};
    fa_status status = FA_NO_MEMORY;
    *result = NULL;
    *n = 0;
    if (n_points < 4) return FA_OK;
    h.next = malloc(n_points * sizeof *h.next);
    if (!h.next) return FA_NO_MEMORY;
    if (begin(&h, (int)n_points)) {
        for (int p = 0; p < (int)n_points; p++) assign(&h, p, 0);
        for (int i = 0; i < h.n; i++)
            if (!h.f[i].gone && h.f[i].seen_by >= 0 && !grow(&h, i)) goto done;
        *result = malloc(((size_t)h.n + 1) * sizeof **result);
        if (!*result) goto done;
        for (int i = 0; i < h.n; i++) {
            const int *c = h.f[i].corner;
            if (!h.f[i].gone)
                (*result)[(*n)++] = (fa_triangle){{point[c[0]], point[c[1]], point[c[2]]}};
        }
        status = FA_OK;
    } else {
        status = h.room > 0 && h.n == 0 ? FA_NO_MEMORY : FA_OK;
    }
done:
    free(h.next);
    free(h.f);
    free(h.stack);
    free(h.edge);
    return status;
}
