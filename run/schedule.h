// Inputs over time: lines of a table.
#ifndef FA_SCHEDULE_H
#define FA_SCHEDULE_H

#include "status.h"

typedef struct fa_schedule {
    bool    linear; // between two lines; otherwise each line holds until the next one
    int     n_columns;
    int    *row; // of each column but the time's: the input that it is
    int     n;   // lines
    int     room;
    double *time;
    double *value; // n_columns for each line
    int     now;   // the last line with time[now] <= t; -1: t is before the first
} fa_schedule;

// A schedule without lines; `input` has the row of each of its n inputs. Release with
// fa_schedule_free, also after a failure. One that is all zero moves no input, too.
fa_status fa_schedule_new(bool linear, const int input[], int n, fa_schedule *schedule,
                          fa_error *error);

// One more line, with a value for each input: no earlier than the one before. Two lines of the same
// time are a jump.
fa_status fa_schedule_add(fa_schedule *schedule, double time, const double value[],
                          fa_error *error);
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
