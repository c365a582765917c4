// Deterministic zip archives, whose bytes depend only on the members and their order: packed in
// memory, or written straight to a file where members are larger than that.
#ifndef FA_ARCHIVE_H
#define FA_ARCHIVE_H

#include <stddef.h>

#include "files.h"
#include "status.h"

#define FA_MEMBER_NAME_SIZE 512 // bytes of a name in the archive, with its closing zero

typedef struct fa_member {
    char   name[FA_MEMBER_NAME_SIZE];
    char  *data;
    size_t size;
    bool   program; // has the executable bit
} fa_member;

typedef struct fa_archive {
    int        n, room;
    fa_member *member;
} fa_archive; // all zero: an empty archive

// Adds a file. Takes ownership of `data`, allocated by malloc, also on failure.
fa_status fa_archive_add(fa_archive *archive, char *data, size_t size, bool program,
                         fa_error *error, const char *name_format, ...) FA_PRINTF(6, 7);

// Returns the archive's bytes, which the caller frees.
fa_status fa_archive_pack(const fa_archive *archive, char **data, size_t *size, fa_error *error);

void fa_archive_free(fa_archive *archive);

// A member that is read while it is written.
typedef struct fa_member_stream {
    const char *name;
    uint64_t    size; // [bytes]
    // Copies the next n bytes, in order from the first. Returns false after a failure, which the
    // context keeps.
    bool (*read)(void *context, void *bytes, size_t n);
    void *context;
} fa_member_stream;

// Writes these members, without compression and one after the other.
fa_status fa_archive_write(fa_new_file *file, const fa_member_stream member[], size_t n,
                           fa_error *error);

#endif
