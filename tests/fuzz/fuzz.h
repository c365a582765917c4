// Common parts of the fuzz programs: a check that ends the program, and bytes that can be opened by
// name.
#ifndef FUZZ_H
#define FUZZ_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static inline void check(bool claim)
{
    if (!claim) abort();
}

// The name of a file with these bytes, in memory; the next call changes its content.
const char *fuzz_file(const uint8_t *data, size_t size);

#endif
