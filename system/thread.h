// A thread, for sharing.c.
#ifndef FA_THREAD_H
#define FA_THREAD_H

#include <stdbool.h>
#include <stdint.h>

typedef struct fa_thread {
    void (*run)(void *context);
    void    *context;
    uint64_t handle; // the system's
} fa_thread;

// Starts it; it stays where it is until it has been joined. False: the system refuses.
bool fa_thread_start(fa_thread *thread);
void fa_thread_join(fa_thread *thread);

#endif
