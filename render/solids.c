// Solids of revolution and boxes as triangles.
#include <math.h>
#include <stdlib.h>

#include "surface.h"

#define PI 3.14159265358979323846

static const double SHARP = 0.81915204428899180; // cosine of 35 degrees

void fa_surface_free(fa_surface *surface)
{
    free(surface->of);
    *surface = (fa_surface){.n = 0};
}

void fa_surface_add(fa_surface *surface, fa_facet facet)
{
    if (surface->n == surface->room) {
        const size_t room = surface->room ? 2 * surface->room : 64;
        fa_facet    *of = realloc(surface->of, room * sizeof *of);
        surface->lost |= of == NULL;
        if (!of) return;
        surface->of = of;
        surface->room = room;
    }
    surface->of[surface->n++] = facet;
}

static fa_vec3 around(const double pair[2], double angle)
{
    return vec3(pair[0] * cos(angle), pair[0] * sin(angle), pair[1]);
}

// The normal of a piece of the outline, as radius and height.
static void outward(const double from[2], const double to[2], double normal[2])
{
    const double dr = to[0] - from[0], dz = to[1] - from[1], length = hypot(dr, dz);
    normal[0] = length > 0 ? dz / length : 1;
    normal[1] = length > 0 ? -dr / length : 0;
}

// The normal at an end of a piece: that of the round between it and its neighbour, or its own.
static void at_end(const double own[2], const double neighbour[2], double normal[2])
{
    const bool   round = own[0] * neighbour[0] + own[1] * neighbour[1] > SHARP;
    const double r = own[0] + (round ? neighbour[0] : 0), z = own[1] + (round ? neighbour[1] : 0);
    const double length = hypot(r, z);
    normal[0] = r / length;
    normal[1] = z / length;
}

static void add_ring(fa_surface *surface, const double from[2], const double to[2],
                     const double below[2], const double above[2], int sides)
{
    for (int i = 0; i < sides; i++) {
        const double  a = 2 * PI * i / sides, b = 2 * PI * (i + 1) / sides;
        const fa_vec3 corner[] = {around(from, a), around(from, b), around(to, b), around(to, a)};
        const fa_vec3 normal[] = {
            around((const double[]){below[0], 0}, a), around((const double[]){below[0], 0}, b),
            around((const double[]){above[0], 0}, b), around((const double[]){above[0], 0}, a)};
        fa_facet facet[2] = {{.corner = {corner[0], corner[1], corner[2]},
                              .normal = {normal[0], normal[1], normal[2]}},
                             {.corner = {corner[0], corner[2], corner[3]},
                              .normal = {normal[0], normal[2], normal[3]}}};
        facet[0].normal[0].z = facet[0].normal[1].z = facet[1].normal[0].z = below[1];
        facet[0].normal[2].z = facet[1].normal[1].z = facet[1].normal[2].z = above[1];
        if (from[0] > 0) fa_surface_add(surface, facet[0]);
        if (to[0] > 0) fa_surface_add(surface, facet[1]);
    }
}

void fa_surface_turned(fa_surface *surface, const double outline[][2], int n, int sides)
{
    for (int i = 0; i + 1 < n; i++) {
        double own[2], before[2], after[2], below[2], above[2];
        outward(outline[i], outline[i + 1], own);
        outward(outline[i > 0 ? i - 1 : i], outline[i > 0 ? i : i + 1], before);
        outward(outline[i + 2 < n ? i + 1 : i], outline[i + 2 < n ? i + 2 : i + 1], after);
        at_end(own, before, below);
        at_end(own, after, above);
        add_ring(surface, outline[i], outline[i + 1], below, above, sides);
    }
}

void fa_surface_drum(fa_surface *surface, double radius, double length, double edge)
{
    enum { STEPS = 4, PAIRS = 2 * (STEPS + 1) + 2, SIDES = 64 };
    const double half = length / 2, e = fmin(edge, fmin(half, radius));
    double       outline[PAIRS][2] = {{0, -half}};
    for (int i = 0; i <= STEPS; i++) {
        const double a = 0.5 * PI * i / STEPS, r = radius - e + e * sin(a),
                     z = half - e + e * cos(a);
        outline[1 + i][0] = outline[PAIRS - 2 - i][0] = r;
        outline[1 + i][1] = -z;
        outline[PAIRS - 2 - i][1] = z;
    }
    outline[PAIRS - 1][1] = half;
    fa_surface_turned(surface, (const double(*)[2])outline, PAIRS, SIDES);
}

void fa_surface_ball(fa_surface *surface, double radius)
{
    enum { STEPS = 20, SIDES = 40 };
    double outline[STEPS + 1][2];
    for (int i = 0; i <= STEPS; i++) {
        const double a = PI * i / STEPS;
        outline[i][0] = i % STEPS ? radius * sin(a) : 0;
        outline[i][1] = -radius * cos(a);
    }
    fa_surface_turned(surface, (const double(*)[2])outline, STEPS + 1, SIDES);
}

void fa_surface_body(fa_surface *surface, double from, double to, double length)
{
    enum { STEPS = 16, SIDES = 56 };
    double outline[STEPS + 1][2];
    for (int i = 0; i <= STEPS; i++) {
        const double t = (double)i / STEPS;
        outline[i][0] = (from + (to - from) * t) * (1 - 0.13 * sin(PI * t));
        outline[i][1] = t * length;
    }
    fa_surface_turned(surface, (const double(*)[2])outline, STEPS + 1, SIDES);
}

void fa_surface_box(fa_surface *surface, fa_vec3 size)
{
    const fa_vec3 half[] = {vec3(size.x / 2, 0, 0), vec3(0, size.y / 2, 0), vec3(0, 0, size.z / 2)};
    for (int i = 0; i < 3; i++)
        for (int sign = -1; sign <= 1; sign += 2) {
            const fa_vec3 a = vec3_scale(sign, half[i]), b = half[(i + 1) % 3];
            const fa_vec3 c = vec3_scale(sign, half[(i + 2) % 3]);
            const fa_vec3 n = vec3(sign * (i == 0), sign * (i == 1), sign * (i == 2));
            const fa_vec3 corner[] = {vec3_sub(vec3_sub(a, b), c), vec3_sub(vec3_add(a, b), c),
                                      vec3_add(vec3_add(a, b), c), vec3_add(vec3_sub(a, b), c)};
            fa_surface_add(surface, (fa_facet){{corner[0], corner[1], corner[2]}, {n, n, n}});
            fa_surface_add(surface, (fa_facet){{corner[0], corner[2], corner[3]}, {n, n, n}});
        }
}
