// Parts of a task side by side, in threads of their own.
#include "core.h"

#include <string.h>

typedef struct thread {
    core_work         *work;
    const void        *part;
    PyThread_type_lock done; // locked until the thread ends; NULL: no such thread
} thread;

static void run(void *of)
{
    const thread *t = of;
    t->work(t->part);
    PyThread_release_lock(t->done);
}

void core_in_threads(core_work *work, const void *parts, size_t size, size_t n)
{
    thread of[CORE_MOST_THREADS];
    memset(of, 0, sizeof of);
    for (size_t k = 1; k < n; k++) {
        of[k].work = work;
        of[k].part = (const char *)parts + k * size;
        of[k].done = PyThread_allocate_lock();
        if (of[k].done) (void)PyThread_acquire_lock(of[k].done, WAIT_LOCK);
        if (of[k].done && PyThread_start_new_thread(run, &of[k]) == CORE_NO_THREAD) {
            PyThread_release_lock(of[k].done);
            PyThread_free_lock(of[k].done);
            of[k].done = NULL;
        }
        if (!of[k].done) work(of[k].part);
    }
    if (n > 0) work(parts);
    for (size_t k = 1; k < n; k++) {
        if (!of[k].done) continue;
        (void)PyThread_acquire_lock(of[k].done, WAIT_LOCK);
        PyThread_release_lock(of[k].done);
        PyThread_free_lock(of[k].done);
    }
}
