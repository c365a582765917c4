// Chooses body frames with their z axes along the joints, so that rotation matrices have zeros.
#include "frames.h"

#include <math.h>

// Rounding of a sum of a few products of numbers up to 1, such as the cosine of the double next to
// pi/2 (6.1e-17). Smaller numbers count as 0.
#define ROUNDING 4.5e-16

static double rounded(double x)
{
    if (fabs(x) <= ROUNDING) return 0;
    if (fabs(x - 1) <= ROUNDING) return 1;
    if (fabs(x + 1) <= ROUNDING) return -1;
    return x;
}

static fa_angle angle_of(double c, double s)
{
    const double length = sqrt(c * c + s * s);
    return (fa_angle){rounded(c / length), rounded(s / length)};
}

static fa_angle angle_sum(fa_angle a, fa_angle b)
{
    return angle_of(a.c * b.c - a.s * b.s, a.s * b.c + a.c * b.s);
}

static fa_angle opposite(fa_angle a)
{
    return (fa_angle){a.c, -a.s};
}

static const fa_angle no_angle = {1, 0};

static fa_mat3 about_z(fa_angle a)
{
    return (fa_mat3){{{a.c, a.s, 0}, {-a.s, a.c, 0}, {0, 0, 1}}};
}

// Decomposes T = about_z(last) about_x(middle) about_z(first). False if the z axes are parallel:
// `first` is arbitrary, and set to 0.
static bool take_apart(fa_mat3 T, fa_angle *first, fa_angle *middle, fa_angle *last)
{
    const double s = rounded(sqrt(T.m[2][0] * T.m[2][0] + T.m[2][1] * T.m[2][1]));
    *first = s > 0 ? angle_of(-T.m[2][1], T.m[2][0]) : no_angle;
    *middle = angle_of(T.m[2][2], s);
    // The second rotation leaves the rotated x axis unchanged.
    const fa_vec3 x = mat3_mul(T, vec3(first->c, first->s, 0));
    *last = angle_of(x.x, -x.y);
    return s > 0;
}

// Rounds a vector's components, relative to at least `size`.
static fa_vec3 rounded_place(fa_vec3 p, double size)
{
    const double least = ROUNDING * size;
    return vec3(fabs(p.x) <= least ? 0 : p.x, fabs(p.y) <= least ? 0 : p.y,
                fabs(p.z) <= least ? 0 : p.z);
}

// Moves the origin along the axis to where one component vanishes: that of the axis' longest
// component.
static void slide_along_axis(fa_frame *frame, fa_vec3 axis, fa_vec3 z)
{
    double      *p[3] = {&frame->place.x, &frame->place.y, &frame->place.z};
    const double along[3] = {z.x, z.y, z.z};
    int          longest = fabs(along[0]) > fabs(along[1]) ? 0 : 1;
    if (fabs(along[2]) > fabs(along[longest])) longest = 2;
    const double distance = -*p[longest] / along[longest];
    if (distance == 0) return;
    for (int k = 0; k < 3; k++) *p[k] = k == longest ? 0 : *p[k] + distance * along[k];
    frame->shift = vec3_scale(distance, axis);
}

void fa_frames_choose(const fa_chain *chain, fa_frame frame[], fa_mat3 *world)
{
    const fa_vec3 nowhere = {0, 0, 0};
    bool          decided[FA_SPECIAL_MAX] = {false}; // the body's rotation about its axis is fixed
    for (int i = 0; i < chain->n; i++) {
        const fa_body *body = &chain->body[i];
        const int      parent = body->parent;
        const fa_mat3  along = fa_frame_along(body->axis);
        fa_mat3        T = mat3_mat3(along, body->home.E);
        frame[i] = (fa_frame){no_angle, no_angle, no_angle, nowhere, nowhere, along};
        if (parent == FA_WORLD) {
            if (i == 0) *world = T;
            T = mat3_mat3(T, mat3_transpose(*world));
            (void)take_apart(T, &frame[i].about_z, &frame[i].about_x, &frame[i].about_axis);
            continue; // rotation on the ground is arbitrary
        }
        fa_mat3      *from = &frame[parent].turn;
        fa_angle      first;
        const fa_vec3 r = vec3_sub(body->home.r, frame[parent].shift);
        T = mat3_mat3(T, mat3_transpose(*from));
        const bool apart = take_apart(T, &first, &frame[i].about_x, &frame[i].about_axis);
        if (!decided[parent]) {
            // Parallel axes: the origin is put on the x axis.
            const fa_vec3 p = mat3_mul(*from, r);
            const double  size = sqrt(p.x * p.x + p.y * p.y);
            if (!apart && size > ROUNDING * vec3_norm(r)) {
                const bool over = frame[i].about_x.c < 0; // the axes are antiparallel
                first = angle_of(p.x, p.y);
                frame[i].about_axis =
                    angle_sum(frame[i].about_axis, over ? first : opposite(first));
            }
            decided[parent] = true;
            *from = mat3_mat3(about_z(first), *from);
            frame[parent].about_axis = angle_sum(frame[parent].about_axis, first);
        } else {
            frame[i].about_z = first;
        }
        const fa_vec3 z = mat3_mul(*from, mat3_tmul(body->home.E, body->axis));
        frame[i].place = rounded_place(mat3_mul(*from, r), vec3_norm(r));
        slide_along_axis(&frame[i], body->axis, rounded_place(z, 1));
    }
}
