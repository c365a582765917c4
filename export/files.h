// Whole files in memory, and a new one that is either complete or not there.
#ifndef FA_FILES_H
#define FA_FILES_H

#include <stddef.h>

#include "status.h"

// Reads a file of at most `limit` bytes. *data is released by the caller with free; a zero that is
// not counted follows the last byte.
fa_status fa_file_read(const char *path, size_t limit, char **data, size_t *size, fa_error *error);

// Writes a file beside its final name and renames it over that name when it is on the disk. When
// it fails, what was there before is there still. A symbolic link is followed.
fa_status fa_file_write(const char *path, const void *data, size_t size, fa_error *error);

#endif
