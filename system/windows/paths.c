// Kinds of files, canonical paths, entries of folders, by Windows. Paths are UTF-8 and may be long:
// the program's manifest says so (cli/program/forearm.manifest).
#define WIN32_LEAN_AND_MEAN
#include "paths.h"

#include <direct.h>
#include <io.h>
#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <windows.h>

#include "windows_error.h"

// ---------------------------------------------------------------------------------- kinds of files

typedef enum kind { NOTHING, FOLDER, REGULAR, DEVICE } kind;

static HANDLE open_to_ask(const char *path)
{
    return CreateFileA(path, 0, FILE_SHARE_READ | FILE_SHARE_WRITE | FILE_SHARE_DELETE, NULL,
                       OPEN_EXISTING, FILE_FLAG_BACKUP_SEMANTICS, NULL);
}

static kind kind_of_handle(HANDLE file, double *size)
{
    BY_HANDLE_FILE_INFORMATION info;
    *size = NAN;
    if (GetFileType(file) != FILE_TYPE_DISK) return DEVICE;
    if (!GetFileInformationByHandle(file, &info)) return NOTHING;
    if (info.dwFileAttributes & FILE_ATTRIBUTE_DIRECTORY) return FOLDER;
    *size = (double)((uint64_t)info.nFileSizeHigh << 32 | info.nFileSizeLow);
    return REGULAR;
}

static kind kind_of(const char *path, double *size)
{
    const HANDLE file = open_to_ask(path);
    *size = NAN;
    if (file == INVALID_HANDLE_VALUE) return NOTHING;
    const kind found = kind_of_handle(file, size);
    (void)CloseHandle(file);
    return found;
}

bool fa_path_is_there(const char *path)
{
    double size;
    return kind_of(path, &size) != NOTHING;
}

bool fa_path_is_folder(const char *path)
{
    double size;
    return kind_of(path, &size) == FOLDER;
}

bool fa_path_is_file(const char *path)
{
    double size;
    return kind_of(path, &size) == REGULAR;
}

bool fa_path_is_device(const char *path)
{
    double size;
    return kind_of(path, &size) == DEVICE;
}

double fa_path_size(const char *path)
{
    double size;
    (void)kind_of(path, &size);
    return size;
}

bool fa_path_is_readable(const char *path)
{
    return _access(path, 4) == 0;
}

bool fa_path_is_writable(const char *path)
{
    return _access(path, 2) == 0;
}

bool fa_path_is_program(const char *path)
{
    const size_t n = strlen(path);
    return n > 4 && _stricmp(path + n - 4, ".exe") == 0 && fa_path_is_file(path);
}

// ------------------------------------------------------------------------------------------- words

static bool is_separator(char c)
{
    return c == '/' || c == '\\';
}

const char *fa_path_last(const char *path)
{
    const char *last = NULL;
    for (; *path; path++)
        if (is_separator(*path)) last = path;
    return last;
}

bool fa_path_is_absolute(const char *path)
{
    // C:mesh.stl depends on the working folder of the drive.
    return is_separator(path[0]) || (path[0] != '\0' && path[1] == ':' && is_separator(path[2]));
}

const char *fa_path_list_mark(void)
{
    return ";";
}

static void turn_slashes(char *path)
{
    for (; *path; path++)
        if (*path == '\\') *path = '/';
}

char *fa_path_real(const char *path)
{
    enum { ROOM = 32768 }; // the longest path of Windows
    const HANDLE file = open_to_ask(path);
    if (file == INVALID_HANDLE_VALUE) {
        fa_windows_error();
        return NULL;
    }
    char       *real = malloc(ROOM);
    const DWORD n = real ? GetFinalPathNameByHandleA(file, real, ROOM, VOLUME_NAME_DOS) : 0;
    (void)CloseHandle(file);
    if (n == 0 || n >= ROOM) { // a device
        free(real);
        return NULL;
    }
    turn_slashes(real);
    const char *from = real;
    if (strncmp(real, "//?/UNC/", 8) == 0) {
        real[6] = '/';
        from = real + 6;
    } else if (strncmp(real, "//?/", 4) == 0) {
        from = real + 4;
    }
    memmove(real, from, strlen(from) + 1);
    return real;
}

bool fa_path_resolve(const char *path, char real[], size_t size)
{
    char      *found = fa_path_real(path);
    const bool fits = found && strlen(found) < size;
    if (fits) memcpy(real, found, strlen(found) + 1);
    free(found);
    return fits;
}

char *fa_working_folder(void)
{
    char *folder = _getcwd(NULL, 0);
    if (folder) turn_slashes(folder);
    return folder;
}

// ----------------------------------------------------------------------------------------- folders

bool fa_folder_make(const char *path)
{
    return _mkdir(path) == 0;
}

bool fa_folder_remove(const char *path)
{
    return _rmdir(path) == 0;
}

bool fa_folders_make(const char *path)
{
    char *part = _strdup(path);
    if (!part) return false;
    for (char *at = part + is_separator(*part); *at; at++) {
        const char was = *at;
        if (!is_separator(was)) continue;
        *at = '\0';
        (void)_mkdir(part); // that it is there is no fault, and any other shows below
        *at = was;
    }
    (void)_mkdir(part);
    free(part);
    return fa_path_is_folder(path);
}

static int by_bytes(const void *left, const void *right)
{
    return strcmp(*(char *const *)left, *(char *const *)right);
}

char **fa_folder_names(const char *path, bool hidden, int *n)
{
    WIN32_FIND_DATAA entry;
    const size_t     length = strlen(path);
    char            *pattern = malloc(length + 3);
    *n = 0;
    if (!pattern) return NULL;
    memcpy(pattern, path, length);
    memcpy(pattern + length, "/*", 3);
    const HANDLE search = FindFirstFileA(pattern, &entry);
    free(pattern);
    if (search == INVALID_HANDLE_VALUE) {
        // The root of a drive may have no entry at all, not even ".".
        return fa_path_is_folder(path) ? calloc(1, sizeof(char *)) : NULL;
    }
    size_t room = 0;
    char **names = NULL;
    bool   good = true;
    do {
        const char *name = entry.cFileName;
        if (strcmp(name, ".") == 0 || strcmp(name, "..") == 0 || (!hidden && name[0] == '.'))
            continue;
        if ((size_t)*n + 1 >= room) {
            room = 2 * room + 16;
            char **larger = realloc(names, room * sizeof *names);
            good = larger != NULL;
            if (!good) break;
            names = larger;
        }
        names[*n] = _strdup(name);
        good = names[*n] != NULL;
        if (good) ++*n;
    } while (good && FindNextFileA(search, &entry));
    (void)FindClose(search);
    if (!good) {
        fa_folder_free(names, *n);
        *n = 0;
        return NULL;
    }
    if (!names) return calloc(1, sizeof(char *));
    qsort(names, (size_t)*n, sizeof *names, by_bytes);
    return names;
}

void fa_folder_free(char **names, int n)
{
    for (int i = 0; i < n; i++) free(names[i]);
    free(names);
}

// -------------------------------------------------------------------------------------- open files

double fa_file_size(FILE *file)
{
    double size;
    (void)kind_of_handle((HANDLE)_get_osfhandle(_fileno(file)), &size);
    return size;
}

FILE *fa_file_open_regular(const char *path, bool *irregular)
{
    double     size;
    const kind found = kind_of(path, &size);
    *irregular = found == FOLDER || found == DEVICE;
    return *irregular ? NULL : fopen(path, "rbN");
}
