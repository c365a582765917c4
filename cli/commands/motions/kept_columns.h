// The columns of forearm runs: selection by --keep and --variables, and their recorded values.
#ifndef FA_KEPT_COLUMNS_H
#define FA_KEPT_COLUMNS_H

#include "arrays.h"
#include "csv_writer.h"
#include "keeping.h"

// Parses `words` of --keep and `list` of --variables. NULL: the last sample, states and outputs.
// Release with fa_keeping_free, also after a failure.
fa_status fa_keeping_read(const fa_state *state, const char *words, const char *list, double lines,
                          fa_keeping *keeping, fa_error *error);

// Writes the columns of a table: their names, their numbers (of sample `line`, where all samples
// are kept), or empty fields.
void fa_keeping_put_names(const fa_keeping *keeping, const fa_variables *table, fa_csv_writer *out);
void fa_keeping_put(const fa_keeping *keeping, const double kept[], double line,
                    fa_csv_writer *out);
void fa_keeping_put_nothing(const fa_keeping *keeping, fa_csv_writer *out);

// Adds the columns to arrays whose records are runs: of all samples, or one number each.
void fa_keeping_add_fields(const fa_keeping *keeping, const fa_variables *table, fa_arrays *arrays);

#endif
