// Normals of meshes, which the files of meshes say, leave out or have wrong: they follow from the
// triangles around each corner.
#include <math.h>
#include <stdlib.h>

#include "decimate.h"
#include "surface.h"

static const double SHARP = 0.81915204428899180; // cosine of 35 degrees

static fa_vec3 area_of(const fa_triangle *t)
{
    return cross(vec3_sub(t->corner[1], t->corner[0]), vec3_sub(t->corner[2], t->corner[0]));
}

// Triangles around each corner: those of corner c are around[first[c]] to around[first[c + 1] - 1].
typedef struct fan {
    size_t *first, *around;
} fan;

static bool gather(const fa_indexed *mesh, size_t n, fan *f)
{
    f->first = calloc(mesh->n_corners + 2, sizeof *f->first);
    f->around = malloc((3 * n + 1) * sizeof *f->around);
    if (!f->first || !f->around) return false;
    for (size_t i = 0; i < 3 * n; i++) f->first[mesh->index[i] + 2]++;
    for (size_t i = 2; i < mesh->n_corners + 2; i++) f->first[i] += f->first[i - 1];
    for (size_t i = 0; i < 3 * n; i++) f->around[f->first[mesh->index[i] + 1]++] = i / 3;
    return true;
}

void fa_surface_creased(fa_surface *surface, const fa_triangle triangle[], size_t n)
{
    fa_indexed mesh;
    fan        f = {NULL, NULL};
    fa_vec3   *area = malloc((n + 1) * sizeof *area);
    bool       indexed = fa_index_corners(triangle, n, &mesh);
    if (!area || !indexed || !gather(&mesh, n, &f)) {
        surface->lost = true;
        goto end;
    }
    for (size_t i = 0; i < n; i++) area[i] = area_of(&triangle[i]);
    for (size_t i = 0; i < n; i++) {
        const double own = vec3_norm(area[i]);
        fa_facet     facet = {
                .corner = {triangle[i].corner[0], triangle[i].corner[1], triangle[i].corner[2]}};
        if (!(own > 0)) continue;
        for (int k = 0; k < 3; k++) {
            const uint32_t corner = mesh.index[3 * i + (size_t)k];
            fa_vec3        sum = vec3(0, 0, 0);
            for (size_t j = f.first[corner]; j < f.first[corner + 1]; j++) {
                const fa_vec3 other = area[f.around[j]];
                if (dot(area[i], other) >= SHARP * own * vec3_norm(other))
                    sum = vec3_add(sum, other);
            }
            const double length = vec3_norm(sum);
            facet.normal[k] =
                length > 0 ? vec3_scale(1 / length, sum) : vec3_scale(1 / own, area[i]);
        }
        fa_surface_add(surface, facet);
    }
end:
    free(area);
    free(f.first);
    free(f.around);
    if (indexed) fa_indexed_free(&mesh);
}
