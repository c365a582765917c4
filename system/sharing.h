// Threads that share numbered work.
#ifndef FA_SHARING_H
#define FA_SHARING_H

#include <stdbool.h>
#include <stddef.h>

// The work that is left, in the order of its numbers.
typedef struct fa_share fa_share;

// Takes the next number; false: none is left.
bool fa_share_next(fa_share *share, size_t *number);

// Part of the work, in thread 0 … n - 1: it takes numbers until none is left.
typedef void fa_share_work(void *context, int thread, fa_share *share);

// Shares the numbers below `numbers` among n threads, and returns when all have ended. Thread 0 is
// the caller's; where the system refuses a thread, the others do its work.
void fa_share_among(int n, size_t numbers, fa_share_work *work, void *context);

#endif
