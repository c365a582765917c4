// Clocks, processors, and the folder of the running program, by Windows.
#define WIN32_LEAN_AND_MEAN
#include "machine.h"

#include <stdint.h>
#include <string.h>
#include <windows.h>

double fa_clock_wall(void)
{
    LARGE_INTEGER count, in_second;
    QueryPerformanceCounter(&count);
    QueryPerformanceFrequency(&in_second);
    return (double)count.QuadPart / (double)in_second.QuadPart;
}

static double seconds(FILETIME time)
{
    const uint64_t ticks = (uint64_t)time.dwHighDateTime << 32 | time.dwLowDateTime;
    return 1e-7 * (double)ticks; // of 100 ns
}

double fa_clock_processor(void)
{
    FILETIME began, ended, kernel, user;
    if (!GetProcessTimes(GetCurrentProcess(), &began, &ended, &kernel, &user)) return 0;
    return seconds(kernel) + seconds(user);
}

int fa_processors(void)
{
    const DWORD n = GetActiveProcessorCount(ALL_PROCESSOR_GROUPS);
    return n < 1 ? 1 : n > 1 << 16 ? 1 << 16 : (int)n;
}

bool fa_machine_keep_memory(void)
{
    return false; // Windows pins single ranges only, within the working set that it grants
}

bool fa_program_folder(char folder[], size_t size)
{
    const DWORD n = GetModuleFileNameA(NULL, folder, (DWORD)size);
    if (n == 0 || n >= size) return false;
    char *last = NULL;
    for (char *c = folder; *c; c++) {
        if (*c == '\\') *c = '/';
        if (*c == '/') last = c;
    }
    if (!last) return false;
    *last = '\0';
    return true;
}
