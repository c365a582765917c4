#define _XOPEN_SOURCE 700
#include "interrupt.h"

#include <signal.h>
#include <stddef.h>
#include <unistd.h>

// Read by a signal handler, so it cannot be local.
static const char *volatile doomed;

static void remove_and_end(int number)
{
    const char *path = doomed;
    if (path) (void)unlink(path);
    (void)raise(number); // comes when this returns, and does what it always does
}

void fa_interrupt_removes(const char *path)
{
    static const int numbers[] = {SIGHUP, SIGINT, SIGTERM};
    struct sigaction now, ours = {.sa_handler = remove_and_end, .sa_flags = SA_RESETHAND};
    doomed = path;
    sigemptyset(&ours.sa_mask);
    for (size_t i = 0; path && i < sizeof numbers / sizeof *numbers; i++)
        if (sigaction(numbers[i], NULL, &now) == 0 && now.sa_handler == SIG_DFL)
            (void)sigaction(numbers[i], &ours, NULL);
}
