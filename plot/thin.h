// A curve in pixels, with no more points than can be seen.
#ifndef FA_THIN_H
#define FA_THIN_H

#include "plot.h"

typedef struct fa_point {
    double x, y; // [px]; x NaN: a gap
} fa_point;

// Linear map of numbers to the page: pixel = origin + scale * number.
typedef struct fa_mapping {
    double x_origin, x_scale, y_origin, y_scale;
} fa_mapping;

// Room for the points of a curve in a panel of that width.
size_t fa_thin_room(size_t n, double width, double per_pixel);

// The curve with at most the first, lowest, highest and last point of each 1/per_pixel of a pixel;
// then without points that lie on the straight line between their neighbours. Gives their number.
size_t fa_thin(const fa_plot *plot, const fa_series *series, const fa_mapping *mapping,
               double per_pixel, fa_point out[]);

#endif
