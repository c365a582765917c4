// Where the FMU finds its robot file: compiled in, or in the folder that the host names, however it
// spells it, or else beside the library itself.
#ifndef FA_RESOURCE_H
#define FA_RESOURCE_H

#include <stddef.h>

#include "status.h"

// Reads robot.forearm with this token. `resources` is a folder, a file URI of one, or NULL. The
// text is released with free().
fa_status fa_resource_read(const char *resources, const char *token, char **text, size_t *size,
                           fa_error *error);

// The path in a file URI, with or without an authority; anything else is taken for a path as it is.
// Percent signs are decoded or, since not every host writes them, left alone. False if it does not
// fit.
bool fa_resource_path(const char *uri, bool decode, char path[], size_t size);

// The folder of a path, without a closing slash, which is of either kind; false if it names none or
// does not fit.
bool fa_folder_of(const char *path, char folder[], size_t size);

// The folder of the shared library that this function was linked into, without a closing slash;
// false if it is not in one or the system does not say.
bool fa_library_folder(char folder[], size_t size);

#endif
