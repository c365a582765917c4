// Chains for the tests: from Denavit and Hartenberg's parameters, and at random.
#ifndef FA_TEST_DH_CHAIN_H
#define FA_TEST_DH_CHAIN_H

#include <math.h>
#include <stdint.h>
#include <string.h>

#include "chain.h"

typedef struct dh_link {
    bool    modified; // Craig's frames; false: Denavit and Hartenberg's own
    bool    slides;
    double  alpha, a, d, theta, offset; // q + offset adds to theta, or to d when it slides
    double  mass;
    fa_vec3 com;     // in the link's frame
    fa_sym3 inertia; // about the centre of mass
    double  rotor;
} dh_link;

static inline fa_transform turned(fa_vec3 axis, double angle)
{
    return (fa_transform){fa_rotation_about(axis, angle), {0, 0, 0}};
}

static inline fa_transform moved(double x, double y, double z)
{
    return (fa_transform){mat3_identity(), {x, y, z}};
}

// The body of a link that follows body `parent`, whose link's frame stands at *frame in it. Leaves
// the new link's frame there.
static inline fa_body dh_body(const dh_link *link, int parent, fa_transform *frame)
{
    const fa_vec3      x = {1, 0, 0}, z = {0, 0, 1};
    const fa_transform along_z =
        transform_compose(turned(z, link->slides ? link->theta : link->theta + link->offset),
                          moved(0, 0, link->slides ? link->d + link->offset : link->d));
    const fa_transform along_x = transform_compose(turned(x, link->alpha), moved(link->a, 0, 0));

    fa_body body = {.parent = parent,
                    .joint = link->slides ? FA_PRISMATIC : FA_REVOLUTE,
                    .axis = z,
                    .home = *frame,
                    .rotor = link->rotor,
                    .coordinate = parent + 1,
                    .ratio = 1};
    if (link->modified) { // Rx(alpha) Tx(a) Rz(theta) Tz(d)
        body.home = transform_compose(body.home, transform_compose(along_x, along_z));
        *frame = transform_identity();
    } else { // Rz(theta) Tz(d) Tx(a) Rx(alpha)
        *frame = transform_compose(along_z, along_x);
    }
    body.inertia = fa_link_inertia(link->mass, link->com, link->inertia, *frame);
    return body;
}

// A linear congruential generator (Knuth's MMIX constants): the same numbers on every machine.
static inline double random_between(uint64_t *seed, double low, double high)
{
    *seed = *seed * 6364136223846793005u + 1442695040888963407u;
    return low + (high - low) * (double)(*seed >> 11) * 0x1p-53;
}

static inline fa_vec3 random_vector(uint64_t *seed, double size)
{
    const double x = random_between(seed, -size, size), y = random_between(seed, -size, size);
    return vec3(x, y, random_between(seed, -size, size));
}

// An inertia that a body of this mass can have: that of three rods along axes turned at random.
static inline fa_sym3 random_inertia(uint64_t *seed, double mass)
{
    double square[3];
    for (int i = 0; i < 3; i++) square[i] = mass * random_between(seed, 0.002, 0.1);
    const fa_sym3 principal = {
        square[1] + square[2], square[0] + square[2], square[0] + square[1], 0, 0, 0};
    return sym3_rotate(fa_rotation_rpy(random_vector(seed, 3)), principal);
}

// n links in a row, revolute and prismatic mixed, of one convention.
static inline fa_chain random_arm(uint64_t *seed, int n, bool modified, fa_body body[])
{
    fa_transform frame = transform_identity();
    for (int i = 0; i < n; i++) {
        dh_link link = {.modified = modified, .slides = random_between(seed, 0, 1) < 0.3};
        link.alpha = random_between(seed, -3, 3);
        link.a = random_between(seed, -0.5, 0.5);
        link.d = random_between(seed, -0.5, 0.5);
        link.theta = random_between(seed, -3, 3);
        link.offset = random_between(seed, -1, 1);
        link.mass = random_between(seed, 0.2, 5);
        link.com = random_vector(seed, 0.3);
        link.inertia = random_inertia(seed, link.mass);
        link.rotor = random_between(seed, -1, 1) > 0 ? random_between(seed, 0.01, 0.5) : 0;
        body[i] = dh_body(&link, i - 1, &frame);
    }
    return (fa_chain){.n = n, .n_coordinates = n, .body = body, .gravity = random_vector(seed, 10)};
}

// The same with axes that point anywhere, and every body on any earlier one.
static inline fa_chain random_tree(uint64_t *seed, int n, fa_body body[])
{
    fa_chain chain = random_arm(seed, n, true, body);
    for (int i = 0; i < n; i++) {
        const fa_vec3 axis = random_vector(seed, 1);
        body[i].parent = (int)random_between(seed, -1, i);
        if (random_between(seed, 0, 1) < 0.1 || body[i].parent < 0) body[i].parent = FA_WORLD;
        if (i == 0) body[i].parent = FA_WORLD;
        body[i].axis = vec3_scale(1 / vec3_norm(axis), axis);
        chain.branched |= body[i].parent != i - 1;
    }
    return chain;
}

// The same, where one joint in five follows an earlier one.
static inline fa_chain random_coupled_tree(uint64_t *seed, int n, fa_body body[])
{
    fa_chain chain = random_tree(seed, n, body);
    chain.n_coordinates = 0;
    for (int i = 0; i < n; i++) {
        if (i == 0 || random_between(seed, 0, 1) > 0.2) {
            body[i].coordinate = chain.n_coordinates++;
            continue;
        }
        body[i].coordinate = (int)random_between(seed, 0, chain.n_coordinates);
        body[i].ratio = random_between(seed, -2, 2);
        body[i].offset = random_between(seed, -1, 1);
        chain.coupled = true;
    }
    return chain;
}

#endif
