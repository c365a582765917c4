// Counts allocations and fails one on purpose: a program linked with
// -Wl,--wrap=malloc,--wrap=calloc,--wrap=realloc that includes this has their number in
// `allocations`, and one fails after `countdown` others.
#ifndef FA_FAILING_MEMORY_H
#define FA_FAILING_MEMORY_H

#include <stdbool.h>
#include <stddef.h>

// The linker puts these in the place of malloc and its kin in our libraries.
void *__real_malloc(size_t size);
void *__real_calloc(size_t n, size_t size);
void *__real_realloc(void *old, size_t size);
void *__wrap_malloc(size_t size);
void *__wrap_calloc(size_t n, size_t size);
void *__wrap_realloc(void *old, size_t size);

static long countdown = -1; // allocations until one fails; negative: none does
static long allocations;

static bool fails(void)
{
    allocations++;
    return countdown >= 0 && countdown-- == 0;
}

void *__wrap_malloc(size_t size)
{
    return fails() ? NULL : __real_malloc(size);
}

void *__wrap_calloc(size_t n, size_t size)
{
    return fails() ? NULL : __real_calloc(n, size);
}

void *__wrap_realloc(void *old, size_t size)
{
    return fails() ? NULL : __real_realloc(old, size);
}

#endif
