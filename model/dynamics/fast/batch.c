// Batches of states: as many at once as the kernel has lanes, where the fast methods support the
// chain (fast_batch.h, or specialised code); otherwise one after the other, as are states that need
// the readable method.
#include "batch.h"

#include <math.h>
#include <string.h>

#include "arena.h"
#include "fast.h"

// Addresses of the arrays in `work`.
typedef struct memory {
    fa_fast *fast;
    double  *state[4]; // q, qd, tau and qdd of the last states, which do not fill all lanes
    void    *readable; // the readable method's
    size_t   size;
} memory;

static memory lay_out(const fa_chain *chain, void *work)
{
    fa_arena     a = {work, 0};
    memory       m;
    const size_t numbers = FA_FAST_WIDEST * (size_t)chain->n_coordinates;
    m.fast = fa_arena_take(&a, fa_fast_size(chain), 1);
    for (int k = 0; k < 4; k++) m.state[k] = fa_arena_take(&a, numbers, sizeof *m.state[k]);
    m.readable = fa_arena_take(&a, fa_method_forward(chain)->work_size(chain), 1);
    m.size = a.size;
    return m;
}

size_t fa_forward_batch_size(const fa_chain *chain)
{
    return lay_out(chain, NULL).size;
}

void fa_forward_batch_prepare(const fa_chain *chain, bool deterministic, int kernel, void *work)
{
    fa_fast *fast = fa_fast_place(work, chain, kernel);
    fast->deterministic = deterministic;
    if (!deterministic) fast->special = fa_special_for(chain);
    fa_fast_prepare(fast, chain);
}

static fa_status one(const fa_chain *chain, const memory *m, const double q[], const double qd[],
                     const double tau[], double qdd[])
{
    fa_status status = FA_UNFIT;
    if (fa_fast_fits(chain)) status = fa_fast_forward(m->fast, q, qd, tau, NULL, qdd);
    if (status == FA_UNFIT)
        status = fa_method_forward(chain)->forward(chain, q, qd, tau, NULL, qdd, m->readable);
    for (int i = 0; status != FA_OK && i < chain->n_coordinates; i++) qdd[i] = NAN;
    return status;
}

// The last states, with the first of them in the lanes that are left.
static unsigned last_states(const memory *m, int n, int n_states, const double q[],
                            const double qd[], const double tau[], double qdd[])
{
    const double *const from[3] = {q, qd, tau};
    for (int k = 0; k < 3; k++)
        for (int lane = 0; lane < fa_fast_lanes(m->fast); lane++)
            memcpy(m->state[k] + lane * n, from[k] + (lane < n_states ? lane * n : 0),
                   (size_t)n * sizeof *q);
    const unsigned answered =
        fa_fast_states(m->fast, m->state[0], m->state[1], m->state[2], m->state[3]);
    memcpy(qdd, m->state[3], (size_t)n_states * (size_t)n * sizeof *qdd);
    return answered;
}

fa_status fa_forward_batch(const fa_chain *chain, int n_states, const double q[], const double qd[],
                           const double tau[], double qdd[], void *work)
{
    const memory m = lay_out(chain, work);
    const int    n = chain->n_coordinates;
    const bool   in_lanes = fa_fast_fits(chain) && fa_fast_takes_states(m.fast);
    const int    step = in_lanes ? fa_fast_lanes(m.fast) : 1;
    fa_status    worst = FA_OK;
    for (int k = 0; k < n_states; k += step) {
        const size_t   at = (size_t)k * (size_t)n;
        const int      taken = k + step <= n_states ? step : n_states - k;
        const unsigned all = (1u << taken) - 1;
        unsigned       answered = 0;
        if (in_lanes && taken == step)
            answered = fa_fast_states(m.fast, q + at, qd + at, tau + at, qdd + at);
        else if (in_lanes)
            answered = last_states(&m, n, taken, q + at, qd + at, tau + at, qdd + at);
        for (int lane = 0; (answered & all) != all && lane < taken; lane++) {
            const size_t here = at + (size_t)lane * (size_t)n;
            if (answered & 1u << lane) continue;
            const fa_status status = one(chain, &m, q + here, qd + here, tau + here, qdd + here);
            if (worst == FA_OK) worst = status;
        }
    }
    return worst;
}
