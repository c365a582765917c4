// A line that says how far the work is: on standard error, if that is a terminal, and only once the
// work has taken a second. A timer prints it, so that nobody who works has to look at a clock.
#ifndef FA_PROGRESS_H
#define FA_PROGRESS_H

// Begins a piece of work, such as "simulating"; `what` must live until fa_progress_end.
void fa_progress_begin(const char *what);

// How much of it is done; before the first call the line has no percentage.
void fa_progress_at(double done, double total);

void fa_progress_end(void);

// Takes the line away while something else is printed, and lets it come back.
void fa_progress_hide(void);
void fa_progress_show(void);

#endif
