#define _XOPEN_SOURCE 700
#include "progress.h"

#include <errno.h>
#include <signal.h>
#include <stdbool.h>
#include <string.h>
#include <sys/time.h>
#include <unistd.h>

#define FIRST_SECONDS 1      // until the line appears
#define NEXT_MICROS   200000 // between two of it

// A signal handler reads these, so they cannot be local.
static const char *volatile label; // NULL: no work, or nobody to tell
static volatile sig_atomic_t percent;
static volatile sig_atomic_t shown;

// Only calls that are allowed in a signal handler.
static void print_line(int signal)
{
    (void)signal;
    const char *what = label;
    if (!what) return;
    int    saved = errno;
    char   line[96] = "\rforearm: ";
    size_t length = strlen(line);
    for (; *what && length < 80; what++) line[length++] = *what;
    int now = percent;
    if (now >= 0) {
        line[length++] = ' ';
        if (now >= 100) line[length++] = '1';
        if (now >= 10) line[length++] = (char)('0' + now / 10 % 10);
        line[length++] = (char)('0' + now % 10);
        line[length++] = '%';
    } else {
        memcpy(line + length, " ...", 4);
        length += 4;
    }
    memcpy(line + length, "\033[K", 3);
    shown = write(STDERR_FILENO, line, length + 3) > 0;
    errno = saved;
}

static void set_timer(bool on)
{
    struct itimerval timer = {{0, 0}, {0, 0}};
    if (on) timer = (struct itimerval){{0, NEXT_MICROS}, {FIRST_SECONDS, 0}};
    (void)setitimer(ITIMER_REAL, &timer, NULL);
}

void fa_progress_begin(const char *what)
{
    if (!isatty(STDERR_FILENO)) return;
    percent = -1;
    label = what;
    struct sigaction action = {.sa_handler = print_line, .sa_flags = SA_RESTART};
    sigemptyset(&action.sa_mask);
    (void)sigaction(SIGALRM, &action, NULL);
    set_timer(true);
}

void fa_progress_at(double done, double total)
{
    if (label && total > 0) percent = (int)(100 * done / total);
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
