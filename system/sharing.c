// Threads that share numbered work, by an atomic counter.
#include "sharing.h"

#include <stdatomic.h>

#include "thread.h"

enum { MOST = 256 };

struct fa_share {
    atomic_size_t next;
    size_t        numbers;
};

typedef struct worker {
    fa_share      *share;
    fa_share_work *work;
    void          *context;
    int            number;
    bool           runs;
    fa_thread      thread;
} worker;

bool fa_share_next(fa_share *share, size_t *number)
{
    // A counter that only grows while work is left cannot overflow.
    if (atomic_load(&share->next) >= share->numbers) return false;
    *number = atomic_fetch_add(&share->next, 1);
    return *number < share->numbers;
}

static void run(void *of)
{
    const worker *w = of;
    w->work(w->context, w->number, w->share);
}

void fa_share_among(int n, size_t numbers, fa_share_work *work, void *context)
{
    fa_share share = {.numbers = numbers};
    worker   of[MOST];
    atomic_init(&share.next, 0);
    if (n > MOST) n = MOST;
    for (int k = 1; k < n; k++) {
        of[k] = (worker){.share = &share, .work = work, .context = context, .number = k};
        of[k].thread = (fa_thread){.run = run, .context = &of[k]};
        of[k].runs = fa_thread_start(&of[k].thread);
    }
    work(context, 0, &share);
    for (int k = 1; k < n; k++)
        if (of[k].runs) fa_thread_join(&of[k].thread);
}
