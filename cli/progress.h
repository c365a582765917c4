// A line that says how far the work is, how fast it goes and how long it will take: on standard
// error, if that is a terminal, and only once the work has taken a second. A timer prints it, so
// that nobody who works has to look at a clock.
//
//     forearm: forward dynamics [####------]  41%, 52300 lines/s, 0:07 left
#ifndef FA_PROGRESS_H
#define FA_PROGRESS_H

// Begins a piece of work, such as "simulating"; `what` must live until fa_progress_end.
void fa_progress_begin(const char *what);
// What is counted, for a rate such as "52300 lines/s". Without it the line has none.
void fa_progress_unit(const char *unit);

// How much of it is done. Before the first call the line ends in "..."; where the total is not
// known, which 0 or NAN say, it has the rate only.
void fa_progress_at(double done, double total);

void fa_progress_end(void);

// Takes the line away while something else is printed, and lets it come back.
void fa_progress_hide(void);
void fa_progress_show(void);

#endif
