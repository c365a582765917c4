// A table of results as hosts with arrays write it (FMPy, fmusim, fmi-rs): a column for each array,
// in it the elements, row by row, with spaces between them.
#ifndef FA_ARRAY_RESULTS_H
#define FA_ARRAY_RESULTS_H

#include "view.h"

// `results` is the table with a column for time and for each state and output of `table`. The text
// is the caller's, to be released with free.
fa_status fa_array_results(const char *results, size_t size, const fa_variables *table,
                           const fa_view *view, char **text, size_t *text_size, fa_error *error);

#endif
