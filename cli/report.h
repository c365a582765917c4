// Messages to the user: errors, warnings and exit codes.
#ifndef FA_REPORT_H
#define FA_REPORT_H

#include "status.h"

// X(code, number, what it means); documented in docs/cli.md
#define FA_EXIT_LIST(X)                                                                            \
    X(FA_EXIT_DONE, 0, "done")                                                                     \
    X(FA_EXIT_INPUT, 1, "a robot file, a table or a value in them is wrong")                       \
    X(FA_EXIT_USAGE, 2, "the command line is wrong, or asks for what this robot has not")          \
    X(FA_EXIT_SYSTEM, 3, "a file could not be read or written, or memory ran out")                 \
    X(FA_EXIT_UNSOLVABLE, 4, "there is no solution there, or no finite number")                    \
    X(FA_EXIT_DISAGREEMENT, 5, "compare: methods differ by more than rounding, which is our fault")

typedef enum fa_exit {
#define X(code, number, text) code = number,
    FA_EXIT_LIST(X)
#undef X
} fa_exit;

// Returns the exit code of a status. Unless it is FA_OK, first writes the error to standard error,
// with a general sentence for the status if `error` has none:
//   FILE:LINE:COL: sentence           where the place is known
//   forearm: FILE: sentence           where only the file is
//   forearm: sentence
fa_exit fa_report(fa_status status, const fa_error *error);

// A log that writes warnings to standard error, as FILE:LINE:COL: warning: sentence, and counts
// them in *count (which may be NULL).
fa_log fa_report_warnings(int *count);

#endif
