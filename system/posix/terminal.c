// Width of the terminal, unbuffered output, a timer.
#define _XOPEN_SOURCE 700
#include "terminal.h"

#include <errno.h>
#include <signal.h>
#include <sys/time.h>
#include <unistd.h>

#define FIRST_SECONDS 1      // until the first tick
#define NEXT_MICROS   200000 // between two of them

bool fa_is_terminal(FILE *file)
{
    return isatty(fileno(file)) != 0;
}

bool fa_terminal_write(const char text[], size_t n)
{
    return write(STDERR_FILENO, text, n) > 0;
}

// Read by a signal handler, so it cannot be local.
static void (*volatile ticking)(void);

static void handle(int signal)
{
    (void)signal;
    void (*tick)(void) = ticking;
    const int saved = errno;
    if (tick) tick();
    errno = saved;
}

static void set_timer(bool on)
{
    struct itimerval timer = {{0, 0}, {0, 0}};
    if (on) timer = (struct itimerval){{0, NEXT_MICROS}, {FIRST_SECONDS, 0}};
    (void)setitimer(ITIMER_REAL, &timer, NULL);
}

void fa_ticker_begin(void (*tick)(void))
{
    struct sigaction action = {.sa_handler = handle, .sa_flags = SA_RESTART};
    ticking = tick;
    sigemptyset(&action.sa_mask);
    (void)sigaction(SIGALRM, &action, NULL);
    set_timer(true);
}

void fa_ticker_end(void)
{
    set_timer(false);
}
