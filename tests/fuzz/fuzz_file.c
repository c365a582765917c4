// Writes fuzzer input to a temporary file for readers that take paths.
#define _GNU_SOURCE // memfd_create
#include "fuzz.h"

#include <stdio.h>
#include <sys/mman.h>
#include <unistd.h>

const char *fuzz_file(const uint8_t *data, size_t size)
{
    static int  file = -1;
    static char path[64];
    if (file < 0) {
        file = memfd_create("fuzz", 0);
        check(file >= 0);
        (void)snprintf(path, sizeof path, "/proc/self/fd/%d", file);
    }
    check(ftruncate(file, 0) == 0);
    check(pwrite(file, data, size, 0) == (ssize_t)size);
    return path;
}
