// Inputs over time: lines of a table.
#ifndef FA_SCHEDULE_H
#define FA_SCHEDULE_H

#include "status.h"

typedef struct fa_schedule {
    bool    linear; // linear interpolation; otherwise each line holds until the next one
    int     n_columns;
    int    *row; // row of each column's input
    int     n;   // number of lines
    int     room;
    double *time;
    double *value; // n_columns for each line
    int     now;   // index of the last line with time[now] <= t; -1: t is before the first
} fa_schedule;

// Creates a schedule without lines for n inputs, at the rows input[]. Release with
// fa_schedule_free, also after a failure. A schedule that is all zero is valid and moves no input.
fa_status fa_schedule_new(bool linear, const int input[], int n, fa_schedule *schedule,
                          fa_error *error);

// Appends a line with a value for each input; its time must not decrease. Two lines of the same
// time are a step.
fa_status fa_schedule_add(fa_schedule *schedule, double time, const double value[],
                          fa_error *error);
void      fa_schedule_free(fa_schedule *schedule);

// Returns the first time after t at which an input has a step or a kink; INFINITY: none.
double fa_schedule_next(const fa_schedule *schedule, double t);

// Enters the interval that begins at t; t must not decrease.
void fa_schedule_enter(fa_schedule *schedule, double t);

// Writes the inputs at t, within the current interval or at its end.
void fa_schedule_put(const fa_schedule *schedule, double t, double value[]);

// Writes the inputs' rates in the current interval [unit/s]; rate[0] belongs to the row `first`.
void fa_schedule_rates(const fa_schedule *schedule, double rate[], int first);

#endif
