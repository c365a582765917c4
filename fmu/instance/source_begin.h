// The beginning of each file of a source-code FMU, which people compile with options of their own.
// It says in the code what the options of our own build say for the libraries that Forearm brings:
// the same bits on all platforms, and nothing visible that is not the standard's. `forearm export
// --sources` writes the line that includes this file; here nobody does.
#ifndef FA_SOURCE_BEGIN_H
#define FA_SOURCE_BEGIN_H

#if defined(__FAST_MATH__)
#error "compile this FMU without -ffast-math: it tells apart numbers, infinities and NaN"
#endif

// What C declares is not ours to hide, so it comes first. Of systems nothing is asked: the robot is
// compiled in (built_in.h).
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

// A product and a sum are rounded one after the other: -ffp-contract=off. Where gcc 12 turns
// straight lines of code into vectors it fuses them all the same, so it must not do that either.
#if defined(__clang__)
#pragma STDC FP_CONTRACT OFF
#elif defined(__GNUC__)
#pragma GCC optimize("fp-contract=off", "no-tree-slp-vectorize")
#elif defined(_MSC_VER)
#pragma fp_contract(off)
#endif

// A host's own functions must not replace ours: -fvisibility=hidden. The file with the standard's
// functions shows these, whatever prefix they get: where there is one, the standard's header leaves
// that to the compiler. source_end.h closes this.
#if defined(__GNUC__) && !defined(_WIN32)
#if defined(FA_SOURCE_SHOWS)
#pragma GCC visibility push(default)
#else
#pragma GCC visibility push(hidden)
#endif
#endif

#endif
