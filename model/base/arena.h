// Arena allocator: arrays one behind the other in a block of memory. The same function runs twice,
// first to measure the block, then to assign addresses.
#ifndef FA_ARENA_H
#define FA_ARENA_H

#include <stddef.h>

typedef struct fa_arena {
    char  *base; // NULL: only measure
    size_t size; // bytes taken so far
} fa_arena;

// Room for n things of that size, 16-byte aligned if the base is; NULL while measuring.
static inline void *fa_arena_take(fa_arena *arena, size_t n, size_t size)
{
    void *here = arena->base ? arena->base + arena->size : NULL;
    arena->size += (n * size + 15) / 16 * 16;
    return here;
}

// Room for n of one thing and, at other times, n of another.
static inline void *fa_arena_share(fa_arena *arena, size_t n, size_t one, size_t other)
{
    return fa_arena_take(arena, n, one > other ? one : other);
}

#endif
