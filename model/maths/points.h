// A function through points, as measured tables give it: monotone cubic between them, so that it
// has no kink and overshoots nowhere. Inline, so that every platform computes the same bits.
//
// With secants s and spacings h, the slope at an inner point is 0 where s changes sign or is 0, and
// else Fritsch and Butland's weighted harmonic mean (w1 + w2) / (w1/s1 + w2/s2) with w1 = 2 h2 +
// h1, w2 = h2 + 2 h1. At both ends it is that of the secant, or 0 where the value is 0 there. Below
// the first point the function is constant, beyond the last one it goes straight on with its slope.
#ifndef FA_POINTS_H
#define FA_POINTS_H

#include <stdbool.h>

#define FA_POINTS_MAX 32

typedef struct fa_points {
    int    n;                                  // from 2 to FA_POINTS_MAX
    double x[FA_POINTS_MAX], y[FA_POINTS_MAX]; // x rises
    double slope[FA_POINTS_MAX];               // at each, set by fa_points_prepare
} fa_points;

static inline double fa_points_mean(double s1, double s2, double h1, double h2)
{
    if (!(s1 * s2 > 0)) return 0;
    const double w1 = 2 * h2 + h1, w2 = h2 + 2 * h1;
    return (w1 + w2) / (w1 / s1 + w2 / s2);
}

// Sets the slopes from the points.
static inline void fa_points_prepare(fa_points *p)
{
    const int last = p->n - 1;
    for (int i = 0; i <= last; i++) {
        const int    a = i > 0 ? i - 1 : 0, b = i < last ? i : last - 1; // secants on both sides
        const double h1 = p->x[a + 1] - p->x[a], h2 = p->x[b + 1] - p->x[b];
        const double s1 = (p->y[a + 1] - p->y[a]) / h1, s2 = (p->y[b + 1] - p->y[b]) / h2;
        const bool   end = i == 0 || i == last;
        p->slope[i] = !end ? fa_points_mean(s1, s2, h1, h2) : p->y[i] == 0 ? 0 : s1;
    }
}

// The piece that x is in: its first point; 0 to n - 2.
static inline int fa_points_piece(const fa_points *p, double x)
{
    int i = 0;
    while (i < p->n - 2 && x >= p->x[i + 1]) i++;
    return i;
}

// The function (order 0), its first or its second derivative at x.
static inline double fa_points_at(const fa_points *p, int order, double x)
{
    const int    last = p->n - 1, i = fa_points_piece(p, x);
    const double h = p->x[i + 1] - p->x[i], secant = (p->y[i + 1] - p->y[i]) / h;
    if (x < p->x[0]) return order == 0 ? p->y[0] : 0;
    if (x > p->x[last])
        return order == 0   ? p->y[last] + p->slope[last] * (x - p->x[last])
               : order == 1 ? p->slope[last]
                            : 0;
    const double t = x - p->x[i];
    const double b = (3 * secant - 2 * p->slope[i] - p->slope[i + 1]) / h;
    const double c = (p->slope[i] + p->slope[i + 1] - 2 * secant) / (h * h);
    if (order == 0) return p->y[i] + t * (p->slope[i] + t * (b + t * c));
    return order == 1 ? p->slope[i] + t * (2 * b + t * (3 * c)) : 2 * b + t * (6 * c);
}

#endif
