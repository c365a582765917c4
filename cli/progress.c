// Progress bar with rate and remaining time, on a terminal only.
#include "progress.h"

#include <stdatomic.h>
#include <stdbool.h>
#include <string.h>

#include "machine.h"
#include "terminal.h"

#define BAR   10 // width of the bar [characters]
#define WIDTH 79 // maximum width of the line: a terminal wraps longer ones
#define MOST  999999999.0

// A signal handler reads these variables, so they cannot be local. Their types are lock-free on
// every supported system, so it reads no torn value.
static _Atomic(const char *) label; // NULL: no progress line
static _Atomic(const char *) unit;
static _Atomic double        done, total; // done < 0: unknown
static _Atomic double        began;       // start time [s]
static atomic_bool           shown;

// ---------------------------------------------------------------------------------------- the line

// A line buffer. It uses async-signal-safe calls only; printf is not one.
typedef struct line {
    char   text[160];
    size_t length, seen; // bytes, and columns on the screen
} line;

static void put(line *l, const char *text)
{
    for (; *text && l->seen < WIDTH; text++, l->seen++) l->text[l->length++] = *text;
}

// Appends a whole number with at least `least` digits.
static void put_whole(line *l, long value, int least)
{
    char digits[24], *at = digits + sizeof digits - 1;
    *at = '\0';
    do {
        *--at = (char)('0' + value % 10);
        value /= 10;
        least--;
    } while (value > 0 || least > 0);
    put(l, at);
}

static long rounded(double value)
{
    return (long)((value < MOST ? value : MOST) + 0.5);
}

// Appends a rate with three significant digits, or all digits before the point.
static void put_rate(line *l, double rate)
{
    const int  places = rate >= 100 ? 0 : rate >= 10 ? 1 : 2;
    const long scale = places == 0 ? 1 : places == 1 ? 10 : 100;
    const long all = rounded(rate * (double)scale);
    put_whole(l, all / scale, 1);
    if (places == 0) return;
    put(l, ".");
    put_whole(l, all % scale, places);
}

// Appends a duration: 0:07, 12:34, 1:02:03.
static void put_duration(line *l, double seconds)
{
    const long whole = rounded(seconds);
    if (whole >= 3600) {
        put_whole(l, whole / 3600, 1);
        put(l, ":");
    }
    put_whole(l, whole / 60 % 60, whole >= 3600 ? 2 : 1);
    put(l, ":");
    put_whole(l, whole % 60, 2);
}

static void put_bar(line *l, double share)
{
    const int filled = (int)(share * BAR);
    put(l, " [");
    for (int i = 0; i < BAR; i++) put(l, i < filled ? "#" : "-");
    put(l, share < 0.1 ? "]   " : share < 1 ? "]  " : "] ");
    put_whole(l, (long)(100 * share), 1);
    put(l, "%");
}

static void put_state(line *l)
{
    const double some = done, all = total, elapsed = fa_clock_wall() - began;
    const char  *counted = unit;
    const bool   bounded = all > 0 && some <= all; // false if NaN
    const char  *between = " ";
    if (some < 0) {
        put(l, " ...");
        return;
    }
    if (bounded) {
        put_bar(l, some / all);
        between = ", ";
    }
    if (counted && some > 0 && elapsed > 0) {
        put(l, between);
        put_rate(l, some / elapsed);
        put(l, " ");
        put(l, counted);
        put(l, "/s");
        between = ", ";
    }
    if (bounded && some > 0) {
        put(l, between);
        put_duration(l, elapsed * (all - some) / some);
        put(l, " left");
    }
}

static void print_line(void)
{
    const char *what = label;
    if (!what) return;
    line l = {.length = 0};
    put(&l, "\rforearm: ");
    l.seen--; // the carriage return takes no column
    put(&l, what);
    put_state(&l);
    memcpy(l.text + l.length, "\033[K", 3);
    shown = fa_terminal_write(l.text, l.length + 3);
}

// ---------------------------------------------------------------------------------------- the work

void fa_progress_begin(const char *what)
{
    if (!fa_is_terminal(stderr)) return;
    done = -1;
    total = 0;
    unit = NULL;
    began = fa_clock_wall();
    label = what;
    fa_ticker_begin(print_line);
}

void fa_progress_unit(const char *name)
{
    unit = name;
}

void fa_progress_at(double some, double all)
{
    if (!label) return;
    total = all;
    done = some;
}

void fa_progress_hide(void)
{
    if (!label) return;
    fa_ticker_end();
    if (shown) shown = !fa_terminal_write("\r\033[K", 4);
}

void fa_progress_show(void)
{
    if (label) fa_ticker_begin(print_line);
}

void fa_progress_end(void)
{
    fa_progress_hide();
    label = NULL;
}
