// Kinds of files, canonical paths, entries of folders, by POSIX.
#define _XOPEN_SOURCE 700
#include "paths.h"

#include <dirent.h>
#include <fcntl.h>
#include <glob.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

bool fa_path_is_there(const char *path)
{
    struct stat info;
    return stat(path, &info) == 0;
}

bool fa_path_is_folder(const char *path)
{
    struct stat info;
    return stat(path, &info) == 0 && S_ISDIR(info.st_mode);
}

bool fa_path_is_file(const char *path)
{
    struct stat info;
    return stat(path, &info) == 0 && S_ISREG(info.st_mode);
}

bool fa_path_is_readable(const char *path)
{
    return access(path, R_OK) == 0;
}

bool fa_path_is_writable(const char *path)
{
    struct stat info;
    return stat(path, &info) == 0 && (info.st_mode & (S_IWUSR | S_IWGRP | S_IWOTH)) != 0 &&
           access(path, W_OK) == 0;
}

bool fa_path_is_program(const char *path)
{
    return fa_path_is_file(path) && access(path, X_OK) == 0;
}

bool fa_path_is_device(const char *path)
{
    struct stat info;
    return stat(path, &info) == 0 && !S_ISREG(info.st_mode) && !S_ISDIR(info.st_mode);
}

char *fa_path_real(const char *path)
{
    return realpath(path, NULL);
}

bool fa_path_resolve(const char *path, char real[], size_t size)
{
    char      *found = realpath(path, NULL);
    const bool fits = found && strlen(found) < size;
    if (fits) memcpy(real, found, strlen(found) + 1);
    free(found);
    return fits;
}

double fa_path_size(const char *path)
{
    struct stat info;
    return stat(path, &info) == 0 && S_ISREG(info.st_mode) ? (double)info.st_size : NAN;
}

char *fa_working_folder(void)
{
    return getcwd(NULL, 0);
}

bool fa_folder_make(const char *path)
{
    return mkdir(path, 0700) == 0;
}

bool fa_folder_remove(const char *path)
{
    return rmdir(path) == 0;
}

bool fa_folders_make(const char *path)
{
    char *part = strdup(path);
    if (!part) return false;
    for (char *at = part + (*part == '/'); *at; at++) {
        if (*at != '/') continue;
        *at = '\0';
        (void)mkdir(part, 0777); // that it is there is no fault, and any other shows below
        *at = '/';
    }
    (void)mkdir(part, 0777);
    free(part);
    return fa_path_is_folder(path);
}

// ---------------------------------------------------------------------------------------- words

const char *fa_path_last(const char *path)
{
    return strrchr(path, '/');
}

bool fa_path_is_absolute(const char *path)
{
    return path[0] == '/';
}

const char *fa_path_list_mark(void)
{
    return ":";
}

// ---------------------------------------------------------------------------------------- folders

static int is_visible(const struct dirent *entry)
{
    return entry->d_name[0] != '.';
}

static int is_name(const struct dirent *entry)
{
    return strcmp(entry->d_name, ".") != 0 && strcmp(entry->d_name, "..") != 0;
}

static int by_bytes(const struct dirent **left, const struct dirent **right)
{
    return strcmp((*left)->d_name, (*right)->d_name);
}

char **fa_folder_names(const char *path, bool hidden, int *n)
{
    struct dirent **entry;
    const int       found = scandir(path, &entry, hidden ? is_name : is_visible, by_bytes);
    char          **names = found < 0 ? NULL : calloc((size_t)found + 1, sizeof *names);
    *n = 0;
    for (int i = 0; i < found; i++) {
        char *name = names ? strdup(entry[i]->d_name) : NULL;
        if (name) names[(*n)++] = name;
        free(entry[i]);
    }
    if (found >= 0) free(entry);
    return names;
}

void fa_folder_free(char **names, int n)
{
    for (int i = 0; i < n; i++) free(names[i]);
    free(names);
}

char **fa_path_matches(const char *pattern, int *n)
{
    glob_t found = {.gl_pathc = 0};
    *n = 0;
    if (glob(pattern, 0, NULL, &found) != 0) return NULL;
    char **paths = calloc(found.gl_pathc + 1, sizeof *paths);
    for (size_t i = 0; paths && i < found.gl_pathc; i++) {
        char *path = strdup(found.gl_pathv[i]);
        if (path) paths[(*n)++] = path;
    }
    globfree(&found);
    return paths;
}

// ------------------------------------------------------------------------------------ open files

double fa_file_size(FILE *file)
{
    struct stat info;
    const int   handle = fileno(file);
    if (handle < 0 || fstat(handle, &info) != 0 || !S_ISREG(info.st_mode)) return NAN;
    return (double)info.st_size;
}

FILE *fa_file_open_regular(const char *path, bool *irregular)
{
    struct stat info;
    const int   handle = open(path, O_RDONLY | O_NONBLOCK | O_NOCTTY | O_CLOEXEC);
    *irregular = handle >= 0 && (fstat(handle, &info) != 0 || !S_ISREG(info.st_mode));
    FILE *file = handle >= 0 && !*irregular ? fdopen(handle, "rb") : NULL;
    if (handle >= 0 && !file) (void)close(handle);
    return file;
}
