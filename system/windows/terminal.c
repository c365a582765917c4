// The console, unbuffered output, a timer, by Windows.
#define WIN32_LEAN_AND_MEAN
#include "terminal.h"

#include <io.h>
#include <windows.h>

#define FIRST_MILLIS 1000 // until the first tick
#define NEXT_MILLIS  200  // between two of them

bool fa_is_terminal(FILE *file)
{
    DWORD mode; // _isatty is also true of NUL
    return GetConsoleMode((HANDLE)_get_osfhandle(_fileno(file)), &mode) != 0;
}

bool fa_terminal_write(const char text[], size_t n)
{
    return _write(_fileno(stderr), text, (unsigned)n) > 0;
}

// Read by a timer's thread, so they cannot be local.
static void (*volatile ticking)(void);
static HANDLE timer;

static void CALLBACK handle(void *context, BOOLEAN fired)
{
    (void)context;
    (void)fired;
    void (*tick)(void) = ticking;
    if (tick) tick();
}

void fa_ticker_begin(void (*tick)(void))
{
    fa_ticker_end();
    ticking = tick;
    if (!CreateTimerQueueTimer(&timer, NULL, handle, NULL, FIRST_MILLIS, NEXT_MILLIS,
                               WT_EXECUTEINTIMERTHREAD))
        timer = NULL;
}

void fa_ticker_end(void)
{
    if (timer) (void)DeleteTimerQueueTimer(NULL, timer, INVALID_HANDLE_VALUE); // waits for a tick
    timer = NULL;
}
