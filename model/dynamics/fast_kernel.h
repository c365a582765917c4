// The body of a kernel: both fast methods and Jacobians, for the processor that the including file
// compiles for.
//
// KERNEL(name) is the name that a function has in this kernel. With LENGTHS, short chains of
// turning joints, most arms that people build, have code of their own; with JACOBIAN_LENGTHS also
// their Jacobians.
#ifndef FA_FAST_KERNEL_H
#define FA_FAST_KERNEL_H

#include "fast_articulated.h"
#include "fast_batch.h"

// Once for lengths known to the compiler, whose loops are written out, and once for the rest.
#define COMPOSITE(name)   known_##name
#define UNROLLED_IF_KNOWN UNROLLED
#include "fast_composite.h"
#include "fast_solve.h"

#include "fast_jacobians.h"
#undef COMPOSITE
#undef UNROLLED_IF_KNOWN
#define COMPOSITE(name) any_##name
#define UNROLLED_IF_KNOWN
#include "fast_composite.h"
#include "fast_solve.h"

#include "fast_jacobians.h"
#undef COMPOSITE
#undef UNROLLED_IF_KNOWN

#ifdef LENGTHS
#define FOR_LENGTH(n)                                                                              \
    static fa_status composite_##n(const fa_fast *fast, const double q[], const double qd[],       \
                                   const double tau[], const fa_load *load, double qdd[])          \
    {                                                                                              \
        return known_composite(fast, n, false, q, qd, tau, load, qdd);                             \
    }
FOR_LENGTH(3)
FOR_LENGTH(4)
FOR_LENGTH(5)
FOR_LENGTH(6)
FOR_LENGTH(7)
#undef FOR_LENGTH
#endif

static fa_status composite_turning(const fa_fast *fast, const double q[], const double qd[],
                                   const double tau[], const fa_load *load, double qdd[])
{
    return any_composite(fast, fast->n, false, q, qd, tau, load, qdd);
}

static fa_status composite_sliding(const fa_fast *fast, const double q[], const double qd[],
                                   const double tau[], const fa_load *load, double qdd[])
{
    return any_composite(fast, fast->n, true, q, qd, tau, load, qdd);
}

fa_status KERNEL(composite)(const fa_fast *fast, const double q[], const double qd[],
                            const double tau[], const fa_load *load, double qdd[])
{
#ifdef LENGTHS
    static fa_fast_fn *const by_length[] = {composite_3, composite_4, composite_5, composite_6,
                                            composite_7};
    if (!fast->slides && fast->n >= 3 && fast->n <= 7)
        return by_length[fast->n - 3](fast, q, qd, tau, load, qdd);
#endif
    return (fast->slides ? composite_sliding : composite_turning)(fast, q, qd, tau, load, qdd);
}

#ifdef JACOBIAN_LENGTHS // the commonest
#define FOR_LENGTH(n)                                                                              \
    static fa_status jacobians_##n(const fa_fast *fast, const double q[], const double qd[],       \
                                   const double qdd[], double by_q[], double by_qd[],              \
                                   double by_tau[])                                                \
    {                                                                                              \
        return known_jacobians(fast, n, false, q, qd, qdd, by_q, by_qd, by_tau);                   \
    }
FOR_LENGTH(6)
FOR_LENGTH(7)
#undef FOR_LENGTH
#endif

fa_status KERNEL(jacobians)(const fa_fast *fast, const double q[], const double qd[],
                            const double qdd[], double by_q[], double by_qd[], double by_tau[])
{
#ifdef JACOBIAN_LENGTHS
    if (!fast->slides && fast->n == 6) return jacobians_6(fast, q, qd, qdd, by_q, by_qd, by_tau);
    if (!fast->slides && fast->n == 7) return jacobians_7(fast, q, qd, qdd, by_q, by_qd, by_tau);
#endif
    return any_jacobians(fast, fast->n, true, q, qd, qdd, by_q, by_qd, by_tau);
}

static fa_status articulated_turning(const fa_fast *fast, const double q[], const double qd[],
                                     const double tau[], const fa_load *load, double qdd[])
{
    return articulated(fast, false, false, q, qd, tau, load, qdd);
}

static fa_status articulated_sliding(const fa_fast *fast, const double q[], const double qd[],
                                     const double tau[], const fa_load *load, double qdd[])
{
    return articulated(fast, true, false, q, qd, tau, load, qdd);
}

static fa_status articulated_tree(const fa_fast *fast, const double q[], const double qd[],
                                  const double tau[], const fa_load *load, double qdd[])
{
    return articulated(fast, true, true, q, qd, tau, load, qdd);
}

fa_status KERNEL(articulated)(const fa_fast *fast, const double q[], const double qd[],
                              const double tau[], const fa_load *load, double qdd[])
{
    if (fast->branched) return articulated_tree(fast, q, qd, tau, load, qdd);
    return (fast->slides ? articulated_sliding : articulated_turning)(fast, q, qd, tau, load, qdd);
}

static unsigned states_turning(const fa_fast *fast, const double q[], const double qd[],
                               const double tau[], double qdd[])
{
    return states(fast, fast->n, false, q, qd, tau, qdd);
}

static unsigned states_sliding(const fa_fast *fast, const double q[], const double qd[],
                               const double tau[], double qdd[])
{
    return states(fast, fast->n, true, q, qd, tau, qdd);
}

unsigned KERNEL(states)(const fa_fast *fast, const double q[], const double qd[],
                        const double tau[], double qdd[])
{
    return (fast->slides ? states_sliding : states_turning)(fast, q, qd, tau, qdd);
}

#endif
