// Positions of joints and wheels; mean heading.
#include "snake_shape.h"

#include "arctan.h"
#include "sincos.h"

static fa_snake_point along(fa_snake_point from, double distance, double angle)
{
    double sine, cosine;
    fa_sincos(angle, &sine, &cosine);
    fa_snake_point to = {from.x + distance * cosine, from.y + distance * sine};
    return to;
}

void fa_snake_points(const fa_snake *snake, const double theta[], fa_snake_point first,
                     fa_snake_point wheel[], fa_snake_point end[])
{
    fa_snake_point at = along(first, -snake->link[0].a, theta[0]);
    if (end) end[0] = at;
    for (int k = 0; k < snake->n; k++) {
        const fa_snake_point here = along(at, snake->link[k].a, theta[k]);
        at = along(here, snake->link[k].b, theta[k]);
        if (wheel) wheel[k] = here;
        if (end) end[k + 1] = at;
    }
}

fa_snake_point fa_snake_centre(const fa_snake *snake, const double theta[], fa_snake_point first)
{
    fa_snake_point at = along(first, -snake->link[0].a, theta[0]), sum = {0, 0};
    double         mass = 0;
    for (int k = 0; k < snake->n; k++) {
        const fa_snake_link *link = &snake->link[k];
        double               C, S;
        fa_sincos(theta[k], &S, &C);
        const double forward = link->a + link->c;
        sum.x += link->m * (at.x + forward * C - link->d * S);
        sum.y += link->m * (at.y + forward * S + link->d * C);
        mass += link->m;
        at.x += (link->a + link->b) * C;
        at.y += (link->a + link->b) * S;
    }
    sum.x /= mass;
    sum.y /= mass;
    return sum;
}

double fa_snake_heading(const fa_snake *snake, const double theta[])
{
    double x = 0, y = 0;
    for (int k = 0; k < snake->n; k++) {
        double S, C;
        fa_sincos(theta[k], &S, &C);
        x += C;
        y += S;
    }
    return fa_atan2(y, x);
}
