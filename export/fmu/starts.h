// Writes the start attribute of a variable: one number, or all elements row by row, for FMI 3.0 and
// parameter sets of SSP 2.0.
#ifndef FA_STARTS_H
#define FA_STARTS_H

#include "markup.h"
#include "view.h"

// Writes the first n elements. FA_NO_MEMORY: the attribute is missing.
fa_status fa_write_starts(fa_markup *out, const char *attribute, const fa_view *view,
                          const fa_variables *table, int variable, int n);

#endif
