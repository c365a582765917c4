// Queries about files and folders.
#ifndef FA_PATHS_H
#define FA_PATHS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

bool fa_path_is_there(const char *path);
bool fa_path_is_folder(const char *path);
bool fa_path_is_file(const char *path); // a regular one
bool fa_path_is_readable(const char *path);
bool fa_path_is_writable(const char *path); // somebody may, and that is us
bool fa_path_is_program(const char *path);  // a regular file that may be run
bool fa_path_is_device(
    const char *path); // a pipe, a terminal, /dev/null, on Windows NUL …: written to as it is

// The last separator of folder and name, a slash, or on Windows also a backslash; NULL: none.
const char *fa_path_last(const char *path);

// True if it does not depend on the working folder: /x, or on Windows also C:\x and \x.
bool fa_path_is_absolute(const char *path);

// Returns what separates the paths of a list such as PATH: a colon, or on Windows a semicolon.
const char *fa_path_list_mark(void);

// The same place without links, with slashes; NULL: there is nothing, or no memory. Release with
// free().
char *fa_path_real(const char *path);

// The same into `real`; false: that is too small, too.
bool fa_path_resolve(const char *path, char real[], size_t size);

// Bytes of the regular file there; NAN: there is none.
double fa_path_size(const char *path);

// The paths that a pattern with *, ? and [] names, in their order; NULL: none, or no memory.
// Release with fa_folder_free.
char **fa_path_matches(const char *pattern, int *n);

// The folder that relative paths start from; NULL: it is gone, or no memory. Release with free().
char *fa_working_folder(void);

// A folder that only its owner may look into; false: it could not be made.
bool fa_folder_make(const char *path);

// Removes a folder that is empty.
bool fa_folder_remove(const char *path);

// A folder for everybody, with those above it, unless it is there; false: it is not, and could not
// be made.
bool fa_folders_make(const char *path);

// Returns the names in a folder, sorted by bytes; without names that begin with a dot unless
// `hidden`, and always without "." and "..". NULL: not a folder, or out of memory. Release with
// fa_folder_free.
char **fa_folder_names(const char *path, bool hidden, int *n);
void   fa_folder_free(char **names, int n);

// Bytes of a file that is open; NAN: it is no regular file.
double fa_file_size(FILE *file);

// Opens a regular file for reading; never waits, as opening a pipe does. NULL with errno, or with
// *irregular: what stands there is something else.
FILE *fa_file_open_regular(const char *path, bool *irregular);

#endif
