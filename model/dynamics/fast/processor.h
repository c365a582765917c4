// Features of the processor that the system lets programs use, by CPUID: compilers' own functions
// for that (__builtin_cpu_supports) are not in every C library.
#ifndef FA_PROCESSOR_H
#define FA_PROCESSOR_H

#include <stdbool.h>

#include "fast_kernels.h"

#if FA_FAST_X86
#include <cpuid.h>

// Returns the register state that the system saves, as bits of XCR0; 0 without XSAVE.
static inline unsigned fa_saved_registers(void)
{
    const unsigned xsave_in_use = 1u << 27, avx = 1u << 28;
    unsigned       a, b, c, d, low, high;
    if (!__get_cpuid(1, &a, &b, &c, &d) || (c & (xsave_in_use | avx)) != (xsave_in_use | avx))
        return 0;
    __asm__ volatile("xgetbv" : "=a"(low), "=d"(high) : "c"(0));
    (void)high;
    return low;
}

// Returns true if the processor has all these features of CPUID's leaf 7, and the system saves
// these registers.
static inline bool fa_processor_has(unsigned features, unsigned registers)
{
    unsigned a, b, c, d;
    return (fa_saved_registers() & registers) == registers &&
           __get_cpuid_count(7, 0, &a, &b, &c, &d) && (b & features) == features;
}

static inline bool fa_processor_has_avx2(void)
{
    return fa_processor_has(1u << 5, 0x06);
}

static inline bool fa_processor_has_fma(void)
{
    unsigned a, b, c, d;
    return fa_processor_has_avx2() ? __get_cpuid(1, &a, &b, &c, &d) ? c & 1u << 12 : 0 : 0;
}

static inline bool fa_processor_has_avx512(void)
{
    return fa_processor_has(1u << 5 | 1u << 16 | 1u << 17 | 1u << 31, 0xE6) &&
           fa_processor_has_fma();
}
#endif

#endif
