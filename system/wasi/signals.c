// WASI has no signals: its host ends a program, and what is half written then stays.
#include "break.h"
#include "interrupt.h"

void fa_break_hold(bool ends_reads)
{
    (void)ends_reads;
}

bool fa_break_asked(void)
{
    return false;
}

bool fa_break_hung_up(void)
{
    return false;
}

void fa_interrupt_begin(void (*ends)(void))
{
    (void)ends;
}

bool fa_interrupt_came(void)
{
    return false;
}

void fa_interrupt_end(void)
{
}

void fa_interrupt_removes(const char *path)
{
    (void)path;
}
