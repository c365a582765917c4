// Converts a table of results to the form of hosts with arrays (FMPy, fmusim, fmi-rs): a column for
// each array, its elements row by row, separated by spaces.
#ifndef FA_ARRAY_RESULTS_H
#define FA_ARRAY_RESULTS_H

#include "view.h"

// `results` is a table with a column for time and for each state and output of `table`. The caller
// frees the text.
fa_status fa_array_results(const char *results, size_t size, const fa_variables *table,
                           const fa_view *view, char **text, size_t *text_size, fa_error *error);

#endif
