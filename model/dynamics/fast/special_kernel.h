// Frame of the code that `forearm export --specialise` generates: sines and cosines of all joints,
// and the conditions under which the result is valid. Included by the generated file only, first,
// because it sets compiler options.
//
// Fused multiply-add is allowed here: `deterministic` excludes this code.
#ifndef FA_SPECIAL_KERNEL_H
#define FA_SPECIAL_KERNEL_H

#if defined(__clang__)
#pragma clang fp contract(fast)
#elif defined(__GNUC__)
// Long straight lines need to be put into an order that keeps to the registers.
#pragma GCC optimize("fp-contract=fast", "no-tree-vectorize", "schedule-insns", "sched-pressure")
#endif

#include "fast.h"
#include "sincos.h"
#include "special.h"

#if FA_FAST_LANES

#include "fast_lanes.h"

// Solutions whose loops are written out, and others.
#define COMPOSITE(name)   known_##name
#define UNROLLED_IF_KNOWN UNROLLED
#include "fast_solve.h"
#undef COMPOSITE
#undef UNROLLED_IF_KNOWN
#define COMPOSITE(name) any_##name
#define UNROLLED_IF_KNOWN
#include "fast_solve.h"
#undef COMPOSITE
#undef UNROLLED_IF_KNOWN

// Once for each kind of processor.
#if defined(__x86_64__)
#define FA_SPECIAL_FUSED  __attribute__((target("avx2,fma")))
#define FA_SPECIAL_AVX512 __attribute__((target("avx2,fma,avx512f,avx512dq,avx512vl")))
#else
#define FA_SPECIAL_FUSED
#define FA_SPECIAL_AVX512
#endif

// The written file includes itself once for each kind between these, for code in lanes
// (special_wide.h), whose every function has to be of that kind.
#if !defined(__x86_64__)
#define FA_SPECIAL_BEGIN_FUSED
#define FA_SPECIAL_BEGIN_AVX512
#define FA_SPECIAL_END
#elif defined(__clang__)
#define FA_SPECIAL_BEGIN_FUSED                                                                     \
    _Pragma("clang attribute push(__attribute__((target(\"avx2,fma\"))), apply_to=function)")
// clang-format off
#define FA_SPECIAL_BEGIN_AVX512                                                                    \
    _Pragma("clang attribute push(__attribute__((target(\"avx2,fma,avx512f,avx512dq,avx512vl\"))), apply_to=function)")
// clang-format on
#define FA_SPECIAL_END _Pragma("clang attribute pop")
#else
#define FA_SPECIAL_BEGIN_FUSED _Pragma("GCC push_options") _Pragma("GCC target(\"avx2,fma\")")
#define FA_SPECIAL_BEGIN_AVX512                                                                    \
    _Pragma("GCC push_options") _Pragma("GCC target(\"avx2,fma,avx512f,avx512dq,avx512vl\")")
#define FA_SPECIAL_END _Pragma("GCC pop_options")
#endif

// sine and cosine: four numbers more than n at most. False if one is too large for that, or is no
// number. turns: 1 for each joint that turns; the others' numbers do not matter.
ALWAYS bool special_sincos(const int n, const double q[], const double turns[], double sine[],
                           double cosine[])
{
    quad_bits near = {-1, -1, -1, -1};
    UNROLLED
    for (int i = 0; i < n; i += 4) {
        const quad x = quad_load_some(q + i, n - i) * quad_load(turns + i);
        near &= (quad_bits)(x < FA_SINCOS_MAX) & (quad_bits)(x > -FA_SINCOS_MAX);
        quad s, c;
        quad_sincos(x, &s, &c);
        quad_store(sine + i, s);
        quad_store(cosine + i, c);
    }
    return (near[0] & near[1] & near[2] & near[3]) != 0;
}

// Returns true if no pivot is below the generic method's threshold (FA_FAST_WEAK).
ALWAYS bool special_strong(const int n, const double lost[])
{
    double least = lost[0], all = 0;
    UNROLLED
    for (int i = 0; i < n; i++) {
        least = lost[i] < least ? lost[i] : least;
        all += lost[i];
    }
    return least > 0 && all < 1 / FA_FAST_WEAK;
}

ALWAYS bool special_finite(const int n, const double value[])
{
    quad sum = {0, 0, 0, 0};
    for (int i = 0; i < n; i += 4) sum += 0 * quad_load_some(value + i, n - i);
    return sum[0] + sum[1] + sum[2] + sum[3] == 0;
}

// The Jacobians of forward dynamics; false if they are not finite. Beyond eight joints the loops,
// not the code, are long.
ALWAYS bool special_solve(const int n, const int width, const double L[], const quad side[],
                          double by_q[], double by_qd[], double by_tau[])
{
    const double  times[SIDES] = {-1, -1, 1};
    double *const result[SIDES] = {by_q, by_qd, by_tau};
    return n <= 8 ? known_solve_sides(n, width, L, (const double *)side, times, result)
                  : any_solve_sides(n, width, L, (const double *)side, times, result);
}

#endif
#endif
