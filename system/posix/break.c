// SIGINT handling inside a session.
#define _XOPEN_SOURCE 700
#include "break.h"

#include <signal.h>
#include <stddef.h>

// Set by a signal handler, so it cannot be local.
static volatile sig_atomic_t asked, hung_up;

static void ask(int number)
{
    asked = 1;
    if (number == SIGHUP) hung_up = 1;
}

void fa_break_hold(bool ends_reads)
{
    struct sigaction action = {.sa_handler = ask, .sa_flags = ends_reads ? 0 : SA_RESTART};
    sigemptyset(&action.sa_mask);
    (void)sigaction(SIGINT, &action, NULL);
    (void)sigaction(SIGHUP, &action, NULL);
    asked = 0;
}

bool fa_break_asked(void)
{
    return asked != 0;
}

bool fa_break_hung_up(void)
{
    return hung_up != 0;
}
