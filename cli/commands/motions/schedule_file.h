// Reads inputs over time from a file.
#ifndef FA_SCHEDULE_FILE_H
#define FA_SCHEDULE_FILE_H

#include "schedule.h"
#include "state.h"

// Reads a table with a column time, which must not decrease, and columns of inputs. Two lines of
// the same time are a step. With a period above 0 [s], a table without times has one line per
// period. *timed is set to true if the table has times (NULL: not needed). Release with
// fa_schedule_free, also after a failure.
fa_status fa_schedule_read(const char *path, bool linear, double period, const fa_state *state,
                           fa_schedule *schedule, bool *timed, fa_error *error);

#endif
