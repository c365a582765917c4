// Writes the header that lets the sources of several FMUs coexist in one program: it puts the FMU's
// identifier in front of every name of the library, and the standard's prefix in front of the
// standard's functions.
#ifndef FA_SOURCE_NAMES_H
#define FA_SOURCE_NAMES_H

#include "sources.h"

#define FA_SOURCE_NAMES "source_names.h"

// Returns its text (freed by the caller) and length. `sources` are the files as read.
fa_status fa_source_names_write(const fa_sources *sources, const fa_options *options, char **text,
                                size_t *size, fa_error *error);

#endif
