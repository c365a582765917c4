// Inputs over time, from a table.
#ifndef FA_SCHEDULE_H
#define FA_SCHEDULE_H

#include "state.h"

typedef struct fa_schedule {
    bool    linear; // between two lines; otherwise each line holds until the next one
    int     n_columns;
    int    *row; // of each column but the time's: the input that it is
    int     n;   // lines
    double *time;
    double *value; // n_columns for each line
    bool    timed; // a column says the times
    int     now;   // the last line with time[now] <= t; -1: t is before the first
} fa_schedule;

// Reads all of a table with a column time, which must not decrease, and columns of inputs. Two
// lines of the same time are a jump. With a period above 0 [s], lines of a table without times are
// so far apart. Release with fa_schedule_free, also after a failure.
fa_status fa_schedule_read(const char *path, bool linear, double period, const fa_state *state,
                           fa_schedule *schedule, fa_error *error);
void      fa_schedule_free(fa_schedule *schedule);

// The first time after t at which an input jumps or bends; INFINITY: none.
double fa_schedule_next(const fa_schedule *schedule, double t);

// From here on the inputs are those of the stretch that begins at t; t must not decrease.
void fa_schedule_enter(fa_schedule *schedule, double t);

// The inputs at t, which lies in that stretch or at its end.
void fa_schedule_put(const fa_schedule *schedule, double t, double value[]);

// How fast they move in it [unit/s]; rate[0] belongs to the row `first`.
void fa_schedule_rates(const fa_schedule *schedule, double rate[], int first);

#endif
