// The software bill of materials of an FMU, after SPDX 2.3: its programs, their supplier and
// licence, and a checksum of each file.
#ifndef FA_BILL_H
#define FA_BILL_H

#include "archive.h"
#include "export.h"

// Describes an archive that contains all other files. The caller frees *text.
fa_status fa_bill_write(const fa_archive *archive, const fa_options *options, char **text,
                        size_t *size, fa_error *error);

#endif
