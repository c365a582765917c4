// WASI has no threads: whoever asks for one does its work alone.
#include "thread.h"

bool fa_thread_start(fa_thread *thread)
{
    (void)thread;
    return false;
}

void fa_thread_join(fa_thread *thread)
{
    (void)thread;
}
