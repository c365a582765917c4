// Validates the members of an untrusted archive before anything is unpacked.
#ifndef FA_MEMBERS_H
#define FA_MEMBERS_H

#include <zip.h>

#include "status.h"

// Refuses files that would be unpacked outside their folder, links and devices, encrypted files,
// duplicate names, and too many or too large files.
fa_status fa_members_check(zip_t *archive, const char *path, fa_error *error);

// Reads one member, followed by a zero byte. Fails if its length differs from the declared one. The
// caller frees it.
fa_status fa_member_read(zip_t *archive, zip_int64_t index, const char *path, char **data,
                         size_t *size, fa_error *error);

#endif
