// The header by which the sources of several FMUs live in one program: every name of ours gets the
// FMU's identifier in front, and the standard's functions the prefix that the standard asks for.
#ifndef FA_SOURCE_NAMES_H
#define FA_SOURCE_NAMES_H

#include "sources.h"

#define FA_SOURCE_NAMES "source_names.h"

// Its text (released by the caller with free) and length. `sources` are as they were read.
fa_status fa_source_names_write(const fa_sources *sources, const fa_options *options, char **text,
                                size_t *size, fa_error *error);

#endif
