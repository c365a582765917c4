// The bill of materials that every FMU carries, after SPDX 2.3: which programs are in it, whose
// they are, under which licence, and the sum of each file by which it can be known again.
#ifndef FA_BILL_H
#define FA_BILL_H

#include "archive.h"
#include "export.h"

// Of an archive that holds everything else. *text is released by the caller with free.
fa_status fa_bill_write(const fa_archive *archive, const fa_options *options, char **text,
                        size_t *size, fa_error *error);

#endif
