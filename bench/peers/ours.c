// Times Forearm's methods on the robots of the comparison: the readable articulated body and
// composite body, and the fast ones in every kernel that this machine supports.
//
//   peer_ours robot.txt …
#include "peer.h"

#include "fast.h"
#include "methods.h"
#include "our_chain.h"

typedef struct ours {
    fa_chain       chain;
    fa_fast       *fast;
    void          *work;
    fa_fast_fn    *fast_forward;
    fa_forward_fn *forward;
} ours;

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
            if (r.n <= FA_FAST_COMPOSITE_MAX && fa_fast_kernels[k].composite)
                peer_report(who, call_fast, &o, &r);
        }
    }
    return 0;
}
