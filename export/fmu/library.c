// Table of platforms, and search for their prebuilt libraries.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "export.h"
#include "machine.h"
#include "paths.h"

#if defined(__aarch64__)
#define MACHINE "aarch64"
#elif defined(__x86_64__)
#define MACHINE "x86_64"
#elif defined(__wasm32__)
#define MACHINE "wasm32"
#else
#error "FMI has no name for this machine that Forearm knows"
#endif

#if defined(__APPLE__)
#define SYSTEM "darwin"
#elif defined(_WIN32)
#define SYSTEM "windows"
#elif defined(__wasi__)
#define SYSTEM "wasi" // no FMU runs on it
#else
#define SYSTEM "linux"
#endif
#define NATIVE MACHINE "-" SYSTEM

// Relative to the folder of the running program: bin/ of the installation and cli/ of the build
// both have lib/ beside them.
#define BESIDE_PROGRAM "/../lib/forearm/binaries"

// A platform. FMI 2.0 has one name for both Mac processors; its library is a universal binary.
typedef struct platform {
    const char *name;      // name in FMI 3.0; also the library's folder
    const char *fmi2;      // name in FMI 2.0
    const char *fmi2_from; // folder of the library for FMI 2.0
    const char *ending;
} platform;

static const platform platforms[FA_PLATFORM_COUNT] = {
    {"x86_64-linux", "linux64", "x86_64-linux", ".so"},
    {"aarch64-linux", "aarch64-linux", "aarch64-linux", ".so"},
    {"x86_64-windows", "win64", "x86_64-windows", ".dll"},
    {"x86_64-darwin", "darwin64", "universal-darwin", ".dylib"},
    {"aarch64-darwin", "darwin64", "universal-darwin", ".dylib"},
};

static bool is_native(const platform *p)
{
    return strcmp(p->name, NATIVE) == 0;
}

// The platform of this program; where no FMU runs on it, as in a browser, the first one stands for
// it.
static const platform *native(void)
{
    for (int i = 0; i < FA_PLATFORM_COUNT; i++)
        if (is_native(&platforms[i])) return &platforms[i];
    return platforms;
}

const char *fa_platform(int fmi)
{
    return fmi == 2 ? native()->fmi2 : native()->name;
}

const char *fa_library_ending(void)
{
    return native()->ending;
}

// --------------------------------------------------------------------------------------- folders

// Chooses the folder of all libraries: the given one, that of the environment variable, or the one
// beside the program.
static fa_status choose_folder(const char *folder, char chosen[FA_PATH_SIZE], fa_error *error)
{
    if (!folder) folder = getenv("FOREARM_LIBRARY_DIR");
    if (folder && *folder) {
        if (strlen(folder) < FA_PATH_SIZE) {
            memcpy(chosen, folder, strlen(folder) + 1);
            return FA_OK;
        }
    } else if (fa_program_folder(chosen, FA_PATH_SIZE) &&
               strlen(chosen) + sizeof BESIDE_PROGRAM <= FA_PATH_SIZE) {
        memcpy(chosen + strlen(chosen), BESIDE_PROGRAM, sizeof BESIDE_PROGRAM);
        return FA_OK;
    }
    return fa_fail(error, FA_IO, NULL, FA_NOWHERE,
                   "cannot tell where this program is installed; name the folder of the FMU "
                   "library in FOREARM_LIBRARY_DIR");
}

static bool is_there(const char *folder, const char *below, const char *ending,
                     char path[FA_PATH_SIZE])
{
    int n =
        snprintf(path, FA_PATH_SIZE, "%s%s%s/forearm%s", folder, *below ? "/" : "", below, ending);
    return n < FA_PATH_SIZE && fa_path_is_readable(path);
}

static bool find(const char *folder, const platform *p, int fmi, fa_library *library)
{
    library->platform = fmi == 2 ? p->fmi2 : p->name;
    library->ending = p->ending;
    if (is_there(folder, fmi == 2 ? p->fmi2_from : p->name, p->ending, library->path)) return true;
    // A build without cross-compilation has its own library only, which may be in the folder
    // itself.
    return is_native(p) && (is_there(folder, p->name, p->ending, library->path) ||
                            is_there(folder, "", p->ending, library->path));
}

// -------------------------------------------------------------------------------------- choosing

static bool is_named(const char *word, size_t length, const char *name)
{
    return strlen(name) == length && strncmp(word, name, length) == 0;
}

static bool names(const char *word, size_t length, const platform *p)
{
    return is_named(word, length, p->name) || is_named(word, length, p->fmi2) ||
           (is_native(p) && is_named(word, length, "native"));
}

// Parses a list of platforms.
static fa_status read_list(const char *list, bool wanted[FA_PLATFORM_COUNT], fa_error *error)
{
    while (true) {
        size_t length = strcspn(list, ",");
        bool   known = false;
        for (int i = 0; i < FA_PLATFORM_COUNT; i++) {
            if (!names(list, length, &platforms[i])) continue;
            wanted[i] = known = true;
        }
        if (!known) {
            return fa_fail(error, FA_UNFIT, NULL, FA_NOWHERE,
                           "there is no platform '%.*s'; take some of native, x86_64-linux, "
                           "aarch64-linux, x86_64-windows, x86_64-darwin and aarch64-darwin, "
                           "separated by commas, or none",
                           length < 64 ? (int)length : 64, list);
        }
        if (list[length] == '\0') return FA_OK;
        list += length + 1;
    }
}

fa_status fa_sources_find(const char *folder, char sources[FA_PATH_SIZE], fa_error *error)
{
    char      from[FA_PATH_SIZE], list[FA_PATH_SIZE + 32];
    fa_status status = choose_folder(folder, from, error);
    if (status != FA_OK) return status;
    int length = snprintf(sources, FA_PATH_SIZE, "%s/../sources", from);
    (void)snprintf(list, sizeof list, "%s/files.txt", sources);
    if (length < FA_PATH_SIZE && fa_path_is_readable(list)) return FA_OK;
    return fa_fail(error, FA_IO, from, FA_NOWHERE,
                   "the sources of the FMU library are not in the folder sources beside this one; "
                   "install Forearm again, or name the folder of the libraries, which has the "
                   "sources beside it, in FOREARM_LIBRARY_DIR");
}

fa_status fa_libraries_find(const char *folder, int fmi, const char *list,
                            fa_library found[FA_PLATFORM_COUNT], int *n, fa_error *error)
{
    char from[FA_PATH_SIZE];
    bool wanted[FA_PLATFORM_COUNT] = {false};
    *n = 0;
    if (list && strcmp(list, "none") == 0) return FA_OK;
    fa_status status = list ? read_list(list, wanted, error) : FA_OK;
    if (status == FA_OK) status = choose_folder(folder, from, error);
    if (status != FA_OK) return status;
    for (int i = 0; i < FA_PLATFORM_COUNT; i++) {
        const platform *p = &platforms[i];
        const char     *name = fmi == 2 ? p->fmi2 : p->name;
        bool            again = *n > 0 && strcmp(found[*n - 1].platform, name) == 0;
        if ((list && !wanted[i]) || again) continue;
        if (find(from, p, fmi, &found[*n])) {
            ++*n;
        } else if (list || p == native()) {
            return fa_fail(error, FA_IO, from, FA_NOWHERE,
                           "the FMU library for %s is not in this folder; %s, or name the "
                           "library's folder in FOREARM_LIBRARY_DIR",
                           name,
                           is_native(p) ? "install Forearm again"
                                        : "install a Forearm that was built with zig");
        }
    }
    return FA_OK;
}
