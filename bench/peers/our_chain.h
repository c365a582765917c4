// Converts a robot of the comparison to fa_chain and back.
#ifndef OUR_CHAIN_H
#define OUR_CHAIN_H

#include "chain.h"
#include "peer.h"

static inline fa_chain chain_of(const peer_robot *r)
{
    fa_body *body = calloc((size_t)r->n, sizeof *body);
    for (int i = 0; i < r->n; i++) {
        const peer_body *p = &r->body[i];
        const double    *I = p->inertia;
        body[i] = (fa_body){
            .parent = i - 1,
            .joint = p->prismatic ? FA_PRISMATIC : FA_REVOLUTE,
            .axis = {p->axis[0], p->axis[1], p->axis[2]},
            .home = {.r = {p->place[0], p->place[1], p->place[2]}},
            .inertia = fa_link_inertia(p->mass, vec3(p->com[0], p->com[1], p->com[2]),
                                       (fa_sym3){I[0], I[3], I[5], I[1], I[2], I[4]},
                                       transform_identity()),
            .coordinate = i,
            .ratio = 1,
        };
        for (int j = 0; j < 3; j++)
            for (int k = 0; k < 3; k++) body[i].home.E.m[k][j] = p->rotation[3 * j + k];
    }
    return (fa_chain){.n = r->n,
                      .n_coordinates = r->n,
                      .body = body,
                      .gravity = {r->gravity[0], r->gravity[1], r->gravity[2]}};
}

static inline peer_body peer_body_of(const fa_body *b)
{
    const fa_vec3 c = inertia_centre(b->inertia);
    const fa_sym3 I = inertia_about_centre(b->inertia);
    peer_body     p = {.prismatic = fa_joint_slides(b->joint),
                       .place = {b->home.r.x, b->home.r.y, b->home.r.z},
                       .axis = {b->axis.x, b->axis.y, b->axis.z},
                       .mass = b->inertia.mass,
                       .com = {c.x, c.y, c.z},
                       .inertia = {I.xx, I.xy, I.xz, I.yy, I.yz, I.zz}};
    for (int j = 0; j < 3; j++)
        for (int k = 0; k < 3; k++) p.rotation[3 * j + k] = b->home.E.m[k][j];
    return p;
}

#endif
