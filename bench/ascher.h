// The two bodies of section 5.1 of Mata and others (2002), after Ascher, Pai and Cloutier: a short
// and a long bar, 0.02 m wide, gravity across them. The masses are damaged in the print; 0.1 kg and
// 10 kg follow from equal density.
#ifndef FA_BENCH_ASCHER_H
#define FA_BENCH_ASCHER_H

#include "chain.h"

enum { ASCHER_POSES = 180 };

// A uniform bar that starts at the origin and lies along x.
static inline fa_inertia ascher_bar(double mass, double length, double width)
{
    const double  about_x = mass * width * width / 6;
    const double  across = mass * (length * length + width * width) / 12;
    const fa_sym3 I = {about_x, across, across, 0, 0, 0};
    return fa_link_inertia(mass, vec3(length / 2, 0, 0), I, transform_identity());
}

static inline fa_chain ascher_chain(fa_body body[2])
{
    for (int i = 0; i < 2; i++)
        body[i] =
            (fa_body){.parent = i - 1,
                      .joint = FA_REVOLUTE,
                      .axis = {0, 0, 1},
                      .home = {mat3_identity(), {i == 0 ? 0 : 0.02, 0, 0}},
                      .inertia = i == 0 ? ascher_bar(0.1, 0.02, 0.02) : ascher_bar(10, 2, 0.02),
                      .coordinate = i,
                      .ratio = 1};
    return (fa_chain){.n = 2, .n_coordinates = 2, .body = body, .gravity = {0, -9.81, 0}};
}

// Pose k of a full turn of the second body, in steps of two degrees [rad].
static inline double ascher_angle(int k)
{
    return k * (2 * 3.14159265358979323846 / ASCHER_POSES);
}

#endif
