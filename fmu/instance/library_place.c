// Finds the folder of the shared library on disk; each operating system has its own function.
#if defined(__linux__)
#if !defined(_GNU_SOURCE)
#define _GNU_SOURCE // for dl_iterate_phdr; dladdr would require a newer glibc than hosts have
#endif
#include <link.h>
#elif defined(_WIN32)
#include <windows.h>
#else
#include <dlfcn.h>
#endif

#include "resource.h"

#include <stdint.h>
#include <string.h>

// An address in this library.
static const char here = 0;

bool fa_folder_of(const char *path, char folder[], size_t size)
{
    size_t length = strlen(path);
    while (length > 0 && path[length - 1] != '/' && path[length - 1] != '\\') length--;
    if (length < 2 || length > size) return false;
    memcpy(folder, path, length - 1);
    folder[length - 1] = '\0';
    return true;
}

#if defined(__linux__)

static int is_this_one(struct dl_phdr_info *object, size_t size, void *path)
{
    (void)size;
    uintptr_t place = (uintptr_t)&here;
    for (int i = 0; i < object->dlpi_phnum; i++) {
        const ElfW(Phdr) *segment = &object->dlpi_phdr[i];
        uintptr_t begin = object->dlpi_addr + segment->p_vaddr;
        if (segment->p_type == PT_LOAD && place >= begin && place - begin < segment->p_memsz) {
            *(const char **)path = object->dlpi_name;
            return 1;
        }
    }
    return 0;
}

bool fa_library_folder(char folder[], size_t size)
{
    const char *path = NULL; // empty for the main program
    return dl_iterate_phdr(is_this_one, &path) && path && fa_folder_of(path, folder, size);
}

#elif defined(_WIN32)

bool fa_library_folder(char folder[], size_t size)
{
    HMODULE module;
    wchar_t wide[4096];
    char    path[4096];
    DWORD   flags =
        GET_MODULE_HANDLE_EX_FLAG_FROM_ADDRESS | GET_MODULE_HANDLE_EX_FLAG_UNCHANGED_REFCOUNT;
    if (!GetModuleHandleExW(flags, (LPCWSTR)&here, &module)) return false;
    DWORD length = GetModuleFileNameW(module, wide, 4096);
    if (length == 0 || length >= 4096) return false;
    if (!WideCharToMultiByte(CP_UTF8, 0, wide, -1, path, sizeof path, NULL, NULL)) return false;
    return fa_folder_of(path, folder, size);
}

#else

bool fa_library_folder(char folder[], size_t size)
{
    Dl_info info;
    return dladdr(&here, &info) && info.dli_fname && fa_folder_of(info.dli_fname, folder, size);
}

#endif
