// What an archive from a stranger says about its files, judged before any of them is unpacked.
#ifndef FA_MEMBERS_H
#define FA_MEMBERS_H

#include <zip.h>

#include "status.h"

// Refused: files that would be unpacked outside their folder, links and devices, encrypted files,
// two files of one name, and more or larger files than any FMU of ours has.
fa_status fa_members_check(zip_t *archive, const char *path, fa_error *error);

// One member, whole, with a zero behind it; refused if it is longer or shorter than it says. The
// caller frees it.
fa_status fa_member_read(zip_t *archive, zip_int64_t index, const char *path, char **data,
                         size_t *size, fa_error *error);

#endif
