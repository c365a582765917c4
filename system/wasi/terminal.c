// Output without buffer. WASI has no timers, and so there is no progress line.
#define _XOPEN_SOURCE 700
#include "terminal.h"

#include <unistd.h>

bool fa_is_terminal(FILE *file)
{
    return isatty(fileno(file)) != 0;
}

bool fa_terminal_write(const char text[], size_t n)
{
    return write(STDERR_FILENO, text, n) > 0;
}

void fa_ticker_begin(void (*tick)(void))
{
    (void)tick;
}

void fa_ticker_end(void)
{
}
