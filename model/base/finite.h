// Tests whether all numbers of an array are finite, without branches and without floating-point
// operations, so that no exception flag is raised.
#ifndef FA_FINITE_H
#define FA_FINITE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

// Infinities and NaNs have an exponent of ones: one more runs over into the sign, which is set
// then.
static inline uint64_t fa_run_over(double number)
{
    uint64_t bits;
    memcpy(&bits, &number, sizeof bits);
    return (bits & 0x7fffffffffffffffu) + 0x0010000000000000u;
}

static inline bool fa_are_finite(const double v[], size_t n)
{
    uint64_t found = 0;
    for (size_t i = 0; i < n; i++) found |= fa_run_over(v[i]);
    return found >> 63 == 0;
}

#endif
