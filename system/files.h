// Whole files in memory, and a new one that is either complete or not there.
#ifndef FA_FILES_H
#define FA_FILES_H

#include <stddef.h>
#include <stdint.h>

#include "status.h"

#define FA_FILE_PATH_SIZE 4096

// Reads a file of at most `limit` bytes. *data is released by the caller with free; a zero that is
// not counted follows the last byte.
fa_status fa_file_read(const char *path, size_t limit, char **data, size_t *size, fa_error *error);

// Writes a file beside its final name and renames it over that name when it is on the disk. When
// it fails, what was there before is there still; a file that may not be written is not replaced. A
// symbolic link is followed.
fa_status fa_file_write(const char *path, const void *data, size_t size, fa_error *error);

// The same in pieces: create, append as often as needed, also at another place of it, keep or drop.
// Each error has dropped the file; dropping again, or after keeping, does nothing.
typedef struct fa_new_file {
    int  handle; // -1: none
    char target[FA_FILE_PATH_SIZE];
    char temporary[FA_FILE_PATH_SIZE]; // its name until it is complete
    char path[FA_FILE_PATH_SIZE];      // as messages name it
} fa_new_file;

fa_status fa_new_file_create(const char *path, fa_new_file *file, fa_error *error);
fa_status fa_new_file_append(fa_new_file *file, const void *data, size_t size, fa_error *error);
fa_status fa_new_file_seek(fa_new_file *file, uint64_t at, fa_error *error);
fa_status fa_new_file_keep(fa_new_file *file, fa_error *error);
void      fa_new_file_drop(fa_new_file *file);

#endif
