// Forearm's methods on the robots of the comparison: the readable articulated body and composite
// body, and the fast ones in every kernel that this machine runs.
//
//     peer_ours robot.txt …
#include "peer.h"

#include "chain.h"
#include "fast.h"
#include "methods.h"

typedef struct ours {
    fa_chain       chain;
    fa_fast       *fast;
    void          *work;
    fa_fast_fn    *fast_forward;
    fa_forward_fn *forward;
} ours;

static fa_chain chain_of(const peer_robot *r)
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

static void call_fast(void *self, const double *q, const double *qd, const double *tau, double *qdd)
{
    const ours *o = self;
    if (o->fast_forward(o->fast, q, qd, tau, NULL, qdd) != FA_OK) qdd[0] = NAN;
}

static void call_readable(void *self, const double *q, const double *qd, const double *tau,
                          double *qdd)
{
    const ours *o = self;
    if (o->forward(&o->chain, q, qd, tau, NULL, qdd, o->work) != FA_OK) qdd[0] = NAN;
}

int main(int argc, char *argv[])
{
    for (int a = 1; a < argc; a++) {
        const peer_robot r = peer_read(argv[a]);
        ours             o = {.chain = chain_of(&r)};
        o.work = aligned_alloc(64, (fa_methods_work_size(&o.chain) + 127) / 64 * 64);
        o.forward = fa_articulated_body_forward;
        peer_report("forearm articulated-body", call_readable, &o, &r);
        for (int k = fa_fast_kernel_count - 1; k >= 0; k--) {
            char who[64];
            if (!fa_fast_kernels[k].runs()) continue;
            o.fast = fa_fast_place(aligned_alloc(64, (fa_fast_size(&o.chain) + 63) / 64 * 64),
                                   &o.chain, k);
            fa_fast_prepare(o.fast, &o.chain);
            o.fast_forward = fa_fast_articulated;
            snprintf(who, sizeof who, "forearm fast-articulated %s", fa_fast_kernels[k].name);
            peer_report(who, call_fast, &o, &r);
            o.fast_forward = fa_fast_composite;
            snprintf(who, sizeof who, "forearm fast-composite %s", fa_fast_kernels[k].name);
            if (r.n <= FA_FAST_COMPOSITE_MAX) peer_report(who, call_fast, &o, &r);
        }
    }
    return 0;
}
