#define _XOPEN_SOURCE 700
#include "progress.h"

#include <errno.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <string.h>
#include <sys/time.h>
#include <time.h>
#include <unistd.h>

#define FIRST_SECONDS 1      // until the line appears
#define NEXT_MICROS   200000 // between two of it
#define BAR           10     // characters of the bar
#define WIDTH         79     // of the line: one that is longer than the terminal is broken
#define MOST          999999999.0

// A signal handler reads these, so they cannot be local; what it reads is whole, since these types
// are free of locks on every system that the program is built for.
static _Atomic(const char *) label; // NULL: no work, or nobody to tell
static _Atomic(const char *) unit;
static _Atomic double        done, total; // done < 0: nothing is known yet
static _Atomic double        began;       // [s]
static atomic_bool           shown;

static double now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

// ---------------------------------------------------------------------------------------- the line

// Only calls that are allowed in a signal handler, which printf is not.
typedef struct line {
    char   text[160];
    size_t length, seen; // characters, and those of them that take a place on the screen
} line;

static void put(line *l, const char *text)
{
    for (; *text && l->seen < WIDTH; text++, l->seen++) l->text[l->length++] = *text;
}

// Digits of a whole number, at least `least` of them.
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

// Three digits, or all before the point.
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

// 0:07, 12:34, 1:02:03.
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
    const double some = done, all = total, elapsed = now() - began;
    const char  *counted = unit;
    const bool   bounded = all > 0 && some <= all; // not if NaN
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

static void print_line(int signal)
{
    (void)signal;
    const char *what = label;
    if (!what) return;
    const int saved = errno;
    line      l = {.length = 0};
    put(&l, "\rforearm: ");
    l.seen--; // the return takes no place
    put(&l, what);
    put_state(&l);
    memcpy(l.text + l.length, "\033[K", 3);
    shown = write(STDERR_FILENO, l.text, l.length + 3) > 0;
    errno = saved;
}

// ---------------------------------------------------------------------------------------- the work

static void set_timer(bool on)
{
    struct itimerval timer = {{0, 0}, {0, 0}};
    if (on) timer = (struct itimerval){{0, NEXT_MICROS}, {FIRST_SECONDS, 0}};
    (void)setitimer(ITIMER_REAL, &timer, NULL);
}

void fa_progress_begin(const char *what)
{
    if (!isatty(STDERR_FILENO)) return;
    done = -1;
    total = 0;
    unit = NULL;
    began = now();
    label = what;
    struct sigaction action = {.sa_handler = print_line, .sa_flags = SA_RESTART};
    sigemptyset(&action.sa_mask);
    (void)sigaction(SIGALRM, &action, NULL);
    set_timer(true);
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
    set_timer(false);
    if (shown) shown = write(STDERR_FILENO, "\r\033[K", 4) < 0;
}

void fa_progress_show(void)
{
    if (label) set_timer(true);
}

void fa_progress_end(void)
{
    fa_progress_hide();
    label = NULL;
}
