// Times Forearm's batches: several states per call, in every kernel that this machine supports,
// with the code that peer_specialise wrote for one robot if it is compiled in.
//
//   peer_batch robot.txt …
#include "batch.h"

#include "fast.h"
#include "our_chain.h"
#include "peer.h"

enum { STATES = 8 };

typedef struct ours {
    fa_chain chain;
    void    *work;
} ours;

static void call(void *self, const double *q, const double *qd, const double *tau, double *qdd)
{
    const ours *o = self;
    if (fa_forward_batch(&o->chain, STATES, q, qd, tau, qdd, o->work) != FA_OK) qdd[0] = NAN;
}

int main(int argc, char *argv[])
{
    for (int a = 1; a < argc; a++) {
        const peer_robot r = peer_read(argv[a]);
        ours             o = {.chain = chain_of(&r)};
        o.work = aligned_alloc(64, (fa_forward_batch_size(&o.chain) + 63) / 64 * 64);
        for (int k = fa_fast_kernel_count - 1; k >= 0; k--) {
            char who[64];
            if (!fa_fast_kernels[k].runs()) continue;
            fa_forward_batch_prepare(&o.chain, false, k, o.work);
            fa_fast *fast = o.work; // fa_fast is the first object in the scratch memory
            snprintf(who, sizeof who, "batch-of-%d %s %s", STATES,
                     fast->special ? "specialised" : "general", fa_fast_kernels[k].name);
            peer_report_batch(who, call, &o, &r, STATES);
        }
    }
    return 0;
}
