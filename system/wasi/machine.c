// Clocks of WASI. A module has one processor, and does not know where it is.
#define _XOPEN_SOURCE 700
#include "machine.h"

#include <time.h>

double fa_clock_wall(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

double fa_clock_processor(void)
{
    return fa_clock_wall();
}

int fa_processors(void)
{
    return 1;
}

bool fa_machine_keep_memory(void)
{
    return false;
}

bool fa_program_folder(char folder[], size_t size)
{
    (void)folder;
    (void)size;
    return false;
}
