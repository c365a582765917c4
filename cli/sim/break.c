#define _XOPEN_SOURCE 700
#include "break.h"

#include <signal.h>
#include <stddef.h>

// Set by a signal handler, so it cannot be local.
static volatile sig_atomic_t asked;

static void ask(int number)
{
    (void)number;
    asked = 1;
}

static void handle(void (*handler)(int))
{
    struct sigaction action = {.sa_handler = handler}; // a read that waits ends with it
    sigemptyset(&action.sa_mask);
    (void)sigaction(SIGINT, &action, NULL);
    asked = 0;
}

void fa_break_hold(void)
{
    handle(ask);
}

void fa_break_let_go(void)
{
    handle(SIG_DFL);
}

bool fa_break_asked(void)
{
    return asked != 0;
}
