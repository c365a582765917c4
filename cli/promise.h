// Checks that results are finite. Every writer of the program (tables for people, CSV, JSON) uses
// this check, so none of them prints nan or inf.
#ifndef FA_PROMISE_H
#define FA_PROMISE_H

#include "status.h"

// Returns FA_NOT_FINITE and an error that names `what`, unless the value is finite.
fa_status fa_promise(const char *what, double value, fa_error *error);

// The same check for a number in a column and line of a table, both counted from one.
fa_status fa_promise_in_table(const char *column, long line, double value, const char *path,
                              fa_error *error);

#endif
