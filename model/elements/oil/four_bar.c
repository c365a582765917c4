// Position analysis of a four-bar linkage, with derivatives.
#include "four_bar.h"

#include <math.h>

#include "sincos.h"

static fa_vec2 vec2_sub(fa_vec2 a, fa_vec2 b)
{
    return (fa_vec2){a.x - b.x, a.y - b.y};
}

static double vec2_dot(fa_vec2 a, fa_vec2 b)
{
    return a.x * b.x + a.y * b.y;
}

// A quarter turn to the left.
static fa_vec2 turn(fa_vec2 a)
{
    return (fa_vec2){-a.y, a.x};
}

static fa_vec2 along(double s, fa_vec2 a, double t, fa_vec2 b) // s a + t b
{
    return (fa_vec2){s * a.x + t * b.x, s * a.y + t * b.y};
}

static fa_vec2 pin_at(const fa_four_bar *bar, double q)
{
    double sine, cosine;
    fa_sincos(q, &sine, &cosine);
    return along(cosine, bar->pin, sine, turn(bar->pin));
}

// Twice the area of the triangle P D C, squared, times four: above zero where there is one.
static double spread(const fa_four_bar *bar, double q)
{
    const fa_vec2 s = vec2_sub(pin_at(bar, q), bar->pivot);
    const double  r = bar->rocker, c = bar->coupler, d = vec2_dot(s, s);
    const double  along_line = d + r * r - c * c; // 2 |s| times the foot of C on the line
    return 4 * d * r * r - along_line * along_line;
}

// Length and lever of the cylinder, and the coupler from D to C with its derivative.
typedef struct assembly {
    fa_four_bar_length length;
    fa_vec2            D, w, w1;
} assembly;

static fa_status assemble(const fa_four_bar *bar, double q, assembly *at)
{
    fa_four_bar_length *out = &at->length;
    const fa_vec2       D = pin_at(bar, q), s = vec2_sub(D, bar->pivot);
    const double        r = bar->rocker, c = bar->coupler, d = vec2_dot(s, s);
    const double        free = spread(bar, q);
    if (!(free > 0)) return FA_SINGULAR;
    const fa_vec2 u = along((d + r * r - c * c) / (2 * d), s, bar->branch * sqrt(free) / (2 * d),
                            turn(s)); // P to C
    const fa_vec2 C = along(1, bar->pivot, 1, u);
    const fa_vec2 w = vec2_sub(C, D); // the coupler

    // Both lengths stay: u.C' = 0 lets C' = k turn(u), and w.(C' - D') = 0 gives k, the rocker's
    // angle per angle of the joint. Once more for the second derivatives.
    const fa_vec2 across = turn(u), D1 = turn(D);
    const double  open = vec2_dot(w, across);
    const double  k = vec2_dot(w, D1) / open;
    const fa_vec2 C1 = along(k, across, 0, across);
    const fa_vec2 w1 = vec2_sub(C1, D1);
    // w'.(C' - D') + w.(C'' - D'') = 0 with C'' = k' turn(u) - k^2 u and D'' = -D.
    const double  k1 = (k * k * vec2_dot(w, u) - vec2_dot(w, D) - vec2_dot(w1, w1)) / open;
    const fa_vec2 C2 = along(k1, across, -k * k, u);

    const fa_vec2 rod = vec2_sub(C, bar->anchor);
    const double  L = sqrt(vec2_dot(rod, rod));
    out->length = L;
    out->first = vec2_dot(rod, C1) / L;
    out->second = (vec2_dot(C1, C1) + vec2_dot(rod, C2) - out->first * out->first) / L;
    at->D = D;
    at->w = w;
    at->w1 = w1;
    return L > 0 && isfinite(out->second) ? FA_OK : FA_SINGULAR;
}

fa_status fa_four_bar_at(const fa_four_bar *bar, double q, fa_four_bar_length *out)
{
    assembly  at;
    fa_status status = assemble(bar, q, &at);
    if (status == FA_OK) *out = at.length;
    return status;
}

static double vec2_cross(fa_vec2 a, fa_vec2 b)
{
    return a.x * b.y - a.y * b.x;
}

fa_four_bar_push fa_four_bar_push_at(const fa_four_bar *bar, double q)
{
    assembly at;
    if (assemble(bar, q, &at) != FA_OK) return (fa_four_bar_push){{NAN, NAN}, {NAN, NAN}};
    // Along the coupler, and D x force = lever.
    const fa_four_bar_length *L = &at.length;
    const double              arm = vec2_cross(at.D, at.w);
    const double              arm1 = vec2_cross(turn(at.D), at.w) + vec2_cross(at.D, at.w1);
    const fa_vec2             force = along(L->first / arm, at.w, 0, at.w);
    const fa_vec2             by_place = along(L->second / arm, at.w, L->first / arm, at.w1);
    const fa_vec2             first = along(1, by_place, -arm1 / arm, force);
    // Turned back by q, which itself has the derivative of a quarter turn back.
    const fa_vec2 moved = vec2_sub(first, turn(force));
    double        sine, cosine;
    fa_sincos(q, &sine, &cosine);
    return (fa_four_bar_push){along(cosine, force, -sine, turn(force)),
                              along(cosine, moved, -sine, turn(moved))};
}

bool fa_four_bar_reaches(const fa_four_bar *bar, double lower, double upper, double *where)
{
    // The distance of P and D, on which alone it depends, is least where D looks at P, and greatest
    // half a turn on; between, it only grows or only falls.
    const double pi = 3.14159265358979323846;
    if (!(upper - lower < 2 * pi)) { // once round is enough
        lower = -pi;
        upper = pi;
    }
    const double towards = atan2(bar->pivot.y, bar->pivot.x) - atan2(bar->pin.y, bar->pin.x);
    const double ends[] = {lower, upper};
    for (int i = 0; i < 2; i++) {
        *where = ends[i];
        if (!(spread(bar, *where) > 0)) return false;
    }
    for (double q = towards + pi * ceil((lower - towards) / pi); q <= upper; q += pi) {
        *where = q;
        if (!(spread(bar, q) > 0)) return false;
    }
    return true;
}
