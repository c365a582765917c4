// Floating-point mode. The FMU computes in C's default mode: round to nearest, denormals kept, no
// traps. It saves the host's mode at the begin of a call and restores it at the end and around
// callbacks, exception flags included. So results do not depend on the host, and an overflow does
// not trap.
//
// One register is read at the begin and the end of a call, and written only if it must change.
#ifndef FA_ARITHMETIC_H
#define FA_ARITHMETIC_H

#if defined(__SSE2__) || defined(_M_X64)

#include <xmmintrin.h>

typedef unsigned fa_arithmetic;

// all traps masked, round to nearest, denormals kept; the lowest six bits are the flags
#define FA_USUAL_ARITHMETIC 0x1f80u
#define FA_EXCEPTION_FLAGS  0x3fu

static inline fa_arithmetic fa_arithmetic_take(void)
{
    const fa_arithmetic of_host = _mm_getcsr();
    if ((of_host & ~FA_EXCEPTION_FLAGS) != FA_USUAL_ARITHMETIC) _mm_setcsr(FA_USUAL_ARITHMETIC);
    return of_host;
}

static inline void fa_arithmetic_give_back(fa_arithmetic of_host)
{
    if (_mm_getcsr() != of_host) _mm_setcsr(of_host);
}

#elif defined(__aarch64__) && defined(__GNUC__)

#include <stdint.h>

typedef struct fa_arithmetic {
    uint64_t control, status;
} fa_arithmetic;

static inline fa_arithmetic fa_arithmetic_take(void)
{
    fa_arithmetic of_host;
    __asm__ volatile("mrs %0, fpcr" : "=r"(of_host.control)::"memory");
    __asm__ volatile("mrs %0, fpsr" : "=r"(of_host.status)::"memory");
    if (of_host.control != 0) __asm__ volatile("msr fpcr, %0" ::"r"((uint64_t)0) : "memory");
    return of_host;
}

static inline void fa_arithmetic_give_back(fa_arithmetic of_host)
{
    if (of_host.control != 0) __asm__ volatile("msr fpcr, %0" ::"r"(of_host.control) : "memory");
    __asm__ volatile("msr fpsr, %0" ::"r"(of_host.status) : "memory");
}

#else // other machines, in source-code FMUs: slower, by the C library

#include <fenv.h>

typedef fenv_t fa_arithmetic;

static inline fa_arithmetic fa_arithmetic_take(void)
{
    fa_arithmetic of_host;
    (void)fegetenv(&of_host);
    (void)fesetenv(FE_DFL_ENV);
    return of_host;
}

static inline void fa_arithmetic_give_back(fa_arithmetic of_host)
{
    (void)fesetenv(&of_host);
}

#endif

#endif
