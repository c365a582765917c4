// Instructions of a call: by the processor's counter (perf_event_open), which virtual machines and
// containers mostly keep to themselves, or by single steps, which need no rights: a process may
// trace its own child.
#define _GNU_SOURCE
#include "instructions.h"

#include <math.h>

#if defined(__linux__)
#include <errno.h>
#include <linux/perf_event.h>
#include <signal.h>
#include <stdbool.h>
#include <stdint.h>
#include <sys/ioctl.h>
#include <sys/ptrace.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

static void repeat(const fa_measured *call, long calls)
{
    for (long i = 0; i < calls; i++) call->run(call->context, i);
}

// ------------------------------------------------------------------------------------- hardware

// Instructions that `calls` calls take outside the system's kernel; NAN where there is no counter.
static double counted_by_hardware(const fa_measured *call, long calls)
{
    struct perf_event_attr what = {.type = PERF_TYPE_HARDWARE,
                                   .size = sizeof what,
                                   .config = PERF_COUNT_HW_INSTRUCTIONS,
                                   .disabled = 1,
                                   .exclude_kernel = 1,
                                   .exclude_hv = 1};
    const int              counter = (int)syscall(SYS_perf_event_open, &what, 0, -1, -1, 0);
    uint64_t               count = 0;
    if (counter < 0) return NAN;
    ioctl(counter, PERF_EVENT_IOC_RESET, 0);
    ioctl(counter, PERF_EVENT_IOC_ENABLE, 0);
    repeat(call, calls);
    ioctl(counter, PERF_EVENT_IOC_DISABLE, 0);
    const bool good = read(counter, &count, sizeof count) == sizeof count && count > 0;
    close(counter);
    return good ? (double)count : NAN;
}

// ------------------------------------------------------------------------------------- stepping

// In the copy: marks the beginning and the end of nothing, and then of one call.
static void be_stepped(const fa_measured *call)
{
    if (ptrace(PTRACE_TRACEME, 0, NULL, NULL) != 0) _exit(1);
    repeat(call, 1); // what the first call alone does, such as looking up sin() in libm
    for (long calls = 0; calls <= 1; calls++) {
        raise(SIGSTOP);
        repeat(call, calls);
    }
    raise(SIGSTOP);
    _exit(0);
}

// Lets the copy run until it stops; gives the signal that stopped it, 0 if it is gone.
static int wait_for_stop(pid_t copy)
{
    int state;
    while (waitpid(copy, &state, 0) < 0)
        if (errno != EINTR) return 0;
    return WIFSTOPPED(state) ? WSTOPSIG(state) : 0;
}

// Steps from one mark to the next one; NAN if there are more than `most`, or no mark comes.
static double steps_to_mark(pid_t copy, double most)
{
    for (double steps = 0; steps <= most; steps++) {
        if (ptrace(PTRACE_SINGLESTEP, copy, NULL, NULL) != 0) return NAN;
        const int signal = wait_for_stop(copy);
        if (signal == SIGSTOP) return steps;
        if (signal != SIGTRAP) return NAN;
    }
    return NAN;
}

static double counted_by_stepping(const fa_measured *call, double most)
{
    const pid_t copy = fork();
    if (copy < 0) return NAN;
    if (copy == 0) be_stepped(call);
    double empty = NAN, one = NAN;
    if (wait_for_stop(copy) == SIGSTOP) {
        ptrace(PTRACE_SETOPTIONS, copy, NULL, (void *)(uintptr_t)PTRACE_O_EXITKILL);
        empty = steps_to_mark(copy, most);
        one = steps_to_mark(copy, most + empty);
    }
    kill(copy, SIGKILL);
    while (waitpid(copy, NULL, 0) < 0 && errno == EINTR) continue;
    return one - empty;
}

// ---------------------------------------------------------------------------------------- both

static void do_something(void *context, long turn)
{
    *(volatile long *)context += turn;
}

fa_counter fa_counter_find(void)
{
    long              sum = 0;
    const fa_measured call = {do_something, &sum};
    if (fa_measure_instructions(FA_COUNTER_HARDWARE, &call, INFINITY) > 0)
        return FA_COUNTER_HARDWARE;
    if (fa_measure_instructions(FA_COUNTER_STEPPING, &call, 1e5) > 0) return FA_COUNTER_STEPPING;
    return FA_COUNTER_NONE;
}

double fa_measure_instructions(fa_counter counter, const fa_measured *call, double most)
{
    enum { CALLS = 16, TRIES = 3 };
    if (counter == FA_COUNTER_STEPPING) return counted_by_stepping(call, most);
    if (counter != FA_COUNTER_HARDWARE) return NAN;
    double least = INFINITY; // an interrupt's return may be counted along
    for (int i = 0; i < TRIES; i++)
        least =
            fmin(least,
                 (counted_by_hardware(call, 2 * CALLS) - counted_by_hardware(call, CALLS)) / CALLS);
    return least < INFINITY ? least : NAN;
}

#else

fa_counter fa_counter_find(void)
{
    return FA_COUNTER_NONE;
}

double fa_measure_instructions(fa_counter counter, const fa_measured *call, double most)
{
    (void)counter, (void)call, (void)most;
    return NAN;
}

#endif

const char *fa_counter_text(fa_counter counter)
{
    static const char *const text[] = {
        [FA_COUNTER_NONE] = "nowhere: this system gives programs neither the processor's counter "
                            "(perf_event_open) nor leave to step through a copy of themselves "
                            "(ptrace)",
        [FA_COUNTER_HARDWARE] = "by the processor",
        [FA_COUNTER_STEPPING] = "by single steps through a copy of the process",
    };
    return text[counter];
}
