// Forward dynamics of one chain in many states.
#ifndef FA_BATCH_H
#define FA_BATCH_H

#include "dynamics.h"

// Bytes of work, and what is made ready there before the first call and when the chain has changed.
// With `deterministic` all machines give the same bits. kernel: fa_fast_kernel_best(deterministic),
// which asks the processor; on a virtual machine that takes as long as a thousand states, so that
// callers keep the answer.
size_t fa_forward_batch_size(const fa_chain *chain);
void   fa_forward_batch_prepare(const fa_chain *chain, bool deterministic, int kernel, void *work);

// qdd of n_states states; q, qd, tau and qdd hold n_coordinates numbers of each, one state behind
// the other. Gives the first status that is not FA_OK, and goes on; qdd of such states is NaN.
fa_status fa_forward_batch(const fa_chain *chain, int n_states, const double q[], const double qd[],
                           const double tau[], double qdd[], void *work);

#endif
