// What an array's description says, made from that of its first element.
#ifndef FA_VIEW_TEXTS_H
#define FA_VIEW_TEXTS_H

#include "variables.h"

// The description of one row as one of all parts: of "link i" where it says "link upper"; with
// all_axes, of "x, y, z" where it names one axis. Cut to size.
void fa_describe_all(const fa_variable *first, bool all_axes, char out[], size_t size);

#endif
