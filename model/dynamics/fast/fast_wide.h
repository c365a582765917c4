// A state in each lane: what code for many states needs of vectors. Everything is as long as a
// register of the kernel's processors, WIDE numbers: 8 with AVX-512, 4 with AVX2, 2 with others
// (compilers keep longer ones in memory).
//
// Included by the kernels (fast_kernel.h), and by code for one arm once for each kind of processor
// (special_kernel.h). KERNEL(name) is what a name of here is called in this kernel.

typedef double  KERNEL(wide) __attribute__((vector_size(8 * WIDE)));
typedef int64_t KERNEL(wide_bits) __attribute__((vector_size(8 * WIDE)));
#define wide      KERNEL(wide)
#define wide_bits KERNEL(wide_bits)

#undef ALL_LANES
#if WIDE == 8
#define ALL_LANES(s) ((wide){s, s, s, s, s, s, s, s})
#elif WIDE == 4
#define ALL_LANES(s) ((wide){s, s, s, s})
#else
#define ALL_LANES(s) ((wide){s, s})
#endif

#define SINCOS  KERNEL(sincos)
#define NUMBERS wide
#define BITS    wide_bits
#include "fast_sincos.h"

// ------------------------------------------------------------------------------------ transposing

// Lanes of two vectors, and how rows of columns become columns. With eight lanes a row holds four
// columns of two states, two apart; then the states of a column come out in their order.
#ifdef __clang__
#define PICK(a, b, ...) __builtin_shufflevector(a, b, __VA_ARGS__)
#else
#define PICK(a, b, ...) __builtin_shuffle(a, b, (wide_bits){__VA_ARGS__})
#endif
#if WIDE == 8
#define COLUMNS       4
#define FIRSTS(a, b)  PICK(a, b, 0, 8, 2, 10, 4, 12, 6, 14)
#define SECONDS(a, b) PICK(a, b, 1, 9, 3, 11, 5, 13, 7, 15)
#define EVENS(a, b)   PICK(a, b, 0, 1, 4, 5, 8, 9, 12, 13)
#define ODDS(a, b)    PICK(a, b, 2, 3, 6, 7, 10, 11, 14, 15)
#define LOWS(a, b)    PICK(a, b, 0, 1, 8, 9, 2, 3, 10, 11)
#define HIGHS(a, b)   PICK(a, b, 4, 5, 12, 13, 6, 7, 14, 15)
#elif WIDE == 4
#define COLUMNS       4
#define FIRSTS(a, b)  PICK(a, b, 0, 4, 2, 6)
#define SECONDS(a, b) PICK(a, b, 1, 5, 3, 7)
#define EVENS(a, b)   PICK(a, b, 0, 1, 4, 5)
#define ODDS(a, b)    PICK(a, b, 2, 3, 6, 7)
#define LOWS          EVENS
#define HIGHS         ODDS
#else
#define COLUMNS       2
#define FIRSTS(a, b)  PICK(a, b, 0, 2)
#define SECONDS(a, b) PICK(a, b, 1, 3)
#endif

// Numbers of one state; with eight lanes, four of it and four of the one two states on.
ALWAYS wide KERNEL(row)(const double *from, const int n)
{
#if WIDE == 8
    quad low, high;
    memcpy(&low, from, sizeof low);
    memcpy(&high, from + 2 * n, sizeof high);
    return __builtin_shufflevector(low, high, 0, 1, 2, 3, 4, 5, 6, 7);
#else
    wide row;
    (void)n;
    memcpy(&row, from, sizeof row);
    return row;
#endif
}

ALWAYS void KERNEL(put_row)(wide row, double *to, const int n)
{
#if WIDE == 8
    const quad low = __builtin_shufflevector(row, row, 0, 1, 2, 3);
    const quad high = __builtin_shufflevector(row, row, 4, 5, 6, 7);
    memcpy(to, &low, sizeof low);
    memcpy(to + 2 * n, &high, sizeof high);
#else
    (void)n;
    memcpy(to, &row, sizeof row);
#endif
}

// The columns of WIDE rows of COLUMNS numbers, each row n numbers behind the last.
ALWAYS void KERNEL(load_columns)(const int n, const double from[], wide to[])
{
    const wide a = KERNEL(row)(from, n), b = KERNEL(row)(from + n, n);
#if WIDE == 2
    to[0] = FIRSTS(a, b);
    to[1] = SECONDS(a, b);
#else
    const int  further = WIDE / 2 * n; // rows come in halves
    const wide c = KERNEL(row)(from + further, n), d = KERNEL(row)(from + further + n, n);
    to[0] = EVENS(FIRSTS(a, b), FIRSTS(c, d));
    to[1] = EVENS(SECONDS(a, b), SECONDS(c, d));
    to[2] = ODDS(FIRSTS(a, b), FIRSTS(c, d));
    to[3] = ODDS(SECONDS(a, b), SECONDS(c, d));
#endif
}

ALWAYS void KERNEL(store_columns)(const int n, const wide from[], double to[])
{
    const wide a = FIRSTS(from[0], from[1]), b = SECONDS(from[0], from[1]);
#if WIDE == 2
    KERNEL(put_row)(a, to, n);
    KERNEL(put_row)(b, to + n, n);
#else
    const int  further = WIDE / 2 * n;
    const wide c = FIRSTS(from[2], from[3]), d = SECONDS(from[2], from[3]);
    KERNEL(put_row)(LOWS(a, c), to, n);
    KERNEL(put_row)(LOWS(b, d), to + n, n);
    KERNEL(put_row)(HIGHS(a, c), to + further, n);
    KERNEL(put_row)(HIGHS(b, d), to + further + n, n);
#endif
}

// WIDE states of n numbers, one state behind the other, to n vectors, and back. The last columns
// may be among those before.
ALWAYS void KERNEL(load_states)(const int n, const double from[], wide to[])
{
    for (int i = 0; n < COLUMNS && i < n; i++)
        for (int k = 0; k < WIDE; k++) to[i][k] = from[k * n + i];
    const int end = n < COLUMNS ? 0 : n;
    UNROLLED
    for (int j = 0; j < end; j += COLUMNS) {
        const int at = j + COLUMNS <= n ? j : n - COLUMNS;
        KERNEL(load_columns)(n, from + at, to + at);
    }
}

ALWAYS void KERNEL(store_states)(const int n, const wide from[], double to[])
{
    for (int i = 0; n < COLUMNS && i < n; i++)
        for (int k = 0; k < WIDE; k++) to[k * n + i] = from[i][k];
    const int end = n < COLUMNS ? 0 : n;
    UNROLLED
    for (int j = 0; j < end; j += COLUMNS) {
        const int at = j + COLUMNS <= n ? j : n - COLUMNS;
        KERNEL(store_columns)(n, from + at, to + at);
    }
}

// A bit for each lane, the first lane's the lowest.
ALWAYS unsigned KERNEL(lanes_where)(wide_bits where)
{
    unsigned lanes = 0;
    UNROLLED
    for (int k = 0; k < WIDE; k++) lanes |= (unsigned)(where[k] & 1) << k;
    return lanes;
}

#undef PICK
#undef COLUMNS
#undef FIRSTS
#undef SECONDS
#undef EVENS
#undef ODDS
#undef LOWS
#undef HIGHS
