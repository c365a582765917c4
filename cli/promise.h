// Numbers that a command promises: finite ones. Every writer of the program (tables for people,
// CSV, JSON) goes through this, so that none of them prints nan or inf.
#ifndef FA_PROMISE_H
#define FA_PROMISE_H

#include "status.h"

// FA_NOT_FINITE, with a sentence that names `what`, unless the value is finite.
fa_status fa_promise(const char *what, double value, fa_error *error);

// The same for a number that stands in a column and line of a table, both counted from one.
fa_status fa_promise_in_table(const char *column, long line, double value, const char *path,
                              fa_error *error);

#endif
