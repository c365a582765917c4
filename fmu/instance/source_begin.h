// Prefix of each file of a source-code FMU, which users compile with options of their own. It sets
// by pragmas the options of the project's own build: the same bits on all platforms, and hidden
// visibility except for the standard's functions. `forearm export --sources` writes the #include of
// this file; the project's sources do not include it.
#ifndef FA_SOURCE_BEGIN_H
#define FA_SOURCE_BEGIN_H

#if defined(__FAST_MATH__)
#error "compile this FMU without -ffast-math: it tells apart numbers, infinities and NaN"
#endif

// System headers come first: their declarations keep default visibility. Only C's own headers are
// needed, since the robot is compiled in (built_in.h).
#if !defined(_WIN32)
#include <assert.h>
#include <fenv.h>
#include <float.h>
#include <limits.h>
#include <math.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#endif

// No fused multiply-add, like -ffp-contract=off. gcc 12 fuses even so when it vectorises
// straight-line code, so that is off, too.
#if defined(__clang__)
#pragma STDC FP_CONTRACT OFF
#elif defined(__GNUC__)
#pragma GCC optimize("fp-contract=off", "no-tree-slp-vectorize")
#elif defined(_MSC_VER)
#pragma fp_contract(off)
#endif

// Hidden visibility, so that a host's functions cannot replace the FMU's: -fvisibility=hidden. The
// file with the standard's functions exports these, with any prefix: with a prefix, the standard's
// header leaves visibility to the compiler. source_end.h closes this.
#if defined(__GNUC__) && !defined(_WIN32)
#if defined(FA_SOURCE_SHOWS)
#pragma GCC visibility push(default)
#else
#pragma GCC visibility push(hidden)
#endif
#endif

#endif
