// Frames for the Gibbs-Appell method in which a rotation between neighbours is two elementary ones,
// about x by alpha and about z by theta: the "trigonometric identities" of Mata and others (2002),
// section 4.1. No rotation matrix is formed; a vector takes 8 products and 4 sums.
//
//     paper                here
//     ^iR_{i-1} v          turn_down(&rotation, v)
//     ^{i-1}R_i v          turn_up(&rotation, v)
//     R^T psi R            tensor_up(&rotation, psi)
//
// A chain's axes point anywhere. So each body gets axes of its own, turned from the chain's by a
// constant F: z along the joint, x such that its first child needs no more than the two. Origins
// stay where they are. A further child needs a third rotation about z before the two.
#ifndef FA_GIBBS_FRAMES_H
#define FA_GIBBS_FRAMES_H

#include <stdbool.h>
#include <stddef.h>

#include "chain.h"

typedef struct fa_turn {
    double c, s; // cosine and sine
} fa_turn;

typedef struct fa_gibbs_rotation {
    bool    is_first;           // of its parent's children: beta is no rotation
    fa_turn beta, alpha, theta; // about z, then x, then z; alpha and beta are constant
} fa_gibbs_rotation;

typedef struct fa_gibbs_frame {
    fa_mat3           F; // the chain's axes of the body to these
    bool              has_child;
    fa_turn           offset;
    fa_gibbs_rotation R; // from its parent's frame, or the world's, at q
    fa_vec3           s; // from its parent's origin to its own, in the parent's frame [m], at q
} fa_gibbs_frame;

// Constants of n frames. World takes the place of the parent's where there is none.
void fa_gibbs_frames(const fa_chain *chain, fa_gibbs_frame frame[], fa_mat3 *world);

// R and s at q.
void fa_gibbs_place(const fa_chain *chain, const double q[], const fa_mat3 *world,
                    fa_gibbs_frame frame[]);

// Coordinates of v in a frame that is turned about an axis.
static inline fa_vec3 about_x(fa_turn t, fa_vec3 v)
{
    return vec3(v.x, t.c * v.y + t.s * v.z, t.c * v.z - t.s * v.y);
}

static inline fa_vec3 about_z(fa_turn t, fa_vec3 v)
{
    return vec3(t.c * v.x + t.s * v.y, t.c * v.y - t.s * v.x, v.z);
}

static inline fa_turn turned_back(fa_turn t)
{
    return (fa_turn){t.c, -t.s};
}

// The two rotations in one: what comes before theta is a constant where v is.
static inline fa_vec3 turn_to_joint(const fa_gibbs_rotation *R, fa_vec3 v)
{
    return about_x(R->alpha, R->is_first ? v : about_z(R->beta, v));
}

static inline fa_vec3 turn_down(const fa_gibbs_rotation *R, fa_vec3 v)
{
    return about_z(R->theta, turn_to_joint(R, v));
}

static inline fa_vec3 turn_up(const fa_gibbs_rotation *R, fa_vec3 v)
{
    v = about_x(turned_back(R->alpha), about_z(turned_back(R->theta), v));
    return R->is_first ? v : about_z(turned_back(R->beta), v);
}

// The same without the z component, which becomes zero.
static inline fa_vec3 turn_up_in_plane(const fa_gibbs_rotation *R, fa_vec3 v)
{
    v = about_z(turned_back(R->theta), v);
    v = vec3(v.x, R->alpha.c * v.y - R->alpha.s * v.z, 0);
    return R->is_first ? v : about_z(turned_back(R->beta), v);
}

// A symmetric tensor about z: with w = 2 c xy - s (xx - yy), xx gains s w, yy loses it, and xy
// becomes c w - xy. 8 products and 8 sums; twice a constant cosine is a constant.
static inline fa_sym3 tensor_about_z(fa_turn t, fa_sym3 A)
{
    const double w = (t.c + t.c) * A.xy - t.s * (A.xx - A.yy), sw = t.s * w;
    return (fa_sym3){A.xx + sw,
                     A.yy - sw,
                     A.zz,
                     t.c * w - A.xy,
                     t.c * A.xz + t.s * A.yz,
                     t.c * A.yz - t.s * A.xz};
}

static inline fa_sym3 tensor_about_x(fa_turn t, fa_sym3 A)
{
    const double w = (t.c + t.c) * A.yz - t.s * (A.yy - A.zz), sw = t.s * w;
    return (fa_sym3){
        A.xx,          A.yy + sw, A.zz - sw, t.c * A.xy + t.s * A.xz, t.c * A.xz - t.s * A.xy,
        t.c * w - A.yz};
}

static inline fa_sym3 tensor_up(const fa_gibbs_rotation *R, fa_sym3 A)
{
    A = tensor_about_x(turned_back(R->alpha), tensor_about_z(turned_back(R->theta), A));
    return R->is_first ? A : tensor_about_z(turned_back(R->beta), A);
}

#endif
