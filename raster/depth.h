// Triangles with a depth buffer: of several surfaces in one place, the nearest is seen.
#ifndef FA_DEPTH_H
#define FA_DEPTH_H

#include <stdbool.h>
#include <stddef.h>

typedef struct fa_depth {
    int    width, height; // [samples]
    float *z;             // row by row from the top; infinite where nothing is
} fa_depth;

// A corner: the place in samples from the left and from the top, and the distance along the line of
// sight, which is above zero.
typedef struct fa_spot {
    double x, y, z;
} fa_spot;

// Receives a sample of a triangle, row * width + column, and the weights of the three corners
// there.
typedef void fa_sample_fn(void *context, size_t sample, const double weight[3]);

// All samples infinitely far; false if there was no memory. Release with fa_depth_free, also then.
bool fa_depth_new(int width, int height, fa_depth *depth);
void fa_depth_free(fa_depth *depth);
void fa_depth_clear(fa_depth *depth);

// Calls `see` for each sample of the triangle that nothing before it hides, and stores the
// triangle's distance there. With hides = false every sample counts, and no distance is stored.
void fa_depth_triangle(fa_depth *depth, const fa_spot corner[3], bool hides, fa_sample_fn *see,
                       void *context);

#endif
