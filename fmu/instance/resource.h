// Finds the FMU's robot file: compiled in, or in the resource folder given by the host, or beside
// the library.
#ifndef FA_RESOURCE_H
#define FA_RESOURCE_H

#include <stddef.h>

#include "status.h"

// Reads robot.forearm with this token. `resources` is a folder, a file URI of one, or NULL. The
// text is released with free().
fa_status fa_resource_read(const char *resources, const char *token, char **text, size_t *size,
                           fa_error *error);

// Extracts the path from a file URI, with or without an authority; anything else is a path already.
// Percent signs are decoded only on request, since not every host encodes them. False if the buffer
// is too small.
bool fa_resource_path(const char *uri, bool decode, char path[], size_t size);

// Returns the folder of a path, without a trailing slash or backslash; false if there is none or
// the buffer is too small.
bool fa_folder_of(const char *path, char folder[], size_t size);

// Returns the folder of this shared library, without a trailing slash; false if the code is not in
// one, or the system does not tell.
bool fa_library_folder(char folder[], size_t size);

#endif
