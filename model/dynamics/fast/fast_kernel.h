// The body of a kernel, for the processor that the including file compiles for: the articulated
// body and, where COMPOSITE_LENGTHS says so, composite bodies and Jacobians.
//
// KERNEL(name) is the name that a function has in this kernel. Most arms that people build are rows
// of few joints that all turn; what is worth code of its own in this kernel, the including file
// says:
//
//     TURNING               rows of any number
//     COMPOSITE_LENGTHS(X)  X(6) X(7) …: composite bodies of rows of so many
//     JACOBIAN_LENGTHS(X)   Jacobians of them
//     REST(name)            the kernel that answers for all others; without it, this one does
#ifndef FA_FAST_KERNEL_H
#define FA_FAST_KERNEL_H

#include "fast_articulated.h"
#include "fast_batch.h"

#ifdef TURNING
static fa_status articulated_turning(const fa_fast *fast, const double q[], const double qd[],
                                     const double tau[], const fa_load *load, double qdd[])
{
    return articulated(fast, false, false, q, qd, tau, load, qdd);
}
#endif

fa_status KERNEL(articulated)(const fa_fast *fast, const double q[], const double qd[],
                              const double tau[], const fa_load *load, double qdd[])
{
#ifdef TURNING
    if (!fast->branched && !fast->slides) return articulated_turning(fast, q, qd, tau, load, qdd);
#endif
#ifdef REST
    return REST(articulated)(fast, q, qd, tau, load, qdd);
#else
    return articulated(fast, fast->slides, fast->branched, q, qd, tau, load, qdd);
#endif
}

#ifdef COMPOSITE_LENGTHS

// Long straight lines, for which gcc's older way of giving out registers leaves less in memory: a
// tenth of the time.
#if defined(__GNUC__) && !defined(__clang__)
#pragma GCC push_options
#pragma GCC optimize("ira-algorithm=priority")
#endif

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

// The function of a table for rows of so many turning joints, NULL if it has none.
#define OF_LENGTH(table, fast)                                                                     \
    (!(fast)->slides && (fast)->n < (int)(sizeof(table) / sizeof *(table)) ? (table)[(fast)->n]    \
                                                                           : NULL)

#define FOR_LENGTH(n)                                                                              \
    static fa_status composite_##n(const fa_fast *fast, const double q[], const double qd[],       \
                                   const double tau[], const fa_load *load, double qdd[])          \
    {                                                                                              \
        return known_composite(fast, n, false, q, qd, tau, load, qdd);                             \
    }
COMPOSITE_LENGTHS(FOR_LENGTH)
#undef FOR_LENGTH

fa_status KERNEL(composite)(const fa_fast *fast, const double q[], const double qd[],
                            const double tau[], const fa_load *load, double qdd[])
{
#define ROW(n) [n] = composite_##n,
    static fa_fast_fn *const of_length[] = {COMPOSITE_LENGTHS(ROW)};
#undef ROW
    fa_fast_fn *known = OF_LENGTH(of_length, fast);
    if (known) return known(fast, q, qd, tau, load, qdd);
#ifdef REST
    return REST(composite)(fast, q, qd, tau, load, qdd);
#else
    return any_composite(fast, fast->n, fast->slides, q, qd, tau, load, qdd);
#endif
}

#ifdef JACOBIAN_LENGTHS
#define FOR_LENGTH(n)                                                                              \
    static fa_status jacobians_##n(const fa_fast *fast, const double q[], const double qd[],       \
                                   const double qdd[], double by_q[], double by_qd[],              \
                                   double by_tau[])                                                \
    {                                                                                              \
        return known_jacobians(fast, n, false, q, qd, qdd, by_q, by_qd, by_tau);                   \
    }
JACOBIAN_LENGTHS(FOR_LENGTH)
#undef FOR_LENGTH

fa_status KERNEL(jacobians)(const fa_fast *fast, const double q[], const double qd[],
                            const double qdd[], double by_q[], double by_qd[], double by_tau[])
{
#define ROW(n) [n] = jacobians_##n,
    static fa_fast_jacobians_fn *const of_length[] = {JACOBIAN_LENGTHS(ROW)};
#undef ROW
    fa_fast_jacobians_fn *known = OF_LENGTH(of_length, fast);
    if (known) return known(fast, q, qd, qdd, by_q, by_qd, by_tau);
    return any_jacobians(fast, fast->n, true, q, qd, qdd, by_q, by_qd, by_tau);
}
#endif

#if defined(__GNUC__) && !defined(__clang__)
#pragma GCC pop_options
#endif

#endif

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
