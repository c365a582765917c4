// Where the FMU library lies that the build or the installation made.
#define _XOPEN_SOURCE 700
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "export.h"

#if defined(__APPLE__)
#include <mach-o/dyld.h>
#include <stdint.h>
#endif

#if defined(__aarch64__)
#define MACHINE "aarch64"
#elif defined(__x86_64__)
#define MACHINE "x86_64"
#else
#error "FMI has no name for this machine that Forearm knows"
#endif

#if defined(__APPLE__)
#define SYSTEM      "darwin"
#define FMI2_FOLDER "darwin64"
#elif defined(__aarch64__)
#define SYSTEM      "linux"
#define FMI2_FOLDER "aarch64-linux"
#else
#define SYSTEM      "linux"
#define FMI2_FOLDER "linux64"
#endif

// Below the folder of the running program: the installation's bin/ and the build's cli/ both have
// lib/ beside them.
#define BESIDE_PROGRAM "/../lib/forearm/binaries"

const char *fa_platform(int fmi)
{
    return fmi == 2 ? FMI2_FOLDER : MACHINE "-" SYSTEM;
}

const char *fa_library_ending(void)
{
#if defined(__APPLE__)
    return ".dylib";
#else
    return ".so";
#endif
}

// The folder that the running program is in.
static bool program_folder(char folder[FA_PATH_SIZE])
{
#if defined(__APPLE__)
    uint32_t size = FA_PATH_SIZE - 1;
    if (_NSGetExecutablePath(folder, &size) != 0) return false;
    size_t length = strlen(folder);
#else
    ssize_t n = readlink("/proc/self/exe", folder, FA_PATH_SIZE - 1);
    if (n <= 0) return false;
    size_t length = (size_t)n;
#endif
    while (length > 0 && folder[length - 1] != '/') length--;
    if (length == 0) return false;
    folder[length - 1] = '\0';
    return true;
}

static bool library_in(const char *folder, char path[FA_PATH_SIZE])
{
    int n = snprintf(path, FA_PATH_SIZE, "%s/%s/forearm%s", folder, fa_platform(3),
                     fa_library_ending());
    if (n < FA_PATH_SIZE && access(path, R_OK) == 0) return true;
    n = snprintf(path, FA_PATH_SIZE, "%s/forearm%s", folder, fa_library_ending());
    return n < FA_PATH_SIZE && access(path, R_OK) == 0;
}

fa_status fa_library_find(const char *folder, char path[FA_PATH_SIZE], fa_error *error)
{
    char beside[FA_PATH_SIZE];
    if (!folder) folder = getenv("FOREARM_LIBRARY_DIR");
    if (!folder || !*folder) {
        if (!program_folder(beside) || strlen(beside) + sizeof BESIDE_PROGRAM > FA_PATH_SIZE) {
            return fa_fail(error, FA_IO, NULL, FA_NOWHERE,
                           "cannot tell where this program is installed; name the folder of the "
                           "FMU library in FOREARM_LIBRARY_DIR");
        }
        memcpy(beside + strlen(beside), BESIDE_PROGRAM, sizeof BESIDE_PROGRAM);
        folder = beside;
    }
    if (library_in(folder, path)) return FA_OK;
    return fa_fail(error, FA_IO, folder, FA_NOWHERE,
                   "the FMU library for %s is not in this folder; install Forearm again, or name "
                   "the library's folder in FOREARM_LIBRARY_DIR",
                   fa_platform(3));
}
