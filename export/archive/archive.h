// A zip archive in memory whose bytes depend on nothing but what is put into it, and in which
// order.
#ifndef FA_ARCHIVE_H
#define FA_ARCHIVE_H

#include <stddef.h>

#include "status.h"

#define FA_MEMBER_NAME_SIZE 512 // bytes of a name in the archive, with its closing zero

typedef struct fa_member {
    char   name[FA_MEMBER_NAME_SIZE];
    char  *data;
    size_t size;
    bool   program; // may be run
} fa_member;

typedef struct fa_archive {
    int        n, room;
    fa_member *member;
} fa_archive; // all zero: an empty one

// Adds a file. Takes `data`, which malloc gave, over, also when it fails.
fa_status fa_archive_add(fa_archive *archive, char *data, size_t size, bool program,
                         fa_error *error, const char *name_format, ...) FA_PRINTF(6, 7);

// The archive's bytes, released by the caller with free.
fa_status fa_archive_pack(const fa_archive *archive, char **data, size_t *size, fa_error *error);

void fa_archive_free(fa_archive *archive);

#endif
