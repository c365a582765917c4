// Solves for the derivatives of accelerations, from those of the torques of inverse dynamics: M x =
// - side by the factors M = L^T D L, four columns at a time. For fast_jacobians.h and for
// specialised code.
//
// Included like fast_composite.h, after fast_lanes.h.
#ifndef FA_FAST_SOLVE_H
#define FA_FAST_SOLVE_H

#include "special.h"

// The right-hand sides: by position and by speed, which are given, and the unit matrix.
enum { BY_Q, BY_QD, BY_TAU, SIDES };

enum { MOST_ROWS = FA_SPECIAL_MAX };

ALWAYS quad quad_choose(quad_bits first, quad a, quad b)
{
    quad_bits a_bits, b_bits;
    memcpy(&a_bits, &a, sizeof a_bits);
    memcpy(&b_bits, &b, sizeof b_bits);
    const quad_bits bits = (a_bits & first) | (b_bits & ~first);
    memcpy(&a, &bits, sizeof a);
    return a;
}

#endif

// x = L^-1 D^-1 L^-T x in place. L: rows of `width` numbers, 1 / D on its diagonal, times `times`.
ALWAYS void COMPOSITE(solve_columns)(const int n, const int width, const double L[],
                                     const double times, quad x[])
{
    UNROLLED_IF_KNOWN
    for (int k = n - 1; k > 0; k--) {
        UNROLLED_IF_KNOWN
        for (int i = 0; i < k; i++) x[i] -= L[k * width + i] * x[k];
    }
    UNROLLED_IF_KNOWN
    for (int k = 0; k < n; k++) x[k] *= times * L[k * width + k];
    UNROLLED_IF_KNOWN
    for (int i = 0; i < n; i++) {
        UNROLLED_IF_KNOWN
        for (int k = i + 1; k < n; k++) x[k] -= L[k * width + i] * x[i];
    }
}

// sides: for each row, `width` numbers by position and then by speed. result: matrices of n squared
// numbers, `times` the solutions. False if one of them is not finite.
ALWAYS bool COMPOSITE(solve_sides)(const int n, const int width, const double L[],
                                   const double sides[], const double times[SIDES],
                                   double *const result[SIDES])
{
    const quad zero = {0, 0, 0, 0}, one = {1, 1, 1, 1};
    quad       sum = zero;
    UNROLLED_IF_KNOWN
    for (int side = 0; side < SIDES; side++) {
        UNROLLED_IF_KNOWN
        for (int j = (n - 1) / 4 * 4; j >= 0; j -= 4) {
            const quad_bits column = (quad_bits){0, 1, 2, 3} + (int64_t)j;
            quad            x[MOST_ROWS];
            UNROLLED_IF_KNOWN
            for (int i = 0; i < n; i++)
                x[i] = side == BY_TAU ? quad_choose(column == (int64_t)i, one, zero)
                                      : quad_load(sides + (i * BY_TAU + side) * width + j);
            COMPOSITE(solve_columns)(n, width, L, times[side], x);
            quad not_finite = zero; // of these columns alone: sums wait for each other
            // A vector store may run past the end of a row; the beginning of the next one
            // overwrites it, so the last columns come first.
            UNROLLED_IF_KNOWN
            for (int i = 0; i < n; i++) {
                not_finite += 0 * x[i];
                if (i < n - 1 || j + 4 <= n)
                    quad_store(result[side] + i * n + j, x[i]);
                else
                    quad_store_some(result[side] + i * n + j, x[i], n - j);
            }
            sum += not_finite;
        }
    }
    return sum[0] + sum[1] + sum[2] + sum[3] == 0;
}
