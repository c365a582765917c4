// Ctrl-C, Ctrl-Break and the end of a console, by Windows, which calls handlers in a thread of its
// own: the last one added first, until one says that it has dealt with it.
#define WIN32_LEAN_AND_MEAN
#include <stdlib.h>
#include <windows.h>

#include "break.h"
#include "interrupt.h"

// Read by the handler's thread, so they cannot be local.
static volatile LONG asked, hung_up, came;
static const char *volatile doomed;
static void (*volatile ending)(void);

// --------------------------------------------------------------------------------------- sessions

static BOOL WINAPI ask(DWORD event)
{
    (void)InterlockedExchange(&asked, 1);
    if (event == CTRL_C_EVENT || event == CTRL_BREAK_EVENT) return TRUE;
    (void)InterlockedExchange(&hung_up, 1);
    return FALSE; // the system ends the program
}

void fa_break_hold(bool ends_reads)
{
    (void)ends_reads; // Ctrl-C always ends the read of a console's line (fa_line_read)
    static bool holds;
    if (!holds) holds = SetConsoleCtrlHandler(ask, TRUE) != 0;
    (void)InterlockedExchange(&asked, 0);
}

bool fa_break_asked(void)
{
    return asked != 0;
}

bool fa_break_hung_up(void)
{
    return hung_up != 0;
}

// ---------------------------------------------------------------------------------------- endings

static BOOL WINAPI end_later(DWORD event)
{
    (void)event;
    (void)InterlockedExchange(&came, 1);
    void (*ends)(void) = ending;
    if (ends) ends();
    return TRUE;
}

void fa_interrupt_begin(void (*ends)(void))
{
    ending = ends;
    (void)SetConsoleCtrlHandler(end_later, TRUE);
}

bool fa_interrupt_came(void)
{
    return came != 0;
}

void fa_interrupt_end(void)
{
    ending = NULL;
    (void)SetConsoleCtrlHandler(end_later, FALSE);
    if (InterlockedExchange(&came, 0)) ExitProcess((UINT)STATUS_CONTROL_C_EXIT);
}

static BOOL WINAPI remove_and_end(DWORD event)
{
    (void)event;
    const char *path = doomed;
    if (path) (void)DeleteFileA(path);
    return FALSE; // the system's own handler ends the program
}

void fa_interrupt_removes(const char *path)
{
    static bool added;
    doomed = path;
    if (path && !added) added = SetConsoleCtrlHandler(remove_and_end, TRUE) != 0;
}
