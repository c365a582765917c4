// Signal handlers for SIGINT, SIGTERM and SIGHUP; deletes temporary files.
#define _XOPEN_SOURCE 700
#include "interrupt.h"

#include <signal.h>
#include <stddef.h>
#include <unistd.h>

// Read by a signal handler, so it cannot be local.
static const char *volatile doomed;
static void (*volatile ending)(void);
static volatile sig_atomic_t came; // 0: none

static void remove_and_end(int number)
{
    const char *path = doomed;
    if (path) (void)unlink(path);
    (void)raise(number); // comes when this returns, and does what it always does
}

static const int NUMBERS[] = {SIGHUP, SIGINT, SIGTERM};
enum { N_NUMBERS = sizeof NUMBERS / sizeof *NUMBERS };
static struct sigaction before[N_NUMBERS];

static void end_later(int number)
{
    if (!came) came = number;
    if (ending) ending();
}

void fa_interrupt_begin(void (*ends)(void))
{
    struct sigaction now, ours = {.sa_handler = end_later, .sa_flags = SA_RESTART};
    ending = ends;
    sigemptyset(&ours.sa_mask);
    for (int i = 0; i < N_NUMBERS; i++) {
        (void)sigaction(NUMBERS[i], NULL, &before[i]);
        if (sigaction(NUMBERS[i], NULL, &now) == 0 && now.sa_handler == SIG_DFL)
            (void)sigaction(NUMBERS[i], &ours, NULL);
    }
}

bool fa_interrupt_came(void)
{
    return came != 0;
}

void fa_interrupt_end(void)
{
    ending = NULL;
    for (int i = 0; i < N_NUMBERS; i++) (void)sigaction(NUMBERS[i], &before[i], NULL);
    if (came) (void)raise((int)came);
    came = 0;
}

void fa_interrupt_removes(const char *path)
{
    struct sigaction now, ours = {.sa_handler = remove_and_end, .sa_flags = SA_RESETHAND};
    doomed = path;
    sigemptyset(&ours.sa_mask);
    for (int i = 0; path && i < N_NUMBERS; i++)
        if (sigaction(NUMBERS[i], NULL, &now) == 0 && now.sa_handler == SIG_DFL)
            (void)sigaction(NUMBERS[i], &ours, NULL);
}
