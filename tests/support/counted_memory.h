// Counts allocations: a program linked with -Wl,--wrap=malloc,--wrap=calloc,--wrap=realloc that
// includes this has their number in `allocations`.
#ifndef FA_COUNTED_MEMORY_H
#define FA_COUNTED_MEMORY_H

#include <stddef.h>

// The linker puts these in the place of malloc and its kin in our libraries.
void *__real_malloc(size_t size);
void *__real_calloc(size_t n, size_t size);
void *__real_realloc(void *block, size_t size);
void *__wrap_malloc(size_t size);
void *__wrap_calloc(size_t n, size_t size);
void *__wrap_realloc(void *block, size_t size);

static long allocations;

void *__wrap_malloc(size_t size)
{
    allocations++;
    return __real_malloc(size);
}

void *__wrap_calloc(size_t n, size_t size)
{
    allocations++;
    return __real_calloc(n, size);
}

void *__wrap_realloc(void *block, size_t size)
{
    allocations++;
    return __real_realloc(block, size);
}

#endif
