// One question to any method of the table, prepared for it.
#ifndef FORWARD_ONCE_H
#define FORWARD_ONCE_H

#include "dynamics.h"

static inline fa_status forward_once(const fa_method *method, const fa_chain *chain,
                                     const double q[], const double qd[], const double tau[],
                                     const fa_load *load, double qdd[], void *work)
{
    const fa_ready ready = fa_method_ready(method, chain, work);
    return fa_ready_forward(&ready, q, qd, tau, load, qdd);
}

#endif
