// Descriptions of arrays.
#ifndef FA_VIEW_TEXTS_H
#define FA_VIEW_TEXTS_H

#include "variables.h"

// Generalises the description of one row to all parts: "of link i" in place of "link upper"; with
// all_axes, "x, y, z" in place of one axis. Truncates to size.
void fa_describe_all(const fa_variable *first, bool all_axes, char out[], size_t size);

#endif
