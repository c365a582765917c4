// Reduces a curve to the minimum and maximum of each pixel column.
#include "thin.h"

#include <math.h>

#define STRAIGHT 0.05 // [px] invisible deviation from a straight line

// Jugel, Jerzak, Hackenbroich and Markl (2014), "M4: A visualization-oriented time series data
// aggregation": what a column of pixels needs. Points keep their order.
typedef struct bucket {
    double   column;
    size_t   n; // points seen
    fa_point first, lowest, highest, last;
    size_t   at_lowest, at_highest;
    bool     gap; // something was not finite
} bucket;

typedef struct sink {
    fa_point *out;
    size_t    n;
    bucket    in;
    double    per_pixel;
} sink;

static void put(sink *s, fa_point p)
{
    if (s->n > 0 && s->out[s->n - 1].x == p.x && s->out[s->n - 1].y == p.y) return;
    if (isnan(p.x) && (s->n == 0 || isnan(s->out[s->n - 1].x))) return;
    s->out[s->n++] = p;
}

static void flush(sink *s)
{
    bucket *b = &s->in;
    if (b->n > 0) {
        bool low_first = b->at_lowest < b->at_highest;
        put(s, b->first);
        put(s, low_first ? b->lowest : b->highest);
        put(s, low_first ? b->highest : b->lowest);
        put(s, b->last);
    }
    if (b->gap) put(s, (fa_point){NAN, NAN});
    b->n = 0;
    b->gap = false;
}

static void take(sink *s, fa_point p)
{
    bucket *b = &s->in;
    double  column = floor(p.x * s->per_pixel);
    if (b->n > 0 && column != b->column) flush(s);
    if (b->n == 0) {
        b->column = column;
        b->first = b->lowest = b->highest = p;
        b->at_lowest = b->at_highest = 0;
    }
    if (p.y < b->lowest.y) b->lowest = p, b->at_lowest = b->n;
    if (p.y > b->highest.y) b->highest = p, b->at_highest = b->n;
    b->last = p;
    b->n++;
}

// Drops what lies within STRAIGHT of a line between two points that stay: the slopes from the last
// one that stays, between which everything since has been passed, narrow with each point.
static size_t straighten(fa_point p[], size_t n)
{
    size_t kept = 0;
    double low = -INFINITY, high = INFINITY;
    for (size_t i = 0; i < n; i++) {
        bool pending = i > 0 && kept > 0 && p[i - 1].x != p[kept - 1].x;
        pending |= i > 0 && kept > 0 && p[i - 1].y != p[kept - 1].y;
        double dx = kept > 0 ? p[i].x - p[kept - 1].x : NAN;
        double slope = (p[i].y - (kept > 0 ? p[kept - 1].y : NAN)) / dx;
        if (!(dx > 0 && slope >= low && slope <= high)) { // NaN: a gap before or here
            if (pending && !isnan(p[i - 1].x)) {
                p[kept++] = p[i - 1];
                dx = p[i].x - p[kept - 1].x;
            }
            low = -INFINITY;
            high = INFINITY;
            if (!(dx > 0)) {
                p[kept++] = p[i];
                continue;
            }
        }
        low = fmax(low, (p[i].y - STRAIGHT - p[kept - 1].y) / dx);
        high = fmin(high, (p[i].y + STRAIGHT - p[kept - 1].y) / dx);
    }
    if (n > 0 && kept > 0 && !isnan(p[n - 1].x) &&
        (p[kept - 1].x != p[n - 1].x || p[kept - 1].y != p[n - 1].y))
        p[kept++] = p[n - 1];
    return kept;
}

size_t fa_thin_room(size_t n, double width, double per_pixel)
{
    double columns = 5 * (ceil(width * per_pixel) + 2); // four points and a gap
    return 3 * (double)n < columns ? 3 * n + 1 : (size_t)columns;
}

size_t fa_thin(const fa_plot *plot, const fa_series *series, const fa_mapping *mapping,
               double per_pixel, fa_point out[])
{
    sink   s = {.out = out, .per_pixel = per_pixel};
    bool   held = false; // the previous point is pending
    double before = 0;
    for (size_t i = 0; i < plot->n; i++) {
        double x = plot->axis.value[i * plot->axis.stride], y = series->value[i * series->stride];
        if (!isfinite(x) || !isfinite(y)) {
            s.in.gap = true;
            if (s.in.n == 0) flush(&s);
            held = false;
            continue;
        }
        fa_point p = {mapping->x_origin + mapping->x_scale * x,
                      mapping->y_origin + mapping->y_scale * y};
        if (held && series->held) take(&s, (fa_point){p.x, before});
        take(&s, p);
        held = true;
        before = p.y;
    }
    flush(&s);
    return straighten(out, s.n);
}
