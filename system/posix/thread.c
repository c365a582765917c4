// Threads of POSIX.
#define _XOPEN_SOURCE 700
#include "thread.h"

#include <pthread.h>
#include <string.h>

_Static_assert(sizeof(pthread_t) <= sizeof(uint64_t), "a thread's handle fits into fa_thread");

static void *run(void *of)
{
    const fa_thread *thread = of;
    thread->run(thread->context);
    return NULL;
}

bool fa_thread_start(fa_thread *thread)
{
    pthread_t started;
    if (pthread_create(&started, NULL, run, thread) != 0) return false;
    memcpy(&thread->handle, &started, sizeof started);
    return true;
}

void fa_thread_join(fa_thread *thread)
{
    pthread_t started;
    memcpy(&started, &thread->handle, sizeof started);
    (void)pthread_join(started, NULL);
}
