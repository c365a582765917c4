// Fills triangles by their edge functions, with the distance interpolated as perspective asks.
#include "depth.h"

#include <math.h>
#include <stdlib.h>

bool fa_depth_new(int width, int height, fa_depth *depth)
{
    const size_t size = (size_t)width * (size_t)height;
    *depth = (fa_depth){.width = width, .height = height, .z = malloc(size * sizeof *depth->z)};
    if (depth->z) fa_depth_clear(depth);
    return depth->z != NULL;
}

void fa_depth_free(fa_depth *depth)
{
    free(depth->z);
    *depth = (fa_depth){.width = 0};
}

void fa_depth_clear(fa_depth *depth)
{
    const size_t size = (size_t)depth->width * (size_t)depth->height;
    for (size_t i = 0; i < size; i++) depth->z[i] = INFINITY;
}

static int within(double place, int most)
{
    return place > 0 ? place < most ? (int)place : most : 0;
}

void fa_depth_triangle(fa_depth *depth, const fa_spot corner[3], bool hides, fa_sample_fn *see,
                       void *context)
{
    const fa_spot a = corner[0], b = corner[1], c = corner[2];
    const double  area = (b.x - a.x) * (c.y - a.y) - (b.y - a.y) * (c.x - a.x);
    if (!(fabs(area) > 1e-9)) return; // less than any sample can show
    const int    left = within(floor(fmin(a.x, fmin(b.x, c.x))), depth->width);
    const int    right = within(ceil(fmax(a.x, fmax(b.x, c.x))), depth->width);
    const int    top = within(floor(fmin(a.y, fmin(b.y, c.y))), depth->height);
    const int    bottom = within(ceil(fmax(a.y, fmax(b.y, c.y))), depth->height);
    const double step_u = (b.y - c.y) / area, step_v = (c.y - a.y) / area; // from column to column
    for (int row = top; row < bottom; row++) {
        const double x = left + 0.5, y = row + 0.5;
        double       u = ((b.x - x) * (c.y - y) - (b.y - y) * (c.x - x)) / area;
        double       v = ((c.x - x) * (a.y - y) - (c.y - y) * (a.x - x)) / area;
        size_t       sample = (size_t)row * (size_t)depth->width + (size_t)left;
        for (int column = left; column < right; column++, sample++, u += step_u, v += step_v) {
            const double w = 1 - u - v;
            if (u < 0 || v < 0 || w < 0) continue;
            if (hides) {
                const float z = (float)(1 / (u / a.z + v / b.z + w / c.z));
                if (z >= depth->z[sample]) continue;
                depth->z[sample] = z;
            }
            see(context, sample, (const double[]){u, v, w});
        }
    }
}
