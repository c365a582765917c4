// What --keep and --variables ask for, and what is kept of a motion as columns of a table.
#ifndef FA_KEPT_COLUMNS_H
#define FA_KEPT_COLUMNS_H

#include "csv_writer.h"
#include "keeping.h"

// `words` as --keep has them and `list` as --variables; NULL: the last sample, states and outputs.
// Release with fa_keeping_free, also after a failure.
fa_status fa_keeping_read(const fa_state *state, const char *words, const char *list, double lines,
                          fa_keeping *keeping, fa_error *error);

// Columns of a table: their names, their numbers (of sample `line`, where all are kept), and as
// many without a number.
void fa_keeping_put_names(const fa_keeping *keeping, const fa_variables *table, fa_csv_writer *out);
void fa_keeping_put(const fa_keeping *keeping, const double kept[], double line,
                    fa_csv_writer *out);
void fa_keeping_put_nothing(const fa_keeping *keeping, fa_csv_writer *out);

#endif
