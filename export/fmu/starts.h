// The values that a variable starts with, as an attribute: one number, or those of all elements
// behind each other, row by row, as FMI 3.0 and parameter sets of SSP 2.0 want them.
#ifndef FA_STARTS_H
#define FA_STARTS_H

#include "markup.h"
#include "view.h"

// The first n of the elements. FA_NO_MEMORY: the attribute is missing.
fa_status fa_write_starts(fa_markup *out, const char *attribute, const fa_view *view,
                          const fa_variables *table, int variable, int n);

#endif
