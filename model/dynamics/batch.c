// Four states at once where the fast methods cover the chain (fast_batch.h); one after the other
// where not, and where one of the four is left to the readable method.
#include "batch.h"

#include <math.h>

#include "fast.h"

size_t fa_forward_batch_size(const fa_chain *chain)
{
    return fa_fast_size(chain) + fa_method_forward(chain)->work_size(chain);
}

void fa_forward_batch_prepare(const fa_chain *chain, bool deterministic, void *work)
{
    fa_fast_prepare(fa_fast_place(work, chain, fa_fast_kernel_best(deterministic)), chain);
}

static fa_status one(const fa_chain *chain, const double q[], const double qd[], const double tau[],
                     double qdd[], void *work)
{
    fa_status status = FA_UNFIT;
    if (fa_fast_fits(chain)) status = fa_fast_forward(work, q, qd, tau, NULL, qdd);
    if (status == FA_UNFIT)
        status = fa_method_forward(chain)->forward(chain, q, qd, tau, NULL, qdd,
                                                   (char *)work + fa_fast_size(chain));
    for (int i = 0; status != FA_OK && i < chain->n_coordinates; i++) qdd[i] = NAN;
    return status;
}

fa_status fa_forward_batch(const fa_chain *chain, int n_states, const double q[], const double qd[],
                           const double tau[], double qdd[], void *work)
{
    const fa_fast *fast = work;
    const size_t   n = (size_t)chain->n_coordinates;
    const bool     fours = fa_fast_fits(chain) && !chain->branched && chain->n > 0 &&
                       chain->n <= FA_FAST_COMPOSITE_MAX;
    fa_status worst = FA_OK;
    for (int k = 0; k < n_states;) {
        const size_t at = (size_t)k * n;
        int          taken = 1;
        if (fours && k + 4 <= n_states &&
            fa_fast_kernels[fast->kernel].four(fast, q + at, qd + at, tau + at, qdd + at) ==
                FA_OK) {
            taken = 4;
        } else {
            const fa_status status = one(chain, q + at, qd + at, tau + at, qdd + at, work);
            if (worst == FA_OK) worst = status;
        }
        k += taken;
    }
    return worst;
}
