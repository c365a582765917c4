// Clocks, processors, and the folder of the running program.
#define _XOPEN_SOURCE 700
#if defined(__APPLE__)
#define _DARWIN_C_SOURCE
#include <mach-o/dyld.h>
#include <stdint.h>
#endif
#include "machine.h"

#include <string.h>
#include <sys/mman.h>
#include <time.h>
#include <unistd.h>

static double read_clock(clockid_t which)
{
    struct timespec t;
    clock_gettime(which, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

double fa_clock_wall(void)
{
    return read_clock(CLOCK_MONOTONIC);
}

double fa_clock_processor(void)
{
    return read_clock(CLOCK_PROCESS_CPUTIME_ID);
}

int fa_processors(void)
{
    const long n = sysconf(_SC_NPROCESSORS_ONLN);
    return n < 1 ? 1 : n > 1 << 16 ? 1 << 16 : (int)n;
}

bool fa_machine_keep_memory(void)
{
    volatile char stack[1 << 18];
    for (size_t i = 0; i < sizeof stack; i += 1024) stack[i] = 0;
    return mlockall(MCL_CURRENT | MCL_FUTURE) == 0 && stack[0] == 0;
}

bool fa_program_folder(char folder[], size_t size)
{
#if defined(__APPLE__)
    uint32_t room = (uint32_t)size - 1;
    if (_NSGetExecutablePath(folder, &room) != 0) return false;
    size_t length = strlen(folder);
#else
    const ssize_t n = readlink("/proc/self/exe", folder, size - 1);
    if (n <= 0) return false;
    size_t length = (size_t)n;
#endif
    while (length > 0 && folder[length - 1] != '/') length--;
    if (length == 0) return false;
    folder[length - 1] = '\0';
    return true;
}
